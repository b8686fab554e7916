package bot_test

import (
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/bot"
	"github.com/altergate/altergate/internal/bot/bottest"
	"github.com/altergate/altergate/internal/policy"
	"github.com/altergate/altergate/internal/pull/pulltest"
)

// queued is the event of a merge queue that tries the pull request on top of a base.
func (p *play) queued(base, head string) bot.Answer {
	p.t.Helper()
	return p.handle("merge_group", p.MergeGroupOn(bottest.Number, base, head))
}

func (p *play) groupIs(head string, answer bot.Answer, outcome policy.Outcome, state, says string) {
	p.t.Helper()
	if answer.Verdict.Outcome != outcome {
		p.t.Errorf("the verdict is %s, want %s: %v\n%s", answer.Verdict.Outcome, outcome, answer.Failure, p.log.String())
	}
	if status := p.Last(head); status.State != state || !strings.Contains(status.Description, says) {
		p.t.Errorf("the group's status is %+v, want %s and %q", status, state, says)
	}
}

func TestAMergeGroup(t *testing.T) {
	p := open(t, bottest.DropNick())
	digest := p.pushed().Verdict.Digest
	group := p.Repo.Merge(p.Base, p.Head)
	before, states := p.Ours()[0], len(p.States(p.Head))

	p.groupIs(group, p.queued(p.Base, group), policy.Blocked, "failure", "1 destructive step needs approval, see the run; plan "+digest)
	p.Comment(bottest.Number, "ann", "/approve destructive")
	p.groupIs(group, p.queued(p.Base, group), policy.Passed, "success", "Approved by ann; plan "+digest)
	if now := p.Ours(); len(now) != 1 || now[0].Body != before.Body || len(p.States(p.Head)) != states {
		t.Errorf("the pull request was written to: %v, %v", now, p.States(p.Head))
	}
}

// A pull request ahead in the queue is in the group's base, so that only what this one adds is asked about.
func TestAMergeGroupBehindAnother(t *testing.T) {
	p := open(t, bottest.DropNick())
	digest := p.pushed().Verdict.Digest
	p.Comment(bottest.Number, "ann", "/approve destructive "+digest)
	ahead := p.Repo.Commit(p.Base, bottest.Files{"db/schema.sql": strings.Replace(bottest.Schema, ", note TEXT", "\n", 1)})
	group := p.Repo.Merge(ahead, p.Head)
	if group == "" {
		group = p.Repo.Commit(ahead, bottest.DropNickAndNote())
	}
	p.groupIs(group, p.queued(ahead, group), policy.Passed, "success", digest)
	p.groupIs(group, p.queued(p.Base, group), policy.Blocked, "failure", "2 destructive steps need approval")
}

// What is ahead in the queue is not merged yet, so that it is not yet the policy either.
func TestAMergeGroupBehindALaxerPolicy(t *testing.T) {
	p := open(t, bottest.DropNick())
	ahead := p.Repo.Commit(p.Base, bottest.Files{".github/altergate.yml": bottest.Config + "policy:\n  max-risk: destructive\n"})
	group := p.Repo.Merge(ahead, p.Head)
	p.groupIs(group, p.queued(ahead, group), policy.Blocked, "failure", "needs approval")
}

// A bare approval is for the plan that the pull request's own head showed. The group's status is on another commit.
func TestAMergeGroupAndABareApproval(t *testing.T) {
	p := open(t, bottest.DropNick())
	group := p.Repo.Merge(p.Base, p.Head)
	p.queued(p.Base, group)
	p.Comment(bottest.Number, "ann", "/approve destructive")
	p.groupIs(group, p.queued(p.Base, group), policy.Blocked, "failure", "needs approval")
}

func TestMergeGroupsThatAreRed(t *testing.T) {
	p := open(t, bottest.NoSchema())
	group := p.Repo.Merge(p.Base, p.Head)
	for name, change := range map[string]func(payload string) string{
		"no pull request in the name": func(s string) string { return strings.ReplaceAll(s, "/pr-7-", "/pr-x-") },
		"no queue's branch":           func(s string) string { return strings.ReplaceAll(s, "gh-readonly-queue", "queue") },
		"another queue's branch":      func(s string) string { return strings.ReplaceAll(s, `"refs/heads/main"`, `"refs/heads/release"`) },
		"another queue": func(s string) string {
			return strings.NewReplacer("queue/main/", "queue/release/", `"refs/heads/main"`, `"refs/heads/release"`).Replace(s)
		},
		"no base": func(s string) string { return strings.ReplaceAll(s, `"base_sha"`, `"base"`) },
		"an unknown base": func(s string) string {
			return strings.ReplaceAll(s, `"base_sha": "`+p.Base, `"base_sha": "`+pulltest.SHA("x"))
		},
		"an unknown pull request": func(s string) string { return strings.ReplaceAll(s, "/pr-7-", "/pr-8-") },
	} {
		t.Run(name, func(t *testing.T) {
			payload := string(p.MergeGroupOn(bottest.Number, p.Base, group))
			changed := change(payload)
			if changed == payload {
				t.Fatal("the payload is as it was")
			}
			answer := p.handle("merge_group", []byte(changed))
			if answer.Failure == nil || p.Last(group).State != "failure" {
				t.Errorf("the failure is %v, the status %+v", answer.Failure, p.Last(group))
			}
		})
	}
	if answer := p.handle("merge_group", []byte(strings.Replace(string(p.MergeGroupOn(bottest.Number, p.Base, group)), "checks_requested", "destroyed", 1))); answer.Nothing == "" {
		t.Errorf("a group that is gone: %+v", answer)
	}
	p.groupIs(group, p.queued(p.Base, group), policy.Passed, "success", "No schema change")
}

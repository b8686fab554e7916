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

// queueOfTwo is: number 8, by mia, which drops orders.note, and behind it number 7.
func queueOfTwo(t *testing.T) (p *play, ahead, group string) {
	t.Helper()
	p = open(t, bottest.DropNick())
	head := p.Repo.Commit(p.Base, bottest.Files{"db/schema.sql": strings.Replace(bottest.Schema, ", note TEXT", "", 1)})
	ahead = p.Repo.Merge(p.Base, head)
	p.PullRequest(8).Author("mia").Base("main", p.Base).Head(head).MergeCommit(ahead)
	group = p.Repo.Commit(ahead, bottest.DropNickAndNote())
	return p, ahead, group
}

// Every pull request in a group is judged by what it adds to those ahead of it, and with its own approvals.
func TestAMergeGroupBehindAnother(t *testing.T) {
	p, ahead, group := queueOfTwo(t)
	own := p.pushed().Verdict.Digest
	other := p.handle("pull_request_target", p.PullRequestEvent("opened", 8)).Verdict.Digest
	first := p.MergeGroupOn(8, p.Base, ahead)

	p.Comment(bottest.Number, "ann", "/approve destructive "+own)
	answer := p.queued(ahead, group)
	p.groupIs(group, answer, policy.NoAnswer, "failure", "No answer: 1 error; see the run")
	if text := answer.Report.Errors[0].Text; !strings.Contains(text, "pull request #8 is ahead in the merge queue") {
		t.Errorf("the error is %s", text)
	}
	p.Comment(bottest.Number, "ann", "/approve destructive "+other) // on the wrong one of the two
	p.groupIs(group, p.queued(ahead, group), policy.NoAnswer, "failure", "No answer")
	p.Comment(8, "ann", "/approve destructive "+other)
	p.groupIs(group, p.queued(ahead, group), policy.Passed, "success", "Approved by ann; plan "+own)
	p.groupIs(ahead, p.handle("merge_group", first), policy.Passed, "success", "Approved by ann; plan "+other)
	// As one they would be another plan, which nobody has approved.
	p.groupIs(group, p.queued(p.Base, group), policy.Blocked, "failure", "2 destructive steps need approval")
}

func TestAMergeGroupWhoseOthersAreGone(t *testing.T) {
	p, ahead, group := queueOfTwo(t)
	p.Comment(bottest.Number, "ann", "/approve destructive "+p.pushed().Verdict.Digest)
	answer := p.queued(ahead, group)
	if p.groupIs(group, answer, policy.NoAnswer, "failure", "No answer"); !strings.Contains(answer.Failure.Error(), "neither the tip of main nor in its queue") {
		t.Errorf("the failure is %v", answer.Failure)
	}
	p.MergeGroupOn(8, p.Base, ahead)
	p.PullRequest(8).Close()
	answer = p.queued(ahead, group)
	if p.groupIs(group, answer, policy.NoAnswer, "failure", "No answer"); !strings.Contains(answer.Failure.Error(), "#8, which is ahead in the merge queue, is closed") {
		t.Errorf("the failure is %v", answer.Failure)
	}
	// It was merged, and so the queue has it no more; even between the two looks.
	p.Unqueue(8)
	p.Branch("main", ahead)
	p.groupIs(group, p.queued(ahead, group), policy.Passed, "success", "Approved by ann")
	p.Branch("main", p.Base)
	b := p.bot()
	p.OnRequest(func(_, path string) {
		if strings.Contains(path, "/matching-refs/") {
			p.Branch("main", ahead)
		}
	})
	answers, err := b.Handle(t.Context(), "merge_group", p.MergeGroupOn(bottest.Number, ahead, group))
	if err != nil {
		t.Fatal(err)
	}
	p.groupIs(group, one(t, answers), policy.Passed, "success", "Approved by ann")
}

// A queue in which everyone stands behind everyone has no end.
func TestAMergeGroupThatIsAheadOfItself(t *testing.T) {
	p := open(t, bottest.NoSchema())
	a, b := p.Repo.Merge(p.Base, p.Head), p.Repo.Commit(p.Head, bottest.NoSchema())
	p.MergeGroupOn(bottest.Number, a, b)
	answer := p.queued(b, a)
	if p.groupIs(a, answer, policy.NoAnswer, "failure", "No answer"); !strings.Contains(answer.Failure.Error(), "more than 20 pull requests are ahead") {
		t.Errorf("the failure is %v", answer.Failure)
	}
}

// What is ahead in the queue is not merged yet, so that it is not yet the policy either. What it does to the configuration may be more than
// that: to where the schemas are.
func TestAMergeGroupBehindALaxerPolicy(t *testing.T) {
	elsewhere := strings.Replace(bottest.Config, "db/schema.sql", "db/other.sql", 1)
	for name, change := range map[string]bottest.Files{
		"laxer":     {".github/altergate.yml": bottest.Config + "policy:\n  max-risk: destructive\n"},
		"elsewhere": {".github/altergate.yml": elsewhere, "db/other.sql": bottest.Schema},
		"none":      {".github/altergate.yml": ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := open(t, bottest.NoSchema())
			p.Comment(bottest.Number, "ann", "/approve destructive "+p.pushed().Verdict.Digest)
			head := p.Repo.Commit(p.Base, change)
			ahead := p.Repo.Merge(p.Base, head)
			p.PullRequest(8).Author("mia").Base("main", p.Base).Head(head).MergeCommit(ahead)
			p.MergeGroupOn(8, p.Base, ahead)
			group := p.Repo.Merge(ahead, p.Head)
			answer := p.queued(ahead, group)
			p.groupIs(group, answer, policy.NoAnswer, "failure", "No answer: 1 error")
			if text := answer.Report.Errors[0].Text; !strings.Contains(text, "ahead in the merge queue changes the configuration; queue this pull request again") {
				t.Errorf("the error is %s", text)
			}
			p.Unqueue(8)
			p.Branch("main", ahead)
			if answer := p.queued(ahead, group); len(answer.Report.Errors) > 0 && name != "none" {
				t.Errorf("when that is merged the errors are %v", answer.Report.Errors)
			}
		})
	}
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

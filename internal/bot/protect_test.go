package bot_test

import (
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/bot/bottest"
	"github.com/altergate/altergate/internal/policy"
)

// guardedBase is a base that protects a table.
func guardedBase(protect string) bottest.Files {
	base := bottest.Base()
	base[".github/altergate.yml"] = bottest.Config + "policy:\n  protect: " + protect + "\n"
	return base
}

// uniqueEmail has a step of risk review, which the default policy lets pass.
func uniqueEmail() bottest.Files {
	return bottest.Files{"db/schema.sql": bottest.Schema + "CREATE UNIQUE INDEX one_email ON users (email);\n"}
}

func TestAProtectedTableHasApproversOfItsOwn(t *testing.T) {
	p := openOn(t, bottest.NewScene(t, guardedBase("[{tables: [users], approvers: {users: [tess]}}]"), bottest.DropNickAndNote()))
	p.User("tess")
	digest := p.pushed().Verdict.Digest
	p.commentSays("destructive**, protected |", "- table `users`; may approve: `tess`", "May approve: role `write`, `maintain` or `admin`.")

	answer := p.says("ann", "/approve destructive %s", digest)
	p.wants(answer, policy.Blocked, "pending", "failure", "pending", "failure")
	if got := answer.Verdict.Blocking; len(got) != 1 || !strings.HasPrefix(got[0].Object, "users") {
		t.Errorf("blocking are %+v", got)
	}
	p.commentSays("counts, but not for every step: table users is protected: it takes the name tess")

	answer = p.says("tess", "/approve destructive %s", digest)
	p.wants(answer, policy.Passed, "pending", "failure", "pending", "failure", "pending", "success")
}

func TestAProtectedTableWaitsWithinTheCeiling(t *testing.T) {
	for name, said := range map[string]string{
		"bare": "/approve review", "by its digest": "/approve review DIGEST", "the stronger word": "/approve destructive DIGEST",
		"by its ID": "/approve review STEP",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := openOn(t, bottest.NewScene(t, guardedBase("[USERS]"), uniqueEmail()))
			answer := p.pushed()
			p.wants(answer, policy.Blocked, "pending", "failure")
			p.commentSays("🟡 review, protected |", "/approve review "+answer.Verdict.Digest[:24], "- table `users`; may approve: role `write`")
			if text := p.Last(p.Head).Description; text != "1 review step needs approval, see the comment; plan "+answer.Verdict.Digest {
				t.Errorf("the status says %q", text)
			}
			answer = p.says("ann", "%s", strings.NewReplacer("DIGEST", answer.Verdict.Digest, "STEP", answer.Verdict.Blocking[0].ID).Replace(said))
			p.wants(answer, policy.Passed, "pending", "failure", "pending", "success")
		})
	}
	t.Run("and passes where it is not protected", func(t *testing.T) {
		p := openOn(t, bottest.NewScene(t, guardedBase("[orders]"), uniqueEmail()))
		p.wants(p.pushed(), policy.Passed, "pending", "success")
	})
}

// A pull request takes away no protection, neither in the configuration nor with another name.
func TestAProtectionCannotBeLoosened(t *testing.T) {
	for name, head := range map[string]bottest.Files{
		"by the head's policy": {"db/schema.sql": uniqueEmail()["db/schema.sql"], ".github/altergate.yml": bottest.Config},
		"by a rename": {"db/schema.sql": strings.NewReplacer("CREATE TABLE users", "-- @renamed from=users\nCREATE TABLE people", "REFERENCES users", "REFERENCES people").Replace(bottest.Schema) +
			"CREATE UNIQUE INDEX one_email ON people (email);\n"},
	} {
		t.Run(name, func(t *testing.T) {
			p := openOn(t, bottest.NewScene(t, guardedBase("[{tables: [users], approvers: {users: [tess]}}]"), head))
			answer := p.pushed()
			p.wants(answer, policy.Blocked, "pending", "failure")
			found := false
			for _, s := range answer.Verdict.Blocking {
				found = found || s.Kind == "create_index"
			}
			if !found {
				t.Errorf("blocking are %+v", answer.Verdict.Blocking)
			}
			answer = p.says("ann", "/approve destructive %s", answer.Verdict.Digest)
			p.wants(answer, policy.Blocked, "pending", "failure", "pending", "failure")
			p.commentSays("not authorised: table users is protected: it takes the name tess")
		})
	}
}

func TestAProtectedTableTakesTwoPeople(t *testing.T) {
	p := openOn(t, bottest.NewScene(t, guardedBase("[{tables: [us*], min-approvals: 2}]"), bottest.DropNick()))
	p.User("bea").Role("maintain")
	digest := p.pushed().Verdict.Digest
	p.wants(p.says("ann", "/approve destructive %s", digest), policy.Blocked, "pending", "failure", "pending", "failure")
	if text := p.Last(p.Head).Description; !strings.Contains(text, "needs 1 more approval") {
		t.Errorf("the status says %q", text)
	}
	p.wants(p.says("bea", "/approve destructive %s", digest), policy.Passed, "pending", "failure", "pending", "failure", "pending", "success")
	p.User("bea").Role("read")
	p.wants(p.says("ann", "/plan"), policy.Blocked, "pending", "failure", "pending", "failure", "pending", "success", "pending", "failure")
	p.commentSays("not authorised: table users is protected: it takes the role write, maintain, admin")
}

// Whether somebody is in the team that a protection names is no question that a workflow's own token can have answered.
func TestATeamOfAProtectionThatCannotBeSeen(t *testing.T) {
	p := openOn(t, bottest.NewScene(t, guardedBase("[{tables: [users], approvers: {teams: [acme/dba]}}]"), bottest.DropNickAndNote()))
	p.User("ann").Team("acme/dba")
	steps := p.pushed().Verdict.Blocking
	answer := p.says("ann", "/approve destructive %s", steps[0].ID+" "+steps[1].ID)
	p.wants(answer, policy.NoAnswer, "pending", "failure", "pending", "failure")
	p.commentSays("members: read")

	for _, c := range p.Comments(bottest.Number) {
		if strings.HasPrefix(c.Body, "/approve") {
			p.DeleteComment(c.ID, "ann")
		}
	}
	for _, s := range steps {
		if strings.HasPrefix(s.Object, "orders") { // nobody is asked for a step that the team has no say in
			answer = p.says("ann", "/approve destructive %s", s.ID)
		}
	}
	if answer.Verdict.Outcome != policy.Blocked || len(answer.Verdict.Counted) != 1 {
		t.Errorf("the verdict is %+v", answer.Verdict)
	}
}

package bot_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/bot/bottest"
	"github.com/altergate/altergate/internal/policy"
	"github.com/altergate/altergate/internal/pull/pulltest"
)

const (
	usersTable  = "CREATE TABLE users (id INTEGER PRIMARY KEY, nick TEXT);\n"
	ordersTable = "CREATE TABLE orders (id INTEGER PRIMARY KEY, note TEXT);\n"
	owned       = "schemas:\n  - {name: main, dialect: sqlite, source: db}\npolicy:\n  approvers: {codeowners: true}\n"
)

// dropBoth changes both files of the schema, and loses a column in each.
func dropBoth() bottest.Files {
	return bottest.Files{"db/users.sql": strings.Replace(usersTable, ", nick TEXT", "", 1), "db/orders.sql": strings.Replace(ordersTable, ", note TEXT", "", 1)}
}

// ownedScene has a schema in two files, and a base with CODEOWNERS.
func ownedScene(t *testing.T, owners string, head bottest.Files) *bottest.Scene {
	t.Helper()
	base := bottest.Files{".github/altergate.yml": owned, "db/users.sql": usersTable, "db/orders.sql": ordersTable, "README.md": "A shop\n"}
	if owners != "" {
		base[".github/CODEOWNERS"] = owners
	}
	return bottest.NewScene(t, base, head)
}

func TestCodeOwnersApprove(t *testing.T) {
	byPerson := func(p *play) { p.User("robot").Role("write"); p.token = p.UserToken("robot") }
	onlyUsers := bottest.Files{"db/users.sql": dropBoth()["db/users.sql"]}
	for name, test := range map[string]struct {
		owners string
		head   bottest.Files
		before func(p *play)
		by     string
		why    string // it does not count; empty: it does
	}{
		"an owner's":                       {owners: "/db/ @ann", by: "ann"},
		"in other letters":                 {owners: "* @Ann", by: "ann"},
		"of the one file that is changed":  {owners: "/db/users.sql @ann\n/db/orders.sql @bea", head: onlyUsers, by: "ann"},
		"a writer's who owns nothing":      {owners: "/db/ @bea", by: "ann", why: "db/orders.sql belongs to @bea"},
		"an owner's of one of two files":   {owners: "* @ann\n/db/users.sql @bea @cat", by: "ann", why: "has the role write, and it takes a code owner of every changed file; db/users.sql belongs to @bea, @cat"},
		"of a file that has no owner":      {owners: "* @ann\n/db/users.sql", by: "ann", why: "db/users.sql has no code owner"},
		"of a file that an address owns":   {owners: "* ann@example.com", by: "ann", why: "db/orders.sql belongs to ann@example.com (whose an e-mail address is, nobody can ask)"},
		"an owner's who may only read":     {owners: "* @rex", by: "rex", why: "a code owner has to have the role write or more"},
		"an owner's who is the author":     {owners: "* @eve", before: func(p *play) { p.User("eve").Role("admin") }, by: "eve", why: "the author of the pull request may not approve it"},
		"where nobody is":                  {by: "ann", why: "the base branch has no CODEOWNERS"},
		"an owner's by the head":           {owners: "* @bea", head: bottest.Files{".github/CODEOWNERS": "* @ann\n", "db/users.sql": onlyUsers["db/users.sql"]}, by: "ann", why: "db/users.sql belongs to @bea"},
		"an owner's by the head alone":     {head: bottest.Files{".github/CODEOWNERS": "* @ann\n", "db/users.sql": onlyUsers["db/users.sql"]}, by: "ann", why: "the base branch has no CODEOWNERS"},
		"an owner's in a better place":     {owners: "* @bea", head: bottest.Files{"CODEOWNERS": "* @ann\n", "db/users.sql": onlyUsers["db/users.sql"]}, by: "ann", why: "db/users.sql belongs to @bea"},
		"where the head has no CODEOWNERS": {owners: "* @ann", head: bottest.Files{".github/CODEOWNERS": "", "db/users.sql": onlyUsers["db/users.sql"]}, by: "ann"},
		"a team's that owns":               {owners: "* @acme/dba", before: func(p *play) { byPerson(p); p.User("ann").Team("acme/dba") }, by: "ann"},
		"of another team":                  {owners: "* @acme/dba", before: func(p *play) { byPerson(p); p.Team("acme/dba") }, by: "ann", why: "db/orders.sql belongs to @acme/dba"},
		"of someone invited to the team":   {owners: "* @acme/dba", before: func(p *play) { byPerson(p); p.User("ann").Invited("acme/dba") }, by: "ann", why: "db/orders.sql belongs to @acme/dba"},
		"by name or by team":               {owners: "* @ann\n/db/users.sql @acme/dba", before: func(p *play) { byPerson(p); p.User("ann").Team("acme/dba") }, by: "ann"},
		"an account that has the name now": {owners: "* @ann", before: func(p *play) { p.User("ann").Role("write") }, by: "ann"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			head := test.head
			if head == nil {
				head = dropBoth()
			}
			p := openOn(t, ownedScene(t, test.owners, head))
			if test.before != nil {
				test.before(p)
			}
			digest := p.pushed().Verdict.Digest
			answer := p.says(test.by, "/approve destructive %s", digest)
			if test.why == "" {
				p.wants(answer, policy.Passed, "pending", "failure", "pending", "success")
				return
			}
			p.wants(answer, policy.Blocked, "pending", "failure", "pending", "failure")
			if len(answer.Verdict.Rejected) != 1 || !strings.Contains(answer.Verdict.Rejected[0].Reason, test.why) {
				t.Errorf("rejected are %+v, want one because %q", answer.Verdict.Rejected, test.why)
			}
			if body := p.Comments(bottest.Number)[0].Body; !strings.Contains(body, "❌ ") || !strings.Contains(body, "code owners of all changed files") {
				t.Errorf("the comment does not show it:\n%s", body)
			}
		})
	}
}

// A workflow's own token sees no team: whether someone is in it is then no question that has the answer no.
func TestATeamOfCodeOwnersThatCannotBeSeen(t *testing.T) {
	p := openOn(t, ownedScene(t, "* @acme/dba", dropBoth()))
	p.User("ann").Team("acme/dba")
	digest := p.pushed().Verdict.Digest
	answer := p.says("ann", "/approve destructive %s", digest)
	p.wants(answer, policy.NoAnswer, "pending", "failure", "pending", "failure")
	if answer.Failure == nil || !strings.Contains(answer.Failure.Error(), "asking whether ann is in the team acme/dba") || !strings.Contains(answer.Failure.Error(), "members: read") {
		t.Errorf("the failure is %v", answer.Failure)
	}
	p.commentSays("members: read")
}

// It is not asked about where no approval hangs on it: for a file that somebody else owns, and for approvals that do not count anyway.
func TestATeamOfCodeOwnersThatNeedNotBeSeen(t *testing.T) {
	for name, test := range map[string]struct{ owners, login, said string }{
		"another file is in the way": {"* @acme/dba\n/db/users.sql @bea", "ann", "/approve destructive DIGEST"},
		"another plan":               {"* @acme/dba", "ann", "/approve destructive 0123456789abcdef0123456789abcdef"},
		"a reader":                   {"* @acme/dba", "rex", "/approve destructive DIGEST"},
		"the author":                 {"* @acme/dba", "eve", "/approve destructive DIGEST"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := openOn(t, ownedScene(t, test.owners, dropBoth()))
			digest := p.pushed().Verdict.Digest
			answer := p.says(test.login, "%s", strings.ReplaceAll(test.said, "DIGEST", digest))
			p.wants(answer, policy.Blocked, "pending", "failure", "pending", "failure")
		})
	}
}

// Someone who owns the files of one schema approves the steps of that one.
func TestCodeOwnersOfOneSchema(t *testing.T) {
	base := bottest.Files{"users.sql": usersTable, "orders.sql": ordersTable, "CODEOWNERS": "/users.sql @ann\n/orders.sql @bea\n",
		".github/altergate.yml": "schemas:\n  - {name: users, dialect: sqlite, source: users.sql}\n  - {name: orders, dialect: sqlite, source: orders.sql}\n" +
			"policy:\n  approvers: {codeowners: true}\n"}
	p := openOn(t, bottest.NewScene(t, base, bottest.Files{"users.sql": dropBoth()["db/users.sql"], "orders.sql": dropBoth()["db/orders.sql"]}))
	p.User("bea").Role("maintain")
	digest := p.pushed().Verdict.Digest
	answer := p.says("ann", "/approve destructive %s", digest)
	p.wants(answer, policy.Blocked, "pending", "failure", "pending", "failure")
	if got := answer.Verdict.Blocking; len(got) != 1 || !strings.HasPrefix(got[0].Object, "orders") {
		t.Errorf("blocking are %+v", got)
	}
	p.commentSays("counts, but not for every step: has the role write, and it takes a code owner of every changed file; orders.sql belongs to")
	answer = p.says("bea", "/approve destructive %s", digest)
	p.wants(answer, policy.Passed, "pending", "failure", "pending", "failure", "pending", "success")
}

func TestCodeOwnersThatCannotBeRead(t *testing.T) {
	const unread = "# Owners\n* @ann\n!/db/users.sql @bea\n"
	t.Run("where an approval hangs on them", func(t *testing.T) {
		p := openOn(t, ownedScene(t, unread, dropBoth()))
		answer := p.pushed()
		p.wants(answer, policy.NoAnswer, "pending", "failure")
		p.commentSays("base `.github/CODEOWNERS:3`", "cannot be negated")
	})
	t.Run("where none does", func(t *testing.T) {
		p := openOn(t, ownedScene(t, unread, bottest.Files{"db/users.sql": usersTable + "CREATE INDEX by_nick ON users (nick);\n"}))
		p.wants(p.pushed(), policy.Passed, "pending", "success")
	})
	t.Run("where the policy does not ask for owners", func(t *testing.T) {
		base := bottest.Base()
		base["CODEOWNERS"] = unread
		p := openOn(t, bottest.NewScene(t, base, bottest.DropNick()))
		p.wants(p.pushed(), policy.Blocked, "pending", "failure")
	})
}

// What an owner said stops counting with what made them one, and with what they said.
func TestACodeOwnersApprovalThatIsGone(t *testing.T) {
	for name, change := range map[string]func(p *play, c pulltest.Comment){
		"deleted":           func(p *play, c pulltest.Comment) { p.DeleteComment(c.ID, "eve") },
		"permission lost":   func(p *play, _ pulltest.Comment) { p.User("ann").Role("read") },
		"no owner any more": func(p *play, _ pulltest.Comment) { p.MoveBase(bottest.Files{".github/CODEOWNERS": "* @bea\n"}) },
		"a file more": func(p *play, _ pulltest.Comment) {
			p.Push(bottest.Files{"db/orders.sql": ordersTable + "-- see the page\n"})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := openOn(t, ownedScene(t, "* @ann\n/db/orders.sql @bea\n", bottest.Files{"db/users.sql": dropBoth()["db/users.sql"]}))
			digest := p.pushed().Verdict.Digest
			answer, said := p.saysThat("ann", "/approve destructive %s", digest)
			p.wants(answer, policy.Passed, "pending", "failure", "pending", "success")
			change(p, said)
			if answer := p.pushed(); answer.Verdict.Outcome != policy.Blocked || p.Last(p.Head).State != "failure" {
				t.Errorf("the verdict is %s, the status %+v", answer.Verdict.Outcome, p.Last(p.Head))
			}
		})
	}
}

// However often somebody speaks, GitHub is asked once about them, and once whether they are in a team.
func TestEachThingIsAskedOnce(t *testing.T) {
	scene := ownedScene(t, "* @acme/dba @acme/ops", dropBoth())
	p := openOn(t, scene)
	p.User("robot").Role("write")
	p.token = p.UserToken("robot")
	p.Team("acme/dba")
	p.User("ann").Team("acme/ops")
	answer := p.pushed()
	for range 2 {
		p.Comment(bottest.Number, "ann", "/approve destructive "+answer.Verdict.Digest)
	}
	p.Comment(bottest.Number, "ann", "/approve destructive "+answer.Verdict.Blocking[0].ID)
	p.Comment(bottest.Number, "rex", "/approve destructive 0123456789abcdef0123456789abcdef")
	before := len(p.Requests())
	if answer = p.pushed(); answer.Verdict.Outcome != policy.Passed {
		t.Errorf("the verdict is %s: %+v", answer.Verdict.Outcome, answer.Verdict.Rejected)
	}
	var asked []string
	for _, request := range p.Requests()[before:] {
		if strings.Contains(request, "/permission") || strings.Contains(request, "/teams/") {
			asked = append(asked, request)
		}
	}
	want := []string{"GET /repos/acme/shop/collaborators/ann/permission", "GET /orgs/acme/teams/dba/memberships/ann", "GET /orgs/acme/teams/dba", "GET /orgs/acme/teams/ops/memberships/ann"}
	if diff := cmp.Diff(want, asked); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
}

// What a reader writes should cost nothing: no request is made for an approval that cannot count whoever gave it.
func TestApprovalsThatCannotCountCostNothing(t *testing.T) {
	p := openOn(t, ownedScene(t, "* @acme/dba", dropBoth()))
	digest := p.pushed().Verdict.Digest
	p.Comment(bottest.Number, "rex", "/approve destructive 0123456789abcdef0123456789abcdef")
	p.Comment(bottest.Number, "rex", "/approve destructive 0123456789abcdef")
	p.Comment(bottest.Number, "eve", "/approve destructive "+digest)
	before := len(p.Requests())
	if answer := p.pushed(); len(answer.Verdict.Rejected) != 3 {
		t.Errorf("rejected are %+v", answer.Verdict.Rejected)
	}
	var asked []string
	for _, request := range p.Requests()[before:] {
		if strings.Contains(request, "/permission") || strings.Contains(request, "/teams/") || strings.Contains(request, "/commits") && !strings.Contains(request, "/status") {
			asked = append(asked, request)
		}
	}
	if len(asked) > 0 {
		t.Errorf("asked %s", strings.Join(asked, ", "))
	}
}

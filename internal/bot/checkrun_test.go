package bot_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/bot"
	"github.com/altergate/altergate/internal/bot/bottest"
	"github.com/altergate/altergate/internal/policy"
	"github.com/altergate/altergate/internal/pull/pulltest"
)

// annotated is a play in which a check run is wanted and may be posted.
func annotated(t *testing.T, change bottest.Files) *play {
	t.Helper()
	p := open(t, change)
	p.annotate()
	return p
}

func (p *play) annotate() {
	p.token = p.ActionsToken("contents: read", "pull-requests: write", "statuses: write", "checks: write")
	p.tune = func(b *bot.Bot) { b.CheckRun = true }
}

// checkRun is the only one on the head.
func (p *play) checkRun() pulltest.CheckRun {
	p.t.Helper()
	runs := p.CheckRuns(p.PullRequest(bottest.Number).HeadSHA())
	if len(runs) != 1 {
		p.t.Fatalf("there are %d check runs, want 1\n%s", len(runs), p.log.String())
	}
	return runs[0]
}

// places are the annotations, as "db/schema.sql:3 warning".
func places(run pulltest.CheckRun) []string {
	var list []string
	for _, a := range run.Annotations {
		list = append(list, fmt.Sprintf("%s:%d %s", a.Path, a.Start, a.Level))
	}
	return list
}

func TestACheckRunIsOnlyPostedWhenAsked(t *testing.T) {
	p := annotated(t, bottest.DropNickAndIndex())
	p.tune = nil
	p.pushed()
	if runs := p.CheckRuns(p.Head); len(runs) > 0 {
		t.Errorf("posted: %+v", runs)
	}
}

func TestACheckRunFollowsTheVerdict(t *testing.T) {
	p := annotated(t, bottest.DropNickAndIndex())
	answer := p.pushed()
	p.wants(answer, policy.Blocked, "pending", "failure")
	run := p.checkRun()
	switch {
	case run.Name != "altergate annotations" || run.Status != "completed" || run.Conclusion != "failure" || run.URL != answer.Comment:
		t.Errorf("the check run is %+v", run)
	case run.Title != "🛑 Approval needed: 1 destructive step" || !strings.Contains(run.Summary, "users.nick") || strings.Contains(run.Summary, "<!-- altergate"):
		t.Errorf("it says %q and\n%s", run.Title, run.Summary)
	}
	if diff := cmp.Diff([]string{"db/schema.sql:1 warning", "db/schema.sql:3 warning"}, places(run)); diff != "" {
		t.Errorf("the annotations (-want +got):\n%s", diff)
	}
	// What is dropped has no line on the head.
	if !strings.Contains(run.Text, "drop column `nick`: All values of column users.nick are lost (base `db/schema.sql:1:") {
		t.Errorf("its text is\n%s", run.Text)
	}

	p.wants(p.says("ann", "/approve destructive"), policy.Passed, "pending", "failure", "pending", "success")
	if again := p.checkRun(); again.ID != run.ID || again.Conclusion != "success" || len(again.Annotations) != 2 || !strings.Contains(again.Title, "Approved") {
		t.Errorf("the check run is %+v", again)
	}
	p.wants(p.says("ann", "/unapprove"), policy.Blocked, "pending", "failure", "pending", "success", "pending", "failure")
	if again := p.checkRun(); again.Conclusion != "failure" {
		t.Errorf("the check run is %+v", again)
	}
}

func TestACheckRunWithoutAnAnswer(t *testing.T) {
	p := annotated(t, bottest.Files{"db/schema.sql": bottest.Schema + "CREATE TABEL oops (id INTEGER);\n"})
	p.pushed()
	run := p.checkRun()
	if run.Conclusion != "failure" || !slices.Equal(places(run), []string{"db/schema.sql:3 failure"}) || run.Annotations[0].Title != "No answer" {
		t.Errorf("the check run is %+v", run)
	}
}

// The files that GitHub annotates are the head's, and what was compared is the merge.
func TestAnnotationsStandOnTheLinesOfTheHead(t *testing.T) {
	for name, test := range map[string]struct {
		base, head string
		want       []string
	}{
		"the base adds lines above": {"CREATE TABLE logs (id INTEGER PRIMARY KEY);\n" + bottest.Schema, bottest.AddIndex()["db/schema.sql"],
			[]string{"db/schema.sql:3 warning"}},
		"the base is unchanged": {bottest.Schema, bottest.AddIndex()["db/schema.sql"], []string{"db/schema.sql:3 warning"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := annotated(t, bottest.Files{"db/schema.sql": test.head})
			p.MoveBase(bottest.Files{"db/schema.sql": test.base})
			if p.Merge == "" {
				t.Fatal("there is a conflict")
			}
			p.pushed()
			run := p.checkRun()
			if diff := cmp.Diff(test.want, places(run)); diff != "" {
				t.Errorf("the annotations (-want +got):\n%s\n%s", diff, run.Text)
			}
		})
	}
}

// Lines that cannot be told apart are not guessed.
func TestAnnotationsAreNotGuessed(t *testing.T) {
	table := func(name string) string {
		return "CREATE TABLE " + name + " (\n  id INTEGER PRIMARY KEY,\n  note TEXT\n);\n"
	}
	files := bottest.Base()
	files["db/schema.sql"] = table("a") + "\n\n\n" + table("b") + "\n\n\n" + table("c")
	p := openOn(t, bottest.NewScene(t, files, bottest.Files{"db/schema.sql": strings.Replace(files["db/schema.sql"], "CREATE TABLE b (\n  id INTEGER PRIMARY KEY,\n  note TEXT\n", "CREATE TABLE b (\n  id INTEGER PRIMARY KEY,\n  note TEXT NOT NULL DEFAULT ''\n", 1)}))
	p.annotate()
	// The base changes above and below, so that the lines of the merge are others in the middle.
	moved := strings.Replace(files["db/schema.sql"], table("a"), "CREATE TABLE z (id INTEGER PRIMARY KEY);\n"+table("a"), 1)
	p.MoveBase(bottest.Files{"db/schema.sql": moved + "CREATE TABLE y (id INTEGER PRIMARY KEY);\n"})
	if p.Merge == "" {
		t.Fatal("there is a conflict")
	}
	p.pushed()
	run := p.checkRun()
	for _, a := range run.Annotations {
		line := strings.Split(p.Repo.File(p.Head, "db/schema.sql"), "\n")[a.Start-1]
		if !strings.Contains(line, "note TEXT NOT NULL") && !strings.Contains(line, "TABLE b") {
			t.Errorf("line %d is annotated, which is %q: %s", a.Start, line, a.Message)
		}
	}
	if len(run.Annotations) == 0 {
		t.Errorf("nothing is annotated:\n%s", run.Text)
	}
}

func TestACheckRunOfManySteps(t *testing.T) {
	var schema strings.Builder
	schema.WriteString(bottest.Schema)
	for i := range 330 {
		fmt.Fprintf(&schema, "CREATE INDEX orders_%d ON orders (user_id, note);\n", i)
	}
	p := annotated(t, bottest.Files{"db/schema.sql": schema.String()})
	p.pushed()
	run := p.checkRun()
	if len(run.Annotations) != 300 || strings.Count(run.Text, "\n- ") != 30 || len(run.Summary)+len(run.Text) > 65_535 {
		t.Errorf("there are %d annotations, %d bytes of summary and of text %d", len(run.Annotations), len(run.Summary), len(run.Text))
	}
}

// Names of a pull request are data in a check run too.
func TestACheckRunOfHostileNames(t *testing.T) {
	name := "evil\u202E|`</details>@acme/everyone"
	p := annotated(t, bottest.Files{"db/schema.sql": bottest.Schema + "CREATE INDEX \"" + name + "\" ON orders (user_id);\n"})
	p.pushed()
	run := p.checkRun()
	if len(run.Annotations) != 1 || !strings.Contains(run.Annotations[0].Title, `evil\u{202E}|`) {
		t.Errorf("the annotations are %+v", run.Annotations)
	}
	for _, text := range []string{run.Title, run.Summary, run.Text, run.Annotations[0].Title, run.Annotations[0].Message} {
		if strings.Contains(text, "\u202E") {
			t.Errorf("a mark that nobody sees is in %q", text)
		}
	}
}

// Whatever GitHub answers about check runs, the gate is what it is, and one note says what is missing.
func TestACheckRunDecidesNothing(t *testing.T) {
	scene := bottest.NewScene(t, bottest.Base(), bottest.DropNickAndIndex())
	for _, request := range [][2]string{{"GET", "/repos/acme/shop/commits/*/check-runs"}, {"POST", "/repos/acme/shop/check-runs"}} {
		for _, status := range []int{200, 401, 403, 404, 409, 422, 429, 500, 502} {
			t.Run(fmt.Sprintf("%s %d", request[0], status), func(t *testing.T) {
				t.Parallel()
				p := openOn(t, scene)
				p.annotate()
				p.Fail(request[0], request[1], status, pulltest.Always)
				answer := p.pushed()
				p.wants(answer, policy.Blocked, "pending", "failure")
				if answer.Failure != nil || !answer.Posted || len(answer.Notes) != 1 || !strings.HasPrefix(answer.Notes[0], "The annotations are missing or old: ") {
					t.Errorf("the answer is %+v", answer)
				}
				answer = p.says("ann", "/approve destructive")
				p.wants(answer, policy.Passed, "pending", "failure", "pending", "success")
			})
		}
	}
}

// Neither does a mistake of ours in it.
func TestAPanicInACheckRun(t *testing.T) {
	p := annotated(t, bottest.AddIndex())
	p.tune = func(b *bot.Bot) { b.CheckRun, b.Log = true, &mined{at: "Check run"} }
	answer := p.pushed()
	p.wants(answer, policy.Passed, "pending", "success")
	if answer.Failure != nil || len(answer.Notes) != 1 || !strings.Contains(answer.Notes[0], "has a mistake in it") {
		t.Errorf("the answer is %+v", answer)
	}
}

func TestACheckRunWithoutThePermission(t *testing.T) {
	p := annotated(t, bottest.DropNickAndIndex())
	p.token = p.ActionsToken("contents: read", "pull-requests: write", "statuses: write")
	answer := p.pushed()
	p.wants(answer, policy.Blocked, "pending", "failure")
	if len(answer.Notes) != 1 || !strings.Contains(answer.Notes[0], "the workflow's `permissions:` must hold `checks: write`") || strings.Contains(answer.Notes[0], "\n") {
		t.Errorf("the notes are %q", answer.Notes)
	}
}

// A run that fails on its way leaves no green check run behind.
func TestACheckRunAfterAFailure(t *testing.T) {
	p := annotated(t, bottest.AddIndex())
	p.wants(p.pushed(), policy.Passed, "pending", "success")
	if run := p.checkRun(); run.Conclusion != "success" {
		t.Fatalf("the check run is %+v", run)
	}
	p.Fail("GET", "/repos/acme/shop/issues/7/comments", 500, pulltest.Always)
	p.pushed()
	for _, run := range p.CheckRuns(p.Head) {
		if run.Conclusion != "failure" {
			t.Errorf("a check run is %+v", run)
		}
	}
}

// At each moment of a run that would turn the check run green, the approval is taken back and another run says so. The check run ends
// as the status does.
func TestACheckRunEndsAsTheStatusDoes(t *testing.T) {
	a := newApproved(t)
	p, payload := a.play(t)
	p.annotate()
	_, requests := p.between(0, "issue_comment", payload, nil)
	for i, request := range requests {
		t.Run(fmt.Sprintf("%02d %s", i+1, request), func(t *testing.T) {
			t.Parallel()
			p, payload := a.play(t)
			p.annotate()
			p.between(i+1, "issue_comment", payload, func() {
				p.OnRequest(nil)
				approval := p.Comments(bottest.Number)[0]
				p.DeleteComment(approval.ID, "ann")
				p.handle("issue_comment", p.CommentEvent("deleted", approval.ID))
			})
			if p.Last(a.Head).State != "failure" {
				t.Errorf("the states are %v", p.States(a.Head))
			}
			for _, run := range p.CheckRuns(a.Head) {
				if run.Conclusion != "failure" {
					t.Errorf("a check run is %+v", run)
				}
			}
		})
	}
}

// Where the base changed the same file, every remark stands on a line of the head that is about it.
func TestAnnotationsWhereTheBaseMoved(t *testing.T) {
	p := annotated(t, bottest.DropNickAndIndex())
	p.MoveBase(bottest.Files{"db/schema.sql": "CREATE TABLE logs (id INTEGER PRIMARY KEY);\n" + bottest.Schema})
	p.wants(p.pushed(), policy.Blocked, "pending", "failure")
	for _, a := range p.checkRun().Annotations {
		if line := strings.Split(p.Repo.File(p.Head, "db/schema.sql"), "\n")[a.Start-1]; !strings.Contains(line, "users") && !strings.Contains(line, "orders_user") {
			t.Errorf("line %d is annotated, which is %q: %s", a.Start, line, a.Message)
		}
	}
}

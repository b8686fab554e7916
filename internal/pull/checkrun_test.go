package pull_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/pull"
	"github.com/altergate/altergate/internal/pull/pulltest"
)

// checking is a client that may post check runs, and the head of #7.
func checking(t *testing.T) (*pulltest.GitHub, *pull.Client, string) {
	t.Helper()
	gh := pulltest.New(t)
	sha := gh.PullRequest(7).HeadSHA()
	return gh, as(t, gh, gh.ActionsToken("contents: read", "pull-requests: write", "statuses: write", "checks: write")), sha
}

func checkRun(sha string, passed bool, annotations ...pull.Annotation) pull.CheckRun {
	return pull.CheckRun{SHA: sha, Name: "altergate annotations", Passed: passed, Title: "2 steps", Summary: "**A summary**", Text: "A text",
		URL: "https://example.com/run/1", Annotations: annotations}
}

// remarks are so many annotations, each on a line of its own.
func remarks(n int) []pull.Annotation {
	var list []pull.Annotation
	for i := range n {
		list = append(list, pull.Annotation{Path: "db/schema.sql", Line: i + 1, Level: pull.LevelWarning, Title: "review", Message: fmt.Sprint("Remark ", i)})
	}
	return list
}

func putCheckRun(t *testing.T, c *pull.Client, run pull.CheckRun) {
	t.Helper()
	if err := c.PutCheckRun(t.Context(), run); err != nil {
		t.Fatal(err)
	}
}

func TestPutCheckRun(t *testing.T) {
	gh, c, sha := checking(t)
	remark := pull.Annotation{Path: "db/schema.sql", Line: 3, Level: pull.LevelFailure, Title: "destructive", Message: "Every value is lost."}
	putCheckRun(t, c, checkRun(sha, false, remark))
	got := gh.CheckRuns(sha)
	if len(got) != 1 {
		t.Fatalf("there are %d", len(got))
	}
	want := pulltest.CheckRun{ID: got[0].ID, Name: "altergate annotations", App: "github-actions", Status: "completed", Conclusion: "failure",
		Title: "2 steps", Summary: "**A summary**", Text: "A text", ExternalID: got[0].ExternalID, URL: "https://example.com/run/1",
		Annotations: []pulltest.Annotation{{Path: "db/schema.sql", Start: 3, End: 3, Level: "failure", Title: "destructive", Message: "Every value is lost."}}}
	if diff := cmp.Diff(want, got[0], cmp.AllowUnexported(pulltest.CheckRun{}), cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".sha" }, cmp.Ignore())); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// A run that finds the same again brings the one check run up to date, and adds no annotation a second time.
func TestPutCheckRunUpdates(t *testing.T) {
	gh, c, sha := checking(t)
	putCheckRun(t, c, checkRun(sha, false, remarks(3)...))
	again := checkRun(sha, true, remarks(3)...)
	again.Summary = "Approved"
	putCheckRun(t, c, again)
	got := gh.CheckRuns(sha)
	if len(got) != 1 || got[0].Conclusion != "success" || got[0].Summary != "Approved" || len(got[0].Annotations) != 3 {
		t.Errorf("got %+v", got)
	}
}

// Annotations cannot be taken back, so other ones take another check run. The old one must not be left with the old answer, in
// either direction.
func TestPutCheckRunWithOtherAnnotations(t *testing.T) {
	for _, passed := range []bool{false, true} {
		gh, c, sha := checking(t)
		putCheckRun(t, c, checkRun(sha, !passed, remarks(3)...))
		putCheckRun(t, c, checkRun(sha, passed, remarks(2)...))
		putCheckRun(t, c, checkRun(sha, passed, remarks(2)...))
		got := gh.CheckRuns(sha)
		if len(got) != 2 || len(got[1].Annotations) != 2 || got[0].Conclusion != got[1].Conclusion || !strings.Contains(got[0].Summary, "later check run") {
			t.Errorf("got %+v", got)
		}
		if want := map[bool]string{true: "success", false: "failure"}[passed]; got[1].Conclusion != want {
			t.Errorf("the conclusion is %s, want %s", got[1].Conclusion, want)
		}
	}
}

func TestPutCheckRunInBatches(t *testing.T) {
	for _, test := range []struct{ annotations, requests int }{{0, 1}, {1, 1}, {50, 1}, {51, 2}, {100, 2}, {101, 3}, {260, 6}} {
		gh, c, sha := checking(t)
		must[pull.Identity](t)(c.Me(t.Context()))
		before := len(gh.Requests())
		putCheckRun(t, c, checkRun(sha, false, remarks(test.annotations)...))
		got := gh.CheckRuns(sha)
		if len(got) != 1 || len(got[0].Annotations) != test.annotations {
			t.Errorf("%d annotations: got %d check runs", test.annotations, len(got))
		}
		if made := len(gh.Requests()) - before - 1; made != test.requests {
			t.Errorf("%d annotations took %d requests, want %d", test.annotations, made, test.requests)
		}
		for i, a := range got[0].Annotations {
			if a.Start != i+1 {
				t.Errorf("annotation %d is that of line %d", i, a.Start)
			}
		}
	}
}

// A check run of which a part was lost on the way is not taken for whole by the next run.
func TestPutCheckRunHalfDone(t *testing.T) {
	gh, c, sha := checking(t)
	gh.Fail("PATCH", "/repos/acme/shop/check-runs/*", 422, 1)
	if err := c.PutCheckRun(t.Context(), checkRun(sha, false, remarks(120)...)); err == nil {
		t.Fatal("there is no error")
	}
	if got := gh.CheckRuns(sha); len(got) != 1 || got[0].Conclusion != "failure" || len(got[0].Annotations) != 50 {
		t.Fatalf("got %+v", got)
	}
	putCheckRun(t, c, checkRun(sha, true, remarks(120)...))
	if got := gh.CheckRuns(sha); len(got) != 2 || len(got[1].Annotations) != 120 || got[0].Conclusion != "success" || got[1].Conclusion != "success" {
		t.Errorf("got %+v", got)
	}
}

// Others may post check runs of our name; GitHub lets nobody change another App's.
func TestPutCheckRunLeavesOthersAlone(t *testing.T) {
	gh, c, sha := checking(t)
	for range 5 {
		gh.PostCheckRun("evil", sha, pulltest.CheckRun{Name: "altergate annotations", Status: "completed", Conclusion: "success"})
		gh.PostCheckRun("github-actions", sha, pulltest.CheckRun{Name: "build", Status: "completed", Conclusion: "success"})
	}
	putCheckRun(t, c, checkRun(sha, false))
	putCheckRun(t, c, checkRun(sha, false))
	failed := 0
	for _, run := range gh.CheckRuns(sha) {
		if run.Conclusion == "failure" {
			failed++
		}
	}
	if failed != 1 || len(gh.CheckRuns(sha)) != 11 {
		t.Errorf("%d of %d are ours", failed, len(gh.CheckRuns(sha)))
	}
}

func TestPutCheckRunCutsAnnotations(t *testing.T) {
	gh, c, sha := checking(t)
	long := pull.Annotation{Path: "a.sql", Line: 1, Level: pull.LevelNotice, Title: strings.Repeat("é", 300), Message: strings.Repeat("名", 30_000)}
	run := checkRun(sha, true, long)
	run.Title, run.Summary, run.Text = strings.Repeat("t", 300), strings.Repeat("s", pull.MaxCheckText), strings.Repeat("x", pull.MaxCheckText)
	putCheckRun(t, c, run)
	got := gh.CheckRuns(sha)[0]
	a := got.Annotations[0]
	if utf8.RuneCountInString(a.Title) > 255 || len(a.Message) > 64<<10 || !utf8.ValidString(a.Message) || !strings.HasSuffix(a.Message, "名…") || len(got.Title) > 258 {
		t.Errorf("the title has %d characters, the message %d bytes", utf8.RuneCountInString(a.Title), len(a.Message))
	}
}

func TestPutCheckRunRefuses(t *testing.T) {
	for name, test := range map[string]struct {
		spoil func(*pull.CheckRun)
		says  string
	}{
		"no commit":   {func(r *pull.CheckRun) { r.SHA = "main" }, `"main" is not a commit`},
		"no name":     {func(r *pull.CheckRun) { r.Name = "" }, "needs a name"},
		"no summary":  {func(r *pull.CheckRun) { r.Summary = "" }, "a summary"},
		"too long":    {func(r *pull.CheckRun) { r.Summary = strings.Repeat("é", 32_768) }, "65536 bytes"},
		"text":        {func(r *pull.CheckRun) { r.Text = strings.Repeat("x", 65_536) }, "65536"},
		"no line":     {func(r *pull.CheckRun) { r.Annotations[0].Line = 0 }, "needs a file, a line"},
		"no level":    {func(r *pull.CheckRun) { r.Annotations[0].Level = "" }, "a level"},
		"other level": {func(r *pull.CheckRun) { r.Annotations[0].Level = "neutral" }, "a level"},
		"no message":  {func(r *pull.CheckRun) { r.Annotations[0].Message = " " }, "a message"},
	} {
		t.Run(name, func(t *testing.T) {
			gh, c, sha := checking(t)
			run := checkRun(sha, true, remarks(1)...)
			test.spoil(&run)
			says(t, c.PutCheckRun(t.Context(), run), "posting the check run", test.says)
			if len(gh.Requests()) > 0 {
				t.Errorf("GitHub was asked: %v", gh.Requests())
			}
		})
	}
}

func TestPutCheckRunFails(t *testing.T) {
	const list, one = "/repos/acme/shop/commits/*/check-runs", "/repos/acme/shop/check-runs/*"
	for name, test := range map[string]struct {
		method, path string
		status       int
		kind         error
	}{
		"the list":             {"GET", list, 502, nil},
		"the list, empty":      {"GET", list, 200, nil},
		"the list, hidden":     {"GET", list, 404, pull.ErrNotFound},
		"the creation":         {"POST", "/repos/acme/shop/check-runs", 403, pull.ErrForbidden},
		"the creation, empty":  {"POST", "/repos/acme/shop/check-runs", 200, nil},
		"the creation, failed": {"POST", "/repos/acme/shop/check-runs", 422, nil},
		"the rest":             {"PATCH", one, 403, pull.ErrForbidden},
		"the rest, empty":      {"PATCH", one, 200, nil},
	} {
		t.Run(name, func(t *testing.T) {
			gh, c, sha := checking(t)
			gh.Fail(test.method, test.path, test.status, pulltest.Always)
			err := c.PutCheckRun(t.Context(), checkRun(sha, true, remarks(60)...))
			if says(t, err, "posting the check run"); test.kind != nil && !errors.Is(err, test.kind) {
				t.Errorf("not %v: %v", test.kind, err)
			}
		})
	}
}

// A token without the permission is told which; one that is no App's cannot post check runs at all.
func TestPutCheckRunForbidden(t *testing.T) {
	gh := pulltest.New(t)
	sha := gh.PullRequest(7).HeadSHA()
	gh.User("ann").Role("write")
	for token, want := range map[string]string{gh.ActionsToken(): "`permissions:` must hold `checks: write`", gh.UserToken("ann"): "authenticate via a GitHub App"} {
		err := as(t, gh, token).PutCheckRun(t.Context(), checkRun(sha, true))
		if says(t, err, want); !errors.Is(err, pull.ErrForbidden) {
			t.Errorf("not ErrForbidden: %v", err)
		}
	}
	if len(gh.CheckRuns(sha)) > 0 {
		t.Errorf("posted: %+v", gh.CheckRuns(sha))
	}
}

// An App's token is made for check runs only where they are wanted and the App may post them.
func TestPutCheckRunAsAnApp(t *testing.T) {
	for _, test := range []struct{ granted, wanted bool }{{true, true}, {true, false}, {false, true}} {
		gh := pulltest.New(t)
		sha := gh.PullRequest(7).HeadSHA()
		permissions := []string{"contents: read", "pull-requests: write", "statuses: write"}
		if test.granted {
			permissions = append(permissions, "checks: write")
		}
		app := gh.App("gate", permissions...)
		c := newClient(t, pull.Config{APIURL: gh.URL, Repository: gh.Repository, AppID: app.ID, AppPrivateKey: app.PrivateKey, CheckRuns: test.wanted})
		err := c.PutCheckRun(t.Context(), checkRun(sha, true))
		if got, _ := app.Granted(); (got["checks"] == "write") != (test.granted && test.wanted) {
			t.Errorf("%+v: the token may %v", test, got)
		}
		switch posted := gh.CheckRuns(sha); {
		case test.granted && test.wanted:
			if err != nil || len(posted) != 1 || posted[0].App != "gate" {
				t.Errorf("posted are %+v: %v", posted, err)
			}
		default:
			says(t, err, "the GitHub App needs the permission `checks: write`")
		}
	}
}

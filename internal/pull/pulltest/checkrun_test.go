package pulltest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/pull/pulltest"
)

// What GitHub refuses of check runs is refused here, whether or not its description is at hand to say so.
func TestRulesOfCheckRuns(t *testing.T) {
	gh := pulltest.New(&failures{TB: t}) // the description has some of these rules too
	sha := gh.PullRequest(7).HeadSHA()
	gh.User("ann").Role("admin")
	may := gh.ActionsToken("checks: write")
	other := gh.PostCheckRun("build", sha, pulltest.CheckRun{Name: "build", Status: "completed", Conclusion: "success"})
	ours := gh.PostCheckRun("github-actions", sha, pulltest.CheckRun{Name: "a", Status: "completed", Conclusion: "failure"})
	create := func(rest string) string { return fmt.Sprintf(`{"name": "a", "head_sha": "%s"%s}`, sha, rest) }
	output := func(summary, rest string) string {
		return create(fmt.Sprintf(`, "conclusion": "success", "output": {"title": "t", "summary": "%s"%s}`, summary, rest))
	}
	annotations := func(n int, message string) string {
		one := fmt.Sprintf(`{"path": "a", "start_line": 1, "end_line": 1, "annotation_level": "warning", "message": "%s"}`, message)
		return `, "annotations": [` + strings.TrimSuffix(strings.Repeat(one+",", n), ",") + `]`
	}
	const runs = "/repos/acme/shop/check-runs"
	for name, test := range map[string]struct {
		token, method, path, body string
		want                      int
	}{
		"queued":                       {may, "POST", runs, create(""), 201},
		"with a conclusion":            {may, "POST", runs, create(`, "conclusion": "success"`), 201},
		"completed, no conclusion":     {may, "POST", runs, create(`, "status": "completed"`), 422},
		"an unknown conclusion":        {may, "POST", runs, create(`, "conclusion": "failed"`), 422},
		"no name":                      {may, "POST", runs, `{"head_sha": "` + sha + `"}`, 422},
		"no commit":                    {may, "POST", runs, `{"name": "a", "head_sha": "` + pulltest.SHA("x") + `"}`, 422},
		"a long summary":               {may, "POST", runs, output(strings.Repeat("x", 65_536), ""), 422},
		"a summary that fits":          {may, "POST", runs, output(strings.Repeat("x", 65_535), ""), 201},
		"a long text":                  {may, "POST", runs, output("s", `, "text": "`+strings.Repeat("x", 65_536)+`"`), 422},
		"no summary":                   {may, "POST", runs, output("", ""), 422},
		"fifty annotations":            {may, "POST", runs, output("s", annotations(50, "m")), 201},
		"fifty-one annotations":        {may, "POST", runs, output("s", annotations(51, "m")), 422},
		"a long message":               {may, "POST", runs, output("s", annotations(1, strings.Repeat("x", 64<<10+1))), 422},
		"no message":                   {may, "POST", runs, output("s", annotations(1, "")), 422},
		"without the permission":       {gh.ActionsToken(), "POST", runs, create(""), 403},
		"to read only":                 {gh.ActionsToken("checks: read"), "POST", runs, create(""), 403},
		"as a person":                  {gh.UserToken("ann"), "POST", runs, create(""), 403},
		"a change":                     {may, "PATCH", fmt.Sprint(runs, "/", ours.ID), `{"conclusion": "success"}`, 200},
		"a change of another's":        {may, "PATCH", fmt.Sprint(runs, "/", other.ID), `{"conclusion": "failure"}`, 403},
		"a change of none":             {may, "PATCH", runs + "/1", `{"conclusion": "failure"}`, 404},
		"one":                          {may, "GET", fmt.Sprint(runs, "/", ours.ID), "", 200},
		"those of a commit":            {may, "GET", "/repos/acme/shop/commits/" + sha + "/check-runs", "", 200},
		"those of no commit":           {may, "GET", "/repos/acme/shop/commits/main/check-runs", "", 404},
		"those of a commit, forbidden": {gh.ActionsToken(), "GET", "/repos/acme/shop/commits/" + sha + "/check-runs", "", 403},
	} {
		t.Run(name, func(t *testing.T) {
			if resp, answer := call(t, gh, test.token, test.method, test.path, test.body); resp.StatusCode != test.want {
				t.Errorf("got %d, want %d: %v", resp.StatusCode, test.want, answer)
			}
		})
	}
}

func TestTheLatestCheckRuns(t *testing.T) {
	gh := pulltest.New(t)
	sha := gh.PullRequest(7).HeadSHA()
	for _, conclusion := range []string{"failure", "success"} {
		gh.PostCheckRun("gate", sha, pulltest.CheckRun{Name: "a", Status: "completed", Conclusion: conclusion})
	}
	gh.PostCheckRun("other", sha, pulltest.CheckRun{Name: "a", Status: "completed", Conclusion: "success"})
	gh.PostCheckRun("gate", sha, pulltest.CheckRun{Name: "b", Status: "completed", Conclusion: "success"})
	for query, want := range map[string]float64{"": 3, "?filter=all": 4, "?check_name=a": 2, "?check_name=a&filter=all": 3} {
		_, answer := call(t, gh, gh.ActionsToken("checks: read"), "GET", "/repos/acme/shop/commits/"+sha+"/check-runs"+query, "")
		if answer["total_count"] != want {
			t.Errorf("%q: there are %v, want %v", query, answer["total_count"], want)
		}
	}
}

// GraphQL refuses with the status 200.
func TestRulesOfHiding(t *testing.T) {
	gh := pulltest.New(t)
	gh.PullRequest(7)
	gh.User("eve")
	c := gh.Comment(7, "ann", "x")
	const hide = "mutation($id: ID!) { minimizeComment(input: {subjectId: $id, classifier: OUTDATED}) { minimizedComment { isMinimized } } }"
	const nodes = "query($ids: [ID!]!) { nodes(ids: $ids) { ... on IssueComment { isMinimized } } }"
	id := fmt.Sprint("IC_", c.ID)
	for name, test := range map[string]struct{ token, query, variables, kind string }{
		"a fork":         {gh.ForkToken(), hide, `{"id": "` + id + `"}`, "FORBIDDEN"},
		"a reader":       {gh.UserToken("eve"), hide, `{"id": "` + id + `"}`, "FORBIDDEN"},
		"none":           {gh.ActionsToken(), hide, `{"id": "IC_1"}`, "NOT_FOUND"},
		"one of two":     {gh.ActionsToken(), nodes, `{"ids": ["` + id + `", "IC_1"]}`, "NOT_FOUND"},
		"too many":       {gh.ActionsToken(), nodes, `{"ids": ["` + id + strings.Repeat(`", "`+id, 100) + `"]}`, "ARGUMENT_LIMIT"},
		"who may not":    {gh.ActionsToken("statuses: write"), nodes, `{"ids": ["` + id + `"]}`, "FORBIDDEN"},
		"the author":     {gh.UserToken("ann"), hide, `{"id": "` + id + `"}`, ""},
		"the repository": {gh.ActionsToken(), hide, `{"id": "` + id + `"}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			resp, answer := call(t, gh, test.token, "POST", "/../graphql", fmt.Sprintf(`{"query": %q, "variables": %s}`, test.query, test.variables))
			problems, _ := answer["errors"].([]any)
			if resp.StatusCode != 200 || (len(problems) > 0) != (test.kind != "") {
				t.Fatalf("got %d %v", resp.StatusCode, answer)
			}
			if test.kind != "" && problems[0].(map[string]any)["type"] != test.kind {
				t.Errorf("got %v, want %s", problems, test.kind)
			}
		})
	}
}

package pulltest_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/pull/pulltest"
)

// failures is a test that is meant to fail.
type failures struct {
	testing.TB
	said []string
}

func (f *failures) Errorf(format string, args ...any) {
	f.said = append(f.said, fmt.Sprintf(format, args...))
}

// call sends a request as a client would that knows nothing of the fake.
func call(t *testing.T, gh *pulltest.GitHub, token, method, path, body string) (*http.Response, map[string]any) {
	t.Helper()
	var sent io.Reader
	if body != "" {
		sent = strings.NewReader(body)
	}
	req, err := http.NewRequestWithContext(t.Context(), method, gh.URL+path, sent)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var answer map[string]any
	_ = json.NewDecoder(resp.Body).Decode(&answer) // a list or an empty answer is not looked at
	return resp, answer
}

func TestUnknownRequestsFailTheTest(t *testing.T) {
	for _, request := range []string{"GET /repos/acme/shop/branches", "PUT /repos/acme/shop/pulls/7", "GET /rate_limit"} {
		f := &failures{TB: t}
		gh := pulltest.New(f)
		method, path, _ := strings.Cut(request, " ")
		resp, _ := call(t, gh, gh.ActionsToken(), method, path, "")
		if resp.StatusCode != http.StatusNotImplemented || len(f.said) != 1 || !strings.Contains(f.said[0], path) {
			t.Errorf("%s: status %d, and the test was told %q", request, resp.StatusCode, f.said)
		}
	}
	f := &failures{TB: t}
	gh := pulltest.New(f)
	if call(t, gh, gh.ActionsToken(), "POST", "/../graphql", `{"query": "mutation { x }"}`); len(f.said) != 1 {
		t.Errorf("an unknown query: the test was told %q", f.said)
	}
}

func TestRequestsOtherThanDescribedFailTheTest(t *testing.T) {
	if _, err := os.Stat("../../../../shared/github/openapi.json"); err != nil {
		t.Log("GitHub's description of its API is not here")
		return
	}
	for body, want := range map[string]string{
		`{"state": "neutral"}`:               "state",
		`{"context": "altergate"}`:           "state",
		`{"state": "success", "context": 1}`: "context",
	} {
		f := &failures{TB: t}
		gh := pulltest.New(f)
		call(t, gh, gh.ActionsToken(), "POST", "/repos/acme/shop/statuses/"+gh.PullRequest(7).HeadSHA(), body)
		if len(f.said) != 1 || !strings.Contains(f.said[0], want) {
			t.Errorf("%s: the test was told %q", body, f.said)
		}
	}
	f := &failures{TB: t}
	gh := pulltest.New(f)
	gh.Handle("GET /repos/{owner}/{repo}/git/blobs/{file_sha}", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"content": 1}`))
	}))
	call(t, gh, gh.ActionsToken(), "GET", "/repos/acme/shop/git/blobs/"+pulltest.SHA("x"), "")
	if len(f.said) != 1 || !strings.Contains(f.said[0], "the response") {
		t.Errorf("a response of Handle's: the test was told %q", f.said)
	}
}

func TestRulesThatAreNotDescribed(t *testing.T) {
	gh := pulltest.New(t)
	sha := gh.PullRequest(7).HeadSHA()
	gh.PullRequest(8).Lock()
	mine := gh.Comment(7, "ann", "hello")
	gh.User("ann")
	workflow, fork, reader, app := gh.ActionsToken(), gh.ForkToken(), gh.UserToken("eve"), gh.App("altergate")
	long := strings.Repeat("x", 141)
	for name, test := range map[string]struct {
		token, method, path, body string
		want                      int
	}{
		"no token":                     {"", "GET", "/repos/acme/shop/pulls/7", "", 401},
		"another's repository":         {workflow, "GET", "/repos/acme/secret/pulls/7", "", 404},
		"a workflow asks who it is":    {workflow, "GET", "/user", "", 403},
		"a person asks who it is":      {reader, "GET", "/user", "", 200},
		"a token instead of a JWT":     {workflow, "GET", "/app", "", 401},
		"a long description":           {workflow, "POST", "/repos/acme/shop/statuses/" + sha, `{"state": "success", "description": "` + long + `"}`, 422},
		"a status of no commit":        {workflow, "POST", "/repos/acme/shop/statuses/" + pulltest.SHA("x"), `{"state": "success"}`, 422},
		"a reader's status":            {reader, "POST", "/repos/acme/shop/statuses/" + sha, `{"state": "success"}`, 403},
		"a fork's status":              {fork, "POST", "/repos/acme/shop/statuses/" + sha, `{"state": "success"}`, 403},
		"a fork's comment":             {fork, "POST", "/repos/acme/shop/issues/7/comments", `{"body": "x"}`, 403},
		"an empty comment":             {workflow, "POST", "/repos/acme/shop/issues/7/comments", `{"body": ""}`, 422},
		"a long comment":               {workflow, "POST", "/repos/acme/shop/issues/7/comments", `{"body": "` + strings.Repeat("x", 65537) + `"}`, 422},
		"a locked conversation":        {workflow, "POST", "/repos/acme/shop/issues/8/comments", `{"body": "x"}`, 403},
		"a reader edits another's":     {reader, "PATCH", fmt.Sprint("/repos/acme/shop/issues/comments/", mine.ID), `{"body": "x"}`, 403},
		"a workflow edits another's":   {workflow, "PATCH", fmt.Sprint("/repos/acme/shop/issues/comments/", mine.ID), `{"body": "x"}`, 200},
		"a workflow looks at a team":   {workflow, "GET", "/orgs/acme/teams/dba/memberships/ann", "", 404},
		"an unknown installation":      {workflow, "POST", "/app/installations/1/access_tokens", `{}`, 401},
		"an App's secret is no token":  {string(app.PrivateKey[:10]), "GET", "/app", "", 401},
		"the permission of nobody":     {workflow, "GET", "/repos/acme/shop/collaborators/nobody/permission", "", 404},
		"an unknown pull request":      {workflow, "GET", "/repos/acme/shop/pulls/9", "", 404},
		"the statuses of no commit":    {workflow, "GET", "/repos/acme/shop/commits/main/statuses", "", 404},
		"the repository":               {workflow, "GET", "/repos/acme/shop", "", 200},
		"no permission to read at all": {gh.ActionsToken("statuses: write"), "GET", "/repos/acme/shop/pulls/7", "", 403},
	} {
		t.Run(name, func(t *testing.T) {
			resp, answer := call(t, gh, test.token, test.method, test.path, test.body)
			if resp.StatusCode != test.want {
				t.Errorf("got %d, want %d: %v", resp.StatusCode, test.want, answer)
			}
		})
	}
}

func TestAThousandStatuses(t *testing.T) {
	gh := pulltest.New(t)
	sha := gh.PullRequest(7).HeadSHA()
	for range 1000 {
		gh.PostStatus("ci", sha, pulltest.Status{State: "success", Context: "Altergate"})
	}
	resp, _ := call(t, gh, gh.ActionsToken(), "POST", "/repos/acme/shop/statuses/"+sha, `{"state": "success", "context": "altergate"}`)
	if resp.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("got %d", resp.StatusCode)
	}
}

func TestPagesAreSmall(t *testing.T) {
	gh := pulltest.New(t)
	gh.PullRequest(7)
	for i := range 5 {
		gh.Comment(7, "ann", fmt.Sprint(i))
	}
	const path = "/repos/acme/shop/issues/7/comments"
	for query, want := range map[string]string{
		"":                     `page=2>; rel="next",page=3>; rel="last"`,
		"?per_page=100&page=2": `page=1&per_page=100>; rel="prev",page=1&per_page=100>; rel="first",page=3&per_page=100>; rel="next",page=3&per_page=100>; rel="last"`,
		"?page=3":              `page=2>; rel="prev",page=1>; rel="first"`,
	} {
		resp, _ := call(t, gh, gh.ActionsToken(), "GET", path+query, "")
		got := strings.ReplaceAll(resp.Header.Get("Link"), "<"+gh.URL+path+"?", "")
		if got = strings.ReplaceAll(got, ", ", ","); got != want {
			t.Errorf("%q: got %s", query, got)
		}
	}
}

func TestFail(t *testing.T) {
	gh := pulltest.New(t)
	gh.PullRequest(7)
	token := gh.ActionsToken()
	get := func(number int) int {
		resp, _ := call(t, gh, token, "GET", fmt.Sprintf("/repos/acme/shop/pulls/%d", number), "")
		return resp.StatusCode
	}
	gh.PullRequest(8)
	gh.Fail("GET", "/repos/*/*/pulls/7", 502, 2).After(1)
	got := []int{get(7), get(7), get(8), get(7), get(7)}
	if diff := cmp.Diff([]int{200, 502, 200, 502, 200}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	gh.Fail("GET", "/repos/acme/shop/pulls/7", 429, pulltest.Always).Header("Retry-After", "3").Message("slow down")
	resp, answer := call(t, gh, token, "GET", "/repos/acme/shop/pulls/7", "")
	if resp.StatusCode != 429 || resp.Header.Get("Retry-After") != "3" || answer["message"] != "slow down" {
		t.Errorf("got %d %v %v", resp.StatusCode, resp.Header, answer)
	}
}

func TestTimeIsTheFakesOwn(t *testing.T) {
	gh := pulltest.New(t)
	gh.PullRequest(7)
	c := gh.Comment(7, "ann", "one")
	gh.EditComment(c.ID, "mallory", "two")
	gh.Comment(7, "ann", "three")
	got := gh.Comments(7)
	if got[0].Updated.Sub(got[0].Created) != 1e9 || got[1].Created.Sub(got[0].Updated) != 1e9 || !got[1].Created.Equal(gh.Now()) {
		t.Errorf("got %+v", got)
	}
	gh.Advance(3600e9)
	gh.RedateComment(c.ID, gh.Now(), gh.Now())
	if got := gh.Comments(7)[0]; got.Created != got.Updated || !got.Created.Equal(gh.Now()) {
		t.Errorf("got %+v", got)
	}
}

func TestPayloads(t *testing.T) {
	gh := pulltest.New(t)
	pr := gh.PullRequest(7).Author("eve").Fork("eve/shop").Base("main", pulltest.SHA("new base"))
	c := gh.Comment(7, "ann", "/approve destructive")
	created := gh.CommentEvent("created", c.ID)
	gh.EditComment(c.ID, "mallory", "/approve review")
	edited := gh.CommentEvent("edited", c.ID)
	gh.DeleteComment(c.ID, "bob")
	deleted := gh.CommentEvent("deleted", c.ID)
	question := gh.CommentEvent("created", gh.Comment(99, "ann", "an issue, not a pull request").ID)

	for _, test := range []struct {
		payload []byte
		path    string
		want    any
	}{
		{gh.PullRequestEvent("synchronize", 7), "action", "synchronize"},
		{gh.PullRequestEvent("synchronize", 7), "pull_request.head.sha", pr.HeadSHA()},
		{gh.PullRequestEvent("synchronize", 7), "pull_request.head.repo.full_name", "eve/shop"},
		{gh.PullRequestEvent("synchronize", 7), "repository.full_name", "acme/shop"},
		{gh.PullRequestEvent("synchronize", 7), "sender.login", "eve"},
		{gh.PullRequestEvent("edited", 7), "changes.base.sha.from", pulltest.SHA("main")},
		{created, "action", "created"},
		{created, "sender.login", "ann"},
		{created, "comment.body", "/approve destructive"},
		{created, "issue.number", 7.0},
		{created, "issue.pull_request.url", gh.URL + "/repos/acme/shop/pulls/7"},
		{created, "issue.head", nil},
		{edited, "sender.login", "mallory"},
		{edited, "comment.user.login", "ann"},
		{edited, "comment.body", "/approve review"},
		{edited, "changes.body.from", "/approve destructive"},
		{deleted, "sender.login", "bob"},
		{question, "issue.pull_request", nil},
		{gh.MergeGroupEvent(7, pulltest.SHA("group")), "merge_group.head_sha", pulltest.SHA("group")},
		{gh.MergeGroupEvent(7, pulltest.SHA("group")), "merge_group.base_sha", pulltest.SHA("new base")},
	} {
		var at any
		if err := json.Unmarshal(test.payload, &at); err != nil {
			t.Fatal(err)
		}
		for _, key := range strings.Split(test.path, ".") {
			inner, _ := at.(map[string]any)
			at = inner[key]
		}
		if at != test.want {
			t.Errorf("%s: got %v, want %v", test.path, at, test.want)
		}
	}
	if written, err := os.ReadFile(gh.EventFile(created)); err != nil || !slices.Equal(written, created) {
		t.Errorf("the file holds %q, %v", written, err)
	}
}

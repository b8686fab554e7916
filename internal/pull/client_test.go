package pull_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/pull"
	"github.com/altergate/altergate/internal/pull/pulltest"
)

// patience passes time without spending it, and remembers how much.
type patience struct{ waited []time.Duration }

func (p *patience) wait(_ context.Context, d time.Duration) error {
	p.waited = append(p.waited, d)
	return nil
}

func newClient(t *testing.T, config pull.Config) *pull.Client {
	t.Helper()
	if config.Wait == nil {
		config.Wait = new(patience).wait
	}
	c, err := pull.New(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// as makes a client of a token.
func as(t *testing.T, gh *pulltest.GitHub, token string) *pull.Client {
	t.Helper()
	return newClient(t, pull.Config{APIURL: gh.URL, Repository: gh.Repository, Token: token})
}

func asActions(t *testing.T, gh *pulltest.GitHub) *pull.Client {
	t.Helper()
	return as(t, gh, gh.ActionsToken())
}

// must gives the answer of a call that is expected to have one.
func must[T any](t *testing.T) func(T, error) T {
	return func(got T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
}

// says checks an error for what a person has to read in it.
func says(t *testing.T, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("there is no error")
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("the error does not say %q: %v", word, err)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	const secret = "hunter2"
	for name, config := range map[string]pull.Config{
		"no token":           {Repository: "acme/shop"},
		"an empty token":     {Repository: "acme/shop", Token: " \n"},
		"no repository":      {Token: secret},
		"no owner":           {Repository: "shop", Token: secret},
		"a climbing name":    {Repository: "acme/..", Token: secret},
		"a path":             {Repository: "acme/shop/x", Token: secret},
		"an App's ID alone":  {Repository: "acme/shop", Token: secret, AppID: 7},
		"an App's key alone": {Repository: "acme/shop", Token: secret, AppPrivateKey: []byte(secret)},
		"a key that is none": {Repository: "acme/shop", AppID: 7, AppPrivateKey: []byte(secret)},
		"no host":            {Repository: "acme/shop", Token: secret, APIURL: "api.github.com"},
		"another scheme":     {Repository: "acme/shop", Token: secret, APIURL: "ftp://u:hunter2@host/"},
		"no URL":             {Repository: "acme/shop", Token: secret, APIURL: "https://u:hunter2@host:port%/"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := pull.New(t.Context(), config)
			if err == nil {
				t.Fatal("it was accepted")
			}
			if strings.Contains(err.Error(), secret) {
				t.Errorf("the error tells the secret: %v", err)
			}
		})
	}
}

func TestGet(t *testing.T) {
	gh := pulltest.New(t)
	gh.PullRequest(7).Author("ann").Fork("ann/shop").Base("release", pulltest.SHA("release")).Draft().Lock()
	got := must[pull.PullRequest](t)(asActions(t, gh).Get(t.Context(), 7))
	head := gh.PullRequest(7).HeadSHA()
	want := pull.PullRequest{
		Number: 7, URL: strings.TrimSuffix(gh.URL, "/api/v3") + "/acme/shop/pull/7", State: "open", Draft: true, Locked: true,
		Author:      pull.User{ID: gh.User("ann").ID(), Login: "ann", Type: "User"},
		Head:        pull.Head{SHA: head, Ref: "feature", Repo: "ann/shop", Fork: true},
		Base:        pull.Base{SHA: pulltest.SHA("release"), Ref: "release"},
		Mergeable:   pull.MergeClean,
		MergeCommit: pulltest.SHA("merge of " + head),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestGetStates(t *testing.T) {
	gh := pulltest.New(t)
	c := asActions(t, gh)
	for name, test := range map[string]struct {
		set  func(*pulltest.PullRequest)
		want func(pull.PullRequest) bool
	}{
		"of the same repository": {func(*pulltest.PullRequest) {}, func(p pull.PullRequest) bool { return !p.Head.Fork && p.Head.Repo == "acme/shop" }},
		"a fork that is gone":    {func(p *pulltest.PullRequest) { p.Fork("") }, func(p pull.PullRequest) bool { return p.Head.Fork && p.Head.Repo == "" }},
		"a conflict":             {func(p *pulltest.PullRequest) { p.Conflict() }, func(p pull.PullRequest) bool { return p.Mergeable == pull.MergeConflict }},
		"not tried yet": {func(p *pulltest.PullRequest) { p.Unmerged() }, func(p pull.PullRequest) bool {
			return p.Mergeable == pull.MergeUnknown && p.MergeCommit == ""
		}},
		"closed": {func(p *pulltest.PullRequest) { p.Close() }, func(p pull.PullRequest) bool { return p.State == "closed" && !p.Merged }},
		"merged": {func(p *pulltest.PullRequest) { p.Merge() }, func(p pull.PullRequest) bool { return p.State == "closed" && p.Merged }},
	} {
		t.Run(name, func(t *testing.T) {
			number := len(gh.Requests()) + 1
			test.set(gh.PullRequest(number))
			if got := must[pull.PullRequest](t)(c.Get(t.Context(), number)); !test.want(got) {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestGetSeesTheHeadOfNow(t *testing.T) {
	gh := pulltest.New(t)
	gh.PullRequest(7)
	c := asActions(t, gh)
	gh.OnRequest(func(method, path string) {
		if path == "/repos/acme/shop/pulls/7" && len(gh.Requests()) == 2 {
			gh.PullRequest(7).Push(pulltest.SHA("late"), "eve", "eve")
		}
	})
	first := must[pull.PullRequest](t)(c.Get(t.Context(), 7))
	second := must[pull.PullRequest](t)(c.Get(t.Context(), 7))
	if first.Head.SHA == second.Head.SHA || second.Head.SHA != pulltest.SHA("late") {
		t.Errorf("got %s, then %s", first.Head.SHA, second.Head.SHA)
	}
}

func TestCommits(t *testing.T) {
	gh := pulltest.New(t)
	gh.User("bob")
	gh.PullRequest(7).Head(pulltest.SHA("1")).Push(pulltest.SHA("2"), "bob", "").Push(pulltest.SHA("3"), "", "eve")
	eve, bob := pull.User{ID: gh.User("eve").ID(), Login: "eve", Type: "User"}, pull.User{ID: gh.User("bob").ID(), Login: "bob", Type: "User"}
	got := must[[]pull.Commit](t)(asActions(t, gh).Commits(t.Context(), 7))
	want := []pull.Commit{
		{SHA: pulltest.SHA("1"), Author: eve, Committer: eve},
		{SHA: pulltest.SHA("2"), Author: bob},
		{SHA: pulltest.SHA("3"), Committer: eve},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestCommitsBeyondWhatGitHubLists(t *testing.T) {
	gh := pulltest.New(t)
	gh.PageSize(100)
	pr := gh.PullRequest(7)
	for i := range 255 {
		pr.Push(pulltest.SHA(fmt.Sprint(i)), "bob", "bob")
	}
	got := must[[]pull.Commit](t)(asActions(t, gh).Commits(t.Context(), 7))
	if len(got) != 256 || got[255].SHA != pr.HeadSHA() {
		t.Errorf("got %d commits of 256", len(got))
	}
}

func TestCommitsThatAreNotAll(t *testing.T) {
	gh := pulltest.New(t)
	gh.PageSize(100)
	pr := gh.PullRequest(7)
	for i := range 255 {
		pr.Push(pulltest.SHA(fmt.Sprint(i)), "bob", "bob")
	}
	gh.Fail("GET", "/repos/acme/shop/compare/*", http.StatusOK, pulltest.Always)
	_, err := asActions(t, gh).Commits(t.Context(), 7)
	says(t, err, "listing the commits of #7", "0 of 0")
}

func TestRedirects(t *testing.T) {
	gh := pulltest.New(t)
	pr := gh.PullRequest(7)
	c := asActions(t, gh)
	elsewhere := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t.Errorf("the token went to another host: %s %s", r.Method, r.URL)
	})
	other := httptestServer(t, elsewhere)
	gh.Handle("GET /repos/{owner}/{repo}/pulls/{pull_number}", http.RedirectHandler(other+"/x", http.StatusFound))
	statuses := "/repos/acme/shop/commits/" + pr.HeadSHA() + "/statuses"
	gh.Handle("POST /repos/{owner}/{repo}/statuses/{sha}", http.RedirectHandler(gh.URL+statuses, http.StatusMovedPermanently))

	if _, err := c.Get(t.Context(), 7); err == nil {
		t.Error("a redirect to another host was followed")
	}
	if _, err := c.SetStatus(t.Context(), pr.HeadSHA(), pull.Status{State: pull.Success, Context: "altergate"}); err == nil {
		t.Error("a status that was answered with a redirect counts as posted")
	}
	if got := gh.Requests(); slices.Contains(got, "GET "+statuses) {
		t.Errorf("the write became a read: %q", got)
	}
}

func httptestServer(t *testing.T, h http.Handler) (address string) {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server.URL
}

package pull_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/pull"
	"github.com/altergate/altergate/internal/pull/pulltest"
)

func TestMe(t *testing.T) {
	gh := pulltest.New(t)
	app := gh.App("altergate", "contents: read", "pull-requests: write", "statuses: write")
	for name, test := range map[string]struct {
		config pull.Config
		want   string
	}{
		"a workflow":        {pull.Config{Token: gh.ActionsToken()}, "github-actions[bot]"},
		"a fork's workflow": {pull.Config{Token: gh.ForkToken() + "\n"}, "github-actions[bot]"},
		"a person":          {pull.Config{Token: gh.UserToken("ann")}, "ann"},
		"an App":            {pull.Config{AppID: app.ID, AppPrivateKey: app.PrivateKey}, "altergate[bot]"},
		"an App and a token": {
			pull.Config{AppID: app.ID, AppPrivateKey: app.PrivateKey, Token: gh.ActionsToken()}, "altergate[bot]"},
	} {
		t.Run(name, func(t *testing.T) {
			test.config.APIURL, test.config.Repository = gh.URL, gh.Repository
			c := newClient(t, test.config)
			want := pull.Identity{ID: gh.User(test.want).ID(), Login: test.want}
			for range 2 {
				if diff := cmp.Diff(want, must[pull.Identity](t)(c.Me(t.Context()))); diff != "" {
					t.Errorf("(-want +got)\n%s", diff)
				}
			}
		})
	}
}

func TestMeIsAskedOnce(t *testing.T) {
	gh := pulltest.New(t)
	c := asActions(t, gh)
	for range 3 {
		must[pull.Identity](t)(c.Me(t.Context()))
	}
	if diff := cmp.Diff([]string{"POST /graphql"}, gh.Requests()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestMeWithoutAnAnswer(t *testing.T) {
	for name, answer := range map[string]string{
		"an error":  `{"errors": [{"message": "API rate limit exceeded"}], "data": null}`,
		"no viewer": `{"data": {"viewer": null}}`,
		"no JSON":   `<html>`,
	} {
		server := httptestServer(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(answer)) }))
		c := newClient(t, pull.Config{APIURL: server, Repository: "acme/shop", Token: "ghs_any"})
		if me, err := c.Me(t.Context()); err == nil {
			t.Errorf("%s: got %+v", name, me)
		}
	}
}

func TestIdentityIs(t *testing.T) {
	for name, test := range map[string]struct {
		me   pull.Identity
		user pull.User
		want bool
	}{
		"the same ID":             {pull.Identity{ID: 1, Login: "old-name"}, pull.User{ID: 1, Login: "new-name"}, true},
		"the login of another":    {pull.Identity{ID: 1, Login: "ann"}, pull.User{ID: 2, Login: "ann"}, false},
		"no ID, the same login":   {pull.Identity{Login: "altergate[bot]"}, pull.User{ID: 2, Login: "Altergate[bot]"}, true},
		"no ID, a person's login": {pull.Identity{Login: "altergate[bot]"}, pull.User{ID: 2, Login: "altergate"}, false},
		"nobody":                  {pull.Identity{ID: 1, Login: "ann"}, pull.User{}, false},
		"nobody is nobody":        {pull.Identity{}, pull.User{}, false},
	} {
		if got := test.me.Is(test.user); got != test.want {
			t.Errorf("%s: got %v", name, got)
		}
	}
}

func TestAppTakesNoMoreThanItNeeds(t *testing.T) {
	gh := pulltest.New(t)
	gh.PullRequest(7)
	app := gh.App("altergate", "administration: write", "contents: write", "pull-requests: write", "statuses: write", "members: write", "checks: write")
	c := newClient(t, pull.Config{APIURL: gh.URL, Repository: gh.Repository, AppID: app.ID, AppPrivateKey: app.PrivateKey})
	made, _, err := c.PutComment(t.Context(), 7, draft("plan"))
	if err != nil {
		t.Fatal(err)
	}
	if made.Author.Login != "altergate[bot]" || made.Via != "altergate" {
		t.Errorf("wrote as %+v", made)
	}
	want := map[string]string{"metadata": "read", "contents": "read", "pull_requests": "write", "statuses": "write", "members": "read"}
	permissions, repositories := app.Granted()
	if diff := cmp.Diff(want, permissions); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([]string{"shop"}, repositories); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	exchanges := slices.DeleteFunc(gh.Requests(), func(r string) bool { return !strings.HasSuffix(r, "/access_tokens") })
	if len(exchanges) != 1 {
		t.Errorf("took %d tokens", len(exchanges))
	}
}

func TestAppThatCannotBe(t *testing.T) {
	gh := pulltest.New(t)
	ours := gh.App("altergate", "contents: read", "pull-requests: read")
	other := gh.App("other")
	try := func(id int64, key []byte) error {
		_, err := pull.New(t.Context(), pull.Config{APIURL: gh.URL, Repository: gh.Repository, AppID: id, AppPrivateKey: key, Wait: new(patience).wait})
		return err
	}
	says(t, try(ours.ID, ours.PrivateKey), "lacks the permissions `pull-requests: write`, `statuses: write`")
	says(t, try(ours.ID, other.PrivateKey), "finding the GitHub App's installation on acme/shop", "401")
	other.Uninstall()
	says(t, try(other.ID, other.PrivateKey), "is not installed on acme/shop")
}

// An App whose account GitHub does not show us still finds its comments, by its login.
func TestAppWithoutAnAccount(t *testing.T) {
	gh := pulltest.New(t)
	gh.PullRequest(7)
	app := gh.App("altergate", "contents: read", "pull-requests: write", "statuses: write")
	gh.Fail("GET", "/users/*", http.StatusNotFound, pulltest.Always)
	c := newClient(t, pull.Config{APIURL: gh.URL, Repository: gh.Repository, AppID: app.ID, AppPrivateKey: app.PrivateKey})
	put(t, c, draft("plan"), pull.Created)
	put(t, c, draft("plan 2"), pull.Edited)
	same(t, gh, "altergate[bot]: plan 2")
}

func TestAppWhoseTokenIsRefused(t *testing.T) {
	gh := pulltest.New(t)
	gh.PullRequest(7)
	app := gh.App("altergate", "contents: read", "pull-requests: write", "statuses: write")
	c := newClient(t, pull.Config{APIURL: gh.URL, Repository: gh.Repository, AppID: app.ID, AppPrivateKey: app.PrivateKey})
	gh.Fail("POST", "/app/installations/*/access_tokens", http.StatusBadGateway, 1)
	must[pull.PullRequest](t)(c.Get(t.Context(), 7))

	c = newClient(t, pull.Config{APIURL: gh.URL, Repository: gh.Repository, AppID: app.ID, AppPrivateKey: app.PrivateKey})
	gh.Fail("POST", "/app/installations/*/access_tokens", http.StatusUnprocessableEntity, 1)
	_, err := c.Get(t.Context(), 7)
	says(t, err, "reading pull request #7", "422", "no token for the GitHub App's installation")
}

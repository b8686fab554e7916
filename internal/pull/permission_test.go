package pull_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/pull"
	"github.com/altergate/altergate/internal/pull/pulltest"
)

func TestPermission(t *testing.T) {
	gh := pulltest.New(t)
	c := asActions(t, gh)
	for _, role := range []string{"admin", "maintain", "write", "triage", "read", "none"} {
		gh.User(role + "er").Role(role)
		got := must[pull.Permission](t)(c.Permission(t.Context(), role+"er"))
		if got.Role != role || got.Level != role || got.User.ID != gh.User(role+"er").ID() {
			t.Errorf("%s: got %+v", role, got)
		}
	}
	gh.User("dora").CustomRole("db-owner", "maintain")
	if got := must[pull.Permission](t)(c.Permission(t.Context(), "dora")); got.Role != "db-owner" || got.Level != "maintain" {
		t.Errorf("a custom role: got %+v", got)
	}
	before := gh.User("ann").Role("admin").ID()
	gh.User("ann").Recreate()
	if got := must[pull.Permission](t)(c.Permission(t.Context(), "ann")); got.User.ID == before {
		t.Errorf("the account that had the login before: got %+v", got)
	}
	for _, login := range []string{"nobody", ""} {
		if got := must[pull.Permission](t)(c.Permission(t.Context(), login)); got != (pull.Permission{Role: "none", Level: "none"}) {
			t.Errorf("%q: got %+v", login, got)
		}
	}
}

func TestPermissionWithoutAnAnswer(t *testing.T) {
	for _, status := range []int{200, 401, 403, 429, 500, 502} {
		gh := pulltest.New(t)
		gh.User("ann").Role("admin")
		gh.Fail("GET", "/repos/acme/shop/collaborators/ann/permission", status, pulltest.Always)
		got, err := asActions(t, gh).Permission(t.Context(), "ann")
		if err == nil || got != (pull.Permission{}) {
			t.Errorf("%d: got %+v, %v", status, got, err)
		}
	}
	_, err := asActions(t, pulltest.New(t)).Permission(t.Context(), "..")
	says(t, err, `".." is not a name`)
}

// What an older server may answer, or a newer one.
func TestPermissionInOtherWords(t *testing.T) {
	ask := func(answer string) (pull.Permission, error) {
		server := httptestServer(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(answer)) }))
		return newClient(t, pull.Config{APIURL: server, Repository: "acme/shop", Token: "ghs_any"}).Permission(t.Context(), "ann")
	}
	for answer, want := range map[string]pull.Permission{
		`{"permission": "write", "user": {"login": "ann", "id": 5}}`: {
			Role: "write", Level: "write", User: pull.User{ID: 5, Login: "ann"}},
		`{"permission": "read", "role_name": "read", "user": null}`: {Role: "read", Level: "read"},
		`{"permission": "read", "role_name": "reader", "user": {"login": "ann", "id": 5, "permissions": {"pull": false}}}`: {
			Role: "reader", Level: "none", User: pull.User{ID: 5, Login: "ann"}},
	} {
		if got := must[pull.Permission](t)(ask(answer)); got != want {
			t.Errorf("%s: got %+v", answer, got)
		}
	}
	_, err := ask(`{"permission": "owner", "role_name": "owner", "user": null}`)
	says(t, err, "unknown permission", "owner")
}

func TestInTeam(t *testing.T) {
	gh := pulltest.New(t)
	gh.Team("acme/dba")
	gh.User("ann").Team("acme/dba")
	gh.User("bob").Invited("acme/dba")
	gh.User("eve")
	app := gh.App("altergate", "contents: read", "pull-requests: write", "statuses: write", "members: read")
	byApp := newClient(t, pull.Config{APIURL: gh.URL, Repository: gh.Repository, AppID: app.ID, AppPrivateKey: app.PrivateKey})
	byPerson := as(t, gh, gh.UserToken("carl"))
	for name, c := range map[string]*pull.Client{"an App": byApp, "a person": byPerson} {
		for login, want := range map[string]bool{"ann": true, "bob": false, "eve": false, "nobody": false} {
			if got := must[bool](t)(c.InTeam(t.Context(), "acme", "dba", login)); got != want {
				t.Errorf("%s asks about %s: got %v", name, login, got)
			}
		}
		_, err := c.InTeam(t.Context(), "acme", "dbas", "ann")
		says(t, err, "acme/dbas", "does not exist")
	}
}

// To a token that may not see teams, a member and a stranger look alike. Neither is a no.
func TestInTeamWithATokenThatSeesNone(t *testing.T) {
	gh := pulltest.New(t)
	gh.User("ann").Team("acme/dba")
	app := gh.App("altergate", "contents: read", "pull-requests: write", "statuses: write")
	for name, c := range map[string]*pull.Client{
		"a workflow": asActions(t, gh),
		"an App":     newClient(t, pull.Config{APIURL: gh.URL, Repository: gh.Repository, AppID: app.ID, AppPrivateKey: app.PrivateKey}),
	} {
		for _, login := range []string{"ann", "eve"} {
			in, err := c.InTeam(t.Context(), "acme", "dba", login)
			if says(t, err, "acme/dba", "`members: read`"); in || errors.Is(err, pull.ErrNotFound) {
				t.Errorf("%s asks about %s: got %v, %v", name, login, in, err)
			}
		}
	}
}

func TestInTeamRefusesNamesThatClimb(t *testing.T) {
	gh := pulltest.New(t)
	c := asActions(t, gh)
	for _, names := range [][3]string{{"..", "dba", "ann"}, {"acme", "../../user", "ann"}, {"acme", "dba", "."}, {"", "dba", "ann"}} {
		if in, err := c.InTeam(t.Context(), names[0], names[1], names[2]); err == nil || in {
			t.Errorf("%q: got %v, %v", names, in, err)
		}
	}
	if got := gh.Requests(); len(got) != 0 {
		t.Errorf("asked %s", strings.Join(got, ", "))
	}
}

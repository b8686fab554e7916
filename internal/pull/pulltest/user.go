package pulltest

import (
	"fmt"
	"net/http"
	"strings"
)

// User is an account. One whose login ends in [bot] is a bot.
type User struct {
	gh    *GitHub
	login string
	id    int64
	role  string
	level string // the built-in role a custom one extends
}

// User finds an account, or makes it, with the role read, as everyone has in a public repository.
func (gh *GitHub) User(login string) *User {
	defer gh.lock()()
	return gh.user(login)
}

func (gh *GitHub) user(login string) *User {
	u := gh.users[login]
	if u == nil {
		u = &User{gh: gh, login: login, id: gh.nextID(), role: "read", level: "read"}
		if login == "github-actions[bot]" {
			u.id = 41898282
		}
		gh.users[login] = u
	}
	return u
}

func (gh *GitHub) owner() string {
	owner, _, _ := strings.Cut(gh.Repository, "/")
	return owner
}

// Role gives a built-in role: admin, maintain, write, triage, read or none.
func (u *User) Role(role string) *User { return u.CustomRole(role, role) }

// CustomRole gives a role of the organization's own that extends a built-in one.
func (u *User) CustomRole(name, extends string) *User {
	defer u.gh.lock()()
	u.role, u.level = name, extends
	return u
}

// Team makes the account an active member of "org/team".
func (u *User) Team(team string) *User { return u.join(team, "active") }

// Invited makes the account one that has not accepted its invitation to "org/team".
func (u *User) Invited(team string) *User { return u.join(team, "pending") }

func (u *User) join(team, state string) *User {
	u.gh.Team(team)
	defer u.gh.lock()()
	u.gh.teams[team][u.login] = state
	return u
}

// Team makes the team "org/team", without members.
func (gh *GitHub) Team(team string) {
	defer gh.lock()()
	if gh.teams[team] == nil {
		gh.teams[team] = map[string]string{}
	}
}

// ID is the account's number, which a login keeps only as long as it is not renamed.
func (u *User) ID() int64 {
	defer u.gh.lock()()
	return u.id
}

// Recreate gives the login to another account: the old one was renamed or deleted. What the old one wrote keeps its ID.
func (u *User) Recreate() *User {
	defer u.gh.lock()()
	u.id = u.gh.nextID()
	return u
}

func (u *User) flags() map[string]bool {
	order := []string{"pull", "triage", "push", "maintain", "admin"}
	rank := map[string]int{"read": 1, "triage": 2, "write": 3, "maintain": 4, "admin": 5}[u.level]
	flags := map[string]bool{}
	for i, flag := range order {
		flags[flag] = i < rank
	}
	return flags
}

func (gh *GitHub) userRoutes() []route {
	return []route{
		{"GET /user", "", gh.getMe},
		{"GET /users/{username}", "", gh.getUser},
		{"GET /repos/{owner}/{repo}", "", func(*http.Request, caller) reply { return ok(gh.repositoryJSON(gh.Repository)) }},
		{"GET /repos/{owner}/{repo}/collaborators/{username}/permission", "", gh.getPermission},
		{"GET /orgs/{org}/teams/{team_slug}", "", gh.getTeam},
		{"GET /orgs/{org}/teams/{team_slug}/memberships/{username}", "", gh.getMembership},
	}
}

func (gh *GitHub) getMe(_ *http.Request, who caller) reply {
	if who.app != "" {
		return refuse(http.StatusForbidden, readOnly)
	}
	return ok(gh.publicUserJSON(who.login))
}

func (gh *GitHub) getUser(r *http.Request, _ caller) reply {
	if gh.users[r.PathValue("username")] == nil {
		return notFound()
	}
	return ok(gh.publicUserJSON(r.PathValue("username")))
}

func (gh *GitHub) getPermission(r *http.Request, _ caller) reply {
	u := gh.users[r.PathValue("username")]
	if u == nil {
		return notFound()
	}
	user := gh.userJSON(u.login)
	user["role_name"], user["permissions"] = u.role, u.flags()
	legacy := map[string]string{"maintain": "write", "triage": "read"}[u.level]
	if legacy == "" {
		legacy = u.level
	}
	return ok(object{"permission": legacy, "role_name": u.role, "user": user})
}

// seesTeams: a person's token does; an installation's needs a permission that a workflow's own token never has.
func seesTeams(who caller) bool { return who.app == "" || who.permissions["members"] != "" }

func (gh *GitHub) getTeam(r *http.Request, who caller) reply {
	team := r.PathValue("org") + "/" + r.PathValue("team_slug")
	if !seesTeams(who) || gh.teams[team] == nil {
		return notFound()
	}
	return ok(object{"id": 1, "slug": r.PathValue("team_slug"), "name": r.PathValue("team_slug")})
}

func (gh *GitHub) getMembership(r *http.Request, who caller) reply {
	team := r.PathValue("org") + "/" + r.PathValue("team_slug")
	state := gh.teams[team][r.PathValue("username")]
	if !seesTeams(who) || state == "" {
		return notFound()
	}
	address := fmt.Sprintf("%s/orgs/%s/teams/%s/memberships/%s", gh.URL, r.PathValue("org"), r.PathValue("team_slug"), r.PathValue("username"))
	return ok(object{"role": "member", "state": state, "url": address})
}

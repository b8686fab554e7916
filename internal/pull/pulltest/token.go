package pulltest

import (
	"fmt"
	"net/http"
	"strings"
)

const readOnly = "Resource not accessible by integration"

// token is what a secret stands for.
type token struct {
	login       string
	app         string            // slug of the App whose installation it is; empty: a person's own
	permissions map[string]string // of an installation: "statuses" to "write"
}

// caller is who sent a request.
type caller struct {
	token
	asApp *App // with the App's own key instead of a token
}

// ActionsToken makes a GITHUB_TOKEN, as github-actions[bot], with the permissions of the workflow: "statuses: write". Without any it has
// those of the recommended workflow. Such a token may not ask GET /user, nor see teams.
func (gh *GitHub) ActionsToken(permissions ...string) string {
	defer gh.lock()()
	if len(permissions) == 0 {
		permissions = []string{"contents: read", "pull-requests: write", "statuses: write"}
	}
	gh.user("github-actions[bot]")
	return gh.newToken("ghs", token{login: "github-actions[bot]", app: "github-actions", permissions: parsePermissions(permissions)})
}

// ForkToken makes the read-only GITHUB_TOKEN that a pull_request run from a fork gets.
func (gh *GitHub) ForkToken() string {
	return gh.ActionsToken("contents: read", "pull-requests: read", "statuses: read")
}

// UserToken makes a person's own token, which may do what the person may.
func (gh *GitHub) UserToken(login string) string {
	defer gh.lock()()
	gh.user(login)
	return gh.newToken("ghp", token{login: login})
}

func (gh *GitHub) newToken(prefix string, t token) string {
	secret := fmt.Sprintf("%s_secret%d", prefix, len(gh.tokens)+1)
	gh.tokens[secret] = t
	return secret
}

// parsePermissions reads them as workflow files spell them; the API spells them with a low line.
func parsePermissions(texts []string) map[string]string {
	permissions := map[string]string{"metadata": "read"}
	for _, text := range texts {
		name, level, _ := strings.Cut(text, ": ")
		permissions[strings.ReplaceAll(name, "-", "_")] = level
	}
	return permissions
}

func (gh *GitHub) caller(r *http.Request, need string) (caller, *reply) {
	_, secret, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	who := caller{asApp: gh.appOfJWT(secret)}
	if who.asApp == nil {
		t, known := gh.tokens[secret]
		if !known {
			return who, new(refuse(http.StatusUnauthorized, "Bad credentials"))
		}
		who.token = t
	}
	if (need == "app") != (who.asApp != nil) {
		return who, new(refuse(http.StatusUnauthorized, "A JSON web token could not be decoded"))
	}
	if need != "app" && !gh.may(who, need) {
		message := readOnly
		if who.app == "" {
			message = "Must have push access to repository"
		}
		return who, new(refuse(http.StatusForbidden, message))
	}
	return who, nil
}

// may leaves comments to every person, as a public repository does.
func (gh *GitHub) may(who caller, need string) bool {
	name, level, _ := strings.Cut(need, ": ")
	if need == "" {
		return true
	}
	if who.app == "" {
		return level == "read" || name == "pull-requests" || gh.users[who.login].flags()["push"]
	}
	has := who.permissions[strings.ReplaceAll(name, "-", "_")]
	return has == "write" || has == level
}

package pulltest

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// App is a GitHub App that is installed on the repository.
type App struct {
	ID         int64
	Slug       string
	PrivateKey []byte // PEM

	gh           *GitHub
	key          *rsa.PrivateKey
	installation int64 // 0: not installed
	permissions  map[string]string
	granted      map[string]string
	repositories []string
}

// App makes an App with the permissions its owner granted it, and installs it.
func (gh *GitHub) App(slug string, permissions ...string) *App {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		gh.t.Fatalf("pulltest: %v", err)
	}
	defer gh.lock()()
	gh.user(slug + "[bot]")
	app := &App{
		ID: gh.nextID(), Slug: slug, gh: gh, key: key, installation: gh.nextID(), permissions: parsePermissions(permissions),
		PrivateKey: pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}),
	}
	gh.apps[slug] = app
	return app
}

// Uninstall takes the App away from the repository.
func (a *App) Uninstall() {
	defer a.gh.lock()()
	a.installation = 0
}

// Granted is what the last token that was made for the App may do, by the API's names ("pull_requests" to "write"), and where; no
// repositories are all of them.
func (a *App) Granted() (permissions map[string]string, repositories []string) {
	defer a.gh.lock()()
	return maps.Clone(a.granted), slices.Clone(a.repositories)
}

func (gh *GitHub) appRoutes() []route {
	return []route{
		{"GET /app", "app", gh.getApp},
		{"GET /repos/{owner}/{repo}/installation", "app", gh.getInstallation},
		{"POST /app/installations/{installation_id}/access_tokens", "app", gh.createToken},
	}
}

func (gh *GitHub) getApp(_ *http.Request, who caller) reply { return ok(gh.appJSON(who.asApp.Slug)) }

func (gh *GitHub) getInstallation(_ *http.Request, who caller) reply {
	app := who.asApp
	if app.installation == 0 {
		return notFound()
	}
	address := fmt.Sprintf("%s/app/installations/%d", gh.URL, app.installation)
	return ok(object{
		"id": app.installation, "app_id": app.ID, "app_slug": app.Slug, "target_id": 1, "target_type": "Organization",
		"single_file_name": nil, "repository_selection": "selected", "access_tokens_url": address + "/access_tokens",
		"html_url": address, "repositories_url": gh.URL + "/installation/repositories", "events": []string{},
		"account": gh.userJSON(gh.owner()), "permissions": app.permissions, "created_at": "2026-01-01T00:00:00Z",
		"updated_at": "2026-01-01T00:00:00Z", "suspended_by": nil, "suspended_at": nil,
	})
}

// createToken refuses what the installation does not have, as GitHub does: it never gives less than was asked for.
func (gh *GitHub) createToken(r *http.Request, who caller) reply {
	var in struct {
		Repositories []string          `json:"repositories"`
		Permissions  map[string]string `json:"permissions"`
	}
	app := who.asApp
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		return refuse(http.StatusBadRequest, "Problems parsing JSON")
	}
	if r.PathValue("installation_id") != strconv.FormatInt(app.installation, 10) {
		return notFound()
	}
	for _, name := range in.Repositories {
		if _, own, _ := strings.Cut(gh.Repository, "/"); name != own {
			return refuse(http.StatusUnprocessableEntity, "There is at least one repository that does not exist or is not accessible")
		}
	}
	granted := map[string]string{"metadata": "read"}
	for name, level := range in.Permissions {
		if has := app.permissions[name]; has != level && has != "write" {
			return refuse(http.StatusUnprocessableEntity, "The permissions requested are not granted to this installation.")
		}
		granted[name] = level
	}
	if len(in.Permissions) == 0 {
		granted = app.permissions
	}
	app.granted, app.repositories = granted, in.Repositories
	secret := gh.newToken("ghs", token{login: app.Slug + "[bot]", app: app.Slug, permissions: granted})
	// Far ahead of any real clock, which is what ghinstallation compares it with.
	return created(object{"token": secret, "expires_at": "2999-01-01T00:00:00Z", "permissions": granted, "repository_selection": "selected"})
}

func (gh *GitHub) appJSON(slug string) object {
	id, permissions := int64(15368), map[string]string{}
	if app := gh.apps[slug]; app != nil {
		id, permissions = app.ID, app.permissions
	}
	return object{
		"id": id, "slug": slug, "node_id": nodeID("A", id), "owner": gh.userJSON(gh.owner()), "name": slug, "description": nil,
		"external_url": "https://example.com", "html_url": "https://example.com/apps/" + slug, "created_at": "2026-01-01T00:00:00Z",
		"updated_at": "2026-01-01T00:00:00Z", "permissions": permissions, "events": []string{},
	}
}

// appOfJWT finds the App whose key signed a token. It does not look at the token's times, which come from a real clock.
func (gh *GitHub) appOfJWT(secret string) *App {
	end := strings.LastIndexByte(secret, '.')
	parts := strings.Split(secret, ".")
	if len(parts) != 3 {
		return nil
	}
	claims, _ := base64.RawURLEncoding.DecodeString(parts[1])
	signature, _ := base64.RawURLEncoding.DecodeString(parts[2])
	var claim struct {
		Issuer string `json:"iss"`
	}
	if json.Unmarshal(claims, &claim) != nil {
		return nil
	}
	sum := sha256.Sum256([]byte(secret[:end]))
	for _, app := range gh.apps {
		if claim.Issuer == strconv.FormatInt(app.ID, 10) && rsa.VerifyPKCS1v15(&app.key.PublicKey, crypto.SHA256, sum[:], signature) == nil {
			return app
		}
	}
	return nil
}

package pull

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/bradleyfalzon/ghinstallation/v2"
	"github.com/google/go-github/v62/github"
)

// becomeApp finds the App's installation on the repository and takes a token for that repository alone, with no more than we use.
func (c *Client) becomeApp(ctx context.Context, config Config) error {
	transport := retrying(config, c.waiting)
	asApp, err := ghinstallation.NewAppsTransport(transport, config.AppID, config.AppPrivateKey)
	if err != nil {
		return errors.New("the GitHub App's private key is not an RSA key in PEM form")
	}
	asApp.BaseURL = strings.TrimRight(c.base.String(), "/")
	c.app = c.client(config, asApp)

	installation, _, err := c.app.Apps.FindRepositoryInstallation(ctx, c.owner, c.name)
	if err := c.explain(err, ""); err != nil {
		if errors.Is(err, ErrNotFound) {
			return fmt.Errorf("the GitHub App %d is not installed on %s/%s: %w", config.AppID, c.owner, c.name, err)
		}
		return fmt.Errorf("finding the GitHub App's installation on %s/%s: %w", c.owner, c.name, err)
	}
	permissions, err := narrowed(installation.Permissions)
	if err != nil {
		return err
	}
	if config.CheckRuns && installation.Permissions.GetChecks() == "write" { // without it their posting fails, and says why
		permissions.Checks = github.String("write")
	}
	asInstallation := ghinstallation.NewFromAppsTransport(asApp, installation.GetID())
	asInstallation.InstallationTokenOptions = &github.InstallationTokenOptions{
		Repositories: []string{c.name},
		Permissions:  permissions,
	}
	c.api = c.client(config, asInstallation)
	return nil
}

// narrowed asks for what we use. Asking for more than the App was granted gets no token at all, so what is missing is named here;
// members only matters to a policy that names teams.
func narrowed(granted *github.InstallationPermissions) (*github.InstallationPermissions, error) {
	var missing []string
	want := func(name, level, has string) *string {
		if has != level && has != "write" {
			missing = append(missing, name+": "+level)
		}
		return &level
	}
	narrow := &github.InstallationPermissions{
		Contents:     want("contents", "read", granted.GetContents()),
		PullRequests: want("pull-requests", "write", granted.GetPullRequests()),
		Statuses:     want("statuses", "write", granted.GetStatuses()),
	}
	if granted.GetMembers() != "" {
		narrow.Members = github.String("read")
	}
	if missing != nil {
		return nil, fmt.Errorf("the GitHub App lacks the permissions `%s`", strings.Join(missing, "`, `"))
	}
	return narrow, nil
}

// Package pull talks to GitHub about the pull requests of one repository: what a pull request is, who said what on it and what
// those people may do, and it writes comments, statuses and reactions there. It brings facts and decides nothing: it knows no
// schema, no plan, no command and no policy, and it reads no environment and no clock.
package pull

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/google/go-github/v62/github"
)

// Config says where GitHub is and who we are there. An App is preferred to a token when both are given.
type Config struct {
	APIURL        string // as in GITHUB_API_URL; empty is https://api.github.com
	Repository    string // owner/name
	Token         string
	AppID         int64
	AppPrivateKey []byte // PEM
	UserAgent     string
	CheckRuns     bool // check runs will be posted, so an App's token has to be one for that, if the App may

	// HTTP gives the transport (proxy, certificates) and the timeout of a call with all its retries. Nil is Go's own transport, with
	// the proxy of the environment.
	HTTP *http.Client
	// Wait passes the time before a call is tried again. Nil sleeps.
	Wait func(context.Context, time.Duration) error
}

// Client speaks for one identity about one repository. Its methods may be called at the same time.
type Client struct {
	base        *url.URL
	owner, name string
	api         *github.Client // as the token, or as the App's installation
	app         *github.Client // as the App itself; nil with a token
	waiting     *purse         // for all calls together

	mu sync.Mutex
	me Identity
}

// New makes a client. With an App it asks GitHub for the App's installation on the repository; with a token it asks nothing.
func New(ctx context.Context, config Config) (*Client, error) {
	base, err := apiAddress(config.APIURL)
	if err != nil {
		return nil, err
	}
	if !repositoryName.MatchString(config.Repository) {
		return nil, fmt.Errorf("the repository must be owner/name, not %q", config.Repository)
	}
	owner, name, _ := strings.Cut(config.Repository, "/")
	c := &Client{base: base, owner: owner, name: name, waiting: &purse{time: budget}}

	token := strings.TrimSpace(config.Token)
	switch {
	case config.AppID != 0 && len(config.AppPrivateKey) > 0:
		return c, c.becomeApp(ctx, config)
	case config.AppID != 0 || len(config.AppPrivateKey) > 0:
		return nil, errors.New("a GitHub App needs both its ID and its private key")
	case token == "":
		return nil, errors.New("there is no GitHub token and no GitHub App")
	}
	c.api = c.client(config, bearer{token, retrying(config, c.waiting)})
	return c, nil
}

// Repository is owner/name.
func (c *Client) Repository() string { return c.owner + "/" + c.name }

func (c *Client) client(config Config, as http.RoundTripper) *github.Client {
	over := &http.Client{Transport: as, CheckRedirect: c.stay}
	if config.HTTP != nil {
		over.Timeout = config.HTTP.Timeout
	}
	// WithEnterpriseURLs would add /api/v3 to an address that has none, so the address is set as it was given.
	client := github.NewClient(over)
	client.BaseURL = c.base
	client.UserAgent = "altergate"
	if config.UserAgent != "" {
		client.UserAgent = config.UserAgent
	}
	return client
}

// stay refuses a redirect that would carry our token to another host, or turn a write into a read that then looks like success.
func (c *Client) stay(req *http.Request, via []*http.Request) error {
	if req.URL.Host != c.base.Host || req.URL.Scheme != c.base.Scheme || via[0].Method != http.MethodGet || len(via) > 5 {
		return http.ErrUseLastResponse
	}
	return nil
}

// ask is one request. The path is below the API's address; in is sent as JSON when there is any.
type ask struct {
	method, path string
	in           any
	need         string // the permission it takes, as a workflow file spells it
	accept       string // the form of the answer; empty is JSON
}

func (c *Client) do(ctx context.Context, a ask, out any) (*github.Response, error) {
	req, err := c.api.NewRequest(a.method, a.path, a.in)
	if err != nil {
		return nil, err
	}
	if a.accept != "" {
		req.Header.Set("Accept", a.accept)
	}
	resp, err := c.api.Do(ctx, req, out)
	return resp, c.explain(err, a.need)
}

func (c *Client) path(format string, args ...any) string {
	return "repos/" + c.owner + "/" + c.name + "/" + fmt.Sprintf(format, args...)
}

var (
	repositoryName = regexp.MustCompile(`^[A-Za-z0-9_-][A-Za-z0-9._-]*/[A-Za-z0-9._-]*[A-Za-z0-9_-][A-Za-z0-9._-]*$`)
	objectID       = regexp.MustCompile(`^[0-9a-f]{40}([0-9a-f]{24})?$`)
)

// segment makes one part of a path of a name that a person wrote. Dots would climb out of the path, escaped or not.
func segment(name string) (string, error) {
	if strings.Trim(name, ".") == "" || strings.ContainsAny(name, "/\\") {
		return "", fmt.Errorf("%q is not a name on GitHub", name)
	}
	return url.PathEscape(name), nil
}

// apiAddress reads the address of the REST API. What it says of a bad one does not repeat it: it may hold a password.
func apiAddress(text string) (*url.URL, error) {
	if text == "" {
		text = "https://api.github.com"
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http") {
		return nil, errors.New("the address of GitHub's API must be an http(s) URL, such as https://api.github.com or https://HOST/api/v3")
	}
	return &url.URL{Scheme: u.Scheme, Host: u.Host, Path: strings.TrimRight(u.Path, "/") + "/"}, nil
}

// graphqlPath is relative to the REST API: GitHub Enterprise Server has /api/v3 and /api/graphql, all others have one below the other.
func graphqlPath(base *url.URL) string {
	if strings.HasSuffix(base.Path, "/api/v3/") {
		return "../graphql"
	}
	return "graphql"
}

// bearer adds the token below go-github, where no error text and no log can see it.
type bearer struct {
	token string
	next  http.RoundTripper
}

func (b bearer) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.Header.Set("Authorization", "Bearer "+b.token)
	return b.next.RoundTrip(req)
}

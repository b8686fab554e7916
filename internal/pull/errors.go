package pull

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/bradleyfalzon/ghinstallation/v2"
	"github.com/google/go-github/v62/github"
)

// What a caller tells apart with errors.Is. Every other error means that GitHub could not answer.
var (
	// ErrNotFound is GitHub's 404, which also hides what the token may not see.
	ErrNotFound = errors.New("not found")
	// ErrForbidden is a refusal that waiting does not change: the read-only token of a fork, a missing permission, a locked conversation.
	ErrForbidden = errors.New("forbidden")
	// ErrRateLimited is a refusal that time changes.
	ErrRateLimited = errors.New("rate limited")
)

var errEmpty = errors.New("GitHub's answer is empty")

// refusal is an answer of GitHub's other than yes. It holds no part of the request.
type refusal struct {
	text string
	kind error // one of the above, or nil
}

func (r *refusal) Error() string { return r.text }
func (r *refusal) Unwrap() error { return r.kind }

// explain turns go-github's error into one for the person who set the workflow up.
func (c *Client) explain(err error, need string) error {
	if err == nil {
		return nil
	}
	var primary *github.RateLimitError
	if errors.As(err, &primary) {
		return usedUp(primary.Rate.Limit, primary.Rate.Reset.Time)
	}
	resp, message := answer(err)
	if resp == nil {
		return c.unanswered(err)
	}
	if resp.StatusCode == http.StatusTooManyRequests && resp.Header.Get("X-RateLimit-Remaining") == "0" {
		limit, _ := strconv.Atoi(resp.Header.Get("X-RateLimit-Limit"))
		reset, _ := strconv.ParseInt(resp.Header.Get("X-RateLimit-Reset"), 10, 64)
		return usedUp(limit, time.Unix(reset, 0))
	}
	text := fmt.Sprintf("GitHub answered %d: %s", resp.StatusCode, message)
	var secondary *github.AbuseRateLimitError
	switch {
	case resp.StatusCode == http.StatusTooManyRequests || errors.As(err, &secondary):
		if after := resp.Header.Get("Retry-After"); after != "" {
			text += "; it asks to wait " + after + " seconds"
		}
		return &refusal{text, ErrRateLimited}
	case resp.StatusCode == http.StatusNotFound:
		return &refusal{text, ErrNotFound}
	case resp.StatusCode == http.StatusForbidden:
		if by, ok := strings.CutPrefix(message, "Resource not accessible by "); ok && need != "" {
			text += "; " + c.advice(by, need)
		}
		return &refusal{text, ErrForbidden}
	}
	return &refusal{text, nil}
}

// advice names what is missing. A workflow's own token is an integration's, as an App's is; a person's is not.
func (c *Client) advice(by, need string) string {
	switch {
	case c.app != nil:
		return fmt.Sprintf("the GitHub App needs the permission `%s`", need)
	case by != "integration":
		return fmt.Sprintf("the token needs the permission `%s`", need)
	}
	advice := fmt.Sprintf("the workflow's `permissions:` must hold `%s`", need)
	if strings.HasSuffix(need, "write") {
		advice += ", which a pull_request run from a fork never gets (pull_request_target does)"
	}
	return advice
}

func usedUp(limit int, reset time.Time) error {
	return &refusal{fmt.Sprintf("GitHub's limit of %d requests an hour is used up until %s", limit,
		reset.UTC().Format("2006-01-02 15:04:05 UTC")), ErrRateLimited}
}

// answer finds the response and GitHub's own words in an error, if GitHub answered at all.
func answer(err error) (resp *http.Response, message string) {
	var refused *github.ErrorResponse
	var secondary *github.AbuseRateLimitError
	var exchange *ghinstallation.HTTPError
	switch {
	case errors.As(err, &refused):
		resp, message = refused.Response, refused.Message
		for _, detail := range refused.Errors {
			if detail.Message != "" {
				message += ": " + detail.Message
			}
		}
	case errors.As(err, &secondary):
		resp, message = secondary.Response, secondary.Message
	case errors.As(err, &exchange) && exchange.Response != nil:
		exchange.Response.Body.Close()
		resp, message = exchange.Response, "no token for the GitHub App's installation"
	default:
		return nil, ""
	}
	if message == "" {
		message = http.StatusText(resp.StatusCode)
	}
	return resp, strings.Join(strings.Fields(message), " ")
}

func (c *Client) unanswered(err error) error {
	var transport *url.Error
	if errors.As(err, &transport) {
		return fmt.Errorf("no answer from %s: %w", c.base.Host, transport.Err)
	}
	return err
}

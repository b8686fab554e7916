package pull_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/pull"
	"github.com/altergate/altergate/internal/pull/pulltest"
)

const onePull = "/repos/acme/shop/pulls/7"

func TestRetries(t *testing.T) {
	const s = time.Second
	for name, test := range map[string]struct {
		status, times int
		header        [2]string
		message       string
		waited        []time.Duration
		want          error // nil with fails: any
		fails         bool
	}{
		"a gateway recovers":             {status: 502, times: 3, waited: []time.Duration{1 * s, 2 * s, 4 * s}},
		"a gateway does not":             {status: 504, times: 4, waited: []time.Duration{1 * s, 2 * s, 4 * s}, fails: true},
		"a gateway names a time":         {status: 503, times: 1, header: [2]string{"Retry-After", "7"}, waited: []time.Duration{7 * s}},
		"too many requests":              {status: 429, times: 2, header: [2]string{"Retry-After", "20"}, waited: []time.Duration{20 * s, 20 * s}},
		"too many, and no time is named": {status: 429, times: 1, waited: []time.Duration{60 * s}},
		"beyond the budget": {status: 429, times: 4, header: [2]string{"Retry-After", "25"}, waited: []time.Duration{25 * s, 25 * s},
			fails: true, want: pull.ErrRateLimited},
		"longer than the budget": {status: 429, times: 1, header: [2]string{"Retry-After", "61"}, fails: true, want: pull.ErrRateLimited},
		"the secondary limit": {status: 403, times: 1, message: "You have exceeded a secondary rate limit.",
			waited: []time.Duration{60 * s}},
		"the secondary limit names a time": {status: 403, times: 1, header: [2]string{"Retry-After", "5"},
			message: "You have exceeded a secondary rate limit.", waited: []time.Duration{5 * s}},
		"a refusal":       {status: 403, times: 1, fails: true, want: pull.ErrForbidden},
		"not found":       {status: 404, times: 1, fails: true, want: pull.ErrNotFound},
		"a server error":  {status: 500, times: 2, waited: []time.Duration{1 * s, 2 * s}},
		"an empty answer": {status: 200, times: 1, fails: true},
	} {
		t.Run(name, func(t *testing.T) {
			gh := pulltest.New(t)
			gh.PullRequest(7)
			fault := gh.Fail("GET", onePull, test.status, test.times).Message(test.message)
			if test.header[0] != "" {
				fault.Header(test.header[0], test.header[1])
			}
			var p patience
			c := newClient(t, pull.Config{APIURL: gh.URL, Repository: gh.Repository, Token: gh.ActionsToken(), Wait: p.wait})
			_, err := c.Get(t.Context(), 7)
			if (err != nil) != test.fails || test.want != nil && !errors.Is(err, test.want) {
				t.Errorf("got the error %v, want %v", err, test.want)
			}
			if diff := cmp.Diff(test.waited, p.waited); diff != "" {
				t.Errorf("waited (-want +got)\n%s", diff)
			}
		})
	}
}

// A gateway that lost the answer may have let the request through: a post is not sent again, all else is, and does no harm.
func TestRetriesDoNothingTwice(t *testing.T) {
	gh := pulltest.New(t)
	sha := gh.PullRequest(7).HeadSHA()
	c := asActions(t, gh)
	gh.Fail("POST", "/repos/acme/shop/issues/7/comments", 502, 1).Late()
	if _, err := c.CreateComment(t.Context(), 7, "once"); err == nil {
		t.Error("the lost answer counts as an answer")
	}
	gh.Fail("POST", "/repos/acme/shop/statuses/*", 502, 1).Late()
	if _, err := c.SetStatus(t.Context(), sha, pull.Status{State: pull.Success, Context: "altergate"}); err == nil {
		t.Error("the lost answer counts as an answer")
	}
	comments := gh.Comments(7)
	if len(comments) != 1 || len(gh.Statuses(sha)) != 1 {
		t.Fatalf("there are %d comments and %d statuses", len(comments), len(gh.Statuses(sha)))
	}
	gh.Fail("PATCH", "/repos/acme/shop/issues/comments/*", 502, 1).Late()
	must[pull.Comment](t)(c.EditComment(t.Context(), comments[0].ID, "twice"))
	gh.Fail("DELETE", "/repos/acme/shop/issues/comments/*", 502, 1).Late()
	if err := c.DeleteComment(t.Context(), comments[0].ID); err != nil {
		t.Error(err)
	}
	if got := gh.Comments(7); len(got) != 0 {
		t.Errorf("still there: %+v", got)
	}
}

// A comment whose answer was lost is found again by the next run.
func TestPutCommentAfterALostAnswer(t *testing.T) {
	gh := pulltest.New(t)
	gh.PullRequest(7)
	gh.Fail("POST", "/repos/acme/shop/issues/7/comments", 504, 1).Late()
	if _, _, err := asActions(t, gh).PutComment(t.Context(), 7, draft("plan")); err == nil {
		t.Error("the lost answer counts as an answer")
	}
	put(t, asActions(t, gh), draft("plan"), pull.Unchanged)
	same(t, gh, bot+": plan")
}

func TestRetryStopsWithTheContext(t *testing.T) {
	gh := pulltest.New(t)
	gh.PullRequest(7)
	gh.Fail("GET", onePull, 502, pulltest.Always)
	ctx, cancel := context.WithCancel(t.Context())
	c := newClient(t, pull.Config{APIURL: gh.URL, Repository: gh.Repository, Token: gh.ActionsToken(),
		Wait: func(ctx context.Context, _ time.Duration) error {
			cancel()
			return ctx.Err()
		}})
	if _, err := c.Get(ctx, 7); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// A connection that breaks is tried again like a gateway that fails, but not for a post.
func TestRetriesABrokenConnection(t *testing.T) {
	gh := pulltest.New(t)
	gh.PullRequest(7)
	var p patience
	broken := &breaking{times: 2}
	c := newClient(t, pull.Config{APIURL: gh.URL, Repository: gh.Repository, Token: gh.ActionsToken(), Wait: p.wait, HTTP: &http.Client{Transport: broken}})
	must[pull.PullRequest](t)(c.Get(t.Context(), 7))
	if diff := cmp.Diff([]time.Duration{time.Second, 2 * time.Second}, p.waited); diff != "" {
		t.Errorf("waited (-want +got)\n%s", diff)
	}
	broken.times = 1
	if _, err := c.CreateComment(t.Context(), 7, "once"); !errors.Is(err, syscall.ECONNRESET) || len(gh.Comments(7)) > 0 {
		t.Errorf("the error is %v, and there are %d comments", err, len(gh.Comments(7)))
	}
}

// breaking is a connection that breaks so many times.
type breaking struct{ times int }

func (b *breaking) RoundTrip(req *http.Request) (*http.Response, error) {
	if b.times > 0 {
		b.times--
		return nil, syscall.ECONNRESET
	}
	return http.DefaultTransport.RoundTrip(req)
}

// All waiting of a client together has a limit: a run may not hold up those behind it for an hour, a minute at each call.
func TestRetriesWithinABudget(t *testing.T) {
	gh := pulltest.New(t)
	gh.PullRequest(7)
	gh.Fail("GET", onePull, 429, pulltest.Always).Header("Retry-After", "50")
	var p patience
	c := newClient(t, pull.Config{APIURL: gh.URL, Repository: gh.Repository, Token: gh.ActionsToken(), Wait: p.wait})
	for range 20 {
		if _, err := c.Get(t.Context(), 7); !errors.Is(err, pull.ErrRateLimited) {
			t.Fatalf("got %v", err)
		}
	}
	total := time.Duration(0)
	for _, d := range p.waited {
		total += d
	}
	if total != 5*time.Minute {
		t.Errorf("it waited %s altogether, want 5 minutes", total)
	}
}

func TestUsedUpLimit(t *testing.T) {
	for _, status := range []int{http.StatusForbidden, http.StatusTooManyRequests} {
		gh := pulltest.New(t)
		gh.PullRequest(7)
		gh.Fail("GET", onePull, status, 1).Message("API rate limit exceeded for installation ID 1.").
			Header("X-RateLimit-Limit", "1000").Header("X-RateLimit-Remaining", "0").Header("X-RateLimit-Reset", "4102444800")
		c := asActions(t, gh)
		for range 2 { // the second time go-github does not even ask
			_, err := c.Get(t.Context(), 7)
			says(t, err, "limit of 1000 requests an hour is used up until 2100-01-01 00:00:00 UTC")
			if !errors.Is(err, pull.ErrRateLimited) || errors.Is(err, pull.ErrForbidden) {
				t.Errorf("not ErrRateLimited alone: %v", err)
			}
		}
	}
}

func TestRefusalsNameWhatIsMissing(t *testing.T) {
	gh := pulltest.New(t)
	gh.PullRequest(7)
	app := gh.App("altergate", "contents: read", "pull-requests: write", "statuses: write")
	asApp := newClient(t, pull.Config{APIURL: gh.URL, Repository: gh.Repository, AppID: app.ID, AppPrivateKey: app.PrivateKey})
	gh.Fail("GET", onePull, 403, 3)
	_, err := asActions(t, gh).Get(t.Context(), 7)
	if says(t, err, "the workflow's `permissions:` must hold `pull-requests: read`"); strings.Contains(err.Error(), "fork") {
		t.Errorf("a fork may read: %v", err)
	}
	_, err = asApp.Get(t.Context(), 7)
	says(t, err, "the GitHub App needs the permission `pull-requests: read`")
	gh.Fail("GET", onePull, 403, 1).Message("Resource not accessible by personal access token")
	_, _ = asApp.Get(t.Context(), 7) // the last of the three
	_, err = as(t, gh, gh.UserToken("ann")).Get(t.Context(), 7)
	says(t, err, "the token needs the permission `pull-requests: read`")
}

func TestErrorsTellNoSecret(t *testing.T) {
	gh := pulltest.New(t)
	gh.PullRequest(7)
	token := gh.ActionsToken()
	address := strings.Replace(gh.URL, "http://", "http://user:hunter2@", 1)
	c := newClient(t, pull.Config{APIURL: address, Repository: gh.Repository, Token: token})
	must[pull.PullRequest](t)(c.Get(t.Context(), 7))

	gone := httptestServer(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { panic(http.ErrAbortHandler) }))
	nowhere := newClient(t, pull.Config{APIURL: strings.Replace(gone, "http://", "http://user:hunter2@", 1), Repository: gh.Repository, Token: token})
	_, unanswered := nowhere.Get(t.Context(), 7)
	says(t, unanswered, "no answer from 127.0.0.1")
	_, refused := c.Get(t.Context(), 8)
	stranger := as(t, gh, "ghp_wrong")
	_, unknown := stranger.Get(t.Context(), 7)
	says(t, unknown, "401", "Bad credentials")
	for _, err := range []error{unanswered, refused, unknown} {
		for _, secret := range []string{"hunter2", token, "ghp_wrong", "Bearer"} {
			if strings.Contains(err.Error(), secret) {
				t.Errorf("the error tells %q: %v", secret, err)
			}
		}
	}
}

package pull

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	tries    = 4
	patience = time.Minute     // all waiting for one call, together
	budget   = 5 * time.Minute // all waiting of one client
)

// retry tries a call again when GitHub asks for patience, or it or what is before it fails, as long as doing it twice is the same as
// doing it once. A comment or a status is never posted twice.
type retry struct {
	next http.RoundTripper
	wait func(context.Context, time.Duration) error
	left *purse
}

// purse is the time that may still be spent on waiting. A run that waits at every call would hold up the runs behind it.
type purse struct {
	mu   sync.Mutex
	time time.Duration
}

// spend takes a time out, unless there is less in it.
func (p *purse) spend(d time.Duration) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if d > p.time {
		return false
	}
	p.time -= d
	return true
}

func retrying(config Config, left *purse) retry {
	r := retry{wait: config.Wait, left: left}
	if r.wait == nil {
		r.wait = sleep
	}
	if config.HTTP != nil {
		r.next = config.HTTP.Transport
	}
	if r.next == nil {
		own := http.DefaultTransport.(*http.Transport).Clone()
		own.ResponseHeaderTimeout = 30 * time.Second
		r.next = own
	}
	return r
}

func (r retry) RoundTrip(req *http.Request) (*http.Response, error) {
	left := patience
	for try := 1; ; try++ {
		resp, err := r.next.RoundTrip(req)
		if try == tries || !repeatable(req) {
			return resp, err
		}
		var pause time.Duration
		switch {
		case err == nil:
			pause = pauseAfter(resp, try)
		case req.Context().Err() == nil: // the connection failed, and nobody gave up
			pause = backoff(try)
		}
		if pause == 0 || pause > left || !r.left.spend(pause) {
			return resp, err
		}
		left -= pause
		if err == nil {
			resp.Body.Close()
		}
		if err := r.wait(req.Context(), pause); err != nil {
			return nil, err
		}
		if req, err = again(req); err != nil {
			return nil, err
		}
	}
}

func backoff(try int) time.Duration { return time.Second << (try - 1) }

// repeatable: of the POSTs we send, a query and the exchange for a token leave nothing behind, and a comment that is hidden twice is
// hidden.
func repeatable(req *http.Request) bool {
	if req.Body != nil && req.GetBody == nil {
		return false
	}
	return req.Method != http.MethodPost || strings.HasSuffix(req.URL.Path, "/graphql") || strings.HasSuffix(req.URL.Path, "/access_tokens")
}

func again(req *http.Request) (*http.Request, error) {
	copied := req.Clone(req.Context())
	if req.GetBody == nil {
		return copied, nil
	}
	body, err := req.GetBody()
	copied.Body = body
	return copied, err
}

// pauseAfter is how long to wait before the call is worth another try; zero: it is not. An exhausted hourly limit is not: it can
// take an hour to come back.
func pauseAfter(resp *http.Response, try int) time.Duration {
	asked, _ := strconv.Atoi(resp.Header.Get("Retry-After"))
	switch resp.StatusCode {
	case http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return max(time.Duration(asked)*time.Second, backoff(try))
	case http.StatusForbidden, http.StatusTooManyRequests:
		switch {
		case asked > 0:
			return time.Duration(asked) * time.Second
		case resp.Header.Get("X-RateLimit-Remaining") == "0":
			return 0
		case resp.StatusCode == http.StatusTooManyRequests || secondaryLimit(resp):
			return patience // GitHub's advice where it names no time
		}
	}
	return 0
}

// secondaryLimit tells GitHub's "slow down" from a plain refusal, both of which are 403, by the text; the body can be read again.
func secondaryLimit(resp *http.Response) bool {
	body, err := io.ReadAll(io.LimitReader(resp.Body, 1<<16))
	resp.Body.Close()
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return err == nil && bytes.Contains(body, []byte("secondary rate limit"))
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

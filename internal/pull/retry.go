package pull

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	tries    = 4
	patience = time.Minute // all waiting for one call, together
)

// retry tries a call again when GitHub asks for patience or a gateway fails, as long as doing it twice is the same as doing it once.
// A comment or a status is never posted twice.
type retry struct {
	next http.RoundTripper
	wait func(context.Context, time.Duration) error
}

func retrying(config Config) retry {
	r := retry{wait: config.Wait}
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
		if err != nil || try == tries || !repeatable(req) {
			return resp, err
		}
		pause := pauseAfter(resp, try)
		if pause == 0 || pause > left {
			return resp, nil
		}
		left -= pause
		resp.Body.Close()
		if err := r.wait(req.Context(), pause); err != nil {
			return nil, err
		}
		if req, err = again(req); err != nil {
			return nil, err
		}
	}
}

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
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return max(time.Duration(asked)*time.Second, time.Second<<(try-1))
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

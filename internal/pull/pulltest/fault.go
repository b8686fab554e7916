package pulltest

import (
	"net/http"
	"path"
)

// Fault is an answer that comes in place of the right one.
type Fault struct {
	gh      *GitHub
	method  string
	pattern string
	status  int
	header  http.Header
	message string
	skip    int
	times   int
	late    bool
}

// Always is the number of times of a fault that stays.
const Always = -1

// Fail answers requests with a status, so many times. The pattern is one of path.Match, below the API's address, where * stands for one
// part of the path: "/repos/acme/shop/statuses/*", or "/graphql". Status 200 is an empty answer; of several faults the first counts.
func (gh *GitHub) Fail(method, pattern string, status, times int) *Fault {
	defer gh.lock()()
	f := &Fault{gh: gh, method: method, pattern: pattern, status: status, times: times, header: http.Header{}}
	gh.faults = append(gh.faults, f)
	return f
}

// Header adds a header to the answer, such as Retry-After.
func (f *Fault) Header(key, value string) *Fault {
	defer f.gh.lock()()
	f.header.Set(key, value)
	return f
}

// Message replaces what GitHub says with such a status.
func (f *Fault) Message(text string) *Fault {
	defer f.gh.lock()()
	f.message = text
	return f
}

// After lets so many requests pass before the first fault.
func (f *Fault) After(requests int) *Fault {
	defer f.gh.lock()()
	f.skip = requests
	return f
}

// Late does what the request asks, and only then fails: a gateway that lost the answer.
func (f *Fault) Late() *Fault {
	defer f.gh.lock()()
	f.late = true
	return f
}

func (gh *GitHub) faultFor(r *http.Request) *Fault {
	for _, f := range gh.faults {
		match, err := path.Match(f.pattern, below(r))
		if err != nil {
			gh.t.Errorf("pulltest: Fail: %v", err)
		}
		if !match || r.Method != f.method || f.times == 0 {
			continue
		}
		if f.skip > 0 {
			f.skip--
			continue
		}
		if f.times > 0 {
			f.times--
		}
		return f
	}
	return nil
}

func (f *Fault) reply() reply {
	if f.status == http.StatusOK {
		return reply{status: f.status, header: f.header, undescribed: true}
	}
	message := f.message
	switch {
	case message != "":
	case f.status == http.StatusForbidden:
		message = readOnly
	case f.status == http.StatusTooManyRequests:
		message = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
	case f.status == http.StatusUnprocessableEntity:
		message = "Validation Failed"
	case f.status >= 500:
		return reply{status: f.status, header: f.header, raw: []byte("<html><body>Unicorn!</body></html>"), undescribed: true}
	default:
		message = http.StatusText(f.status)
	}
	answer := refuse(f.status, message)
	answer.header, answer.undescribed = f.header, true
	return answer
}

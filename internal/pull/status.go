package pull

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/google/go-github/v62/github"
)

// State is the colour of a commit status. The zero State is none, and is refused.
type State string

// Only Success lets a required status pass.
const (
	Success State = "success"
	Failure State = "failure"
	Pending State = "pending"
	Error   State = "error"
)

// Status is a commit status to post.
type Status struct {
	State       State
	Context     string
	Description string // one line; what is beyond GitHub's 140 characters is cut off at the end, at a word
	URL         string // where its "Details" lead; may be empty
}

// SetStatus posts a status on a commit, and gives it as it stands there. Statuses are only ever added: the newest of a context counts.
func (c *Client) SetStatus(ctx context.Context, sha string, s Status) (PostedStatus, error) {
	if !objectID.MatchString(sha) {
		return PostedStatus{}, fmt.Errorf("posting the status %s: %q is not a commit", s.Context, sha)
	}
	switch s.State {
	case Success, Failure, Pending, Error:
	default:
		return PostedStatus{}, fmt.Errorf("posting the status %s: there is no state %q", s.Context, s.State)
	}
	in := github.RepoStatus{
		State:       github.String(string(s.State)),
		Context:     github.String(s.Context),
		Description: github.String(shorten(s.Description, 140)),
	}
	if s.URL != "" {
		in.TargetURL = github.String(s.URL)
	}
	var out github.RepoStatus
	_, err := c.do(ctx, ask{method: "POST", path: c.path("statuses/%s", sha), in: in, need: "statuses: write"}, &out)
	if err == nil && (out.GetState() != string(s.State) || out.GetID() == 0) {
		err = errEmpty
	}
	if err != nil {
		return PostedStatus{}, fmt.Errorf("posting the status %s on %.12s: %w", s.Context, sha, err)
	}
	posted := postedStatus(&out)
	c.recognise(posted.Creator)
	return posted, nil
}

func postedStatus(s *github.RepoStatus) PostedStatus {
	return PostedStatus{ID: s.GetID(), State: State(s.GetState()), Context: s.GetContext(), Description: s.GetDescription(), URL: s.GetTargetURL(),
		Creator: user(s.Creator), Created: s.GetCreatedAt().Time}
}

// PostedStatus is a status as it stands on GitHub. Whoever may write to the repository can post one, and nobody can change it later.
type PostedStatus struct {
	ID          int64
	State       State
	Context     string
	Description string
	URL         string
	Creator     User
	Created     time.Time
}

// Statuses reads all statuses of one context on a commit, the newest first. GitHub tells contexts apart without regard to case.
func (c *Client) Statuses(ctx context.Context, sha, name string) ([]PostedStatus, error) {
	if !objectID.MatchString(sha) {
		return nil, fmt.Errorf("listing the statuses: %q is not a commit", sha)
	}
	found, err := list[*github.RepoStatus](ctx, c, c.path("commits/%s/statuses", sha), "statuses: read")
	if err != nil {
		return nil, fmt.Errorf("listing the statuses of %.12s: %w", sha, err)
	}
	var posted []PostedStatus
	for _, f := range found {
		if f.GetID() == 0 || f.CreatedAt == nil {
			return nil, fmt.Errorf("listing the statuses of %.12s: %w", sha, errEmpty)
		}
		if strings.EqualFold(f.GetContext(), name) {
			posted = append(posted, postedStatus(f))
		}
	}
	slices.SortFunc(posted, func(a, b PostedStatus) int { return cmp.Compare(b.ID, a.ID) })
	// One that is posted while we read moves the others down, so that one of them is read twice.
	return slices.CompactFunc(posted, func(a, b PostedStatus) bool { return a.ID == b.ID }), nil
}

// shorten makes one line of at most limit characters. GitHub does not say how it counts; UTF-16 units are never fewer than characters.
func shorten(text string, limit int) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " ")
	units := 0
	for _, r := range text {
		units += utf16.RuneLen(r)
	}
	if units <= limit {
		return text
	}
	end, word, units := 0, 0, 1 // the ellipsis is one
	for i, r := range text {
		if units += utf16.RuneLen(r); units > limit {
			break
		}
		if r == ' ' {
			word = i
		}
		end = i + utf8.RuneLen(r)
	}
	if word > limit/2 {
		end = word
	}
	return text[:end] + "…"
}

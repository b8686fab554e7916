package pull

import (
	"context"
	"fmt"
	"regexp"
	"strconv"

	"github.com/google/go-github/v62/github"
)

// Entry is a pull request's place in a merge queue: what the queue tries for it, which holds all that is ahead of it as well.
type Entry struct {
	Number     int
	Base, Head string // commits: the head of the entry ahead, or of the branch, and the same with the pull request in it
}

// queued is the name of the branch that a queue makes for an entry. Only GitHub can make one.
var queued = regexp.MustCompile(`^refs/heads/gh-readonly-queue/(.+)/pr-([0-9]{1,9})-([0-9a-f]{40}|[0-9a-f]{64})$`)

// ParseEntry reads the name of the branch of an entry, as the event merge_group gives it, and the branch that the queue is of. The
// entry's head is not in it.
func ParseEntry(ref string) (entry Entry, branch string, ok bool) {
	parts := queued.FindStringSubmatch(ref)
	if parts == nil {
		return Entry{}, "", false
	}
	number, _ := strconv.Atoi(parts[2])
	return Entry{Number: number, Base: parts[3]}, parts[1], number > 0
}

// Queue lists the entries of the merge queue of a branch, in no order.
func (c *Client) Queue(ctx context.Context, branch string) ([]Entry, error) {
	refs, err := list[*github.Reference](ctx, c, c.path("git/matching-refs/heads/gh-readonly-queue/%s/", branchPath(branch)), "contents: read")
	if err != nil {
		return nil, fmt.Errorf("listing the merge queue of %s: %w", branch, err)
	}
	var entries []Entry
	for _, ref := range refs {
		entry, of, ok := ParseEntry(ref.GetRef())
		if !ok || of != branch {
			continue // of a branch whose name goes on, main/2 for main
		}
		if entry.Head = ref.GetObject().GetSHA(); !objectID.MatchString(entry.Head) {
			return nil, fmt.Errorf("listing the merge queue of %s: %w", branch, errEmpty)
		}
		entries = append(entries, entry)
	}
	return entries, nil
}

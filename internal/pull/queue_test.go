package pull_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/pull"
	"github.com/altergate/altergate/internal/pull/pulltest"
)

func TestParseEntry(t *testing.T) {
	sha := pulltest.SHA("base")
	for ref, want := range map[string]struct {
		number int
		branch string
	}{
		"refs/heads/gh-readonly-queue/main/pr-7-" + sha:          {7, "main"},
		"refs/heads/gh-readonly-queue/release/2/pr-123-" + sha:   {123, "release/2"},
		"refs/heads/gh-readonly-queue/a/pr-1-x/pr-2-" + sha:      {2, "a/pr-1-x"},
		"refs/heads/gh-readonly-queue/main/pr-0-" + sha:          {},
		"refs/heads/gh-readonly-queue/main/pr-7-" + sha[1:]:      {},
		"refs/heads/gh-readonly-queue/main/pr-7-" + sha + "0":    {},
		"refs/heads/gh-readonly-queue/main/pr-x-" + sha:          {},
		"refs/heads/gh-readonly-queue/main/pr-1234567890-" + sha: {},
		"refs/heads/gh-readonly-queue/pr-7-" + sha:               {},
		"refs/tags/gh-readonly-queue/main/pr-7-" + sha:           {},
		"refs/heads/main": {},
		"":                {},
	} {
		entry, branch, ok := pull.ParseEntry(ref)
		if entry.Number != want.number || ok != (want.number > 0) || ok && (branch != want.branch || entry.Base != sha) {
			t.Errorf("%s: got %+v of %q, %t", ref, entry, branch, ok)
		}
	}
}

func TestQueue(t *testing.T) {
	gh := pulltest.New(t)
	base, first, second := pulltest.SHA("base"), pulltest.SHA("first"), pulltest.SHA("second")
	for number, at := range map[int][2]string{7: {base, first}, 8: {first, second}} {
		gh.PullRequest(number).Base("release/2", base)
		gh.MergeGroupOn(number, at[0], at[1])
	}
	gh.PullRequest(9).Base("release/20", base)
	gh.MergeGroupOn(9, base, pulltest.SHA("other"))
	gh.PullRequest(10).Base("release/2/x", base)
	gh.MergeGroupOn(10, base, pulltest.SHA("deeper"))
	got := must[[]pull.Entry](t)(asActions(t, gh).Queue(t.Context(), "release/2"))
	want := []pull.Entry{{Number: 7, Base: base, Head: first}, {Number: 8, Base: first, Head: second}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the queue (-want +got):\n%s", diff)
	}
	if got := must[[]pull.Entry](t)(asActions(t, gh).Queue(t.Context(), "main")); len(got) > 0 {
		t.Errorf("a branch without a queue has %+v", got)
	}
	_, err := as(t, gh, gh.ActionsToken("pull-requests: read")).Queue(t.Context(), "release/2")
	if says(t, err, "listing the merge queue of release/2", "`contents: read`"); !errors.Is(err, pull.ErrForbidden) {
		t.Errorf("the error is %v", err)
	}
}

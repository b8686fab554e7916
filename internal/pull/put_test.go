package pull_test

import (
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/pull"
	"github.com/altergate/altergate/internal/pull/pulltest"
)

const marker = "\n<!-- altergate -->"

func draft(body string) pull.Draft {
	return pull.Draft{Body: body + marker, Ours: func(c pull.Comment) bool { return strings.HasSuffix(c.Body, marker) }}
}

// texts are the comments of #7, each with its author, without the marker.
func texts(gh *pulltest.GitHub) []string {
	var list []string
	for _, c := range gh.Comments(7) {
		list = append(list, c.Author+": "+strings.TrimSuffix(c.Body, marker))
	}
	return list
}

func same(t *testing.T, gh *pulltest.GitHub, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, texts(gh)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func put(t *testing.T, c *pull.Client, d pull.Draft, want pull.Change) pull.Comment {
	t.Helper()
	comment, change, err := c.PutComment(t.Context(), 7, d)
	if err != nil {
		t.Fatal(err)
	}
	if change != want {
		t.Errorf("the comment was %s, not %s", change, want)
	}
	return comment
}

const bot = "github-actions[bot]"

func TestPutCommentKeepsOne(t *testing.T) {
	gh := pulltest.New(t)
	gh.PullRequest(7)
	gh.Comment(7, "ann", "nice")
	c := asActions(t, gh)

	first := put(t, c, draft("plan 1"), pull.Created)
	gh.Comment(7, "ann", "still nice")
	before := gh.Now()
	put(t, c, draft("plan 1"), pull.Unchanged)
	if gh.Now() != before {
		t.Error("it was written although it said so already")
	}
	second := put(t, c, draft("plan 2"), pull.Edited)
	if first.ID != second.ID {
		t.Errorf("the comment moved from %d to %d", first.ID, second.ID)
	}
	same(t, gh, "ann: nice", bot+": plan 2", "ann: still nice")
}

func TestPutCommentOnlyEdit(t *testing.T) {
	gh := pulltest.New(t)
	gh.PullRequest(7)
	c := asActions(t, gh)
	nothing := draft("no schema change")
	nothing.OnlyEdit = true
	put(t, c, nothing, pull.Absent)
	same(t, gh)
	put(t, c, draft("drops a table"), pull.Created)
	put(t, c, nothing, pull.Edited)
	same(t, gh, bot+": no schema change")
}

func TestPutCommentRemovesOurDuplicates(t *testing.T) {
	gh := pulltest.New(t)
	gh.PullRequest(7)
	for _, text := range []string{"old", "older run", "again"} {
		gh.Comment(7, bot, text+marker)
		gh.Comment(7, "ann", "between")
	}
	gh.Comment(7, bot, "another workflow's comment")
	put(t, asActions(t, gh), draft("new"), pull.Edited)
	same(t, gh, bot+": new", "ann: between", "ann: between", "ann: between", bot+": another workflow's comment")
}

func TestPutCommentLeavesOthersAlone(t *testing.T) {
	gh := pulltest.New(t)
	gh.PullRequest(7)
	gh.Comment(7, "mallory", "planted"+marker)
	gh.Comment(7, "github-actions", "a person of nearly our name"+marker)
	gh.Comment(7, bot, "our account, but not our comment")
	c := asActions(t, gh)
	put(t, c, draft("plan"), pull.Created)
	gh.Comment(7, "mallory", "planted later"+marker)
	put(t, c, draft("plan 2"), pull.Edited)
	same(t, gh, "mallory: planted", "github-actions: a person of nearly our name", bot+": our account, but not our comment",
		bot+": plan 2", "mallory: planted later")
}

func TestPutCommentMendsWhatOthersDid(t *testing.T) {
	gh := pulltest.New(t)
	gh.PullRequest(7)
	c := asActions(t, gh)
	first := put(t, c, draft("destructive"), pull.Created)
	gh.EditComment(first.ID, "mallory", "safe"+marker)
	put(t, c, draft("destructive"), pull.Edited)
	same(t, gh, bot+": destructive")
	gh.DeleteComment(first.ID, "mallory")
	put(t, c, draft("destructive"), pull.Created)
	same(t, gh, bot+": destructive")
}

// newerThan makes a draft yield to comments of the given text.
func newerThan(d pull.Draft, text string) pull.Draft {
	d.Newer = func(c pull.Comment) bool { return strings.HasPrefix(c.Body, text) }
	return d
}

func TestPutCommentYieldsToANewerRun(t *testing.T) {
	gh := pulltest.New(t)
	gh.PullRequest(7)
	c := asActions(t, gh)
	put(t, c, draft("run 2"), pull.Created)
	put(t, c, newerThan(draft("run 1"), "run 2"), pull.Yielded)
	same(t, gh, bot+": run 2")

	// Of duplicates the oldest is never deleted, and neither is what the newer run wrote: it tidies up itself.
	gh.Comment(7, bot, "run 0"+marker)
	gh.Comment(7, bot, "run 2 again"+marker)
	put(t, c, newerThan(draft("run 1"), "run 2"), pull.Yielded)
	same(t, gh, bot+": run 2", bot+": run 2 again")
	put(t, c, draft("run 3"), pull.Edited)
	same(t, gh, bot+": run 3")

	gh.Comment(7, bot, "run 9"+marker)
	put(t, c, newerThan(draft("run 4"), "run 9"), pull.Yielded)
	same(t, gh, bot+": run 3", bot+": run 9")
}

// Ours is found wherever it stands: GitHub gives thirty or a hundred comments to a page, and other bots write more than people.
func TestPutCommentAmongManyOthers(t *testing.T) {
	for name, test := range map[string]struct{ before, after, page int }{
		"number 41 of 60":        {40, 19, 30},
		"number 301":             {300, 0, 100},
		"the first of a page":    {100, 100, 100},
		"the last of a page":     {99, 100, 100},
		"behind marks of others": {7, 7, 2},
	} {
		t.Run(name, func(t *testing.T) {
			gh := pulltest.New(t)
			gh.PullRequest(7)
			gh.PageSize(test.page)
			others := func(n int) {
				for range n {
					gh.Comment(7, "mallory", "planted"+marker)
				}
			}
			others(test.before)
			ours := gh.Comment(7, bot, "old"+marker)
			others(test.after)
			c := asActions(t, gh)
			edited, unchanged := put(t, c, draft("new"), pull.Edited), put(t, c, anew("new"), pull.Unchanged)
			if edited.ID != ours.ID || unchanged.ID != ours.ID {
				t.Errorf("comments %d and %d are kept, not %d", edited.ID, unchanged.ID, ours.ID)
			}
			if got := len(gh.Comments(7)); got != test.before+1+test.after {
				t.Errorf("there are %d comments", got)
			}
		})
	}
}

// GitHub's lists can lag behind its writes.
func TestPutCommentBeforeTheListShowsIt(t *testing.T) {
	gh := pulltest.New(t)
	gh.PullRequest(7)
	gh.Handle("GET /repos/{owner}/{repo}/issues/{issue_number}/comments", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte("[]"))
	}))
	put(t, asActions(t, gh), draft("plan"), pull.Created)
	same(t, gh, bot+": plan")
}

// Two runs that start together both find no comment. The barrier holds each create back until both are on their way.
func TestPutCommentTwoAtOnce(t *testing.T) {
	for range 10 {
		gh := pulltest.New(t)
		gh.PullRequest(7)
		token := gh.ActionsToken()
		var barrier sync.WaitGroup
		barrier.Add(2)
		gh.OnRequest(func(method, path string) {
			if method == http.MethodPost && path == "/repos/acme/shop/issues/7/comments" {
				barrier.Done()
				barrier.Wait()
			}
		})
		var runs sync.WaitGroup
		var ids [2]int64
		for i := range ids {
			c := as(t, gh, token)
			runs.Go(func() {
				comment, _, err := c.PutComment(t.Context(), 7, draft("plan"))
				if err != nil {
					t.Error(err)
				}
				ids[i] = comment.ID
			})
		}
		runs.Wait()
		same(t, gh, bot+": plan")
		if lowest := gh.Comments(7)[0].ID; ids != [2]int64{lowest, lowest} {
			t.Errorf("the runs ended on %d, and %d stands", ids, lowest)
		}
	}
}

func TestPutCommentAgainstAChangingConversation(t *testing.T) {
	for name, test := range map[string]struct {
		before func(*pulltest.GitHub)
		on     string // the request before which the conversation changes
		change func(*pulltest.GitHub)
		want   []string
	}{
		"ours is deleted before it is edited": {
			before: func(gh *pulltest.GitHub) { gh.Comment(7, bot, "old"+marker) },
			on:     http.MethodPatch,
			change: func(gh *pulltest.GitHub) { gh.DeleteComment(gh.Comments(7)[0].ID, "mallory") },
			want:   []string{bot + ": new"},
		},
		"a duplicate is deleted before we do it": {
			before: func(gh *pulltest.GitHub) { gh.Comment(7, bot, "new"+marker); gh.Comment(7, bot, "old"+marker) },
			on:     http.MethodDelete,
			change: func(gh *pulltest.GitHub) { gh.DeleteComment(gh.Comments(7)[1].ID, "mallory") },
			want:   []string{bot + ": new"},
		},
		"another run is first": {
			before: func(*pulltest.GitHub) {},
			on:     http.MethodPost,
			change: func(gh *pulltest.GitHub) { gh.Comment(7, bot, "from the other run"+marker) },
			want:   []string{bot + ": new"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			gh := pulltest.New(t)
			gh.PullRequest(7)
			test.before(gh)
			c := asActions(t, gh)
			must[pull.Identity](t)(c.Me(t.Context()))
			var once sync.Once
			gh.OnRequest(func(method, _ string) {
				if method == test.on {
					once.Do(func() { test.change(gh) })
				}
			})
			if _, _, err := c.PutComment(t.Context(), 7, draft("new")); err != nil {
				t.Fatal(err)
			}
			same(t, gh, test.want...)
		})
	}
}

func TestPutCommentGivesUpOnAComment(t *testing.T) {
	gh := pulltest.New(t)
	gh.PullRequest(7)
	gh.Comment(7, bot, "old"+marker)
	gh.Fail("PATCH", "/repos/acme/shop/issues/comments/*", http.StatusNotFound, pulltest.Always)
	_, _, err := asActions(t, gh).PutComment(t.Context(), 7, draft("new"))
	says(t, err, "deleted each time")
}

// Whatever fails, nothing is written that the one-comment rule would not write.
func TestPutCommentFails(t *testing.T) {
	for name, test := range map[string]struct {
		method, path string
		status       int
		want         error
		left         []string
	}{
		"who we are":         {"POST", "/graphql", 502, nil, []string{bot + ": old"}},
		"who we are, empty":  {"POST", "/graphql", 200, nil, []string{bot + ": old"}},
		"the list":           {"GET", "/repos/acme/shop/issues/7/comments", 502, nil, []string{bot + ": old"}},
		"the list, empty":    {"GET", "/repos/acme/shop/issues/7/comments", 200, nil, []string{bot + ": old"}},
		"the list, hidden":   {"GET", "/repos/acme/shop/issues/7/comments", 404, pull.ErrNotFound, []string{bot + ": old"}},
		"the edit":           {"PATCH", "/repos/acme/shop/issues/comments/*", 403, pull.ErrForbidden, []string{bot + ": old"}},
		"the edit, rejected": {"PATCH", "/repos/acme/shop/issues/comments/*", 422, nil, []string{bot + ": old"}},
	} {
		t.Run(name, func(t *testing.T) {
			gh := pulltest.New(t)
			gh.PullRequest(7)
			gh.Comment(7, bot, "old"+marker)
			gh.Fail(test.method, test.path, test.status, pulltest.Always)
			_, change, err := asActions(t, gh).PutComment(t.Context(), 7, draft("new"))
			if err == nil || change != "" {
				t.Errorf("the comment was %q, with the error %v", change, err)
			}
			if test.want != nil && !errors.Is(err, test.want) {
				t.Errorf("not %v: %v", test.want, err)
			}
			same(t, gh, test.left...)
		})
	}
}

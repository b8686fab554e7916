package pull_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/pull"
	"github.com/altergate/altergate/internal/pull/pulltest"
)

// anew is a draft that comes as a new comment when it says something else.
func anew(body string) pull.Draft {
	d := draft(body)
	d.Anew = true
	return d
}

// standing compares the comments of #7 that are to be seen, and counts those of ours that are hidden.
func standing(t *testing.T, gh *pulltest.GitHub, hidden int, want ...string) {
	t.Helper()
	var seen []string
	for _, c := range gh.Comments(7) {
		if c.Hidden == "" {
			seen = append(seen, c.Author+": "+strings.TrimSuffix(c.Body, marker))
			continue
		}
		hidden--
		if c.Author != bot {
			t.Errorf("%s's comment was hidden: %q", c.Author, c.Body)
		}
	}
	if diff := cmp.Diff(want, seen); diff != "" || hidden != 0 {
		t.Errorf("to be seen (-want +got):\n%s%d fewer are hidden than should be", diff, hidden)
	}
}

func TestPutCommentAnew(t *testing.T) {
	gh := pulltest.New(t)
	gh.PullRequest(7)
	c := asActions(t, gh)
	first := put(t, c, anew("plan 1"), pull.Created)
	gh.Comment(7, "ann", "nice")
	before := gh.Now()
	if same := put(t, c, anew("plan 1"), pull.Unchanged); same.ID != first.ID || gh.Now() != before {
		t.Error("it was written although it said so already")
	}
	said := anew("plan 1, seen by another run")
	said.Says = func(m pull.Comment) bool { return strings.HasPrefix(m.Body, "plan 1") }
	if put(t, c, said, pull.Unchanged); gh.Now() != before {
		t.Error("it was written for the run's sake alone")
	}
	second := put(t, c, anew("plan 2"), pull.Created)
	standing(t, gh, 1, "ann: nice", bot+": plan 2")
	if gh.Comments(7)[0].Hidden != "OUTDATED" || second.ID == first.ID {
		t.Errorf("the comments are %+v", gh.Comments(7))
	}
	// What was said before is said again below, not shown again above.
	put(t, c, anew("plan 1"), pull.Created)
	standing(t, gh, 2, "ann: nice", bot+": plan 1")
}

func TestPutCommentAnewOnlyEdit(t *testing.T) {
	gh := pulltest.New(t)
	gh.PullRequest(7)
	c := asActions(t, gh)
	nothing := anew("no schema change")
	nothing.OnlyEdit = true
	put(t, c, nothing, pull.Absent)
	put(t, c, anew("drops a table"), pull.Created)
	put(t, c, nothing, pull.Created)
	standing(t, gh, 1, bot+": no schema change")
	gh.HideComment(gh.Comments(7)[1].ID)
	put(t, c, nothing, pull.Absent)
}

// The modes can be switched at any time: what is hidden is history, and the latest of the others is what stands.
func TestPutCommentSwitchesModes(t *testing.T) {
	gh := pulltest.New(t)
	gh.PullRequest(7)
	c := asActions(t, gh)
	put(t, c, draft("1"), pull.Created)
	put(t, c, anew("2"), pull.Created)
	put(t, c, anew("3"), pull.Created)
	standing(t, gh, 2, bot+": 3")
	put(t, c, draft("4"), pull.Edited)
	standing(t, gh, 2, bot+": 4")
	put(t, c, draft("4"), pull.Unchanged)
	put(t, c, anew("5"), pull.Created)
	standing(t, gh, 3, bot+": 5")
	// Hidden by a person, all of them: an update goes on with the latest, and hide-and-new with a new one.
	gh.HideComment(gh.Comments(7)[3].ID)
	put(t, c, draft("6"), pull.Edited)
	standing(t, gh, 4)
	put(t, c, anew("6"), pull.Created)
	standing(t, gh, 4, bot+": 6")
}

func TestPutCommentHidesNothingOfOthers(t *testing.T) {
	gh := pulltest.New(t)
	gh.PullRequest(7)
	gh.Comment(7, "mallory", "planted"+marker)
	gh.Comment(7, bot, "another workflow's comment")
	c := asActions(t, gh)
	put(t, c, anew("1"), pull.Created)
	put(t, c, anew("2"), pull.Created)
	standing(t, gh, 1, "mallory: planted", bot+": another workflow's comment", bot+": 2")
}

func TestPutCommentAnewYieldsToANewerRun(t *testing.T) {
	gh := pulltest.New(t)
	gh.PullRequest(7)
	c := asActions(t, gh)
	put(t, c, anew("run 2"), pull.Created)
	before := gh.Now()
	if put(t, c, newerThan(anew("run 1"), "run 2"), pull.Yielded); gh.Now() != before {
		t.Error("an older run wrote something")
	}
	gh.Comment(7, bot, "run 0"+marker)
	put(t, c, newerThan(anew("run 1"), "run 2"), pull.Yielded)
	standing(t, gh, 1, bot+": run 2")

	// Of two newer ones neither is hidden: which of them stands is theirs to settle.
	gh.Comment(7, bot, "run 2 again"+marker)
	put(t, c, newerThan(anew("run 1"), "run 2"), pull.Yielded)
	standing(t, gh, 1, bot+": run 2", bot+": run 2 again")
}

// Whatever the order in which two runs create, list and hide, the newer run's comment is what stands, and the older one's never hides
// it. The comment that both found is of another day.
func TestPutCommentAnewTwoAtOnce(t *testing.T) {
	for _, earlier := range []bool{false, true} {
		for turn := range 12 {
			t.Run(fmt.Sprintf("earlier %t, turn %d", earlier, turn), func(t *testing.T) {
				t.Parallel()
				gh := pulltest.New(t)
				gh.PullRequest(7)
				if earlier {
					gh.Comment(7, bot, "of another day"+marker)
				}
				older, newer := asActions(t, gh), asActions(t, gh)
				for _, c := range []*pull.Client{older, newer} {
					must[pull.Identity](t)(c.Me(t.Context()))
				}
				// The newer run goes through as a whole before the older one's request number turn.
				count, ran := 0, false
				run := func() {
					gh.OnRequest(nil)
					ran = true
					put(t, newer, anew("run 2"), pull.Created)
				}
				gh.OnRequest(func(string, string) {
					if count++; count == turn+1 {
						run()
					}
				})
				if _, _, err := older.PutComment(t.Context(), 7, newerThan(anew("run 1"), "run 2")); err != nil {
					t.Fatal(err)
				}
				if !ran { // the older one had fewer requests
					run()
				}
				for i, c := range gh.Comments(7) {
					if stands := strings.HasPrefix(c.Body, "run 2"); stands != (c.Hidden == "") {
						t.Errorf("comment %d is %q, hidden: %q", i, c.Body, c.Hidden)
					}
				}
			})
		}
	}
}

// Two runs of equal rank that both created one agree on the later.
func TestPutCommentAnewBothCreate(t *testing.T) {
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
	for range 2 {
		c := as(t, gh, token)
		runs.Go(func() {
			if _, _, err := c.PutComment(t.Context(), 7, anew("plan")); err != nil {
				t.Error(err)
			}
		})
	}
	runs.Wait()
	standing(t, gh, 1, bot+": plan")
	if gh.Comments(7)[1].Hidden != "" {
		t.Error("the earlier of the two stands")
	}
}

func TestPutCommentAnewAmongMany(t *testing.T) {
	gh := pulltest.New(t)
	gh.PullRequest(7)
	gh.PageSize(100)
	for i := range 130 { // more of ours than one question may name
		gh.HideComment(gh.Comment(7, bot, fmt.Sprint(i, marker)).ID)
	}
	gh.Comment(7, bot, "old"+marker)
	put(t, asActions(t, gh), anew("new"), pull.Created)
	standing(t, gh, 131, bot+": new")
}

// A comment that is gone while it is to be hidden is no trouble; what may not be hidden is.
func TestPutCommentAnewFails(t *testing.T) {
	for name, test := range map[string]struct {
		fail func(*pulltest.GitHub)
		kind error
		says string
		want []string // to be seen afterwards
	}{
		"may not comment": {func(gh *pulltest.GitHub) { gh.Fail("POST", "/repos/acme/shop/issues/7/comments", 403, pulltest.Always) },
			pull.ErrForbidden, "`pull-requests: write`", []string{bot + ": old"}},
		"does not tell what is hidden": {func(gh *pulltest.GitHub) { gh.Fail("POST", "/graphql", 502, pulltest.Always).After(1) },
			nil, "which comments are hidden", []string{bot + ": old"}},
		"an empty answer": {func(gh *pulltest.GitHub) { gh.Fail("POST", "/graphql", 200, pulltest.Always).After(1) },
			nil, "empty", []string{bot + ": old"}},
		"cannot hide": {func(gh *pulltest.GitHub) { gh.Fail("POST", "/graphql", 502, pulltest.Always).After(3) },
			nil, "hiding comment", []string{bot + ": old", bot + ": new"}},
		"deleted before it is hidden": {func(gh *pulltest.GitHub) {
			old, count := gh.Comments(7)[0].ID, 0
			gh.OnRequest(func(_, path string) {
				if count++; path == "/graphql" && count > 4 {
					gh.OnRequest(nil)
					gh.DeleteComment(old, "mallory")
				}
			})
		}, nil, "", []string{bot + ": new"}},
	} {
		t.Run(name, func(t *testing.T) {
			gh := pulltest.New(t)
			gh.PullRequest(7)
			gh.Comment(7, bot, "old"+marker)
			test.fail(gh)
			_, _, err := asActions(t, gh).PutComment(t.Context(), 7, anew("new"))
			switch {
			case test.says != "":
				says(t, err, test.says)
			case err != nil:
				t.Error(err)
			}
			if test.kind != nil && !errors.Is(err, test.kind) {
				t.Errorf("not %v: %v", test.kind, err)
			}
			standing(t, gh, 0, test.want...)
		})
	}
}

func TestHide(t *testing.T) {
	gh := pulltest.New(t)
	gh.PullRequest(7)
	c, old := asActions(t, gh), gh.Comment(7, bot, "old")
	comment := must[[]pull.Comment](t)(c.Comments(t.Context(), 7))[0]
	err := as(t, gh, gh.ForkToken()).Hide(t.Context(), comment)
	if says(t, err, "hiding comment", "`pull-requests: write`"); !errors.Is(err, pull.ErrForbidden) {
		t.Errorf("not ErrForbidden: %v", err)
	}
	for range 2 {
		if err := c.Hide(t.Context(), comment); err != nil {
			t.Fatal(err)
		}
	}
	if shown := must[[]pull.Comment](t)(c.Shown(t.Context(), []pull.Comment{comment})); len(shown) > 0 {
		t.Errorf("still shown: %+v", shown)
	}
	gh.DeleteComment(old.ID, "ann")
	if err := c.Hide(t.Context(), comment); err != nil {
		t.Errorf("it is gone, and that is an error: %v", err)
	}
	if shown := must[[]pull.Comment](t)(c.Shown(t.Context(), []pull.Comment{comment})); len(shown) != 1 {
		t.Error("what GraphQL does not find is taken for hidden")
	}
}

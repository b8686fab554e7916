package pull_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/pull"
	"github.com/altergate/altergate/internal/pull/pulltest"
)

func TestComments(t *testing.T) {
	gh := pulltest.New(t)
	gh.PullRequest(7)
	gh.PullRequest(8)
	ann := gh.Comment(7, "ann", "/approve destructive")
	gh.Comment(8, "ann", "on another one")
	bot := gh.CommentVia(7, "ann", "mailer", "by mail")
	edited := gh.Comment(7, "bob", "looks good")
	gh.EditComment(edited.ID, "mallory", "/approve destructive")
	gh.DeleteComment(gh.Comment(7, "bob", "never mind").ID, "bob")
	renovate := gh.Comment(7, "renovate[bot]", "rebase")

	got := must[[]pull.Comment](t)(asActions(t, gh).Comments(t.Context(), 7))
	page := strings.TrimSuffix(gh.URL, "/api/v3") + "/acme/shop/pull/7#issuecomment-"
	account := func(login, kind string) pull.User {
		return pull.User{ID: gh.User(login).ID(), Login: login, Type: kind}
	}
	want := []pull.Comment{
		{ID: ann.ID, Author: account("ann", "User"), Body: "/approve destructive", Created: ann.Created, Updated: ann.Created},
		{ID: bot.ID, Author: account("ann", "User"), Via: "mailer", Body: "by mail", Created: bot.Created, Updated: bot.Created},
		{ID: edited.ID, Author: account("bob", "User"), Body: "/approve destructive", Created: edited.Created, Updated: gh.Comments(7)[2].Updated},
		{ID: renovate.ID, Author: account("renovate[bot]", "Bot"), Body: "rebase", Created: renovate.Created, Updated: renovate.Created},
	}
	for i := range want {
		want[i].URL = page + fmt.Sprint(want[i].ID)
		want[i].Node = fmt.Sprintf("IC_%d", want[i].ID)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("(-want +got)\n%s", diff)
	}
	for i, want := range []struct{ edited, bot bool }{{false, false}, {false, true}, {true, false}, {false, true}} {
		if got[i].Edited() != want.edited || got[i].ByBot() != want.bot {
			t.Errorf("%q: edited %v, by a bot %v", got[i].Body, got[i].Edited(), got[i].ByBot())
		}
	}
}

func TestCommentsAreReadToTheLastPage(t *testing.T) {
	gh := pulltest.New(t)
	gh.PullRequest(7)
	gh.PageSize(1)
	for i := range 100 {
		gh.Comment(7, "ann", fmt.Sprint(i))
	}
	c := asActions(t, gh)
	if got := must[[]pull.Comment](t)(c.Comments(t.Context(), 7)); len(got) != 100 || got[99].Body != "99" {
		t.Errorf("got %d comments of 100", len(got))
	}
	gh.Comment(7, "ann", "one page too many")
	_, err := c.Comments(t.Context(), 7)
	says(t, err, "listing the comments of #7", "more than 100 pages")
}

func TestWritingComments(t *testing.T) {
	gh := pulltest.New(t)
	gh.PullRequest(7)
	c := asActions(t, gh)
	made := must[pull.Comment](t)(c.CreateComment(t.Context(), 7, "one"))
	edited := must[pull.Comment](t)(c.EditComment(t.Context(), made.ID, "two <&> \u202e"))
	if made.Edited() || !edited.Edited() || edited.ID != made.ID || edited.Body != "two <&> \u202e" || edited.Via != "github-actions" {
		t.Errorf("created %+v, edited %+v", made, edited)
	}
	for range 2 { // the second time it is gone already
		if err := c.DeleteComment(t.Context(), made.ID); err != nil {
			t.Fatal(err)
		}
	}
	if got := gh.Comments(7); len(got) != 0 {
		t.Errorf("still there: %+v", got)
	}
	if _, err := c.EditComment(t.Context(), made.ID, "three"); !errors.Is(err, pull.ErrNotFound) {
		t.Errorf("not ErrNotFound: %v", err)
	}
}

func TestWritingCommentsRefused(t *testing.T) {
	gh := pulltest.New(t)
	gh.PullRequest(7)
	gh.PullRequest(8).Lock()
	c := asActions(t, gh)
	_, err := c.CreateComment(t.Context(), 7, strings.Repeat("é", 65537))
	says(t, err, "commenting on #7", "422", "body is too long (maximum is 65536 characters)")
	_, err = c.CreateComment(t.Context(), 7, " \n")
	says(t, err, "422")
	_, err = c.CreateComment(t.Context(), 9, "there is no #9")
	if says(t, err, "commenting on #9", "404"); !errors.Is(err, pull.ErrNotFound) {
		t.Errorf("not ErrNotFound: %v", err)
	}
	_, err = c.CreateComment(t.Context(), 8, "locked")
	if says(t, err, "issue is locked"); !errors.Is(err, pull.ErrForbidden) || strings.Contains(err.Error(), "permissions:") {
		t.Errorf("not ErrForbidden, or a permission is blamed: %v", err)
	}
	_, err = as(t, gh, gh.ForkToken()).CreateComment(t.Context(), 7, "from a fork")
	if says(t, err, "`pull-requests: write`", "pull_request_target"); !errors.Is(err, pull.ErrForbidden) {
		t.Errorf("not ErrForbidden: %v", err)
	}
	if got := append(gh.Comments(7), gh.Comments(8)...); len(got) != 0 {
		t.Errorf("written: %+v", got)
	}
}

func TestReact(t *testing.T) {
	gh := pulltest.New(t)
	gh.PullRequest(7)
	command := gh.Comment(7, "ann", "/plan")
	c := asActions(t, gh)
	for _, r := range []pull.Reaction{pull.Eyes, pull.ThumbsUp, pull.Eyes} {
		if err := c.React(t.Context(), command.ID, r); err != nil {
			t.Fatal(err)
		}
	}
	want := []pulltest.Reaction{{Login: "github-actions[bot]", Content: "eyes"}, {Login: "github-actions[bot]", Content: "+1"}}
	if diff := cmp.Diff(want, gh.Reactions(command.ID)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	gh.DeleteComment(command.ID, "ann")
	if err := c.React(t.Context(), command.ID, pull.Eyes); !errors.Is(err, pull.ErrNotFound) {
		t.Errorf("not ErrNotFound: %v", err)
	}
}

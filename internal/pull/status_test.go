package pull_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/pull"
	"github.com/altergate/altergate/internal/pull/pulltest"
)

func TestSetStatus(t *testing.T) {
	gh := pulltest.New(t)
	sha := gh.PullRequest(7).HeadSHA()
	posted, err := asActions(t, gh).SetStatus(t.Context(), sha, pull.Status{
		State: pull.Failure, Context: "altergate", Description: "2 destructive\nsteps", URL: "https://example.com/run/1",
	})
	if err != nil {
		t.Fatal(err)
	}
	got := gh.Statuses(sha)
	if posted.ID != got[0].ID || posted.State != pull.Failure || posted.Creator.Login != "github-actions[bot]" || posted.Created.IsZero() {
		t.Errorf("it is said to stand as %+v", posted)
	}
	if len(got) != 1 || got[0].State != "failure" || got[0].Context != "altergate" || got[0].Description != "2 destructive steps" ||
		got[0].URL != "https://example.com/run/1" || got[0].Creator != "github-actions[bot]" {
		t.Errorf("got %+v", got)
	}
}

func TestSetStatusCutsAtAWord(t *testing.T) {
	gh := pulltest.New(t)
	sha := gh.PullRequest(7).HeadSHA()
	c := asActions(t, gh)
	for name, test := range map[string]struct{ given, want string }{
		"what fits stays":    {strings.Repeat("a", 140), strings.Repeat("a", 140)},
		"at a word":          {strings.Repeat("word ", 40), strings.TrimSpace(strings.Repeat("word ", 27)) + "…"},
		"one long word":      {"drop " + strings.Repeat("x", 200), "drop " + strings.Repeat("x", 134) + "…"},
		"letters, not bytes": {strings.Repeat("é", 140), strings.Repeat("é", 140)},
		"signs of two units": {strings.Repeat("🐘", 100), strings.Repeat("🐘", 69) + "…"},
		"not UTF-8":          {"a\xffb", "a\uFFFDb"},
		"lines become one":   {"a\r\n\tb", "a b"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := c.SetStatus(t.Context(), sha, pull.Status{State: pull.Success, Context: "altergate", Description: test.given}); err != nil {
				t.Fatal(err)
			}
			got := gh.Statuses(sha)[0].Description
			if got != test.want || utf8.RuneCountInString(got) > 140 {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func second[T any](_ T, err error) error { return err }

func TestSetStatusRefusesWhatItDoesNotKnow(t *testing.T) {
	gh := pulltest.New(t)
	sha := gh.PullRequest(7).HeadSHA()
	c := asActions(t, gh)
	says(t, second(c.SetStatus(t.Context(), sha, pull.Status{Context: "altergate"})), `no state ""`)
	says(t, second(c.SetStatus(t.Context(), sha, pull.Status{Context: "altergate", State: "neutral"})), "neutral")
	says(t, second(c.SetStatus(t.Context(), "../../x", pull.Status{Context: "altergate", State: pull.Success})), "not a commit")
	says(t, second(c.SetStatus(t.Context(), pulltest.SHA("elsewhere"), pull.Status{Context: "altergate", State: pull.Success})), "422", "No commit found")
	if got := gh.Statuses(sha); len(got) != 0 {
		t.Errorf("posted %+v", got)
	}
}

func TestSetStatusWithoutAnAnswer(t *testing.T) {
	for _, status := range []int{200, 401, 429, 500, 502} {
		gh := pulltest.New(t)
		sha := gh.PullRequest(7).HeadSHA()
		gh.Fail("POST", "/repos/acme/shop/statuses/*", status, pulltest.Always)
		if _, err := asActions(t, gh).SetStatus(t.Context(), sha, pull.Status{State: pull.Success, Context: "altergate"}); err == nil {
			t.Errorf("%d counts as posted", status)
		}
	}
}

func TestSetStatusOnAFork(t *testing.T) {
	gh := pulltest.New(t)
	sha := gh.PullRequest(7).Fork("eve/shop").HeadSHA()
	_, err := as(t, gh, gh.ForkToken()).SetStatus(t.Context(), sha, pull.Status{Context: "altergate", State: pull.Failure})
	if !errors.Is(err, pull.ErrForbidden) {
		t.Errorf("not ErrForbidden: %v", err)
	}
	says(t, err, "posting the status altergate", "403", "Resource not accessible by integration", "`statuses: write`", "fork")
}

func TestStatuses(t *testing.T) {
	gh := pulltest.New(t)
	sha := gh.PullRequest(7).HeadSHA()
	c := asActions(t, gh)
	for i := range 3 {
		gh.PostStatus("mallory", sha, pulltest.Status{State: "success", Context: "Altergate", Description: fmt.Sprint(i)})
		gh.PostStatus("ci", sha, pulltest.Status{State: "success", Context: "build"})
	}
	ours := pull.Status{State: pull.Failure, Context: "altergate", Description: "3", URL: "https://example.com"}
	if _, err := c.SetStatus(t.Context(), sha, ours); err != nil {
		t.Fatal(err)
	}
	got := must[[]pull.PostedStatus](t)(c.Statuses(t.Context(), sha, "altergate"))
	var descriptions []string
	for _, s := range got {
		descriptions = append(descriptions, s.Description)
	}
	if diff := cmp.Diff([]string{"3", "2", "1", "0"}, descriptions); diff != "" {
		t.Fatalf("(-want +got)\n%s", diff)
	}
	want := pull.PostedStatus{
		ID: gh.Statuses(sha)[0].ID, State: pull.Failure, Context: "altergate", Description: "3", URL: "https://example.com",
		Creator: pull.User{ID: 41898282, Login: "github-actions[bot]", Type: "Bot"}, Created: gh.Now(),
	}
	if diff := cmp.Diff(want, got[0]); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// One that is posted between two pages moves the rest down: the client must neither lose one nor give one twice.
func TestStatusesWhileOneIsPosted(t *testing.T) {
	gh := pulltest.New(t)
	sha := gh.PullRequest(7).HeadSHA()
	for i := range 4 {
		gh.PostStatus("mallory", sha, pulltest.Status{State: "success", Context: "altergate", Description: fmt.Sprint(i)})
	}
	gh.OnRequest(func(string, string) {
		if len(gh.Requests()) == 2 {
			gh.PostStatus("mallory", sha, pulltest.Status{State: "success", Context: "altergate", Description: "late"})
		}
	})
	var got []string
	for _, s := range must[[]pull.PostedStatus](t)(asActions(t, gh).Statuses(t.Context(), sha, "altergate")) {
		got = append(got, s.Description)
	}
	if diff := cmp.Diff([]string{"3", "2", "1", "0"}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

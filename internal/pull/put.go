package pull

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Draft is what our one comment is to say.
type Draft struct {
	Body string
	// Known are all comments as they were read a moment ago. Nil: they are read.
	Known []Comment
	// Ours knows our comment by its text. It is asked only about comments whose author we are: anyone can copy a text.
	Ours func(Comment) bool
	// Newer tells that a newer run wrote the comment, so that it stands. Nil: none is newer.
	Newer func(Comment) bool
	// Says tells that a comment says all this already, though its text is not quite the same. Nil: only its text can tell.
	Says func(Comment) bool
	// OnlyEdit leaves a pull request without our comment as it is.
	OnlyEdit bool
	// Anew gives a changed text as a new comment and hides the earlier one, instead of editing it.
	Anew bool
}

func (d Draft) newer(m Comment) bool { return d.Newer != nil && d.Newer(m) }

func (d Draft) says(m Comment) bool { return sameText(m.Body, d.Body) || d.Says != nil && d.Says(m) }

// Change is what PutComment did to the comment that stands.
type Change string

// Absent and Yielded are the two ways of having written nothing that differs from the draft.
const (
	Absent    Change = "absent"    // there is none, and none was wanted
	Unchanged Change = "unchanged" // it said so already
	Created   Change = "created"
	Edited    Change = "edited"
	Yielded   Change = "yielded" // a newer run's comment stands
)

// PutComment leaves exactly one comment of ours to be seen on a pull request. Of several the oldest stays, is edited if it says something
// else, and the others are deleted; or, anew, the latest stays if it says this, and the others are hidden. What is hidden is history, and
// stays as it is in either way. GitHub has no "create if there is none", so after a create the comments are read again: of two runs that
// both created one, both now see both and agree on one.
func (c *Client) PutComment(ctx context.Context, number int, d Draft) (Comment, Change, error) {
	const rounds = 4 // one to create, one to look again, and people who delete comments meanwhile
	var created Comment
	for range rounds {
		mine, err := c.mine(ctx, number, d)
		if err != nil {
			return Comment{}, "", err
		}
		d.Known = nil
		if created.ID != 0 && !slices.ContainsFunc(mine, func(m Comment) bool { return m.ID == created.ID }) {
			mine = append(mine, created) // the list lags behind
		}
		if mine, err = c.standing(ctx, mine, d); err != nil {
			return Comment{}, "", fmt.Errorf("putting the comment on #%d: %w", number, err)
		}
		if len(mine) == 0 && d.OnlyEdit {
			return Comment{}, Absent, nil
		}
		if len(mine) == 0 || created.ID == 0 && d.another(mine) {
			if created, err = c.CreateComment(ctx, number, d.Body); err != nil {
				return Comment{}, "", err
			}
			continue
		}
		settle := c.settle
		if d.Anew {
			settle = c.succeed
		}
		kept, change, err := settle(ctx, mine, d)
		if errors.Is(err, ErrNotFound) { // deleted since it was listed
			created = Comment{}
			continue
		}
		if change == Unchanged && kept.ID == created.ID {
			change = Created
		}
		return kept, change, err
	}
	return Comment{}, "", fmt.Errorf("putting the comment on #%d: it was deleted each time", number)
}

// standing are those of our comments that are to be seen. A single one is edited whether or not somebody hid it, and so is the latest
// where somebody hid them all: that was their wish.
func (c *Client) standing(ctx context.Context, mine []Comment, d Draft) ([]Comment, error) {
	if len(mine) == 0 || len(mine) == 1 && !d.Anew {
		return mine, nil
	}
	shown, err := c.Shown(ctx, mine)
	if len(shown) == 0 && !d.Anew {
		shown = mine[len(mine)-1:]
	}
	return shown, err
}

// another tells whether it takes a new comment to say this.
func (d Draft) another(shown []Comment) bool {
	return d.Anew && !slices.ContainsFunc(shown, d.newer) && !d.says(shown[len(shown)-1])
}

func (c *Client) mine(ctx context.Context, number int, d Draft) ([]Comment, error) {
	me, err := c.Me(ctx)
	if err != nil {
		return nil, err
	}
	comments := slices.Clone(d.Known)
	if comments == nil {
		if comments, err = c.Comments(ctx, number); err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(comments, func(m Comment) bool { return !me.Is(m.Author) || !d.Ours(m) }), nil
}

// settle writes before it deletes, so that the plan is never gone, and never deletes the oldest, which is what every run agrees on.
func (c *Client) settle(ctx context.Context, mine []Comment, d Draft) (kept Comment, change Change, err error) {
	kept, change = mine[0], Unchanged
	if i := slices.IndexFunc(mine, d.newer); i >= 0 {
		kept, change = mine[i], Yielded
	} else if !d.says(kept) {
		change = Edited
		if kept, err = c.EditComment(ctx, kept.ID, d.Body); err != nil {
			return Comment{}, "", err
		}
	}
	for _, m := range mine[1:] {
		if d.newer(m) {
			continue
		}
		if err := c.DeleteComment(ctx, m.ID); err != nil {
			return kept, change, err
		}
	}
	return kept, change, nil
}

// succeed hides all but the comment that stands from now on. What a newer run wrote is that run's to hide.
func (c *Client) succeed(ctx context.Context, shown []Comment, d Draft) (kept Comment, change Change, err error) {
	kept, change = shown[len(shown)-1], Yielded
	for _, m := range shown {
		if d.says(m) {
			kept, change = m, Unchanged
		}
	}
	for _, m := range shown {
		if d.newer(m) {
			kept, change = m, Yielded
		}
	}
	for _, m := range shown {
		if m.ID == kept.ID || d.newer(m) {
			continue
		}
		if err := c.Hide(ctx, m); err != nil {
			return kept, change, err
		}
	}
	return kept, change, nil
}

// sameText leaves aside what GitHub may change in a text when it stores it.
func sameText(a, b string) bool {
	tidy := func(s string) string { return strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n")) }
	return tidy(a) == tidy(b)
}

package pull

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Hide folds a comment away as outdated; whoever wants to read it can. One that is gone or hidden already is left at that.
func (c *Client) Hide(ctx context.Context, m Comment) error {
	var out struct {
		Hidden struct {
			Comment struct {
				IsMinimized bool `json:"isMinimized"`
			} `json:"minimizedComment"`
		} `json:"minimizeComment"`
	}
	err := c.asked(ctx, question{
		query: "mutation($id: ID!) { minimizeComment(input: {subjectId: $id, classifier: OUTDATED}) " +
			"{ minimizedComment { isMinimized } } }",
		variables: map[string]any{"id": m.Node}, need: writePulls,
	}, &out)
	switch {
	case errors.Is(err, ErrNotFound):
		return nil
	case err == nil && !out.Hidden.Comment.IsMinimized:
		err = errEmpty
	}
	if err != nil {
		return fmt.Errorf("hiding comment %d: %w", m.ID, err)
	}
	return nil
}

// Shown leaves out the comments that are hidden, which REST does not tell. One that GraphQL does not find may be too new for it, so it
// counts as shown: to take it for hidden could make a second one.
func (c *Client) Shown(ctx context.Context, comments []Comment) ([]Comment, error) {
	const most = 100 // nodes in one question
	var shown []Comment
	for some := range slices.Chunk(comments, most) {
		hidden, err := c.hidden(ctx, some)
		if err != nil {
			return nil, fmt.Errorf("finding out which comments are hidden: %w", err)
		}
		for i, m := range some {
			if !hidden[i] {
				shown = append(shown, m)
			}
		}
	}
	return shown, nil
}

func (c *Client) hidden(ctx context.Context, comments []Comment) ([]bool, error) {
	ids, hidden := make([]string, len(comments)), make([]bool, len(comments))
	for i, m := range comments {
		if ids[i] = m.Node; m.Node == "" {
			return nil, errEmpty
		}
	}
	var out struct {
		Nodes []*struct {
			IsMinimized *bool `json:"isMinimized"`
		} `json:"nodes"`
	}
	err := c.asked(ctx, question{
		query:     "query($ids: [ID!]!) { nodes(ids: $ids) { ... on IssueComment { isMinimized } } }",
		variables: map[string]any{"ids": ids}, need: readPulls, partly: true,
	}, &out)
	if err != nil {
		return nil, err
	}
	if len(out.Nodes) != len(ids) {
		return nil, errEmpty
	}
	for i, node := range out.Nodes {
		switch {
		case node == nil:
		case node.IsMinimized == nil:
			return nil, errEmpty
		default:
			hidden[i] = *node.IsMinimized
		}
	}
	return hidden, nil
}

package pull

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// question is one of the few things that only GraphQL answers. Each of ours can be asked twice: retry does so.
type question struct {
	query     string
	variables map[string]any
	need      string // the permission it takes, as a workflow file spells it
	partly    bool   // an answer that lacks what GitHub does not find is an answer
}

// trouble is GraphQL's refusal, which comes with the status 200.
type trouble struct {
	Type    string `json:"type"`
	Message string `json:"message"`
}

// asked sends a question and reads the data of the answer.
func (c *Client) asked(ctx context.Context, q question, data any) error {
	in := map[string]any{"query": q.query}
	if q.variables != nil {
		in["variables"] = q.variables
	}
	var out struct {
		Data   json.RawMessage `json:"data"`
		Errors []trouble       `json:"errors"`
	}
	if _, err := c.do(ctx, ask{method: "POST", path: graphqlPath(c.base), in: in, need: q.need}, &out); err != nil {
		return err
	}
	found := func(t trouble) bool { return t.Type != "NOT_FOUND" }
	if i := slices.IndexFunc(out.Errors, found); i >= 0 {
		return c.troubled(out.Errors[i], q.need)
	}
	if len(out.Errors) > 0 && !q.partly {
		return c.troubled(out.Errors[0], q.need)
	}
	if len(out.Data) == 0 || string(out.Data) == "null" {
		return errEmpty
	}
	return json.Unmarshal(out.Data, data)
}

// troubled says of GraphQL what explain says of REST.
func (c *Client) troubled(t trouble, need string) error {
	message := strings.Join(strings.Fields(t.Message), " ")
	text := fmt.Sprintf("GitHub answered: %s", message)
	switch t.Type {
	case "FORBIDDEN", "INSUFFICIENT_SCOPES":
		if by, ok := strings.CutPrefix(message, "Resource not accessible by "); ok && need != "" {
			text += "; " + c.advice(by, need)
		}
		return &refusal{text, ErrForbidden}
	case "NOT_FOUND":
		return &refusal{text, ErrNotFound}
	case "RATE_LIMITED":
		return &refusal{text, ErrRateLimited}
	}
	return &refusal{text, nil}
}

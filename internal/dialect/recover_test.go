package dialect

import (
	"context"
	"testing"

	"github.com/altergate/altergate/internal/dialect/sqlite"
	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/source"
)

// fragile breaks down while it reads.
type fragile struct{ sqlite.Dialect }

func (fragile) Read(context.Context, []*source.File, *sqlite.Loaded) (*sqlite.Loaded, error) {
	panic("no")
}

// TestBreakdownIsNoAnswer shows that a panic, in whatever goroutine, is an error in the answer and no plan.
func TestBreakdownIsNoAnswer(t *testing.T) {
	answer := reviewer[*sqlite.Loaded](fragile{})(t.Context(), Question{Name: "main"})
	if answer.Plan != nil || len(answer.Errors) != 2 || answer.Errors[0].Kind != schema.KindInternal {
		t.Errorf("got %+v", answer)
	}
}

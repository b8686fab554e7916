package quereus

import (
	"errors"
	"fmt"

	"github.com/altergate/altergate/internal/dialect/quereus/syntax"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/proof"
)

// replay applies the plan's SQL, as it will be printed, to the catalog of the base, one statement after the other, and tells whether the
// head comes out. The statements are parsed anew, by the code that reads schemas. Where the engine would refuse a statement because of
// what is not there yet, or still there, so does the replay.
func replay(base, renamed, head *Loaded, steps []*plan.Step) error {
	if len(steps) == 0 { // the base is the head already, or somebody forgot something
		return proof.Reached(renamed.schema, head.schema)
	}
	after := &Loaded{catalog: base.catalog.clone()}
	after.catalog.until = head.catalog
	if err := proof.Replay(steps, after.run); err != nil {
		return err
	}
	after.schema = after.catalog.model()
	if err := align(after, head); err != nil {
		return fmt.Errorf("after the plan: %w", err)
	}
	return proof.Reached(after.schema, head.schema)
}

// run parses and runs one statement.
func (l *Loaded) run(sql string) error {
	s, err := syntax.ParseStatement(sql)
	if err != nil {
		return err
	}
	if s == nil {
		return errors.New("this is no statement")
	}
	return l.catalog.apply(s)
}

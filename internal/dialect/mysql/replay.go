package mysql

import (
	"errors"
	"fmt"
	"slices"

	"github.com/altergate/altergate/internal/dialect/mysql/script"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/proof"
	"github.com/altergate/altergate/internal/source"
)

// replay applies the plan's SQL, as it will be printed, to the catalog of the base, one statement after the other as a server takes
// them, and tells whether the head comes out. The statements are parsed anew, by the code that reads schemas.
func replay(base, head *Loaded, steps []*plan.Step) error {
	after := &Loaded{catalog: base.catalog.Clone(), models: base.models}
	if err := proof.Replay(steps, after.apply); err != nil {
		return err
	}
	align(after, head)
	if err := sameModes(base.catalog, after.catalog, head.catalog); err != nil {
		return err
	}
	if err := proof.Reached(after.Schema, head.Schema); err != nil {
		return err
	}
	for _, t := range head.Schema.Tables {
		if got := after.Schema.Table(t.Key); !slices.Equal(commonOrder(got, t), commonOrder(t, got)) {
			return fmt.Errorf("the plan does not lead to the head: the columns of table %s stand as %v and should as %v", t.Name, commonOrder(got, t), commonOrder(t, got))
		}
	}
	return nil
}

// apply parses and runs one statement.
func (l *Loaded) apply(sql string) error {
	if sql == keepHistory || sql == keepZero {
		return nil
	}
	s, bad := script.Split(&source.File{Text: sql}, l.catalog.Server)
	if len(bad) == 0 {
		bad = script.Parse(s.Statements, l.catalog.Server, nil)
	}
	if len(bad) > 0 {
		return errors.Join(asErrors(bad)...)
	}
	if len(s.Statements) != 1 || len(s.Passed) > 0 {
		return errors.New("this is not one statement") // what a name or an expression could have smuggled in
	}
	_, err := l.catalog.Apply(s.Statements[0])
	return err
}

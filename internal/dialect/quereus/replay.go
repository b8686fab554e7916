package quereus

import (
	"errors"
	"fmt"

	"github.com/altergate/altergate/internal/dialect/quereus/syntax"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
)

// replay applies the plan's SQL, as it will be printed, to the catalog of the base, one statement after the other, and tells whether the
// head comes out. The statements are parsed anew, by the code that reads schemas. Where the engine would refuse a statement because of
// what is not there yet, or still there, so does the replay.
func replay(base, renamed, head *Loaded, steps []*plan.Step) error {
	if len(steps) == 0 { // the base is the head already, or somebody forgot something
		return same(renamed, head)
	}
	after := &Loaded{catalog: base.catalog.clone()}
	after.catalog.until = head.catalog
	for i, s := range steps {
		for _, sql := range s.Statements() {
			if err := after.run(sql); err != nil {
				return fmt.Errorf("replaying step %d (%s %s): %w, in %s", i+1, s.Kind, s.Object, err, excerpt(sql))
			}
		}
	}
	after.schema = after.catalog.model()
	if err := align(after, head); err != nil {
		return fmt.Errorf("after the plan: %w", err)
	}
	return same(after, head)
}

func same(after, head *Loaded) error {
	for _, c := range diff.Schemas(after.schema, head.schema) {
		return fmt.Errorf("the plan does not lead to the head: %s", left(c))
	}
	return nil
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

const longestExcerpt = 80

func excerpt(sql string) string {
	runes := []rune(sql)
	if len(runes) > longestExcerpt {
		return string(runes[:longestExcerpt]) + "…"
	}
	return sql
}

// left says what is left to do after a plan that should have done all.
func left(c diff.Change) string {
	switch c := c.(type) {
	case diff.CreateTable:
		return "table " + c.Table.Name + " is missing"
	case diff.DropTable:
		return "table " + c.Table.Name + " is still there"
	case diff.AddColumn:
		return "column " + c.Table.Name + "." + c.Column.Name + " is missing"
	case diff.DropColumn:
		return "column " + c.Table.Name + "." + c.Column.Name + " is still there"
	case diff.AlterColumn:
		return fmt.Sprintf("column %s.%s is %q and should be %q", c.Table.Name, c.To.Name, c.From.Canon, c.To.Canon)
	case diff.AddConstraint:
		return fmt.Sprintf("table %s lacks %q", c.Table.Name, c.Constraint.Canon)
	case diff.DropConstraint:
		return fmt.Sprintf("table %s still has %q", c.Table.Name, c.Constraint.Canon)
	case diff.AlterOptions:
		return fmt.Sprintf("table %s is %q and should be %q", c.To.Name, c.From.Options, c.To.Options)
	case diff.CreateIndex:
		return fmt.Sprintf("%q is missing", c.Index.Canon)
	case diff.DropIndex:
		return fmt.Sprintf("%q is still there", c.Index.Canon)
	case diff.CreateView:
		return fmt.Sprintf("view %s is missing: %q", c.View.Name, c.View.Canon)
	case diff.DropView:
		return fmt.Sprintf("view %s is still there: %q", c.View.Name, c.View.Canon)
	case diff.CreateObject:
		return fmt.Sprintf("%s %s is missing: %q", c.Object.Kind, c.Object.Name, c.Object.Canon)
	case diff.DropObject:
		return fmt.Sprintf("%s %s is still there: %q", c.Object.Kind, c.Object.Name, c.Object.Canon)
	case diff.AlterObject:
		return fmt.Sprintf("%s %s is %q and should be %q", c.To.Kind, c.To.Name, c.From.Canon, c.To.Canon)
	}
	return fmt.Sprintf("%T", c)
}

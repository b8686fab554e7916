package proof

import (
	"fmt"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/schema"
)

// Replay runs a plan's statements, as they will be printed, one after the other. The first that run refuses ends it: the error names
// the step, and shows where the statement begins.
func Replay(steps []*plan.Step, run func(sql string) error) error {
	for i, s := range steps {
		for _, sql := range s.Statements() {
			if err := run(sql); err != nil {
				return fmt.Errorf("replaying %s: %w, in %s", StepName(i, s), err, excerpt(sql))
			}
		}
	}
	return nil
}

// StepName names the step with the index i of a plan, as reports count it.
func StepName(i int, s *plan.Step) string {
	return fmt.Sprintf("step %d (%s %s)", i+1, s.Kind, s.Object)
}

const longestExcerpt = 80

func excerpt(sql string) string {
	runes := []rune(sql)
	if len(runes) > longestExcerpt {
		return string(runes[:longestExcerpt]) + "…"
	}
	return sql
}

// Reached tells whether a plan led to the head. The error says the first thing that is left to do. The order of columns does not count.
func Reached(after, head *schema.Schema) error {
	for _, c := range diff.Schemas(after, head) {
		return fmt.Errorf("the plan does not lead to the head: %s", left(c))
	}
	return nil
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
		return fmt.Sprintf("table %s lacks %q", c.Table.Name, c.Index.Canon)
	case diff.DropIndex:
		return fmt.Sprintf("table %s still has %q", c.Table.Name, c.Index.Canon)
	case diff.CreateView:
		return fmt.Sprintf("view %s is missing: %q", c.View.Name, c.View.Canon)
	case diff.DropView:
		return fmt.Sprintf("view %s is still there: %q", c.View.Name, c.View.Canon)
	case diff.CreateTrigger:
		return fmt.Sprintf("trigger %s on %s is missing: %q", c.Trigger.Name, c.On, c.Trigger.Canon)
	case diff.DropTrigger:
		return fmt.Sprintf("trigger %s on %s is still there: %q", c.Trigger.Name, c.On, c.Trigger.Canon)
	case diff.CreateObject:
		return fmt.Sprintf("%s %s is missing: %q", c.Object.Kind, c.Object.Name, c.Object.Canon)
	case diff.DropObject:
		return fmt.Sprintf("%s %s is still there: %q", c.Object.Kind, c.Object.Name, c.Object.Canon)
	case diff.AlterObject:
		return fmt.Sprintf("%s %s is %q and should be %q", c.To.Kind, c.To.Name, c.From.Canon, c.To.Canon)
	}
	// Only SQLite knows objects by their text alone, and RENAME is done before schemas are compared.
	return fmt.Sprintf("an object known by its text differs (%T)", c)
}

package mysql

import (
	"errors"
	"fmt"
	"slices"

	"github.com/altergate/altergate/internal/dialect/mysql/script"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/source"
)

// replay applies the plan's SQL, as it will be printed, to the catalog of the base, one statement after the other as a server takes
// them, and tells whether the head comes out. The statements are parsed anew, by the code that reads schemas.
func replay(base, head *Loaded, steps []*plan.Step) error {
	after := &Loaded{catalog: base.catalog.Clone()}
	for i, s := range steps {
		for _, sql := range s.Statements() {
			if err := after.apply(sql); err != nil {
				return fmt.Errorf("replaying step %d (%s %s): %w, in %s", i+1, s.Kind, s.Object, err, excerpt(sql))
			}
		}
	}
	align(after, head)
	for _, c := range diff.Schemas(after.Schema, head.Schema) {
		return fmt.Errorf("the plan does not lead to the head: %s", left(c))
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
		return "column " + onTable(c.Table.Name, c.Column.Name) + " is missing"
	case diff.DropColumn:
		return "column " + onTable(c.Table.Name, c.Column.Name) + " is still there"
	case diff.AlterColumn:
		return fmt.Sprintf("column %s is \"%s\" and should be \"%s\"", onTable(c.Table.Name, c.To.Name), c.From.Canon, c.To.Canon)
	case diff.AddConstraint:
		return fmt.Sprintf("table %s lacks \"%s\"", c.Table.Name, c.Constraint.Canon)
	case diff.DropConstraint:
		return fmt.Sprintf("table %s still has \"%s\"", c.Table.Name, c.Constraint.Canon)
	case diff.CreateIndex:
		return fmt.Sprintf("table %s lacks \"%s\"", c.Table.Name, c.Index.Canon)
	case diff.DropIndex:
		return fmt.Sprintf("table %s still has \"%s\"", c.Table.Name, c.Index.Canon)
	case diff.CreateView:
		return fmt.Sprintf("view %s is missing: \"%s\"", c.View.Name, c.View.Canon)
	case diff.DropView:
		return fmt.Sprintf("view %s is still there: \"%s\"", c.View.Name, c.View.Canon)
	case diff.CreateTrigger:
		return fmt.Sprintf("trigger %s is missing: \"%s\"", onTable(c.On, c.Trigger.Name), c.Trigger.Canon)
	case diff.DropTrigger:
		return fmt.Sprintf("trigger %s is still there: \"%s\"", onTable(c.On, c.Trigger.Name), c.Trigger.Canon)
	case diff.AlterOptions:
		return fmt.Sprintf("table %s is %q and should be %q", c.To.Name, c.From.Options, c.To.Options)
	case diff.CreateObject:
		return fmt.Sprintf("%s %s is missing", c.Object.Kind, c.Object.Name)
	case diff.DropObject:
		return fmt.Sprintf("%s %s is still there", c.Object.Kind, c.Object.Name)
	case diff.AlterObject:
		return fmt.Sprintf("%s %s is \"%s\" and should be \"%s\"", c.To.Kind, c.To.Name, c.From.Canon, c.To.Canon)
	}
	return fmt.Sprintf("%T", c)
}

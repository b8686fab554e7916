package postgres

import (
	"errors"
	"fmt"
	"slices"

	"github.com/altergate/altergate/internal/dialect/postgres/bind"
	"github.com/altergate/altergate/internal/dialect/postgres/script"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/source"
)

// replay applies the plan's SQL, as it will be printed, to the catalog of the base, one statement after the other as a server takes
// them, and tells whether the head comes out. The statements are parsed anew, by the code that reads schemas.
func replay(base, head *Loaded, steps []*plan.Step) error {
	after := &Loaded{catalog: base.catalog.Clone(), trees: &script.Cache{}, doubtful: slices.Clone(base.doubtful)}
	// The plan runs in a session of its own, where no file has set the search path; pg_dump's sets it to nothing.
	if err := after.apply("RESET search_path"); err != nil {
		return fmt.Errorf("replaying in a new session: %w", err)
	}
	for i, s := range steps {
		for _, sql := range s.Statements() {
			if err := after.apply(sql); err != nil {
				return fmt.Errorf("replaying step %d (%s %s): %w, in %s", i+1, s.Kind, s.Object, err, excerpt(sql))
			}
		}
	}
	if err := after.analyseWith(head.whole); err != nil {
		return fmt.Errorf("after the plan: %w", err)
	}
	alignUnsaid(after, head)
	head.same.settle(after)
	for _, c := range diff.Schemas(after.Schema, head.Schema) {
		return fmt.Errorf("the plan does not lead to the head: %s", left(c))
	}
	return nil
}

// apply parses and runs one statement.
func (l *Loaded) apply(sql string) error {
	s, bad := script.Split(&source.File{Text: sql})
	if len(bad) == 0 {
		bad = script.Parse(s.Statements, l.trees)
	}
	if len(bad) > 0 {
		return errors.Join(asErrors(bad)...)
	}
	if len(s.Statements) != 1 || len(s.Passed) > 0 {
		return errors.New("this is not one statement") // what a name or an expression could have smuggled in
	}
	counts, err := l.catalog.Apply(s.Statements[0])
	if err != nil {
		return err
	}
	l.doubtful = append(l.doubtful, counts.Doubtful...)
	return l.bindsNow(s.Statements[0])
}

// bindsNow wants everything that a new view reads to be there when it is made. The server looks at that moment, and the model only at
// the end.
func (l *Loaded) bindsNow(st *script.Statement) error {
	if st.Node.GetViewStmt() == nil && st.Node.GetCreateTableAsStmt() == nil {
		return nil
	}
	for _, v := range l.catalog.Views {
		if v.Statement != st {
			continue
		}
		for _, u := range bind.New(l.catalog).View(v).Unknown {
			if !u.Maybe && u.Kind != "function" && u.Kind != "operator" {
				return fmt.Errorf("view %s names the %s %s, which is not there yet", v.Name, u.Kind, u.Name)
			}
		}
	}
	return nil
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
		return fmt.Sprintf("column %s.%s is \"%s\" and should be \"%s\"", c.Table.Name, c.To.Name, c.From.Canon, c.To.Canon)
	case diff.AddConstraint:
		return fmt.Sprintf("table %s lacks \"%s\"", c.Table.Name, c.Constraint.Canon)
	case diff.DropConstraint:
		return fmt.Sprintf("table %s still has \"%s\"", c.Table.Name, c.Constraint.Canon)
	case diff.CreateIndex:
		return fmt.Sprintf("\"%s\" is missing", c.Index.Canon)
	case diff.DropIndex:
		return fmt.Sprintf("\"%s\" is still there", c.Index.Canon)
	case diff.CreateView:
		return fmt.Sprintf("view %s is missing: \"%s\"", c.View.Name, c.View.Canon)
	case diff.DropView:
		return fmt.Sprintf("view %s is still there: \"%s\"", c.View.Name, c.View.Canon)
	case diff.CreateTrigger:
		return fmt.Sprintf("trigger %s on %s is missing", c.Trigger.Name, c.On)
	case diff.DropTrigger:
		return fmt.Sprintf("trigger %s on %s is still there", c.Trigger.Name, c.On)
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

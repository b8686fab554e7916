package postgres

import (
	"errors"
	"fmt"
	"slices"

	"github.com/altergate/altergate/internal/dialect/postgres/bind"
	"github.com/altergate/altergate/internal/dialect/postgres/script"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/proof"
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
	if err := proof.Replay(steps, after.apply); err != nil {
		return err
	}
	if err := after.analyseWith(head.whole); err != nil {
		return fmt.Errorf("after the plan: %w", err)
	}
	alignUnsaid(after, head)
	head.same.settle(after)
	return proof.Reached(after.Schema, head.Schema)
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

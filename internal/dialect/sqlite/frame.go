package sqlite

import (
	"fmt"
	"strings"

	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/schema"
)

// frame makes the plan one transaction, and keeps foreign keys out of its way and in order.
//
// DROP TABLE on a table that others reference deletes its rows first, which fires ON DELETE actions in the children: rows of
// tables that nobody touched would go. PRAGMA foreign_keys does nothing inside a transaction, so it stands before BEGIN
// (sqlite.org/foreignkeys.html, section 5; sqlite.org/pragma.html#pragma_foreign_keys).
func (w *work) frame(steps []*plan.Step) {
	if len(steps) == 0 {
		return
	}
	first, last := steps[0], steps[len(steps)-1]
	statements := 0
	for _, s := range steps {
		statements += len(s.SQL)
	}
	off := w.switchesOff(steps)
	if statements > 1 || off {
		first.Before = append(first.Before, "BEGIN IMMEDIATE")
	}
	if off {
		first.Before = append([]string{"PRAGMA foreign_keys = OFF"}, first.Before...)
		if children := w.checked(); len(children) > 0 {
			before := afterRenames(steps)
			before.Before = append(before.Before, countViolations(children))
			last.After = append(last.After, refuseViolations(children)...)
		}
	}
	if statements > 1 || off {
		last.After = append(last.After, "COMMIT")
	}
	if off {
		last.After = append(last.After, "PRAGMA foreign_keys = ON")
		w.notices = append(w.notices, schema.Notice{Text: "the plan switches foreign_keys off before its transaction and on after it (SQL cannot ask what it was before); a connection that works with foreign_keys off has to switch it off again"})
	}
}

// switchesOff tells whether a table is dropped, as the last part of a rebuild too, in a schema that has foreign keys.
func (w *work) switchesOff(steps []*plan.Step) bool {
	drops := false
	for _, s := range steps {
		drops = drops || s.Kind == "drop_table" || s.Kind == "rebuild_table"
	}
	return drops && (hasForeignKeys(w.in.From) || hasForeignKeys(w.in.To))
}

func hasForeignKeys(s *schema.Schema) bool {
	for _, t := range s.Tables {
		for _, k := range t.Constraints {
			if k.Ref != nil {
				return true
			}
		}
	}
	return false
}

// afterRenames gives the first step that is no rename (nor something hoisted before one): from there on names stay.
func afterRenames(steps []*plan.Step) *plan.Step {
	first := 0
	for i, s := range steps {
		if s.Kind == "rename_table" || s.Kind == "rename_column" {
			first = i + 1
		}
	}
	return steps[min(first, len(steps)-1)]
}

// checked gives the tables, by the head's names, whose foreign keys the plan could break: those that are rebuilt and those that
// reference a rebuilt table. Only they are checked, so that orphans elsewhere do not stop the plan.
func (w *work) checked() []string {
	var children []string
	for _, t := range w.in.To.Tables {
		old := w.in.From.Table(t.Key)
		if old == nil || !w.touched(t) {
			continue
		}
		if k := mismatched(w.in.From, old); k != nil {
			w.unchecked(t, k)
		} else if k := mismatched(w.in.To, t); k != nil {
			w.unchecked(t, k)
		} else {
			children = append(children, t.Name)
		}
	}
	return children
}

func (w *work) touched(t *schema.Table) bool {
	for _, k := range t.Constraints {
		if k.Ref != nil && (w.rebuilt[t.Key] != nil || w.rebuilt[k.Ref.Table] != nil) {
			return true
		}
	}
	return false
}

func (w *work) unchecked(t *schema.Table, k *schema.Constraint) {
	w.notices = append(w.notices, schema.Notice{Side: schema.Head, Pos: k.Pos, Text: fmt.Sprintf(
		"the foreign keys of table %s are not checked after the plan: one references columns of %s that are no key, and SQLite cannot check that (foreign key mismatch)", t.Name, k.Ref.Name)})
}

// mismatched gives a foreign key whose far side is no key of its table, which SQLite refuses to check
// (sqlite.org/foreignkeys.html, section 3).
func mismatched(s *schema.Schema, t *schema.Table) *schema.Constraint {
	for _, k := range t.Constraints {
		if k.Ref == nil {
			continue
		}
		parent := s.Table(k.Ref.Table)
		if s.View(k.Ref.Table) != nil || (parent != nil && !parent.HasKey(k.Ref.Columns, len(k.Columns))) {
			return k
		}
	}
	return nil
}

// countViolations remembers how many rows violate each foreign key before the plan.
func countViolations(children []string) string {
	return "CREATE TEMP TABLE " + StagingPrefix + "violations AS\n" + violations(children)
}

// refuseViolations ends the plan with an error when a foreign key has more violations than before: foreign_key_check alone
// only reports them.
func refuseViolations(children []string) []string {
	return []string{
		"CREATE TEMP TABLE " + StagingPrefix + "guard (new_violations INTEGER CHECK (new_violations = 0))",
		"INSERT INTO " + StagingPrefix + "guard\nSELECT count(*) FROM (\n" + violations(children) + "\n) AS now\nLEFT JOIN " + StagingPrefix +
			"violations AS before USING (child, parent, columns)\nWHERE now.violations > coalesce(before.violations, 0)",
		"DROP TABLE " + StagingPrefix + "guard",
		"DROP TABLE " + StagingPrefix + "violations",
	}
}

// violations counts the rows that violate foreign keys, by child, parent and columns: the number a key has in
// foreign_key_check changes when keys are added.
func violations(children []string) string {
	rows := make([]string, len(children))
	for i, c := range children {
		rows[i] = "(" + literal(c) + ")"
	}
	return `SELECT lower(v."table") AS child, lower(v.parent) AS parent,
  (SELECT group_concat(lower("from")) FROM (SELECT "from" FROM pragma_foreign_key_list(v."table") WHERE id = v.fkid ORDER BY seq)) AS columns,
  count(*) AS violations
FROM (VALUES ` + strings.Join(rows, ", ") + `) AS t JOIN pragma_foreign_key_check(t.column1) AS v
GROUP BY 1, 2, 3`
}

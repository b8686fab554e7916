package sqlite

import (
	"fmt"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/schema"
)

// add puts a step in its place.
func (w *work) add(phase, rank int, s *plan.Step) *plan.Step {
	s.Transaction = true
	if s.Lock.Level == "" {
		s.Lock = plan.Lock{Level: "RESERVED", Blocks: "writes"}
	}
	w.steps = append(w.steps, placed{s, phase, rank})
	return s
}

// renames makes the first steps of a plan, so that all others speak the head's names.
func (w *work) renames() {
	for i, r := range w.in.Renames.Tables {
		if t, x := indexOf(w.Base, fold(r.To)); x != nil {
			w.dropIndex(phaseHoisted, diff.DropIndex{Table: t, Index: x})
		}
		w.add(phaseRename, i, &plan.Step{Kind: "rename_table", Object: r.To, From: r.From, Changes: []diff.Change{r}, Old: r.From, New: r.To,
			SQL: []string{fmt.Sprintf("ALTER TABLE %s RENAME TO %s", ident(r.From), ident(r.To))}})
	}
	for i, r := range w.in.Renames.Columns {
		w.add(phaseRename, len(w.in.Renames.Tables)+i, &plan.Step{Kind: "rename_column", Object: r.Table + "." + r.To, From: r.Table + "." + r.From,
			Changes: []diff.Change{r}, Old: r.From, New: r.To,
			SQL: []string{fmt.Sprintf("ALTER TABLE %s RENAME COLUMN %s TO %s", ident(r.Table), ident(r.From), ident(r.To))}})
	}
}

// step makes the step of one change. Those of views and triggers are made by bracketSteps.
func (w *work) step(c diff.Change) error {
	switch c := c.(type) {
	case diff.CreateTable:
		w.createTable(c)
	case diff.DropTable:
		w.add(phaseDrop, -w.fromDepth[c.Table.Key], &plan.Step{Kind: "drop_table", Object: c.Table.Name, Changes: []diff.Change{c},
			Old: tableCanon(c.Table), SQL: []string{"DROP TABLE " + ident(c.Table.Name)}, Lock: plan.Lock{Level: "RESERVED", Blocks: "writes", Scan: true}})
	case diff.AddColumn:
		w.addColumn(c)
	case diff.AddConstraint:
		if !w.comesWithColumn(c) {
			return fmt.Errorf("constraint %s of table %s was left outside a rebuild", c.Constraint.Canon, c.Table.Name)
		}
	case diff.CreateIndex:
		w.add(phaseIndex, 0, &plan.Step{Kind: "create_index", Object: c.Table.Name + "." + c.Index.Name, Changes: []diff.Change{c}, New: c.Index.Canon,
			SQL: []string{c.Index.Text}, Lock: plan.Lock{Level: "RESERVED", Blocks: "writes", Scan: true}})
	case diff.DropIndex:
		w.dropIndex(phaseIndexes, c)
	case diff.RebuildTable:
		w.rebuild(c)
	case diff.ReplaceOpaque:
		w.replaceOpaque(c)
	case diff.CreateView, diff.DropView, diff.CreateTrigger, diff.DropTrigger:
	default:
		return fmt.Errorf("sqlite has no step for %T", c)
	}
	return nil
}

// createTable makes a table with its indexes, and with its triggers unless one of them has to wait for other objects.
func (w *work) createTable(c diff.CreateTable) {
	t := c.Table
	w.freeName(t.Key)
	s := &plan.Step{Kind: "create_table", Object: t.Name, Changes: []diff.Change{c}, New: tableCanon(t), SQL: []string{t.Text}}
	for _, x := range t.Indexes {
		if w.nameTaken(x.Key) {
			w.add(phaseIndex, 0, &plan.Step{Kind: "create_index", Object: t.Name + "." + x.Name, Changes: []diff.Change{diff.CreateIndex{Table: t, Index: x}}, New: x.Canon, SQL: []string{x.Text}})
			continue
		}
		s.SQL = append(s.SQL, x.Text)
	}
	for _, tr := range t.Triggers {
		if !w.waits(tr) {
			s.SQL = append(s.SQL, tr.Text)
		}
	}
	w.add(phaseCreate, w.toDepth[t.Key], s)
}

// nameTaken tells whether the base has something of that name; tables, views and indexes share one space of names. What has the
// name may go in a later step than tables are made.
func (w *work) nameTaken(key string) bool {
	_, index := indexOf(w.in.From, key)
	return index != nil || w.in.From.Table(key) != nil || w.in.From.View(key) != nil || w.in.From.Opaque(key) != nil
}

// indexOf finds an index of a schema.
func indexOf(s *schema.Schema, key string) (*schema.Table, *schema.Index) {
	for _, t := range s.Tables {
		if x := t.Index(key); x != nil {
			return t, x
		}
	}
	return nil, nil
}

// freeName drops an index whose name a new table takes, where it would otherwise go with its table, later.
func (w *work) freeName(key string) {
	t, x := indexOf(w.in.From, key)
	if x != nil && (w.rebuilt[t.Key] != nil || w.in.To.Table(t.Key) == nil) {
		w.dropIndex(phaseIndexes, diff.DropIndex{Table: t, Index: x})
	}
}

func (w *work) dropIndex(phase int, c diff.DropIndex) {
	w.add(phase, 0, &plan.Step{Kind: "drop_index", Object: c.Table.Name + "." + c.Index.Name, Changes: []diff.Change{c}, Old: c.Index.Canon,
		SQL: []string{"DROP INDEX " + ident(c.Index.Name)}})
}

func (w *work) addColumn(c diff.AddColumn) {
	s := &plan.Step{Kind: "add_column", Object: c.Table.Name + "." + c.Column.Name, Changes: []diff.Change{c}, New: c.Column.Canon,
		SQL: []string{fmt.Sprintf("ALTER TABLE %s ADD COLUMN %s", ident(c.Table.Name), c.Column.Text)}}
	rank := 0
	for i, col := range c.Table.Columns {
		if col.Key == c.Column.Key {
			level, _ := w.level(c.Table, col, nil)
			rank = level*len(c.Table.Columns) + i
			for _, k := range inlineConstraints(c.Table, col) {
				s.Changes = append(s.Changes, diff.AddConstraint{Table: c.Table, Constraint: k})
				s.New += "\n" + k.Canon
				s.Lock = plan.Lock{Level: "RESERVED", Blocks: "writes", Scan: k.Kind == schema.Check}
			}
		}
	}
	w.add(phaseColumns, rank, s)
}

// replaceOpaque drops, makes or replaces an object known by its text alone.
func (w *work) replaceOpaque(c diff.ReplaceOpaque) {
	s := &plan.Step{Kind: "opaque", Changes: []diff.Change{c}}
	phase := phaseVirtual
	if c.From != nil {
		s.Object, s.Old = c.From.Name, c.From.Canon
		s.SQL = append(s.SQL, "DROP TABLE "+ident(c.From.Name))
	}
	if c.To != nil {
		s.Object, s.New = c.To.Name, c.To.Canon
		s.SQL = append(s.SQL, c.To.Text)
	} else {
		phase = phaseOpaque
	}
	w.add(phase, 0, s)
}

// tableCanon is the whole definition of a table in canonical form, for the identity of a step.
func tableCanon(t *schema.Table) string {
	text := "table " + canonicalName(t.Name)
	for _, c := range t.Columns {
		text += "\n" + c.Canon
	}
	for _, k := range t.Constraints {
		text += "\n" + k.Canon
	}
	for _, o := range t.Options {
		text += "\n" + o
	}
	for _, x := range t.Indexes {
		text += "\n" + x.Canon
	}
	return text
}

// depths says of each table how far it is from one that references nothing: a parent has a smaller depth than its children.
// In a cycle the walk stops at the first table it meets again.
func depths(s *schema.Schema) map[string]int {
	const walking = -1
	depth := map[string]int{}
	var walk func(t *schema.Table) int
	walk = func(t *schema.Table) int {
		if d, ok := depth[t.Key]; ok {
			return max(d, 0)
		}
		depth[t.Key] = walking
		deepest := 0
		for _, k := range t.Constraints {
			if k.Ref == nil || k.Ref.Table == t.Key {
				continue
			}
			if parent := s.Table(k.Ref.Table); parent != nil {
				deepest = max(deepest, 1+walk(parent))
			}
		}
		depth[t.Key] = deepest
		return deepest
	}
	for _, t := range s.Tables {
		walk(t)
	}
	return depth
}

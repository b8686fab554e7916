package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// Author makes the step of SQL that someone wrote, where Build makes those of SQL that a dialect renders. in says what the SQL does to the
// schema, and extra what it does besides. What the dialect's own plan for the same changes would lock, this is taken to lock too; where
// there is no such plan the lock is not known, and taken to be the strongest. s holds the SQL and how it is run.
func Author(in Input, p Planner, s *Step, extra []diff.Change) error {
	changes := renamesOf(in.Renames)
	s.Authored = true
	if len(changes)+len(in.Changes)+len(in.Renames.Parts) > 0 {
		planned, _, err := p.Steps(in)
		if err != nil {
			changes = append(changes, in.Changes...)
			s.Lock = Lock{Level: "not known", Blocks: "reads and writes", Rewrite: true, Scan: true}
		} else if changes = s.adopt(in, planned); len(changes) == 0 {
			changes = in.Changes // the dialect has no steps for it, and the author has
		}
	}
	s.Changes = append(changes, extra...)
	s.call(changes, extra)
	if err := (&Pass{From: in.From, To: in.To, Planner: p}).judge(s); err != nil {
		return err
	}
	if len(s.Findings) == 0 {
		return fmt.Errorf("no rule says anything of %s", strings.Join(s.SQL, "; "))
	}
	return nil
}

// Amend adds a change to an authored step that was only found later, and what the rules say of it. The change is one that is judged by
// itself.
func Amend(s *Step, c diff.Change) {
	s.Changes = append(s.Changes, c)
	for _, r := range Rules {
		for _, f := range r.Check(&Pass{Step: s, From: &schema.Schema{}, To: &schema.Schema{}}, c) {
			f.Rule = r.ID
			s.Findings, s.Risk = append(s.Findings, f), max(s.Risk, f.Risk)
		}
	}
}

// Number gives authored steps their identities. What a step does to rows depends on what has been done to rows before it, so the identity of one
// that writes, loses or may do anything is bound to all such steps before it and to their order. What is said of files is bound to their
// text. Others that are the same are told apart by their number among those.
func Number(p *Plan) {
	seen := map[string]bool{}
	before := ""
	for _, s := range p.Steps {
		if !s.Authored {
			continue
		}
		for _, c := range s.Changes {
			if r, ok := c.(diff.Remark); ok && len(s.SQL) == 0 {
				s.New = joined(s.New, r.Rule+" "+r.Text+" "+r.State)
			}
		}
		chained := s.Risk == Destructive || slices.ContainsFunc(s.Changes, touchesRows)
		if chained {
			s.New = joined(s.New, "after "+before)
		}
		id := identify(p.Dialect, p.Schema, s)
		for ; seen[id]; id = identify(p.Dialect, p.Schema, s) {
			s.New += "\nagain"
		}
		seen[id] = true
		s.Identity, s.ID = id, id[:16]
		if chained {
			before = id
		}
	}
}

// touchesRows tells whether a change writes rows, or may.
func touchesRows(c diff.Change) bool {
	switch c := c.(type) {
	case diff.WriteRows, diff.CopyTable, diff.RunOpaque:
		return true
	case diff.Remark:
		return c.Opaque
	}
	return false
}

func renamesOf(r diff.Renames) []diff.Change {
	var changes []diff.Change
	for _, t := range r.Tables {
		changes = append(changes, t)
	}
	for _, c := range r.Columns {
		changes = append(changes, c)
	}
	return changes
}

// adopt takes over what the dialect's own steps change and lock, without what they take away and bring back as it was: whoever wrote the
// SQL did not.
func (s *Step) adopt(in Input, planned []*Step) []diff.Change {
	var changes []diff.Change
	for _, own := range planned {
		var kept []diff.Change
		for _, c := range own.Changes {
			if r, ok := c.(diff.RebuildTable); ok {
				kept = append(kept, r.Changes...)
			} else if !comesBack(in, c) {
				kept = append(kept, c)
			}
		}
		if len(kept) == 0 {
			continue
		}
		changes = append(changes, kept...)
		s.Old, s.New = joined(s.Old, own.Old), joined(s.New, own.New)
		s.Lock = stronger(s.Lock, own.Lock)
	}
	return changes
}

func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}

// stronger gives what two locks keep others from together.
func stronger(a, b Lock) Lock {
	if a.Level == "" || weight(b) > weight(a) {
		a.Level, a.Blocks = b.Level, b.Blocks
	}
	a.Rewrite, a.Scan = a.Rewrite || b.Rewrite, a.Scan || b.Scan
	return a
}

func weight(l Lock) int {
	switch l.Blocks {
	case "reads and writes":
		return 3
	case "writes":
		return 2
	case "nothing", "":
		return 0
	}
	return 1
}

// comesBack tells whether a change drops or makes what is the same before and after.
func comesBack(in Input, c diff.Change) bool {
	var from, to string
	switch c := c.(type) {
	case diff.CreateView:
		from, to = viewCanon(in.From, c.View.Key), viewCanon(in.To, c.View.Key)
	case diff.DropView:
		from, to = viewCanon(in.From, c.View.Key), viewCanon(in.To, c.View.Key)
	case diff.CreateTrigger:
		from, to = triggerCanon(in.From, c.Trigger.Key), triggerCanon(in.To, c.Trigger.Key)
	case diff.DropTrigger:
		from, to = triggerCanon(in.From, c.Trigger.Key), triggerCanon(in.To, c.Trigger.Key)
	case diff.CreateIndex:
		from, to = indexCanon(in.From, c.Table.Key, c.Index.Key), indexCanon(in.To, c.Table.Key, c.Index.Key)
	case diff.DropIndex:
		from, to = indexCanon(in.From, c.Table.Key, c.Index.Key), indexCanon(in.To, c.Table.Key, c.Index.Key)
	case diff.CreateObject:
		from, to = objectCanon(in.From, c.Object), objectCanon(in.To, c.Object)
	case diff.DropObject:
		from, to = objectCanon(in.From, c.Object), objectCanon(in.To, c.Object)
	}
	return from != "" && from == to
}

func viewCanon(s *schema.Schema, key string) string {
	if v := s.View(key); v != nil {
		return v.Canon
	}
	return ""
}

func triggerCanon(s *schema.Schema, key string) string {
	for _, t := range s.Triggers() {
		if t.Key == key {
			return t.Canon
		}
	}
	return ""
}

func indexCanon(s *schema.Schema, table, key string) string {
	if t := s.Table(table); t != nil && t.Index(key) != nil {
		return t.Index(key).Canon
	}
	return ""
}

func objectCanon(s *schema.Schema, o *schema.Object) string {
	if x := s.Object(o.Kind, o.Key); x != nil {
		return x.Canon
	}
	return ""
}

// call names the step after the tables that it makes again; else after what it changes of the schema, of rows, of nothing, of files.
func (s *Step) call(changes, extra []diff.Change) {
	var copies, acts, remarks []diff.Change
	for _, c := range extra {
		switch c.(type) {
		case diff.CopyTable:
			copies = append(copies, c)
		case diff.Remark:
			remarks = append(remarks, c)
		default:
			acts = append(acts, c)
		}
	}
	for _, named := range [][]diff.Change{copies, changes, acts, remarks} {
		if s.name(named); s.Kind != "" {
			return
		}
	}
}

// name gives the step its kind and its object: those of its one change; the table, where all is about one; else all objects.
func (s *Step) name(changes []diff.Change) {
	var all []title
	for _, c := range changes {
		if t := titleOf(c); t.kind != "" && !slices.Contains(all, t) && !comesAlong(changes, c) {
			all = append(all, t)
		}
	}
	if len(all) == 0 {
		return
	}
	s.Kind, s.Object, s.From = all[0].kind, all[0].object, all[0].from
	if len(all) == 1 {
		return
	}
	var objects []string
	for _, t := range all {
		if t.kind != s.Kind {
			s.Kind = "alter_table"
		}
		if len(objects) == 0 || objects[len(objects)-1] != t.object {
			objects = append(objects, t.object)
		}
		if t.table != all[0].table {
			s.From = ""
		}
	}
	s.Object = strings.Join(objects, ", ")
	if s.Kind == "alter_table" {
		s.From = ""
		objects = objects[:0]
		for _, t := range all {
			if !slices.Contains(objects, t.table) {
				objects = append(objects, t.table)
			}
		}
		s.Object = strings.Join(objects, ", ")
	}
}

// comesAlong tells whether a change is part of another one's statement: what stands inline at a new column, what goes with a table.
func comesAlong(changes []diff.Change, c diff.Change) bool {
	for _, other := range changes {
		switch o := other.(type) {
		case diff.AddColumn:
			if a, ok := c.(diff.AddConstraint); ok && a.Table.Key == o.Table.Key && a.Constraint.Owner == o.Column.Key {
				return true
			}
			if a, ok := c.(diff.CreateObject); ok && a.Object.Kind == "sequence" {
				return true
			}
		case diff.CreateTable:
			if a, ok := c.(diff.CreateObject); ok && (a.Object.On == o.Table.Key || a.Object.Kind == "sequence") {
				return true
			}
		case diff.DropTable:
			if d, ok := c.(diff.DropObject); ok && (d.Object.On == o.Table.Key || d.Object.Kind == "sequence") {
				return true
			}
			if d, ok := c.(diff.DropTrigger); ok && d.On == o.Table.Name {
				return true
			}
		case diff.DropColumn:
			if d, ok := c.(diff.DropConstraint); ok && d.Table.Key == o.Table.Key && (d.Constraint.Owner == o.Column.Key || slices.Contains(d.Constraint.ColumnKeys(), o.Column.Key)) {
				return true
			}
			if d, ok := c.(diff.DropIndex); ok && d.Table.Key == o.Table.Key && slices.Contains(d.Index.ColumnKeys(), o.Column.Key) {
				return true
			}
		}
	}
	return false
}

package postgres

import (
	"fmt"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/schema"
)

// drop makes the step in which a thing goes.
func (w *work) drop(id string, c diff.Change) {
	switch c := c.(type) {
	case diff.DropTable:
		w.dropTable(id, c)
	case diff.DropColumn:
		w.add(phaseDropColumn, &plan.Step{Kind: "drop_column", Object: onTable(c.Table.Name, c.Column.Name), Changes: []diff.Change{c}, Old: c.Column.Canon,
			SQL: []string{fmt.Sprintf("ALTER TABLE %s DROP COLUMN %s", sqlName(c.Table.Name), quote(c.Column.Name))}}, accessExclusive).dropping(id, defaultID(c.Table.Key, c.Column.Key)).
			freeing(w.From.details.columns[c.Column].identitySpace()...)
	case diff.DropConstraint:
		w.dropConstraint(id, c)
	case diff.DropIndex:
		w.dropIndex(id, c)
	case diff.DropView:
		kind, word := viewWords(c.View)
		w.add(phaseDropView, &plan.Step{Kind: "drop_" + kind, Object: c.View.Name, Changes: []diff.Change{c}, Old: c.View.Canon,
			SQL: []string{"DROP " + word + " " + sqlName(c.View.Name)}}, accessExclusive).dropping(id).freeing(space(c.View.Key))
	case diff.DropTrigger:
		w.add(phaseDropPart, &plan.Step{Kind: "drop_trigger", Object: onTable(c.On, c.Trigger.Name), Changes: []diff.Change{c}, Old: c.Trigger.Canon,
			SQL: []string{fmt.Sprintf("DROP TRIGGER %s ON %s", quote(c.Trigger.Name), sqlName(c.On))}}, accessExclusive).dropping(id).freeing(id)
	case diff.DropObject:
		w.dropObject(id, c)
	case diff.ReplaceOpaque:
		w.dropOpaque(id, c)
	default:
		w.errs = append(w.errs, fmt.Errorf("postgres has no step for %T", c))
	}
}

// dropTable drops a table with everything on it: a sequence that a column owns, its indexes, constraints and triggers.
func (w *work) dropTable(id string, c diff.DropTable) {
	t := w.From.details.tables[c.Table.Key]
	word := "TABLE"
	if t.Server != "" {
		word = "FOREIGN TABLE"
	}
	s := w.add(phaseDropTable, &plan.Step{Kind: "drop_table", Object: c.Table.Name, Changes: []diff.Change{c}, Old: tableCanon(c.Table),
		SQL: []string{"DROP " + word + " " + sqlName(c.Table.Name)}}, accessExclusive).dropping(id).freeing(space(c.Table.Key))
	if p := t.PartitionOf; p != nil && w.referenced(p.String()) {
		s.SQL = append([]string{fmt.Sprintf("ALTER TABLE %s DETACH PARTITION %s", p.SQL(), sqlName(c.Table.Name))}, s.SQL...)
	}
	if t.PartitionOf != nil {
		s.freeing(bounds(t.PartitionOf.String()))
	}
	for _, col := range c.Table.Columns {
		s.dropping(columnID(c.Table.Key, col.Key), defaultID(c.Table.Key, col.Key)).freeing(w.From.details.columns[col].identitySpace()...)
	}
	for _, k := range c.Table.Constraints {
		if id := constraintID(c.Table.Key, k.Name); w.inCycle(c.Table, k) {
			w.dropConstraint(id, diff.DropConstraint{Table: c.Table, Constraint: k})
		} else {
			s.dropping(id).freeing(space(inSchema(c.Table.Key, k.Name)))
		}
	}
	for _, x := range c.Table.Indexes {
		s.dropping(indexID(x.Key)).freeing(space(x.Key))
	}
	for _, g := range c.Table.Triggers {
		s.dropping(triggerID(c.Table.Key, g.Key))
	}
	for _, o := range w.from.on[c.Table.Key] {
		s.dropping(idOf(o))
		if o.Kind == "sequence" {
			s.freeing(space(o.Key))
		}
	}
}

// referenced tells whether a foreign key of either side references a table: its partitions cannot be dropped while they are attached.
func (w *work) referenced(table string) bool {
	return slices.ContainsFunc(slices.Concat(w.in.From.Tables, w.in.To.Tables), func(t *schema.Table) bool {
		return slices.ContainsFunc(t.Constraints, func(k *schema.Constraint) bool { return k.Ref != nil && k.Ref.Table == table })
	})
}

// inSchema puts a name into the schema of a table.
func inSchema(table, name string) string {
	n := parseName(table)
	n.Name = name
	return n.String()
}

func (w *work) dropConstraint(id string, c diff.DropConstraint) {
	phase := phaseDropKeyed
	lock := accessExclusive
	if c.Constraint.Kind == schema.ForeignKey {
		phase = phaseDropKey
	}
	s := w.add(phase, &plan.Step{Kind: "drop_" + string(c.Constraint.Kind), Object: onTable(c.Table.Name, c.Constraint.Name), Changes: []diff.Change{c}, Old: c.Constraint.Canon,
		SQL: []string{fmt.Sprintf("ALTER TABLE %s DROP CONSTRAINT %s", sqlName(c.Table.Name), quote(c.Constraint.Name))}}, lock).dropping(id).freeing(id)
	if hasIndex(c.Constraint) {
		s.freeing(space(inSchema(c.Table.Key, c.Constraint.Name)))
	}
	s.after = append(s.after, w.left[c.Table.Key]...)
}

// hasIndex tells whether a constraint is held by an index of its name.
func hasIndex(k *schema.Constraint) bool {
	return k.Kind == schema.PrimaryKey || k.Kind == schema.Unique || k.Kind == schema.Exclusion
}

// dropIndex drops an index without a lock, unless it has to be gone before something in the same transaction, or belongs to a
// partitioned table, for which there is no such form.
func (w *work) dropIndex(id string, c diff.DropIndex) {
	inherited := w.From.details.indexes[c.Index].Inherited // it belongs to the parent's until the table has left
	online := !w.Plain && !inherited && w.changes.creates[id] == nil && !w.partitioned(w.From, c.Table.Key) && w.in.From.Table(c.Table.Key) != nil
	s := &plan.Step{Kind: "drop_index", Object: onTable(c.Table.Name, lastPart(c.Index.Name)), Changes: []diff.Change{c}, Old: c.Index.Canon}
	if online {
		s.SQL = []string{"DROP INDEX CONCURRENTLY " + sqlName(c.Index.Name)}
		w.add(phaseDropOnline, s, shareUpdateExclusive).online().dropping(id).freeing(space(c.Index.Key))
		return
	}
	s.SQL = []string{"DROP INDEX " + sqlName(c.Index.Name)}
	st := w.add(phaseDropKeyed, s, accessExclusive).dropping(id).freeing(space(c.Index.Key))
	st.after = append(st.after, w.left[c.Table.Key]...)
}

// partitioned tells whether a table of a side is partitioned.
func (w *work) partitioned(l *Loaded, table string) bool {
	t := l.details.tables[table]
	return t != nil && t.Partition != nil
}

func viewWords(v *schema.View) (kind, word string) {
	if v.Materialized {
		return "materialized_view", "MATERIALIZED VIEW"
	}
	return "view", "VIEW"
}

func (w *work) dropObject(id string, c diff.DropObject) {
	o := c.Object
	s := &plan.Step{Kind: "drop_" + o.Kind, Object: o.Name, Changes: []diff.Change{c}, Old: o.Canon}
	phase := phaseDropRest
	lock := none
	word := strings.ToUpper(strings.ReplaceAll(o.Kind, "_", " "))
	switch o.Kind {
	case "policy", "rule":
		phase, lock = phaseDropPart, accessExclusive
		s.SQL = []string{fmt.Sprintf("DROP %s %s ON %s", word, quote(partName(o)), sqlName(o.On))}
	case "comment":
		s.Kind, phase, lock = "comment", phaseComment, shareUpdateExclusive
		if w.renamesTarget(id) {
			phase = phaseSchema
		}
		s.SQL = []string{w.commentSQL(w.From, o, "NULL")}
	case "grant":
		s.Kind, phase = "revoke", phaseGrant
		if s.SQL = w.revokeSQL(o); len(s.SQL) == 0 {
			return // the columns that it is on go, and it with them
		}
	case "default_privileges":
		s.Kind, phase = "drop_default_privileges", phaseGrant
		s.SQL = w.defaultPrivilegesSQL(w.From, o, "REVOKE")
	case "publication_table":
		d := w.From.details.objects[o.ID()]
		phase, lock = phaseDropPart, shareUpdateExclusive
		s.SQL = []string{"ALTER PUBLICATION " + quote(d.Props["name"]) + " DROP TABLE " + d.On.SQL()}
	case "owner":
		return // who owns a thing when nothing says so is not known
	case "function", "procedure", "aggregate":
		if w.changes.creates[id] != nil {
			phase = phaseDropRoutine
		}
		s.SQL = []string{"DROP " + word + " " + w.routineSQL(w.From, o.Key)}
		w.add(phase, s, lock).dropping(id).freeing(id, overloads(w.From, o.Key))
		return
	case "statistics":
		phase, lock = phaseDropPart, shareUpdateExclusive
		s.SQL = []string{"DROP STATISTICS " + sqlName(o.Key)}
	case "event_trigger", "publication", "schema", "extension":
		s.SQL = []string{"DROP " + word + " " + quote(o.Key)}
		if o.Kind == "event_trigger" {
			phase = phaseDropPart
		}
		for _, name := range w.From.along(o.Key) {
			if o.Kind == "extension" && w.To.catalog.Extensions[name] == nil {
				s.SQL = append(s.SQL, "DROP EXTENSION "+quote(name))
			}
		}
	default: // type, domain, sequence
		s.SQL = []string{"DROP " + word + " " + sqlName(o.Key)}
	}
	w.add(phase, s, lock).dropping(id).freeing(id, space(o.Key))
}

// overloads is the name that functions with other arguments share. Whatever is made while two of them are there may take the wrong one,
// so the ones that go are gone before others come.
func overloads(l *Loaded, key string) string {
	return "routine " + l.details.functions[key].Name.String()
}

// partName gives the name of a policy or a rule without its table.
func partName(o *schema.Object) string { return fold(strings.TrimPrefix(o.Key, o.On+".")) }

func (w *work) dropOpaque(id string, c diff.ReplaceOpaque) {
	o := w.From.details.objects[c.From.Key]
	sql, ok := dropOpaqueSQL(o)
	if !ok {
		w.errs = append(w.errs, &schema.Error{Side: schema.Base, Pos: c.From.Pos, Kind: schema.KindUnsupported, Text: fmt.Sprintf(
			"%s goes, and how to drop it is not understood; drop it by hand before this change is merged, and take it out of the base in a change of its own", c.From.Name)})
		return
	}
	w.add(phaseDropRest, &plan.Step{Kind: "opaque", Object: c.From.Name, Changes: []diff.Change{diff.ReplaceOpaque{From: c.From}}, Old: c.From.Canon, SQL: []string{sql}}, none).dropping(id).freeing(id)
}

// goesAlong tells whether a thing is dropped with the table or view that it is on, or with the column that owns it.
func (w *work) goesAlong(id string) bool {
	kind, name, _ := strings.Cut(id, " ")
	if kind == "relation" {
		s := w.in.From.Object("sequence", name)
		if s == nil || s.On == "" {
			return false
		}
		owned := w.From.details.sequences[name]
		column := columnID(s.On, owned.OwnedColumn)
		alter, altered := w.changes.alters[column].(diff.AlterColumn)
		return w.changes.drops[relationID(s.On)] != nil || w.changes.drops[column] != nil || altered && (w.changes.rebuilt[column] || w.madeAgain(alter))
	}
	on := w.tableOf(id)
	if kind == "trigger" || kind == "index" {
		on = w.holderOf(id)
	}
	if kind == "comment" || kind == "grant" || kind == "owner" {
		return w.targetGone(name)
	}
	if on == "" || w.changes.drops[relationID(on)] == nil {
		return false
	}
	return true
}

// holderOf gives the table or view that an index or a trigger of the base is on.
func (w *work) holderOf(id string) string {
	if p := w.from.byID[id]; p.index != nil || p.trigger != nil {
		return p.table.Key
	}
	return ""
}

// targetGone tells whether what a comment, a grant or an owner is about is dropped.
func (w *work) targetGone(key string) bool {
	a := analyst{Loaded: w.From}
	for _, id := range a.target(key) {
		if w.changes.drops[id] != nil {
			return true
		}
		if table := w.tableOf(id); table != "" && w.changes.drops[relationID(table)] != nil {
			return true
		}
		if had, has := typePart(w.From, id), typePart(w.To, id); had != "" && has == "" {
			return true
		}
	}
	return false
}

// typePart gives what an attribute of a composite type, or a check of a domain, is; "" where there is none, or the id is of something
// else.
func typePart(l *Loaded, id string) string {
	kind, name, _ := strings.Cut(id, " ")
	of, part := splitLast(name)
	t := l.details.types[of]
	if t == nil {
		return ""
	}
	switch part = fold(part); kind {
	case "column":
		for _, c := range t.Columns {
			if c.Name == part {
				return "attribute"
			}
		}
	case "constraint":
		a := &analyst{Loaded: l, binder: binderOf(l), seen: map[string]bool{}}
		for _, k := range t.Checks {
			if k.Name == part {
				return a.domainCheck(t, k, "discarded")
			}
		}
	}
	return ""
}

// inCycle tells whether a foreign key is between two tables that both go and reference each other, or inherit so, so that neither can go
// first.
func (w *work) inCycle(on *schema.Table, k *schema.Constraint) bool {
	if k.Ref == nil || k.Ref.Table == on.Key {
		return false
	}
	seen := map[string]bool{}
	var reaches func(t string) bool
	reaches = func(t string) bool {
		if t == on.Key {
			return true
		}
		if seen[t] || w.in.From.Table(t) == nil || w.changes.drops[relationID(t)] == nil {
			return false
		}
		seen[t] = true
		for _, k := range w.in.From.Table(t).Constraints {
			if k.Ref != nil && k.Ref.Table != t && reaches(k.Ref.Table) {
				return true
			}
		}
		for _, parent := range w.From.details.tables[t].Inherits {
			if reaches(parent.String()) {
				return true
			}
		}
		return false
	}
	return reaches(k.Ref.Table)
}

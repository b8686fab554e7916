package postgres

import (
	"fmt"
	"strings"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
)

// renames makes the first steps, so that all others speak the head's names.
func (w *work) renames() {
	var last *step
	chain := func(s *step) {
		if last != nil {
			s.after = append(s.after, last)
		}
		last = s
	}
	w.followComments()
	for _, r := range w.in.Renames.Tables {
		s := w.add(phaseRename, &plan.Step{Kind: "rename_table", Object: r.To, From: r.From, Changes: []diff.Change{r}, Old: r.From, New: r.To,
			SQL: renameTable(r.From, r.To)}, accessExclusive).freeing(space(r.From)).taking(space(r.To))
		w.followNames(s, lastPart(r.From), lastPart(r.To))
		chain(s)
	}
	for _, r := range w.in.Renames.Columns {
		chain(w.add(phaseRename, &plan.Step{Kind: "rename_column", Object: r.Table + "." + r.To, From: r.Table + "." + r.From, Changes: []diff.Change{r}, Old: r.From, New: r.To,
			SQL: []string{fmt.Sprintf("ALTER TABLE %s RENAME COLUMN %s TO %s", sqlName(r.Table), quote(r.From), quote(r.To))}}, accessExclusive))
	}
}

// followNames takes into the rename of a table those of its constraints, indexes and sequences whose names were made of the table's: the
// server leaves them as they are, and the head's text makes them of the new name.
func (w *work) followNames(s *step, from, to string) {
	for _, id := range sortedKeys(w.changes.alters) {
		var table, before, after, sql string
		switch c := w.changes.alters[id].(type) {
		case diff.RenameConstraint:
			table, before, after = c.Table.Key, c.From.Name, c.To.Name
			sql = fmt.Sprintf("ALTER TABLE %s RENAME CONSTRAINT %s TO %s", sqlName(table), quote(before), quote(after))
		case diff.RenameIndex:
			table, before, after = c.Table.Key, lastPart(c.From.Name), lastPart(c.To.Name)
			sql = fmt.Sprintf("ALTER INDEX %s RENAME TO %s", sqlName(c.From.Name), quote(after))
		case diff.RenameObject:
			table, before, after = c.To.On, lastPart(c.From.Name), lastPart(c.To.Name)
			sql = fmt.Sprintf("ALTER SEQUENCE %s RENAME TO %s", sqlName(c.From.Name), quote(after))
		default:
			continue
		}
		rest, ok := strings.CutPrefix(before, from+"_")
		if !ok || table != s.Object || after != to+"_"+rest {
			continue
		}
		s.SQL = append(s.SQL, sql)
		s.Changes = append(s.Changes, w.changes.alters[id])
		s.freeing(space(inSchema(table, before))).taking(space(inSchema(table, after)))
		delete(w.changes.alters, id)
	}
}

// renameTable gives a table another name, in another schema if it has to be.
func renameTable(from, to string) []string {
	a, b := parseName(from), parseName(to)
	var sql []string
	if a.Schema != b.Schema {
		sql = append(sql, fmt.Sprintf("ALTER TABLE %s SET SCHEMA %s", a.SQL(), quote(b.Schema)))
		a.Schema = b.Schema
	}
	if a.Name != b.Name {
		sql = append(sql, fmt.Sprintf("ALTER TABLE %s RENAME TO %s", a.SQL(), quote(b.Name)))
	}
	return sql
}

// renameConstraint gives a constraint another name. Where constraints of a table take each other's names, one of them makes way first.
func (w *work) renameConstraint(id string, c diff.RenameConstraint) {
	rename := func(from, to, was, is string) *step {
		sql := fmt.Sprintf("ALTER TABLE %s RENAME CONSTRAINT %s TO %s", sqlName(c.Table.Name), quote(from), quote(to))
		return w.add(phaseRename+1, &plan.Step{Kind: "rename_" + string(c.To.Kind), Object: onTable(c.Table.Name, to), From: onTable(c.Table.Name, from),
			Changes: []diff.Change{c}, Old: was, New: is, SQL: []string{sql}}, accessExclusive)
	}
	name := c.From.Name
	var before []*step
	if w.leadsCircle(c) {
		name = shortened(StagingPrefix + name)
		before = append(before, rename(c.From.Name, name, c.From.Canon, ""))
	}
	last := rename(name, c.To.Name, c.From.Canon, c.To.Canon).taking(id)
	last.after = before
	first := append(before, last)[0]
	first.freeing(constraintID(c.Table.Key, c.From.Name))
	if hasIndex(c.To) {
		first.freeing(space(inSchema(c.Table.Key, c.From.Name)))
		last.taking(space(inSchema(c.Table.Key, c.To.Name)))
	}
}

// leadsCircle tells whether a constraint takes the name of one that is renamed too, and so on round to its own name, and is the first of
// them by name.
func (w *work) leadsCircle(c diff.RenameConstraint) bool {
	for name := c.To.Name; name > c.From.Name; {
		next, ok := w.renamedOn(c.Table.Key, name)
		if !ok {
			return false
		}
		if name = next; name == c.From.Name {
			return true
		}
	}
	return false
}

// renamedOn gives the name that a constraint of a table gets.
func (w *work) renamedOn(table, name string) (string, bool) {
	for _, other := range w.changes.alters {
		if r, ok := other.(diff.RenameConstraint); ok && r.Table.Key == table && r.From.Name == name {
			return r.To.Name, true
		}
	}
	return "", false
}

// followComments knows comments again on what gets another name: they stay on it.
func (w *work) followComments() {
	for _, id := range sortedKeys(w.changes.alters) {
		var from, to string
		switch c := w.changes.alters[id].(type) {
		case diff.RenameConstraint:
			from, to = constraintID(c.Table.Key, c.From.Name), constraintID(c.Table.Key, c.To.Name)
		case diff.RenameIndex:
			from, to = indexID(c.From.Key), indexID(c.To.Key)
		default:
			continue
		}
		gone, isGone := w.changes.drops["comment "+from].(diff.DropObject)
		fresh, isFresh := w.changes.creates["comment "+to].(diff.CreateObject)
		if !isGone || !isFresh {
			continue // one that only goes, goes before the rename
		}
		delete(w.changes.drops, "comment "+from)
		if gone.Object.Canon == fresh.Object.Canon {
			delete(w.changes.creates, "comment "+to)
		}
	}
}

// renamesTarget tells whether what a comment of the base is on gets another name.
func (w *work) renamesTarget(comment string) bool {
	for _, c := range w.changes.alters {
		switch c := c.(type) {
		case diff.RenameConstraint:
			if "comment "+constraintID(c.Table.Key, c.From.Name) == comment {
				return true
			}
		case diff.RenameIndex:
			if "comment "+indexID(c.From.Key) == comment {
				return true
			}
		}
	}
	return false
}

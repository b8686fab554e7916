package mysql

import (
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/dialect/mysql/catalog"
	"github.com/altergate/altergate/internal/dialect/mysql/online"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// keyChange is a key that goes, comes, or both under one name.
type keyChange struct {
	from, to           *catalog.Key
	dropped, added     diff.Change
	fromCanon, toCanon string
}

// keys makes the units of keys.
func (w *work) keys(t *tableWork) {
	gone, come := w.keysThatGo(t), w.keysThatCome(t)
	w.primaryKey(t, gone, come)
	w.renameKeys(t, gone, come)
	p := w.printer(t)
	for _, c := range come {
		if c == nil {
			continue
		}
		i := slices.IndexFunc(gone, func(g *keyChange) bool { return g != nil && columnKey(g.from.Name) == columnKey(c.to.Name) })
		switch {
		case i < 0 && c.to.Implied && w.comesAlong(t, c.to):
			continue // with its foreign key
		case i < 0:
			w.keyFits(c.to)
			name := c.to.Name
			if !c.to.Given && !c.to.Implied {
				name = "" // the server knows which one is free
			}
			t.unit(&unit{kind: "add_" + kindOfKey(c.to), object: onTable(t.model.Name, c.to.Name), changes: []diff.Change{c.added}, new: c.toCanon, phase: phaseKey,
				clauses: []string{"ADD " + p.key(c.to, name)}, actions: []online.Action{online.AddKey{Key: c.to}}})
		default:
			w.swapKey(t, gone[i], c)
			gone[i] = nil
		}
	}
	for _, g := range gone {
		if g == nil || w.goesAlong(t, g.from) {
			continue
		}
		w.dropKey(t, g)
	}
	for _, u := range t.units {
		if u.kind == "add_index" {
			u.kind = "create_index"
		}
	}
}

func kindOfKey(k *catalog.Key) string {
	if k.Kind == catalog.Unique {
		return "unique"
	}
	return "index"
}

// keysThatGo gives them in the order of the base's definition.
func (w *work) keysThatGo(t *tableWork) []*keyChange {
	by := map[*catalog.Key]*keyChange{}
	for _, d := range t.dropKeys {
		k := w.From.details.keys[d.Constraint]
		by[k] = &keyChange{from: k, dropped: d, fromCanon: d.Constraint.Canon}
	}
	for _, d := range t.dropIndex {
		k := w.From.details.indexes[d.Index]
		by[k] = &keyChange{from: k, dropped: d, fromCanon: d.Index.Canon}
	}
	return inOrder(t.from.Keys, by)
}

// keysThatCome gives them in the order of the head's definition.
func (w *work) keysThatCome(t *tableWork) []*keyChange {
	by := map[*catalog.Key]*keyChange{}
	for _, a := range t.addKeys {
		k := w.To.details.keys[a.Constraint]
		by[k] = &keyChange{to: k, added: a, toCanon: a.Constraint.Canon}
	}
	for _, a := range t.createIndex {
		k := w.To.details.indexes[a.Index]
		by[k] = &keyChange{to: k, added: a, toCanon: a.Index.Canon}
	}
	return inOrder(t.to.Keys, by)
}

func inOrder(keys []*catalog.Key, by map[*catalog.Key]*keyChange) []*keyChange {
	var out []*keyChange
	for _, k := range keys {
		if c := by[k]; c != nil {
			out = append(out, c)
		}
	}
	return out
}

// primaryKey drops and adds the primary key in one ALTER: between two, a column that counts by itself would have no key.
func (w *work) primaryKey(t *tableWork, gone, come []*keyChange) {
	u := &unit{object: onTable(t.model.Name, "PRIMARY"), phase: phaseKey}
	var to *catalog.Key
	early := false
	for i, g := range gone {
		if g.from.Kind == catalog.Primary {
			early = w.earlyDrop(t, g.from)
			u.kind, u.old = "drop_primary_key", g.fromCanon
			u.changes = append(u.changes, g.dropped)
			u.clauses = append(w.uncounted(t, g.from), "DROP PRIMARY KEY")
			gone[i] = nil
		}
	}
	for i, c := range come {
		if c.to.Kind == catalog.Primary {
			to = c.to
			u.new = c.toCanon
			u.changes = append(u.changes, c.added)
			u.clauses = append(u.clauses, "ADD "+w.printer(t).key(c.to, ""))
			come[i] = nil
		}
	}
	switch {
	case len(u.changes) == 0:
		return
	case to == nil:
		u.actions = append(u.actions, online.DropPrimaryKey{})
		if u.phase = phaseDropKey; early {
			u.phase = phaseDropEarly
		}
	case u.kind == "":
		u.kind = "add_primary_key"
		u.actions = append(u.actions, online.AddPrimaryKey{Key: to})
	default:
		u.kind = "alter_primary_key"
		u.actions = append(u.actions, online.ReplacePrimaryKey{Key: to})
	}
	t.unit(u)
}

// uncounted gives the clause that stops a column from counting by itself, where the key that it has goes, and it goes later.
func (w *work) uncounted(t *tableWork, k *catalog.Key) []string {
	if len(k.Parts) == 0 || k.Parts[0].Column == "" {
		return nil
	}
	c := columnNamed(t.from, k.Parts[0].Column)
	if c == nil || !c.AutoIncrement || columnNamed(t.to, c.Name) != nil {
		return nil
	}
	plain := *c
	plain.AutoIncrement = false
	return []string{"MODIFY COLUMN " + w.printer(t).column(&plain, checkOf(t.from, c.Name))}
}

// renameKeys pairs a key that goes with one that comes and is the same but for its name: nothing has to be built for a name.
func (w *work) renameKeys(t *tableWork, gone, come []*keyChange) {
	if !w.Server.MariaDB || w.Server.Maria(10, 5, 2) { // MySQL has it since 5.7
		for i, c := range come {
			if c == nil {
				continue
			}
			j := slices.IndexFunc(gone, func(g *keyChange) bool {
				return g != nil && keyBody(g.from) == keyBody(c.to) && !w.earlyDrop(t, g.from)
			})
			taken := slices.ContainsFunc(t.from.Keys, func(k *catalog.Key) bool { return columnKey(k.Name) == columnKey(c.to.Name) })
			if j < 0 || taken || c.to.Implied && w.comesAlong(t, c.to) {
				continue
			}
			w.renameKey(t, gone[j], c)
			gone[j], come[i] = nil, nil
		}
	}
}

func (w *work) renameKey(t *tableWork, g, c *keyChange) {
	u := &unit{kind: "rename_" + kindOfKey(c.to), object: onTable(t.model.Name, c.to.Name), from: onTable(t.model.Name, g.from.Name), old: g.fromCanon, new: c.toCanon, phase: phaseKey,
		clauses: []string{"RENAME INDEX " + quote(g.from.Name) + " TO " + quote(c.to.Name)}, actions: []online.Action{online.RenameKey{Key: g.from}}}
	switch d := g.dropped.(type) {
	case diff.DropConstraint:
		u.changes = []diff.Change{diff.RenameConstraint{Table: t.model, From: d.Constraint, To: c.added.(diff.AddConstraint).Constraint}}
	case diff.DropIndex:
		u.changes = []diff.Change{diff.RenameIndex{Table: t.model, From: d.Index, To: c.added.(diff.CreateIndex).Index}}
	}
	t.unit(u)
}

// swapKey replaces a key by another one of its name in one ALTER: no query finds it missing, and a foreign key that needs one has one.
// Where a column of it changes so that the old one cannot stay, it goes before that.
func (w *work) swapKey(t *tableWork, g, c *keyChange) {
	w.keyFits(c.to)
	visible, invisible := *g.from, *c.to
	visible.Invisible, invisible.Invisible = false, false
	if keyBody(&visible) == keyBody(&invisible) {
		w.showKey(t, g, c)
		return
	}
	p := w.printer(t)
	u := &unit{kind: "alter_" + kindOfKey(c.to), object: onTable(t.model.Name, c.to.Name), changes: []diff.Change{g.dropped, c.added}, old: g.fromCanon, new: c.toCanon, phase: phaseKey,
		clauses: []string{"DROP KEY " + quote(g.from.Name), "ADD " + p.key(c.to, c.to.Name)},
		actions: []online.Action{online.DropKey{Key: g.from}, online.AddKey{Key: c.to}}}
	if w.earlyDrop(t, g.from) {
		w.dropKey(t, g)
		u.kind, u.changes, u.old = "add_"+kindOfKey(c.to), u.changes[1:], ""
		u.clauses, u.actions = u.clauses[1:], u.actions[1:]
	}
	t.unit(u)
}

// showKey hides a key from the optimizer, or shows it again.
func (w *work) showKey(t *tableWork, g, c *keyChange) {
	word := w.printer(t).hidden()
	if !c.to.Invisible {
		word = map[string]string{"IGNORED": "NOT IGNORED", "INVISIBLE": "VISIBLE"}[word]
	}
	t.unit(&unit{kind: "alter_" + kindOfKey(c.to), object: onTable(t.model.Name, c.to.Name), changes: []diff.Change{g.dropped, c.added}, old: g.fromCanon, new: c.toCanon, phase: phaseKey,
		clauses: []string{"ALTER INDEX " + quote(c.to.Name) + " " + word}, actions: []online.Action{online.SetKeyVisibility{Key: c.to}}})
}

// dropKey drops a key when what takes its place is there, or before a column of it changes so that it could not stay.
func (w *work) dropKey(t *tableWork, g *keyChange) {
	u := &unit{kind: "drop_" + kindOfKey(g.from), object: onTable(t.model.Name, g.from.Name), changes: []diff.Change{g.dropped}, old: g.fromCanon, phase: phaseDropKey,
		clauses: append(w.uncounted(t, g.from), "DROP KEY "+quote(g.from.Name)), actions: []online.Action{online.DropKey{Key: g.from}}}
	if w.earlyDrop(t, g.from) {
		u.phase = phaseDropEarly
	}
	t.unit(u)
}

// earlyDrop tells whether the type of a column in a key changes while the key is no more, as it is, in the head.
func (w *work) earlyDrop(t *tableWork, k *catalog.Key) bool {
	return slices.ContainsFunc(t.alters, func(a diff.AlterColumn) bool {
		again := isVirtual(w.From.details.columns[a.From]) != isVirtual(w.To.details.columns[a.To])
		return (again || a.From.TypeCanon != a.To.TypeCanon || a.From.Collation != a.To.Collation) && hasPart(k, a.To.Key) && a.From.Identity == "" && a.To.Identity == ""
	})
}

func hasPart(k *catalog.Key, column string) bool {
	return slices.ContainsFunc(k.Parts, func(p catalog.KeyPart) bool {
		return columnKey(p.Column) == column || p.Expr != nil && slices.Contains(columnKeys(p.Expr.Columns), column)
	})
}

// comesAlong tells whether a foreign key that the plan adds brings a key along that it needs.
func (w *work) comesAlong(t *tableWork, k *catalog.Key) bool {
	return slices.ContainsFunc(t.addForeign, func(a diff.AddConstraint) bool {
		return begins(k, w.To.details.foreign[a.Constraint].Columns)
	})
}

// goesAlong tells whether the server drops a key by itself: one that it made for a foreign key, as soon as another serves, and even if
// the foreign key is gone by then.
func (w *work) goesAlong(t *tableWork, k *catalog.Key) bool {
	if !k.Implied {
		return false
	}
	return slices.ContainsFunc(t.to.Keys, func(other *catalog.Key) bool { return covers(other, k) && !isOld(t.from, other) })
}

// covers tells whether another key begins with all of a key.
func covers(other, k *catalog.Key) bool {
	if other.Kind == catalog.Fulltext || other.Kind == catalog.Spatial || len(other.Parts) < len(k.Parts) {
		return false
	}
	for i, p := range k.Parts {
		o := other.Parts[i]
		if o.Column == "" || !strings.EqualFold(o.Column, p.Column) || o.Prefix != p.Prefix || o.Desc != p.Desc {
			return false
		}
	}
	return true
}

func isOld(t *catalog.Table, k *catalog.Key) bool {
	return slices.ContainsFunc(t.Keys, func(o *catalog.Key) bool { return columnKey(o.Name) == columnKey(k.Name) && keyBody(o) == keyBody(k) })
}

// begins tells whether a key begins with these columns.
func begins(k *catalog.Key, columns []string) bool {
	if len(k.Parts) < len(columns) || k.Kind == catalog.Fulltext || k.Kind == catalog.Spatial {
		return false
	}
	for i, c := range columns {
		if !strings.EqualFold(k.Parts[i].Column, c) || k.Parts[i].Prefix > 0 {
			return false
		}
	}
	return true
}

// keyFits refuses keys that the server does not have yet.
func (w *work) keyFits(k *catalog.Key) {
	sv := w.Server
	for _, p := range k.Parts {
		switch {
		case p.Expr != nil && sv.MariaDB:
			w.lacks(k.Pos, "the key "+k.Name+" on an expression", "MySQL 8.0.13")
		case p.Expr != nil && !sv.MySQL(8, 0, 13):
			w.lacks(k.Pos, "the key "+k.Name+" on an expression", "MySQL 8.0.13")
		}
	}
	if k.Invisible && sv.MariaDB && !sv.Maria(10, 6, 0) {
		w.lacks(k.Pos, "the ignored key "+k.Name, "MariaDB 10.6")
	}
	if k.Invisible && !sv.MariaDB && !sv.MySQL(8, 0, 0) {
		w.lacks(k.Pos, "the invisible key "+k.Name, "MySQL 8.0")
	}
}

// checks makes the units of checks that stand after the columns. One that changes under its name is replaced in one ALTER.
func (w *work) checks(t *tableWork) {
	for _, a := range t.addChecks {
		k := w.To.details.checks[a.Constraint]
		if w.comesWithColumn(t, a) {
			continue
		}
		w.checkFits(k)
		name := k.Name
		if !k.Given {
			name = ""
		}
		u := &unit{kind: "add_check", object: onTable(t.model.Name, checkName(k)), changes: []diff.Change{a}, new: a.Constraint.Canon, phase: phaseAddCheck,
			clauses: []string{"ADD " + check(k, name)}, actions: []online.Action{online.AddCheck{Check: k}}}
		if k.Column != "" {
			u.clauses = []string{w.restate(t, k.Column)}
		}
		if i := slices.IndexFunc(t.dropChecks, func(d diff.DropConstraint) bool { return sameName(d.Constraint, a.Constraint) }); i >= 0 {
			d := t.dropChecks[i]
			old := w.From.details.checks[d.Constraint]
			t.dropChecks = slices.Delete(slices.Clone(t.dropChecks), i, i+1)
			u.kind, u.old, u.changes = "alter_check", d.Constraint.Canon, []diff.Change{d, a}
			switch {
			case k.Column != "": // the MODIFY replaces it
				u.actions = append(u.actions, online.DropCheck{Check: old})
			case old.Expr.Canon == k.Expr.Canon:
				u.clauses = []string{"ALTER CHECK " + quote(k.Name) + map[bool]string{true: " NOT ENFORCED", false: " ENFORCED"}[k.NotEnforced]}
				u.actions = []online.Action{online.EnforceCheck{Check: k}}
			default:
				u.clauses = []string{w.dropCheck(old), "ADD " + check(k, k.Name)}
				u.actions = []online.Action{online.DropCheck{Check: old}, online.AddCheck{Check: k}}
			}
		}
		t.unit(u)
	}
	t.addChecks = slices.DeleteFunc(slices.Clone(t.addChecks), func(a diff.AddConstraint) bool {
		return a.Constraint.Owner == "" || !w.ownerChanges(t, a.Constraint.Owner)
	})
	t.dropChecks = slices.DeleteFunc(slices.Clone(t.dropChecks), func(d diff.DropConstraint) bool {
		if d.Constraint.Owner != "" && w.ownerChanges(t, d.Constraint.Owner) {
			return false
		}
		k := w.From.details.checks[d.Constraint]
		u := &unit{kind: "drop_check", object: onTable(t.model.Name, checkName(k)), changes: []diff.Change{d}, old: d.Constraint.Canon, phase: phaseDropEarly,
			clauses: []string{w.dropCheck(k)}, actions: []online.Action{online.DropCheck{Check: k}}}
		if k.Column != "" {
			u.clauses = []string{w.restate(t, k.Column)}
		}
		t.unit(u)
		return true
	})
}

// checkName gives the name of a check; one that MariaDB keeps with its column has that of the column.
func checkName(k *catalog.Check) string {
	if k.Name == "" {
		return k.Column
	}
	return k.Name
}

// comesWithColumn tells whether a check is written with a column that comes, changes or goes, and is part of that.
func (w *work) comesWithColumn(t *tableWork, a diff.AddConstraint) bool {
	if a.Constraint.Owner != "" {
		return w.ownerChanges(t, a.Constraint.Owner)
	}
	k := w.To.details.checks[a.Constraint]
	return slices.ContainsFunc(t.adds, func(c diff.AddColumn) bool { return checkFor(t.to, c.Column.Name) == k })
}

func sameName(a, b *schema.Constraint) bool {
	return columnKey(a.Name) == columnKey(b.Name) && a.Owner == b.Owner
}

// ownerChanges tells whether the column with which a check is written comes, changes or goes.
func (w *work) ownerChanges(t *tableWork, column string) bool {
	return slices.ContainsFunc(t.adds, func(c diff.AddColumn) bool { return c.Column.Key == column }) ||
		slices.ContainsFunc(t.alters, func(c diff.AlterColumn) bool { return c.To.Key == column }) ||
		slices.ContainsFunc(t.dropColumns, func(c diff.DropColumn) bool { return c.Column.Key == column })
}

// restate writes a column's whole definition, the head's check with it.
func (w *work) restate(t *tableWork, column string) string {
	c := columnNamed(t.to, column)
	return "MODIFY COLUMN " + w.printer(t).column(c, w.ownCheck(t, c))
}

// dropCheck is DROP CONSTRAINT where the server has it: MySQL from 8.0.19, and DROP CHECK before that ("ALTER TABLE Statement").
func (w *work) dropCheck(k *catalog.Check) string {
	if w.Server.MariaDB || w.Server.MySQL(8, 0, 19) {
		return "DROP CONSTRAINT " + quote(k.Name)
	}
	return "DROP CHECK " + quote(k.Name)
}

func (w *work) checkFits(k *catalog.Check) {
	if !w.Server.MariaDB && !w.Server.MySQL(8, 0, 16) {
		w.lacks(k.Pos, "the check "+k.Name, "MySQL 8.0.16, since older ones read checks and forget them")
	}
}

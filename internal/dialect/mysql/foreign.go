package mysql

import (
	"slices"

	"github.com/altergate/altergate/internal/dialect/mysql/catalog"
	"github.com/altergate/altergate/internal/dialect/mysql/online"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// foreignKeys makes the units of foreign keys. Each has statements of its own: the server does not drop one and add another of its name
// in one ALTER.
func (w *work) foreignKeys() {
	w.stepAside()
	for _, t := range w.order() {
		for _, d := range t.dropForeign {
			w.dropForeign(t, d)
		}
		for _, a := range t.addForeign {
			w.addForeign(t, a)
		}
	}
}

func (w *work) dropForeign(t *tableWork, d diff.DropConstraint) {
	f := w.From.details.foreign[d.Constraint]
	t.unit(&unit{kind: "drop_foreign_key", object: onTable(t.model.Name, f.Name), changes: []diff.Change{d}, old: d.Constraint.Canon, phase: phaseDropForeign,
		clauses: []string{"DROP FOREIGN KEY " + quote(f.Name)}, actions: []online.Action{online.DropForeignKey{Key: f}}})
}

func (w *work) addForeign(t *tableWork, a diff.AddConstraint) {
	f := w.To.details.foreign[a.Constraint]
	w.partitionsFit(t.to, f.Pos)
	name := f.Name
	if !f.Given && !slices.ContainsFunc(t.from.ForeignKeys, func(o *catalog.ForeignKey) bool { return o.Name == f.Name && foreignBody(o) == foreignBody(f) }) {
		name = "" // the server knows which one is free
	}
	t.unit(&unit{kind: "add_foreign_key", object: onTable(t.model.Name, f.Name), changes: []diff.Change{a}, new: a.Constraint.Canon, phase: phaseAddForeign,
		clauses: []string{"ADD " + foreignKey(f, name)}, actions: []online.Action{online.AddForeignKey{Key: f}}})
}

// stepAside drops and adds again the foreign keys that stay while a column in them, on either side, changes its type: the server takes
// such a change from neither side while the key is there ("Using FOREIGN KEY Constraints"; errors 1832 and 1833).
func (w *work) stepAside() {
	changed := map[string]bool{}
	for _, t := range w.order() {
		for _, a := range t.alters {
			if a.From.TypeCanon != a.To.TypeCanon || a.From.Collation != a.To.Collation {
				changed[t.key+"."+a.To.Key] = true
			}
		}
	}
	if len(changed) == 0 {
		return
	}
	for _, from := range w.in.From.Tables {
		to := w.in.To.Table(from.Key)
		if to == nil {
			continue
		}
		for _, c := range from.Constraints {
			if c.Kind != schema.ForeignKey || !w.touched(c, from.Key, changed) {
				continue
			}
			i := slices.IndexFunc(to.Constraints, func(k *schema.Constraint) bool { return k.Canon == c.Canon })
			if i < 0 {
				continue // it goes anyhow
			}
			t := w.on(from.Key)
			t.dropForeign = append(t.dropForeign, diff.DropConstraint{Table: from, Constraint: c})
			t.addForeign = append(t.addForeign, diff.AddConstraint{Table: to, Constraint: to.Constraints[i]})
		}
	}
}

func (w *work) touched(c *schema.Constraint, table string, changed map[string]bool) bool {
	for _, key := range c.ColumnKeys() {
		if changed[table+"."+key] {
			return true
		}
	}
	for _, key := range c.Ref.Columns {
		if changed[c.Ref.Table+"."+key] {
			return true
		}
	}
	return false
}

package schemajson

import (
	"slices"
	"strings"
)

// actions are the words a foreign key may act with.
var actions = []string{"NO ACTION", "RESTRICT", "CASCADE", "SET NULL", "SET DEFAULT"}

func (v *validator) foreignKey(t *lookup, f *foreignKey) {
	if len(f.columns) == 0 || len(f.referencedColumns) == 0 {
		v.bad(f.path(), f.pos, "a foreign key needs at least one column on each side")
	}
	if len(f.columns) != len(f.referencedColumns) {
		v.bad(f.path(), f.pos, "columns: %d, columns referred to: %d; they are matched in order, so the numbers must be equal",
			len(f.columns), len(f.referencedColumns))
	}
	v.known(f.item, t, f.columns)
	v.reference(f)
	for _, a := range []struct {
		key    string
		action *value
	}{{"on_delete", f.onDelete}, {"on_update", f.onUpdate}} {
		if a.action != nil && !slices.Contains(actions, a.action.text) {
			v.bad(join(f.path(), a.key), a.action.pos, "the action is %s; use one of %s, or leave the key out",
				excerpt(a.action.text), strings.Join(actions, ", "))
		}
	}
}

// reference checks the far side of a foreign key: the columns it refers to must be a key of their table, all of it.
func (v *validator) reference(f *foreignKey) {
	target := v.named[f.referencedTable.text]
	if target == nil {
		v.bad(f.path(), f.referencedTable.pos, "there is no table %s to refer to; names are compared letter by letter", excerpt(f.referencedTable.text))
		return
	}
	if !v.known(f.item, target, f.referencedColumns) || len(f.referencedColumns) == 0 {
		return
	}
	if names := texts(f.referencedColumns); !target.keys[keyOf(names)] {
		v.bad(f.path(), f.pos, "the columns referred to (%s) are neither the primary key of table %s nor unique there; "+
			"refer to a key, or make them one", excerpt(strings.Join(names, ", ")), excerpt(target.name.text))
	}
}

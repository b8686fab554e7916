package sqlite

import (
	"fmt"
	"maps"

	"github.com/altergate/altergate/internal/schema"
)

// reader makes the model of a catalog.
type reader struct {
	schema  *schema.Schema
	tables  map[string]*schema.Table
	views   map[string]*schema.View
	opaques map[string]*schema.Opaque
	names   map[string]bool // keys of everything a view or a trigger can name
	known   parsed
}

// parsed are tables that were read before, by their text. Reading is most of the work for a large schema, and most tables are
// the same on both sides, and before and after a plan.
type parsed map[string]*schema.Table

// table gives the table that a CREATE TABLE statement makes, without indexes and triggers.
func (p parsed) table(sql string) (*schema.Table, error) {
	t := p[sql]
	if t == nil {
		var err error
		if t, err = parseTable(sql, nowhere); err != nil {
			return nil, err
		}
		p[sql] = t
	}
	fresh := *t
	return &fresh, nil
}

func merged(all ...parsed) parsed {
	out := parsed{}
	for _, p := range all {
		maps.Copy(out, p)
	}
	return out
}

// model makes the model of a catalog. The places where objects were written are not in a catalog: see place.
func model(entries []entry, known parsed) (*schema.Schema, error) {
	r := &reader{&schema.Schema{Dialect: Name}, map[string]*schema.Table{}, map[string]*schema.View{}, map[string]*schema.Opaque{}, map[string]bool{}, known}
	// Tables first, since an index, a view or a trigger is read with the names of columns at hand; triggers last.
	for _, step := range []func(entry) error{r.table, r.object, r.trigger} {
		for _, x := range entries {
			if err := step(x); err != nil {
				return nil, fmt.Errorf("reading %s %s back from SQLite: %w", x.kind, x.name, err)
			}
		}
	}
	r.schema.Sort()
	return r.schema, nil
}

func (r *reader) table(x entry) error {
	r.names[fold(x.name)] = true
	if x.kind != "table" || isVirtual(x.sql) {
		return nil
	}
	t, err := r.known.table(x.sql)
	if err != nil {
		return err
	}
	t.Name, t.Key = x.name, fold(x.name)
	r.tables[t.Key] = t
	r.schema.Tables = append(r.schema.Tables, t)
	for _, c := range t.Columns {
		r.names[c.Key] = true
	}
	return nil
}

func (r *reader) object(x entry) error {
	switch {
	case x.kind == "table" && isVirtual(x.sql):
		o, err := parseVirtual(x.sql, nowhere)
		if err != nil {
			return err
		}
		r.opaques[o.Key] = o
		r.schema.Opaques = append(r.schema.Opaques, o)
	case x.kind == "view":
		v, err := parseView(x.sql, nowhere, r.names)
		if err != nil {
			return err
		}
		r.views[v.Key] = v
		r.schema.Views = append(r.schema.Views, v)
	case x.kind == "index":
		t := r.tables[fold(x.table)]
		if t == nil {
			return fmt.Errorf("it is on %s, which is not in the catalog", x.table)
		}
		i, err := parseIndex(x.sql, nowhere, t)
		if err != nil {
			return err
		}
		t.Indexes = append(t.Indexes, i)
	case x.kind != "table" && x.kind != "trigger":
		return fmt.Errorf("SQLite calls it a %q, which is not understood", x.kind)
	}
	return nil
}

func (r *reader) trigger(x entry) error {
	if x.kind != "trigger" {
		return nil
	}
	t, err := parseTrigger(x.sql, nowhere, r.names)
	if err != nil {
		return err
	}
	switch on := fold(x.table); {
	case r.views[on] != nil && isInsteadOf(x):
		r.views[on].Triggers = append(r.views[on].Triggers, t)
	case r.tables[on] != nil:
		r.tables[on].Triggers = append(r.tables[on].Triggers, t)
	case r.opaques[on] != nil:
		r.opaques[on].Triggers = append(r.opaques[on].Triggers, t)
	default:
		return fmt.Errorf("it is on %s, which is not in the catalog", x.table)
	}
	return nil
}

// isInsteadOf tells whether an entry is an INSTEAD OF trigger, which only views have.
func isInsteadOf(x entry) bool {
	p := newParser(x.sql)
	if x.kind != "trigger" {
		return false
	}
	if _, err := p.objectName(); err != nil {
		return false
	}
	return p.take("INSTEAD", "OF")
}

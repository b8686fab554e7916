package catalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/schema"
)

// alteration is what the clauses of one ALTER TABLE say together. The server does not run them one after the other: it takes away what
// goes, changes and adds columns, and then adds keys and constraints.
type alteration struct {
	tableDef
	dropColumns map[string]bool
	dropKeys    []string
	dropForeign []string
	dropChecks  []string
	changes     map[string]*columnDef // by the column's old name
	moved       []*columnDef          // added, or put elsewhere, in their order
	renames     map[string]string     // columns, by the old name's key
	defaults    []func(*Table)
	renameKeys  [][2]string
	after       []func(*Table) // visibility and enforcement
	convert     bool
	convertSet  string
	convertTo   string
	to          *Name
	unversion   bool
}

// alterTable runs ALTER TABLE.
func (r *reader) alterTable() error {
	at := r.here()
	r.want("alter")
	_ = r.take("online")
	_ = r.take("ignore")
	r.want("table")
	ifExists := r.take("if", "exists")
	nameAt := r.here()
	name := r.name()
	r.wait()
	if r.err != nil {
		return r.err
	}
	old := r.c.Tables[name.Key()]
	if q := r.c.Sequences[name.Key()]; q != nil {
		return r.alterSequenceTable(q)
	}
	if old == nil {
		if ifExists {
			r.idle(nameAt, true, "table "+name.String()+" is not there")
			return nil
		}
		return r.missing(nameAt, "table %s is altered and is not there; declare it first", name)
	}
	t := old.clone()
	a := &alteration{dropColumns: map[string]bool{}, changes: map[string]*columnDef{}, renames: map[string]string{}}
	for r.err == nil && !r.done() {
		r.clause(t, a)
		if !r.take(",") && !r.is("partition", "by") && !r.is("remove", "partitioning") {
			break
		}
	}
	r.end()
	if r.err != nil {
		return r.err
	}
	return r.apply(at, old, t, a)
}

// wait goes past WAIT n and NOWAIT, which say how long to wait for a lock.
func (r *reader) wait() {
	if r.take("wait") {
		r.word()
	}
	r.take("nowait")
}

// apply makes the table that all clauses together make.
func (r *reader) apply(at token, old, t *Table, a *alteration) error {
	if a.convert && (a.options.set != "" || a.options.collation != "") {
		r.fail(at, schema.KindUnsupported, "table %s is converted and given another default in one ALTER TABLE, and the server makes of it what neither says; write two", t.Name)
		return r.err
	}
	if a.convert {
		db := r.c.database(t.Name.Database)
		if a.convertSet == "" && a.convertTo == "" {
			a.convertSet, a.convertTo = db.Charset, db.Collation
		}
		a.options.set, a.options.collation = a.convertSet, a.convertTo
	}
	r.applyOptions(t, &a.options, old.Charset, old.Collation)
	if r.err != nil {
		return r.err
	}
	for _, f := range a.dropForeign {
		t.ForeignKeys = slices.DeleteFunc(t.ForeignKeys, func(g *ForeignKey) bool { return strings.EqualFold(g.Name, f) })
	}
	for _, name := range a.dropKeys {
		t.Keys = slices.DeleteFunc(t.Keys, func(k *Key) bool { return strings.EqualFold(k.Name, name) })
	}
	for _, name := range a.dropChecks {
		t.Checks = slices.DeleteFunc(t.Checks, func(k *Check) bool { return k.Name != "" && strings.EqualFold(k.Name, name) })
	}
	for _, set := range a.defaults {
		set(t)
	}
	r.refuseRename(t, a)
	r.versionChanges(old, a.columns)
	r.changeColumns(old, t, a)
	if a.convert && r.err == nil {
		r.convertColumns(t, a)
	}
	r.resettleKeys(old, t)
	r.renameKeys(t, a)
	number := r.c.highestForeignKey(t)
	for i := range t.Keys {
		if t.Keys[i].Kind == Primary {
			for _, p := range t.Keys[i].Parts {
				if c := t.Column(p.Column); c != nil && r.err == nil {
					r.primaryColumn(t, c, t.Keys[i])
				}
			}
		}
	}
	r.addItems(t, a.items, &number)
	for _, f := range a.after {
		f(t)
	}
	if a.unversion {
		t.Versioned = nil
	}
	r.settleTable(t)
	if r.err == nil {
		r.keysNeeded(at, t, a.renames)
	}
	if r.err != nil {
		return r.err
	}
	r.c.Tables[old.Name.Key()] = t
	r.c.touched[old.Name.Key()] = true
	r.c.followColumns(t.Name, a.renames)
	r.tellRenames(old, t, a)
	if a.to != nil {
		return r.renameTo(at, t.Name, *a.to)
	}
	return nil
}

// refuseRename refuses what MySQL refuses: the name of a column that a check, a generated column, a default, a key on an expression or the
// partitioning is computed from ("ALTER TABLE Statement", its manual). MariaDB takes them along.
func (r *reader) refuseRename(t *Table, a *alteration) {
	if r.c.Server.MariaDB {
		return
	}
	for _, key := range sorted(a.renames) {
		if columnKey(a.renames[key]) == key {
			continue
		}
		if what := t.computedFrom(key, a.changes); what != "" {
			r.fail(r.list[0], schema.KindSchema, "column %s of table %s cannot be renamed while %s names it; MySQL refuses that. Drop it first, and make it again", key, t.Name, what)
		}
	}
}

// computedFrom names what is computed from a column; empty = nothing. What is changed in the same statement does not count.
func (t *Table) computedFrom(key string, changed map[string]*columnDef) string {
	in := func(e *Expr) bool { return e != nil && slices.Contains(e.Columns, key) }
	for _, k := range t.Checks {
		if in(&k.Expr) {
			return "the check " + k.Name
		}
	}
	for _, c := range t.Columns {
		switch {
		case changed[columnKey(c.Name)] != nil:
		case c.Generated != nil && in(&c.Generated.Expr):
			return "the generated column " + c.Name
		case c.Default != nil && in(c.Default.Expr):
			return "the default of column " + c.Name
		}
	}
	for _, k := range t.Keys {
		for _, p := range k.Parts {
			if in(p.Expr) {
				return "the key " + k.Name
			}
		}
	}
	if t.Partitions != nil && t.Partitions.names(key) {
		return "the partitioning"
	}
	return ""
}

// missing is the error of a statement that names something that is not there yet.
func (r *reader) missing(at token, format string, args ...any) error {
	return waiting{&schema.Error{Pos: r.pos(at.off), Path: r.path, Kind: schema.KindSchema, Text: fmt.Sprintf(format, args...)}}
}

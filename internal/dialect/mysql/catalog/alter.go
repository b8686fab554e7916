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
	dropColumns  map[string]bool
	dropKeys     []string
	dropForeign  []string
	dropChecks   []string
	changes      map[string]*columnDef // by the column's old name
	moved        []*columnDef          // added, or put elsewhere, in their order
	renames      map[string]string     // columns, by the old name's key
	defaults     []func(*Table)
	renameKeys   [][2]string
	after        []func(*Table) // visibility and enforcement
	convert      bool
	convertSet   string
	convertTo    string
	to           *Name
	unversion    bool
	partitioning []int // places in the text where clauses about partitions begin
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
	if old == nil {
		if ifExists {
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

// clause reads one clause of an ALTER TABLE.
func (r *reader) clause(t *Table, a *alteration) {
	at := r.here()
	switch {
	case r.is("add", "partition"), r.is("drop", "partition"), r.is("partition", "by"), r.is("remove", "partitioning"), r.is("coalesce", "partition"),
		r.is("reorganize", "partition"), r.is("truncate", "partition"), r.is("exchange", "partition"), r.is("rebuild", "partition"), r.is("optimize", "partition"),
		r.is("analyze", "partition"), r.is("check", "partition"), r.is("repair", "partition"), r.is("import", "partition"), r.is("discard", "partition"),
		r.is("convert", "partition"), r.is("convert", "table"), r.is("rename", "partition"):
		r.alterPartitions(t)
	case r.take("add"):
		r.addClause(t, a, at)
	case r.take("drop"):
		r.dropClause(t, a)
	case r.take("modify"):
		r.take("column")
		absent := r.take("if", "exists")
		c := r.readColumn()
		c.old, c.oldAt, c.absent = c.column.Name, c.said.at, absent
		r.place(c)
		a.change(r, t, c)
	case r.take("change"):
		r.take("column")
		absent := r.take("if", "exists")
		from := r.here()
		old := r.ident()
		c := r.readColumn()
		c.old, c.oldAt, c.absent = old, from, absent
		r.place(c)
		a.change(r, t, c)
	case r.take("alter"):
		r.alterClause(t, a)
	case r.take("rename"):
		r.renameClause(t, a)
	case r.take("convert", "to"):
		r.convertClause(a)
	case r.take("order", "by"):
		for r.err == nil {
			r.ident()
			r.takeAny("asc", "desc")
			if !r.is(",") || r.peek(1).kind == tokenWord && r.isClause(r.peek(1).text) {
				break
			}
			r.next()
		}
	case r.take("algorithm"), r.take("lock"):
		r.take("=")
		r.word()
	case r.take("force"), r.take("enable", "keys"), r.take("disable", "keys"), r.take("discard", "tablespace"), r.take("import", "tablespace"),
		r.take("with", "validation"), r.take("without", "validation"), r.take("secondary_load"), r.take("secondary_unload"):
	case r.is("wait"), r.is("nowait"):
		r.wait()
	default:
		if !r.option(&a.options) {
			r.fail(at, schema.KindUnsupported, "%s is a clause of ALTER TABLE that is not understood; write it in another way, or report it", excerpt(r.src[at.off:]))
			return
		}
		r.options(&a.options)
		if r.i > 0 && r.list[r.i-1].text == "," {
			r.i--
		}
	}
}

func (r *reader) isClause(word string) bool {
	switch strings.ToLower(word) {
	case "add", "drop", "modify", "change", "alter", "rename", "convert", "algorithm", "lock", "force", "engine", "comment":
		return true
	}
	return false
}

// place reads FIRST or AFTER.
func (r *reader) place(c *columnDef) {
	switch {
	case r.take("first"):
		c.first = true
	case r.take("after"):
		c.afterAt = r.here()
		c.after = r.ident()
	}
}

// change notes MODIFY or CHANGE.
func (a *alteration) change(r *reader, t *Table, c *columnDef) {
	if t.Column(c.old) == nil {
		if !c.absent {
			r.fail(c.oldAt, schema.KindSchema, "table %s has no column %s to change; add it, or name one that it has", t.Name, c.old)
		}
		return
	}
	key := columnKey(c.old)
	if a.changes[key] != nil {
		r.fail(c.oldAt, schema.KindSchema, "column %s is changed twice in one ALTER TABLE; say it once", c.old)
		return
	}
	a.changes[key] = c
	if c.column.Name != c.old {
		a.renames[key] = c.column.Name
	}
	a.columns = append(a.columns, c)
	if c.first || c.after != "" {
		a.moved = append(a.moved, c)
	}
	r.columnItems(&a.tableDef, c)
}

// addClause reads what follows ADD.
func (r *reader) addClause(t *Table, a *alteration, at token) {
	switch {
	case r.take("system", "versioning"):
		a.options.versioning = "add"
		return
	case r.take("period"):
		r.fail(at, schema.KindUnsupported, "ADD PERIOD is not understood; declare the period with the table")
		return
	case r.take("column"):
	case r.isQuotedColumn():
	case r.is("constraint"), r.is("foreign", "key"), r.is("check", "("), r.isKeyWord():
		r.item(&a.tableDef)
		return
	}
	absent := r.take("if", "not", "exists")
	if r.take("(") {
		for r.err == nil {
			switch {
			case r.here().kind == tokenWord && (r.is("constraint") || r.is("foreign", "key") || r.is("check", "(") || r.isKeyWord()):
				r.item(&a.tableDef)
			default:
				a.add(r, t, r.readColumn(), absent)
			}
			if !r.take(",") {
				break
			}
		}
		r.want(")")
		return
	}
	c := r.readColumn()
	r.place(c)
	a.add(r, t, c, absent)
}

func (r *reader) isQuotedColumn() bool { return r.here().kind == tokenQuoted }

func (a *alteration) add(r *reader, t *Table, c *columnDef, absent bool) {
	if absent && t.Column(c.column.Name) != nil && !a.dropColumns[columnKey(c.column.Name)] {
		return
	}
	a.columns = append(a.columns, c)
	a.moved = append(a.moved, c)
	r.columnItems(&a.tableDef, c)
}

// dropClause reads what follows DROP.
func (r *reader) dropClause(t *Table, a *alteration) {
	at := r.here()
	ifExists := func() bool { return r.take("if", "exists") }
	switch {
	case at.kind == tokenQuoted:
	case r.take("primary", "key"):
		if t.Key("PRIMARY") == nil {
			r.fail(at, schema.KindSchema, "table %s has no primary key to drop", t.Name)
		}
		a.dropKeys = append(a.dropKeys, "PRIMARY")
		return
	case r.take("foreign", "key"):
		quiet := ifExists()
		at = r.here()
		name := r.ident()
		if f := t.ForeignKey(name); f != nil {
			a.dropForeign = append(a.dropForeign, f.Name)
		} else if !quiet {
			r.fail(at, schema.KindSchema, "table %s has no foreign key %s to drop", t.Name, name)
		}
		return
	case (r.is("key") || r.is("index")) && (r.peek(1).kind == tokenQuoted || r.peek(1).kind == tokenWord):
		r.next()
		quiet := ifExists()
		at = r.here()
		name := r.ident()
		if k := t.Key(name); k != nil {
			a.dropKeys = append(a.dropKeys, k.Name)
		} else if !quiet {
			r.fail(at, schema.KindSchema, "table %s has no key %s to drop", t.Name, name)
		}
		return
	case (r.is("check") || r.is("constraint")) && (r.peek(1).kind == tokenQuoted || r.peek(1).kind == tokenWord):
		only := r.next().text
		quiet := ifExists()
		at = r.here()
		a.dropConstraint(r, t, at, r.ident(), strings.EqualFold(only, "check"), quiet)
		return
	case r.take("system", "versioning"):
		a.unversion = true
		return
	case r.take("period"):
		r.fail(at, schema.KindUnsupported, "DROP PERIOD is not understood; declare the table without it")
		return
	}
	r.take("column")
	quiet := ifExists()
	at = r.here()
	name := r.ident()
	r.takeAny("restrict", "cascade")
	switch {
	case t.Column(name) != nil:
		a.dropColumns[columnKey(name)] = true
	case !quiet:
		r.fail(at, schema.KindSchema, "table %s has no column %s to drop", t.Name, name)
	}
}

// dropConstraint notes DROP CONSTRAINT, which may mean a check, a foreign key or a key.
func (a *alteration) dropConstraint(r *reader, t *Table, at token, name string, only, quiet bool) {
	switch {
	case t.Check(name) != nil:
		a.dropChecks = append(a.dropChecks, name)
	case !only && t.ForeignKey(name) != nil:
		a.dropForeign = append(a.dropForeign, name)
	case !only && t.Key(name) != nil:
		a.dropKeys = append(a.dropKeys, name)
	case !quiet:
		r.fail(at, schema.KindSchema, "table %s has no constraint %s to drop", t.Name, name)
	}
}

// alterClause reads what follows ALTER inside of an ALTER TABLE.
func (r *reader) alterClause(t *Table, a *alteration) {
	at := r.here()
	switch {
	case at.kind == tokenQuoted:
	case (r.is("index") || r.is("key")) && r.peek(1).kind != tokenOp && !strings.EqualFold(r.peek(1).text, "set") && !strings.EqualFold(r.peek(1).text, "drop"):
		r.next()
		quiet := r.take("if", "exists")
		at = r.here()
		name := r.ident()
		hidden := false
		switch {
		case r.take("invisible"), r.take("ignored"):
			hidden = true
		case r.take("visible"), r.take("not", "ignored"):
		default:
			r.failSyntax("VISIBLE or INVISIBLE")
		}
		if t.Key(name) == nil && !quiet {
			r.fail(at, schema.KindSchema, "table %s has no key %s", t.Name, name)
		}
		a.after = append(a.after, func(t *Table) {
			if k := t.Key(name); k != nil {
				k.Invisible = hidden
			}
		})
		return
	case r.is("check") || r.is("constraint"):
		r.next()
		at = r.here()
		name := r.ident()
		off := r.take("not")
		r.want("enforced")
		if t.Check(name) == nil {
			r.fail(at, schema.KindSchema, "table %s has no check %s", t.Name, name)
		}
		a.after = append(a.after, func(t *Table) {
			if k := t.Check(name); k != nil {
				k.NotEnforced = off
			}
		})
		return
	}
	r.take("column")
	quiet := r.take("if", "exists")
	at = r.here()
	name := r.ident()
	c := t.Column(name)
	if c == nil && !quiet {
		r.fail(at, schema.KindSchema, "table %s has no column %s", t.Name, name)
		return
	}
	r.alterColumn(a, c, at)
}

// alterColumn reads SET DEFAULT, DROP DEFAULT or a visibility.
func (r *reader) alterColumn(a *alteration, c *Column, at token) {
	switch {
	case r.take("drop", "default"):
		if c != nil {
			a.defaults = append(a.defaults, func(t *Table) { t.Column(c.Name).Default = nil })
		}
	case r.take("set", "invisible"), r.take("set", "visible"):
		hidden := strings.EqualFold(r.list[r.i-1].text, "invisible")
		if c != nil {
			a.defaults = append(a.defaults, func(t *Table) { t.Column(c.Name).Invisible = hidden })
		}
	case r.take("set", "default"):
		if c == nil {
			c = &Column{}
		}
		d := &columnDef{column: &Column{Name: c.Name, Type: c.Type, NotNull: c.NotNull}, said: said{at: at}}
		r.readDefault(d)
		if r.err == nil && c.Name != "" {
			r.checkColumn(d)
			switch {
			case d.literal != nil:
				r.settleLiteral(d)
			case d.column.Default.Null && c.NotNull:
				r.nullDefault(d)
			case d.column.Default.Now != "":
				d.column.Default.Now = r.precision(d, d.column.Default.Now)
			}
			a.defaults = append(a.defaults, func(t *Table) { t.Column(c.Name).Default = d.column.Default })
		}
	default:
		r.failSyntax("SET DEFAULT or DROP DEFAULT")
	}
}

// renameClause reads what follows RENAME.
func (r *reader) renameClause(t *Table, a *alteration) {
	at := r.here()
	switch {
	case r.is("column") && (r.peek(1).kind == tokenQuoted || r.peek(1).kind == tokenWord):
		r.next()
		quiet := r.take("if", "exists")
		at = r.here()
		from := r.ident()
		r.want("to")
		to := r.ident()
		switch {
		case t.Column(from) != nil:
			a.renames[columnKey(from)] = to
		case !quiet:
			r.fail(at, schema.KindSchema, "table %s has no column %s to rename", t.Name, from)
		}
		if !r.c.reads.MySQL(8, 0, 0) && !r.c.Server.MariaDB {
			r.fail(at, schema.KindSchema, "%s has no RENAME COLUMN; use CHANGE with the whole definition", r.c.Server)
		}
	case (r.is("index") || r.is("key")) && (r.peek(1).kind == tokenQuoted || r.peek(1).kind == tokenWord):
		r.next()
		quiet := r.take("if", "exists")
		at = r.here()
		from := r.ident()
		r.want("to")
		to := r.ident()
		switch {
		case t.Key(from) != nil:
			a.renameKeys = append(a.renameKeys, [2]string{from, to})
		case !quiet:
			r.fail(at, schema.KindSchema, "table %s has no key %s to rename", t.Name, from)
		}
	default:
		_ = r.take("to") || r.take("as") || r.take("=")
		n := r.name()
		a.to = &n
	}
}

// convertClause reads CONVERT TO CHARACTER SET.
func (r *reader) convertClause(a *alteration) {
	at := r.here()
	if !r.take("character", "set") && !r.take("charset") {
		r.failSyntax("CHARACTER SET")
		return
	}
	a.convert = true
	set := r.charsetWord()
	if r.take("collate") {
		a.convertTo = r.collationWord()
	}
	a.convertSet, a.options.at = set, at
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

// changeColumns takes columns away, changes, adds and moves them.
func (r *reader) changeColumns(old, t *Table, a *alteration) {
	var left []*Column
	first := !slices.ContainsFunc(t.Columns, func(c *Column) bool { return c.Type.Base == "timestamp" })
	dropped := map[string]bool{}
	for _, c := range t.Columns {
		key := columnKey(c.Name)
		d := a.changes[key]
		switch {
		case a.dropColumns[key]:
			dropped[key] = true
		case d != nil:
			r.settleColumn(d, t, first)
			r.refuseType(t, c, d.column)
			r.refuseGenerated(t, c, d)
			t.Checks = slices.DeleteFunc(t.Checks, func(k *Check) bool { return k.Column != "" && strings.EqualFold(k.Column, c.Name) })
			left = append(left, d.column) // at its old place until its turn to be moved comes
		default:
			if to, ok := a.renames[key]; ok {
				c.Name = to
			}
			left = append(left, c)
		}
	}
	for _, d := range a.moved {
		if a.changes[columnKey(d.old)] != d {
			r.settleColumn(d, t, first)
			if d.column.Type.Base == "timestamp" {
				first = false
			}
			if slices.ContainsFunc(left, func(c *Column) bool { return strings.EqualFold(c.Name, d.column.Name) }) {
				r.fail(d.said.at, schema.KindSchema, "table %s has a column %s already; give the new one another name", t.Name, d.column.Name)
				return
			}
		}
		left = r.insert(t, slices.DeleteFunc(left, func(c *Column) bool { return c == d.column }), d)
	}
	seen := map[string]bool{}
	for _, c := range left {
		if seen[columnKey(c.Name)] && r.err == nil {
			r.fail(r.list[0], schema.KindSchema, "table %s gets two columns %s; give one of them another name", t.Name, c.Name)
		}
		seen[columnKey(c.Name)] = true
	}
	t.Columns = left
	if len(left) == 0 {
		r.fail(r.list[0], schema.KindSchema, "no column of table %s is left; drop the table", t.Name)
	}
	for key := range dropped {
		if seen[key] { // dropped and added in one statement: keys stay on the new one
			delete(dropped, key)
		}
	}
	r.dropFromTable(t, dropped)
	fresh := map[*Column]bool{} // these are written with the new names
	for _, d := range a.columns {
		fresh[d.column] = true
	}
	t.renameColumns(a.renames, fresh)
}

// insert puts a column in its place.
func (r *reader) insert(t *Table, list []*Column, d *columnDef) []*Column {
	switch {
	case d.first:
		return slices.Insert(list, 0, d.column)
	case d.after != "":
		i := slices.IndexFunc(list, func(c *Column) bool { return strings.EqualFold(c.Name, d.after) })
		if i < 0 {
			r.fail(d.afterAt, schema.KindSchema, "table %s has no column %s to put %s behind", t.Name, d.after, d.column.Name)
			return list
		}
		return slices.Insert(list, i+1, d.column)
	}
	return append(list, d.column)
}

// refuseType refuses another type of a column that a foreign key uses, on either side.
func (r *reader) refuseType(t *Table, from, to *Column) {
	if r.c.session.unchecked || r.err != nil || sameForForeignKey(from.Type, to.Type) {
		return
	}
	if f, of := r.c.foreignKeyOf(t, from.Name); f != nil {
		r.fail(r.list[0], schema.KindSchema, "column %s of table %s cannot become %s while the foreign key %s of table %s uses it; drop that first, and add it again", from.Name, t.Name, to.Type.full(), f.Name, of.Name)
	}
}

// refuseGenerated refuses what neither server does in place: a virtual column becomes no other, and no other becomes one ("ALTER TABLE and
// Generated Columns", MySQL's manual).
func (r *reader) refuseGenerated(t *Table, from *Column, to *columnDef) {
	kind := func(c *Column) string {
		switch {
		case c.Generated == nil:
			return "plain"
		case c.Generated.Stored:
			return "stored"
		}
		return "virtual"
	}
	was, is := kind(from), kind(to.column)
	if was != is && (was == "virtual" || is == "virtual") {
		r.fail(to.said.at, schema.KindSchema, "column %s of table %s is %s and cannot become %s; drop it, and add it again", from.Name, t.Name, was, is)
	}
	if to.refs != nil && r.c.Server.MariaDB {
		r.fail(to.said.at, schema.KindSyntax, "MariaDB takes no REFERENCES in MODIFY or CHANGE; write ADD FOREIGN KEY")
	}
}

// sameForForeignKey tells whether a column may change its type under a foreign key: not at all, but for a longer text that is stored alike.
func sameForForeignKey(a, b Type) bool {
	if a.Charset != b.Charset || a.Collation != b.Collation || a.Base != b.Base || a.Unsigned != b.Unsigned {
		return false
	}
	if a.Base == "varchar" || a.Base == "varbinary" {
		return b.Length >= a.Length
	}
	return a.full() == b.full()
}

// foreignKeyOf finds a foreign key that uses a column, on either side.
func (c *Catalog) foreignKeyOf(t *Table, column string) (*ForeignKey, *Table) {
	has := func(list []string) bool {
		return slices.ContainsFunc(list, func(s string) bool { return strings.EqualFold(s, column) })
	}
	for _, f := range t.ForeignKeys {
		if has(f.Columns) {
			return f, t
		}
	}
	for _, key := range sorted(c.Tables) {
		for _, f := range c.Tables[key].ForeignKeys {
			if f.Ref == t.Name && has(f.RefColumns) {
				return f, c.Tables[key]
			}
		}
	}
	return nil, nil
}

// dropFromTable takes columns out of keys, and refuses where something needs them.
func (r *reader) dropFromTable(t *Table, dropped map[string]bool) {
	for _, key := range sorted(dropped) {
		if r.err != nil {
			return
		}
		if f, of := r.c.foreignKeyOf(t, key); f != nil {
			r.fail(r.list[0], schema.KindSchema, "column %s of table %s cannot go while the foreign key %s of table %s uses it; drop that first", key, t.Name, f.Name, of.Name)
			return
		}
		var keys []*Key
		for _, k := range t.Keys {
			before := len(k.Parts)
			for _, p := range k.Parts {
				if p.Expr != nil && slices.Contains(p.Expr.Columns, key) {
					r.fail(r.list[0], schema.KindSchema, "column %s of table %s cannot go while the key %s is computed from it; drop that first", key, t.Name, k.Name)
				}
			}
			k.Parts = slices.DeleteFunc(k.Parts, func(p KeyPart) bool { return strings.EqualFold(p.Column, key) })
			if r.c.Server.MariaDB && before > 1 && len(k.Parts) < before && len(k.Parts) > 0 && (k.Kind == Unique || k.Kind == Primary) {
				r.fail(r.list[0], schema.KindSchema, "column %s of table %s cannot go while the unique key %s has other columns too; drop that first", key, t.Name, k.Name)
			}
			if len(k.Parts) > 0 {
				if len(k.Parts) < before {
					k.Text = ""
				}
				keys = append(keys, k)
			}
		}
		t.Keys = keys
		t.Checks = slices.DeleteFunc(t.Checks, func(k *Check) bool {
			return strings.EqualFold(k.Column, key) && k.Column != "" || len(k.Expr.Columns) == 1 && k.Expr.Columns[0] == key
		})
	}
}

// convertColumns gives every text column another character set. One whose characters become wider gets a type that holds as many
// ("ALTER TABLE Statement", MySQL's manual).
func (r *reader) convertColumns(t *Table, a *alteration) {
	for _, c := range t.Columns {
		if !isText(c.Type.Base) || c.Generated != nil && c.Type.Charset == "" {
			continue
		}
		if f, of := r.c.foreignKeyOf(t, c.Name); f != nil && c.Type.Collation != t.Collation && !r.c.session.unchecked {
			r.fail(a.options.at, schema.KindSchema, "column %s of table %s cannot be converted while the foreign key %s of table %s uses it; drop that first, and add it again", c.Name, t.Name, f.Name, of.Name)
			return
		}
		before, after := max(1, charsets[c.Type.Charset].most), max(1, charsets[t.Charset].most)
		c.Type.Charset, c.Type.Collation = t.Charset, t.Collation
		if t.Charset == "binary" {
			c.Type.Collation = "binary"
			if b, ok := binaryOf[c.Type.Base]; ok {
				c.Type = Type{Base: b, Length: c.Type.Length, Decimals: -1}
				if c.Type.Length > 0 {
					c.Type.Length *= before
				}
			}
			continue
		}
		if next, ok := map[string]string{"tinytext": "text", "text": "mediumtext", "mediumtext": "longtext"}[c.Type.Base]; ok && after > before {
			c.Type.Base = next
		}
		c.Text = ""
	}
}

// resettleKeys works out the prefixes of keys anew where their columns have other types now: one that is no longer shorter than the column goes.
func (r *reader) resettleKeys(old, t *Table) {
	for _, k := range t.Keys {
		for i := range k.Parts {
			p := &k.Parts[i]
			c := t.Column(p.Column)
			if p.Expr != nil || c == nil || r.err != nil {
				continue
			}
			if was := old.Column(p.Column); was != nil && was.Type.full() == c.Type.full() && old.Engine == t.Engine {
				continue
			}
			if !isText(c.Type.Base) && !c.Type.Binary() || c.Type.Members != nil || c.Type.Length >= 0 && p.Prefix >= c.Type.Length {
				p.Prefix = 0
			}
			before := p.Prefix
			if k.Kind == Unique && k.hashed {
				k.Using, k.hashed = "", false
			}
			r.settlePart(t, k, p, c)
			if before != p.Prefix {
				k.Text = ""
			}
		}
	}
}

// renameKeys gives keys other names.
func (r *reader) renameKeys(t *Table, a *alteration) {
	for _, pair := range a.renameKeys {
		k := t.Key(pair[0])
		switch {
		case k == nil:
		case k.Kind == Primary || strings.EqualFold(pair[1], "PRIMARY"):
			r.fail(r.list[0], schema.KindSchema, "a primary key is called PRIMARY, and no other key is; it cannot be renamed")
		case t.Key(pair[1]) != nil && t.Key(pair[1]) != k:
			r.fail(r.list[0], schema.KindSchema, "table %s has a key %s already", t.Name, pair[1])
		default:
			k.Name, k.Given, k.Text = pair[1], true, ""
		}
	}
}

// keysNeeded refuses that a key is gone which a foreign key needs, on either side.
func (r *reader) keysNeeded(at token, t *Table, renames map[string]string) {
	if r.c.session.unchecked {
		return
	}
	for _, f := range t.ForeignKeys {
		if !slices.ContainsFunc(t.Keys, func(k *Key) bool { return k.serves(f.Columns) }) {
			r.fail(at, schema.KindSchema, "the foreign key %s of table %s needs a key that begins with (%s); add another before this one goes", f.Name, t.Name, strings.Join(f.Columns, ", "))
		}
	}
	for _, key := range sorted(r.c.Tables) {
		for _, f := range r.c.Tables[key].ForeignKeys {
			if f.Ref != t.Name || len(f.RefColumns) == 0 {
				continue
			}
			now := slices.Clone(f.RefColumns)
			for i, n := range now {
				if to, ok := renames[columnKey(n)]; ok {
					now[i] = to
				}
			}
			if !slices.ContainsFunc(t.Keys, func(k *Key) bool { return k.serves(now) }) && slices.ContainsFunc(r.c.Tables[t.Name.Key()].Keys, func(k *Key) bool { return k.serves(f.RefColumns) }) {
				r.fail(at, schema.KindSchema, "the foreign key %s of table %s needs a key of %s that begins with (%s); add another before this one goes", f.Name, key, t.Name, strings.Join(f.RefColumns, ", "))
			}
		}
	}
}

// createIndex runs CREATE INDEX.
func (r *reader) createIndex() error {
	at := r.here()
	r.want("create")
	replace := r.take("or", "replace")
	_ = r.take("online") || r.take("offline")
	k := &Key{Kind: Plain, Pos: r.pos(at.off), Given: true}
	switch {
	case r.take("unique"):
		k.Kind = Unique
	case r.take("fulltext"):
		k.Kind = Fulltext
	case r.take("spatial"):
		k.Kind = Spatial
	case r.take("vector"):
		k.option("VECTOR", "YES")
	}
	r.want("index")
	absent := r.take("if", "not", "exists")
	k.Name = r.ident()
	r.using(k)
	r.want("on")
	tableAt := r.here()
	name := r.name()
	parts := r.here().off
	r.wait()
	r.keyParts(k)
	r.keyOptions(k)
	rest := r.since(parts)
	for r.take("algorithm") || r.take("lock") {
		r.take("=")
		r.word()
	}
	r.keyOptions(k)
	r.wait()
	r.end()
	if r.err != nil {
		return r.err
	}
	k.Text = map[KeyKind]string{Plain: "KEY ", Unique: "UNIQUE KEY ", Fulltext: "FULLTEXT KEY ", Spatial: "SPATIAL KEY "}[k.Kind] + Quote(k.Name) + " " + rest
	old := r.c.Tables[name.Key()]
	if old == nil {
		return r.missing(tableAt, "the index %s is on table %s, which is not there; declare it first", k.Name, name)
	}
	if old.Key(k.Name) != nil && absent {
		return nil
	}
	t := old.clone()
	if replace {
		t.Keys = slices.DeleteFunc(t.Keys, func(o *Key) bool { return strings.EqualFold(o.Name, k.Name) })
	}
	r.addKey(t, k)
	r.settleTable(t)
	if r.err == nil {
		r.c.Tables[name.Key()] = t
	}
	return r.err
}

// dropIndex runs DROP INDEX.
func (r *reader) dropIndex() error {
	at := r.here()
	r.want("drop")
	_ = r.take("online")
	r.want("index")
	quiet := r.take("if", "exists")
	keyAt := r.here()
	key := r.ident()
	r.want("on")
	tableAt := r.here()
	name := r.name()
	r.wait()
	for r.take("algorithm") || r.take("lock") {
		r.take("=")
		r.word()
	}
	r.end()
	if r.err != nil {
		return r.err
	}
	old := r.c.Tables[name.Key()]
	if old == nil {
		return r.missing(tableAt, "the index %s is on table %s, which is not there", key, name)
	}
	if old.Key(key) == nil {
		if quiet {
			return nil
		}
		return r.missing(keyAt, "table %s has no key %s to drop", name, key)
	}
	t := old.clone()
	t.Keys = slices.DeleteFunc(t.Keys, func(k *Key) bool { return strings.EqualFold(k.Name, key) })
	r.settleTable(t)
	if r.err == nil {
		r.keysNeeded(at, t, nil)
	}
	if r.err == nil {
		r.c.Tables[name.Key()] = t
	}
	return r.err
}

// missing is the error of a statement that names something that is not there yet.
func (r *reader) missing(at token, format string, args ...any) error {
	return waiting{&schema.Error{Pos: r.pos(at.off), Path: r.path, Kind: schema.KindSchema, Text: fmt.Sprintf(format, args...)}}
}

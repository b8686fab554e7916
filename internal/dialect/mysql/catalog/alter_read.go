package catalog

import (
	"strings"

	"github.com/altergate/altergate/internal/schema"
)

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
		} else {
			r.idle(c.oldAt, false, "table "+t.Name.String()+" has no column "+c.old)
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
		r.idlePart("column", t, c.column.Name, r.otherColumn(t, c))
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
		} else {
			r.idle(at, true, "table "+t.Name.String()+" has no foreign key "+name)
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
		} else {
			r.idle(at, true, "table "+t.Name.String()+" has no key "+name)
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
	case a.dropColumns[columnKey(name)]:
		r.fail(at, schema.KindSchema, "column %s of table %s is dropped twice in one ALTER TABLE; say it once", name, t.Name)
	case t.Column(name) != nil:
		a.dropColumns[columnKey(name)] = true
	case !quiet:
		r.fail(at, schema.KindSchema, "table %s has no column %s to drop", t.Name, name)
	default:
		r.idle(at, true, "table "+t.Name.String()+" has no column "+name)
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
	default:
		r.idle(at, true, "table "+t.Name.String()+" has no constraint "+name)
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
			switch {
			case c.Generated == nil && !c.AutoIncrement:
				a.defaults = append(a.defaults, func(t *Table) { t.Column(c.Name).Default = d.column.Default })
			case !r.c.Server.MariaDB: // MariaDB takes it and forgets it
				r.fail(at, schema.KindSchema, "column %s is generated or AUTO_INCREMENT and has no default to set", c.Name)
			}
		}
	default:
		r.failSyntax("SET DEFAULT or DROP DEFAULT")
	}
}

// renameClause reads what follows RENAME.
func (r *reader) renameClause(t *Table, a *alteration) {
	switch {
	case r.is("column") && (r.peek(1).kind == tokenQuoted || r.peek(1).kind == tokenWord):
		r.next()
		quiet := r.take("if", "exists")
		at := r.here()
		from := r.ident()
		r.want("to")
		toAt := r.here()
		to := r.ident()
		r.wantName(toAt, "column", to)
		switch {
		case t.Column(from) != nil:
			a.renames[columnKey(from)] = to
		case !quiet:
			r.fail(at, schema.KindSchema, "table %s has no column %s to rename", t.Name, from)
		default:
			r.idle(at, false, "table "+t.Name.String()+" has no column "+from)
		}
		if !r.c.reads.MySQL(8, 0, 0) && !r.c.Server.MariaDB {
			r.fail(at, schema.KindSchema, "%s has no RENAME COLUMN; use CHANGE with the whole definition", r.c.Server)
		}
	case (r.is("index") || r.is("key")) && (r.peek(1).kind == tokenQuoted || r.peek(1).kind == tokenWord):
		r.next()
		quiet := r.take("if", "exists")
		at := r.here()
		from := r.ident()
		r.want("to")
		toAt := r.here()
		to := r.ident()
		r.wantName(toAt, "key", to)
		switch {
		case t.Key(from) != nil:
			a.renameKeys = append(a.renameKeys, [2]string{from, to})
		case !quiet:
			r.fail(at, schema.KindSchema, "table %s has no key %s to rename", t.Name, from)
		default:
			r.idle(at, false, "table "+t.Name.String()+" has no key "+from)
		}
	default:
		_ = r.take("to") || r.take("as") || r.take("=")
		toAt := r.here()
		n := r.name()
		r.wantName(toAt, "table", n.Name)
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

package catalog

import (
	"github.com/altergate/altergate/internal/dialect/mysql/script"
	"github.com/altergate/altergate/internal/schema"
)

// createDatabase runs CREATE and ALTER DATABASE.
func (r *reader) createDatabase(s *script.Statement) error {
	create := s.Kind == script.CreateDatabase
	at := r.here()
	replace := false
	r.next()
	if create {
		replace = r.take("or", "replace")
	}
	if r.takeAny("database", "schema") == "" {
		r.failSyntax("DATABASE")
	}
	quiet := r.take("if", "not", "exists")
	name := r.c.current
	if r.isName() && !r.is("default") && !r.is("character") && !r.is("charset") && !r.is("collate") || r.here().kind == tokenQuoted {
		nameAt := r.here()
		name = r.ident()
		r.wantName(nameAt, "database", name)
	}
	set, collation := "", ""
	var comment, encryption *string
	for r.err == nil && !r.done() {
		r.take("default")
		switch {
		case r.take("character", "set"), r.take("charset"):
			r.take("=")
			set = r.charsetWord()
		case r.take("collate"):
			r.take("=")
			collation = r.collationWord()
		case r.take("comment"):
			r.take("=")
			text := r.text()
			comment = &text
		case r.take("encryption"):
			r.take("=")
			text := r.optionValue("ENCRYPTION")
			encryption = &text
		default:
			r.end()
		}
	}
	if r.err != nil {
		return r.err
	}
	d := r.c.Databases[name]
	switch {
	case create && d != nil && d.Made && quiet:
		r.idle(at, false, "database "+name+" is there already")
		return nil
	case create && d != nil && d.Made && !replace:
		r.fail(at, schema.KindSchema, "the database %s is there already; drop it first, or say IF NOT EXISTS", name)
		return r.err
	case d != nil:
		e := *d
		d = &e
	default:
		r.c.database(name)
		e := *r.c.Databases[name]
		d = &e
	}
	if comment != nil {
		d.Comment = *comment
	}
	if encryption != nil {
		d.Encryption = *encryption
	}
	if set != "" || collation != "" {
		var ok bool
		d.Charset, d.Collation, ok = r.c.settleCharset(set, collation, d.Charset, d.Collation)
		d.stated = true
		if !ok {
			r.fail(at, schema.KindSchema, "the collation %s is none of the character set %s; name one that is", collation, set)
			return r.err
		}
	}
	switch {
	case create:
		d.Made, d.Text = true, s.SQL
	case d.Made:
		d.Text = "CREATE DATABASE " + Quote(name) + " " + d.Options(&Database{})
	}
	r.c.Databases[name] = d
	return nil
}

// Stated tells whether a statement says something of a database that it does not make.
func (d *Database) Stated() bool {
	return !d.Made && (d.stated || d.Comment != "" || d.Encryption != "")
}

// Options writes what makes a database of another one.
func (d *Database) Options(from *Database) string {
	text := "CHARACTER SET " + d.Charset + " COLLATE " + d.Collation
	if d.Comment != from.Comment {
		text += " COMMENT " + quoteText(d.Comment)
	}
	if d.Encryption != from.Encryption {
		text += " ENCRYPTION " + quoteText(orElse(d.Encryption, "N"))
	}
	return text
}

// Canon is what a database gives to new tables, and what is said of it.
func (d *Database) Canon() string {
	text := "charset " + d.Charset + " collation " + d.Collation
	if d.Comment != "" {
		text += " comment " + quoteText(d.Comment)
	}
	if d.Encryption != "" {
		text += " encryption " + d.Encryption
	}
	return text
}

// DatabaseOf gives a database as it is, or as it would be if it were made now.
func (c *Catalog) DatabaseOf(key string) *Database {
	if d := c.Databases[key]; d != nil {
		return d
	}
	d := &Database{Name: key}
	d.Charset, d.Collation = c.DefaultCharset()
	return d
}

// dropDatabase runs DROP DATABASE, which takes everything in it along.
func (r *reader) dropDatabase() error {
	r.next()
	r.next()
	r.take("if", "exists")
	name := r.ident()
	r.end()
	if r.err != nil {
		return r.err
	}
	c := r.c
	delete(c.Databases, name)
	for _, key := range sorted(c.Tables) {
		if c.Tables[key].Name.Database == name {
			c.dropTable(key)
		}
	}
	for key, x := range c.Views {
		if x.Name.Database == name {
			delete(c.Views, key)
		}
	}
	for key, x := range c.Routines {
		if x.Name.Database == name {
			delete(c.Routines, key)
		}
	}
	for key, x := range c.Events {
		if x.Name.Database == name {
			delete(c.Events, key)
		}
	}
	for key, x := range c.Sequences {
		if x.Name.Database == name {
			delete(c.Sequences, key)
		}
	}
	return nil
}

// dropTable takes a table away, with its triggers.
func (c *Catalog) dropTable(key string) {
	t := c.Tables[key]
	delete(c.Tables, key)
	for k, g := range c.Triggers {
		if g.Table == t.Name {
			delete(c.Triggers, k)
		}
	}
}

// dropTables runs DROP TABLE.
func (r *reader) dropTables() error {
	r.want("drop")
	if r.take("temporary") {
		return passedOver("DROP TEMPORARY TABLE")
	}
	_ = r.take("table") || r.take("tables")
	quiet := r.take("if", "exists")
	type named struct {
		at   token
		name Name
	}
	var list []named
	for r.err == nil {
		at := r.here()
		list = append(list, named{at, r.name()})
		if !r.take(",") {
			break
		}
	}
	r.wait()
	r.takeAny("restrict", "cascade")
	r.end()
	if r.err != nil {
		return r.err
	}
	going := map[Name]bool{}
	for _, n := range list {
		going[n.name] = true
	}
	for _, n := range list {
		t := r.c.Tables[n.name.Key()]
		switch {
		case t == nil && quiet:
			r.idle(n.at, true, "table "+n.name.String()+" is not there")
			continue
		case t == nil:
			return r.missing(n.at, "table %s is not there to drop", n.name)
		}
		if !r.c.session.unchecked {
			for _, key := range r.c.referencing(t.Name) {
				o := r.c.Tables[key]
				for _, f := range o.ForeignKeys {
					if f.Ref == t.Name && o != t && !going[o.Name] {
						r.fail(n.at, schema.KindSchema, "table %s cannot go while the foreign key %s of table %s references it; drop that first", t.Name, f.Name, o.Name)
						return r.err
					}
				}
			}
		}
	}
	for _, n := range list {
		if r.c.Tables[n.name.Key()] != nil {
			r.c.dropTable(n.name.Key())
		}
	}
	return nil
}

// truncate runs TRUNCATE TABLE, which changes no definition.
func (r *reader) truncate() error {
	r.want("truncate")
	r.take("table")
	at := r.here()
	name := r.name()
	r.wait()
	r.end()
	if r.err == nil && r.c.Tables[name.Key()] == nil {
		return r.missing(at, "table %s is not there to truncate", name)
	}
	if r.err == nil && !r.c.session.unchecked {
		for _, key := range r.c.referencing(name) {
			if o := r.c.Tables[key]; o.Name != name {
				r.fail(at, schema.KindSchema, "table %s cannot be truncated while a foreign key of table %s references it; drop that first, or use DELETE", name, o.Name)
			}
		}
	}
	return r.err
}

// renameTables runs RENAME TABLE, from left to right.
func (r *reader) renameTables() error {
	r.want("rename")
	_ = r.take("table") || r.take("tables")
	r.take("if", "exists")
	type pair struct {
		at       token
		from, to Name
	}
	var list []pair
	for r.err == nil {
		at := r.here()
		from := r.name()
		r.wait()
		r.want("to")
		toAt := r.here()
		to := r.name()
		r.wantName(toAt, "table", to.Name)
		list = append(list, pair{at, from, to})
		if !r.take(",") {
			break
		}
	}
	r.end()
	if r.err != nil {
		return r.err
	}
	for i, p := range list {
		err := r.renameTo(p.at, p.from, p.to)
		if err != nil && i > 0 && isWaiting(err) {
			r.fail(p.at, schema.KindSchema, "table %s is not there to rename", p.from)
			return r.err
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// renameTo gives a table or a view another name.
func (r *reader) renameTo(at token, from, to Name) error {
	c := r.c
	if from == to {
		return nil
	}
	switch {
	case c.Tables[to.Key()] != nil || c.Views[to.Key()] != nil || c.Sequences[to.Key()] != nil:
		r.fail(at, schema.KindSchema, "%s is there already; rename that first, or drop it", to)
		return r.err
	case c.Tables[from.Key()] != nil:
		c.renameTable(from, to)
		c.deeds.Tables = append(c.deeds.Tables, TableRenamed{from, to})
		return nil
	case c.Views[from.Key()] != nil:
		v := *c.Views[from.Key()]
		v.Name = to
		v.Text = renamed(v.Text, "VIEW", to)
		delete(c.Views, from.Key())
		c.Views[to.Key()] = &v
		return nil
	case c.Sequences[from.Key()] != nil:
		q := *c.Sequences[from.Key()]
		q.Name = to
		q.Text = q.sql()
		delete(c.Sequences, from.Key())
		c.Sequences[to.Key()] = &q
		return nil
	}
	return r.missing(at, "table %s is not there to rename", from)
}

// dropNames reads the names of a DROP.
func (r *reader) dropNames() ([]Name, bool, token) {
	at := r.here()
	quiet := r.take("if", "exists")
	var list []Name
	for r.err == nil {
		at = r.here()
		list = append(list, r.name())
		if !r.take(",") {
			break
		}
	}
	r.takeAny("restrict", "cascade")
	r.end()
	return list, quiet, at
}

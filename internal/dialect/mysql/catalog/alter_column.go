package catalog

import (
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/schema"
)

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
			if _, renamed := a.renames[key]; renamed {
				r.fail(r.list[0], schema.KindSchema, "column %s of table %s is dropped and renamed in one ALTER TABLE; say one of them", c.Name, t.Name)
			}
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
	for _, key := range c.referencing(t.Name) {
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
		if c.Default != nil {
			if lost, found := lacks(t.Charset, c.Default.Literal); found {
				r.fail(a.options.at, schema.KindSchema, "column %s of table %s cannot be converted: its default has the character %q, which %s does not hold; give it another default first", c.Name, t.Name, lost, t.Charset)
				return
			}
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
	for _, key := range r.c.referencing(t.Name) {
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

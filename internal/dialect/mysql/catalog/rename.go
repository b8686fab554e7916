package catalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/schema"
)

// RenameTable gives a table another name, and takes along what the server takes along: the foreign keys that reference it, its triggers, and
// names that were made of its name. Views, routines and the bodies of triggers keep their text, and the old name with it.
func (c *Catalog) RenameTable(from, to Name) error {
	switch {
	case c.Tables[from.Key()] == nil:
		return &schema.Error{Kind: schema.KindHint, Text: fmt.Sprintf("table %s is not there to rename", from)}
	case c.Tables[to.Key()] != nil || c.Views[to.Key()] != nil:
		return &schema.Error{Kind: schema.KindHint, Text: fmt.Sprintf("%s is there already, so that %s cannot get its name", to, from)}
	}
	c.renameTable(from, to)
	return nil
}

func (c *Catalog) renameTable(from, to Name) {
	t := c.Tables[from.Key()].clone()
	t.Name = to
	delete(c.Tables, from.Key())
	c.Tables[to.Key()] = t
	c.folded(to)
	c.touched[to.Key()] = true
	for _, f := range t.ForeignKeys {
		// "RENAME TABLE Statement", MySQL's manual: names that begin with the old name and _ibfk_ follow; so do those of checks.
		if rest, ok := strings.CutPrefix(f.Name, from.Name+"_ibfk_"); ok {
			f.Name = to.Name + "_ibfk_" + rest
		}
	}
	if !c.Server.MariaDB {
		for _, k := range t.Checks {
			if rest, ok := strings.CutPrefix(k.Name, from.Name+"_chk_"); ok {
				k.Name = to.Name + "_chk_" + rest
			}
		}
	}
	for key, o := range c.Tables {
		if !slices.ContainsFunc(o.ForeignKeys, func(f *ForeignKey) bool { return f.Ref == from }) {
			continue
		}
		o = o.clone()
		for _, f := range o.ForeignKeys {
			if f.Ref == from {
				f.Ref = to
				f.Text = ""
			}
		}
		c.Tables[key] = o
	}
	for key, g := range c.Triggers {
		if g.Table == from {
			h := *g
			h.Table = to
			c.Triggers[key] = &h
		}
	}
}

// RenameColumn gives a column another name, and takes along what names it in its own table and in the foreign keys of others: keys, checks,
// generated columns, defaults, partitioning. MySQL refuses some of these while MariaDB follows; the text is the same once both are done.
func (c *Catalog) RenameColumn(table Name, from, to string) error {
	t := c.Tables[table.Key()]
	if t == nil {
		return &schema.Error{Kind: schema.KindHint, Text: fmt.Sprintf("table %s, whose column %s is to be renamed, is not there", table, from)}
	}
	x := t.Column(from)
	if x == nil {
		return &schema.Error{Kind: schema.KindHint, Text: fmt.Sprintf("table %s has no column %s to rename", table, from)}
	}
	if o := t.Column(to); o != nil && o != x {
		return &schema.Error{Kind: schema.KindHint, Text: fmt.Sprintf("table %s has a column %s already, so that %s cannot get its name", table, to, from)}
	}
	c.renameColumns(t, map[string]string{columnKey(from): to})
	return nil
}

// ExchangeColumns gives columns of a table other names at once, so that they may take each other's. The renames are by the keys of the old
// names.
func (c *Catalog) ExchangeColumns(table Name, renames map[string]string) error {
	t := c.Tables[table.Key()]
	if t == nil {
		return &schema.Error{Kind: schema.KindHint, Text: fmt.Sprintf("table %s, whose columns are to be renamed, is not there", table)}
	}
	seen := map[string]bool{}
	for _, x := range t.Columns {
		name := x.Name
		if to, ok := renames[columnKey(name)]; ok {
			name = to
		}
		if seen[columnKey(name)] {
			return &schema.Error{Kind: schema.KindHint, Text: fmt.Sprintf("table %s would have two columns %s", table, name)}
		}
		seen[columnKey(name)] = true
	}
	c.renameColumns(t, renames)
	return nil
}

func (c *Catalog) renameColumns(t *Table, renames map[string]string) {
	t = t.clone()
	for _, x := range t.Columns {
		if to, ok := renames[columnKey(x.Name)]; ok {
			x.Name = to
		}
	}
	t.renameColumns(renames, nil)
	c.Tables[t.Name.Key()] = t
	c.followColumns(t.Name, renames)
}

// Computed names what is computed from a column: a check, a generated column, a default, a key on an expression, the partitioning. MySQL
// renames no such column; empty = nothing is.
func (t *Table) Computed(column string) string { return t.computedFrom(columnKey(column), nil) }

// renameColumns renames columns in everything of the table that names them, but for the columns themselves and the
// expressions of some.
func (t *Table) renameColumns(renames map[string]string, but map[*Column]bool) {
	if len(renames) == 0 {
		return
	}
	swap := func(name string) string {
		if to, ok := renames[columnKey(name)]; ok {
			return to
		}
		return name
	}
	for _, k := range t.Keys {
		for i := range k.Parts {
			p := &k.Parts[i]
			if p.Expr != nil {
				p.Expr = p.Expr.renamed(renames)
			} else if to := swap(p.Column); to != p.Column {
				p.Column, k.Text = to, ""
			}
		}
	}
	for _, f := range t.ForeignKeys {
		for i, n := range f.Columns {
			if to := swap(n); to != n {
				f.Columns[i], f.Text = to, ""
			}
		}
	}
	for _, k := range t.Checks {
		if e := k.Expr.renamed(renames); e != &k.Expr {
			k.Expr, k.Text = *e, ""
		}
		if k.Column != "" {
			k.Column = swap(k.Column)
		}
	}
	for _, c := range t.Columns {
		if but[c] {
			continue
		}
		if c.Generated != nil {
			c.Generated = &Generated{Expr: *c.Generated.Expr.renamed(renames), Stored: c.Generated.Stored}
		}
		if c.Default != nil && c.Default.Expr != nil {
			d := *c.Default
			d.Expr = d.Expr.renamed(renames)
			c.Default = &d
		}
	}
	if t.Versioned != nil {
		v := *t.Versioned
		v.Start, v.End = swap(v.Start), swap(v.End)
		t.Versioned = &v
	}
	t.Partitions = t.Partitions.renamed(renames)
}

// renamed gives the partitioning with columns under other names.
func (p *Partitions) renamed(renames map[string]string) *Partitions {
	if p == nil {
		return nil
	}
	hit := false
	for key := range renames {
		hit = hit || p.names(key)
	}
	if !hit {
		return p
	}
	q := *p
	rewrite := func(text string) string {
		for _, key := range sorted(renames) {
			text = strings.ReplaceAll(text, Quote(key), "\x00"+renames[key]+"\x00")
		}
		for _, to := range renames {
			text = strings.ReplaceAll(text, "\x00"+to+"\x00", Quote(strings.ToLower(to)))
		}
		return text
	}
	q.Method, q.Sub = rewrite(p.Method), rewrite(p.Sub)
	q.columns, q.exprs = nil, nil
	for _, n := range p.columns {
		if to, ok := renames[columnKey(n)]; ok {
			n = to
		}
		q.columns = append(q.columns, n)
	}
	for _, e := range p.exprs {
		q.exprs = append(q.exprs, e.renamed(renames))
	}
	q.Text = ""
	q.settle()
	return &q
}

// followColumns renames columns in the foreign keys that reference a table.
func (c *Catalog) followColumns(table Name, renames map[string]string) {
	if len(renames) == 0 {
		return
	}
	for key, o := range c.Tables {
		if !slices.ContainsFunc(o.ForeignKeys, func(f *ForeignKey) bool { return f.Ref == table }) {
			continue
		}
		o = o.clone()
		for _, f := range o.ForeignKeys {
			for i, n := range f.RefColumns {
				if to, ok := renames[columnKey(n)]; ok && f.Ref == table {
					f.RefColumns[i], f.Text = to, ""
				}
			}
		}
		c.Tables[key] = o
	}
}

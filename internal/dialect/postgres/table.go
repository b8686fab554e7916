package postgres

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/dialect/postgres/bind"
	"github.com/altergate/altergate/internal/dialect/postgres/catalog"
	"github.com/altergate/altergate/internal/schema"
)

// table makes the model of a table. What a partition or a child has from its parent is left out: it comes and goes with the parent's.
func (a *analyst) table(t *catalog.Table) {
	key := t.Name.String()
	id := relationID(key)
	out := &schema.Table{Name: key, Key: key, Text: a.text(t.Origin), Pos: t.Pos()}
	a.Schema.Tables = append(a.Schema.Tables, out)
	a.inSchema(id, t.Name)
	a.parents(id, t)
	for _, c := range t.Columns {
		a.column(out, t, c)
	}
	out.Options = a.options(t)
	for _, k := range t.Constraints {
		a.constraint(out, t, k)
	}
	for _, x := range t.Indexes {
		if x.Inherited && !a.whole[key] {
			continue
		}
		if made := a.indexOf(x, a.tableExpr(t), key); made != nil {
			out.Indexes = append(out.Indexes, made)
		}
	}
	for _, g := range t.Triggers {
		if !g.Inherited || a.whole[key] {
			out.Triggers = append(out.Triggers, a.trigger(key, g))
		}
	}
	a.owner("table", key, key, t.Owner, t.Origin)
}

func (l *Loaded) text(o catalog.Origin) string {
	if o.Statement == nil {
		return ""
	}
	return o.Statement.Text
}

// parents notes what a table hangs on as a whole.
func (a *analyst) parents(id string, t *catalog.Table) {
	for _, p := range t.Inherits {
		a.graph.need(id, relationID(p.String()))
	}
	if t.PartitionOf != nil {
		a.graph.need(id, relationID(t.PartitionOf.String()))
	}
	if t.OfType != nil {
		a.graph.need(id, typeID(t.OfType.String()))
	}
	if t.Server != "" {
		a.graph.want(id, objectID("opaque", "server "+t.Server))
	}
}

// inheritedAsIs tells whether a column is just what the parent has, so that it follows the parent.
func (a *analyst) inheritedAsIs(t *catalog.Table, c *catalog.Column) bool {
	if !c.Inherited || a.whole[t.Name.String()] {
		return false
	}
	parent := a.parentColumn(t, c.Name)
	return parent != nil && sameTree(parent.Default, c.Default) && parent.NotNull == c.NotNull
}

func (a *analyst) parentColumn(t *catalog.Table, name string) *catalog.Column {
	parents := t.Inherits
	if t.PartitionOf != nil {
		parents = append(slices.Clone(parents), *t.PartitionOf)
	}
	for _, p := range parents {
		if pt := a.catalog.Tables[p]; pt != nil {
			for _, c := range pt.Columns {
				if c.Name == name {
					return c
				}
			}
		}
	}
	return nil
}

func sameTree(x, y *catalog.Expr) bool {
	if x == nil || y == nil {
		return x == y
	}
	return x == y || x.Text == y.Text
}

func (a *analyst) column(out *schema.Table, t *catalog.Table, c *catalog.Column) {
	if a.inheritedAsIs(t, c) {
		return
	}
	key := out.Key
	what := fmt.Sprintf("column %s.%s", key, c.Name)
	canon, base, mods, types := a.typeOf(what, c.Type)
	col := &schema.Column{Name: c.Name, Key: c.Name, Type: canon, TypeCanon: canon, NotNull: c.NotNull, Required: c.NotNull, Pos: c.Pos()}
	d := &column{Column: c, base: base, mods: mods, types: types}
	id := columnID(key, c.Name)
	a.graph.need(id, relationID(key))
	a.graph.need(id, types...)
	words := []string{c.Name, canon}
	if c.Collation != nil {
		col.Collation = c.Collation.String()
		words = append(words, "collate "+col.Collation)
		a.graph.need(id, objectID("opaque", "collation "+col.Collation))
	}
	if c.NotNull {
		words = append(words, "not null")
	}
	switch {
	case c.Generated != nil:
		d.value = a.bound(what, c.Generated.Origin, a.binder.TableExpr(t, c.Generated, base))
		col.Generated = &schema.Generated{Expr: expr(c.Generated, d.value), Stored: true}
		a.graph.need(id, a.refIDs(d.value.Refs)...)
		a.graph.need(defaultID(key, c.Name), append(a.refIDs(d.value.Refs), id)...)
		words = append(words, "generated ("+d.value.Canon+") stored")
	case c.Default != nil:
		d.value = a.defaultOf(what, t, c, base)
		if own := a.catalog.Types[parseName(base)]; d.value.Constant == "null" && (own == nil || own.Kind != catalog.Domain) {
			break // the same as none; it only overrides a domain's
		}
		e := expr(c.Default, d.value)
		col.Default = &e
		a.graph.need(defaultID(key, c.Name), id)
		a.graph.need(defaultID(key, c.Name), a.refIDs(d.value.Refs)...)
		words = append(words, "default "+e.Canon)
	}
	if c.Identity != nil {
		col.Identity = identityCanon(c.Identity)
		words = append(words, "identity "+col.Identity)
	}
	for _, o := range []struct{ word, value string }{{"storage", c.Storage}, {"compression", c.Compression}, {"options", settings(c.Options)}} {
		if o.value != "" {
			words = append(words, o.word+" "+o.value)
		}
	}
	if c.Statistics >= 0 {
		words = append(words, fmt.Sprintf("statistics %d", c.Statistics))
	}
	col.Canon = strings.Join(words, " ")
	a.details.columns[col] = d
	out.Columns = append(out.Columns, col)
}

// defaultOf binds a default; that of a serial column is nextval of its sequence.
func (a *analyst) defaultOf(what string, t *catalog.Table, c *catalog.Column, base string) bind.Bound {
	if s := c.Default.Sequence; s != nil {
		return bind.Bound{Canon: "nextval(" + s.String() + ")", Type: "bigint", Volatile: true, Total: true, NotNull: true, Refs: []bind.Ref{{Kind: "relation", Name: s.String()}}}
	}
	return a.bound("the default of "+what, c.Default.Origin, a.binder.TableExpr(t, c.Default, base))
}

// bound passes a bound body on and reports what is missing in it.
func (a *analyst) bound(what string, o catalog.Origin, b bind.Bound) bind.Bound {
	a.missing(what, o, b.Unknown)
	return b
}

func expr(e *catalog.Expr, b bind.Bound) schema.Expr {
	text := e.Text
	if e.Sequence != nil {
		text = "nextval('" + strings.ReplaceAll(e.Sequence.SQL(), "'", "''") + "'::regclass)"
	}
	return schema.Expr{Text: text, Canon: b.Canon, Constant: b.Constant}
}

func identityCanon(i *catalog.Identity) string {
	word := "by default"
	if i.Always {
		word = "always"
	}
	if s := i.Sequence; s != nil {
		word += " " + sequenceCanon(s)
		if !usualName(s) {
			word += " named " + s.Name.String()
		}
	}
	return word
}

// options are what a table is besides its parts, each in words that alter_table.go knows how to change.
func (a *analyst) options(t *catalog.Table) []string {
	var options []string
	add := func(word, value string) {
		if value != "" {
			options = append(options, strings.TrimSpace(word+" "+value))
		}
	}
	flag := func(word string, on bool) {
		if on {
			options = append(options, word)
		}
	}
	flag("unlogged", t.Unlogged)
	flag("row level security", t.RowSecurity)
	flag("forced row level security", t.ForceRowSecurity)
	for _, k := range sortedKeys(t.Options) {
		add("with", k+"="+t.Options[k])
	}
	add("access method", t.AccessMethod)
	add("tablespace", t.Tablespace)
	add("replica identity", t.ReplicaIdentity)
	add("cluster on", t.ClusterOn)
	add("server", t.Server)
	add("server options", settings(t.ServerOptions))
	if t.OfType != nil {
		add("of type", t.OfType.String())
	}
	for _, p := range t.Inherits {
		add("inherits", p.String())
	}
	if t.Partition != nil {
		add("partition by", a.partitionKey(t))
	}
	if t.PartitionOf != nil {
		add("partition of", t.PartitionOf.String()+" "+a.partitionBound(t))
	}
	return options
}

// partitionKey writes the key by which a table is partitioned.
func (a *analyst) partitionKey(t *catalog.Table) string {
	strategy := strings.ToLower(strings.TrimPrefix(t.Partition.Strategy.String(), "PARTITION_STRATEGY_"))
	var parts []string
	for _, p := range t.Partition.PartParams {
		e := p.GetPartitionElem()
		text := a.nameNow(t, e.Name)
		if e.Expr != nil {
			b := a.bound("the partition key of table "+t.Name.String(), t.Origin, a.binder.TableExpr(t, &catalog.Expr{Node: e.Expr, Origin: t.Origin}, ""))
			text = "(" + b.Canon + ")"
			a.graph.need(relationID(t.Name.String()), without(a.refIDs(b.Refs), "column "+t.Name.String()+".")...)
		}
		parts = append(parts, strings.TrimSpace(text+" "+names(e.Collation)+" "+names(e.Opclass)))
	}
	return strategy + " (" + strings.Join(parts, ", ") + ")"
}

// nameNow gives today's name of a column that a tree calls by the name of its time.
func (a *analyst) nameNow(t *catalog.Table, name string) string {
	for i, then := range a.catalog.ColumnsThen(t.Time, t) {
		if then == name {
			return t.Columns[i].Name
		}
	}
	return name
}

func (a *analyst) partitionBound(t *catalog.Table) string {
	b := t.Bound
	if b == nil || b.IsDefault {
		return "default"
	}
	types := a.keyTypes(t)
	list := func(word string, nodes []*node) string {
		var parts []string
		for i, n := range nodes {
			typ := types[0]
			if b.Strategy == "r" && i < len(types) {
				typ = types[i]
			}
			parts = append(parts, a.boundValue(t, n, typ))
		}
		return word + " (" + strings.Join(parts, ", ") + ")"
	}
	switch {
	case len(b.Listdatums) > 0:
		return list("in", b.Listdatums)
	case len(b.Lowerdatums)+len(b.Upperdatums) > 0:
		return list("from", b.Lowerdatums) + " " + list("to", b.Upperdatums)
	}
	return fmt.Sprintf("modulus %d remainder %d", b.Modulus, b.Remainder)
}

// keyTypes gives the types of what the parent of a partition is partitioned by, to which the values of a bound are converted. That of an
// expression that is not known is taken to be text.
func (a *analyst) keyTypes(t *catalog.Table) []string {
	var types []string
	if parent := a.catalog.Tables[*t.PartitionOf]; parent != nil && parent.Partition != nil {
		for _, p := range parent.Partition.PartParams {
			typ := "text"
			if c := columnOf(parent, a.nameNow(parent, p.GetPartitionElem().Name)); c != nil {
				_, typ, _, _, _ = a.binder.Type(c.Type)
			} else if e := p.GetPartitionElem().GetExpr(); e != nil {
				typ = cmp.Or(a.binder.TableExpr(parent, &catalog.Expr{Node: e, Origin: parent.Origin}, "").Type, typ)
			}
			types = append(types, typ)
		}
	}
	return append(types, "text")
}

// boundValue writes one value of a bound; MINVALUE and MAXVALUE are column references to the grammar.
func (a *analyst) boundValue(t *catalog.Table, n *node, typ string) string {
	if c := n.GetColumnRef(); c != nil && len(c.Fields) == 1 {
		return strings.ToLower(c.Fields[0].GetString_().GetSval())
	}
	b := a.binder.FreeExpr(t.Origin, &catalog.Expr{Node: n, Origin: t.Origin}, typ, "")
	return strings.TrimSuffix(b.Canon, "::"+typ)
}

func names(nodes []*node) string {
	var parts []string
	for _, n := range nodes {
		parts = append(parts, n.GetString_().GetSval())
	}
	return strings.Join(parts, ".")
}

// without leaves out the ids that begin so.
func without(ids []string, prefix string) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return strings.HasPrefix(id, prefix) })
}

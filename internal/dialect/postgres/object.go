package postgres

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/dialect/postgres/bind"
	"github.com/altergate/altergate/internal/dialect/postgres/builtin"
	"github.com/altergate/altergate/internal/dialect/postgres/catalog"
	"github.com/altergate/altergate/internal/schema"
)

func (a *analyst) typ(t *catalog.Type) {
	key := t.Name.String()
	id := typeID(key)
	what := "type " + key
	o := &schema.Object{Kind: "type", Name: key, Key: key, Labels: t.Labels, Text: a.text(t.Origin), Pos: t.Pos()}
	a.inSchema(id, t.Name)
	switch t.Kind {
	case catalog.Enum:
		var labels []string
		for _, l := range t.Labels {
			labels = append(labels, "'"+strings.ReplaceAll(l, "'", "''")+"'")
		}
		o.Canon = "enum (" + strings.Join(labels, ", ") + ")"
	case catalog.Domain:
		o.Kind, o.Canon = "domain", a.domain(t, id)
	case catalog.Composite:
		var columns []string
		for _, c := range t.Columns {
			canon, _, _, ids := a.typeOf(fmt.Sprintf("attribute %s of %s", c.Name, what), c.Type)
			a.graph.need(id, ids...)
			if c.Collation != nil {
				canon += " collate " + c.Collation.String()
			}
			columns = append(columns, c.Name+" "+canon)
		}
		o.Canon = "composite (" + strings.Join(columns, ", ") + ")"
	default:
		if t.Subtype.Node != nil {
			_, _, _, ids := a.typeOf(what, t.Subtype)
			a.graph.need(id, ids...)
		}
		o.Canon = string(t.Kind) + " " + treeCanon(a, t.Origin, id)
	}
	a.object(o)
	a.owner(o.Kind, key, "", t.Owner, t.Origin)
}

func (a *analyst) domain(t *catalog.Type, id string) string {
	what := "domain " + t.Name.String()
	canon, base, _, ids := a.typeOf(what, t.Base)
	a.graph.need(id, ids...)
	words := []string{"domain", canon}
	if t.Collation != nil {
		words = append(words, "collate "+t.Collation.String())
	}
	if t.NotNull {
		words = append(words, "not null")
	}
	if t.Default != nil {
		b := a.bound("the default of "+what, t.Default.Origin, a.binder.FreeExpr(t.Default.Origin, t.Default, base, ""))
		a.graph.need(id, a.refIDs(b.Refs)...)
		words = append(words, "default "+b.Canon)
	}
	for _, k := range slices.SortedFunc(slices.Values(t.Checks), func(x, y *catalog.Constraint) int { return strings.Compare(x.Name, y.Name) }) {
		words = append(words, "constraint "+a.domainCheck(t, k, id))
	}
	return strings.Join(words, " ")
}

// domainCheck gives the canonical text of a domain's check.
func (a *analyst) domainCheck(t *catalog.Type, k *catalog.Constraint, id string) string {
	_, base, _, _ := a.typeOf("domain "+t.Name.String(), t.Base)
	b := a.bound(fmt.Sprintf("constraint %s of domain %s", k.Name, t.Name), k.Origin, a.binder.FreeExpr(k.Origin, k.Expr, "boolean", base))
	a.graph.need(id, a.refIDs(b.Refs)...)
	text := k.Name + " check (" + b.Canon + ")"
	if k.NotValid {
		text += " not valid"
	}
	return text
}

func (a *analyst) sequence(s *catalog.Sequence) {
	if s.Identity {
		return // it is part of its column
	}
	key := s.Name.String()
	o := &schema.Object{Kind: "sequence", Name: key, Key: key, Text: a.text(s.Origin), Pos: s.Pos(), Canon: sequenceCanon(s)}
	a.inSchema(relationID(key), s.Name)
	if s.Unlogged != a.ownerUnlogged(s) {
		o.Canon += map[bool]string{true: " unlogged", false: " logged"}[s.Unlogged]
	}
	if s.OwnedBy != nil {
		o.On = s.OwnedBy.String()
		o.Canon += " owned by " + o.On + "." + s.OwnedColumn
	}
	a.object(o)
	if o.On == "" {
		a.owner("sequence", key, "", s.Owner, s.Origin)
	}
}

// ownerUnlogged tells whether the table that owns a sequence is unlogged: the sequence then is too, and both change together.
func (a *analyst) ownerUnlogged(s *catalog.Sequence) bool {
	if s.OwnedBy == nil {
		return false
	}
	t := a.catalog.Tables[*s.OwnedBy]
	return t != nil && t.Unlogged
}

// sequenceCanon writes the parameters of a sequence that are not its type's own.
func sequenceCanon(s *catalog.Sequence) string {
	text := s.Type
	low, high := limits(s.Type)
	usual := [...]int64{1, high, 1}
	if s.Increment < 0 {
		usual = [...]int64{low, -1, -1}
	}
	add := func(word string, value, usual int64) {
		if value != usual {
			text += fmt.Sprintf(" %s %d", word, value)
		}
	}
	add("increment", s.Increment, 1)
	add("minvalue", s.Min, usual[0])
	add("maxvalue", s.Max, usual[1])
	add("start", s.Start, usual[2])
	add("cache", s.Cache, 1)
	if s.Cycle {
		text += " cycle"
	}
	return text
}

// limits are the smallest and the largest value of an integer type.
func limits(typ string) (int64, int64) {
	switch typ {
	case "smallint":
		return -1 << 15, 1<<15 - 1
	case "integer":
		return -1 << 31, 1<<31 - 1
	}
	return -1 << 63, 1<<63 - 1
}

func (a *analyst) view(v *catalog.View) {
	key := v.Name.String()
	id := relationID(key)
	what := "view " + key
	b := a.bound(what, v.Origin, a.binder.View(v))
	out := &schema.View{Name: key, Key: key, Materialized: v.Materialized, Text: a.text(v.Origin), Pos: v.Pos()}
	d := a.details.views[key]
	d.stars = b.Stars
	d.columns, _ = a.binder.ViewColumns(v)
	a.inSchema(id, v.Name)
	a.graph.need(id, a.refIDs(b.Refs)...)
	words := []string{"view"}
	if v.Materialized {
		words[0] = "materialized view"
	}
	if len(v.Aliases) > 0 {
		var columns []string
		for _, c := range d.columns {
			columns = append(columns, c.Name)
		}
		words = append(words, "("+strings.Join(columns, ", ")+")")
	}
	if len(v.Options) > 0 {
		words = append(words, "with ("+settings(v.Options)+")")
	}
	words = append(words, "as", b.Canon)
	for _, c := range sortedKeys(v.Columns) {
		words = append(words, "default "+c+" "+v.Columns[c].Text)
	}
	for _, o := range []struct{ word, value string }{{"using", v.AccessMethod}, {"tablespace", v.Tablespace}} {
		if o.value != "" {
			words = append(words, o.word, o.value)
		}
	}
	out.Canon = strings.Join(words, " ")
	for _, x := range v.Indexes {
		if made := a.indexOf(x, a.viewExpr(v), key); made != nil {
			out.Indexes = append(out.Indexes, made)
		}
	}
	for _, g := range v.Triggers {
		out.Triggers = append(out.Triggers, a.trigger(key, g))
	}
	a.Schema.Views = append(a.Schema.Views, out)
	a.owner("view", key, key, v.Owner, v.Origin)
}

// viewExpr binds to the columns of a materialized view, as if it were a table.
func (a *analyst) viewExpr(v *catalog.View) binding {
	t := &catalog.Table{Name: v.Name, Origin: v.Origin}
	for _, c := range a.details.views[v.Name.String()].columns {
		t.Columns = append(t.Columns, &catalog.Column{Name: c.Name, Statistics: -1, Known: c.Type})
	}
	return a.tableExpr(t)
}

func (a *analyst) trigger(on string, g *catalog.Trigger) *schema.Trigger {
	id := triggerID(on, g.Name)
	out := &schema.Trigger{Name: g.Name, Key: g.Name, Text: a.text(g.Origin), Pos: g.Pos()}
	a.graph.need(id, relationID(on))
	words := []string{g.Timing, strings.Join(g.Events, " or ")}
	if len(g.Columns) > 0 {
		words = append(words, "of "+strings.Join(g.Columns, ", "))
		for _, c := range g.Columns {
			a.graph.need(id, columnID(on, c))
		}
	}
	words = append(words, "on "+on)
	if g.Constraint {
		words = append(words, "constraint")
	}
	if g.From != nil {
		words = append(words, "from "+g.From.String())
		a.graph.need(id, relationID(g.From.String()))
	}
	if g.Deferrable {
		words = append(words, "deferrable")
	}
	if g.Deferred {
		words = append(words, "initially deferred")
	}
	if g.OldTable != "" {
		words = append(words, "old table "+g.OldTable)
	}
	if g.NewTable != "" {
		words = append(words, "new table "+g.NewTable)
	}
	if g.ForEachRow {
		words = append(words, "row")
	}
	if g.When != nil {
		b := a.bound("trigger "+g.Name+" on "+on, g.Origin, a.binder.TriggerWhen(g))
		a.graph.need(id, a.refIDs(b.Refs)...)
		words = append(words, "when ("+b.Canon+")")
	}
	name, fid := a.triggerFunction(g)
	a.graph.need(id, fid)
	var args []string
	for _, arg := range g.Args {
		args = append(args, "'"+arg+"'")
	}
	words = append(words, "execute "+name+"("+strings.Join(args, ", ")+")")
	if g.Enabled != "" {
		words = append(words, g.Enabled)
	}
	out.Canon = g.Name + " " + strings.Join(words, " ")
	a.details.triggers[out] = g
	return out
}

// triggerFunction finds the function of a trigger, which takes no arguments; one that is built in has no id.
func (a *analyst) triggerFunction(g *catalog.Trigger) (name, id string) {
	schemaName, last := "", g.Function[len(g.Function)-1]
	if len(g.Function) > 1 {
		schemaName = g.Function[0]
	}
	for _, f := range a.catalog.ResolveFunctions(g.Origin, schemaName, last) {
		if inputs(f) == 0 {
			return f.Name.String(), functionID(f.ID)
		}
	}
	if schemaName != "" && schemaName != "pg_catalog" || !builtin.HasFunction(last) {
		a.missing("trigger "+g.Name, g.Origin, []bind.Unknown{{Kind: "function", Name: strings.Join(g.Function, "."), Offset: g.Offset}})
	}
	return last, ""
}

func inputs(f *catalog.Function) int {
	n := 0
	for _, arg := range f.Args {
		if arg.Mode != "out" && arg.Mode != "table" {
			n++
		}
	}
	return n
}

// others are the objects that no other part of the model holds.
func (a *analyst) others() {
	for _, name := range sortedKeys(a.catalog.Schemas) {
		s := a.catalog.Schemas[name]
		if name == catalog.Public { // every database has it
			a.details.objects[schemaID(name)] = s
			a.owner("schema", name, "", s.Owner, s.Origin)
			continue
		}
		a.object(&schema.Object{Kind: "schema", Name: name, Key: name, Canon: "schema", Text: a.text(s.Origin), Pos: s.Pos()})
		a.details.objects[schemaID(name)] = s
		a.owner("schema", name, "", s.Owner, s.Origin)
	}
	for _, name := range sortedKeys(a.catalog.Extensions) {
		a.extension(name, a.catalog.Extensions[name])
	}
	for _, key := range slices.SortedFunc(maps.Keys(a.catalog.Others), func(x, y [2]string) int { return strings.Compare(x[0]+" "+x[1], y[0]+" "+y[1]) }) {
		a.other(a.catalog.Others[key])
	}
}

// extension adds an extension. Every database has plpgsql; and where none is named, the schema is the first of the search path, which is
// public but for who says otherwise.
func (a *analyst) extension(name string, e *catalog.Object) {
	if name == "plpgsql" || e.Props[catalog.PropAlong] != "" {
		return
	}
	said := maps.Clone(e.Props)
	if said["schema"] == catalog.Public {
		delete(said, "schema")
	}
	a.object(&schema.Object{Kind: "extension", Name: name, Key: name, Canon: strings.TrimSpace("extension " + settings(said)), Text: a.text(e.Origin), Pos: e.Pos()})
	a.details.objects[extensionID(name)] = e
	if s := said["schema"]; a.catalog.Schemas[s] != nil {
		a.graph.need(extensionID(name), schemaID(s))
	}
}

func (a *analyst) other(o *catalog.Object) {
	out := &schema.Object{Kind: o.Kind, Name: o.Key, Key: o.Key, Text: a.text(o.Origin), Pos: o.Pos()}
	id := out.ID()
	if o.On != nil {
		out.On = o.On.String()
		a.graph.need(id, relationID(out.On))
	}
	out.Canon = a.otherCanon(o, id)
	a.details.objects[id] = o
	if !o.Modelled {
		a.Schema.Opaques = append(a.Schema.Opaques, &schema.Opaque{Name: o.Key, Key: id, Kind: strings.SplitN(o.Key, " ", 2)[0], Canon: out.Canon, Text: out.Text, Pos: out.Pos})
		return
	}
	a.object(out)
	a.owner(o.Kind, o.Key, out.On, o.Owner, o.Origin)
}

// otherCanon writes what counts of an object: its words, and its expressions bound.
func (a *analyst) otherCanon(o *catalog.Object, id string) string {
	what := o.Kind + " " + o.Key
	words := []string{o.Kind}
	if len(o.Props) > 0 {
		words = append(words, settings(o.Props))
	}
	switch o.Kind {
	case "policy":
		for _, e := range []struct {
			word string
			expr *catalog.Expr
		}{{"using", o.Expr}, {"check", o.Check}} {
			if e.expr == nil {
				continue
			}
			b := a.relationExpr(*o.On)(what, e.expr, "boolean")
			a.graph.need(id, a.refIDs(b.Refs)...)
			words = append(words, e.word+" ("+b.Canon+")")
		}
	case "rule":
		b := a.bound(what, o.Origin, a.binder.RuleAction(o))
		a.graph.need(id, a.refIDs(b.Refs)...)
		words = append(words, b.Canon)
	case "comment", "grant":
		a.graph.want(id, a.target(o.Key)...)
	case "statistics":
		for _, column := range catalog.SplitNames(o.Props["columns"]) {
			a.graph.need(id, columnID(o.On.String(), column))
		}
		for _, e := range o.Exprs {
			b := a.relationExpr(*o.On)(what, e, "")
			a.graph.need(id, a.refIDs(b.Refs)...)
			words = append(words, "("+b.Canon+")")
		}
	case "event_trigger":
		a.graph.need(id, functionID(o.Props["function"]))
	case "publication_table":
		a.graph.need(id, objectID("publication", o.Props["name"]))
		for _, column := range catalog.SplitNames(o.Props["columns"]) {
			a.graph.need(id, columnID(o.On.String(), column))
		}
		if o.Expr != nil {
			b := a.relationExpr(*o.On)(what, o.Expr, "boolean")
			a.graph.need(id, a.refIDs(b.Refs)...)
			words = append(words, "where ("+b.Canon+")")
		}
	case "publication":
		for _, in := range catalog.SplitNames(o.Props["schemas"]) {
			a.graph.need(id, schemaID(in))
		}
	case "default_privileges":
	default:
		words = append(words, a.opaqueCanon(o, id))
	}
	return strings.Join(words, " ")
}

// target gives the ids of what a comment or a grant is on: its key begins with the kind and the name of that.
func (a *analyst) target(key string) []string {
	kind, rest, _ := strings.Cut(key, " ")
	rest, _, _ = strings.Cut(rest, " to ")
	switch kind {
	case "table", "view", "sequence":
		return []string{relationID(rest)}
	case "materialized", "foreign":
		_, rest, _ = strings.Cut(rest, " ")
		return []string{relationID(rest)}
	case "column", "constraint": // the table may be a composite type, or a domain
		on, _ := splitLast(rest)
		return []string{kind + " " + rest, relationID(on), typeID(on)}
	case "domain":
		return []string{typeID(rest)}
	case "procedure", "aggregate":
		return []string{functionID(rest)}
	}
	return []string{kind + " " + rest}
}

// relationExpr binds to the columns of a table or a view.
func (a *analyst) relationExpr(n catalog.Name) binding {
	if t := a.catalog.Tables[n]; t != nil {
		return a.tableExpr(t)
	}
	if v := a.catalog.Views[n]; v != nil {
		return a.viewExpr(v)
	}
	return func(_ string, e *catalog.Expr, _ string) bind.Bound { return bind.Bound{Canon: e.Text} }
}

// owner adds who owns an object, where a statement says so.
func (a *analyst) owner(kind, key, on, owner string, o catalog.Origin) {
	if owner == "" {
		return
	}
	name := kind + " " + key
	a.object(&schema.Object{Kind: "owner", Name: name, Key: name, On: on, Canon: "owner " + owner, Text: owner, Pos: o.Pos()})
	a.graph.want(objectID("owner", name), a.target(name)...)
}

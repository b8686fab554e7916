package postgres

import (
	"fmt"
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/altergate/altergate/internal/dialect/postgres/catalog"
	"github.com/altergate/altergate/internal/schema"
)

// opaqueCanon writes what counts of an object that is known by its statements.
func (a *analyst) opaqueCanon(o *catalog.Object, id string) string {
	texts := []string{treeCanon(a, o.Origin, id)}
	for _, alteration := range o.Alterations {
		texts = append(texts, treeCanon(a, alteration, id))
	}
	if m := a.searchMapping(o, 0); m != nil {
		return m.String()
	}
	return strings.Join(texts, "; ")
}

// opaqueSQL writes the statements that make an object that is known by them.
func (l *Loaded) opaqueSQL(o *schema.Opaque) []string {
	d := l.details.objects[o.Key]
	if d == nil {
		return []string{o.Text} // a DO block or its like
	}
	sql := within(d.Origin, []string{o.Text})
	for _, alteration := range d.Alterations {
		sql = append(sql, within(alteration, []string{l.text(alteration)})...)
	}
	return sql
}

// treeCanon writes the statement of an object that is compared as a whole, without the places in it and with its names as they were
// found: a dump writes the schemas that an author leaves to the search path. The thing of the id comes after what it names.
func treeCanon(a *analyst, o catalog.Origin, id string) string {
	if o.Statement == nil || o.Statement.Node == nil {
		return ""
	}
	w := treeWriter{a: a, o: o, id: id}
	w.tree(o.Statement.Node.ProtoReflect())
	return w.b.String()
}

type treeWriter struct {
	a  *analyst
	o  catalog.Origin
	id string
	b  strings.Builder
}

// skipped are fields that do not count: the name, which the key has; a statement's being told to mind what is there; and what the
// grammar notes twice.
var skipped = map[protoreflect.Name]bool{
	"if_not_exists": true, "replace": true, "missing_ok": true, "defnames": true, "dictname": true, "cfgname": true, "opclassname": true,
	"conversion_name": true, "objfuncargs": true, "oldstyle": true,
}

// tree writes a parse tree field by field.
func (w *treeWriter) tree(m protoreflect.Message) {
	switch n := m.Interface().(type) {
	case *pg.TypeName:
		w.b.WriteString(w.typ(n))
		return
	case *pg.DefElem:
		w.b.WriteString(w.element(n))
		return
	case *pg.ObjectWithArgs:
		w.b.WriteString(w.object(n))
		return
	case *pg.DefineStmt:
		w.b.WriteString(w.definition(n))
		return
	case *pg.CreateRangeStmt:
		w.b.WriteString(w.rangeType(n))
		return
	}
	fields := m.Descriptor().Fields()
	w.b.WriteByte('(')
	for i := range fields.Len() {
		f := fields.Get(i)
		switch {
		case !m.Has(f), strings.HasSuffix(string(f.Name()), "location"), skipped[f.Name()]:
		case functionFields[f.Name()]:
			fmt.Fprintf(&w.b, " %s %s", f.Name(), w.function(namesIn(m.Get(f).List())))
		case f.IsList():
			fmt.Fprintf(&w.b, " %s[%s]", f.Name(), w.list(f, m.Get(f).List()))
		default:
			fmt.Fprintf(&w.b, " %s ", f.Name())
			w.value(f, m.Get(f))
		}
	}
	w.b.WriteByte(')')
}

// list writes a list. Options may stand in any order.
func (w *treeWriter) list(f protoreflect.FieldDescriptor, list protoreflect.List) string {
	var parts []string
	for i := range list.Len() {
		inner := treeWriter{a: w.a, o: w.o, id: w.id}
		inner.value(f, list.Get(i))
		parts = append(parts, inner.b.String())
	}
	if f.Name() == "options" || f.Name() == "func_options" {
		slices.Sort(parts)
	}
	return strings.Join(parts, "")
}

// functionFields are the lists that name a function.
var functionFields = map[protoreflect.Name]bool{"func_name": true, "plhandler": true, "plinline": true, "plvalidator": true, "handler_name": true}

func (w *treeWriter) value(f protoreflect.FieldDescriptor, v protoreflect.Value) {
	if f.Message() != nil {
		w.tree(v.Message())
		return
	}
	fmt.Fprintf(&w.b, "%q", fmt.Sprint(v.Interface()))
}

// definition writes CREATE AGGREGATE, OPERATOR, TYPE, COLLATION or TEXT SEARCH …: its parts may stand in any order. The arguments of an
// aggregate are in its key.
func (w *treeWriter) definition(n *pg.DefineStmt) string {
	var parts []string
	for _, d := range n.Definition {
		if e := d.GetDefElem(); n.Kind != pg.ObjectType_OBJECT_AGGREGATE || !strings.EqualFold(e.GetDefname(), "basetype") {
			parts = append(parts, w.element(e))
		}
	}
	slices.Sort(parts)
	return strings.ToLower(strings.TrimPrefix(n.Kind.String(), "OBJECT_")) + "(" + strings.Join(parts, ", ") + ")"
}

// rangeType writes CREATE TYPE … AS RANGE. A dump names the multirange type that comes with it, which is made up where no one does.
func (w *treeWriter) rangeType(n *pg.CreateRangeStmt) string {
	names := stringsIn(n.GetTypeName())
	usual := names[len(names)-1] + "_multirange"
	if before, after, ok := strings.Cut(names[len(names)-1], "range"); ok {
		usual = before + "multirange" + after
	}
	var parts []string
	for _, d := range n.GetParams() {
		e := d.GetDefElem()
		if _, last := splitNames(stringsIn(e.GetArg().GetTypeName().GetNames())); e.GetDefname() == "multirange_type_name" && last == usual {
			continue
		}
		parts = append(parts, w.element(e))
	}
	slices.Sort(parts)
	return "range(" + strings.Join(parts, ", ") + ")"
}

// sameWord are the old spellings of parts of a definition.
var sameWord = map[string]string{"procedure": "function", "sfunc1": "sfunc", "stype1": "stype", "initcond1": "initcond"}

// element writes a part of a definition. Its grammar takes the name of a function or of another object, and a word, for a type.
func (w *treeWriter) element(d *pg.DefElem) string {
	word := strings.ToLower(d.GetDefname())
	if now := sameWord[word]; now != "" {
		word = now
	}
	if d.GetDefnamespace() != "" || d.GetDefaction() > pg.DefElemAction_DEFELEM_UNSPEC {
		word = d.GetDefnamespace() + " " + d.GetDefaction().String() + " " + word
	}
	typ, list := d.GetArg().GetTypeName(), d.GetArg().GetList().GetItems()
	switch {
	case d.GetArg() == nil:
		return word + " = true"
	case typ != nil && typeParts[word]:
		return word + " = " + w.typ(typ)
	case typ != nil && functionParts[word]:
		return word + " = " + w.function(stringsIn(typ.GetNames()))
	case typ != nil && namedParts[word] != "":
		return word + " = " + w.named(namedParts[word], stringsIn(typ.GetNames()))
	case typ != nil:
		return word + " = " + strings.Join(stringsIn(typ.GetNames()), ".")
	case list != nil && functionParts[word]:
		return word + " = " + w.function(stringsIn(list))
	case list != nil && operatorParts[word]:
		return word + " = " + w.operator(stringsIn(list))
	case d.GetArg().GetString_() != nil:
		return word + " = " + d.GetArg().GetString_().GetSval()
	case d.GetArg().GetInteger() != nil:
		return fmt.Sprintf("%s = %d", word, d.GetArg().GetInteger().GetIval())
	case d.GetArg().GetFloat() != nil:
		return word + " = " + d.GetArg().GetFloat().GetFval()
	}
	inner := treeWriter{a: w.a, o: w.o, id: w.id}
	inner.tree(d.GetArg().ProtoReflect())
	return word + " = " + inner.b.String()
}

var (
	typeParts     = words("stype", "mstype", "leftarg", "rightarg", "subtype", "like", "element")
	functionParts = words("sfunc", "finalfunc", "combinefunc", "serialfunc", "deserialfunc", "msfunc", "minvfunc", "mfinalfunc", "function", "restrict",
		"join", "input", "output", "receive", "send", "typmod_in", "typmod_out", "analyze", "subscript", "canonical", "subtype_diff", "start", "gettoken",
		"end", "headline", "lextypes", "init", "lexize", "handler", "validator")
	operatorParts = words("commutator", "negator", "sortop")
	namedParts    = map[string]string{"template": "text search template", "parser": "text search parser", "copy": "text search configuration", "from": "collation",
		"collation": "collation", "subtype_opclass": "operator class"}
)

func words(list ...string) map[string]bool {
	set := map[string]bool{}
	for _, word := range list {
		set[word] = true
	}
	return set
}

func (w *treeWriter) typ(n *pg.TypeName) string {
	canon, _, _, refs, _ := w.a.binder.Type(catalog.TypeRef{Node: n, Origin: w.o})
	w.a.graph.want(w.id, w.a.refIDs(refs)...)
	return canon
}

// function gives the name of a function in one form. One that no statement made is the server's or an extension's.
func (w *treeWriter) function(names []string) string {
	in, name := splitNames(names)
	for _, f := range w.a.catalog.ResolveFunctions(w.o, in, name) {
		w.a.graph.want(w.id, functionID(f.ID))
		return f.Name.String()
	}
	return catalog.Part(name)
}

// named does the same for what is carried as text.
func (w *treeWriter) named(kind string, names []string) string {
	in, name := splitNames(names)
	for _, path := range w.path(in) {
		if n := (catalog.Name{Schema: path, Name: name}); w.a.catalog.Others[[2]string{"opaque", kind + " " + n.String()}] != nil {
			w.a.graph.want(w.id, objectID("opaque", kind+" "+n.String()))
			return n.String()
		}
	}
	return catalog.Part(name)
}

// operator does the same for an operator, whatever its operands are.
func (w *treeWriter) operator(names []string) string {
	in, name := splitNames(names)
	for _, path := range w.path(in) {
		n := catalog.Name{Schema: path, Name: name}.String()
		for key := range w.a.catalog.Others {
			if key[0] == "opaque" && strings.HasPrefix(key[1], "operator "+n+"(") {
				return n
			}
		}
	}
	return name
}

func (w *treeWriter) path(in string) []string {
	if in != "" {
		return []string{in}
	}
	return w.o.Path
}

// object writes a function or an operator with the types of its arguments.
func (w *treeWriter) object(n *pg.ObjectWithArgs) string {
	names := stringsIn(n.GetObjname())
	text := w.function(names)
	if _, last := splitNames(names); strings.Trim(last, "+-*/<>=~!@#%^&|`?") == "" {
		text = w.operator(names)
	}
	var types []string
	for _, t := range n.GetObjargs() {
		if t.GetTypeName() == nil {
			types = append(types, "none")
			continue
		}
		types = append(types, w.typ(t.GetTypeName()))
	}
	return text + "(" + strings.Join(types, ", ") + ")"
}

func splitNames(names []string) (schemaName, name string) {
	if len(names) == 0 {
		return "", ""
	}
	if len(names) > 1 {
		schemaName = names[len(names)-2]
	}
	return schemaName, names[len(names)-1]
}

func stringsIn(nodes []*pg.Node) []string {
	var list []string
	for _, n := range nodes {
		list = append(list, n.GetString_().GetSval())
	}
	return list
}

func namesIn(list protoreflect.List) []string {
	var names []string
	for i := range list.Len() {
		if n, ok := list.Get(i).Message().Interface().(*pg.Node); ok {
			names = append(names, n.GetString_().GetSval())
		}
	}
	return names
}

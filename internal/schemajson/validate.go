package schemajson

import (
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// Validate says everything that makes one of the documents an impossible schema, and everything in them that no plan can
// lead from base to head: joined *schema.Error, those of the base first, then by path and text. A nil document declares
// nothing. Hints are looked through, not judged: one that does not apply changes nothing here.
func Validate(base, head *Document, hints []diff.Hint, d Dialect) error {
	r, err := d.rules()
	if err != nil {
		return err
	}
	before, after := examine(schema.Base, r, base), examine(schema.Head, r, head)
	after.changes(newLineage(before.doc, after.doc, hints, r.fold))
	before.byPath()
	after.byPath()
	return joined(&before.problems, &after.problems)
}

// validator looks at one document.
type validator struct {
	problems
	rules
	doc    *Document
	tables []*lookup
	named  map[string]*lookup // by name as written: references are compared exactly
}

// lookup is a table with what is asked of it again and again.
type lookup struct {
	*table
	byName map[string]*column // as written
	keys   map[string]bool    // what a foreign key may refer to, as keyOf gives it
}

// examine looks at a document by itself.
func examine(side schema.Side, r rules, doc *Document) *validator {
	v := &validator{problems: problems{side: side}, rules: r, doc: doc, named: map[string]*lookup{}}
	if doc == nil {
		v.doc = &Document{}
		return v
	}
	for _, t := range doc.tables.items {
		l := newLookup(t)
		v.tables = append(v.tables, l)
		if v.named[t.name.text] == nil {
			v.named[t.name.text] = l
		}
	}
	v.document()
	return v
}

func newLookup(t *table) *lookup {
	l := &lookup{table: t, byName: map[string]*column{}, keys: map[string]bool{}}
	for _, c := range t.columns.items {
		l.byName[c.name.text] = c
		if c.unique.set {
			l.keys[keyOf([]string{c.name.text})] = true
		}
	}
	for _, i := range t.indexes.items {
		if i.unique.set {
			l.keys[keyOf(texts(i.columns))] = true
		}
	}
	l.keys[keyOf(t.primaryKey())] = true
	return l
}

// keyOf is the same for the same columns in any order, each as often.
func keyOf(columns []string) string {
	return strings.Join(slices.Sorted(slices.Values(columns)), "\x00")
}

func (v *validator) bad(path string, pos schema.Pos, format string, args ...any) {
	v.add(schema.KindSchema, path, pos, format, args...)
}

func (v *validator) document() {
	if v.doc.version.text == "" {
		v.bad("version", v.doc.version.pos, `the version is empty; any label will do, such as "1"`)
	}
	checkNames(v, v.doc.tables)
	checkNames(v, v.doc.views)
	for _, t := range v.tables {
		v.table(t)
	}
	for _, view := range v.doc.views.items {
		v.ownName(view.item)
		v.fragment(viewDefinition, view.item, "definition", view.definition)
	}
	v.sharedNames()
}

func (v *validator) table(t *lookup) {
	v.ownName(t.item)
	checkNames(v, t.columns)
	checkNames(v, t.indexes)
	checkNames(v, t.foreignKeys)
	checkNames(v, t.checks)
	checkNames(v, t.triggers)
	if len(t.columns.items) == 0 {
		v.bad(t.columns.path, t.columns.pos, "a table needs at least one column")
	}
	for _, c := range t.columns.items {
		v.column(c)
	}
	for _, i := range t.indexes.items {
		v.ownName(i.item)
		if len(i.columns) == 0 {
			v.bad(i.path(), i.pos, "an index needs at least one column")
		}
		v.known(i.item, t, i.columns)
	}
	for _, f := range t.foreignKeys.items {
		v.foreignKey(t, f)
	}
	for _, c := range t.checks.items {
		v.fragment(checkExpression, c.item, "expression", c.expression)
	}
	for _, g := range t.triggers.items {
		v.trigger(g)
	}
}

func (v *validator) column(c *column) {
	v.fragment(dataType, c.item, "data_type", c.dataType)
	if c.defaultValue != nil {
		v.fragment(defaultValue, c.item, "default_value", *c.defaultValue)
	}
	if c.primaryKey.set && c.nullable.set {
		v.bad(join(c.path(), "nullable"), c.nullable.pos, "a column of the primary key cannot be nullable; set nullable to false")
	}
}

func (v *validator) trigger(g *trigger) {
	v.ownName(g.item)
	switch g.timing.text {
	case "BEFORE", "AFTER":
	case "INSTEAD OF":
		v.bad(join(g.path(), "timing"), g.timing.pos, "INSTEAD OF is for views, and this is a table; use BEFORE or AFTER")
	default:
		v.bad(join(g.path(), "timing"), g.timing.pos, "the timing is %s; use BEFORE or AFTER, in capitals", excerpt(g.timing.text))
	}
	switch g.event.text {
	case "INSERT", "UPDATE", "DELETE":
	default:
		v.bad(join(g.path(), "event"), g.event.pos, "the event is %s; use one of INSERT, UPDATE and DELETE, in capitals", excerpt(g.event.text))
	}
	v.fragment(triggerAction, g.item, "action", g.action)
}

// fragment notes a piece of SQL that is not certainly what its key says. It may be fine: that is why it is unsupported.
func (v *validator) fragment(kind fragmentKind, of item, key string, sql value) {
	if trimmed(sql) == "" {
		todo := "write one"
		if kind == defaultValue {
			todo = "leave the key out for none"
		}
		v.bad(join(of.path(), key), sql.pos, "%s is empty; %s", kind, todo)
		return
	}
	if err := v.rules.fragment(kind, sql.text); err != nil {
		v.add(schema.KindUnsupported, join(of.path(), key), sql.pos, "%v", err)
	}
}

// ownName keeps the names that are reserved, in every list that shares names with tables or could be taken for them.
func (v *validator) ownName(i item) {
	for _, prefix := range slices.Concat(ownPrefixes, v.reserved) {
		if strings.HasPrefix(v.fold(i.name.text), prefix) {
			v.bad(join(i.path(), "name"), i.name.pos, "names that begin with %s are reserved; choose another", prefix)
		}
	}
}

// known notes the columns that the table does not have, and tells whether it has them all.
func (v *validator) known(of item, t *lookup, names []value) bool {
	all := true
	for _, name := range names {
		if t.byName[name.text] == nil {
			v.bad(of.path(), name.pos, "there is no column %s in table %s", excerpt(name.text), excerpt(t.name.text))
			all = false
		}
	}
	return all
}

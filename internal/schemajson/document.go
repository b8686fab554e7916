// Package schemajson reads a schema that is written as JSON, and the rename hints that go with it. It validates both
// completely and prints the schema as DDL, which the dialect's own front end then reads like any other schema text.
//
// The document comes from a pull request, so the pieces of SQL in it (data types, defaults, checks, views, triggers) are
// taken apart by a tokenizer that refuses what it is not sure of. The package does not know what the SQL means, which
// changes lead from one document to another, or whether a hint makes sense.
package schemajson

import (
	"strconv"

	"github.com/altergate/altergate/internal/schema"
)

// Document is a schema as its JSON declares it, in the order in which it declares it.
type Document struct {
	version value
	tables  list[*table]
	views   list[*view]
}

// Names gives the columns of each table, all as written.
func (d *Document) Names() map[string][]string {
	names := make(map[string][]string, len(d.tables.items))
	for _, t := range d.tables.items {
		columns := make([]string, 0, len(t.columns.items))
		for _, c := range t.columns.items {
			columns = append(columns, c.name.text)
		}
		names[t.name.text] = columns
	}
	return names
}

// value is a string of the document and where it stands.
type value struct {
	text string
	pos  schema.Pos
}

// boolean is a true or false of the document and where it stands.
type boolean struct {
	set bool
	pos schema.Pos
}

// list is an array of the document. One that was left out stands where its owner stands.
type list[T any] struct {
	items []T
	path  string
	pos   schema.Pos
}

// item is what everything with a name has.
type item struct {
	name value
	list string // the path of the list it is in
	pos  schema.Pos
}

func (i *item) self() *item { return i }

// path is made when it is asked for: with long names, stored paths would outgrow the document by far.
func (i *item) path() string { return join(i.list, i.name.text) }

type table struct {
	item
	columns     list[*column]
	indexes     list[*index]
	foreignKeys list[*foreignKey]
	checks      list[*check]
	triggers    list[*trigger]
}

type column struct {
	item
	dataType     value
	nullable     boolean
	primaryKey   boolean
	unique       boolean
	defaultValue *value // nil = none
}

type index struct {
	item
	columns []value
	unique  boolean
}

type foreignKey struct {
	item
	columns           []value
	referencedTable   value
	referencedColumns []value
	onDelete          *value // nil = the clause is not written
	onUpdate          *value
}

type check struct {
	item
	expression value
}

type trigger struct {
	item
	timing, event, action value
}

type view struct {
	item
	definition value
}

// primaryKey gives the table's key columns in the order of the columns.
func (t *table) primaryKey() []string {
	var key []string
	for _, c := range t.columns.items {
		if c.primaryKey.set {
			key = append(key, c.name.text)
		}
	}
	return key
}

func texts(values []value) []string {
	all := make([]string, len(values))
	for i, v := range values {
		all[i] = v.text
	}
	return all
}

// join adds a step to a path.
func join(path, step string) string {
	if path == "" {
		return step
	}
	return path + "." + step
}

// nth is the path of an element that has no name of its own.
func nth(list string, i int) string {
	return list + "[" + strconv.Itoa(i) + "]"
}

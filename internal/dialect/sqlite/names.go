package sqlite

import (
	"strings"

	"github.com/altergate/altergate/internal/schema"
)

// ident writes a name the way a person would: with quotes only where SQLite needs them.
func ident(name string) string {
	plain := name != "" && !isDigit(name[0]) && !allKeywords[fold(name)]
	for i := 0; i < len(name) && plain; i++ {
		plain = isNameByte(name[i]) && name[i] < 0x80 && name[i] != '$'
	}
	if plain {
		return name
	}
	return quote(name)
}

func idents(names []string) string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = ident(n)
	}
	return strings.Join(out, ", ")
}

// allKeywords are SQLite's keywords (sqlite.org/lang_keywords.html, 147 of them). Many may be names all the same, but a reader
// of SQL is helped by the quotes.
var allKeywords = set("abort action add after all alter always analyze and as asc attach autoincrement before begin between by cascade case " +
	"cast check collate column commit conflict constraint create cross current current_date current_time current_timestamp database " +
	"default deferrable deferred delete desc detach distinct do drop each else end escape except exclude exclusive exists explain fail " +
	"filter first following for foreign from full generated glob group groups having if ignore immediate in index indexed initially inner " +
	"insert instead intersect into is isnull join key last left like limit match materialized natural no not nothing notnull null nulls of " +
	"offset on or order others outer over partition plan pragma preceding primary query raise range recursive references regexp reindex " +
	"release rename replace restrict returning right rollback row rows savepoint select set table temp temporary then ties to transaction " +
	"trigger unbounded union unique update using vacuum values view virtual when where window with without")

// tablesIn gives the keys of the tables and views that a view or a trigger names where a table stands: after FROM, JOIN, INTO,
// UPDATE, IN or ON, and after the commas between them. A name it does not find makes a plan that the proof refutes, so it errs
// on the side of finding too many: the name of a column never counts, an alias or the name of a common table expression may.
func tablesIn(src string) map[string]bool {
	found := map[string]bool{}
	p := newParser(src)
	header := p.peekAt(1).is("TRIGGER") // up to BEGIN, where ON names the trigger's table; elsewhere ON begins a condition
	// places says for each open parenthesis whether a name that comes now is a table's.
	places := []bool{false}
	top := func() *bool { return &places[len(places)-1] }
	for ; !p.done(); p.i++ {
		t := p.peek()
		switch {
		case t.is("("):
			places = append(places, *top())
		case t.is(")"):
			if len(places) > 1 {
				places = places[:len(places)-1]
			}
		case t.is("FROM"), t.is("JOIN"), t.is("INTO"), t.is("UPDATE"), t.is("IN"), header && t.is("ON"):
			*top() = true
		case isClause(t):
			header = header && !t.is("BEGIN")
			*top() = false
		case *top() && (t.kind == word || t.kind == quoted || t.kind == text):
			found[fold(t.name())] = true
		}
	}
	return found
}

// isClause tells whether a keyword ends a list of tables.
func isClause(t token) bool {
	for _, w := range [...]string{"SELECT", "WHERE", "ON", "GROUP", "ORDER", "HAVING", "SET", "VALUES", "USING", "LIMIT", "WINDOW", "RETURNING", "BEGIN", "WHEN", "UNION", "EXCEPT", "INTERSECT"} {
		if t.is(w) {
			return true
		}
	}
	return t.is(";")
}

// uses tells whether some SQL names any of these tables or views.
func uses(src string, keys map[string]bool) bool {
	for name := range tablesIn(src) {
		if keys[name] {
			return true
		}
	}
	return false
}

// references tells whether a table has a foreign key to another (or to itself).
func references(child *schema.Table, parent string) bool {
	for _, k := range child.Constraints {
		if k.Ref != nil && k.Ref.Table == parent {
			return true
		}
	}
	return false
}

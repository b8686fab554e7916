package sqlite

import (
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

// usesOf gathers what a view or a trigger names. Its tables are the names that stand where a table does: after FROM, JOIN, INTO,
// UPDATE, IN or a trigger's ON, and after the commas between them. One it did not find would make a plan that the proof refutes,
// so it errs on the side of finding too many: an alias or the name of a common table expression may count, a column never.
func usesOf(tokens []token) schema.Uses {
	u := schema.Uses{Tables: map[string]bool{}, Words: map[string]bool{}}
	header := len(tokens) > 1 && tokens[1].is("TRIGGER") // up to BEGIN, where ON names the trigger's table; elsewhere it begins a condition
	// For each open parenthesis: whether a name that comes now is a table's, and whether one is again after the next comma.
	type place struct{ table, list bool }
	places := []place{{}}
	for i, t := range tokens {
		isName := t.kind == word || t.kind == quoted
		if isName {
			u.Words[fold(t.name())] = true
		}
		u.Open = u.Open || t.is("NATURAL") || isStar(tokens, i)
		top := &places[len(places)-1]
		switch {
		case t.is("("):
			// Behind a name it is a call or a list of columns; else it may group tables.
			inner := top.table && i > 0 && (tokens[i-1].kind == operator || tokens[i-1].is("FROM") || tokens[i-1].is("JOIN") || tokens[i-1].is("IN"))
			if i > 0 && tokens[i-1].is("IN") {
				top.table = false // IN names one thing, and this is it
			}
			places = append(places, place{inner, inner})
		case t.is(")"):
			if len(places) > 1 {
				places = places[:len(places)-1]
			}
		case t.is("FROM"), t.is("JOIN"):
			*top = place{true, true}
		case t.is("INTO"), t.is("UPDATE"), t.is("IN"), header && t.is("ON"):
			top.table = true
		case t.is("ON"), t.is("USING"):
			top.table = false
		case t.is(","):
			top.table = top.list
		case isClause(t):
			header = header && !t.is("BEGIN")
			*top = place{}
		case top.table && (isName || t.kind == text):
			u.Tables[fold(t.name())] = true
			if i > 0 && tokens[i-1].is("IN") && !(i+1 < len(tokens) && tokens[i+1].is(".")) {
				top.table = top.list
			}
		}
	}
	return u
}

// isStar tells whether a token is a star that stands for all columns, not for a multiplication or in count(*).
func isStar(tokens []token, i int) bool {
	if i == 0 || !tokens[i].is("*") {
		return false
	}
	before := tokens[i-1]
	return before.is("SELECT") || before.is("DISTINCT") || before.is("ALL") || before.is(",") || before.is(".") || before.is("RETURNING")
}

// isClause tells whether a keyword ends a list of tables.
func isClause(t token) bool {
	for _, w := range [...]string{"SELECT", "WHERE", "GROUP", "ORDER", "HAVING", "SET", "VALUES", "LIMIT", "WINDOW", "RETURNING", "BEGIN", "WHEN", "UNION", "EXCEPT", "INTERSECT"} {
		if t.is(w) {
			return true
		}
	}
	return t.is(";")
}

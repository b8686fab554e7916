package sqlite

import (
	"strings"
)

// scope says what a double-quoted word in an expression can be: SQLite reads "x" as a column where there is one and as a
// string literal where there is none (sqlite.org/quirks.html, section 8).
type scope func(key string) bool

// columnsOf is the scope of a table's own expressions.
func columnsOf(keys map[string]bool) scope {
	return func(key string) bool {
		return keys[key] || key == "rowid" || key == "oid" || key == "_rowid_"
	}
}

// canonical writes tokens in the one spelling that all spellings of the same thing share: keywords and names in lower case,
// names without quotes where they need none, one blank between tokens, == as =, <> as !=.
func canonical(tokens []token, known scope) string {
	var b strings.Builder
	for i, t := range tokens {
		if i > 0 {
			b.WriteByte(' ')
		}
		scope := known
		if before, after := i > 0 && tokens[i-1].is("."), i+1 < len(tokens) && (tokens[i+1].is(".") || tokens[i+1].is("(")); before || after {
			scope = nil // part of a qualified name, or a function's name: never a string
		}
		b.WriteString(canonicalToken(t, scope))
	}
	return b.String()
}

func canonicalToken(t token, known scope) string {
	switch t.kind {
	case word, number, blob:
		return fold(t.text)
	case quoted:
		name := t.name()
		if t.text[0] == '"' && known != nil && !known(fold(name)) {
			return literal(name)
		}
		return canonicalName(name)
	case operator:
		switch t.text {
		case "==":
			return "="
		case "<>":
			return "!="
		}
	}
	return t.text
}

// canonicalName writes a name that could also have been written without quotes without them.
func canonicalName(name string) string {
	key := fold(name)
	if key == "" || !isNameStart(key[0]) || nameEnd(key) != len(key) || keywords[key] {
		return quote(key)
	}
	return key
}

// expression gives the canonical form of an expression: as canonical, without the parentheses around the whole of it.
func expression(tokens []token, known scope) string {
	return canonical(unwrap(tokens), known)
}

// unwrap removes the parentheses that enclose a whole expression.
func unwrap(tokens []token) []token {
	for len(tokens) >= 2 && tokens[0].is("(") && closes(tokens) == len(tokens)-1 {
		tokens = tokens[1 : len(tokens)-1]
	}
	return tokens
}

// closes gives the index of the parenthesis that closes the one at index 0.
func closes(tokens []token) int {
	depth := 0
	for i, t := range tokens {
		switch {
		case t.is("("):
			depth++
		case t.is(")"):
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// body gives the canonical form of a view or a trigger. There a double-quoted word counts as a name only if something in the
// schema has that name, or the body itself uses it without quotes (an alias): otherwise "Total" and "total" are two strings.
func body(tokens []token, names map[string]bool) string {
	own := map[string]bool{}
	for _, t := range tokens {
		if t.kind == word {
			own[fold(t.text)] = true
		}
	}
	return canonical(tokens, func(key string) bool { return names[key] || own[key] })
}

// keywords are the words that SQLite does not take as a name without quotes (sqlite3_keyword_name minus those that fall back
// to names, parse.y 3.54). A name in quotes that is one of them keeps its quotes in canonical form.
var keywords = set("add all alter and as autoincrement between case check collate commit constraint create default deferrable " +
	"delete distinct drop else escape exists foreign from group having if in index insert intersect into is isnull join limit not " +
	"nothing notnull null on or order primary references returning select set table then to transaction union unique update using " +
	"values when where except")

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

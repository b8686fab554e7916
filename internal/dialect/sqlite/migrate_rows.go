package sqlite

import (
	"slices"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// writing is what a statement writes.
type writing struct {
	name    string          // of the table, as it stands there
	rows    *diff.WriteRows // nil = it only reads
	how     string          // behind OR, and "replace" of REPLACE
	upserts []string        // columns that ON CONFLICT DO UPDATE sets
}

// writes says whose rows an INSERT, REPLACE, UPDATE or DELETE writes.
func (l *Loaded) writes(st *statement) []diff.Change {
	w := l.rowsOf(st.tokens, st.start())
	if w.rows == nil {
		return []diff.Change{diff.RunSession{What: "SELECT", Pos: st.start()}}
	}
	return append([]diff.Change{*w.rows}, l.besides(w)...)
}

// rowsOf reads a statement that may write rows. A WITH before it is passed over: its queries only read.
func (l *Loaded) rowsOf(tokens []token, pos schema.Pos) writing {
	with := tokens[0].is("WITH")
	if with {
		if tokens = behindWith(tokens); tokens == nil {
			return writing{}
		}
	}
	p := &parser{tokens: tokens}
	w := diff.WriteRows{Pos: pos}
	how := "" // what the statement says of rows that are there already
	var upserts []string
	switch {
	case p.take("INSERT"), p.take("REPLACE"):
		w.Verb = "insert"
		if tokens[0].is("REPLACE") {
			how = "replace"
		}
		if p.take("OR") {
			how = fold(p.peek().text)
			p.i++
		}
		p.take("INTO")
		l.insertInto(p, &w)
		upserts = upserted(p.tokens)
		if l.replaces(fold(w.Name), how) {
			w.Verb = "replace"
		}
		if with || how == "ignore" || w.Verb == "replace" || l.mayRefuse(fold(w.Name)) {
			w.Copy = nil
		}
	case p.take("UPDATE"):
		w.Verb = "update"
		if p.take("OR") {
			how = fold(p.peek().text)
			p.i++
		}
		w.Name, _ = p.qualifiedName()
		w.Columns = assigned(p.tokens[p.i:])
		w.All = !narrowed(p.tokens[p.i:])
	case p.take("DELETE", "FROM"):
		w.Verb = "delete"
		w.Name, _ = p.qualifiedName()
		w.All = !narrowed(p.tokens[p.i:])
	default:
		return writing{}
	}
	name := w.Name
	w.Table = fold(name)
	if t, key := l.tableNamed(name); key != w.Table {
		w.Table, w.Name, w.Young = key, "temporary table "+t.Name, true
	}
	return writing{name: name, rows: &w, how: how, upserts: upserts}
}

// mayRefuse tells whether a table can leave out rows that are inserted, without an error: a key says ON CONFLICT IGNORE, or a trigger may.
func (l *Loaded) mayRefuse(table string) bool {
	return l.conflict(table, "on conflict ignore") || len(l.triggersOn(table)) > 0
}

// behindWith gives the tokens from the statement that a WITH serves, nil where it only reads.
func behindWith(tokens []token) []token {
	depth := 0
	for i, t := range tokens {
		switch {
		case t.is("("):
			depth++
		case t.is(")"):
			depth--
		case depth == 0 && (t.is("INSERT") || t.is("REPLACE") || t.is("UPDATE") || t.is("DELETE")):
			return tokens[i:]
		case depth == 0 && (t.is("SELECT") || t.is("VALUES")):
			return nil
		}
	}
	return nil
}

// insertInto reads an INSERT from its table on.
func (l *Loaded) insertInto(p *parser, w *diff.WriteRows) {
	w.Name, _ = p.qualifiedName()
	if p.take("AS") {
		p.i++
	}
	if p.peek().is("(") {
		list, err := p.group()
		if err != nil {
			return
		}
		for _, t := range list {
			if !t.is(",") {
				w.Columns = append(w.Columns, fold(t.name()))
			}
		}
	}
	into := w.Columns
	if t, _ := l.tableNamed(w.Name); into == nil && t != nil {
		for _, c := range t.Columns {
			if c.Generated == nil {
				into = append(into, c.Key)
			}
		}
	}
	w.Copy = l.copied(p.tokens[p.i:], into)
}

// copied reads a query that gives every row of one table once, and says which of its columns go where; nil for any other query. into are
// the keys of the columns that are written; nil = those that the query names.
func (l *Loaded) copied(tokens []token, into []string) *diff.Copy {
	p := &parser{tokens: tokens}
	if !p.take("SELECT") || p.peek().is("DISTINCT") {
		return nil
	}
	p.take("ALL")
	var items [][]token
	var item []token
	depth := 0
	for ; !p.done() && !(depth == 0 && p.peek().is("FROM")); p.i++ {
		t := p.peek()
		switch {
		case depth == 0 && t.is(","):
			items, item = append(items, item), nil
			continue
		case t.is("("):
			depth++
			if len(item) > 0 && !scalar[fold(item[len(item)-1].text)] && isCall(item[len(item)-1]) || p.peekAt(1).is("SELECT") {
				return nil // it may make one row of many
			}
		case t.is(")"):
			depth--
		}
		item = append(item, t)
	}
	items = append(items, item)
	if !p.take("FROM") {
		return nil
	}
	name, err := p.qualifiedName()
	from, key := l.tableNamed(name)
	if err != nil || from == nil {
		return nil
	}
	alias := name
	if p.take("AS") || !p.done() && p.peek().kind != operator && !isClause(p.peek()) && !joins(p.peek()) {
		if alias, err = p.name(); err != nil {
			return nil
		}
	}
	if p.take("ORDER", "BY") {
		for !p.done() && !p.peek().is("LIMIT") {
			p.i++
		}
	}
	if !p.done() {
		return nil
	}
	c := &diff.Copy{From: key, Columns: map[string]string{}}
	var taken []string
	for _, item := range items {
		if len(item) == 1 && item[0].is("*") || len(item) == 3 && item[1].is(".") && item[2].is("*") {
			for _, column := range from.Columns {
				taken = append(taken, column.Key)
			}
			continue
		}
		taken = append(taken, "")
		plain := item
		if n := len(plain); n > 2 && plain[n-2].is("AS") {
			plain = plain[:n-2]
		}
		if n := len(plain); n == 3 && plain[1].is(".") && (fold(plain[0].name()) == fold(alias) || fold(plain[0].name()) == from.Key) {
			plain = plain[2:]
		}
		if len(plain) == 1 && (plain[0].kind == word || plain[0].kind == quoted) && from.Column(fold(plain[0].name())) != nil {
			taken[len(taken)-1] = fold(plain[0].name())
		}
	}
	if into == nil {
		into = columnNames(items, taken)
	}
	if len(into) != len(taken) {
		return nil
	}
	for i, column := range into {
		c.Columns[column] = taken[i]
	}
	return c
}

// columnNames gives the names that the columns of CREATE TABLE … AS get, where each item has one.
func columnNames(items [][]token, taken []string) []string {
	if len(items) != len(taken) {
		return slices.Clone(taken) // of a star
	}
	var names []string
	for i, item := range items {
		if n := len(item); n > 1 && item[n-2].is("AS") {
			names = append(names, fold(item[n-1].name()))
		} else {
			names = append(names, taken[i])
		}
	}
	return names
}

// isCall tells whether a token that stands before a parenthesis names a function.
func isCall(t token) bool {
	return (t.kind == word || t.kind == quoted) && !allKeywords[fold(t.text)] || t.is("REPLACE") || t.is("GLOB") || t.is("LIKE")
}

// scalar are functions that give a value for each row; any other may be an aggregate.
var scalar = set("abs cast ceil ceiling char coalesce concat concat_ws date datetime floor format glob hex ifnull iif instr json json_array json_extract json_insert json_object json_patch " +
	"json_quote json_remove json_replace json_set json_type json_valid julianday length like lower ltrim nullif octet_length printf quote random randomblob replace round rtrim sign " +
	"strftime substr substring time timediff trim trunc typeof unhex unicode unixepoch upper zeroblob")

// joins tells whether a token goes on with a list of tables.
func joins(t token) bool {
	for _, w := range [...]string{"JOIN", "LEFT", "RIGHT", "FULL", "INNER", "OUTER", "CROSS", "NATURAL", "INDEXED", "NOT", "ON", "USING"} {
		if t.is(w) {
			return true
		}
	}
	return false
}

// assigned gives the columns that an UPDATE sets.
func assigned(tokens []token) []string {
	var columns []string
	depth, setting, listed := 0, false, false // listed: the parenthesis holds columns, as in SET (a, b) = …
	for i, t := range tokens {
		first := i > 0 && (tokens[i-1].is("SET") || tokens[i-1].is(",")) && depth == 0
		switch {
		case t.is("("):
			depth++
			listed = listed && depth > 1 || first
		case t.is(")"):
			depth--
			listed = listed && depth > 0
		case depth == 0 && t.is("SET"):
			setting = true
		case depth == 0 && (t.is("WHERE") || t.is("FROM") || t.is("RETURNING")):
			return columns
		case setting && listed && depth == 1 && !t.is(","), setting && first && i+1 < len(tokens) && tokens[i+1].is("="):
			columns = append(columns, fold(t.name()))
		}
	}
	return columns
}

// narrowed tells whether a WHERE or a LIMIT may leave rows out. WHERE 1 does not.
func narrowed(tokens []token) bool {
	depth := 0
	for i, t := range tokens {
		switch {
		case t.is("("):
			depth++
		case t.is(")"):
			depth--
		case depth == 0 && t.is("LIMIT"):
			return true
		case depth == 0 && t.is("WHERE"):
			return !always(tokens[i+1:])
		}
	}
	return false
}

// always tells whether a condition is one of those that people write for all rows: 1, TRUE, 1=1.
func always(tokens []token) bool {
	for i, t := range tokens {
		if t.is("RETURNING") {
			tokens = tokens[:i]
			break
		}
	}
	for len(tokens) > 2 && tokens[0].is("(") && tokens[len(tokens)-1].is(")") {
		tokens = tokens[1 : len(tokens)-1]
	}
	switch len(tokens) {
	case 1:
		return tokens[0].is("TRUE") || tokens[0].kind == number && tokens[0].text != "0"
	case 3:
		return (tokens[1].is("=") || tokens[1].is("==")) && tokens[0].kind != word && tokens[0].text == tokens[2].text
	}
	return false
}

// tableNamed gives the table that a name means, a temporary one first, with the key by which statements are told to write to it.
func (l *Loaded) tableNamed(name string) (*schema.Table, string) {
	for _, sql := range l.temporary {
		if t, err := parseTable("CREATE"+sql[len("CREATE TEMP"):], nowhere); err == nil && t.Key == fold(name) {
			return t, "temp." + t.Key
		}
	}
	return l.Schema.Table(fold(name)), fold(name)
}

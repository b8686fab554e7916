package postgres_test

import (
	"regexp"
	"strings"
	"testing"
)

// edited is a text that is being changed. An edit that does not find what it is about fails the test.
type edited struct {
	testing.TB
	sql string
}

// replace puts one text in the place of another that is there once.
func (e *edited) replace(old, text string) {
	e.Helper()
	if n := strings.Count(e.sql, old); n != 1 {
		e.Fatalf("%q is there %d times", old, n)
	}
	e.sql = strings.Replace(e.sql, old, text, 1)
}

// all replaces every part of a name that is not inside another word.
func (e *edited) all(old, text string) {
	e.Helper()
	r := regexp.MustCompile(`\b` + regexp.QuoteMeta(old))
	if !strings.HasSuffix(old, "_") {
		r = regexp.MustCompile(`\b` + regexp.QuoteMeta(old) + `\b`)
	}
	if !r.MatchString(e.sql) {
		e.Fatalf("%q is not there", old)
	}
	e.sql = r.ReplaceAllString(e.sql, text)
}

// statement finds the one that begins so, and cuts the text around it.
func (e *edited) statement(start string) (before, statement, after string) {
	e.Helper()
	end := ";\n"
	if strings.HasPrefix(start, "CREATE FUNCTION") {
		end = "$;\n" // after the semicolons of its body
	}
	from := regexp.MustCompile(`(?m)^`+regexp.QuoteMeta(start)).FindAllStringIndex(e.sql, -1)
	if len(from) != 1 {
		e.Fatalf("%q begins %d statements", start, len(from))
	}
	before, rest := e.sql[:from[0][0]], e.sql[from[0][0]:]
	n := strings.Index(rest, end)
	if n < 0 {
		e.Fatalf("%q has no end", start)
	}
	n += len(end)
	return before, rest[:n], rest[n:]
}

// in replaces texts within the statement that begins so; pairs are what is there, as often as it is, and what comes in its place.
func (e *edited) in(start string, pairs ...string) {
	e.Helper()
	before, statement, after := e.statement(start)
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(statement, pairs[i]) {
			e.Fatalf("%q does not say %q", start, pairs[i])
		}
		statement = strings.ReplaceAll(statement, pairs[i], pairs[i+1])
	}
	e.sql = before + statement + after
}

// column replaces the line of a column, or of a check, in its CREATE TABLE; pairs are replaced anywhere besides.
func (e *edited) column(table, old, text string, pairs ...string) {
	e.Helper()
	before, statement, after := e.statement("CREATE TABLE " + qualified(table) + " (")
	comma := ","
	if !strings.Contains(statement, "\n    "+old+",\n") {
		comma = ""
	}
	line := "\n    " + old + comma + "\n"
	if strings.Count(statement, line) != 1 {
		e.Fatalf("%s has no line %q", table, old)
	}
	if definition, hint, ok := strings.Cut(text, " -- "); ok && comma != "" {
		text = definition + ", -- " + hint
		comma = ""
	}
	e.sql = before + strings.Replace(statement, line, "\n    "+text+comma+"\n", 1) + after
	for i := 0; i < len(pairs); i += 2 {
		e.replace(pairs[i], pairs[i+1])
	}
}

// without takes the line of a column or a check out of its CREATE TABLE.
func (e *edited) without(table, line string) {
	e.Helper()
	before, statement, after := e.statement("CREATE TABLE " + qualified(table) + " (")
	short := strings.Replace(strings.Replace(statement, "\n    "+line+",\n", "\n", 1), ",\n    "+line+"\n", "\n", 1)
	if short == statement {
		e.Fatalf("%s has no line %q", table, line)
	}
	e.sql = before + short + after
}

// drop takes out the statement that begins so.
func (e *edited) drop(start string) {
	e.Helper()
	before, _, after := e.statement(start)
	e.sql = before + after
}

// dropTable takes out all statements of a table but views and what refers to it.
func (e *edited) dropTable(name string) {
	e.Helper()
	of := regexp.MustCompile(`(?m)^(CREATE TABLE|CREATE SEQUENCE|ALTER SEQUENCE|ALTER TABLE|ALTER TABLE ONLY|CREATE (UNIQUE )?INDEX \w+ ON|CREATE TRIGGER .* ON) ` +
		regexp.QuoteMeta(qualified(name)) + `(_id_seq)?\b(?s:.*?);\n`)
	if !of.MatchString(e.sql) {
		e.Fatalf("table %s is not there", name)
	}
	e.sql = of.ReplaceAllString(e.sql, "")
}

// renameTable gives a table another name wherever it is named, with a hint.
func (e *edited) renameTable(from, to string) {
	e.Helper()
	e.all(qualified(from), qualified(to))
	e.before("CREATE TABLE "+qualified(to)+" (", "-- @renamed from="+from)
}

// before puts a statement, or a comment, before the one that begins so.
func (e *edited) before(start, text string) {
	e.Helper()
	before, statement, after := e.statement(start)
	if !strings.HasPrefix(text, "--") {
		text += ";\n"
	}
	e.sql = before + text + "\n" + statement + after
}

// add puts a statement behind all others.
func (e *edited) add(sql string) { e.sql += "\n" + sql + ";\n" }

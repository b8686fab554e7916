package dialect_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/altergate/altergate/internal/diff"
)

// myWorld is a random MySQL schema. Texts name tables and columns by their number, {12}, so that each is renamed in one place.
type myWorld struct {
	next     int
	tables   []*myTable
	programs []*myProgram // views, triggers and routines
}

type myTable struct {
	id                             int
	name, charset, comment, format string
	columns                        []*myColumn
	keys                           []*myKey
	foreign                        []*myForeign
	checks                         []*myCheck
	partition                      int   // column, 0 = none
	bounds                         []int // of its partitions
}

type myColumn struct {
	id                                              int
	name, typ, charset, deflt, computed, comment    string
	notNull, auto, stored, stamps, invisible, short bool
}

type myKey struct {
	id         int
	kind, name string // PRIMARY, UNIQUE, "" or FULLTEXT
	columns    []int
	prefix     int // of the first column
	outside    bool
}

type myForeign struct {
	id, column, target, far int
	name, onDelete          string
}

type myCheck struct {
	id, column int
	name, text string
	family     string
}

type myProgram struct {
	id, on           int // table
	kind, name, text string
}

func (w *myWorld) number() int {
	w.next++
	return w.next
}

func (w *myWorld) table(id int) *myTable {
	for _, t := range w.tables {
		if t.id == id {
			return t
		}
	}
	return nil
}

func (t *myTable) column(id int) *myColumn {
	for _, c := range t.columns {
		if c.id == id {
			return c
		}
	}
	return nil
}

func (w *myWorld) clone() *myWorld {
	out := &myWorld{next: w.next}
	for _, t := range w.tables {
		c := *t
		c.columns, c.keys, c.foreign, c.checks, c.bounds = copies(t.columns), copies(t.keys), copies(t.foreign), copies(t.checks), slices.Clone(t.bounds)
		for _, k := range c.keys {
			k.columns = slices.Clone(k.columns)
		}
		out.tables = append(out.tables, &c)
	}
	out.programs = copies(w.programs)
	return out
}

func copies[T any](list []*T) []*T {
	var out []*T
	for _, x := range list {
		c := *x
		out = append(out, &c)
	}
	return out
}

var myMention = regexp.MustCompile(`\{(\d+)\}`)

// mentioned lists the numbers in a text.
func mentionedIn(text string) []int {
	var out []int
	for _, m := range myMention.FindAllStringSubmatch(text, -1) {
		n, _ := strconv.Atoi(m[1])
		out = append(out, n)
	}
	return out
}

// names puts names into a text.
func (w *myWorld) names(text string) string {
	return myMention.ReplaceAllStringFunc(text, func(m string) string {
		n, _ := strconv.Atoi(strings.Trim(m, "{}"))
		for _, t := range w.tables {
			if t.id == n {
				return myQuote(t.name)
			}
			if c := t.column(n); c != nil {
				return myQuote(c.name)
			}
		}
		return m
	})
}

func myQuote(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }

func myText(text string) string {
	return "'" + strings.NewReplacer("'", "''", `\`, `\\`).Replace(text) + "'"
}

// myType is a type that columns can have.
type myType struct {
	name, family string
	values       []string // SQL
	deflts       []string
}

// myTypes are those types; enums and sets are spelt by their members.
var myTypes = []myType{
	{"tinyint", "int", []string{"127", "-128"}, []string{"1"}}, {"smallint", "int", []string{"32767"}, nil}, {"mediumint", "int", []string{"8388607"}, nil}, {"int", "int", []string{"2147483647", "-5"}, []string{"7", "-1"}},
	{"bigint", "int", []string{"9223372036854775807"}, nil}, {"int unsigned", "uint", []string{"4294967295"}, []string{"3"}}, {"bigint unsigned", "uint", []string{"18446744073709551615"}, nil}, {"tinyint(1)", "int", nil, []string{"0", "1"}},
	{"tinyint unsigned", "uint", []string{"255"}, nil}, {"year", "year", nil, nil}, {"bit(4)", "bit", []string{"b'1111'"}, []string{"b'101'"}},
	{"decimal(8,2)", "decimal", []string{"999999.99"}, []string{"1.50"}}, {"decimal(12,4)", "decimal", []string{"12345678.1234"}, nil}, {"decimal(8,0)", "decimal", []string{"12345678"}, nil}, {"double", "double", []string{"0.1"}, nil}, {"float", "float", []string{"1.5"}, nil},
	{"varchar(10)", "text", []string{"'0123456789'"}, []string{"'a'", "''"}}, {"varchar(60)", "text", []string{"'" + strings.Repeat("y", 60) + "'"}, []string{"'it''s'"}}, {"varchar(70)", "text", nil, nil}, {"varchar(300)", "text", []string{"'" + strings.Repeat("z", 300) + "'"}, nil},
	{"char(5)", "text", []string{"'abcde'"}, []string{"'x'"}}, {"text", "long", []string{"'" + strings.Repeat("t", 400) + "'"}, nil}, {"mediumtext", "long", nil, nil}, {"varbinary(20)", "bytes", []string{"x'00ff'"}, []string{"'b'"}}, {"binary(4)", "bytes", []string{"x'01020304'"}, nil}, {"blob", "blob", []string{"x'00ff27'"}, nil},
	{"date", "date", nil, []string{"'2020-02-29'"}}, {"datetime", "time", nil, []string{"CURRENT_TIMESTAMP", "'2020-01-01 00:00:00'"}}, {"datetime(3)", "time", []string{"'2024-05-06 07:08:09.123'"}, []string{"CURRENT_TIMESTAMP(3)"}}, {"timestamp", "time", nil, []string{"CURRENT_TIMESTAMP"}}, {"time", "clock", nil, nil},
	{"json", "json", nil, nil}, {"uuid", "uuid", nil, nil}, {"inet6", "inet", nil, nil}, {"point", "shape", nil, nil},
	{"enum('a','b','c')", "enum", nil, []string{"'a'"}}, {"enum('a','b')", "enum", nil, nil}, {"enum('a','b','c','d')", "enum", nil, []string{"'b'"}}, {"enum('c','b','a')", "enum", nil, nil}, {"set('x','y')", "set", nil, []string{"'x'"}}, {"set('x','y','z')", "set", nil, nil},
}

// myFamilies are the values that all types of a family hold.
var myFamilies = map[string][]string{
	"int": {"0", "1", "2", "3", "5", "9", "-1"}, "uint": {"0", "1", "2", "3", "5", "9"}, "year": {"2024", "1999", "2155"}, "bit": {"b'1'", "b'0'", "b'10'"}, "decimal": {"0", "1.25", "-7.5", "12"}, "double": {"0", "1.5", "-2.25"}, "float": {"0", "1.5", "-2.25"},
	"text": {"''", "'a'", "'abc'", "'12'", "'it''s'", "'ABC'", "'ü'"}, "long": {"''", "'a'", "'abc'", "'ü'"}, "bytes": {"x'61'", "x'6162'"}, "blob": {"x'61'", "x''"}, "date": {"'2024-01-02'", "'1999-12-31'"}, "time": {"'2024-01-02 03:04:05'", "'1999-12-31 23:59:59'"}, "clock": {"'01:02:03'", "'-10:00:00'"},
	"json": {`'{"a": 1}'`, "'[]'"}, "uuid": {"'00000000-0000-4000-8000-000000000001'", "'00000000-0000-4000-8000-000000000002'"}, "inet": {"'::1'", "'2001:db8::2'"}, "shape": {"ST_GeomFromText('POINT(1 2)')"}, "enum": {"'a'", "'b'", "'c'"}, "set": {"'x'", "'y'", "'x,y'", "''"},
}

func typeNamed(name string) myType {
	for _, t := range myTypes {
		if t.name == name {
			return t
		}
	}
	return myType{name: name}
}

func (c *myColumn) family() string { return typeNamed(c.typ).family }

// isWord tells whether a column has a character set.
func (c *myColumn) isWord() bool {
	return slices.Contains([]string{"text", "long", "enum", "set"}, c.family())
}

// needsPrefix tells whether a key on the column has to say how much of it.
func (c *myColumn) needsPrefix() bool { return c.family() == "long" || c.family() == "blob" }

// keyed tells whether the column can be in a key.
func (c *myColumn) keyed() bool {
	return !slices.Contains([]string{"json", "shape", "uuid", "inet"}, c.family()) && (c.computed == "" || c.stored)
}

// repair takes away what names things that are gone, or that no longer holds.
func (w *myWorld) repair() {
	for _, t := range w.tables {
		t.repair()
	}
	for _, t := range w.tables {
		t.foreign = slices.DeleteFunc(t.foreign, func(f *myForeign) bool { return !w.foreignHolds(t, f) })
	}
	w.programs = slices.DeleteFunc(w.programs, func(p *myProgram) bool {
		t := w.table(p.on)
		return t == nil || slices.ContainsFunc(mentionedIn(p.text), func(n int) bool { return n != t.id && t.column(n) == nil })
	})
}

func (t *myTable) repair() {
	lost := func(text string) bool {
		return slices.ContainsFunc(mentionedIn(text), func(n int) bool { c := t.column(n); return c == nil || c.computed != "" || c.auto })
	}
	for _, c := range t.columns {
		if c.computed != "" && (lost(c.computed) || slices.ContainsFunc(mentionedIn(c.computed), func(n int) bool { return t.column(n).family() != c.family() })) {
			c.computed, c.stored = "", false
		}
		if c.computed != "" {
			c.deflt, c.stamps, c.notNull, c.auto = "", false, false, false
		}
		if c.deflt != "" && !slices.Contains(typeNamed(c.typ).deflts, c.deflt) {
			c.deflt = ""
		}
		if c.stamps && c.typ != "datetime" && c.typ != "timestamp" {
			c.stamps = false
		}
		if !c.isWord() {
			c.charset = ""
		}
		if c.auto && c.family() != "int" && c.family() != "uint" {
			c.auto = false
		}
	}
	t.checks = slices.DeleteFunc(t.checks, func(k *myCheck) bool {
		c := t.column(k.column)
		return c == nil || c.family() != k.family || c.auto
	})
	t.keys = slices.DeleteFunc(t.keys, func(k *myKey) bool {
		return slices.ContainsFunc(k.columns, func(n int) bool {
			c := t.column(n)
			return c == nil || !c.keyed() || k.kind == "PRIMARY" && (c.computed != "" || c.needsPrefix())
		})
	})
	for _, k := range t.keys {
		first := t.column(k.columns[0])
		switch {
		case k.kind == "FULLTEXT":
			k.prefix = 0
		case first.needsPrefix() && k.prefix == 0:
			k.prefix = 7
		case !first.needsPrefix() && (k.prefix > 4 || first.family() != "text" && first.family() != "bytes"):
			k.prefix = 0
		}
		k.columns = slices.DeleteFunc(k.columns, func(n int) bool { return n != k.columns[0] && t.column(n).needsPrefix() })
	}
	t.keys = slices.DeleteFunc(t.keys, func(k *myKey) bool {
		return k.kind == "FULLTEXT" && (t.partition != 0 || slices.ContainsFunc(k.columns, func(n int) bool { f := t.column(n).family(); return f != "text" && f != "long" }))
	})
	t.unmixed()
	first := map[int]bool{}
	for _, k := range t.keys {
		first[k.columns[0]] = first[k.columns[0]] || k.prefix == 0 && k.kind != "FULLTEXT"
	}
	autos := 0
	for _, c := range t.columns {
		if c.auto = c.auto && first[c.id] && autos == 0; c.auto {
			autos++
			c.deflt = ""
		}
	}
	p := t.column(t.partition)
	if p == nil || p.family() != "int" || p.computed != "" || slices.ContainsFunc(t.keys, func(k *myKey) bool { return k.kind != "" && !slices.Contains(k.columns, t.partition) }) {
		t.partition, t.bounds = 0, nil
	}
}

// unmixed leaves no two columns of different character sets in one full-text key, and one primary key.
func (t *myTable) unmixed() {
	primary := false
	t.keys = slices.DeleteFunc(t.keys, func(k *myKey) bool {
		if k.kind == "PRIMARY" {
			again := primary
			primary = true
			return again
		}
		return k.kind == "FULLTEXT" && slices.ContainsFunc(k.columns, func(n int) bool { return t.column(n).charset != t.column(k.columns[0]).charset })
	})
}

// foreignHolds tells whether a foreign key can be: columns of one type, and a key at the other end.
func (w *myWorld) foreignHolds(t *myTable, f *myForeign) bool {
	far := w.table(f.target)
	c := t.column(f.column)
	if far == nil || c == nil || t.partition != 0 || far.partition != 0 || c.computed != "" {
		return false
	}
	other := far.column(f.far)
	if other == nil || other.typ != c.typ || other.computed != "" || c.isWord() || f.onDelete == "SET NULL" && (c.notNull || t.inPrimary(c.id)) {
		return false
	}
	return slices.ContainsFunc(far.keys, func(k *myKey) bool {
		return (k.kind == "PRIMARY" || k.kind == "UNIQUE") && len(k.columns) == 1 && k.columns[0] == f.far && k.prefix == 0
	})
}

func (t *myTable) inPrimary(column int) bool {
	return slices.ContainsFunc(t.keys, func(k *myKey) bool { return k.kind == "PRIMARY" && slices.Contains(k.columns, column) })
}

// myHints names what has another name in the head.
func myHints(base, head *myWorld) []diff.Hint {
	var hints []diff.Hint
	for _, t := range head.tables {
		was := base.table(t.id)
		if was == nil {
			continue
		}
		if was.name != t.name {
			hints = append(hints, diff.Hint{From: was.name, To: t.name})
		}
		for _, c := range t.columns {
			if old := was.column(c.id); old != nil && old.name != c.name {
				hints = append(hints, diff.Hint{Table: t.name, From: old.name, To: c.name})
			}
		}
	}
	return hints
}

// statements writes the schema.
func (w *myWorld) statements() []string {
	var out, later []string
	for i, t := range w.tables {
		var parts []string
		for _, c := range t.columns {
			parts = append(parts, w.columnText(t, c))
		}
		for _, k := range t.keys {
			text := fmt.Sprintf("%s KEY %s (%s)", k.kind, myQuote(k.name), w.keyParts(t, k))
			switch {
			case k.kind == "PRIMARY":
				text = "PRIMARY KEY (" + w.keyParts(t, k) + ")"
			case k.outside && !slices.ContainsFunc(t.columns, func(c *myColumn) bool { return c.auto && c.id == k.columns[0] }):
				later = append(later, fmt.Sprintf("CREATE %s INDEX %s ON %s (%s)", k.kind, myQuote(k.name), myQuote(t.name), w.keyParts(t, k)))
				continue
			}
			parts = append(parts, strings.TrimSpace(text))
		}
		for _, f := range t.foreign {
			text := w.names(fmt.Sprintf("CONSTRAINT %s FOREIGN KEY ({%d}) REFERENCES {%d} ({%d})%s", myQuote(f.name), f.column, f.target, f.far, given(f.onDelete != "", " ON DELETE "+f.onDelete)))
			if slices.ContainsFunc(w.tables[:i+1], func(o *myTable) bool { return o.id == f.target }) && f.target != t.id {
				parts = append(parts, text)
			} else {
				later = append(later, "ALTER TABLE "+myQuote(t.name)+" ADD "+text)
			}
		}
		for _, k := range t.checks {
			parts = append(parts, "CONSTRAINT "+myQuote(k.name)+" CHECK ("+w.names(k.text)+")")
		}
		text := "CREATE TABLE " + myQuote(t.name) + " (\n  " + strings.Join(parts, ",\n  ") + "\n)" + given(t.format != "", " ROW_FORMAT="+t.format) + given(t.charset != "", " DEFAULT CHARSET="+t.charset) + given(t.comment != "", " COMMENT="+myText(t.comment))
		if t.partition != 0 {
			var bounds []string
			for _, b := range t.bounds {
				bounds = append(bounds, fmt.Sprintf("PARTITION p%d VALUES LESS THAN (%d)", b, b))
			}
			text += w.names(fmt.Sprintf("\nPARTITION BY RANGE ({%d}) (%s, PARTITION prest VALUES LESS THAN MAXVALUE)", t.partition, strings.Join(bounds, ", ")))
		}
		out = append(out, text)
	}
	out = append(out, later...)
	for _, p := range w.programs {
		out = append(out, w.programText(p))
	}
	return out
}

func (w *myWorld) programText(p *myProgram) string {
	t := w.table(p.on)
	switch p.kind {
	case "view":
		return "CREATE VIEW " + myQuote(p.name) + " AS " + w.names(p.text)
	case "trigger":
		return "CREATE TRIGGER " + myQuote(p.name) + " BEFORE UPDATE ON " + myQuote(t.name) + " FOR EACH ROW " + w.names(p.text)
	}
	return "CREATE FUNCTION " + myQuote(p.name) + "() RETURNS int READS SQL DATA " + w.names(p.text)
}

func (w *myWorld) keyParts(t *myTable, k *myKey) string {
	var parts []string
	for i, n := range k.columns {
		parts = append(parts, myQuote(t.column(n).name)+given(i == 0 && k.prefix > 0, fmt.Sprintf("(%d)", k.prefix)))
	}
	return strings.Join(parts, ", ")
}

// columnText writes a column, with the words of one way or another.
func (w *myWorld) columnText(t *myTable, c *myColumn) string {
	typ := c.typ
	if !c.short {
		typ = strings.NewReplacer("mediumint", "mediumint(9)", "bigint unsigned", "BIGINT(20) UNSIGNED", "tinyint unsigned", "TINYINT UNSIGNED", "int unsigned", "INTEGER UNSIGNED").Replace(typ)
		if typ == "int" {
			typ = "int(11)"
		}
	}
	text := myQuote(c.name) + " " + typ + given(c.charset != "", " CHARACTER SET "+c.charset)
	if c.computed != "" {
		return text + " GENERATED ALWAYS AS (" + w.names(c.computed) + ") " + map[bool]string{true: "STORED", false: "VIRTUAL"}[c.stored] + given(c.comment != "", " COMMENT "+myText(c.comment))
	}
	text += given(c.notNull, " NOT NULL") + given(!c.notNull && (c.short || c.typ == "timestamp"), " NULL") + given(c.deflt != "", " DEFAULT "+c.deflt)
	if c.stamps {
		text += " ON UPDATE CURRENT_TIMESTAMP"
	}
	return text + given(c.auto, " AUTO_INCREMENT") + given(c.invisible && (!c.notNull || c.deflt != ""), " INVISIBLE") + given(c.comment != "", " COMMENT "+myText(c.comment))
}

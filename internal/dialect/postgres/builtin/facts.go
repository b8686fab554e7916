// Package builtin holds what every PostgreSQL server has without being told: its types, casts, operators and functions, read off
// pg_catalog of PostgreSQL 15, and the server's rules for choosing among them (PostgreSQL 15, chapter 10 "Type Conversion").
//
// A type is a string: as format_type() prints it without modifiers ("integer", "character varying", "\"char\"", "integer[]"). The
// type "unknown" is that of a bare string literal and of NULL. The type "" is one that is not known to us, and no answer rests on a
// guess about it.
//
// The package knows nothing of schemas, of what a user made (Types tells of user types; a user's own functions, operators and casts
// are the caller's to look up first), of SQL's grammar and of servers.
package builtin

import (
	_ "embed"
	"strings"
	"sync"
)

// factsText is written by TestFacts with -update.
//
//go:embed facts.tsv
var factsText string

const factsHead = "# The types, casts, operators and functions of PostgreSQL 15, written by: go test -run TestFacts -update\n"

// The sections of facts.tsv, in their order. Within each, lines are sorted by their bytes.
const (
	typesSection = iota
	castsSection
	operatorsSection
	functionsSection
)

var sectionNames = []string{"types", "casts", "operators", "functions"}

// typeFact is a line of pg_type.
type typeFact struct {
	name      string // canonical
	kind      byte   // typtype: 'b' base, 'p' pseudo, 'r' range, 'm' multirange, 'c' composite
	category  byte
	preferred bool
	input     byte   // volatility of the function that reads the type from text
	output    byte   // volatility of the function that writes it as text
	array     string // canonical name of the array type over it, "" when there is none
	element   string // of int2vector and oidvector, which are arrays by another name
	over      string // subtype of a range, range of a multirange
}

type castKey struct{ from, to string }

// catalog is what facts.tsv says.
type catalog struct {
	types       map[string]*typeFact   // by canonical name; of arrays only those with a name of their own
	names       map[string]string      // typname to canonical name, arrays too
	multiranges map[string]string      // range to multirange
	casts       map[castKey]Cast       //
	operators   map[string][]candidate // by name
	functions   map[string]string      // by name, the lines
}

// facts parses the file once, when something is first asked.
var facts = sync.OnceValue(readFacts)

func readFacts() *catalog {
	c := &catalog{
		types:       make(map[string]*typeFact, 300),
		names:       make(map[string]string, 600),
		multiranges: map[string]string{},
		casts:       make(map[castKey]Cast, 256),
		operators:   make(map[string][]candidate, 128),
		functions:   make(map[string]string, 3000),
	}
	c.readTypes(section(factsText, typesSection))
	for line := range strings.Lines(section(factsText, castsSection)) {
		var p [3]string
		split(line, p[:])
		c.casts[castKey{c.names[p[0]], c.names[p[1]]}] = Cast{Context: p[2][0], Method: p[2][1], Volatility: p[2][2]}
	}
	for line := range strings.Lines(section(factsText, operatorsSection)) {
		var p [5]string
		split(line, p[:])
		o := candidate{params: []string{c.names[p[2]]}, result: c.names[p[3]], volatility: p[4][0]}
		if p[1] != "" {
			o.params = []string{c.names[p[1]], c.names[p[2]]}
		}
		c.operators[p[0]] = append(c.operators[p[0]], o)
	}
	c.indexFunctions(section(factsText, functionsSection))
	return c
}

// section gives the lines of one section.
func section(text string, i int) string {
	_, text, _ = strings.Cut(text, "== "+sectionNames[i]+"\n")
	if i+1 < len(sectionNames) {
		text, _, _ = strings.Cut(text, "== "+sectionNames[i+1]+"\n")
	}
	return text
}

// split cuts a line into its fields. Fields that the line does not have stay empty.
func split(line string, fields []string) {
	line = strings.TrimSuffix(line, "\n")
	for i := range fields {
		fields[i], line, _ = strings.Cut(line, "\t")
	}
}

func (c *catalog) readTypes(text string) {
	for line := range strings.Lines(text) {
		var p [5]string
		split(line, p[:])
		t := &typeFact{name: p[1], kind: p[2][0], category: p[2][1], preferred: p[2][2] == 'p', input: p[2][3], output: p[2][4]}
		if t.name == "" {
			t.name = p[0]
		}
		c.names[p[0]], c.types[t.name] = t.name, t
		switch array := p[3]; array {
		case "-":
		case "":
			t.array = t.name + "[]"
			c.names["_"+p[0]] = t.array
		default:
			t.array = t.name + "[]"
			c.names[array] = t.array
		}
		switch t.kind { // as typname: the line that makes it canonical can come later
		case 'r', 'm':
			t.over = p[4]
		default:
			t.element = p[4]
		}
	}
	for _, t := range c.types {
		t.element, t.over = c.names[t.element], c.names[t.over]
		if t.kind == 'm' {
			c.multiranges[t.over] = t.name
		}
	}
}

// indexFunctions keeps the lines of each name together; they are parsed when the name is asked for.
func (c *catalog) indexFunctions(text string) {
	for text != "" {
		name, _, _ := strings.Cut(text, "\t")
		end := 0
		for strings.HasPrefix(text[end:], name) && text[end+len(name)] == '\t' {
			end += strings.IndexByte(text[end:], '\n') + 1
		}
		c.functions[name] = text[:end]
		text = text[end:]
	}
}

// function parses the functions of a name.
func (c *catalog) function(name string) []candidate {
	var all []candidate
	for line := range strings.Lines(c.functions[name]) {
		var p [5]string
		split(line, p[:])
		f := candidate{
			kind:       p[1][0],
			volatility: p[1][1],
			strict:     p[1][2] == 's',
			set:        p[1][3] == 'r',
			rest:       c.names[p[3]],
			result:     c.names[p[4]],
		}
		for _, digit := range p[1][4:] {
			f.defaults = 10*f.defaults + int(digit-'0')
		}
		if p[2] != "" {
			for name := range strings.SplitSeq(p[2], ",") {
				f.params = append(f.params, c.names[name])
			}
		}
		all = append(all, f)
	}
	return all
}

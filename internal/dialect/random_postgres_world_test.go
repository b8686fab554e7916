package dialect_test

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// thing is anything that a PostgreSQL schema is made of. Texts name other things by their number: {12} is the name as SQL writes it,
// {12!} the same without a schema. So a thing is renamed in one place, and what names a thing that is gone is easily found.
type thing struct {
	id, on, schema int    // on is what it is a part of; schema 0 is public
	kind, name     string // name "" is made up by the server, or by the column that a view shows
	text           string // what it says, depending on kind
	typ            string
	deflt          string
	computed       string
	identity       string // ALWAYS, BY DEFAULT, or serial
	notNull        bool
	columns        []int // of a key or a foreign key
	target         int   // the key of a foreign key; what a comment or a grant is about
	list           []string
	flags          map[string]string
	needs          map[int]string // what its texts take for granted of others: a column's family, a label of an enum, a kind
	style          int            // which of several ways to write it
}

// sqlWorld is a random PostgreSQL schema.
type sqlWorld struct {
	things []*thing
	next   int
	file   int // how many files it is written as
}

func (w *sqlWorld) add(th thing) *thing {
	w.next++
	th.id = w.next
	if th.flags == nil {
		th.flags = map[string]string{}
	}
	if th.needs == nil {
		th.needs = map[int]string{}
	}
	w.things = append(w.things, &th)
	return &th
}

func (w *sqlWorld) find(id int) *thing {
	for _, th := range w.things {
		if th.id == id {
			return th
		}
	}
	return nil
}

// all lists the things of some kinds.
func (w *sqlWorld) all(kinds ...string) []*thing {
	var out []*thing
	for _, th := range w.things {
		if slices.Contains(kinds, th.kind) {
			out = append(out, th)
		}
	}
	return out
}

// parts lists what is on a thing, of some kinds or of all.
func (w *sqlWorld) parts(on int, kinds ...string) []*thing {
	var out []*thing
	for _, th := range w.things {
		if th.on == on && (len(kinds) == 0 || slices.Contains(kinds, th.kind)) {
			out = append(out, th)
		}
	}
	return out
}

func (w *sqlWorld) remove(gone *thing) {
	w.things = slices.DeleteFunc(w.things, func(th *thing) bool { return th == gone })
}

func (w *sqlWorld) clone() *sqlWorld {
	out := &sqlWorld{next: w.next, file: w.file}
	for _, th := range w.things {
		c := *th
		c.columns, c.list = slices.Clone(th.columns), slices.Clone(th.list)
		c.flags, c.needs = maps.Clone(th.flags), maps.Clone(th.needs)
		out.things = append(out.things, &c)
	}
	return out
}

var mention = regexp.MustCompile(`\{(\d+)(!?)\}`)

// mentions lists the things that a thing names.
func (th *thing) mentions() []int {
	texts := append([]string{th.text, th.typ, th.deflt, th.computed}, th.list...)
	for _, v := range th.flags {
		texts = append(texts, v)
	}
	var out []int
	for _, text := range texts {
		for _, m := range mention.FindAllStringSubmatch(text, -1) {
			id, _ := strconv.Atoi(m[1])
			out = append(out, id)
		}
	}
	out = append(out, th.columns...)
	for _, id := range []int{th.on, th.schema, th.target} {
		if id != 0 {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// write puts names into a text.
func (w *sqlWorld) write(text string) string {
	return mention.ReplaceAllStringFunc(text, func(m string) string {
		id, _ := strconv.Atoi(strings.Trim(m, "{!}"))
		th := w.find(id)
		if th == nil {
			return m
		}
		if strings.HasSuffix(m, "!}") {
			return sqlQuote(w.nameOf(th))
		}
		return w.ref(th)
	})
}

// nameOf gives a thing's name; a view's column without one has that of the column it shows.
func (w *sqlWorld) nameOf(th *thing) string {
	if th.name == "" && th.kind == "output" {
		if c := w.find(th.target); c != nil {
			return w.nameOf(c)
		}
	}
	return th.name
}

// topLevel are the kinds of things that live in schemas.
var topLevel = []string{"enum", "domain", "composite", "sequence", "function", "table", "partition", "view", "statistics"}

// ref writes the name of a thing with its schema, where that is not public.
func (w *sqlWorld) ref(th *thing) string {
	name := sqlQuote(w.nameOf(th))
	if !slices.Contains(topLevel, th.kind) {
		return name
	}
	if s := w.find(th.schema); s != nil {
		return sqlQuote(s.name) + "." + name
	}
	if th.style%5 == 4 {
		return "public." + name
	}
	return name
}

// report names a thing as hints do.
func (w *sqlWorld) report(th *thing) string {
	part := func(name string) string {
		if strings.ContainsAny(name, `."`) {
			return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
		}
		return name
	}
	if s := w.find(th.schema); s != nil {
		return part(s.name) + "." + part(th.name)
	}
	return part(th.name)
}

var plainName = regexp.MustCompile(`^[a-z_][a-z0-9_]*$`)

// sqlQuote writes a name in quotes where it needs them.
func sqlQuote(name string) string {
	if plainName.MatchString(name) && !slices.Contains([]string{"order", "user", "select", "table", "group", "desc", "end", "default", "check"}, name) {
		return name
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

// family groups the types whose columns the same expressions go for.
func (w *sqlWorld) family(typ string) string {
	if elem, ok := strings.CutSuffix(typ, "[]"); ok {
		return w.family(elem) + "[]"
	}
	if m := mention.FindStringSubmatch(typ); m != nil {
		id, _ := strconv.Atoi(m[1])
		th := w.find(id)
		switch {
		case th == nil:
			return ""
		case th.kind == "domain":
			return w.family(th.typ)
		case th.kind == "enum":
			return "enum " + m[1]
		}
		return th.kind
	}
	for _, t := range sqlTypes {
		if t.name == typ {
			return t.family
		}
	}
	return ""
}

// familyOf gives the family of a column, or of what a view shows.
func (w *sqlWorld) familyOf(th *thing) string {
	if th.kind == "output" && th.target != 0 {
		if c := w.find(th.target); c != nil {
			return w.familyOf(c)
		}
	}
	return w.family(th.typ)
}

// repair removes what names things that are gone, or takes for granted what no longer is so.
func (w *sqlWorld) repair() {
	for changed := true; changed; {
		n := len(w.things)
		for _, th := range slices.Clone(w.things) {
			w.repairParts(th)
			if !w.holds(th) {
				w.remove(th)
			}
		}
		changed = n != len(w.things)
	}
}

// repairParts takes from a thing that can stay without it what does not hold.
func (w *sqlWorld) repairParts(th *thing) {
	lost := func(text string) bool {
		return slices.ContainsFunc((&thing{text: text}).mentions(), func(id int) bool { return w.find(id) == nil })
	}
	if th.kind != "column" && th.kind != "domain" {
		return
	}
	if lost(th.deflt) {
		th.deflt = ""
	}
	for id, want := range th.needs {
		if !w.meets(id, want) {
			delete(th.needs, id)
			if enum := w.find(id); th.computed == "" && (enum == nil || enum.kind == "enum") {
				th.deflt = ""
			} else {
				th.computed, th.deflt = "", ""
			}
		}
	}
	if lost(th.computed) {
		th.computed = ""
	}
}

func (w *sqlWorld) meets(id int, want string) bool {
	th := w.find(id)
	switch {
	case th == nil:
		return false
	case th.kind == "enum":
		return slices.Contains(th.list, want)
	case th.kind == "column" || th.kind == "output":
		return want == "" || w.familyOf(th) == want
	}
	return th.kind == want || th.flags["for"] == want
}

func (w *sqlWorld) holds(th *thing) bool {
	for _, id := range th.mentions() {
		if w.find(id) == nil {
			return false
		}
	}
	for id, want := range th.needs {
		if !w.meets(id, want) {
			return false
		}
	}
	switch th.kind {
	case "view":
		return len(w.parts(th.id, "output")) > 0
	case "table":
		return len(w.parts(th.id, "column")) > 0
	case "foreign":
		return w.foreignHolds(th)
	case "key":
		return w.keyHolds(th)
	case "trigger":
		return !(w.find(th.on).kind == "view" && w.find(th.on).flags["materialized"] != "")
	case "partition":
		return w.find(th.on).flags["partition"] != ""
	case "column":
		return !(th.identity != "" && w.family(th.typ) != "int")
	}
	return true
}

// numbers tells whether a table has several constraints or indexes without a name, which the server numbers in their order.
func (w *sqlWorld) numbers() bool {
	for _, t := range w.all("table", "view") {
		unnamed := 0
		for _, part := range w.parts(t.id, "check", "key", "foreign", "exclusion", "index") {
			if part.name == "" {
				unnamed++
			}
		}
		if unnamed > 1 {
			return true
		}
	}
	return false
}

// foreignHolds tells whether a foreign key's columns can hold what those of the key do.
func (w *sqlWorld) foreignHolds(th *thing) bool {
	key := w.find(th.target)
	if key.kind != "key" || key.flags["deferrable"] != "" || len(key.columns) != len(th.columns) {
		return false
	}
	for i, c := range th.columns {
		if w.find(c).computed != "" || w.familyOf(w.find(c)) != w.familyOf(w.find(key.columns[i])) {
			return false
		}
	}
	return true
}

// keyHolds tells whether a key can be: columns that have an order, one primary key, and the partition's column among them.
func (w *sqlWorld) keyHolds(th *thing) bool {
	for _, c := range th.columns {
		if f := w.familyOf(w.find(c)); f == "json" || f == "composite" {
			return false
		}
	}
	for _, other := range w.parts(th.on, "key") {
		if other.id < th.id && (other.text == "PRIMARY KEY" && th.text == other.text || slices.Equal(other.columns, th.columns)) {
			return false
		}
	}
	if by := w.find(th.on).flags["partition"]; by != "" {
		for _, c := range (&thing{text: by}).mentions() {
			if !slices.Contains(th.columns, c) {
				return false
			}
		}
	}
	return true
}

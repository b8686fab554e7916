package dialect_test

import (
	"fmt"
	"slices"
	"strings"
)

// sqlPrinter writes a world as statements that a server takes in their order.
type sqlPrinter struct {
	w       *sqlWorld
	out     []string
	begun   map[int]bool
	emitted map[int]bool
}

func (w *sqlWorld) statements() []string {
	p := &sqlPrinter{w: w, begun: map[int]bool{}, emitted: map[int]bool{}}
	for _, th := range w.things {
		p.visit(th)
	}
	return p.out
}

// visit writes a thing after all that it names.
func (p *sqlPrinter) visit(th *thing) {
	if th == nil || p.begun[th.id] {
		return
	}
	if part := p.inTable(th); part {
		p.visit(p.w.find(th.on))
		return
	}
	if th.kind == "output" {
		p.visit(p.w.find(th.on))
		return
	}
	p.begun[th.id] = true
	p.before(th)
	if th.kind == "table" || th.kind == "view" {
		for _, part := range p.w.parts(th.id) {
			if p.inTable(part) || part.kind == "output" {
				p.begun[part.id] = true
				if part.kind != "foreign" || part.on != p.w.find(part.target).on {
					p.before(part)
				}
			}
		}
	}
	p.emit(th)
	p.emitted[th.id] = true
}

func (p *sqlPrinter) before(th *thing) {
	for _, id := range th.mentions() {
		if id != th.id {
			p.visit(p.w.find(id))
		}
	}
}

// inTable tells whether a thing is written in its table's CREATE TABLE.
func (p *sqlPrinter) inTable(th *thing) bool {
	switch th.kind {
	case "column":
		return true
	case "check", "exclusion":
		return th.style%3 < 2 && th.flags["suffix"] != " NOT VALID"
	case "key":
		return th.style%3 < 2
	case "foreign":
		key := p.w.find(th.target)
		return th.style%3 < 2 && (th.on == key.on && p.inTable(key) || p.emitted[key.on] && (p.emitted[key.id] || p.inTable(key)))
	}
	return false
}

func (p *sqlPrinter) say(format string, args ...any) {
	p.out = append(p.out, p.w.write(fmt.Sprintf(format, args...)))
}

func (p *sqlPrinter) emit(th *thing) {
	name := p.w.ref(th)
	switch th.kind {
	case "schema":
		p.say("CREATE SCHEMA %s", name)
	case "enum":
		var labels []string
		for _, l := range th.list {
			labels = append(labels, sqlText(l))
		}
		p.say("CREATE TYPE %s AS ENUM (%s)", name, strings.Join(labels, ", "))
	case "domain":
		p.say("CREATE DOMAIN %s AS %s%s%s %s", name, th.typ, option(" DEFAULT ", th.deflt), given(th.notNull, " NOT NULL"), strings.Join(th.list, " "))
	case "composite":
		p.say("CREATE TYPE %s AS (%s)", name, strings.Join(th.list, ", "))
	case "sequence":
		p.say("CREATE SEQUENCE %s%s", name, th.text)
	case "owned":
		p.say("ALTER SEQUENCE {%d} OWNED BY {%d}.{%d}", th.on, p.w.find(th.target).on, th.target)
	case "function":
		p.function(th, name)
	case "table":
		p.table(th, name)
	case "partition":
		p.say("CREATE TABLE %s PARTITION OF {%d} %s", name, th.on, th.text)
	case "view":
		p.view(th, name)
	case "index":
		if th.name == "" {
			name = ""
		}
		p.say("CREATE %sINDEX %s ON {%d}%s (%s)%s%s%s%s", th.flags["unique"], name, th.on, th.flags["method"], th.text, th.flags["include"], th.flags["nulls"], th.flags["with"], th.flags["where"])
	case "statistics":
		p.say("CREATE STATISTICS %s ON %s FROM {%d}", name, th.text, th.on)
	case "trigger":
		p.say("CREATE %sTRIGGER %s %s", th.flags["constraint"], name, th.text)
		if th.flags["disabled"] != "" {
			p.say("ALTER TABLE {%d} DISABLE TRIGGER %s", th.on, name)
		}
	case "policy":
		p.say("CREATE POLICY %s ON {%d} %s", name, th.on, th.text)
	case "grant":
		p.say("%s", th.text)
	case "comment":
		p.say("COMMENT ON %s IS %s", p.subject(p.w.find(th.target)), sqlText(th.text))
	case "check", "key", "exclusion", "foreign":
		p.say("ALTER TABLE {%d} ADD %s", th.on, p.constraint(th))
	}
}

func option(before, text string) string {
	if text == "" {
		return ""
	}
	return before + text
}

func given(condition bool, text string) string {
	if condition {
		return text
	}
	return ""
}

func sqlText(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// subject writes what a comment is on.
func (p *sqlPrinter) subject(th *thing) string {
	m := mentionOf(th)
	on := fmt.Sprintf(" ON {%d}", th.on)
	switch th.kind {
	case "column":
		return fmt.Sprintf("COLUMN {%d}.%s", th.on, m)
	case "view":
		return th.flags["materialized"] + "VIEW " + m
	case "key", "check", "foreign":
		return "CONSTRAINT " + m + on
	case "function":
		return "FUNCTION " + m + "(" + argTypes(th) + ")"
	case "enum":
		return "TYPE " + m
	case "index":
		if s := p.w.find(p.w.find(th.on).schema); s != nil {
			return "INDEX " + sqlQuote(s.name) + "." + m
		}
		return "INDEX " + m
	case "trigger", "policy":
		return strings.ToUpper(th.kind) + " " + m + on
	}
	return strings.ToUpper(th.kind) + " " + m
}

func (p *sqlPrinter) function(th *thing, name string) {
	language, body := th.flags["language"], "AS $body$"+th.text+"$body$"
	if language == "atomic" {
		language, body = "sql", th.text
		if strings.HasPrefix(body, "BEGIN ATOMIC") {
			body = strings.TrimSuffix(body, " END") + " END"
		}
	}
	p.say("CREATE FUNCTION %s(%s) RETURNS %s LANGUAGE %s %s %s", name, th.flags["args"], th.typ, language, th.flags["how"], body)
}

func (p *sqlPrinter) view(th *thing, name string) {
	var list []string
	for _, o := range p.w.parts(th.id, "output") {
		if o.name == "" {
			list = append(list, o.text)
		} else if o.name != "?" {
			list = append(list, o.text+" AS "+sqlQuote(o.name))
		}
	}
	p.say("CREATE %sVIEW %s%s AS %s", th.flags["materialized"], name, option("", given(th.flags["materialized"] == "", th.flags["options"])), strings.Replace(th.text, "LIST", strings.Join(list, ", "), 1))
}

func (p *sqlPrinter) table(th *thing, name string) {
	var items []string
	parts := p.w.parts(th.id)
	for _, c := range parts {
		if c.kind == "column" {
			items = append(items, p.column(c, parts))
		}
	}
	for _, k := range parts {
		if slices.Contains([]string{"check", "key", "exclusion", "foreign"}, k.kind) && p.begun[k.id] && !p.atColumn(k) {
			items = append(items, p.constraint(k))
			p.emitted[k.id] = true
		}
	}
	inherits, with := "", ""
	if th.flags["inherits"] != "" {
		inherits = " INHERITS (" + th.flags["inherits"] + ")"
	}
	if th.flags["with"] != "" {
		with = " WITH (" + th.flags["with"] + ")"
	}
	p.say("CREATE %sTABLE %s (\n  %s\n)%s%s%s", th.flags["unlogged"], name, strings.Join(items, ",\n  "), inherits, option(" PARTITION BY ", th.flags["partition"]), with)
	for _, c := range parts {
		if c.kind == "column" {
			for _, f := range []string{"storage", "statistics"} {
				if c.flags[f] != "" {
					p.say("ALTER TABLE ONLY {%d} ALTER COLUMN {%d} SET %s", th.id, c.id, c.flags[f])
				}
			}
		}
	}
	if th.flags["security"] != "" {
		p.say("ALTER TABLE %s %s", name, th.flags["security"])
	}
	if th.flags["identity"] != "" {
		p.say("ALTER TABLE %s REPLICA IDENTITY %s", name, th.flags["identity"])
	}
}

// atColumn tells whether a constraint is written in the definition of its only column.
func (p *sqlPrinter) atColumn(k *thing) bool {
	if k.style%3 != 0 {
		return false
	}
	switch k.kind {
	case "key", "foreign":
		return len(k.columns) == 1 && k.flags["include"] == "" && !strings.Contains(k.flags["action"], "(")
	case "check":
		return p.checked(k) != 0
	}
	return false
}

// checked gives the column of a check that names just one.
func (p *sqlPrinter) checked(k *thing) int {
	column := 0
	for _, id := range (&thing{text: k.text}).mentions() {
		if th := p.w.find(id); th.kind == "column" {
			if column != 0 || th.on != k.on {
				return 0
			}
			column = id
		}
	}
	return column
}

func (p *sqlPrinter) column(c *thing, parts []*thing) string {
	typ := c.typ
	for _, t := range sqlTypes {
		if t.name == typ && len(t.also) > 0 && c.style%3 != 2 {
			typ = t.also[c.style%3%len(t.also)]
		}
	}
	s := sqlQuote(c.name) + " " + typ
	switch {
	case c.identity == "serial":
		s = sqlQuote(c.name) + " " + map[string]string{"integer": "serial", "bigint": "bigserial", "smallint": "smallserial"}[c.typ]
	case c.identity != "":
		mode, rest, _ := strings.Cut(c.identity, " (")
		s += " GENERATED " + mode + " AS IDENTITY" + option(" (", rest)
	}
	s += option(" ", c.flags["collate"]) + given(c.notNull, " NOT NULL") + option(" DEFAULT ", c.deflt)
	if c.computed != "" {
		s += " GENERATED ALWAYS AS (" + c.computed + ") STORED"
	}
	for _, k := range parts {
		if p.begun[k.id] && p.atColumn(k) && (slices.Equal(k.columns, []int{c.id}) || k.kind == "check" && p.checked(k) == c.id) {
			s += " " + strings.Replace(p.inline(k), "  ", " ", 1)
			p.emitted[k.id] = true
		}
	}
	return s
}

// inline writes a constraint as a part of a column's definition.
func (p *sqlPrinter) inline(k *thing) string {
	head := ""
	if k.name != "" {
		head = "CONSTRAINT " + sqlQuote(k.name) + " "
	}
	switch k.kind {
	case "key":
		return head + k.text + k.flags["deferrable"]
	case "foreign":
		return head + "REFERENCES " + p.references(k) + k.flags["action"] + k.flags["deferrable"]
	}
	return head + "CHECK (" + k.text + ")" + k.flags["suffix"]
}

// references writes the far side of a foreign key; the columns of a primary key need not be named.
func (p *sqlPrinter) references(k *thing) string {
	key := p.w.find(k.target)
	if key.text == "PRIMARY KEY" && k.style >= 6 {
		return fmt.Sprintf("{%d}", key.on)
	}
	return fmt.Sprintf("{%d} (%s)", key.on, columnList(key.columns))
}

func columnList(ids []int) string {
	var names []string
	for _, id := range ids {
		names = append(names, fmt.Sprintf("{%d}", id))
	}
	return strings.Join(names, ", ")
}

func (p *sqlPrinter) constraint(k *thing) string {
	head := ""
	if k.name != "" {
		head = "CONSTRAINT " + sqlQuote(k.name) + " "
	}
	switch k.kind {
	case "key":
		return head + k.text + " (" + columnList(k.columns) + ")" + k.flags["include"] + k.flags["deferrable"]
	case "foreign":
		return head + "FOREIGN KEY (" + columnList(k.columns) + ") REFERENCES " + p.references(k) + k.flags["action"] + k.flags["deferrable"]
	case "exclusion":
		return head + k.text
	}
	return head + "CHECK (" + k.text + ")" + k.flags["suffix"]
}

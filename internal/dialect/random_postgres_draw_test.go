package dialect_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pgregory.net/rapid"
)

// sqlEditor draws things and puts them into a world.
type sqlEditor struct {
	*rapid.T
	w *sqlWorld
}

func drawSQLWorld(t *rapid.T) *sqlWorld {
	e := &sqlEditor{t, &sqlWorld{file: rapid.IntRange(1, 3).Draw(t, "files")}}
	for range rapid.IntRange(0, 2).Draw(t, "schemas") {
		e.w.add(thing{kind: "schema", name: e.name("schema", nil)})
	}
	for range rapid.IntRange(0, 3).Draw(t, "types") {
		e.addType()
	}
	for range rapid.IntRange(0, 2).Draw(t, "sequences") {
		e.addSequence()
	}
	for range rapid.IntRange(0, 2).Draw(t, "functions") {
		e.addFunction()
	}
	for range rapid.IntRange(1, 4).Draw(t, "tables") {
		e.addTable()
	}
	for range rapid.IntRange(0, 14).Draw(t, "parts") {
		pick(t, []func(){e.addKey, e.addCheck, e.addForeign, e.addForeign, e.addIndex, e.addIndex, e.addView, e.addView, e.addTrigger, e.addPolicy, e.addComment, e.addGrant, e.addExclusion, e.addFunction, e.addPartition, e.addStatistics}, "part")()
	}
	e.w.repair()
	return e.w
}

func (e *sqlEditor) number(low, high int, label string) int {
	return rapid.IntRange(low, high).Draw(e.T, label)
}

var longName = strings.Repeat("long_", 11) + "name%04d" // 63 bytes

var namePatterns = map[string][]string{
	"schema":   {"app%d", "App.%d"},
	"table":    {"t%d", "t%d", "orders%d", "order", "user", "Weird.Name%d", `a"b%d`, "größe%d", "Mixed%d", "with blank%d", longName},
	"column":   {"c%d", "c%d", "id", "name", "code", "order", "Big%d", "sp ace%d", "ä%d", `q"%d`, "user", longName},
	"type":     {"kind%d", "Kind%d", "mood%d", "e\"num%d"},
	"function": {"f%d", "f%d", "Func%d", "calc value%d"},
	"view":     {"v%d", "v%d", "View.%d", "sum of%d"},
	"part":     {"k%d", "k%d", "Key%d", "on \"it\"%d", longName},
}

// name draws a name that nothing else has; a column's has to differ from those beside it only.
func (e *sqlEditor) name(kind string, beside []*thing) string {
	pattern := pick(e.T, namePatterns[kind], kind+" name")
	if pattern == longName && kind == "table" && slices.ContainsFunc(e.w.things, func(th *thing) bool { return strings.HasPrefix(th.name, longName[:50]) }) {
		pattern = "t%d" // cut, the names that are made of two would be the same, and numbered in the order of the tables
	}
	if !strings.Contains(pattern, "%") {
		if kind != "column" {
			beside = e.w.things
		}
		if !slices.ContainsFunc(beside, func(th *thing) bool { return e.w.nameOf(th) == pattern }) {
			return pattern
		}
		pattern += "%d"
	}
	return fmt.Sprintf(pattern, e.w.next+1)
}

// schema draws the schema of a new thing.
func (e *sqlEditor) schema() int {
	schemas := e.w.all("schema")
	if len(schemas) == 0 || !oneIn(e.T, 3, "in schema") {
		return 0
	}
	return pick(e.T, schemas, "schema").id
}

var labelPool = []string{"new", "open", "done", "it's", "Größe", "a b"}

func (e *sqlEditor) addType() {
	switch e.number(1, 4, "type") {
	case 1, 2:
		n := e.number(1, len(labelPool), "labels")
		e.w.add(thing{kind: "enum", name: e.name("type", nil), schema: e.schema(), list: slices.Clone(labelPool[:n])})
	case 3:
		d := e.w.add(thing{kind: "domain", name: e.name("type", nil), schema: e.schema(), notNull: oneIn(e.T, 4, "not null"),
			typ: pick(e.T, []string{"integer", "text", "character varying(20)", "numeric(10,2)", "bigint"}, "domain of")})
		d.list = []string{e.domainCheck(d)}
		if oneIn(e.T, 3, "default") {
			d.deflt = pick(e.T, sqlFamilies[e.w.family(d.typ)].defaults, "default")
		}
	default:
		e.w.add(thing{kind: "composite", name: e.name("type", nil), schema: e.schema(), list: []string{"a integer", pick(e.T, []string{"b text", "b numeric(10,2)", `"B" varchar(20)`}, "attribute")}})
	}
}

func (e *sqlEditor) domainCheck(d *thing) string {
	return "CONSTRAINT " + sqlQuote(fmt.Sprintf("d%d", e.w.next+1)) + " CHECK (" + strings.ReplaceAll(pick(e.T, sqlFamilies[e.w.family(d.typ)].checks, "domain check"), "$", "VALUE") + ")"
}

func (e *sqlEditor) addSequence() {
	e.w.add(thing{kind: "sequence", name: e.name("table", nil), schema: e.schema(), text: e.sequenceText()})
}

func (e *sqlEditor) sequenceText() string {
	return pick(e.T, []string{"", " START WITH 100", " INCREMENT BY 5 CACHE 10", " MINVALUE 0 MAXVALUE 100000 START 1 CYCLE", " AS integer", " INCREMENT -1"}, "sequence")
}

// functions by what they are for: what they take, what they give, and bodies that do the same for the same values.
var functionForms = []struct {
	use, args, returns string
	bodies             []string // language, volatility, body
}{
	{"int check", "integer", "boolean", []string{"sql|IMMUTABLE|SELECT $1 > -1000", "sql|IMMUTABLE STRICT|SELECT $1 <> 4444", "plpgsql|IMMUTABLE|BEGIN RETURN $1 > -500; END", "atomic|IMMUTABLE|RETURN ($1 > -900)"}},
	{"int check", "x bigint", "boolean", []string{"sql|IMMUTABLE|SELECT x <> 5555", "atomic|IMMUTABLE|BEGIN ATOMIC SELECT x > -10000; END"}},
	{"text check", "text", "boolean", []string{"sql|IMMUTABLE|SELECT $1 <> 'forbidden'", "plpgsql|IMMUTABLE|BEGIN RETURN length($1) < 1000; END"}},
	{"text change", "s text", "text", []string{"sql|IMMUTABLE|SELECT upper(s)", "sql|IMMUTABLE PARALLEL SAFE|SELECT s || '-'", "plpgsql|IMMUTABLE|BEGIN RETURN lower(s); END", "atomic|IMMUTABLE|RETURN upper(s)"}},
	{"int change", "integer, integer DEFAULT 2", "integer", []string{"sql|IMMUTABLE|SELECT $1 % $2", "sql|IMMUTABLE COST 5|SELECT $1 % 3"}},
	{"int default", "", "integer", []string{"sql|STABLE|SELECT 42", "sql|VOLATILE|SELECT (random() * 100)::integer", "plpgsql|VOLATILE SECURITY DEFINER SET search_path TO 'pg_catalog'|BEGIN RETURN 7; END"}},
	{"text default", "", "text", []string{"sql|STABLE|SELECT 'made'::text", "plpgsql|VOLATILE|BEGIN RETURN 'made ' || clock_timestamp(); END"}},
	{"trigger", "", "trigger", []string{"plpgsql|VOLATILE|BEGIN RETURN NEW; END", "plpgsql|VOLATILE|BEGIN IF TG_OP = 'DELETE' THEN RETURN OLD; END IF; RETURN NEW; END"}},
	{"rows", "", "bigint", []string{"sql|STABLE|SELECT count(*) FROM {TABLE}", "sql|STABLE|SELECT count({COLUMN}) FROM {TABLE}", "plpgsql|STABLE|BEGIN RETURN (SELECT count(*) FROM {TABLE}); END", "atomic|STABLE|RETURN (SELECT count(*) FROM {TABLE})"}},
	{"set", "n integer", "TABLE(a integer, b text)", []string{"sql|STABLE ROWS 5|SELECT i, 'x'::text FROM generate_series(1, n) AS i"}},
}

func (e *sqlEditor) addFunction() {
	if enums := e.w.all("enum"); len(enums) > 0 && oneIn(e.T, 5, "of an enum") {
		e.w.add(thing{kind: "function", name: e.name("function", nil), schema: e.schema(), typ: "text", text: "SELECT $1::text || '.'",
			flags: map[string]string{"for": "label", "args": mentionOf(pick(e.T, enums, "argument")), "language": "sql", "how": "STABLE"}})
		return
	}
	form := pick(e.T, functionForms, "function")
	if form.use == "rows" && len(e.w.all("table")) == 0 {
		return
	}
	f := e.w.add(thing{kind: "function", name: e.name("function", nil), schema: e.schema(), typ: form.returns, flags: map[string]string{"for": form.use, "args": form.args}})
	if others := e.w.all("function"); len(others) > 1 && oneIn(e.T, 5, "overload") {
		if o := pick(e.T, others, "overloaded"); !slices.ContainsFunc(others, func(x *thing) bool {
			return x.name == o.name && argTypes(x) == argTypes(f)
		}) && !strings.Contains(o.flags["args"], "DEFAULT") && !strings.Contains(form.args, "DEFAULT") {
			f.name, f.schema = o.name, o.schema
		}
	}
	e.body(f)
}

// argTypes is what tells functions of one name apart.
func argTypes(f *thing) string {
	var out []string
	for _, a := range strings.Split(f.flags["args"], ", ") {
		a, _, _ = strings.Cut(a, " DEFAULT")
		out = append(out, a[strings.LastIndex(a, " ")+1:])
	}
	return strings.Join(out, ", ")
}

// body draws what a function does.
func (e *sqlEditor) body(f *thing) {
	for _, form := range functionForms {
		if form.use == f.flags["for"] && (form.args == f.flags["args"] || len(form.bodies[0]) > 0 && !strings.Contains(form.args, "x ") && !strings.Contains(f.flags["args"], "x ")) {
			parts := strings.SplitN(pick(e.T, form.bodies, "body"), "|", 3)
			f.flags["language"], f.flags["how"], f.text = parts[0], parts[1], parts[2]
			if form.use == "rows" {
				t := pick(e.T, e.w.all("table"), "counted")
				f.text = strings.NewReplacer("{TABLE}", mentionOf(t), "{COLUMN}", mentionOf(e.columnOf(t))).Replace(f.text)
			}
			return
		}
	}
}

func mentionOf(th *thing) string { return "{" + strconv.Itoa(th.id) + "}" }

// function draws a function for a use, if there is one.
func (e *sqlEditor) function(use string) *thing {
	var fit []*thing
	for _, f := range e.w.all("function") {
		if f.flags["for"] == use {
			fit = append(fit, f)
		}
	}
	if len(fit) == 0 {
		return nil
	}
	return pick(e.T, fit, "function")
}

func (e *sqlEditor) addTable() {
	t := e.w.add(thing{kind: "table", name: e.name("table", nil), schema: e.schema(), style: e.number(0, 9, "style")})
	if parents := e.w.all("table"); len(parents) > 1 && oneIn(e.T, 8, "inherits") {
		if p := pick(e.T, parents[:len(parents)-1], "parent"); p.flags["partition"] == "" && p.flags["inherits"] == "" {
			t.flags["inherits"], t.flags["unlogged"] = mentionOf(p), p.flags["unlogged"]
		}
	}
	for range e.number(1, 5, "columns") {
		e.addColumn(t)
	}
	columns := e.w.parts(t.id, "column")
	switch e.number(1, 8, "table kind") {
	case 1:
		if t.flags["inherits"] == "" {
			e.partitioned(t, columns[0])
		}
	case 2:
		t.flags["with"] = "autovacuum_enabled=false"
	case 3:
		t.flags["unlogged"] = "UNLOGGED "
	case 4:
		t.flags["with"] = "fillfactor=70"
	}
	if !oneIn(e.T, 4, "no key") {
		e.addKeyOn(t, "PRIMARY KEY")
	}
	if oneIn(e.T, 6, "row security") {
		t.flags["security"] = "ENABLE ROW LEVEL SECURITY"
	}
}

// partitioned makes a table partitioned by a column.
func (e *sqlEditor) partitioned(t, c *thing) {
	c.computed, c.identity, c.deflt, c.needs = "", "", "", map[int]string{}
	method := pick(e.T, []string{"RANGE", "LIST", "HASH"}, "method")
	switch method {
	case "RANGE":
		c.typ = "integer"
	case "LIST":
		c.typ = "text"
	}
	if f := e.w.familyOf(c); f == "json" || f == "composite" {
		c.typ = "integer"
	}
	t.flags["partition"], t.flags["method"] = method+" ({"+strconv.Itoa(c.id)+"})", method
	for range e.number(0, 3, "partitions") {
		e.addPartitionOf(t)
	}
}

var partitionBounds = map[string][]string{
	"RANGE": {"FOR VALUES FROM (MINVALUE) TO (0)", "FOR VALUES FROM (0) TO (10)", "FOR VALUES FROM ('10') TO (100000)", "DEFAULT"},
	"LIST":  {"FOR VALUES IN ('007', 'a')", "FOR VALUES IN ('A', NULL)", "FOR VALUES IN ('1')", "DEFAULT"},
	"HASH":  {"FOR VALUES WITH (MODULUS 2, REMAINDER 0)", "FOR VALUES WITH (MODULUS 2, REMAINDER 1)"},
}

func (e *sqlEditor) addPartition() {
	for _, t := range e.w.all("table") {
		if t.flags["partition"] != "" {
			e.addPartitionOf(t)
		}
	}
}

func (e *sqlEditor) addPartitionOf(t *thing) {
	bounds := partitionBounds[t.flags["method"]]
	have := e.w.parts(t.id, "partition")
	if len(have) < len(bounds) {
		e.w.add(thing{kind: "partition", on: t.id, name: e.name("table", nil), schema: t.schema, text: bounds[len(have)]})
	}
}

// drawType draws a type for a column.
func (e *sqlEditor) drawType() string {
	if own := e.w.all("enum", "domain", "composite"); len(own) > 0 && oneIn(e.T, 3, "own type") {
		th := pick(e.T, own, "own type")
		if th.kind == "enum" && oneIn(e.T, 6, "array") {
			return mentionOf(th) + "[]"
		}
		return mentionOf(th)
	}
	if oneIn(e.T, 2, "usual") {
		return pick(e.T, []string{"integer", "bigint", "text", "character varying(20)", "timestamp with time zone", "boolean", "numeric(10,2)", "jsonb"}, "usual type")
	}
	return pick(e.T, sqlTypes, "type").name
}

// columnName draws a name that is fit for a table's parents and children too.
func (e *sqlEditor) columnName(t *thing) string {
	beside := e.w.parts(t.id, "column")
	for _, other := range e.w.all("table") {
		if t.flags["inherits"] == mentionOf(other) || other.flags["inherits"] == mentionOf(t) {
			beside = append(beside, e.w.parts(other.id, "column")...)
		}
	}
	return e.name("column", beside)
}

func (e *sqlEditor) addColumn(t *thing) *thing {
	c := e.w.add(thing{kind: "column", on: t.id, name: e.columnName(t), typ: e.drawType(), notNull: oneIn(e.T, 4, "not null"), style: e.number(0, 5, "style")})
	switch e.number(1, 6, "column kind") {
	case 1, 2:
		e.drawDefault(c)
	case 3:
		e.drawComputed(c)
	case 4:
		if e.w.family(c.typ) == "int" && !strings.Contains(c.typ, "{") {
			c.identity = pick(e.T, []string{"ALWAYS", "BY DEFAULT", "serial", "serial", "BY DEFAULT (START WITH 50)"}, "identity")
		}
	case 5:
		e.drawColumnOption(c)
	}
	return c
}

// drawColumnOption gives a column one of the rarer properties.
func (e *sqlEditor) drawColumnOption(c *thing) {
	switch f := e.w.family(c.typ); {
	case f == "text" && !strings.Contains(c.typ, "{"):
		c.flags["collate"] = pick(e.T, []string{"", `COLLATE "C"`, `COLLATE "POSIX"`}, "collation")
		c.flags["storage"] = pick(e.T, []string{"", "STORAGE EXTERNAL", "STORAGE MAIN"}, "storage")
	default:
		c.flags["statistics"] = pick(e.T, []string{"", "STATISTICS 50", "STATISTICS 1000"}, "statistics")
	}
}

// say writes a text about a column, whose family and labels it then depends on.
func (e *sqlEditor) say(by *thing, text, column string, c *thing) string {
	family := e.w.familyOf(c)
	if strings.Contains(text, "$") && c.id != by.id {
		by.needs[c.id] = family
	}
	if id, ok := strings.CutPrefix(strings.TrimSuffix(family, "[]"), "enum "); ok {
		n, _ := strconv.Atoi(id)
		if strings.Contains(text, "LABEL") {
			label := pick(e.T, e.w.find(n).list, "label")
			by.needs[n] = label
			text = strings.NewReplacer("LABEL", strings.ReplaceAll(label, "'", "''"), "TYPE", "{"+id+"}").Replace(text)
		}
	}
	return strings.ReplaceAll(text, "$", column)
}

// family finds what can be said of a column.
func (e *sqlEditor) family(c *thing) sqlFamily {
	f := e.w.familyOf(c)
	if strings.HasPrefix(f, "enum ") {
		if strings.HasSuffix(f, "[]") {
			f = "enum[]"
		} else {
			f = "enum"
		}
	}
	return sqlFamilies[f]
}

func (e *sqlEditor) drawDefault(c *thing) {
	c.computed, c.identity, c.needs = "", "", map[int]string{}
	family := e.w.familyOf(c)
	if use := e.function(family + " default"); use != nil && oneIn(e.T, 2, "by function") {
		c.deflt, c.needs[use.id] = mentionOf(use)+"()", family+" default"
		return
	}
	if s := e.w.all("sequence"); len(s) > 0 && family == "int" && oneIn(e.T, 3, "by sequence") {
		c.deflt = "nextval('" + mentionOf(pick(e.T, s, "sequence")) + "')"
		if oneIn(e.T, 2, "cast") {
			c.deflt = strings.TrimSuffix(c.deflt, ")") + "::regclass)"
		}
		return
	}
	if texts := e.family(c).defaults; len(texts) > 0 {
		c.deflt = e.say(c, pick(e.T, texts, "default"), "", c)
	}
}

// drawComputed computes a column from another one of its table.
func (e *sqlEditor) drawComputed(c *thing) {
	var from []*thing
	for _, o := range e.w.parts(c.on, "column") {
		if o != c && o.computed == "" && len(e.family(o).computed) > 0 {
			from = append(from, o)
		}
	}
	if len(from) == 0 || e.w.find(c.on).flags["partition"] != "" {
		return
	}
	o := pick(e.T, from, "computed from")
	how := pick(e.T, e.family(o).computed, "computed")
	c.deflt, c.identity, c.notNull, c.needs, c.flags = "", "", false, map[int]string{}, map[string]string{}
	c.typ = how[1]
	c.computed = e.say(c, how[0], mentionOf(o), o)
	if f := e.function(e.w.familyOf(o) + " change"); f != nil && oneIn(e.T, 2, "by function") {
		c.typ, c.computed, c.needs[f.id] = f.typ, mentionOf(f)+"("+mentionOf(o)+e.castFor(f, o)+")", f.flags["for"]
	}
}

// castFor lets a function for integers take what is wider.
func (e *sqlEditor) castFor(f, c *thing) string {
	if strings.HasPrefix(f.flags["for"], "int") {
		return "::integer"
	}
	return "::text"
}

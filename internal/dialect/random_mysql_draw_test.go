package dialect_test

import (
	"fmt"
	"slices"

	"pgregory.net/rapid"
)

// myEditor draws a schema and changes it.
type myEditor struct {
	*rapid.T
	w *myWorld
}

func drawMyWorld(t *rapid.T) *myWorld {
	e := &myEditor{t, &myWorld{}}
	for range rapid.IntRange(1, 4).Draw(t, "tables") {
		e.addTable()
	}
	for range rapid.IntRange(0, 6).Draw(t, "parts") {
		pick(t, []func(){e.addKey, e.addKey, e.addForeign, e.addForeign, e.addCheck, e.addPartition, e.addView, e.addTrigger, e.addRoutine}, "part")()
	}
	e.w.repair()
	return e.w
}

// name makes a name that nothing else has.
func (e *myEditor) name(kind string) string {
	return fmt.Sprintf(pick(e.T, []string{"%s%d", "%s%d", "%s%d", "%s %d", "%s`%d", "Mixed%s%d", "order_%s%d", "größe%s%d", "select%s%d"}, kind+" name"), kind, e.w.number())
}

func (e *myEditor) table() *myTable {
	if len(e.w.tables) == 0 {
		e.addTable()
	}
	return pick(e.T, e.w.tables, "table")
}

func (e *myEditor) addTable() {
	t := &myTable{id: e.w.number(), name: e.name("t")}
	if oneIn(e.T, 3, "charset") {
		t.charset = pick(e.T, []string{"latin1", "utf8mb4", "utf8mb3"}, "charset")
	}
	if oneIn(e.T, 4, "comment") {
		t.comment = "it's a table"
	}
	if oneIn(e.T, 6, "format") {
		t.format = pick(e.T, []string{"DYNAMIC", "COMPACT"}, "format")
	}
	e.w.tables = append(e.w.tables, t)
	if oneIn(e.T, 4, "no key") {
		e.addColumn(t)
	} else {
		id := &myColumn{id: e.w.number(), name: e.name("id"), typ: pick(e.T, []string{"int", "int", "bigint", "int unsigned"}, "id type"), notNull: true, auto: coin(e.T, "auto"), short: coin(e.T, "short")}
		t.columns = append(t.columns, id)
		t.keys = append(t.keys, &myKey{id: e.w.number(), kind: "PRIMARY", columns: []int{id.id}})
	}
	for range rapid.IntRange(1, 5).Draw(e.T, "columns") {
		e.addColumn(t)
	}
}

func (e *myEditor) addColumn(t *myTable) *myColumn {
	c := &myColumn{id: e.w.number(), name: e.name("c"), typ: pick(e.T, myTypes, "type").name, notNull: oneIn(e.T, 3, "not null"), short: coin(e.T, "short"), invisible: oneIn(e.T, 12, "invisible")}
	if oneIn(e.T, 8, "comment") {
		c.comment = pick(e.T, []string{"why", "it's", `a\b`}, "comment")
	}
	if c.isWord() && oneIn(e.T, 5, "charset") {
		c.charset = pick(e.T, []string{"latin1", "utf8mb4", "utf8mb3"}, "charset")
	}
	e.setDefault(c)
	if oneIn(e.T, 7, "computed") {
		e.compute(t, c)
	}
	t.columns = append(t.columns, c)
	if oneIn(e.T, 4, "elsewhere") {
		e.move(t, c)
	}
	return c
}

// move puts a column somewhere else.
func (e *myEditor) move(t *myTable, c *myColumn) {
	at := slices.Index(t.columns, c)
	t.columns = slices.Delete(slices.Clone(t.columns), at, at+1)
	t.columns = slices.Insert(t.columns, rapid.IntRange(0, len(t.columns)).Draw(e.T, "place"), c)
}

func (e *myEditor) setDefault(c *myColumn) {
	all := typeNamed(c.typ).deflts
	c.deflt = ""
	if len(all) > 0 && oneIn(e.T, 2, "default") {
		c.deflt = pick(e.T, all, "default")
	}
	c.stamps = (c.typ == "datetime" || c.typ == "timestamp") && oneIn(e.T, 3, "stamps")
}

// compute lets a column be computed from another one of its family.
func (e *myEditor) compute(t *myTable, c *myColumn) {
	texts := map[string][]string{"int": {"{%d} + 1", "{%d} * 2"}, "text": {"upper({%d})", "concat({%d}, 'x')"}, "decimal": {"{%d} * 2"}}[c.family()]
	var from []*myColumn
	for _, o := range t.columns {
		if o.family() == c.family() && o.computed == "" && !o.auto && o != c {
			from = append(from, o)
		}
	}
	if len(texts) == 0 || len(from) == 0 {
		return
	}
	c.computed, c.stored = fmt.Sprintf(pick(e.T, texts, "expression"), pick(e.T, from, "source").id), coin(e.T, "stored")
}

func (e *myEditor) addKey() {
	t := e.table()
	var fit []*myColumn
	for _, c := range t.columns {
		if c.keyed() {
			fit = append(fit, c)
		}
	}
	if len(fit) == 0 {
		return
	}
	k := &myKey{id: e.w.number(), kind: pick(e.T, []string{"", "", "", "UNIQUE", "FULLTEXT"}, "kind"), name: e.name("k"), outside: coin(e.T, "outside")}
	for range rapid.IntRange(1, 2).Draw(e.T, "columns") {
		if c := pick(e.T, fit, "column"); !slices.Contains(k.columns, c.id) {
			k.columns = append(k.columns, c.id)
		}
	}
	if oneIn(e.T, 3, "prefix") {
		k.prefix = 3
	}
	t.keys = append(t.keys, k)
}

func (e *myEditor) addForeign() {
	t := e.table()
	for _, far := range e.w.tables {
		for _, k := range far.keys {
			if k.kind != "PRIMARY" && k.kind != "UNIQUE" || len(k.columns) != 1 || !coin(e.T, "this one") {
				continue
			}
			id := far.column(k.columns[0])
			if id == nil || id.isWord() {
				continue
			}
			c := &myColumn{id: e.w.number(), name: e.name("ref"), typ: id.typ, short: coin(e.T, "short")}
			t.columns = append(t.columns, c)
			t.foreign = append(t.foreign, &myForeign{id: e.w.number(), column: c.id, target: far.id, far: id.id, name: e.name("fk"), onDelete: pick(e.T, []string{"", "CASCADE", "SET NULL"}, "on delete")})
			return
		}
	}
}

func (e *myEditor) addCheck() {
	t := e.table()
	c := pick(e.T, t.columns, "column")
	texts := map[string][]string{"int": {"{%d} > -2000", "{%d} <> 77", "{%d} between -300 and 3000000000"}, "uint": {"{%d} <> 77"}, "text": {"{%d} <> 'no'", "char_length({%d}) < 400", "{%d} in ('a', 'abc', '12') or {%[1]d} <> 'z'"}, "decimal": {"{%d} < 99999999"}, "date": {"{%d} > '1900-01-01'"}}[c.family()]
	if len(texts) == 0 || c.auto {
		return
	}
	t.checks = append(t.checks, &myCheck{id: e.w.number(), column: c.id, name: e.name("ck"), text: fmt.Sprintf(pick(e.T, texts, "check"), c.id), family: c.family()})
}

func (e *myEditor) addPartition() {
	t := e.table()
	for _, c := range t.columns {
		if c.family() == "int" && c.computed == "" {
			t.partition, t.bounds = c.id, []int{5, 50}
			return
		}
	}
}

func (e *myEditor) addView() {
	t := e.table()
	c := pick(e.T, t.columns, "column")
	text := pick(e.T, []string{"SELECT {%d} AS `x` FROM {%d}", "SELECT {%d} AS `x`, count(*) AS `n` FROM {%d} GROUP BY {%[1]d}", "SELECT DISTINCT {%d} FROM {%d} WHERE {%[1]d} IS NOT NULL"}, "query")
	e.w.programs = append(e.w.programs, &myProgram{e.w.number(), t.id, "view", e.name("v"), fmt.Sprintf(text, c.id, t.id)})
}

func (e *myEditor) addTrigger() {
	t := e.table()
	c := pick(e.T, t.columns, "column")
	if c.computed != "" {
		return
	}
	text := pick(e.T, []string{"SET NEW.{%d} = OLD.{%[1]d}", "BEGIN\n  -- nothing much\n  IF NEW.{%d} IS NULL THEN\n    SET NEW.{%[1]d} = OLD.{%[1]d};\n  END IF;\nEND"}, "body")
	e.w.programs = append(e.w.programs, &myProgram{e.w.number(), t.id, "trigger", e.name("tr"), fmt.Sprintf(text, c.id)})
}

func (e *myEditor) addRoutine() {
	t := e.table()
	e.w.programs = append(e.w.programs, &myProgram{e.w.number(), t.id, "function", e.name("f"), fmt.Sprintf("RETURN (SELECT count(*) FROM {%d}) + %d", t.id, rapid.IntRange(0, 1).Draw(e.T, "plus"))})
}

// edit changes something.
func (e *myEditor) edit() {
	t := e.table()
	switch rapid.IntRange(1, 16).Draw(e.T, "edit") {
	case 1:
		pick(e.T, []func(){e.addTable, e.addKey, e.addForeign, e.addCheck, e.addView, e.addTrigger, e.addRoutine, e.addPartition}, "addition")()
	case 2, 3:
		e.addColumn(t)
	case 4:
		if len(t.columns) > 1 {
			gone := pick(e.T, t.columns, "gone")
			t.columns = slices.DeleteFunc(t.columns, func(c *myColumn) bool { return c == gone })
		}
	case 5:
		if len(e.w.tables) > 1 {
			e.w.tables = slices.DeleteFunc(e.w.tables, func(o *myTable) bool { return o == t })
		}
	case 6:
		e.rename(t)
	case 7:
		e.editPart(t)
	case 8:
		e.editProgram()
	case 9:
		t.charset = pick(e.T, []string{"", "latin1", "utf8mb4", "utf8mb3"}, "charset")
	case 10:
		t.comment, t.format = pick(e.T, []string{"", "new", "it's a table"}, "comment"), pick(e.T, []string{"", "", "DYNAMIC", "COMPACT"}, "format")
	case 11:
		if t.partition != 0 {
			t.bounds = pick(e.T, [][]int{{5}, {5, 50, 500}, {6, 50}, {5, 50}}, "bounds")
		}
	default:
		e.editColumn(t, pick(e.T, t.columns, "column"))
	}
	if len(t.columns) == 0 {
		e.addColumn(t)
	}
	e.w.repair()
}

func (e *myEditor) rename(t *myTable) {
	if oneIn(e.T, 3, "table") {
		t.name = e.name("t")
		return
	}
	pick(e.T, t.columns, "renamed").name = e.name("c")
}

func (e *myEditor) editColumn(t *myTable, c *myColumn) {
	switch rapid.IntRange(1, 10).Draw(e.T, "column edit") {
	case 1, 2:
		var fit []string
		for _, o := range myTypes {
			if o.family == c.family() {
				fit = append(fit, o.name)
			}
		}
		c.typ = pick(e.T, fit, "related type")
	case 3:
		c.typ = pick(e.T, myTypes, "type").name
	case 4:
		c.notNull = !c.notNull
	case 5:
		e.setDefault(c)
	case 6:
		c.comment = pick(e.T, []string{"", "new", "it's"}, "comment")
	case 7:
		e.move(t, c)
	case 8:
		c.short = !c.short
	case 9:
		if c.isWord() {
			c.charset = pick(e.T, []string{"", "latin1", "utf8mb4", "utf8mb3"}, "charset")
		}
		if c.computed != "" {
			c.stored = !c.stored
		}
	default:
		if c.computed != "" {
			c.computed = ""
		} else if !t.inPrimary(c.id) {
			e.compute(t, c)
		} else {
			c.auto = !c.auto
		}
	}
}

// editPart drops or changes a key, a foreign key or a check.
func (e *myEditor) editPart(t *myTable) {
	switch {
	case len(t.keys) > 0 && coin(e.T, "key"):
		k := pick(e.T, t.keys, "key")
		switch {
		case coin(e.T, "dropped"):
			t.keys = slices.DeleteFunc(t.keys, func(o *myKey) bool { return o == k })
		case k.kind == "PRIMARY":
			if c := pick(e.T, t.columns, "column"); !slices.Contains(k.columns, c.id) {
				k.columns = append(k.columns, c.id)
			}
		case coin(e.T, "kind"):
			k.kind = pick(e.T, []string{"", "UNIQUE"}, "kind")
		case coin(e.T, "renamed"):
			k.name = e.name("k")
		default:
			k.columns = []int{pick(e.T, t.columns, "column").id}
		}
	case len(t.foreign) > 0:
		f := pick(e.T, t.foreign, "foreign key")
		if coin(e.T, "dropped") {
			t.foreign = slices.DeleteFunc(t.foreign, func(o *myForeign) bool { return o == f })
		} else {
			f.onDelete = pick(e.T, []string{"", "CASCADE", "SET NULL"}, "on delete")
		}
	case len(t.checks) > 0:
		k := pick(e.T, t.checks, "check")
		if coin(e.T, "dropped") {
			t.checks = slices.DeleteFunc(t.checks, func(o *myCheck) bool { return o == k })
		} else if k.family == "int" {
			k.text = fmt.Sprintf("{%d} <> %d", k.column, rapid.IntRange(70, 80).Draw(e.T, "number"))
		}
	}
}

func (e *myEditor) editProgram() {
	if len(e.w.programs) == 0 {
		return
	}
	p := pick(e.T, e.w.programs, "program")
	t := e.w.table(p.on)
	switch {
	case t == nil || coin(e.T, "dropped"):
		e.w.programs = slices.DeleteFunc(e.w.programs, func(o *myProgram) bool { return o == p })
	case p.kind == "view":
		p.text = fmt.Sprintf("SELECT {%d} AS `x` FROM {%d} WHERE 1 = 1", pick(e.T, t.columns, "column").id, t.id)
	case p.kind == "function":
		p.text += " + 1"
	}
}

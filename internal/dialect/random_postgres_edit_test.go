package dialect_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/diff"
)

// edit changes a world in one way. What no longer holds is removed by repair.
func (e *sqlEditor) edit() {
	switch e.number(1, 10, "edit") {
	case 1, 2:
		pick(e.T, []func(){e.addKey, e.addCheck, e.addForeign, e.addIndex, e.addView, e.addTrigger, e.addPolicy, e.addComment, e.addGrant, e.addExclusion, e.addStatistics, e.addPartition, e.addFunction, e.addType, e.addSequence, e.addTable,
			func() { e.w.add(thing{kind: "schema", name: e.name("schema", nil)}) }}, "addition")()
	case 3:
		e.place(e.addColumn(e.table()))
	case 4:
		e.w.remove(pick(e.T, e.w.things, "removed"))
		e.w.repair()
		e.table()
	case 5:
		e.rename()
	case 6:
		e.respell()
	case 7, 8:
		e.alterColumn(e.columnOf(e.table()))
	default:
		e.alter(pick(e.T, e.w.things, "altered"))
	}
	e.w.repair()
}

// place puts a column somewhere among those of its table.
func (e *sqlEditor) place(c *thing) {
	columns := e.w.parts(c.on, "column")
	if !oneIn(e.T, 3, "not behind") {
		return
	}
	before := pick(e.T, columns, "before")
	if before == c {
		return
	}
	e.w.remove(c)
	e.w.things = slices.Insert(e.w.things, slices.Index(e.w.things, before), c)
}

// rename gives a thing another name; for tables and columns that makes a hint, see hintsOf.
func (e *sqlEditor) rename() {
	th := pick(e.T, e.w.all("table", "column", "table", "column", "partition", "statistics", "index", "key", "check", "foreign", "sequence", "function", "view", "enum", "domain", "trigger", "output"), "renamed")
	if th.kind == "table" && len(e.w.all("schema")) > 0 && oneIn(e.T, 4, "moved") {
		th.schema = e.schema()
		return
	}
	kind := map[string]string{"column": "column", "output": "column", "function": "function", "view": "view", "enum": "type", "domain": "type", "table": "table", "partition": "table", "sequence": "table"}[th.kind]
	if kind == "" {
		kind = "part"
	}
	if th.name == "?" {
		return
	}
	e.w.next++ // so that the name is fresh
	th.name = e.name(kind, e.w.parts(th.on))
}

// hintsOf tells of the tables and columns that have another name in the head.
func hintsOf(base, head *sqlWorld) []diff.Hint {
	var hints []diff.Hint
	for _, th := range head.all("table", "partition", "column") {
		was := base.find(th.id)
		if was == nil || was.kind != th.kind {
			continue
		}
		switch {
		case th.kind == "column" && was.name != th.name:
			hints = append(hints, diff.Hint{Table: head.report(head.find(th.on)), From: was.name, To: th.name})
		case th.kind != "column" && base.report(was) != head.report(th):
			hints = append(hints, diff.Hint{From: base.report(was), To: head.report(th)})
		}
	}
	return hints
}

// respell writes the same in other words.
func (e *sqlEditor) respell() {
	for _, th := range e.w.things {
		if slices.Contains([]string{"column", "check", "key", "foreign", "exclusion"}, th.kind) && oneIn(e.T, 2, "respelled") {
			th.style += 1 + 3*e.number(0, 1, "style")
		}
	}
}

// retype changes the type of a column, and of those that foreign keys hold to it.
func (e *sqlEditor) retype(c *thing) {
	family := e.w.familyOf(c)
	typ := e.drawType()
	if c.computed != "" || oneIn(e.T, 2, "same family") {
		var fit []string
		for _, t := range sqlTypes {
			if t.family == family {
				fit = append(fit, t.name)
			}
		}
		if len(fit) == 0 {
			return
		}
		typ = pick(e.T, fit, "related type")
	}
	if by := e.w.find(c.on).flags["partition"]; strings.Contains(by, mentionOf(c)) && !oneIn(e.T, 5, "partition key") {
		return
	}
	for _, l := range e.linked(c) {
		l.typ = typ
		if e.w.familyOf(l) != family || strings.Contains(typ, "{") {
			l.deflt, l.identity, l.needs = "", "", map[int]string{}
			delete(l.flags, "collate")
			delete(l.flags, "storage")
		}
	}
	if c.deflt == "" && c.computed == "" && c.identity == "" && oneIn(e.T, 3, "new default") {
		e.drawDefault(c)
	}
}

// linked lists the columns that foreign keys hold together.
func (e *sqlEditor) linked(c *thing) []*thing {
	out := []*thing{c}
	for i := 0; i < len(out); i++ {
		for _, f := range e.w.all("foreign") {
			key := e.w.find(f.target)
			for j := range f.columns {
				near, far := e.w.find(f.columns[j]), e.w.find(key.columns[j])
				for _, pair := range [][2]*thing{{near, far}, {far, near}} {
					if pair[0] == out[i] && !slices.Contains(out, pair[1]) {
						out = append(out, pair[1])
					}
				}
			}
		}
	}
	return out
}

func (e *sqlEditor) alterColumn(c *thing) {
	defer func() {
		if e.w.family(c.typ) != "text" || strings.Contains(c.typ, "{") {
			delete(c.flags, "collate")
			delete(c.flags, "storage")
		}
	}()
	switch e.number(1, 9, "column change") {
	case 1, 2, 3:
		e.retype(c)
	case 4:
		if c.computed == "" && c.identity == "" {
			e.drawDefault(c)
		}
	case 5:
		c.notNull = !c.notNull
	case 6:
		if c.computed == "" && c.identity == "" {
			c.deflt, c.needs = "", map[int]string{}
		}
	case 7:
		if e.w.family(c.typ) == "int" && !strings.Contains(c.typ, "{") && c.computed == "" {
			c.deflt, c.needs = "", map[int]string{}
			c.identity = pick(e.T, []string{"", "ALWAYS", "BY DEFAULT", "serial", "BY DEFAULT (START WITH 50)"}, "new identity")
		}
	case 8:
		if c.computed != "" && oneIn(e.T, 2, "no longer computed") {
			c.computed, c.needs = "", map[int]string{}
		} else {
			e.drawComputed(c)
		}
	case 9:
		if !strings.Contains(c.typ, "{") {
			e.drawColumnOption(c)
		}
	}
}

func (e *sqlEditor) alter(th *thing) {
	switch th.kind {
	case "column":
		e.alterColumn(th)
	case "enum":
		e.alterEnum(th)
	case "domain":
		e.alterDomain(th)
	case "composite":
		switch e.number(1, 3, "composite change") {
		case 1:
			th.list = append(th.list, fmt.Sprintf("n%d text", e.w.next))
			e.w.next++
		case 2:
			th.list = th.list[:1]
		case 3:
			th.list[len(th.list)-1] = "z bigint"
		}
	case "sequence":
		if c := e.columnOf(e.table(), "int"); c != nil && e.w.find(c.on).schema == th.schema && len(e.w.parts(th.id, "owned")) == 0 && oneIn(e.T, 2, "owned") {
			e.w.add(thing{kind: "owned", on: th.id, target: c.id})
			return
		}
		th.text = e.sequenceText()
	case "function":
		e.alterFunction(th)
	case "table":
		e.alterTable(th)
	case "view", "output":
		e.alterView(th)
	case "check":
		if oneIn(e.T, 3, "suffix") {
			th.flags["suffix"] = given(th.flags["suffix"] == "" && e.w.find(th.on).flags["partition"] == "", " NO INHERIT")
			return
		}
		e.checkText(th, e.w.find(th.on))
	case "key":
		th.flags["deferrable"] = pick(e.T, []string{"", " DEFERRABLE"}, "deferrable")
		if c := e.columnOf(e.w.find(th.on)); !slices.Contains(th.columns, c.id) && (c.computed == "" || th.text != "PRIMARY KEY") {
			th.columns = append(th.columns[:e.number(0, 1, "kept")], c.id)
		}
	case "foreign":
		th.flags["action"] = pick(e.T, []string{"", " ON DELETE CASCADE", " ON UPDATE SET NULL", " ON DELETE SET DEFAULT"}, "action")
	case "index":
		if th.flags["method"] == "" && e.w.find(th.on).kind == "table" {
			th.flags["where"] = " WHERE " + e.condition(th, e.w.find(th.on), "")
		}
	case "trigger":
		if e.w.find(th.on).kind == "view" {
			return
		}
		if oneIn(e.T, 3, "disabled") {
			th.flags["disabled"] = given(th.flags["disabled"] == "", "yes")
			return
		}
		th.flags["constraint"] = ""
		e.triggerText(th, e.w.find(th.on), e.columnOf(e.w.find(th.on)))
	case "policy":
		e.policyText(th, e.w.find(th.on))
	case "comment":
		th.text = e.commentText()
	case "grant":
		e.grantText(th, e.w.find(th.target))
	case "partition":
		e.w.remove(th)
	}
}

func (e *sqlEditor) alterEnum(th *thing) {
	fresh := fmt.Sprintf("label %d", e.w.next)
	e.w.next++
	switch e.number(1, 5, "enum change") {
	case 1:
		th.list = append(th.list, fresh)
	case 2:
		th.list = slices.Insert(th.list, 0, fresh)
	case 3:
		th.list = slices.Insert(th.list, len(th.list)/2, fresh)
	case 4:
		slices.Reverse(th.list)
	case 5:
		if len(th.list) > 1 {
			th.list = th.list[:len(th.list)-1]
		}
	}
}

func (e *sqlEditor) alterDomain(th *thing) {
	switch e.number(1, 5, "domain change") {
	case 1:
		th.list = append(th.list, e.domainCheck(th))
		e.w.next++
	case 2:
		th.list = nil
	case 3:
		th.notNull = !th.notNull
	case 4:
		th.deflt = pick(e.T, append([]string{""}, sqlFamilies[e.w.family(th.typ)].defaults...), "domain default")
	case 5:
		if e.w.family(th.typ) == "text" {
			th.typ = pick(e.T, []string{"text", "character varying(50)"}, "domain type")
		}
	}
}

func (e *sqlEditor) alterFunction(th *thing) {
	switch e.number(1, 5, "function change") {
	case 1:
		e.body(th)
	case 2:
		th.flags["args"] = strings.Replace(th.flags["args"], "integer", "bigint", 1)
	case 3:
		if th.typ == "text" {
			th.typ = "character varying"
		} else if th.typ == "integer" {
			th.typ = "bigint"
		}
	case 4:
		th.flags["how"] = strings.NewReplacer("STABLE", "VOLATILE", "VOLATILE", "STABLE").Replace(th.flags["how"])
	case 5:
		if th.flags["args"] == "" && th.typ != "trigger" && len(e.w.all("function")) == 1 {
			th.flags["args"] = "extra integer DEFAULT 1"
		} else {
			th.flags["how"] += " COST 10"
			th.flags["how"] = strings.Replace(th.flags["how"], " COST 5 ", " ", 1)
		}
	}
	if strings.Count(th.flags["how"], "COST") > 1 {
		th.flags["how"] = "IMMUTABLE"
	}
}

func (e *sqlEditor) alterTable(th *thing) {
	switch e.number(1, 6, "table change") {
	case 1:
		if th.flags["partition"] == "" && th.flags["inherits"] == "" && len(e.w.all("foreign")) == 0 {
			th.flags["unlogged"] = given(th.flags["unlogged"] == "", "UNLOGGED ")
		}
	case 2:
		if th.flags["partition"] == "" {
			th.flags["with"] = pick(e.T, []string{"", "fillfactor=50", "autovacuum_enabled=false, fillfactor=90"}, "with")
		}
	case 3:
		th.flags["security"] = pick(e.T, []string{"", "ENABLE ROW LEVEL SECURITY", "ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY"}, "row security")
	case 4:
		th.flags["identity"] = pick(e.T, []string{"FULL", "NOTHING", ""}, "replica identity")
	case 5:
		columns := e.w.parts(th.id, "column")
		c := columns[len(columns)-1]
		e.w.remove(c)
		e.w.things = slices.Insert(e.w.things, slices.Index(e.w.things, th)+1, c)
	case 6:
		th.flags["inherits"] = ""
	}
}

func (e *sqlEditor) alterView(v *thing) {
	if v.kind == "output" {
		v = e.w.find(v.on)
	}
	if v.flags["star"] != "" || !strings.HasSuffix(v.text, "AS a") {
		if oneIn(e.T, 2, "materialized") && len(e.w.parts(v.id, "trigger", "index")) == 0 {
			v.flags["materialized"] = given(v.flags["materialized"] == "", "MATERIALIZED ")
		}
		return
	}
	from := e.w.find((&thing{text: v.flags["from"]}).mentions()[0])
	columns := e.visible(from)
	if len(columns) == 0 {
		return
	}
	switch outputs := e.w.parts(v.id, "output"); e.number(1, 4, "view change") {
	case 1:
		e.outputs(v, columns, "a.")
	case 2:
		e.w.remove(pick(e.T, outputs, "output removed"))
	case 3:
		e.outputs(v, columns, "a.")
		last := e.w.things[len(e.w.things)-1]
		e.w.remove(last)
		e.w.things = slices.Insert(e.w.things, slices.Index(e.w.things, v)+1, last)
	case 4:
		o := pick(e.T, outputs, "output changed")
		c := pick(e.T, columns, "shown instead")
		if o.name != "" {
			o.text, o.typ, o.target, o.needs = "a."+mentionOf(c), "", c.id, map[int]string{}
		}
	}
}

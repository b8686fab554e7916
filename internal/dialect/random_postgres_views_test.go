package dialect_test

import (
	"fmt"
	"slices"
)

// viewDraft is a view in the making: what it is on, and the columns of that.
type viewDraft struct {
	*sqlEditor
	view    *thing
	from    string // as SQL
	columns []*thing
	table   *thing // what it is on, where that is a table
}

// addView makes a view of one of many forms.
func (e *sqlEditor) addView() {
	v := e.w.add(thing{kind: "view", name: e.name("view", nil), schema: e.schema()})
	if oneIn(e.T, 4, "materialized") {
		v.flags["materialized"] = "MATERIALIZED "
	} else if oneIn(e.T, 6, "options") {
		v.flags["options"] = pick(e.T, []string{" WITH (security_barrier=true)", " WITH (security_invoker=true)"}, "options")
	}
	d := viewDraft{sqlEditor: e, view: v, table: e.table()}
	from := d.table
	if views := e.w.all("view"); len(views) > 1 && oneIn(e.T, 3, "on a view") {
		from, d.table = pick(e.T, views[:len(views)-1], "view below"), nil
	}
	v.flags["from"], d.from = mentionOf(from), mentionOf(from)
	if d.columns = e.visible(from); len(d.columns) == 0 {
		e.w.remove(v)
		return
	}
	pick(e.T, []func(){d.plain, d.join, d.group, d.star, d.with, d.withoutAlias, d.window, d.union}, "view form")()
}

// visible lists the columns of a table or a view that are known by name.
func (e *sqlEditor) visible(on *thing) []*thing {
	return slices.DeleteFunc(e.w.parts(on.id, "column", "output"), func(c *thing) bool { return e.w.nameOf(c) == "?" })
}

func (d viewDraft) plain() {
	d.view.text = "SELECT LIST FROM " + d.from + " AS a"
	if d.table != nil && oneIn(d.T, 2, "where") {
		d.view.text += " WHERE " + d.condition(d.view, d.table, "a.")
	}
	d.outputs(d.view, d.columns, "a.")
}

func (d viewDraft) join() {
	other := d.sqlEditor.table()
	near, far := pick(d.T, d.columns, "joined"), d.columnOf(other)
	how := pick(d.T, []string{" JOIN ", " LEFT JOIN ", " FULL JOIN "}, "join")
	on := "a." + mentionOf(near) + " = b." + mentionOf(far)
	if f := d.w.familyOf(near); f == d.w.familyOf(far) && f != "json" {
		d.view.needs[near.id], d.view.needs[far.id] = f, f
	} else {
		how, on = " JOIN ", "a."+mentionOf(near)+" IS NOT NULL AND b."+mentionOf(far)+" IS NOT NULL"
	}
	d.view.text = "SELECT LIST FROM " + d.from + " AS a" + how + mentionOf(other) + " AS b ON " + on
	d.outputs(d.view, d.columns, "a.")
	d.outputs(d.view, d.w.parts(other.id, "column"), "b.")
}

// ordered tells whether the values of a column can be sorted and grouped.
func (d viewDraft) ordered(c *thing) bool {
	f := d.w.familyOf(c)
	return f != "json" && f != "composite" && f != ""
}

func (d viewDraft) group() {
	c := pick(d.T, d.columns, "grouped")
	if !d.ordered(c) {
		d.view.text = "SELECT LIST, count(*) AS n FROM " + d.from + " AS a GROUP BY ()"
		d.output(d.view, thing{text: "sum(1)", typ: "bigint"})
		return
	}
	d.view.needs[c.id] = d.w.familyOf(c)
	d.view.text = "SELECT LIST, count(*) AS n FROM " + d.from + " AS a GROUP BY a." + mentionOf(c) + pick(d.T, []string{"", " HAVING count(*) > 1", " ORDER BY 1"}, "having")
	d.output(d.view, thing{text: "a." + mentionOf(c), target: c.id})
	if x := pick(d.T, d.columns, "aggregated"); d.w.familyOf(x) == "int" || d.w.familyOf(x) == "text" {
		d.output(d.view, thing{text: "max(a." + mentionOf(x) + ")"}).needs[x.id] = d.w.familyOf(x)
	}
}

func (d viewDraft) star() {
	d.view.text = pick(d.T, []string{"SELECT * FROM " + d.from, "SELECT a.*, 1 AS one FROM " + d.from + " AS a", "SELECT * FROM " + d.from + " WHERE true"}, "star")
	d.view.flags["star"] = "yes"
	d.output(d.view, thing{name: "?"})
}

func (d viewDraft) with() {
	c := pick(d.T, d.columns, "with")
	d.view.text = "WITH x AS (SELECT " + mentionOf(c) + " AS v FROM " + d.from + ") SELECT LIST FROM x"
	d.output(d.view, thing{text: "x.v", name: fmt.Sprintf("v%d", d.view.id), target: c.id})
}

func (d viewDraft) withoutAlias() {
	d.view.text = "SELECT LIST FROM " + d.from
	d.outputs(d.view, d.columns, "")
}

func (d viewDraft) window() {
	d.view.text = "SELECT " + pick(d.T, []string{"DISTINCT ", ""}, "distinct") + "LIST FROM " + d.from + " AS a"
	c := pick(d.T, d.columns, "ordered")
	switch rows := d.function("rows"); {
	case rows != nil:
		d.view.needs[rows.id] = "rows"
		d.output(d.view, thing{text: mentionOf(rows) + "()", typ: "bigint"})
	case d.ordered(c):
		d.output(d.view, thing{text: "row_number() OVER (ORDER BY a." + mentionOf(c) + ")", typ: "bigint"}).needs[c.id] = d.w.familyOf(c)
	default:
		d.output(d.view, thing{text: "1", typ: "integer"})
	}
}

func (d viewDraft) union() {
	c := pick(d.T, d.columns, "united")
	d.view.text = "SELECT LIST FROM " + d.from + " AS a UNION ALL SELECT a." + mentionOf(c) + " FROM " + d.from + " AS a WHERE false"
	d.output(d.view, thing{text: "a." + mentionOf(c), target: c.id})
}

// outputs lets a view show some columns.
func (e *sqlEditor) outputs(v *thing, columns []*thing, prefix string) {
	for range e.number(1, 3, "outputs") {
		c := pick(e.T, columns, "shown")
		text := prefix + mentionOf(c)
		if f := e.function("label"); f != nil && f.flags["args"] == c.typ {
			o := e.output(v, thing{text: mentionOf(f) + "(" + text + ")", typ: "text"})
			o.needs[c.id] = e.w.familyOf(c)
			continue
		}
		if f := e.function(e.w.familyOf(c) + " change"); f != nil && oneIn(e.T, 3, "by function") {
			o := e.output(v, thing{text: mentionOf(f) + "(" + text + e.castFor(f, c) + ")", typ: f.typ})
			o.needs[f.id], o.needs[c.id] = f.flags["for"], e.w.familyOf(c)
			continue
		}
		if shown := e.family(c).shown; len(shown) > 0 && oneIn(e.T, 2, "expression") {
			how := pick(e.T, shown, "expression")
			o := e.output(v, thing{typ: how[1]})
			o.text = e.say(o, how[0], text, c)
			continue
		}
		name := e.w.nameOf(c)
		taken := slices.ContainsFunc(e.w.parts(v.id, "output"), func(o *thing) bool { return e.w.nameOf(o) == name })
		if taken || oneIn(e.T, 2, "named") {
			e.output(v, thing{text: text, target: c.id})
		} else {
			e.w.add(thing{kind: "output", on: v.id, text: text, target: c.id})
		}
	}
}

// output adds a column with a name of its own to a view.
func (e *sqlEditor) output(v *thing, o thing) *thing {
	o.kind, o.on = "output", v.id
	if o.name == "" {
		o.name = e.name("column", e.w.parts(v.id, "output"))
	}
	return e.w.add(o)
}

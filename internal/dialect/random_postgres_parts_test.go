package dialect_test

import (
	"slices"
	"strconv"
	"strings"
)

// table draws a table; there is always one.
func (e *sqlEditor) table() *thing {
	if len(e.w.all("table")) == 0 {
		e.addTable()
	}
	return pick(e.T, e.w.all("table"), "table")
}

// columnOf draws a column of a table, of one of the families or of any.
func (e *sqlEditor) columnOf(t *thing, families ...string) *thing {
	var fit []*thing
	for _, c := range e.w.parts(t.id, "column") {
		if len(families) == 0 || slices.Contains(families, e.w.familyOf(c)) {
			fit = append(fit, c)
		}
	}
	if len(fit) == 0 {
		return nil
	}
	return pick(e.T, fit, "column")
}

// partName draws a name for a constraint or an index, or none.
func (e *sqlEditor) partName() string {
	if oneIn(e.T, 2, "unnamed") {
		return ""
	}
	return e.name("part", nil)
}

func (e *sqlEditor) addKey() {
	e.addKeyOn(e.table(), pick(e.T, []string{"UNIQUE", "UNIQUE", "UNIQUE NULLS NOT DISTINCT", "PRIMARY KEY"}, "key kind"))
}

func (e *sqlEditor) addKeyOn(t *thing, kind string) *thing {
	columns := e.w.parts(t.id, "column")
	k := thing{kind: "key", on: t.id, text: kind, name: e.partName(), style: e.number(0, 8, "style")}
	for range e.number(1, 2, "key columns") {
		if c := pick(e.T, columns, "key column"); !slices.Contains(k.columns, c.id) && (c.computed == "" || kind != "PRIMARY KEY") {
			k.columns = append(k.columns, c.id)
		}
	}
	if len(k.columns) == 0 {
		return nil
	}
	if by := t.flags["partition"]; by != "" {
		k.columns = (&thing{text: by}).mentions()
	}
	k.flags = map[string]string{}
	if oneIn(e.T, 6, "deferrable") {
		k.flags["deferrable"] = pick(e.T, []string{" DEFERRABLE", " DEFERRABLE INITIALLY DEFERRED"}, "deferrable")
	}
	if c := pick(e.T, columns, "included"); oneIn(e.T, 6, "include") && !slices.Contains(k.columns, c.id) {
		k.flags["include"] = " INCLUDE (" + mentionOf(c) + ")"
	}
	return e.w.add(k)
}

func (e *sqlEditor) addCheck() {
	t := e.table()
	k := e.w.add(thing{kind: "check", on: t.id, name: e.partName(), style: e.number(0, 8, "style")})
	e.checkText(k, t)
	switch {
	case oneIn(e.T, 8, "no inherit") && t.flags["partition"] == "":
		k.flags["suffix"] = " NO INHERIT"
	case k.style%3 == 2 && oneIn(e.T, 4, "not valid"):
		k.flags["suffix"] = " NOT VALID"
	}
}

// checkText draws what a check says, of one column or of two.
func (e *sqlEditor) checkText(k, t *thing) {
	k.needs = map[int]string{}
	k.text = e.condition(k, t, "")
	if k.text != "" && oneIn(e.T, 4, "two conditions") {
		if more := e.condition(k, t, ""); more != "" {
			k.text = "(" + k.text + ")" + pick(e.T, []string{" AND ", " OR "}, "and or or") + "(" + more + ")"
		}
	}
	if k.text == "" {
		k.text = "true"
	}
}

// condition draws a condition about a column of a table, whose names follow a prefix.
func (e *sqlEditor) condition(by, t *thing, prefix string) string {
	c := e.columnOf(t)
	if f := e.function(e.w.familyOf(c) + " check"); f != nil && oneIn(e.T, 2, "by function") {
		by.needs[f.id], by.needs[c.id] = f.flags["for"], e.w.familyOf(c)
		if strings.Contains(f.flags["args"], "integer") {
			return mentionOf(f) + "(" + prefix + mentionOf(c) + "::integer)"
		}
		return mentionOf(f) + "(" + prefix + mentionOf(c) + ")"
	}
	checks := append([]string{"NULLABLE IS NULL OR NULLABLE IS NOT NULL"}, e.family(c).checks...)
	text := pick(e.T, checks[min(1, len(checks)-1):], "condition")
	return strings.ReplaceAll(e.say(by, text, prefix+mentionOf(c), c), "NULLABLE", prefix+mentionOf(c))
}

func (e *sqlEditor) addExclusion() {
	t := e.table()
	c := e.columnOf(t, "range")
	if c == nil || t.flags["partition"] != "" {
		return
	}
	where := ""
	k := e.w.add(thing{kind: "exclusion", on: t.id, name: e.partName(), style: e.number(0, 8, "style")})
	if oneIn(e.T, 2, "where") {
		where = " WHERE (" + e.condition(k, t, "") + ")"
	}
	k.needs[c.id] = "range"
	k.text = "EXCLUDE USING gist (" + mentionOf(c) + " WITH &&)" + where
}

// addForeign lets columns reference a key; the columns are made for it where there are none that fit.
func (e *sqlEditor) addForeign() {
	keys := e.w.all("key")
	if len(keys) == 0 {
		return
	}
	t, key := e.table(), pick(e.T, keys, "referenced")
	if t.flags["unlogged"] == e.w.find(key.on).flags["unlogged"] {
		e.addForeignTo(t, key)
	}
}

func (e *sqlEditor) addForeignTo(t, key *thing) {
	k := thing{kind: "foreign", on: t.id, target: key.id, name: e.partName(), style: e.number(0, 8, "style"), flags: map[string]string{}}
	for _, far := range key.columns {
		f := e.w.find(far)
		c := e.columnOf(t, e.w.familyOf(f))
		if c == nil || c.computed != "" || c.id == far || slices.Contains(k.columns, c.id) || oneIn(e.T, 2, "column of its own") {
			c = e.w.add(thing{kind: "column", on: t.id, name: e.columnName(t), typ: f.typ})
		}
		k.columns = append(k.columns, c.id)
	}
	k.flags["action"] = pick(e.T, []string{"", "", " ON DELETE CASCADE", " ON DELETE SET NULL", " ON UPDATE CASCADE ON DELETE RESTRICT", " ON DELETE SET DEFAULT", " ON DELETE NO ACTION", " MATCH FULL", "SET"}, "action")
	if k.flags["action"] == "SET" {
		k.flags["action"] = " ON DELETE SET NULL ({" + strconv.Itoa(k.columns[0]) + "})"
	}
	k.flags["deferrable"] = pick(e.T, []string{"", "", "", " DEFERRABLE", " DEFERRABLE INITIALLY DEFERRED"}, "deferrable")
	if k.name == "" && e.w.find(key.on).flags["partition"] != "" {
		k.name = e.name("part", nil) // the server makes constraints for each partition, and numbers the names that it makes up
	}
	e.w.add(k)
}

func (e *sqlEditor) addIndex() {
	on := e.table()
	if views := e.w.all("view"); len(views) > 0 && oneIn(e.T, 5, "on a view") {
		if v := pick(e.T, views, "indexed view"); v.flags["materialized"] != "" {
			e.addViewIndex(v)
			return
		}
	}
	x := e.w.add(thing{kind: "index", on: on.id, name: e.partName(), style: e.number(0, 8, "style")})
	c := e.columnOf(on)
	family := e.w.familyOf(c)
	m := mentionOf(c)
	switch {
	case family == "jsonb" && oneIn(e.T, 2, "gin"):
		x.flags["method"], x.text = " USING gin", pick(e.T, []string{m, m + " jsonb_path_ops"}, "gin")
	case strings.HasSuffix(family, "[]") && oneIn(e.T, 2, "gin"):
		x.flags["method"], x.text = " USING gin", m
	case family == "json", oneIn(e.T, 3, "expression") && len(e.family(c).indexes) > 0:
		x.text = e.say(x, pick(e.T, e.family(c).indexes, "index expression"), m, c)
	case family == "text" && oneIn(e.T, 4, "operator class"):
		x.text = m + pick(e.T, []string{" text_pattern_ops", ` COLLATE "C"`, ` COLLATE "C" DESC`}, "class")
	case family != "composite" && oneIn(e.T, 6, "hash"):
		x.flags["method"], x.text = " USING hash", m
	default:
		x.text = m + pick(e.T, []string{"", "", " DESC", " ASC NULLS FIRST", " DESC NULLS LAST"}, "order")
		if o := e.columnOf(on); o != c && !slices.Contains([]string{"json", "composite"}, e.w.familyOf(o)) && oneIn(e.T, 2, "second column") {
			x.text += ", " + mentionOf(o)
			x.needs[o.id] = e.w.familyOf(o)
		}
		if oneIn(e.T, 4, "unique") && on.flags["partition"] == "" {
			x.flags["unique"] = "UNIQUE "
			if oneIn(e.T, 4, "nulls") {
				x.flags["nulls"] = " NULLS NOT DISTINCT"
			}
		}
		if o := e.columnOf(on); oneIn(e.T, 6, "include") && !strings.Contains(x.text, mentionOf(o)) {
			x.flags["include"] = " INCLUDE (" + mentionOf(o) + ")"
		}
	}
	x.needs[c.id] = family
	if oneIn(e.T, 4, "partial") {
		x.flags["where"] = " WHERE " + e.condition(x, on, "")
	}
	if oneIn(e.T, 8, "with") && x.flags["method"] == "" {
		x.flags["with"] = " WITH (fillfactor = 80)"
	}
}

func (e *sqlEditor) addViewIndex(v *thing) {
	o := pick(e.T, e.w.parts(v.id, "output"), "indexed output")
	if f := e.w.familyOf(o); f == "" || f == "json" || f == "composite" {
		return
	}
	x := e.w.add(thing{kind: "index", on: v.id, name: e.partName(), text: mentionOf(o)})
	x.needs[o.id] = e.w.familyOf(o)
}

func (e *sqlEditor) addTrigger() {
	f := e.function("trigger")
	if f == nil {
		f = e.w.add(thing{kind: "function", name: e.name("function", nil), schema: e.schema(), typ: "trigger", flags: map[string]string{"for": "trigger"}})
		e.body(f)
	}
	if views := e.w.all("view"); len(views) > 0 && oneIn(e.T, 4, "on a view") {
		if v := pick(e.T, views, "view with a trigger"); v.flags["materialized"] == "" {
			e.w.add(thing{kind: "trigger", on: v.id, name: e.name("part", nil), text: "INSTEAD OF " + pick(e.T, []string{"INSERT", "UPDATE OR DELETE"}, "event") + " ON " + mentionOf(v) + " FOR EACH ROW EXECUTE FUNCTION " + mentionOf(f) + "()"})
			return
		}
	}
	t := e.table()
	c := e.columnOf(t)
	if c.computed == "" && oneIn(e.T, 3, "function of its own") {
		f = e.w.add(thing{kind: "function", name: e.name("function", nil), schema: t.schema, typ: "trigger", text: "BEGIN NEW." + mentionOf(c) + " := NEW." + mentionOf(c) + "; RETURN NEW; END",
			flags: map[string]string{"for": "trigger on its column", "language": "plpgsql", "how": "VOLATILE"}})
		e.w.add(thing{kind: "trigger", on: t.id, name: e.name("part", nil), flags: map[string]string{"function": mentionOf(f)}, text: "BEFORE INSERT OR UPDATE ON " + mentionOf(t) + " FOR EACH ROW EXECUTE FUNCTION " + mentionOf(f) + "()"})
		return
	}
	g := e.w.add(thing{kind: "trigger", on: t.id, name: e.name("part", nil), flags: map[string]string{"function": mentionOf(f)}})
	e.triggerText(g, t, c)
}

// triggerText draws when a trigger runs.
func (e *sqlEditor) triggerText(g, t, c *thing) {
	on := mentionOf(t)
	f := g.flags["function"]
	g.needs = map[int]string{}
	switch e.number(1, 5, "trigger kind") {
	case 1:
		g.text = "BEFORE INSERT OR UPDATE ON " + on + " FOR EACH ROW EXECUTE FUNCTION " + f + "()"
	case 2:
		g.text = "AFTER UPDATE OF " + mentionOf(c) + " ON " + on + " FOR EACH ROW EXECUTE FUNCTION " + f + "()"
	case 3:
		if c.computed != "" {
			g.text = "AFTER DELETE ON " + on + " FOR EACH ROW EXECUTE FUNCTION " + f + "()"
			return
		}
		g.text = "BEFORE INSERT ON " + on + " FOR EACH ROW WHEN (NEW." + mentionOf(c) + " IS NOT NULL) EXECUTE FUNCTION " + f + "()"
	case 4:
		g.text = "AFTER INSERT OR DELETE ON " + on + " FOR EACH STATEMENT EXECUTE FUNCTION " + f + "('an argument', 2)"
	case 5:
		g.text, g.flags["constraint"] = "AFTER INSERT ON "+on+" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "+f+"()", "CONSTRAINT "
	}
}

func (e *sqlEditor) addStatistics() {
	t := e.table()
	a, b := e.columnOf(t), e.columnOf(t)
	if f := e.w.familyOf(a); a == b || f == "json" || f == "composite" || e.w.familyOf(b) == "json" || e.w.familyOf(b) == "composite" {
		return
	}
	s := e.w.add(thing{kind: "statistics", on: t.id, name: e.name("part", nil), schema: t.schema, text: mentionOf(a) + ", " + mentionOf(b)})
	s.needs[a.id], s.needs[b.id] = e.w.familyOf(a), e.w.familyOf(b)
}

func (e *sqlEditor) addPolicy() {
	t := e.table()
	if t.flags["security"] == "" {
		t.flags["security"] = "ENABLE ROW LEVEL SECURITY"
	}
	p := e.w.add(thing{kind: "policy", on: t.id, name: e.name("part", nil)})
	e.policyText(p, t)
}

func (e *sqlEditor) policyText(p, t *thing) {
	p.needs = map[int]string{}
	condition := e.condition(p, t, "")
	switch e.number(1, 5, "policy kind") {
	case 1:
		p.text = "USING (" + condition + ")"
	case 2:
		p.text = "AS RESTRICTIVE FOR SELECT TO PUBLIC USING (" + condition + ")"
	case 3:
		p.text = "FOR INSERT WITH CHECK (" + condition + ")"
	case 4:
		p.text = "FOR UPDATE USING (true) WITH CHECK (" + condition + ")"
	case 5:
		o := e.table()
		c, d := e.columnOf(t), e.columnOf(o)
		if o == t || e.w.familyOf(c) != e.w.familyOf(d) || e.w.familyOf(c) == "json" {
			p.text = "USING (EXISTS (SELECT 1 FROM " + mentionOf(o) + " AS o WHERE o." + mentionOf(d) + " IS NOT NULL))"
			return
		}
		p.needs[c.id], p.needs[d.id] = e.w.familyOf(c), e.w.familyOf(d)
		p.text = "USING (EXISTS (SELECT 1 FROM " + mentionOf(o) + " WHERE " + strings.TrimSuffix(mentionOf(o), "}") + "!}." + mentionOf(d) + " = " + strings.TrimSuffix(mentionOf(t), "}") + "!}." + mentionOf(c) + "))"
	}
}

func (e *sqlEditor) addComment() {
	about := e.w.all("table", "column", "view", "index", "key", "check", "foreign", "function", "enum", "domain", "sequence", "schema", "trigger", "policy")
	th := pick(e.T, about, "commented")
	if th.name == "" || slices.ContainsFunc(e.w.all("comment"), func(c *thing) bool { return c.target == th.id }) || th.kind == "column" && len(e.w.parts(th.on)) == 0 {
		return
	}
	e.w.add(thing{kind: "comment", target: th.id, text: e.commentText()})
}

func (e *sqlEditor) commentText() string {
	return pick(e.T, []string{"about it", "it's \"quoted\"", "back\\slash; and\n-- a line", "größer"}, "comment")
}

func (e *sqlEditor) addGrant() {
	th := pick(e.T, e.w.all("table", "view", "function", "sequence", "schema", "table"), "granted")
	if slices.ContainsFunc(e.w.all("grant"), func(c *thing) bool { return c.target == th.id }) {
		return
	}
	g := e.w.add(thing{kind: "grant", target: th.id})
	e.grantText(g, th)
}

func (e *sqlEditor) grantText(g, th *thing) {
	m := mentionOf(th)
	switch th.kind {
	case "table":
		c := e.columnOf(th)
		g.text = pick(e.T, []string{"GRANT SELECT ON " + m + " TO PUBLIC", "GRANT SELECT, INSERT ON TABLE " + m + " TO PUBLIC", "GRANT ALL ON " + m + " TO PUBLIC", "GRANT UPDATE (" + mentionOf(c) + ") ON " + m + " TO PUBLIC"}, "grant")
	case "view":
		g.text = "GRANT SELECT ON " + m + " TO PUBLIC"
	case "function":
		g.text = "REVOKE EXECUTE ON FUNCTION " + m + "(" + argTypes(th) + ") FROM PUBLIC"
	case "sequence":
		g.text = "GRANT USAGE ON SEQUENCE " + m + " TO PUBLIC"
	case "schema":
		g.text = "GRANT USAGE ON SCHEMA " + m + " TO PUBLIC"
	}
}

package catalog

import (
	"slices"
	"sort"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/altergate/altergate/internal/dialect/postgres/script"
	"github.com/altergate/altergate/internal/schema"
)

// The bits of CreateTrigStmt.Timing and Events (PostgreSQL 15, pg_trigger.h).
const (
	triggerBefore  = 1 << 1
	triggerInsert  = 1 << 2
	triggerDelete  = 1 << 3
	triggerUpdate  = 1 << 4
	triggerCut     = 1 << 5
	triggerInstead = 1 << 6
)

// createTrigger makes a trigger on a table or a view. One for each row of a partitioned table comes to its partitions.
func (c *Catalog) createTrigger(s *script.Statement, n *pg.CreateTrigStmt) error {
	o := c.origin(s, max(0, firstAt(s, 0, "TRIGGER")))
	on, err := c.relation(c.origin(s, int(n.Relation.GetLocation())), n.Relation)
	if err != nil {
		return err
	}
	t := &Trigger{
		Name: n.Trigname, Table: on, Timing: timing(n.Timing), Events: events(n.Events), Columns: words(n.Columns), ForEachRow: n.Row,
		When: c.exprIn(s, o.Offset, n.WhenClause, "WHEN"), Function: words(n.Funcname), Args: words(n.Args),
		Constraint: n.Isconstraint, Deferrable: n.Deferrable || n.Initdeferred, Deferred: n.Initdeferred, Origin: o,
	}
	slices.Sort(t.Columns)
	for _, x := range n.TransitionRels {
		if r := x.GetTriggerTransition(); r.IsNew {
			t.NewTable = r.Name
		} else {
			t.OldTable = r.Name
		}
	}
	if n.Constrrel != nil {
		from, err := c.relation(o, n.Constrrel)
		if err != nil {
			return err
		}
		t.From = &from
	}
	if err := c.checkTrigger(t); err != nil {
		return err
	}
	return c.putTrigger(t, n.Replace)
}

func timing(bits int32) string {
	switch {
	case bits&triggerBefore != 0:
		return "before"
	case bits&triggerInstead != 0:
		return "instead of"
	}
	return "after"
}

// events gives the words for the bits, sorted.
func events(bits int32) []string {
	var list []string
	for _, e := range [...]struct {
		bit  int32
		word string
	}{{triggerDelete, "delete"}, {triggerInsert, "insert"}, {triggerCut, "truncate"}, {triggerUpdate, "update"}} {
		if bits&e.bit != 0 {
			list = append(list, e.word)
		}
	}
	return list
}

// checkTrigger refuses what the server refuses: triggers that do not go with what they are on.
func (c *Catalog) checkTrigger(t *Trigger) error {
	refuse := func(why string) error {
		return c.errorf(t.Origin, schema.KindSchema, "trigger %s cannot be on %s: %s", t.Name, t.Table, why)
	}
	table, view := c.Tables[t.Table], c.Views[t.Table]
	switch {
	case table == nil && (view == nil || view.Materialized):
		return refuse("triggers are on tables and views; correct the name")
	case view != nil && t.ForEachRow && t.Timing != "instead of":
		return refuse("it is a view, whose triggers for each row are INSTEAD OF")
	case view != nil && slices.Contains(t.Events, "truncate"):
		return refuse("it is a view, which cannot be truncated")
	case table != nil && t.Timing == "instead of":
		return refuse("it is a table, and INSTEAD OF is for views; write BEFORE or AFTER")
	case t.Timing == "instead of" && (!t.ForEachRow || t.When != nil || len(t.Columns) > 0):
		return refuse("INSTEAD OF triggers are FOR EACH ROW, without WHEN and without a list of columns")
	}
	for _, name := range t.Columns {
		if table != nil && table.column(name) == nil {
			return c.missing(t.Origin, "trigger %s names column %s.%s, which is not there; create it, or correct the name", t.Name, t.Table, name)
		}
	}
	return nil
}

func (c *Catalog) putTrigger(t *Trigger, replace bool) error {
	if old := c.trigger(t.Table, t.Name); old != nil {
		switch {
		case !replace:
			return c.duplicate(t.Origin, "trigger", partOf(t.Table, t.Name), old.Origin)
		case old.Inherited:
			return c.errorf(t.Origin, schema.KindSchema, "trigger %s on %s comes from the table that this is a partition of; replace it there", t.Name, t.Table)
		case old.Constraint != t.Constraint:
			return c.errorf(t.Origin, schema.KindSchema, "trigger %s on %s, which is at %s, cannot become a constraint trigger, or stop being one; drop it first", t.Name, t.Table, old.Pos())
		}
	}
	c.setTrigger(t)
	if table := c.Tables[t.Table]; table != nil && table.Partition != nil && t.ForEachRow {
		for _, child := range c.partitionsOf(t.Table) {
			if err := c.cloneTriggers(table, child); err != nil {
				return err
			}
		}
	}
	return nil
}

// partitionsOf gives the partitions of a table, sorted by name.
func (c *Catalog) partitionsOf(n Name) []*Table {
	var list []*Table
	for _, t := range c.Tables {
		if t.PartitionOf != nil && *t.PartitionOf == n {
			list = append(list, t)
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Name.String() < list[j].Name.String() })
	return list
}

// cloneTriggers gives a partition the triggers for each row of the table that it is a partition of, and its own partitions too.
func (c *Catalog) cloneTriggers(parent, child *Table) error {
	for _, t := range parent.Triggers {
		if !t.ForEachRow {
			continue
		}
		if old := c.trigger(child.Name, t.Name); old != nil && !old.Inherited {
			return c.duplicate(t.Origin, "trigger", partOf(child.Name, t.Name), old.Origin)
		}
		clone := *t
		clone.Table, clone.Inherited = child.Name, true
		clone.Events, clone.Columns, clone.Function, clone.Args = slices.Clone(t.Events), slices.Clone(t.Columns), slices.Clone(t.Function), slices.Clone(t.Args)
		c.setTrigger(&clone)
	}
	if child.Partition == nil {
		return nil
	}
	for _, below := range c.partitionsOf(child.Name) {
		if err := c.cloneTriggers(child, below); err != nil {
			return err
		}
	}
	return nil
}

// dropClones takes away from a partition what a trigger of its parent has made there; from all its triggers if the name is empty.
func (c *Catalog) dropClones(child *Table, name string) {
	for _, t := range slices.Clone(child.Triggers) {
		if !t.Inherited || (name != "" && t.Name != name) {
			continue
		}
		child.Triggers = slices.DeleteFunc(slices.Clone(child.Triggers), func(x *Trigger) bool { return x == t })
		c.forgetPart("trigger", child.Name, t.Name)
		for _, below := range c.partitionsOf(child.Name) {
			c.dropClones(below, t.Name)
		}
	}
}

// triggersOn gives the list that the triggers of a table or a view are in; nil if nothing has the name.
func (c *Catalog) triggersOn(n Name) *[]*Trigger {
	switch {
	case c.Tables[n] != nil:
		return &c.Tables[n].Triggers
	case c.Views[n] != nil:
		return &c.Views[n].Triggers
	}
	return nil
}

// trigger gives the trigger of that name on a table or a view, or nil.
func (c *Catalog) trigger(on Name, name string) *Trigger {
	if list := c.triggersOn(on); list != nil {
		for _, t := range *list {
			if t.Name == name {
				return t
			}
		}
	}
	return nil
}

// setTrigger puts a trigger on its table, in the place of one of its name.
func (c *Catalog) setTrigger(t *Trigger) {
	list := c.triggersOn(t.Table)
	kept := slices.DeleteFunc(slices.Clone(*list), func(x *Trigger) bool { return x.Name == t.Name })
	*list = append(kept, t)
}

// dropTrigger takes a trigger away, and what it has made on partitions.
func (c *Catalog) dropTrigger(on Name, name string) {
	list := c.triggersOn(on)
	*list = slices.DeleteFunc(slices.Clone(*list), func(x *Trigger) bool { return x.Name == name })
	c.forgetPart("trigger", on, name)
	for _, child := range c.partitionsOf(on) {
		c.dropClones(child, name)
	}
}

// renameTrigger gives a trigger another name, and what it has made on partitions.
func (c *Catalog) renameTrigger(o Origin, on Name, from, to string) error {
	t := c.trigger(on, from)
	switch {
	case t == nil:
		return c.missing(o, "trigger %s on %s is not there; create it, or correct the name", from, on)
	case t.Inherited:
		return c.errorf(o, schema.KindSchema, "trigger %s on %s comes from the table that this is a partition of; rename it there", from, on)
	}
	if old := c.trigger(on, to); old != nil {
		return c.duplicate(o, "trigger", partOf(on, to), old.Origin)
	}
	c.renameClones(on, from, to)
	return nil
}

func (c *Catalog) renameClones(on Name, from, to string) {
	if t := c.trigger(on, from); t != nil {
		t.Name, t.Altered = to, true
		c.followPart("trigger", on, from, to)
	}
	for _, child := range c.partitionsOf(on) {
		if t := c.trigger(child.Name, from); t != nil && t.Inherited {
			c.renameClones(child.Name, from, to)
		}
	}
}

// calls tells whether a trigger calls a function, which has no arguments. The function may have got another name since.
func (c *Catalog) calls(t *Trigger, f *Function) bool {
	if len(f.inputs()) > 0 || len(t.Function) == 0 {
		return false
	}
	schemaName, name := "", t.Function[len(t.Function)-1]
	if len(t.Function) > 1 {
		schemaName = t.Function[len(t.Function)-2]
	}
	for _, path := range c.schemasOf(t.Origin, schemaName) {
		n := Name{path, name}
		for _, r := range c.since(t.Time) {
			if r.Kind == "function" && r.From == n {
				n = r.To
			}
		}
		if g := c.Functions[routineID(n, "function", nil)]; g != nil {
			return g == f
		}
	}
	return false
}

// createEventTrigger makes an event trigger.
func (c *Catalog) createEventTrigger(s *script.Statement, n *pg.CreateEventTrigStmt) error {
	o := c.origin(s, 0)
	schemaName, name := apart(n.Funcname)
	f := c.procedureOf(o, schemaName, name)
	if f == nil {
		return c.missing(o, "event trigger %s calls the function %s(), which is not there; create it, or correct the name", n.Trigname, dotted(schemaName, name))
	}
	var tags []string
	for _, d := range defElems(n.Whenclause) {
		if d.Defname != "tag" {
			return c.errorf(c.origin(s, int(d.Location)), schema.KindSchema, "event trigger %s filters by %s; PostgreSQL only knows TAG", n.Trigname, d.Defname)
		}
		tags = append(tags, words(d.Arg.GetList().GetItems())...)
	}
	for i := range tags {
		tags[i] = strings.ToUpper(tags[i])
	}
	slices.Sort(tags)
	return c.put(&Object{Kind: "event_trigger", Key: n.Trigname, Node: s.Node, Modelled: true, Origin: o, Props: map[string]string{
		"event": n.Eventname, "tags": strings.Join(tags, ","), propFunction: f.ID,
	}})
}

// procedureOf finds the function without arguments that a trigger calls, or nil.
func (c *Catalog) procedureOf(o Origin, schemaName, name string) *Function {
	for _, path := range c.schemasOf(o, schemaName) {
		if f := c.Functions[routineID(Name{path, name}, "function", nil)]; f != nil {
			return f
		}
	}
	return nil
}

// enabled are the words for ALTER EVENT TRIGGER, as Trigger.Enabled has them.
var enabled = map[string]string{"O": "", "D": "disabled", "R": "replica", "A": "always"}

func (c *Catalog) alterEventTrigger(s *script.Statement, n *pg.AlterEventTrigStmt) error {
	t := c.Others[[2]string{"event_trigger", n.Trigname}]
	if t == nil {
		return c.missing(c.origin(s, 0), "event trigger %s is not there; create it, or correct the name", n.Trigname)
	}
	if t.Props["enabled"] = enabled[n.Tgenabled]; t.Props["enabled"] == "" {
		delete(t.Props, "enabled")
	}
	t.Altered = true
	return nil
}

package plan

import (
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// named is a name in a plan or a schema.
type named struct {
	kind, name, key string
	among           string // what has to be told apart from it: tables and views; the columns of one table
	side            schema.Side
	pos             schema.Pos
	old             bool // it is gone after a rename
}

// namesOf are the names that a change is about.
func namesOf(in Input, c diff.Change) []named {
	switch c := c.(type) {
	case diff.CreateTable:
		return tableNames(c.Table, schema.Head)
	case diff.DropTable:
		return tableNames(c.Table, schema.Base)[:1]
	case diff.RebuildTable:
		return tableNames(c.To, schema.Head)[:1]
	case diff.AlterOptions:
		return tableNames(c.To, schema.Head)[:1]
	case diff.RenameTable, diff.RenameColumn:
		return renamed(in, c)
	case diff.AddColumn:
		return []named{columnName(c.Table, c.Column, schema.Head)}
	case diff.DropColumn:
		return []named{columnName(c.Table, c.Column, schema.Base)}
	case diff.AlterColumn:
		return []named{columnName(c.Table, c.To, schema.Head)}
	case diff.AddConstraint:
		return constraintNames(c.Table, c.Constraint, schema.Head)
	case diff.DropConstraint:
		return constraintNames(c.Table, c.Constraint, schema.Base)
	case diff.ValidateConstraint:
		return constraintNames(c.Table, c.To, schema.Head)
	case diff.RenameConstraint:
		return constraintNames(c.Table, c.To, schema.Head)
	case diff.CreateIndex:
		return []named{indexName(c.Index, schema.Head)}
	case diff.DropIndex:
		return []named{indexName(c.Index, schema.Base)}
	case diff.RenameIndex:
		return []named{indexName(c.To, schema.Head)}
	case diff.CreateView:
		return []named{viewName(c.View, schema.Head)}
	case diff.DropView:
		return []named{viewName(c.View, schema.Base)}
	case diff.ReplaceView:
		return []named{viewName(c.To, schema.Head)}
	case diff.CreateTrigger:
		return []named{triggerName(c.Trigger, schema.Head)}
	case diff.DropTrigger:
		return []named{triggerName(c.Trigger, schema.Base)}
	case diff.CreateObject:
		return []named{objectName(c.Object, schema.Head)}
	case diff.DropObject:
		return []named{objectName(c.Object, schema.Base)}
	case diff.AlterObject:
		return []named{objectName(c.To, schema.Head)}
	case diff.RenameObject:
		return []named{objectName(c.To, schema.Head)}
	case diff.ReplaceOpaque:
		if c.To == nil {
			return []named{opaqueName(c.From, schema.Base)}
		}
		return []named{opaqueName(c.To, schema.Head)}
	}
	return nil // judge refuses what no rule knows
}

// renamed finds the object that a rename gives its name.
func renamed(in Input, c diff.Change) []named {
	table := func(wanted string) *schema.Table {
		i := slices.IndexFunc(in.To.Tables, func(t *schema.Table) bool { return t.Name == wanted })
		if i < 0 {
			return nil
		}
		return in.To.Tables[i]
	}
	var all []named
	switch c := c.(type) {
	case diff.RenameTable:
		if t := table(c.To); t != nil {
			all = tableNames(t, schema.Head)[:1]
		}
	case diff.RenameColumn:
		if t := table(c.Table); t != nil {
			all = slices.DeleteFunc(tableNames(t, schema.Head)[1:], func(n named) bool { return n.name != c.To })
		}
	}
	return all
}

// oldNames are names that are on neither side any more once the renames are done.
func oldNames(in Input, c diff.Change) []named {
	switch c := c.(type) {
	case diff.RenameTable:
		return []named{{kind: "table", name: c.From, key: c.From, among: relations, side: schema.Base, old: true}}
	case diff.RenameColumn:
		if now := renamed(in, c); len(now) > 0 {
			return []named{{kind: "column", name: c.From, key: c.From, among: now[0].among, side: schema.Base, old: true}}
		}
	case diff.RenameIndex:
		was := indexName(c.From, schema.Base)
		was.old = true
		return []named{was}
	}
	return nil
}

// allNames are those of one side.
func allNames(s *schema.Schema, side schema.Side) []named {
	var all []named
	for _, t := range s.Tables {
		all = append(all, tableNames(t, side)...)
		for _, i := range t.Indexes {
			all = append(all, indexName(i, side))
		}
		for _, g := range t.Triggers {
			all = append(all, triggerName(g, side))
		}
	}
	for _, v := range s.Views {
		all = append(all, viewName(v, side))
	}
	for _, o := range s.Opaques {
		all = append(all, opaqueName(o, side))
	}
	for _, o := range s.Objects {
		all = append(all, objectName(o, side))
	}
	return all
}

const relations = "relations"

// tableNames are those of a table and its columns, the table's first.
func tableNames(t *schema.Table, side schema.Side) []named {
	all := []named{{kind: "table", name: t.Name, key: t.Key, among: relations, side: side, pos: t.Pos}}
	for _, c := range t.Columns {
		all = append(all, columnName(t, c, side))
	}
	return all
}

func columnName(t *schema.Table, c *schema.Column, side schema.Side) named {
	return named{kind: "column", name: c.Name, key: c.Key, among: "columns of " + t.Key, side: side, pos: c.Pos}
}

// constraintNames is empty for a constraint without a name.
func constraintNames(t *schema.Table, c *schema.Constraint, side schema.Side) []named {
	if c.Name == "" {
		return nil
	}
	return []named{{kind: strings.ReplaceAll(string(c.Kind), "_", " "), name: c.Name, key: c.Name, among: "constraints of " + t.Key, side: side, pos: c.Pos}}
}

func indexName(i *schema.Index, side schema.Side) named {
	return named{kind: "index", name: i.Name, key: i.Key, among: "indexes", side: side, pos: i.Pos}
}

func viewName(v *schema.View, side schema.Side) named {
	return named{kind: "view", name: v.Name, key: v.Key, among: relations, side: side, pos: v.Pos}
}

func triggerName(g *schema.Trigger, side schema.Side) named {
	return named{kind: "trigger", name: g.Name, key: g.Key, among: "triggers", side: side, pos: g.Pos}
}

func objectName(o *schema.Object, side schema.Side) named {
	return named{kind: strings.ReplaceAll(o.Kind, "_", " "), name: o.Name, key: o.Key, among: o.Kind, side: side, pos: o.Pos}
}

func opaqueName(o *schema.Opaque, side schema.Side) named {
	return named{kind: o.Kind, name: o.Name, key: o.Key, among: relations, side: side, pos: o.Pos}
}

package postgres

import (
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// parts are what a schema has on its tables and views, to be looked up: a plan that changes every table asks as often.
type parts struct {
	byID map[string]part
	on   map[string][]*schema.Object // by key of a table or view, the objects on it, in order
}

// part is a constraint, an index or a trigger, with the table that it is on, or the view in the form of one.
type part struct {
	table      *schema.Table
	constraint *schema.Constraint
	index      *schema.Index
	trigger    *schema.Trigger
}

func partsOf(s *schema.Schema) parts {
	p := parts{byID: map[string]part{}, on: map[string][]*schema.Object{}}
	for _, t := range holders(s) {
		for _, k := range t.Constraints {
			p.byID[constraintID(t.Key, k.Name)] = part{table: t, constraint: k}
		}
		for _, x := range t.Indexes {
			p.byID[indexID(x.Key)] = part{table: t, index: x}
		}
		for _, g := range t.Triggers {
			p.byID[triggerID(t.Key, g.Key)] = part{table: t, trigger: g}
		}
	}
	for _, o := range s.Objects {
		p.on[o.On] = append(p.on[o.On], o)
	}
	return p
}

// holders lists what indexes and triggers can be on, in the form of tables.
func holders(s *schema.Schema) []*schema.Table {
	all := append([]*schema.Table{}, s.Tables...)
	for _, v := range s.Views {
		rows := v.Rows()
		rows.Triggers = v.Triggers
		all = append(all, rows)
	}
	return all
}

// drop gives the change in which the part goes, or nil.
func (p part) drop() diff.Change {
	switch {
	case p.constraint != nil:
		return diff.DropConstraint{Table: p.table, Constraint: p.constraint}
	case p.index != nil:
		return diff.DropIndex{Table: p.table, Index: p.index}
	case p.trigger != nil:
		return diff.DropTrigger{On: p.table.Key, Trigger: p.trigger}
	}
	return nil
}

// create gives the change in which the part comes, or nil.
func (p part) create() diff.Change {
	switch {
	case p.constraint != nil:
		return diff.AddConstraint{Table: p.table, Constraint: p.constraint}
	case p.index != nil:
		return diff.CreateIndex{Table: p.table, Index: p.index}
	case p.trigger != nil:
		return diff.CreateTrigger{On: p.table.Key, Trigger: p.trigger}
	}
	return nil
}

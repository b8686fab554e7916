package dialect

import (
	"strings"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// origins says of each table and column, while migrations go on, which of the base's it was. What the migrations have made has none.
type origins map[string]*origin // by the table's key

type origin struct {
	table   string            // key at the base; empty = it is new
	columns map[string]string // key now → key at the base; empty = it is new
	pos     schema.Pos        // of the statement that gave the table its name
	renamed map[string]schema.Pos
	held    bool // it is new, and all rows of one of the base's were copied into it
}

// old tells whether values of the base can be in the table.
func (o *origin) old() bool { return o.table != "" || o.held }

func originsOf(base *schema.Schema) origins {
	o := origins{}
	for _, t := range base.Tables {
		own := &origin{table: t.Key, columns: map[string]string{}, renamed: map[string]schema.Pos{}}
		for _, c := range t.Columns {
			own.columns[c.Key] = c.Key
		}
		o[t.Key] = own
	}
	return o
}

// advance takes over what a unit of statements has renamed, made and dropped. key gives the form in which the dialect compares names.
func (o origins) advance(after *schema.Schema, renames diff.Renames, key func(string) string) {
	moved := origins{}
	for _, r := range renames.Tables {
		if own := o[key(r.From)]; own != nil {
			own.pos = r.Pos
			moved[key(r.To)] = own
			delete(o, key(r.From))
		}
	}
	for name, own := range moved {
		o[name] = own
	}
	for _, r := range renames.Columns {
		own := o[key(r.Table)]
		if own == nil {
			continue
		}
		from, to := columnOf(after, own, r, key)
		if was, ok := own.columns[from]; ok {
			delete(own.columns, from)
			own.columns[to] = was
			own.renamed[to] = r.Pos
		}
	}
	for name := range o {
		if after.Table(name) == nil {
			delete(o, name)
		}
	}
	for _, t := range after.Tables {
		own := o[t.Key]
		if own == nil {
			own = &origin{columns: map[string]string{}, renamed: map[string]schema.Pos{}}
			o[t.Key] = own
		}
		for name := range own.columns {
			if t.Column(name) == nil {
				delete(own.columns, name)
			}
		}
		for _, c := range t.Columns {
			if _, ok := own.columns[c.Key]; !ok {
				own.columns[c.Key] = ""
			}
		}
	}
}

// columnOf gives the keys of a column before and after its rename; some dialects fold the names of columns otherwise than those of tables.
func columnOf(after *schema.Schema, own *origin, r diff.RenameColumn, key func(string) string) (from, to string) {
	from, to = key(r.From), key(r.To)
	if _, ok := own.columns[from]; !ok {
		from = lower(own.columns, r.From)
	}
	if t := after.Table(key(r.Table)); t != nil && t.Column(to) == nil {
		for _, c := range t.Columns {
			if c.Name == r.To {
				to = c.Key
			}
		}
	}
	return from, to
}

func lower(columns map[string]string, name string) string {
	for key := range columns {
		if strings.EqualFold(key, name) {
			return key
		}
	}
	return name
}

// young tells whether the migrations have made a table or, of an update, all columns that it writes.
func (o origins) young(w diff.WriteRows) bool {
	own := o[w.Table]
	switch {
	case own == nil || w.Cascade:
		return false
	case own.table == "":
		return !own.held
	case w.Verb != "update" || len(w.Columns) == 0:
		return false
	}
	for _, c := range w.Columns {
		if was, ok := own.columns[c]; !ok || was != "" {
			return false
		}
	}
	return true
}

// renames gives the renames that lead from the base to where the migrations have come, in the form that diff.Resolve gives.
func (o origins) renames(now *schema.Schema) diff.Renames {
	var r diff.Renames
	for _, t := range now.Tables {
		own := o[t.Key]
		if own == nil || own.table == "" {
			continue
		}
		if own.table != t.Key {
			r.Tables = append(r.Tables, diff.RenameTable{From: own.table, To: t.Name, Pos: own.pos})
		}
		for _, c := range t.Columns {
			if was := own.columns[c.Key]; was != "" && was != c.Key {
				r.Columns = append(r.Columns, diff.RenameColumn{Table: t.Name, From: was, To: c.Name, Pos: own.renamed[c.Key]})
			}
		}
	}
	return r
}

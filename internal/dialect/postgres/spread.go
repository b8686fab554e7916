package postgres

import (
	"fmt"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/dialect/postgres/builtin"
	"github.com/altergate/altergate/internal/dialect/postgres/catalog"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// spread finds what has to step aside: what the server holds to something that is dropped or changes its type, and that the head
// still has. It is dropped before and made again after, with everything on it.
func (w *work) spread() {
	type move struct{ id, why string }
	var queue []move
	for _, id := range sortedKeys(w.changes.drops) {
		queue = append(queue, move{id, "goes"})
	}
	for _, id := range sortedKeys(w.changes.alters) {
		if why := w.disturbs(id); why != "" {
			queue = append(queue, move{id, why})
		}
	}
	for len(queue) > 0 {
		m := queue[0]
		queue = queue[1:]
		for _, user := range w.users[m.id] {
			if w.changes.drops[user] != nil || w.staysWith(m.id, user) {
				continue
			}
			for _, next := range w.stepAside(user, m.id, m.why) {
				queue = append(queue, move{next, "steps aside"})
			}
		}
		if w.changes.swapped[m.id] {
			for _, c := range w.columnsOf(m.id) {
				queue = append(queue, move{c, "changes its type"})
			}
		}
	}
}

// disturbs tells whether a change in place makes what needs the thing step aside, and why.
func (w *work) disturbs(id string) string {
	switch c := w.changes.alters[id].(type) {
	case diff.AlterColumn:
		switch {
		case w.madeAgain(c):
			return "is made again"
		case c.From.TypeCanon != c.To.TypeCanon || c.From.Collation != c.To.Collation:
			return "changes its type"
		}
	case diff.AlterObject:
		if c.To.Kind == "type" && !w.addsLabels(c) && len(c.From.Labels) > 0 {
			w.changes.swapped[id] = true
			return "is made again"
		}
	}
	return ""
}

// madeAgain tells whether a column is dropped and made again, since the server cannot begin to compute it, or in another way.
func (w *work) madeAgain(c diff.AlterColumn) bool {
	return generatedCanon(c.From) != generatedCanon(c.To) && c.To.Generated != nil && !w.setExpression(c)
}

func generatedCanon(c *schema.Column) string {
	if c.Generated == nil {
		return ""
	}
	return c.Generated.Expr.Canon
}

// staysWith tells whether the server itself takes care of what needs a thing: an index or a constraint follows its column's type where
// the operators stay the same, and everything on a table goes with it.
func (w *work) staysWith(id, user string) bool {
	if table := w.tableOf(user); table != "" {
		if _, dropped := w.changes.drops[relationID(table)].(diff.DropTable); dropped {
			return true
		}
	}
	alter, ok := w.changes.alters[id].(diff.AlterColumn)
	kind, _, _ := strings.Cut(user, " ")
	swap := w.swappedColumn(id)
	if !ok && !swap || ok && (w.madeAgain(alter) || w.changes.rebuilt[id]) {
		return false
	}
	switch kind {
	case "index", "constraint":
		if w.includes(user, id) && len(w.users[user]) > 0 {
			return false // the server makes the key again and forgets the foreign keys that hold it
		}
		return ok && w.keepsOperators(alter) || w.plainKey(user)
	case "default":
		return true // the step that changes the column takes care of it
	case "statistics":
		return true
	}
	return false
}

// plainKey tells whether an index or a constraint only holds columns themselves, and no expression: then it is made again by the
// server with the operators of the new type. A foreign key compares with another column, which may not have changed alike.
func (w *work) plainKey(id string) bool {
	p := w.from.byID[id]
	if x := p.index; x != nil {
		return x.Where == nil && len(x.ColumnKeys()) == len(x.Parts) && !w.namesOpClass(x)
	}
	return p.constraint != nil && (p.constraint.Kind == schema.PrimaryKey || p.constraint.Kind == schema.Unique)
}

// includes tells whether a key has a column behind its own, by their ids.
func (w *work) includes(key, column string) bool {
	p := w.from.byID[key]
	return p.constraint != nil && slices.ContainsFunc(w.From.details.constraints[p.constraint].Include, func(c string) bool { return columnID(p.table.Key, c) == column })
}

func (w *work) namesOpClass(x *schema.Index) bool {
	for _, e := range w.From.details.indexes[x].Elements {
		if e.OpClass != "" {
			return true
		}
	}
	return w.From.details.indexes[x].Method != "btree"
}

// keepsOperators tells whether the old and the new type of a column are of one family, so that what compares the column goes on.
func (w *work) keepsOperators(c diff.AlterColumn) bool {
	a, b := w.From.details.columns[c.From], w.To.details.columns[c.To]
	return a != nil && b != nil && family(a.base) != "" && family(a.base) == family(b.base)
}

// family groups types whose operators take each other's values, so that an expression over one is one over the other.
func family(base string) string {
	switch base {
	case "smallint", "integer", "bigint":
		return "integer"
	case "text", "character varying":
		return "text"
	}
	return base
}

// tableOf gives the table that something is a part of, by its id.
func (w *work) tableOf(id string) string {
	kind, name, _ := strings.Cut(id, " ")
	switch kind {
	case "column", "default", "constraint", "trigger", "policy", "rule":
		table, _ := splitLast(name)
		return table
	case "index":
		if x := w.From.catalog.Indexes[parseName(name)]; x != nil {
			return x.Table.String()
		}
	}
	if o := w.in.From.Object(kind, name); o != nil {
		return o.On
	}
	return ""
}

// stepAside makes a thing step aside, and gives what is to be looked at next.
func (w *work) stepAside(id, from, why string) []string {
	kind, name, _ := strings.Cut(id, " ")
	_, cause, _ := strings.Cut(from, " ")
	reason := fmt.Sprintf("%s %s", cause, why)
	switch kind {
	case "default":
		if w.changes.swapped[from] && w.swappedColumn("column "+name) {
			return nil // the swap drops it and sets it again
		}
		if _, c := w.findColumn(w.in.From, name); c != nil && c.Generated != nil {
			return nil // it is the column's expression
		}
		w.changes.defaults[id] = true
		return nil
	case "column":
		return w.columnAside(id, name, from, reason)
	}
	drop, create := w.parts(id)
	if drop == nil {
		w.stuck(id, reason)
		return nil
	}
	w.changes.drops[id] = drop
	if after, again := w.renamedFrom(id); again != nil {
		delete(w.changes.alters, after)
		w.changes.creates[after] = again
		w.changes.aside[after] = reason
		return []string{id}
	}
	if _, altered := w.changes.alters[id]; altered || create != nil {
		delete(w.changes.alters, id)
		if create != nil {
			w.changes.creates[id] = create
			w.changes.aside[id] = reason
		}
	}
	return []string{id}
}

// renamedFrom gives the id that a constraint or an index of the base has in the head, where nothing of it changes but the name, and the
// change that makes it there.
func (w *work) renamedFrom(id string) (string, diff.Change) {
	for after, c := range w.changes.alters {
		switch c := c.(type) {
		case diff.RenameConstraint:
			if constraintID(c.Table.Key, c.From.Name) == id {
				return after, diff.AddConstraint{Table: c.Table, Constraint: c.To}
			}
		case diff.RenameIndex:
			if indexID(c.From.Key) == id {
				return after, diff.CreateIndex{Table: c.Table, Index: c.To}
			}
		}
	}
	return "", nil
}

// columnAside looks at a column that needs something which steps aside: a computed one is made again, others only follow their type.
func (w *work) columnAside(id, name, from, reason string) []string {
	if strings.HasPrefix(from, "type ") && w.changes.swapped[from] {
		return nil // the swap changes the column
	}
	if on, _ := splitLast(name); from == relationID(on) {
		return nil // it goes and comes with its table
	}
	table, col := w.findColumn(w.in.From, name)
	if col == nil {
		return nil
	}
	if col.Generated != nil {
		to := w.in.To.Table(table.Key)
		if w.changes.rebuilt[id] || to != nil && to.Column(col.Key) != nil && to.Column(col.Key).Generated == nil {
			return nil // it is no longer computed, and that comes first
		}
		w.changes.rebuilt[id] = true
		if to != nil && to.Column(col.Key) != nil && w.changes.alters[id] == nil {
			w.changes.alters[id] = diff.AlterColumn{Table: to, From: col, To: to.Column(col.Key)}
		}
		return []string{id}
	}
	if _, altered := w.changes.alters[id]; altered {
		return nil
	}
	w.stuck(id, reason)
	return nil
}

// stuck refuses a plan in which something would have to step aside and cannot without losing what it holds.
func (w *work) stuck(id, reason string) {
	w.errs = append(w.errs, &schema.Error{Kind: schema.KindTransition, Text: fmt.Sprintf(
		"%s needs what this change drops or makes again (%s), and cannot step aside without losing what it holds; do it in two changes: first let %s no longer need it", id, reason, id)})
}

func (w *work) findColumn(s *schema.Schema, name string) (*schema.Table, *schema.Column) {
	table, column := splitLast(name)
	t := s.Table(table)
	if t == nil {
		return nil, nil
	}
	return t, t.Column(fold(column))
}

// parts gives the changes that drop a thing of the base and make it again as the head has it.
func (w *work) parts(id string) (drop, create diff.Change) {
	kind, name, _ := strings.Cut(id, " ")
	from, to := w.in.From, w.in.To
	switch kind {
	case "relation":
		v, after := from.View(name), to.View(name)
		if v == nil {
			return nil, nil
		}
		if after != nil {
			create = diff.CreateView{View: after}
		}
		return diff.DropView{View: v}, create
	case "index", "constraint", "trigger":
		return w.from.byID[id].drop(), w.to.byID[id].create()
	case "function":
		for _, k := range []string{"function", "procedure", "aggregate"} {
			if o := from.Object(k, name); o != nil {
				return objectParts(o, to.Object(k, name))
			}
		}
		return nil, nil
	case "type", "schema", "extension":
		return nil, nil
	}
	if o := from.Object(kind, name); o != nil {
		return objectParts(o, to.Object(kind, name))
	}
	return nil, nil
}

func objectParts(from, to *schema.Object) (drop, create diff.Change) {
	if to != nil {
		create = diff.CreateObject{Object: to}
	}
	return diff.DropObject{Object: from}, create
}

// columnsOf lists the columns whose type is, or is an array of, a type of the base, by id.
func (w *work) columnsOf(id string) []string {
	var ids []string
	for _, t := range w.in.From.Tables {
		for _, c := range t.Columns {
			for _, need := range w.From.details.columns[c].types {
				if need == id {
					ids = append(ids, columnID(t.Key, c.Key))
				}
			}
		}
	}
	return ids
}

// swappedColumn tells whether a column, by its id, has a type that is made anew.
func (w *work) swappedColumn(id string) bool {
	_, name, _ := strings.Cut(id, " ")
	_, c := w.findColumn(w.in.From, name)
	if c == nil || !strings.HasPrefix(id, "column ") {
		return false
	}
	for _, need := range w.From.details.columns[c].types {
		if w.changes.swapped[need] {
			return true
		}
	}
	return false
}

// sameEnum tells whether two types are one enum, or arrays of one.
func (p Planner) sameEnum(a, b string) bool {
	t := p.From.details.types[strings.TrimSuffix(a, "[]")]
	return a == b && t != nil && t.Kind == catalog.Enum
}

// types tells the built-in rules of conversions what the schema's own types are; those of the base, since values come from there.
func (p Planner) types() builtin.Types { return typesOf{p.From, p.To} }

// typesOf answers for the types of both sides.
type typesOf struct{ from, to *Loaded }

func (t typesOf) find(name string) *catalog.Type {
	if found := t.to.details.types[name]; found != nil {
		return found
	}
	return t.from.details.types[name]
}

// Enum implements builtin.Types.
func (t typesOf) Enum(name string) bool {
	found := t.find(name)
	return found != nil && found.Kind == catalog.Enum
}

// Base implements builtin.Types.
func (t typesOf) Base(name string) string {
	found := t.find(name)
	if found == nil || found.Kind != catalog.Domain {
		return ""
	}
	return t.to.catalog.TypeKey(found.Base)
}

// Range implements builtin.Types.
func (t typesOf) Range(name string) (string, bool) {
	found := t.find(name)
	if found == nil || found.Kind != catalog.Range {
		return "", false
	}
	return t.to.catalog.TypeKey(found.Subtype), true
}

// Composite implements builtin.Types.
func (t typesOf) Composite(name string) bool {
	found := t.find(name)
	return found != nil && found.Kind == catalog.Composite || t.to.details.tables[name] != nil || t.from.details.tables[name] != nil
}

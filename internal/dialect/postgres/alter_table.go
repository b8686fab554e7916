package postgres

import (
	"fmt"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/dialect/postgres/bind"
	"github.com/altergate/altergate/internal/dialect/postgres/catalog"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/schema"
)

// alterTable changes what a table is besides its parts.
func (w *work) alterTable(id string, c diff.AlterOptions) {
	from, to := w.From.details.tables[c.From.Key], w.To.details.tables[c.To.Key]
	head := "ALTER TABLE " + sqlName(c.To.Name) + " "
	lock := shareUpdateExclusive
	var sql []string
	strong := func(words string) { sql, lock = append(sql, head+words), accessExclusive }
	for _, o := range []struct{ what, from, to string }{
		{"the key by which it is partitioned", option(c.From, "partition by"), option(c.To, "partition by")},
		{"the type it is of", option(c.From, "of type"), option(c.To, "of type")},
		{"the server it is on", option(c.From, "server"), option(c.To, "server")},
	} {
		if o.from != o.to {
			w.errs = append(w.errs, &schema.Error{Side: schema.Head, Pos: c.To.Pos, Kind: schema.KindTransition, Text: fmt.Sprintf(
				"table %s changes %s, which PostgreSQL cannot do to a table that is there: make a new table, move the rows, and drop the old one in a later change", c.To.Name, o.what)})
			return
		}
	}
	c = w.parentChanges(c)
	rewrite := false
	if from.Unlogged != to.Unlogged {
		strong(map[bool]string{true: "SET UNLOGGED", false: "SET LOGGED"}[to.Unlogged])
		rewrite = true
	}
	if from.AccessMethod != to.AccessMethod {
		strong("SET ACCESS METHOD " + orDefault(to.AccessMethod, "heap"))
		rewrite = true
	}
	if from.Tablespace != to.Tablespace {
		strong("SET TABLESPACE " + orDefault(to.Tablespace, "pg_default"))
		rewrite = true
	}
	if from.RowSecurity != to.RowSecurity {
		strong(map[bool]string{true: "ENABLE", false: "DISABLE"}[to.RowSecurity] + " ROW LEVEL SECURITY")
	}
	if from.ForceRowSecurity != to.ForceRowSecurity {
		strong(map[bool]string{true: "FORCE", false: "NO FORCE"}[to.ForceRowSecurity] + " ROW LEVEL SECURITY")
	}
	sql = append(sql, optionChanges(head, printer{Loaded: w.To}.text(to.Origin), from.Options, to.Options)...)
	var after []string
	marks := w.lostMarks(c.To.Key)
	if from.ReplicaIdentity != to.ReplicaIdentity || slices.Contains(marks, to.ReplicaIdentity) {
		kind, index, _ := strings.Cut(to.ReplicaIdentity, " ")
		words := "REPLICA IDENTITY " + strings.ToUpper(orDefault(kind, "default"))
		if index != "" {
			words = "REPLICA IDENTITY USING INDEX " + quote(index)
			after = append(after, index)
		}
		strong(words)
	}
	if from.ClusterOn != to.ClusterOn || slices.Contains(marks, "index "+to.ClusterOn) {
		if to.ClusterOn == "" {
			strong("SET WITHOUT CLUSTER")
		} else {
			strong("CLUSTER ON " + quote(to.ClusterOn))
			after = append(after, to.ClusterOn)
		}
	}
	if settings(from.ServerOptions) != settings(to.ServerOptions) {
		strong("OPTIONS (" + serverOptions(from.ServerOptions, to.ServerOptions) + ")")
	}
	if rewrite {
		lock = exclusiveRewrite
	}
	if len(sql) == 0 {
		return // it only changed its parent
	}
	st := w.add(phaseAlter, &plan.Step{Kind: "alter_table", Object: c.To.Name, Changes: []diff.Change{c}, Old: strings.Join(c.From.Options, "\n"), New: strings.Join(c.To.Options, "\n"), SQL: sql}, lock)
	for _, index := range after {
		// An index that has to be there first is made, or is the index of a constraint that is made.
		w.To.graph.need("options "+c.To.Key, indexID(inSchema(c.To.Key, index)), constraintID(c.To.Key, index))
		st.phase = phaseOnlineKey
	}
	st.making("options " + c.To.Key)
}

// lostMarks gives the indexes, as "index NAME", that tables are clustered on or are replicated by, and that are made again by a drop, with
// which the table forgets them.
func (w *work) lostMarks(table string) []string {
	from := w.From.details.tables[table]
	if from == nil {
		return nil
	}
	var lost []string
	_, identity, _ := strings.Cut(from.ReplicaIdentity, " ")
	for _, index := range []string{identity, from.ClusterOn} {
		key, constraint := indexID(inSchema(table, index)), constraintID(table, index)
		if index != "" && (w.changes.drops[key] != nil && !w.replacesIndex(key) || w.changes.drops[constraint] != nil) {
			lost = append(lost, "index "+index)
		}
	}
	return lost
}

// bringBackMarks changes the options of tables that only lose a mark on an index for a while.
func (w *work) bringBackMarks() {
	for _, t := range w.in.To.Tables {
		id := relationID(t.Key)
		from := w.in.From.Table(t.Key)
		if from == nil || w.changes.alters[id] != nil || w.changes.drops[id] != nil || len(w.lostMarks(t.Key)) == 0 {
			continue
		}
		without := *from
		without.Options = slices.DeleteFunc(slices.Clone(from.Options), func(o string) bool {
			return slices.ContainsFunc(w.lostMarks(t.Key), func(mark string) bool {
				return o == "replica identity "+mark || "index "+strings.TrimPrefix(o, "cluster on ") == mark
			})
		})
		w.changes.alters[id] = diff.AlterOptions{From: &without, To: t}
	}
}

// handOver gives the statements by which a table keeps its marks on an index, when another index takes the place of that.
func (w *work) handOver(table, index string, staging catalog.Name) []string {
	from, to := w.From.details.tables[table], w.To.details.tables[table]
	if from == nil || to == nil {
		return nil // a view
	}
	var sql []string
	head := "ALTER TABLE " + to.Name.SQL() + " "
	if mark := "index " + index; from.ReplicaIdentity == mark && to.ReplicaIdentity == mark {
		sql = append(sql, head+"REPLICA IDENTITY USING INDEX "+quote(staging.Name))
	}
	if from.ClusterOn == index && to.ClusterOn == index {
		sql = append(sql, head+"CLUSTER ON "+quote(staging.Name))
	}
	return sql
}

// option gives what stands behind a word among the options of a table.
func option(t *schema.Table, word string) string {
	for _, o := range t.Options {
		if rest, ok := strings.CutPrefix(o, word+" "); ok {
			return rest
		}
	}
	return ""
}

func orDefault(value, usual string) string {
	if value == "" {
		return usual
	}
	return value
}

// parentChanges lets a table go from its parents, before these change, and come to others, when both have what they must have in
// common. It gives what is left to change.
func (w *work) parentChanges(c diff.AlterOptions) diff.AlterOptions {
	from, to := w.From.details.tables[c.From.Key], w.To.details.tables[c.To.Key]
	table := sqlName(c.To.Name)
	var left []*step
	for _, p := range from.Inherits {
		if o := "inherits " + p.String(); !c.To.HasOption(o) {
			left = append(left, w.leave(&c, "alter_table", o, "ALTER TABLE "+table+" NO INHERIT "+p.SQL()))
		}
	}
	// ATTACH and DETACH are the parent's to say.
	was, is := option(c.From, "partition of"), option(c.To, "partition of")
	if from.PartitionOf != nil && was != is {
		left = append(left, w.leave(&c, "detach_partition", "partition of "+was, "ALTER TABLE "+from.PartitionOf.SQL()+" DETACH PARTITION "+table))
	}
	if to.PartitionOf != nil && was != is {
		w.join(&c, left, "attach_partition", "partition of "+is, "ALTER TABLE "+to.PartitionOf.SQL()+" ATTACH PARTITION "+table+" "+to.BoundText)
	}
	for _, p := range to.Inherits {
		if o := "inherits " + p.String(); !c.From.HasOption(o) {
			w.join(&c, left, "alter_table", o, "ALTER TABLE "+table+" INHERIT "+p.SQL())
		}
	}
	return c
}

// leave makes the step in which a table loses a parent, and takes that out of what is left to change.
func (w *work) leave(c *diff.AlterOptions, kind, parent, sql string) *step {
	without := *c.From
	without.Options = slices.DeleteFunc(slices.Clone(c.From.Options), func(o string) bool { return o == parent })
	st := w.add(phaseDropKey, &plan.Step{Kind: kind, Object: c.To.Name, Changes: []diff.Change{diff.AlterOptions{From: c.From, To: &without}}, Old: parent, SQL: []string{sql}}, accessExclusive)
	c.From = &without
	if p := w.From.details.tables[c.To.Key].PartitionOf; p != nil {
		st.freeing(bounds(p.String()))
	}
	w.left[c.To.Key] = append(w.left[c.To.Key], st)
	return st
}

// join makes the step in which a table gets a parent, and takes that out of what is left to change.
func (w *work) join(c *diff.AlterOptions, left []*step, kind, parent, sql string) {
	without := *c.To
	without.Options = slices.DeleteFunc(slices.Clone(c.To.Options), func(o string) bool { return o == parent })
	st := w.add(phaseForeignKey, &plan.Step{Kind: kind, Object: c.To.Name, Changes: []diff.Change{diff.AlterOptions{From: &without, To: c.To}}, New: parent, SQL: []string{sql}}, exclusiveScan)
	st.after = append(st.after, left...)
	c.To = &without
	if p := w.To.details.tables[c.To.Key].PartitionOf; p != nil {
		st.taking(bounds(p.String()))
	}
	// What it has in common with the parent is made before: ATTACH takes an index that is there, and builds one under its lock if not.
	id := parent + " by " + c.To.Key
	for _, col := range c.To.Columns {
		w.To.graph.need(id, columnID(c.To.Key, col.Key))
	}
	for _, k := range c.To.Constraints {
		w.To.graph.need(id, constraintID(c.To.Key, k.Name))
	}
	for _, x := range c.To.Indexes {
		w.To.graph.need(id, indexID(x.Key))
	}
	st.making(id)
}

// inPartitionKey tells whether a table is partitioned by a column, or by an expression that has it.
func (w *work) inPartitionKey(table, column string) bool {
	t := w.From.details.tables[table]
	if t == nil || t.Partition == nil {
		return false
	}
	a := &analyst{Loaded: w.From, binder: binderOf(w.From), seen: map[string]bool{}}
	for _, p := range t.Partition.PartParams {
		e := p.GetPartitionElem()
		if e.Expr == nil {
			if a.nameNow(t, e.Name) == column {
				return true
			}
			continue
		}
		bound := a.binder.TableExpr(t, &catalog.Expr{Node: e.Expr, Origin: t.Origin}, "")
		if slices.ContainsFunc(bound.Refs, func(r bind.Ref) bool { return r.Kind == "column" && r.Column == column }) {
			return true
		}
	}
	return false
}

func serverOptions(from, to map[string]string) string {
	var parts []string
	for _, k := range sortedKeys(to) {
		switch old, ok := from[k]; {
		case !ok:
			parts = append(parts, "ADD "+quote(k)+" "+literal(to[k]))
		case old != to[k]:
			parts = append(parts, "SET "+quote(k)+" "+literal(to[k]))
		}
	}
	for _, k := range sortedKeys(from) {
		if _, ok := to[k]; !ok {
			parts = append(parts, "DROP "+quote(k))
		}
	}
	return strings.Join(parts, ", ")
}

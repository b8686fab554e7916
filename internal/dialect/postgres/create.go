package postgres

import (
	"fmt"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/dialect/postgres/catalog"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/schema"
)

// create makes the step in which a thing comes, or comes back.
func (w *work) create(id string, c diff.Change) {
	switch c := c.(type) {
	case diff.CreateTable:
		w.createTable(id, c)
	case diff.AddColumn:
		w.addColumn(id, c)
	case diff.AddConstraint:
		w.addConstraint(id, c)
	case diff.CreateIndex:
		w.createIndex(id, c)
	case diff.CreateView:
		w.createView(id, c)
	case diff.CreateTrigger:
		w.createTrigger(id, c)
	case diff.CreateObject:
		w.createObject(id, c)
	case diff.ReplaceOpaque:
		w.add(phasePart, &plan.Step{Kind: "opaque", Object: c.To.Name, Changes: []diff.Change{diff.ReplaceOpaque{To: c.To}}, New: c.To.Canon, SQL: w.To.opaqueSQL(c.To)}, none).making(id).taking(id)
	default:
		w.errs = append(w.errs, fmt.Errorf("postgres has no step for %T", c))
	}
}

// createTable makes a table with what nobody has to wait for: everything on it but its foreign keys, which need the other table, and
// its triggers, which need their functions.
func (w *work) createTable(id string, c diff.CreateTable) {
	t := c.Table
	s := &plan.Step{Kind: "create_table", Object: t.Name, Changes: []diff.Change{c}, New: tableCanon(t)}
	lock := none
	d := w.To.details.tables[t.Key]
	if d.PartitionOf != nil && w.in.From.Table(d.PartitionOf.String()) != nil {
		lock = accessExclusive // on the parent
	}
	st := w.add(phaseTable, s, lock).making(id).taking(space(t.Key))
	if d.PartitionOf != nil {
		st.taking(bounds(d.PartitionOf.String()))
	}
	p := printer{Loaded: w.To}
	serials := w.serials(t)
	s.SQL = append(s.SQL, p.table(t, serials))
	for _, col := range t.Columns {
		st.making(columnID(t.Key, col.Key), defaultID(t.Key, col.Key)).taking(w.To.details.columns[col].identitySpace()...)
		if o := serials[col.Key]; o != nil {
			st.making(relationID(o.Key)).taking(space(o.Key))
			s.Changes = append(s.Changes, diff.CreateObject{Object: o})
			s.New += "\n" + o.Canon
			w.changes.folded["create "+relationID(o.Key)] = true
		}
	}
	for _, k := range t.Constraints {
		if kid := constraintID(t.Key, k.Name); k.Kind == schema.ForeignKey {
			w.create(kid, diff.AddConstraint{Table: t, Constraint: k})
		} else {
			st.making(kid)
			if hasIndex(k) {
				st.taking(space(inSchema(t.Key, k.Name)))
			}
		}
	}
	for _, x := range t.Indexes {
		s.SQL = append(s.SQL, p.index(x, false))
		st.making(indexID(x.Key)).taking(space(x.Key))
	}
	s.SQL = within(w.To.details.tables[t.Key].Origin, append(s.SQL, p.tableRest(t)...))
	for _, g := range t.Triggers {
		w.createTrigger(triggerID(t.Key, g.Key), diff.CreateTrigger{On: t.Key, Trigger: g})
	}
}

// within lets statements in the author's words run with the search path that was in force where they stand, if it is not the usual one.
// Where it was empty, as in a dump, names are whole.
func within(o catalog.Origin, sql []string) []string {
	if len(o.Path) == 0 || slices.Equal(o.Path, []string{catalog.Public}) {
		return sql
	}
	return append(append([]string{"SET search_path = " + identifiers(o.Path)}, sql...), "RESET search_path")
}

// serials finds the columns of a new table that can be written as serial: the sequence they own is just the one that this makes.
func (w *work) serials(t *schema.Table) map[string]*schema.Object {
	out := map[string]*schema.Object{}
	for _, col := range t.Columns {
		d := w.To.details.columns[col]
		if d.Default == nil || d.Default.Sequence == nil || w.changes.folded["create "+relationID(d.Default.Sequence.String())] {
			continue
		}
		key := d.Default.Sequence.String()
		s, o := w.To.details.sequences[key], w.in.To.Object("sequence", key)
		if s == nil || o == nil || s.OwnedBy == nil || s.OwnedBy.String() != t.Key || s.OwnedColumn != col.Key || !col.NotNull || w.in.From.Object("sequence", key) != nil {
			continue
		}
		if sequenceCanon(s) == d.base && key == inSchema(t.Key, lastPart(t.Key)+"_"+col.Key+"_seq") {
			out[col.Key] = o
		}
	}
	return out
}

// identityInChildren is the version since which an identity column can be added to a table that has partitions.
const identityInChildren = 17

// hasChildren tells whether tables of the base inherit from one, or are partitions of it.
func (w *work) hasChildren(table string) bool {
	for _, t := range w.From.details.tables {
		for _, p := range t.Inherits {
			if p.String() == table {
				return true
			}
		}
		if t.PartitionOf != nil && t.PartitionOf.String() == table {
			return true
		}
	}
	return false
}

// addColumn adds a column. A constraint that stands in its definition comes with it where no row can break it and nothing is built.
func (w *work) addColumn(id string, c diff.AddColumn) {
	p := printer{Loaded: w.To}
	s := &plan.Step{Kind: "add_column", Object: onTable(c.Table.Name, c.Column.Name), Changes: []diff.Change{c}, New: c.Column.Canon}
	d := w.To.details.columns[c.Column]
	if c.Column.Identity != "" && w.Version < identityInChildren && w.hasChildren(c.Table.Key) {
		w.errs = append(w.errs, &schema.Error{Side: schema.Head, Pos: c.Column.Pos, Kind: schema.KindTransition, Text: fmt.Sprintf(
			"column %s.%s is new and an identity, which PostgreSQL before %d cannot add to a table that others inherit from or that has partitions; give it a sequence and a default instead", c.Table.Name, c.Column.Name, identityInChildren)})
		return
	}
	lock := accessExclusive
	serial := w.serials(c.Table)[c.Column.Key]
	if d.value.Volatile && c.Column.Default != nil || c.Column.Generated != nil || c.Column.Identity != "" || serial != nil || w.constrainedDomain(d.base) {
		lock = exclusiveRewrite
	}
	text := p.column(c.Table, c.Column, serial != nil)
	st := w.add(phaseColumn, s, lock).making(id, defaultID(c.Table.Key, c.Column.Key)).taking(d.identitySpace()...)
	if serial != nil {
		st.making(relationID(serial.Key)).taking(space(serial.Key))
		s.Changes = append(s.Changes, diff.CreateObject{Object: serial})
		w.changes.folded["create "+relationID(serial.Key)] = true
	}
	for _, k := range c.Table.Constraints {
		kid := constraintID(c.Table.Key, k.Name)
		if k.Kind != schema.PrimaryKey || k.Owner != c.Column.Key || w.changes.creates[kid] == nil {
			continue
		}
		text += " CONSTRAINT " + quote(k.Name) + " PRIMARY KEY"
		s.Changes = append(s.Changes, w.changes.creates[kid])
		s.New += "\n" + k.Canon
		w.changes.folded["create "+kid] = true
		st.making(kid).taking(kid, space(inSchema(c.Table.Key, k.Name)))
		st.Lock = exclusiveRewrite
	}
	s.SQL = []string{fmt.Sprintf("ALTER TABLE %s ADD COLUMN %s", sqlName(c.Table.Name), text)}
	s.SQL = within(d.Origin, append(s.SQL, p.columnRest(c.Table, c.Column)...))
	if w.changes.rebuilt[id] {
		st.taking(id)
	}
	// A column that a child declares too is there before it comes to the parent, and is merged with the parent's.
	for _, parent := range w.To.details.tables[c.Table.Key].Inherits {
		w.To.graph.need(columnID(parent.String(), c.Column.Key), id)
	}
	// New columns come in the head's order.
	st.place = fmt.Sprintf("%s.%05d", c.Table.Name, slices.Index(c.Table.Columns, c.Column))
}

// constrainedDomain tells whether a type is a domain with constraints: a new column of such a type makes the server write the table.
func (w *work) constrainedDomain(base string) bool {
	t := w.To.details.types[base]
	return t != nil && (len(t.Checks) > 0 || t.NotNull)
}

// addConstraint adds a constraint, without keeping others waiting where the table was there before.
func (w *work) addConstraint(id string, c diff.AddConstraint) {
	p := printer{Loaded: w.To}
	k, d := c.Constraint, w.To.details.constraints[c.Constraint]
	table, name := sqlName(c.Table.Name), quote(k.Name)
	s := &plan.Step{Kind: "add_" + string(k.Kind), Object: onTable(c.Table.Name, k.Name), Changes: []diff.Change{c}, New: k.Canon}
	plain := fmt.Sprintf("ALTER TABLE %s ADD CONSTRAINT %s %s", table, name, p.constraint(k))
	s.SQL = []string{plain}
	online := !w.Plain && !w.isNew(c.Table.Key)
	var st *step
	switch {
	case k.Kind == schema.ForeignKey && w.isNew(c.Table.Key):
		st = w.add(phaseForeignKey, s, shareRowExclusive)
	case k.Kind == schema.ForeignKey && online && !d.NotValid && !w.partitioned(w.To, c.Table.Key):
		s.SQL = append(timed(plain+" NOT VALID"), untimed(fmt.Sprintf("ALTER TABLE %s VALIDATE CONSTRAINT %s", table, name))...)
		st = w.add(phaseOnlineKey, s, shareRowThenScan).online()
	case k.Kind == schema.ForeignKey:
		st = w.add(phaseForeignKey, s, shareRowScan)
		if d.NotValid {
			st.Lock = shareRowExclusive
		}
	case k.Kind == schema.Check && online && !d.NotValid:
		s.SQL = append(timed(plain+" NOT VALID"), untimed(fmt.Sprintf("ALTER TABLE %s VALIDATE CONSTRAINT %s", table, name))...)
		st = w.add(phaseOnlineKey, s, exclusiveThenScan).online()
	case k.Kind == schema.Check:
		st = w.add(phaseConstraint, s, exclusiveScan)
		if d.NotValid {
			st.Lock = accessExclusive
		}
	case (k.Kind == schema.Unique || k.Kind == schema.PrimaryKey) && online && !w.partitioned(w.To, c.Table.Key) && !d.NullsNotDistinct:
		word := strings.ToUpper(strings.ReplaceAll(string(k.Kind), "_", " "))
		s.SQL = append(untimed(p.keyIndex(c.Table, k)), timed(fmt.Sprintf("ALTER TABLE %s ADD CONSTRAINT %s %s USING INDEX %s%s", table, name, word, name, p.deferral(d)))...)
		st = w.add(phaseOnline, s, plan.Lock{Level: "SHARE UPDATE EXCLUSIVE, then ACCESS EXCLUSIVE for a moment", Blocks: "nothing while the index is built", Scan: true}).online()
	default:
		st = w.add(phaseConstraint, s, exclusiveScan)
	}
	st.making(id).taking(id)
	if hasIndex(k) {
		st.taking(space(inSchema(c.Table.Key, k.Name)))
	}
	if why := w.changes.aside[id]; why != "" {
		w.comesBack(st, why)
	}
	s.SQL = within(d.Origin, s.SQL)
}

// comesBack keeps what only stepped aside in the transaction in which it did: others never see that it was gone.
func (w *work) comesBack(st *step, why string) {
	if st.Transaction {
		return
	}
	switch c := st.Changes[0].(type) {
	case diff.AddConstraint:
		p := printer{Loaded: w.To}
		st.SQL = []string{fmt.Sprintf("ALTER TABLE %s ADD CONSTRAINT %s %s", sqlName(c.Table.Name), quote(c.Constraint.Name), p.constraint(c.Constraint))}
		st.phase, st.Lock = phaseConstraint, exclusiveScan
		if c.Constraint.Kind == schema.ForeignKey {
			st.phase, st.Lock = phaseForeignKey, shareRowScan
		}
	case diff.CreateIndex:
		p := printer{Loaded: w.To}
		st.SQL = []string{p.index(c.Index, false)}
		st.phase, st.Lock = phaseIndex, share
	}
	st.Transaction = true
}

// createIndex builds an index while others write, where the table was there before. An index that replaces another of its name is
// built first, so that queries have one all the time.
func (w *work) createIndex(id string, c diff.CreateIndex) {
	p := printer{Loaded: w.To}
	s := &plan.Step{Kind: "create_index", Object: onTable(c.Table.Name, lastPart(c.Index.Name)), Changes: []diff.Change{c}, New: c.Index.Canon}
	x := w.To.details.indexes[c.Index]
	_, dropped := w.changes.drops[id]
	// What is new or made again with its view has no readers yet.
	fresh := w.isNew(c.Table.Key) || w.changes.creates[relationID(c.Table.Key)] != nil
	var st *step
	switch {
	case fresh || w.Plain || w.partitioned(w.To, c.Table.Key) || x.Only:
		s.SQL = []string{p.index(c.Index, false)}
		lock := share
		if fresh {
			lock = none
		}
		st = w.add(phaseIndex, s, lock)
	default:
		s.SQL = untimed(p.index(c.Index, true))
		st = w.add(phaseOnline, s, shareUpdateScan).online()
	}
	st.making(id).taking(space(c.Index.Key))
	if why := w.changes.aside[id]; why != "" && dropped {
		w.comesBack(st, why)
	}
	if v := w.To.details.views[c.Table.Key]; v != nil && v.ClusterOn == lastPart(c.Index.Name) {
		s.SQL = append(s.SQL, "ALTER MATERIALIZED VIEW "+v.Name.SQL()+" CLUSTER ON "+quote(v.ClusterOn))
	}
	s.SQL = within(x.Origin, s.SQL)
}

// replaceIndexes turns the drop and the create of an index on one table into one step in which there is always one of the two.
func (w *work) replaceIndexes() {
	for _, id := range sortedKeys(w.changes.creates) {
		if !w.replacesIndex(id) {
			continue
		}
		c, d := w.changes.creates[id].(diff.CreateIndex), w.changes.drops[id].(diff.DropIndex)
		w.changes.folded["create "+id], w.changes.folded["drop "+id] = true, true
		p := printer{Loaded: w.To}
		staging := *w.To.details.indexes[c.Index].Index
		staging.Name.Name = shortened(StagingPrefix + staging.Name.Name)
		s := &plan.Step{Kind: "alter_index", Object: onTable(c.Table.Name, lastPart(c.Index.Name)), Changes: []diff.Change{d, c}, Old: d.Index.Canon, New: c.Index.Canon}
		built, gone := p.indexAs(c.Index, staging.Name, true), "DROP INDEX CONCURRENTLY "+sqlName(d.Index.Name)
		lock := shareUpdateScan
		s.SQL = untimed(built, gone)
		if marks := w.handOver(c.Table.Key, lastPart(c.Index.Name), staging.Name); marks != nil {
			s.SQL = slices.Concat(untimed(built), marks, untimed(gone))
			lock = exclusiveThenScan
		}
		s.SQL = append(s.SQL, fmt.Sprintf("ALTER INDEX %s RENAME TO %s", staging.Name.SQL(), quote(lastPart(c.Index.Name))))
		w.add(phaseOnline, s, lock).online().making(id)
	}
}

// replacesIndex tells whether an index that is dropped and created can be built under another name first.
func (w *work) replacesIndex(id string) bool {
	c, ok := w.changes.creates[id].(diff.CreateIndex)
	d, both := w.changes.drops[id].(diff.DropIndex)
	return ok && both && !w.Plain && w.changes.aside[id] == "" && c.Table.Key == d.Table.Key && w.in.From.Table(c.Table.Key) != nil && !w.partitioned(w.To, c.Table.Key) && !w.losesColumn(id)
}

// losesColumn tells whether something that an index of the base needs goes in this plan, so that it cannot stay until the end.
func (w *work) losesColumn(id string) bool {
	return slices.ContainsFunc(w.From.graph.needs[id], func(need string) bool {
		_, altered := w.changes.alters[need].(diff.AlterColumn)
		return w.changes.drops[need] != nil || altered && strings.HasPrefix(need, "column ")
	})
}

func (w *work) createView(id string, c diff.CreateView) {
	kind, _ := viewWords(c.View)
	p := printer{Loaded: w.To}
	w.spellStars(w.To.details.views[c.View.Key])
	// A dump says WITH NO DATA of every materialized view. One that was there had its rows, and those who read it want them.
	p.filled = w.in.From.View(c.View.Key) != nil
	s := &plan.Step{Kind: "create_" + kind, Object: c.View.Name, Changes: []diff.Change{c}, New: c.View.Canon, SQL: within(w.To.details.views[c.View.Key].Origin, p.view(c.View, "CREATE"))}
	w.add(phaseView, s, none).making(id).taking(space(c.View.Key))
	if w.changes.aside[id] == "" {
		return
	}
	// Everything on it went with it, and comes back with it.
	for _, x := range c.View.Indexes {
		if w.changes.creates[indexID(x.Key)] == nil {
			w.create(indexID(x.Key), diff.CreateIndex{Table: c.View.Rows(), Index: x})
		}
	}
	for _, g := range c.View.Triggers {
		if w.changes.creates[triggerID(c.View.Key, g.Key)] == nil {
			w.createTrigger(triggerID(c.View.Key, g.Key), diff.CreateTrigger{On: c.View.Key, Trigger: g})
		}
	}
	for _, o := range w.to.on[c.View.Key] {
		if o.Kind != "comment" && o.Kind != "grant" && o.Kind != "owner" && w.changes.creates[idOf(o)] == nil {
			w.create(idOf(o), diff.CreateObject{Object: o})
		}
	}
}

// bringBack makes again the comments, grants and owners of what was dropped and made again, which went with it.
func (w *work) bringBack() {
	a := analyst{Loaded: w.To}
	for _, o := range w.in.To.Objects {
		if o.Kind != "comment" && o.Kind != "grant" && o.Kind != "owner" {
			continue
		}
		id := idOf(o)
		if w.changes.creates[id] != nil || w.in.From.Object(o.Kind, o.Key) == nil {
			continue
		}
		for _, target := range a.target(o.Key) {
			if w.wentAndCame(target) {
				w.changes.creates[id] = diff.CreateObject{Object: o}
				delete(w.changes.alters, id)
				w.changes.aside[id] = "what it is on is made again"
				break
			}
		}
	}
}

// wentAndCame tells whether a thing, or what it is on, is dropped and made again.
func (w *work) wentAndCame(id string) bool {
	if w.changes.drops[id] != nil && w.changes.creates[id] != nil || w.changes.rebuilt[id] || w.changes.swapped[id] {
		return true
	}
	if c, ok := w.changes.alters[id].(diff.AlterColumn); ok && w.madeAgain(c) {
		return true
	}
	if had, has := typePart(w.From, id), typePart(w.To, id); had != "" && has != "" && had != has {
		return true
	}
	on := w.tableOf(id)
	if on == "" {
		on = w.holderOf(id)
	}
	return on != "" && w.changes.drops[relationID(on)] != nil && w.changes.creates[relationID(on)] != nil
}

func (w *work) createTrigger(id string, c diff.CreateTrigger) {
	p := printer{Loaded: w.To}
	lock := shareRowExclusive
	if w.isNew(c.On) {
		lock = none
	}
	w.add(phasePart, &plan.Step{Kind: "create_trigger", Object: onTable(c.On, c.Trigger.Name), Changes: []diff.Change{c}, New: c.Trigger.Canon,
		SQL: within(w.To.details.triggers[c.Trigger].Origin, p.trigger(c.On, c.Trigger))}, lock).making(id).taking(id)
}

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

// alter makes the step that changes a thing where it is.
func (w *work) alter(id string, c diff.Change) {
	switch c := c.(type) {
	case diff.AlterColumn:
		w.alterColumn(id, c)
	case diff.AlterOptions:
		w.alterTable(id, c)
	case diff.AlterObject:
		w.changeObject(id, c)
	case diff.ReplaceView:
		p := printer{Loaded: w.To}
		w.spellStars(w.To.details.views[c.To.Key])
		w.add(phaseView, &plan.Step{Kind: "alter_view", Object: c.To.Name, Changes: []diff.Change{c}, Old: c.From.Canon, New: c.To.Canon,
			SQL: within(w.To.details.views[c.To.Key].Origin, p.replaceView(w.From.details.views[c.From.Key], c.To))}, accessExclusive).moving(id)
	case diff.ValidateConstraint:
		w.validate(id, c)
	case diff.RenameConstraint:
		w.renameConstraint(id, c)
	case diff.RenameIndex:
		sql := fmt.Sprintf("ALTER INDEX %s RENAME TO %s", sqlName(c.From.Name), quote(lastPart(c.To.Name)))
		w.add(phaseRename+1, &plan.Step{Kind: "rename_index", Object: onTable(c.Table.Name, lastPart(c.To.Name)), From: onTable(c.Table.Name, lastPart(c.From.Name)),
			Changes: []diff.Change{c}, Old: c.From.Canon, New: c.To.Canon, SQL: []string{sql}}, shareUpdateExclusive).freeing(space(c.From.Key)).taking(space(c.To.Key))
	case diff.RenameObject:
		sql := fmt.Sprintf("ALTER SEQUENCE %s RENAME TO %s", sqlName(c.From.Name), quote(lastPart(c.To.Name)))
		w.add(phaseRename+1, &plan.Step{Kind: "rename_sequence", Object: c.To.Name, From: c.From.Name, Changes: []diff.Change{c}, Old: c.From.Canon, New: c.To.Canon,
			SQL: []string{sql}}, accessExclusive).freeing(space(c.From.Key)).taking(space(c.To.Key))
	default:
		w.errs = append(w.errs, fmt.Errorf("postgres has no step for %T", c))
	}
}

// validate makes a constraint hold for old rows too, which are read while others go on.
func (w *work) validate(id string, c diff.ValidateConstraint) {
	s := &plan.Step{Kind: "alter_" + string(c.To.Kind), Object: onTable(c.Table.Name, c.To.Name), Changes: []diff.Change{c}, Old: c.From.Canon, New: c.To.Canon,
		SQL: []string{fmt.Sprintf("ALTER TABLE %s VALIDATE CONSTRAINT %s", sqlName(c.Table.Name), quote(c.To.Name))}}
	if w.Plain {
		w.add(phaseConstraint, s, shareUpdateScan).moving(id)
		return
	}
	s.SQL = untimed(s.SQL...)
	w.add(phaseOnlineKey, s, shareUpdateScan).online().moving(id)
}

// renameConstraint gives a constraint another name. Where constraints of a table take each other's names, one of them makes way first.
func (w *work) renameConstraint(id string, c diff.RenameConstraint) {
	rename := func(from, to, was, is string) *step {
		sql := fmt.Sprintf("ALTER TABLE %s RENAME CONSTRAINT %s TO %s", sqlName(c.Table.Name), quote(from), quote(to))
		return w.add(phaseRename+1, &plan.Step{Kind: "rename_" + string(c.To.Kind), Object: onTable(c.Table.Name, to), From: onTable(c.Table.Name, from),
			Changes: []diff.Change{c}, Old: was, New: is, SQL: []string{sql}}, accessExclusive)
	}
	name := c.From.Name
	var before []*step
	if w.leadsCircle(c) {
		name = shortened(StagingPrefix + name)
		before = append(before, rename(c.From.Name, name, c.From.Canon, ""))
	}
	last := rename(name, c.To.Name, c.From.Canon, c.To.Canon).taking(id)
	last.after = before
	first := append(before, last)[0]
	first.freeing(constraintID(c.Table.Key, c.From.Name))
	if hasIndex(c.To) {
		first.freeing(space(inSchema(c.Table.Key, c.From.Name)))
		last.taking(space(inSchema(c.Table.Key, c.To.Name)))
	}
}

// leadsCircle tells whether a constraint takes the name of one that is renamed too, and so on round to its own name, and is the first of
// them by name.
func (w *work) leadsCircle(c diff.RenameConstraint) bool {
	for name := c.To.Name; name > c.From.Name; {
		next, ok := w.renamedOn(c.Table.Key, name)
		if !ok {
			return false
		}
		if name = next; name == c.From.Name {
			return true
		}
	}
	return false
}

// renamedOn gives the name that a constraint of a table gets.
func (w *work) renamedOn(table, name string) (string, bool) {
	for _, other := range w.changes.alters {
		if r, ok := other.(diff.RenameConstraint); ok && r.Table.Key == table && r.From.Name == name {
			return r.To.Name, true
		}
	}
	return "", false
}

// defaultAside drops a default whose function steps aside, and sets it again.
func (w *work) defaultAside(id string) {
	_, name, _ := strings.Cut(id, " ")
	table, col := w.findColumn(w.in.From, name)
	if col == nil || w.changes.drops[columnID(table.Key, col.Key)] != nil || w.changes.drops[relationID(table.Key)] != nil {
		return
	}
	to := w.in.To.Table(table.Key).Column(col.Key)
	if to.Default == nil || !w.defaultWaits(id) {
		return // the step that changes the column lets go of it
	}
	head := fmt.Sprintf("ALTER TABLE %s ALTER COLUMN %s ", sqlName(table.Name), quote(col.Name))
	without := *to
	without.Default = nil
	drop := w.add(phaseDropPart, &plan.Step{Kind: "alter_column", Object: onTable(table.Name, col.Name), Changes: []diff.Change{diff.AlterColumn{Table: w.in.To.Table(table.Key), From: col, To: &without}},
		Old: col.Canon, SQL: []string{head + "DROP DEFAULT"}}, accessExclusive).dropping(id)
	if w.changes.alters[columnID(table.Key, col.Key)] != nil {
		return // the step that changes the column sets it again
	}
	again := w.add(phaseAlter, &plan.Step{Kind: "alter_column", Object: onTable(table.Name, col.Name), Changes: []diff.Change{diff.AlterColumn{Table: w.in.To.Table(table.Key), From: &without, To: to}},
		New: to.Canon, SQL: []string{head + "SET DEFAULT " + to.Default.Text}}, accessExclusive).making(id)
	again.after = append(again.after, drop)
}

// defaultWaits tells whether a default has to go in one step and come back in another, because what it is to be needs something that
// comes only in between. A column that changes can else get its new default at once.
func (w *work) defaultWaits(id string) bool {
	_, name, _ := strings.Cut(id, " ")
	if w.changes.alters["column "+name] == nil {
		return true
	}
	return slices.ContainsFunc(w.To.graph.needs[id], func(need string) bool { return w.changes.creates[need] != nil })
}

// column is one column that a plan changes.
type columnWork struct {
	*work
	diff.AlterColumn
	from, to *column
	head     string // ALTER TABLE t ALTER COLUMN c, with a blank behind
	step     *plan.Step
	sql      []string
}

// alterColumn changes a column in one step: what it has goes, its type changes, what it gets comes.
func (w *work) alterColumn(id string, c diff.AlterColumn) {
	cw := &columnWork{work: w, AlterColumn: c, from: w.From.details.columns[c.From], to: w.To.details.columns[c.To],
		head: fmt.Sprintf("ALTER TABLE %s ALTER COLUMN %s ", sqlName(c.Table.Name), quote(c.To.Name)),
		step: &plan.Step{Kind: "alter_column", Object: onTable(c.Table.Name, c.To.Name), Changes: []diff.Change{c}, Old: c.From.Canon, New: c.To.Canon}}
	if did := defaultID(c.Table.Key, c.To.Key); w.changes.defaults[did] && c.To.Default != nil && w.defaultWaits(did) {
		without := *c.From // it has stepped aside before
		without.Default = nil
		w.From.details.columns[&without] = cw.from
		c.From = &without
		cw.AlterColumn.From = c.From
	} else if w.swappedOnly(cw) {
		return
	}
	if (c.From.TypeCanon != c.To.TypeCanon || c.From.Collation != c.To.Collation) && w.inPartitionKey(c.Table.Key, c.To.Key) {
		w.errs = append(w.errs, &schema.Error{Side: schema.Head, Pos: c.To.Pos, Kind: schema.KindTransition, Text: fmt.Sprintf(
			"column %s.%s changes its type, which PostgreSQL cannot do to a column by which a table is partitioned: make a new table, move the rows, and drop the old one in a later change", c.Table.Name, c.To.Name)})
		return
	}
	if w.changes.rebuilt[id] || generatedCanon(c.From) != generatedCanon(c.To) && !cw.inPlaceGenerated() {
		cw.again(id)
		return
	}
	did := defaultID(c.Table.Key, c.To.Key)
	st := w.add(phaseAlter, cw.step, accessExclusive).moving(id).making(did)
	if c.From.Default != nil && !w.swapped(c) || c.From.Generated != nil { // the step that makes the type anew drops it
		st.dropping(did)
	}
	retyped := c.From.TypeCanon != c.To.TypeCanon || c.From.Collation != c.To.Collation
	if retyped || generatedCanon(c.From) != generatedCanon(c.To) {
		st.shifting(id)
	}
	dropDefault := c.From.Default != nil && (c.To.Default == nil || retyped && !w.keepsOperators(c) || c.To.Identity != "")
	dropDefault = dropDefault || retyped && !w.keepsOperators(c) && len(cw.from.mods) > 0 && cw.from.NullDefault
	if c.From.Identity != "" && c.To.Identity == "" {
		cw.dropIdentity(st)
	}
	if dropDefault {
		cw.sql = append(cw.sql, cw.head+"DROP DEFAULT")
	}
	if c.From.NotNull && !c.To.NotNull {
		cw.sql = append(cw.sql, cw.head+"DROP NOT NULL")
	}
	if generatedCanon(c.From) != generatedCanon(c.To) {
		cw.generated()
		if c.To.Generated != nil {
			st.Lock = exclusiveRewrite
		}
	}
	if retyped && !w.swapped(c) {
		cw.sql = append(cw.sql, cw.retype())
		if rewrite, scan := cw.rewrites(); rewrite {
			st.Lock = exclusiveRewrite
		} else if scan {
			st.Lock = exclusiveScan
		}
	}
	// A default that stays would stay one of the old type: 'x'::character varying of a column that is text. Integers show no type.
	if c.To.Default != nil && (c.From.Default == nil || dropDefault || c.From.Default.Canon != c.To.Default.Canon || retyped && cw.from.base != cw.to.base && family(cw.to.base) != "integer") {
		cw.sql = append(cw.sql, cw.head+"SET DEFAULT "+c.To.Default.Text)
		cw.goOn()
	}
	if c.To.NotNull && !c.From.NotNull {
		cw.notNull(st)
	}
	cw.identity(st)
	cw.storage(retyped && !w.swapped(c))
	cw.step.SQL = append(cw.sql, cw.step.SQL...)
}

// swappedOnly tells whether the only difference of a column is the type that is made anew, whose step changes it.
func (w *work) swappedOnly(cw *columnWork) bool {
	return w.swapped(cw.AlterColumn) && cw.From.Canon == cw.To.Canon
}

// swapped tells whether a column has a type that is made anew and keeps it.
func (w *work) swapped(c diff.AlterColumn) bool {
	if c.From.TypeCanon != c.To.TypeCanon {
		return false
	}
	return slices.ContainsFunc(w.From.details.columns[c.From].types, func(id string) bool { return w.changes.swapped[id] })
}

func (cw *columnWork) rewrites() (rewrite, scan bool) {
	if cw.From.TypeCanon == cw.To.TypeCanon {
		return false, false // another collation: indexes are built again, rows stay
	}
	rewrite, scan, _ = rewritesOf(cw.Planner, cw.from, cw.to)
	return rewrite, scan
}

// retype changes the type, with a cast where the server makes none by itself.
func (cw *columnWork) retype() string {
	sql := cw.head + "TYPE " + cw.Planner.To.typeSQL(cw.To.Type)
	if cw.To.Collation != "" { // a new type begins with its own
		sql += " COLLATE " + collationSQL(cw.to.Collation)
	}
	if cw.needsUsing(cw.from, cw.to) {
		sql += " USING " + cw.cast()
	}
	return sql
}

// cast gives the expression that turns old values into new ones. One value becomes an array that holds it: read as the text of an array
// it would stop the plan. Types that have nothing in common go through text.
func (cw *columnWork) cast() string {
	column := quote(cw.To.Name)
	if cw.holds(cw.from, cw.to) {
		return fmt.Sprintf("CASE WHEN %s IS NOT NULL THEN ARRAY[%[1]s]::%s END", column, cw.Planner.To.typeSQL(cw.To.Type))
	}
	if !cw.castable(cw.from, cw.to) {
		return column + "::text::" + cw.Planner.To.typeSQL(cw.To.Type)
	}
	return column + "::" + cw.Planner.To.typeSQL(cw.To.Type)
}

// notNull makes a column NOT NULL. Rows that hold NULL get the default first. With a check that is valid the server need not read the
// rows under its lock (sql-altertable.html, SET NOT NULL).
func (cw *columnWork) notNull(st *step) {
	table, column := sqlName(cw.Table.Name), quote(cw.To.Name)
	var fill []string
	if cw.To.Default != nil && cw.To.Default.Constant != "null" {
		fill = []string{fmt.Sprintf("UPDATE %s SET %s = %s WHERE %s IS NULL", table, column, cw.To.Default.Text, column)}
	}
	if cw.Plain || len(cw.changes.aside) > 0 && cw.usersStepAside() {
		cw.sql = append(append(cw.sql, fill...), cw.head+"SET NOT NULL")
		st.Lock.Scan = true
		return
	}
	// Only once no new NULL can come are the old ones filled.
	check := quote(shortened(StagingPrefix + cw.To.Name + "_not_null"))
	cw.sql = append(cw.sql, fmt.Sprintf("ALTER TABLE %s ADD CONSTRAINT %s CHECK (%s IS NOT NULL) NOT VALID", table, check, column))
	cw.sql = append(cw.sql, untimed(append(fill, fmt.Sprintf("ALTER TABLE %s VALIDATE CONSTRAINT %s", table, check))...)...)
	cw.sql = append(cw.sql, cw.head+"SET NOT NULL", fmt.Sprintf("ALTER TABLE %s DROP CONSTRAINT %s", table, check))
	st.online().phase = phaseOnline
	if !st.Lock.Rewrite {
		st.Lock = exclusiveThenScan
	}
}

// usersStepAside tells whether something steps aside for this column, so that its step has to be in their transaction.
func (cw *columnWork) usersStepAside() bool {
	id := columnID(cw.Table.Key, cw.To.Key)
	return slices.ContainsFunc(cw.users[id], func(user string) bool { return cw.changes.drops[user] != nil })
}

// identity turns a column into one that numbers its rows by itself, or changes how it does.
func (cw *columnWork) identity(st *step) {
	if cw.To.Identity == "" || cw.To.Identity == cw.From.Identity {
		return
	}
	p := printer{Loaded: cw.Planner.To}
	if cw.From.Identity != "" {
		if change := p.identityChange(cw.from.Identity, cw.to.Identity); change != "" {
			cw.sql = append(cw.sql, cw.head+change)
		}
		if was, is := cw.from.Identity.Sequence.Name, cw.to.Identity.Sequence.Name; was != is {
			cw.sql = append(cw.sql, "ALTER SEQUENCE "+was.SQL()+" RENAME TO "+quote(is.Name))
			st.freeing(space(was.String())).taking(space(is.String()))
		}
		return
	}
	sequence := cw.to.Identity.Sequence.Name
	add := cw.head + "ADD " + p.identity(cw.to.Identity)
	old := cw.ownedSequence()
	if old == nil {
		cw.sql = append(cw.sql, add, setval(sequence.SQL(), cw.Table.Name, cw.To.Name))
		st.taking(space(sequence.String()))
		return
	}
	// The numbers go on where the old sequence stands, which may be beyond the highest that is stored.
	staging := old.Name
	staging.Name = shortened(StagingPrefix + staging.Name)
	cw.sql = append(cw.sql,
		fmt.Sprintf("ALTER SEQUENCE %s RENAME TO %s", old.Name.SQL(), quote(staging.Name)), add,
		fmt.Sprintf("SELECT setval('%s', last_value, is_called) FROM %s", strings.ReplaceAll(sequence.SQL(), "'", "''"), staging.SQL()),
		"DROP SEQUENCE "+staging.SQL())
	id := relationID(old.Name.String())
	if d := cw.changes.drops[id]; d != nil {
		cw.changes.folded["drop "+id] = true
		cw.step.Changes = append(cw.step.Changes, d)
		st.dropping(id)
	}
}

// dropIdentity lets a column no longer number its rows by itself. A sequence that it then takes its numbers from, as a serial column
// does, often has the name that the identity's own has; it goes on where that stands.
func (cw *columnWork) dropIdentity(st *step) {
	drop := cw.head + "DROP IDENTITY"
	if cw.to.Default == nil || cw.to.Default.Sequence == nil || cw.from.Identity.Sequence == nil {
		cw.sql = append(cw.sql, drop)
		return
	}
	id := relationID(cw.to.Default.Sequence.String())
	c, ok := cw.changes.creates[id].(diff.CreateObject)
	if !ok {
		cw.sql = append(cw.sql, drop)
		return
	}
	sequence, old := cw.Planner.To.details.sequences[c.Object.Key], cw.from.Identity.Sequence.Name
	staging := old
	staging.Name = shortened(StagingPrefix + staging.Name)
	p := printer{Loaded: cw.Planner.To}
	cw.sql = append(cw.sql,
		fmt.Sprintf("ALTER SEQUENCE %s RENAME TO %s", old.SQL(), quote(staging.Name)), p.sequence(sequence),
		fmt.Sprintf("SELECT setval('%s', last_value, is_called) FROM %s", strings.ReplaceAll(sequence.Name.SQL(), "'", "''"), staging.SQL()), drop)
	if sequence.OwnedBy != nil {
		cw.sql = append(cw.sql, "ALTER SEQUENCE "+sequence.Name.SQL()+" OWNED BY "+sequence.OwnedBy.SQL()+"."+quote(sequence.OwnedColumn))
	}
	cw.changes.folded["create "+id] = true
	cw.step.Changes = append(cw.step.Changes, c)
	st.making(id)
}

// ownedSequence gives the sequence that the column owned and took its default from, which the head no longer has.
func (cw *columnWork) ownedSequence() *catalog.Sequence {
	if cw.from.Default == nil || cw.from.Default.Sequence == nil {
		return nil
	}
	key := cw.from.Default.Sequence.String()
	s := cw.Planner.From.details.sequences[key]
	if s == nil || s.OwnedBy == nil || cw.changes.drops[relationID(key)] == nil {
		return nil
	}
	return s
}

// goOn lets a sequence that is made for a column which has numbers already begin behind them.
func (cw *columnWork) goOn() {
	if cw.to.Default == nil || cw.to.Default.Sequence == nil || cw.From.Identity != "" {
		return
	}
	s := cw.Planner.To.details.sequences[cw.to.Default.Sequence.String()]
	if s == nil || s.Increment < 0 || s.Start > 1 || cw.changes.creates[relationID(s.Name.String())] == nil {
		return
	}
	cw.sql = append(cw.sql, setval(s.Name.SQL(), cw.Table.Name, cw.To.Name))
}

// setval lets a new sequence go on behind the highest value that is stored.
func setval(sequence, table, column string) string {
	return fmt.Sprintf("SELECT setval('%s', COALESCE((SELECT max(%s) FROM %s), 0) + 1, false)", strings.ReplaceAll(sequence, "'", "''"), quote(column), sqlName(table))
}

// storage says how values are kept. A new type begins with its own way, and SET STORAGE DEFAULT is known since 16 only.
func (cw *columnWork) storage(retyped bool) {
	own := "EXTENDED"
	switch cw.to.base {
	case "numeric", "inet", "cidr":
		own = "MAIN"
	}
	for _, o := range []struct{ word, from, to, none string }{
		{"STORAGE", cw.from.Storage, cw.to.Storage, own}, {"COMPRESSION", cw.from.Compression, cw.to.Compression, "DEFAULT"}} {
		if retyped {
			o.from = ""
		}
		if o.from != o.to {
			value := strings.ToUpper(o.to)
			if o.to == "" {
				value = o.none
			}
			cw.sql = append(cw.sql, cw.head+"SET "+o.word+" "+value)
		}
	}
	if cw.from.Statistics != cw.to.Statistics {
		cw.sql = append(cw.sql, fmt.Sprintf("%sSET STATISTICS %d", only(cw.head), cw.to.Statistics))
	}
	if settings(cw.from.Options) != settings(cw.to.Options) {
		cw.sql = append(cw.sql, optionChanges(only(cw.head), "", cw.from.Options, cw.to.Options)...)
	}
}

// optionChanges sets and resets storage parameters, in the order of the statement that sets them.
func optionChanges(head, text string, from, to map[string]string) []string {
	var sql, reset []string
	set := map[string]string{}
	for k, v := range to {
		if was, ok := from[k]; !ok || was != v {
			set[k] = v
		}
	}
	for _, k := range sortedKeys(from) {
		if _, ok := to[k]; !ok {
			reset = append(reset, k)
		}
	}
	if len(set) > 0 {
		sql = append(sql, head+"SET ("+assignmentsAs(text, set)+")")
	}
	if len(reset) > 0 {
		sql = append(sql, head+"RESET ("+strings.Join(reset, ", ")+")")
	}
	return sql
}

package postgres

import (
	"fmt"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/schema"
)

// columnWork is one column that a plan changes.
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

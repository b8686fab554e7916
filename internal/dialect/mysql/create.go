package mysql

import (
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/dialect/mysql/catalog"
	"github.com/altergate/altergate/internal/dialect/mysql/online"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/schema"
)

// newTables makes tables whole, those first that others refer to. Where they refer to each other in a circle, a foreign key comes later.
func (w *work) newTables() {
	made := map[string]bool{}
	left := slices.Clone(w.creates)
	for len(left) > 0 {
		i := slices.IndexFunc(left, func(c diff.CreateTable) bool { return len(w.missing(c, made)) == 0 })
		later := map[*schema.Constraint]bool{}
		if i < 0 {
			i = 0
			later = w.missing(left[0], made)
		}
		c := left[i]
		left = slices.Delete(left, i, i+1)
		made[c.Table.Key] = true
		w.createTable(c, later, len(made))
	}
}

// missing gives the foreign keys of a new table to new tables that are not made yet.
func (w *work) missing(c diff.CreateTable, made map[string]bool) map[*schema.Constraint]bool {
	out := map[*schema.Constraint]bool{}
	for _, k := range c.Table.Constraints {
		if k.Ref != nil && k.Ref.Table != c.Table.Key && w.fresh[k.Ref.Table] && !made[k.Ref.Table] {
			out[k] = true
		}
	}
	return out
}

func (w *work) createTable(c diff.CreateTable, later map[*schema.Constraint]bool, place int) {
	t := w.To.tableOf(c.Table.Key)
	w.partitionsFit(t, t.Pos)
	without := map[*catalog.ForeignKey]bool{}
	for k := range later {
		without[w.To.details.foreign[k]] = true
	}
	w.add(phaseTable, place, "", &plan.Step{Kind: "create_table", Object: c.Table.Name, Changes: []diff.Change{c}, New: tableCanon(c.Table),
		SQL: []string{w.tableSQL(t, without)}, Lock: noLock()})
	for _, k := range c.Table.Constraints {
		if !later[k] {
			continue
		}
		f := w.To.details.foreign[k]
		name := f.Name
		if !f.Given {
			name = ""
		}
		bare := *t
		bare.ForeignKeys = nil
		a := online.Alter{Server: w.Oldest, Table: &bare, Actions: []online.Action{online.AddForeignKey{Key: f}}}.Answer()
		sql := "ALTER TABLE " + sqlName(t.Name) + " ADD " + foreignKey(f, name)
		if clause := a.Clause(); clause != "" && !w.Plain {
			sql += ", " + clause
		}
		w.add(phaseAddForeign, place, c.Table.Key, &plan.Step{Kind: "add_foreign_key", Object: onTable(c.Table.Name, f.Name),
			Changes: []diff.Change{diff.AddConstraint{Table: c.Table, Constraint: k}}, New: k.Canon, SQL: []string{sql}, Lock: a.PlanLock()})
	}
}

// tableCanon is all that the model says of a table, for the identity of its step.
func tableCanon(t *schema.Table) string {
	lines := append([]string{}, t.Options...)
	for _, c := range t.Columns {
		lines = append(lines, c.Canon)
	}
	for _, c := range t.Constraints {
		lines = append(lines, c.Canon)
	}
	for _, i := range t.Indexes {
		lines = append(lines, i.Canon)
	}
	return strings.Join(lines, "\n")
}

// tableSQL writes CREATE TABLE from the definitions and not from the author's text, which later statements may have changed.
func (w *work) tableSQL(t *catalog.Table, without map[*catalog.ForeignKey]bool) string {
	p := printer{server: w.Server, catalog: w.To.catalog, tables: []*catalog.Table{t}}
	var lines []string
	for _, c := range t.Columns {
		w.columnFits(c)
		lines = append(lines, p.column(c, checkFor(t, c.Name)))
	}
	for _, k := range t.Keys {
		if k.Implied {
			continue // its foreign key brings it along
		}
		w.keyFits(k)
		name := k.Name
		if !k.Given {
			name = ""
		}
		lines = append(lines, p.key(k, name))
	}
	for _, f := range t.ForeignKeys {
		if without[f] {
			continue
		}
		name := f.Name
		if !f.Given {
			name = ""
		}
		lines = append(lines, foreignKey(f, name))
	}
	for _, k := range t.Checks {
		w.checkFits(k)
		if owner := ownerOf(t, k); owner != "" && checkFor(t, owner) == k {
			continue
		}
		name := k.Name
		if !k.Given {
			name = ""
		}
		lines = append(lines, check(k, name))
	}
	if v := t.Versioned; v != nil && v.Start != "" {
		lines = append(lines, "PERIOD FOR SYSTEM_TIME ("+quote(v.Start)+", "+quote(v.End)+")")
	}
	sql := "CREATE TABLE " + sqlName(t.Name) + " (\n  " + strings.Join(lines, ",\n  ") + "\n)" + w.tableOptionsSQL(t)
	if t.Partitions != nil {
		sql += "\n" + t.Partitions.Text
	}
	return sql
}

// tableOptionsSQL states what the author stated, and what differs from that which the database gives a table by itself.
func (w *work) tableOptionsSQL(t *catalog.Table) string {
	said := optionWords(t.Text)
	var b strings.Builder
	if said["engine"] || !strings.EqualFold(t.Engine, "InnoDB") {
		b.WriteString(" ENGINE=" + t.Engine)
	}
	charset, collation := w.databaseDefault(t.Name.Database)
	saysSet, saysCollation := said["charset"] || said["character"], said["collate"]
	if saysSet || t.Charset != charset || saysCollation && t.Collation != collation {
		b.WriteString(" DEFAULT CHARSET=" + t.Charset)
	}
	if saysCollation || t.Collation != collation && t.Collation != w.To.catalog.DefaultCollation(t.Charset) {
		b.WriteString(" COLLATE=" + t.Collation)
	}
	if t.RowFormat != "" {
		b.WriteString(" ROW_FORMAT=" + t.RowFormat)
	}
	if w.To.catalog.DatabaseOf(t.Name.Database).Encryption != "" && t.Options["ENCRYPTION"] == "" {
		b.WriteString(" " + tableOption("ENCRYPTION", catalog.Unset("ENCRYPTION")))
	}
	for _, o := range sortedKeys(t.Options) {
		b.WriteString(" " + tableOption(o, catalog.OptionText(o, t.Options[o])))
	}
	if t.Comment != "" {
		b.WriteString(" COMMENT=" + literal(t.Comment))
	}
	if t.Versioned != nil {
		b.WriteString(" WITH SYSTEM VERSIONING")
	}
	return b.String()
}

// databaseDefault gives what tables of a database inherit.
func (w *work) databaseDefault(database string) (charset, collation string) {
	if d := w.To.catalog.Databases[database]; d != nil && d.Charset != "" {
		return d.Charset, d.Collation
	}
	return w.To.catalog.DefaultCharset()
}

// droppedTables drops tables last, those first that refer to others. Where they refer to each other in a circle, a foreign key goes
// before.
func (w *work) droppedTables() {
	left := slices.Clone(w.drops)
	for _, c := range left {
		for _, k := range c.Table.Constraints {
			if k.Ref != nil && w.keyChanges(k.Ref) {
				w.breakCircle(reference{c.Table, k})
			}
		}
	}
	place := 0
	for len(left) > 0 {
		i := slices.IndexFunc(left, func(c diff.DropTable) bool { return len(w.referring(c, left)) == 0 })
		if i < 0 {
			i = 0
			for _, r := range w.referring(left[0], left) {
				w.breakCircle(r)
			}
		}
		c := left[i]
		left = slices.Delete(left, i, i+1)
		place++
		t := w.From.tableOf(c.Table.Key)
		w.add(w.dropPhase(c.Table.Key), place, "", &plan.Step{Kind: "drop_table", Object: c.Table.Name, Changes: []diff.Change{c}, Old: tableCanon(c.Table),
			SQL: []string{"DROP TABLE " + sqlName(t.Name)}, Lock: plan.Lock{Level: "METADATA", Blocks: "reads and writes"}})
	}
}

// keyChanges tells whether what a foreign key refers to changes before the foreign key goes with its table.
func (w *work) keyChanges(r *schema.Reference) bool {
	t := w.tables[r.Table]
	if t == nil {
		return false
	}
	if t.from.Partitions == nil && t.to.Partitions != nil { // no foreign key refers to a partitioned table
		return true
	}
	named := func(key string) bool { return slices.Contains(r.Columns, key) }
	return slices.ContainsFunc(t.alters, func(a diff.AlterColumn) bool { return named(a.To.Key) }) ||
		slices.ContainsFunc(t.dropColumns, func(d diff.DropColumn) bool { return named(d.Column.Key) }) ||
		slices.ContainsFunc(t.dropKeys, func(d diff.DropConstraint) bool { return named(firstPart(d.Constraint.Columns)) }) ||
		slices.ContainsFunc(t.dropIndex, func(d diff.DropIndex) bool { return named(firstPart(d.Index.Parts)) })
}

// dropPhase is the last one, unless a new view takes the table's name.
func (w *work) dropPhase(key string) int {
	if w.in.To.View(key) != nil {
		return phaseDropInTheWay
	}
	return phaseDropTable
}

// reference is a foreign key of one dropped table to another.
type reference struct {
	table      *schema.Table
	constraint *schema.Constraint
}

func (w *work) referring(c diff.DropTable, among []diff.DropTable) []reference {
	var all []reference
	for _, other := range among {
		if other.Table.Key == c.Table.Key {
			continue
		}
		for _, k := range other.Table.Constraints {
			if k.Ref != nil && k.Ref.Table == c.Table.Key && !w.broken[k] {
				all = append(all, reference{other.Table, k})
			}
		}
	}
	return all
}

func (w *work) breakCircle(r reference) {
	w.broken[r.constraint] = true
	t := w.From.tableOf(r.table.Key)
	f := w.From.details.foreign[r.constraint]
	a := online.Alter{Server: w.Oldest, Table: t, Actions: []online.Action{online.DropForeignKey{Key: f}}}.Answer()
	sql := "ALTER TABLE " + sqlName(t.Name) + " DROP FOREIGN KEY " + quote(f.Name)
	if clause := a.Clause(); clause != "" && !w.Plain {
		sql += ", " + clause
	}
	w.add(phaseDropForeign, 0, r.table.Key, &plan.Step{Kind: "drop_foreign_key", Object: onTable(r.table.Name, f.Name),
		Changes: []diff.Change{diff.DropConstraint{Table: r.table, Constraint: r.constraint}}, Old: r.constraint.Canon, SQL: []string{sql}, Lock: a.PlanLock()})
}

package mysql

import (
	"slices"

	"github.com/altergate/altergate/internal/dialect/mysql/catalog"
	"github.com/altergate/altergate/internal/dialect/mysql/online"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/schema"
)

// renames makes the first steps, so that all others speak the head's names.
func (w *work) renames() {
	place := 0
	for _, r := range w.in.Renames.Tables {
		place++
		w.add(phaseRename, place, "", &plan.Step{Kind: "rename_table", Object: r.To, From: r.From, Changes: []diff.Change{r}, Old: r.From, New: r.To,
			SQL: []string{"RENAME TABLE " + sqlName(parseName(r.From)) + " TO " + sqlName(parseName(r.To))}, Lock: plan.Lock{Level: "METADATA", Blocks: "reads and writes"}})
	}
	for _, r := range w.in.Renames.Columns {
		place++
		w.renameColumn(r, place)
	}
}

// renameColumn uses RENAME COLUMN where the server has it, and CHANGE with the whole definition where not ("ALTER TABLE Statement",
// "Renaming, Redefining, and Reordering Columns").
func (w *work) renameColumn(r diff.RenameColumn, place int) {
	t := w.From.tableOf(r.Table)
	column := columnNamed(t, r.To)
	if t == nil || column == nil {
		w.refuse(r.Pos, "there is no column %s.%s to rename", r.Table, r.From)
		return
	}
	to := column.Name
	if head := w.To.tableOf(r.Table); head != nil {
		if c := columnNamed(head, r.To); c != nil {
			to = c.Name
		}
	}
	from := r.From
	if before := w.Base.tableOf(w.oldName(r.Table)); before != nil {
		if c := columnNamed(before, r.From); c != nil {
			from = c.Name
		}
	}
	if !w.Server.MariaDB {
		w.checksAside(r, t, column, place)
		if who := computedFrom(t, column); who != "" {
			w.refuse(r.Pos, "column %s.%s cannot be renamed while %s is computed from it, which MySQL refuses (error 3108): drop that in one pull request, and rename the column and add it again in the next", r.Table, from, who)
		}
	}
	clause := "RENAME COLUMN " + quote(from) + " TO " + quote(to)
	if !w.Server.MySQL(8, 0, 0) && !w.Server.Maria(10, 5, 2) {
		renamed := *column
		renamed.Name = to
		clause = "CHANGE COLUMN " + quote(from) + " " + printer{server: w.Server, catalog: w.To.catalog, tables: []*catalog.Table{t}}.column(&renamed, checkOf(t, column.Name))
	}
	a := online.Alter{Server: w.Oldest, Table: t, Actions: []online.Action{online.RenameColumn{Column: column, Referenced: w.referenced(t, column)}}}.Answer()
	if a.Refused != "" {
		w.refuse(r.Pos, "column %s.%s cannot be renamed: %s", r.Table, from, a.Refused)
	}
	sql := "ALTER TABLE " + sqlName(t.Name) + " " + clause
	if limits := a.Clause(); limits != "" && !w.Plain {
		sql += ", " + limits
	}
	r.From, r.To = from, to
	w.add(phaseRename, place, "", &plan.Step{Kind: "rename_column", Object: onTable(r.Table, to), From: onTable(r.Table, from), Changes: []diff.Change{r}, Old: from, New: to,
		SQL: []string{sql}, Lock: a.PlanLock()})
}

// computedFrom names what is computed from a column: another column, or a key.
func computedFrom(t *catalog.Table, column *catalog.Column) string {
	for _, c := range t.Columns {
		if c.Generated != nil && slices.Contains(columnKeys(c.Generated.Expr.Columns), columnKey(column.Name)) {
			return "column " + c.Name
		}
	}
	for _, k := range t.Keys {
		for _, p := range k.Parts {
			if p.Expr != nil && slices.Contains(columnKeys(p.Expr.Columns), columnKey(column.Name)) {
				return "key " + k.Name
			}
		}
	}
	return ""
}

// checksAside drops the checks that name a column before it gets another name, which MySQL else refuses (error 3959), and adds those that
// stay again.
func (w *work) checksAside(r diff.RenameColumn, t *catalog.Table, column *catalog.Column, place int) {
	for _, c := range w.in.From.Table(r.Table).Constraints {
		k := w.From.details.checks[c]
		if k == nil || !slices.Contains(columnKeys(k.Expr.Columns), columnKey(column.Name)) {
			continue
		}
		drop := diff.DropConstraint{Table: w.in.From.Table(r.Table), Constraint: c}
		a := online.Alter{Server: w.Oldest, Table: t, Actions: []online.Action{online.DropCheck{Check: k}}}.Answer()
		sql := "ALTER TABLE " + sqlName(t.Name) + " " + w.dropCheck(k)
		if limits := a.Clause(); limits != "" && !w.Plain {
			sql += ", " + limits
		}
		w.add(phaseRename, place, "", &plan.Step{Kind: "drop_check", Object: onTable(r.Table, k.Name), Changes: []diff.Change{drop}, Old: c.Canon, SQL: []string{sql}, Lock: a.PlanLock()})
		work := w.on(r.Table)
		gone := len(work.dropChecks)
		work.dropChecks = slices.DeleteFunc(work.dropChecks, func(d diff.DropConstraint) bool { return d.Constraint == c })
		if head := w.in.To.Table(r.Table); head != nil && len(work.dropChecks) == gone {
			if i := slices.IndexFunc(head.Constraints, func(o *schema.Constraint) bool { return o.Canon == c.Canon }); i >= 0 {
				work.addChecks = append(work.addChecks, diff.AddConstraint{Table: head, Constraint: head.Constraints[i]})
			}
		}
	}
}

// oldName gives the key that a table had before its rename.
func (w *work) oldName(key string) string {
	for _, r := range w.in.Renames.Tables {
		if r.To == key {
			return r.From
		}
	}
	return key
}

// referenced tells whether a foreign key of another table names a column.
func (w *work) referenced(t *catalog.Table, c *catalog.Column) bool {
	for _, other := range w.From.catalog.Tables {
		for _, f := range other.ForeignKeys {
			if other != t && f.Ref.String() == t.Name.String() {
				for _, name := range f.RefColumns {
					if columnKey(name) == columnKey(c.Name) {
						return true
					}
				}
			}
		}
	}
	return false
}

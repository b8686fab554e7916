package sqlite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/schema"
)

// rebuild makes the step that gives a table its new definition: a new table, the rows copied, the old one dropped, the new one
// renamed (sqlite.org/lang_altertable.html, section 7). Indexes are made again here; triggers after all tables are in place.
func (w *work) rebuild(r diff.RebuildTable) {
	from, to := r.From, r.To
	staging := StagingPrefix + "new_" + to.Name
	s := &plan.Step{Kind: "rebuild_table", Object: to.Name, Old: tableCanon(from), New: tableCanon(to),
		Lock: plan.Lock{Level: "RESERVED", Blocks: "writes", Rewrite: true, Scan: true}}
	create, err := renamedCreate(to.Text, staging)
	if err != nil {
		w.errs = append(w.errs, fmt.Errorf("rebuilding table %s: %w", to.Name, err))
		return
	}
	s.SQL = append(s.SQL, create)
	if into, values := w.copied(from, to); len(into) > 0 {
		s.SQL = append(s.SQL, fmt.Sprintf("INSERT%s INTO %s (%s) SELECT %s FROM %s", overrideConflicts(to), ident(staging), strings.Join(into, ", "), strings.Join(values, ", "), ident(to.Name)))
	}
	if isAutoincrement(from) && isAutoincrement(to) {
		s.SQL = append(s.SQL, keepSequence(to.Name, staging)...)
	}
	s.SQL = append(s.SQL, "DROP TABLE "+ident(to.Name), fmt.Sprintf("ALTER TABLE %s RENAME TO %s", ident(staging), ident(to.Name)))
	for _, x := range to.Indexes {
		if old := from.Index(x.Key); old == nil && w.nameTaken(x.Key) {
			r.Changes = slices.DeleteFunc(slices.Clone(r.Changes), func(c diff.Change) bool { return c == diff.CreateIndex{Table: to, Index: x} })
			w.add(phaseIndex, 0, &plan.Step{Kind: "create_index", Object: to.Name + "." + x.Name, Changes: []diff.Change{diff.CreateIndex{Table: to, Index: x}}, New: x.Canon, SQL: []string{x.Text}})
			continue
		}
		s.SQL = append(s.SQL, x.Text)
	}
	s.Changes = []diff.Change{r}
	w.add(phaseRebuild, w.toDepth[to.Key], s)
}

// copied gives the columns that are filled from the old table, and the expressions that fill them. New columns are left out:
// their defaults apply. What cannot be filled is an error.
func (w *work) copied(from, to *schema.Table) (into, values []string) {
	alias := rowidAlias(to)
	if name, ok := rowidCopy(from, to); ok {
		into, values = append(into, name), append(values, rowidName(from))
	}
	for _, c := range to.Columns {
		old := from.Column(c.Key)
		switch {
		case c.Generated != nil:
		case old != nil:
			into, values = append(into, ident(c.Name)), append(values, w.filled(to, old, c))
		case c == alias && rowidName(from) != "" && !c.NotNull:
			// A key that is added to a table with rowids gets the rowids: the rows keep the numbers they are known by.
			into, values = append(into, ident(c.Name)), append(values, rowidName(from))
		case c.Required && (c.Default == nil || c.Default.Constant == "null"):
			w.refuseColumn(to, c, "column %s.%s is new, NOT NULL and without a default: there is nothing to put into the rows that exist; declare a DEFAULT, or let it be NULL", to.Name, c.Name)
		}
	}
	return into, values
}

// filled gives the expression that fills a column from its old self.
func (w *work) filled(to *schema.Table, old, c *schema.Column) string {
	name := ident(old.Name)
	if old.Required || !c.Required || c == rowidAlias(to) {
		return name
	}
	if c.Default == nil || c.Default.Constant == "null" {
		w.refuseColumn(to, c, "column %s.%s becomes NOT NULL and has no default: rows that hold NULL could not be kept; declare a DEFAULT to fill them with", to.Name, c.Name)
		return name
	}
	return fmt.Sprintf("COALESCE(%s, %s)", name, defaultText(c.Default))
}

// defaultText writes a default as an expression. A word in double quotes is a string after DEFAULT and a column elsewhere.
func defaultText(e *schema.Expr) string {
	if strings.HasPrefix(e.Constant, "'") {
		return e.Constant
	}
	return e.Text
}

func (w *work) refuseColumn(t *schema.Table, c *schema.Column, format string, args ...any) {
	w.errs = append(w.errs, &schema.Error{Side: schema.Head, Pos: c.Pos, Path: fmt.Sprintf("tables.%s.columns.%s", t.Name, c.Name),
		Kind: schema.KindTransition, Text: fmt.Sprintf(format, args...)})
}

// rowidCopy tells whether rowids have to be copied as such, and under which name: a table without INTEGER PRIMARY KEY would
// number its rows anew, and whatever keeps rowids (a full-text index over the table) would point at other rows.
func rowidCopy(from, to *schema.Table) (string, bool) {
	name := rowidName(to)
	return name, name != "" && rowidName(from) != "" && rowidAlias(to) == nil
}

// rowidName gives a name under which a table's rowid can be reached; empty when there is none.
func rowidName(t *schema.Table) string {
	if t.HasOption(withoutRowid) {
		return ""
	}
	for _, name := range [...]string{"rowid", "_rowid_", "oid"} {
		if t.Column(name) == nil {
			return name
		}
	}
	return ""
}

// overrideConflicts makes the copy stop at a row that does not fit, where the new table's own ON CONFLICT clauses would skip
// or replace rows in silence.
func overrideConflicts(t *schema.Table) string {
	for _, k := range t.Constraints {
		for _, o := range k.Options {
			if strings.HasPrefix(o, "on conflict") {
				return " OR ABORT"
			}
		}
	}
	for _, c := range t.Columns {
		if strings.Contains(c.Canon, "not null on conflict") {
			return " OR ABORT"
		}
	}
	return ""
}

func isAutoincrement(t *schema.Table) bool {
	pk := t.PrimaryKey()
	return pk != nil && pk.HasOption(autoincrement)
}

// keepSequence carries the high-water mark of AUTOINCREMENT over: without it the numbers of deleted rows are given out again
// (sqlite.org/autoinc.html).
func keepSequence(table, staging string) []string {
	return []string{
		fmt.Sprintf("DELETE FROM sqlite_sequence WHERE name = %s", literal(staging)),
		fmt.Sprintf("INSERT INTO sqlite_sequence (name, seq) SELECT %s, seq FROM sqlite_sequence WHERE name = %s COLLATE NOCASE", literal(staging), literal(table)),
	}
}

// renamedCreate gives a CREATE TABLE statement another table name. A check or a generated column may name its own table
// (CHECK (t.a > 0)): those names follow, and the rename at the end of the rebuild takes them back.
func renamedCreate(src, name string) (string, error) {
	p := newParser(src)
	if !p.take("CREATE", "TABLE") {
		return "", &parseError{p.peek(), "`CREATE TABLE`"}
	}
	p.take("IF", "NOT", "EXISTS")
	if p.peekAt(1).is(".") {
		p.i += 2
	}
	at := p.peek()
	if _, err := p.name(); err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("CREATE TABLE " + ident(name))
	last := at.end
	for ; !p.done(); p.i++ {
		t := p.peek()
		if (t.kind == word || t.kind == quoted) && p.peekAt(1).is(".") && fold(t.name()) == fold(at.name()) {
			b.WriteString(src[last:t.start] + ident(name))
			last = t.end
		}
	}
	b.WriteString(src[last:])
	return b.String(), nil
}

package sqlite

import (
	"context"
	"fmt"
	"sort"
	"strings"

	"github.com/altergate/altergate/internal/schema"
)

// rowsPerTable is how many rows each table is given for a proof: one with a value everywhere, one with NULL wherever it may
// stand, and one with values that are easily spoilt.
const rowsPerTable = 3

// attempts is how many combinations of values are tried for one row.
const attempts = 32

// row is one row of a table: SQL literals by the key of the column, as quote() writes them. The rowid is under "" where the
// table has one that no column names.
type row map[string]string

// filler puts rows into the tables of a base, and the same rows, as they should look after the plan, into those of a head.
type filler struct {
	base, head *engine
	from, to   *schema.Schema // from with the base's own names
	newTable   map[string]string
	newColumn  map[string]string // "base table.base column" -> head column
	rows       map[string][]row  // by the base's table
	known      parsed
	empty      []string
	count      int
	authored   bool // the plan is the author's own SQL
}

// fill goes through the tables, parents first.
func (f *filler) fill(ctx context.Context) error {
	before, after := depths(f.from), depths(f.to)
	depth := func(t *schema.Table) int { return max(before[t.Key], after[f.newTable[t.Key]]) }
	tables := append([]*schema.Table{}, f.from.Tables...)
	sort.SliceStable(tables, func(i, j int) bool { return depth(tables[i]) < depth(tables[j]) })
	for _, t := range tables {
		for i := 0; i < rowsPerTable; i++ {
			if err := f.row(ctx, t, i); err != nil {
				return err
			}
		}
		f.count += len(f.rows[t.Key])
		if len(f.rows[t.Key]) == 0 {
			f.empty = append(f.empty, t.Name)
		}
	}
	sort.Strings(f.empty)
	return nil
}

// row tries combinations of values until one satisfies the constraints of both sides.
func (f *filler) row(ctx context.Context, t *schema.Table, i int) error {
	choices := f.choices(t, i)
	for k := range attempts {
		values := row{}
		for j, c := range t.Columns {
			if options := choices[c.Key]; len(options) > 0 {
				values[c.Key] = options[(k*(2*j+1)+k/len(options))%len(options)]
			}
		}
		if rowidName(t) != "" && rowidAlias(t) == nil {
			values[""] = fmt.Sprint(11 * (i + 1))
		}
		if err := f.base.exec(ctx, "SAVEPOINT fill; "+insert(t, values)); err != nil {
			if err := f.undo(ctx, f.base); err != nil {
				return err
			}
			continue
		}
		stored, err := readRows(ctx, f.base, t, true)
		if err != nil {
			return err
		}
		if fits, err := f.fits(ctx, t, newest(stored, f.rows[t.Key])); err != nil {
			return err
		} else if !fits {
			if err := f.undo(ctx, f.base); err != nil {
				return err
			}
			continue
		}
		f.rows[t.Key] = stored
		return f.base.exec(ctx, "RELEASE fill")
	}
	return nil
}

func (f *filler) undo(ctx context.Context, e *engine) error {
	if err := e.exec(ctx, "ROLLBACK TO fill; RELEASE fill"); err != nil {
		return fmt.Errorf("taking a row back: %w", err)
	}
	return nil
}

// fits puts a row of the base into the head as the plan should leave it, and tells whether the head takes it.
func (f *filler) fits(ctx context.Context, t *schema.Table, r row) (bool, error) {
	to := f.to.Table(f.newTable[t.Key])
	if to == nil || r == nil {
		return r != nil, nil
	}
	values := row{}
	for _, c := range t.Columns {
		value, ok := r[c.Key]
		head := to.Column(f.newColumn[t.Key+"."+c.Key])
		if !ok || head == nil || head.Generated != nil {
			continue
		}
		if value == "NULL" && head.Required && !c.Required && head != rowidAlias(to) {
			if head.Default == nil {
				return false, nil
			}
			value = "(" + defaultText(head.Default) + ")"
		}
		values[head.Key] = value
	}
	rowid := r[""]
	if alias := rowidAlias(t); alias != nil {
		rowid = r[alias.Key]
	}
	if alias := rowidAlias(to); rowid != "" && rowidName(to) != "" {
		if alias == nil {
			values[""] = rowid
		} else if values[alias.Key] == "" {
			values[alias.Key] = rowid
		}
	}
	if err := f.head.exec(ctx, "SAVEPOINT fill; "+insert(to, values)); err != nil {
		return false, f.undo(ctx, f.head)
	}
	if orphans, err := f.head.query(ctx, "SELECT 1 FROM pragma_foreign_key_check("+literal(to.Name)+") LIMIT 1"); err == nil && len(orphans) > 0 {
		return false, f.undo(ctx, f.head)
	}
	return true, f.head.exec(ctx, "RELEASE fill")
}

// choices gives, for each column that takes a value, the literals to try for the i-th row, the best first.
func (f *filler) choices(t *schema.Table, i int) map[string][]string {
	literals := f.literals(t)
	choices := map[string][]string{}
	for j, c := range t.Columns {
		if c.Generated != nil {
			continue
		}
		options := append(samples(c, i, j), literals[c.Key]...)
		if !c.Required {
			if i == 1 {
				options = append([]string{"NULL"}, options...)
			} else {
				options = append(options, "NULL")
			}
		}
		choices[c.Key] = options
	}
	for _, k := range t.Constraints {
		if k.Ref != nil {
			f.referring(t, k, f.from.Table(k.Ref.Table), i, choices)
		}
	}
	f.referringAtHead(t, i, choices)
	for key, values := range f.awaited(t) {
		choices[key] = append(values, choices[key]...)
	}
	return choices
}

// referring lets the columns of a foreign key have the values that its parent's rows have, else NULL.
func (f *filler) referring(t *schema.Table, k *schema.Constraint, parent *schema.Table, i int, choices map[string][]string) {
	columns := referenced(k, parent)
	for n, key := range k.ColumnKeys() {
		c := t.Column(key)
		if c == nil {
			continue
		}
		var options []string
		switch {
		case parent == t:
			options = append([]string{"NULL"}, choices[key]...)
		case parent != nil && n < len(columns):
			rows := f.rows[parent.Key]
			for m := range rows {
				options = append(options, rows[(i+m)%len(rows)][columns[n]])
			}
		}
		if !c.Required {
			options = append(options, "NULL")
		}
		choices[key] = options
	}
}

// referenced gives the columns on the far side of a foreign key.
func referenced(k *schema.Constraint, parent *schema.Table) []string {
	if len(k.Ref.Columns) > 0 || parent == nil || parent.PrimaryKey() == nil {
		return k.Ref.Columns
	}
	return parent.PrimaryKey().ColumnKeys()
}

// referringAtHead does the same for foreign keys that only the head has, in terms of the base.
func (f *filler) referringAtHead(t *schema.Table, i int, choices map[string][]string) {
	to := f.to.Table(f.newTable[t.Key])
	if to == nil {
		return
	}
	for _, k := range to.Constraints {
		if k.Ref == nil {
			continue
		}
		old := *k
		old.Columns = nil
		for _, key := range k.ColumnKeys() {
			old.Columns = append(old.Columns, schema.Part{Column: f.oldColumn(t, key)})
		}
		parent := f.oldTable(k.Ref.Table)
		if parent == nil || t.HasForeignKey(old.ColumnKeys(), parent.Key) {
			continue
		}
		ref := *k.Ref
		ref.Columns = nil
		for _, key := range referenced(k, f.to.Table(k.Ref.Table)) {
			ref.Columns = append(ref.Columns, f.oldColumn(parent, key))
		}
		old.Ref = &ref
		f.referring(t, &old, parent, i, choices)
	}
}

// oldColumn gives the base's key of a column of the head; one that is new has none, and the empty key names no column.
func (f *filler) oldColumn(t *schema.Table, head string) string {
	for _, c := range t.Columns {
		if f.newColumn[t.Key+"."+c.Key] == head {
			return c.Key
		}
	}
	return ""
}

func (f *filler) oldTable(head string) *schema.Table {
	for _, t := range f.from.Tables {
		if f.newTable[t.Key] == head {
			return t
		}
	}
	return nil
}

// awaited gives the key values that children refer to by default: without such a row in the parent, none of theirs fits.
func (f *filler) awaited(t *schema.Table) map[string][]string {
	out := map[string][]string{}
	for _, child := range f.to.Tables {
		for _, k := range child.Constraints {
			if k.Ref == nil || k.Ref.Table != f.newTable[t.Key] {
				continue
			}
			columns := referenced(k, f.to.Table(k.Ref.Table))
			for n, key := range k.ColumnKeys() {
				c := child.Column(key)
				if c == nil || c.Default == nil || c.Default.Constant == "" || c.Default.Constant == "null" || n >= len(columns) {
					continue
				}
				if old := f.oldColumn(t, columns[n]); old != "" {
					out[old] = append(out[old], c.Default.Constant)
				}
			}
		}
	}
	return out
}

// literals gathers the constants that checks, of the base and of the head, hold, for the columns that these checks name.
func (f *filler) literals(t *schema.Table) map[string][]string {
	out := map[string][]string{}
	gather := func(owner *schema.Table, name func(key string) string) {
		for _, k := range owner.Constraints {
			if k.Expr == nil {
				continue
			}
			tokens := newParser(k.Expr.Text).tokens
			for _, t := range tokens {
				if t.kind != word && t.kind != quoted {
					continue
				}
				if key := name(fold(t.name())); key != "" {
					out[key] = append(out[key], constants(tokens)...)
				}
			}
		}
	}
	gather(t, func(key string) string {
		if t.Column(key) != nil {
			return key
		}
		return ""
	})
	if to := f.to.Table(f.newTable[t.Key]); to != nil {
		gather(to, func(key string) string { return f.oldColumn(t, key) })
	}
	return out
}

// constants gives the literals among tokens, and numbers one more and one less than those.
func constants(tokens []token) []string {
	var out []string
	for _, t := range tokens {
		switch t.kind {
		case text:
			out = append(out, t.text)
		case number:
			out = append(out, t.text, "("+t.text+" + 1)", "("+t.text+" - 1)", "(-"+t.text+")")
		}
	}
	return out
}

// samples gives values of a column's type for the i-th row: unlike those of other rows, and in the last row such as a
// careless copy would spoil.
func samples(c *schema.Column, i, j int) []string {
	n := 10*(i+1) + j
	switch t := c.TypeCanon; {
	case strings.Contains(t, "bool"):
		return []string{fmt.Sprint(i % 2), fmt.Sprint((i + 1) % 2)}
	case strings.Contains(t, "date"), strings.Contains(t, "time"):
		return []string{fmt.Sprintf("'2024-0%d-1%d 08:09:10'", i+1, j%10), fmt.Sprint(1700000000 + n)}
	}
	switch affinity(c) {
	case "INTEGER":
		return []string{fmt.Sprint(n), fmt.Sprint(i + 1), "0", fmt.Sprint(9007199254740993 + n)}
	case "REAL":
		return []string{fmt.Sprintf("%d.5", n), fmt.Sprintf("0.%d", i+1)}
	case "TEXT":
		options := []string{fmt.Sprintf("'text %d'", n), fmt.Sprintf("'%c'", 'a'+i), "'{}'", fmt.Sprintf("'00000000-0000-4000-8000-%012d'", n)}
		if i == rowsPerTable-1 {
			options = append([]string{fmt.Sprintf("'00%d'", n), fmt.Sprintf("'it''s %d'", n)}, options...)
		}
		return options
	case "BLOB", "ANY":
		if i == rowsPerTable-1 {
			return []string{fmt.Sprintf("'00%d'", n), fmt.Sprintf("x'00ff%02x'", n%256)}
		}
		return []string{fmt.Sprintf("x'00ff%02x'", n%256), fmt.Sprintf("'blob %d'", n)}
	}
	return []string{fmt.Sprint(n), fmt.Sprintf("%d.25", n), fmt.Sprint(i + 1)}
}

func insert(t *schema.Table, values row) string {
	var names, exprs []string
	if v, ok := values[""]; ok {
		names, exprs = append(names, rowidName(t)), append(exprs, v)
	}
	for _, c := range t.Columns {
		if v, ok := values[c.Key]; ok {
			names, exprs = append(names, ident(c.Name)), append(exprs, v)
		}
	}
	if len(names) == 0 {
		return "INSERT INTO " + ident(t.Name) + " DEFAULT VALUES"
	}
	return fmt.Sprintf("INSERT OR ABORT INTO %s (%s) VALUES (%s)", ident(t.Name), strings.Join(names, ", "), strings.Join(exprs, ", "))
}

// readRows reads a table's rows as literals, so that a value's type shows: '1' is not 1. Rowids are read too where they are asked for
// and no column names them.
func readRows(ctx context.Context, e *engine, t *schema.Table, rowids bool) ([]row, error) {
	var exprs, keys []string
	if name := rowidName(t); rowids && name != "" && rowidAlias(t) == nil {
		exprs, keys = append(exprs, "quote("+name+")"), append(keys, "")
	}
	for _, c := range t.Columns {
		exprs, keys = append(exprs, "quote("+ident(c.Name)+")"), append(keys, c.Key)
	}
	found, err := e.query(ctx, "SELECT "+strings.Join(exprs, ", ")+" FROM "+ident(t.Name)+" ORDER BY "+strings.Join(exprs, ", "))
	if err != nil {
		return nil, fmt.Errorf("reading the rows of %s: %w", t.Name, err)
	}
	rows := make([]row, len(found))
	for i, values := range found {
		rows[i] = row{}
		for j, v := range values {
			rows[i][keys[j]] = fmt.Sprint(v)
		}
	}
	return rows, nil
}

// newest gives the row that is in now and was not in before; nil when an insert replaced one.
func newest(now, before []row) row {
	known := map[string]int{}
	for _, r := range before {
		known[fmt.Sprint(r)]++
	}
	if len(now) != len(before)+1 {
		return nil
	}
	for _, r := range now {
		if known[fmt.Sprint(r)] == 0 {
			return r
		}
		known[fmt.Sprint(r)]--
	}
	return nil
}

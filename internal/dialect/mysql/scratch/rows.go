package scratch

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/go-sql-driver/mysql"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/proof/rows"
)

const (
	// stage is where a row waits with the base's types, to be stored on both sides.
	stage = "`altergate_stage`"
)

// filler puts rows into the tables of a base, and the same rows, as they should look after the plan, into those of a head: the server
// itself turns a value of a base's column into one of the head's, as it does in an ALTER.
type filler struct {
	base, head *databases
	from, to   *tables
	newTable   map[*table]*table   // of the base -> of the head; none for one that goes
	oldTable   map[*table]*table   // the other way
	newColumn  map[*column]*column // likewise
	oldColumn  map[*column]*column
	rows       map[*table][]rows.Row // by the base's table
	refused    map[*table]string
	empty      []string
	unfilled   int // tables beyond rows.MostTables
	count      int
	// strict has rows in the base that the head would not take: a plan that is safe from end to end has to get along with any.
	strict bool
}

// newFiller pairs the tables and columns of both sides.
func newFiller(base, head *databases, from, to *tables, in Input) *filler {
	f := &filler{base: base, head: head, from: from, to: to, newTable: map[*table]*table{}, oldTable: map[*table]*table{}, newColumn: map[*column]*column{}, oldColumn: map[*column]*column{},
		rows: map[*table][]rows.Row{}, refused: map[*table]string{}}
	f.strict = !slices.ContainsFunc(in.Steps, func(s *plan.Step) bool { return s.Risk != plan.Safe })
	again := replaced(in.Steps)
	for _, t := range from.all {
		name := t.name
		for _, r := range in.Renames.Tables {
			if same(r.From, t.name) {
				name = r.To
			}
		}
		other := to.named(name)
		if other == nil || again[strings.ToLower(name)] {
			continue
		}
		f.newTable[t], f.oldTable[other] = other, t
		for _, c := range t.columns {
			column := c.name
			for _, r := range in.Renames.Columns {
				if same(r.Table, name) && same(r.From, c.name) {
					column = r.To
				}
			}
			if there := other.column(column); there != nil && !again[strings.ToLower(name+"\n"+column)] {
				f.newColumn[c], f.oldColumn[there] = there, c
			}
		}
	}
	return f
}

// same tells whether names are the same as reports have them.
func same(a, b string) bool { return strings.EqualFold(a, b) }

// named finds a table by its name in reports; by case where that counts.
func (ts *tables) named(name string) *table {
	if t := ts.byName[name]; t != nil {
		return t
	}
	var only *table
	for _, t := range ts.all {
		if same(t.name, name) {
			if only != nil {
				return nil
			}
			only = t
		}
	}
	return only
}

// replaced gives the tables and columns that the plan drops: one of the same name afterwards is another, and has none of the rows.
func replaced(steps []*plan.Step) map[string]bool {
	gone := map[string]bool{}
	for _, s := range steps {
		for _, c := range s.Changes {
			switch c := c.(type) {
			case diff.DropTable:
				gone[strings.ToLower(c.Table.Key)] = true
			case diff.DropColumn:
				gone[strings.ToLower(c.Table.Key+"\n"+c.Column.Key)] = true
			}
		}
	}
	return gone
}

// fill goes through the tables, parents first.
func (f *filler) fill(ctx context.Context, steps []*plan.Step) error {
	for _, set := range []string{"SET SESSION foreign_key_checks = 1", "SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_AUTO_VALUE_ON_ZERO,NO_ENGINE_SUBSTITUTION'", f.base.server.patience("3")} {
		if err := f.base.exec(ctx, set); err != nil {
			return err
		}
	}
	chosen := f.choose(steps)
	for range 2 { // in a circle of references, some table has to do without its parent's rows at first
		for _, t := range chosen {
			if len(f.rows[t]) > 0 {
				continue
			}
			if err := f.fillTable(ctx, t); err != nil {
				return fmt.Errorf("filling %s on the scratch server: %w", t.name, err)
			}
		}
	}
	for _, t := range chosen {
		f.count += len(f.rows[t])
		if len(f.rows[t]) == 0 {
			f.empty = append(f.empty, t.name)
		}
	}
	sort.Strings(f.empty)
	return f.base.server.begin(ctx, f.base.session)
}

// patience bounds how long a statement may take, in seconds.
func (s *server) patience(seconds string) string {
	if s.is.MariaDB {
		return "SET SESSION max_statement_time = " + seconds
	}
	return "SET SESSION max_execution_time = " + seconds + "000"
}

// choose gives the tables to fill, in order. Where there are too many it takes those that the plan touches, and what they refer to.
func (f *filler) choose(steps []*plan.Step) []*table {
	touched := func(t *table) bool {
		names := []string{t.name}
		if to := f.newTable[t]; to != nil {
			names = append(names, to.name)
		}
		return slices.ContainsFunc(steps, func(s *plan.Step) bool { return slices.ContainsFunc(names, func(n string) bool { return about(s, n) }) })
	}
	var chosen []*table
	chosen, f.unfilled = rows.Choose(f.from.all, f.links, touched)
	return chosen
}

// about tells whether a step is about a table, or a part of it.
func about(s *plan.Step, table string) bool {
	return same(s.Object, table) || same(s.From, table) || len(s.Object) > len(table) && s.Object[len(table)] == '.' && same(s.Object[:len(table)], table)
}

// links gives a table's foreign keys, those that only the head has among them.
func (f *filler) links(t *table) []rows.Link[*table] {
	var out []rows.Link[*table]
	for _, r := range t.references {
		if parent := f.from.bySQL[r.parent]; parent != nil {
			out = append(out, rows.Link[*table]{Parent: parent, Columns: r.columns, Far: r.far})
		}
	}
	to := f.newTable[t]
	if to == nil {
		return out
	}
	for _, r := range to.references {
		far := f.to.bySQL[r.parent]
		if far == nil || f.oldTable[far] == nil {
			continue
		}
		parent := f.oldTable[far]
		l := rows.Link[*table]{Parent: parent, Columns: f.oldColumns(t, r.columns), Far: f.oldColumns(parent, r.far)}
		equal := func(o rows.Link[*table]) bool { return o.Parent == l.Parent && slices.Equal(o.Columns, l.Columns) }
		if len(l.Columns) == len(r.columns) && len(l.Far) == len(r.far) && !slices.ContainsFunc(out, equal) {
			out = append(out, l)
		}
	}
	return out
}

// oldColumns gives the base's names of columns of the head; new ones have none and are left out.
func (f *filler) oldColumns(t *table, names []string) []string {
	var out []string
	for _, name := range names {
		for _, c := range t.columns {
			if to := f.newColumn[c]; to != nil && same(to.name, name) {
				out = append(out, c.name)
			}
		}
	}
	return out
}

// fillTable finds rows for one table.
func (f *filler) fillTable(ctx context.Context, t *table) error {
	var plain []string
	for _, c := range t.columns {
		if !c.computed {
			plain = append(plain, quote(c.name))
		}
	}
	if len(plain) == 0 {
		return nil
	}
	make := "CREATE TEMPORARY TABLE " + stage + " AS SELECT " + strings.Join(plain, ", ") + " FROM " + t.sql + " LIMIT 0"
	for _, statement := range []string{"DROP TEMPORARY TABLE IF EXISTS " + stage, make} {
		if err := f.base.exec(ctx, statement); err != nil {
			if answerOf(err) != nil {
				return nil // a type that no other table may have: the table stays empty, and the report says so
			}
			return err
		}
	}
	for i := range rows.PerTable {
		if err := f.row(ctx, t, i); err != nil {
			return err
		}
	}
	return f.base.exec(ctx, "DROP TEMPORARY TABLE IF EXISTS "+stage)
}

// row tries combinations of values until one satisfies the constraints of both sides.
func (f *filler) row(ctx context.Context, t *table, i int) error {
	s := f.search(t, i)
	for range rows.Attempts {
		values := s.Values()
		side, refused, err := f.store(ctx, t, values)
		if err != nil {
			return err
		}
		if refused != nil && side == f.to && f.strict {
			f.refused[t] = f.head.message(refused)
			refused = nil
		}
		if refused == nil {
			f.rows[t] = append(f.rows[t], values)
			return f.base.exec(ctx, "COMMIT")
		}
		if err := f.undo(ctx, t); err != nil {
			return err
		}
		if refused.Number == 1969 || refused.Number == 3024 || refused.Number == 1205 { // too long
			return nil
		}
		blamed := f.blamed(t, side, refused)
		if !s.Next(blamed, len(blamed) > 0) {
			return nil
		}
	}
	return nil
}

// undo takes a row that was refused away again; a table without transactions is emptied, and gets its rows back.
func (f *filler) undo(ctx context.Context, t *table) error {
	if err := f.base.exec(ctx, "ROLLBACK"); err != nil {
		return err
	}
	to := f.newTable[t]
	if t.transactional && (to == nil || to.transactional) {
		return nil
	}
	statements := []string{"DELETE FROM " + t.sql}
	if to != nil {
		statements = append(statements, "DELETE FROM "+to.sql)
	}
	for _, d := range statements {
		if err := f.base.exec(ctx, d); err != nil && answerOf(err) == nil {
			return err
		}
	}
	for _, r := range f.rows[t] {
		if _, _, err := f.store(ctx, t, r); err != nil {
			return err
		}
		if err := f.base.exec(ctx, "COMMIT"); err != nil {
			return err
		}
	}
	return nil
}

// store puts a row into the base and, as the plan should leave it, into the head, inside a transaction. It gives the server's refusal
// apart from errors, and of which side it is.
func (f *filler) store(ctx context.Context, t *table, values rows.Row) (*tables, *mysql.MySQLError, error) {
	var names, exprs []string
	for _, c := range t.columns {
		if v, ok := values[c.name]; ok {
			names, exprs = append(names, quote(c.name)), append(exprs, v)
		}
	}
	columns := strings.Join(names, ", ")
	for _, statement := range []string{"START TRANSACTION", "DELETE FROM " + stage, "INSERT INTO " + stage + " (" + columns + ") VALUES (" + strings.Join(exprs, ", ") + ")",
		"INSERT INTO " + t.sql + " (" + columns + ") SELECT " + columns + " FROM " + stage} {
		if err := f.base.exec(ctx, statement); err != nil {
			if answer := answerOf(err); answer != nil {
				return f.from, answer, nil
			}
			return nil, nil, err
		}
	}
	to := f.newTable[t]
	if to == nil {
		return nil, nil, nil
	}
	err := f.base.exec(ctx, f.passage(t, to))
	if answer := answerOf(err); answer != nil {
		return f.to, answer, nil
	}
	return nil, nil, err
}

// passage gives the statement that takes a row of the base into the head. New columns get their defaults, and where they have none, what
// an ALTER gives them.
func (f *filler) passage(t, to *table) string {
	var names, exprs []string
	for _, c := range to.columns {
		old := f.oldColumn[c]
		switch {
		case c.computed, old == nil && (c.auto || c.def.Valid || !c.notNull):
			continue
		case old == nil:
			if implied(c) == "" {
				continue
			}
			names, exprs = append(names, quote(c.name)), append(exprs, implied(c))
		case old.computed: // the values that it had stay in it
			names, exprs = append(names, quote(c.name)), append(exprs, old.generation)
		default:
			names, exprs = append(names, quote(c.name)), append(exprs, quote(old.name))
		}
	}
	if len(names) == 0 {
		return "INSERT INTO " + to.sql + " () VALUES ()"
	}
	return fmt.Sprintf("INSERT INTO %s (%s) SELECT %s FROM %s", to.sql, strings.Join(names, ", "), strings.Join(exprs, ", "), stage)
}

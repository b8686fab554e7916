package scratch

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/altergate/altergate/internal/dialect/postgres/script"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/proof/rows"
)

const (
	// tooLong is how the server says that a statement was stopped: what a default calls may never end, and is called for every row.
	tooLong = "57014"
)

// filler puts rows into the tables of a base, and the same rows, as they should look after the plan, into those of a head.
type filler struct {
	base, head *database
	from, to   *tables
	newTable   map[*table]*table     // of the base -> of the head; none for one that goes
	oldTable   map[*table]*table     // the other way
	newColumn  map[*column]*column   // likewise
	passage    map[*column]string    // how a value of the base's column becomes one of the head's: a format, see passages
	rows       map[*table][]rows.Row // by the base's table
	known      map[[2]string]bool    // whether a value can be one of a type
	at         map[*sequence]int64   // what they give next
	empty      []string
	unfilled   int // tables beyond rows.MostTables
	foreign    int
	count      int
}

// newFiller pairs the tables and columns of both sides.
func newFiller(base, head *database, from, to *tables, in Input) *filler {
	f := &filler{base: base, head: head, from: from, to: to, newTable: map[*table]*table{}, oldTable: map[*table]*table{}, newColumn: map[*column]*column{},
		passage: map[*column]string{}, rows: map[*table][]rows.Row{}, known: map[[2]string]bool{}, at: map[*sequence]int64{}}
	again := replaced(in.Steps)
	for _, t := range from.all {
		name := t.name
		for _, r := range in.Renames.Tables {
			if r.From == t.name {
				name = r.To
			}
		}
		other := to.byName[name]
		if other == nil || other.kind != t.kind || again[name] {
			continue
		}
		f.newTable[t], f.oldTable[other] = other, t
		for _, c := range t.columns {
			column := c.name
			for _, r := range in.Renames.Columns {
				if r.Table == name && r.From == c.name {
					column = r.To
				}
			}
			if there := other.column(column); there != nil && !again[name+"\n"+column] {
				f.newColumn[c] = there
			}
		}
	}
	return f
}

// replaced gives the tables and columns that the plan drops: one of the same name afterwards is another, and has none of the rows.
func replaced(steps []*plan.Step) map[string]bool {
	gone := map[string]bool{}
	for _, s := range steps {
		for _, c := range s.Changes {
			switch c := c.(type) {
			case diff.DropTable:
				gone[c.Table.Key] = true
			case diff.DropColumn:
				gone[c.Table.Key+"\n"+c.Column.Key] = true
			}
		}
	}
	return gone
}

// fill goes through the tables, parents first.
func (f *filler) fill(ctx context.Context, steps []*plan.Step) error {
	if err := f.passages(ctx); err != nil {
		return err
	}
	chosen := f.choose(steps)
	for range 2 { // in a circle of references, some table has to do without its parent's rows at first
		for _, t := range chosen {
			if len(f.rows[t]) > 0 {
				continue
			}
			for i := range rows.PerTable {
				if err := f.row(ctx, t, i); err != nil {
					return fmt.Errorf("filling %s on the scratch server: %w", t.name, err)
				}
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
	return nil
}

// choose gives the tables to fill, in order. Where there are too many it takes those that the plan touches, and what they refer to.
func (f *filler) choose(steps []*plan.Step) []*table {
	var candidates []*table
	for _, t := range f.from.all {
		switch {
		case t.parent != nil: // filled through its parent
		case t.kind == "f":
			f.foreign++
		default:
			candidates = append(candidates, t)
		}
	}
	touched := func(t *table) bool {
		names := []string{t.name}
		if to := f.newTable[t]; to != nil {
			names = append(names, to.name)
		}
		return slices.ContainsFunc(steps, func(s *plan.Step) bool {
			return slices.ContainsFunc(names, func(n string) bool { return s.Object == n || s.From == n || strings.HasPrefix(s.Object, n+".") })
		})
	}
	var chosen []*table
	chosen, f.unfilled = rows.Choose(candidates, f.links, touched)
	return chosen
}

// links gives a table's foreign keys, those that only the head has among them.
func (f *filler) links(t *table) []rows.Link[*table] {
	var out []rows.Link[*table]
	for _, k := range t.keys {
		if parent := f.from.byOID[k.ref]; k.kind == "f" && parent != nil {
			out = append(out, rows.Link[*table]{Parent: parent.root(), Columns: k.columns, Far: k.far})
		}
	}
	to := f.newTable[t]
	if to == nil {
		return out
	}
	for _, k := range to.keys {
		if k.kind != "f" || f.to.byOID[k.ref] == nil {
			continue
		}
		parent := f.oldTable[f.to.byOID[k.ref].root()]
		if parent == nil {
			continue
		}
		l := rows.Link[*table]{Parent: parent, Columns: f.oldColumns(t, k.columns), Far: f.oldColumns(parent, k.far)}
		same := func(o rows.Link[*table]) bool { return o.Parent == l.Parent && slices.Equal(o.Columns, l.Columns) }
		if len(l.Columns) == len(k.columns) && len(l.Far) == len(k.far) && !slices.ContainsFunc(out, same) {
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
			if to := f.newColumn[c]; to != nil && to.name == name {
				out = append(out, c.name)
			}
		}
	}
	return out
}

// row tries combinations of values until one satisfies the constraints of both sides.
func (f *filler) row(ctx context.Context, t *table, i int) error {
	s, err := f.search(ctx, t, i)
	if err != nil {
		return err
	}
	for range rows.Attempts {
		stored, refused, err := f.store(ctx, t, s.Values())
		if err != nil {
			return err
		}
		side := f.from
		if refused == nil {
			side = f.to
			if refused, err = f.fits(ctx, t, stored); err != nil {
				return err
			}
		}
		if refused != nil && refused.Code == tooLong {
			return f.base.exec(ctx, "ROLLBACK")
		}
		if refused == nil {
			f.rows[t] = append(f.rows[t], stored)
			return f.base.exec(ctx, "COMMIT")
		}
		if err := f.base.exec(ctx, "ROLLBACK"); err != nil {
			return err
		}
		columns, known := f.blamed(t, side, refused)
		if !known && side == f.from && refused.ConstraintName == "" {
			found, goesOn, err := s.Strike(func(name, value string) (bool, error) {
				c := t.column(name)
				if c == nil {
					return true, nil
				}
				return f.possible(ctx, value, c.written)
			})
			if err != nil || !goesOn {
				return err
			}
			if found {
				continue
			}
		}
		if !s.Next(columns, known) {
			return nil
		}
	}
	return nil
}

// store puts a row into the base, inside a transaction, and gives what is stored. It gives the server's refusal apart from errors.
func (f *filler) store(ctx context.Context, t *table, values rows.Row) (rows.Row, *pgconn.PgError, error) {
	var names, exprs []string
	for _, c := range t.columns {
		if v, ok := values[c.name]; ok {
			names, exprs = append(names, script.Quote(c.name)), append(exprs, literal(v))
		}
	}
	answers, err := f.base.query(ctx, "BEGIN; SET CONSTRAINTS ALL IMMEDIATE; "+insert(t, names, exprs)+" RETURNING "+outputs(t.columns))
	if err != nil {
		if answer := answerOf(err); answer != nil {
			return nil, answer, nil
		}
		return nil, nil, err
	}
	if len(answers) != 1 {
		return nil, &pgconn.PgError{Message: "the row went elsewhere"}, nil
	}
	stored := rows.Row{}
	for j, c := range t.columns {
		stored[c.name] = answers[0][j]
	}
	return stored, nil, nil
}

// fits puts a row of the base into the head as the plan should leave it. A row that cannot be there is refused.
func (f *filler) fits(ctx context.Context, t *table, stored rows.Row) (*pgconn.PgError, error) {
	to := f.newTable[t]
	if to == nil {
		return nil, nil
	}
	var names, exprs []string
	for _, c := range t.columns {
		head := f.newColumn[c]
		if head == nil || head.computed {
			continue
		}
		expr := fmt.Sprintf(f.passage[c], literal(stored[c.name]))
		if stored[c.name] == null {
			expr = "NULL"
			if fillsNull(c, head) {
				expr = "DEFAULT"
			}
		}
		names, exprs = append(names, script.Quote(head.name)), append(exprs, expr)
	}
	err := f.head.exec(ctx, insert(to, names, exprs))
	if answer := answerOf(err); answer != nil {
		return answer, nil
	}
	return nil, err
}

// fillsNull tells whether NULLs of a column get the default, since the head does not take them.
func fillsNull(c, head *column) bool { return head.notNull && !c.notNull && head.def != "" }

func literal(v string) string {
	if v == null {
		return "NULL"
	}
	return script.Literal(v)
}

func insert(t *table, names, exprs []string) string {
	if len(names) == 0 {
		return "INSERT INTO " + t.sql + " DEFAULT VALUES"
	}
	return fmt.Sprintf("INSERT INTO %s (%s) OVERRIDING SYSTEM VALUE VALUES (%s)", t.sql, strings.Join(names, ", "), strings.Join(exprs, ", "))
}

// outputs gives the columns in their output form.
func outputs(columns []*column) string {
	if len(columns) == 0 {
		return "NULL"
	}
	var exprs []string
	for _, c := range columns {
		exprs = append(exprs, script.Quote(c.name)+"::text")
	}
	return strings.Join(exprs, ", ")
}

// passages finds out how the values of each column become those of the head's column: of another type, as ALTER COLUMN … TYPE has
// it, by the cast for assignments; by another cast where there is none; else by way of their text, as values of an enum do.
func (f *filler) passages(ctx context.Context) error {
	for _, t := range f.from.all {
		to := f.newTable[t]
		if to == nil || t.parent != nil || t.kind == "f" {
			continue
		}
		for _, c := range t.columns {
			head := f.newColumn[c]
			if head == nil {
				continue
			}
			f.passage[c] = "%s"
			if head.written == c.written || head.computed {
				continue
			}
			was, is := strings.ReplaceAll(c.written, "%", "%%"), strings.ReplaceAll(head.written, "%", "%%")
			for _, p := range []string{"CAST(%s AS " + was + ")", "CAST(CAST(%s AS " + was + ") AS " + is + ")"} {
				err := f.head.exec(ctx, "EXPLAIN INSERT INTO "+to.sql+" ("+script.Quote(head.name)+") OVERRIDING SYSTEM VALUE VALUES ("+fmt.Sprintf(p, "NULL")+")")
				if err == nil {
					f.passage[c] = p
					break
				}
				if answerOf(err) == nil {
					return err
				}
			}
		}
	}
	return nil
}

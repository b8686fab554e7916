package scratch

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/altergate/altergate/internal/proof"
)

// mostRead bounds what is read of a table: rows are few unless a function of the schema makes more.
const mostRead = " LIMIT 1000"

// compare looks at the rows after the plan.
func (f *filler) compare(ctx context.Context) error {
	after, err := f.base.tables(ctx)
	if err != nil {
		return err
	}
	for _, t := range f.to.all {
		if t.forced {
			for _, d := range []*database{f.base, f.head} {
				if err := d.exec(ctx, "ALTER TABLE ONLY "+t.sql+" NO FORCE ROW LEVEL SECURITY"); err != nil {
					return fmt.Errorf("reading %s on the scratch server: %w", t.name, err)
				}
			}
		}
	}
	highest, err := f.compareRows(ctx)
	if err != nil {
		return err
	}
	return f.sequencesKept(ctx, after, highest)
}

// compareRows holds the rows of every table against the head's, many tables at a time, and gives for each column the values that it
// has, as far as a sequence has to know of them.
func (f *filler) compareRows(ctx context.Context) (map[string][]int64, error) {
	numbers := map[string][]int64{}
	for part := range slices.Chunk(f.to.all, 40) {
		var tables []*table
		var queries []string
		for _, t := range part {
			if t.kind == "r" {
				tables = append(tables, t)
				queries = append(queries, "SELECT "+outputs(t.columns)+" FROM ONLY "+t.sql+mostRead)
			}
		}
		if len(tables) == 0 {
			continue
		}
		have, err := f.base.results(ctx, strings.Join(queries, ";\n"))
		if err != nil {
			return nil, fmt.Errorf("reading the rows after the plan: %w", err)
		}
		want, err := f.head.results(ctx, strings.Join(queries, ";\n"))
		if err != nil {
			return nil, fmt.Errorf("reading the rows of the head: %w", err)
		}
		for i, t := range tables {
			got := texts(have[i])
			if err := f.sameRows(t, got, texts(want[i])); err != nil {
				return nil, err
			}
			for j, c := range t.columns {
				if !c.sequence && !f.rootColumn(t, c).sequence {
					continue
				}
				for _, r := range got {
					if n, ok := number(r[j]); ok {
						at := t.root().name + "\n" + c.name
						numbers[at] = append(numbers[at], n)
					}
				}
			}
		}
	}
	return numbers, nil
}

// sameRows compares the rows of a table. A column whose values differ from run to run is passed over, and then what is computed is
// too: it may come from that one.
func (f *filler) sameRows(t *table, have, want [][]string) error {
	var names []string
	var compared []int
	volatile := slices.ContainsFunc(t.columns, func(c *column) bool { return f.isVolatile(t, c) })
	for j, c := range t.columns {
		names = append(names, c.name)
		if !f.isVolatile(t, c) && !(volatile && c.computed) {
			compared = append(compared, j)
		}
	}
	return proof.SameRows(t.name, names, compared, have, want, shown)
}

func shown(v string) string {
	if v == null {
		return "NULL"
	}
	return proof.Excerpt(literal(v))
}

// isVolatile tells whether a column of the head holds, in rows that were there before, what its default gave, and that is not the
// same from one run to the next.
func (f *filler) isVolatile(t *table, c *column) bool {
	root, there := t.root(), f.rootColumn(t, c)
	if there.computed {
		return false
	}
	if old := f.oldTable[root]; old != nil {
		for _, was := range old.columns {
			if f.newColumn[was] == there {
				return fillsNull(was, there) && !there.constant()
			}
		}
	}
	return there.identity || there.def != "" && !there.constant()
}

// rootColumn gives the column of the table through which a partition's rows are written.
func (f *filler) rootColumn(t *table, c *column) *column {
	if there := t.root().column(c.name); there != nil {
		return there
	}
	return c
}

// sequencesKept tells whether every sequence goes on where it was, and beyond what its column holds.
func (f *filler) sequencesKept(ctx context.Context, after *tables, stored map[string][]int64) error {
	next, err := f.base.positions(ctx, after.sequences)
	if err != nil {
		return err
	}
	for _, q := range after.sequences {
		if q.cycle {
			continue
		}
		for _, n := range stored[q.table+"\n"+q.column] {
			if f.wasFree(q) {
				break
			}
			if q.inc > 0 && next[q] <= n || q.inc < 0 && next[q] >= n {
				return fmt.Errorf("sequence %s would give out %d next, and %s.%s holds %d already after the plan", q.name, next[q], q.table, q.column, n)
			}
		}
		for _, was := range f.from.sequences {
			if f.becomes(was, q) && was.inc > 0 == (q.inc > 0) && (q.inc > 0 && next[q] < f.at[was] || q.inc < 0 && next[q] > f.at[was]) {
				return fmt.Errorf("sequence %s would give out numbers again: %d came next before the plan, and %d comes next after it", q.name, f.at[was], next[q])
			}
		}
	}
	return nil
}

// wasFree tells whether a sequence was there before and numbered no column: how far it is, its users know and not the plan.
func (f *filler) wasFree(q *sequence) bool {
	return slices.ContainsFunc(f.from.sequences, func(was *sequence) bool { return was.table == "" && was.name == q.name })
}

// becomes tells whether a sequence of the base is one that is there after the plan: it numbers the same column, or has the same name
// and numbers none.
func (f *filler) becomes(was, is *sequence) bool {
	if was.table == "" || is.table == "" {
		return was.table == is.table && was.name == is.name
	}
	old := f.from.byName[was.table]
	if old == nil || f.newTable[old] == nil || f.newTable[old].name != is.table {
		return false
	}
	c := old.column(was.column)
	return c != nil && f.newColumn[c] != nil && f.newColumn[c].name == is.column
}

// positions reads what sequences give next.
func (d *database) positions(ctx context.Context, all []*sequence) (map[*sequence]int64, error) {
	next := map[*sequence]int64{}
	for part := range slices.Chunk(all, 200) {
		var queries []string
		for i, q := range part {
			queries = append(queries, fmt.Sprintf("SELECT %d, last_value, is_called FROM %s", i, q.sql))
		}
		rows, err := d.query(ctx, strings.Join(queries, " UNION ALL "))
		if err != nil {
			return nil, fmt.Errorf("reading the sequences of a scratch database: %w", err)
		}
		for _, r := range rows {
			i, _ := strconv.Atoi(r[0])
			q := part[i]
			next[q], _ = number(r[1])
			if r[2] == "t" {
				next[q] += q.inc
			}
		}
	}
	return next, nil
}

func number(v string) (int64, bool) {
	n, err := strconv.ParseInt(v, 10, 64)
	return n, err == nil
}

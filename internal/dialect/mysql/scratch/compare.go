package scratch

import (
	"context"
	"encoding/hex"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/proof"
)

// before is what the base held before the plan.
type before struct {
	rows map[*table][][]value // of the columns that stay, in the order of the base's
	next map[*table]uint64
}

// remember reads the base's rows and counters.
func (f *filler) remember(ctx context.Context) (before, error) {
	b := before{rows: map[*table][][]value{}, next: map[*table]uint64{}}
	now, err := f.base.tables(ctx)
	if err != nil {
		return b, err
	}
	for _, t := range f.from.all {
		b.next[t] = now.bySQL[t.sql].next
		if len(f.rows[t]) == 0 || f.newTable[t] == nil {
			continue
		}
		if b.rows[t], err = f.base.read(ctx, t.sql, f.staying(t)); err != nil {
			return b, err
		}
	}
	return b, nil
}

// staying gives the columns of a table of the base that the head has too.
func (f *filler) staying(t *table) []*column {
	return slices.DeleteFunc(slices.Clone(t.columns), func(c *column) bool { return f.newColumn[c] == nil })
}

// read gives the rows of a table.
func (d *databases) read(ctx context.Context, table string, columns []*column) ([][]value, error) {
	var exprs []string
	for _, c := range columns {
		exprs = append(exprs, quote(c.name))
	}
	if len(exprs) == 0 {
		exprs = []string{"1"}
	}
	rows, err := d.query(ctx, "SELECT "+strings.Join(exprs, ", ")+" FROM "+table+" LIMIT 1000")
	if err != nil {
		return nil, fmt.Errorf("reading %s on the scratch server: %w", table, err)
	}
	return rows, nil
}

// compare looks at the rows and counters after the plan.
func (f *filler) compare(ctx context.Context, was before, steps []*plan.Step) error {
	after, err := f.base.tables(ctx)
	if err != nil {
		return err
	}
	for _, t := range f.to.all {
		there := after.named(t.name)
		if there == nil {
			return fmt.Errorf("after the plan, table %s is not there, and the head has it", t.name)
		}
		old := f.oldTable[t]
		if why := f.refused[old]; old != nil && why != "" {
			return fmt.Errorf("every step is safe, and table %s holds a row that its new definition does not take: %s", t.name, why)
		}
		have, err := f.base.read(ctx, there.sql, t.columns)
		if err != nil {
			return err
		}
		want, err := f.head.read(ctx, t.sql, t.columns)
		if err != nil {
			return err
		}
		if dropsPartition(steps, t.name) {
			continue // and rows with it: which ones, only the server knows
		}
		if err := f.sameRows(t, have, want); err != nil {
			return err
		}
		if err := f.kept(ctx, t, there, old, was, steps); err != nil {
			return err
		}
		if err := f.counts(ctx, t, there, old, was); err != nil {
			return err
		}
	}
	return nil
}

// kept holds a step to its risk: unless a step that is more than safe is about a table, each of its old rows is there with the values
// it had.
func (f *filler) kept(ctx context.Context, t, there, old *table, was before, steps []*plan.Step) error {
	if old == nil || len(was.rows[old]) == 0 {
		return nil
	}
	loose := map[*column]bool{}
	for _, s := range steps {
		if s.Risk == plan.Safe || !about(s, t.name) && !about(s, old.name) {
			continue
		}
		for _, c := range f.staying(old) {
			if s.Risk == plan.Destructive || f.newColumn[c].written != c.written || f.newColumn[c].charset != c.charset || f.newColumn[c].computed {
				loose[c] = true
			}
		}
	}
	staying := f.staying(old)
	var columns []*column
	for _, c := range staying {
		columns = append(columns, f.newColumn[c])
	}
	now, err := f.base.read(ctx, there.sql, columns)
	if err != nil {
		return err
	}
	held := map[string]int{}
	of := func(r []value, at []*column) string {
		var b strings.Builder
		for i, c := range staying {
			if !loose[c] && !c.stamps {
				b.WriteString(strconv.Quote(canonical(r[i], c, at[i])))
			}
		}
		return b.String()
	}
	for _, r := range now {
		held[of(r, columns)]++
	}
	for _, r := range was.rows[old] {
		if held[of(r, columns)]--; held[of(r, columns)] < 0 {
			var texts []string
			for i, c := range staying {
				texts = append(texts, c.name+" "+shown(r[i]))
			}
			return fmt.Errorf("table %s: a row is not there any more with the values that it had: %s", t.name, proof.Excerpt(strings.Join(texts, ", ")))
		}
	}
	return nil
}

// canonical gives a value in a form that a change of type without a loss keeps.
func canonical(v value, from, to *column) string {
	if !v.Valid {
		return null
	}
	if from.typ == to.typ && from.written == to.written {
		return "=" + v.String
	}
	switch from.typ {
	case "tinyint", "smallint", "mediumint", "int", "bigint", "decimal", "double", "year":
		if r, ok := new(big.Rat).SetString(v.String); ok {
			return r.RatString()
		}
	case "float":
		if n, err := strconv.ParseFloat(v.String, 64); err == nil {
			return strconv.FormatFloat(float64(float32(n)), 'g', 6, 32)
		}
	case "bit":
		return hex.EncodeToString([]byte(strings.TrimLeft(v.String, "\x00")))
	case "binary":
		return strings.TrimRight(v.String, "\x00")
	case "date", "datetime", "timestamp", "time":
		text := v.String
		if at := strings.IndexByte(text, '.'); at >= 0 {
			text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
		}
		return strings.TrimSuffix(text, " 00:00:00")
	}
	return v.String
}

// dropsPartition tells whether a plan drops a partition of a table.
func dropsPartition(steps []*plan.Step, table string) bool {
	for _, s := range steps {
		if s.Kind == "drop_partition" && strings.HasPrefix(s.Object, table+".") {
			return true
		}
	}
	return false
}

// sameRows compares the rows of a table with those that it should hold. A column whose values differ from run to run is passed over, and
// then what is computed is too: it may come from that one.
func (f *filler) sameRows(t *table, have, want [][]value) error {
	var names []string
	var compared []int
	volatile := slices.ContainsFunc(t.columns, f.isVolatile)
	for j, c := range t.columns {
		names = append(names, c.name)
		if !f.isVolatile(c) && !(volatile && c.computed) {
			compared = append(compared, j)
		}
	}
	return proof.SameRows(t.name, names, compared, have, want, shown)
}

func shown(v value) string {
	switch {
	case !v.Valid:
		return null
	case !utf8.ValidString(v.String) || strings.ContainsRune(v.String, 0):
		return proof.Excerpt("x'" + hex.EncodeToString([]byte(v.String)) + "'")
	}
	return proof.Excerpt(literal(v.String))
}

// isVolatile tells whether a column of the head holds, in rows that were there before, what is not the same from one run to the next,
// or what is not known.
func (f *filler) isVolatile(c *column) bool {
	if c.computed {
		return false
	}
	if old := f.oldColumn[c]; old != nil {
		return c.auto && !old.auto && !old.notNull || c.stamps && !old.stamps
	}
	return c.volatile || c.auto || c.notNull && !c.def.Valid && implied(c) == ""
}

// counts tells whether a table goes on counting where it was, and beyond what it holds.
func (f *filler) counts(ctx context.Context, t, there, old *table, was before) error {
	for _, c := range t.columns {
		if !c.auto {
			continue
		}
		rows, err := f.base.query(ctx, "SELECT MAX("+quote(c.name)+") FROM "+there.sql)
		if err != nil {
			return fmt.Errorf("reading %s on the scratch server: %w", t.name, err)
		}
		highest, _ := strconv.ParseUint(rows[0][0].String, 10, 64)
		if rows[0][0].Valid && there.next <= highest {
			return fmt.Errorf("table %s would give %d as the next %s, and holds %d already after the plan", t.name, there.next, c.name, highest)
		}
		if before := f.oldColumn[c]; old != nil && before != nil && before.auto && there.next < was.next[old] {
			return fmt.Errorf("table %s would give out numbers again: %d came next before the plan, and %d comes next after it", t.name, was.next[old], there.next)
		}
	}
	return nil
}

// raise takes every counter of the base beyond what its table holds, as if rows had been deleted.
func (f *filler) raise(ctx context.Context) error {
	for _, t := range f.from.all {
		if len(f.rows[t]) == 0 || !slices.ContainsFunc(t.columns, func(c *column) bool { return c.auto }) {
			continue
		}
		if err := f.base.exec(ctx, fmt.Sprintf("ALTER TABLE %s AUTO_INCREMENT = 101", t.sql)); err != nil && answerOf(err) == nil {
			return err
		}
	}
	return nil
}

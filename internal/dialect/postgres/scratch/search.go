package scratch

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/altergate/altergate/internal/proof/rows"
)

// search begins one for the i-th row of a table.
func (f *filler) search(ctx context.Context, t *table, i int) (*rows.Search, error) {
	s := rows.NewSearch(null, i)
	for j, c := range t.columns {
		if c.computed {
			continue
		}
		options, err := f.options(ctx, t, c, place{i, j})
		if err != nil {
			return nil, err
		}
		s.Column(c.name, options, rows.Nullable(!c.notNull))
	}
	nullable := func(name string) rows.Nullable {
		c := t.column(name)
		return rows.Nullable(c != nil && !c.notNull)
	}
	for _, l := range f.links(t) {
		rows.Reference(s, l, t, f.rows[l.Parent], nullable)
	}
	return s, nil
}

// options gives the values that a column may have in the i-th row, the best first.
func (f *filler) options(ctx context.Context, t *table, c *column, p place) ([]string, error) {
	options := f.from.samples(c.typ, c.written, p, 0)
	if c.sequence { // a large number would leave it none to give
		options = slices.DeleteFunc(options, func(v string) bool { return len(v) > 3 || strings.HasPrefix(v, "-") })
	}
	options = append(f.suggested(t, c, p), options...)
	if f.from.isTested(c.typ) {
		possible := options[:0]
		for _, o := range options {
			ok, err := f.possible(ctx, o, c.written)
			if err != nil {
				return nil, err
			}
			if ok {
				possible = append(possible, o)
			}
		}
		options = possible
	}
	return options, nil
}

// isTested tells whether it takes the server to say what is a value of the type.
func (ts *tables) isTested(t *typ) bool {
	return t.shouldTest && t.kind != "e" || t.elem != null && t.kind == "a" && ts.isTested(ts.typeOf(t.elem, ""))
}

// possible asks the server whether a value is one of a type.
func (f *filler) possible(ctx context.Context, value, typ string) (bool, error) {
	at := [2]string{value, typ}
	if ok, asked := f.known[at]; asked || value == null {
		return ok || value == null, nil
	}
	err := f.base.exec(ctx, "SELECT CAST("+literal(value)+" AS "+typ+")")
	if err != nil && answerOf(err) == nil {
		return false, err
	}
	f.known[at] = err == nil
	return err == nil, nil
}

// suggested gives the values that the table's own definition names: those of its checks, of the head's checks, and of the bounds of
// its partitions.
func (f *filler) suggested(t *table, c *column, p place) []string {
	var out []string
	out = append(out, rows.Rotated(t.bounds[c.name], p.row)...)
	text := f.from.isText(c.typ)
	for _, k := range t.keys {
		if k.kind == "c" && slices.Contains(k.columns, c.name) {
			out = append(out, mentioned(k.text, text, p)...)
		}
	}
	to, head := f.newTable[t], f.newColumn[c]
	if to == nil || head == nil {
		return out
	}
	if len(out) == 0 {
		out = append(out, rows.Rotated(to.bounds[head.name], p.row)...)
	}
	for _, k := range to.keys {
		same := func(o *key) bool { return o.kind == "c" && o.text == k.text }
		if k.kind == "c" && slices.Contains(k.columns, head.name) && !slices.ContainsFunc(t.keys, same) {
			out = append(out, mentioned(k.text, text, p)...)
		}
	}
	if head.typ.kind == "e" && c.typ.kind != "e" || head.typ.kind == "d" && c.typ.name != head.typ.name {
		out = append(out, f.to.samples(head.typ, head.written, p, 0)...)
	}
	if head.typ.kind == "e" && c.typ.kind == "e" { // a label that goes fits no more
		kept := slices.DeleteFunc(slices.Clone(c.typ.labels), func(l string) bool { return !slices.Contains(head.typ.labels, l) })
		out = append(out, rows.Rotated(kept, p.row)...)
	}
	return append(out, f.awaited(t, c)...)
}

// awaited gives the key values to which children refer by default: without such a row here, none of theirs fits.
func (f *filler) awaited(t *table, c *column) []string {
	var out []string
	to, head := f.newTable[t], f.newColumn[c]
	if to == nil || head == nil {
		return nil
	}
	for _, child := range f.to.all {
		for _, k := range child.keys {
			at := slices.Index(k.far, head.name)
			if k.kind != "f" || k.ref != to.oid || at < 0 || at >= len(k.columns) {
				continue
			}
			if by := child.column(k.columns[at]); by != nil && by.constant() && by.def != "" {
				out = append(out, literalsIn(by.def)...)
			}
		}
	}
	return out
}

// blamed gives the base's columns that a refusal is about, and whether they are known.
func (f *filler) blamed(t *table, side *tables, e *pgconn.PgError) ([]string, bool) {
	of := t
	if side == f.to {
		of = f.newTable[t]
	}
	var names []string
	k := of.key(e.ConstraintName)
	switch {
	case e.ConstraintName != "" && k != nil:
		names = k.columns
	case e.DataTypeName != "" && e.ConstraintName != "" || e.DataTypeName != "" && e.Code == "23502":
		for _, c := range of.columns {
			if c.typ.short() == e.DataTypeName {
				names = append(names, c.name)
			}
		}
	case e.ColumnName != "":
		names = []string{e.ColumnName}
	case e.Code == "23514" && len(of.bounds) > 0: // no partition takes the row
		names = keys(of.bounds)
	case strings.HasPrefix(e.Code, "22") && side == f.to:
		for _, c := range t.columns {
			if head := f.newColumn[c]; head != nil && head.written != c.written {
				names = append(names, head.name)
			}
		}
	}
	if side == f.to {
		before := len(names)
		names = f.oldColumns(t, names)
		return names, before > 0
	}
	return names, len(names) > 0
}

// casts are those to types with modifiers, which look like calls.
var casts = regexp.MustCompile(`::[a-z ]+\([\d,]+\)|numeric\([\d,]+\)`)

// call is where an expression calls a function, or asks the session for something; the last are read when the expression is run.
var call = regexp.MustCompile(`[\w"]\(|CURRENT_|LOCALTIME|SESSION_USER|\bUSER\b|'(?i:now|today|tomorrow|yesterday)'`)

// constant tells whether a column's default is the same for every row and at any time.
func (c *column) constant() bool {
	def := quotedText.ReplaceAllStringFunc(c.def, func(text string) string {
		if call.MatchString(text) && !strings.ContainsAny(text, "(") {
			return text
		}
		return "''"
	})
	return !c.identity && !call.MatchString(casts.ReplaceAllString(def, ""))
}

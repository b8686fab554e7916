package scratch

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-sql-driver/mysql"

	"github.com/altergate/altergate/internal/proof/rows"
)

// search begins one for the i-th row of a table.
func (f *filler) search(t *table, i int) *rows.Search {
	s := rows.NewSearch(null, i)
	for j, c := range t.columns {
		if c.computed {
			continue
		}
		options := append(f.suggested(t, c, place{i, j}), samples(c, place{i, j})...)
		s.Column(c.name, options, rows.Nullable(!c.notNull))
	}
	nullable := func(name string) rows.Nullable {
		c := t.column(name)
		return rows.Nullable(c != nil && !c.notNull)
	}
	for _, l := range f.links(t) {
		rows.Reference(s, l, t, f.rows[l.Parent], nullable)
	}
	return s
}

// suggested gives the values that the table's own definition names: those of its checks, of the head's checks, and of the bounds of
// its partitions.
func (f *filler) suggested(t *table, c *column, p place) []string {
	var out []string
	out = append(out, within(t, c, p)...)
	out = append(out, fromChecks(t, c, c, p)...)
	to, head := f.newTable[t], f.newColumn[c]
	if to == nil || head == nil || f.strict {
		return out
	}
	if len(out) == 0 {
		out = append(out, within(to, head, p)...)
	}
	if head.typ != c.typ || head.written != c.written { // a value that the head's column takes as well
		for _, v := range fromChecks(to, head, c, p) {
			if !slices.Contains(out, v) {
				out = append(out, v)
			}
		}
		if len(head.members) > 0 {
			kept := slices.DeleteFunc(slices.Clone(c.members), func(m string) bool { return !slices.Contains(head.members, m) })
			if len(c.members) == 0 {
				kept = head.members
			}
			out = append(out, literals(rows.Rotated(kept, p.row))...)
		}
		if c.charset != "" && head.charset == "" && len(head.members) == 0 {
			out = append(out, asText(samples(head, p))...)
		}
		return out
	}
	return append(out, fromChecks(to, head, c, p)...)
}

// asText gives numbers and dates as texts.
func asText(values []string) []string {
	var out []string
	for _, v := range values {
		if !strings.HasPrefix(v, "'") && !strings.ContainsAny(v, "('") {
			v = literal(v)
		}
		out = append(out, v)
	}
	return out
}

// fromChecks gives values that checks mention, in the form of a column.
func fromChecks(t *table, about, c *column, p place) []string {
	var out []string
	for _, k := range t.checks {
		switch {
		case !slices.Contains(t.namedIn(k.text), about.name):
		case strings.Contains(strings.ToLower(k.text), "json_valid"):
			out = append(out, documents(p.number())...)
		default:
			out = append(out, mentioned(k.text, c, p)...)
		}
	}
	return out
}

// within gives values by which a row finds a partition.
func within(t *table, c *column, p place) []string {
	var out []string
	for _, b := range t.bounds {
		at := slices.Index(b.columns, c.name)
		if at < 0 {
			continue
		}
		for _, v := range rows.Rotated(b.values, p.row) {
			parts := split(tokens(v, mode{}))
			if !b.list && at < len(parts) && len(parts) == len(b.columns) {
				parts = parts[at : at+1]
			}
			for _, part := range parts {
				if len(part) > 0 {
					out = append(out, inside(c, b, v[part[0].from:part[len(part)-1].to])...)
				}
			}
		}
	}
	return out
}

// inside gives values at a bound: on it for a list, below it for a range.
func inside(c *column, b bound, value string) []string {
	expr := strings.ToLower(b.expr)
	n, err := strconv.Atoi(value)
	dated := c.typ == "date" || c.typ == "datetime" || c.typ == "timestamp"
	if err == nil && !b.list {
		n--
	}
	switch {
	case strings.EqualFold(value, "maxvalue"), strings.Contains(value, "("):
		return nil
	case err != nil && b.list:
		return []string{value}
	case err != nil && dated:
		return []string{"DATE_SUB(" + value + ", INTERVAL 1 DAY)"}
	case err != nil:
		return nil
	case dated && strings.Contains(expr, "to_days"):
		return []string{fmt.Sprintf("FROM_DAYS(%d)", n)}
	case dated && strings.Contains(expr, "unix_timestamp"):
		return []string{fmt.Sprintf("FROM_UNIXTIME(%d)", n)}
	case dated && strings.Contains(expr, "year"):
		return []string{fmt.Sprintf("'%04d-06-15'", n)}
	case dated && strings.Contains(expr, "month"):
		return []string{fmt.Sprintf("'2024-%02d-15'", max(1, min(n, 12)))}
	}
	return []string{strconv.Itoa(n)}
}

var (
	forKey        = regexp.MustCompile(`for key '(?:.*\.)?([^']+)'`)
	ofConstraint  = regexp.MustCompile("CONSTRAINT `([^`]+)`|constraint '([^']+)'")
	forColumn     = regexp.MustCompile("olumn (?:'([^']+)'|(?:`[^`]*`\\.)*`([^`]+)`)")
	fieldOfNoneIn = regexp.MustCompile(`Field '([^']+)'`)
)

// blamed gives the base's columns that a refusal is about; none where that is not known.
func (f *filler) blamed(t *table, side *tables, e *mysql.MySQLError) []string {
	of := t
	if side == f.to {
		of = f.newTable[t]
	}
	var names []string
	switch e.Number {
	case 1062, 1586:
		if m := forKey.FindStringSubmatch(e.Message); m != nil {
			for _, k := range of.keys {
				if strings.EqualFold(k.name, m[1]) {
					names = k.columns
				}
			}
		}
	case 1452, 1216:
		if m := ofConstraint.FindStringSubmatch(e.Message); m != nil {
			for _, r := range of.references {
				if strings.EqualFold(r.name, m[1]) {
					names = r.columns
				}
			}
		}
	case 4025, 3819:
		if m := ofConstraint.FindStringSubmatch(e.Message); m != nil {
			names = of.checked(m[1] + m[2])
		}
	case 1526, 1748, 1493:
		for _, b := range of.bounds {
			names = append(names, b.columns...)
		}
	default:
		if m := forColumn.FindStringSubmatch(e.Message); m != nil {
			names = []string{m[1] + m[2]}
		} else if m := fieldOfNoneIn.FindStringSubmatch(e.Message); m != nil {
			names = []string{m[1]}
		}
	}
	names = of.sources(names)
	if side == f.to {
		return f.oldColumns(t, names)
	}
	return names
}

// checked gives the columns that a check names. One that stands with its column is called after its table and that column.
func (t *table) checked(name string) []string {
	for _, c := range t.checks {
		if strings.EqualFold(c.name, name) || c.column != "" && strings.HasSuffix(strings.ToLower(name), "."+strings.ToLower(c.column)) {
			return t.namedIn(c.text)
		}
	}
	return nil
}

// sources gives all columns for those that are computed: it is not known from which.
func (t *table) sources(names []string) []string {
	for _, name := range names {
		if c := t.column(name); c == nil || c.computed {
			return nil
		}
	}
	return names
}

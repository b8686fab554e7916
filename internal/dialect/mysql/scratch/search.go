package scratch

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-sql-driver/mysql"
)

// row is one row of a table: expressions by column.
type row map[string]string

// search goes through the combinations of values for one row.
type search struct {
	choices []*choice
	tried   map[string]int // how often some columns were blamed
}

// choice is what one column, or the columns of one foreign key, may hold.
type choice struct {
	columns  []string
	options  [][]string // each with a value for every column
	at, from int
}

// own stands for the row's own value of another column: a row may refer to itself.
const own = "\x00="

// search begins one for the i-th row of a table.
func (f *filler) search(t *table, i int) *search {
	s := &search{tried: map[string]int{}}
	for j, c := range t.columns {
		if c.computed {
			continue
		}
		one := &choice{columns: []string{c.name}}
		for _, o := range f.options(t, c, place{i, j}) {
			one.options = append(one.options, []string{o})
		}
		s.choices = append(s.choices, one)
	}
	for _, r := range f.references(t) {
		if c := f.referring(t, r, i); len(c.options) > 0 {
			s.choices = append(s.choices, c)
		}
	}
	return s
}

// options gives the values that a column may have in the i-th row, the best first.
func (f *filler) options(t *table, c *column, p place) []string {
	options := append(f.suggested(t, c, p), samples(c, p)...)
	switch {
	case c.notNull:
	case p.row == 1:
		options = append([]string{null}, options...)
	default:
		options = append(options, null)
	}
	if len(options) == 0 {
		options = []string{null}
	}
	return options
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
			out = append(out, literals(rotated(kept, p.row))...)
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
		for _, v := range rotated(b.values, p.row) {
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

// referring lets the columns of a foreign key have the values that its parent's rows have, or those of the row itself.
func (f *filler) referring(t *table, r link, i int) *choice {
	c := &choice{columns: r.columns}
	for n := range f.rows[r.parent] {
		parent := f.rows[r.parent][(i+n)%len(f.rows[r.parent])]
		var values []string
		for _, far := range r.far {
			v, ok := parent[far]
			if !ok {
				v = null // computed
			}
			values = append(values, v)
		}
		c.options = append(c.options, values)
	}
	if r.parent == t {
		var itself []string
		for _, far := range r.far {
			itself = append(itself, own+far)
		}
		c.options = append(c.options, itself)
	}
	nothing := make([]string, len(r.columns))
	nullable := false
	for n, name := range r.columns {
		nothing[n] = own + name // as it would be without the foreign key
		if column := t.column(name); column != nil && !column.notNull {
			nothing[n], nullable = null, true
		}
	}
	switch {
	case !nullable:
	case i == 1:
		c.options = append([][]string{nothing}, c.options...)
	default:
		c.options = append(c.options, nothing)
	}
	return c
}

// values gives the row that is tried now.
func (s *search) values() row {
	out := row{}
	for _, c := range s.choices {
		for n, v := range c.options[c.at] {
			if name, ok := strings.CutPrefix(v, own); ok {
				v = out[name]
			}
			out[c.columns[n]] = v
		}
	}
	return out
}

// next goes on to other values of the columns that are to blame; of all, where that is not known. It tells whether there are any.
func (s *search) next(blamed []string) bool {
	known := len(blamed) > 0
	var turn []*choice
	seen := map[string]bool{}
	for _, c := range slices.Backward(s.choices) { // a foreign key decides over what its columns hold
		touches := !known || slices.ContainsFunc(c.columns, func(name string) bool { return slices.Contains(blamed, name) })
		hidden := !slices.ContainsFunc(c.columns, func(name string) bool { return !seen[name] })
		if touches && !hidden && len(c.options) > 1 {
			turn = append(turn, c)
		}
		for _, name := range c.columns {
			seen[name] = true
		}
	}
	slices.Reverse(turn)
	at := strings.Join(blamed, "\n")
	if s.tried[at] == 0 {
		for _, c := range turn {
			c.from = c.at
		}
	}
	s.tried[at]++
	k := s.tried[at]
	longest := 1
	for j, c := range turn {
		n := len(c.options)
		c.at = (c.from + k*(2*j+1) + k/n) % n
		longest = min(longest*min(n, attempts), attempts)
	}
	if len(turn) == 1 {
		c := turn[0]
		c.at = (c.from + k) % len(c.options)
		return k < len(c.options) || len(s.tried) > 1 && k < attempts
	}
	return len(turn) > 0 && k <= 2*longest
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

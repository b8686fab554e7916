package rows

import (
	"slices"
	"strings"
)

// Search goes through the combinations of values for one row.
type Search struct {
	null    string
	row     int
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

// NewSearch begins one for a table's row of a number, where null stands for NULL.
func NewSearch(null string, row int) *Search {
	return &Search{null: null, row: row, tried: map[string]int{}}
}

// Nullable says whether a column takes NULL.
type Nullable bool

// Column lets a column have values, the best first, and NULL if it takes that.
func (s *Search) Column(name string, values []string, nullable Nullable) {
	c := &choice{columns: []string{name}}
	for _, v := range values {
		c.options = append(c.options, []string{v})
	}
	if nullable || len(values) == 0 {
		s.orNull(c, []string{s.null})
	}
	s.choices = append(s.choices, c)
}

// orNull adds NULL to what may be had. The second row has it wherever it may stand.
func (s *Search) orNull(c *choice, nothing []string) {
	if s.row == 1 {
		c.options = append([][]string{nothing}, c.options...)
	} else {
		c.options = append(c.options, nothing)
	}
}

// Reference lets the columns of a foreign key have the values that the parent's rows have, or those of the row itself. It decides over what
// columns hold that were told before it.
func Reference[T comparable](s *Search, l Link[T], of T, parents []Row, nullable func(column string) Nullable) {
	c := &choice{columns: l.Columns}
	for n := range parents {
		parent := parents[(s.row+n)%len(parents)]
		var values []string
		for _, far := range l.Far {
			v, ok := parent[far]
			if !ok {
				v = s.null // computed
			}
			values = append(values, v)
		}
		c.options = append(c.options, values)
	}
	if l.Parent == of {
		var itself []string
		for _, far := range l.Far {
			itself = append(itself, own+far)
		}
		c.options = append(c.options, itself)
	}
	nothing := make([]string, len(l.Columns))
	some := false
	for n, name := range l.Columns {
		nothing[n] = own + name // as it would be without the foreign key
		if nullable(name) {
			nothing[n], some = s.null, true
		}
	}
	if some {
		s.orNull(c, nothing)
	}
	if len(c.options) > 0 {
		s.choices = append(s.choices, c)
	}
}

// Values gives the row that is tried now.
func (s *Search) Values() Row {
	out := Row{}
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

// Next goes on to other values of the columns that are to blame; of all, where that is not known. It tells whether there are any.
func (s *Search) Next(blamed []string, known bool) bool {
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
		longest = min(longest*min(n, Attempts), Attempts)
	}
	if len(turn) == 1 {
		c := turn[0]
		c.at = (c.from + k) % len(c.options)
		return k < len(c.options) || len(s.tried) > 1 && k < Attempts
	}
	return len(turn) > 0 && k <= 2*longest
}

// Strike takes out of the search what the row holds now and what is no value of its column. It tells whether there was any, and whether the
// search can go on.
func (s *Search) Strike(possible func(column, value string) (bool, error)) (found, goesOn bool, err error) {
	now, goesOn := s.Values(), true
	for _, c := range s.choices {
		name := c.columns[0]
		if len(c.columns) > 1 || c.options[c.at][0] != now[name] {
			continue
		}
		ok, err := possible(name, now[name])
		if err != nil {
			return false, false, err
		}
		if !ok {
			found = true
			c.options = slices.Delete(c.options, c.at, c.at+1)
			goesOn = goesOn && len(c.options) > 0
			c.at, c.from = 0, 0
		}
	}
	return found, goesOn, nil
}

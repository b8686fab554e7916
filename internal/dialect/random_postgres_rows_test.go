package dialect_test

import (
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/plan"
)

// sqlKept is a table whose rows a plan must not change, with what was in it before.
type sqlKept struct {
	table  string // by its name in the head
	query  string // of the columns by their names in the head
	fills  []bool // which of them may get a value where they had none
	before [][]string
}

// keeping reads the rows that the plan must keep: of each table that is in both, the columns that are in both. What the plan says it
// destroys is left out.
func (p *sqlPair) keeping(made *plan.Plan) ([]sqlKept, error) {
	from, err := p.server.filled.stored()
	if err != nil {
		return nil, err
	}
	to := p.headColumns
	destroyed := map[string]bool{}
	for _, s := range made.Steps {
		for _, th := range p.to.all("composite") {
			if p.to.report(th) == s.Object { // with another attribute, a value is written in another way
				destroyed[strings.TrimPrefix(p.to.ref(th), "public.")] = true
			}
		}
		if s.Risk == plan.Destructive {
			destroyed[s.Object] = true
			for _, part := range p.from.all("partition") {
				if parent := p.to.find(part.on); parent != nil && p.from.report(part) == s.Object {
					destroyed[p.to.report(parent)] = true
				}
			}
		}
	}
	var out []sqlKept
	for _, name := range sortedNames(to) {
		old := p.wasTable(name)
		if from[old] == nil || destroyed[name] {
			continue
		}
		k := sqlKept{table: name}
		var before, after []string
		for _, c := range sortedNames(to[name].columns) {
			was := from[old].columns[p.wasColumn(name, c)]
			is := to[name].columns[c]
			if was.typ == "" || is.computed || destroyed[name+"."+c] || destroyed[p.parentOf(name)+"."+c] || destroyed[strings.TrimSuffix(is.typ, "[]")] {
				continue
			}
			before, after = append(before, sqlQuote(p.wasColumn(name, c))+"::text"), append(after, sqlQuote(c)+"::text")
			k.fills = append(k.fills, is.notNull && !was.notNull)
			// Another type writes the same value in another way; turned back, it has to be what it was.
			if builtIn := slices.ContainsFunc(sqlTypes, func(t sqlType) bool { return t.name == was.typ }); builtIn && was.typ != is.typ {
				after[len(after)-1] = sqlQuote(c) + "::" + was.typ + "::text"
			}
		}
		if len(before) == 0 {
			continue
		}
		k.query = "SELECT " + strings.Join(after, ", ") + " FROM " + given(!to[name].partitioned, "ONLY ") + to[name].sql
		if k.before, err = p.server.filled.rows("SELECT " + strings.Join(before, ", ") + " FROM " + given(!from[old].partitioned, "ONLY ") + from[old].sql); err != nil {
			return nil, err
		}
		p.counts["rows"] += len(k.before)
		out = append(out, k)
	}
	return out, nil
}

// parentOf gives the table of the head that another one inherits from.
func (p *sqlPair) parentOf(table string) string {
	for _, th := range p.to.all("table") {
		if parent := (&thing{text: th.flags["inherits"]}).mentions(); len(parent) == 1 && p.to.report(th) == table {
			return p.to.report(p.to.find(parent[0]))
		}
	}
	return ""
}

// sqlStored is a table with the columns that hold values.
type sqlStored struct {
	sql         string
	partitioned bool
	columns     map[string]sqlColumn
}

type sqlColumn struct {
	typ               string
	notNull, computed bool
}

// stored lists the tables by the names that reports give them.
func (d *sqlDatabase) stored() (map[string]*sqlStored, error) {
	rows, err := d.rows("SELECT n.nspname, c.relname, c.relkind, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull OR t.typnotnull, a.attgenerated <> '' " +
		"FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped JOIN pg_type t ON t.oid = a.atttypid " +
		"WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'")
	out := map[string]*sqlStored{}
	w := &sqlWorld{}
	for _, r := range rows {
		th := &thing{kind: "table", name: r[1]}
		if r[0] != "public" {
			w.next++
			th.schema = w.next
			w.things = append(w.things, &thing{id: w.next, kind: "schema", name: r[0]})
		}
		name := w.report(th)
		if out[name] == nil {
			out[name] = &sqlStored{sql: w.ref(th), partitioned: r[2] == "p", columns: map[string]sqlColumn{}}
		}
		out[name].columns[r[3]] = sqlColumn{r[4], r[5] == "t", r[6] == "t"}
	}
	return out, err
}

func sortedNames[V any](m map[string]V) []string {
	var names []string
	for k := range m {
		names = append(names, k)
	}
	slices.Sort(names)
	return names
}

func (p *sqlPair) wasTable(name string) string {
	for _, h := range p.hints {
		if h.Table == "" && h.To == name {
			return h.From
		}
	}
	return name
}

// wasColumn does so for a column; "" = the base had none that became it.
func (p *sqlPair) wasColumn(table, name string) string {
	for _, h := range p.hints {
		if h.Table == table && h.To == name {
			return h.From
		}
	}
	for _, h := range p.hints {
		if h.Table == table && h.From == name {
			return ""
		}
	}
	return name
}

// compareKept holds rows against what they were.
func (p *sqlPair) compareKept(kept []sqlKept) error {
	for _, k := range kept {
		after, err := p.server.filled.rows(k.query)
		if err != nil {
			return err
		}
		left := slices.Clone(after)
		slices.SortStableFunc(k.before, func(a, b []string) int { return k.filled(a) - k.filled(b) }) // those that can be only one first
		for _, row := range k.before {
			i := slices.IndexFunc(left, func(other []string) bool { return k.same(row, other) })
			if i < 0 {
				return failed("values were lost", "in %s %q is not there any more\n%s\nnow there is %q", k.table, row, k.query, after)
			}
			left = slices.Delete(left, i, i+1)
		}
		if len(left) > 0 {
			return failed("rows came", "into %s: %q", k.table, left)
		}
	}
	return nil
}

// filled counts the values of a row that the plan may fill in.
func (k sqlKept) filled(row []string) int {
	n := 0
	for i, fills := range k.fills {
		if fills && row[i] == "∅" {
			n++
		}
	}
	return n
}

func (k sqlKept) same(before, after []string) bool {
	for i := range before {
		if before[i] != after[i] && !(k.fills[i] && before[i] == "∅") {
			return false
		}
	}
	return true
}

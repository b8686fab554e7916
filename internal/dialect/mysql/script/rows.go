package script

import (
	"slices"
	"strings"
)

// Rows is what a statement that writes or removes rows says.
type Rows struct {
	Verb    string // insert, replace, update, delete
	Tables  []RowTable
	Targets []Target // tables that it names as those that are written; of an update, columns
	Columns []Ident  // that an insert names; of an update, those that are set, each with its table's name if that is written
	All     bool     // no condition and no limit leaves rows out
	Upsert  bool     // ON DUPLICATE KEY UPDATE
	Ignore  bool
	Widths  []Width    // of an insert: how many values each of the rows has that are written out; those that are as wide as the one before are left out
	Select  *RowSelect // of an insert: it takes all rows of one table, each once; nil = it does not
}

// Width is how many values a row has.
type Width struct{ Values, At int }

// Target is a table that is written, as it is named at that place: by its name or its alias.
type Target struct {
	Ident
	At int
}

// RowTable is a table that rows are written to or read from.
type RowTable struct {
	Ident
	Alias string
	At    int // where its name begins
}

// RowSelect is a query that gives every row of one table once.
type RowSelect struct {
	From  RowTable
	Items []RowItem
}

// RowItem is one expression of such a query.
type RowItem struct {
	Star   bool   // all columns, in their order
	Column string // as it stands; empty = it is computed
}

// ReadRows reads INSERT, REPLACE, UPDATE, DELETE and LOAD DATA, and what WITH puts before them; nil for all others, and for what it does not
// understand.
func ReadRows(sql string) *Rows {
	r := reading(sql, 0)
	if r.take("WITH") && !r.commonTables() {
		return nil
	}
	switch r.upper() {
	case "INSERT", "REPLACE":
		return r.insert()
	case "UPDATE":
		return r.update()
	case "DELETE":
		return r.delete()
	case "LOAD":
		return r.load()
	}
	return nil
}

// commonTables goes past what WITH declares.
func (r *reader) commonTables() bool {
	r.take("RECURSIVE")
	for {
		if _, ok := r.ident(); !ok {
			return false
		}
		if r.is("(") && !r.parens() {
			return false
		}
		if !r.take("AS") || !r.parens() {
			return false
		}
		if !r.take(",") {
			return true
		}
	}
}

// modifiers goes past words that say how a statement is to run.
func (rows *Rows) modifiers(r *reader) {
	for r.in("LOW_PRIORITY", "HIGH_PRIORITY", "DELAYED", "QUICK", "IGNORE") {
		rows.Ignore = rows.Ignore || r.is("IGNORE")
		r.step()
	}
}

func (r *reader) partitions() { // PARTITION (a, b)
	if r.take("PARTITION") {
		r.parens()
	}
}

func (r *reader) insert() *Rows {
	rows := &Rows{Verb: strings.ToLower(r.step().Text(r.src))}
	rows.modifiers(r)
	r.take("INTO")
	at := r.tok.Start
	id, ok := r.ident()
	if !ok {
		return nil
	}
	rows.Tables = []RowTable{{Ident: id, At: at}}
	r.partitions()
	if was := *r; r.take("(") {
		if r.in("SELECT", "WITH", "TABLE", "VALUES", "(") {
			*r = was
		} else if rows.Columns, ok = r.columnList(); !ok {
			return nil
		}
	}
	if r.take("SET") {
		if !r.assignments(rows) {
			return nil
		}
	}
	query := *r
	if r.take("VALUES") || r.take("VALUE") {
		rows.Widths = r.widths()
	}
	for depth := 0; r.tok.Kind != End && r.tok.Kind != Illegal; r.step() {
		switch {
		case r.is("("):
			depth++
		case r.is(")"):
			depth--
		case depth == 0 && r.take("ON", "DUPLICATE", "KEY"):
			rows.Upsert = true
		}
	}
	if !rows.Upsert && !rows.Ignore && rows.Verb == "insert" {
		rows.Select = query.wholeTable()
	}
	return rows
}

// widths reads rows of values.
func (r *reader) widths() []Width {
	var all []Width
	for {
		w := Width{At: r.tok.Start}
		r.take("ROW")
		if !r.take("(") {
			return all
		}
		if !r.is(")") {
			w.Values = 1
		}
		for depth := 0; depth > 0 || !r.is(")"); r.step() {
			switch {
			case r.tok.Kind == End, r.tok.Kind == Illegal:
				return all
			case r.is("("):
				depth++
			case r.is(")"):
				depth--
			case depth == 0 && r.is(","):
				w.Values++
			}
		}
		r.step()
		if len(all) == 0 || all[len(all)-1].Values != w.Values {
			all = append(all, w)
		}
		if !r.take(",") {
			return all
		}
	}
}

// columnList reads names up to a closing parenthesis.
func (r *reader) columnList() ([]Ident, bool) {
	list := []Ident{}
	for !r.take(")") {
		id, ok := r.column()
		if !ok {
			return nil, false
		}
		list = append(list, id)
		if !r.is(")") && !r.take(",") {
			return nil, false
		}
	}
	return list, true
}

// column reads the name of a column; what stands before its point is taken for its table.
func (r *reader) column() (Ident, bool) {
	id, ok := r.ident()
	for ok && r.take(".") {
		var next Ident
		next, ok = r.ident()
		id = Ident{Database: id.Name, Name: next.Name}
	}
	return id, ok
}

// assignments reads a = …, b = …, up to what follows them.
func (r *reader) assignments(rows *Rows) bool {
	for {
		id, ok := r.column()
		if !ok || !(r.take("=") || r.take(":", "=")) {
			return false
		}
		rows.Columns = append(rows.Columns, id)
		for depth := 0; r.tok.Kind != End; r.step() {
			if r.tok.Kind == Illegal {
				return false
			}
			if r.is("(") {
				depth++
			}
			if r.is(")") {
				depth--
			}
			if depth == 0 && (r.in(",", "WHERE", "LIMIT", "RETURNING") || r.is("ORDER") || r.is("ON") || r.is("AS")) {
				break
			}
		}
		if !r.take(",") {
			return true
		}
	}
}

func (r *reader) update() *Rows {
	rows := &Rows{Verb: "update"}
	r.step()
	rows.modifiers(r)
	bound, ok := r.tableReferences(rows)
	if !ok || !r.take("SET") || !r.assignments(rows) {
		return nil
	}
	rows.All = !bound && !r.bounded()
	return rows
}

func (r *reader) delete() *Rows {
	rows := &Rows{Verb: "delete"}
	r.step()
	rows.modifiers(r)
	r.take("HISTORY")
	from := r.take("FROM")
	was := *r
	for { // the tables whose rows go
		at := r.tok.Start
		id, ok := r.star()
		if !ok {
			id, ok = r.ident()
		}
		if !ok {
			return nil
		}
		rows.Targets = append(rows.Targets, Target{id, at})
		if !r.take(",") {
			break
		}
	}
	if from && !r.take("USING") { // one table, as in a SELECT
		*r = was
		rows.Targets = nil
	} else if !from && !r.take("FROM") {
		return nil
	}
	bound, ok := r.tableReferences(rows)
	if !ok {
		return nil
	}
	rows.All = !bound && !r.bounded()
	return rows
}

func (r *reader) load() *Rows {
	r.step()
	if !r.in("DATA", "XML") {
		return nil
	}
	rows := &Rows{Verb: "insert"}
	for ; !r.is("INTO"); r.step() {
		if r.tok.Kind == End || r.tok.Kind == Illegal {
			return nil
		}
		if r.is("REPLACE") {
			rows.Verb = "replace"
		}
	}
	if !r.take("INTO", "TABLE") {
		return nil
	}
	at := r.tok.Start
	id, ok := r.ident()
	if !ok {
		return nil
	}
	rows.Tables = []RowTable{{Ident: id, At: at}}
	return rows
}

// joins are words that go on in a list of tables, and what may follow it.
var joins = []string{"JOIN", "INNER", "CROSS", "LEFT", "RIGHT", "NATURAL", "STRAIGHT_JOIN", "FULL"}

var afterTables = append([]string{"SET", "WHERE", "ORDER", "LIMIT", "ON", "USING", "USE", "FORCE", "IGNORE", "PARTITION", "RETURNING", "FOR", "GROUP", "HAVING", "UNION", "EXCEPT",
	"INTERSECT", "WINDOW", "PROCEDURE", "INTO", "LOCK", "TABLESAMPLE"}, joins...)

// tableReferences reads the tables of an UPDATE, a DELETE or a SELECT. It tells whether a join leaves rows out.
func (r *reader) tableReferences(rows *Rows) (bound, ok bool) {
	for left := false; ; {
		at := r.tok.Start
		switch {
		case r.is("("):
			inside := *r
			inside.step()
			if !inside.in("SELECT", "WITH", "VALUES", "TABLE", "(") { // tables in parentheses
				if b, ok := inside.tableReferences(rows); !ok || !inside.is(")") {
					return false, false
				} else if b {
					bound = true
				}
			}
			if !r.parens() {
				return false, false
			}
			r.alias()
			if r.is("(") && !r.parens() {
				return false, false
			}
		default:
			id, ok := r.ident()
			if !ok {
				return false, false
			}
			if r.is("(") && !r.parens() { // JSON_TABLE(…)
				return false, false
			}
			r.partitions()
			rows.Tables = append(rows.Tables, RowTable{Ident: id, Alias: r.alias(), At: at})
		}
		for r.in("USE", "FORCE", "IGNORE") {
			for !r.is("(") && r.tok.Kind != End {
				r.step()
			}
			if !r.parens() {
				return false, false
			}
		}
		if r.take("ON") {
			bound = bound || !left
			for depth := 0; r.tok.Kind != End && (depth > 0 || !r.is(",") && !r.is(")") && !r.in(afterTables...)); r.step() {
				if r.is("(") {
					depth++
				}
				if r.is(")") {
					depth--
				}
			}
		} else if r.take("USING") {
			bound = bound || !left
			if !r.parens() {
				return false, false
			}
		}
		left = false
		if !r.take(",") && !r.in(joins...) {
			return bound, true
		}
		for r.in(joins...) || r.is("OUTER") {
			left = left || r.is("LEFT") || r.is("RIGHT") || r.is("FULL")
			bound = bound || r.is("NATURAL")
			r.step()
		}
	}
}

// alias reads the other name of a table.
func (r *reader) alias() string {
	if !r.take("AS") && (r.tok.Kind != Word && r.tok.Kind != QuotedName || r.tok.Kind == Word && r.in(afterTables...)) {
		return ""
	}
	if r.tok.Kind != Word && r.tok.Kind != QuotedName && r.tok.Kind != String {
		return ""
	}
	return r.step().Name(r.src)
}

// bounded tells whether WHERE or LIMIT leave rows out. A condition that every row meets is none.
func (r *reader) bounded() bool {
	if r.is("WHERE") {
		var said []string
		r.step()
		for r.tok.Kind != End && !r.in("ORDER", "LIMIT", "RETURNING") {
			said = append(said, strings.ToUpper(r.step().Text(r.src)))
		}
		if !slices.Contains([]string{"1", "TRUE", "1=1", "(1=1)", "(1)", "TRUE=TRUE", "'1'='1'"}, strings.Join(said, "")) {
			return true
		}
	}
	for ; r.tok.Kind != End; r.step() {
		if r.is("LIMIT") {
			return true
		}
	}
	return false
}

// aggregates make one row of many.
var aggregates = map[string]bool{"COUNT": true, "SUM": true, "MIN": true, "MAX": true, "AVG": true, "GROUP_CONCAT": true, "BIT_AND": true, "BIT_OR": true, "BIT_XOR": true, "STD": true,
	"STDDEV": true, "STDDEV_POP": true, "STDDEV_SAMP": true, "VAR_POP": true, "VAR_SAMP": true, "VARIANCE": true, "ANY_VALUE": true, "JSON_ARRAYAGG": true, "JSON_OBJECTAGG": true,
	"ST_COLLECT": true, "MEDIAN": true}

// wholeTable reads a query that gives every row of one table once; nil for all others.
func (r *reader) wholeTable() *RowSelect {
	closes := 0
	for r.take("(") {
		closes++
	}
	s := &RowSelect{}
	if r.take("TABLE") {
		s.Items = []RowItem{{Star: true}}
		return s.from(r, closes)
	}
	if !r.take("SELECT") {
		return nil
	}
	for r.in("ALL", "HIGH_PRIORITY", "SQL_NO_CACHE", "SQL_CACHE", "SQL_BIG_RESULT", "SQL_SMALL_RESULT", "SQL_BUFFER_RESULT", "STRAIGHT_JOIN") {
		r.step()
	}
	if r.in("DISTINCT", "DISTINCTROW") {
		return nil
	}
	var qualifiers []string
	for {
		item, qualifier, ok := r.item()
		if !ok {
			return nil
		}
		s.Items = append(s.Items, item)
		qualifiers = append(qualifiers, qualifier)
		if !r.take(",") {
			break
		}
	}
	if !r.take("FROM") || s.from(r, closes) == nil {
		return nil
	}
	for _, q := range qualifiers {
		if name := s.From.Name; q != "" && !strings.EqualFold(q, name) && !strings.EqualFold(q, s.From.Alias) {
			return nil
		}
	}
	return s
}

// item reads one expression of a query, with what stands before its column's point.
func (r *reader) item() (item RowItem, qualifier string, ok bool) {
	was := *r
	if r.take("*") {
		return RowItem{Star: true}, "", r.in(",", "FROM")
	}
	if id, ok := r.star(); ok {
		return RowItem{Star: true}, id.Name, r.in(",", "FROM")
	}
	if id, named := r.column(); named && !r.is("(") {
		if constantWords[strings.ToUpper(was.tok.Text(r.src))] && was.tok.Kind == Word {
			id = Ident{}
		}
		alias := *r
		if !alias.in(",", "FROM") {
			alias.alias()
		}
		if alias.in(",", "FROM") {
			*r = alias
			return RowItem{Column: id.Name}, id.Database, true
		}
	}
	*r = was
	for depth := 0; r.tok.Kind != End && (depth > 0 || !r.in(",", "FROM")); {
		t := r.step()
		switch {
		case t.Kind == Illegal:
			return item, "", false
		case t.Kind == Word && r.is("(") && aggregates[strings.ToUpper(t.Text(r.src))], t.Is(r.src, "INTO"), t.Is(r.src, "DISTINCT"), t.Is(r.src, "DISTINCTROW"), t.Is(r.src, "UNION"):
			return item, "", false
		case t.Is(r.src, "("):
			depth++
		case t.Is(r.src, ")"):
			depth--
		}
		if depth < 0 {
			return item, "", false
		}
	}
	return item, "", true
}

// star reads t.* or d.t.*, and stays where it is at anything else.
func (r *reader) star() (Ident, bool) {
	was := *r
	var id Ident
	for r.tok.Kind == Word || r.tok.Kind == QuotedName {
		id = Ident{Database: id.Name, Name: r.step().Name(r.src)}
		if !r.take(".") {
			break
		}
		if r.take("*") {
			return id, true
		}
	}
	*r = was
	return Ident{}, false
}

// constantWords look like columns and are none.
var constantWords = map[string]bool{"NULL": true, "TRUE": true, "FALSE": true, "CURRENT_TIMESTAMP": true, "CURRENT_DATE": true, "CURRENT_TIME": true, "CURRENT_USER": true, "DEFAULT": true,
	"LOCALTIME": true, "LOCALTIMESTAMP": true, "UTC_DATE": true, "UTC_TIME": true, "UTC_TIMESTAMP": true}

// from reads the one table of a query, behind which nothing may follow but an order.
func (s *RowSelect) from(r *reader, closes int) *RowSelect {
	s.From.At = r.tok.Start
	id, ok := r.ident()
	if !ok || strings.EqualFold(id.Name, "DUAL") && id.Database == "" {
		return nil
	}
	s.From.Ident, s.From.Alias = id, r.alias()
	if r.take("ORDER", "BY") {
		for depth := 0; r.tok.Kind != End && (depth > 0 || !r.is(")")) && !r.in("LIMIT", "FOR", "UNION", "INTO", "OFFSET"); r.step() {
			if r.is("(") {
				depth++
			}
			if r.is(")") {
				depth--
			}
		}
	}
	for ; closes > 0; closes-- {
		if !r.take(")") {
			return nil
		}
	}
	if r.tok.Kind != End {
		return nil
	}
	return s
}

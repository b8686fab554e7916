package dialect_test

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"sort"
	"strings"
	"testing"

	_ "modernc.org/sqlite"
	"pgregory.net/rapid"

	"github.com/altergate/altergate/internal/dialect"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/source"
)

// TestRandomPairs plans from random bases to random heads and holds every plan to its word on an engine of the test's own, with
// rows that know nothing of the head: a plan that runs leads to the head and keeps the values, one that is all safe runs, and
// one that fails does so because of the data and leaves everything as it was. The plans are made without the product's own
// proof, so that the planner is tested and not the net below it. -rapid.checks sets how many pairs are tried.
func TestRandomPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := drawWorld(t)
		head := base.clone()
		var hints []diff.Hint
		for n := range rapid.IntRange(0, 4).Draw(t, "mutations") {
			hints = append(hints, head.mutate(t, n)...)
		}
		base.repair()
		head.repair()
		p := &pair{T: t, base: base.statements(), head: head.statements(), hints: hints}
		p.check()
	})
}

// pair is a base and a head under test.
type pair struct {
	*rapid.T
	base, head []string
	hints      []diff.Hint
}

func (p *pair) check() {
	from, ok := open(p.base)
	if !ok {
		p.Skip("the base is no schema")
	}
	defer from.Close()
	to, ok := open(p.head)
	if !ok {
		p.Skip("the head is no schema")
	}
	defer to.Close()
	answer := review(p.base, p.head, p.hints)
	for _, e := range answer.Errors {
		if e.Kind == schema.KindProof || e.Kind == schema.KindInternal || e.Kind == schema.KindSyntax {
			p.Fatalf("no plan: %s\n%s", e, p.show(nil))
		}
	}
	if answer.Plan == nil {
		return // refused, with a reason
	}
	p.sameShuffled(answer.Plan)
	p.fill(from)
	p.run(from, to, answer.Plan)
}

// run applies the plan and compares.
func (p *pair) run(from, to *sql.DB, made *plan.Plan) {
	kept := p.keeping(from, to, made)
	before := everything(p, from)
	exec(p, from, "PRAGMA foreign_keys = ON")
	for _, s := range made.Steps {
		for _, stmt := range s.Statements() {
			if _, err := from.Exec(stmt); err != nil {
				p.failed(from, made, stmt, err, before)
				return
			}
		}
	}
	if got, want := catalog(p, from), catalog(p, to); !slices.Equal(got, want) {
		p.Fatalf("the plan does not lead to the head\ngot  %s\nwant %s\n%s", strings.Join(got, "\n     "), strings.Join(want, "\n     "), p.show(made))
	}
	for _, k := range kept {
		if got := values(p, from, k.now); !slices.Equal(got, k.values) {
			p.Fatalf("values were lost: %s\nbefore %v\nafter  %v\n%s", k.now, k.values, got, p.show(made))
		}
	}
	if again := review(dump(p, from), p.head, nil); again.Plan == nil || len(again.Plan.Steps) > 0 {
		p.Fatalf("a second plan is not empty: %v %s", again.Errors, p.show(made))
	}
}

// failed looks at a plan that stopped.
func (p *pair) failed(db *sql.DB, made *plan.Plan, stmt string, err error, before []string) {
	data := strings.Contains(err.Error(), "constraint failed") || strings.Contains(err.Error(), "cannot store") || strings.Contains(err.Error(), "datatype mismatch")
	if !data || made.Risk() == plan.Safe {
		p.Fatalf("the plan (%s) fails: %v\nin %s\n%s", made.Risk(), err, stmt, p.show(made))
	}
	db.Exec("ROLLBACK")
	if after := everything(p, db); !slices.Equal(before, after) {
		p.Fatalf("a plan that failed left something behind\n%s", p.show(made))
	}
}

// kept is a query over columns that the plan must not change, with the rows it gave before.
type kept struct {
	now    string
	values []string
}

// keeping makes a query for each table that stays, over the columns that are on both sides with the same type.
func (p *pair) keeping(from, to *sql.DB, made *plan.Plan) []kept {
	var out []kept
	for _, name := range texts(p, to, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'") {
		old := p.was("", name)
		var before, after []string
		oldColumns := columns(p, from, old)
		for c, kind := range columns(p, to, name) {
			was := p.was(name, c)
			if oldKind, ok := oldColumns[was]; ok && oldKind == kind {
				before, after = append(before, "quote("+q(was)+")"), append(after, "quote("+q(c)+")")
			}
		}
		if len(before) == 0 {
			continue
		}
		order := make([]int, len(after))
		for i := range order {
			order[i] = i
		}
		sort.Slice(order, func(i, j int) bool { return after[order[i]] < after[order[j]] })
		b, a := make([]string, len(order)), make([]string, len(order))
		for i, o := range order {
			b[i], a[i] = before[o], after[o]
		}
		out = append(out, kept{"SELECT " + strings.Join(a, " || ',' || ") + " FROM " + q(name), values(p, from, "SELECT "+strings.Join(b, " || ',' || ")+" FROM "+q(old))})
	}
	return out
}

// was gives the base's name of a table or column of the head.
func (p *pair) was(table, name string) string {
	for i := len(p.hints) - 1; i >= 0; i-- {
		if h := p.hints[i]; h.Table == table && h.To == name {
			return h.From
		}
	}
	return name
}

// columns gives the columns that hold values, by name: their types, and whether a NULL could be filled by a plan.
func columns(t *pair, db *sql.DB, table string) map[string]string {
	out := map[string]string{}
	// ANY holds other values in a STRICT table than elsewhere, so there it is another type.
	rows, err := db.Query(`SELECT c.name, c.type || ' ' || c."notnull" || ' ' || (c.pk > 0) || ' ' || iif(c.type = 'ANY', l.strict, 0)
		FROM pragma_table_list(?1) AS l JOIN pragma_table_xinfo(?1) AS c WHERE c.hidden = 0 AND l.schema = 'main'`, table)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var name, kind string
		if err := rows.Scan(&name, &kind); err != nil {
			t.Fatal(err)
		}
		out[name] = kind
	}
	return out
}

// fill puts rows of simple values into every table; those that do not fit are left out.
func (p *pair) fill(db *sql.DB) {
	for range 2 {
		for _, name := range texts(p, db, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name") {
			var names []string
			for c := range columns(p, db, name) {
				names = append(names, q(c))
			}
			sort.Strings(names)
			for range 2 {
				var vs []string
				for range names {
					vs = append(vs, pick(p.T, []string{"1", "2", "3", "'x'", "'007'", "NULL", "x'01'", "2.5", "'A'", "'a'"}, "value"))
				}
				if len(names) > 0 {
					db.Exec("INSERT INTO " + q(name) + " (" + strings.Join(names, ", ") + ") VALUES (" + strings.Join(vs, ", ") + ")")
				}
			}
		}
	}
}

// sameShuffled makes the plan again from statements in another order.
func (p *pair) sameShuffled(made *plan.Plan) {
	again := review(reversed(p.base), reversed(p.head), p.hints)
	if again.Plan == nil {
		p.Fatalf("no plan when declarations stand in another order: %v\n%s", again.Errors, p.show(made))
	}
	if a, b := script(made), script(again.Plan); a != b {
		p.Fatalf("another plan when declarations stand in another order:\n%s\n---\n%s", a, b)
	}
}

func reversed(statements []string) []string {
	out := slices.Clone(statements)
	slices.Reverse(out)
	return out
}

func review(base, head []string, hints []diff.Hint) dialect.Answer {
	text := func(statements []string) dialect.Text {
		return dialect.Text{Files: []*source.File{{Path: "schema.sql", Text: strings.Join(statements, ";\n") + ";\n"}}}
	}
	return dialect.All["sqlite"](context.Background(), dialect.Question{Name: "main", Base: text(base), Head: text(head), Hints: hints, Renames: diff.Allow})
}

func script(made *plan.Plan) string {
	var b strings.Builder
	for _, s := range made.Steps {
		fmt.Fprintf(&b, "/* %s %s %s */\n%s;\n", s.Risk, s.Kind, s.Object, strings.Join(s.Statements(), ";\n"))
	}
	return b.String()
}

func (p *pair) show(made *plan.Plan) string {
	text := fmt.Sprintf("base:\n%s;\nhead:\n%s;\nhints: %v\n", strings.Join(p.base, ";\n"), strings.Join(p.head, ";\n"), p.hints)
	if made != nil {
		text += "plan:\n" + script(made)
	}
	return text
}

// open makes a database; what SQLite refuses is no schema.
func open(statements []string) (*sql.DB, bool) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		panic(err)
	}
	db.SetMaxOpenConns(1)
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			db.Close()
			return nil, false
		}
	}
	return db, true
}

func exec(p *pair, db *sql.DB, stmt string) {
	if _, err := db.Exec(stmt); err != nil {
		p.Fatal(err)
	}
}

func texts(p *pair, db *sql.DB, query string) []string {
	rows, err := db.Query(query)
	if err != nil {
		p.Fatalf("%v in %s", err, query)
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			p.Fatalf("%v in %s", err, query)
		}
		out = append(out, s)
	}
	return out
}

func values(p *pair, db *sql.DB, query string) []string {
	out := texts(p, db, query)
	sort.Strings(out)
	return out
}

// catalog lists what the engine itself says of a database, in words of the test's own.
func catalog(p *pair, db *sql.DB) []string {
	out := texts(p, db, `SELECT type || ' ' || name || ' on ' || tbl_name FROM sqlite_schema WHERE name NOT LIKE 'sqlite%'`)
	out = append(out, texts(p, db, `SELECT t.name || ': ' || c.name || ' ' || c.type || ' ' || c."notnull" || ' ' || coalesce(c.dflt_value, '-') || ' ' || c.pk || ' ' || c.hidden
		FROM sqlite_schema AS t JOIN pragma_table_xinfo(t.name) AS c WHERE t.type IN ('table', 'view') AND t.name NOT LIKE 'sqlite%'`)...)
	out = append(out, texts(p, db, `SELECT name || ' strict ' || strict || ' wr ' || wr FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite%'`)...)
	out = append(out, texts(p, db, `SELECT t.name || ' -> ' || f."table" || ' ' || f."from" || ' ' || f.on_delete FROM sqlite_schema AS t JOIN pragma_foreign_key_list(t.name) AS f`)...)
	out = append(out, texts(p, db, `SELECT t.name || ' index ' || (SELECT group_concat(coalesce(x.name, '?') || ' ' || x.coll) FROM pragma_index_xinfo(i.name) AS x WHERE x.key) || ' ' || i."unique" || ' ' || i.origin || ' ' || i.partial
		FROM sqlite_schema AS t JOIN pragma_index_list(t.name) AS i WHERE t.type = 'table'`)...)
	for i, s := range out {
		out[i] = strings.NewReplacer(`"`, "'").Replace(s)
	}
	sort.Strings(out)
	return out
}

// everything dumps catalog and rows.
func everything(p *pair, db *sql.DB) []string {
	out := texts(p, db, "SELECT coalesce(sql, name) FROM sqlite_schema")
	for _, name := range texts(p, db, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'") {
		for c := range columns(p, db, name) {
			out = append(out, values(p, db, "SELECT quote("+q(c)+") FROM "+q(name))...)
		}
	}
	sort.Strings(out)
	return out
}

func dump(p *pair, db *sql.DB) []string {
	return texts(p, db, "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%' ORDER BY rowid")
}

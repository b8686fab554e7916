package pipeline_test

import (
	"database/sql"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	command "os/exec"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/gitdiff"
	"github.com/altergate/altergate/internal/pipeline"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/policy"
	"github.com/altergate/altergate/internal/proof"
)

// historyCommits is how many times the schema file of the test repository is changed.
const historyCommits = 200

// TestHistory walks the history of a repository, commit by commit, as pull requests would have gone: both sides read from git,
// every plan proved. Each plan is also run on one database that lives through it all with rows in its tables, and that has to be
// what each commit declares.
func TestHistory(t *testing.T) {
	texts := writeHistory(historyCommits)
	repo, commits := historyRepository(t, texts)
	living := historyDatabase(t, texts[0])
	seen := map[string]bool{}
	for i := 1; i < len(commits); i++ {
		base, head := historyTree(t, repo, commits[i-1]), historyTree(t, repo, commits[i])
		p := historyPlan(t, base, head)
		if p == nil {
			t.Fatalf("from commit %d to the next\n%s\n---\n%s", i, texts[i-1], texts[i])
		}
		rebuilt := map[string]bool{}
		before := contents(t, living)
		for _, s := range p.Steps {
			seen[s.Kind] = true
			if s.Kind == "rebuild_table" && rebuilt[s.Object] {
				t.Errorf("commit %d: table %s is rebuilt twice", i, s.Object)
			}
			rebuilt[s.Object] = s.Kind == "rebuild_table"
			for _, statement := range s.Statements() {
				if strings.Contains(statement, "DROP COLUMN") {
					t.Errorf("commit %d: a column is dropped in place: %s", i, statement)
				}
				exec(t, living, statement)
			}
		}
		if d := cmp.Diff(survivors(before, p), contents(t, living)); d != "" {
			t.Fatalf("commit %d: rows (-before +after the plan):\n%s", i, d)
		}
		if d := cmp.Diff(catalog(t, historyDatabase(t, texts[i])), catalog(t, living)); d != "" {
			t.Fatalf("commit %d: the living database (-declared +migrated):\n%s", i, d)
		}
		historyRows(t, living, i)
	}
	for _, kind := range []string{"create_table", "drop_table", "rename_table", "rename_column", "add_column", "rebuild_table",
		"create_index", "drop_index", "create_view", "drop_view", "create_trigger", "drop_trigger"} {
		if !seen[kind] {
			t.Errorf("the history makes no step %s", kind)
		}
	}
}

// historyPlan reviews two trees; nil when there is no proved plan.
func historyPlan(t *testing.T, base, head fs.FS) *plan.Plan {
	t.Helper()
	const path = "db/schema.sql"
	target := pipeline.Target{Name: "main", Dialect: "sqlite", Base: pipeline.Place{FS: base, Path: path}, Head: pipeline.Place{FS: head, Path: path}}
	r := pipeline.Run(t.Context(), policy.Default(), []pipeline.Target{target}, pipeline.Options{}).Results[0]
	if r.Plan == nil {
		t.Errorf("no answer:\n%s", errorText(r.Errors))
		return nil
	}
	if e := r.Proof.Engine; r.Proof.Replay != proof.Proved || e == nil || e.Result != proof.Proved || e.Rows == 0 || len(e.Empty) > 0 {
		t.Errorf("the plan is not proved with rows in every table: %+v %+v", r.Proof, e)
		return nil
	}
	return r.Plan
}

// historyRepository makes a repository with one commit for each text.
func historyRepository(t *testing.T, texts []string) (*gitdiff.Repo, []gitdiff.Commit) {
	t.Helper()
	dir := t.TempDir()
	var stream strings.Builder
	for i, text := range texts {
		fmt.Fprintf(&stream, "commit refs/heads/main\ncommitter Ann <ann@example.com> %d +0000\ndata 6\nchange\nM 100644 inline db/schema.sql\ndata %d\n%s\n", 1700000000+i, len(text), text)
	}
	git := func(stdin string, args ...string) string {
		cmd := command.Command("git", args...)
		cmd.Dir, cmd.Stdin = dir, strings.NewReader(stdin)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	git("", "init", "--quiet", "--initial-branch=main")
	git(stream.String(), "fast-import", "--quiet")
	repo, err := gitdiff.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { repo.Close() })
	var commits []gitdiff.Commit
	for _, id := range strings.Fields(git("", "rev-list", "--reverse", "main")) {
		commits = append(commits, gitdiff.Commit(id))
	}
	if len(commits) != len(texts) {
		t.Fatalf("the repository has %d commits, not %d", len(commits), len(texts))
	}
	return repo, commits
}

func historyTree(t *testing.T, repo *gitdiff.Repo, c gitdiff.Commit) fs.FS {
	t.Helper()
	tree, err := repo.FS(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// historyDatabase makes a database from a text, in which every statement stands behind what it needs.
func historyDatabase(t *testing.T, text string) *sql.Conn {
	t.Helper()
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	exec(t, conn, text+";PRAGMA foreign_keys = ON")
	return conn
}

// historyRows puts a row of values that no other row has into every table that has few.
func historyRows(t *testing.T, db *sql.Conn, n int) {
	t.Helper()
	for _, table := range query(t, db, `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'`) {
		if len(query(t, db, "SELECT 1 FROM "+table)) >= 5 {
			continue
		}
		var names, values []string
		for _, c := range query(t, db, "SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0 AND pk = 0 AND name NOT LIKE 'ref%'", table) {
			names, values = append(names, c), append(values, fmt.Sprintf("'%s %d'", c, n))
		}
		if len(names) == 0 {
			exec(t, db, "INSERT INTO "+table+" DEFAULT VALUES")
			continue
		}
		exec(t, db, fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s)", table, strings.Join(names, ", "), strings.Join(values, ", ")))
	}
}

// TestShards reads a schema of many tables, which SQLite is given in parts, and the same once more with statements that force all
// of it into one database: they are the same schema, and the plan for a change is the same.
func TestShards(t *testing.T) {
	var text strings.Builder
	for i := range 100 {
		fmt.Fprintf(&text, "CREATE TABLE t%02d (id INTEGER PRIMARY KEY, a TEXT, ref INTEGER REFERENCES t%02d (id) ON DELETE CASCADE);\n", i, (i+57)%100)
		fmt.Fprintf(&text, "CREATE INDEX i%02d ON t%02d (a);\nCREATE VIEW v%02d AS SELECT x.id, y.a FROM t%02d AS x JOIN t%02d AS y ON x.id = y.ref;\n", i, i, i, i, (i+43)%100)
		fmt.Fprintf(&text, "CREATE TRIGGER g%02d AFTER INSERT ON t%02d BEGIN UPDATE t%02d SET a = new.a; END;\n", i, i, (i+31)%100)
	}
	parts := fstest.MapFS{"db/schema.sql": {Data: []byte(text.String())}}
	whole := fstest.MapFS{"db/schema.sql": {Data: []byte("CREATE TABLE scratch (a);\nDROP TABLE scratch;\n" + text.String())}}
	changed := fstest.MapFS{"db/schema.sql": {Data: []byte(strings.Replace(text.String(), "id INTEGER PRIMARY KEY, a TEXT", "id INTEGER PRIMARY KEY, a VARCHAR(9), b TEXT", 1))}}
	for name, trees := range map[string][2]fs.FS{"parts to whole": {parts, whole}, "whole to parts": {whole, parts}} {
		if p := historyPlan(t, trees[0], trees[1]); p == nil || len(p.Steps) > 0 {
			t.Errorf("%s: the same schema makes steps:\n%s", name, planText(p))
		}
	}
	a, b := historyPlan(t, parts, changed), historyPlan(t, whole, changed)
	if a == nil || b == nil {
		return
	}
	if d := cmp.Diff(planSQL(a), planSQL(b)); d != "" || len(a.Steps) == 0 {
		t.Errorf("the plan (-from parts +from the whole):\n%s", d)
	}
}

// history is a schema that changes. Names are never used twice, so that every hint stays true.
type history struct {
	*rand.Rand
	commit   int // of the change being made
	named    int
	tables   []*historyTable
	views    []*historyView
	triggers []*historyTrigger
}

// was is an old name and the commit that gave the new one, which can give no other.
type was struct {
	name   string
	commit int
}

type historyTable struct {
	name    string
	was     was
	auto    bool
	check   bool
	columns []*historyColumn
	indexes []*historyIndex
}

type historyColumn struct {
	name, kind, deflt string
	was               was
	notNull           bool
	upper             *historyColumn // whose value it computes
	parent            *historyTable
}

type historyIndex struct {
	name    string
	columns []*historyColumn
	partial bool
}

type historyView struct {
	name    string
	on      *historyTable
	over    *historyView // instead of a table
	columns []*historyColumn
}

type historyTrigger struct {
	name   string
	on     *historyTable
	view   *historyView
	column *historyColumn // of on
	into   *historyTable
	text   *historyColumn // of into
}

// writeHistory gives the texts of a schema file, one for each commit.
func writeHistory(commits int) []string {
	h := &history{Rand: rand.New(rand.NewPCG(2024, 1))}
	for range 4 {
		h.addTable()
	}
	texts := []string{h.text()}
	changes := []func(){h.addTable, h.dropTable, h.renameTable, h.addColumn, h.addColumn, h.dropColumn, h.dropColumn, h.renameColumn, h.alterColumn, h.alterColumn,
		h.addReference, h.toggleCheck, h.addIndex, h.dropIndex, h.addView, h.changeView, h.dropView, h.addTrigger, h.dropTrigger}
	for h.commit = 1; len(texts) < commits; {
		h.forget()
		for range 1 + h.IntN(3) {
			changes[h.IntN(len(changes))]()
		}
		if text := h.text(); text != texts[len(texts)-1] {
			texts = append(texts, text)
			h.commit++
		}
	}
	return texts
}

func (h *history) name(prefix string) string {
	h.named++
	return fmt.Sprintf("%s_%d", prefix, h.named)
}

// forget removes some of the hints that have been merged; others stay, as they do in real repositories.
func (h *history) forget() {
	for _, t := range h.tables {
		if h.IntN(3) == 0 {
			t.was.name = ""
		}
		for _, c := range t.columns {
			if h.IntN(3) == 0 {
				c.was.name = ""
			}
		}
	}
}

func (h *history) addTable() {
	if len(h.tables) < 12 {
		h.tables = append(h.tables, &historyTable{name: h.name("item"), was: was{commit: h.commit}, auto: h.IntN(3) == 0, columns: []*historyColumn{h.column(), h.column()}})
	}
}

func (h *history) column() *historyColumn {
	c := &historyColumn{name: h.name("field"), kind: h.kind(), was: was{commit: h.commit}}
	if h.IntN(2) == 0 {
		c.deflt, c.notNull = fmt.Sprintf("'value %d'", h.named), h.IntN(2) == 0
	}
	return c
}

func (h *history) kind() string {
	return []string{"TEXT", "VARCHAR(20)", "BLOB", "INTEGER", "NUMERIC", "REAL"}[h.IntN(6)]
}

func (h *history) table() *historyTable { return h.tables[h.IntN(len(h.tables))] }

// plain gives a column that stores a value of its own.
func (h *history) plain(t *historyTable) *historyColumn {
	for range 10 {
		if c := t.columns[h.IntN(len(t.columns))]; c.upper == nil && c.parent == nil {
			return c
		}
	}
	return t.columns[0] // a table's first column is plain and stays
}

func (h *history) dropTable() {
	t := h.table()
	for _, other := range h.tables {
		for _, c := range other.columns {
			if c.parent == t && other != t {
				return
			}
		}
	}
	used := slices.ContainsFunc(h.views, func(v *historyView) bool { return v.on == t }) ||
		slices.ContainsFunc(h.triggers, func(g *historyTrigger) bool { return g.on == t || g.into == t })
	if !used && len(h.tables) > 3 {
		h.tables = without(h.tables, t)
	}
}

func without[T comparable](list []T, x T) []T {
	return slices.DeleteFunc(slices.Clone(list), func(y T) bool { return x == y })
}

func (h *history) renameTable() {
	if t := h.table(); t.was.commit < h.commit {
		t.was = was{t.name, h.commit}
		t.name = h.name("item")
	}
}

func (h *history) renameColumn() {
	t := h.table()
	if c := t.columns[h.IntN(len(t.columns))]; c.was.commit < h.commit && c.parent == nil {
		c.was = was{c.name, h.commit}
		c.name = h.name("field")
	}
}

func (h *history) addColumn() {
	t := h.table()
	c := h.column()
	if h.IntN(4) == 0 {
		c.upper, c.deflt, c.notNull = h.plain(t), "", false
	}
	t.columns = append(t.columns, c)
}

func (h *history) addReference() {
	t := h.table()
	c := &historyColumn{name: h.name("ref"), kind: "INTEGER", was: was{commit: h.commit}, parent: h.table()}
	t.columns = append(t.columns, c)
}

func (h *history) dropColumn() {
	t := h.table()
	c := t.columns[h.IntN(len(t.columns))]
	used := c == t.columns[0] ||
		slices.ContainsFunc(t.columns, func(x *historyColumn) bool { return x.upper == c }) ||
		slices.ContainsFunc(t.indexes, func(i *historyIndex) bool { return slices.Contains(i.columns, c) }) ||
		slices.ContainsFunc(h.views, func(v *historyView) bool { return slices.Contains(v.columns, c) }) ||
		slices.ContainsFunc(h.triggers, func(g *historyTrigger) bool { return g.column == c || g.text == c })
	if !used {
		t.columns = without(t.columns, c)
	}
}

func (h *history) alterColumn() {
	switch c := h.plain(h.table()); h.IntN(3) {
	case 0:
		c.kind = h.kind()
	case 1:
		c.deflt = fmt.Sprintf("'other %d'", h.commit)
	default:
		c.deflt, c.notNull = fmt.Sprintf("'filled %d'", h.commit), !c.notNull
	}
}

func (h *history) toggleCheck() {
	t := h.table()
	t.check = !t.check
}

func (h *history) addIndex() {
	t := h.table()
	t.indexes = append(t.indexes, &historyIndex{name: h.name("index"), columns: []*historyColumn{t.columns[h.IntN(len(t.columns))]}, partial: h.IntN(2) == 0})
}

func (h *history) dropIndex() {
	if t := h.table(); len(t.indexes) > 0 {
		t.indexes = t.indexes[1:]
	}
}

func (h *history) addView() {
	v := &historyView{name: h.name("view")}
	if len(h.views) > 0 && h.IntN(3) == 0 {
		v.over = h.views[h.IntN(len(h.views))]
	} else {
		v.on = h.table()
		v.columns = []*historyColumn{v.on.columns[h.IntN(len(v.on.columns))]}
	}
	h.views = append(h.views, v)
}

func (h *history) changeView() {
	if len(h.views) == 0 {
		return
	}
	if v := h.views[h.IntN(len(h.views))]; v.on != nil {
		if c := h.plain(v.on); !slices.Contains(v.columns, c) {
			v.columns = append(v.columns, c)
		}
	}
}

func (h *history) dropView() {
	if len(h.views) == 0 {
		return
	}
	v := h.views[h.IntN(len(h.views))]
	if !slices.ContainsFunc(h.views, func(x *historyView) bool { return x.over == v }) && !slices.ContainsFunc(h.triggers, func(g *historyTrigger) bool { return g.view == v }) {
		h.views = without(h.views, v)
	}
}

func (h *history) addTrigger() {
	g := &historyTrigger{name: h.name("trigger"), into: h.tables[0]}
	g.text = h.plain(g.into)
	if g.text.notNull {
		return
	}
	if len(h.views) > 0 && h.IntN(3) == 0 {
		g.view = h.views[h.IntN(len(h.views))]
	} else {
		g.on = h.table()
		g.column = g.on.columns[h.IntN(len(g.on.columns))]
	}
	h.triggers = append(h.triggers, g)
}

func (h *history) dropTrigger() {
	if len(h.triggers) > 0 {
		h.triggers = h.triggers[1:]
	}
}

// text writes the schema file. Now and then the tables stand in another order, which changes nothing.
func (h *history) text() string {
	var b strings.Builder
	tables := slices.Clone(h.tables)
	if h.commit%5 == 0 {
		slices.Reverse(tables)
	}
	for _, t := range tables {
		t.write(&b)
	}
	for _, v := range h.views {
		if v.over != nil {
			fmt.Fprintf(&b, "CREATE VIEW %s AS SELECT id FROM %s;\n", v.name, v.over.name)
			continue
		}
		fmt.Fprintf(&b, "CREATE VIEW %s AS SELECT id, %s FROM %s;\n", v.name, columnNames(v.columns), v.on.name)
	}
	for _, g := range h.triggers {
		if g.view != nil {
			fmt.Fprintf(&b, "CREATE TRIGGER %s INSTEAD OF DELETE ON %s BEGIN\n  UPDATE %s SET %s = old.id;\nEND;\n", g.name, g.view.name, g.into.name, g.text.name)
			continue
		}
		fmt.Fprintf(&b, "CREATE TRIGGER %s AFTER UPDATE ON %s BEGIN\n  UPDATE %s SET %s = new.%s;\nEND;\n", g.name, g.on.name, g.into.name, g.text.name, g.column.name)
	}
	return b.String()
}

func columnNames(columns []*historyColumn) string {
	var names []string
	for _, c := range columns {
		names = append(names, c.name)
	}
	return strings.Join(names, ", ")
}

func (t *historyTable) write(b *strings.Builder) {
	if t.was.name != "" {
		fmt.Fprintf(b, "-- @renamed from=%s\n", t.was.name)
	}
	fmt.Fprintf(b, "CREATE TABLE %s (\n  id INTEGER PRIMARY KEY", t.name)
	if t.auto {
		b.WriteString(" AUTOINCREMENT")
	}
	hint := ""
	for _, c := range t.columns {
		fmt.Fprintf(b, ",%s\n  %s", hint, c.definition())
		if hint = ""; c.was.name != "" {
			hint = " -- @renamed from=" + c.was.name
		}
	}
	if t.check {
		fmt.Fprintf(b, ",%s\n  CONSTRAINT numbered CHECK (%s.id > 0)", hint, t.name)
		hint = ""
	}
	fmt.Fprintf(b, "%s\n);\n", hint)
	for _, i := range t.indexes {
		fmt.Fprintf(b, "CREATE INDEX %s ON %s (%s)", i.name, t.name, columnNames(i.columns))
		if i.partial {
			b.WriteString(" WHERE " + i.columns[0].name + " IS NOT NULL")
		}
		b.WriteString(";\n")
	}
}

func (c *historyColumn) definition() string {
	text := c.name + " " + c.kind
	if c.upper != nil {
		return text + " AS (upper(" + c.upper.name + "))"
	}
	if c.notNull {
		text += " NOT NULL"
	}
	if c.deflt != "" {
		text += " DEFAULT " + c.deflt
	}
	if c.parent != nil {
		text += " REFERENCES " + c.parent.name + " (id) ON DELETE SET NULL"
	}
	return text
}

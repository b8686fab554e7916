package sqlite

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/source"
)

// seeds are schemas that reach the corners of the grammar; the golden cases are seeds too.
var seeds = []string{
	"CREATE TABLE t (a INTEGER PRIMARY KEY DESC, b TEXT COLLATE \"nocase\" DEFAULT \"x\", c GENERATED ALWAYS AS (b || 'y') STORED UNIQUE) STRICT, WITHOUT ROWID;",
	"CREATE TABLE [a b](`x``y` \"my type\"(1, -2) CONSTRAINT n NOT NULL ON CONFLICT IGNORE, CHECK(\"x`y\" <> \"z\") CONSTRAINT u UNIQUE(\"x`y\" COLLATE rtrim DESC));",
	"CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (a REFERENCES p ON DELETE SET NULL ON UPDATE CASCADE MATCH FULL NOT DEFERRABLE INITIALLY DEFERRED, FOREIGN KEY (a) REFERENCES p(id) DEFERRABLE INITIALLY DEFERRED);",
	"CREATE TABLE t (a, b, c, PRIMARY KEY (a, b DESC) ON CONFLICT REPLACE, UNIQUE (c), CHECK (t.a IN (1, 2))); CREATE UNIQUE INDEX i ON t (lower(a), b COLLATE nocase DESC) WHERE c IS NOT NULL;",
	"CREATE TABLE t (a INT DEFAULT -1, b DEFAULT +2.5e3, c DEFAULT (1 + 2), d DEFAULT CURRENT_TIMESTAMP, e DEFAULT x'00', f DEFAULT word, g DEFAULT NULL, h DEFAULT TRUE);",
	"CREATE TABLE t(a); CREATE VIEW v(x) AS WITH c AS (SELECT a FROM t) SELECT * FROM c; CREATE TRIGGER g INSTEAD OF INSERT ON v WHEN NEW.x > 0 BEGIN INSERT INTO t VALUES (CASE NEW.x WHEN 1 THEN 2 END); SELECT 1; END;",
	"CREATE VIRTUAL TABLE f USING fts5(a, b, tokenize=\"unicode61 remove_diacritics 2\"); CREATE VIRTUAL TABLE g USING fts3(a, tokenize=porter);",
	"BEGIN; PRAGMA foreign_keys=OFF; CREATE TABLE IF NOT EXISTS main.t(a /* x */ -- y\n); INSERT INTO t VALUES (1); ALTER TABLE t ADD COLUMN b; ALTER TABLE t RENAME a TO c; COMMIT;",
	"CREATE TABLE t AS SELECT 1 AS a, 'x' AS b;", "CREATE TABLE t (a, b -- @renamed from=c\n);", "-- atlas:renamed_from s\nCREATE TABLE t (a);",
	"CREATE TABLE t (", "CREATE TRIGGER x AFTER INSERT ON t BEGIN SELECT 1;", "'", "/*", "{{ if }}", "\x00", "CREATE TABLE t(a) STRICT WITHOUT",
}

// FuzzRead reads arbitrary text. Nothing may panic, and of what SQLite takes, the model has to say what SQLite's own pragmas say.
func FuzzRead(f *testing.F) {
	for _, s := range append(caseFiles(f), seeds...) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<16 {
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		l, err := Read(ctx, []*source.File{{Path: "schema.sql", Text: text}}, nil)
		if err != nil {
			if len(schema.Errors(err)) == 0 {
				t.Fatalf("an error that says nothing: %v", err)
			}
			return
		}
		agrees(t, l)
	})
}

// FuzzDiff plans from one text to another: whatever comes out has to pass its own replay.
func FuzzDiff(f *testing.F) {
	all := append(caseFiles(f), seeds...)
	step := 1
	if testing.Short() {
		step = 10 // under the race detector the engine is slow
	}
	for i := 0; i < len(all); i += step {
		f.Add(all[i], all[(i+1)%len(all)])
		f.Add(all[i], all[i])
	}
	f.Fuzz(func(t *testing.T, base, head string) {
		if len(base)+len(head) > 1<<15 {
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		planned(ctx, t, base, head)
	})
}

// planned makes a plan between two texts, if both can be read, and replays it.
func planned(ctx context.Context, t *testing.T, base, head string) {
	from, err := Read(ctx, []*source.File{{Path: "base.sql", Text: base}}, nil)
	if err != nil {
		return
	}
	to, err := Read(ctx, []*source.File{{Path: "head.sql", Text: head}}, nil)
	if err != nil {
		return
	}
	p, _, err := Dialect{}.Planner(ctx, from, from, to, plan.Options{})
	if err != nil {
		return
	}
	steps, _, err := p.Steps(inputOf(from, to))
	if err != nil {
		return
	}
	if base == head && len(steps) > 0 {
		t.Fatalf("steps where nothing changed: %v", steps[0].SQL)
	}
	if err := Replay(from, from, to, steps); err != nil {
		t.Fatalf("the plan does not replay: %v\nbase: %s\nhead: %s", err, base, head)
	}
}

// agrees holds the model against what SQLite says of the same schema.
func agrees(t *testing.T, l *Loaded) {
	t.Helper()
	ctx := context.Background()
	e, err := l.open(ctx)
	if err != nil {
		t.Fatalf("the catalog does not make the schema again: %v", err)
	}
	defer e.close()
	for _, table := range l.Schema.Tables {
		rows, err := e.query(ctx, "SELECT name, type, \"notnull\", dflt_value IS NOT NULL, pk, hidden FROM pragma_table_xinfo("+literal(table.Name)+")")
		if err != nil {
			t.Fatal(err)
		}
		var got, want []string
		for _, r := range rows {
			want = append(want, strings.ToLower(fmt.Sprint(r[0], "|", collapse(r[1]), "|", r[2], "|", r[3], "|", r[5])))
		}
		for _, c := range table.Columns {
			hidden := 0
			if c.Generated != nil {
				hidden = map[bool]int{false: 2, true: 3}[c.Generated.Stored]
			}
			notNull := c.NotNull || (c.Required && table.HasOption(withoutRowid))
			if table.HasOption(strict) && c.Required && c != rowidAlias(table) {
				notNull = true
			}
			got = append(got, strings.ToLower(fmt.Sprint(c.Name, "|", collapse(c.Type), "|", bit(notNull), "|", bit(c.Default != nil), "|", hidden)))
		}
		if !slices.Equal(got, want) {
			t.Fatalf("columns of %s:\ngot  %q\nwant %q\nin %s", table.Name, got, want, table.Text)
		}
		keys, err := e.query(ctx, "SELECT count(DISTINCT id) FROM pragma_foreign_key_list("+literal(table.Name)+")")
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, k := range table.Constraints {
			if k.Ref != nil {
				n++
			}
		}
		if fmt.Sprint(keys[0][0]) != fmt.Sprint(n) {
			t.Fatalf("%s has %v foreign keys and %d were read in %s", table.Name, keys[0][0], n, table.Text)
		}
	}
}

// collapse makes types comparable: SQLite keeps the author's blanks and quotes in them.
func collapse(v any) string {
	return strings.NewReplacer(" ", "", "\t", "", "\n", "", "\r", "", "\f", "", `"`, "", "`", "", "'", "", "[", "", "]", "").Replace(fmt.Sprint(v))
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// caseFiles gives the SQL of the golden cases.
func caseFiles(tb testing.TB) []string {
	names, err := filepath.Glob("../../../testdata/cases/sqlite/*.txtar")
	if err != nil {
		tb.Fatal(err)
	}
	var out []string
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			tb.Fatal(err)
		}
		for _, f := range txtar.Parse(data).Files {
			if strings.HasSuffix(f.Name, ".sql") && !strings.HasPrefix(f.Name, "want/") {
				out = append(out, string(f.Data))
			}
		}
	}
	return out
}

func TestSeedsAgreeWithTheEngine(t *testing.T) {
	for _, s := range append(caseFiles(t), seeds...) {
		if l, err := Read(context.Background(), []*source.File{{Path: "schema.sql", Text: s}}, nil); err == nil {
			agrees(t, l)
			planned(context.Background(), t, s, s)
		}
	}
}

// TestLikeChangesNothing reads each schema alone and after another one, which must not show.
func TestLikeChangesNothing(t *testing.T) {
	var before *Loaded
	read := func(text string, like *Loaded) *Loaded {
		l, err := Read(t.Context(), []*source.File{{Path: "schema.sql", Text: text}}, like)
		if err != nil {
			return nil
		}
		return l
	}
	for _, s := range append(caseFiles(t), seeds...) {
		alone := read(s, nil)
		for _, like := range []*Loaded{before, alone} {
			got := read(s, like)
			if (got == nil) != (alone == nil) {
				t.Fatalf("read with another schema before it, the answer differs: %s", s)
			}
			if got == nil {
				continue
			}
			if d := cmp.Diff(alone.Schema, got.Schema); d != "" {
				t.Fatalf("%s (-alone +like another):\n%s", s, d)
			}
		}
		before = alone
	}
}

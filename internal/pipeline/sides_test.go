package pipeline

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/policy"
	"github.com/altergate/altergate/internal/schema"
)

func tree(config string) fs.FS {
	if config == "" {
		return fstest.MapFS{}
	}
	return fstest.MapFS{DefaultConfig: {Data: []byte(config)}, "a.sql": {}}
}

// TestReadConfig shows that a change cannot loosen its own gate.
func TestReadConfig(t *testing.T) {
	strict := "schemas: [{name: a, dialect: sqlite, source: a.sql}]\npolicy: {max-risk: safe}\n"
	loose := "schemas: [{name: b, dialect: sqlite, source: b.sql}]\npolicy: {max-risk: destructive}\n"
	tests := []struct {
		name, base, head string
		schemas          string
		risk             plan.Risk
		notices          int
		missing          bool
	}{
		{"the policy is the base's, and the schemas of both", strict, loose, "a b", plan.Safe, 1, false},
		{"the same on both sides", strict, strict, "a", plan.Safe, 0, false},
		{"none at the base: the default policy", "", loose, "b", plan.Review, 1, false},
		{"none at the head: the base's", strict, "", "a", plan.Safe, 1, false},
		{"none at all", "", "", "", plan.Review, 0, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, notices, err := ReadConfig(Sides{Policy: tree(test.base), Head: tree(test.head)}, DefaultConfig)
			if test.missing {
				if err == nil {
					t.Fatal("no error")
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, s := range c.Schemas {
				got = append(got, s.Name)
			}
			if strings.Join(got, " ") != test.schemas || c.Policy.MaxRisk != test.risk || len(notices) != test.notices {
				t.Errorf("schemas %v, ceiling %s, notices %v; want %s, %s, %d", got, c.Policy.MaxRisk, notices, test.schemas, test.risk, test.notices)
			}
		})
	}
}

func TestDroppedIsReadAtTheHead(t *testing.T) {
	base := tree("schemas: [{name: a, dialect: sqlite, source: a.sql}]\n")
	head := tree("schemas: [{name: a, dialect: sqlite, source: a.sql, dropped: true}]\n")
	c, _, err := ReadConfig(Sides{Policy: base, Head: head}, DefaultConfig)
	if err != nil || !c.Schemas[0].Dropped {
		t.Errorf("got %+v, %v", c, err)
	}
	_, err = LoadConfig(tree(""), DefaultConfig)
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a tree without a configuration gives %v", err)
	}
}

// files is a tree: paths and their texts, in turn. The path "schemas" stands for the configuration.
func files(pairs ...string) fstest.MapFS {
	out := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		name, text := pairs[i], pairs[i+1]
		if name == "schemas" {
			name, text = DefaultConfig, "schemas: ["+text+"]\n"
		}
		out[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return out
}

// TestWhereTheSidesHaveASchema: each side's files are where its own configuration has them, and no change of that hides what is dropped.
func TestWhereTheSidesHaveASchema(t *testing.T) {
	const (
		a, b      = "{name: main, dialect: sqlite, source: a.sql}", "{name: main, dialect: sqlite, source: b.sql}"
		dir       = "{name: main, dialect: sqlite, source: db}"
		full      = "CREATE TABLE t (id INTEGER PRIMARY KEY);\nCREATE TABLE u (id INTEGER PRIMARY KEY);\n"
		less      = "CREATE TABLE t (id INTEGER PRIMARY KEY);\n"
		moved     = `schema "main" is at a.sql at the base, and the head's configuration says that it is at b.sql`
		takes     = `the head takes schema "main" out of the configuration; it is looked at until that is merged`
		other     = "{name: other, dialect: sqlite, source: o.sql}"
		unlooked  = "so that nothing would look at this change"
		removed   = "this source is removed at the head"
		mysql     = "{name: main, dialect: mysql, source: a.sql}"
		noAnswer  = "no answer"
		unchanged = ""
	)
	tests := []struct {
		name            string
		tip, base, head fstest.MapFS // without a base it is the tip
		want            string       // the kinds of steps and their objects, or noAnswer
		says            string       // in a notice or an error
	}{
		{"the head points elsewhere, at less", files("schemas", a, "a.sql", full), nil, files("schemas", b, "a.sql", full, "b.sql", less), "drop_table u", moved},
		{"at less that was there before", files("schemas", a, "a.sql", full, "b.sql", less), nil, files("schemas", b, "a.sql", full, "b.sql", less), "drop_table u", moved},
		{"at nothing", files("schemas", a, "a.sql", full), nil, files("schemas", b, "a.sql", full), noAnswer, removed},
		{"at nothing, which is meant", files("schemas", a, "a.sql", full), nil, files("schemas", strings.Replace(b, "}", ", dropped: true}", 1), "a.sql", full), "drop_table t, drop_table u", moved},
		{"the file moves", files("schemas", a, "a.sql", full), nil, files("schemas", b, "b.sql", full), unchanged, moved},
		{"the file moves and loses a table", files("schemas", a, "a.sql", full), nil, files("schemas", b, "b.sql", less), "drop_table u", moved},
		{"the same path in other words", files("schemas", a, "a.sql", full), nil, files("schemas", strings.Replace(a, "a.sql", "./a.sql", 1), "a.sql", less), noAnswer, "is no path"},
		{"the old file loses a table", files("schemas", a, "a.sql", full), nil, files("schemas", b, "a.sql", less, "b.sql", full), noAnswer, unlooked},
		{"into a directory below", files("schemas", dir, "db/a.sql", full), nil, files("schemas", strings.Replace(dir, "db", "db/new", 1), "db/new/a.sql", full, "db/README.md", "x"), unchanged, "at db/new"},
		{"out of a directory that gets another file", files("schemas", dir, "db/a.sql", full), nil, files("schemas", b, "db/a.sql", full, "db/b.SQL", "DROP TABLE t;", "b.sql", full), noAnswer, unlooked},
		{"a directory around it", files("schemas", strings.Replace(dir, "db", "db/a.sql", 1), "db/a.sql", full), nil, files("schemas", dir, "db/a.sql", less), "drop_table u", "at db:"},
		{"the base's place was wrong", files("schemas", a, "b.sql", full), nil, files("schemas", b, "b.sql", less), "drop_table u", moved},
		{"the head takes it out", files("schemas", a, "a.sql", full), nil, files("schemas", other, "a.sql", less, "o.sql", less), "drop_table u, create_table t", takes},
		{"and its file too", files("schemas", a, "a.sql", full), nil, files("schemas", other, "o.sql", less), noAnswer, removed},
		{"and its file is gone already", files("schemas", a, "x", ""), nil, files("schemas", other, "o.sql", less), "create_table t", "there is nothing at a.sql any more"},
		{"it gets another name", files("schemas", a, "a.sql", full), nil, files("schemas", strings.Replace(a, "main", "core", 1), "a.sql", less), "drop_table u, drop_table u", takes},
		{"two change places", files("schemas", a+", "+other, "a.sql", full, "o.sql", less), nil,
			files("schemas", strings.NewReplacer("main", "other", "other", "main").Replace(a+", "+other), "a.sql", full, "o.sql", less), "drop_table u, create_table u", `schema "other" is at o.sql at the base`},
		{"another dialect", files("schemas", a, "a.sql", full), nil, files("schemas", mysql, "a.sql", full), noAnswer, `.github/altergate.yml:1:33: schema "main" has the dialect mysql here and sqlite at the base`},
		// Where GitHub has no merge, the tip and the base are two commits.
		{"the branch is older than a move", files("schemas", b, "b.sql", full), files("schemas", a, "a.sql", full), files("schemas", a, "a.sql", less), "drop_table u", ""},
		{"and moves it as well", files("schemas", b, "b.sql", full), files("schemas", a, "a.sql", full), files("schemas", b, "b.sql", less), "drop_table u", moved},
		{"the branch is older than the configuration", files("schemas", a, "a.sql", full), files("a.sql", full), files("a.sql", less), "drop_table u", "the head has no .github/altergate.yml yet"},
		{"the branch is older than another dialect", files("schemas", mysql, "a.sql", full), files("schemas", a, "a.sql", full), files("schemas", a, "a.sql", full), noAnswer, "has the dialect sqlite here"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			sides := Sides{Policy: test.tip, Head: test.head}
			base := fs.FS(test.tip)
			if test.base != nil {
				sides.Base, base = test.base, test.base
			}
			var said []string
			got := noAnswer
			c, notices, err := ReadConfig(sides, DefaultConfig)
			for _, n := range notices {
				said = append(said, n.Text)
			}
			for _, e := range schema.Errors(err) {
				said = append(said, e.Error())
			}
			if err == nil {
				report := Run(t.Context(), policy.Default(), Targets(c, base, test.head), Options{NoEngine: true})
				var steps []string
				for _, p := range report.Plans() {
					for _, s := range p.Steps {
						steps = append(steps, s.Kind+" "+s.Object)
					}
				}
				for _, result := range report.Results {
					for _, e := range result.Errors {
						said = append(said, e.Error())
					}
				}
				if report.Answered() {
					got = strings.Join(steps, ", ")
				}
			}
			if all := strings.Join(said, "\n"); got != test.want || !strings.Contains(all, test.says) || test.says == "" && all != "" {
				t.Errorf("got %q, want %q; it says\n%s\nwant %s", got, test.want, all, test.says)
			}
		})
	}
}

package pipeline_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/altergate/altergate/internal/migration"
	"github.com/altergate/altergate/internal/pipeline"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/proof"
	"github.com/altergate/altergate/internal/schema"
)

// migrationsDir holds repositories of migrations: the trees of base and head, the configuration, and what is wanted of them.
const migrationsDir = "../../testdata/migrations"

// wantedReport is the section of such a repository that holds the expected report.
const wantedReport = "want/report.txt"

// repository is one .txtar of migrations.
type repository struct {
	name, path string
	archive    *txtar.Archive
	base, head fstest.MapFS
	config     *pipeline.Config
}

// TestMigrations compares the report of each repository with the one that it wants.
func TestMigrations(t *testing.T) {
	eachRepository(t, func(t *testing.T, r *repository) {
		got := migrationsText(r.review(t, r.base, r.head, pipeline.Options{}))
		if *update {
			r.save(t, got)
			return
		}
		if d := cmp.Diff(r.want(), got); d != "" {
			t.Errorf("%s (-want +got):\n%s", wantedReport, d)
		}
	})
}

// TestMigrationsUnchanged takes each side for both: nothing is to be done.
func TestMigrationsUnchanged(t *testing.T) {
	eachRepository(t, func(t *testing.T, r *repository) {
		for name, tree := range map[string]fstest.MapFS{"base": r.base, "head": r.head} {
			result := r.review(t, tree, tree, pipeline.Options{NoEngine: true})
			switch {
			case result.Plan == nil && name == "base":
				t.Errorf("base to base has no answer:\n%s", errorText(result.Errors))
			case result.Plan != nil && slices.ContainsFunc(result.Plan.Steps, func(s *plan.Step) bool { return !remarksOnly(s, "cross-check", "duplicate-version") }):
				t.Errorf("%s to %s makes steps:\n%s", name, name, migrationsText(result))
			}
		}
	})
}

// remarksOnly tells whether a step runs nothing, and says of the files what stays true when they are merged.
func remarksOnly(s *plan.Step, rules ...string) bool {
	return len(s.SQL) == 0 && !slices.ContainsFunc(s.Findings, func(f plan.Finding) bool { return !slices.Contains(rules, f.Rule) })
}

// TestMigrationsBackwards goes from head to base: there is a plan or a refusal, and never a plan that fails its proof.
func TestMigrationsBackwards(t *testing.T) {
	eachRepository(t, func(t *testing.T, r *repository) {
		for _, e := range r.review(t, r.head, r.base, pipeline.Options{}).Errors {
			if e.Kind == schema.KindProof || e.Kind == schema.KindInternal {
				t.Errorf("head to base: %s: %s", e.Kind, e)
			}
		}
	})
}

// TestEveryToolIsShown by a repository that has its name.
func TestEveryToolIsShown(t *testing.T) {
	for _, tool := range migration.Tools() {
		if _, err := os.Stat(filepath.Join(migrationsDir, tool+".txtar")); err != nil {
			t.Errorf("no repository shows %s: %v", tool, err)
		}
	}
}

func eachRepository(t *testing.T, test func(*testing.T, *repository)) {
	t.Helper()
	for _, r := range allRepositories(t) {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			test(t, r)
		})
	}
}

func allRepositories(t *testing.T) []*repository {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(migrationsDir, "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no repositories in %s: %v", migrationsDir, err)
	}
	var all []*repository
	for _, path := range paths {
		r, err := readRepository(path)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		all = append(all, r)
	}
	return all
}

// readRepository takes a .txtar apart. A section that it does not know is an error.
func readRepository(path string) (*repository, error) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		return nil, err
	}
	r := &repository{name: strings.TrimSuffix(filepath.Base(path), ".txtar"), path: path, archive: archive, base: fstest.MapFS{}, head: fstest.MapFS{}}
	if strings.TrimSpace(string(archive.Comment)) == "" {
		return nil, fmt.Errorf("there is no text above the first file that says what the repository shows")
	}
	var config []byte
	for _, f := range archive.Files {
		dir, name, _ := strings.Cut(f.Name, "/")
		tree := map[string]fstest.MapFS{"base": r.base, "head": r.head}[dir]
		switch {
		case tree != nil && tree[name] == nil:
			tree[name] = &fstest.MapFile{Data: f.Data}
		case f.Name == "config.yml":
			config = f.Data
		case f.Name != wantedReport:
			return nil, fmt.Errorf("section %s is unknown, or there twice", f.Name)
		}
	}
	r.config, err = pipeline.LoadConfig(fstest.MapFS{"config.yml": {Data: config}}, "config.yml")
	return r, err
}

func (r *repository) want() string {
	for _, f := range r.archive.Files {
		if f.Name == wantedReport {
			return string(f.Data)
		}
	}
	return ""
}

func (r *repository) save(t *testing.T, report string) {
	t.Helper()
	files := slices.DeleteFunc(r.archive.Files, func(f txtar.File) bool { return f.Name == wantedReport })
	r.archive.Files = append(files, txtar.File{Name: wantedReport, Data: []byte(report)})
	if err := os.WriteFile(r.path, txtar.Format(r.archive), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (r *repository) review(t *testing.T, base, head fstest.MapFS, o pipeline.Options) *pipeline.Result {
	t.Helper()
	report := pipeline.Run(t.Context(), r.config.Policy, pipeline.Targets(r.config, base, head), o)
	if len(report.Results) != 1 {
		t.Fatalf("the report has %d results", len(report.Results))
	}
	return report.Results[0]
}

// migrationsText writes all of an answer about migrations: the steps with what was found, the notices, the net change, the proof.
func migrationsText(r *pipeline.Result) string {
	if r.Plan == nil {
		return errorText(r.Errors)
	}
	var b strings.Builder
	for i, s := range r.Plan.Steps {
		fmt.Fprintf(&b, "%d %s %s %s%s\n", i+1, s.Risk, strings.ReplaceAll(s.Kind, "_", " "), subject(s), inTransaction(s))
		for _, statement := range s.SQL {
			line, _, _ := strings.Cut(statement, "\n")
			fmt.Fprintf(&b, "    %s\n", strings.TrimRight(line, " "))
		}
		for _, f := range s.Findings {
			fmt.Fprintf(&b, "  %s %s: %s @%s:%d\n", f.Risk, f.Rule, f.Text, f.Pos.File, f.Pos.Line)
		}
	}
	if len(r.Plan.Steps) == 0 {
		b.WriteString("no steps\n")
	}
	b.WriteString("notices:\n" + noticeText(r.Plan.Notices))
	if r.Net != nil {
		b.WriteString("net:\n" + planText(r.Net))
	}
	b.WriteString("proof: " + proofText(r.Proof) + "\n")
	return b.String()
}

func inTransaction(s *plan.Step) string {
	if s.Transaction {
		return ", in a transaction"
	}
	return ""
}

func proofText(p proof.Result) string {
	text := fmt.Sprint(p.Replay)
	if e := p.Engine; e != nil {
		text += fmt.Sprintf(", %s: %v %s", e.Name, e.Result, e.Reason)
		if len(e.LeftOut) > 0 {
			text += ", without " + strings.Join(e.LeftOut, ", ")
		}
	}
	return strings.TrimRight(text, " ")
}

package pipeline_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/altergate/altergate/internal/comment"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/pipeline"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/policy"
	"github.com/altergate/altergate/internal/schema"
)

var update = flag.Bool("update", false, "rewrite the want files of testdata/cases")

// casesDir holds one directory for each dialect.
const casesDir = "../../testdata/cases"

// testCase is one .txtar: the trees of base and head, and what is wanted of them.
type testCase struct {
	name, dialect string
	path          string
	archive       *txtar.Archive
	base, head    fstest.MapFS
	config, hints []byte
	rows          string            // SQL that an engine's test runs on the base, before the plan
	version       int               // of the engine, that the configuration names; 0 = any
	want          map[string]string // by file, without want/
}

// TestCases compares each want file of each case with the product's answer.
func TestCases(t *testing.T) {
	eachCase(t, func(t *testing.T, c *testCase) {
		result := c.review(t, c.base, c.head)
		for i, f := range c.archive.Files {
			name, ok := strings.CutPrefix(f.Name, "want/")
			if !ok {
				continue
			}
			if name == "rows.txt" {
				continue // only an engine can tell
			}
			got, ok := c.render(name, result)
			switch {
			case !ok && result.Plan == nil:
				t.Errorf("there is no %s, because there is no answer:\n%s", name, errorText(result.Errors))
			case !ok:
				t.Errorf("there is no %s, because there is a plan:\n%s", name, planText(result.Plan))
			case *update:
				c.archive.Files[i].Data = []byte(got)
			default:
				if d := cmp.Diff(c.want[name], got); d != "" {
					t.Errorf("%s (-want +got):\n%s", name, d)
				}
			}
		}
		if *update && !t.Failed() {
			c.save(t)
		}
	})
}

func (c *testCase) save(t *testing.T) {
	t.Helper()
	if err := os.WriteFile(c.path, txtar.Format(c.archive), 0o644); err != nil {
		t.Fatal(err)
	}
}

// rewrite puts a text into a section of the case's file.
func (c *testCase) rewrite(t *testing.T, section, text string) {
	t.Helper()
	fresh, err := txtar.ParseFile(c.path) // TestCases may have rewritten others
	if err != nil {
		t.Fatal(err)
	}
	c.archive = fresh
	for i, f := range c.archive.Files {
		if f.Name == section {
			c.archive.Files[i].Data = []byte(text)
		}
	}
	c.save(t)
}

// TestCasesUnchanged takes each side for both: nothing is to be done, and a hint that has been merged is no error.
func TestCasesUnchanged(t *testing.T) {
	eachCase(t, func(t *testing.T, c *testCase) {
		if c.want["error.txt"] != "" {
			return
		}
		for name, tree := range map[string]fstest.MapFS{"base": c.base, "head": c.head} {
			if len(tree) == 0 {
				continue
			}
			same := *c
			if name == "base" {
				same.hints = nil // they speak of the head's names
			}
			result := same.reviewOnModel(t, tree, tree)
			if result.Plan == nil {
				t.Errorf("%s to %s has no answer:\n%s", name, name, errorText(result.Errors))
			} else if len(result.Plan.Steps) > 0 {
				t.Errorf("%s to %s makes steps:\n%s", name, name, planText(result.Plan))
			}
		}
	})
}

// TestCasesAgain makes each plan anew, as the files stand and with their statements in other orders: it stays the same.
func TestCasesAgain(t *testing.T) {
	orders := map[string]func([]string){
		"the same order": func([]string) {},
		"reversed":       func(parts []string) { slices.Reverse(parts) },
		"shuffled": func(parts []string) {
			rand.New(rand.NewPCG(1, 2)).Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
		},
	}
	eachCase(t, func(t *testing.T, c *testCase) {
		if c.want["error.txt"] != "" {
			return
		}
		want := everything(c.reviewOnModel(t, c.base, c.head))
		for name, order := range orders {
			if c.name == "sql-mode-of-programs" && name != "the same order" {
				continue // a SET is about the statements behind it
			}
			got := everything(c.reviewOnModel(t, reordered(c.base, order), reordered(c.head, order)))
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("statements in %s (-as written +reordered):\n%s", name, d)
			}
		}
	})
}

// TestCasesBackwards goes from head to base: there is a plan or a refusal, and never a plan that fails its proof.
func TestCasesBackwards(t *testing.T) {
	eachCase(t, func(t *testing.T, c *testCase) {
		back := *c
		back.hints = nil
		for _, e := range back.review(t, c.head, c.base).Errors {
			if e.Kind == schema.KindProof || e.Kind == schema.KindInternal {
				t.Errorf("head to base: %s: %s", e.Kind, e)
			}
		}
	})
}

// TestRulesAreShown wants a case and a section of docs/rules.md for each rule, and the sections in the order of the rules.
func TestRulesAreShown(t *testing.T) {
	shown := map[string]bool{}
	for _, c := range allCases(t) {
		for line := range strings.Lines(c.want["plan.txt"]) {
			if _, rules, ok := strings.Cut(line, "  ["); ok {
				for _, id := range strings.Fields(strings.Trim(rules, "]\n")) {
					shown[id] = true
				}
			}
		}
	}
	for _, r := range allRepositories(t) {
		for _, m := range regexp.MustCompile(`(?m)^  (?:safe|review|destructive) ([a-z-]+): `).FindAllStringSubmatch(r.want(), -1) {
			shown[m[1]] = true
		}
	}
	var rules, sections []string
	for _, r := range plan.Rules {
		rules = append(rules, r.ID)
		if !shown[r.ID] {
			t.Errorf("no case shows the rule %s in its want/plan.txt or want/report.txt", r.ID)
		}
	}
	text, err := os.ReadFile("../../docs/rules.md")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if id, ok := strings.CutPrefix(line, "## "); ok {
			sections = append(sections, strings.TrimSpace(id))
		}
	}
	if d := cmp.Diff(rules, sections); d != "" {
		t.Errorf("docs/rules.md (-rules +sections):\n%s", d)
	}
}

func eachCase(t *testing.T, test func(*testing.T, *testCase)) {
	t.Helper()
	eachCaseOf(t, "", test)
}

// eachCaseOf takes the cases of one dialect; of all, where it is empty.
func eachCaseOf(t *testing.T, dialect string, test func(*testing.T, *testCase)) {
	t.Helper()
	for _, c := range allCases(t) {
		if dialect != "" && c.dialect != dialect {
			continue
		}
		t.Run(c.dialect+"/"+c.name, func(t *testing.T) {
			t.Parallel()
			test(t, c)
		})
	}
}

func allCases(t *testing.T) []*testCase {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(casesDir, "*", "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases in %s: %v", casesDir, err)
	}
	var cases []*testCase
	for _, path := range paths {
		c, err := readCase(path)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		cases = append(cases, c)
	}
	return cases
}

// readCase takes a case apart. A section that it does not know is an error: a line of SQL that looks like the marker of a file
// would otherwise be lost.
func readCase(path string) (*testCase, error) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		return nil, err
	}
	c := &testCase{name: strings.TrimSuffix(filepath.Base(path), ".txtar"), dialect: filepath.Base(filepath.Dir(path)), path: path, archive: archive,
		base: fstest.MapFS{}, head: fstest.MapFS{}, want: map[string]string{}}
	if strings.TrimSpace(string(archive.Comment)) == "" {
		return nil, fmt.Errorf("there is no text above the first file that says what the case shows")
	}
	seen := map[string]bool{}
	for _, f := range archive.Files {
		if seen[f.Name] {
			return nil, fmt.Errorf("two files are called %s", f.Name)
		}
		seen[f.Name] = true
		if err := c.section(f.Name, f.Data); err != nil {
			return nil, err
		}
	}
	if len(c.want) == 0 {
		return nil, fmt.Errorf("there is no want file")
	}
	return c, nil
}

func (c *testCase) section(name string, data []byte) error {
	dir, file, _ := strings.Cut(name, "/")
	switch {
	case (dir == "base" || dir == "head") && file != "":
		tree := c.base
		if dir == "head" {
			tree = c.head
		}
		plain, isQuoted := strings.CutSuffix(file, ".quoted")
		if isQuoted {
			var err error
			if data, err = unquote(string(data)); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		tree[plain] = &fstest.MapFile{Data: data}
	case name == "config.yml":
		c.config = data
		if m := regexp.MustCompile(`version: "?(\d+)`).FindSubmatch(data); m != nil {
			c.version, _ = strconv.Atoi(string(m[1]))
		}
	case name == "rows.sql":
		c.rows = string(data)
	case name == "hints.json":
		c.hints = data
	case dir == "want" && slices.Contains([]string{"plan.txt", "plan.sql", "comment.md", "error.txt", "notices.txt", "rows.txt"}, file):
		c.want[file] = string(data)
	default:
		return fmt.Errorf("unknown section %s", name)
	}
	return nil
}

// unquote reads a file whose bytes would not show, or not last, in a text file: one Go string literal a line.
func unquote(text string) ([]byte, error) {
	var data []byte
	for line := range strings.Lines(text) {
		piece, err := strconv.Unquote(strings.TrimSpace(line))
		if err != nil {
			return nil, fmt.Errorf("%q is no string literal", line)
		}
		data = append(data, piece...)
	}
	return data, nil
}

// review asks the product about two trees.
func (c *testCase) review(t *testing.T, base, head fstest.MapFS) *pipeline.Result {
	t.Helper()
	return c.run(t, base, head, pipeline.Options{})
}

// reviewOnModel leaves out the proof on an engine, which takes most of the time and has no say in what is planned.
func (c *testCase) reviewOnModel(t *testing.T, base, head fstest.MapFS) *pipeline.Result {
	t.Helper()
	return c.run(t, base, head, pipeline.Options{NoEngine: true})
}

func (c *testCase) run(t *testing.T, base, head fstest.MapFS, o pipeline.Options) *pipeline.Result {
	t.Helper()
	p := policy.Default()
	targets := []pipeline.Target{{Name: "main", Dialect: c.dialect, Base: pipeline.Place{FS: base, Path: sourceOf(base, head)}, Head: pipeline.Place{FS: head, Path: sourceOf(head, base)}}}
	if c.config != nil {
		config, err := pipeline.LoadConfig(fstest.MapFS{"config.yml": {Data: c.config}}, "config.yml")
		if err != nil {
			t.Fatal(err)
		}
		p, targets = config.Policy, pipeline.Targets(config, base, head)
	}
	if c.hints != nil {
		targets[0].Hints = pipeline.Place{FS: fstest.MapFS{"hints.json": {Data: c.hints}}, Path: "hints.json"}
	}
	report := pipeline.Run(t.Context(), p, targets, o)
	if len(report.Results) != 1 {
		t.Fatalf("the report has %d results", len(report.Results))
	}
	return report.Results[0]
}

// sourceOf gives the path of a tree's one file, or the root. An empty tree lacks what the other one has.
func sourceOf(tree, other fstest.MapFS) string {
	if len(tree) == 0 {
		tree = other
	}
	if len(tree) == 1 {
		for name := range tree {
			return name
		}
	}
	return "."
}

// render writes what a want file holds; false when the answer has none.
func (c *testCase) render(name string, r *pipeline.Result) (string, bool) {
	switch name {
	case "error.txt":
		return errorText(r.Errors), r.Plan == nil
	case "comment.md":
		report := &pipeline.Report{Policy: policy.Default(), Results: []*pipeline.Result{r}}
		verdict := policy.Decide(report.Policy, report.Plans(), report.Answered(), nil)
		return strings.TrimSuffix(comment.Render(report, verdict, comment.Options{}), "\n") + "\n", true
	}
	if r.Plan == nil {
		return "", false
	}
	switch name {
	case "plan.txt":
		return planText(r.Plan), true
	case "plan.sql":
		return planSQL(r.Plan), true
	}
	return noticeText(r.Plan.Notices), true
}

func errorText(errs []*schema.Error) string {
	var b strings.Builder
	for _, e := range errs {
		fmt.Fprintf(&b, "%s: %s\n", e.Kind, e)
	}
	return b.String()
}

func planText(p *plan.Plan) string {
	if len(p.Steps) == 0 {
		return "no steps\n"
	}
	var b strings.Builder
	for i, s := range p.Steps {
		var rules []string
		for _, f := range s.Findings {
			rules = append(rules, f.Rule)
		}
		fmt.Fprintf(&b, "%d %s %s %s  [%s]\n", i+1, s.Risk, strings.ReplaceAll(s.Kind, "_", " "), subject(s), strings.Join(rules, " "))
	}
	return b.String()
}

func subject(s *plan.Step) string {
	if r, ok := s.Changes[0].(diff.RenameColumn); ok && s.From != "" {
		return s.From + " to " + r.To
	}
	if s.From != "" {
		return s.From + " to " + s.Object
	}
	return s.Object
}

func planSQL(p *plan.Plan) string {
	var b strings.Builder
	for _, s := range p.Steps {
		for _, statement := range s.Statements() {
			fmt.Fprintf(&b, "%s;\n", statement)
		}
	}
	return b.String()
}

func noticeText(notices []schema.Notice) string {
	var b strings.Builder
	for _, n := range notices {
		at := strings.TrimPrefix(fmt.Sprintf("%s: %s: ", n.Side, n.Pos), ": : ")
		fmt.Fprintf(&b, "%s%s\n", strings.ReplaceAll(at, ": : ", ": "), n.Text)
	}
	return b.String()
}

// everything writes all of an answer but positions in files, which move with the statements.
func everything(r *pipeline.Result) string {
	if r.Plan == nil {
		return errorText(r.Errors)
	}
	var b strings.Builder
	for _, s := range r.Plan.Steps {
		fmt.Fprintf(&b, "%s %s %s %s %s %+v\n", s.ID, s.Kind, s.Object, s.From, s.Risk, s.Lock)
		for _, f := range s.Findings {
			fmt.Fprintf(&b, "\t%s %s %s\n", f.Rule, f.Risk, f.Text)
		}
		fmt.Fprintf(&b, "%s\n", strings.Join(s.Statements(), ";\n"))
	}
	for _, n := range r.Plan.Notices {
		fmt.Fprintln(&b, n.Text)
	}
	fmt.Fprintf(&b, "%+v %+v\n", r.Plan.PossibleRenames, r.Coverage)
	return b.String()
}

// reordered gives a tree whose files have their statements in another order. One that holds anything but CREATE statements stays
// as it is: there the order has a meaning.
func reordered(tree fstest.MapFS, order func([]string)) fstest.MapFS {
	out := fstest.MapFS{}
	for name, f := range tree {
		out[name] = f
		if !strings.HasSuffix(name, ".sql") {
			continue
		}
		parts, ok := declarations(string(f.Data))
		if !ok {
			return tree
		}
		order(parts)
		out[name] = &fstest.MapFile{Data: []byte(strings.Join(parts, ""))}
	}
	return out
}

// declarations cuts a file into statements, each with the comments above it and the one behind it. It is written for the cases,
// in which a statement begins and ends on a line of its own, and tells whether all are statements whose order means nothing.
func declarations(text string) (parts []string, ok bool) {
	part, verb := "", ""
	ok = true
	for line := range strings.Lines(text) {
		part += line
		code, _, _ := strings.Cut(line, "; --")
		code = strings.ToUpper(strings.TrimSpace(code))
		if len(code) < len(strings.ToUpper(strings.TrimSpace(line))) {
			code += ";"
		}
		if verb == "" && code != "" && !strings.HasPrefix(code, "--") && !strings.HasPrefix(code, "/*") {
			verb = code
			ok = ok && declares(verb)
		}
		if verb != "" && strings.HasSuffix(code, ";") && !insideBody(strings.ToUpper(part), code) {
			parts = append(parts, part)
			part, verb = "", ""
		}
	}
	if part != "" {
		parts = append(parts, strings.TrimSuffix(part, "\n")+"\n")
		ok = ok && verb == ""
	}
	return parts, ok
}

// declares tells whether a statement, by its first line, says what is there, and not what has to be done next.
func declares(verb string) bool {
	for _, word := range []string{"CREATE ", "COMMENT ON ", "GRANT "} {
		if strings.HasPrefix(verb, word) {
			return !strings.HasPrefix(verb, "CREATE OR REPLACE ")
		}
	}
	return strings.HasPrefix(verb, "ALTER TABLE ") && (strings.Contains(verb, " ADD CONSTRAINT ") || strings.Contains(verb, " ROW LEVEL SECURITY;"))
}

// insideBody tells whether a line that ends with a semicolon ends a statement only inside the body of a trigger or a function.
func insideBody(part, line string) bool {
	begun := strings.Contains(part, "CREATE TRIGGER ") && strings.Contains(part, "\nBEGIN\n") || strings.Contains(part, "BEGIN ATOMIC")
	return begun && !strings.HasSuffix(line, "END;") || strings.Count(part, "$$")%2 == 1
}

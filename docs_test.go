package altergate_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"go/ast"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/cli"
	"github.com/altergate/altergate/internal/comment"
	"github.com/altergate/altergate/internal/pipeline"
	"github.com/altergate/altergate/internal/policy"
)

var update = flag.Bool("update", false, "rewrite what the documentation shows")

// root is the repository; tests run in the directory of their package.
var root = os.DirFS(".")

// block is a piece of a document that shows something: a fence, or a quotation, whose lines all begin with ">".
type block struct {
	doc         string
	mark        string // of the comment on the line above, without its brackets; empty = none
	language    string // of a fence
	first, last int    // lines of the document, from 0, that are the content
	quoted      bool
	text        string
}

func (b block) String() string { return fmt.Sprintf("%s:%d", b.doc, b.first) }

// TestDocsOutput runs every command whose output is shown and compares, version numbers included. A comment above a block says
// where its text comes from:
//
//	output of: altergate ARGUMENTS      what the command prints, on standard output and then on standard error; a quotation has the first alone
//	output of: altergate ARGUMENTS (N)  likewise, and it exits with N and not with 0
//	comment once ann has approved       the example's comment after an approval
//	change from FILE to FILE            a part of both, in the form of a diff; it is checked and not rewritten
//	lines A to B of FILE
func TestDocsOutput(t *testing.T) {
	shown := 0
	for _, doc := range documents(t) {
		lines := strings.Split(read(t, doc), "\n")
		blocks := blocksOf(t, doc, lines)
		slices.Reverse(blocks) // so that a rewrite leaves the places of the others as they are
		for _, b := range blocks {
			if b.mark == "" {
				continue
			}
			shown++
			got := shownBy(t, b)
			if *update {
				lines = slices.Replace(lines, b.first, b.last, b.written(got)...)
			} else if d := cmp.Diff(b.text, got); d != "" {
				t.Errorf("%s: %s (-documented +printed; go test . -update rewrites it):\n%s", b, b.mark, d)
			}
		}
		if *update && !t.Failed() {
			if err := os.WriteFile(doc, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if shown < 5 {
		t.Errorf("only %d outputs were found in the documentation", shown)
	}
}

// TestDocsAreMarked wants the origin of everything that looks like an output.
func TestDocsAreMarked(t *testing.T) {
	for _, doc := range documents(t) {
		for _, b := range blocksOf(t, doc, strings.Split(read(t, doc), "\n")) {
			if b.mark == "" && !b.quoted && slices.Contains([]string{"", "text", "console", "json", "markdown", "diff"}, b.language) {
				t.Errorf("%s shows an output and no comment above it says of what; see TestDocsOutput", b)
			}
		}
	}
}

// TestDocsConfig reads every configuration that is shown, and looks for a word on every key there is.
func TestDocsConfig(t *testing.T) {
	for _, doc := range documents(t) {
		for _, b := range blocksOf(t, doc, strings.Split(read(t, doc), "\n")) {
			if b.language != "yaml" || !strings.Contains("\n"+b.text, "\nschemas:") {
				continue
			}
			if _, err := pipeline.LoadConfig(fstest.MapFS{"altergate.yml": {Data: []byte(b.text)}}, "altergate.yml"); err != nil {
				t.Errorf("%s shows a configuration that is refused:\n%v", b, err)
			}
		}
	}
	text := read(t, "docs/config.md")
	for _, match := range regexp.MustCompile(`yaml:"([^"]+)"`).FindAllStringSubmatch(read(t, "internal/pipeline/config.go"), -1) {
		if !strings.Contains(text, "`"+match[1]+"`") && !strings.Contains(text, "\n"+match[1]+":") {
			t.Errorf("docs/config.md says nothing of the key %s", match[1])
		}
	}
}

// knownTests are all that a document can name: Go tests with their packages, cases and scripts.
func knownTests(t *testing.T) map[string]bool {
	t.Helper()
	tests := map[string]bool{}
	for _, f := range goFiles(t) {
		for _, d := range f.tree.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && f.isTest() && fn.Recv == nil {
				tests[strings.TrimPrefix(path.Base(f.dir())+"."+fn.Name.Name, "..")] = true
			}
		}
	}
	walk(t, func(name string) {
		if name, ok := strings.CutSuffix(name, ".txtar"); ok {
			for _, dir := range []string{"testdata/cases/", "testdata/script/", "internal/cli/testdata/"} {
				if name, ok := strings.CutPrefix(name, dir); ok {
					tests[name] = true
				}
			}
		}
	})
	return tests
}

// TestDocsSecurity wants a row for each threat, in their order, and every test that a row names.
func TestDocsSecurity(t *testing.T) {
	tests, next := knownTests(t), 1
	for _, line := range strings.Split(read(t, "docs/security.md"), "\n") {
		if !strings.HasPrefix(line, "| T") {
			continue
		}
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		if len(cells) != 4 || cells[0] != fmt.Sprintf("T%d", next) {
			t.Errorf("docs/security.md: a row that is not T%d and has not four cells: %s", next, line)
		}
		next++
		names := regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cells[len(cells)-1], -1)
		if len(names) == 0 {
			t.Errorf("docs/security.md: %s is held by no test", cells[0])
		}
		for _, name := range names {
			if !tests[name[1]] {
				t.Errorf("docs/security.md: %s is held by %s, which is no test and no case", cells[0], name[1])
			}
		}
	}
	if next != 33 {
		t.Errorf("docs/security.md has %d threats", next-1)
	}
}

// TestDocsQuereus wants a row of docs/quereus.md for each behaviour of the engine's differ and each mechanism of its documentation, in their
// order, and every test that a row names. A number is one of dialect.TestQuereusBehaviours.
func TestDocsQuereus(t *testing.T) {
	tests := knownTests(t)
	for _, file := range []string{"internal/dialect/quereus_behaviour_test.go", "internal/dialect/quereus_behaviour_parts_test.go"} {
		for _, found := range regexp.MustCompile(`\n\t\{"(\d{3}) `).FindAllStringSubmatch(read(t, file), -1) {
			tests[found[1]] = true
		}
	}
	next := map[string]int{"": 1, "M": 1}
	row := regexp.MustCompile(`^\| (M?)(\d+) \| `)
	for _, line := range strings.Split(read(t, "docs/quereus.md"), "\n") {
		head := row.FindStringSubmatch(line)
		if head == nil {
			continue
		}
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		if len(cells) != 4 || head[2] != fmt.Sprint(next[head[1]]) {
			t.Errorf("docs/quereus.md: a row that is not %s%d and has not four cells: %s", head[1], next[head[1]], line)
		}
		next[head[1]]++
		names := regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cells[len(cells)-1], -1)
		if len(names) == 0 {
			t.Errorf("docs/quereus.md: %s is held by no test", cells[0])
		}
		for _, name := range names {
			if !tests[name[1]] {
				t.Errorf("docs/quereus.md: %s is held by %s, which is no test and no case", cells[0], name[1])
			}
		}
	}
	if next[""] != 110 || next["M"] < 20 {
		t.Errorf("docs/quereus.md has %d behaviours and %d mechanisms", next[""]-1, next["M"]-1)
	}
}

// TestDocsDesign wants every test that docs/design.md names: a Go test with its package, or a case.
func TestDocsDesign(t *testing.T) {
	tests := knownTests(t)
	sections := strings.Split(read(t, "docs/design.md"), "\n### ")[1:]
	for _, section := range sections {
		title, _, _ := strings.Cut(section, "\n")
		for _, part := range []string{"\n**The code** ", "\n**The alternative** ", "\n**The cost** ", "\n**Held by** "} {
			if strings.Count(section, part) != 1 {
				t.Errorf("docs/design.md: %q says %d times, not once, %q", title, strings.Count(section, part), strings.TrimSpace(part))
			}
		}
		_, held, _ := strings.Cut(section, "\n**Held by** ")
		held, _, _ = strings.Cut(held, "\n\n")
		names := regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(held, -1)
		if len(names) == 0 {
			t.Errorf("docs/design.md: %q is held by no test", title)
		}
		for _, name := range names {
			if !tests[name[1]] {
				t.Errorf("docs/design.md: %q is held by %s, which is no test and no case", title, name[1])
			}
		}
	}
	if len(sections) < 20 {
		t.Errorf("docs/design.md records only %d decisions", len(sections))
	}
}

// TestDocsLinks follows the links between files, headings included.
func TestDocsLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)\s]+)\)`)
	for _, doc := range documents(t) {
		prose := withoutFences(read(t, doc))
		for _, match := range link.FindAllStringSubmatch(prose, -1) {
			target, anchor, _ := strings.Cut(match[1], "#")
			if strings.Contains(target, ":") {
				continue // another site
			}
			file := doc
			if target != "" {
				file = path.Join(path.Dir(doc), target)
			}
			if info, err := fs.Stat(root, file); err != nil {
				t.Errorf("%s links to %s, which is not there", doc, match[1])
			} else if anchor != "" && !info.IsDir() && !slices.Contains(anchors(read(t, file)), anchor) {
				t.Errorf("%s links to %s, and %s has no such heading", doc, match[1], file)
			}
		}
	}
}

// TestDocsReadme holds the first block of the README to two commands, and the first of them to the output that is shown.
func TestDocsReadme(t *testing.T) {
	blocks := blocksOf(t, "README.md", strings.Split(read(t, "README.md"), "\n"))
	if got, want := blocks[0].text, "scripts/example\nscripts/test"; got != want {
		t.Errorf("the README begins with %q, and all that is needed are %q", got, want)
	}
	var shown string
	for _, b := range blocks {
		if command, ok := strings.CutPrefix(b.mark, "output of: "); ok {
			shown = strings.TrimSuffix(command, " (2)")
			break
		}
	}
	if script := read(t, "scripts/example"); shown == "" || !strings.Contains(script, "bin/"+shown+" ") {
		t.Errorf("the README shows the output of %q first, which is not what scripts/example runs", shown)
	}
	for _, name := range []string{"scripts/example", "scripts/test", ".ci/run", ".githooks/pre-push"} {
		if info, err := os.Stat(name); err != nil || info.Mode()&0o111 == 0 {
			t.Errorf("%s cannot be run: %v", name, err)
		}
	}
}

// documents are the Markdown files for people; golden files are none.
func documents(t *testing.T) []string {
	t.Helper()
	var docs []string
	walk(t, func(name string) {
		if strings.HasSuffix(name, ".md") && !strings.Contains(name, "testdata/") && !strings.HasPrefix(name, ".github/") {
			docs = append(docs, name)
		}
	})
	return docs
}

// blocksOf finds the fences and the quotations that a comment stands above.
func blocksOf(t *testing.T, doc string, lines []string) []block {
	t.Helper()
	var blocks []block
	mark := ""
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		b := block{doc: doc, mark: mark, first: i}
		switch {
		case strings.HasPrefix(line, "<!-- ") && strings.HasSuffix(line, " -->"):
			mark = strings.TrimSuffix(strings.TrimPrefix(line, "<!-- "), " -->")
			continue
		case strings.HasPrefix(line, "```"):
			fence := line[:len(line)-len(strings.TrimLeft(line, "`"))]
			b.language, b.first = line[len(fence):], i+1
			for i++; i < len(lines) && lines[i] != fence; i++ {
			}
			if i == len(lines) {
				t.Fatalf("%s: the block is never closed", b)
			}
		case strings.HasPrefix(line, ">"):
			b.quoted = true
			for ; i < len(lines) && strings.HasPrefix(lines[i], ">"); i++ {
			}
		case strings.TrimSpace(line) == "":
			continue
		default:
			mark = ""
			continue
		}
		b.last, mark = i, ""
		content := slices.Clone(lines[b.first:b.last])
		for j, line := range content {
			if b.quoted {
				content[j] = strings.TrimPrefix(strings.TrimPrefix(line, ">"), " ")
			}
		}
		b.text = strings.Join(content, "\n")
		blocks = append(blocks, b)
	}
	return blocks
}

// written gives the lines of a block that shows a text.
func (b block) written(text string) []string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		switch {
		case b.quoted && line == "":
			lines[i] = ">"
		case b.quoted:
			lines[i] = "> " + line
		}
	}
	return lines
}

var changeOf = regexp.MustCompile(`^change from (\S+) to (\S+)$`)

// checkChange holds a diff against the two files.
func checkChange(t *testing.T, b block, from, to string) {
	t.Helper()
	for file, other := range map[string]string{from: "+", to: "-"} {
		var part []string
		for _, line := range strings.Split(b.text, "\n") {
			if !strings.HasPrefix(line, other) {
				part = append(part, line[min(1, len(line)):])
			}
		}
		if !strings.Contains(read(t, file), strings.Join(part, "\n")+"\n") {
			t.Errorf("%s: %s does not hold what the diff says:\n%s", b, file, strings.Join(part, "\n"))
		}
	}
}

var linesOf = regexp.MustCompile(`^lines (\d+) to (\d+) of (\S+)$`)

// shownBy gives the text that a block has to show.
func shownBy(t *testing.T, b block) string {
	t.Helper()
	if command, ok := strings.CutPrefix(b.mark, "output of: altergate "); ok {
		return commandOutput(t, b, command)
	}
	if b.mark == "comment once ann has approved" {
		return approvedExample(t)
	}
	if match := changeOf.FindStringSubmatch(b.mark); match != nil {
		checkChange(t, b, match[1], match[2])
		return b.text
	}
	match := linesOf.FindStringSubmatch(b.mark)
	if match == nil {
		t.Fatalf("%s: nobody knows what %q shows", b, b.mark)
	}
	from, _ := strconv.Atoi(match[1])
	to, _ := strconv.Atoi(match[2])
	lines := strings.Split(read(t, match[3]), "\n")
	if from < 1 || to < from || to > len(lines) {
		t.Fatalf("%s: %s has %d lines", b, match[3], len(lines))
	}
	return strings.Join(lines[from-1:to], "\n")
}

// commandOutput runs a command in this process, at the root of the repository.
func commandOutput(t *testing.T, b block, command string) string {
	t.Helper()
	wanted := 0
	if args, code, ok := strings.Cut(command, " ("); ok {
		var err error
		if wanted, err = strconv.Atoi(strings.TrimSuffix(code, ")")); err != nil {
			t.Fatalf("%s: %q is no exit code", b, code)
		}
		command = args
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	env := cli.Env{Stdout: &stdout, Stderr: &stderr, Dir: dir, Getenv: func(string) string { return "" }}
	if code := cli.Main(t.Context(), env, strings.Fields(command)); code != wanted {
		t.Errorf("%s: altergate %s exits with %d, not with %d\n%s%s", b, command, code, wanted, stdout.String(), stderr.String())
	}
	if b.quoted {
		return strings.TrimRight(stdout.String(), "\n")
	}
	return strings.Trim(strings.TrimRight(stdout.String(), "\n")+"\n"+stderr.String(), "\n")
}

// approvedExample gives the example's comment, down to its table, once somebody who may has approved the plan.
func approvedExample(t *testing.T) string {
	t.Helper()
	target := pipeline.Target{Name: "main", Dialect: "sqlite", Base: pipeline.Place{FS: root, Path: "examples/shop/base.sql"}, Head: pipeline.Place{FS: root, Path: "examples/shop/head.sql"}}
	report := pipeline.Run(context.Background(), policy.Default(), []pipeline.Target{target}, pipeline.Options{})
	blocked := policy.Decide(report.Policy, report.Plans(), report.Answered(), nil)
	approval := policy.Approval{Login: "ann", Risk: blocked.Blocking[0].Risk, Digest: blocked.Digest[:policy.MinDigest], Role: "write"}
	passed := policy.Decide(report.Policy, report.Plans(), report.Answered(), []policy.Approval{approval})
	if blocked.Exit() != 2 || passed.Exit() != 0 {
		t.Fatalf("the example exits with %d, and with %d once it is approved", blocked.Exit(), passed.Exit())
	}
	text, _, ok := strings.Cut(comment.Render(report, passed, comment.Options{}), "\n\n#### ")
	if !ok {
		t.Fatal("the comment has no section for the schema")
	}
	return text
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := fs.ReadFile(root, name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// withoutFences leaves out code, in which brackets are no links.
func withoutFences(text string) string {
	var b strings.Builder
	inside := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimLeft(line, "> "), "```") {
			inside = !inside
		} else if !inside {
			b.WriteString(regexp.MustCompile("`[^`]*`").ReplaceAllString(line, ""))
		}
	}
	return b.String()
}

// anchors gives the names under which GitHub links to the headings of a document.
func anchors(text string) []string {
	var names []string
	for line := range strings.Lines(text) {
		if heading, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " "); ok && strings.HasPrefix(line, "#") {
			name := strings.ToLower(strings.TrimSpace(heading))
			name = regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(name, "")
			names = append(names, strings.ReplaceAll(name, " ", "-"))
		}
	}
	return names
}

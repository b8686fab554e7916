package comment_test

import (
	"html"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"github.com/altergate/altergate/internal/comment"
)

// skeleton is the structure of Markdown without its text: one line a node, indented by its depth.
func skeleton(t failer, markdown string) string {
	t.Helper()
	var b strings.Builder
	source := []byte(markdown)
	doc := parseMarkdown(source)
	depth := 0
	walk(t, doc, func(node ast.Node, entering bool) {
		if !entering {
			depth--
			return
		}
		depth++
		if node.Kind() != ast.KindText {
			b.WriteString(strings.Repeat(" ", depth) + node.Kind().String() + "\n")
		}
	})
	return b.String()
}

// failer is what testing.T and rapid.T have in common here.
type failer interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

func parseMarkdown(source []byte) ast.Node {
	return goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote)).Parser().Parse(text.NewReader(source))
}

func walk(t failer, doc ast.Node, visit func(node ast.Node, entering bool)) {
	t.Helper()
	err := ast.Walk(doc, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		visit(node, entering)
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatalf("walking: %v", err)
	}
}

var (
	ourHTML = regexp.MustCompile(`^(<details>\n<summary>SQL(, without that of [0-9a-z, ]+)?</summary>\n|</details>\n|<!-- altergate [0-9a-z =.]+ -->)$`)
	ourLink = regexp.MustCompile(`^https://github\.com/acme/shop/`)
	// active is what GitHub makes something of after Markdown is rendered.
	active = regexp.MustCompile(`(?i)[@#]|://|www\.|gh-[0-9]|:[a-z0-9_+-]+:|\b[0-9a-f]{40}\b|(^|[^\\])\$`)
	// unseen is what a reader cannot see.
	unseen = regexp.MustCompile(`[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\x{FE00}-\x{FE0F}\x{3164}]|[\x{A0}\x{1680}\x{2000}-\x{200A}\x{202F}\x{205F}\x{3000}]`)
)

// checkInert fails when a body holds anything active that is not ours.
func checkInert(t failer, body string) {
	t.Helper()
	source := []byte(body)
	opened, closed := 0, 0
	walk(t, parseMarkdown(source), func(node ast.Node, entering bool) {
		if !entering {
			return
		}
		switch n := node.(type) {
		case *ast.RawHTML, *ast.AutoLink, *ast.Image, *extast.TaskCheckBox, *extast.Strikethrough, *ast.Blockquote, *extast.FootnoteLink:
			t.Errorf("there is a %s", n.Kind())
		case *ast.Link:
			if !ourLink.Match(n.Destination) {
				t.Errorf("there is a link to %s", n.Destination)
			}
		case *ast.HTMLBlock:
			block := string(n.Lines().Value(source))
			if !ourHTML.MatchString(block) {
				t.Errorf("there is HTML that is not ours: %q", block)
			}
			opened += strings.Count(block, "<details>")
			closed += strings.Count(block, "</details>")
		case *extast.Table:
			checkCells(t, n)
		case *ast.Text:
			if shown := html.UnescapeString(string(n.Segment.Value(source))); n.Parent().Kind() != ast.KindCodeSpan && active.MatchString(shown) {
				t.Errorf("GitHub makes something of %q", shown)
			}
		}
	})
	if opened != closed {
		t.Errorf("%d details are opened and %d closed", opened, closed)
	}
	if hidden := unseen.FindString(strings.NewReplacer("\n", "", "\t", "").Replace(body)); hidden != "" || !utf8.ValidString(body) {
		t.Errorf("there is a character nobody can see: %q", hidden)
	}
	if commands := comment.Commands(body); len(commands) > 0 {
		t.Errorf("our own body holds commands: %+v", commands)
	}
}

// checkCells fails when the rows of a table differ in their number of cells, or a row's text was cut off for being too long.
func checkCells(t failer, table *extast.Table) {
	t.Helper()
	want := table.FirstChild().ChildCount()
	for row := table.FirstChild(); row != nil; row = row.NextSibling() {
		if got := row.ChildCount(); got != want {
			t.Errorf("a row has %d cells, the head has %d", got, want)
		}
	}
}

func checkOneMarker(t failer, body string) {
	t.Helper()
	mark, ok := comment.ParseMarker(body)
	if !ok || mark != options().Mark {
		t.Errorf("the last line gives the mark %+v, %t", mark, ok)
	}
	markers := 0
	walk(t, parseMarkdown([]byte(body)), func(node ast.Node, entering bool) {
		if n, ok := node.(*ast.HTMLBlock); ok && entering && strings.HasPrefix(string(n.Lines().Value([]byte(body))), "<!--") {
			markers++
		}
	})
	if markers != 1 {
		t.Errorf("there are %d markers", markers)
	}
}

var _ failer = (*testing.T)(nil)

package comment

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// longest is how long a comment with commands may be, in bytes. Parsing takes time that grows with the square of the length
// for texts made to that end, and a pull request has any number of comments.
const longest = 16 << 10

// plainLines returns the lines of a comment that begin with a slash and that a reader takes for the writer's own words to
// everybody: lines of paragraphs directly under the document, outside any span of code, emphasis, link or strikethrough, not in
// a $$ formula. A comment with raw HTML other than comments has none, because HTML can hide what Markdown shows.
func plainLines(body string) []string {
	source := []byte(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(body))
	doc := parse(source)
	if hasHTML(doc, source) {
		return nil
	}
	var lines []string
	for node := doc.FirstChild(); node != nil; node = node.NextSibling() {
		if node.Kind() != ast.KindParagraph || bytes.Contains(node.Lines().Value(source), []byte("$$")) {
			continue
		}
		for i := range node.Lines().Len() {
			segment := node.Lines().At(i)
			line := strings.Trim(string(segment.Value(source)), " \t\n")
			if strings.HasPrefix(line, "/") && indent(source, segment.Start) <= 3 && isPlain(node, segment.Start) {
				lines = append(lines, line)
			}
		}
	}
	return lines
}

// fences tells, line by line and without a parser, what stands in fenced code. It holds the marks that opened the fence.
type fences string

func (f *fences) holds(line string) bool {
	line = strings.TrimRight(strings.TrimLeft(line, " "), " \t")
	marks := line[:len(line)-len(strings.TrimLeft(line, line[:min(1, len(line))]))]
	opens := len(marks) >= 3 && (marks[0] == '~' || marks[0] == '`' && !strings.Contains(line[len(marks):], "`"))
	switch {
	case *f == "" && opens:
		*f = fences(marks)
		return true
	case *f != "" && marks == line && strings.HasPrefix(marks, string(*f)):
		*f = ""
		return true
	}
	return *f != ""
}

// parse reads Markdown as GitHub does. Footnotes are not in the GFM specification, but GitHub has them.
func parse(source []byte) ast.Node {
	markdown := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote))
	return markdown.Parser().Parse(text.NewReader(source))
}

// indent is the width of the blanks before an offset, back to the beginning of its line. Anything but a blank is too wide.
func indent(source []byte, offset int) int {
	before := source[bytes.LastIndexByte(source[:offset], '\n')+1 : offset]
	if len(bytes.Trim(before, " ")) > 0 {
		return len(before) + 4
	}
	return len(before)
}

// isPlain tells whether the byte at offset is bare text of a paragraph, inside no other inline.
func isPlain(paragraph ast.Node, offset int) bool {
	for node := paragraph.FirstChild(); node != nil; node = node.NextSibling() {
		if t, ok := node.(*ast.Text); ok && t.Segment.Start <= offset && offset < t.Segment.Stop {
			return true
		}
	}
	return false
}

// hasHTML tells whether there is any HTML in a document but comments.
func hasHTML(doc ast.Node, source []byte) bool {
	found := false
	_ = ast.Walk(doc, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		var html []byte
		switch n := node.(type) {
		case *ast.HTMLBlock:
			html = n.Lines().Value(source)
			if n.HasClosure() {
				html = append(bytes.Clone(html), n.ClosureLine.Value(source)...)
			}
		case *ast.RawHTML:
			html = n.Segments.Value(source)
		default:
			return ast.WalkContinue, nil
		}
		if found = !onlyComments(string(html)); found {
			return ast.WalkStop, nil
		}
		return ast.WalkContinue, nil
	})
	return found
}

// onlyComments tells whether HTML consists of closed comments. The forms in which browsers and Markdown disagree about where
// a comment ends are not taken for comments.
func onlyComments(html string) bool {
	for {
		html = strings.TrimSpace(html)
		if html == "" {
			return true
		}
		inside, opened := strings.CutPrefix(html, "<!--")
		comment, rest, closed := strings.Cut(inside, "-->")
		if !opened || !closed || strings.HasPrefix(inside, ">") || strings.HasPrefix(inside, "->") || strings.Contains(comment, "--!>") {
			return false
		}
		html = rest
	}
}

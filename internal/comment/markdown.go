package comment

import (
	"fmt"
	"strings"
)

// join puts blocks one under another; empty ones are not there.
func join(blocks ...string) string {
	var present []string
	for _, block := range blocks {
		if block != "" {
			present = append(present, block)
		}
	}
	return strings.Join(present, "\n\n")
}

// table gives a table, or nothing when it has no rows. Cells are Markdown; none holds a bare pipe or a line break.
func table(head []string, rows [][]string) string {
	if len(rows) == 0 {
		return ""
	}
	lines := []string{row(head), "|" + strings.Repeat(" --- |", len(head))}
	for _, cells := range rows {
		lines = append(lines, row(cells))
	}
	return strings.Join(lines, "\n")
}

func row(cells []string) string { return "| " + strings.Join(cells, " | ") + " |" }

// folded hides blocks behind a summary, which is one of our own phrases.
func folded(summary string, blocks ...string) string {
	return join(append(append([]string{"<details>\n<summary>" + summary + "</summary>"}, blocks...), "</details>")...)
}

// list gives "a", "a and b", "a, b and c"; after the first few it counts.
func list(items []string) string { return enumerate(items, "and") }

// either gives "a", "a or b", "a, b or c".
func either(items []string) string { return enumerate(items, "or") }

func enumerate(items []string, conjunction string) string {
	const few = 10
	if len(items) > few {
		items = append(items[:few:few], fmt.Sprintf("%d more", len(items)-few))
	}
	if len(items) < 2 {
		return strings.Join(items, "")
	}
	last := len(items) - 1
	return strings.Join(items[:last], ", ") + " " + conjunction + " " + items[last]
}

// codes puts each name into a code span.
func codes(names []string) []string {
	spans := make([]string, len(names))
	for i, name := range names {
		spans[i] = Code(name)
	}
	return spans
}

// count gives "1 step", "2 steps".
func count(n int, noun string) string { return fmt.Sprintf("%d %s", n, plural(n, noun)) }

func plural(n int, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}

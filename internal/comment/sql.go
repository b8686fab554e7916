package comment

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/altergate/altergate/internal/plan"
)

// sql is the SQL of a plan in order of execution, folded.
func (p *page) sql(pl *plan.Plan) string {
	var shown []string
	var hidden risks
	for i, s := range pl.Steps {
		if s.Risk < p.detail.sql {
			hidden.add(s)
			p.noSQL.add(s)
			continue
		}
		shown = append(shown, fmt.Sprintf("-- %s\n%s", stepInSQL(i+1, s), script(s.Statements())))
	}
	if len(shown) == 0 {
		return ""
	}
	summary := "SQL"
	if hidden.total() > 0 {
		summary += ", without that of " + hidden.String()
	}
	return folded(summary, fence(strings.Join(shown, "\n\n")))
}

// stepInSQL heads the statements of a step.
func stepInSQL(number int, s *plan.Step) string {
	line := fmt.Sprintf("step %d, %s, id %s", number, s.Risk, s.ID)
	switch {
	case s.Authored && s.Pos.File != "":
		line += ", " + oneLine(s.Pos.String())
	case !s.Transaction:
		line += ", outside a transaction"
	}
	return line
}

// oneLine keeps a text on the line of its SQL comment.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029' {
			return '\uFFFD'
		}
		return r
	}, text)
}

// script ends every statement with a semicolon, on a line of its own where the last line may end in a comment.
func script(statements []string) string {
	var b strings.Builder
	for i, s := range statements {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(s)
		last := s[strings.LastIndexByte(s, '\n')+1:]
		if strings.Contains(last, "--") || strings.Contains(last, "#") {
			b.WriteByte('\n')
		}
		b.WriteByte(';')
	}
	return b.String()
}

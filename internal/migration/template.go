package migration

import (
	"strings"

	"github.com/altergate/altergate/internal/source"
)

// findTemplate looks for what a template engine would replace, in the code of a text. In strings and comments the same signs are
// data: '{{1,2},{3,4}}' is an array.
func findTemplate(f *source.File, dialect, tool string) error {
	if !strings.Contains(f.Text, "{{") && !strings.Contains(f.Text, "{%") && !strings.Contains(f.Text, "${") && !strings.Contains(f.Text, "<%=") {
		return nil
	}
	at, sign := templateIn(f.Text, dialect)
	if at < 0 {
		return nil
	}
	text := "holds a template (%s): what would run is not what is written; name a directory with the rendered SQL"
	if sign == "${" && tool == "flyway" {
		text = "holds a placeholder (%s) that flyway replaces: what would run is not what is written; name a directory with the rendered SQL"
	}
	return sourceError(f.Pos(at), text, excerpt(f.Text[at:]))
}

// excerpt gives the first of a text, up to the end of the template or of the line.
func excerpt(text string) string {
	for _, close := range []string{"}}", "%}", "%>", "}"} {
		if i := strings.Index(text, close); i >= 0 && i < 60 && !strings.Contains(text[:i], "\n") {
			return text[:i+len(close)]
		}
	}
	return text[:2]
}

// templateIn finds the first template in a text, and the sign that opens it; -1 = none.
func templateIn(text, dialect string) (int, string) {
	s := scanner{text: text, dialect: dialect}
	for {
		start := s.at
		k, part := s.next()
		switch k {
		case end:
			return -1, ""
		case code, name:
			for i := 0; i+1 < len(part); i++ {
				switch sign := part[i : i+2]; {
				case sign == "{{", sign == "{%", sign == "${", sign == "<%" && strings.HasPrefix(part[i+2:], "="):
					return start + i, sign
				}
			}
		case body:
			// A body is code or data, which only what stands between the signs can tell.
			if at, sign := templateInBody(part, dialect); at >= 0 {
				return start + at, sign
			}
		}
	}
}

func templateInBody(part, dialect string) (int, string) {
	tag := dollarTag(part)
	if len(part) < 2*len(tag) {
		return -1, ""
	}
	inner := part[len(tag) : len(part)-len(tag)]
	at, sign := templateIn(inner, dialect)
	if at < 0 || sign == "{{" && !looksCalled(inner[at+2:]) {
		return -1, ""
	}
	return len(tag) + at, sign
}

// looksCalled tells a name or a call between braces from the elements of an array.
func looksCalled(text string) bool {
	i := strings.Index(text, "}}")
	return i >= 0 && !strings.ContainsAny(text[:i], "{},:") && strings.ContainsAny(text[:i], ".abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")
}

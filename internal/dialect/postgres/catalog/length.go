package catalog

import (
	"strings"

	"github.com/altergate/altergate/internal/dialect/postgres/script"
	"github.com/altergate/altergate/internal/schema"
)

// maxName is how many bytes a name may have.
const maxName = 63

// checkName refuses a name that the server would cut.
func (c *Catalog) checkName(o Origin, names ...string) error {
	for _, name := range names {
		if len(name) > maxName {
			return c.errorf(o, schema.KindSchema, "the name %s has %d bytes, and PostgreSQL cuts it after %d; give it a shorter name", name, len(name), maxName)
		}
	}
	return nil
}

// checkLengths refuses a statement with a name that the server would cut: two names that differ only behind the cut would be one.
// The parser has cut it already, so the text is looked at.
func (c *Catalog) checkLengths(s *script.Statement) error {
	if !mayHoldLongName(s.Text) {
		return nil
	}
	for i := 0; i < len(s.Text); {
		i = skipBlank(s.Text, i)
		end := behindLexeme(s.Text, i)
		if name := s.Text[i:end]; len(name) > maxName && isName(name) {
			name, _ = identifier(name)
			if err := c.checkName(c.origin(s, i), name); err != nil {
				return err
			}
		}
		i = end
	}
	return nil
}

// mayHoldLongName tells quickly that a text holds no long name: nearly none does.
func mayHoldLongName(text string) bool {
	run := 0
	for i := range len(text) {
		if nameByte(text[i]) {
			if run++; run > maxName {
				return true
			}
			continue
		}
		run = 0
	}
	for rest := text; ; { // a quoted name may hold anything
		_, after, ok := strings.Cut(rest, `"`)
		if !ok {
			return false
		}
		if n := strings.IndexByte(after, '"'); n < 0 || n > maxName {
			return true
		}
		rest = after
	}
}

// isName tells a quoted or unquoted name from numbers and strings.
func isName(lexeme string) bool {
	return lexeme[0] == '"' || (nameByte(lexeme[0]) && lexeme[0] != '$' && (lexeme[0] < '0' || lexeme[0] > '9') && !strings.HasSuffix(lexeme, "'"))
}

// behindLexeme gives the offset behind the name, the string or the character at an offset.
func behindLexeme(text string, i int) int {
	rest := text[i:]
	switch {
	case rest == "":
		return i
	case rest[0] == '\'':
		return behindString(text, i+1, false)
	case len(rest) > 1 && rest[1] == '\'' && strings.IndexByte("eEbBxXnN", rest[0]) >= 0:
		return behindString(text, i+2, rest[0] == 'e' || rest[0] == 'E')
	case strings.HasPrefix(rest, "U&'"), strings.HasPrefix(rest, "u&'"):
		return behindString(text, i+3, false)
	case rest[0] == '$':
		return behindDollars(text, i)
	}
	return behindToken(text, i)
}

// behindString gives the offset behind the string whose opening quote ends at an offset.
func behindString(text string, i int, escapes bool) int {
	for ; i < len(text); i++ {
		switch {
		case text[i] == '\\' && escapes:
			i++
		case text[i] != '\'':
		case i+1 < len(text) && text[i+1] == '\'':
			i++
		default:
			return i + 1
		}
	}
	return len(text)
}

// behindDollars gives the offset behind the dollar-quoted string at an offset, or behind the dollar sign if none begins there.
func behindDollars(text string, i int) int {
	end := i + 1
	for end < len(text) && nameByte(text[end]) && text[end] != '$' {
		end++
	}
	if end >= len(text) || text[end] != '$' || (end > i+1 && text[i+1] >= '0' && text[i+1] <= '9') {
		return i + 1
	}
	tag := text[i : end+1]
	if n := strings.Index(text[end+1:], tag); n >= 0 {
		return end + 1 + n + len(tag)
	}
	return len(text)
}

package script

import "strings"

// Quote writes a name so that the server reads it back as that name.
func Quote(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }

// Literal writes a string that means the text where backslashes escape, as they do unless sql_mode says otherwise.
func Literal(text string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", "''", "\x00", `\0`, "\n", `\n`, "\r", `\r`, "\x1a", `\Z`).Replace(text) + "'"
}

// Unquote gives what a string in quotes means, where backslashes escape. A letter before it (N'x') is cut; of X'41' and B'01' the digits
// are left.
func Unquote(literal string) string {
	if literal == "" {
		return ""
	}
	prefix := literal[0] | 0x20
	if literal[0] != '\'' && literal[0] != '"' {
		literal = literal[1:]
	}
	if len(literal) < 2 {
		return literal
	}
	q, body := literal[0], literal[1:len(literal)-1]
	if prefix == 'x' || prefix == 'b' || strings.IndexByte(body, q) < 0 && strings.IndexByte(body, '\\') < 0 {
		return body
	}
	var b strings.Builder
	for i := 0; i < len(body); i++ {
		c := body[i]
		switch {
		case c == q: // the first of two
			i++
		case c == '\\' && i+1 < len(body):
			i++
			if c = body[i]; strings.IndexByte("%_", c) >= 0 { // these keep their backslash
				b.WriteByte('\\')
			} else if n := strings.IndexByte("0nrtbZ", c); n >= 0 {
				c = "\x00\n\r\t\b\x1a"[n]
			}
		}
		b.WriteByte(c)
	}
	return b.String()
}

// excerpt gives the beginning of a text on one line, in backticks, at most so many characters.
func excerpt(text string, most int) string {
	text = strings.Join(strings.Fields(text[:min(len(text), 8*most)]), " ")
	runes := []rune(text)
	if len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	return "`" + text + "`"
}

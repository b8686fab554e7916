package script

import "strings"

// Expr gives the text of the expression that starts at a byte offset of Text, without the blanks and comments around it. It
// ends before the first comma, semicolon or bracket that closes one opened before it, before the first of the stops behind
// its start, or with Text.
func (s *Statement) Expr(from int, stops ...int) string {
	if from < 0 || from > len(s.Text) {
		return ""
	}
	stop := len(s.Text)
	for _, at := range stops {
		if at > from {
			stop = min(stop, at)
		}
	}
	src := s.Text[:stop]
	start, last, depth := -1, from, 0
	for t := next(src, from); t.kind != eof; t = next(src, t.end) {
		if t.kind == comment {
			continue
		}
		if t.kind == punctuation {
			switch src[t.start] {
			case '(', '[':
				depth++
			case ')', ']':
				depth--
			}
			if depth < 0 || (depth == 0 && (src[t.start] == ',' || src[t.start] == ';')) {
				break
			}
		}
		if start < 0 {
			start = t.start
		}
		last = t.end
	}
	if start < 0 {
		return ""
	}
	return src[start:last]
}

// Parens gives the text inside the first parentheses that open at or after a byte offset of Text, without the blanks at its
// ends, and the offset behind them.
func (s *Statement) Parens(from int) (string, int, bool) {
	open, depth := -1, 0
	for t := next(s.Text, max(from, 0)); t.kind != eof; t = next(s.Text, t.end) {
		if t.kind != punctuation {
			continue
		}
		switch s.Text[t.start] {
		case '(':
			if depth++; depth == 1 {
				open = t.end
			}
		case ')':
			if depth == 1 {
				return strings.TrimSpace(s.Text[open:t.start]), t.end, true
			}
			depth = max(depth-1, 0)
		}
	}
	return "", 0, false
}

// After gives the byte offset behind the words, or punctuation marks, that stand at an offset of Text in this order, whatever
// their case and with any blanks and comments before and between them; -1 if others stand there.
func (s *Statement) After(from int, words ...string) int {
	if from < 0 {
		return -1
	}
	for _, w := range words {
		t := solid(s.Text, from)
		if t.kind == eof || !t.is(s.Text, w) {
			return -1
		}
		from = t.end
	}
	return from
}

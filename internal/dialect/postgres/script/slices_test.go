package script

import (
	"strings"
	"testing"
)

// marked takes the marks out of a text and gives their offsets: ^ where to start, ! where to stop.
func marked(text string) (s *Statement, from int, stops []int) {
	var b strings.Builder
	for _, r := range text {
		switch r {
		case '^':
			from = b.Len()
		case '!':
			stops = append(stops, b.Len())
		default:
			b.WriteRune(r)
		}
	}
	return &Statement{Text: b.String()}, from, stops
}

func TestExpr(t *testing.T) {
	for text, want := range map[string]string{
		"CHECK (^a > 0)":                              "a > 0",
		"CHECK (^ f(a, b) + (c) , d)":                 "f(a, b) + (c)",
		"DEFAULT ^a[1, 2] || ARRAY[3];":               "a[1, 2] || ARRAY[3]",
		"DEFAULT^ 'a,b)' /* c, */ || $$,$$ -- d\n, e": "'a,b)' /* c, */ || $$,$$",
		"DEFAULT ^1 !NOT NULL, b int":                 "1",
		"!DEFAULT ^1 + 2 /* x */ !NOT !NULL":          "1 + 2",
		"DEFAULT ^'ü' ":                               "'ü'",
		"DEFAULT ^ /* a */ 1 /* b */":                 "1",
		"DEFAULT ^":                                   "",
		"DEFAULT ^, b":                                "",
		"a[^1]":                                       "1",
	} {
		s, from, stops := marked(text)
		if got := s.Expr(from, stops...); got != want {
			t.Errorf("%s is %q, want %q", text, got, want)
		}
	}
	if got := (&Statement{Text: "a"}).Expr(2); got != "" {
		t.Errorf("behind the end is %q", got)
	}
}

func TestParens(t *testing.T) {
	for text, want := range map[string]string{
		"CHECK^ ( a > (0) ) NOT VALID": "a > (0)",
		"^')(' /* ( */ (')')":          "')'",
		"(a) ^(b)":                     "b",
		"^) (a)":                       "a",
		"^()":                          "",
	} {
		s, from, _ := marked(text)
		got, behind, ok := s.Parens(from)
		if !ok || got != want || s.Text[behind-1] != ')' {
			t.Errorf("%s is %q to %d, %v, want %q", text, got, behind, ok, want)
		}
	}
	for _, text := range []string{"^a", "^((a)", "(a)^"} {
		s, from, _ := marked(text)
		if got, behind, ok := s.Parens(from); ok || got != "" || behind != 0 {
			t.Errorf("%s is %q to %d", text, got, behind)
		}
	}
}

func TestAfter(t *testing.T) {
	tests := []struct {
		text  string
		words []string
		want  string // the text behind, or "no"
	}{
		{"^CREATE TABLE t", []string{"CREATE", "TABLE"}, " t"},
		{"^ create/* a */\n-- b\ntable (t", []string{"CREATE", "TABLE", "("}, "t"},
		{"^CREATED", []string{"CREATE"}, "no"},
		{`^"create"`, []string{"CREATE"}, "no"},
		{"^CREATE", []string{"CREATE", "TABLE"}, "no"},
		{"CREATE ^TABLE", nil, "TABLE"},
	}
	for _, tt := range tests {
		s, from, _ := marked(tt.text)
		got := "no"
		if i := s.After(from, tt.words...); i >= 0 {
			got = s.Text[i:]
		}
		if got != tt.want {
			t.Errorf("%s: behind %s is %q, want %q", tt.text, tt.words, got, tt.want)
		}
	}
	if got := (&Statement{Text: "a"}).After(-1, "a"); got != -1 {
		t.Errorf("behind nowhere is %d", got)
	}
}

func TestQuote(t *testing.T) {
	for name, want := range map[string]string{
		"users": "users", "_a1": "_a1", "a$b": "a$b", "1a": `"1a"`, "": `""`, "Users": `"Users"`, "a b": `"a b"`, `a"b`: `"a""b"`, "ü": `"ü"`,
		"user": `"user"`, "order": `"order"`, "left": `"left"`, "int": `"int"`, "values": `"values"`, "merge_action": `"merge_action"`,
		"name": "name", "type": "type", "index": "index", "commit": "commit",
	} {
		if got := Quote(name); got != want {
			t.Errorf("%q is %s, want %s", name, got, want)
		}
		s := `SELECT 1 AS ` + Quote(name) + ";"
		if tok := next(s, len("SELECT 1 AS ")); tok.name(s) != name {
			t.Errorf("%s is read as %q", Quote(name), tok.name(s))
		}
	}
}

func TestLiteral(t *testing.T) {
	for text, want := range map[string]string{"": "''", "a": "'a'", "it's": "'it''s'", `a\b`: `E'a\\b'`, `\'`: `E'\\'''`, "ü\n": "'ü\n'"} {
		if got := Literal(text); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}

package script

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// kinds are short names of the classes of tokens.
var kinds = map[TokenKind]string{Word: "w", QuotedName: "q", String: "s", Number: "n", Symbol: ".", Comment: "c", Illegal: "!"}

func TestTokens(t *testing.T) {
	for text, want := range map[string]string{
		"":                                  "",
		"a1 _b $c ü 1a 0xg 2e":              "w:a1 w:_b w:$c w:ü w:1a w:0xg w:2e",
		"1 1.5 .5 1. 1e5 1.5E-3 0x1F 0b01":  "n:1 n:1.5 n:.5 n:1. n:1e5 n:1.5E-3 n:0x1F n:0b01",
		"t.1a `t`.2 a.b":                    "w:t .:. w:1a q:`t` .:. w:2 w:a .:. w:b",
		`'a''b' "c""d" 'e\'f' '\\'`:         `s:'a''b' s:"c""d" s:'e\'f' s:'\\'`,
		"n'a' X'41' b'01' _utf8'a' date'x'": "s:n'a' s:X'41' s:b'01' w:_utf8 s:'a' w:date s:'x'",
		"`a``b` `\\`":                       "q:`a``b` q:`\\`",
		"a--1 -- b":                         "w:a .:- .:- n:1 c:-- b",
		"a#b":                               "w:a c:#b",
		"a/*b*/c/d":                         "w:a c:/*b*/ w:c .:/ w:d",
		"@x := @@y <=>":                     ".:@ w:x .:: .:= .:@ .:@ w:y .:< .:= .:>",
		"a 'b":                              "w:a !:'b",
		"`b":                                "!:`b",
		"/* b":                              "!:/* b",
		`'b\'`:                              `!:'b\'`,
	} {
		var got []string
		for _, tok := range Tokens(text) {
			got = append(got, kinds[tok.Kind]+":"+tok.Text(text))
		}
		if d := cmp.Diff(want, strings.Join(got, " ")); d != "" {
			t.Errorf("%s (-want +got):\n%s", text, d)
		}
	}
	if got := Solid("a /* b */ c -- d"); len(got) != 2 {
		t.Errorf("without comments there are %d", len(got))
	}
}

func TestTokenNames(t *testing.T) {
	for text, want := range map[string]string{"Ab": "Ab", "`a``b`": "a`b", "'a''b'": "a'b", `"x"`: "x"} {
		if got := Tokens(text)[0].Name(text); got != want {
			t.Errorf("%s names %q, want %q", text, got, want)
		}
	}
	if tok := Tokens("`table`")[0]; tok.Is("`table`", "table") || !Tokens("table")[0].Is("table", "TABLE") {
		t.Error("a name in quotes is a keyword, or a keyword is none")
	}
}

func TestWords(t *testing.T) {
	got := Words("SELECT `A b`, t.C /* d */ FROM T WHERE 'e' = \"f\" -- g\n")
	want := map[string]bool{"select": true, "a b": true, "t": true, "c": true, "from": true, "where": true}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestCanonical(t *testing.T) {
	for text, want := range map[string]string{
		"( IN `A`  INT(11) , b varchar( 5 ) )":  "(in a int (11), b varchar (5))",
		"ON SCHEDULE /* x */ EVERY 1 DAY -- y":  "on schedule every 1 day",
		"`a b`.`C` @ x \"it's\" N'q' X'4A' 0xF": "`a b`.c@x 'it''s' n'q' x'4a' 0xf",
	} {
		if got := Canonical(text); got != want {
			t.Errorf("%s is %q, want %q", text, got, want)
		}
	}
}

func TestQuote(t *testing.T) {
	for name, want := range map[string]string{"a": "`a`", "a`b": "`a``b`", "": "``"} {
		if got := Quote(name); got != want {
			t.Errorf("%q is %s, want %s", name, got, want)
		}
	}
}

func TestLiteral(t *testing.T) {
	for text, want := range map[string]string{"": "''", "it's": "'it''s'", `a\b`: `'a\\b'`, "a\nb\x00": `'a\nb\0'`, "ü": "'ü'"} {
		got := Literal(text)
		if got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
		if back := Unquote(got); back != text {
			t.Errorf("%s means %q, want %q", got, back, text)
		}
	}
	for literal, want := range map[string]string{`"a""b'"`: `a"b'`, `'\%\_\x\'\"\Z'`: "\\%\\_x'\"\x1a", "N'a'": "a", "X'4A'": "4A", "": ""} {
		if got := Unquote(literal); got != want {
			t.Errorf("%s means %q, want %q", literal, got, want)
		}
	}
}

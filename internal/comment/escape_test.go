package comment_test

import (
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/comment"
)

func TestCode(t *testing.T) {
	tests := map[string]string{
		"users.email":             "`users.email`",
		"":                        "`\"\"`",
		"a`b|c":                   "`a\\u{60}b\\u{7C}c`",
		"@acme/dba #1 :x: <b>":    "`@acme/dba #1 :x: <b>`",
		"a\nb\tc":                 "`a\\u{A}b\\u{9}c`",
		"\u202Egnp.exe":           "`\\u{202E}gnp.exe`",
		"a\u200Bb\u00A0c":         "`a\\u{200B}b\\u{A0}c`",
		" a  b ":                  "`\\u{20}a \\u{20}b\\u{20}`",
		"\xff":                    "`\\x{FF}`",
		`\d+ \u{41}`:              "`\\d+ \\u{5C}u{41}`",
		"größe 名前":                "`größe 名前`",
		strings.Repeat("a", 80):   "`" + strings.Repeat("a", 80) + "`",
		strings.Repeat("a", 81):   "`" + strings.Repeat("a", 70) + "…~8c48280d`",
		strings.Repeat("a", 82):   "`" + strings.Repeat("a", 70) + "…~f5854359`",
		strings.Repeat("\n", 100): "`" + strings.Repeat("\\u{A}", 14) + "…~2dc82b28`",
	}
	for name, want := range tests {
		if got := comment.Code(name); got != want {
			t.Errorf("Code(%q) = %s, want %s", name, got, want)
		}
	}
}

func TestText(t *testing.T) {
	tests := map[string]string{
		"Every value in column user_id of table a__b is lost.": "Every value in column user_id of table a__b is lost.",
		"16.4 and 1.5":           "16.4 and 1.5",
		"a: b, status::text":     "a: b, status::text",
		"two\r\nlines\t here ":   "two lines here",
		"_a_ *b* `c` ~d~ [e](f)": "\\_a\\_ \\*b\\* \\`c\\` \\~d\\~ \\[e\\](f)",
		"<b> & a|b \\ $x$":       "&lt;b&gt; &amp; a&#124;b &#92; \\$x\\$",
		"@acme/dba, #12, GH-12":  "\\u{40}acme/dba, \\u{23}12, GH\\u{2D}12",
		":smile: :a:b:":          "\\u{3A}smile: \\u{3A}a\\u{3A}b:",
		"https://x www.x":        "https\\u{3A}//x www\\u{2E}x",
		"- a":                    "\\- a",
		"12. a":                  "12\\. a",
		"/approve destructive":   "\\/approve destructive",
		"x/approve":              "x/approve",
		"\u202Ea\u200B":          "\\u{202E}a\\u{200B}",
		"c0ffee0123456789c0ffee0123456789c0ffee01": "\\u{63}0ffee0123456789c0ffee0123456789c0ffee01",
	}
	for text, want := range tests {
		if got := comment.Text(text); got != want {
			t.Errorf("Text(%q) = %s, want %s", text, got, want)
		}
	}
}

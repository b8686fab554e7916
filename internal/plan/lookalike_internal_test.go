package plan

import (
	"strings"
	"testing"
)

func TestMixedScripts(t *testing.T) {
	for name, want := range map[string]string{
		"users":                     "",
		"user_id2":                  "",
		"größe":                     "",
		"имя":                       "",
		"name_имя":                  "", // two words
		"имя2":                      "",
		"名前":                        "",
		"ユーザーID":                    "", // how Japanese is written
		"顧客のリストID":                  "",
		"사용자ID":                     "",
		"漢字ㄅ":                       "",
		"e\u0301t":                  "", // a mark has the script of its letter
		"us\u0435rs":                "Cyrillic, Latin",
		"billing.us\u0435rs":        "Cyrillic, Latin",
		"\u03B1uthor":               "Greek, Latin",
		"\u043F\u03B1":              "Cyrillic, Greek",
		"a\u0561":                   "Armenian, Latin",
		"имя\u0E01":                 "Cyrillic, Thai",
		"ユ\uC0AC":                   "Hangul, Katakana",
		"x2\u0435":                  "Cyrillic, Latin",
		"of us\u0435rs and \u03B1b": "Cyrillic, Latin", // the first is enough
	} {
		if got := strings.Join(mixed(name), ", "); got != want {
			t.Errorf("mixed(%q) is %q, want %q", name, got, want)
		}
	}
}

func TestNamesThatLookTheSame(t *testing.T) {
	for name, as := range map[string]string{
		"us\u0435rs":                     "users",
		"USERS":                          "users",
		"\uFF55\uFF53\uFF45\uFF52\uFF53": "users", // full width
		"u\u200Bs\u2060ers":              "users",
		"us\u202Eers":                    "users",
		"use\uFE0Frs":                    "users",
		"\u0421\u041E\u0420\u0415":       "cope",
		"\u039Frder":                     "order",
		"\u017Fales":                     "sales", // the long s
		"\uFB01le":                       "file",  // a ligature
		"e\u0301t\u00E9":                 "\u00E9te\u0301",
		"\u0131d":                        "id",
	} {
		if looks(name) != looks(as) {
			t.Errorf("%q looks like %q, and %q like %q", name, looks(name), as, looks(as))
		}
	}
	for _, pair := range [][2]string{{"user", "users"}, {"col1", "coll"}, {"имя", "name"}, {"été", "ete"}, {"ж", "x"}, {"a_b", "ab"}, {"名前", "名刺"}} {
		if looks(pair[0]) == looks(pair[1]) {
			t.Errorf("%q and %q look the same: %q", pair[0], pair[1], looks(pair[0]))
		}
	}
}

func TestCodePoints(t *testing.T) {
	for name, want := range map[string]string{"users": "users", "us\u0435rs": "us{U+0435}rs", "a\n\u200B": "a{U+000A}{U+200B}", "𝕏": "{U+1D54F}", "a b": "a b"} {
		if got := codePoints(name); got != want {
			t.Errorf("codePoints(%q) is %s, want %s", name, got, want)
		}
	}
}

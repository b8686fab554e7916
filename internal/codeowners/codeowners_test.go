package codeowners

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/altergate/altergate/internal/schema"
)

func read(t *testing.T, text string) *File {
	t.Helper()
	f, err := Read(fstest.MapFS{"CODEOWNERS": {Data: []byte(text)}})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// owners gives the owners of a file, as they are written.
func owners(f *File, name string) string {
	var words []string
	for _, o := range f.Owners(name) {
		words = append(words, o.String())
	}
	return strings.Join(words, " ")
}

// TestPatterns holds patterns to the examples of GitHub's page "About code owners", and to gitignore's page for what that leaves to it.
func TestPatterns(t *testing.T) {
	for pattern, files := range map[string]struct{ yes, no []string }{
		// "These owners will be the default owners for everything in the repo."
		"*": {yes: []string{"a", "a/b", "a/b/c.sql", ".github/x"}},
		// "only modifies JS files"
		"*.js": {yes: []string{"a.js", "a/b.js", "a.js/b"}, no: []string{"a.jsx", "js"}},
		// "any files in the build/logs directory at the root of the repository and any of its subdirectories"
		"/build/logs/": {yes: []string{"build/logs/a", "build/logs/b/c"}, no: []string{"a/build/logs/b", "build/logs", "build/logsx/a"}},
		// "will match files like docs/getting-started.md but not further nested files like docs/build-app/troubleshooting.md"
		"docs/*": {yes: []string{"docs/getting-started.md"}, no: []string{"docs/build-app/troubleshooting.md", "a/docs/b", "docs"}},
		// "any file in an apps directory anywhere in your repository"
		"apps/": {yes: []string{"apps/a", "x/apps/b/c"}, no: []string{"apps", "x/apps", "myapps/a"}},
		// "any file in the /docs directory in the root of your repository and any of its subdirectories"
		"/docs/": {yes: []string{"docs/a", "docs/a/b"}, no: []string{"x/docs/a"}},
		// "any file in a /logs directory such as /build/logs, /scripts/logs, and /deeply/nested/logs"
		"**/logs": {yes: []string{"build/logs/a", "scripts/logs/a", "deeply/nested/logs/a/b", "logs/a", "logs"}, no: []string{"logs2/a"}},
		// "the /apps/github subdirectory"
		"/apps/github": {yes: []string{"apps/github", "apps/github/a"}, no: []string{"apps/github2", "apps/a", "x/apps/github"}},
		// gitignore: a slash at the beginning or in the middle makes the pattern relative to the root
		"db/schema.sql":   {yes: []string{"db/schema.sql"}, no: []string{"a/db/schema.sql", "db/Schema.sql"}},
		"schema.sql":      {yes: []string{"schema.sql", "a/b/schema.sql"}, no: []string{"xschema.sql"}},
		"/schema.sql":     {yes: []string{"schema.sql"}, no: []string{"a/schema.sql"}},
		"db/*.sql":        {yes: []string{"db/a.sql"}, no: []string{"db/a/b.sql", "db/a.txt"}},
		"db/?.sql":        {yes: []string{"db/a.sql"}, no: []string{"db/ab.sql", "db/.sql", "db//.sql"}},
		"abc/**":          {yes: []string{"abc/a", "abc/a/b"}, no: []string{"abc", "x/abc/a"}},
		"a/**/b":          {yes: []string{"a/b", "a/x/b", "a/x/y/b", "a/x/b/c"}, no: []string{"a/xb", "b"}},
		"a/**/b/**/*.sql": {yes: []string{"a/b/x.sql", "a/b/b/c/x.sql", "a/c/b/x.sql"}, no: []string{"a/x.sql", "a/c/x.sql"}},
		"**/foo/bar":      {yes: []string{"foo/bar", "a/foo/bar", "a/foo/bar/c"}, no: []string{"foo/a/bar"}},
		"**":              {yes: []string{"a", "a/b"}},
		"**/":             {yes: []string{"a/b", "a/b/c"}, no: []string{"a"}},
		"/*":              {yes: []string{"a"}, no: []string{"a/b"}},
		"/*/":             {yes: []string{"a/b", "a/b/c"}, no: []string{"a"}},
		`a\ b/`:           {yes: []string{"a b/c"}, no: []string{"a/c", "b/c"}},
		`a\*`:             {yes: []string{"a*"}, no: []string{"ab"}},
		"größe.sql":       {yes: []string{"größe.sql", "a/größe.sql"}},
		"a(1)+b@c.sql":    {yes: []string{"a(1)+b@c.sql"}, no: []string{"a1b@c.sql"}},
	} {
		f := read(t, pattern+" @ann\n")
		for _, name := range files.yes {
			if owners(f, name) != "@ann" {
				t.Errorf("%s does not match %s", pattern, name)
			}
		}
		for _, name := range files.no {
			if owners(f, name) != "" {
				t.Errorf("%s matches %s", pattern, name)
			}
		}
	}
}

func TestTheLastRuleWins(t *testing.T) {
	f := read(t, "\ufeff# The owners\r\n\r\n*\t@global-owner1  @global-owner2\r\n"+
		"*.sql @octo-org/octocats #This is an inline comment.\n/apps/ @octocat\n/apps/github\n   /apps/github/x docs@example.technology\n")
	for name, want := range map[string]string{
		"README":            "@global-owner1 @global-owner2",
		"db/a.sql":          "@octo-org/octocats",
		"apps/a.sql":        "@octocat",
		"apps/github/a.sql": "", // "as its owners are left empty"
		"apps/github/x":     "docs@example.technology",
	} {
		if got := owners(f, name); got != want {
			t.Errorf("%s is owned by %q, want %q", name, got, want)
		}
	}
	want := []Owner{{Team: "octo-org/octocats"}}
	if diff := cmp.Diff(want, f.Owners("a.sql")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestReadTakesTheFirstPlace(t *testing.T) {
	tree := fstest.MapFS{}
	for _, place := range []string{"docs/CODEOWNERS", "CODEOWNERS", ".github/CODEOWNERS"} {
		tree[place] = &fstest.MapFile{Data: []byte("* @of-" + strings.NewReplacer(".", "", "/", "-").Replace(place))}
		f, err := Read(tree)
		if err != nil || f.Path != place || len(f.Owners("a")) != 1 {
			t.Errorf("got %+v, %v, want %s", f, err, place)
		}
	}
	f, err := Read(fstest.MapFS{"a/CODEOWNERS": {Data: []byte("* @ann")}, "codeowners": {Data: []byte("* @ann")}})
	if err != nil || f.Path != "" || f.Owners("a") != nil {
		t.Errorf("elsewhere: got %+v, %v", f, err)
	}
}

// TestReadRefuses wants the place of every line that GitHub would pass over, or that it may read in another way.
func TestReadRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"* @ann\n!/apps/ @bob\n":         "CODEOWNERS:2: a pattern cannot be negated",
		"* @ann\n\n[ab].sql @bob":        "CODEOWNERS:3: a pattern cannot hold a range",
		`\#a.sql @bob`:                   "CODEOWNERS:1: a backslash stands before '#'",
		"[Section] @bob":                 "CODEOWNERS:1: ",
		"a#b @bob":                       "CODEOWNERS:1: a # stands inside a word",
		"* @ann#x":                       "CODEOWNERS:1: a # stands inside a word",
		"* ann":                          `CODEOWNERS:1: "ann" is no owner`,
		"* @":                            `"@" is no owner`,
		"* @acme/":                       `"@acme/" is no owner`,
		"* @acme/dba/x":                  `"@acme/dba/x" is no owner`,
		"* @ann,@bob":                    `"@ann,@bob" is no owner`,
		"/ @ann":                         "a pattern cannot be / alone",
		"a//b @ann":                      "two slashes",
		"a/***/b @ann":                   "***",
		"a\\":                            "ends in a backslash",
		"\xff @ann":                      "is not UTF-8",
		strings.Repeat("#", 3<<20+1):     "is larger than the 3 MiB",
		strings.Repeat("x", 1<<17) + "[": "a pattern cannot hold a range",
	} {
		f, err := Read(fstest.MapFS{"CODEOWNERS": {Data: []byte(text)}})
		name := text[:min(len(text), 20)]
		if err == nil || !strings.Contains(err.Error(), want) || f != nil {
			t.Errorf("%q: got %v, want %q", name, err, want)
			continue
		}
		for _, e := range schema.Errors(err) {
			if e.Kind != schema.KindConfig || e.Side != schema.Base || e.Pos.File != "CODEOWNERS" {
				t.Errorf("%q: got %+v", name, e)
			}
		}
	}
	_, err := Read(fstest.MapFS{"CODEOWNERS": {Data: []byte("[a] @b\n* @ann\n!x @b\n")}})
	if got := len(schema.Errors(err)); got != 2 {
		t.Errorf("%d errors, want 2: %v", got, err)
	}
	_, err = Read(fstest.MapFS{"CODEOWNERS/x": {Data: []byte("* @ann")}})
	if err == nil || !strings.Contains(err.Error(), "cannot be read") {
		t.Errorf("a directory: got %v", err)
	}
}

// TestAnyTextIsReadOrRefused: nothing that stands in the file breaks a run.
func TestAnyTextIsReadOrRefused(t *testing.T) {
	word := rapid.StringOfN(rapid.SampledFrom([]rune(`ab/*?\\#![]@.- ü`+"\t")), 0, 8, -1)
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(word, 1, 6).Draw(t, "words"), rapid.SampledFrom([]string{" @a", "\n", " ", "/"}).Draw(t, "glue"))
		f, err := Read(fstest.MapFS{"CODEOWNERS": {Data: []byte(text)}})
		if (f == nil) == (err == nil) {
			t.Fatalf("%q: got %v, %v", text, f, err)
		}
		if f != nil {
			f.Owners(rapid.SampledFrom([]string{"a", "a/b", "ü/a.b/a"}).Draw(t, "file"))
		}
	})
}

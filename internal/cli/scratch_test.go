package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/bot/bottest"
	"github.com/altergate/altergate/internal/pipeline"
)

func TestScratchDialects(t *testing.T) {
	for server, want := range map[string]string{
		"postgres://ann@db:5432/postgres":                 "postgres",
		"postgresql://ann:secret@db/postgres?sslmode=off": "postgres",
		"postgres://postgres@/postgres?host=/run/pg":      "postgres",
		"postgres:///":                           "postgres",
		"mysql://ann:secret@db":                  "mysql, mariadb",
		"mariadb://ann:secret@db/?socket=/run/s": "mysql, mariadb",
		"oracle://ann:secret@db":                 "oracle://ann@db is a server of no dialect",
		"http://db?password=secret":              "http://db is a server of no dialect",
		"oracle://ann:5/secret@db/x":             "the URL is a server of no dialect",
		"file:secret":                            "no URL of a server",
		"host=db password=secret":                "no URL of a server",
		"postgres://ann:%zsecret@db/":            "no URL of a server",
		"":                                       "no URL of a server",
	} {
		dialects, err := scratchDialects(server)
		got := strings.Join(dialects, ", ")
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, want) || strings.Contains(got, "secret") {
			t.Errorf("%q gives %q, want %q", server, got, want)
		}
	}
}

func TestPasswords(t *testing.T) {
	for server, want := range map[string][]string{
		"postgres://ann@db/postgres":                         nil,
		"postgres://ann:se%2Fcret@db/postgres":               {"se%2Fcret", "se/cret"},
		"postgres://ann:se%zcret@db/postgres":                {"se%zcret"}, // no URL, and yet a secret
		"postgres://ann:a:b@c@db":                            {"a:b@c", "a:b@c"},
		"postgres://db/postgres?password=one&sslpassword=to": {"one", "to"},
		"mysql://ann:a%2Fb@db/?tls=true":                     {"a%2Fb", "a/b"},
		"secret":                                             nil,
	} {
		if diff := cmp.Diff(append([]string{server}, want...), passwords(server)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", server, diff)
		}
	}
}

// A server goes to the schemas of its dialect, and it is a mistake to give one that none of them can use.
func TestScratchFlag(t *testing.T) {
	const server = "postgres://ann:secret@db/postgres"
	some := []pipeline.Target{{Name: "a", Dialect: "sqlite"}, {Name: "b", Dialect: "postgres"}}
	for _, test := range []struct {
		name    string
		value   once
		targets []pipeline.Target
		want    pipeline.Options
		says    string
	}{
		{"none was given", once{}, some, pipeline.Options{}, ""},
		{"the word none", once{"none", true}, some, pipeline.Options{NoEngine: true}, ""},
		{"several dialects", once{server, true}, some, pipeline.Options{Scratch: pipeline.Scratch{"postgres": server}}, ""},
		{"another dialect", once{server, true}, some[:1], pipeline.Options{}, "postgres://ann@db/postgres is a server of the dialect postgres, and no schema here is"},
		{"MySQL and MariaDB", once{"mysql://ann:secret@db", true}, []pipeline.Target{{Name: "c", Dialect: "mariadb"}}, pipeline.Options{Scratch: pipeline.Scratch{"mysql": "mysql://ann:secret@db", "mariadb": "mysql://ann:secret@db"}}, ""},
		{"MySQL for none", once{"mysql://ann:secret@db", true}, some, pipeline.Options{}, "mysql://ann@db is a server of the dialect mysql or mariadb, and no schema here is"},
		{"an unknown server", once{"oracle://ann:secret@db", true}, some, pipeline.Options{}, "begins with postgres://"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := run{flags: inputFlags{Scratch: test.value}}.scratch(test.targets)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if (err != nil) != (test.says != "") || err != nil && (!strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "secret")) {
				t.Errorf("it says %v, want %q", err, test.says)
			}
		})
	}
}

// What was typed may hold a password, wherever in the arguments it was put.
func TestNoMessageHasAPassword(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.sql"), []byte("CREATE TABLE a (id INTEGER PRIMARY KEY);"), 0o644); err != nil {
		t.Fatal(err)
	}
	const server = "postgres://ann:secret@db/postgres?password=secret"
	for _, args := range [][]string{
		{"--scratch", server}, {"--scratch=" + server, "--scratch=" + server}, {"--scrach=" + server}, {"--scrach", server}, {server},
		{"--scratch", server + "%zz"}, {"--scratch", strings.Replace(server, "postgres", "mysql", 1)}, {"--scratch", strings.Replace(server, "postgres", "oracle", 1)}, {"--online", "--scratch", server},
	} {
		for _, format := range []string{"text", "json", "markdown"} {
			var out bytes.Buffer
			env := Env{Stdout: &out, Stderr: &out, Dir: dir, Getenv: func(string) string { return "" }}
			code := Main(t.Context(), env, append([]string{"verify", "--dialect", "sqlite", "--base", "a.sql", "--head", "a.sql", "--format", format}, args...))
			if code != exitNoAnswer || out.Len() == 0 || strings.Contains(out.String(), "secret") {
				t.Errorf("%v exits %d and says\n%s", args, code, &out)
			}
		}
	}
}

func TestOnlineFlag(t *testing.T) {
	for _, test := range []struct {
		value once
		want  []bool
	}{
		{once{}, []bool{false, true}}, // as the configuration has it
		{once{"true", true}, []bool{false, false}},
		{once{"false", true}, []bool{true, true}},
	} {
		targets := []pipeline.Target{{Name: "a"}, {Name: "b", Plain: true}}
		in := &inputs{run: run{flags: inputFlags{Online: test.value}}}
		err := in.overrideOnline(targets)
		if got := []bool{targets[0].Plain, targets[1].Plain}; err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%+v: %v (%v), want %v", test.value, got, err, test.want)
		}
	}
}

// The runner hides the password before anything else is written, also that of a URL which is then refused.
func TestActionHidesTheScratchServer(t *testing.T) {
	for server, code := range map[string]int{
		"postgres://ann:s%2Fecret@postgres:5432/postgres": exitYes,
		"postgres://ann:s%zecret@postgres:5432/postgres":  exitNoAnswer,
		"mysql://ann:s%2Fecret@mariadb:3306/":             exitYes,
		"mysql://ann:s%zecret@mariadb:3306/":              exitNoAnswer,
	} {
		s := newStep(t, bottest.AddIndex())
		scheme, _, _ := strings.Cut(server, ":")
		s.env["INPUT_SCRATCH-"+strings.ToUpper(scheme)] = server
		got, _ := s.run()
		var rest strings.Builder
		for line := range strings.Lines(s.stdout.String()) {
			if !strings.HasPrefix(line, "::add-mask::") {
				rest.WriteString(line)
			}
		}
		for _, password := range passwords(server) {
			if masked := strings.ReplaceAll(password, "%", "%25"); !strings.Contains(s.stdout.String(), "::add-mask::"+masked+"\n") || strings.Contains(rest.String(), password) {
				t.Errorf("%q is not masked, or shown:\n%s", password, s.stdout.String())
			}
		}
		if got != code {
			t.Errorf("it exits %d, want %d:\n%s", got, code, s.stdout.String())
		}
	}
}

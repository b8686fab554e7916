package migration

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/schema"
)

// engines are the directory names that stand for a database, by the dialect they are for; empty = one that is not read here.
var engines = map[string]string{
	"postgres": "postgres", "postgresql": "postgres", "pg": "postgres", "pgsql": "postgres", "psql": "postgres",
	"mysql": "mysql", "mysql8": "mysql", "mariadb": "mariadb", "sqlite": "sqlite", "sqlite3": "sqlite",
	"mssql": "", "sqlserver": "", "oracle": "", "cockroach": "", "cockroachdb": "", "crdb": "", "h2": "", "hsqldb": "", "clickhouse": "",
	"libsql": "", "spanner": "", "db2": "", "snowflake": "", "yugabyte": "",
}

// choose goes into the dialect's own directory where each dialect has one, and leaves out the directories of others.
func (r *reader) choose() error {
	var own, others, neutral []string
	top := false
	for _, e := range r.entries {
		first, _, _ := strings.Cut(e.rel, "/")
		switch of, known := engines[strings.ToLower(first)]; {
		case e.top():
			top = top || e.sql() || language(e.name) != "" && hasDigit(e.name)
		case !known:
			if e.sql() && !slices.Contains(neutral, first) {
				neutral = append(neutral, first)
			}
		case r.serves(of):
			own = appendNew(own, first)
		default:
			others = appendNew(others, first)
		}
	}
	if r.o.Dialect == "" || len(own)+len(others) == 0 {
		return nil
	}
	if len(own) == 2 && r.o.Dialect == "mariadb" { // mysql's are not meant where mariadb has its own
		own = slices.DeleteFunc(own, func(dir string) bool { return engines[strings.ToLower(dir)] != "mariadb" })
	}
	at := schema.Pos{File: r.dir.Path}
	switch {
	case len(own) > 1:
		return sourceError(at, "has several directories for %s: %s; name the one that is meant", r.o.Dialect, strings.Join(own, ", "))
	case len(own) == 0 && !top && len(neutral) == 0:
		return sourceError(at, "has directories for %s, and none for %s", strings.Join(others, ", "), r.o.Dialect)
	case len(own) == 1 && !top && len(neutral) > 0:
		return sourceError(at, "has SQL files in %s and in %s: which of them run for %s cannot be told; name the directory that is meant", own[0], strings.Join(neutral, ", "), r.o.Dialect)
	case len(own) == 1 && !top:
		r.dir.Path = path.Join(r.dir.Path, own[0])
		text := fmt.Sprintf("of the directories for each database the one for %s is read", r.o.Dialect)
		r.dir.Notices = append(r.dir.Notices, schema.Notice{Text: text, Pos: schema.Pos{File: r.dir.Path}})
		return r.list()
	}
	r.leaveOut(others)
	return nil
}

// serves reports whether a directory for one dialect is for the one that is asked for.
func (r *reader) serves(dialect string) bool {
	return dialect != "" && (dialect == r.o.Dialect || dialect == "mysql" && r.o.Dialect == "mariadb")
}

func (r *reader) leaveOut(dirs []string) {
	for _, dir := range dirs {
		text := fmt.Sprintf("is not read: the directory is for another database than %s", r.o.Dialect)
		r.dir.Notices = append(r.dir.Notices, schema.Notice{Text: text, Pos: schema.Pos{File: path.Join(r.dir.Path, dir)}})
		r.entries = slices.DeleteFunc(r.entries, func(e entry) bool { return strings.HasPrefix(e.rel, dir+"/") })
	}
}

func appendNew(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// elsewhere points at a directory below in which migrations usually are.
func (r *reader) elsewhere() string {
	for _, e := range r.entries {
		for dir := e.dir; dir != "" && dir != "."; dir = path.Dir(dir) {
			if b := path.Base(dir); b == "migrations" || b == "migrate" || b == "migration" {
				return "; is " + path.Join(r.dir.Path, dir) + " meant?"
			}
		}
	}
	return ""
}

// language names what a file is written in, by its ending; empty = nothing that a migration would be written in.
func language(name string) string {
	switch strings.ToLower(path.Ext(name)) {
	case ".go":
		return "Go"
	case ".rb":
		return "Ruby"
	case ".py":
		return "Python"
	case ".ts", ".mts", ".cts":
		return "TypeScript"
	case ".js", ".mjs", ".cjs":
		return "JavaScript"
	case ".php":
		return "PHP"
	case ".java":
		return "Java"
	case ".kt", ".kts":
		return "Kotlin"
	case ".groovy":
		return "Groovy"
	case ".scala":
		return "Scala"
	case ".rs":
		return "Rust"
	case ".ex", ".exs":
		return "Elixir"
	case ".cs":
		return "C#"
	case ".fizz":
		return "Fizz"
	case ".sh":
		return "shell"
	}
	return ""
}

package migration

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/schema"
)

// evidence is one thing in a directory that only one tool puts there.
type evidence struct {
	tool string
	why  string // a clause
	at   string // the file
}

// markers are the comments that belong to one tool, as they stand behind the dashes. A marker beats a name.
var markers = []struct{ text, tool string }{
	{"+goose", "goose"},
	{"+migrate", "sql-migrate"},
	{"migrate:up", "dbmate"},
	{"migrate:down", "dbmate"},
}

// foreign are markers of tools that are not read here. Their files hold ways back that must not be taken for ways forward.
var foreign = []struct{ text, tool string }{
	{"+micrate", "micrate"},
	{"rambler up", "rambler"},
	{"rambler down", "rambler"},
	{"//@UNDO", "MyBatis Migrations"},
	{"!Ups", "Play evolutions"},
	{"!Downs", "Play evolutions"},
}

// detect tells which tool the directory is for. It is sure of nothing that two tools could have written: files that only have
// numbers are plain, which every tool that could run them runs in the same order.
func (r *reader) detect() (tool, error) {
	all := r.evidence()
	if r.o.Tool != "" {
		t, _ := findTool(r.o.Tool)
		r.dir.Why = "the configuration says so"
		if i := slices.IndexFunc(all, func(e evidence) bool { return contradicts(e.tool, t.name) }); i >= 0 {
			r.dir.Notices = append(r.dir.Notices, schema.Notice{Text: fmt.Sprintf("looks like %s: %s", all[i].tool, all[i].why), Pos: schema.Pos{File: all[i].at}})
		}
		return t, nil
	}
	for _, e := range all {
		if e.tool != all[0].tool {
			return tool{}, sourceError(schema.Pos{File: r.dir.Path}, "holds files of two tools: %s (%s: %s) and %s (%s: %s); set tool to the one that runs them",
				all[0].tool, all[0].at, all[0].why, e.tool, e.at, e.why)
		}
	}
	if len(all) == 0 {
		all = append(all, r.circumstance())
	}
	t, ok := findTool(all[0].tool)
	if !ok {
		return tool{}, sourceError(schema.Pos{File: all[0].at}, "this is a file of %s, which is not read here: %s; have the tool write plain SQL, and name that", all[0].tool, all[0].why)
	}
	r.dir.Why = all[0].why
	return t, nil
}

// contradicts reports whether what speaks for one tool speaks against another: sums and names can be beside any.
func contradicts(seen, set string) bool {
	return seen != set && seen != "atlas" && seen != "pop" && seen != "rails"
}

// evidence gathers what speaks for a tool, at most once each. Where markers are found names count for nothing.
func (r *reader) evidence() []evidence {
	if marked := r.markedFiles(); len(marked) > 0 {
		return marked
	}
	var all []evidence
	for _, e := range r.entries {
		if found, why := r.named(e); found != "" && !slices.ContainsFunc(all, func(o evidence) bool { return o.tool == found }) {
			all = append(all, evidence{found, why, e.path})
		}
	}
	has := func(name string) bool {
		return slices.ContainsFunc(all, func(e evidence) bool { return e.tool == name })
	}
	drop := func(name string) { all = slices.DeleteFunc(all, func(e evidence) bool { return e.tool == name }) }
	if has("drizzle") { // its newer folders have the file name of prisma's
		drop("prisma")
	}
	if len(all) > 1 { // a file of sums can lie beside any tool's files
		drop("atlas")
	}
	if len(all) == 1 && has("atlas") && slices.ContainsFunc(r.entries, func(e entry) bool {
		_, ok := golangMigrateName(e.name)
		return ok && e.top() && e.sql()
	}) {
		return []evidence{{"golang-migrate", "by .up.sql files with " + sumFile + " beside", all[0].at}}
	}
	if len(all) == 0 && !slices.ContainsFunc(r.entries, func(e entry) bool { return e.top() && e.sql() }) {
		return r.nestedChangelog()
	}
	return all
}

// nestedChangelog looks for Liquibase's files below, which is where they often are.
func (r *reader) nestedChangelog() []evidence {
	for _, e := range r.entries {
		if !e.sql() {
			continue
		}
		if f, ok := r.text(e); ok && formattedSQL(f.Text) {
			return []evidence{{"liquibase", "by --liquibase formatted sql", e.path}}
		}
	}
	return nil
}

// named tells the tool that alone gives files such a name at such a place.
func (r *reader) named(e entry) (tool, why string) {
	below := e.dir != "" && !strings.Contains(e.dir, "/")
	switch {
	case e.rel == "meta/_journal.json":
		return "drizzle", "by meta/_journal.json"
	case below && e.name == "snapshot.json":
		return "drizzle", "by folders with snapshot.json"
	case e.rel == "migration_lock.toml":
		return "prisma", "by migration_lock.toml"
	case below && e.name == "migration.sql":
		return "prisma", "by folders with migration.sql"
	case below && e.name == "up.sql" && hasDigit(e.dir):
		return "diesel", "by folders with up.sql"
	case e.top() && e.name == sumFile:
		return "atlas", "by " + sumFile
	case e.top() && railsNamed(e.name):
		return "rails", "by names such as " + e.name
	case e.top() && r.isChangelog(e):
		return "liquibase", "by the changelog " + e.name
	case flywayNamed(e.name):
		return "flyway", "by names such as " + e.name
	case e.top() && popNamed(e.name):
		return "pop", "by names such as " + e.name
	}
	return "", ""
}

func hasDigit(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }

// markedFiles looks for markers in the SQL files of the directory itself.
func (r *reader) markedFiles() []evidence {
	var all []evidence
	add := func(tool, why, at string) {
		if !slices.ContainsFunc(all, func(o evidence) bool { return o.tool == tool }) {
			all = append(all, evidence{tool, why, at})
		}
	}
	for _, e := range r.entries {
		if !e.sql() || !e.top() {
			continue
		}
		f, ok := r.text(e)
		if !ok {
			continue
		}
		if !strings.Contains(f.Text, "--") {
			continue
		}
		if strings.Contains(f.Text, "# --- !Ups") || strings.Contains(f.Text, "# --- !Downs") {
			add("Play evolutions", "it has the marker # --- !Ups", e.path)
		}
		if formattedSQL(f.Text) {
			add("liquibase", "by --liquibase formatted sql", e.path)
			continue
		}
		for _, l := range commentLines(f.Text) {
			if tool, why := l.markerOf(); tool != "" {
				add(tool, why, e.path)
			}
		}
	}
	return all
}

// markerOf tells whose marker a comment line is.
func (l line) markerOf() (tool, why string) {
	for _, m := range markers {
		if _, ok := l.marked(m.text); ok {
			return m.tool, "by the marker " + strings.TrimSpace(l.text)
		}
	}
	for _, m := range foreign {
		if _, ok := l.marked(m.text); ok {
			return m.tool, "it has the marker " + strings.TrimSpace(l.text)
		}
	}
	if strings.HasPrefix(l.text, breakpoint) {
		return "drizzle", "by the marker " + breakpoint
	}
	if up, _ := nodeMarker(l.text); up && len(strings.Fields(strings.TrimLeft(l.text, "- \t"))) == 2 {
		return "node-pg-migrate", "by the marker " + strings.TrimSpace(l.text)
	}
	return "", ""
}

// circumstance looks around where the files alone say nothing: at names that one tool makes by default, and at what the project
// around the directory depends on.
func (r *reader) circumstance() evidence {
	dir := r.dir.Path
	if path.Base(dir) == "migrations" && path.Base(path.Dir(dir)) == "supabase" {
		return evidence{"supabase", "by the directory supabase/migrations", dir}
	}
	files, ups, six := 0, 0, 0
	for _, e := range r.entries {
		if !e.top() || !e.sql() {
			continue
		}
		files++
		if n, ok := golangMigrateName(e.name); ok {
			ups++
			if _, rest, _ := number(e.name); len(e.name)-len(rest) == 6 && len(n.version) < 5 {
				six++
			}
		}
	}
	if files == 0 {
		return evidence{"plain", "nothing says otherwise", dir}
	}
	if by, ok := r.dependency(ups > 0); ok {
		return by
	}
	if six == files {
		return evidence{"golang-migrate", "by .up.sql files whose numbers have six digits, as migrate create -seq writes them", dir}
	}
	return evidence{"plain", "by numbered files that several tools could have written", dir}
}

// dependency looks for the tool in the nearest go.mod or Cargo.toml at or above the directory.
func (r *reader) dependency(ups bool) (evidence, bool) {
	for dir := r.dir.Path; ; dir = path.Dir(dir) {
		for _, p := range []struct{ file, word, tool string }{
			{"go.mod", "github.com/golang-migrate/migrate", "golang-migrate"},
			{"Cargo.toml", "sqlx", "sqlx"},
		} {
			if p.tool == "golang-migrate" && !ups {
				continue
			}
			at := path.Join(dir, p.file)
			if data, err := fs.ReadFile(r.fsys, at); err == nil && strings.Contains(string(data), p.word) {
				return evidence{p.tool, "by numbered files, and " + p.word + " in " + at, at}, true
			}
		}
		if dir == "." {
			return evidence{}, false
		}
	}
}

package migration

import (
	"strings"
)

// popFile is what a name says to pop.
type popFile struct {
	version, title, dialect string
	autocommit, down, fizz  bool
}

// popDialects are the words for databases in pop's file names.
var popDialects = map[string]string{
	"postgres": "postgres", "postgresql": "postgres", "pg": "postgres", "mysql": "mysql", "mariadb": "mysql",
	"sqlite": "sqlite", "sqlite3": "sqlite", "cockroach": "cockroach", "cockroachdb": "cockroach", "crdb": "cockroach",
}

// popName reads a name such as 20200101_users.postgres.autocommit.up.sql (pop's migrator.go; autocommit is ory's popx).
func popName(name string) (popFile, bool) {
	parts := strings.Split(name, ".")
	n := len(parts)
	if n < 3 || n > 5 || parts[n-1] != "sql" && parts[n-1] != "fizz" || parts[n-2] != "up" && parts[n-2] != "down" {
		return popFile{}, false
	}
	_, rest, ok := number(parts[0])
	if !ok || len(rest) < 2 || rest[0] != '_' {
		return popFile{}, false
	}
	f := popFile{version: parts[0][:len(parts[0])-len(rest)], title: rest[1:], down: parts[n-2] == "down", fizz: parts[n-1] == "fizz"}
	for i, word := range parts[1 : n-2] {
		switch {
		case word == "autocommit":
			f.autocommit = true
		case i == 0 && popDialects[word] != "":
			f.dialect = popDialects[word]
		default:
			return popFile{}, false
		}
	}
	return f, true
}

// popNamed reports whether a name is one that golang-migrate would not give.
func popNamed(name string) bool {
	f, ok := popName(name)
	return ok && (f.dialect != "" || f.autocommit || f.fizz)
}

// pop reads the files of pop: {version}_{name}[.dialect][.autocommit].(up|down).(sql|fizz), the versions compared as text. Of one
// version the file for the dialect is run, and else the one without a dialect (migration_info.go, UpMigrations.Less). Whatever
// has not been run is run, each in a transaction unless it says autocommit.
func (r *reader) pop() {
	type pair struct{ up, down *entry }
	chosen := map[string]*pair{}
	var order []string
	var passed []entry
	want := r.o.Dialect
	if want == "mariadb" {
		want = "mysql"
	}
	for i := range r.entries {
		e := &r.entries[i]
		f, ok := popName(e.name)
		if !ok || !e.top() {
			continue
		}
		if f.dialect != "" && want != "" && f.dialect != want {
			passed = append(passed, *e)
			continue
		}
		key := f.version + "_" + f.title
		p := chosen[key]
		if p == nil {
			p = &pair{}
			chosen[key] = p
			order = append(order, key)
		}
		at := &p.up
		if f.down {
			at = &p.down
		}
		if *at == nil {
			*at = e
			continue
		}
		old, _ := popName((*at).name)
		general := e
		if f.dialect != "" && old.dialect == "" {
			general, *at = *at, e
		}
		passed = append(passed, *general)
	}
	for _, e := range passed {
		r.used[e.path] = true
	}
	if len(passed) > 0 {
		r.notice(passed[0], "is not read: it is for another database, or %s has a file of its own; so for %s", r.o.Dialect, counted(len(passed), "file"))
	}
	for _, key := range order {
		r.popMigration(key, chosen[key].up, chosen[key].down)
	}
	r.dir.sortByVersion()
}

func (r *reader) popMigration(key string, up, down *entry) {
	if up == nil {
		if down != nil {
			r.notice(*down, "is a way back from nothing: there is no file that goes up")
		}
		return
	}
	f, _ := popName(up.name)
	text, ok := r.text(*up)
	if !ok {
		return
	}
	m := &Migration{Version: f.version, Name: key, Transaction: !f.autocommit}
	if f.fizz {
		m.Language = "Fizz"
	} else {
		m.Up = text
	}
	r.add(*up, m)
	if down == nil {
		return
	}
	r.used[down.path] = true
	if strings.HasSuffix(down.name, ".fizz") {
		return
	}
	if text, ok := r.text(*down); ok {
		m.Down, m.DownPath = text, down.path
	}
}

package migration

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// fileName is what a numbered file's name says.
type fileName struct {
	version string
	title   string
	down    bool
	firm    bool // the direction is said in a way that is no accident: .down.sql, not _down.sql
}

// golangMigrate reads the files of golang-migrate: {version}_{title}.up.{ext} and .down.{ext} in the directory itself, the version
// a uint64; other files are ignored (source/parse.go). A migration below the version that the database is at is never looked at
// again (migrate.go, readUp). The PostgreSQL driver sends a file as one string, around which the server opens a transaction; the
// SQLite driver opens one; MySQL has none.
func (r *reader) golangMigrate() {
	r.numbered(golangMigrateName, maxUint64)
	for _, m := range r.dir.Migrations {
		m.Transaction = r.o.Dialect == "postgres" || r.o.Dialect == "sqlite"
		m.Implicit = r.o.Dialect == "postgres"
	}
	r.otherLanguages(func(e entry) bool {
		n, ok := golangMigrateName(e.name)
		return ok && !n.down
	})
}

func golangMigrateName(name string) (fileName, bool) {
	version, rest, ok := number(name)
	if !ok || !strings.HasPrefix(rest, "_") {
		return fileName{}, false
	}
	up, down := strings.LastIndex(rest, ".up."), strings.LastIndex(rest, ".down.")
	switch {
	case up < 0 && down < 0:
		return fileName{}, false
	case up > down:
		return fileName{version: version, title: rest[1:up]}, true
	}
	return fileName{version: version, title: rest[1:down], down: true, firm: true}, true
}

// sqlx reads the files of sqlx: <VERSION>_<DESCRIPTION>.sql, or .up.sql and .down.sql, the version an i64; names without an
// underscore are ignored, others without a number are an error (sqlx-core/src/migrate/source.rs). All that has not been run is run
// in the order of versions, and a file that has changed since is refused (migrator.rs). Each runs in a transaction unless the file
// begins with "-- no-transaction".
func (r *reader) sqlx() {
	r.numbered(func(name string) (fileName, bool) {
		version, rest, ok := number(name)
		if !ok || !strings.HasPrefix(rest, "_") || !strings.HasSuffix(rest, ".sql") {
			return fileName{}, false
		}
		switch {
		case strings.HasSuffix(rest, ".down.sql"):
			return fileName{version: version, title: strings.TrimSuffix(rest[1:], ".down.sql"), down: true, firm: true}, true
		case strings.HasSuffix(rest, ".up.sql"):
			return fileName{version: version, title: strings.TrimSuffix(rest[1:], ".up.sql")}, true
		}
		return fileName{version: version, title: strings.TrimSuffix(rest[1:], ".sql")}, true
	}, maxInt64)
	for _, m := range r.dir.Migrations {
		m.Transaction = m.Up == nil || !strings.HasPrefix(m.Up.Text, "-- no-transaction")
	}
}

// supabase reads the files of supabase: <number>_name.sql in the directory itself, in the order of their names (pkg/migration/list.go
// of its command line). A file before the newest that has been run is refused unless --include-all is given. The statements
// of a file are sent as one batch, which is a transaction.
func (r *reader) supabase() {
	r.numbered(func(name string) (fileName, bool) {
		_, rest, ok := number(name)
		if !ok || !strings.HasPrefix(rest, "_") || !strings.HasSuffix(rest, ".sql") {
			return fileName{}, false
		}
		version := name[:len(name)-len(rest)] // it is compared as text
		return fileName{version: version, title: strings.TrimSuffix(rest[1:], ".sql")}, true
	}, "")
	slices.SortStableFunc(r.dir.Migrations, func(a, b *Migration) int { return cmp.Compare(path.Base(a.Path), path.Base(b.Path)) })
	for _, m := range r.dir.Migrations {
		m.Transaction = true
	}
}

// plain reads numbered files of a tool that is not known: in the order of their numbers, the ways back left out. Files without a
// number run in the order of their paths; that is said.
func (r *reader) plain() {
	if !slices.ContainsFunc(r.entries, func(e entry) bool { return e.top() && e.sql() }) {
		r.pathOrder()
		return
	}
	bare := slices.IndexFunc(r.entries, func(e entry) bool {
		_, _, ok := number(e.name)
		return e.top() && e.sql() && !ok
	})
	r.numbered(plainName, "")
	r.otherLanguages(func(e entry) bool {
		_, rest, ok := number(e.name)
		return ok && rest != "" && !strings.HasSuffix(rest, "_test.go")
	})
	if bare >= 0 {
		slices.SortStableFunc(r.dir.Migrations, func(a, b *Migration) int { return cmp.Compare(a.Path, b.Path) })
		r.notice(r.entries[bare], "has no number: the files are read in the order of their names")
		return
	}
	r.tellOrder()
}

// plainName reads a file's name as generously as the tools do together.
func plainName(name string) (fileName, bool) {
	version, rest := date(name)
	if version == "" {
		rest = name
	}
	n := fileName{version: version, title: strings.TrimSuffix(rest, path.Ext(rest))}
	low := strings.ToLower(n.title)
	for _, word := range []string{"down", "rollback", "undo", "revert", "up"} {
		for _, sep := range []string{".", "_", "-"} {
			if strings.HasSuffix(low, sep+word) || low == word {
				n.down, n.firm = word != "up", sep == "."
				n.title = strings.TrimSuffix(n.title[:len(n.title)-len(word)], sep)
				n.title = strings.TrimLeft(n.title, "_-. ")
				if version == "" {
					n.version = n.title
				}
				return n, true
			}
		}
	}
	n.title = strings.TrimLeft(n.title, "_-. ")
	if version == "" {
		n.version = n.title
	}
	return n, true
}

// date gives the number that a name begins with; a date counts as one number: 2024-01-31_name, 2024_01_31_120000-name.
func date(name string) (version, rest string) {
	version, rest, ok := number(name)
	if !ok {
		return "", name
	}
	digits := name[:len(name)-len(rest)]
	if len(digits) != 4 || digits < "1990" || digits > "2199" {
		return version, rest
	}
	all, left := digits, rest
	for range 5 {
		if left == "" || !strings.ContainsRune("-_.T", rune(left[0])) {
			break
		}
		n := 0
		for n+1 < len(left) && left[n+1] >= '0' && left[n+1] <= '9' {
			n++
		}
		if n == 0 || n+1 < len(left) && wordByte(left[n+1]) && left[n+1] != '_' && left[n+1] != 'T' {
			break
		}
		if len(all) < 8 && n != 2 {
			break
		}
		all, left = all+left[1:n+1], left[n+1:]
	}
	if len(all) < 8 {
		return version, rest
	}
	return unpadded(all), left
}

// pathOrder reads every SQL file, at any depth, in the order of the paths.
func (r *reader) pathOrder() {
	said := false
	for _, e := range r.entries {
		if !e.sql() {
			continue
		}
		f, ok := r.text(e)
		if !ok {
			continue
		}
		if n, _ := plainName(e.name); n.down && n.firm || backDirectory(e.dir) {
			r.notice(e, "is not run: its name says that it is a way back")
			continue
		}
		r.add(e, &Migration{Version: e.rel, Name: e.rel, Up: f})
		if !said {
			said = true
			r.notice(e, "the files below are read in the order of their paths: no tool is known that reads such a directory")
		}
	}
}

// backDirectory reports whether a directory is for ways back.
func backDirectory(dir string) bool {
	for word := range strings.SplitSeq(strings.ToLower(dir), "/") {
		if slices.Contains([]string{"down", "downs", "rollback", "rollbacks", "undo", "revert"}, word) {
			return true
		}
	}
	return false
}

// numbered reads the SQL files of the directory itself whose names a tool understands, and puts ways back to their ways forward.
func (r *reader) numbered(parse func(string) (fileName, bool), most string) {
	type way struct {
		e entry
		n fileName
	}
	var downs []way
	ups := map[string][]*Migration{}
	for _, e := range r.entries {
		if !e.sql() || !e.top() {
			continue
		}
		n, ok := parse(e.name)
		if !ok {
			continue // finish names it
		}
		f, ok := r.text(e)
		if !ok {
			continue
		}
		if most != "" && !fitsIn(n.version, most) {
			r.fail(e, 0, "the version %s is larger than %s can be, which %s takes", n.version, most, r.dir.Tool)
			continue
		}
		if n.down {
			downs = append(downs, way{e, n})
			continue
		}
		m := &Migration{Version: n.version, Name: strings.TrimSuffix(e.name, path.Ext(e.name)), Up: f}
		if tern := strings.Index(f.Text, ternMarker); tern >= 0 {
			m.Up = cutOut(f, Span{0, tern})
			m.Down, m.DownPath = cutOut(f, Span{tern + len(ternMarker), len(f.Text)}), e.path
		}
		m.Name = strings.TrimSuffix(m.Name, ".up")
		ups[n.version] = append(ups[n.version], m)
		r.add(e, m)
	}
	for _, d := range downs {
		same := ups[d.n.version]
		i := slices.IndexFunc(same, func(m *Migration) bool { return strings.Contains(m.Path, d.n.title) && m.Down == nil })
		if i < 0 && len(same) == 1 && same[0].Down == nil {
			i = 0
		}
		switch {
		case i >= 0:
			r.used[d.e.path] = true
			same[i].Down, same[i].DownPath = r.files[d.e.path], d.e.path
		case d.n.firm:
			r.notice(d.e, "is a way back from nothing: no file goes up to the version %s; it is not run", d.n.version)
		default:
			r.fail(d.e, 0, "its name says that it is a way back, and no file goes up to the version %s; rename it if it is to be run, or end it in .down.sql", d.n.version)
		}
	}
	r.dir.sortByNumber()
}

// ternMarker is the line with which tern parts the two ways.
const ternMarker = "---- create above / drop below ----"

// otherLanguages adds the files of the directory itself that are migrations in another language than SQL.
func (r *reader) otherLanguages(counts func(entry) bool) {
	added := false
	for _, e := range r.entries {
		if !e.top() || e.sql() || r.used[e.path] || !counts(e) {
			continue
		}
		in := language(e.name)
		if in == "" {
			continue
		}
		version, _, _ := number(e.name)
		r.add(e, &Migration{Version: version, Name: strings.TrimSuffix(e.name, path.Ext(e.name)), Language: in})
		r.text(e)
		added = true
	}
	if added {
		r.dir.sortByNumber()
	}
}

// tellOrder says that numbers were compared as numbers where names would give another order.
func (r *reader) tellOrder() {
	for i, m := range r.dir.Migrations[:max(0, len(r.dir.Migrations)-1)] {
		next := r.dir.Migrations[i+1]
		if m.Version != next.Version && path.Base(m.Path) > path.Base(next.Path) {
			r.notice(entry{path: next.Path}, "runs after %s: numbers are compared as numbers", path.Base(m.Path))
			return
		}
	}
}

package migration

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// flyway reads the files of Flyway, at any depth: V<version>__name.sql, U<version>__name.sql (the way back), R__name.sql
// (repeatable: runs again whenever it has changed, after all versions, in the order of the names) and B<version>__name.sql (for an
// empty database, in place of all versions up to its own). The parts of a version are parted by dots or underscores and compared as
// numbers. <file>.conf with executeInTransaction=false turns the transaction off; otherwise Flyway does so itself for statements that
// cannot run in one. A version below the newest that has been run is refused (outOfOrder=false), as is a file that has changed.
func (r *reader) flyway() {
	undo := map[string]entry{}
	var bases []*Migration
	for _, e := range r.entries {
		n, ok := flywayName(e.name)
		switch {
		case !ok && e.sql() && callback(e.name) != "":
			r.notice(e, "is a callback (%s), not a migration: what it does is not looked at", callback(e.name))
			continue
		case !ok:
			continue
		case n.prefix == 'U' && n.language == "":
			if other, twice := undo[n.version]; twice {
				r.fail(e, 0, "undoes the version %s, as %s does; flyway refuses that", n.version, other.path)
				continue
			}
			undo[n.version] = e
			continue
		case n.prefix == 'U':
			r.notice(e, "is not read: it is a way back in %s", n.language)
			continue
		}
		m := &Migration{Version: n.version, Name: n.title, Path: e.path, Language: n.language, Transaction: true, Repeatable: n.prefix == 'R', Baseline: n.prefix == 'B'}
		f, ok := r.text(e)
		if !ok {
			continue
		}
		if n.language == "" {
			m.Up = f
		}
		if m.Baseline {
			r.used[e.path] = true
			bases = append(bases, m)
			continue
		}
		r.add(e, m)
	}
	r.flywayBaseline(bases)
	r.flywayConf()
	for _, m := range r.dir.Migrations {
		if e, ok := undo[m.Version]; ok && !m.Repeatable {
			if f, ok := r.text(e); ok {
				m.Down, m.DownPath = f, e.path
			}
			r.used[e.path] = true
		}
	}
	slices.SortStableFunc(r.dir.Migrations, func(a, b *Migration) int {
		switch {
		case a.Repeatable != b.Repeatable:
			if b.Repeatable {
				return -1
			}
			return 1
		case a.Repeatable:
			return cmp.Compare(a.Name, b.Name)
		}
		return compareParts(a.Version, b.Version)
	})
}

// flywayBaseline takes the newest of the baselines where what it stands for is no longer there.
func (r *reader) flywayBaseline(bases []*Migration) {
	if len(bases) == 0 {
		return
	}
	slices.SortStableFunc(bases, func(a, b *Migration) int { return compareParts(a.Version, b.Version) })
	last := bases[len(bases)-1]
	older := slices.ContainsFunc(r.dir.Migrations, func(m *Migration) bool { return !m.Repeatable && compareParts(m.Version, last.Version) <= 0 })
	if !older {
		r.dir.Migrations = append(r.dir.Migrations, last)
		bases = bases[:len(bases)-1]
	}
	for _, m := range bases {
		r.notice(entry{path: m.Path}, "is a baseline, which only an empty database runs; the versions that it stands for are read instead")
	}
}

// flywayConf reads the settings beside scripts.
func (r *reader) flywayConf() {
	for _, e := range r.entries {
		script, ok := strings.CutSuffix(e.path, ".conf")
		if !ok || !strings.HasSuffix(script, ".sql") {
			continue
		}
		i := slices.IndexFunc(r.dir.Migrations, func(m *Migration) bool { return m.Path == script })
		if i < 0 {
			continue
		}
		if f, ok := r.text(e); ok {
			r.dir.Migrations[i].Transaction = !turnedOff(f.Text, "executeInTransaction")
		}
	}
}

// flywayFile is what a name says to Flyway.
type flywayFile struct {
	prefix   byte
	version  string
	title    string
	language string // empty = SQL
}

// flywayName reads a name such as V1_2__add_users.sql.
func flywayName(name string) (flywayFile, bool) {
	ext := path.Ext(name)
	f := flywayFile{language: language(name)}
	if f.language == "" && ext != ".sql" {
		return f, false
	}
	stem := strings.TrimSuffix(name, ext)
	if len(stem) < 4 || !strings.ContainsRune("VURB", rune(stem[0])) {
		return f, false
	}
	version, title, ok := strings.Cut(stem[1:], "__")
	if !ok {
		return f, false
	}
	f.prefix, f.title = stem[0], strings.ReplaceAll(title, "_", " ")
	if f.prefix == 'R' {
		f.version = "R " + f.title
		return f, version == "" && title != ""
	}
	f.version, ok = flywayVersion(version)
	return f, ok
}

func flywayNamed(name string) bool {
	_, ok := flywayName(name)
	return ok && (name[0] != 'R' || strings.HasSuffix(name, ".sql"))
}

// flywayVersion puts a version into one form: parts as numbers, zeros at the end left out.
func flywayVersion(v string) (string, bool) {
	parts := strings.Split(strings.ReplaceAll(v, "_", "."), ".")
	for i, p := range parts {
		n, rest, ok := number(p)
		if !ok || rest != "" {
			return "", false
		}
		parts[i] = n
	}
	for len(parts) > 1 && parts[len(parts)-1] == "0" {
		parts = parts[:len(parts)-1]
	}
	return strings.Join(parts, "."), true
}

// compareParts compares versions of numbers parted by dots.
func compareParts(a, b string) int {
	return slices.CompareFunc(strings.Split(a, "."), strings.Split(b, "."), compareNumbers)
}

// callback gives the event that a script's name is for.
func callback(name string) string {
	event, _, _ := strings.Cut(strings.TrimSuffix(name, path.Ext(name)), "__")
	for _, prefix := range []string{"before", "after", "create"} {
		if rest, ok := strings.CutPrefix(event, prefix); ok && rest != "" && rest[0] >= 'A' && rest[0] <= 'Z' {
			return event
		}
	}
	return ""
}

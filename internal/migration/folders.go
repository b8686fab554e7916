package migration

import (
	"path"
	"strings"
)

// diesel reads the folders of diesel: <version>_<name>/up.sql with down.sql and metadata.toml beside (diesel_migrations). The
// version is what stands before the first underscore without its dashes, and is compared as text. Whatever has not been run is
// run, in that order, each in a transaction unless metadata.toml says run_in_transaction = false.
func (r *reader) diesel() {
	byDir := map[string]*Migration{}
	for _, e := range r.entries {
		if e.name != "up.sql" || e.dir == "" || strings.Contains(e.dir, "/") || strings.HasPrefix(e.dir, ".") {
			continue
		}
		f, ok := r.text(e)
		if !ok {
			continue
		}
		version, _, _ := strings.Cut(e.dir, "_")
		m := &Migration{Version: strings.ReplaceAll(version, "-", ""), Name: e.dir, Up: f, Transaction: true}
		byDir[e.dir] = m
		r.add(e, m)
	}
	for _, e := range r.entries {
		m := byDir[e.dir]
		switch {
		case e.name == "down.sql" && m != nil:
			if f, ok := r.text(e); ok {
				m.Down, m.DownPath = f, e.path
			}
			r.used[e.path] = true
		case e.name == "metadata.toml" && m != nil:
			if f, ok := r.text(e); ok {
				m.Transaction = !turnedOff(f.Text, "run_in_transaction")
				m.raw = m.Up.Text + f.Text
			}
		case e.name == "down.sql" && e.dir != "" && !strings.Contains(e.dir, "/"):
			r.notice(e, "is a way back from nothing: there is no up.sql beside it")
		}
	}
	r.dir.sortByVersion()
}

// turnedOff reads one switch of a file of key = value lines.
func turnedOff(text, key string) bool {
	for l := range strings.Lines(text) {
		k, v, ok := strings.Cut(l, "=")
		if ok && strings.TrimSpace(k) == key {
			v, _, _ = strings.Cut(v, "#")
			return strings.EqualFold(strings.TrimSpace(v), "false")
		}
	}
	return false
}

// prisma reads the folders of Prisma Migrate: <name>/migration.sql in the order of the folders' names; the name is what is compared.
// migrate deploy runs whatever has not been run, and warns of files that have changed since. The text is sent as one string:
// PostgreSQL opens a transaction around it, MySQL and SQLite do not.
func (r *reader) prisma() {
	for _, e := range r.entries {
		switch {
		case e.rel == "migration_lock.toml":
			r.prismaLock(e)
		case e.name == "migration.sql" && e.dir != "" && !strings.Contains(e.dir, "/"):
			if f, ok := r.text(e); ok {
				postgres := r.o.Dialect == "postgres"
				r.add(e, &Migration{Version: e.dir, Name: e.dir, Up: f, Transaction: postgres, Implicit: postgres})
			}
		case (e.name == "down.sql" || e.name == "rollback.sql") && e.dir != "":
			r.notice(e, "is not read: prisma runs no way back")
		}
	}
	r.dir.sortByVersion()
}

// providers are the words of migration_lock.toml, and the dialects that read such SQL.
var providers = map[string][]string{
	"postgresql": {"postgres"}, "postgres": {"postgres"}, "mysql": {"mysql", "mariadb"}, "sqlite": {"sqlite"},
}

func (r *reader) prismaLock(e entry) {
	f, ok := r.text(e)
	if !ok {
		return
	}
	at := 0
	for l := range strings.Lines(f.Text) {
		if k, v, ok := strings.Cut(l, "="); ok && strings.TrimSpace(k) == "provider" {
			provider := strings.Trim(strings.TrimSpace(v), `"'`)
			dialects := providers[provider]
			if r.o.Dialect != "" && !contains(dialects, r.o.Dialect) {
				r.fail(e, at, "the migrations are for the provider %s, and the dialect is %s; set the dialect that fits", provider, r.o.Dialect)
			}
			return
		}
		at += len(l)
	}
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// folderName gives the folder that a file of the directory lies in, and whether it lies directly in it.
func folderName(e entry) (string, bool) {
	return path.Base(e.dir), e.dir != "" && !strings.Contains(e.dir, "/")
}

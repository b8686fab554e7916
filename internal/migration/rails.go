package migration

import (
	"io/fs"
	"path"
	"strings"

	"github.com/altergate/altergate/internal/schema"
)

// railsNamed reports whether a name is that of a migration of Active Record: digits, an underscore, a name, .rb.
func railsNamed(name string) bool {
	_, rest, ok := number(name)
	return ok && len(rest) > len("_.rb") && rest[0] == '_' && strings.HasSuffix(rest, ".rb")
}

// rails reads the migrations of Active Record: <number>_name.rb at any depth, in the order of the numbers; what has not been run is run
// whenever it came, each in a transaction unless it says disable_ddl_transaction!. They are Ruby, so that the schema is taken from
// structure.sql, which Rails writes when config.active_record.schema_format is :sql; it ends with the versions it stands for.
func (r *reader) rails() {
	for _, e := range r.entries {
		if !railsNamed(e.name) {
			continue
		}
		f, ok := r.text(e)
		if !ok {
			continue
		}
		version, _, _ := number(e.name)
		r.add(e, &Migration{Version: version, Name: strings.TrimSuffix(e.name, ".rb"), Language: "Ruby",
			Transaction: !strings.Contains(f.Text, "disable_ddl_transaction!")})
	}
	r.dir.sortByNumber()
	db := path.Dir(r.dir.Path)
	of, ok := strings.CutSuffix(path.Base(r.dir.Path), "migrate") // db/migrate, db/animals_migrate
	if !ok {
		of = ""
	}
	at := path.Join(db, of+"structure.sql")
	if _, err := fs.Stat(r.fsys, at); err == nil {
		r.dir.Structure = at
		if f, ok := r.text(entry{path: at, name: path.Base(at)}); ok {
			r.dir.listed = schemaMigrations(f.Text)
		}
		return
	}
	text := "the migrations are Ruby, and there is no %s to take the schema from; set config.active_record.schema_format = :sql, run bin/rails db:migrate, and commit the file"
	if _, err := fs.Stat(r.fsys, path.Join(db, of+"schema.rb")); err == nil {
		text = "the migrations and " + path.Join(db, of+"schema.rb") + " are Ruby, which is not read, and there is no %s; set config.active_record.schema_format = :sql, run bin/rails db:migrate, and commit the file"
	}
	r.errs = append(r.errs, sourceError(schema.Pos{File: r.dir.Path}, text, at))
}

// schemaMigrations gives the versions that a structure.sql says it has run.
func schemaMigrations(text string) map[string]bool {
	i := strings.LastIndex(text, "schema_migrations")
	if i < 0 {
		return nil
	}
	if j := strings.Index(text[i:], "VALUES"); j < 0 || j > 60 {
		return nil
	}
	listed := map[string]bool{}
	for i >= 0 {
		version, rest, ok := quotedDigits(text[i:])
		if !ok {
			break
		}
		listed[unpadded(version)] = true
		i = len(text) - len(rest)
	}
	return listed
}

// quotedDigits gives the next '123' of a list, and what follows it.
func quotedDigits(text string) (digits, rest string, ok bool) {
	i := strings.IndexByte(text, '\'')
	if i < 0 {
		return "", "", false
	}
	digits, rest, ok = strings.Cut(text[i+1:], "'")
	return digits, rest, ok && digits != "" && strings.Trim(digits, "0123456789") == ""
}

package migration

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/altergate/altergate/internal/source"
)

// journal is drizzle's meta/_journal.json.
type journal struct {
	Entries []struct {
		Tag  string `json:"tag"`
		When int64  `json:"when"`
	} `json:"entries"`
}

// drizzle reads the files of drizzle: those that meta/_journal.json lists, in its order (drizzle-orm/src/migrator.ts). A migration
// runs when its "when" is later than that of the newest that has been run; one that is not is never run and nothing says so. All of
// them run in one transaction (dialect.ts, migrate). Version 1 writes <time>_name/migration.sql without a journal, and runs whatever
// has not been run in the order of the names.
func (r *reader) drizzle() {
	i := slices.IndexFunc(r.entries, func(e entry) bool { return e.rel == "meta/_journal.json" })
	if i >= 0 {
		r.journal(r.entries[i])
		return
	}
	r.dir.OutOfOrder = Unknown // the journal would say
	for _, e := range r.entries {
		dir, below := folderName(e)
		if !e.sql() || !e.top() && !(below && e.name == "migration.sql") {
			continue
		}
		name := strings.TrimSuffix(e.name, ".sql")
		if below {
			name = dir
			r.dir.folders, r.dir.OutOfOrder = true, Runs
		}
		if !hasDigit(name) {
			continue
		}
		if f, ok := r.text(e); ok {
			r.add(e, &Migration{Version: name, Name: name, Up: statements(f), Transaction: true})
		}
	}
	r.dir.sortByVersion()
}

// breakpoint is where drizzle cuts a file. PostgreSQL and SQLite take it for a comment, MySQL does not.
const breakpoint = "--> statement-breakpoint"

// statements gives a file without the breakpoints. Where no semicolon stands before one, one takes its place.
func statements(f *source.File) *source.File {
	parts := strings.Split(f.Text, breakpoint)
	if len(parts) == 1 {
		return f
	}
	var b strings.Builder
	b.Grow(len(f.Text))
	for i, part := range parts {
		if i > 0 {
			sign := ";"
			if before := strings.TrimRight(parts[i-1], " \t\n"); before == "" || strings.HasSuffix(before, ";") {
				sign = " "
			}
			b.WriteString(sign + strings.Repeat(" ", len(breakpoint)-1))
		}
		b.WriteString(part)
	}
	return &source.File{Path: f.Path, Text: b.String()}
}

// journal reads what the journal lists.
func (r *reader) journal(at entry) {
	f, ok := r.text(at)
	if !ok {
		return
	}
	var j journal
	if err := json.Unmarshal([]byte(f.Text), &j); err != nil {
		offset := 0
		if bad := (*json.SyntaxError)(nil); asSyntax(err, &bad) {
			offset = min(int(bad.Offset), len(f.Text))
		}
		r.fail(at, offset, "is no journal of drizzle: %s", err)
		return
	}
	byName := map[string]entry{}
	for _, e := range r.entries {
		if e.sql() && e.top() {
			byName[strings.TrimSuffix(e.name, ".sql")] = e
		}
	}
	seen := map[string]bool{}
	for _, listed := range j.Entries {
		offset := max(0, strings.Index(f.Text, strconv.Quote(listed.Tag)))
		e, ok := byName[listed.Tag]
		switch {
		case seen[listed.Tag]:
			r.fail(at, offset, "lists %s twice", listed.Tag)
			continue
		case !ok:
			r.fail(at, offset, "lists %s, and there is no %s.sql; drizzle stops there", listed.Tag, listed.Tag)
			continue
		}
		seen[listed.Tag] = true
		if text, ok := r.text(e); ok {
			r.add(e, &Migration{Version: listed.Tag, Name: listed.Tag, Up: statements(text), Transaction: true, when: listed.When})
		}
	}
	for _, e := range r.entries {
		if e.sql() && e.top() && !seen[strings.TrimSuffix(e.name, ".sql")] {
			r.notice(e, "is never run: %s does not list it", at.rel)
		}
	}
}

func asSyntax(err error, to **json.SyntaxError) bool {
	bad, ok := err.(*json.SyntaxError)
	*to = bad
	return ok
}

// newest gives the time of the newest migration of a journal.
func newest(ms []*Migration) int64 {
	if len(ms) == 0 {
		return 0
	}
	return slices.MaxFunc(ms, func(a, b *Migration) int { return cmp.Compare(a.when, b.when) }).when
}

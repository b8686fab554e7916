package migration

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/source"
)

// goose reads the files of goose: <number>_name.sql with "-- +goose Up" and "-- +goose Down" (internal/sqlparser/parser.go), and
// .go files of the same names. Text before the first marker is an error but for comments. Each file runs in a transaction unless
// it says NO TRANSACTION anywhere. Versions are compared as numbers, from 1; one that is missing below the newest is refused
// unless -allow-missing is given.
func (r *reader) goose() {
	r.eachMarked(func(e entry, m *Migration) {
		m.Transaction = true
		r.goosePart(e, m)
	})
	r.otherLanguages(func(e entry) bool {
		_, rest, ok := number(e.name)
		return ok && strings.HasPrefix(rest, "_") && path.Ext(e.name) == ".go" && !strings.HasSuffix(e.name, "_test.go")
	})
	r.dir.sortByNumber()
}

func (r *reader) goosePart(e entry, m *Migration) {
	f := r.files[e.path]
	up, down, begin, replaced := -1, -1, -1, -1
	upEnd, downStart := len(f.Text), len(f.Text)
	var marks []Span // which are no comments to MySQL where no space stands behind the dashes
	for _, l := range commentLines(f.Text) {
		words, ok := l.marked("+goose")
		if !ok {
			continue
		}
		marks = append(marks, Span{l.start, l.next})
		switch command := strings.ToUpper(strings.Join(words, " ")); command {
		case "UP":
			if up >= 0 || down >= 0 {
				r.fail(e, l.start, "a second -- +goose Up, or one after -- +goose Down; goose refuses the file")
				return
			}
			up = l.next
		case "DOWN":
			if up < 0 || down >= 0 || begin >= 0 {
				r.fail(e, l.start, "-- +goose Down must follow -- +goose Up, once, and no open StatementBegin; goose refuses the file")
				return
			}
			down, upEnd, downStart = l.start, l.start, l.next
		case "STATEMENTBEGIN":
			if up < 0 || begin >= 0 {
				r.fail(e, l.start, "-- +goose StatementBegin must follow -- +goose Up or Down; goose refuses the file")
				return
			}
			begin = l.next
		case "STATEMENTEND":
			if begin < 0 {
				r.fail(e, l.start, "-- +goose StatementEnd without StatementBegin; goose refuses the file")
				return
			}
			if down < 0 {
				m.Whole = append(m.Whole, Span{begin, l.start})
			}
			begin = -1
		case "NO TRANSACTION":
			m.Transaction = false
		case "ENVSUB ON", "ENVSUBST ON":
			replaced = l.next
		case "ENVSUB OFF", "ENVSUBST OFF":
			if r.variable(e, replaced, min(l.start, upEnd)) {
				return
			}
			replaced = -1
		default:
			r.fail(e, l.start, "%s is no marker that goose knows", strings.TrimSpace(l.text))
			return
		}
	}
	switch {
	case up < 0:
		r.fail(e, 0, "has no -- +goose Up; goose refuses the file")
	case r.variable(e, replaced, upEnd):
	case begin >= 0:
		r.fail(e, begin, "-- +goose StatementBegin without StatementEnd; goose refuses the file")
	case r.before(e, up):
	default:
		m.Up = cutOut(f, without(Span{up, upEnd}, marks)...)
		if down >= 0 {
			m.Down, m.DownPath = cutOut(f, without(Span{downStart, len(f.Text)}, marks)...), e.path
		}
		r.add(e, m)
	}
}

// variable finds an environment variable in a part of a file in which goose replaces them.
func (r *reader) variable(e entry, from, to int) bool {
	if from < 0 || from >= to {
		return false
	}
	text := r.files[e.path].Text[from:to]
	for i := range len(text) - 1 {
		if c := text[i+1]; text[i] == '$' && (c == '{' || wordByte(c) && (c < '0' || c > '9')) {
			r.fail(e, from+i, "goose puts an environment variable here (ENVSUB ON): what would run is not what is written; name a directory with the rendered SQL")
			return true
		}
	}
	return false
}

// before finds a statement ahead of the first marker, which no tool runs. A line that begins with two dashes is no statement to any tool.
func (r *reader) before(e entry, up int) bool {
	f := &source.File{Path: e.path, Text: r.files[e.path].Text[:up]}
	var dashed []Span
	for _, l := range allLines(f.Text) {
		if strings.HasPrefix(strings.TrimLeft(l.text, " \t"), "--") {
			dashed = append(dashed, Span{l.start, l.next})
		}
	}
	s := scanner{text: cutOut(f, without(Span{0, up}, dashed)...).Text, dialect: r.o.Dialect}
	for {
		at := s.at
		k, part := s.next()
		switch {
		case k == end:
			return false
		case k != comment && strings.TrimSpace(part) != "":
			at += len(part) - len(strings.TrimLeft(part, " \t\n"))
			r.fail(e, at, "a statement before the first marker of %s never runs; move it below", r.dir.Tool)
			return true
		}
	}
}

// eachMarked gives the SQL files that begin with a number, and counts the others as files that are not run.
func (r *reader) eachMarked(read func(entry, *Migration)) {
	for _, e := range r.entries {
		if !e.sql() || !e.top() {
			continue
		}
		version, rest, ok := number(e.name)
		if !ok {
			continue // finish names it
		}
		if _, ok := r.text(e); !ok {
			continue
		}
		if !fitsIn(version, maxInt64) {
			r.fail(e, 0, "the version %s is larger than %s, the largest that %s takes", version, maxInt64, r.dir.Tool)
			continue
		}
		read(e, &Migration{Version: version, Name: strings.TrimSuffix(strings.TrimLeft(rest, "_"), path.Ext(rest)), Path: e.path})
		r.used[e.path] = true
	}
	for _, m := range r.dir.Migrations {
		m.Name = strings.TrimSuffix(path.Base(m.Path), path.Ext(m.Path))
	}
}

// dbmate reads the files of dbmate: names that begin with digits, the parts behind "-- migrate:up" and "-- migrate:down", with
// transaction:false behind the marker where it is to run without (pkg/dbmate/migration.go). The files run in the order of their
// names; a version that has not been run is run whenever it came (--strict refuses it). Both parts are demanded.
func (r *reader) dbmate() {
	r.eachMarked(func(e entry, m *Migration) {
		f := r.files[e.path]
		up, down := -1, -1
		upEnd, downStart := len(f.Text), len(f.Text)
		m.Transaction = true
		for _, l := range commentLines(f.Text) {
			if options, ok := l.marked("migrate:up"); ok && up < 0 {
				up = l.next
				m.Transaction = !slices.Contains(options, "transaction:false")
			}
			if _, ok := l.marked("migrate:down"); ok && down < 0 {
				down, upEnd, downStart = l.start, l.start, l.next
			}
		}
		switch {
		case up < 0:
			r.fail(e, 0, "has no -- migrate:up; dbmate refuses the file")
		case down >= 0 && down < up:
			r.fail(e, down, "-- migrate:down stands before -- migrate:up; dbmate refuses the file")
		case r.before(e, up):
		default:
			m.Up = cutOut(f, Span{up, upEnd})
			if down >= 0 {
				m.Down, m.DownPath = cutOut(f, Span{downStart, len(f.Text)}), e.path
			}
			r.add(e, m)
		}
	})
	slices.SortStableFunc(r.dir.Migrations, func(a, b *Migration) int { return cmp.Compare(path.Base(a.Path), path.Base(b.Path)) })
}

// sqlMigrate reads the files of sql-migrate: every .sql file of the directory, in the order of the numbers that the names begin
// with and then of the names (migrate.go), the parts behind "-- +migrate Up" and "-- +migrate Down", with notransaction behind the
// marker (sqlparse/sqlparse.go). A migration is known by its file name; one that has not been run is run whenever it came.
func (r *reader) sqlMigrate() {
	for _, e := range r.entries {
		if !e.sql() || !e.top() {
			continue
		}
		f, ok := r.text(e)
		if !ok {
			continue
		}
		m := &Migration{Version: e.name, Name: strings.TrimSuffix(e.name, path.Ext(e.name)), Path: e.path, Transaction: true}
		if ups, downs, ok := r.sqlMigrateParts(e, m); ok {
			m.Up = cutOut(f, ups...)
			if len(downs) > 0 {
				m.Down, m.DownPath = cutOut(f, downs...), e.path
			}
			r.add(e, m)
		}
	}
	slices.SortStableFunc(r.dir.Migrations, func(a, b *Migration) int {
		x, _, nx := number(a.Version)
		y, _, ny := number(b.Version)
		if nx && ny {
			return cmp.Or(compareNumbers(x, y), cmp.Compare(a.Version, b.Version))
		}
		return cmp.Compare(a.Version, b.Version)
	})
}

// sqlMigrateParts finds the parts of a file: markers may come again, and what stands before the first is passed over.
func (r *reader) sqlMigrateParts(e entry, m *Migration) (ups, downs []Span, ok bool) {
	f := r.files[e.path]
	var at *[]Span
	from, begin := 0, -1
	closeAt := func(i int) {
		if at != nil {
			*at = append(*at, Span{from, i})
		}
	}
	for _, l := range commentLines(f.Text) {
		words, ok := l.marked("+migrate")
		if !ok || len(words) == 0 || !strings.HasPrefix(l.text, "-- +migrate ") {
			continue
		}
		switch words[0] {
		case "Up":
			closeAt(l.start)
			at, from = &ups, l.next
			m.Transaction = m.Transaction && !slices.Contains(words[1:], "notransaction")
		case "Down":
			closeAt(l.start)
			at, from = &downs, l.next
		case "StatementBegin":
			closeAt(l.start)
			from, begin = l.next, l.next
		case "StatementEnd":
			closeAt(l.start)
			from = l.next
			if begin >= 0 && at == &ups {
				m.Whole = append(m.Whole, Span{begin, l.start})
			}
			begin = -1
		default:
			r.fail(e, l.start, "%s is no marker that sql-migrate knows", strings.TrimSpace(l.text))
			return nil, nil, false
		}
	}
	switch {
	case at == nil:
		r.fail(e, 0, "has no -- +migrate Up; sql-migrate refuses the file")
		return nil, nil, false
	case begin >= 0:
		r.fail(e, begin, "-- +migrate StatementBegin without StatementEnd; sql-migrate refuses the file")
		return nil, nil, false
	}
	closeAt(len(f.Text))
	first := append(slices.Clone(ups), downs...)
	if r.before(e, slices.MinFunc(first, func(a, b Span) int { return cmp.Compare(a.Start, b.Start) }).Start) {
		return nil, nil, false
	}
	return ups, downs, true
}

// nodePgMigrate reads the SQL files of node-pg-migrate: the parts behind "-- Up Migration" and "-- Down Migration", in any case; a
// file without the first is all up (src/sqlMigration.ts). The names' numbers give the order, and one that comes late is refused
// (checkOrder). All that is to be run runs in one transaction (singleTransaction).
func (r *reader) nodePgMigrate() {
	for _, e := range r.entries {
		if !e.top() {
			continue
		}
		_, _, ok := number(e.name)
		in := language(e.name)
		stem := strings.TrimSuffix(e.name, path.Ext(e.name))
		m := &Migration{Version: stem, Name: stem, Path: e.path, Transaction: true}
		switch {
		case !ok:
		case e.sql():
			if f, ok := r.text(e); ok {
				r.nodeParts(m, commentLines(f.Text))
				r.add(e, m)
			}
		case (in == "JavaScript" || in == "TypeScript") && !strings.HasSuffix(e.name, ".d.ts"):
			m.Language = in
			r.text(e)
			r.add(e, m)
		}
	}
	slices.SortStableFunc(r.dir.Migrations, func(a, b *Migration) int {
		x, _, _ := number(a.Version)
		y, _, _ := number(b.Version)
		return cmp.Or(compareNumbers(x, y), cmp.Compare(a.Version, b.Version))
	})
}

func (r *reader) nodeParts(m *Migration, lines []line) {
	f := r.files[m.Path]
	up, down := Span{0, len(f.Text)}, Span{-1, len(f.Text)}
	upAt := -1
	for _, l := range lines {
		isUp, isDown := nodeMarker(l.text)
		if isUp && upAt < 0 {
			upAt, up.Start = l.start, l.next
			down.End = max(down.Start, l.start)
			if down.Start < 0 {
				down.End = len(f.Text)
			}
		}
		if isDown && down.Start < 0 {
			down.Start = l.next
			if upAt >= 0 {
				up.End = l.start
			}
		}
	}
	m.Up = cutOut(f, up)
	if down.Start >= 0 {
		m.Down, m.DownPath = cutOut(f, down), m.Path
		if upAt < 0 { // the whole file goes up, the way back with it; that is what the tool does
			m.Up = f
		}
	}
}

// nodeMarker reads a comment line as the marker of node-pg-migrate.
func nodeMarker(text string) (up, down bool) {
	if !strings.HasPrefix(text, "--") {
		return false, false
	}
	text = strings.TrimLeft(text, "- \t")
	if len(text) < len("up migration") {
		return false, false
	}
	words := strings.Fields(strings.ToLower(text[:min(len(text), 40)]))
	if len(words) < 2 || !strings.HasPrefix(words[1], "migration") {
		return false, false
	}
	return words[0] == "up", words[0] == "down"
}

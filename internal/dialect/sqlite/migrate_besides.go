package sqlite

import (
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// besides works out which rows a statement writes besides those that it names: rows in whose place others come, rows of tables that
// reference them, and what triggers write. SQLite's foreign keys act only where a connection has them on, which is not known here.
type besides struct {
	side      *Loaded
	pos       schema.Pos
	replacing bool // the statement's own OR REPLACE, which counts in triggers too
	changes   []diff.Change
	seen      map[string]bool // what was followed: "delete users"
}

// besides gives what a statement writes besides.
func (l *Loaded) besides(w writing) []diff.Change {
	b := &besides{side: l, pos: w.rows.Pos, replacing: w.how == "replace", seen: map[string]bool{}}
	b.follow(*w.rows, w.how, w.upserts)
	return b.changes
}

// follow goes on from rows that are written.
func (b *besides) follow(w diff.WriteRows, how string, upserts []string) {
	if len(upserts) > 0 {
		b.write(diff.WriteRows{Verb: "update", Table: w.Table, Name: w.Name, Columns: upserts, Young: w.Young})
	}
	if w.Verb == "update" && b.side.replaces(w.Table, how) {
		b.write(diff.WriteRows{Verb: "replace", Table: w.Table, Name: w.Name, Young: w.Young})
	}
	for _, event := range events[w.Verb] {
		b.act(event, w.Table, w.Columns)
	}
}

// events are what a statement does to the rows of a table. Rows that are replaced go as deleted ones do.
var events = map[string][]string{"insert": {"insert"}, "replace": {"insert", "delete"}, "update": {"update"}, "delete": {"delete"}}

// write adds rows that are written, once, and goes on from them.
func (b *besides) write(w diff.WriteRows) {
	key := w.Verb + " " + w.Table + " " + strings.Join(w.Columns, ",")
	if b.seen[key] {
		return
	}
	b.seen[key] = true
	w.Pos = b.pos
	b.changes = append(b.changes, w)
	b.follow(w, "", nil)
}

// act finds the triggers and the foreign keys for which an event counts.
func (b *besides) act(event, table string, columns []string) {
	if b.seen[event+" of "+table+" "+strings.Join(columns, ",")] {
		return
	}
	b.seen[event+" of "+table+" "+strings.Join(columns, ",")] = true
	for _, t := range b.side.triggersOn(table) {
		if body := triggered(t, event, columns); body != nil {
			b.body(body)
		}
	}
	for _, child := range b.side.Schema.Tables {
		for _, k := range child.Constraints {
			if k.Ref != nil && fold(k.Ref.Table) == table {
				b.reference(event, child, k, columns)
			}
		}
	}
}

// reference adds what a foreign key does to the rows that reference others.
func (b *besides) reference(event string, child *schema.Table, k *schema.Constraint, columns []string) {
	action := k.Ref.OnDelete
	if event == "update" {
		action = k.Ref.OnUpdate
		if len(k.Ref.Columns) > 0 && len(columns) > 0 && !slices.ContainsFunc(k.Ref.Columns, func(c string) bool { return slices.Contains(columns, fold(c)) }) {
			return
		}
	}
	w := diff.WriteRows{Verb: "update", Table: child.Key, Name: child.Name}
	switch {
	case event == "insert":
		return
	case event == "delete" && action == "cascade":
		w.Verb = "delete"
	case action == "cascade", action == "set null", action == "set default":
		for _, c := range k.Columns {
			w.Columns = append(w.Columns, c.Column)
		}
	default:
		return
	}
	b.write(w)
}

// body adds what the statements of a trigger write.
func (b *besides) body(tokens []token) {
	for len(tokens) > 0 {
		end := slices.IndexFunc(tokens, func(t token) bool { return t.is(";") })
		if end < 0 {
			end = len(tokens)
		}
		if end > 0 {
			b.inside(b.side.rowsOf(tokens[:end], b.pos))
		}
		tokens = tokens[min(end+1, len(tokens)):]
	}
}

// inside adds what one statement of a trigger writes.
func (b *besides) inside(w writing) {
	if w.rows == nil {
		return
	}
	w.rows.Copy = nil
	if b.replacing && w.rows.Verb == "insert" {
		w.rows.Verb = "replace"
	}
	b.write(*w.rows)
	b.follow(*w.rows, w.how, w.upserts)
}

// triggersOn gives the triggers of a table or a view.
func (l *Loaded) triggersOn(key string) []*schema.Trigger {
	if t := l.Schema.Table(key); t != nil {
		return t.Triggers
	}
	if v := l.Schema.View(key); v != nil {
		return v.Triggers
	}
	return nil
}

// triggered gives the body of a trigger if it fires for an event, else nil.
func triggered(t *schema.Trigger, event string, columns []string) []token {
	tokens := newParser(t.Text).tokens
	begin := slices.IndexFunc(tokens, func(t token) bool { return t.is("BEGIN") })
	on := slices.IndexFunc(tokens, func(t token) bool { return t.is("ON") })
	if begin < 0 || on < 0 || on > begin {
		return nil
	}
	of, word := slices.IndexFunc(tokens[:on], func(t token) bool { return t.is("OF") }), on-1
	if of > 0 && tokens[of-1].is("INSTEAD") {
		of = -1
	}
	if of > 0 {
		word = of - 1
	}
	if !tokens[word].is(strings.ToUpper(event)) {
		return nil
	}
	if of > 0 && len(columns) > 0 && !slices.ContainsFunc(tokens[of+1:on], func(t token) bool { return !t.is(",") && slices.Contains(columns, fold(t.name())) }) {
		return nil
	}
	return tokens[begin+1 : len(tokens)-1]
}

// replaces tells whether rows that are written to a table can come in the place of others: the statement says so, or says nothing and a
// key of the table does.
func (l *Loaded) replaces(table, how string) bool {
	return how == "replace" || how == "" && l.conflict(table, "on conflict replace")
}

// conflict tells whether a key of a table has that ON CONFLICT clause.
func (l *Loaded) conflict(table, clause string) bool {
	t := l.Schema.Table(table)
	return t != nil && slices.ContainsFunc(t.Constraints, func(k *schema.Constraint) bool {
		return k.Kind != schema.Check && slices.Contains(k.Options, clause)
	})
}

// upserted gives the columns that an INSERT … ON CONFLICT DO UPDATE sets in rows that are there.
func upserted(tokens []token) []string {
	var columns []string
	for i, t := range tokens {
		if t.is("DO") && i+1 < len(tokens) && tokens[i+1].is("UPDATE") {
			columns = append(columns, assigned(tokens[i+2:])...)
		}
	}
	slices.Sort(columns)
	return slices.Compact(columns)
}

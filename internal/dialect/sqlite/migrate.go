package sqlite

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/source"
)

// Cut cuts a file into the statements that a client would send, in order.
func (Dialect) Cut(f *source.File) ([]*source.Statement, error) {
	s, bad := split(f)
	var errs []error
	for _, e := range bad {
		errs = append(errs, e)
	}
	var out []*source.Statement
	for _, st := range s.statements {
		if _, err := classifyMigration(st); err != nil {
			errs = append(errs, err)
		}
		out = append(out, &source.Statement{Text: st.text, Pos: st.start(), Node: st})
	}
	return out, errors.Join(errs...)
}

// Begin gives the side as a new connection finds it: without the temporary tables of another.
func (Dialect) Begin(l *Loaded) (*Loaded, error) {
	if len(l.temporary) == 0 {
		return l, nil
	}
	fresh := *l
	fresh.temporary = nil
	return &fresh, nil
}

// classifyMigration says what is done with a statement of a migration, which may use temporary tables on its way.
func classifyMigration(s *statement) (use, *schema.Error) {
	if s.isTemporary() {
		return run, forbidden(s)
	}
	return classify(s)
}

// isTemporary tells whether the statement makes a temporary object.
func (st *statement) isTemporary() bool {
	return st.has("CREATE", "TEMP") || st.has("CREATE", "TEMPORARY")
}

// After gives the side after one statement more. The statement runs in a database that has the side's objects and no rows.
func (Dialect) After(ctx context.Context, l *Loaded, s *source.Statement) (*Loaded, source.Acts, error) {
	st := s.Node.(*statement)
	acts := l.acts(st)
	use, bad := classifyMigration(st)
	if bad != nil {
		return nil, acts, bad
	}
	if use == pass {
		strange, err := l.check(ctx, st)
		if strange != "" {
			acts.Changes = []diff.Change{diff.RunOpaque{What: strange, Pos: s.Pos}}
		}
		return l, acts, err
	}
	e, err := l.openWithTemporary(ctx)
	if err != nil {
		return nil, acts, err
	}
	defer e.close()
	after := *l
	for err = e.exec(ctx, runnable(st)); err != nil; err = e.exec(ctx, runnable(st)) {
		before := after.extras
		m := &loader{loaded: after}
		m.lacks(err)
		if after = m.loaded; len(after.extras.functions)+len(after.extras.collations) == len(before.functions)+len(before.collations) {
			return nil, acts, explain(ctx, e, st, err)
		}
		e.close()
		if e, err = after.openWithTemporary(ctx); err != nil {
			return nil, acts, err
		}
	}
	if after.temporary, err = e.temporary(ctx); err != nil {
		return nil, acts, err
	}
	if after.entries, err = e.catalog(ctx); err != nil {
		return nil, acts, err
	}
	if slices.Equal(after.entries, l.entries) {
		return &after, acts, nil // only something temporary has changed
	}
	if after.Schema, err = model(after.entries, l.known); err != nil {
		return nil, acts, err
	}
	after.once = l.gone(after.entries)
	after.placeAfter(l.Schema, s.Pos)
	return &after, acts, nil
}

// check lets SQLite compile a statement that reads or writes rows, so that one that names what is not there is found. A statement that
// writes to a table of which the migrations know nothing is no error: the application, or its migration tool, makes such tables itself.
// strange says what it is.
func (l *Loaded) check(ctx context.Context, st *statement) (strange string, err error) {
	if !st.has("INSERT") && !st.has("REPLACE") && !st.has("UPDATE") && !st.has("DELETE") && !st.has("SELECT") && !st.has("WITH") {
		return "", nil
	}
	e, err := l.openWithTemporary(ctx)
	if err != nil {
		return "", err
	}
	defer e.close()
	err = e.exec(ctx, "EXPLAIN "+st.text)
	if err == nil || strings.HasPrefix(message(err), "no such function") || strings.HasPrefix(message(err), "no such collation") {
		return "", nil
	}
	if w := l.rowsOf(st.tokens, st.start()); w.rows != nil && l.foreign(w.name, message(err)) {
		return fmt.Sprintf("%s of rows of %s, a table that no migration makes,", strings.ToUpper(w.rows.Verb), w.name), nil
	}
	return "", explain(ctx, e, st, err)
}

// foreign tells whether SQLite says that there is no table of that name, and no migration has made one.
func (l *Loaded) foreign(name, message string) bool {
	key := fold(name)
	missing := strings.TrimPrefix(fold(message), "no such table: ")
	return (missing == key || missing == "main."+key) && !l.once[key] && !strings.HasPrefix(key, "sqlite_")
}

// gone gives the tables and views that were once there, with those that a statement has dropped or renamed.
func (l *Loaded) gone(now []entry) map[string]bool {
	once := l.once
	for _, x := range l.entries {
		if (x.kind == "table" || x.kind == "view") && !slices.ContainsFunc(now, func(y entry) bool { return y.name == x.name }) {
			if once = maps.Clone(once); once == nil {
				once = map[string]bool{}
			}
			once[fold(x.name)] = true
		}
	}
	return once
}

// openWithTemporary makes a database with the side's objects, the temporary ones of its connection too.
func (l *Loaded) openWithTemporary(ctx context.Context) (*engine, error) {
	e, err := l.open(ctx)
	if err != nil {
		return nil, err
	}
	for _, sql := range l.temporary {
		if err := e.exec(ctx, sql); err != nil {
			e.close()
			return nil, fmt.Errorf("making a temporary table again: %w", err)
		}
	}
	return e, nil
}

// temporary gives the statements that make the temporary objects again.
func (e *engine) temporary(ctx context.Context) ([]string, error) {
	rows, err := e.query(ctx, `SELECT sql FROM sqlite_temp_schema WHERE sql IS NOT NULL ORDER BY rowid`)
	if err != nil {
		return nil, fmt.Errorf("reading SQLite's temporary catalog: %w", err)
	}
	var all []string
	for _, r := range rows {
		sql := r[0].(string)
		if p := newParser(sql); p.tokens[1].is("INDEX") || p.tokens[1].is("UNIQUE") {
			continue // rows are what counts of a temporary table, and it has none here
		}
		all = append(all, "CREATE TEMP"+sql[len("CREATE"):])
	}
	return all, nil
}

// placeAfter gives every object its place: what the statement made or changed stands where the statement does, all else where it stood.
func (l *Loaded) placeAfter(before *schema.Schema, pos schema.Pos) {
	for _, t := range l.Schema.Tables {
		old := before.Table(t.Key)
		placeTableAfter(t, old, pos)
	}
	for _, v := range l.Schema.Views {
		v.Pos = pos
		if old := before.View(v.Key); old != nil && old.Text == v.Text {
			v.Pos = old.Pos
		}
	}
	for _, o := range l.Schema.Opaques {
		o.Pos = pos
		if old := before.Opaque(o.Key); old != nil && old.Text == o.Text {
			o.Pos = old.Pos
		}
	}
	places := map[string]*schema.Trigger{}
	for _, t := range before.Triggers() {
		places[t.Key] = t
	}
	for _, t := range l.Schema.Triggers() {
		t.Pos = pos
		if old := places[t.Key]; old != nil && old.Text == t.Text {
			t.Pos = old.Pos
		}
	}
}

// placeTableAfter places a table and what it has. Columns and constraints may be shared with the model of another statement.
func placeTableAfter(t, old *schema.Table, pos schema.Pos) {
	if old == nil {
		old = &schema.Table{Pos: pos}
	}
	t.Pos = old.Pos
	columns := make([]*schema.Column, len(t.Columns))
	for i, c := range t.Columns {
		placed := *c
		placed.Pos = pos
		if was := old.Column(c.Key); was != nil && was.Canon == c.Canon {
			placed.Pos = was.Pos
		}
		columns[i] = &placed
	}
	t.Columns = columns
	constraints := make([]*schema.Constraint, len(t.Constraints))
	for i, k := range t.Constraints {
		placed := *k
		placed.Pos = pos
		for _, was := range old.Constraints {
			if was.Canon == k.Canon {
				placed.Pos = was.Pos
			}
		}
		constraints[i] = &placed
	}
	t.Constraints = constraints
	for _, x := range t.Indexes {
		x.Pos = pos
		if was := old.Index(x.Key); was != nil && was.Text == x.Text {
			x.Pos = was.Pos
		}
	}
}

// acts says what a statement does besides, on the side as it stands before it.
func (l *Loaded) acts(st *statement) source.Acts {
	var acts source.Acts
	pos := st.start()
	first := strings.ToUpper(st.tokens[0].text)
	switch {
	case st.has("ALTER", "TABLE"):
		acts.Renames = l.renames(st)
	case st.isTemporary():
		acts.Changes = l.createdTemporary(st)
	case st.has("CREATE"):
		acts.Changes = l.created(st)
	case st.has("DROP"):
		acts.Changes = l.dropped(st)
	case st.has("VACUUM"):
		acts.Alone = "VACUUM cannot run inside a transaction"
		acts.Changes = []diff.Change{diff.RunSession{What: first, Pos: pos}}
	case st.has("PRAGMA"):
		acts.Changes = []diff.Change{diff.RunSession{What: pragma(st), Pos: pos}}
	case st.has("INSERT"), st.has("REPLACE"), st.has("UPDATE"), st.has("DELETE"), st.has("WITH"):
		acts.Changes = l.writes(st)
	default:
		acts.Changes = []diff.Change{diff.RunSession{What: first, Pos: pos}}
	}
	return acts
}

// pragma writes a PRAGMA in one way: "PRAGMA foreign_keys=off".
func pragma(st *statement) string {
	p := &parser{src: st.text, tokens: st.tokens, i: 1}
	name, _ := p.qualifiedName()
	word := "PRAGMA " + fold(name)
	if p.take("=") || p.take("(") {
		value := fold(p.peek().name())
		switch value {
		case "0", "no", "false":
			value = "off"
		case "1", "yes", "true":
			value = "on"
		}
		word += "=" + value
	}
	return word
}

// renames gives the rename that an ALTER TABLE makes.
func (l *Loaded) renames(st *statement) diff.Renames {
	p := &parser{src: st.text, tokens: st.tokens, i: 2}
	table, err := p.qualifiedName()
	if err != nil || !p.take("RENAME") {
		return diff.Renames{}
	}
	if p.take("TO") {
		to, err := p.name()
		if err != nil || l.Schema.Table(fold(table)) == nil || fold(table) == fold(to) {
			return diff.Renames{}
		}
		return diff.Renames{Tables: []diff.RenameTable{{From: l.Schema.Table(fold(table)).Name, To: to, Pos: st.start()}}}
	}
	p.take("COLUMN")
	from, err := p.name()
	if err != nil || !p.take("TO") {
		return diff.Renames{}
	}
	to, err := p.name()
	if t := l.Schema.Table(fold(table)); err != nil || t == nil || fold(from) == fold(to) {
		return diff.Renames{}
	}
	return diff.Renames{Columns: []diff.RenameColumn{{Table: l.Schema.Table(fold(table)).Name, From: from, To: to, Pos: st.start()}}}
}

// created says of CREATE … IF NOT EXISTS that there is nothing to do, and of CREATE TABLE … AS whose rows it takes.
func (l *Loaded) created(st *statement) []diff.Change {
	kind, name := st.created()
	for i := 1; i < len(st.tokens) && i < 6; i++ {
		if st.tokens[i].is("IF") {
			if what := l.holder(fold(name)); what != "" && (kind != "trigger") == (what != "trigger") {
				return []diff.Change{diff.NoEffect{Text: what + " " + name + " is there already" + l.otherwise(st, kind, name), Pos: st.start()}}
			}
		}
	}
	for i, t := range st.tokens {
		if kind != "table" || t.is("(") {
			break
		}
		if t.is("AS") && i > 2 {
			w := diff.WriteRows{Verb: "insert", Table: fold(name), Name: name, Pos: st.start(), Young: true}
			w.Copy = l.copied(st.tokens[i+1:], nil)
			return []diff.Change{w}
		}
	}
	return nil
}

// createdTemporary says of CREATE TEMPORARY TABLE … AS whose rows it takes.
func (l *Loaded) createdTemporary(st *statement) []diff.Change {
	what := diff.RunSession{What: "CREATE of a temporary object", Pos: st.start()}
	for i, t := range st.tokens {
		if t.is("AS") && i > 3 && st.tokens[2].is("TABLE") {
			name := st.tokens[i-1].name()
			w := diff.WriteRows{Verb: "insert", Table: "temp." + fold(name), Name: "temporary table " + name, Pos: st.start(), Young: true}
			if w.Copy = l.copied(st.tokens[i+1:], nil); w.Copy != nil {
				return []diff.Change{w}
			}
			break
		}
	}
	return []diff.Change{what}
}

// otherwise says that what is there already has another definition than the statement gives it.
func (l *Loaded) otherwise(st *statement, kind, name string) string {
	t := l.Schema.Table(fold(name))
	if kind != "table" || t == nil {
		return ""
	}
	written, err := parseTable(st.text, nowhere)
	if err == nil && tableCanon(written) != tableCanon(&schema.Table{Name: written.Name, Key: t.Key, Columns: t.Columns, Constraints: t.Constraints, Options: t.Options}) {
		return ", with another definition than this one"
	}
	return ""
}

// holder says what has a name: "table", "view", "index", "trigger", or nothing.
func (l *Loaded) holder(key string) string {
	for _, x := range l.entries {
		if fold(x.name) == key {
			return x.kind
		}
	}
	return ""
}

// dropped says of DROP … IF EXISTS that there is nothing to do.
func (l *Loaded) dropped(st *statement) []diff.Change {
	p := &parser{src: st.text, tokens: st.tokens, i: 2}
	guarded := p.take("IF", "EXISTS")
	name, err := p.qualifiedName()
	if _, key := l.tableNamed(name); key != fold(name) {
		return []diff.Change{diff.RunSession{What: "DROP of a temporary table", Pos: st.start()}}
	}
	if err != nil || !guarded || l.holder(fold(name)) != "" {
		return nil
	}
	return []diff.Change{diff.NoEffect{Text: fmt.Sprintf("there is no %s %s to drop", fold(st.tokens[1].text), name), Drop: true, Pos: st.start()}}
}

// placeRenamed places the tables that got their names from an ALTER TABLE … RENAME TO, and the columns that one has added or renamed.
func (l *loader) placeRenamed(places map[string]*schema.Pos) {
	if !l.ordered {
		return
	}
	for _, st := range l.run {
		if !st.has("ALTER", "TABLE") {
			continue
		}
		p := &parser{src: st.text, tokens: st.tokens, i: 2}
		table, err := p.qualifiedName()
		t := l.loaded.Schema.Table(fold(table))
		switch {
		case err != nil:
		case p.take("RENAME", "TO"):
			if pos := places["table "+fold(p.peek().name())]; pos != nil {
				*pos = st.start()
			}
		case t != nil && p.take("RENAME"):
			for !p.done() && !p.take("TO") {
				p.i++
			}
			placeColumn(t, fold(p.peek().name()), st.start())
		case t != nil && p.take("ADD"):
			p.take("COLUMN")
			placeColumn(t, fold(p.peek().name()), st.start())
		}
	}
}

// placeColumn places a column of a table of its own model. The table's columns may be shared with other models.
func placeColumn(t *schema.Table, key string, pos schema.Pos) {
	for i, c := range t.Columns {
		if c.Key == key {
			placed := *c
			placed.Pos = pos
			t.Columns = slices.Clone(t.Columns)
			t.Columns[i] = &placed
		}
	}
}

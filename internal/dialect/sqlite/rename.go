package sqlite

import (
	"context"
	"fmt"
	"strings"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// open makes the schema again in a database of its own, empty of rows.
func (l *Loaded) open(ctx context.Context) (*engine, error) {
	e, err := openEngine(ctx, l.extras)
	if err != nil {
		return nil, err
	}
	var all strings.Builder
	for _, x := range l.entries {
		all.WriteString(x.sql)
		all.WriteString(";\n")
	}
	if err := e.exec(ctx, "BEGIN;\n"+all.String()+"COMMIT"); err != nil {
		e.close()
		return nil, fmt.Errorf("making the schema again from its catalog: %w", err)
	}
	return e, nil
}

// Renamed gives the schema after some renames: SQLite's own ALTER TABLE … RENAME rewrites every body that names the object.
// broken are the views and triggers that SQLite cannot resolve; they are left out, as a plan drops them first, and so are views
// and indexes whose name a table takes.
func (l *Loaded) Renamed(ctx context.Context, r diff.Renames, broken map[string]string) (*Loaded, error) {
	if r.None() {
		return l, nil
	}
	e, err := l.open(ctx)
	if err != nil {
		return nil, err
	}
	defer e.close()
	kept, targets := map[string]entry{}, map[string]bool{}
	for _, t := range r.Tables {
		targets[fold(t.To)] = true
	}
	for _, x := range l.entries {
		inTheWay := targets[fold(x.name)] && (x.kind == "view" || x.kind == "index") || targets[fold(x.table)] && isInsteadOf(x)
		if inTheWay || broken[x.kind+" "+fold(x.name)] != "" {
			kept[x.kind+" "+fold(x.name)] = x
			if err := e.exec(ctx, fmt.Sprintf("DROP %s IF EXISTS %s", x.kind, ident(x.name))); err != nil {
				return nil, fmt.Errorf("leaving %s %s out of the renames: %w", x.kind, x.name, err)
			}
		}
	}
	for _, t := range r.Tables {
		if err := e.exec(ctx, fmt.Sprintf("ALTER TABLE %s RENAME TO %s", ident(t.From), ident(t.To))); err != nil {
			return nil, &schema.Error{Side: schema.Head, Pos: t.Pos, Kind: schema.KindTransition, Text: fmt.Sprintf("SQLite cannot rename table %s to %s: %s", t.From, t.To, message(err))}
		}
	}
	for _, c := range r.Columns {
		if err := e.exec(ctx, fmt.Sprintf("ALTER TABLE %s RENAME COLUMN %s TO %s", ident(c.Table), ident(c.From), ident(c.To))); err != nil {
			return nil, &schema.Error{Side: schema.Head, Pos: c.Pos, Kind: schema.KindTransition, Text: fmt.Sprintf("SQLite cannot rename column %s.%s to %s: %s", c.Table, c.From, c.To, message(err))}
		}
	}
	out := &Loaded{extras: l.extras, known: merged(l.known)}
	if out.entries, err = e.catalog(ctx); err != nil {
		return nil, err
	}
	for _, x := range l.entries {
		if k, ok := kept[x.kind+" "+fold(x.name)]; ok && x.kind != "index" {
			out.entries = append(out.entries, k)
		}
	}
	if out.Schema, err = model(out.entries, out.known); err != nil {
		return nil, err
	}
	keepPlaces(l.Schema, out.Schema, r)
	return out, nil
}

// keepPlaces gives the objects of a renamed schema the places where the base's text has them.
func keepPlaces(from, to *schema.Schema, r diff.Renames) {
	oldTable := map[string]string{}
	for _, t := range r.Tables {
		oldTable[fold(t.To)] = fold(t.From)
	}
	oldColumn := map[string]string{}
	for _, c := range r.Columns {
		oldColumn[fold(c.Table)+"."+fold(c.To)] = fold(c.From)
	}
	for _, t := range to.Tables {
		key := t.Key
		if old, ok := oldTable[key]; ok {
			key = old
		}
		old := from.Table(key)
		if old == nil {
			continue
		}
		t.Pos = old.Pos
		for _, c := range t.Columns {
			name := c.Key
			if was, ok := oldColumn[t.Key+"."+c.Key]; ok {
				name = was
			}
			if was := old.Column(name); was != nil {
				c.Pos = was.Pos
			}
		}
		for _, k := range t.Constraints {
			k.Pos = t.Pos
		}
		for _, x := range t.Indexes {
			if was := old.Index(x.Key); was != nil {
				x.Pos = was.Pos
			}
		}
	}
	for _, v := range to.Views {
		if was := from.View(v.Key); was != nil {
			v.Pos = was.Pos
		}
	}
	places := map[string]schema.Pos{}
	for _, t := range from.Triggers() {
		places[t.Key] = t.Pos
	}
	for _, t := range to.Triggers() {
		t.Pos = places[t.Key]
	}
}

// Broken finds the views and triggers that name something the schema does not have, with SQLite's reason, by "view <key>" and
// "trigger <key>". SQLite lets them be made, and fails on them when they are used and at the next rename of anything.
func (l *Loaded) Broken(ctx context.Context) (broken map[string]string, err error) {
	defer schema.Recover(&err)
	broken = map[string]string{}
	if len(l.Schema.Views) == 0 && len(l.Schema.Triggers()) == 0 {
		return broken, nil
	}
	part := l.named()
	e, err := part.open(ctx)
	if err != nil {
		return nil, err
	}
	defer e.close()
	if err := unresolved(ctx, e, len(part.entries), broken); err != nil {
		return nil, fmt.Errorf("looking for broken views and triggers: %w", err)
	}
	if err := part.uncompiled(ctx, e, broken); err != nil {
		return nil, fmt.Errorf("looking for broken triggers: %w", err)
	}
	return broken, nil
}

// unresolved finds names that are not there. A rename resolves everything, and stops at the first that it cannot resolve: that
// one is dropped, and the next is found.
func unresolved(ctx context.Context, e *engine, most int, broken map[string]string) error {
	if err := e.exec(ctx, "CREATE TABLE "+StagingPrefix+"probe (a)"); err != nil {
		return err
	}
	for range most {
		err := e.exec(ctx, "ALTER TABLE "+StagingPrefix+"probe RENAME COLUMN a TO b")
		if err == nil {
			return nil
		}
		kind, name, why, ok := brokenObject(message(err))
		if !ok {
			return err
		}
		if err := e.exec(ctx, fmt.Sprintf("DROP %s %s", kind, ident(name))); err != nil {
			return err
		}
		broken[kind+" "+fold(name)] = why
	}
	return nil
}

// uncompiled finds views and triggers whose names resolve and which SQLite still cannot run, such as an INSERT without a list of
// columns into a table that has got one more, or an ON CONFLICT clause without its unique index. SQLite compiles a trigger with the statement that fires it, so each is asked for alone.
func (l *Loaded) uncompiled(ctx context.Context, e *engine, broken map[string]string) error {
	var triggers []entry
	for _, x := range l.entries {
		if x.kind == "view" && broken["view "+fold(x.name)] == "" {
			if err := e.exec(ctx, "EXPLAIN SELECT * FROM "+ident(x.name)); err != nil {
				broken["view "+fold(x.name)] = message(err)
			}
		}
		if x.kind == "trigger" && broken["trigger "+fold(x.name)] == "" && broken["view "+fold(x.table)] == "" {
			triggers = append(triggers, x)
			if err := e.exec(ctx, "DROP TRIGGER IF EXISTS "+ident(x.name)); err != nil {
				return err
			}
		}
	}
	for _, x := range triggers {
		if err := e.exec(ctx, x.sql); err != nil {
			continue // it is on a view that was dropped because it is broken
		}
		if err := e.exec(ctx, firing(ctx, e, x)); err != nil {
			broken["trigger "+fold(x.name)] = message(err)
		}
		if err := e.exec(ctx, "DROP TRIGGER "+ident(x.name)); err != nil {
			return err
		}
	}
	return nil
}

// firing gives a statement that compiles a trigger without running anything.
func firing(ctx context.Context, e *engine, x entry) string {
	p := newParser(x.sql)
	for !p.done() && !p.peek().is("DELETE") && !p.peek().is("INSERT") && !p.peek().is("UPDATE") {
		p.i++
	}
	switch {
	case p.take("DELETE"):
		return "EXPLAIN DELETE FROM " + ident(x.table)
	case p.take("INSERT"):
		return "EXPLAIN INSERT INTO " + ident(x.table) + " DEFAULT VALUES"
	case p.take("UPDATE", "OF"):
		if column, err := p.name(); err == nil {
			return fmt.Sprintf("EXPLAIN UPDATE %s SET %s = NULL", ident(x.table), ident(column))
		}
	}
	rows, err := e.query(ctx, "SELECT name FROM pragma_table_info("+literal(x.table)+") LIMIT 1")
	if err != nil || len(rows) == 0 {
		return "SELECT 1"
	}
	return fmt.Sprintf("EXPLAIN UPDATE %s SET %s = NULL", ident(x.table), ident(fmt.Sprint(rows[0][0])))
}

// named gives the part of a schema that its views and triggers can see: themselves, and every table with a name that stands in
// one of them. In a large schema that is little, and a rename looks at all there is.
func (l *Loaded) named() *Loaded {
	words := map[string]bool{}
	for _, x := range l.entries {
		if x.kind == "view" || x.kind == "trigger" {
			for _, t := range newParser(x.sql).tokens {
				words[fold(t.name())] = true
			}
		}
	}
	part := *l
	part.entries = nil
	for _, x := range l.entries {
		if x.kind == "view" || x.kind == "trigger" || words[fold(x.table)] || isVirtual(x.sql) {
			part.entries = append(part.entries, x)
		}
	}
	return &part
}

// brokenObject reads "error in view v: no such table: main.t".
func brokenObject(m string) (kind, name, why string, ok bool) {
	rest, found := strings.CutPrefix(m, "error in ")
	if !found {
		return "", "", "", false
	}
	kind, rest, _ = strings.Cut(rest, " ")
	name, why, found = strings.Cut(rest, ": ")
	name = strings.TrimSuffix(name, " after rename")
	return kind, name, why, found && (kind == "view" || kind == "trigger")
}

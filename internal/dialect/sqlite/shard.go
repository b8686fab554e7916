package sqlite

import (
	"context"
	"errors"
	"strings"
)

// shardGroups is how many groups are made in one database when a schema is read. SQLite searches its whole catalog for every
// object it makes, so one database for all would cost the square of their number.
const shardGroups = 32

// errOneDatabase says that a source has to be run in one database after all.
var errOneDatabase = errors.New("these statements depend on each other")

// group is what is made together: a table with its indexes and triggers, or a view with its triggers. Nothing else in SQLite looks
// at other objects when it is created: foreign keys and views are resolved when they are used.
type group struct {
	key        string // of the table or view
	statements []*statement
}

// text is the same for groups that make the same.
func (g *group) text() string {
	var b strings.Builder
	for _, s := range g.statements {
		b.WriteString(s.text)
		b.WriteString(";\n")
	}
	return b.String()
}

// groups divides statements that do nothing but create. Others, and names that are used twice, have to be run in one database.
func groups(statements []*statement) ([]*group, error) {
	var all []*group
	byKey := map[string]*group{}
	names, triggers := map[string]bool{}, map[string]bool{} // tables, views and indexes share one space of names
	for _, s := range statements {
		if !s.has("CREATE", "TABLE") && !s.has("CREATE", "VIEW") {
			continue
		}
		_, name := s.created()
		key := fold(name)
		if names[key] || runnable(s) != s.text {
			return nil, errOneDatabase
		}
		names[key] = true
		byKey[key] = &group{key: key}
		all = append(all, byKey[key])
	}
	for _, s := range statements {
		if !s.has("CREATE") || s.has("CREATE", "VIRTUAL") {
			return nil, errOneDatabase
		}
		kind, name := s.created()
		on, taken := name, names
		if kind == "index" || kind == "trigger" {
			var err error
			if on, err = owner(s); err != nil {
				return nil, errOneDatabase
			}
			if kind == "trigger" {
				taken = triggers
			}
			if taken[fold(name)] {
				return nil, errOneDatabase
			}
			taken[fold(name)] = true
		}
		g := byKey[fold(on)]
		if g == nil {
			return nil, errOneDatabase
		}
		g.statements = append(g.statements, s)
	}
	return all, nil
}

// executeGroups runs the statements in several databases and reads their catalogs. What an earlier reading has made of the same
// text is taken over: most of a schema is the same on both sides. Any error is a reason to run all in one database, where SQLite's
// own message tells what is wrong.
func (l *loader) executeGroups(ctx context.Context) ([]entry, error) {
	all, err := groups(l.run)
	if err != nil {
		return nil, err
	}
	return l.executeAll(ctx, all, func(table string) string { return table })
}

// executeAll runs groups in several databases. groupOf gives the key of the group that makes a table or view.
func (l *loader) executeAll(ctx context.Context, all []*group, groupOf func(string) string) ([]entry, error) {
	made := map[string][]entry{} // by the group's text
	var left []*group
	for _, g := range all {
		if l.like != nil && l.like.made[g.text()] != nil {
			made[g.text()] = l.like.made[g.text()]
			continue
		}
		left = append(left, g)
	}
	for len(left) > 0 {
		n := min(shardGroups, len(left))
		if err := l.executeShard(ctx, left[:n], groupOf, made); err != nil {
			return nil, err
		}
		left = left[n:]
	}
	var entries []entry
	for _, g := range all {
		entries = append(entries, made[g.text()]...)
	}
	l.loaded.made = made
	return entries, nil
}

// executeShard runs some groups in a database of their own.
func (l *loader) executeShard(ctx context.Context, some []*group, groupOf func(string) string, made map[string][]entry) error {
	e, err := openEngine(ctx, extras{})
	if err != nil {
		return err
	}
	defer e.close()
	var statements []*statement
	for _, g := range some {
		statements = append(statements, g.statements...)
	}
	if err := e.exec(ctx, transaction(statements)); err != nil {
		return err
	}
	entries, err := e.catalog(ctx)
	if err != nil {
		return err
	}
	byKey := map[string][]entry{}
	for _, x := range entries {
		key := groupOf(fold(x.table))
		byKey[key] = append(byKey[key], x)
	}
	for _, g := range some {
		made[g.text()] = byKey[g.key]
	}
	return nil
}

// transaction joins statements into one.
func transaction(statements []*statement) string {
	var all strings.Builder
	all.WriteString("BEGIN;\n")
	for _, s := range statements {
		all.WriteString(runnable(s))
		all.WriteString(";\n")
	}
	all.WriteString("COMMIT")
	return all.String()
}

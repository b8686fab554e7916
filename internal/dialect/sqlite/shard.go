package sqlite

import (
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/altergate/altergate/internal/schema"
)

// shardTables is how many tables are made in one database when a schema is read. SQLite searches its whole catalog for every
// object it makes, so one database for all would cost the square of their number.
const shardTables = 32

// errOneDatabase says that a source has to be run in one database after all.
var errOneDatabase = errors.New("these statements depend on each other")

// shards divides statements that do nothing but create: a table with its indexes and triggers into one part. Nothing else in
// SQLite looks at other tables when it is created: foreign keys and views are resolved when they are used.
func shards(statements []*statement) ([][]*statement, error) {
	part := map[string]int{} // by key of the table or view
	names, triggers := map[string]bool{}, map[string]bool{}
	tables := 0
	for _, s := range statements {
		if !s.has("CREATE", "TABLE") && !s.has("CREATE", "VIEW") {
			continue
		}
		_, name := s.created()
		if key := fold(name); names[key] || runnable(s) != s.text || strings.HasPrefix(key, "sqlite_") {
			return nil, errOneDatabase
		}
		names[fold(name)] = true
		part[fold(name)] = tables / shardTables
		tables++
	}
	out := make([][]*statement, (tables+shardTables-1)/shardTables)
	add := func(key string, s *statement) error {
		n, ok := part[key]
		if !ok {
			return errOneDatabase
		}
		out[n] = append(out[n], s)
		return nil
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
		if err := add(fold(on), s); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// executeShards runs the statements in several databases at once and reads their catalogs. Any error is a reason to run them in
// one, where SQLite's own message tells what is wrong.
func (l *loader) executeShards(ctx context.Context) ([]entry, error) {
	parts, err := shards(l.run)
	if err != nil {
		return nil, err
	}
	catalogs, errs := make([][]entry, len(parts)), make([]error, len(parts))
	var wait sync.WaitGroup
	for i, part := range parts {
		wait.Go(func() { catalogs[i], errs[i] = l.executeShard(ctx, part) })
	}
	wait.Wait()
	var entries []entry
	for _, c := range catalogs {
		entries = append(entries, c...)
	}
	return entries, errors.Join(errs...)
}

func (l *loader) executeShard(ctx context.Context, statements []*statement) (entries []entry, err error) {
	defer schema.Recover(&err)
	e, err := openEngine(ctx, l.loaded.extras)
	if err != nil {
		return nil, err
	}
	defer e.close()
	if err := e.exec(ctx, transaction(statements)); err != nil {
		return nil, err
	}
	return e.catalog(ctx)
}

// transaction joins statements into one transaction.
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

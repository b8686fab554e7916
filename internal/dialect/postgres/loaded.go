// Package postgres reads, plans and proves PostgreSQL schemas. A source's statements are parsed by PostgreSQL's own grammar and
// act on a catalog (package catalog), the bodies in it are bound to what they name and brought into the form that a server would
// store (package bind), and the result is the model that all dialects share, with a graph of what needs what.
package postgres

import (
	"context"
	"errors"
	"fmt"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/altergate/altergate/internal/dialect/postgres/bind"
	"github.com/altergate/altergate/internal/dialect/postgres/catalog"
	"github.com/altergate/altergate/internal/dialect/postgres/script"
	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/schemajson"
	"github.com/altergate/altergate/internal/source"
)

// Name is the dialect's word in configuration, flags and reports.
const Name = "postgres"

// StagingPrefix begins the names that a plan gives to things while it runs; no schema may use it.
const StagingPrefix = "__altergate_"

// Loaded is a source as it was understood.
type Loaded struct {
	Schema     *schema.Schema
	catalog    *catalog.Catalog
	statements []*script.Statement
	modelled   []*script.Statement            // those that are not passed over
	paths      map[*script.Statement][]string // search paths at them, see catalog.Counts
	doubtful   []catalog.Passed               // those that may do anything
	whole      map[string]bool                // tables whose inherited parts are in the model too
	same       same                           // of a head: what the server takes for the same
	owners     map[string]string              // by what they own
	graph      graph
	details    details
	told       source.Told
	trees      *script.Cache
	binder     *bind.Binder // has bound the catalog, and is used by one goroutine
}

// Model gives the schema that the source declares.
func (l *Loaded) Model() *schema.Schema { return l.Schema }

// Told gives what the source says besides.
func (l *Loaded) Told() source.Told { return l.told }

// Read reads a schema from SQL files. All problems are reported at once, joined. like may be a schema that was read before and is
// much the same: what was parsed for it is not parsed again.
func Read(ctx context.Context, files []*source.File, like *Loaded) (*Loaded, error) {
	l := newLoaded(like)
	var errs []error
	var scripts []*script.Script
	for _, f := range files {
		s, bad := script.Split(f)
		errs = append(errs, asErrors(bad)...)
		scripts = append(scripts, s)
		l.statements = append(l.statements, s.Statements...)
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	if bad := script.Parse(l.statements, l.trees); len(bad) > 0 {
		return nil, errors.Join(asErrors(bad)...)
	}
	passed := map[string]int{}
	for _, s := range scripts {
		for _, p := range s.Passed {
			passed[p.What]++
		}
		hints, bad := s.Hints()
		l.told.Hints = append(l.told.Hints, hints...)
		l.told.HintErrors = append(l.told.HintErrors, bad...)
	}
	return l.run(ctx, passed)
}

// ReadStatements reads a schema from the statements of a JSON source; errors carry the path of the value.
func ReadStatements(ctx context.Context, statements []schemajson.Statement, like *Loaded) (*Loaded, error) {
	l := newLoaded(like)
	var errs []error
	for _, s := range statements {
		one, bad := script.Split(&source.File{Path: s.Pos.File, Text: s.SQL})
		errs = append(errs, asErrors(bad)...)
		for _, st := range one.Statements {
			at := s.Pos
			st.Path, st.At = s.Path, &at
		}
		l.statements = append(l.statements, one.Statements...)
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	if bad := script.Parse(l.statements, l.trees); len(bad) > 0 {
		return nil, errors.Join(asErrors(bad)...)
	}
	return l.run(ctx, map[string]int{})
}

func newLoaded(like *Loaded) *Loaded {
	if like != nil && like.trees != nil {
		return &Loaded{trees: like.trees}
	}
	return &Loaded{trees: &script.Cache{}}
}

// run lets the statements act on an empty catalog and makes the model.
func (l *Loaded) run(_ context.Context, passed map[string]int) (*Loaded, error) {
	l.catalog = catalog.New()
	l.catalog.Columns, l.catalog.ReadsOf = queryColumns, readsOf
	counts, bad := l.catalog.Run(l.statements)
	if len(bad) > 0 {
		return nil, errors.Join(asErrors(bad)...)
	}
	for what, n := range counts.Passed {
		passed[what] += n
	}
	for _, d := range counts.Doubtful {
		// It is carried by its text, and not passed over.
		counts.Opaque++
		if passed[d.What]--; passed[d.What] == 0 {
			delete(passed, d.What)
		}
	}
	l.told.Coverage = source.Coverage{Modelled: counts.Modelled, Opaque: counts.Opaque, Statements: counts.Modelled + counts.Opaque}
	for _, n := range passed {
		l.told.Coverage.Statements += n
	}
	l.told.Passed = passed
	l.modelled, l.paths, l.doubtful = counts.Ran, counts.Paths, counts.Doubtful
	brought := 0
	for _, d := range l.doubtful {
		if d.What == catalog.OnBrought {
			brought++
			continue
		}
		l.told.Notices = append(l.told.Notices, schema.Notice{Pos: d.Pos, Text: fmt.Sprintf("the %s is not run here, so what it does to the schema is not known: it is compared by its text", d.What)})
	}
	if brought > 0 {
		l.told.Notices = append(l.told.Notices, schema.Notice{Text: fmt.Sprintf("what extensions make is not in the files, so statements about access to it are compared by their text: %d", brought)})
	}
	return l, l.analyse()
}

func asErrors(list []*schema.Error) []error {
	var errs []error
	for _, e := range list {
		errs = append(errs, e)
	}
	return errs
}

// queryColumns tells the columns of a table that is made from a query.
func queryColumns(c *catalog.Catalog, o catalog.Origin, query *pg.Node) (columns []catalog.QueryColumn, missing string) {
	b := bind.New(c).Statement(c, o, query)
	for _, u := range b.Unknown {
		if !u.Maybe && u.Kind != "function" && u.Kind != "operator" {
			return nil, u.Kind + " " + u.Name
		}
	}
	for _, x := range b.Columns {
		columns = append(columns, catalog.QueryColumn{Name: x.Name, Type: x.Full})
	}
	return columns, ""
}

// readsOf tells what a view is made of.
func readsOf(c *catalog.Catalog, v *catalog.View) []catalog.Read {
	var list []catalog.Read
	for _, r := range bind.New(c).View(v).Refs {
		switch r.Kind {
		case "relation", "column":
			list = append(list, catalog.Read{Relation: r.Name, Column: r.Column})
		case "function":
			list = append(list, catalog.Read{Function: r.Name})
		case "type":
			list = append(list, catalog.Read{Type: r.Name})
		}
	}
	return list
}

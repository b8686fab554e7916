// Package mysql reads, plans and replays schemas of MySQL and MariaDB. A source's statements act on a catalog (package catalog), which
// has the server's own normal form of everything, and the model that all dialects share is made of that. It says what is to be done
// and in which order; what a statement costs the server is said by package online.
package mysql

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/dialect/mysql/catalog"
	"github.com/altergate/altergate/internal/dialect/mysql/script"
	"github.com/altergate/altergate/internal/dialect/mysql/server"
	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/schemajson"
	"github.com/altergate/altergate/internal/source"
)

// The dialects' words in configuration, flags and reports.
const (
	MySQL   = "mysql"
	MariaDB = "mariadb"
)

// StagingPrefix begins the names that a plan gives to things while it runs; no schema may use it.
const StagingPrefix = "__altergate_"

// Loaded is a source as it was understood.
type Loaded struct {
	Schema     *schema.Schema
	catalog    *catalog.Catalog
	statements []*script.Statement    // those that acted
	models     map[string]*tableModel // by the key in the catalog
	details    *details
	marks
	told    source.Told
	cache   *script.Cache
	unknown string // what ran before while migrations are followed and may have changed the schema, as a clause
	client  client // of the session in which it stands, while migrations are followed
}

// marks are what of two sides counts only beside the other.
type marks struct {
	reordered map[string]bool // triggers that run in another order
	modes     map[string]bool // programs of another sql_mode
	altered   map[string]bool // databases that one side alters and does not make
}

func (m marks) equal(o marks) bool {
	return maps.Equal(m.reordered, o.reordered) && maps.Equal(m.modes, o.modes) && maps.Equal(m.altered, o.altered)
}

// Model gives the schema that the source declares.
func (l *Loaded) Model() *schema.Schema { return l.Schema }

// Told gives what the source says besides.
func (l *Loaded) Told() source.Told { return l.told }

// Read reads a schema from SQL files, for a server. All problems are reported at once, joined. like may be a schema that was read before
// and is much the same: what was parsed for it is not parsed again.
func Read(_ context.Context, sv server.Server, files []*source.File, like *Loaded) (*Loaded, error) {
	l := &Loaded{cache: &script.Cache{}}
	if like != nil && like.cache != nil {
		l.cache = like.cache
	}
	var errs []error
	var scripts []*script.Script
	for _, f := range files {
		s, bad := script.Split(f, sv)
		errs = append(errs, asErrors(bad)...)
		scripts = append(scripts, s)
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	passed := map[string]int{}
	for _, s := range scripts {
		l.statements = append(l.statements, s.Statements...)
		l.told.Notices = append(l.told.Notices, s.Notices...)
		for _, p := range s.Passed {
			passed[p.What]++
		}
	}
	if bad := script.Parse(l.statements, sv, l.cache); len(bad) > 0 {
		return nil, errors.Join(asErrors(bad)...)
	}
	for _, s := range scripts {
		hints, bad := s.Hints()
		for _, h := range hints {
			l.told.Hints = append(l.told.Hints, foldHint(h))
		}
		l.told.HintErrors = append(l.told.HintErrors, bad...)
	}
	return l.run(sv, passed)
}

// ReadStatements refuses: a JSON schema is written for another dialect.
func ReadStatements(context.Context, []schemajson.Statement, *Loaded) (*Loaded, error) {
	return nil, &schema.Error{Kind: schema.KindUnsupported, Text: "a schema JSON cannot be read as MySQL or MariaDB; declare the schema as SQL instead"}
}

// run lets the statements act on an empty catalog and makes the model.
func (l *Loaded) run(sv server.Server, passed map[string]int) (*Loaded, error) {
	l.catalog = catalog.New(sv)
	counts, bad := l.catalog.Run(l.statements)
	if len(bad) > 0 {
		return nil, errors.Join(asErrors(bad)...)
	}
	for what, n := range counts.Passed {
		passed[what] += n
	}
	l.told.Coverage = source.Coverage{Modelled: counts.Modelled, Opaque: counts.Opaque, Statements: counts.Modelled + counts.Opaque}
	for _, n := range passed {
		l.told.Coverage.Statements += n
	}
	l.told.Passed = passed
	for _, n := range counts.Notices {
		l.told.Notices = append(l.told.Notices, schema.Notice{Pos: n.Pos, Text: n.Text})
	}
	if err := l.reserved(); err != nil {
		return nil, err
	}
	l.analyse()
	return l, nil
}

// reserved refuses names that plans use while they run.
func (l *Loaded) reserved() error {
	var errs []error
	for _, t := range l.catalog.Tables {
		if n := t.Name.Name; len(n) >= len(StagingPrefix) && strings.EqualFold(n[:len(StagingPrefix)], StagingPrefix) {
			errs = append(errs, &schema.Error{Pos: t.Pos, Kind: schema.KindSchema, Text: fmt.Sprintf("the name %s begins with %s, which is kept for names that plans use while they run", t.Name.Name, StagingPrefix)})
		}
	}
	slices.SortFunc(errs, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return errors.Join(errs...)
}

func asErrors(list []*schema.Error) []error {
	var errs []error
	for _, e := range list {
		errs = append(errs, e)
	}
	return errs
}

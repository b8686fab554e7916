package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/altergate/altergate/internal/dialect/postgres/catalog"
	"github.com/altergate/altergate/internal/dialect/postgres/script"
	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/source"
)

// Cut cuts a file into the statements that a client would send, in order. Commands of psql are left out, and so are the data of a
// COPY … FROM stdin, but not the COPY.
func (Dialect) Cut(f *source.File) ([]*source.Statement, error) {
	cut, bad := script.Split(f)
	if len(bad) > 0 {
		return nil, errors.Join(asErrors(bad)...)
	}
	all := slices.Concat(cut.Statements, cut.Copies)
	slices.SortFunc(all, func(a, b *script.Statement) int { return cmp.Compare(a.Start, b.Start) })
	if bad := script.Parse(all, nil); len(bad) > 0 {
		return nil, errors.Join(asErrors(bad)...)
	}
	var list []*source.Statement
	for _, s := range all {
		list = append(list, &source.Statement{Text: s.Text, Pos: s.Pos(0), Node: s})
	}
	return list, nil
}

// Begin gives a side as a new session finds it: with the search path that it has by default.
func (Dialect) Begin(l *Loaded) (*Loaded, error) {
	c := l.catalog.Shared()
	c.NewSession()
	return l.in(c), nil
}

// After gives the side after one statement more, which runs as on a server: nothing is there that comes only later. What the server
// would refuse is an error at the statement.
//
// A value that ALTER TYPE … ADD VALUE adds may not be used in the same transaction. After knows of no transactions: AddsValue tells
// of such a statement, and UsesValue of one that may not follow it.
func (Dialect) After(_ context.Context, l *Loaded, st *source.Statement) (*Loaded, source.Acts, error) {
	s, ok := st.Node.(*script.Statement)
	if !ok {
		return nil, source.Acts{}, fmt.Errorf("%s: this statement was not cut by Cut", st.Pos)
	}
	m := &move{before: l, s: s}
	after, err := m.run()
	if err != nil {
		return nil, source.Acts{}, m.at(err)
	}
	return after, m.acts, nil
}

// move is one statement that takes a side further.
type move struct {
	before *Loaded
	s      *script.Statement
	acts   source.Acts
}

// run lets the statement act.
func (m *move) run() (*Loaded, error) {
	if err := m.readRows(); err != nil {
		return nil, err
	}
	m.readRenames()
	m.madeAgain()
	m.acts.Online, m.acts.Alone = online(m.s.Node), alone(m.s.Node)
	if m.before.catalog.KeepsObjects(m.s) {
		return m.keeps()
	}
	after := m.next(m.before.catalog.Clone())
	counts, bad := after.catalog.Apply(m.s)
	if bad != nil {
		return nil, bad
	}
	m.nothing(&counts)
	if counts.Modelled+counts.Opaque+len(counts.Doubtful) == 0 {
		return m.before.in(after.catalog), nil
	}
	after.took(&counts)
	m.doubts(&counts)
	if err := after.analyse(); err != nil {
		return nil, err
	}
	return after, m.refused(after)
}

// keeps runs a statement that changes no object. It may change what names mean, or do what is not known.
func (m *move) keeps() (*Loaded, error) {
	c := m.before.catalog.Shared()
	counts, bad := c.Apply(m.s)
	if bad != nil {
		return nil, bad
	}
	m.doubts(&counts)
	if len(m.acts.Changes) == 0 {
		m.session(&counts)
	}
	if len(counts.Doubtful) == 0 {
		return m.before.in(c), nil
	}
	after := *m.before
	after.catalog = c
	after.took(&counts)
	after.carry(counts.Doubtful)
	return &after, nil
}

// in gives the side in the session of a catalog that holds the same objects.
func (l *Loaded) in(c *catalog.Catalog) *Loaded {
	if c.SameSession(l.catalog) {
		return l
	}
	there := *l
	there.catalog = c
	return &there
}

// next is the side to come, on a catalog of its own.
func (m *move) next(c *catalog.Catalog) *Loaded {
	l := m.before
	return &Loaded{catalog: c, trees: l.trees, statements: l.statements, modelled: l.modelled, paths: l.paths, doubtful: l.doubtful}
}

// took notes what ran. The lists are shared with the side before, so they are copied.
func (l *Loaded) took(n *catalog.Counts) {
	l.modelled = slices.Concat(l.modelled, n.Ran)
	l.doubtful = slices.Concat(l.doubtful, n.Doubtful)
	if len(n.Paths) > 0 {
		paths := map[*script.Statement][]string{}
		for _, from := range []map[*script.Statement][]string{l.paths, n.Paths} {
			for s, path := range from {
				paths[s] = path
			}
		}
		l.paths = paths
	}
}

// carry adds statements that may do anything to the model, as they stand in one that is made anew.
func (l *Loaded) carry(doubtful []catalog.Passed) {
	s := *l.Schema
	s.Opaques = slices.Clone(s.Opaques)
	l.Schema = &s
	a := &analyst{Loaded: l}
	for _, d := range doubtful {
		if s.Opaque(statementKind+" "+d.Statement.Text) == nil {
			a.statement(d)
		}
	}
	slices.SortFunc(s.Opaques, func(a, b *schema.Opaque) int { return cmp.Compare(a.Key, b.Key) })
}

// at takes an error to the statement, where it is not about a part of it: what a statement leaves behind can be what is wrong.
func (m *move) at(err error) error {
	list := schema.Errors(err)
	if len(list) == 0 {
		return err
	}
	one := *list[0]
	for _, e := range list {
		if m.within(e.Pos) {
			one = *e
			return &one
		}
	}
	if m.s.File != nil {
		one.Text = fmt.Sprintf("the server would refuse this, since %s (%s)", one.Text, one.Pos)
	}
	one.Pos, one.Path = m.s.Pos(0), m.s.Path
	return &one
}

// within tells whether a place is in the statement.
func (m *move) within(p schema.Pos) bool {
	from, to := m.s.Pos(0), m.s.Pos(len(m.s.Text))
	return p.File == from.File && before(from, p) && before(p, to)
}

// before tells whether a place is before another, or the same.
func before(a, b schema.Pos) bool {
	return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column)) <= 0
}

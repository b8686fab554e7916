package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/altergate/altergate/internal/dialect/postgres/scratch"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// same says which canonical texts of the base mean what others of the head do, because the server stores both in one form: by the id of
// the thing and the base's text, the head's.
type same map[[2]string]string

// agree asks the server what is one thing and what is two: what it stores in one form is one, however it differs here, and what it
// stores in two is two. A server that cannot hold a side says so in the proof, and is not asked.
func agree(ctx context.Context, url string, base, renamed, head *Loaded, r diff.Renames) error {
	before, err := scratch.Normal(ctx, url, base.side(), r)
	if err != nil {
		return sided(schema.Base, err)
	}
	after, err := scratch.Normal(ctx, url, head.side(), diff.Renames{})
	if err != nil {
		return sided(schema.Head, err)
	}
	head.same = same{}
	was, now := bodies(renamed), bodies(head)
	for id, b := range was {
		other, both := now[id]
		x, y := before.Text[id], after.Text[id]
		switch {
		case !both || b.rest != other.rest || x == "" || y == "":
		case x == y && *b.canon != *other.canon:
			head.same[[2]string{id, *b.canon}] = *other.canon
		case x != y && *b.canon == *other.canon && !retyped(id, renamed, head):
			b.rewrite(*b.canon + " as the base's server has it")
		}
	}
	head.same.settle(renamed)
	return nil
}

// retyped tells whether a column that a thing needs has another type at the head: then the server writes the thing in another way by
// itself, once the column has changed.
func retyped(id string, renamed, head *Loaded) bool {
	kind, name, _ := strings.Cut(strings.TrimPrefix(id, "materialized "), " ")
	switch kind {
	case "view":
		id = relationID(name)
	case "generated":
		id = "column " + name
	}
	for _, need := range append(renamed.graph.needs[id], id) {
		kind, name, _ := strings.Cut(need, " ")
		if kind != "column" && kind != "default" {
			continue
		}
		table, column := splitLast(name)
		from, to := renamed.Schema.Table(table), head.Schema.Table(table)
		if from == nil || to == nil {
			return true
		}
		was, is := from.Column(fold(column)), to.Column(fold(column))
		if was == nil || is == nil || was.TypeCanon != is.TypeCanon {
			return true
		}
	}
	return false
}

// sided says which side a server refused.
func sided(side schema.Side, err error) error {
	var errs []error
	for _, e := range schema.Errors(unavailable(err)) {
		if e.Side == "" && e.Kind == schema.KindSchema {
			e.Side = side
		}
		errs = append(errs, e)
	}
	return errors.Join(errs...)
}

// settle gives the parts of a model the canonical text that was found to mean the same.
func (s same) settle(l *Loaded) {
	if len(s) == 0 {
		return
	}
	for id, b := range bodies(l) {
		if text, ok := s[[2]string{id, *b.canon}]; ok {
			b.rewrite(text)
		}
	}
}

// body is the part of a thing that the server has a form of its own for.
type body struct {
	canon  *string
	within []*string // texts that hold it
	rest   string    // what the server's form does not say
}

// rewrite gives a body another canonical text, wherever it stands.
func (b body) rewrite(text string) {
	old := *b.canon
	*b.canon = text
	for _, whole := range b.within {
		*whole = strings.Replace(*whole, old, text, 1)
	}
}

// bodies lists what the server can be asked for, by the id of its form.
func bodies(l *Loaded) map[string]body {
	all := map[string]body{}
	for _, t := range l.Schema.Tables {
		for _, c := range t.Columns {
			if c.Default != nil {
				all["default "+t.Key+"."+c.Key] = body{canon: &c.Default.Canon, within: []*string{&c.Canon}}
			}
			if c.Generated != nil {
				all["generated "+t.Key+"."+c.Key] = body{canon: &c.Generated.Expr.Canon, within: []*string{&c.Canon}}
			}
		}
		for _, k := range t.Constraints {
			all["constraint "+t.Key+"."+k.Name] = body{canon: &k.Canon}
		}
		for _, x := range t.Indexes {
			all["index "+x.Key] = body{canon: &x.Canon}
		}
		for _, g := range t.Triggers {
			all["trigger "+t.Key+"."+g.Name] = body{canon: &g.Canon, rest: l.details.triggers[g].Enabled}
		}
	}
	for _, v := range l.Schema.Views {
		d := l.details.views[v.Key]
		word := "view "
		if v.Materialized {
			word = "materialized view "
		}
		all[word+v.Key] = body{canon: &v.Canon, rest: fmt.Sprint(settings(d.Options), d.AccessMethod, d.Tablespace, len(d.View.Columns))}
		for _, x := range v.Indexes {
			all["index "+x.Key] = body{canon: &x.Canon}
		}
		for _, g := range v.Triggers {
			all["trigger "+v.Key+"."+g.Name] = body{canon: &g.Canon, rest: l.details.triggers[g].Enabled}
		}
	}
	for _, o := range l.Schema.Objects {
		if o.Kind == "policy" || o.Kind == "rule" {
			all[o.ID()] = body{canon: &o.Canon, rest: settings(l.details.objects[o.ID()].Props)}
		}
	}
	return all
}

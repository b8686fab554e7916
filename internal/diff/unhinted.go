package diff

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/schema"
)

// unhintedKind is what goes and what comes of one kind: of the schema, or of one table.
type unhintedKind struct {
	what             string
	dropped, created []part
	at               schema.Pos // of the last that is created
}

// part is one object that goes or comes.
type part struct {
	name, key string
}

// without gives the names of those that are not in another list.
func without(list, other []part) []string {
	var names []string
	for _, p := range list {
		if !slices.ContainsFunc(other, func(o part) bool { return o.key == p.key }) {
			names = append(names, p.name)
		}
	}
	return names
}

// Unhinted enforces RequireHint: a drop and an add of one kind side by side could be a rename, and somebody has to say whether
// it is. It counts and does not compare, so an unrelated pair is an error too: no likeness of two objects proves anything. Views,
// indexes and named constraints count where a hint can be written on them. What is dropped to come back under its name does not
// count, nor does what a hint has renamed.
func Unhinted(changes []Change, renames Renames, hinting Hinting) error {
	u := unhinted{by: map[string]*unhintedKind{}, from: map[string]bool{}, to: map[string]bool{}, hinting: hinting}
	for _, p := range renames.Parts {
		u.from[partEnd(p.Kind, p.Table, p.From)], u.to[partEnd(p.Kind, p.Table, p.To)] = true, true
	}
	for _, c := range changes {
		switch c := c.(type) {
		case DropColumn:
			u.drop("columns of "+c.Table.Key, "columns", c.Table.Name+"."+c.Column.Name, c.Column.Key)
		case AddColumn:
			u.create("columns of "+c.Table.Key, "columns", c.Table.Name+"."+c.Column.Name, c.Column.Key, c.Column.Pos)
		case DropTable:
			u.drop("", "tables", c.Table.Name, c.Table.Key)
		case CreateTable:
			u.create("", "tables", c.Table.Name, c.Table.Key, c.Table.Pos)
		default:
			if hinting.Parts {
				u.part(c)
			}
		}
	}
	return u.errors()
}

// partEnd is one end of a rename of a part. Kinds with hints on parts are compared without case.
func partEnd(kind, table, name string) string {
	return kind + "\x00" + strings.ToLower(table) + "\x00" + strings.ToLower(name)
}

type unhinted struct {
	order    []string
	by       map[string]*unhintedKind
	from, to map[string]bool
	hinting  Hinting
}

// part counts a change of a view, an index or a named constraint.
func (u *unhinted) part(c Change) {
	switch c := c.(type) {
	case DropView:
		if !u.from[partEnd("view", "", c.View.Name)] {
			u.drop("views", "views", c.View.Name, c.View.Key)
		}
	case CreateView:
		if !u.to[partEnd("view", "", c.View.Name)] {
			u.create("views", "views", c.View.Name, c.View.Key, c.View.Pos)
		}
	case DropIndex:
		if !u.from[partEnd("index", "", c.Index.Name)] {
			u.drop("indexes", "indexes", c.Index.Name, c.Index.Key)
		}
	case CreateIndex:
		if !u.to[partEnd("index", "", c.Index.Name)] {
			u.create("indexes", "indexes", c.Index.Name, c.Index.Key, c.Index.Pos)
		}
	case DropConstraint:
		if c.Constraint.Name != "" && !u.from[partEnd("constraint", c.Table.Name, c.Constraint.Name)] {
			u.drop("constraints of "+c.Table.Key, "constraints", c.Table.Name+"."+c.Constraint.Name, strings.ToLower(c.Constraint.Name))
		}
	case AddConstraint:
		if c.Constraint.Name != "" && !u.to[partEnd("constraint", c.Table.Name, c.Constraint.Name)] {
			u.create("constraints of "+c.Table.Key, "constraints", c.Table.Name+"."+c.Constraint.Name, strings.ToLower(c.Constraint.Name), c.Constraint.Pos)
		}
	}
}

func (u *unhinted) kind(id, what string) *unhintedKind {
	if u.by[id] == nil {
		u.by[id] = &unhintedKind{what: what}
		u.order = append(u.order, id)
	}
	return u.by[id]
}

func (u *unhinted) drop(id, what, name, key string) {
	k := u.kind(id, what)
	k.dropped = append(k.dropped, part{name, key})
}

func (u *unhinted) create(id, what, name, key string, at schema.Pos) {
	k := u.kind(id, what)
	k.created, k.at = append(k.created, part{name, key}), at
}

// errors gives one error for each kind of which something goes for good and something comes that was not there.
func (u *unhinted) errors() error {
	var errs []error
	for _, id := range u.order {
		k := u.by[id]
		dropped, created := without(k.dropped, k.created), without(k.created, k.dropped)
		if len(dropped) > 0 && len(created) > 0 {
			errs = append(errs, &schema.Error{Side: schema.Head, Pos: k.at, Kind: schema.KindHint, Text: fmt.Sprintf(
				"the policy says `renames: require-hint`, and %s are both removed (%s) and added (%s): write `%s` beside the new one if it is a rename, "+
					"else do one of the two in a pull request of its own, or set `renames: allow`", k.what, list(dropped), list(created), u.hinting.example())})
		}
	}
	return errors.Join(errs...)
}

// list names a few.
func list(names []string) string {
	const most = 5
	text := ""
	for i, n := range names {
		if i == most {
			return fmt.Sprintf("%s and %d more", text, len(names)-most)
		}
		if i > 0 {
			text += ", "
		}
		text += n
	}
	return text
}

package quereus

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/dialect/quereus/syntax"
	"github.com/altergate/altergate/internal/schema"
)

// align takes from the head, or from both sides, what the engine does not compare, so that it makes no difference. It works on models
// and leaves catalogs as they are. What it takes away is told by uncompared, or refused by unaddressed.
func align(base, head *Loaded) error {
	leaveManaged(base, head)
	if err := undeclared(base, head); err != nil {
		return err
	}
	var errs []error
	for _, to := range head.schema.Tables {
		from := base.schema.Table(to.Key)
		if from == nil {
			continue
		}
		errs = append(errs, alignColumnsOfQueries(base, head, from, to))
		declared := head.catalog.tables[to.Key]
		for _, c := range to.Columns {
			if old := from.Column(c.Key); old != nil && old != c {
				alignColumn(old, c, declared.column(c.Key))
			}
		}
	}
	return errors.Join(errs...)
}

// alignColumn gives a column what its declaration leaves open: an engine takes the absence of a type, or of null and not null, for no
// wish to change it (behaviour 25). The default of a new column is not null.
func alignColumn(from, to *schema.Column, declared *syntax.Column) {
	if declared == nil {
		return // of the query of a materialized view
	}
	if declared.Type == "" {
		to.Type, to.TypeCanon = from.Type, from.TypeCanon
	}
	if !saysNull(declared) {
		to.Required = to.Required && (from.NotNull || !to.NotNull)
		to.NotNull = from.NotNull
	}
	settle(to)
}

// saysNull tells whether a column says if it may be null.
func saysNull(c *syntax.Column) bool {
	return slices.ContainsFunc(c.Constraints, func(k *syntax.Constraint) bool {
		return k.Kind == syntax.NotNull || k.Kind == syntax.Null || k.Kind == syntax.PrimaryKey
	})
}

// leaveManaged takes tables that the engine keeps for itself away from both sides (behaviour 100), whichever side says so.
func leaveManaged(base, head *Loaded) {
	managed := map[string]bool{}
	for _, l := range []*Loaded{base, head} {
		for key, t := range l.catalog.tables {
			if t.managed() {
				managed[key] = true
			}
		}
	}
	if len(managed) == 0 {
		return
	}
	for _, l := range []*Loaded{base, head} {
		l.schema.Tables = slices.DeleteFunc(slices.Clone(l.schema.Tables), func(t *schema.Table) bool { return managed[t.Key] })
		l.schema.Objects = slices.DeleteFunc(slices.Clone(l.schema.Objects), func(o *schema.Object) bool { return o.On != "" && managed[o.On] })
	}
}

// undeclared refuses a head that leaves out a whole schema: the engine would leave it as it is, and taking that for a wish to drop all
// of it would be a guess.
func undeclared(base, head *Loaded) error {
	if head.missing {
		return nil
	}
	var errs []error
	for _, key := range sorted(base.catalog.spaces) {
		in := base.catalog.spaces[key]
		was, is := base.catalog.logical[key] != nil, head.catalog.logical[key] != nil
		switch {
		case head.catalog.spaces[key] == nil && base.catalog.holds(in):
			errs = append(errs, &schema.Error{Side: schema.Head, Kind: schema.KindTransition, Text: fmt.Sprintf(
				"schema %s is declared at the base (%s) and not at the head, where the engine leaves it as it is; declare it empty (`declare schema %s { }`) to drop what is in it", in.name, in.pos, in.name)})
		case head.catalog.spaces[key] != nil && was != is:
			errs = append(errs, &schema.Error{Side: schema.Head, Pos: head.catalog.spaces[key].pos, Kind: schema.KindTransition, Text: fmt.Sprintf(
				"schema %s is logical on one side only; a lens does not become tables, nor tables a lens", in.name)})
		}
	}
	return errors.Join(errs...)
}

// holds tells whether a schema has anything in it.
func (c *catalog) holds(in *space) bool {
	prefix := in.key + "."
	has := func(keys []string) bool {
		return slices.ContainsFunc(keys, func(key string) bool {
			if in.key == mainSchema {
				return !strings.Contains(key, ".") || strings.HasPrefix(key, `"`)
			}
			return strings.HasPrefix(key, prefix)
		})
	}
	return c.logical[in.key] != nil || has(sorted(c.tables)) || has(sorted(c.views)) || has(sorted(c.indexes)) || has(sorted(c.assertions))
}

// alignColumnsOfQueries gives a materialized view the columns that the other side states of the same table: the view's form has none,
// and `table … maintained as` says the same (behaviour 83). Where the query's own columns are known they have to be these.
func alignColumnsOfQueries(base, head *Loaded, from, to *schema.Table) error {
	old, fresh := base.catalog.tables[from.Key], head.catalog.tables[to.Key]
	if old.sugar == fresh.sugar {
		if fresh.sugar { // neither states any, whatever it was given when the other side did
			from.Columns, from.Constraints, to.Columns, to.Constraints = nil, nil, nil, nil
		}
		return nil
	}
	sides := [2]*Loaded{base, head}
	open, stated := from, to
	if fresh.sugar {
		sides[0], sides[1] = head, base
		open, stated = to, from
	}
	gives := sides[0].catalog.columnsOf(open.Key)
	var names []string
	for _, c := range stated.Columns {
		names = append(names, c.Key)
	}
	slices.Sort(names)
	given := slices.Sorted(slices.Values(gives.columns))
	if gives.known && !slices.Equal(names, given) {
		return &schema.Error{Side: schema.Head, Pos: to.Pos, Kind: schema.KindTransition, Text: fmt.Sprintf(
			"table %s has the columns %s on one side, and the query that maintains it on the other gives %s; make them the same first", to.Name, strings.Join(names, ", "), strings.Join(given, ", "))}
	}
	if extras := fresh.extras(); stated == to && len(extras) > 0 {
		return &schema.Error{Side: schema.Head, Pos: to.Pos, Kind: schema.KindTransition, Text: fmt.Sprintf(
			"table %s is a materialized view at the base, which has no place for %s; state its columns and its key alone in this change, and the rest in one of its own", to.Name, strings.Join(extras, ", "))}
	}
	open.Columns, open.Constraints = stated.Columns, stated.Constraints
	inside := func(o *schema.Object) bool {
		return o.On == to.Key && o.Kind == tagsKind && (strings.HasPrefix(o.Key, "column ") || strings.HasPrefix(o.Key, "constraint "))
	}
	sides[1].schema.Objects = slices.DeleteFunc(slices.Clone(sides[1].schema.Objects), inside)
	return nil
}

// extras names what a table states that a materialized view has no place for, beside the types and the key of its columns.
func (t *table) extras() []string {
	var list []string
	constraint := func(k *syntax.Constraint, column string) {
		_, ok := constraintKinds[k.Kind]
		switch {
		case k.Kind == syntax.Default:
			list = append(list, "the default of column "+column)
		case k.Kind == syntax.Generated:
			list = append(list, "the expression of column "+column)
		case !ok || k.Kind == syntax.PrimaryKey:
		case k.Name.Text == "":
			list = append(list, "the unnamed "+syntax.ConstraintBody(k, column, t.in.key))
		default:
			list = append(list, "constraint "+k.Name.Text)
		}
	}
	for _, c := range t.Columns {
		for _, k := range c.Constraints {
			constraint(k, c.Name.Text)
		}
		if compared(c.Tags) != "" {
			list = append(list, "the tags of column "+c.Name.Text)
		}
	}
	for _, k := range t.Constraints {
		constraint(k, "")
	}
	for _, v := range t.Context {
		list = append(list, "the variable "+v.Name.Text)
	}
	return list
}

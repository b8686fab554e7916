package policy

import (
	"path"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/schema"
)

// thing is something that a step touches.
type thing struct{ kind, name string }

const table = "table"

// parts are the kinds of things that steps name as table.name.
var parts = []string{"column", "primary key", "unique", "foreign key", "check", "exclusion", "index", "trigger", "policy"}

// is tells whether a glob means the thing. Letters count alike in both cases, since most names are folded somewhere, and quotes do not
// count: a protection that reaches too far costs an approval, one that does not reach costs the table.
func (t thing) is(glob string) bool {
	ok, err := path.Match(flat(glob), flat(t.name))
	return ok && err == nil
}

// flat takes away what would keep a glob from a name: case, quotes, and the slash, at which path.Match stops.
func flat(s string) string { return withoutMarks.Replace(strings.ToLower(s)) }

var withoutMarks = strings.NewReplacer(`"`, "", "/", "\x1f")

// ValidGlob tells whether a glob can match anything. In it * stands for any text, ? for a character and [a-z] for one of some.
func ValidGlob(glob string) bool {
	_, err := path.Match(flat(glob), "")
	return err == nil && flat(glob) != ""
}

// formerNames gives the name at the base of each table that a plan renames: after the first steps a plan speaks of it by the new
// one, and a rename takes no protection away.
func formerNames(p *plan.Plan) map[string]string {
	was := map[string]string{}
	for _, s := range p.Steps {
		for _, c := range plan.Elements(s.Changes) {
			if r, ok := c.(diff.RenameTable); ok {
				was[strings.ToLower(r.To)] = r.From
			}
		}
	}
	return was
}

// touched gives what a step touches: the table that it changes or that what it changes hangs on, the far side of a foreign key that
// comes or goes, other objects by their own names; and what is renamed by both names.
func touched(p *plan.Plan, s *plan.Step, was map[string]string) []thing {
	var all []thing
	for _, c := range plan.Elements(s.Changes) {
		all = append(all, touchedBy(c)...)
	}
	kind := strings.ReplaceAll(s.Kind, "_", " ")
	if _, noun, ok := strings.Cut(kind, " "); ok {
		kind = noun
	}
	if slices.Contains(parts, kind) {
		all = append(all, tables(beforeLast(s.Object), beforeLast(s.From))...)
	}
	all = append(all, thing{kind, s.Object}, thing{kind, s.From})
	for _, t := range all {
		if from, ok := was[strings.ToLower(t.name)]; ok {
			all = append(all, thing{t.kind, from})
		}
	}
	if p.Dialect == "postgres" { // reports leave the schema public out, and a policy need not
		for _, t := range all {
			all = append(all, thing{t.kind, "public." + t.name})
		}
	}
	return all
}

func touchedBy(c diff.Change) []thing {
	switch c := c.(type) {
	case diff.CreateTable:
		return append(append(tables(c.Table.Name), farSides(c.Table.Constraints...)...), parents(c.Table)...)
	case diff.DropTable:
		return append(append(tables(c.Table.Name), farSides(c.Table.Constraints...)...), parents(c.Table)...)
	case diff.RenameTable:
		return tables(c.From, c.To)
	case diff.RenameColumn:
		return tables(c.Table)
	case diff.AddColumn:
		return tables(c.Table.Name)
	case diff.DropColumn:
		return tables(c.Table.Name)
	case diff.AlterColumn:
		return tables(c.Table.Name)
	case diff.AddConstraint:
		return append(tables(c.Table.Name), farSides(c.Constraint)...)
	case diff.DropConstraint:
		return append(tables(c.Table.Name), farSides(c.Constraint)...)
	case diff.ValidateConstraint:
		return append(tables(c.Table.Name), farSides(c.From, c.To)...)
	case diff.RenameConstraint:
		return append(tables(c.Table.Name), farSides(c.From, c.To)...)
	case diff.AlterOptions:
		return append(append(tables(c.From.Name, c.To.Name), parents(c.From)...), parents(c.To)...)
	case diff.CreateIndex:
		return tables(c.Table.Name)
	case diff.DropIndex:
		return tables(c.Table.Name)
	case diff.RenameIndex:
		return tables(c.Table.Name)
	case diff.CreateView:
		return []thing{{"view", c.View.Name}}
	case diff.DropView:
		return []thing{{"view", c.View.Name}}
	case diff.ReplaceView:
		return []thing{{"view", c.From.Name}, {"view", c.To.Name}}
	case diff.CreateTrigger:
		return tables(c.On)
	case diff.DropTrigger:
		return tables(c.On)
	case diff.CreateObject:
		return object(c.Object)
	case diff.DropObject:
		return object(c.Object)
	case diff.AlterObject:
		return append(object(c.From), object(c.To)...)
	case diff.RenameObject:
		return append(object(c.From), object(c.To)...)
	case diff.ReplaceOpaque:
		return append(opaque(c.From), opaque(c.To)...)
	case diff.RebuildTable:
		return tables(c.From.Name, c.To.Name)
	}
	return nil // the step's own object is among its names in any case
}

func tables(names ...string) []thing {
	var all []thing
	for _, name := range names {
		all = append(all, thing{table, name})
	}
	return all
}

func farSides(constraints ...*schema.Constraint) []thing {
	var all []thing
	for _, c := range constraints {
		if c.Ref != nil {
			all = append(all, tables(c.Ref.Name, c.Ref.Table)...)
		}
	}
	return all
}

// parents are the tables that a partition or an heir belongs to: its rows are theirs too.
func parents(t *schema.Table) []thing {
	var all []thing
	for _, o := range t.Options {
		for _, word := range []string{"partition of ", "inherits "} {
			if rest, ok := strings.CutPrefix(o, word); ok {
				all = append(all, words(rest)...)
			}
		}
	}
	return all
}

// object is an object with what it belongs to. A comment, a grant or an owner has the name of what it is on in its own.
func object(o *schema.Object) []thing {
	all := append([]thing{{o.Kind, o.Name}}, words(o.Name)...)
	if o.On != "" {
		all = append(tables(o.On), all...)
	}
	return all
}

func opaque(o *schema.Opaque) []thing {
	if o == nil {
		return nil
	}
	return append([]thing{{o.Kind, o.Name}}, words(o.Name)...)
}

// words are the names that may be in a text: each word, and what is before its last dot.
func words(text string) []thing {
	var all []thing
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' }) {
		all = append(all, tables(word, beforeLast(word))...)
	}
	return all
}

// beforeLast gives what is before the last dot of a name.
func beforeLast(name string) string { return name[:max(0, strings.LastIndexByte(name, '.'))] }

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

// anything is the kind of code that is not read: it may touch whatever is protected.
const anything = "whatever is touched by"

// parts are the kinds of things that steps name as table.name.
var parts = []string{"column", "primary key", "unique", "foreign key", "check", "exclusion", "index", "trigger", "policy"}

// is tells whether a glob means the thing. Letters count alike in both cases, since most names are folded somewhere, and quotes do not
// count: a protection that reaches too far costs an approval, one that does not reach costs the table.
func (t thing) is(glob string) bool {
	if t.kind == anything {
		return true
	}
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

// formerNames gives the names that tables had before a plan renames them: after that it speaks of them by the new ones, and a rename takes
// no protection away. An author's plan may rename one several times, and give a name to several.
func formerNames(p *plan.Plan) map[string][]string {
	was := map[string][]string{}
	for _, s := range p.Steps {
		for _, c := range plan.Elements(s.Changes) {
			if r, ok := c.(diff.RenameTable); ok {
				was[same(r.To)] = append(was[same(r.To)], r.From)
			}
		}
	}
	return was
}

// reached is what has to be known of a plan to tell what its steps touch.
type reached struct {
	plan *plan.Plan
	was  map[string][]string // see formerNames
	kin  kin
}

func reachedBy(p *plan.Plan) reached { return reached{p, formerNames(p), kinOf(p)} }

// touched gives what a step touches: the table that it changes or that what it changes hangs on, the far side of a foreign key that
// comes or goes, other objects by their own names; and of all of them what spread adds.
func (r reached) touched(s *plan.Step) []thing {
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
	return r.spread(all)
}

// spread adds the tables that share rows with those that are touched, and what else they are called.
func (r reached) spread(all []thing) []thing {
	all = r.formerly(all)
	for _, t := range all {
		if t.kind == table {
			all = append(all, tables(r.kin.of(t.name)...)...)
		}
	}
	all = r.formerly(all)
	if r.plan.Dialect == "postgres" { // reports leave the schema public out, and a policy need not
		for _, t := range all {
			if t.inPublic() {
				all = append(all, thing{t.kind, "public." + t.name})
			}
		}
	}
	return all
}

// formerly adds the names that things had before, all the way back.
func (r reached) formerly(all []thing) []thing {
	seen := map[thing]bool{}
	for i := 0; i < len(all); i++ {
		for _, from := range r.was[same(all[i].name)] {
			if t := (thing{all[i].kind, from}); !seen[t] {
				seen[t] = true
				all = append(all, t)
			}
		}
	}
	return all
}

// outside are the kinds of objects that are in no schema.
var outside = map[string]bool{"schema": true, "extension": true}

// inPublic tells whether a name says nothing of a schema, and so means public. One dot in the name of a part is that behind its table;
// in quotes, and between the parentheses of a function, a dot parts nothing.
func (t thing) inPublic() bool {
	if outside[t.kind] {
		return false
	}
	name, _, _ := strings.Cut(t.name, "(")
	dots, quoted := 0, false
	for _, r := range name {
		switch {
		case r == '"':
			quoted = !quoted
		case r == '.' && !quoted:
			dots++
		}
	}
	return name != "" && (dots == 0 || dots == 1 && slices.Contains(parts, t.kind))
}

func touchedBy(c diff.Change) []thing {
	switch c := c.(type) {
	case diff.CreateTable:
		return append(tables(c.Table.Name), farSides(c.Table.Constraints...)...)
	case diff.DropTable:
		return append(tables(c.Table.Name), farSides(c.Table.Constraints...)...)
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
		return tables(c.From.Name, c.To.Name)
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
	case diff.CopyTable:
		return tables(c.From.Name, c.To.Name)
	case diff.WriteRows:
		return tables(c.Name, c.Table)
	case diff.RunOpaque:
		return []thing{{anything, c.What}}
	case diff.Remark:
		if c.Opaque {
			return []thing{{anything, c.Pos.File}}
		}
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

// object is an object with what it belongs to. A comment, a grant or an owner has the name of what it is on in its own.
func object(o *schema.Object) []thing {
	all := []thing{{o.Kind, o.Name}}
	if !outside[o.Kind] {
		all = append(all, words(o.Name)...)
	}
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

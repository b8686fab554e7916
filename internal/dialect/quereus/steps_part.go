package quereus

import (
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/dialect/quereus/syntax"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/schema"
)

// constraints makes the steps of one table's constraints: the primary key is altered, one that a hint has renamed and that is the same
// but for that is renamed, and every other change is a drop and an add.
func (w *work) constraints(t *tableWork) {
	for _, r := range w.in.Renames.Parts {
		if r.Kind == "constraint" && syntax.Fold(r.Table) == t.to.Key {
			w.renameConstraint(t, r)
		}
	}
	var key *plan.Step
	keyChange := func(c diff.Change) {
		if key == nil {
			key = &plan.Step{Kind: "alter_primary_key", Object: t.to.Name}
		}
		key.Changes = append(key.Changes, c)
	}
	for _, d := range t.drops {
		k := d.Constraint
		switch {
		case k.Kind == schema.PrimaryKey:
			keyChange(d)
			key.Old = k.Canon
		case k.Name == "": // it goes with its column
		default:
			phase, rank := phaseDropConstraint, 1
			if k.Kind == schema.ForeignKey {
				rank = 0
				if w.early[k.Ref.Table] && maintainedOf(t.from) == "" {
					phase = phaseLetGo
				}
			}
			w.sites["constraint "+t.to.Key+"."+syntax.Fold(k.Name)] = true
			w.add(phase, rank, &plan.Step{Kind: "drop_" + string(k.Kind), Object: t.to.Name + "." + k.Name, Changes: []diff.Change{d}, Old: k.Canon,
				SQL: []string{w.alter(t.to.Key, syntax.DropConstraint{Name: syntax.Name{Text: k.Name}})}})
		}
	}
	for _, a := range t.adds {
		k := a.Constraint
		switch {
		case k.Kind == schema.PrimaryKey:
			keyChange(a)
			key.New = k.Canon
			key.SQL = []string{w.alter(t.to.Key, syntax.AlterPrimaryKey{Columns: keyColumns(t.to, k)})}
		case k.Name == "" || w.comesWithColumn(t.to, k):
		default:
			rank := 0
			if k.Kind == schema.ForeignKey {
				rank = 1
			}
			w.sites["constraint "+t.to.Key+"."+syntax.Fold(k.Name)] = true
			in := w.head.catalog.tables[t.to.Key]
			w.add(phaseConstraint, rank, &plan.Step{Kind: "add_" + string(k.Kind), Object: t.to.Name + "." + k.Name, Changes: []diff.Change{a}, New: k.Canon,
				SQL: []string{"ALTER TABLE " + in.in.sql(in.Name.Text) + " ADD " + in.fragment(k)}})
		}
	}
	if key != nil {
		w.add(phaseKey, 0, key)
	}
}

// fragment prints a named constraint of a table as it is added to one.
func (t *table) fragment(k *schema.Constraint) string {
	written := t.constraint(k.Name)
	if c := t.column(k.Owner); c != nil && k.Owner != "" {
		return syntax.PrintConstraint(written, c.Name.Text)
	}
	return syntax.PrintConstraint(written, "")
}

// keyColumns gives the columns of a primary key as the table writes them.
func keyColumns(t *schema.Table, k *schema.Constraint) []*syntax.KeyColumn {
	var all []*syntax.KeyColumn
	for _, part := range k.Columns {
		name := part.Column
		if c := t.Column(part.Column); c != nil {
			name = c.Name
		}
		all = append(all, &syntax.KeyColumn{Name: syntax.Name{Text: name}, Desc: part.Desc})
	}
	return all
}

// renameConstraint takes a drop and an add that are one constraint under another name out of the table's work.
func (w *work) renameConstraint(t *tableWork, r diff.RenamePart) {
	i := slices.IndexFunc(t.drops, func(d diff.DropConstraint) bool {
		return d.Constraint.Name != "" && syntax.Fold(d.Constraint.Name) == syntax.Fold(r.From)
	})
	j := slices.IndexFunc(t.adds, func(a diff.AddConstraint) bool {
		return a.Constraint.Name != "" && syntax.Fold(a.Constraint.Name) == syntax.Fold(r.To)
	})
	if i < 0 || j < 0 {
		return
	}
	from, to := t.drops[i].Constraint, t.adds[j].Constraint
	if from.Kind != to.Kind || unnamed(from) != unnamed(to) || w.comesWithColumn(t.to, to) {
		return
	}
	t.drops, t.adds = slices.Delete(t.drops, i, i+1), slices.Delete(t.adds, j, j+1)
	w.add(phaseRenameConstraint, 0, &plan.Step{Kind: "rename_" + string(to.Kind), Object: t.to.Name + "." + to.Name, From: t.to.Name + "." + from.Name,
		Changes: []diff.Change{diff.RenameConstraint{Table: t.to, From: from, To: to}}, Old: from.Canon, New: to.Canon,
		SQL: []string{w.alter(t.to.Key, syntax.RenameConstraint{From: syntax.Name{Text: from.Name}, To: syntax.Name{Text: to.Name}})}})
	w.renamedTags(t.to, from.Name, to.Name)
}

// unnamed gives the body of a named constraint.
func unnamed(k *schema.Constraint) string {
	return strings.TrimPrefix(k.Canon, "constraint "+syntax.Quote(syntax.Fold(k.Name))+" ")
}

// renamedTags sets the tags of a renamed constraint where they are others. The engine's differ looks only at constraints that kept their
// name, and needs a second run (behaviour 38).
func (w *work) renamedTags(t *schema.Table, from, to string) {
	old, now := w.renamed.catalog.tables[t.Key].constraint(from), w.head.catalog.tables[t.Key].constraint(to)
	oldKey, newKey := "constraint "+t.Key+"."+syntax.Fold(from), "constraint "+t.Key+"."+syntax.Fold(to)
	w.sites[oldKey], w.sites[newKey] = true, true
	if compared(old.Tags) == compared(now.Tags) {
		return
	}
	name := t.Name + "." + now.Name.Text
	w.setTags(name, diff.AlterObject{
		From: &schema.Object{Kind: tagsKind, Name: name, Key: newKey, On: t.Key, Canon: compared(old.Tags), Text: old.Tags.ListString(), Pos: old.Pos()},
		To:   &schema.Object{Kind: tagsKind, Name: name, Key: newKey, On: t.Key, Canon: compared(now.Tags), Text: now.Tags.ListString(), Pos: now.Pos()},
	}, w.alter(t.Key, syntax.TagsAction{Constraint: now.Name, Tags: now.Tags}))
}

func (w *work) setTags(name string, c diff.Change, sql string) {
	s := &plan.Step{Kind: "set_tags", Object: name, Changes: []diff.Change{c}, SQL: []string{sql}}
	switch c := c.(type) {
	case diff.AlterObject:
		s.Old, s.New = c.From.Key+" "+c.From.Canon, c.To.Key+" "+c.To.Canon
	case diff.CreateObject:
		s.New = c.Object.Key + " " + c.Object.Canon
	case diff.DropObject:
		s.Old = c.Object.Key + " " + c.Object.Canon
	}
	w.add(phaseTags, 0, s)
}

// tags makes the steps of tags that change where they are. The whole set is written, hints included.
func (w *work) tags(changes []diff.Change) {
	for _, c := range changes {
		var o *schema.Object
		switch c := c.(type) {
		case diff.CreateObject:
			o = c.Object
		case diff.DropObject:
			o = c.Object
		case diff.AlterObject:
			o = c.To
		}
		if o == nil || o.Kind != tagsKind || w.sites[o.Key] {
			continue
		}
		w.setTags(o.Name, c, w.tagStatement(o))
	}
}

// tagStatement prints the statement that gives a site the tags it has in the head.
func (w *work) tagStatement(o *schema.Object) string {
	site, rest, _ := strings.Cut(o.Key, " ")
	c := w.head.catalog
	object := func(kind syntax.ObjectKind, in *space, name syntax.Name, tags *syntax.Tags) string {
		return syntax.PrintStatement(&syntax.AlterObject{Kind: kind, Schema: syntax.Name{Text: in.prefix()}, Name: name, Tags: syntax.TagsAction{Tags: tags}})
	}
	switch site {
	case "view":
		return object(syntax.KindView, c.views[rest].in, c.views[rest].Name, c.views[rest].Tags)
	case "index":
		return object(syntax.KindIndex, c.indexes[rest].in, c.indexes[rest].Name, c.indexes[rest].Tags)
	case "column":
		t := c.tables[o.On]
		column := t.column(strings.TrimPrefix(rest, o.On+"."))
		return w.alter(o.On, syntax.TagsAction{Column: column.Name, Tags: column.Tags})
	case "constraint":
		k := c.tables[o.On].constraint(strings.TrimPrefix(rest, o.On+"."))
		return w.alter(o.On, syntax.TagsAction{Constraint: k.Name, Tags: k.Tags})
	}
	t := c.tables[rest]
	if t.sugar && w.renamed.catalog.tables[rest].Maintained != nil {
		return object(syntax.KindMaterializedView, t.in, t.Name, t.Tags)
	}
	return w.alter(rest, syntax.TagsAction{Tags: t.Tags})
}

// assertions drops and makes those that differ, and those that name what is dropped to come back, since the engine drops nothing that an
// assertion names (behaviour 91).
func (w *work) assertions(changes []diff.Change) {
	touched := map[string]bool{}
	for _, c := range changes {
		switch c := c.(type) {
		case diff.CreateObject:
			if c.Object.Kind == assertionKind {
				w.makeAssertion(c.Object)
			}
			touched[c.Object.ID()] = true
		case diff.DropObject:
			if c.Object.Kind == assertionKind {
				w.dropAssertion(c.Object)
			}
			touched[c.Object.ID()] = true
		case diff.AlterObject:
			if c.To.Kind == assertionKind {
				w.dropAssertion(c.From)
				w.makeAssertion(c.To)
			}
			touched[c.To.ID()] = true
		}
	}
	for _, key := range sorted(w.head.catalog.assertions) {
		a, o := w.head.catalog.assertions[key], w.in.To.Object(assertionKind, key)
		if o == nil || touched[o.ID()] {
			continue
		}
		if slices.ContainsFunc(w.head.catalog.reads(a.in, a.Check), func(on string) bool { return w.dropped[on] }) {
			w.dropAssertion(w.in.From.Object(assertionKind, key))
			w.makeAssertion(o)
		}
	}
}

func (w *work) dropAssertion(o *schema.Object) {
	a := w.renamed.catalog.assertions[o.Key]
	w.add(phaseDropAssertion, 0, &plan.Step{Kind: "drop_assertion", Object: o.Name, Changes: []diff.Change{diff.DropObject{Object: o}}, Old: o.Canon,
		SQL: []string{drop(syntax.KindAssertion, a.in, a.Name)}})
}

func (w *work) makeAssertion(o *schema.Object) {
	in, a := w.head.catalog.assertions[o.Key].in, *w.head.catalog.assertions[o.Key].Assertion
	a.Schema = syntax.Name{Text: in.prefix()}
	w.add(phaseAssertion, 0, &plan.Step{Kind: "create_assertion", Object: o.Name, Changes: []diff.Change{diff.CreateObject{Object: o}}, New: o.Canon,
		SQL: []string{syntax.PrintCreate(&a, in.prefix())}})
}

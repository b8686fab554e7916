package diff

import (
	"fmt"

	"github.com/altergate/altergate/internal/schema"
)

// Schemas compares two schemas by name: from is the base after its renames (see Resolve), so every name that is on both sides
// is the same object. The changes come in no order that could be run: that is the planner's work.
func Schemas(from, to *schema.Schema) []Change {
	var changes []Change
	both(from.Tables, to.Tables, func(t *schema.Table) string { return t.Key },
		func(t *schema.Table) { changes = append(changes, DropTable{t}) },
		func(t *schema.Table) { changes = append(changes, CreateTable{t}) },
		func(a, b *schema.Table) { changes = append(changes, table(a, b)...) })
	both(from.Views, to.Views, func(v *schema.View) string { return v.Key },
		func(v *schema.View) { changes = append(changes, withTriggers(DropView{v}, v.Name, v.Triggers, nil)...) },
		func(v *schema.View) {
			changes = append(changes, withTriggers(CreateView{v}, v.Name, nil, v.Triggers)...)
			changes = append(changes, indexes(&schema.Table{}, v.Rows())...)
		},
		func(a, b *schema.View) { changes = append(changes, view(a, b)...) })
	both(from.Opaques, to.Opaques, func(o *schema.Opaque) string { return o.Key },
		func(o *schema.Opaque) { changes = append(changes, ReplaceOpaque{From: o}) },
		func(o *schema.Opaque) {
			changes = append(changes, withTriggers(ReplaceOpaque{To: o}, o.Name, nil, o.Triggers)...)
		},
		func(a, b *schema.Opaque) { changes = append(changes, opaque(a, b)...) })
	both(from.Objects, to.Objects, (*schema.Object).ID,
		func(o *schema.Object) { changes = append(changes, DropObject{o}) },
		func(o *schema.Object) { changes = append(changes, CreateObject{o}) },
		func(a, b *schema.Object) {
			if a.Canon != b.Canon {
				changes = append(changes, AlterObject{a, b})
			}
		})
	return changes
}

// both walks two sorted lists side by side.
func both[T any](from, to []T, key func(T) string, only, fresh func(T), common func(a, b T)) {
	i, j := 0, 0
	for i < len(from) || j < len(to) {
		switch {
		case j == len(to) || (i < len(from) && key(from[i]) < key(to[j])):
			only(from[i])
			i++
		case i == len(from) || key(from[i]) > key(to[j]):
			fresh(to[j])
			j++
		default:
			common(from[i], to[j])
			i++
			j++
		}
	}
}

func table(from, to *schema.Table) []Change {
	var changes []Change
	for _, c := range from.Columns {
		switch head := to.Column(c.Key); {
		case head == nil:
			changes = append(changes, DropColumn{from, c})
		case head.Canon != c.Canon:
			changes = append(changes, AlterColumn{to, c, head})
		}
	}
	for _, c := range to.Columns {
		if from.Column(c.Key) == nil {
			changes = append(changes, AddColumn{to, c})
		}
	}
	changes = append(changes, constraints(from, to)...)
	if fmt.Sprint(from.Options) != fmt.Sprint(to.Options) {
		changes = append(changes, AlterOptions{from, to})
	}
	changes = append(changes, indexes(from, to)...)
	return append(changes, triggers(to.Name, from.Triggers, to.Triggers)...)
}

func indexes(from, to *schema.Table) []Change {
	var changes []Change
	drop := func(x *schema.Index) { changes = append(changes, DropIndex{from, x}) }
	create := func(x *schema.Index) { changes = append(changes, CreateIndex{to, x}) }
	both(from.Indexes, to.Indexes, func(x *schema.Index) string { return x.Key }, drop, create, func(a, b *schema.Index) {
		if a.Canon != b.Canon {
			drop(a)
			create(b)
		}
	})
	return changes
}

// constraints compares constraints by their whole canonical text, name included: order does not count, and a constraint that
// differs in anything is another one.
func constraints(from, to *schema.Table) []Change {
	var changes []Change
	left := map[string]int{}
	for _, k := range to.Constraints {
		left[k.Canon]++
	}
	for _, k := range from.Constraints {
		if left[k.Canon] > 0 {
			left[k.Canon]--
			continue
		}
		changes = append(changes, DropConstraint{from, k})
	}
	for _, k := range to.Constraints {
		if left[k.Canon] > 0 {
			left[k.Canon]--
			changes = append(changes, AddConstraint{to, k})
		}
	}
	return changes
}

func triggers(on string, from, to []*schema.Trigger) []Change {
	var changes []Change
	drop := func(t *schema.Trigger) { changes = append(changes, DropTrigger{on, t}) }
	create := func(t *schema.Trigger) { changes = append(changes, CreateTrigger{on, t}) }
	both(from, to, func(t *schema.Trigger) string { return t.Key }, drop, create, func(a, b *schema.Trigger) {
		if a.Canon != b.Canon {
			drop(a)
			create(b)
		}
	})
	return changes
}

// view compares a view; one that is replaced takes its triggers and indexes with it.
func view(from, to *schema.View) []Change {
	if from.Canon == to.Canon {
		return append(indexes(from.Rows(), to.Rows()), triggers(to.Name, from.Triggers, to.Triggers)...)
	}
	changes := append(withTriggers(DropView{from}, from.Name, from.Triggers, nil), withTriggers(CreateView{to}, to.Name, nil, to.Triggers)...)
	return append(changes, indexes(&schema.Table{}, to.Rows())...)
}

func opaque(from, to *schema.Opaque) []Change {
	if from.Canon == to.Canon {
		return triggers(to.Name, from.Triggers, to.Triggers)
	}
	return withTriggers(ReplaceOpaque{from, to}, to.Name, from.Triggers, to.Triggers)
}

// withTriggers adds to a change of a whole object the changes of the triggers that go and come with it.
func withTriggers(c Change, on string, from, to []*schema.Trigger) []Change {
	changes := []Change{c}
	for _, t := range from {
		changes = append(changes, DropTrigger{on, t})
	}
	for _, t := range to {
		changes = append(changes, CreateTrigger{on, t})
	}
	return changes
}

package sqlite

import (
	"maps"
	"slices"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/schema"
)

// bracket is the set of views and triggers that are dropped before the tables are changed and created afterwards.
//
// ALTER TABLE … RENAME, the last part of every rebuild, makes SQLite resolve every view and trigger of the schema, and one that
// names a table which is not there at that moment ends the plan. So everything that names a rebuilt table is dropped first: views
// over views too, INSTEAD OF triggers with their views, and triggers of other tables.
type bracket struct {
	absent   map[string]bool // keys of tables and views that are missing at some moment of a rebuild
	views    map[string]bool
	triggers map[string]bool
	rebuilds bool
}

// waits tells whether a trigger of a new table has to be created after everything else: it names what is not there yet, or the
// base has a trigger of that name, which may go late.
func (w *work) waits(t *schema.Trigger) bool {
	for _, old := range w.in.From.Triggers() {
		if old.Key == t.Key {
			return true
		}
	}
	return w.bracket.rebuilds && meets(t.Uses.Tables, w.bracket.absent)
}

// findBracket finds what has to be dropped and created again. Without a rebuild nothing has.
func (w *work) findBracket(changes []diff.Change) bracket {
	b := bracket{absent: map[string]bool{}, views: map[string]bool{}, triggers: map[string]bool{}}
	for key := range w.rebuilt {
		b.absent[key], b.rebuilds = true, true
	}
	if !b.rebuilds && w.in.Renames.None() {
		return b
	}
	for _, c := range changes {
		switch c := c.(type) {
		case diff.DropView:
			b.absent[c.View.Key] = true
		case diff.CreateView:
			b.absent[c.View.Key] = true
		case diff.ReplaceOpaque:
			// A virtual table that goes, or is replaced, is missing for a while; one that is made comes after the rebuilds.
			for _, o := range []*schema.Opaque{c.From, c.To} {
				if o != nil {
					b.absent[o.Key] = true
				}
			}
		}
	}
	if b.rebuilds {
		w.spread(&b)
	}
	for _, v := range w.in.From.Views {
		if w.Broken["view "+v.Key] != "" {
			b.views[v.Key] = true
		}
	}
	for _, t := range w.in.From.Triggers() {
		if w.Broken["trigger "+t.Key] != "" {
			b.triggers[t.Key] = true
		}
	}
	return b
}

// spread follows names from what is absent to all that names it, until nothing new is found.
func (w *work) spread(b *bracket) {
	for changed := true; changed; {
		changed = false
		for _, v := range w.in.From.Views {
			if !b.views[v.Key] && meets(v.Uses.Tables, b.absent) {
				b.views[v.Key], b.absent[v.Key], changed = true, true, true
			}
		}
	}
	for _, t := range w.in.From.Triggers() {
		if meets(t.Uses.Tables, b.absent) {
			b.triggers[t.Key] = true
		}
	}
}

func meets(a, b map[string]bool) bool {
	for key := range a {
		if b[key] {
			return true
		}
	}
	return false
}

// bracketSteps makes the steps of views and triggers: those that change, and those in the bracket.
func (w *work) bracketSteps(changes []diff.Change) {
	dropped, created := map[string]bool{}, map[string]bool{}
	for _, c := range changes {
		switch c := c.(type) {
		case diff.DropView:
			dropped["view "+c.View.Key] = true
			w.dropView(c.View)
		case diff.CreateView:
			w.createView(c.View)
		case diff.DropTrigger:
			dropped["trigger "+c.Trigger.Key] = true
			w.dropTrigger(c.On, c.Trigger)
		case diff.CreateTrigger:
			created[c.Trigger.Key] = true
			w.createTrigger(c.On, c.Trigger)
		case diff.CreateTable:
			for _, t := range c.Table.Triggers {
				created[t.Key] = true
				if w.waits(t) {
					w.createTrigger(c.Table.Name, t)
				}
			}
		}
	}
	for _, v := range w.in.From.Views {
		if w.bracket.views[v.Key] && !dropped["view "+v.Key] {
			w.dropView(v)
			w.createView(w.in.To.View(v.Key))
		}
	}
	w.eachTrigger(w.in.From, func(on string, t *schema.Trigger, goes bool) {
		if (goes || w.bracket.triggers[t.Key]) && !dropped["trigger "+t.Key] {
			dropped["trigger "+t.Key] = true
			w.dropTrigger(on, t)
		}
	})
	w.eachTrigger(w.in.To, func(on string, t *schema.Trigger, _ bool) {
		if dropped["trigger "+t.Key] && !created[t.Key] {
			w.createTrigger(on, t)
		}
	})
}

// eachTrigger visits triggers with the name of what they are on, and says whether that is dropped and made again.
func (w *work) eachTrigger(s *schema.Schema, visit func(on string, t *schema.Trigger, goes bool)) {
	for _, t := range s.Tables {
		for _, tr := range t.Triggers {
			visit(t.Name, tr, w.rebuilt[t.Key] != nil)
		}
	}
	for _, v := range s.Views {
		for _, tr := range v.Triggers {
			visit(v.Name, tr, w.bracket.views[v.Key])
		}
	}
	for _, o := range s.Opaques {
		for _, tr := range o.Triggers {
			visit(o.Name, tr, false)
		}
	}
}

func (w *work) dropView(v *schema.View) {
	phase := phaseViews
	if w.hoisted("view "+v.Key, v.Key) {
		phase = phaseHoisted
	}
	w.add(phase, -w.fromViews[v.Key], &plan.Step{Kind: "drop_view", Object: v.Name, Changes: []diff.Change{diff.DropView{View: v}}, Old: v.Canon,
		SQL: []string{"DROP VIEW " + ident(v.Name)}})
}

func (w *work) createView(v *schema.View) {
	w.add(phaseView, w.toViews[v.Key], &plan.Step{Kind: "create_view", Object: v.Name, Changes: []diff.Change{diff.CreateView{View: v}}, New: v.Canon,
		SQL: []string{v.Text}})
}

// hoistedTriggers ranks triggers before the views they may be on, where both are hoisted.
const hoistedTriggers = -1 << 20

func (w *work) dropTrigger(on string, t *schema.Trigger) {
	phase := phaseTriggers
	if v := w.in.From.View(fold(on)); w.hoisted("trigger "+t.Key, "") || (v != nil && w.hoisted("view "+v.Key, v.Key)) {
		phase = phaseHoisted
	}
	w.add(phase, hoistedTriggers, &plan.Step{Kind: "drop_trigger", Object: on + "." + t.Name, Changes: []diff.Change{diff.DropTrigger{On: on, Trigger: t}}, Old: t.Canon,
		SQL: []string{"DROP TRIGGER " + ident(t.Name)}})
}

func (w *work) createTrigger(on string, t *schema.Trigger) {
	w.add(phaseTrigger, 0, &plan.Step{Kind: "create_trigger", Object: on + "." + t.Name, Changes: []diff.Change{diff.CreateTrigger{On: on, Trigger: t}}, New: t.Canon,
		SQL: []string{t.Text}})
}

// hoisted tells whether something has to go even before the renames: because it would stop them, or has the name they give.
func (w *work) hoisted(object, key string) bool {
	if w.in.Renames.None() {
		return false
	}
	for _, r := range w.in.Renames.Tables {
		if key != "" && fold(r.To) == key {
			return true
		}
	}
	return w.Broken[object] != ""
}

// viewDepths says of each view how many views deep it stands on others, so that it is created after what it reads.
func viewDepths(s *schema.Schema) map[string]int {
	const walking = -1
	depth := map[string]int{}
	var walk func(v *schema.View) int
	walk = func(v *schema.View) int {
		if d, ok := depth[v.Key]; ok {
			return max(d, 0)
		}
		depth[v.Key] = walking
		deepest := 0
		for _, key := range slices.Sorted(maps.Keys(v.Uses.Tables)) {
			if other := s.View(key); other != nil && other != v {
				deepest = max(deepest, 1+walk(other))
			}
		}
		depth[v.Key] = deepest
		return deepest
	}
	for _, v := range s.Views {
		walk(v)
	}
	return depth
}

package quereus

import (
	"cmp"
	"slices"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// dropEarly gives the tables that go before anything is made: those whose name a view takes, those that are maintained, and all that go and
// reference one of them, since the engine drops no table that is referenced.
func (w *work) dropEarly(changes []diff.Change) map[string]bool {
	early := map[string]bool{}
	var goes []*schema.Table
	for _, c := range changes {
		if d, ok := c.(diff.DropTable); ok {
			goes = append(goes, d.Table)
			if w.in.To.View(d.Table.Key) != nil || maintainedOf(d.Table) != "" {
				early[d.Table.Key] = true
			}
		}
	}
	for before := -1; before < len(early); {
		before = len(early)
		for _, t := range goes {
			if references(t, early) {
				early[t.Key] = true
			}
		}
	}
	return early
}

// references tells whether a table references one of some others.
func references(t *schema.Table, others map[string]bool) bool {
	return slices.ContainsFunc(t.Constraints, func(k *schema.Constraint) bool { return k.Ref != nil && k.Ref.Table != t.Key && others[k.Ref.Table] })
}

// dropColumnPhase gives the phase in which a column goes: before a table that goes, where an unnamed foreign key of the column, which no
// statement can drop, references that.
func (w *work) dropColumnPhase(t *schema.Table, column string) int {
	if w.lettingGo[t.Key] == nil {
		w.lettingGo[t.Key] = w.columnsLettingGo(t.Key)
	}
	return cmp.Or(w.lettingGo[t.Key][column], phaseDropColumn)
}

// columnsLettingGo gives the columns of a table that go before their turn, with their phases. What names such a column goes before it.
func (w *work) columnsLettingGo(table string) map[string]int {
	phases := map[string]int{}
	for _, k := range w.in.From.Table(table).Constraints {
		if k.Owner == "" || k.Name != "" || k.Ref == nil || k.Ref.Table == table || !w.dropped[k.Ref.Table] {
			continue
		}
		phase := phaseLetGoLate
		if w.early[k.Ref.Table] {
			phase = phaseLetGo
		}
		phases[k.Owner] = min(phase, cmp.Or(phases[k.Owner], phase))
	}
	if len(phases) == 0 {
		return phases
	}
	c := w.renamed.catalog
	reads := c.columnReads(c.tables[table])
	for changed := true; changed; {
		changed = false
		for _, column := range sorted(reads) {
			for _, other := range reads[column] {
				if phase, ok := phases[other]; ok && phase < cmp.Or(phases[column], phaseDropColumn) {
					phases[column], changed = phase, true
				}
			}
		}
	}
	return phases
}

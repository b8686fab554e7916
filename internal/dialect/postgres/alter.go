package postgres

import (
	"fmt"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
)

// alter makes the step that changes a thing where it is.
func (w *work) alter(id string, c diff.Change) {
	switch c := c.(type) {
	case diff.AlterColumn:
		w.alterColumn(id, c)
	case diff.AlterOptions:
		w.alterTable(id, c)
	case diff.AlterObject:
		w.changeObject(id, c)
	case diff.ReplaceView:
		p := printer{Loaded: w.To}
		w.spellStars(w.To.details.views[c.To.Key])
		w.add(phaseView, &plan.Step{Kind: "alter_view", Object: c.To.Name, Changes: []diff.Change{c}, Old: c.From.Canon, New: c.To.Canon,
			SQL: within(w.To.details.views[c.To.Key].Origin, p.replaceView(w.From.details.views[c.From.Key], c.To))}, accessExclusive).moving(id)
	case diff.ValidateConstraint:
		w.validate(id, c)
	case diff.RenameConstraint:
		w.renameConstraint(id, c)
	case diff.RenameIndex:
		sql := fmt.Sprintf("ALTER INDEX %s RENAME TO %s", sqlName(c.From.Name), quote(lastPart(c.To.Name)))
		w.add(phaseRename+1, &plan.Step{Kind: "rename_index", Object: onTable(c.Table.Name, lastPart(c.To.Name)), From: onTable(c.Table.Name, lastPart(c.From.Name)),
			Changes: []diff.Change{c}, Old: c.From.Canon, New: c.To.Canon, SQL: []string{sql}}, shareUpdateExclusive).freeing(space(c.From.Key)).taking(space(c.To.Key))
	case diff.RenameObject:
		sql := fmt.Sprintf("ALTER SEQUENCE %s RENAME TO %s", sqlName(c.From.Name), quote(lastPart(c.To.Name)))
		w.add(phaseRename+1, &plan.Step{Kind: "rename_sequence", Object: c.To.Name, From: c.From.Name, Changes: []diff.Change{c}, Old: c.From.Canon, New: c.To.Canon,
			SQL: []string{sql}}, accessExclusive).freeing(space(c.From.Key)).taking(space(c.To.Key))
	default:
		w.errs = append(w.errs, fmt.Errorf("postgres has no step for %T", c))
	}
}

// validate makes a constraint hold for old rows too, which are read while others go on.
func (w *work) validate(id string, c diff.ValidateConstraint) {
	s := &plan.Step{Kind: "alter_" + string(c.To.Kind), Object: onTable(c.Table.Name, c.To.Name), Changes: []diff.Change{c}, Old: c.From.Canon, New: c.To.Canon,
		SQL: []string{fmt.Sprintf("ALTER TABLE %s VALIDATE CONSTRAINT %s", sqlName(c.Table.Name), quote(c.To.Name))}}
	if w.Plain {
		w.add(phaseConstraint, s, shareUpdateScan).moving(id)
		return
	}
	s.SQL = untimed(s.SQL...)
	w.add(phaseOnlineKey, s, shareUpdateScan).online().moving(id)
}

// defaultAside drops a default whose function steps aside, and sets it again.
func (w *work) defaultAside(id string) {
	_, name, _ := strings.Cut(id, " ")
	table, col := w.findColumn(w.in.From, name)
	if col == nil || w.changes.drops[columnID(table.Key, col.Key)] != nil || w.changes.drops[relationID(table.Key)] != nil {
		return
	}
	to := w.in.To.Table(table.Key).Column(col.Key)
	if to.Default == nil || !w.defaultWaits(id) {
		return // the step that changes the column lets go of it
	}
	head := fmt.Sprintf("ALTER TABLE %s ALTER COLUMN %s ", sqlName(table.Name), quote(col.Name))
	without := *to
	without.Default = nil
	drop := w.add(phaseDropPart, &plan.Step{Kind: "alter_column", Object: onTable(table.Name, col.Name), Changes: []diff.Change{diff.AlterColumn{Table: w.in.To.Table(table.Key), From: col, To: &without}},
		Old: col.Canon, SQL: []string{head + "DROP DEFAULT"}}, accessExclusive).dropping(id)
	if w.changes.alters[columnID(table.Key, col.Key)] != nil {
		return // the step that changes the column sets it again
	}
	again := w.add(phaseAlter, &plan.Step{Kind: "alter_column", Object: onTable(table.Name, col.Name), Changes: []diff.Change{diff.AlterColumn{Table: w.in.To.Table(table.Key), From: &without, To: to}},
		New: to.Canon, SQL: []string{head + "SET DEFAULT " + to.Default.Text}}, accessExclusive).making(id)
	again.after = append(again.after, drop)
}

// defaultWaits tells whether a default has to go in one step and come back in another, because what it is to be needs something that
// comes only in between. A column that changes can else get its new default at once.
func (w *work) defaultWaits(id string) bool {
	_, name, _ := strings.Cut(id, " ")
	if w.changes.alters["column "+name] == nil {
		return true
	}
	return slices.ContainsFunc(w.To.graph.needs[id], func(need string) bool { return w.changes.creates[need] != nil })
}

package mysql

import (
	"fmt"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/dialect/mysql/catalog"
	"github.com/altergate/altergate/internal/dialect/mysql/script"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/schema"
)

// programs makes the steps of views and triggers.
func (w *work) programs() {
	w.viewSteps()
	w.triggerSteps()
}

// viewSteps replaces a view that changes where it is, so that it is always there and keeps its grants.
func (w *work) viewSteps() {
	dropped := map[string]*schema.View{}
	var created []*schema.View
	for _, c := range w.views {
		switch c := c.(type) {
		case diff.DropView:
			dropped[c.View.Key] = c.View
		case diff.CreateView:
			created = append(created, c.View)
		}
	}
	for i, v := range readersLast(created) {
		s := &plan.Step{Kind: "create_view", Object: v.Name, Changes: []diff.Change{diff.CreateView{View: v}}, New: v.Canon, SQL: []string{createText(v.Text, false)}, Lock: noLock()}
		if old := dropped[v.Key]; old != nil {
			s.Kind, s.Changes, s.Old = "alter_view", []diff.Change{diff.ReplaceView{From: old, To: v}}, old.Canon
			s.SQL = []string{createText(v.Text, true)}
			s.Lock = metadata()
			delete(dropped, v.Key)
		}
		w.add(phaseView, i, "", s)
	}
	for i, key := range sortedKeys(dropped) {
		v := dropped[key]
		w.add(phaseDropView, i, "", &plan.Step{Kind: "drop_view", Object: v.Name, Changes: []diff.Change{diff.DropView{View: v}}, Old: v.Canon,
			SQL: []string{"DROP VIEW " + sqlName(w.From.details.views[v].Name)}, Lock: metadata()})
	}
}

// readersLast puts views behind those that they read.
func readersLast(views []*schema.View) []*schema.View {
	byKey := map[string]*schema.View{}
	for _, v := range views {
		byKey[v.Key] = v
	}
	var out []*schema.View
	seen := map[string]bool{}
	var visit func(v *schema.View)
	visit = func(v *schema.View) {
		if seen[v.Key] {
			return
		}
		seen[v.Key] = true
		for _, key := range sortedKeys(v.Uses.Tables) {
			if read := byKey[key]; read != nil {
				visit(read)
			}
		}
		out = append(out, v)
	}
	for _, v := range views {
		visit(v)
	}
	return out
}

// createText is the author's statement, with or without OR REPLACE, which takes no IF NOT EXISTS beside it.
func createText(text string, replace bool) string {
	list := script.Solid(text)
	i, word := 1, "CREATE " // where the author wrote ALTER VIEW, too
	if list[1].Is(text, "OR") {
		i = 3
	}
	if replace {
		word = "CREATE OR REPLACE "
		text = withoutIfNotExists(text, list)
	}
	return word + text[list[i].Start:]
}

// triggerSteps drops what goes first, since it can name what goes with it, and makes what comes last. One that changes is dropped and made
// in two steps side by side, so that few writes miss it; MariaDB does both at once.
func (w *work) triggerSteps() {
	var dropped []diff.DropTrigger
	var created []diff.CreateTrigger
	for _, c := range w.marks {
		switch c := c.(type) {
		case diff.DropTrigger:
			dropped = append(dropped, c)
		case diff.CreateTrigger:
			created = append(created, c)
		}
	}
	for _, t := range w.creates {
		for _, g := range t.Table.Triggers {
			created = append(created, diff.CreateTrigger{On: t.Table.Name, Trigger: g})
		}
	}
	details := w.To.details.triggers
	slices.SortStableFunc(created, func(a, b diff.CreateTrigger) int {
		x, y := details[a.Trigger], details[b.Trigger]
		if c := strings.Compare(moment(x), moment(y)); c != 0 {
			return c
		}
		return x.Place - y.Place
	})
	there := w.triggersThatStay(created)
	for i, c := range created {
		s := &plan.Step{Kind: "create_trigger", Object: onTable(c.On, c.Trigger.Name), Changes: []diff.Change{c}, New: c.Trigger.Canon,
			SQL: w.making("trigger "+details[c.Trigger].Name.Key(), w.triggerText(details[c.Trigger], there)), Lock: metadata()}
		there[c.Trigger.Key] = true
		w.add(phaseTrigger, 2*i+1, "", s)
		j := slices.IndexFunc(dropped, func(d diff.DropTrigger) bool { return d.Trigger.Key == c.Trigger.Key })
		if j >= 0 && !w.renamedUnder(dropped[j]) {
			w.add(phaseTrigger, 2*i, "", w.dropTrigger(dropped[j]))
			dropped = slices.Delete(dropped, j, j+1)
		}
	}
	for i, d := range dropped {
		w.add(phaseDropTrigger, i, "", w.dropTrigger(d))
	}
}

func (w *work) dropTrigger(d diff.DropTrigger) *plan.Step {
	return &plan.Step{Kind: "drop_trigger", Object: onTable(d.On, d.Trigger.Name), Changes: []diff.Change{d}, Old: d.Trigger.Canon,
		SQL: []string{"DROP TRIGGER " + sqlName(w.From.details.triggers[d.Trigger].Name)}, Lock: metadata()}
}

// triggersThatStay gives the triggers that are there before any is made.
func (w *work) triggersThatStay(created []diff.CreateTrigger) map[string]bool {
	there := map[string]bool{}
	for _, g := range w.in.To.Triggers() {
		there[g.Key] = true
	}
	for _, c := range created {
		delete(there, c.Trigger.Key)
	}
	return there
}

// renamedUnder tells whether a trigger names a column of its table that gets another name, so that it would fail from then on.
func (w *work) renamedUnder(d diff.DropTrigger) bool {
	on := w.From.details.triggers[d.Trigger].Table.String()
	return slices.ContainsFunc(w.in.Renames.Columns, func(r diff.RenameColumn) bool { return r.Table == on && d.Trigger.Uses.Words[columnKey(r.From)] })
}

// triggerText is the author's statement, with the place among others that are there already.
func (w *work) triggerText(t *catalog.Trigger, there map[string]bool) string {
	text := withoutPlace(createText(t.Text, false))
	before, after := "", ""
	place := -1
	for _, key := range sortedKeys(w.To.catalog.Triggers) {
		o := w.To.catalog.Triggers[key]
		if o == t || moment(o) != moment(t) || !there[o.Name.String()] {
			continue
		}
		switch {
		case o.Place < t.Place && o.Place > place:
			before, place = o.Name.Name, o.Place
		case o.Place > t.Place && after == "":
			after = o.Name.Name
		}
	}
	clause := ""
	switch {
	case after == "": // behind all that are there, as it would be by itself
	case before != "":
		clause = "FOLLOWS " + quote(before) + " "
	default:
		clause = "PRECEDES " + quote(w.firstAfter(t, there)) + " "
	}
	return withPlace(text, clause)
}

// firstAfter gives the trigger that comes next of those that are there.
func (w *work) firstAfter(t *catalog.Trigger, there map[string]bool) string {
	var next *catalog.Trigger
	for _, key := range sortedKeys(w.To.catalog.Triggers) {
		o := w.To.catalog.Triggers[key]
		if o != t && moment(o) == moment(t) && there[o.Name.String()] && o.Place > t.Place && (next == nil || o.Place < next.Place) {
			next = o
		}
	}
	return next.Name.Name
}

// placeOf finds in a trigger's statement where its place among others stands, or would: behind FOR EACH ROW.
func placeOf(text string) (from, to int) {
	list := script.Solid(text)
	i := 3
	for !list[i-3].Is(text, "FOR") || !list[i-2].Is(text, "EACH") || !list[i-1].Is(text, "ROW") {
		i++
	}
	from, to = list[i].Start, list[i].Start
	if list[i].Is(text, "FOLLOWS") || list[i].Is(text, "PRECEDES") {
		to = list[i+2].Start
	}
	return from, to
}

func withoutPlace(text string) string {
	from, to := placeOf(text)
	return text[:from] + text[to:]
}

func withPlace(text, clause string) string {
	from, _ := placeOf(text)
	return text[:from] + clause + text[from:]
}

// objects makes the steps of routines, events, sequences and databases.
func (w *work) objects() {
	for i, c := range w.rest {
		switch c := c.(type) {
		case diff.CreateObject:
			w.add(comes(c.Object.Kind), i, "", &plan.Step{Kind: "create_" + c.Object.Kind, Object: c.Object.Name, Changes: []diff.Change{c}, New: c.Object.Canon,
				SQL: w.making(programKey(c.Object), createText(c.Object.Text, false)), Lock: noLock()})
		case diff.DropObject:
			w.add(goes(c.Object.Kind), i, "", &plan.Step{Kind: "drop_" + c.Object.Kind, Object: c.Object.Name, Changes: []diff.Change{c}, Old: c.Object.Canon,
				SQL: []string{dropObject(c.Object)}, Lock: noLock()})
		case diff.AlterObject:
			w.alterObject(c, i)
		}
	}
}

func comes(kind string) int {
	switch kind {
	case "database":
		return phaseDatabase
	case "sequence":
		return phaseSequence
	case "event":
		return phaseEvent
	}
	return phaseRoutine
}

func goes(kind string) int {
	switch kind {
	case "database":
		return phaseDropDatabase
	case "sequence":
		return phaseDropTable
	}
	return phaseDropRest
}

func dropObject(o *schema.Object) string {
	return "DROP " + strings.ToUpper(o.Kind) + " " + sqlName(parseName(o.Name))
}

// alterObject replaces a routine or an event. MySQL has no OR REPLACE for them, so that there is a moment without it, and grants on a
// routine go with it ("DROP PROCEDURE and DROP FUNCTION Statements").
func (w *work) alterObject(c diff.AlterObject, place int) {
	s := &plan.Step{Kind: "alter_" + c.To.Kind, Object: c.To.Name, Changes: []diff.Change{c}, Old: c.From.Canon, New: c.To.Canon, Lock: noLock()}
	switch c.To.Kind {
	case "database":
		name := ""
		if c.To.Key != "" {
			name = quote(c.To.Key) + " "
		}
		s.SQL = []string{"ALTER DATABASE " + name + w.To.catalog.DatabaseOf(c.To.Key).Options(w.From.catalog.DatabaseOf(c.To.Key))}
	case "sequence":
		key := parseName(c.To.Key).Key()
		s.SQL = alterSequence(w.From.catalog.Sequences[key], w.To.catalog.Sequences[key])
	default:
		if more := w.onlyAltered(c); more != nil {
			s.SQL = w.underMode(programKey(c.To), more)
			break
		}
		if w.Server.MariaDB {
			s.SQL = w.making(programKey(c.To), createText(c.To.Text, true))
			break
		}
		s.SQL = append([]string{dropObject(c.From)}, w.making(programKey(c.To), createText(c.To.Text, false))...)
		if c.To.Kind != "event" {
			w.notices = append(w.notices, schema.Notice{Side: schema.Head, Pos: c.To.Pos, Text: fmt.Sprintf("the %s %s is dropped and made anew, since MySQL cannot replace it; grants on it alone are lost with the old one and have to be given again", c.To.Kind, c.To.Name)})
		}
	}
	w.add(comes(c.To.Kind), place, "", s)
}

// withoutIfNotExists takes IF NOT EXISTS away from before the name of what is made. It keeps the offsets of all that stands before.
func withoutIfNotExists(text string, list []script.Token) string {
	for i, t := range list {
		if t.Is(text, "VIEW") || t.Is(text, "PROCEDURE") || t.Is(text, "FUNCTION") || t.Is(text, "EVENT") {
			if list[i+1].Is(text, "IF") {
				return text[:list[i+1].Start] + text[list[i+4].Start:]
			}
			break
		}
	}
	return text
}

// alterSequence states how the sequence counts, whole, and what ALTER TABLE alone changes of it; its position stays.
func alterSequence(from, to *catalog.Sequence) []string {
	var all []string
	if from.Options() != to.Options() {
		as := ""
		if from.Typed() && !to.Typed() {
			as = "AS BIGINT "
		}
		all = append(all, "ALTER SEQUENCE "+sqlName(to.Name)+" "+as+to.Options())
	}
	var clauses []string
	if from.Engine != to.Engine {
		clauses = append(clauses, "ENGINE="+to.Engine)
	}
	if from.Comment != to.Comment {
		clauses = append(clauses, "COMMENT="+literal(to.Comment))
	}
	if clauses != nil {
		all = append(all, "ALTER TABLE "+sqlName(to.Name)+" "+strings.Join(clauses, ", "))
	}
	return all
}

package postgres

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/altergate/altergate/internal/dialect/postgres/bind"
	"github.com/altergate/altergate/internal/dialect/postgres/catalog"
	"github.com/altergate/altergate/internal/schema"
)

// analyst makes the model of a catalog.
type analyst struct {
	*Loaded
	binder *bind.Binder
	errs   []error
	seen   map[string]bool // names that were reported as missing
}

// analyse makes the model and the graph of the catalog. Names that are nowhere are errors, all of them.
func (l *Loaded) analyse() error { return l.analyseWith(nil) }

// analyseWith makes the model with the inherited parts of some tables.
func (l *Loaded) analyseWith(whole map[string]bool) error {
	l.whole = whole
	l.Schema, l.graph, l.details = &schema.Schema{Dialect: Name}, newGraph(), newDetails()
	l.binder = bind.New(l.catalog)
	a := &analyst{Loaded: l, binder: l.binder, seen: map[string]bool{}}
	a.index()
	for _, name := range sortedNames(l.catalog.Types) {
		a.typ(l.catalog.Types[name])
	}
	for _, name := range sortedNames(l.catalog.Sequences) {
		a.sequence(l.catalog.Sequences[name])
	}
	for _, name := range sortedNames(l.catalog.Tables) {
		a.table(l.catalog.Tables[name])
	}
	for _, name := range sortedNames(l.catalog.Views) {
		a.view(l.catalog.Views[name])
	}
	a.circles()
	for _, id := range sortedKeys(l.catalog.Functions) {
		a.function(l.catalog.Functions[id])
	}
	a.others()
	a.statements()
	a.reserved()
	l.owners = ownersIn(l.Schema)
	l.Schema.Sort()
	return errors.Join(a.errs...)
}

// statements carries what may do anything as objects that are compared by their text.
func (a *analyst) statements() {
	seen := map[string]bool{}
	for _, d := range a.doubtful {
		if !seen[d.Statement.Text] {
			seen[d.Statement.Text] = true
			a.statement(d)
		}
	}
}

func (a *analyst) statement(d catalog.Passed) {
	text := d.Statement.Text
	a.Schema.Opaques = append(a.Schema.Opaques, &schema.Opaque{Name: d.What, Key: statementKind + " " + text, Kind: statementKind, Canon: text, Text: text, Pos: d.Pos})
}

// statementKind is the kind of an opaque object that is a statement to run, and nothing that could be dropped.
const statementKind = "statement"

// circles finds views that are made of themselves, which no server can have made.
func (a *analyst) circles() {
	const open, closed = 1, 2
	state := map[string]int{}
	var walk func(id string) bool
	walk = func(id string) bool {
		name := strings.TrimPrefix(id, "relation ")
		if a.details.views[name] == nil || state[id] == closed {
			return false
		}
		if state[id] == open {
			return true
		}
		state[id] = open
		for _, need := range a.graph.needs[id] {
			if walk(need) {
				state[id] = closed
				return true
			}
		}
		state[id] = closed
		return false
	}
	for _, v := range a.Schema.Views {
		if walk(relationID(v.Key)) {
			a.fail(a.details.views[v.Key].Origin, schema.KindSchema, "view %s is made of itself, by way of what it reads; one of these views has to be made of something else", v.Key)
		}
	}
}

// index fills in what is found by name, which the rest looks up.
func (a *analyst) index() {
	for n, t := range a.catalog.Tables {
		a.details.tables[n.String()] = t
	}
	for n, v := range a.catalog.Views {
		a.details.views[n.String()] = &view{View: v}
	}
	for n, t := range a.catalog.Types {
		a.details.types[n.String()] = t
	}
	for n, s := range a.catalog.Sequences {
		a.details.sequences[n.String()] = s
	}
}

func (a *analyst) fail(o catalog.Origin, kind schema.ErrorKind, format string, args ...any) {
	e := &schema.Error{Pos: o.Pos(), Kind: kind, Text: fmt.Sprintf(format, args...)}
	if o.Statement != nil {
		e.Path = o.Statement.Path
	}
	a.errs = append(a.errs, e)
}

// reserved refuses names that plans give to things while they run.
func (a *analyst) reserved() {
	check := func(kind, name string, o catalog.Origin) {
		if strings.HasPrefix(name, StagingPrefix) {
			a.fail(o, schema.KindSchema, "the name of %s %s begins with %s, which plans use while they run; give it another name", kind, name, StagingPrefix)
		}
	}
	for _, n := range sortedNames(a.catalog.Tables) {
		t := a.catalog.Tables[n]
		check("table", n.Name, t.Origin)
		for _, k := range t.Constraints {
			check("constraint", k.Name, k.Origin)
		}
	}
	for _, n := range sortedNames(a.catalog.Views) {
		check("view", n.Name, a.catalog.Views[n].Origin)
	}
	for _, n := range sortedNames(a.catalog.Indexes) {
		check("index", n.Name, a.catalog.Indexes[n].Origin)
	}
	for _, n := range sortedNames(a.catalog.Sequences) {
		check("sequence", n.Name, a.catalog.Sequences[n].Origin)
	}
	for _, n := range sortedNames(a.catalog.Types) {
		check("type", n.Name, a.catalog.Types[n].Origin)
	}
}

// missing reports the names of a body that are nowhere. A function that is not known may be one of a newer server.
func (a *analyst) missing(what string, o catalog.Origin, unknown []bind.Unknown) {
	for _, u := range unknown {
		text := fmt.Sprintf("%s names the %s %s, which is not there", what, u.Kind, u.Name)
		if a.seen[text] {
			continue
		}
		a.seen[text] = true
		at := o
		at.Offset = u.Offset
		switch {
		case u.Maybe, u.Kind == "function":
			a.told.Notices = append(a.told.Notices, schema.Notice{Pos: at.Pos(), Text: text + " as far as can be seen here; an extension, or the server, may have it"})
		default:
			a.fail(at, schema.KindSchema, "%s; declare it, or correct the name", text)
		}
	}
}

// inSchema makes an object need the schema that it is in.
func (a *analyst) inSchema(id string, n catalog.Name) {
	if n.Schema == catalog.Public {
		return
	}
	if a.catalog.Schemas[n.Schema] != nil {
		a.graph.need(id, schemaID(n.Schema))
	}
}

// object adds an object to the model.
func (a *analyst) object(o *schema.Object) *schema.Object {
	a.Schema.Objects = append(a.Schema.Objects, o)
	return o
}

// typeOf reads a type; the ids are what it needs.
func (a *analyst) typeOf(what string, t catalog.TypeRef) (canon, base string, mods []int, ids []string) {
	canon, base, mods, refs, unknown := a.binder.Type(t)
	a.missing(what, t.Origin, unknown)
	return canon, base, mods, a.refIDs(refs)
}

func sortedNames[T any](m map[catalog.Name]T) []catalog.Name {
	names := make([]catalog.Name, 0, len(m))
	for n := range m {
		names = append(names, n)
	}
	sort.Slice(names, func(i, j int) bool {
		if names[i].Schema != names[j].Schema {
			return names[i].Schema < names[j].Schema
		}
		return names[i].Name < names[j].Name
	})
	return names
}

func sortedKeys[T any](m map[string]T) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// settings writes a map in one form: "a=1, b=2".
func settings(m map[string]string) string {
	var list []string
	for _, k := range sortedKeys(m) {
		list = append(list, k+"="+m[k])
	}
	return strings.Join(list, ", ")
}

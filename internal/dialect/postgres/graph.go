package postgres

import (
	"slices"
	"sort"

	"github.com/altergate/altergate/internal/dialect/postgres/bind"
	"github.com/altergate/altergate/internal/dialect/postgres/catalog"
)

// graph says what each thing of a schema needs. Things are named by ids: a kind and a name, as the functions below make them.
type graph struct {
	// needs are what the server holds a thing to: it cannot be made before them, and they cannot be dropped, nor columns among
	// them change their type, while it is there.
	needs map[string][]string
	// wants are what should be there first, and what nothing is held to: what the body of a function names.
	wants map[string][]string
}

func newGraph() graph { return graph{needs: map[string][]string{}, wants: map[string][]string{}} }

func (g graph) need(id string, others ...string) {
	for _, o := range others {
		if o != "" && o != id {
			g.needs[id] = append(g.needs[id], o)
		}
	}
}

func (g graph) want(id string, others ...string) {
	for _, o := range others {
		if o != "" && o != id {
			g.wants[id] = append(g.wants[id], o)
		}
	}
}

// dependents turns needs around: by id, what needs it, sorted.
func (g graph) dependents() map[string][]string {
	out := map[string][]string{}
	for id, needs := range g.needs {
		seen := map[string]bool{}
		for _, n := range needs {
			if !seen[n] {
				seen[n] = true
				out[n] = append(out[n], id)
			}
		}
	}
	for _, list := range out {
		sort.Strings(list)
	}
	return out
}

// A relation is a table, a view or a sequence: they share one space of names.
func relationID(name string) string         { return "relation " + name }
func columnID(table, column string) string  { return "column " + table + "." + catalog.Part(column) }
func defaultID(table, column string) string { return "default " + table + "." + catalog.Part(column) }
func constraintID(table, name string) string {
	return "constraint " + table + "." + catalog.Part(name)
}
func indexID(name string) string       { return "index " + name }
func triggerID(on, name string) string { return "trigger " + on + "." + catalog.Part(name) }
func typeID(name string) string        { return "type " + name }
func functionID(id string) string      { return "function " + id }
func schemaID(name string) string      { return "schema " + name }
func extensionID(name string) string   { return "extension " + name }
func objectID(kind, key string) string { return kind + " " + key }

// refIDs turns what a body refers to into ids. A column of a view is the view.
func (l *Loaded) refIDs(refs []bind.Ref) []string {
	var ids []string
	for _, r := range refs {
		switch r.Kind {
		case "column":
			if t := l.details.tables[r.Name]; t != nil {
				ids = append(ids, l.columnNeeds(t, r.Column)...)
			}
			ids = append(ids, relationID(r.Name))
		case "constraint":
			ids = append(ids, constraintID(r.Name, r.Column))
		case "function":
			ids = append(ids, functionID(r.Name))
		case "type":
			ids = append(ids, l.typeNeed(r.Name))
		case "operator", "collation", "text search configuration", "text search dictionary":
			ids = append(ids, objectID("opaque", r.Kind+" "+r.Name))
		default:
			ids = append(ids, relationID(r.Name))
		}
	}
	return ids
}

// columnNeeds gives the id of a column, and of those of the parents that it comes and goes with.
func (l *Loaded) columnNeeds(t *catalog.Table, name string) []string {
	ids := []string{columnID(t.Name.String(), name)}
	parents := slices.Clone(t.Inherits)
	if t.PartitionOf != nil {
		parents = append(parents, *t.PartitionOf)
	}
	for _, p := range parents {
		if parent := l.details.tables[p.String()]; parent != nil && slices.ContainsFunc(parent.Columns, func(c *catalog.Column) bool { return c.Name == name }) {
			ids = append(ids, l.columnNeeds(parent, name)...)
		}
	}
	return ids
}

// typeNeed gives the id of a type, which may be the row type of a table or a view.
func (l *Loaded) typeNeed(name string) string {
	if l.details.types[name] == nil && (l.details.tables[name] != nil || l.details.views[name] != nil) {
		return relationID(name)
	}
	return typeID(name)
}

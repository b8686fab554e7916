package schemajson

// checkNames wants a name for everything in a list, and not one name for two things.
func checkNames[T interface{ self() *item }](v *validator, l list[T]) {
	seen := map[string]string{}
	for i, element := range l.items {
		name := element.self().name
		if name.text == "" {
			v.bad(nth(l.path, i), name.pos, "the name is empty; give it one")
			continue
		}
		first, again := seen[v.fold(name.text)]
		switch {
		case !again:
			seen[v.fold(name.text)] = name.text
		case first == name.text:
			v.bad(l.path, name.pos, "%s is declared twice; keep one, or give it another name", excerpt(name.text))
		default:
			v.bad(l.path, name.pos, "%s and %s are one name to %s; give one of them another",
				excerpt(first), excerpt(name.text), v.title)
		}
	}
}

// sharedNames checks the names that tables, views and indexes have in common, and those of triggers where they belong to
// the schema.
func (v *validator) sharedNames() {
	tables, views := map[string]item{}, map[string]item{}
	for _, t := range v.doc.tables.items {
		tables[v.fold(t.name.text)] = t.item
	}
	for _, view := range v.doc.views.items {
		views[v.fold(view.name.text)] = view.item
		v.taken(view.item, tables, "a table")
	}
	indexes, triggers := map[string]item{}, map[string]item{}
	for _, t := range v.doc.tables.items {
		for _, i := range t.indexes.items {
			v.taken(i.item, tables, "a table")
			v.taken(i.item, views, "a view")
			v.taken(i.item, indexes, "an index")
			indexes[v.fold(i.name.text)] = i.item
		}
		if !v.sharedTriggers {
			continue
		}
		for _, g := range t.triggers.items {
			v.taken(g.item, triggers, "a trigger")
		}
		for _, g := range t.triggers.items { // two in one table are for checkNames to report
			triggers[v.fold(g.name.text)] = g.item
		}
	}
}

// taken notes that something else goes by this name.
func (v *validator) taken(i item, others map[string]item, kind string) {
	other, taken := others[v.fold(i.name.text)]
	if i.name.text == "" || !taken {
		return
	}
	v.bad(i.path(), i.name.pos, "%s of that name is at %s already, and the name is unique in the whole schema; choose another", kind, excerpt(other.path()))
}

package sqlite

import "context"

// families divides the statements of migrations into those that have nothing to do with each other, which come to the same in databases of
// their own: each ALTER TABLE makes SQLite read its whole catalog again. A family is held together by the names of its tables and indexes,
// which share one space. A rename changes what references its table, so whoever names such a table is of its family. Views and triggers
// are read again at every ALTER TABLE, whatever they are on, so a source that has any is run in one database.
type families struct {
	parent map[string]string // key of a table or an index → another of the same family; those that lead the family are their own
}

// family gives the name that leads the family.
func (f *families) family(key string) string {
	for f.parent[key] != "" && f.parent[key] != key {
		key = f.parent[key]
	}
	return key
}

func (f *families) join(keys []string) {
	for _, k := range keys[1:] {
		if a, b := f.family(keys[0]), f.family(k); a != b {
			f.parent[b] = a
		}
	}
}

// concerned gives the keys of the tables and indexes that a statement is about. renamed tells whether it renames the first of them, or a
// column of it.
func concerned(st *statement) (keys []string, renamed bool, err error) {
	p := &parser{src: st.text, tokens: st.tokens, i: 2}
	add := func() {
		name, bad := p.qualifiedName()
		if bad != nil {
			err = errOneDatabase
		}
		keys = append(keys, fold(name))
	}
	switch {
	case st.has("CREATE", "TABLE"), st.has("CREATE", "INDEX"), st.has("CREATE", "UNIQUE", "INDEX"):
		_, name := st.created()
		keys = append(keys, fold(name))
		if !st.has("CREATE", "TABLE") {
			on, bad := owner(st)
			if bad != nil {
				return nil, false, errOneDatabase
			}
			keys = append(keys, fold(on))
		} else if runnable(st) != st.text {
			return nil, false, errOneDatabase
		}
	case st.has("DROP", "TABLE"), st.has("DROP", "INDEX"):
		p.take("IF", "EXISTS")
		add()
	case st.has("ALTER", "TABLE"):
		add()
		if renamed = p.take("RENAME"); renamed && p.take("TO") {
			add()
		}
	default:
		err = errOneDatabase
	}
	return keys, renamed, err
}

// familyGroups gives the families of statements, in the order of their first ones.
func familyGroups(statements []*statement) ([]*group, *families, error) {
	f := &families{parent: map[string]string{}}
	about := make([][]string, len(statements))
	renames := map[string]bool{} // keys of the tables that a statement renames, or columns of them
	for i, st := range statements {
		keys, renamed, err := concerned(st)
		if err != nil {
			return nil, nil, err
		}
		about[i] = keys
		if renamed {
			renames[keys[0]] = true
		}
	}
	for i, st := range statements {
		for _, t := range st.tokens {
			if key := fold(t.name()); (t.kind == word || t.kind == quoted || t.kind == text) && renames[key] {
				about[i] = append(about[i], key)
			}
		}
		f.join(about[i])
	}
	var all []*group
	byKey := map[string]*group{}
	for i, st := range statements {
		key := f.family(about[i][0])
		if byKey[key] == nil {
			byKey[key] = &group{key: key}
			all = append(all, byKey[key])
		}
		byKey[key].statements = append(byKey[key].statements, st)
	}
	return all, f, nil
}

// executeFamilies runs the statements of migrations in several databases. Any error is a reason to run all in one.
func (l *loader) executeFamilies(ctx context.Context) ([]entry, error) {
	all, f, err := familyGroups(l.run)
	if err != nil {
		return nil, err
	}
	return l.executeAll(ctx, all, f.family)
}

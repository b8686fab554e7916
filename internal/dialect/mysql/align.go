package mysql

import (
	"maps"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/dialect/mysql/catalog"
	"github.com/altergate/altergate/internal/dialect/mysql/script"
)

// align takes out of the head what is no difference from the other side, a base or what a plan has made of it: names that the server
// makes up, definers that only one side states, and the default collation of a character set where one side leaves it to the server.
func align(from, head *Loaded) {
	changed := false
	for _, key := range slices.Sorted(maps.Keys(head.catalog.Tables)) {
		a, b := from.catalog.Tables[key], head.catalog.Tables[key]
		if a == nil || a == b {
			continue
		}
		b = b.Clone() // other sides may have this table, too
		aligned := alignCollation(a, b)
		if alignNames(a, b) || aligned {
			head.catalog.Tables[key] = b
			changed = true
		}
	}
	changed = alignDefiners(from.catalog, head.catalog) || changed
	m := marksOf(from, head)
	if from.Schema == nil || !from.marks.equal(m) {
		from.analyseWith(m)
	}
	if changed || !head.marks.equal(m) {
		head.analyseWith(m)
	}
}

// marksOf finds what of two sides counts only beside the other.
func marksOf(from, head *Loaded) marks {
	return marks{reorderedTriggers(from.catalog, head.catalog), otherModes(from.catalog, head.catalog), alteredDatabases(from.catalog, head.catalog)}
}

// Beside gives two sides with what of them counts only beside the other; what they were before stays.
func (Dialect) Beside(from, to *Loaded) (*Loaded, *Loaded) {
	m := marksOf(from, to)
	mark := func(l *Loaded) *Loaded {
		if l.marks.equal(m) {
			return l
		}
		marked := *l
		marked.analyseWith(m)
		return &marked
	}
	return mark(from), mark(to)
}

// named is what can have a name of the server's making.
type named struct {
	name  *string
	given bool
	body  string
}

// alignNames gives what has no name of its own in the head the name that it has on the other side, and tells whether it did.
func alignNames(from, head *catalog.Table) (changed bool) {
	kinds := func(t *catalog.Table) [3][]named {
		var all [3][]named
		for _, k := range t.Keys {
			if k.Kind != catalog.Primary {
				all[0] = append(all[0], named{&k.Name, k.Given && !k.Implied, keyBody(k)})
			}
		}
		for _, f := range t.ForeignKeys {
			all[1] = append(all[1], named{&f.Name, f.Given, foreignBody(f)})
		}
		for _, c := range t.Checks {
			all[2] = append(all[2], named{&c.Name, c.Given, checkBody(c)})
		}
		return all
	}
	a, b := kinds(from), kinds(head)
	for i := range a {
		changed = alignNamesOf(a[i], b[i]) || changed
	}
	return changed
}

func alignNamesOf(from, head []named) (changed bool) {
	same := func(x, y named) bool { return columnKey(*x.name) == columnKey(*y.name) && x.body == y.body }
	taken := map[*string]bool{}
	for _, h := range head {
		for _, f := range from {
			if same(f, h) {
				taken[f.name], taken[h.name] = true, true
			}
		}
	}
	for _, h := range head {
		if h.given || taken[h.name] {
			continue
		}
		i := slices.IndexFunc(from, func(f named) bool { return f.body == h.body && !taken[f.name] })
		if i < 0 {
			continue
		}
		was, is := *h.name, *from[i].name
		if j := slices.IndexFunc(head, func(o named) bool { return columnKey(*o.name) == columnKey(is) }); j >= 0 {
			if head[j].given {
				continue // the name belongs to another one now
			}
			*head[j].name = was
		}
		*h.name = is
		taken[from[i].name], taken[h.name] = true, true
		changed = true
	}
	return changed
}

// alignCollation lets a table's default collation be the other side's where one of them leaves it to the server and the other only says
// what servers of some version have by themselves: which of them it is cannot be known from the text. It tells whether it did.
func alignCollation(from, head *catalog.Table) bool {
	if from.Charset != head.Charset || from.Collation == head.Collation || saysCollation(from) == saysCollation(head) {
		return false
	}
	if !serverDefaults[from.Collation] || !serverDefaults[head.Collation] {
		return false
	}
	was := head.Collation
	head.Collation = from.Collation
	for _, c := range head.Columns {
		old := columnNamed(from, c.Name)
		if c.Type.Charset == head.Charset && c.Type.Collation == was && (old == nil || old.Type.Collation == from.Collation) {
			c.Type.Collation = from.Collation
		}
	}
	return true
}

// serverDefaults are the collations that character sets have by default, on one version or another: MySQL 5.7 and 8.0 ("Character Sets
// and Collations in MySQL", "Changes in MySQL 8.0"), MariaDB up to 11.4 and since 11.5.
var serverDefaults = map[string]bool{
	"utf8mb4_general_ci": true, "utf8mb4_0900_ai_ci": true, "utf8mb4_uca1400_ai_ci": true,
	"utf8mb3_general_ci": true, "utf8mb3_uca1400_ai_ci": true,
}

// saysCollation tells whether a table's own text names its default collation.
func saysCollation(t *catalog.Table) bool { return optionWords(t.Text)["collate"] }

// optionWords are the words behind the columns of a CREATE TABLE.
func optionWords(text string) map[string]bool {
	depth, end := 0, 0
	for _, tok := range script.Solid(text) {
		switch {
		case tok.Is(text, "("):
			depth++
		case tok.Is(text, ")"):
			if depth--; depth == 0 && end == 0 {
				end = tok.End
			}
		}
	}
	return script.Words(text[end:])
}

func columnNamed(t *catalog.Table, name string) *catalog.Column {
	for _, c := range t.Columns {
		if strings.EqualFold(c.Name, name) {
			return c
		}
	}
	return nil
}

// alignDefiners lets whoever runs a statement be the definer that the other side names.
func alignDefiners(from, head *catalog.Catalog) (changed bool) {
	changed = definers(from.Views, head.Views, func(v *catalog.View) *string { return &v.Definer })
	changed = definers(from.Triggers, head.Triggers, func(t *catalog.Trigger) *string { return &t.Definer }) || changed
	changed = definers(from.Routines, head.Routines, func(r *catalog.Routine) *string { return &r.Definer }) || changed
	return definers(from.Events, head.Events, func(e *catalog.Event) *string { return &e.Definer }) || changed
}

// definers aligns those of one kind; what changes is copied, since other catalogs may have it, too.
func definers[T any](from, head map[string]*T, definer func(*T) *string) (changed bool) {
	for key, x := range head {
		old := from[key]
		if old == nil {
			continue
		}
		if a, b := *definer(old), *definer(x); a != b && (a == "" || b == "") {
			other := *x
			*definer(&other) = a
			head[key], changed = &other, true
		}
	}
	return changed
}

// alteredDatabases finds the databases of which one side says something, and that neither makes: they are there, so both have them.
func alteredDatabases(from, head *catalog.Catalog) map[string]bool {
	altered := map[string]bool{}
	for _, c := range []*catalog.Catalog{from, head} {
		for key, d := range c.Databases {
			if d.Stated() && !from.DatabaseOf(key).Made && !head.DatabaseOf(key).Made {
				altered[key] = true
			}
		}
	}
	return altered
}

// reorderedTriggers finds the triggers that are on both sides and run in another order there.
func reorderedTriggers(from, head *catalog.Catalog) map[string]bool {
	groups := map[string][]string{}
	for _, key := range slices.Sorted(maps.Keys(head.Triggers)) {
		if t := head.Triggers[key]; from.Triggers[key] != nil && moment(from.Triggers[key]) == moment(t) {
			groups[moment(t)] = append(groups[moment(t)], key)
		}
	}
	reordered := map[string]bool{}
	for _, keys := range groups {
		if !slices.Equal(inPlace(from, keys), inPlace(head, keys)) {
			for _, key := range keys {
				reordered[key] = true
			}
		}
	}
	return reordered
}

// moment is when a trigger runs.
func moment(t *catalog.Trigger) string { return t.Table.Key() + " " + t.Time + " " + t.Event }

func inPlace(c *catalog.Catalog, keys []string) []string {
	sorted := slices.Clone(keys)
	slices.SortStableFunc(sorted, func(a, b string) int { return c.Triggers[a].Place - c.Triggers[b].Place })
	return sorted
}

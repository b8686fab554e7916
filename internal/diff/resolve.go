package diff

import (
	"errors"
	"fmt"
	"sort"

	"github.com/altergate/altergate/internal/schema"
)

// Names are the names that hints are checked against: the keys of a schema's tables, each with the keys of its columns.
type Names map[string]map[string]bool

// NamesOf lists the names of a schema.
func NamesOf(s *schema.Schema) Names {
	names := Names{}
	for _, t := range s.Tables {
		names[t.Key] = map[string]bool{}
		for _, c := range t.Columns {
			names[t.Key][c.Key] = true
		}
	}
	return names
}

// Renames are hints that hold: what to do to the base before it is compared. Tables come first, and column renames name the
// table as the head does.
type Renames struct {
	Tables  []RenameTable
	Columns []RenameColumn
	Parts   []RenamePart
}

// RenamePart says which view, index or constraint of the base one of the head was. It is told to planners and to Unhinted, and not
// applied to the base: what an engine makes of it, a rename or a drop and a create, is the dialect's to know.
type RenamePart struct {
	Kind     string // "view", "index", "constraint"
	Table    string // of a constraint: the table's name in the head
	From, To string
	Pos      schema.Pos
}

// None tells whether there is nothing to rename in the base.
func (r Renames) None() bool { return len(r.Tables)+len(r.Columns) == 0 }

// resolver checks hints against both sides.
type resolver struct {
	base, head Names
	key        func(name string) string
	merged     []Hint
	oldTable   map[string]string // head key -> base key, for hinted tables
	renames    Renames
	notices    []schema.Notice
	errs       []error
}

// Resolve turns hints into renames. A hint that cannot hold is an error: overlooking it would turn a rename into a drop.
// One that is already true of the base is a notice, so that a merged hint does not break later runs; merged are the hints that
// the base's own text holds. key gives the form in which the dialect compares names.
func Resolve(base, head Names, hints, merged []Hint, policy RenamePolicy, key func(string) string) (Renames, []schema.Notice, error) {
	r := &resolver{base: base, head: head, key: key, merged: merged, oldTable: map[string]string{}}
	if policy == Deny {
		if len(hints) > 0 {
			r.notice(hints[0], "%d rename hints were not read, because the policy says `renames: deny`: every other name is a drop and an add", len(hints))
		}
		return r.renames, r.notices, nil
	}
	hints = r.distinct(hints)
	for _, h := range hints {
		if h.Part != "" {
			r.renames.Parts = append(r.renames.Parts, RenamePart{h.Part, h.Table, h.From, h.To, h.Pos})
		} else if h.Table == "" {
			r.table(h)
		}
	}
	for _, h := range hints {
		if h.Part == "" && h.Table != "" {
			r.column(h)
		}
	}
	r.sort()
	return r.renames, r.notices, errors.Join(r.errs...)
}

// distinct leaves out hints that say nothing (a→a) or the same again, and refuses those that contradict each other.
func (r *resolver) distinct(hints []Hint) []Hint {
	type end struct{ part, table, name string }
	from, to := map[end]Hint{}, map[end]Hint{}
	var out []Hint
	clash := map[string]bool{}
	for _, h := range hints {
		if r.key(h.From) == r.key(h.To) {
			continue
		}
		table := r.key(h.Table)
		a, twice := from[end{h.Part, table, r.key(h.From)}]
		b, shared := to[end{h.Part, table, r.key(h.To)}]
		if twice && shared && r.key(a.To) == r.key(h.To) && r.key(b.From) == r.key(h.From) {
			continue
		}
		if twice || shared {
			other := a
			if shared {
				other = b
			}
			path := "hints.tables"
			if table != "" {
				path = "hints.columns." + h.Table
			}
			if text := fmt.Sprintf("two hints contradict each other: %s, and %s", describe(other), describe(h)); !clash[text] {
				clash[text] = true
				r.fail(h, path, "%s; keep the one that is true", text)
			}
			continue
		}
		from[end{h.Part, table, r.key(h.From)}], to[end{h.Part, table, r.key(h.To)}] = h, h
		out = append(out, h)
	}
	return out
}

func (r *resolver) table(h Hint) {
	from, to := r.key(h.From), r.key(h.To)
	switch {
	case r.base[to] != nil && r.head[to] != nil && (r.base[from] == nil || r.isMerged(h)):
		r.notice(h, "%s has already happened: the base has table %s; the hint can be removed", describe(h), h.To)
	case r.base[from] == nil:
		r.fail(h, h.Path, "%s cannot be: the base has no table %s", describe(h), h.From)
	case r.head[to] == nil:
		r.fail(h, h.Path, "%s cannot be: the head has no table %s", describe(h), h.To)
	case r.base[to] != nil:
		r.fail(h, h.Path, "%s cannot be: the base already has a table %s. %s", describe(h), h.To, wayOut)
	default:
		r.oldTable[to] = from
		r.renames.Tables = append(r.renames.Tables, RenameTable{h.From, h.To, h.Pos})
	}
}

// wayOut is how to do what one plan cannot: rename onto a name that is taken, as swaps and chains do.
const wayOut = "Names that change places need two pull requests: rename one to a name that is free, then rename again"

func (r *resolver) column(h Hint) {
	table, from, to := r.key(h.Table), r.key(h.From), r.key(h.To)
	old := table
	if hinted, ok := r.oldTable[table]; ok {
		old = hinted
	}
	base, head := r.base[old], r.head[table]
	path := "hints.columns." + h.Table
	switch {
	case head == nil:
		r.fail(h, path, "%s cannot be: the head has no table %s (a column's hint names the table as the head does)", describe(h), h.Table)
	case base == nil:
		r.fail(h, path, "%s cannot be: table %s is new, so it has no column to rename", describe(h), h.Table)
	case base[to] && head[to] && (!base[from] || r.isMerged(h)):
		r.notice(h, "%s has already happened: the base has column %s.%s; the hint can be removed", describe(h), h.Table, h.To)
	case !base[from]:
		r.fail(h, h.Path, "%s cannot be: the base's table has no column %s", describe(h), h.From)
	case !head[to]:
		r.fail(h, h.Path, "%s cannot be: the head's table has no column %s", describe(h), h.To)
	case base[to]:
		r.fail(h, h.Path, "%s cannot be: the base's table already has a column %s. %s", describe(h), h.To, wayOut)
	default:
		r.renames.Columns = append(r.renames.Columns, RenameColumn{h.Table, h.From, h.To, h.Pos})
	}
}

// isMerged tells whether the base's text holds the same hint: then it has been carried out, even if its old name is in use again.
func (r *resolver) isMerged(h Hint) bool {
	for _, m := range r.merged {
		if r.key(m.Table) == r.key(h.Table) && r.key(m.From) == r.key(h.From) && r.key(m.To) == r.key(h.To) {
			return true
		}
	}
	return false
}

func (r *resolver) sort() {
	sort.Slice(r.renames.Tables, func(i, j int) bool { return r.key(r.renames.Tables[i].To) < r.key(r.renames.Tables[j].To) })
	sort.Slice(r.renames.Columns, func(i, j int) bool {
		a, b := r.renames.Columns[i], r.renames.Columns[j]
		if r.key(a.Table) != r.key(b.Table) {
			return r.key(a.Table) < r.key(b.Table)
		}
		return r.key(a.To) < r.key(b.To)
	})
}

func (r *resolver) fail(h Hint, path, format string, args ...any) {
	if h.Path == "" {
		path = "" // a comment has a position instead
	}
	r.errs = append(r.errs, &schema.Error{Side: h.Side, Pos: h.Pos, Path: path, Kind: schema.KindHint, Text: fmt.Sprintf(format, args...)})
}

func (r *resolver) notice(h Hint, format string, args ...any) {
	r.notices = append(r.notices, schema.Notice{Text: fmt.Sprintf(format, args...), Side: h.Side, Pos: h.Pos})
}

func describe(h Hint) string {
	if h.Table == "" {
		return fmt.Sprintf("renaming table %s to %s", h.From, h.To)
	}
	return fmt.Sprintf("renaming column %s.%s to %s", h.Table, h.From, h.To)
}

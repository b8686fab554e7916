package schemajson

import "github.com/altergate/altergate/internal/diff"

// lineage says which table and which columns of the base each table of the head came from.
type lineage struct {
	tables map[string]ancestor // by the head's name, folded
	fold   func(string) string
}

// ancestor is a table of the base, its columns by the names they have in the head.
type ancestor struct {
	table   *table
	columns map[string]*column // folded
}

// newLineage follows the hints that apply: the old name is in the base, and the new one is not. Any other renames nothing.
func newLineage(base, head *Document, hints []diff.Hint, fold func(string) string) lineage {
	l := lineage{tables: map[string]ancestor{}, fold: fold}
	names := map[string]*table{}
	for _, t := range base.tables.items {
		names[fold(t.name.text)] = t
	}
	names = follow(names, hintsFor("", hints, fold), fold)
	for _, t := range head.tables.items {
		key := fold(t.name.text)
		from := names[key]
		if from == nil {
			continue
		}
		columns := map[string]*column{}
		for _, c := range from.columns.items {
			columns[fold(c.name.text)] = c
		}
		l.tables[key] = ancestor{from, follow(columns, hintsFor(key, hints, fold), fold)}
	}
	return l
}

// hintsFor gives the hints for the columns of a table of the head, or for the tables when there is no name.
func hintsFor(table string, hints []diff.Hint, fold func(string) string) []diff.Hint {
	var kept []diff.Hint
	for _, h := range hints {
		if fold(h.Table) == table {
			kept = append(kept, h)
		}
	}
	return kept
}

// follow gives what had these names the names that the hints give them.
func follow[T any](names map[string]T, hints []diff.Hint, fold func(string) string) map[string]T {
	renamed := make(map[string]T, len(names))
	for name, what := range names {
		renamed[name] = what
	}
	for _, h := range hints {
		what, known := names[fold(h.From)]
		if _, taken := names[fold(h.To)]; !known || taken {
			continue
		}
		delete(renamed, fold(h.From))
		renamed[fold(h.To)] = what
	}
	return renamed
}

// of gives where a table of the head came from.
func (l lineage) of(t *table) (ancestor, bool) {
	from, ok := l.tables[l.fold(t.name.text)]
	return from, ok
}

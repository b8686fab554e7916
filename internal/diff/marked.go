package diff

import (
	"errors"
	"fmt"
	"slices"

	"github.com/altergate/altergate/internal/schema"
)

// Marked is an object that carries its rename hints itself, as a tag does: an identity that stays with it whatever its name, and
// former names. Unlike a Hint it does not say which of them is meant; that depends on what the base has.
type Marked struct {
	Name   string // as written
	Key    string
	ID     string   // identity, empty = none; compared as it stands
	Former []string // keys, in the order in which they are tried
	Pos    schema.Pos
}

// Marks are the objects of one kind on both sides, in the order of their declaration.
type Marks struct {
	Kind       string // "table", "column", "view", "index", "constraint"
	Table      string // of columns and constraints: the table's name in the head
	Base, Head []Marked
}

// where names the kind for people: "columns of table pet".
func (m Marks) where() string {
	plural := m.Kind + "s"
	if m.Kind == "index" {
		plural = "indexes"
	}
	if m.Table != "" {
		plural += " of table " + m.Table
	}
	return plural
}

// Hints finds for each object of the head the object of the base that its marks mean. An identity comes before former names, and of
// those the first that the base has counts; one that the base does not have says nothing, and neither does an object's own name. An
// object whose name the base has is that object, and marks that point to another one are a contradiction. So are marks that take an
// object which another one has taken, or which the head still declares.
func (m Marks) Hints() ([]Hint, error) {
	says := func(o Marked) bool { return o.ID != "" || len(o.Former) > 0 }
	if !slices.ContainsFunc(m.Base, says) && !slices.ContainsFunc(m.Head, says) {
		return nil, nil
	}
	byKey, byID, declared := map[string]Marked{}, map[string]Marked{}, map[string]Marked{}
	var errs []error
	for _, b := range m.Base {
		byKey[b.Key] = b
		if b.ID == "" {
			continue
		}
		if other, twice := byID[b.ID]; twice {
			errs = append(errs, &schema.Error{Side: schema.Base, Pos: b.Pos, Kind: schema.KindHint, Text: fmt.Sprintf(
				"the identity %q is that of both %s and %s among the %s; an identity names one object", b.ID, other.Name, b.Name, m.where())})
		}
		byID[b.ID] = b
	}
	if errs != nil {
		return nil, errors.Join(errs...) // nothing can be said of an identity that is two
	}
	for _, h := range m.Head {
		declared[h.Key] = h
	}
	var hints []Hint
	taken := map[string]Marked{}
	for _, h := range m.Head {
		old, how := m.means(h, byKey, byID)
		if how == "" || old.Key == h.Key {
			continue
		}
		own, exists := byKey[h.Key]
		other, twice := taken[old.Key]
		still, kept := declared[old.Key]
		switch {
		case exists:
			errs = append(errs, m.fail(h, "%s %s exists at the base, and its %s says that it is %s, which exists too: name and hint mean two objects. %s", m.Kind, own.Name, how, old.Name, wayOut))
		case twice:
			errs = append(errs, m.fail(h, "%s %s and %s %s both say that they were %s; one object cannot become two", m.Kind, other.Name, m.Kind, h.Name, old.Name))
		case kept:
			errs = append(errs, m.fail(h, "%s %s says that it was %s, and %s is still declared, at %s: it cannot be both. Remove the hint if %s is new, or the declaration if it was renamed",
				m.Kind, h.Name, old.Name, still.Name, still.Pos, h.Name))
		default:
			taken[old.Key] = h
			hint := Hint{From: old.Name, To: h.Name, Side: schema.Head, Pos: h.Pos, Table: m.Table}
			if m.Kind != "table" && m.Kind != "column" {
				hint.Part = m.Kind
			}
			hints = append(hints, hint)
		}
	}
	return hints, errors.Join(errs...)
}

// means gives the object of the base that an object's marks name, and which of the marks did.
func (m Marks) means(h Marked, byKey, byID map[string]Marked) (Marked, string) {
	if old, ok := byID[h.ID]; ok && h.ID != "" {
		return old, "identity"
	}
	for _, former := range h.Former {
		if old, ok := byKey[former]; ok && former != h.Key {
			return old, "former name"
		}
	}
	return Marked{}, ""
}

func (m Marks) fail(h Marked, format string, args ...any) error {
	return &schema.Error{Side: schema.Head, Pos: h.Pos, Kind: schema.KindHint, Text: fmt.Sprintf(format, args...)}
}

// Hinting is how the rename hints of a dialect are written. The zero value is a comment, on tables and columns.
type Hinting struct {
	Line    func(PossibleRename) string // what to write beside the new object; empty where nothing makes it the old one
	Example string                      // the form of a line, for messages
	Parts   bool                        // views, indexes and named constraints take one too
}

func (h Hinting) line(r PossibleRename) string {
	if h.Line == nil {
		return hintLine(r.From)
	}
	return h.Line(r)
}

// example is the form of a hint, for messages.
func (h Hinting) example() string {
	if h.Line == nil {
		return "-- @renamed from=<old>"
	}
	return h.Example
}

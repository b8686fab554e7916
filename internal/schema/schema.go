// Package schema is the model of a database schema: its objects, their canonical text and where each was written.
//
// Every object carries two forms. Canon decides equality: two definitions that mean the same to the engine have the same
// Canon, however they are spelled. Text is the author's own and is what a plan prints. Canonical text is not always valid SQL.
// The package knows no dialect: front ends (internal/dialect) build models, and say which names are equal through Key.
package schema

import (
	"slices"
	"sort"
)

// Schema is everything one side (base or head) declares. Slices are sorted by Key, so that the order in which a file declares
// its objects never shows.
type Schema struct {
	Dialect string
	Tables  []*Table
	Views   []*View
	Opaques []*Opaque
	Objects []*Object
}

// Table is a table with everything that lives and dies with it.
type Table struct {
	Name        string // as written, without quotes
	Key         string // Name as the dialect compares names
	Columns     []*Column
	Constraints []*Constraint
	Indexes     []*Index
	Triggers    []*Trigger
	Options     []string // canonical table options, sorted ("strict", "without rowid")
	Text        string   // the whole CREATE TABLE statement as written, without its final semicolon
	Pos         Pos
}

// Column is a column without the constraints that were written inline: those are in Table.Constraints, where the same
// constraint written at the end of the table would be.
type Column struct {
	Name      string
	Key       string
	Type      string // as written; empty when the dialect allows a column without a type
	TypeCanon string
	NotNull   bool  // declared NOT NULL
	Required  bool  // cannot hold NULL, declared or implied by a primary key
	Default   *Expr // nil = none
	Generated *Generated
	Identity  string // canonical, of a column that numbers its rows by itself ("always start 10"); empty = it does not
	Collation string // canonical; empty = the dialect's default
	Canon     string // all of the column's own definition, the name included
	Text      string // the column's definition as written, inline constraints included
	Pos       Pos
}

// Expr is a SQL expression.
type Expr struct {
	Text  string
	Canon string
	// Constant is the literal's canonical text when the expression is one, else empty ("null", "'x'", "-1").
	Constant string
}

// Generated says how a column is computed.
type Generated struct {
	Expr   Expr
	Stored bool
}

// ConstraintKind is what a constraint demands.
type ConstraintKind string

// The kinds of constraints; the words are those of the kinds of steps (add_check, drop_unique, …).
const (
	PrimaryKey ConstraintKind = "primary_key"
	Unique     ConstraintKind = "unique"
	ForeignKey ConstraintKind = "foreign_key"
	Check      ConstraintKind = "check"
	Exclusion  ConstraintKind = "exclusion"
)

// Constraint is one constraint of a table, inline or not.
type Constraint struct {
	Kind    ConstraintKind
	Name    string // empty = unnamed
	Columns []Part // of a key or an exclusion; for a check the columns it names are in Expr
	Expr    *Expr  // of a check
	Ref     *Reference
	Owner   string   // key of the column in whose definition it is written; empty = it stands after the columns
	Options []string // canonical: "autoincrement", "on conflict replace", "deferrable initially deferred"
	Canon   string   // name and definition
	Text    string   // as written
	Pos     Pos
}

// Part is one column or expression of a key or an index.
type Part struct {
	Column    string // key of the column; empty for an expression
	Expr      string // canonical, for an expression
	Collation string // canonical; empty = the column's own
	Prefix    int    // only so much of the column; 0 = all of it
	Desc      bool
}

// Reference is the far side of a foreign key.
type Reference struct {
	Table    string // key
	Name     string // the table as written
	Columns  []string
	OnDelete string // canonical: "cascade", "set null", "set default", "restrict"; empty = no action
	OnUpdate string
}

// Index is an index that was created by a statement of its own.
type Index struct {
	Name   string
	Key    string
	Unique bool
	Parts  []Part
	Where  *Expr
	Canon  string
	Text   string
	Pos    Pos
}

// Uses is what the body of a view or a trigger names. It errs on the side of too much.
type Uses struct {
	Tables map[string]bool // keys of tables and views
	Words  map[string]bool // keys of all names in it, columns among them
	Open   bool            // it holds a star or a NATURAL join, so a new column of its tables is used without being named
}

// Trigger belongs to the table or view it is declared on.
type Trigger struct {
	Name  string
	Key   string
	Uses  Uses
	Canon string
	Text  string
	Pos   Pos
}

// View is a view with its INSTEAD OF triggers, or one whose rows are stored, with its indexes.
type View struct {
	Name         string
	Key          string
	Materialized bool
	Triggers     []*Trigger
	Indexes      []*Index
	Uses         Uses
	Canon        string
	Text         string
	Pos          Pos
}

// Rows gives what a materialized view's indexes are on, in the form that changes of indexes have.
func (v *View) Rows() *Table { return &Table{Name: v.Name, Key: v.Key, Indexes: v.Indexes, Pos: v.Pos} }

// Opaque is an object that is compared by its canonical text alone, such as a virtual table.
type Opaque struct {
	Name     string
	Key      string
	Kind     string // what it is, for people: "virtual table using fts5"
	Triggers []*Trigger
	Canon    string
	Text     string
	Pos      Pos
}

// Object is anything else that is understood: a function, a type, a sequence, a policy, a comment.
type Object struct {
	Kind   string   // the word in create_<kind>: "function"
	Name   string   // for people, as steps name it: "score(integer)", "users.owner_only"
	Key    string   // unique among objects of its kind
	On     string   // key of the table or view it belongs to and goes with; empty = it stands by itself
	Labels []string // of an enum, in order
	Canon  string
	Text   string
	Pos    Pos
}

// ID tells an object from all others: kind and key.
func (o *Object) ID() string { return o.Kind + " " + o.Key }

// Table returns the table with that key, or nil.
func (s *Schema) Table(key string) *Table {
	return find(s.Tables, key, func(t *Table) string { return t.Key })
}

// View returns the view with that key, or nil.
func (s *Schema) View(key string) *View {
	return find(s.Views, key, func(v *View) string { return v.Key })
}

// Opaque returns the opaque object with that key, or nil.
func (s *Schema) Opaque(key string) *Opaque {
	return find(s.Opaques, key, func(o *Opaque) string { return o.Key })
}

// Object returns the object of that kind with that key, or nil.
func (s *Schema) Object(kind, key string) *Object {
	return find(s.Objects, kind+" "+key, (*Object).ID)
}

// Column returns the column with that key, or nil.
func (t *Table) Column(key string) *Column {
	for _, c := range t.Columns {
		if c.Key == key {
			return c
		}
	}
	return nil
}

// Index returns the index with that key, or nil.
func (t *Table) Index(key string) *Index {
	for _, i := range t.Indexes {
		if i.Key == key {
			return i
		}
	}
	return nil
}

// PrimaryKey returns the table's primary key, or nil.
func (t *Table) PrimaryKey() *Constraint {
	for _, c := range t.Constraints {
		if c.Kind == PrimaryKey {
			return c
		}
	}
	return nil
}

// HasKey tells whether columns, in any order, are a primary key or a unique key of the table that a foreign key can reference:
// one with the columns' own collations, over all rows. No columns stand for a primary key
// of n columns, as in REFERENCES t.
func (t *Table) HasKey(columns []string, n int) bool {
	if len(columns) == 0 {
		pk := t.PrimaryKey()
		return pk != nil && len(pk.Columns) == n
	}
	for _, c := range t.Constraints {
		if (c.Kind == PrimaryKey || c.Kind == Unique) && plain(c.Columns) && sameSet(c.ColumnKeys(), columns) {
			return true
		}
	}
	for _, x := range t.Indexes {
		if x.Unique && x.Where == nil && plain(x.Parts) && sameSet(x.ColumnKeys(), columns) {
			return true
		}
	}
	return false
}

// HasForeignKey tells whether the table has a foreign key from these columns, in this order, to a table.
func (t *Table) HasForeignKey(columns []string, parent string) bool {
	for _, c := range t.Constraints {
		if c.Ref != nil && c.Ref.Table == parent && slices.Equal(c.ColumnKeys(), columns) {
			return true
		}
	}
	return false
}

// Triggers returns all triggers of the schema, whatever they are on.
func (s *Schema) Triggers() []*Trigger {
	var all []*Trigger
	for _, t := range s.Tables {
		all = append(all, t.Triggers...)
	}
	for _, v := range s.Views {
		all = append(all, v.Triggers...)
	}
	for _, o := range s.Opaques {
		all = append(all, o.Triggers...)
	}
	return all
}

// HasOption tells whether a canonical table option is set.
func (t *Table) HasOption(option string) bool { return contains(t.Options, option) }

// HasOption tells whether a canonical option is set.
func (c *Constraint) HasOption(option string) bool { return contains(c.Options, option) }

// ColumnKeys returns the keys of the columns of a key, in order; expressions are left out.
func (c *Constraint) ColumnKeys() []string { return partKeys(c.Columns) }

// ColumnKeys returns the keys of the plain columns of the index, in order.
func (i *Index) ColumnKeys() []string { return partKeys(i.Parts) }

// Sort puts every slice whose order means nothing in order. Front ends call it when a schema is complete.
// Columns keep the author's order: it shows in SELECT * and in INSERT without a column list.
func (s *Schema) Sort() {
	sort.Slice(s.Tables, func(i, j int) bool { return s.Tables[i].Key < s.Tables[j].Key })
	sort.Slice(s.Views, func(i, j int) bool { return s.Views[i].Key < s.Views[j].Key })
	sort.Slice(s.Opaques, func(i, j int) bool { return s.Opaques[i].Key < s.Opaques[j].Key })
	sort.Slice(s.Objects, func(i, j int) bool { return s.Objects[i].ID() < s.Objects[j].ID() })
	for _, t := range s.Tables {
		sort.SliceStable(t.Constraints, func(i, j int) bool { return t.Constraints[i].Canon < t.Constraints[j].Canon })
		sort.Slice(t.Indexes, func(i, j int) bool { return t.Indexes[i].Key < t.Indexes[j].Key })
		sortTriggers(t.Triggers)
	}
	for _, v := range s.Views {
		sort.Slice(v.Indexes, func(i, j int) bool { return v.Indexes[i].Key < v.Indexes[j].Key })
		sortTriggers(v.Triggers)
	}
	for _, o := range s.Opaques {
		sortTriggers(o.Triggers)
	}
}

func sortTriggers(ts []*Trigger) {
	sort.Slice(ts, func(i, j int) bool { return ts[i].Key < ts[j].Key })
}

func partKeys(parts []Part) []string {
	var keys []string
	for _, p := range parts {
		if p.Column != "" {
			keys = append(keys, p.Column)
		}
	}
	return keys
}

func contains(list []string, word string) bool {
	for _, w := range list {
		if w == word {
			return true
		}
	}
	return false
}

// find does a binary search: Sort has put the slice in order of its keys.
func find[T any](list []*T, key string, keyOf func(*T) string) *T {
	i := sort.Search(len(list), func(i int) bool { return keyOf(list[i]) >= key })
	if i < len(list) && keyOf(list[i]) == key {
		return list[i]
	}
	return nil
}

// plain tells whether all parts are whole columns with their own collation.
func plain(parts []Part) bool {
	for _, p := range parts {
		if p.Column == "" || p.Collation != "" || p.Prefix > 0 {
			return false
		}
	}
	return true
}

func sameSet(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for _, x := range a {
		if !contains(b, x) {
			return false
		}
	}
	return true
}

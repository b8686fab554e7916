// Package syntax reads and writes the SQL of Quereus: declare blocks with their items, the statements of a plan, and the
// expressions and queries in them. It knows how the engine prints each node, and which names a body mentions in which scope.
// It does not know what a change is, and it does not judge whether a schema makes sense.
package syntax

import (
	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/source"
)

// Span is the part of a file that a node was read from. The zero Span belongs to nodes that were made and not read.
type Span struct {
	file       *source.File
	start, end int
}

// Pos gives the place where the node begins; nothing for a node that was not read.
func (s Span) Pos() schema.Pos {
	if s.file == nil {
		return schema.Pos{}
	}
	return s.file.Pos(s.start)
}

// Written gives the author's own text of the node, comments inside it included.
func (s Span) Written() string {
	if s.file == nil {
		return ""
	}
	return s.file.Text[s.start:s.end]
}

// At gives the span itself, so that every node can say where it stands.
func (s Span) At() Span { return s }

// Name is a name where it stands. Text is without quotes and in the author's letters; compare with Fold.
type Name struct {
	Span
	Text string
}

// File is one file, its statements in the order in which they stand.
type File struct {
	Source     *source.File
	Statements []Statement
	Comments   []Span // in order; hints may stand in them
}

// Statement is one of *Declare, *Bare, *Create, *Drop, *AlterTable, *AlterObject, *Apply, *Diff and *Other.
type Statement interface {
	At() Span
	statement()
}

// Declare is a declare block: `declare schema NAME { … }`.
type Declare struct {
	Span
	Logical bool // a lens schema: it maps onto other schemas and emits no DDL
	Name    Name
	Version *Expr // a string; nil when there is none
	Options []*Option
	Items   []Item
}

// Option is `name = literal` of a declare block's using clause, or of apply's options.
type Option struct {
	Span
	Name  Name
	Value *Expr // a literal
}

// Bare is an item that stands in a file outside any declare block.
type Bare struct {
	Span
	Item Item
}

// Create is `create [unique] table|index|view|…`. The schema it is created in is the Schema of the item.
type Create struct {
	Span
	IfNotExists bool
	Item        Item
}

// Drop is `drop KIND [if exists] [schema.]name`.
type Drop struct {
	Span
	Kind         ObjectKind
	IfExists     bool
	Schema, Name Name
}

// ObjectKind is a kind of object as statements name it, in lower case.
type ObjectKind string

// The kinds of objects.
const (
	KindTable            ObjectKind = "table"
	KindView             ObjectKind = "view"
	KindMaterializedView ObjectKind = "materialized view"
	KindIndex            ObjectKind = "index"
	KindAssertion        ObjectKind = "assertion"
)

// AlterTable is `alter table [schema.]name ACTION`.
type AlterTable struct {
	Span
	Schema, Name Name
	Action       Action
}

// AlterObject is `alter view|materialized view|index [schema.]name set|add|drop tags (…)`.
type AlterObject struct {
	Span
	Kind         ObjectKind
	Schema, Name Name
	Tags         TagsAction
}

// Apply is `apply schema NAME …`; it tells the engine to migrate and declares nothing.
type Apply struct {
	Span
	Schema  Name
	Version *Expr
	Seed    bool
	Options []*Option
}

// Diff is `diff schema NAME`; it asks the engine for a plan and declares nothing.
type Diff struct {
	Span
	Schema Name
}

// Other is a statement that Quereus knows and that says nothing about a schema: insert, begin, pragma. It was not read further.
type Other struct {
	Span
	Word string // the first word, in lower case
}

func (*Declare) statement()     {}
func (*Bare) statement()        {}
func (*Create) statement()      {}
func (*Drop) statement()        {}
func (*AlterTable) statement()  {}
func (*AlterObject) statement() {}
func (*Apply) statement()       {}
func (*Diff) statement()        {}
func (*Other) statement()       {}

// Item is one of *Table, *Index, *View, *Assertion, *Seed and *Ignored: what a declare block holds, and what create creates.
type Item interface {
	At() Span
	item()
}

// Table is a table, its own rows or maintained from a query.
type Table struct {
	Span
	Schema      Name // only in create statements
	Name        Name
	Columns     []*Column
	Constraints []*Constraint // those that stand between the columns, in order
	Module      *Module
	Maintained  *Maintained
	Context     []*ContextVariable
	Tags        *Tags
}

// Module is a using clause. The engine takes a missing one, `memory` and `mem` for the same; that is for the reader to decide.
type Module struct {
	Span
	Name Name // empty in `using (…)`
	Args []*Argument
}

// Argument is one argument of a module; Key is in lower case, "0", "1", … for those without a name.
type Argument struct {
	Span
	Key   string
	Value Value
}

// Maintained is `maintained [(columns)] as query`.
type Maintained struct {
	Span
	Columns []Name
	Query   *Query
}

// ContextVariable is one variable of `with context (…)`.
type ContextVariable struct {
	Span
	Name Name
	Type string
	Null bool
}

// Column is a column definition.
type Column struct {
	Span
	Name        Name
	Type        string        // as written, without the spaces inside parentheses that part nothing; empty when there is none
	Constraints []*Constraint // in order
	Tags        *Tags         // those of unnamed inline constraints are the column's
}

// ConstraintKind is the class of a constraint.
type ConstraintKind int

// The classes of constraints. NotNull, Null, Default, Collate and Generated stand only in columns.
const (
	PrimaryKey ConstraintKind = iota
	Unique
	Check
	ForeignKey
	NotNull
	Null
	Default
	Collate
	Generated
)

// Constraint is a constraint of a column or of a table. Which fields mean something depends on its kind.
type Constraint struct {
	Span
	Name      Name // empty when it has none
	Kind      ConstraintKind
	Inline    bool          // it stands in a column
	Columns   []*KeyColumn  // of a primary key, unique or foreign key of a table; an inline one is over its column
	Desc      bool          // inline primary key
	Conflict  string        // on conflict: rollback, abort, fail, ignore, replace; empty when not said
	On        []string      // check: insert, update, delete, in the author's order
	Expr      *Expr         // check, default, generated
	Stored    bool          // generated
	Collation string        // collate, in the author's letters
	Foreign   *ForeignTable // foreign key
	Tags      *Tags
}

// KeyColumn is one column of a key.
type KeyColumn struct {
	Name Name
	Desc bool
}

// ForeignTable is the part of a foreign key from `references` on.
type ForeignTable struct {
	Span
	Schema, Table      Name
	Columns            []Name     // nil when the list is left out, which is not the same as naming the key
	OnDelete, OnUpdate string     // set null, set default, cascade, restrict (also for no action); empty when not said
	Deferrable         Deferrable // never compared by the engine
	Initially          string     // deferred, immediate; empty when not said
}

// Deferrable says what a foreign key says about being deferred.
type Deferrable int

// What a foreign key may say.
const (
	DeferrableUnsaid Deferrable = iota
	DeferrableYes
	DeferrableNo
)

// Index is an index.
type Index struct {
	Span
	Schema             Name // only in create statements
	Name               Name
	Unique             bool
	TableSchema, Table Name // the schema only in create statements
	Columns            []*IndexColumn
	Where              *Expr
	Tags               *Tags
}

// IndexColumn is one part of an index: a bare column, one with a collation, or an expression, which the engine rejects later.
type IndexColumn struct {
	Span
	Name      Name   // empty for an expression
	Collation string // in the author's letters; empty when not said
	Expr      *Expr  // the whole part as an expression, whatever it is
	Desc      bool
}

// View is a view or a materialized view.
type View struct {
	Span
	Schema       Name // only in create statements
	Name         Name
	Materialized bool
	Columns      []Name
	Module       *Module // only materialized
	Query        *Query
	Tags         *Tags
}

// Assertion is a condition over the whole database.
type Assertion struct {
	Span
	Schema, Name Name
	Check        *Expr
}

// Seed is the rows a table starts with. They never affect a diff.
type Seed struct {
	Span
	Table   Name
	Columns []Name
	Rows    [][]*Expr // literals
}

// Ignored is an item that the engine's own grammar knows and skips: domain, collation, import. It was not read further.
type Ignored struct {
	Span
	Word string // in lower case
}

func (*Table) item()     {}
func (*Index) item()     {}
func (*View) item()      {}
func (*Assertion) item() {}
func (*Seed) item()      {}
func (*Ignored) item()   {}

// Tags is a `with tags (…)` clause, or the list of a SET TAGS. No clause at all is nil and means the same as an empty list.
type Tags struct {
	Span
	List []*Tag
}

// Tag is one `key = value`. Keys are compared as written.
type Tag struct {
	Span
	Key   string
	Value Value
}

// ValueKind is the kind of a tag's value.
type ValueKind int

// The kinds of values.
const (
	NullValue ValueKind = iota
	TextValue
	NumberValue
	BoolValue
)

// Value is the value of a tag or of a module's argument. Text is the string, the number as the engine prints it, true or false.
type Value struct {
	Kind ValueKind
	Text string
}

// Action is what an alter table does: one of the types below.
type Action interface {
	action()
}

// The actions of alter table.
type (
	// RenameTable is `rename to`.
	RenameTable struct{ To Name }
	// RenameColumn is `rename column`.
	RenameColumn struct{ From, To Name }
	// AddColumn is `add column`.
	AddColumn struct{ Column *Column }
	// DropColumn is `drop column`.
	DropColumn struct{ Name Name }
	// AddConstraint is `add constraint …`, or an unnamed table constraint.
	AddConstraint struct{ Constraint *Constraint }
	// DropConstraint is `drop constraint`.
	DropConstraint struct{ Name Name }
	// RenameConstraint is `rename constraint`.
	RenameConstraint struct{ From, To Name }
	// AlterPrimaryKey is `alter primary key (…)`; no columns at all make a table of one row.
	AlterPrimaryKey struct{ Columns []*KeyColumn }
	// SetType is `alter column c set data type`.
	SetType struct {
		Column Name
		Type   string
	}
	// SetDefault is `alter column c set default`.
	SetDefault struct {
		Column Name
		Value  *Expr
	}
	// DropDefault is `alter column c drop default`.
	DropDefault struct{ Column Name }
	// SetNotNull is `alter column c set not null`.
	SetNotNull struct{ Column Name }
	// DropNotNull is `alter column c drop not null`.
	DropNotNull struct{ Column Name }
	// SetCollation is `alter column c set collate`.
	SetCollation struct {
		Column    Name
		Collation string
	}
	// SetMaintained is `set maintained [(columns)] as query`.
	SetMaintained struct{ Maintained *Maintained }
	// DropMaintained is `drop maintained`: the rows stay.
	DropMaintained struct{}
	// TagsAction sets the whole list of tags, adds some or drops some: of the table, of a column or of a constraint.
	TagsAction struct {
		Mode               TagsMode
		Column, Constraint Name // both empty: of the object itself
		Tags               *Tags
		Keys               []Name // only of a drop
	}
)

// TagsMode is what happens to the tags.
type TagsMode int

// The ways to change tags; plans only set.
const (
	SetTags TagsMode = iota
	AddTags
	DropTags
)

func (RenameTable) action()      {}
func (RenameColumn) action()     {}
func (AddColumn) action()        {}
func (DropColumn) action()       {}
func (AddConstraint) action()    {}
func (DropConstraint) action()   {}
func (RenameConstraint) action() {}
func (AlterPrimaryKey) action()  {}
func (SetType) action()          {}
func (SetDefault) action()       {}
func (DropDefault) action()      {}
func (SetNotNull) action()       {}
func (DropNotNull) action()      {}
func (SetCollation) action()     {}
func (SetMaintained) action()    {}
func (DropMaintained) action()   {}
func (TagsAction) action()       {}

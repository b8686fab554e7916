// Package catalog is a PostgreSQL database as its statements left it: which objects there are, and the parse trees of what was said
// about them. Statements act on it in order, as they do on a server, and the names that a server would make up are made up. What
// an expression means is not known here (internal/dialect/postgres/bind), so it holds trees and not canonical text.
package catalog

import (
	"strings"
	"sync/atomic"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/altergate/altergate/internal/dialect/postgres/script"
	"github.com/altergate/altergate/internal/schema"
)

// Name is a qualified name, folded as PostgreSQL folds it: Schema is never empty.
type Name struct{ Schema, Name string }

// String names the object as reports do: without the schema when that is public.
func (n Name) String() string {
	if n.Schema == Public {
		return Part(n.Name)
	}
	return Part(n.Schema) + "." + Part(n.Name)
}

// Part writes one part of a name for reports: in quotes where it holds what else parts names.
func Part(name string) string {
	if strings.ContainsAny(name, `."`) {
		return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
	}
	return name
}

// SQL gives the name as it is written in a statement: quoted where it has to be, without the schema when that is public.
func (n Name) SQL() string {
	if n.Schema == Public {
		return script.Quote(n.Name)
	}
	return script.Quote(n.Schema) + "." + script.Quote(n.Name)
}

// Public is the schema where objects live that name none.
const Public = "public"

// Catalog holds everything by name. Tables, views, sequences, indexes and composite types share one space of names in each schema.
type Catalog struct {
	Schemas    map[string]*Object // declared ones; public is always there and declared only where a statement says so
	Extensions map[string]*Object
	Tables     map[Name]*Table
	Views      map[Name]*View
	Sequences  map[Name]*Sequence
	Indexes    map[Name]*Index // all of them, those of constraints left out; each is also in its table's or view's list
	Types      map[Name]*Type
	Functions  map[string]*Function // by Function.ID
	// Others are all other objects, by Object.Kind and Object.Key: policies, rules, event triggers, comments, grants, publications,
	// statistics, operators, casts, collations, text search objects, foreign servers, …
	Others map[[2]string]*Object

	Columns QueryColumns // asked for the tables that are made from queries; without it, none can be
	ReadsOf Reads        // asked for the views that CASCADE drops; without it, they stay

	renames []Rename // in order of their times
	now     int      // statements run so far: the time of the next one, or of the one that runs
	ticks   int      // how often a statement ran, again included
	path    []string // the search path in force
	final   bool     // nothing else will run before it: what is not there will not come
	before  []string // the search path to come back to at the end of a transaction, by SET LOCAL

	temporary map[string]lasting          // relations of the session, by name
	named     map[Name][]*Table           // by schema and name of a constraint, the tables that had one of the name: see constraintsNamed
	heirs     map[Name][]*Table           // by name of a parent, the tables that had it: see children
	done      map[*script.Statement]int   // steps that an ALTER TABLE has done before it had to wait
	skipped   map[*script.Statement]bool  // those with IF EXISTS about what was not there when they were come to
	defaults  bool                        // there are, or have been, default privileges
	unsettled bool                        // a name without a schema was read before what it names: see settle
	functions atomic.Pointer[functionsBy] // by name: see ResolveFunctions
}

// Origin is where something was said.
type Origin struct {
	Statement *script.Statement
	Offset    int      // of the definition in Statement.Text
	Path      []string // the search path then in force, for names without a schema; pg_catalog is not in it
	// Time is when it was said, in statements. A tree is never changed; the names in it are those of its time, and Catalog.Relation,
	// Catalog.ColumnsThen and their like take them through the renames that have happened since.
	Time int
}

// Rename is one thing that got another name. Column renames name the table as it was called then.
type Rename struct {
	Time     int
	Kind     string // "relation", "column", "type", "label", "function"
	From, To Name   // of a column or a label, Name is its name and Schema is empty
	Of       Name   // of a column its table, of a label its type
}

// Pos gives the place for people; nowhere for what the catalog made up itself.
func (o Origin) Pos() schema.Pos {
	if o.Statement == nil {
		return schema.Pos{}
	}
	return o.Statement.Pos(o.Offset)
}

// Expr is an expression with what is needed to read it.
type Expr struct {
	Node *pg.Node
	Text string // as written
	// Sequence is set instead of Node for the default of a serial column: nextval of that sequence.
	Sequence *Name
	Origin
}

// TypeRef is a type as a statement names it.
type TypeRef struct {
	Node *pg.TypeName
	Text string // as written
	Origin
}

// Table is an ordinary, partitioned or foreign table.
type Table struct {
	Name                          Name
	Columns                       []*Column // its own and the inherited ones, in order
	Constraints                   []*Constraint
	Indexes                       []*Index
	Triggers                      []*Trigger
	Inherits                      []Name                 // parents, in order, without the one of PartitionOf
	Partition                     *pg.PartitionSpec      // of a partitioned table
	PartitionOf                   *Name                  // parent
	Bound                         *pg.PartitionBoundSpec // of a partition; Bound.IsDefault
	BoundText                     string                 // FOR VALUES …, or DEFAULT, as written
	PartitionText                 string                 // RANGE (created_at), as written
	OfType                        *Name
	Unlogged                      bool
	Options                       map[string]string // storage parameters: fillfactor, autovacuum_enabled, toast.…
	AccessMethod, Tablespace      string            // empty = default
	RowSecurity, ForceRowSecurity bool
	ReplicaIdentity               string // "", "full", "nothing", or "index NAME"
	ClusterOn                     string // an index
	Server                        string // of a foreign table
	ServerOptions                 map[string]string
	Owner                         string // empty = not said
	Origin
}

// Column is a column; its constraints are the table's.
type Column struct {
	Name                 string
	Type                 TypeRef
	Collation            *Name
	NotNull              bool // declared, or by serial, identity, or a primary key
	Default              *Expr
	NullDefault          bool // DEFAULT NULL was said: the same as none, but the server may hold it as an expression of the type
	Identity             *Identity
	Generated            *Expr             // GENERATED ALWAYS AS (…) STORED
	Storage, Compression string            // empty = the type's
	Statistics           int               // -1 = default
	Options              map[string]string // attoptions (n_distinct) and, of a foreign table, OPTIONS
	Known                string            // its type where it has no TypeRef, as a column of a view has
	Inherited            bool              // from a parent, and not declared by the table itself
	Origin
}

// Identity is GENERATED … AS IDENTITY.
type Identity struct {
	Always   bool
	Sequence *Sequence // its own sequence, which is in Catalog.Sequences too, since it takes a name, with Sequence.Identity set
}

// Constraint is a constraint of a table, or a check of a domain.
type Constraint struct {
	Name                                      string
	Kind                                      schema.ConstraintKind
	Columns                                   []string // of a key
	Include                                   []string
	Expr                                      *Expr           // of a check
	Elements                                  []*IndexElement // of an exclusion
	Operators                                 []string        // of an exclusion, one for each element, schema-qualified where written so
	Method                                    string          // of an exclusion, "gist" …
	Where                                     *Expr           // of an exclusion
	NullsNotDistinct                          bool
	Ref                                       *Reference
	Deferrable, Deferred, NotValid, NoInherit bool
	Options                                   map[string]string // storage parameters of the index of a key
	Tablespace                                string
	Column                                    string // the column in whose definition it was written; empty = it was not
	Inherited                                 bool   // from a parent, and not declared by the table itself
	Made                                      bool   // its name was made up by the catalog
	Text                                      string // as written, CONSTRAINT name left out: CHECK (…), FOREIGN KEY (…) REFERENCES …
	Origin
}

// Reference is the far side of a foreign key.
type Reference struct {
	Table                     Name     // resolved with the search path when it was read: the table may come later, so it may not be there
	Schema                    bool     // the schema was written
	Columns                   []string // empty = the primary key
	Match, OnDelete, OnUpdate string   // "", "full"; "", "cascade", "set null", "set default", "restrict"
	SetColumns                []string // ON DELETE SET NULL (columns)
}

// IndexElement is one column or expression of an index or an exclusion.
type IndexElement struct {
	Column           string // empty for an expression
	Expr             *Expr
	Collation        *Name
	OpClass          string   // as written
	Path             []string // the search path then in force, for that
	OpClassOptions   map[string]string
	Desc, NullsFirst bool // as they come out: NullsFirst is the default for Desc
}

// Index is an index of a table or a materialized view that is not the index of a constraint.
type Index struct {
	Name                     Name
	Table                    Name
	Unique, NullsNotDistinct bool
	Method                   string // "btree" …
	Elements                 []*IndexElement
	Include                  []string
	Where                    *Expr
	Options                  map[string]string
	Tablespace               string
	Only                     bool  // ON ONLY a partitioned table, and not attached to by its partitions
	Parent                   *Name // the partitioned index that it belongs to
	Inherited                bool  // made by the catalog for a partition, or attached to its parent's
	Made                     bool  // its name was made up
	Origin
}

// View is a view or a materialized view.
type View struct {
	Name                     Name
	Materialized             bool
	Aliases                  []string // CREATE VIEW v (a, b)
	Query                    *pg.Node
	Text                     string            // the query as written
	Options                  map[string]string // security_barrier, security_invoker, …; check_option among them
	NoData                   bool              // WITH NO DATA
	AccessMethod, Tablespace string
	Columns                  map[string]*Expr // defaults of columns: ALTER VIEW … ALTER COLUMN … SET DEFAULT
	Indexes                  []*Index
	Triggers                 []*Trigger
	Owner                    string
	ClusterOn                string // an index
	Altered                  bool   // a later statement changed it, so that its own does not say all
	Origin
}

// Sequence is a sequence. Zero values of Min, Max, … do not occur: what a statement leaves out is filled in as the server does.
type Sequence struct {
	Name                              Name
	Type                              string // smallint, integer, bigint
	Increment, Min, Max, Start, Cache int64
	Cycle, Unlogged                   bool
	OwnedBy                           *Name // table
	OwnedColumn                       string
	Serial, Identity                  bool // made by a serial or an identity column
	Owner                             string
	Origin
}

// TypeKind is what a type is.
type TypeKind string

// The kinds of types.
const (
	Enum      TypeKind = "enum"
	Domain    TypeKind = "domain"
	Composite TypeKind = "composite"
	Range     TypeKind = "range"
	Base      TypeKind = "base" // CREATE TYPE with functions, or a shell
)

// Type is a type that a statement made.
type Type struct {
	Name    Name
	Kind    TypeKind
	Labels  []string  // of an enum, in order
	Columns []*Column // of a composite type
	// Of a domain:
	Base      TypeRef
	Collation *Name
	NotNull   bool
	Default   *Expr
	Checks    []*Constraint
	// Of a range: subtype and the rest as written.
	Subtype    TypeRef
	Definition []*pg.DefElem // of a range or a base type; none of a base type that is only named so far
	Owner      string
	Altered    bool // a later statement changed it, so that its own does not say all
	Origin
}

// Argument is one argument of a function.
type Argument struct {
	Name    string
	Mode    string // "in", "out", "inout", "variadic", "table"
	Type    TypeRef
	Default *Expr
}

// Function is a function, a procedure or an aggregate.
type Function struct {
	// ID is the name with the types of the input arguments, which are what tells functions of one name apart: "f(integer, text)",
	// of an aggregate over everything "agg(*)".
	ID                                         string
	Name                                       Name
	Kind                                       string // "function", "procedure", "aggregate"
	Args                                       []*Argument
	Returns                                    *TypeRef // nil for a procedure
	SetOf                                      bool
	Table                                      bool // RETURNS TABLE
	Language                                   string
	Body                                       string   // the text between the quotes; of LANGUAGE c the file
	Symbol                                     string   // of LANGUAGE c, where it is not the function's name
	SQLBody                                    *pg.Node // RETURN …, or BEGIN ATOMIC … END
	Volatility                                 string   // "volatile", "stable", "immutable"
	Strict, SecurityDefiner, Leakproof, Window bool
	Parallel                                   string            // "unsafe", "restricted", "safe"
	Cost, Rows                                 string            // empty = default
	Settings                                   map[string]string // SET search_path = …, as pg_proc.proconfig holds it
	Support                                    string            // SUPPORT function, as written
	Transforms                                 []string          // TRANSFORM FOR TYPE …
	Definition                                 []*pg.DefElem     // of an aggregate
	Owner                                      string
	Altered                                    bool // a later statement changed it, so that its own does not say all
	Origin
}

// Trigger is a trigger of a table or a view.
type Trigger struct {
	Name                             string
	Table                            Name
	Timing                           string   // "before", "after", "instead of"
	Events                           []string // "insert", "update", "delete", "truncate", sorted
	Columns                          []string // UPDATE OF, sorted
	ForEachRow                       bool
	When                             *Expr
	Function                         []string // the name as written
	Args                             []string
	Constraint, Deferrable, Deferred bool
	From                             *Name  // of a constraint trigger
	OldTable, NewTable               string // transition tables
	Enabled                          string // "" = origin, "disabled", "replica", "always"
	Inherited                        bool   // from a partitioned parent
	Altered                          bool   // a later statement renamed it, so that its own does not say all
	Origin
}

// Object is anything else. Key is unique among objects of its kind, as reports name it.
type Object struct {
	Kind string // "schema", "extension", "policy", "rule", "comment", "grant", "default_privileges", "event_trigger", "publication", "statistics", "operator", …
	Key  string
	On   *Name // the table or view it belongs to and goes with
	// Node is the whole statement that made it, its fields changed by later ones only through Props.
	Node *pg.Node
	// Props are what counts of it in words, where that is simpler than the tree: a comment's text, a grant's privileges.
	Props       map[string]string
	Expr, Check *Expr   // a policy's USING and WITH CHECK; a rule's or a published table's WHERE
	Exprs       []*Expr // of statistics, in order
	Modelled    bool    // false: carried as opaque text
	Altered     bool    // a later statement changed it
	// Alterations are those statements, of what is carried as text.
	Alterations []Origin
	Owner       string
	Origin
}

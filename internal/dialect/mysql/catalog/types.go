// Package catalog is a server's databases as the statements of a schema left them. Statements act on it one after the other, as they
// would on the server, and what it holds afterwards is in the server's own normal form: every type with what it implies, every
// inherited character set written out, every name that the server makes, every key that a foreign key brings along. So two schemas
// that mean the same are the same here, however they are written. It reads and changes definitions only, plans nothing, and talks to
// no server.
package catalog

import (
	"strings"

	"github.com/altergate/altergate/internal/dialect/mysql/script"
	"github.com/altergate/altergate/internal/dialect/mysql/server"
	"github.com/altergate/altergate/internal/schema"
)

// Catalog is everything that the statements so far have made. Make one with New.
type Catalog struct {
	Server      server.Server
	Databases   map[string]*Database // by key; the one that plans run in has the empty name
	Tables      map[string]*Table    // by Name.Key()
	Views       map[string]*View
	Triggers    map[string]*Trigger
	Routines    map[string]*Routine // by kind and name, since a function and a procedure may share one
	Events      map[string]*Event
	Sequences   map[string]*Sequence // MariaDB's
	current     string               // database of the session
	session     session
	reads       server.Server // the newest that Server means
	tokens      []token       // of the statement that runs; kept for their room
	notices     []schema.Notice
	deeds       Deeds
	touched     map[string]bool   // tables whose foreign keys are to be looked at
	foldedNames map[string][]Name // tables and views by their names in lower case
}

// Name is an object's name with its database. A database that is never named is empty.
type Name struct{ Database, Name string }

// Database is what new tables in it inherit.
type Database struct {
	Name               string
	Charset, Collation string
	Comment            string // MariaDB's
	Encryption         string // MySQL's: Y; empty = N
	Made               bool   // by a statement; else it was only used
	Text               string // the statement that makes it

	stated bool // Charset and Collation are written
}

// Table is a base table.
type Table struct {
	Name        Name
	Columns     []*Column // in their order
	Keys        []*Key    // the primary key first, then in the order of the definition
	ForeignKeys []*ForeignKey
	Checks      []*Check // those that are written with a column too
	Engine      string   // as the server prints it: InnoDB
	Charset     string   // utf8mb3, never utf8
	Collation   string
	RowFormat   string // upper case; empty = the server's default
	Comment     string
	Options     map[string]string // all others by their names in upper case (KEY_BLOCK_SIZE, STATS_PERSISTENT, PAGE_COMPRESSED, …)
	Partitions  *Partitions       // nil = none
	Versioned   *Versioning       // MariaDB's system versioning; nil = none

	Stated bool // Charset and Collation are written with the table or its database; else they are the server's own

	AutoIncrement uint64 // the next number as it is stated; 0 = not. It is data: no difference by itself

	Text string // the statement that made it, as written
	Pos  schema.Pos
}

// Column is a column without its keys and checks.
type Column struct {
	Name          string
	Type          Type
	NotNull       bool // stated, or implied by the primary key, AUTO_INCREMENT or SERIAL
	Default       *Default
	OnUpdate      string // canonical: current_timestamp(6); empty = none
	AutoIncrement bool
	Generated     *Generated
	Comment       string
	Invisible     bool
	SRID          string            // decimal; empty = none
	Options       map[string]string // all others by their names in upper case (COLUMN_FORMAT, STORAGE, COMPRESSED, WITHOUT SYSTEM VERSIONING, …)
	Text          string            // the definition as written, inline keys and all
	Pos           schema.Pos
}

// Type is a column's type with everything implied.
type Type struct {
	Base               string   // lower case, the server's own word: int, varchar, datetime, double, geometry, inet6 …; never an alias
	Length             int      // characters, digits, bits or bytes as the base has it; -1 = none. Integers have none, but tinyint(1) and with Zerofill
	Decimals           int      // of decimal and float(m,d), or the fractional seconds; -1 = none
	Unsigned, Zerofill bool     // the second implies the first
	Members            []string // of enum and set, unquoted, trailing blanks cut as the server cuts them
	Charset, Collation string   // of text, resolved; empty for others. binary for what holds bytes
}

// Default is a default value.
type Default struct {
	Null     bool   // DEFAULT NULL, stated or implied
	Literal  string // canonical, quoted where the server quotes: '0', 'x', b'1'; what is a number is one however it is quoted
	Now      string // current_timestamp, current_timestamp(3)
	Expr     *Expr  // DEFAULT (expr); what MariaDB takes without parentheses is one too
	Implied  bool   // not written, so it is not rendered
	AsIfText string // as written, for printing
}

// Expr is an expression in a definition.
type Expr struct {
	Text    string   // as written, without the parentheses around it
	Canon   string   // in the server's form, names lower-cased where they do not count by case
	Columns []string // keys of the columns that it names
	Total   bool     // certain to give a value and no error for every row

	tree *node
	mode mode // that it was read with
}

// Generated says how a column is computed.
type Generated struct {
	Expr   Expr
	Stored bool
}

// KeyKind is the kind of a key.
type KeyKind string

// The kinds of keys.
const (
	Primary  KeyKind = "primary"
	Unique   KeyKind = "unique"
	Plain    KeyKind = "plain"
	Fulltext KeyKind = "fulltext"
	Spatial  KeyKind = "spatial"
)

// Key is an index.
type Key struct {
	Kind      KeyKind
	Name      string // the server's if none is given; PRIMARY for the primary key
	Given     bool   // the name was written
	Implied   bool   // made for a foreign key, and gone with it as soon as another key serves
	Parts     []KeyPart
	Using     string // BTREE, HASH; empty = the engine's default
	Comment   string
	Invisible bool   // MySQL's INVISIBLE, MariaDB's IGNORED
	Parser    string // of a full-text key
	BlockSize int
	Options   map[string]string
	Text      string
	Pos       schema.Pos

	hashed bool // Using is HASH because the columns are too long for a tree
}

// KeyPart is one column or expression of a key.
type KeyPart struct {
	Column string // as written; empty for an expression
	Expr   *Expr
	Prefix int // characters, or bytes of binary columns; 0 = all of it
	Desc   bool
}

// ForeignKey is a foreign key.
type ForeignKey struct {
	Name               string // the server's if none is given
	Given              bool
	Columns            []string
	Ref                Name
	RefColumns         []string
	OnDelete, OnUpdate string // canonical, lower case: cascade, set null, set default; empty = restrict, no action
	Index              string // the name given to the key that it brings along
	Text               string
	Pos                schema.Pos

	absent    bool // IF NOT EXISTS
	unchecked bool // declared where foreign_key_checks was off
}

// Check is a check constraint.
type Check struct {
	Name        string // the server's if none is given
	Given       bool
	Column      string // MariaDB: the column with which it is written, and goes
	Expr        Expr
	NotEnforced bool
	Text        string
	Pos         schema.Pos
}

// JSON tells whether it is the check that JSON brings along on MariaDB, where a column with it is of a type of its own.
func (k *Check) JSON() bool {
	return k != nil && k.Column != "" && strings.EqualFold(k.Expr.Canon, "json_valid("+Quote(k.Column)+")")
}

// Partitions is how a table is partitioned.
type Partitions struct {
	Method string // canonical: range columns (a, b)
	Sub    string // canonical, with their number; empty = none
	Parts  []Part // in their order
	Count  int    // PARTITIONS n, where they are not named
	Canon  string // all of it
	Text   string // PARTITION BY … as written

	exprs   []*Expr  // of Method and Sub
	columns []string // that these name
}

// Part is one named partition.
type Part struct {
	Name   string
	Values string // canonical: less than (100), in (1, 2)
	Canon  string // with its options and subpartitions
	Text   string

	divided bool // into subpartitions with names
}

// Versioning is MariaDB's WITH SYSTEM VERSIONING.
type Versioning struct {
	Start, End string // columns of the period where they are declared; empty = hidden
	Canon      string
}

// View is a view.
type View struct {
	Name                         Name
	Algorithm, Definer, Security string // upper case; empty = the default (UNDEFINED, whoever makes it, DEFINER)
	Check                        string // CASCADED, LOCAL, empty
	Columns                      []string
	Canon                        string          // of the query, names bound to tables and aliases kept
	Tables                       map[string]bool // keys of tables and views that it reads
	Words                        map[string]bool // all names in it, lower case
	Open                         bool            // it holds a star
	names                        viewNames
	statement                    *script.Statement // that made it
	Text                         string
	Pos                          schema.Pos
}

// Trigger is a trigger; its body is kept as text.
type Trigger struct {
	Name          Name
	Table         Name
	Time, Event   string // BEFORE/AFTER, INSERT/UPDATE/DELETE
	Definer       string
	Order, Beside string // FOLLOWS or PRECEDES another; resolved into Place
	Place         int    // among those of its table, time and event, from 0
	Body, Canon   string
	Mode          string // sql_mode of the session that made it, a list in quotes; empty = not stated
	Words         map[string]bool
	Text          string
	Pos           schema.Pos
}

// Routine is a procedure or a function; its body is kept as text.
type Routine struct {
	Kind    string // procedure, function
	Name    Name
	Definer string
	Canon   string // parameters, characteristics and body, white space and comments outside of strings aside
	Mode    string // as of Trigger
	Words   map[string]bool
	Text    string
	Pos     schema.Pos

	made   string   // Canon before it was altered
	alters []string // statements
}

// Event is a scheduled event; its body is kept as text.
type Event struct {
	Name    Name
	Definer string
	Canon   string
	Mode    string // as of Trigger
	Words   map[string]bool
	Text    string
	Pos     schema.Pos

	made   string   // Canon before it was altered
	alters []string // statements
}

// Sequence is a sequence of MariaDB.
type Sequence struct {
	Name    Name
	Engine  string // as the server prints it
	Comment string
	Canon   string // all of it
	Text    string
	Pos     schema.Pos

	facts sequenceFacts
}

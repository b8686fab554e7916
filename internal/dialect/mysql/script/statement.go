// Package script takes the files of a MySQL or MariaDB schema apart into statements with places, and reads each: most with TiDB's
// parser, what that does not know with our own. It knows the words of the mysql client (DELIMITER), comments that are code on some
// servers (/*!50110 … */, /*M!100300 … */), and what a statement is about. It does not know what statements do.
package script

import (
	"github.com/pingcap/tidb/pkg/parser/ast"

	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/source"
)

// Kind is what a statement is about.
type Kind string

// The kinds of statements that act on a schema. All others are Passed, or an error.
const (
	CreateDatabase Kind = "create database"
	AlterDatabase  Kind = "alter database"
	DropDatabase   Kind = "drop database"
	Use            Kind = "use"
	Set            Kind = "set" // of a variable that changes what later statements mean: sql_mode, names, character set, default engine, foreign_key_checks
	CreateTable    Kind = "create table"
	AlterTable     Kind = "alter table"
	DropTable      Kind = "drop table"
	RenameTable    Kind = "rename table"
	TruncateTable  Kind = "truncate table"
	CreateIndex    Kind = "create index"
	DropIndex      Kind = "drop index"
	CreateView     Kind = "create view"
	AlterView      Kind = "alter view"
	DropView       Kind = "drop view"
	CreateTrigger  Kind = "create trigger"
	DropTrigger    Kind = "drop trigger"
	CreateRoutine  Kind = "create routine" // a procedure or a function
	AlterRoutine   Kind = "alter routine"
	DropRoutine    Kind = "drop routine"
	CreateEvent    Kind = "create event"
	AlterEvent     Kind = "alter event"
	DropEvent      Kind = "drop event"
	CreateSequence Kind = "create sequence" // MariaDB's
	AlterSequence  Kind = "alter sequence"
	DropSequence   Kind = "drop sequence"
)

// Statement is one statement that acts on a schema.
type Statement struct {
	Kind Kind
	// SQL is the statement as the server takes it, without its delimiter: the code in comments that the server runs stands there as code, that
	// in others is blank. It is for the default sql_mode, whatever the file's is: names in double quotes have backticks here, a
	// backslash that stands for itself is doubled, and a SET sql_mode says ANSI_QUOTES and the like no more. So offsets in it are not always the file's; Pos knows.
	SQL    string
	File   *source.File
	Offset int         // in the file
	Path   string      // of the value in a JSON source
	At     *schema.Pos // of a JSON source; nil: File and Offset tell

	Node   ast.StmtNode // as TiDB's parser gives it; nil for stored programs and sequences. A collation that it does not know is binary there
	Stored *Stored      // of a trigger, routine or event
	Maria  *Maria       // what the text says beside Node; nil = nothing. Not only of MariaDB: TiDB's parser does not know all of MySQL either
	Parts  []Part       // of a CREATE TABLE its definitions, of an ALTER TABLE its clauses, in their order

	shifts []shift // where SQL is shorter or longer than the file's text
	again  []shift // the same of a SET sql_mode, which is edited once more
}

// Ident is a name with its database, as written without quotes; the database may be empty.
type Ident struct{ Database, Name string }

// Stored is a stored program: what stands before its body is read, the body is text.
type Stored struct {
	What          string // trigger, procedure, function, event
	Name          Ident
	Table         Ident  // of a trigger
	Time, Event   string // of a trigger: BEFORE or AFTER; INSERT, UPDATE or DELETE
	Order, Beside string // of a trigger: FOLLOWS or PRECEDES, and which
	Definer       string // as written: `root`@`localhost`, CURRENT_USER; empty = not
	OrReplace     bool
	IfNotExists   bool
	IfExists      bool   // of a drop
	Head          string // between name and body, canonical: parameters, RETURNS, characteristics, ON SCHEDULE
	Body          string // as written
	BodyAt        int    // where it begins in the statement's SQL
	NewName       Ident  // of an event that is renamed
	Library       bool   // a function of a shared library (SONAME), which is none of the schema
}

// Maria is what a statement of MariaDB says beside what TiDB's parser could take; its text was taken out before that.
type Maria struct {
	OrReplace  bool
	Versioning string // of a table: canonical; ADD, DROP of an ALTER
	// Columns is what is said of a column beside Node, by its name in lower case. Its words are type (inet6, uuid, point, …), national (NCHAR),
	// charset (ASCII, UNICODE, BYTE), default (the text of an expression), invisible, visible, srid, compressed, row (start, end), with or
	// without system versioning, engine_attribute, secondary_engine_attribute, and "option NAME".
	Columns  map[string]map[string]string
	Checks   map[string]string // by column, an inline CHECK where TiDB's parser does not keep it
	IfExists map[int]string    // by number of the ALTER's clause: IF EXISTS or IF NOT EXISTS
	Sequence map[string]string // of a sequence, its options
	Name     Ident             // of a sequence
	More     []Ident           // of a DROP SEQUENCE, those behind the first
	Options  map[string]string // of a table, those that only MariaDB has
	Opaque   string            // of a view without Node: what in it TiDB's parser does not know
	// Keys is what is said of a key beside Node: by number of Node's constraint in a CREATE TABLE, of the clause in an ALTER TABLE, 0 in a CREATE
	// INDEX. Its words are spatial, vector, ignored, without overlaps, index (the name behind UNIQUE KEY or FOREIGN KEY, where the
	// constraint has one too, or for a foreign key any), and "option NAME".
	Keys map[int]map[string]string
	// Clauses are those of an ALTER TABLE, by number and as written, that Node does not say: in Node.Specs there is FORCE in their place, but for
	// DROP CONSTRAINT, which is DROP CHECK there.
	Clauses map[int]string
}

// Words are the names and keywords of a text in lower case, strings and comments left out: what a body may name.
func Words(text string) map[string]bool { return words(text) }

package diff

import "github.com/altergate/altergate/internal/schema"

// Changes that no comparison of two schemas finds: what the statements of a migration do besides.
type (
	// WriteRows says that rows are written or removed.
	WriteRows struct {
		Verb    string   // "insert", "replace", "update", "delete", "truncate", "merge"
		Table   string   // its key
		Name    string   // the table for people
		Columns []string // keys of the columns that an insert or an update names; nil = all of them, or not known
		All     bool     // of an update, a delete or a truncate: no condition leaves rows out
		Cascade bool     // of a truncate: rows of tables that reference this one go too
		Copy    *Copy    // of an insert: it takes all rows of one other table, each once; else nil
		Young   bool     // the same migrations made the table, or all the columns that an update writes: no older value is in them
		Pos     schema.Pos
	}
	// RunOpaque says that code runs that is not read here, so that it can do anything.
	RunOpaque struct {
		What string // "DO block", "CALL", "Go migration"
		Pos  schema.Pos
	}
	// RunSession is a statement that changes neither the schema nor rows, such as SET or SELECT.
	RunSession struct {
		What string // its first words
		Pos  schema.Pos
	}
	// CopyTable says that a table is made again by hand, under the same name: its rows are copied into a new one, which takes its place.
	CopyTable struct {
		From, To *schema.Table
		Lost     []string // columns that both have and the copy leaves out: their values are lost
		Computed []string // columns whose values the copy computes
		Pos      schema.Pos
	}
	// MadeAgain says that what a statement drops is made again by a later one, empty.
	MadeAgain struct {
		What, Name string // "table", "users"; "column", "users.email"
		Pos        schema.Pos
	}
	// Remark is about the files of migrations, or about how a statement stands in its file. Rule is the ID of the rule that says it.
	Remark struct {
		Rule, Text string
		Side       schema.Side
		Pos        schema.Pos
		Same       bool   // of a merged migration that was edited: it does what it did
		Opaque     bool   // what it is about is not read here, and can do anything
		State      string // digest of the texts that it is about, to which an approval of it is bound; empty = Text says all
	}
	// NoEffect says that a statement, mostly one guarded by IF EXISTS or IF NOT EXISTS, finds nothing to do.
	NoEffect struct {
		Text string // a sentence that says why, without its full stop: "table users is there already"
		Drop bool   // it is a DROP … IF EXISTS
		Pos  schema.Pos
	}
)

// Copy is where the rows that an INSERT … SELECT writes come from.
type Copy struct {
	From    string            // key of the table
	Columns map[string]string // key of the column written → key of the column that its value is taken from as it stands; "" = it is computed
}

func (WriteRows) change()  {}
func (RunOpaque) change()  {}
func (RunSession) change() {}
func (NoEffect) change()   {}
func (CopyTable) change()  {}
func (MadeAgain) change()  {}
func (Remark) change()     {}

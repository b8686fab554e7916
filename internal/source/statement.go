package source

import (
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// Statement is one statement of a migration, as a client sends it.
type Statement struct {
	Text string // as written, without comments around it and without the final semicolon
	Pos  schema.Pos
	Node any // what the dialect that cut it has read of it
}

// Acts is what a statement does that the schemas before and after it do not show.
type Acts struct {
	Renames diff.Renames  // the renames it makes; From and To as diff.Resolve gives them, tables' first
	Changes []diff.Change // of rows, unread code, nothing: WriteRows, RunOpaque, RunSession, NoEffect
	Online  bool          // it asks for a form that keeps others going: CREATE INDEX CONCURRENTLY, ALGORITHM=INSTANT, LOCK=NONE
	Alone   string        // why no transaction may be open when it runs, as a clause; empty = one may
	Commits bool          // it commits the transaction that is open, as DDL does on MySQL
}

// Package source finds the text of a schema in a tree (an fs.FS): a file or a directory of files. It knows files, sizes and
// encodings, and nothing of SQL.
package source

import (
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// Coverage counts the statements of a schema's text. What is in neither Modelled nor Opaque was passed over because it
// changes no schema (SET, INSERT, BEGIN), and is named in a notice.
type Coverage struct {
	Statements, Modelled, Opaque int
}

// Told is what a text says besides the schema it declares.
type Told struct {
	Coverage   Coverage
	Hints      []diff.Hint     // from comments
	HintErrors []*schema.Error // hints that cannot be read or belong to nothing; of no concern at the base
	Notices    []schema.Notice
}

package diff

import (
	"fmt"

	"github.com/altergate/altergate/internal/schema"
)

// RenamePolicy says what an unhinted difference of names means.
type RenamePolicy string

// Under Allow hints are honoured and anything else is a drop and an add. Under RequireHint a drop and an add of one kind
// side by side is an error until a hint says which it is. Under Deny no hint is read.
const (
	Allow       RenamePolicy = "allow"
	RequireHint RenamePolicy = "require-hint"
	Deny        RenamePolicy = "deny"
)

// Hint is a rename that someone wrote down, whatever the form.
type Hint struct {
	Table    string      // of a column: its table, by its name in the head; of a table: empty
	From, To string      // as written
	Part     string      // of a view, an index or a constraint: its kind; Table is then a constraint's, and else empty
	Path     string      // where in a hints file: hints.tables.<from>; empty for a comment
	Side     schema.Side // head, or empty for a hints file
	Pos      schema.Pos
}

// ParseRenamePolicy reads one of the three words.
func ParseRenamePolicy(word string) (RenamePolicy, error) {
	switch p := RenamePolicy(word); p {
	case Allow, RequireHint, Deny:
		return p, nil
	}
	return Deny, fmt.Errorf("unknown rename policy %q: it is allow, require-hint or deny", word)
}

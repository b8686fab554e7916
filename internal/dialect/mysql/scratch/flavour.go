package scratch

import flavours "github.com/altergate/altergate/internal/dialect/mysql/server"

// flavour is the server that a schema is meant for.
type flavour struct{ flavours.Server }

func (f flavour) known() bool { return f.Server != flavours.Server{} }

// open stands for a part of a version that is not stated, where the newest is meant.
const open = 99

// beyond tells whether a schema that is meant for this server can hold what another one does not know: it is of the other kind, or
// older than anything that is meant.
func (f flavour) beyond(is flavours.Server) bool {
	switch {
	case !f.known():
		return false
	case f.MariaDB != is.MariaDB:
		return true
	}
	major, minor, patch := f.Major, f.Minor%open, f.Patch%open
	return !is.MySQL(major, minor, patch) && !is.Maria(major, minor, patch)
}

// keepsInline tells whether a server makes a foreign key of REFERENCES behind a column: MariaDB since 10.5, MySQL since 9.0 ("FOREIGN KEY
// Constraints").
func keepsInline(sv flavours.Server) bool { return sv.MariaDB || sv.MySQL(9, 0, 0) }

// inlineReferences tells whether a definition of a table has REFERENCES behind a column, and not behind FOREIGN KEY (…).
func inlineReferences(ts []token) bool {
	depth, foreign, list := 0, false, 0
	if len(ts) > 0 && ts[0].is("create") {
		list = 1 // definitions stand in parentheses
	}
	for i, t := range ts {
		switch {
		case t.text == "(" && t.kind == other:
			depth++
		case t.text == ")" && t.kind == other:
			depth--
		case t.text == "," && t.kind == other && depth <= list:
			foreign = false
		case t.is("foreign") && i+1 < len(ts) && ts[i+1].is("key"):
			foreign = true
		case t.is("references") && !foreign && depth <= 1 && i+1 < len(ts) && ts[i+1].isName():
			return true
		}
	}
	return false
}

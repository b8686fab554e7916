package scratch

import flavours "github.com/altergate/altergate/internal/dialect/mysql/server"

// flavour is the server that a schema is meant for.
type flavour struct{ flavours.Server }

func (f flavour) known() bool { return f.Server != flavours.Server{} }

// beyond tells whether a schema that is meant for this server can hold what another one does not know.
func (f flavour) beyond(is flavours.Server) bool {
	if !f.known() {
		return false
	}
	if f.MariaDB != is.MariaDB {
		return true
	}
	if f.MariaDB {
		return !is.Maria(f.Major, f.Minor, f.Patch)
	}
	return !is.MySQL(f.Major, f.Minor, f.Patch)
}

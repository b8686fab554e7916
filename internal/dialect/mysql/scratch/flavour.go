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

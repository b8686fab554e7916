package online

import "github.com/altergate/altergate/internal/dialect/mysql/catalog"

// conflict says why actions that go together in one statement end in a copy, though none of them would by itself; empty = they do not.
func (a Alter) conflict(together fact) string {
	if len(a.Actions) < 2 || together.algorithm == byCopy || !a.innoDB() {
		return ""
	}
	var virtuals, fulltext, renames, columns, others int
	dropsVirtual := false
	for _, act := range a.Actions {
		switch act := act.(type) {
		case AddColumn:
			if virtual(act.Column) {
				virtuals++
			} else {
				columns++
			}
		case DropColumn:
			if virtual(act.Column) {
				virtuals++
				dropsVirtual = true
			} else {
				columns++
			}
		case AddKey:
			if act.Key.Kind == catalog.Fulltext {
				fulltext++
			}
			if functional(act.Key) && !a.Server.MariaDB {
				virtuals++
			}
			if act.Key.Kind == catalog.Unique {
				others++ // handler0alter.cc lets ADD_INDEX and DROP_INDEX through beside virtual columns, and no unique one
			}
		case DropKey:
			if functional(act.Key) && !a.Server.MariaDB {
				virtuals++
			}
		case RenameColumn:
			renames++
			others++
		default:
			others++
		}
	}
	switch {
	case virtuals > 0 && (others > 0 || columns > 0):
		return "adding or dropping a virtual column in one statement with other changes copies the table"
	case dropsVirtual && fulltext > 0, virtuals > 0 && fulltext > 0:
		return "adding or dropping a virtual column in one statement with a FULLTEXT index copies the table"
	case fulltext > 1:
		return "two FULLTEXT indexes in one statement copy the table"
	case renames > 0 && columns > 0 && !a.Server.MariaDB:
		return "not every version of MySQL renames and adds or drops a column in one statement without a copy"
	}
	return ""
}

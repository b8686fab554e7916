package catalog

import "github.com/altergate/altergate/internal/schema"

// The options of a column that say whether its changes are kept ("System-Versioned Tables", MariaDB's manual).
const (
	WithVersioning    = "WITH SYSTEM VERSIONING"
	WithoutVersioning = "WITHOUT SYSTEM VERSIONING"
)

// versionColumns works out what WITH SYSTEM VERSIONING of a column means in a new table: where the table says nothing, it keeps the history
// of such columns alone; where it does, it goes without saying.
func (r *reader) versionColumns(t *Table) {
	some := false
	for _, c := range t.Columns {
		_, with := c.Options[WithVersioning]
		some = some || with
	}
	if !some {
		return
	}
	all := t.Versioned != nil
	if !all {
		t.Versioned = &Versioning{Canon: "with system versioning"}
	}
	for _, c := range t.Columns {
		if _, with := c.Options[WithVersioning]; with {
			c.unflag(WithVersioning)
		} else if !all && c.Generated == nil && c.Options["AS ROW"] == "" {
			c.flag(WithoutVersioning, "")
		}
	}
}

// versionChanges does so for the columns that an ALTER TABLE adds or changes, which is refused of a table that keeps no history.
func (r *reader) versionChanges(old *Table, columns []*columnDef) {
	for _, d := range columns {
		_, with := d.column.Options[WithVersioning]
		if with && old.Versioned == nil {
			r.fail(d.said.at, schema.KindSchema, "column %s has WITH SYSTEM VERSIONING, and table %s keeps no history of its rows; say ADD SYSTEM VERSIONING of the table", d.column.Name, old.Name)
			return
		}
		d.column.unflag(WithVersioning)
	}
}

// unflag takes an option away.
func (c *Column) unflag(name string) {
	if delete(c.Options, name); len(c.Options) == 0 {
		c.Options = nil
	}
}

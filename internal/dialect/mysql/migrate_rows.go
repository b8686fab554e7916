package mysql

import (
	"fmt"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/dialect/mysql/catalog"
	"github.com/altergate/altergate/internal/dialect/mysql/script"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// writes tells which rows a statement writes or removes.
func (l *Loaded) writes(s *script.Sent, rows *script.Rows) ([]diff.Change, error) {
	var targets []target
	for _, t := range rows.Tables {
		if x, err := l.target(s, t); err != nil {
			return nil, err
		} else {
			targets = append(targets, x)
		}
	}
	if err := namesColumns(s, rows, targets); err != nil {
		return nil, err
	}
	written := targets[:min(1, len(targets))]
	switch {
	case rows.Verb == "update":
		var err error
		if written, err = l.updated(s, rows, targets); err != nil {
			return nil, err
		}
	case len(rows.Targets) > 0:
		written = nil
		for _, n := range rows.Targets {
			i := slices.IndexFunc(targets, func(t target) bool { return t.called(n.Ident) })
			if i < 0 {
				return nil, refused(s, n.At, "the table %s is to lose rows and is none of those behind FROM or USING", n.Name)
			}
			written = append(written, targets[i])
		}
	case rows.Verb != "delete":
		for _, c := range rows.Columns {
			if err := written[0].has(s, c.Name); err != nil {
				return nil, err
			}
			written[0].columns = append(written[0].columns, columnKey(c.Name))
		}
		if err := written[0].fits(s, rows); err != nil {
			return nil, err
		}
	}
	var changes []diff.Change
	for _, t := range written {
		if t.temporary {
			continue
		}
		w := diff.WriteRows{Verb: rows.Verb, Table: t.name.String(), Name: t.name.String(), Columns: t.columns, All: rows.All, Pos: s.Pos(t.At)}
		if rows.Verb == "replace" || rows.Upsert {
			w.Verb = "merge"
		}
		if rows.Select != nil {
			from, err := l.target(s, rows.Select.From)
			if err != nil {
				return nil, err
			}
			if w.Copy, err = copied(s, t, from, rows); err != nil {
				return nil, err
			}
		}
		changes = append(changes, w)
	}
	return changes, nil
}

// namesColumns refuses an UPDATE or a DELETE of one table that names a column which this does not have.
func namesColumns(s *script.Sent, rows *script.Rows, targets []target) error {
	if len(targets) != 1 || targets[0].table == nil || rows.Verb != "update" && rows.Verb != "delete" {
		return nil
	}
	for _, c := range script.ColumnsNamed(s.SQL) {
		if targets[0].table.Versioned != nil {
			return nil // it has columns that are not declared
		}
		if err := targets[0].has(s, c.Name); err != nil {
			return err
		}
	}
	return nil
}

// target is a table that a statement reads or writes.
type target struct {
	script.RowTable
	name      catalog.Name
	table     *catalog.Table // nil: it is a view, a temporary table, or of another database
	temporary bool
	columns   []string
}

// called tells whether a statement means this table by a name.
func (t target) called(id script.Ident) bool {
	if t.Alias != "" {
		return id.Database == "" && strings.EqualFold(t.Alias, id.Name)
	}
	return t.Name == id.Name && (id.Database == "" || id.Database == t.name.Database)
}

func (t target) has(s *script.Sent, column string) error {
	if t.table != nil && columnNamed(t.table, column) == nil {
		return refused(s, t.At, "table %s has no column %s", t.name, column)
	}
	return nil
}

// fits refuses rows with more or fewer values than columns.
func (t target) fits(s *script.Sent, rows *script.Rows) error {
	if t.table == nil || t.table.Versioned != nil {
		return nil
	}
	want := len(rows.Columns)
	if rows.Columns == nil {
		want = len(visible(t.table))
	}
	for _, w := range rows.Widths {
		if w.Values != want && (w.Values > 0 || len(rows.Columns) > 0) {
			return refused(s, w.At, "a row has %d values here, and %d columns of table %s are written; name the columns, and give each a value", w.Values, want, t.name)
		}
	}
	return nil
}

// bookkeeping are the tables in which migration tools note what has run.
var bookkeeping = map[string]bool{"schema_migrations": true, "goose_db_version": true, "gorp_migrations": true, "flyway_schema_history": true, "schema_version": true, "_sqlx_migrations": true,
	"__diesel_schema_migrations": true, "_prisma_migrations": true, "__drizzle_migrations": true, "databasechangelog": true, "databasechangeloglock": true, "schema_migration": true,
	"pgmigrations": true, "ar_internal_metadata": true, "atlas_schema_revisions": true}

// systems are the server's own databases.
var systems = map[string]bool{"mysql": true, "information_schema": true, "performance_schema": true, "sys": true}

// target finds a table that rows are written to or read from.
func (l *Loaded) target(s *script.Sent, t script.RowTable) (target, error) {
	x := target{RowTable: t, name: l.catalog.Named(t.Database, t.Name)}
	key := x.name.Key()
	x.temporary = l.client.temporary[key]
	x.table = l.catalog.Tables[key]
	db := l.catalog.Databases[x.name.Database]
	switch {
	case x.temporary:
		x.table = nil
	case x.table != nil, l.catalog.Views[key] != nil, l.catalog.Sequences[key] != nil:
	case bookkeeping[strings.ToLower(t.Name)], systems[strings.ToLower(x.name.Database)], x.name.Database != "" && (db == nil || !db.Made):
	case slices.ContainsFunc(script.CommonTables(s.SQL), func(name string) bool { return strings.EqualFold(name, t.Name) }):
	default:
		return x, refused(s, t.At, "table %s is not there", x.name)
	}
	return x, nil
}

// refused is the error of a statement that the server would not run.
func refused(s *script.Sent, at int, format string, args ...any) error {
	return &schema.Error{Pos: s.Pos(at), Kind: schema.KindSchema, Text: fmt.Sprintf(format, args...)}
}

// updated gives the tables whose columns an UPDATE sets, with these.
func (l *Loaded) updated(s *script.Sent, rows *script.Rows, targets []target) ([]target, error) {
	sets := make([][]string, len(targets))
	for _, c := range rows.Columns {
		i := 0
		if c.Database != "" {
			i = slices.IndexFunc(targets, func(t target) bool { return t.called(script.Ident{Name: c.Database}) })
		} else if len(targets) > 1 {
			i = slices.IndexFunc(targets, func(t target) bool { return t.table != nil && columnNamed(t.table, c.Name) != nil })
			if i < 0 {
				i = slices.IndexFunc(targets, func(t target) bool { return t.table == nil })
			}
		}
		if i < 0 {
			return nil, refused(s, 0, "none of the tables of this statement has the column %s", strings.TrimPrefix(c.Database+"."+c.Name, "."))
		}
		if err := targets[i].has(s, c.Name); err != nil {
			return nil, err
		}
		sets[i] = append(sets[i], columnKey(c.Name))
	}
	var written []target
	for i, t := range targets {
		if t.columns = sets[i]; len(t.columns) > 0 {
			written = append(written, t)
		}
	}
	return written, nil
}

// copied tells which column an INSERT … SELECT takes from where; nil if that is not known.
func copied(s *script.Sent, to, from target, rows *script.Rows) (*diff.Copy, error) {
	if to.table == nil || from.table == nil {
		return nil, nil
	}
	var written, taken []string
	for _, c := range rows.Columns {
		written = append(written, columnKey(c.Name))
	}
	if rows.Columns == nil {
		written = visible(to.table)
	}
	for _, item := range rows.Select.Items {
		switch {
		case item.Star:
			taken = append(taken, visible(from.table)...)
		case item.Column != "":
			if err := from.has(s, item.Column); err != nil {
				return nil, err
			}
			taken = append(taken, columnKey(item.Column))
		default:
			taken = append(taken, "")
		}
	}
	if len(written) != len(taken) {
		return nil, refused(s, from.At, "the query gives %d columns, and %d of table %s are written; name the columns, and give each a value", len(taken), len(written), to.name)
	}
	columns := map[string]string{}
	for i, c := range written {
		columns[c] = taken[i]
	}
	return &diff.Copy{From: from.name.String(), Columns: columns}, nil
}

// visible are the columns that a star stands for.
func visible(t *catalog.Table) []string {
	var keys []string
	for _, c := range t.Columns {
		if !c.Invisible {
			keys = append(keys, columnKey(c.Name))
		}
	}
	return keys
}

// truncate tells that a table loses its rows.
func (l *Loaded) truncate(s *script.Sent, pos schema.Pos) (diff.Change, error) {
	id, ok := script.Truncated(s.SQL)
	if !ok {
		return nil, refused(s, 0, "the table that loses its rows is not understood")
	}
	name := l.catalog.Named(id.Database, id.Name)
	return diff.WriteRows{Verb: "truncate", Table: name.String(), Name: name.String(), All: true, Pos: pos}, nil
}

// truncatedPart tells that some of a table's rows go.
func (l *Loaded) truncatedPart(s *script.Sent, pos schema.Pos) diff.Change {
	id, _ := script.Altered(s.SQL)
	name := l.catalog.Named(id.Database, id.Name).String()
	return diff.WriteRows{Verb: "truncate", Table: name, Name: name, Pos: pos}
}

package online_test

import (
	"database/sql"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/dialect/mysql/catalog"
)

// read gives a table as a MariaDB server describes it, so that what is measured and what is asked are of the same table.
func read(t *testing.T, db *sql.DB, name string) *catalog.Table {
	t.Helper()
	table := &catalog.Table{Name: catalog.Name{Name: name}}
	var options, format, create string
	if err := db.QueryRow("SELECT engine, row_format, create_options FROM information_schema.tables WHERE table_schema = database() AND table_name = ?", name).Scan(&table.Engine, &format, &options); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(options, "row_format") {
		table.RowFormat = strings.ToUpper(format)
	}
	if strings.Contains(options, "partitioned") {
		table.Partitions = &catalog.Partitions{Method: spread(t, db, name)}
	}
	if err := db.QueryRow("SHOW CREATE TABLE "+name).Scan(new(string), &create); err != nil {
		t.Fatal(err)
	}
	each(t, db, "SELECT check_clause, level, constraint_name FROM information_schema.check_constraints WHERE constraint_schema = database() AND table_name = ?", name,
		func(v []sql.NullString) {
			c := &catalog.Check{Name: v[2].String, Expr: expression(v[0].String)}
			if v[1].String == "Column" {
				c.Column = v[2].String
			}
			table.Checks = append(table.Checks, c)
		})
	each(t, db, `SELECT column_name, column_type, is_nullable, column_default, extra, coalesce(character_set_name, ''), coalesce(collation_name, ''),
		coalesce(generation_expression, ''), column_comment FROM information_schema.columns WHERE table_schema = database() AND table_name = ? ORDER BY ordinal_position`, name,
		func(v []sql.NullString) {
			c := &catalog.Column{Name: v[0].String, NotNull: v[2].String == "NO", Comment: v[8].String}
			c.Type = typeOf(t, v[1].String)
			c.Type.Charset, c.Type.Collation = v[5].String, v[6].String
			if strings.HasSuffix(c.Type.Base, "binary") || strings.HasSuffix(c.Type.Base, "blob") {
				c.Type.Charset, c.Type.Collation = "binary", "binary"
			}
			extra := strings.ToLower(v[4].String)
			c.AutoIncrement, c.Invisible = strings.Contains(extra, "auto_increment"), strings.Contains(extra, "invisible")
			if v[7].String != "" {
				c.Generated = &catalog.Generated{Expr: expression(v[7].String), Stored: strings.Contains(extra, "stored")}
			}
			if d := v[3]; d.Valid && d.String != "NULL" {
				switch {
				case strings.HasPrefix(d.String, "current_timestamp"):
					c.Default = &catalog.Default{Now: d.String}
				case strings.HasPrefix(d.String, "'"), strings.Trim(d.String, "0123456789.-") == "":
					c.Default = &catalog.Default{Literal: d.String}
				default:
					c.Default = &catalog.Default{Expr: &catalog.Expr{Text: d.String, Canon: d.String}}
				}
			}
			table.Columns = append(table.Columns, c)
		})
	keys := map[string]*catalog.Key{}
	each(t, db, "SELECT index_name, column_name, non_unique, index_type, coalesce(sub_part, 0) FROM information_schema.statistics WHERE table_schema = database() AND table_name = ? ORDER BY index_name, seq_in_index", name,
		func(v []sql.NullString) {
			k := keys[v[0].String]
			if k == nil {
				k = &catalog.Key{Name: v[0].String, Kind: catalog.Plain}
				switch {
				case k.Name == "PRIMARY":
					k.Kind = catalog.Primary
				case v[3].String == "FULLTEXT":
					k.Kind = catalog.Fulltext
				case v[3].String == "SPATIAL":
					k.Kind = catalog.Spatial
				case v[2].String == "0":
					k.Kind = catalog.Unique
				}
				keys[k.Name] = k
				table.Keys = append(table.Keys, k)
			}
			prefix, _ := strconv.Atoi(v[4].String)
			k.Parts = append(k.Parts, catalog.KeyPart{Column: v[1].String, Prefix: prefix})
		})
	return table
}

var quotedName = regexp.MustCompile("`([^`]*)`")

// expression gives one with the columns that it names.
func expression(text string) catalog.Expr {
	e := catalog.Expr{Text: text, Canon: text}
	for _, m := range quotedName.FindAllStringSubmatch(text, -1) {
		e.Columns = append(e.Columns, m[1])
	}
	return e
}

// spread says how a table's rows are spread over its partitions.
func spread(t *testing.T, db *sql.DB, table string) string {
	t.Helper()
	var how string
	if err := db.QueryRow("SELECT concat(lower(partition_method), ' (', partition_expression, ')') FROM information_schema.partitions WHERE table_schema = database() AND table_name = ? LIMIT 1", table).Scan(&how); err != nil {
		t.Fatal(err)
	}
	return how
}

var columnType = regexp.MustCompile(`^([a-z0-9]+)(?:\((.*)\))?( unsigned)?( zerofill)?$`)

// typeOf reads information_schema's column_type as the catalog keeps types.
func typeOf(t *testing.T, text string) catalog.Type {
	t.Helper()
	text, _, _ = strings.Cut(text, " /*")
	m := columnType.FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("the type %q is not understood", text)
	}
	out := catalog.Type{Base: m[1], Length: -1, Decimals: -1, Unsigned: m[3] != "" || m[4] != "", Zerofill: m[4] != ""}
	first, second, two := strings.Cut(m[2], ",")
	switch out.Base {
	case "enum", "set":
		for _, member := range strings.Split(m[2], ",") {
			out.Members = append(out.Members, strings.ReplaceAll(strings.Trim(member, "'"), "''", "'"))
		}
		return out
	case "datetime", "timestamp", "time":
		out.Decimals, _ = strconv.Atoi(m[2])
		return out
	case "tinyint", "smallint", "mediumint", "int", "bigint":
		if !out.Zerofill && (out.Base != "tinyint" || m[2] != "1") {
			return out
		}
	}
	if n, err := strconv.Atoi(first); err == nil {
		out.Length = n
	}
	if n, err := strconv.Atoi(second); two && err == nil {
		out.Decimals = n
	}
	return out
}

func each(t *testing.T, db *sql.DB, query, table string, row func([]sql.NullString)) {
	t.Helper()
	rows, err := db.Query(query, table)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	columns, _ := rows.Columns()
	for rows.Next() {
		values := make([]sql.NullString, len(columns))
		at := make([]any, len(columns))
		for i := range values {
			at[i] = &values[i]
		}
		if err := rows.Scan(at...); err != nil {
			t.Fatal(err)
		}
		row(values)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
}

// run executes statements and fails the test at one that fails.
func run(t *testing.T, db *sql.DB, statements ...string) {
	t.Helper()
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

func columnOf(table *catalog.Table, name string) *catalog.Column {
	for _, c := range table.Columns {
		if c.Name == name {
			return c
		}
	}
	panic(fmt.Sprintf("no column %s in %s", name, table.Name.Name))
}

func keyOf(table *catalog.Table, name string) *catalog.Key {
	for _, k := range table.Keys {
		if k.Name == name {
			return k
		}
	}
	panic(fmt.Sprintf("no key %s in %s", name, table.Name.Name))
}

package scratch

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// tables is what the server's catalog says of a side's tables, as far as filling them needs it.
type tables struct {
	all    []*table
	byName map[string]*table // as in reports
	bySQL  map[string]*table
}

// table is a base table.
type table struct {
	name, sql     string // name as in reports, sql as in statements
	transactional bool
	columns       []*column
	keys          []*key
	checks        []*check
	references    []*reference
	bounds        []bound
	next          uint64 // AUTO_INCREMENT
}

// column is a column.
type column struct {
	name              string
	typ               string // int
	written           string // int(10) unsigned
	notNull, computed bool
	auto, stamps      bool // AUTO_INCREMENT; ON UPDATE
	def               value
	generation        string // the expression of a computed column
	volatile          bool   // the default is not the same at any time
	length            int    // in characters, or bytes
	precision, scale  int
	charset           string
	members           []string // of enum and set
	srid              string
}

func (c *column) unsigned() bool { return strings.Contains(c.written, "unsigned") }

// key is a unique key by the columns that it is about, those inside of expressions among them.
type key struct {
	name    string
	columns []string
}

// check is a CHECK by its text.
type check struct{ name, column, text string }

// reference is a foreign key.
type reference struct {
	name         string
	parent       string // as SQL
	columns, far []string
}

// bound is where rows go to one partition or another.
type bound struct {
	columns []string
	expr    string
	list    bool
	values  []string // as the server writes them, one for each partition
}

func (t *table) column(name string) *column {
	for _, c := range t.columns {
		if strings.EqualFold(c.name, name) {
			return c
		}
	}
	return nil
}

// tables reads the tables.
func (d *databases) tables(ctx context.Context) (*tables, error) {
	ts := &tables{byName: map[string]*table{}, bySQL: map[string]*table{}}
	for _, read := range []func(context.Context, *tables) error{d.readTables, d.readColumns, d.readKeys, d.readReferences, d.readChecks, d.readPartitions} {
		if err := read(ctx, ts); err != nil {
			return nil, fmt.Errorf("reading the tables of a scratch database: %w", err)
		}
	}
	return ts, nil
}

func sqlName(database, name string) string { return quote(database) + "." + quote(name) }

func (d *databases) readTables(ctx context.Context, ts *tables) error {
	rows, err := d.query(ctx, "SELECT table_schema, table_name, engine, auto_increment FROM information_schema.tables WHERE table_schema IN ("+d.list()+") AND table_type IN ('BASE TABLE', 'SYSTEM VERSIONED') ORDER BY 1, 2")
	for _, r := range rows {
		t := &table{name: d.shown(r[0].String, r[1].String), sql: sqlName(r[0].String, r[1].String)}
		t.transactional = strings.EqualFold(r[2].String, "InnoDB") || strings.EqualFold(r[2].String, "ROCKSDB")
		t.next, _ = strconv.ParseUint(r[3].String, 10, 64)
		ts.all = append(ts.all, t)
		ts.byName[t.name], ts.bySQL[t.sql] = t, t
	}
	return err
}

func (d *databases) readColumns(ctx context.Context, ts *tables) error {
	srid := "''"
	if d.server.is.MySQL(8, 0, 0) {
		srid = "coalesce(srs_id, '')"
	}
	rows, err := d.query(ctx, `SELECT table_schema, table_name, column_name, data_type, column_type, is_nullable, column_default, extra, character_maximum_length, numeric_precision, numeric_scale, character_set_name, generation_expression, `+srid+
		` FROM information_schema.columns WHERE table_schema IN (`+d.list()+`) ORDER BY 1, 2, ordinal_position`)
	for _, r := range rows {
		t := ts.bySQL[sqlName(r[0].String, r[1].String)]
		if t == nil {
			continue
		}
		extra := strings.ToLower(r[7].String)
		c := &column{name: r[2].String, typ: strings.ToLower(r[3].String), written: r[4].String, notNull: r[5].String == "NO", def: r[6], charset: r[11].String, srid: r[13].String}
		c.generation = r[12].String
		c.computed = r[12].String != "" || strings.Contains(extra, "virtual generated") || strings.Contains(extra, "stored generated")
		c.auto, c.stamps = strings.Contains(extra, "auto_increment"), strings.Contains(extra, "on update")
		c.length, c.precision, c.scale = number(r[8]), number(r[9]), number(r[10])
		c.members = membersOf(c.written)
		if d.server.is.MariaDB || strings.Contains(extra, "default_generated") {
			c.volatile = isVolatile(c.def.String)
		}
		t.columns = append(t.columns, c)
	}
	return err
}

func number(v value) int {
	n, err := strconv.Atoi(v.String)
	if err != nil {
		return -1
	}
	return n
}

// membersOf gives the members in enum('a','b').
func membersOf(written string) []string {
	if !strings.HasPrefix(written, "enum(") && !strings.HasPrefix(written, "set(") {
		return nil
	}
	var out []string
	for _, t := range tokens(written, mode{}) {
		if t.kind == str {
			out = append(out, t.text)
		}
	}
	return out
}

// isVolatile tells whether an expression gives another value at another time.
func isVolatile(expr string) bool {
	return slices.ContainsFunc(tokens(expr, mode{}), func(t token) bool {
		return t.is("current_timestamp", "now", "sysdate", "localtime", "localtimestamp", "curdate", "curtime", "current_date", "current_time", "utc_date", "utc_time", "utc_timestamp",
			"unix_timestamp", "uuid", "uuid_short", "sys_guid", "rand", "random_bytes", "connection_id", "user", "current_user", "session_user", "system_user", "nextval", "lastval", "next")
	})
}

func (d *databases) readKeys(ctx context.Context, ts *tables) error {
	expr := "NULL"
	if d.server.is.MySQL(8, 0, 13) {
		expr = "expression"
	}
	rows, err := d.query(ctx, "SELECT table_schema, table_name, index_name, column_name, "+expr+" FROM information_schema.statistics WHERE table_schema IN ("+d.list()+") AND non_unique = 0 ORDER BY 1, 2, 3, seq_in_index")
	for _, r := range rows {
		t := ts.bySQL[sqlName(r[0].String, r[1].String)]
		if t == nil {
			continue
		}
		if len(t.keys) == 0 || t.keys[len(t.keys)-1].name != r[2].String {
			t.keys = append(t.keys, &key{name: r[2].String})
		}
		k := t.keys[len(t.keys)-1]
		if r[3].Valid {
			k.columns = append(k.columns, r[3].String)
		}
		k.columns = append(k.columns, t.namedIn(r[4].String)...)
	}
	return err
}

// namedIn gives the columns that an expression names.
func (t *table) namedIn(expr string) []string {
	var out []string
	for _, x := range tokens(expr, mode{}) {
		if c := t.column(x.text); c != nil && x.isName() && !slices.Contains(out, c.name) {
			out = append(out, c.name)
		}
	}
	return out
}

func (d *databases) readReferences(ctx context.Context, ts *tables) error {
	rows, err := d.query(ctx, "SELECT table_schema, table_name, constraint_name, column_name, referenced_table_schema, referenced_table_name, referenced_column_name FROM information_schema.key_column_usage WHERE table_schema IN ("+
		d.list()+") AND referenced_table_name IS NOT NULL ORDER BY 1, 2, 3, ordinal_position")
	for _, r := range rows {
		t := ts.bySQL[sqlName(r[0].String, r[1].String)]
		if t == nil {
			continue
		}
		if len(t.references) == 0 || t.references[len(t.references)-1].name != r[2].String {
			t.references = append(t.references, &reference{name: r[2].String, parent: sqlName(r[4].String, r[5].String)})
		}
		k := t.references[len(t.references)-1]
		k.columns, k.far = append(k.columns, r[3].String), append(k.far, r[6].String)
	}
	return err
}

func (d *databases) readChecks(ctx context.Context, ts *tables) error {
	query := "SELECT constraint_schema, table_name, constraint_name, check_clause, level FROM information_schema.check_constraints WHERE constraint_schema IN (" + d.list() + ") ORDER BY 1, 2, 3"
	switch {
	case d.server.is.MariaDB:
	case d.server.is.MySQL(8, 0, 16):
		query = "SELECT c.constraint_schema, t.table_name, c.constraint_name, c.check_clause, 'Table' FROM information_schema.check_constraints c JOIN information_schema.table_constraints t ON t.constraint_schema = c.constraint_schema AND t.constraint_name = c.constraint_name AND t.constraint_type = 'CHECK' WHERE c.constraint_schema IN (" +
			d.list() + ") ORDER BY 1, 2, 3"
	default:
		return nil // MySQL 5.7 has none
	}
	rows, err := d.query(ctx, query)
	for _, r := range rows {
		t := ts.bySQL[sqlName(r[0].String, r[1].String)]
		if t == nil {
			continue
		}
		c := &check{name: r[2].String, text: r[3].String}
		if r[4].String == "Column" {
			c.column = r[2].String
		}
		t.checks = append(t.checks, c)
	}
	return err
}

func (d *databases) readPartitions(ctx context.Context, ts *tables) error {
	rows, err := d.query(ctx, "SELECT table_schema, table_name, partition_method, partition_expression, partition_description FROM information_schema.partitions WHERE table_schema IN ("+d.list()+
		") AND partition_method IS NOT NULL ORDER BY 1, 2, partition_ordinal_position, subpartition_ordinal_position")
	for _, r := range rows {
		t := ts.bySQL[sqlName(r[0].String, r[1].String)]
		if t == nil {
			continue
		}
		if len(t.bounds) == 0 {
			t.bounds = []bound{{columns: t.namedIn(r[3].String), expr: r[3].String, list: strings.HasPrefix(r[2].String, "LIST")}}
		}
		t.bounds[0].values = append(t.bounds[0].values, r[4].String)
	}
	return err
}

package scratch

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// tables is what a database's catalog says of its tables, as far as filling them needs it.
type tables struct {
	all       []*table
	byName    map[string]*table
	byOID     map[string]*table
	types     map[string]*typ
	sequences []*sequence
}

// table is an ordinary, partitioned or foreign table. Partitions are tables of their own with a parent.
type table struct {
	oid, name, sql string // name as in reports, sql as in statements
	kind           string // "r", "p", "f"
	forced         bool   // row security applies to the owner
	parent         *table // of a partition
	children       []*table
	columns        []*column
	keys           []*key
	split          []string            // columns by which rows go to partitions
	bounds         map[string][]string // for columns by which rows go to partitions, or on to theirs, the literals in the bounds of these
}

// column is a column that holds values.
type column struct {
	name     string
	typ      *typ
	written  string // its type with modifiers
	notNull  bool
	def      string // the default's expression, or empty
	identity bool
	computed bool
	sequence bool // a sequence belongs to it
}

// key is a constraint or a unique index, by the columns that it is about.
type key struct {
	name    string
	kind    string // as in pg_constraint; "i" is a unique index
	columns []string
	ref     string // of a foreign key: oid of the other table
	far     []string
	text    string
}

// typ is a type.
type typ struct {
	oid, name  string
	kind       string // as in pg_type.typtype; "a" is an array
	elem       string // oid of an array's elements, a domain's base, a range's subtype, a multirange's range
	modified   string // a domain's base with modifiers
	labels     []string
	fields     []string // oids of a composite type's attributes
	checks     []string // of a domain
	shouldTest bool     // its values may not all do
	delim      string   // between the elements of an array
}

// sequence is a sequence and where it stands.
type sequence struct {
	name, sql     string
	table, column string // to which it belongs, or empty
	inc, min, max int64
	start         int64
	cycle         bool
}

// named gives the expression for a name as reports have it.
func named(schema, name string) string {
	return "CASE " + schema + " WHEN 'public' THEN '' ELSE " + schema + " || '.' END || " + name
}

// ours tells objects of a namespace n that are the schema's own: not the server's, and not an extension's.
func ours(class, oid string) string {
	return "n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.classid = '" +
		class + "'::regclass AND e.objid = " + oid + " AND e.deptype = 'e')"
}

var tableQueries = []string{
	`SELECT c.oid, ` + named("n.nspname", "c.relname") + `, format('%I.%I', n.nspname, c.relname), c.relkind, c.relforcerowsecurity,
		CASE WHEN c.relispartition THEN (SELECT i.inhparent FROM pg_inherits i WHERE i.inhrelid = c.oid) END,
		pg_get_expr(c.relpartbound, c.oid),
		(SELECT json_agg(a.attname) FROM pg_attribute a JOIN pg_depend d ON d.refobjsubid = a.attnum AND d.refobjid = a.attrelid
			WHERE a.attrelid = c.oid AND d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.objsubid = 0 AND c.relkind = 'p' AND a.attnum > 0),
		(SELECT json_agg(a.attname) FROM pg_partitioned_table p JOIN pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = ANY (p.partattrs) WHERE p.partrelid = c.oid)
	FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'p', 'f') AND ` + ours("pg_class", "c.oid") + ` ORDER BY 2`,

	`SELECT a.attrelid, a.attname, a.atttypid, format_type(a.atttypid, a.atttypmod), a.attnotnull, pg_get_expr(d.adbin, d.adrelid), a.attidentity <> '', a.attgenerated <> '',
		EXISTS (SELECT FROM pg_depend o JOIN pg_class s ON s.oid = o.objid AND s.relkind = 'S' WHERE o.classid = 'pg_class'::regclass AND o.refclassid = 'pg_class'::regclass
			AND o.refobjid = a.attrelid AND o.refobjsubid = a.attnum AND o.deptype IN ('a', 'i'))
	FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
	WHERE c.relkind IN ('r', 'p', 'f') AND a.attnum > 0 AND NOT a.attisdropped AND ` + ours("pg_class", "c.oid") + ` ORDER BY a.attrelid, a.attnum`,

	`SELECT k.conrelid, k.conname, k.contype, (SELECT json_agg(a.attname ORDER BY x.n) FROM unnest(k.conkey) WITH ORDINALITY x (attnum, n) JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = x.attnum),
		k.confrelid, (SELECT json_agg(a.attname ORDER BY x.n) FROM unnest(k.confkey) WITH ORDINALITY x (attnum, n) JOIN pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = x.attnum),
		pg_get_constraintdef(k.oid)
	FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
	WHERE k.contype IN ('c', 'f', 'p', 'u', 'x') AND NOT (k.contype = 'f' AND k.conparentid <> 0) AND ` + ours("pg_class", "c.oid") + ` ORDER BY k.conrelid, k.conname`,

	`SELECT i.indrelid, x.relname, 'i', (SELECT json_agg(DISTINCT a.attname) FROM pg_depend d JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
			WHERE d.classid = 'pg_class'::regclass AND d.objid = i.indexrelid AND d.refobjid = i.indrelid AND d.refobjsubid > 0),
		NULL, NULL, ''
	FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace
	WHERE c.relkind IN ('r', 'p') AND i.indisunique AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u', 'x')) AND ` + ours("pg_class", "c.oid") + ` ORDER BY 1, 2`,

	`SELECT t.oid, format_type(t.oid, NULL), CASE WHEN t.typelem <> 0 AND t.typlen = -1 AND t.typsubscript = 'array_subscript_handler'::regproc THEN 'a' ELSE t.typtype::text END,
		CASE WHEN t.typtype = 'd' THEN t.typbasetype WHEN t.typtype = 'r' THEN (SELECT r.rngsubtype FROM pg_range r WHERE r.rngtypid = t.oid)
			WHEN t.typtype = 'm' THEN (SELECT r.rngtypid FROM pg_range r WHERE (to_jsonb(r) ->> 'rngmultitypid') = t.oid::text) ELSE t.typelem END,
		CASE WHEN t.typtype = 'd' THEN format_type(t.typbasetype, t.typtypmod) END,
		(SELECT json_agg(e.enumlabel ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = t.oid),
		CASE WHEN t.typtype = 'c' THEN (SELECT json_agg(a.atttypid::text ORDER BY a.attnum) FROM pg_attribute a WHERE a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped) END,
		CASE WHEN t.typtype = 'd' THEN (SELECT json_agg(pg_get_constraintdef(k.oid)) FROM pg_constraint k WHERE k.contypid = t.oid) END, t.oid >= 16384, t.typdelim
	FROM pg_type t WHERE t.typtype <> 'p' AND (t.typtype <> 'c' OR EXISTS (SELECT FROM pg_class c WHERE c.oid = t.typrelid AND c.relkind = 'c'))`,

	`SELECT ` + named("n.nspname", "c.relname") + `, format('%I.%I', n.nspname, c.relname), ` + named("tn.nspname", "t.relname") + `, a.attname, s.seqincrement, s.seqmin, s.seqmax, s.seqstart, s.seqcycle
	FROM pg_sequence s JOIN pg_class c ON c.oid = s.seqrelid JOIN pg_namespace n ON n.oid = c.relnamespace
	LEFT JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.refclassid = 'pg_class'::regclass AND d.deptype IN ('a', 'i') AND d.refobjsubid > 0
	LEFT JOIN pg_class t ON t.oid = d.refobjid LEFT JOIN pg_namespace tn ON tn.oid = t.relnamespace LEFT JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = d.refobjsubid
	WHERE ` + ours("pg_class", "c.oid") + ` ORDER BY 1`,
}

// tables reads the database's catalog.
func (d *database) tables(ctx context.Context) (*tables, error) {
	text := strings.Join(tableQueries, ";\n")
	if d.server.number < 140000 { // arrays are told by the function of their subscripts from then on
		text = strings.ReplaceAll(text, "t.typsubscript = 'array_subscript_handler'::regproc", "t.typcategory = 'A'")
	}
	results, err := d.results(ctx, "SET search_path = pg_catalog; "+text+"; SET search_path = public")
	if err != nil {
		return nil, fmt.Errorf("reading the tables of a scratch database: %w", err)
	}
	if len(results) != len(tableQueries)+2 {
		return nil, fmt.Errorf("reading the tables of a scratch database: %d answers", len(results))
	}
	ts := &tables{byName: map[string]*table{}, byOID: map[string]*table{}, types: map[string]*typ{}}
	for _, r := range texts(results[5]) {
		ts.types[r[0]] = &typ{oid: r[0], name: r[1], kind: r[2], elem: r[3], modified: orEmpty(r[4]), labels: list(r[5]), fields: list(r[6]), checks: list(r[7]), shouldTest: r[8] == "t", delim: r[9]}
	}
	ts.addTables(texts(results[1]))
	for _, r := range texts(results[2]) {
		if t := ts.byOID[r[0]]; t != nil {
			t.columns = append(t.columns, &column{name: r[1], typ: ts.typeOf(r[2], r[3]), written: r[3], notNull: r[4] == "t", def: orEmpty(r[5]), identity: r[6] == "t", computed: r[7] == "t", sequence: r[8] == "t"})
		}
	}
	for _, r := range append(texts(results[3]), texts(results[4])...) {
		if t := ts.byOID[r[0]]; t != nil {
			t.keys = append(t.keys, &key{name: r[1], kind: r[2], columns: list(r[3]), ref: orEmpty(r[4]), far: list(r[5]), text: r[6]})
		}
	}
	for _, r := range texts(results[6]) {
		q := &sequence{name: r[0], sql: r[1], table: orEmpty(r[2]), column: orEmpty(r[3]), cycle: r[8] == "t"}
		for i, into := range []*int64{&q.inc, &q.min, &q.max, &q.start} {
			*into, _ = strconv.ParseInt(r[4+i], 10, 64)
		}
		ts.sequences = append(ts.sequences, q)
	}
	return ts, nil
}

// addTables takes in the tables, and hangs partitions on their parents.
func (ts *tables) addTables(rows [][]string) {
	for _, r := range rows {
		t := &table{oid: r[0], name: r[1], sql: r[2], kind: r[3], forced: r[4] == "t", split: append(list(r[7]), list(r[8])...), bounds: map[string][]string{}}
		ts.all = append(ts.all, t)
		ts.byName[t.name], ts.byOID[t.oid] = t, t
	}
	for i, r := range rows {
		if t := ts.all[i]; r[5] != null {
			if t.parent = ts.byOID[r[5]]; t.parent != nil {
				t.parent.children = append(t.parent.children, t)
			}
		}
	}
	for i, r := range rows {
		t, values := ts.all[i], boundValues(orEmpty(r[6]))
		if t.parent == nil {
			continue
		}
		root := t.root()
		for _, column := range t.parent.split {
			root.bounds[column] = append(root.bounds[column], values...)
		}
	}
}

// boundValues gives the values in FOR VALUES … that belong to the partition: those of TO do not.
func boundValues(bound string) []string {
	from, _, _ := strings.Cut(bound, " TO (")
	if strings.Contains(from, " WITH (") {
		return nil
	}
	return literalsIn(from)
}

// root gives the table through which a partition's rows are written.
func (t *table) root() *table {
	for t.parent != nil {
		t = t.parent
	}
	return t
}

// short gives the type's name without its schema.
func (t *typ) short() string {
	if i := strings.LastIndexByte(t.name, '.'); i >= 0 {
		return t.name[i+1:]
	}
	return t.name
}

func (t *table) column(name string) *column {
	for _, c := range t.columns {
		if c.name == name {
			return c
		}
	}
	return nil
}

func (t *table) key(name string) *key {
	for _, k := range t.keys {
		if k.name == name {
			return k
		}
	}
	for _, child := range t.children { // a partition's index has a name of its own
		if k := child.key(name); k != nil {
			return k
		}
	}
	return nil
}

// typeOf gives a type, and a stand-in for one that is not known.
func (ts *tables) typeOf(oid, name string) *typ {
	if t := ts.types[oid]; t != nil {
		return t
	}
	return &typ{oid: oid, name: name, kind: "b", shouldTest: true}
}

func orEmpty(text string) string {
	if text == null {
		return ""
	}
	return text
}

// list reads a JSON array of texts, or NULL.
func list(text string) []string {
	var out []string
	if text == null || json.Unmarshal([]byte(text), &out) != nil {
		return nil
	}
	return out
}

var (
	quotedText = regexp.MustCompile(`'((?:[^']|'')*)'`)
	plainValue = regexp.MustCompile(`(?:^|[^\w.'])(-?\d+(?:\.\d+)?)\b`)
)

// literalsIn gives the constants in an expression as the server writes it.
func literalsIn(expr string) []string {
	var out []string
	for _, m := range quotedText.FindAllStringSubmatch(expr, -1) {
		text := strings.ReplaceAll(m[1], "''", "'")
		out = append(out, text)
		if strings.HasPrefix(text, "{") && strings.HasSuffix(text, "}") {
			for _, part := range strings.Split(text[1:len(text)-1], ",") {
				out = append(out, strings.Trim(part, `"`))
			}
		}
	}
	for _, m := range plainValue.FindAllStringSubmatch(quotedText.ReplaceAllString(expr, "''"), -1) {
		out = append(out, m[1])
	}
	return out
}

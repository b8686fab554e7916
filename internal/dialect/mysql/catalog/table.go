package catalog

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/altergate/altergate/internal/schema"
)

// tableDef is what a CREATE TABLE, or an ALTER that adds, says.
type tableDef struct {
	columns []*columnDef
	items   []any // keys, foreign keys and checks in their order
	options tableOptions
	parts   *Partitions
	period  [2]string
}

// tableOptions are those whose meaning hangs on others.
type tableOptions struct {
	engine, set, collation string
	at                     token
	comment                *string
	rowFormat              *string
	auto                   uint64
	other                  map[string]string
	versioning             string // add, drop
}

// createTable runs CREATE TABLE.
func (r *reader) createTable() error {
	at := r.here()
	r.want("create")
	replace := r.take("or", "replace")
	if r.take("temporary") {
		return passedOver("CREATE TEMPORARY TABLE")
	}
	r.want("table")
	ifNot := r.take("if", "not", "exists")
	nameAt := r.here()
	name := r.name()
	r.wantName(nameAt, "table", name.Name)
	if r.err != nil {
		return r.err
	}
	if err := r.tableFree(nameAt, name, replace); err != nil {
		if ifNot && r.c.Tables[name.Key()] != nil {
			r.idleMade(nameAt, "table", name)
			return nil
		}
		return err
	}
	t := &Table{Name: name, Pos: r.pos(at.off), Text: strings.TrimSpace(r.src)}
	if r.take("like") || r.is("(", "like") && r.take("(") && r.take("like") {
		return r.createLike(t)
	}
	var d tableDef
	if !r.is("(") {
		r.fail(r.here(), schema.KindUnsupported, "table %s takes its columns from a query, which is not run here; declare the columns", name)
		return r.err
	}
	r.want("(")
	for r.err == nil {
		r.item(&d)
		if !r.take(",") {
			break
		}
	}
	r.want(")")
	r.options(&d.options)
	if r.is("partition", "by") {
		d.parts = r.readPartitions()
		r.options(&d.options)
	}
	if r.err == nil && (r.is("select") || r.is("as") || r.is("ignore") || r.is("replace") || r.is("with")) {
		r.fail(r.here(), schema.KindUnsupported, "table %s takes columns and rows from a query, which is not run here; declare the columns, and take the query away", name)
	}
	r.end()
	if r.err != nil {
		return r.err
	}
	r.buildTable(t, &d)
	if r.err != nil {
		return r.err
	}
	r.c.Tables[name.Key()] = t
	r.c.touched[name.Key()] = true
	return nil
}

// end wants the statement to be over.
func (r *reader) end() {
	if r.err == nil && !r.done() {
		r.fail(r.here(), schema.KindUnsupported, "%s is not understood here; take it away, or report it", excerpt(r.src[r.here().off:]))
	}
}

// tableFree refuses a name that is taken, and one that differs from a table's in nothing but case.
func (r *reader) tableFree(at token, name Name, replace bool) error {
	fail := func(format string, args ...any) error {
		return &schema.Error{Pos: r.pos(at.off), Path: r.path, Kind: schema.KindSchema, Text: fmt.Sprintf(format, args...)}
	}
	c := r.c
	switch key := name.Key(); {
	case c.Tables[key] != nil && replace:
		c.dropTable(key)
	case c.Tables[key] != nil:
		return fail("table %s is there already; drop it first, or give this one another name", name)
	case c.Views[key] != nil:
		return fail("%s is a view; drop it first, or give the table another name", name)
	case c.Sequences[key] != nil:
		return fail("%s is a sequence; drop it first, or give the table another name", name)
	default:
		if len([]rune(name.Name)) > 64 {
			return fail("the table's name %s is longer than 64 characters", excerpt(name.Name))
		}
		if other, ok := c.folded(name); ok {
			c.notice(r.pos(at.off), r.path, "tables %s and %s differ in case alone; they are taken for two, as on a server whose lower_case_table_names is 0", other, name)
		}
	}
	return nil
}

// folded finds another table or view of the same name in another case.
func (c *Catalog) folded(name Name) (Name, bool) {
	for _, n := range c.foldedNames[strings.ToLower(name.Key())] {
		if n != name && (c.Tables[n.Key()] != nil || c.Views[n.Key()] != nil) {
			return n, true
		}
	}
	k := strings.ToLower(name.Key())
	if !slices.Contains(c.foldedNames[k], name) {
		c.foldedNames[k] = append(slices.Clone(c.foldedNames[k]), name)
	}
	return Name{}, false
}

// item reads one column, key, foreign key, check or period.
func (r *reader) item(d *tableDef) {
	at := r.here()
	symbol := ""
	if r.take("constraint") {
		if r.take("if", "not", "exists") {
		}
		if !r.is("primary", "key") && !r.is("unique") && !r.is("foreign", "key") && !r.is("check") {
			symbol = r.ident()
		}
		switch {
		case r.is("foreign", "key"):
			d.items = append(d.items, r.readForeignKey(at, symbol))
			return
		case r.is("primary"), r.is("unique"):
			d.items = append(d.items, r.readKey(at, symbol))
			return
		case !r.is("check"):
			r.failSyntax("PRIMARY KEY, UNIQUE, FOREIGN KEY or CHECK")
			return
		}
	}
	switch {
	case at.kind == tokenQuoted:
	case r.is("check", "("):
		r.next()
		k := &Check{Name: symbol, Given: symbol != "", Pos: r.pos(at.off)}
		r.checkRest(k, at)
		d.items = append(d.items, k)
		return
	case r.is("foreign", "key"):
		d.items = append(d.items, r.readForeignKey(at, ""))
		return
	case r.is("period", "for"):
		r.readPeriod(d)
		return
	case r.isKeyWord():
		if k := r.readKey(at, ""); k != nil {
			d.items = append(d.items, k)
			return
		}
	}
	c := r.readColumn()
	d.columns = append(d.columns, c)
	r.columnItems(d, c)
}

// columnItems puts what stands behind a column among the items.
func (r *reader) columnItems(d *tableDef, c *columnDef) {
	for _, k := range c.keys {
		d.items = append(d.items, k)
	}
	for _, k := range c.checks {
		d.items = append(d.items, k)
	}
	if c.refs == nil {
		return
	}
	// "FOREIGN KEY Constraints", MySQL's manual: inline REFERENCES are parsed and ignored before 9.0. MariaDB takes them from 10.5.
	if r.c.Server.MariaDB || r.c.reads.MySQL(9, 0, 0) {
		d.items = append(d.items, c.refs)
		return
	}
	r.c.notice(c.column.Pos, r.path, "REFERENCES behind column %s is parsed and ignored by %s, and makes no foreign key; write FOREIGN KEY (%s) REFERENCES … instead", c.column.Name, r.c.Server, c.column.Name)
}

// isKeyWord tells whether a key's words come next, and no column of such a name.
func (r *reader) isKeyWord() bool {
	switch strings.ToLower(r.here().text) {
	case "primary", "unique", "key", "index", "fulltext", "spatial":
		return true
	case "vector":
		return r.peek(1).kind == tokenWord && (strings.EqualFold(r.peek(1).text, "index") || strings.EqualFold(r.peek(1).text, "key"))
	}
	return false
}

// readPeriod reads PERIOD FOR SYSTEM_TIME (a, b), or a period of the application's.
func (r *reader) readPeriod(d *tableDef) {
	at := r.here()
	r.want("period", "for")
	name := r.ident()
	r.want("(")
	columns := r.names()
	if len(columns) != 2 || !strings.EqualFold(name, "system_time") {
		r.fail(at, schema.KindUnsupported, "the period %s is not understood; only PERIOD FOR SYSTEM_TIME is", name)
		return
	}
	d.period = [2]string{columns[0], columns[1]}
}

// options reads table options.
func (r *reader) options(o *tableOptions) {
	for r.err == nil {
		r.take(",")
		if !r.option(o) {
			return
		}
	}
}

// option reads one table option; false = none comes.
func (r *reader) option(o *tableOptions) bool {
	if r.is("algorithm") || r.is("lock") { // clauses of an ALTER, with an = as options have it
		return false
	}
	at := r.here()
	set := func(name, value string) {
		if o.other == nil {
			o.other = map[string]string{}
		}
		o.other[strings.ToUpper(name)] = value
	}
	switch {
	case r.take("engine"), r.take("type"), r.take("storage", "engine"):
		r.take("=")
		o.engine = r.word()
	case r.take("default", "character", "set"), r.take("default", "charset"), r.take("character", "set"), r.take("charset"), r.take("default", "char", "set"), r.take("char", "set"):
		r.take("=")
		o.at = r.here()
		o.set = r.charsetWord()
	case r.take("default", "collate"), r.take("collate"):
		r.take("=")
		o.at = r.here()
		o.collation = r.collationWord()
	case r.take("auto_increment"):
		r.take("=")
		o.auto = r.number()
	case r.take("comment"):
		r.take("=")
		text := r.text()
		o.comment = &text
	case r.take("row_format"):
		r.take("=")
		text := strings.ToUpper(r.word())
		if text == "DEFAULT" {
			text = ""
		}
		o.rowFormat = &text
	case r.take("data", "directory"):
		r.take("=")
		set("DATA DIRECTORY", r.word())
	case r.take("index", "directory"):
		r.take("=")
		set("INDEX DIRECTORY", r.word())
	case r.take("tablespace"):
		set("TABLESPACE", r.tablespace())
	case r.take("union"):
		set("UNION", r.unionOf())
	case r.take("with", "system", "versioning"), r.take("add", "system", "versioning"):
		o.versioning = "add"
	case r.take("start", "transaction"):
	default:
		return r.plainOption(set) && r.err == nil
	}
	return r.err == nil && r.here() != at
}

// engines are the names of engines as they are printed.
var engines = map[string]string{"innodb": "InnoDB", "myisam": "MyISAM", "aria": "Aria", "memory": "MEMORY", "heap": "MEMORY", "csv": "CSV", "archive": "ARCHIVE",
	"blackhole": "BLACKHOLE", "federated": "FEDERATED", "merge": "MRG_MyISAM", "mrg_myisam": "MRG_MyISAM", "rocksdb": "ROCKSDB", "ndb": "ndbcluster", "ndbcluster": "ndbcluster",
	"columnstore": "Columnstore", "spider": "SPIDER", "connect": "CONNECT", "s3": "S3", "sequence": "SEQUENCE", "mroonga": "Mroonga"}

func engineName(word string) string {
	if e, ok := engines[strings.ToLower(word)]; ok {
		return e
	}
	return word
}

// applyOptions takes options into a table.
func (r *reader) applyOptions(t *Table, o *tableOptions, inheritedSet, inheritedCollation string) {
	if o.engine != "" {
		t.Engine = engineName(o.engine)
	}
	if o.set != "" || o.collation != "" {
		var ok bool
		t.Charset, t.Collation, ok = r.c.settleCharset(o.set, o.collation, inheritedSet, inheritedCollation)
		if !ok {
			r.fail(o.at, schema.KindSchema, "the collation %s is none of the character set %s; name one that is", o.collation, o.set)
		}
		t.Stated = true
	}
	if o.comment != nil {
		t.Comment = *o.comment
	}
	if o.rowFormat != nil {
		t.RowFormat = *o.rowFormat
		if t.RowFormat == "DYNAMIC" && strings.EqualFold(t.Engine, "innodb") {
			t.RowFormat = "" // innodb_default_row_format, of every server that is known here
		}
	}
	if o.auto > 0 {
		t.AutoIncrement = o.auto
	}
	for name, value := range o.other {
		if value == "" {
			delete(t.Options, name)
			continue
		}
		if t.Options == nil {
			t.Options = map[string]string{}
		}
		t.Options[name] = value
	}
	if t.Engine == "Aria" && t.Options["PAGE_CHECKSUM"] == "" {
		if t.Options == nil {
			t.Options = map[string]string{}
		}
		t.Options["PAGE_CHECKSUM"] = "1" // aria_page_checksum is on by default
	}
	if o.versioning == "add" && t.Versioned == nil {
		t.Versioned = &Versioning{Canon: "with system versioning"}
	}
}

// buildTable makes a table of its definition.
func (r *reader) buildTable(t *Table, d *tableDef) {
	t.Engine = engineName(orElse(r.c.session.engine, "InnoDB"))
	db := r.c.database(t.Name.Database)
	t.Charset, t.Collation = db.Charset, db.Collation
	t.Stated = db.stated
	if _, said := d.options.other["ENCRYPTION"]; db.Encryption != "" && !said {
		t.Options = map[string]string{"ENCRYPTION": db.Encryption}
	}
	r.applyOptions(t, &d.options, t.Charset, t.Collation)
	first := true
	for _, c := range d.columns {
		if t.Column(c.column.Name) != nil {
			r.fail(c.said.at, schema.KindSchema, "table %s has two columns %s; give one of them another name", t.Name, c.column.Name)
			return
		}
		r.settleColumn(c, t, first)
		if c.column.Type.Base == "timestamp" {
			first = false
		}
		t.Columns = append(t.Columns, c.column)
	}
	r.versionColumns(t)
	if t.Versioned != nil {
		t.Versioned.Start, t.Versioned.End = d.period[0], d.period[1]
		if d.period[0] != "" {
			t.Versioned.Canon += " period (" + lowered(d.period[:]) + ")"
		}
	}
	if len(t.Columns) == 0 && r.err == nil {
		r.fail(r.here(), schema.KindSchema, "table %s has no columns", t.Name)
	}
	number := 0
	r.addItems(t, d.items, &number)
	t.Partitions = d.parts
	r.settleTable(t)
}

// addItems puts keys, foreign keys and checks into a table, in their order.
func (r *reader) addItems(t *Table, items []any, number *int) {
	var late []*Check
	served := r.servedKeys(t, items)
	for _, item := range items {
		if r.err != nil {
			return
		}
		switch x := item.(type) {
		case *Key:
			if _, absent := x.Options["IF NOT EXISTS"]; absent && x.Name != "" && t.Key(x.Name) != nil {
				r.idlePart("index", t, x.Name, "")
				continue
			}
			r.addKey(t, x)
		case *ForeignKey:
			if x.absent && x.Name != "" && t.ForeignKey(x.Name) != nil {
				r.idlePart("foreign key", t, x.Name, "")
				continue
			}
			x.unchecked = r.c.session.unchecked
			r.addForeignKey(t, x, number, served[x])
		case *Check:
			late = append(late, x)
		}
	}
	for _, k := range late {
		if r.err == nil {
			r.addCheck(t, k)
		}
	}
}

// settleTable does what the server does at the end of every CREATE and ALTER TABLE, and refuses what it refuses there.
func (r *reader) settleTable(t *Table) {
	if r.err != nil {
		return
	}
	t.dropServed()
	if !slices.ContainsFunc(t.Columns, func(c *Column) bool { return !c.Invisible }) {
		r.keep(&schema.Error{Pos: t.Pos, Path: r.path, Kind: schema.KindSchema, Text: fmt.Sprintf("every column of table %s is invisible; show one", t.Name)})
	}
	for _, k := range t.Keys {
		r.checkLength(t, k)
	}
	later := map[string]bool{}
	for _, c := range t.Columns {
		later[columnKey(c.Name)] = c.Generated != nil
	}
	for _, c := range t.Columns {
		if c.Generated != nil {
			// Both servers want what a generated column is computed from to stand before it, if that is generated too.
			for _, name := range c.Generated.Expr.Columns {
				if later[name] {
					r.keep(&schema.Error{Pos: c.Pos, Path: r.path, Kind: schema.KindSchema, Text: fmt.Sprintf("the generated column %s is computed from %s, which is generated too and stands behind it; put that before", c.Name, name)})
				}
			}
		}
		later[columnKey(c.Name)] = false
		var e *Expr
		what := "the default"
		switch {
		case c.Generated != nil:
			e, what = &c.Generated.Expr, "the expression"
		case c.Default != nil:
			e = c.Default.Expr
		}
		r.wantColumns(t, e, c.Pos, what+" of column "+c.Name)
	}
	for _, k := range t.Checks {
		r.wantColumns(t, &k.Expr, k.Pos, "the check "+orElse(k.Name, "of column "+k.Column))
	}
	if t.Partitions != nil {
		for _, e := range t.Partitions.exprs {
			r.wantColumns(t, e, t.Pos, "PARTITION BY")
		}
		for _, name := range t.Partitions.columns {
			if t.Column(name) == nil {
				r.keep(&schema.Error{Pos: t.Pos, Path: r.path, Kind: schema.KindSchema, Text: fmt.Sprintf("PARTITION BY names column %s, which table %s does not have", name, t.Name)})
			}
		}
	}
	r.partitionsAscend(t)
	r.checkAuto(t)
	r.checkLimits(t)
}

// wantColumns refuses an expression that names a column that is not there.
func (r *reader) wantColumns(t *Table, e *Expr, at schema.Pos, what string) {
	if e == nil || e.tree == nil || e.tree.op == "raw" {
		return
	}
	for _, name := range e.Columns {
		if t.Column(name) == nil {
			r.keep(&schema.Error{Pos: at, Path: r.path, Kind: schema.KindSchema, Text: fmt.Sprintf("%s names column %s, which table %s does not have", what, name, t.Name)})
			return
		}
	}
}

// addCheck names a check and puts it into the table.
func (r *reader) addCheck(t *Table, k *Check) {
	if !r.c.Server.MariaDB && !r.c.reads.MySQL(8, 0, 16) {
		return
	}
	refuse := func(format string, args ...any) {
		r.keep(&schema.Error{Pos: k.Pos, Path: r.path, Kind: schema.KindSchema, Text: fmt.Sprintf(format, args...)})
	}
	if k.Column != "" && r.c.Server.MariaDB {
		t.Checks = append(t.Checks, k)
		return
	}
	if k.Name == "" {
		k.Name = r.c.checkName(t)
	}
	if t.Check(k.Name) != nil {
		refuse("table %s has a check %s already; give one of them another name", t.Name, k.Name)
		return
	}
	t.Checks = append(t.Checks, k)
}

// checkName makes the name of a check that has none. MySQL counts on from the highest ("CHECK Constraints", its manual); MariaDB takes the
// first that is free.
func (c *Catalog) checkName(t *Table) string {
	if c.Server.MariaDB {
		for n := 1; ; n++ {
			if name := fmt.Sprintf("CONSTRAINT_%d", n); t.Check(name) == nil {
				return name
			}
		}
	}
	highest := 0
	for _, k := range t.Checks {
		if rest, ok := strings.CutPrefix(strings.ToLower(k.Name), strings.ToLower(t.Name.Name)+"_chk_"); ok {
			if n, err := strconv.Atoi(rest); err == nil {
				highest = max(highest, n)
			}
		}
	}
	return fmt.Sprintf("%s_chk_%d", t.Name.Name, highest+1)
}

// createLike runs CREATE TABLE … LIKE: columns, keys and checks come along, foreign keys and the counter do not.
func (r *reader) createLike(t *Table) error {
	at := r.here()
	from := r.name()
	r.take(")")
	r.end()
	if r.err != nil {
		return r.err
	}
	of := r.c.Tables[from.Key()]
	if of == nil {
		return r.missing(at, "table %s is made like %s, which is not there; declare that first", t.Name, from)
	}
	name, pos, text := t.Name, t.Pos, t.Text
	*t = *of.clone()
	t.Name, t.Pos, t.Text, t.ForeignKeys, t.AutoIncrement = name, pos, text, nil, 0
	for _, k := range t.Keys {
		k.Implied = false
	}
	if !r.c.Server.MariaDB {
		for i, k := range t.Checks {
			// "CREATE TABLE ... LIKE Statement", MySQL's manual: checks get names that are made.
			k.Name, k.Given = fmt.Sprintf("%s_chk_%d", name.Name, i+1), false
		}
	}
	r.c.Tables[name.Key()] = t
	r.c.touched[name.Key()] = true
	return nil
}

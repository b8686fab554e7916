package catalog

import (
	"fmt"
	"strings"

	"github.com/altergate/altergate/internal/schema"
)

// columnDef is a column's definition as it is read: what hangs on the table is settled later.
type columnDef struct {
	column  *Column
	said    said
	literal *literal // of the default
	keys    []*Key   // PRIMARY KEY, UNIQUE behind the column
	refs    *ForeignKey
	checks  []*Check
	first   bool
	after   string // the column that it is put behind
	afterAt token
	absent  bool // ADD COLUMN IF NOT EXISTS, or IF EXISTS of a change
	old     string
	oldAt   token
}

// literal is a default value as it is written.
type literal struct {
	kind  tokenKind
	value string
	minus bool
	text  string
}

// columnKey is what two names of one column have in common: case does not count ("Identifier Case Sensitivity", MySQL's manual).
func columnKey(name string) string { return strings.ToLower(name) }

// readColumn reads a column's name and definition.
func (r *reader) readColumn() *columnDef {
	at := r.here()
	d := &columnDef{column: &Column{Name: r.ident(), Pos: r.pos(at.off)}}
	if len(d.column.Name) > 64*4 || len([]rune(d.column.Name)) > 64 {
		r.fail(at, schema.KindSchema, "the column's name %s is longer than 64 characters", excerpt(d.column.Name))
	}
	r.wantName(at, "column", d.column.Name)
	d.said.at = at
	r.columnRest(d)
	d.column.Text = r.since(at.off)
	return d
}

// columnRest reads a column's type and attributes.
func (r *reader) columnRest(d *columnDef) {
	c := d.column
	c.Type = r.readType(&d.said)
	if d.said.serial {
		c.NotNull, c.AutoIncrement = true, true
		d.keys = append(d.keys, r.columnKey(d, Unique))
	}
	for r.err == nil && r.attribute(d) {
	}
	c.Text = ""
	if d.said.json {
		d.checks = append(d.checks, r.jsonCheck(d))
	}
}

// jsonCheck makes the check that JSON brings along on MariaDB, unless the definition has one: a check behind a column replaces it.
func (r *reader) jsonCheck(d *columnDef) *Check {
	name := d.column.Name
	text := "json_valid(" + Quote(name) + ")"
	if len(d.checks) > 0 {
		k := d.checks[0]
		d.checks = nil
		return k
	}
	off := len("json_valid(")
	tree := call("json_valid", &node{op: "col", text: name, off: off, end: off + len(Quote(name))})
	return &Check{Column: name, Expr: *newExpr(text, tree, 0, r.mode), Pos: d.column.Pos}
}

func (r *reader) columnKey(d *columnDef, kind KeyKind) *Key {
	return &Key{Kind: kind, Parts: []KeyPart{{Column: d.column.Name}}, Pos: d.column.Pos, Text: map[KeyKind]string{Primary: "PRIMARY KEY (", Unique: "UNIQUE KEY ("}[kind] + Quote(d.column.Name) + ")"}
}

// attribute reads one attribute; false = none comes.
func (r *reader) attribute(d *columnDef) bool {
	c := d.column
	at := r.here()
	switch {
	case r.take("not", "null"):
		c.NotNull, d.said.null = true, false
		if r.take("enable") {
			return true
		}
	case r.take("null"):
		c.NotNull, d.said.null = false, true
	case r.take("default"):
		r.readDefault(d)
	case r.take("on", "update"):
		c.OnUpdate = r.now()
		if c.OnUpdate == "" {
			r.failSyntax("CURRENT_TIMESTAMP")
		}
	case r.take("auto_increment"):
		c.AutoIncrement, c.NotNull = true, true
	case r.take("serial", "default", "value"):
		c.AutoIncrement, c.NotNull = true, true
		d.keys = append(d.keys, r.columnKey(d, Unique))
	case r.take("primary", "key"), r.take("primary"), r.take("key"):
		c.NotNull = true
		d.keys = append(d.keys, r.columnKey(d, Primary))
	case r.take("unique"):
		r.take("key")
		d.keys = append(d.keys, r.columnKey(d, Unique))
	case r.take("comment"):
		c.Comment = r.text()
	case r.take("collate"):
		d.said.at = r.here()
		d.said.collation = r.collationWord()
	case r.take("character", "set"), r.take("charset"):
		d.said.at = r.here()
		d.said.set = r.charsetWord()
	case r.take("binary"):
		d.said.binary = true
	case r.is("generated"), r.is("as"):
		r.generated(d)
	case r.take("virtual"):
		r.setStored(d, at, false)
	case r.take("stored"), r.take("persistent"):
		r.setStored(d, at, true)
	case r.take("invisible"):
		c.Invisible = true
	case r.take("visible"):
		c.Invisible = false
	case r.take("srid"):
		c.SRID = r.word()
	case r.take("ref_system_id"):
		r.want("=")
		c.SRID = r.word()
	case r.is("column_format"), r.is("storage"), r.is("engine_attribute"), r.is("secondary_engine_attribute"):
		name := strings.ToUpper(r.next().text)
		r.take("=")
		c.option(name, r.optionValue(name))
	case r.take("compressed"):
		method := ""
		if r.take("=") {
			method = strings.ToLower(r.word())
		}
		c.flag("COMPRESSED", method)
	case r.take("without", "system", "versioning"):
		c.flag(WithoutVersioning, "")
	case r.take("with", "system", "versioning"):
		c.flag(WithVersioning, "")
	case r.take("references"):
		d.refs = &ForeignKey{Columns: []string{c.Name}, Pos: c.Pos}
		r.references(d.refs)
		d.refs.Text = "FOREIGN KEY (" + Quote(c.Name) + ") " + r.since(at.off)
	case r.is("constraint"), r.is("check"):
		return r.columnConstraint(d, at)
	case r.c.Server.MariaDB && r.columnOption(c):
	default:
		return false
	}
	return r.err == nil
}

// columnOption reads an option that some engine may know: name=value.
func (r *reader) columnOption(c *Column) bool {
	if !r.isName() || !(r.peek(1).kind == tokenOp && r.peek(1).text == "=") {
		return false
	}
	name := strings.ToUpper(r.ident())
	r.next()
	c.option(name, r.optionValue(name))
	return true
}

// option notes an option; one without a value is as if it were not there.
func (c *Column) option(name, value string) {
	if value != "" {
		c.flag(name, value)
	}
}

// flag notes what counts without a value, too.
func (c *Column) flag(name, value string) {
	if c.Options == nil {
		c.Options = map[string]string{}
	}
	c.Options[name] = value
}

// columnConstraint reads [CONSTRAINT [name]] CHECK (…) behind a column.
func (r *reader) columnConstraint(d *columnDef, at token) bool {
	k := &Check{Pos: r.pos(at.off)}
	if r.take("constraint") {
		if !r.is("check") && !r.is("primary") && !r.is("unique") && !r.is("references") {
			k.Name, k.Given = r.ident(), true
		}
	}
	if !r.take("check") {
		return r.err == nil
	}
	r.checkRest(k, at)
	if r.c.Server.MariaDB {
		k.Column, k.Name, k.Given = d.column.Name, "", false
	}
	d.checks = append(d.checks, k)
	return r.err == nil
}

// checkRest reads a check after its word.
func (r *reader) checkRest(k *Check, at token) {
	r.want("(")
	k.Expr = *r.expression()
	switch {
	case r.take("not", "enforced"):
		k.NotEnforced = true
	case r.take("enforced"):
	}
	k.Text = r.since(at.off)
	if !r.c.Server.MariaDB && !r.c.reads.MySQL(8, 0, 16) {
		// "CREATE TABLE Statement", MySQL 5.7's manual: the CHECK clause is parsed but ignored by all storage engines.
		r.c.notice(k.Pos, r.path, "this CHECK is parsed and ignored by %s, and is left out here", r.c.Server)
	}
}

// generated reads [GENERATED ALWAYS] AS (…), or a column of a period of system time.
func (r *reader) generated(d *columnDef) {
	if r.take("generated") {
		switch {
		case r.take("always"):
		default:
			r.failSyntax("ALWAYS")
		}
	}
	r.want("as")
	if r.take("row") {
		side := r.takeAny("start", "end")
		if side == "" {
			r.failSyntax("START or END")
		}
		d.column.option("AS ROW", strings.ToUpper(side))
		d.column.NotNull = true
		r.take("hidden")
		return
	}
	r.want("(")
	d.column.Generated = &Generated{Expr: *r.expression()}
	if !d.said.null {
		d.column.NotNull = d.column.NotNull || false
	}
}

func (r *reader) setStored(d *columnDef, at token, stored bool) {
	if d.column.Generated == nil {
		r.fail(at, schema.KindSyntax, "%s belongs to a generated column; say AS (…) before it", excerpt(at.text))
		return
	}
	d.column.Generated.Stored = stored
}

// now reads the current time in any of its spellings; empty = something else comes.
func (r *reader) now() string {
	start := r.i
	if r.takeAny("current_timestamp", "now", "localtime", "localtimestamp") == "" {
		return ""
	}
	word := r.list[start].text
	digits := ""
	if r.take("(") {
		if !r.is(")") {
			digits = r.word()
		}
		r.want(")")
	} else if strings.EqualFold(word, "now") {
		r.i = start
		return ""
	}
	if digits == "" || digits == "0" {
		return "current_timestamp"
	}
	return "current_timestamp(" + digits + ")"
}

// readDefault reads what follows DEFAULT.
func (r *reader) readDefault(d *columnDef) {
	off := r.here().off
	c := d.column
	d.literal = nil
	start := r.i
	switch now := r.now(); {
	case now != "":
		c.Default = &Default{Now: now}
	case r.take("null"):
		c.Default = &Default{Null: true}
	case r.take("("):
		e := r.expression()
		c.Default = &Default{Expr: e}
		if r.c.Server.MariaDB {
			r.foldDefault(d, e)
		}
	default:
		if l := r.readLiteral(); l != nil {
			c.Default, d.literal = &Default{}, l
			break
		}
		r.i = start
		if !r.c.Server.MariaDB {
			r.failSyntax("a value, or an expression in parentheses,")
			return
		}
		c.Default = &Default{Expr: r.bareExpression()}
	}
	c.Default.AsIfText = r.since(off)
}

// foldDefault takes DEFAULT (5) for DEFAULT 5, as MariaDB does; to MySQL it is an expression.
func (r *reader) foldDefault(d *columnDef, e *Expr) {
	n := e.tree
	l := &literal{text: e.Text}
	switch {
	case n.op == "num":
		l.kind, l.value, l.minus = tokenNumber, strings.TrimPrefix(n.text, "-"), strings.HasPrefix(n.text, "-")
	case n.op == "str":
		l.kind, l.value = tokenString, n.text
	case n.op == "hex":
		l.kind, l.value = tokenHex, n.text
	case n.op == "word" && n.text == "null":
		d.column.Default = &Default{Null: true}
		return
	case n.op == "func" && n.text == "current_timestamp":
		d.column.Default = &Default{Now: "current_timestamp"}
		if len(n.kids) == 1 {
			d.column.Default.Now = "current_timestamp(" + n.kids[0].text + ")"
		}
		return
	default:
		return
	}
	d.column.Default, d.literal = &Default{}, l
}

// readLiteral reads a constant; nil = something else comes.
func (r *reader) readLiteral() *literal {
	off := r.here().off
	minus := false
	for r.is("-") || r.is("+") {
		minus = minus != (r.next().text == "-")
	}
	t := r.here()
	l := &literal{kind: t.kind, value: t.value, minus: minus}
	switch t.kind {
	case tokenNumber, tokenHex, tokenBit:
		r.next()
	case tokenString:
		l.value = r.text()
	case tokenWord:
		switch w := strings.ToLower(t.text); {
		case w == "true":
			l.kind, l.value = tokenNumber, "1"
		case w == "false":
			l.kind, l.value = tokenNumber, "0"
		case strings.HasPrefix(w, "_") && charsets[charsetName(w[1:])].most > 0, (w == "date" || w == "time" || w == "timestamp") && r.peek(1).kind == tokenString:
			r.next()
			u := r.here()
			l.kind, l.value = u.kind, u.value
			if u.kind == tokenString {
				l.value = r.text()
				r.i--
			}
		default:
			return nil
		}
		r.next()
	default:
		return nil
	}
	if op, level := (&exprReader{reader: r}).level(); op != "" && level > 0 {
		return nil
	}
	l.text = r.since(off)
	return l
}

// settleColumn gives a column what it inherits, and its default the form that the server prints.
func (r *reader) settleColumn(d *columnDef, t *Table, firstTimestamp bool) {
	c := d.column
	if r.err != nil {
		return
	}
	if isText(c.Type.Base) || d.said.long || c.Type.Base == "varbinary" || c.Type.Base == "binary" {
		r.settleType(&c.Type, &d.said, t.Charset, t.Collation)
	}
	if c.Type.Base == "timestamp" && c.Generated == nil && c.Options["AS ROW"] == "" && !r.c.explicitTimestamps() {
		impliedTimestamp(d, firstTimestamp)
	}
	if c.OnUpdate != "" && c.NotNull && c.Default == nil && (c.Type.Base == "timestamp" || c.Type.Base == "datetime") {
		// "Automatic Initialization and Updating for TIMESTAMP and DATETIME": the default is 0. MariaDB shows it, and takes it unsaid where
		// sql_mode would refuse it.
		d.literal = &literal{kind: tokenString, value: "0000-00-00 00:00:00"}
		c.Default = &Default{Implied: true}
	}
	if c.SRID == "0" && r.c.Server.MariaDB {
		c.SRID = ""
	}
	r.checkColumn(d)
	switch {
	case d.literal != nil:
		r.settleLiteral(d)
	case c.Default != nil && c.Default.Now != "":
		if c.Type.Base != "timestamp" && c.Type.Base != "datetime" {
			c.Default.Expr = newExpr("current_timestamp()", call("current_timestamp"), 0, r.mode)
			c.Default.Now = ""
			if !r.c.Server.MariaDB {
				r.fail(d.said.at, schema.KindSchema, "the default of %s is the current time, which only datetime and timestamp take without parentheses", c.Name)
			}
			break
		}
		c.Default.Now = r.precision(d, c.Default.Now)
	case c.Default == nil && !c.NotNull && c.Generated == nil:
		c.Default = &Default{Null: true, Implied: true}
	case c.Default != nil && c.Default.Null && c.NotNull:
		r.nullDefault(d)
	}
	if c.OnUpdate != "" {
		c.OnUpdate = r.precision(d, c.OnUpdate)
	}
}

// nullDefault is DEFAULT NULL of a column that takes none: an error, but to MariaDB where the primary key alone says so.
func (r *reader) nullDefault(d *columnDef) {
	r.fail(d.said.at, schema.KindSchema, "column %s is NOT NULL and has DEFAULT NULL; take one of them away", d.column.Name)
}

// precision gives the current time the digits that the column has: MariaDB raises them, MySQL wants them to be the same.
func (r *reader) precision(d *columnDef, now string) string {
	want := "current_timestamp"
	if n := d.column.Type.Decimals; n > 0 {
		want = fmt.Sprintf("current_timestamp(%d)", n)
	}
	if now != want && !r.c.Server.MariaDB {
		r.fail(d.said.at, schema.KindSchema, "column %s has %s where its type has other digits of a second; write %s", d.column.Name, now, want)
	}
	return want
}

// impliedTimestamp gives a TIMESTAMP what it has by itself without explicit_defaults_for_timestamp ("Automatic Initialization and Updating
// for TIMESTAMP and DATETIME", MySQL's manual): not null unless NULL is said, the first one of a table the current time, the others zero.
func impliedTimestamp(d *columnDef, first bool) {
	c := d.column
	if d.said.null {
		return
	}
	c.NotNull = true
	if c.Default != nil && c.Default.Null {
		c.Default = nil
	}
	if c.Default != nil || c.OnUpdate != "" {
		return
	}
	if first {
		c.OnUpdate = "current_timestamp"
		if c.Type.Decimals > 0 {
			c.OnUpdate = fmt.Sprintf("current_timestamp(%d)", c.Type.Decimals)
		}
		c.Default = &Default{Now: c.OnUpdate, AsIfText: strings.ToUpper(c.OnUpdate)}
		return
	}
	d.literal = &literal{kind: tokenString, value: "0000-00-00 00:00:00"}
	c.Default = &Default{AsIfText: "'0000-00-00 00:00:00'"}
}

// checkColumn refuses what the server refuses of a column.
func (r *reader) checkColumn(d *columnDef) {
	c := d.column
	refuse := func(format string, args ...any) { r.fail(d.said.at, schema.KindSchema, format, args...) }
	maria := r.c.Server.MariaDB
	switch {
	case c.Generated != nil && (c.Default != nil || c.AutoIncrement || c.OnUpdate != ""):
		refuse("column %s is generated and has a default, ON UPDATE or AUTO_INCREMENT too; take it away", c.Name)
	case c.Generated != nil && maria && c.NotNull && len(d.keys) == 0:
		refuse("column %s is generated, and MariaDB takes no NOT NULL with that; take it away", c.Name)
	case c.AutoIncrement && widths[c.Type.Base] == 0 && c.Type.Base != "float" && c.Type.Base != "double":
		refuse("column %s is AUTO_INCREMENT and is no number; use an integer type", c.Name)
	case c.AutoIncrement && c.Default != nil:
		refuse("column %s is AUTO_INCREMENT and has a default; take the default away", c.Name)
	case c.OnUpdate != "" && c.Type.Base != "timestamp" && c.Type.Base != "datetime":
		refuse("column %s has ON UPDATE and is no datetime or timestamp", c.Name)
	case d.said.collation != "" && !isText(c.Type.Base) && !c.Type.Binary() && c.Type.Base != "json":
		// The servers take it and forget it.
	case c.Default != nil && (d.literal != nil) && !maria && (strings.HasSuffix(c.Type.Base, "text") || strings.HasSuffix(c.Type.Base, "blob") || c.Type.Base == "json" || isSpatial(c.Type.Base)):
		refuse("column %s: MySQL takes no literal default for %s; from 8.0.13 write it in parentheses: DEFAULT (…)", c.Name, c.Type.Base)
	case c.Default != nil && c.Default.Expr != nil && !maria && !r.c.reads.MySQL(8, 0, 13):
		refuse("column %s: %s takes no expression for a default; that came with MySQL 8.0.13", c.Name, r.c.Server)
	case c.Invisible && !maria && !r.c.reads.MySQL(8, 0, 23):
		refuse("column %s: %s has no invisible columns; they came with MySQL 8.0.23", c.Name, r.c.Server)
	}
}

func isSpatial(base string) bool {
	switch base {
	case "geometry", "point", "linestring", "polygon", "multipoint", "multilinestring", "multipolygon", "geometrycollection":
		return true
	}
	return false
}

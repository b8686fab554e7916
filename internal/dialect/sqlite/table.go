package sqlite

import (
	"sort"
	"strings"

	"github.com/altergate/altergate/internal/schema"
)

// locate turns a byte offset in a statement's text into a place in the author's file.
type locate func(offset int) schema.Pos

func nowhere(int) schema.Pos { return schema.Pos{} }

// tableParser reads one CREATE TABLE statement.
type tableParser struct {
	*parser
	at    locate
	table *schema.Table
	known scope // the table's own columns
	keys  map[string]bool
	// What needs the names of all columns waits until they are read: expressions first, then the forms they are part of.
	expressions, forms []func()
}

// parseTable reads a CREATE TABLE statement. A table made by CREATE TABLE … AS has no definitions to read: the engine writes
// them out, and the catalog's text is read instead.
func parseTable(src string, at locate) (*schema.Table, error) {
	p := &tableParser{parser: newParser(src), at: at, table: &schema.Table{Text: src, Pos: at(0)}, keys: map[string]bool{}}
	p.known = columnsOf(p.keys)
	if err := p.header(); err != nil {
		return nil, err
	}
	if err := p.definitions(); err != nil {
		return nil, err
	}
	if err := p.options(); err != nil {
		return nil, err
	}
	for _, f := range append(p.expressions, p.forms...) {
		f()
	}
	p.finish()
	return p.table, nil
}

func (p *tableParser) header() error {
	p.take("CREATE")
	if !p.take("TABLE") {
		return &parseError{p.peek(), "`TABLE`"}
	}
	p.take("IF", "NOT", "EXISTS")
	name, err := p.qualifiedName()
	p.table.Name, p.table.Key = name, fold(name)
	return err
}

func (p *tableParser) definitions() error {
	if err := p.expect("("); err != nil {
		return err
	}
	for !p.startsTableConstraint() {
		if err := p.column(); err != nil {
			return err
		}
		if !p.take(",") {
			break
		}
	}
	for !p.peek().is(")") {
		if err := p.tableConstraint(); err != nil {
			return err
		}
		p.take(",") // SQLite needs no comma between table constraints
	}
	return p.expect(")")
}

func (p *tableParser) startsTableConstraint() bool {
	t := p.peek()
	return t.is("CONSTRAINT") || t.is("PRIMARY") || t.is("UNIQUE") || t.is("CHECK") || t.is("FOREIGN")
}

func (p *tableParser) options() error {
	for !p.done() {
		switch {
		case p.take("WITHOUT", "ROWID"):
			p.table.Options = append(p.table.Options, withoutRowid)
		case p.take("STRICT"):
			p.table.Options = append(p.table.Options, strict)
		case p.take(","):
		default:
			return &parseError{p.peek(), "a table option"}
		}
	}
	sort.Strings(p.table.Options)
	return nil
}

// The canonical table options.
const (
	strict       = "strict"
	withoutRowid = "without rowid"
)

// startsColumnConstraint tells whether a column's type ends here.
func (p *tableParser) startsColumnConstraint() bool {
	t := p.peek()
	if t.kind != word {
		return t.kind != quoted && t.kind != text
	}
	for _, w := range [...]string{"CONSTRAINT", "DEFAULT", "NULL", "NOT", "PRIMARY", "UNIQUE", "CHECK", "REFERENCES", "COLLATE", "AS", "DEFERRABLE"} {
		if t.is(w) {
			return true
		}
	}
	return t.is("GENERATED") && p.peekAt(1).is("ALWAYS")
}

// columnParts are the pieces of a column's canonical form.
type columnParts struct {
	notNull, deflt, generated string
}

func (p *tableParser) column() error {
	start := p.i
	name, err := p.name()
	if err != nil {
		return err
	}
	c := &schema.Column{Name: name, Key: fold(name), Pos: p.at(p.tokens[start].start)}
	p.keys[c.Key] = true
	if err := p.columnType(c); err != nil {
		return err
	}
	parts := &columnParts{}
	for !p.peek().is(",") && !p.peek().is(")") {
		if err := p.columnConstraint(c, parts); err != nil {
			return err
		}
	}
	c.Text = withoutComments(p.since(start))
	p.table.Columns = append(p.table.Columns, c)
	p.forms = append(p.forms, func() {
		c.Canon = strings.Join(nonEmpty(canonicalName(c.Name), c.TypeCanon, parts.notNull, parts.deflt, collate(c.Collation), parts.generated), " ")
	})
	return nil
}

func (p *tableParser) columnType(c *schema.Column) error {
	start := p.i
	var canon strings.Builder
	for !p.startsColumnConstraint() {
		if canon.Len() > 0 {
			canon.WriteByte(' ')
		}
		canon.WriteString(fold(p.peek().name()))
		p.i++
	}
	if p.peek().is("(") && p.i > start {
		inner, err := p.group()
		if err != nil {
			return err
		}
		canon.WriteByte('(')
		for _, t := range inner {
			canon.WriteString(fold(t.text))
		}
		canon.WriteByte(')')
	}
	c.Type, c.TypeCanon = p.since(start), canon.String()
	if p.i > start && p.tokens[start].kind != word {
		// SQLite takes the quotes off the text of a type, and with them all that comes behind the closing one.
		c.Type = p.tokens[start].name()
		c.TypeCanon = fold(c.Type)
	}
	return nil
}

func (p *tableParser) columnConstraint(c *schema.Column, parts *columnParts) error {
	start := p.i
	name := ""
	if p.take("CONSTRAINT") {
		var err error
		if name, err = p.name(); err != nil {
			return err
		}
		if t := p.peek(); t.is(",") || t.is(")") || t.is("CONSTRAINT") {
			return nil // a name without a constraint: SQLite takes it and drops it
		}
	}
	switch {
	case p.take("DEFAULT"):
		return p.defaultValue(c, parts, name)
	case p.take("NULL"):
		p.onConflict()
		return nil
	case p.take("NOT", "NULL"):
		c.NotNull = true
		parts.notNull = strings.Join(nonEmpty(named(name), "not null", p.onConflict()), " ")
		return nil
	case p.take("COLLATE"):
		collation, err := p.name()
		if c.Collation = fold(collation); c.Collation == "binary" {
			c.Collation = ""
		}
		return err
	case p.take("GENERATED", "ALWAYS", "AS"), p.take("AS"):
		return p.generated(c, parts, name)
	}
	return p.keyConstraint(c, name, start)
}

func (p *tableParser) defaultValue(c *schema.Column, parts *columnParts, name string) error {
	e := &schema.Expr{}
	start := p.i
	var tokens []token
	if p.peek().is("(") {
		inner, err := p.group()
		if err != nil {
			return err
		}
		tokens = inner
	} else {
		if p.peek().is("+") || p.peek().is("-") {
			p.i++
		}
		p.i++
		if p.i > len(p.tokens) {
			return &parseError{p.peek(), "a default"}
		}
		tokens = p.tokens[start:p.i]
	}
	e.Text = p.since(start)
	// Nothing in a default can be a column, so a word in double quotes is a string, and so is a bare word that is no keyword.
	e.Canon = expression(tokens, func(string) bool { return false })
	if t := tokens[0]; len(tokens) == 1 && (t.kind == word || t.kind == quoted) && !isValueWord(t) {
		e.Canon = literal(t.name())
	}
	e.Constant = constant(unwrap(tokens), e.Canon)
	c.Default = e
	parts.deflt = strings.Join(nonEmpty(named(name), "default", e.Canon), " ")
	return nil
}

// isValueWord tells whether a bare word after DEFAULT is more than a string.
func isValueWord(t token) bool {
	for _, w := range [...]string{"NULL", "TRUE", "FALSE", "CURRENT_TIME", "CURRENT_DATE", "CURRENT_TIMESTAMP"} {
		if t.is(w) {
			return true
		}
	}
	return false
}

// constant gives the canonical text of a default that is one literal, with a sign or without.
func constant(tokens []token, canon string) string {
	t := tokens[len(tokens)-1]
	switch {
	case len(tokens) > 2, len(tokens) == 2 && (t.kind != number || !(tokens[0].is("-") || tokens[0].is("+"))):
		return ""
	case t.is("CURRENT_TIME"), t.is("CURRENT_DATE"), t.is("CURRENT_TIMESTAMP"):
		return ""
	case t.kind == operator, t.kind == parameter:
		return ""
	}
	return canon
}

func (p *tableParser) generated(c *schema.Column, parts *columnParts, name string) error {
	inner, err := p.group()
	if err != nil {
		return err
	}
	g := &schema.Generated{Expr: schema.Expr{Text: p.textOf(inner)}}
	switch {
	case p.take("STORED"):
		g.Stored = true
	case p.take("VIRTUAL"):
	}
	c.Generated = g
	p.expressions = append(p.expressions, func() {
		g.Expr.Canon = expression(inner, p.known)
		parts.generated = strings.Join(nonEmpty(named(name), "as (", g.Expr.Canon, ")", storage(g)), " ")
	})
	return nil
}

func storage(g *schema.Generated) string {
	if g.Stored {
		return "stored"
	}
	return "virtual"
}

// onConflict reads an ON CONFLICT clause; ABORT is what SQLite does without one.
func (p *tableParser) onConflict() string {
	if !p.take("ON", "CONFLICT") {
		return ""
	}
	how := fold(p.peek().text)
	p.i++
	if how == "abort" {
		return ""
	}
	return "on conflict " + how
}

// finish fills in what follows from the whole: which columns cannot be NULL.
func (p *tableParser) finish() {
	for _, c := range p.table.Columns {
		c.Required = c.NotNull
	}
	pk := p.table.PrimaryKey()
	if pk == nil {
		return
	}
	// sqlite.org/lang_createtable.html, 3.5: a key's columns may be NULL but for WITHOUT ROWID, STRICT and INTEGER PRIMARY KEY.
	if p.table.HasOption(withoutRowid) || p.table.HasOption(strict) || rowidAlias(p.table) != nil {
		for _, key := range pk.ColumnKeys() {
			if c := p.table.Column(key); c != nil {
				c.Required = true
			}
		}
	}
}

// rowidAlias gives the column that is another name of the rowid: an INTEGER PRIMARY KEY of one column. One that is declared
// DESC inside the column's definition is none (sqlite.org/lang_createtable.html, section 5).
func rowidAlias(t *schema.Table) *schema.Column {
	pk := t.PrimaryKey()
	if pk == nil || len(pk.Columns) != 1 || t.HasOption(withoutRowid) || pk.HasOption(inlineDesc) {
		return nil
	}
	c := t.Column(pk.Columns[0].Column)
	if c == nil || c.TypeCanon != "integer" {
		return nil
	}
	return c
}

func collate(name string) string {
	if name == "" {
		return ""
	}
	return "collate " + canonicalName(name)
}

func named(name string) string {
	if name == "" {
		return ""
	}
	return "constraint " + canonicalName(name)
}

func nonEmpty(words ...string) []string {
	out := words[:0]
	for _, w := range words {
		if w != "" {
			out = append(out, w)
		}
	}
	return out
}

package syntax

import "strings"

// atTableConstraint tells whether an element of a table is a constraint and not a column. A column named `check` or `unique` would need
// quotes: the engine takes the word for the constraint.
func (p *parser) atTableConstraint() bool {
	t := p.peek()
	if t.kind != word {
		return false
	}
	switch t.word {
	case "constraint", "primary", "unique", "check", "foreign":
		return true
	}
	return false
}

// columnDefinition reads one column definition.
func (p *parser) columnDefinition() *Column {
	mark := p.mark()
	c := &Column{Name: p.name(columnName, "column")}
	if p.isName(p.peek(), strictName) {
		c.Type = p.typeName()
	}
	for p.err == nil {
		k := p.columnConstraint()
		if k == nil {
			break
		}
		c.Constraints = append(c.Constraints, k)
	}
	if p.is("with", "tags") {
		c.Tags = p.tags()
	}
	c.Span = p.since(mark)
	return c
}

// constraintName reads `constraint name`, if it is there.
func (p *parser) constraintName() Name {
	if !p.take("constraint") {
		return Name{}
	}
	return p.name(strictName, "constraint")
}

// columnConstraint reads one constraint of a column; nil when none is next.
func (p *parser) columnConstraint() *Constraint {
	mark := p.mark()
	k := &Constraint{Inline: true, Name: p.constraintName()}
	switch {
	case p.take("primary"):
		p.expect("key")
		k.Kind = PrimaryKey
		if !p.take("asc") {
			k.Desc = p.take("desc")
		}
		k.Conflict = p.conflict()
		if p.is("autoincrement") {
			p.fail(p.peek(), "Quereus has no autoincrement: rows are addressed by their key")
		}
	case p.take("not"):
		p.expect("null")
		k.Kind, k.Conflict = NotNull, p.conflict()
	case p.take("null"):
		k.Kind, k.Conflict = Null, p.conflict()
	case p.take("unique"):
		k.Kind, k.Conflict = Unique, p.conflict()
	case p.take("check"):
		p.check(k)
	case p.take("default"):
		k.Kind, k.Expr = Default, p.expression()
	case p.take("collate"):
		k.Kind, k.Collation = Collate, p.name(strictName, "collation").Text
	case p.take("references"):
		k.Kind, k.Foreign = ForeignKey, p.foreign()
	case p.take("generated"):
		p.expect("always", "as", "(")
		p.parens++
		k.Kind, k.Expr = Generated, p.expression()
		p.expect(")")
		p.parens--
		if !p.take("virtual") {
			k.Stored = p.take("stored")
		}
	case k.Name.Text != "":
		p.want("a constraint")
	default:
		return nil
	}
	// The tags after an unnamed constraint are the column's.
	if k.Name.Text != "" && p.is("with", "tags") {
		k.Tags = p.tags()
	}
	k.Span = p.since(mark)
	return k
}

// tableConstraint reads one constraint between the columns of a table, with its tags whether it is named or not.
func (p *parser) tableConstraint() *Constraint {
	mark := p.mark()
	k := &Constraint{Name: p.constraintName()}
	switch {
	case p.take("primary"):
		p.expect("key")
		k.Kind, k.Columns = PrimaryKey, p.keyColumns(true)
		k.Conflict = p.conflict()
	case p.take("unique"):
		k.Kind, k.Columns = Unique, p.keyColumns(false)
		k.Conflict = p.conflict()
	case p.take("check"):
		p.check(k)
	case p.take("foreign"):
		p.expect("key")
		k.Kind, k.Columns = ForeignKey, p.keyColumns(false)
		p.expect("references")
		k.Foreign = p.foreign()
	default:
		p.want("`primary key`, `unique`, `check` or `foreign key`")
	}
	if p.is("with", "tags") {
		k.Tags = p.tags()
	}
	k.Span = p.since(mark)
	return k
}

// keyColumns reads `(column, …)`. A primary key may have directions, and no columns at all: a table of one row.
func (p *parser) keyColumns(primary bool) []*KeyColumn {
	p.expect("(")
	list := []*KeyColumn{}
	if primary && p.take(")") {
		return list
	}
	for {
		c := &KeyColumn{Name: p.name(columnName, "column")}
		if primary && !p.take("asc") {
			c.Desc = p.take("desc")
		}
		list = append(list, c)
		if !p.take(",") {
			break
		}
	}
	p.expect(")")
	return list
}

// check reads what follows the word: `[on op, …] (expression) [conflict]`.
func (p *parser) check(k *Constraint) {
	k.Kind = Check
	if p.take("on") {
		for {
			t := p.peek()
			if t.word != "insert" && t.word != "update" && t.word != "delete" {
				p.want("`insert`, `update` or `delete`")
			}
			p.next()
			k.On = append(k.On, t.word)
			if !p.take(",") {
				break
			}
		}
	}
	p.expect("(")
	p.parens++
	k.Expr = p.expression()
	p.expect(")")
	p.parens--
	k.Conflict = p.conflict()
}

// conflict reads `on conflict ACTION`, if it is there.
func (p *parser) conflict() string {
	if !p.take("on", "conflict") {
		return ""
	}
	switch t := p.peek(); t.word {
	case "rollback", "abort", "fail", "ignore", "replace":
		p.i++
		return t.word
	}
	p.want("`rollback`, `abort`, `fail`, `ignore` or `replace`")
	return ""
}

// foreign reads what follows references.
func (p *parser) foreign() *ForeignTable {
	mark := p.mark()
	f := &ForeignTable{Table: p.name(columnName, "table")}
	if p.take(".") {
		f.Schema, f.Table = f.Table, p.name(columnName, "table")
	}
	if p.take("(") {
		f.Columns = p.names("column")
	}
	for p.err == nil {
		switch {
		case p.take("on", "delete"):
			f.OnDelete = p.foreignAction()
		case p.take("on", "update"):
			f.OnUpdate = p.foreignAction()
		case p.take("deferrable"):
			f.Deferrable = DeferrableYes
			p.initially(f)
		case p.take("not", "deferrable"):
			f.Deferrable = DeferrableNo
			p.initially(f)
		default:
			f.Span = p.since(mark)
			return f
		}
	}
	return f
}

func (p *parser) foreignAction() string {
	switch {
	case p.take("set", "null"):
		return "set null"
	case p.take("set", "default"):
		return "set default"
	case p.take("cascade"):
		return "cascade"
	case p.take("restrict"), p.take("no", "action"):
		return "restrict"
	}
	p.want("`set null`, `set default`, `cascade`, `restrict` or `no action`")
	return ""
}

func (p *parser) initially(f *ForeignTable) {
	if !p.take("initially") {
		return
	}
	switch {
	case p.take("deferred"):
		f.Initially = "deferred"
	case p.take("immediate"):
		f.Initially = "immediate"
	default:
		p.want("`deferred` or `immediate`")
	}
}

// typeName reads a type as it is written, without the spaces in its parentheses.
func (p *parser) typeName() string {
	t := p.peek()
	if !p.isName(t, strictName) {
		p.want("a type name")
		return ""
	}
	p.i++
	var b strings.Builder
	b.WriteString(p.src[t.start:t.end])
	if !p.is("(") {
		return b.String()
	}
	apart := true // what stands next needs no blank before it
	for depth := 0; p.err == nil; {
		t := p.peek()
		if t.kind == end || t.kind == illegal || (t.word == ";" || t.word == "{" || t.word == "}") {
			p.want("`)`")
			return ""
		}
		p.i++
		switch {
		case t.word == "(":
			depth++
		case t.word == ")":
			depth--
		}
		bracket := t.word == "(" || t.word == ")" || t.word == ","
		if !apart && !bracket { // without a blank the two would be read as one, or as a comment
			b.WriteByte(' ')
		}
		b.WriteString(p.src[t.start:t.end])
		if apart = bracket; depth == 0 {
			break
		}
	}
	return b.String()
}

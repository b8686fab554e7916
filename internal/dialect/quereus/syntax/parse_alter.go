package syntax

// create reads `create …`.
func (p *parser) create() Statement {
	mark := p.mark()
	p.i++
	c := &Create{}
	if p.is("temp") || p.is("temporary") {
		p.fail(p.peek(), "Quereus has no temporary tables")
		return nil
	}
	unique := p.take("unique")
	switch {
	case p.take("index"):
		c.IfNotExists = p.take("if", "not", "exists")
		c.Item = p.index(mark, unique, true)
	case unique:
		p.want("`index`")
	case p.take("table"):
		c.IfNotExists = p.take("if", "not", "exists")
		c.Item = p.table(mark, true)
	case p.take("view"):
		c.IfNotExists = p.take("if", "not", "exists")
		c.Item = p.view(mark, false, true)
	case p.take("materialized", "view"):
		c.IfNotExists = p.take("if", "not", "exists")
		c.Item = p.view(mark, true, true)
	case p.take("assertion"):
		c.Item = p.assertion(mark)
	default:
		p.want("`table`, `index`, `view`, `materialized view` or `assertion`")
	}
	return p.done(c, mark)
}

// objectKind reads the kind of object that a drop or an alter is about.
func (p *parser) objectKind() ObjectKind {
	switch {
	case p.take("table"):
		return KindTable
	case p.take("view"):
		return KindView
	case p.take("materialized", "view"):
		return KindMaterializedView
	case p.take("index"):
		return KindIndex
	case p.take("assertion"):
		return KindAssertion
	}
	p.want("`table`, `view`, `materialized view`, `index` or `assertion`")
	return ""
}

func (p *parser) drop() Statement {
	mark := p.mark()
	p.i++
	d := &Drop{Kind: p.objectKind()}
	d.IfExists = p.take("if", "exists")
	d.Schema, d.Name = p.qualified(string(d.Kind))
	return p.done(d, mark)
}

func (p *parser) alter() Statement {
	mark := p.mark()
	p.i++
	if p.is("assertion") {
		p.fail(p.peek(), "an assertion cannot be altered; drop it and create it anew")
		return nil
	}
	kind := p.objectKind()
	owner, name := p.qualified(string(kind))
	if kind == KindTable {
		return p.done(&AlterTable{Schema: owner, Name: name, Action: p.tableAction()}, mark)
	}
	a := &AlterObject{Kind: kind, Schema: owner, Name: name}
	if t, ok := p.tagsAction(); ok {
		a.Tags = t
	} else {
		p.want("`set tags`, `add tags` or `drop tags`")
	}
	return p.done(a, mark)
}

// tagsAction reads `set|add|drop tags (…)`, if it is there.
func (p *parser) tagsAction() (a TagsAction, ok bool) {
	switch {
	case p.take("set", "tags"):
		a.Tags = p.tagList()
	case p.take("add", "tags"):
		a.Mode, a.Tags = AddTags, p.tagList()
	case p.take("drop", "tags"):
		a.Mode = DropTags
		p.expect("(")
		for {
			a.Keys = append(a.Keys, p.name(strictName, "tag"))
			if !p.take(",") {
				break
			}
		}
		p.expect(")")
	default:
		return a, false
	}
	return a, true
}

func (p *parser) tableAction() Action {
	if a, ok := p.tagsAction(); ok {
		return a
	}
	switch {
	case p.take("rename"):
		return p.renameAction()
	case p.take("add"):
		if p.atTableConstraint() {
			return AddConstraint{p.tableConstraint()}
		}
		p.take("column")
		return AddColumn{p.columnDefinition()}
	case p.take("drop", "maintained"):
		return DropMaintained{}
	case p.take("drop", "constraint"):
		return DropConstraint{p.name(columnName, "constraint")}
	case p.take("drop"):
		p.take("column")
		return DropColumn{p.name(columnName, "column")}
	case p.take("set"):
		if !p.is("maintained") {
			p.want("`tags` or `maintained`")
			return nil
		}
		return SetMaintained{p.maintained()}
	case p.take("alter", "primary"):
		p.expect("key")
		return AlterPrimaryKey{p.keyColumns(true)}
	case p.take("alter", "constraint"):
		name := p.name(columnName, "constraint")
		a, ok := p.tagsAction()
		if !ok {
			p.want("`set tags`")
		}
		a.Constraint = name
		return a
	case p.take("alter", "column"):
		return p.columnAction()
	}
	p.want("`rename`, `add`, `drop`, `set` or `alter`")
	return nil
}

func (p *parser) renameAction() Action {
	switch {
	case p.take("to"):
		return RenameTable{p.name(columnName, "table")}
	case p.take("constraint"):
		from := p.name(columnName, "constraint")
		p.expect("to")
		return RenameConstraint{from, p.name(columnName, "constraint")}
	}
	p.expect("column")
	from := p.name(columnName, "column")
	p.expect("to")
	return RenameColumn{from, p.name(columnName, "column")}
}

func (p *parser) columnAction() Action {
	name := p.name(columnName, "column")
	if a, ok := p.tagsAction(); ok {
		a.Column = name
		return a
	}
	switch {
	case p.take("set", "not", "null"):
		return SetNotNull{name}
	case p.take("set", "data", "type"):
		return SetType{name, p.typeName()}
	case p.take("set", "default"):
		return SetDefault{name, p.expression()}
	case p.take("set", "collate"):
		return SetCollation{name, p.name(strictName, "collation").Text}
	case p.take("drop", "not", "null"):
		return DropNotNull{name}
	case p.take("drop", "default"):
		return DropDefault{name}
	}
	p.want("`set` or `drop`")
	return nil
}

package sqlite

import (
	"strings"

	"github.com/altergate/altergate/internal/schema"
)

// The canonical options of constraints.
const (
	autoincrement = "autoincrement"
	inlineDesc    = "inline desc" // INTEGER PRIMARY KEY DESC inside a column's definition, which makes no rowid alias
)

// keyConstraint reads a constraint of a column that is a constraint of the table all the same.
func (p *tableParser) keyConstraint(c *schema.Column, name string, start int) error {
	k := &schema.Constraint{Name: name, Owner: c.Key, Columns: []schema.Part{{Column: c.Key}}, Pos: p.at(p.tokens[start].start)}
	switch {
	case p.take("PRIMARY", "KEY"):
		k.Kind = schema.PrimaryKey
		if p.take("DESC") {
			k.Columns[0].Desc = true
			k.Options = append(k.Options, inlineDesc)
		}
		p.take("ASC")
		k.Options = append(k.Options, nonEmpty(p.onConflict())...)
		if p.take("AUTOINCREMENT") {
			k.Options = append(k.Options, autoincrement)
		}
	case p.take("UNIQUE"):
		k.Kind = schema.Unique
		k.Options = nonEmpty(p.onConflict())
	case p.peek().is("CHECK"):
		k.Columns = nil
		if err := p.check(k); err != nil {
			return err
		}
	case p.peek().is("REFERENCES"):
		k.Kind = schema.ForeignKey
		if err := p.references(k); err != nil {
			return err
		}
	case p.deferrable(nil):
		// SQLite takes a DEFERRABLE clause that follows no REFERENCES, and ignores it.
		return nil
	default:
		return &parseError{p.peek(), "a column constraint"}
	}
	p.addConstraint(k, start)
	return nil
}

// tableConstraint reads a constraint that stands after the columns.
func (p *tableParser) tableConstraint() error {
	start := p.i
	k := &schema.Constraint{Pos: p.at(p.peek().start)}
	var err error
	if p.take("CONSTRAINT") {
		if k.Name, err = p.name(); err != nil {
			return err
		}
		if t := p.peek(); t.is(",") || t.is(")") || t.is("CONSTRAINT") {
			return nil
		}
	}
	switch {
	case p.take("PRIMARY", "KEY"):
		k.Kind = schema.PrimaryKey
		err = p.keyColumns(k)
		k.Options = append(k.Options, nonEmpty(p.onConflict())...)
	case p.take("UNIQUE"):
		k.Kind = schema.Unique
		err = p.keyColumns(k)
		k.Options = append(k.Options, nonEmpty(p.onConflict())...)
	case p.peek().is("CHECK"):
		err = p.check(k)
	case p.take("FOREIGN", "KEY"):
		k.Kind = schema.ForeignKey
		if err = p.keyColumns(k); err == nil {
			err = p.references(k)
		}
	default:
		return &parseError{p.peek(), "a column or a constraint"}
	}
	if err == nil {
		p.addConstraint(k, start)
	}
	return err
}

// addConstraint finishes a constraint once all columns are known.
func (p *tableParser) addConstraint(k *schema.Constraint, start int) {
	k.Text = withoutComments(p.since(start))
	p.table.Constraints = append(p.table.Constraints, k)
	p.forms = append(p.forms, func() {
		ownCollations(k.Columns, p.table)
		k.Canon = canonicalConstraint(k)
	})
}

func canonicalConstraint(k *schema.Constraint) string {
	words := []string{named(k.Name), strings.ReplaceAll(string(k.Kind), "_", " ")}
	switch k.Kind {
	case schema.Check:
		words = append(words, "(", k.Expr.Canon, ")")
	default:
		words = append(words, "(", canonicalParts(k.Columns), ")")
	}
	if r := k.Ref; r != nil {
		words = append(words, "references", canonicalName(r.Name))
		if len(r.Columns) > 0 {
			words = append(words, "(", strings.Join(r.Columns, " , "), ")")
		}
		words = append(words, action("delete", r.OnDelete), action("update", r.OnUpdate))
	}
	return strings.Join(nonEmpty(append(words, k.Options...)...), " ")
}

func action(event, what string) string {
	if what == "" {
		return ""
	}
	return "on " + event + " " + what
}

func canonicalParts(parts []schema.Part) string {
	var out []string
	for _, p := range parts {
		words := []string{p.Expr, collate(p.Collation), ""}
		if p.Column != "" {
			words[0] = canonicalName(p.Column)
		}
		if p.Desc {
			words[2] = "desc"
		}
		out = append(out, strings.Join(nonEmpty(words...), " "))
	}
	return strings.Join(out, " , ")
}

// keyColumns reads the parenthesised columns of a key.
func (p *tableParser) keyColumns(k *schema.Constraint) error {
	inner, err := p.group()
	if err != nil {
		return err
	}
	if n := len(inner); n > 0 && inner[n-1].is("AUTOINCREMENT") {
		inner = inner[:n-1]
		k.Options = append(k.Options, autoincrement)
	}
	for _, part := range commas(inner) {
		k.Columns = append(k.Columns, partOf(part, nil))
	}
	return nil
}

// partOf reads one column or expression of a key or an index. Within a constraint it can only be a column.
func partOf(tokens []token, known scope) schema.Part {
	var part schema.Part
	n := len(tokens)
	if n > 2 && tokens[n-2].is("NULLS") {
		n -= 2
	}
	if n > 1 && (tokens[n-1].is("ASC") || tokens[n-1].is("DESC")) {
		part.Desc = tokens[n-1].is("DESC")
		n--
	}
	if n > 2 && tokens[n-2].is("COLLATE") {
		part.Collation = fold(tokens[n-1].name())
		n -= 2
	}
	inner := unwrap(tokens[:n])
	if t := inner[0]; len(inner) == 1 && (t.kind == word || t.kind == quoted || t.kind == text) && (known == nil || known(fold(t.name()))) {
		part.Column = fold(t.name())
		return part
	}
	part.Expr = canonical(inner, known)
	return part
}

// ownCollations drops the collations of parts that say only what is so without them: a column's own, and BINARY of anything else.
func ownCollations(parts []schema.Part, t *schema.Table) {
	for i := range parts {
		own := "binary"
		if c := t.Column(parts[i].Column); c != nil && c.Collation != "" {
			own = c.Collation
		}
		if parts[i].Collation == own {
			parts[i].Collation = ""
		}
	}
}

func (p *tableParser) check(k *schema.Constraint) error {
	k.Kind = schema.Check
	p.take("CHECK")
	inner, err := p.group()
	if err != nil {
		return err
	}
	p.onConflict() // taken and without effect on a CHECK
	k.Expr = &schema.Expr{Text: p.textOf(inner)}
	p.expressions = append(p.expressions, func() { k.Expr.Canon = expression(inner, p.known) })
	return nil
}

func (p *tableParser) references(k *schema.Constraint) error {
	p.take("REFERENCES")
	name, err := p.name()
	if err != nil {
		return err
	}
	k.Ref = &schema.Reference{Table: fold(name), Name: name}
	if p.peek().is("(") {
		inner, err := p.group()
		if err != nil {
			return err
		}
		for _, part := range commas(inner) {
			k.Ref.Columns = append(k.Ref.Columns, fold(part[0].name()))
		}
	}
	for {
		switch {
		case p.take("ON", "DELETE"):
			k.Ref.OnDelete = p.referenceAction()
		case p.take("ON", "UPDATE"):
			k.Ref.OnUpdate = p.referenceAction()
		case p.take("ON", "INSERT"):
			p.referenceAction() // in the grammar, without a meaning
		case p.take("MATCH"):
			p.i++ // SQLite treats every MATCH as SIMPLE (foreignkeys.html, section 6)
		case p.deferrable(k):
		default:
			return nil
		}
	}
}

func (p *tableParser) referenceAction() string {
	for _, words := range [...][]string{{"SET", "NULL"}, {"SET", "DEFAULT"}, {"CASCADE"}, {"RESTRICT"}} {
		if p.take(words...) {
			return fold(strings.Join(words, " "))
		}
	}
	p.take("NO", "ACTION")
	return ""
}

// deferrable reads a deferral clause; only DEFERRABLE INITIALLY DEFERRED differs from none (foreignkeys.html, section 4.2).
func (p *tableParser) deferrable(k *schema.Constraint) bool {
	not := p.peek().is("NOT") && p.peekAt(1).is("DEFERRABLE")
	if not {
		p.i++
	}
	if !p.take("DEFERRABLE") {
		return false
	}
	deferred := p.take("INITIALLY", "DEFERRED")
	p.take("INITIALLY", "IMMEDIATE")
	if k != nil && deferred && !not {
		k.Options = append(k.Options, "deferrable initially deferred")
	}
	return true
}

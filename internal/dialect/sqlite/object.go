package sqlite

import (
	"strings"

	"github.com/altergate/altergate/internal/schema"
)

// parseIndex reads a CREATE INDEX statement on a table.
func parseIndex(src string, at locate, on *schema.Table) (*schema.Index, error) {
	p := newParser(src)
	x := &schema.Index{Text: src, Pos: at(0)}
	p.take("CREATE")
	x.Unique = p.take("UNIQUE")
	p.take("INDEX")
	p.take("IF", "NOT", "EXISTS")
	name, err := p.qualifiedName()
	if err != nil {
		return nil, err
	}
	x.Name, x.Key = name, fold(name)
	if err := p.expect("ON"); err != nil {
		return nil, err
	}
	if _, err := p.name(); err != nil {
		return nil, err
	}
	known := columnsOf(columnKeys(on))
	inner, err := p.group()
	if err != nil {
		return nil, err
	}
	for _, part := range commas(inner) {
		x.Parts = append(x.Parts, partOf(part, known))
	}
	ownCollations(x.Parts, on)
	if p.take("WHERE") {
		where := p.tokens[p.i:]
		x.Where = &schema.Expr{Text: p.textOf(where), Canon: expression(where, known)}
	}
	x.Canon = canonicalIndex(x, on.Key)
	return x, nil
}

func canonicalIndex(x *schema.Index, on string) string {
	words := []string{"index", canonicalName(x.Name), "on", canonicalName(on), "(", canonicalParts(x.Parts), ")"}
	if x.Unique {
		words = append([]string{"unique"}, words...)
	}
	if x.Where != nil {
		words = append(words, "where", x.Where.Canon)
	}
	return strings.Join(words, " ")
}

func columnKeys(t *schema.Table) map[string]bool {
	keys := map[string]bool{}
	for _, c := range t.Columns {
		keys[c.Key] = true
	}
	return keys
}

// objectName reads the name of the object that a CREATE VIEW, TRIGGER or VIRTUAL TABLE statement makes, and leaves p behind it.
func (p *parser) objectName() (string, error) {
	p.take("CREATE")
	switch {
	case p.take("VIRTUAL", "TABLE"), p.take("VIEW"), p.take("TRIGGER"):
	default:
		return "", &parseError{p.peek(), "what is created"}
	}
	p.take("IF", "NOT", "EXISTS")
	return p.qualifiedName()
}

// parseView reads a CREATE VIEW statement; names are all names of the schema (see body).
func parseView(src string, at locate, names map[string]bool) (*schema.View, error) {
	p := newParser(src)
	name, err := p.objectName()
	if err != nil {
		return nil, err
	}
	canon := "view " + canonicalName(name) + " " + body(p.tokens[p.i:], names)
	return &schema.View{Name: name, Key: fold(name), Uses: usesOf(p.tokens), Canon: canon, Text: src, Pos: at(0)}, nil
}

// parseTrigger reads a CREATE TRIGGER statement.
func parseTrigger(src string, at locate, names map[string]bool) (*schema.Trigger, error) {
	p := newParser(src)
	name, err := p.objectName()
	if err != nil {
		return nil, err
	}
	canon := "trigger " + canonicalName(name) + " " + body(withoutDefaults(p.tokens[p.i:]), names)
	return &schema.Trigger{Name: name, Key: fold(name), Uses: usesOf(p.tokens), Canon: canon, Text: src, Pos: at(0)}, nil
}

// withoutDefaults leaves out of a trigger's tokens what SQLite does without being told: BEFORE, and FOR EACH ROW.
func withoutDefaults(tokens []token) []token {
	if len(tokens) > 0 && tokens[0].is("BEFORE") {
		tokens = tokens[1:]
	}
	out := make([]token, 0, len(tokens))
	for i := 0; i < len(tokens); i++ {
		if tokens[i].is("BEGIN") {
			return append(out, tokens[i:]...)
		}
		if tokens[i].is("FOR") && i+2 < len(tokens) && tokens[i+1].is("EACH") && tokens[i+2].is("ROW") {
			i += 2
			continue
		}
		out = append(out, tokens[i])
	}
	return out
}

// parseVirtual reads a CREATE VIRTUAL TABLE statement as an object known by its text.
func parseVirtual(src string, at locate) (*schema.Opaque, error) {
	p := newParser(src)
	name, err := p.objectName()
	if err != nil {
		return nil, err
	}
	if err := p.expect("USING"); err != nil {
		return nil, err
	}
	module := p.peek().name()
	canon := "virtual table " + canonicalName(name) + " using " + canonical(p.tokens[p.i:], nil)
	return &schema.Opaque{Name: name, Key: fold(name), Kind: "virtual table using " + module, Canon: canon, Text: src, Pos: at(0)}, nil
}

// virtualModule gives the module of a CREATE VIRTUAL TABLE statement, and its arguments as written.
func virtualModule(src string) (module string, arguments []string, err error) {
	p := newParser(src)
	if _, err := p.objectName(); err != nil {
		return "", nil, err
	}
	if err := p.expect("USING"); err != nil {
		return "", nil, err
	}
	if module, err = p.name(); err != nil || !p.peek().is("(") {
		return module, nil, err
	}
	inner, err := p.group()
	for _, a := range commas(inner) {
		arguments = append(arguments, p.textOf(a))
	}
	return module, arguments, err
}

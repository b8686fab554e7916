package catalog

import (
	"regexp"
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/altergate/altergate/internal/dialect/postgres/script"
	"github.com/altergate/altergate/internal/source"
)

// Many files make what has no IF NOT EXISTS of its own in a DO block, which looks first whether it is there, or which takes the
// error that it is for none. Such a block is read: its statements run unless what the first of them makes is there. All other DO
// blocks stay closed.

// guarded gives the statements of a DO block that does nothing but make things, in order; nil of any other statement.
func (c *Catalog) guarded(s *script.Statement) []*member {
	body, at := doBody(s)
	if at < 0 {
		return nil
	}
	cut, bad := script.Split(&source.File{Text: body})
	if len(bad) > 0 || len(cut.Passed) > 0 || len(cut.Statements) == 0 {
		return nil
	}
	r := &blockReader{outer: s, start: at, pieces: cut.Statements}
	if !r.block(nil) || !r.done() || len(script.Parse(r.statements(), nil)) > 0 {
		return nil
	}
	if slices.ContainsFunc(r.members, func(m *member) bool { return !m.understood() }) {
		return nil
	}
	return r.members
}

// members gives the statements to run for one: those of a DO block that is understood, else itself.
func (c *Catalog) members(s *script.Statement) []*member {
	if list := c.guarded(s); list != nil {
		return list
	}
	return []*member{{statement: s}}
}

// doBody gives the text of a DO block in PL/pgSQL and where it is in the statement; -1 if it is not just as written.
func doBody(s *script.Statement) (string, int) {
	do := s.Node.GetDoStmt()
	if do == nil {
		return "", -1
	}
	body := ""
	for _, d := range defElems(do.Args) {
		switch text := d.Arg.GetString_().GetSval(); {
		case d.Defname == "as":
			body = text
		case !strings.EqualFold(text, "plpgsql"):
			return "", -1
		}
	}
	return body, strings.Index(s.Text, body)
}

// guard is what keeps statements of a DO block from running: what the first of them makes is there.
type guard struct {
	names []string // those that the block looks for; nil where it takes any error for an answer
	first *script.Statement
	held  bool
}

// member is a statement of a DO block and all that it depends on.
type member struct {
	statement *script.Statement
	guards    []*guard
}

// understood tells whether each block around the statement looks for what its first statement makes. One that always runs makes
// something itself.
func (m *member) understood() bool {
	if len(m.guards) == 0 {
		return made(m.statement.Node).name != ""
	}
	for _, g := range m.guards {
		made := made(g.first.Node)
		if made.name == "" || g.names != nil && !slices.Contains(g.names, made.name) {
			return false
		}
	}
	return true
}

// held tells whether a statement is kept from running. What its block looks for is looked for when its first statement is come to.
func (c *Catalog) held(m *member) bool {
	held := false
	for _, g := range m.guards {
		if g.first == m.statement {
			g.held = c.there(m.statement)
		}
		held = held || g.held
	}
	return held
}

// blockReader reads PL/pgSQL that was cut at its semicolons.
type blockReader struct {
	outer   *script.Statement
	start   int // of the pieces in it
	pieces  []*script.Statement
	i, at   int // where the reader is
	members []*member
}

func (r *blockReader) done() bool { return r.i >= len(r.pieces) }

// word passes words that stand where the reader is.
func (r *blockReader) word(list ...string) bool {
	if r.done() {
		return false
	}
	end := r.pieces[r.i].After(r.at, list...)
	if end < 0 {
		return false
	}
	r.at = end
	return true
}

// end passes the end of a piece.
func (r *blockReader) end() bool {
	if r.done() || strings.TrimSpace(r.pieces[r.i].Text[r.at:]) != "" {
		return false
	}
	r.i, r.at = r.i+1, 0
	return true
}

// rest passes what is left of a piece and gives it.
func (r *blockReader) rest() (text string, offset int) {
	p := r.pieces[r.i]
	text, offset = p.Text[r.at:], p.Start+r.at
	r.i, r.at = r.i+1, 0
	trimmed := strings.TrimSpace(text)
	return trimmed, offset + strings.Index(text, trimmed)
}

// block reads BEGIN … [EXCEPTION …] END.
func (r *blockReader) block(guards []*guard) bool {
	if !r.word("BEGIN") {
		return false
	}
	from := len(r.members)
	if !r.items(guards) {
		return false
	}
	if r.word("EXCEPTION") {
		if !r.handlers() || from == len(r.members) {
			return false
		}
		g := &guard{first: r.members[from].statement}
		for _, m := range r.members[from:] {
			m.guards = append(slices.Clone(m.guards), g)
		}
	}
	return r.word("END") && r.end()
}

// items reads statements until something else stands there.
func (r *blockReader) items(guards []*guard) bool {
	for !r.done() {
		p := r.pieces[r.i]
		switch {
		case p.After(r.at, "END") >= 0, p.After(r.at, "EXCEPTION") >= 0:
			return true
		case p.After(r.at, "BEGIN") >= 0:
			if !r.block(guards) {
				return false
			}
		case r.word("IF"):
			if !r.branch(guards) {
				return false
			}
		case r.silent():
		default:
			text, offset := r.rest()
			text, offset = executed(text, offset)
			one := *r.outer
			one.Text, one.Start, one.Node = text, r.outer.Start+r.start+offset, nil
			r.members = append(r.members, &member{statement: &one, guards: guards})
		}
	}
	return false
}

// executes matches EXECUTE of a text that is all there.
var executes = regexp.MustCompile(`(?is)^execute\s+'((?:[^']|'')*)'$`)

// executed gives the statement that EXECUTE runs, if it is written there. Where quotes are doubled in it, places are those of the text
// as written.
func executed(text string, offset int) (string, int) {
	found := executes.FindStringSubmatchIndex(text)
	if found == nil {
		return text, offset
	}
	return strings.ReplaceAll(text[found[2]:found[3]], "''", "'"), offset + found[2]
}

// silent passes what says something to the one who runs it, and does nothing.
func (r *blockReader) silent() bool {
	p := r.pieces[r.i]
	for _, level := range []string{"NOTICE", "INFO", "LOG", "DEBUG", "WARNING"} {
		if p.After(r.at, "RAISE", level) >= 0 {
			r.rest()
			return true
		}
	}
	if end := p.After(r.at, "NULL"); end >= 0 && strings.TrimSpace(p.Text[end:]) == "" {
		r.rest()
		return true
	}
	return false
}

// branch reads the rest of IF NOT EXISTS (…) THEN … END IF, or IF to_regclass(…) IS NULL THEN ….
func (r *blockReader) branch(guards []*guard) bool {
	condition, ok := r.condition()
	if !ok {
		return false
	}
	g := &guard{names: []string{}}
	for _, quoted := range quotedText.FindAllStringSubmatch(condition, -1) {
		parts := strings.Split(quoted[1], ".")
		g.names = append(g.names, strings.Trim(parts[len(parts)-1], `"`), quoted[1])
	}
	from := len(r.members)
	if !r.items(append(slices.Clone(guards), g)) || from == len(r.members) {
		return false
	}
	g.first = r.members[from].statement
	return r.word("END", "IF") && r.end()
}

var (
	quotedText  = regexp.MustCompile(`'([^']*)'`)
	alternative = regexp.MustCompile(`(?i)\bor\b`)
)

// condition reads up to THEN.
func (r *blockReader) condition() (string, bool) {
	p := r.pieces[r.i]
	switch {
	case r.word("NOT", "EXISTS"):
		text, end, ok := p.Parens(r.at)
		r.at = end
		return text, ok && !alternative.MatchString(text) && r.word("THEN")
	case r.word("to_regclass"), r.word("to_regtype"):
		text, end, ok := p.Parens(r.at)
		r.at = end
		return text, ok && r.word("IS", "NULL", "THEN")
	}
	return "", false
}

// handlers reads what a block does about errors: nothing, but to say so.
func (r *blockReader) handlers() bool {
	for r.word("WHEN") {
		for !r.word("THEN") {
			if !r.word("OR") && !slices.ContainsFunc(accepted, func(name string) bool { return r.word(name) }) {
				return false
			}
		}
		for !r.done() && r.silent() {
		}
	}
	return true
}

// accepted are the errors that say that something is there.
var accepted = []string{"duplicate_object", "duplicate_table", "duplicate_column", "duplicate_schema", "duplicate_function", "invalid_table_definition", "unique_violation", "others"}

func (r *blockReader) statements() []*script.Statement {
	var list []*script.Statement
	for _, m := range r.members {
		list = append(list, m.statement)
	}
	return list
}

// making is what a statement makes: the kind, the name, and what it is on or in.
type making struct {
	kind, name, schema string
	of                 string // of a label its type
	on                 *pg.RangeVar
}

// made tells what a statement makes; it has no name if that is not understood.
func made(node *pg.Node) making {
	named := func(kind string, names []*pg.Node) making {
		schemaName, name := apart(names)
		return making{kind: kind, name: name, schema: schemaName}
	}
	related := func(v *pg.RangeVar) making {
		return making{kind: "relation", name: v.GetRelname(), schema: v.GetSchemaname()}
	}
	switch n := node.GetNode().(type) {
	case *pg.Node_CreateEnumStmt:
		return named("type", n.CreateEnumStmt.TypeName)
	case *pg.Node_CreateDomainStmt:
		return named("type", n.CreateDomainStmt.Domainname)
	case *pg.Node_CreateRangeStmt:
		return named("type", n.CreateRangeStmt.TypeName)
	case *pg.Node_CompositeTypeStmt:
		m := related(n.CompositeTypeStmt.Typevar)
		m.kind = "type"
		return m
	case *pg.Node_CreateStmt:
		return related(n.CreateStmt.Relation)
	case *pg.Node_CreateSeqStmt:
		return related(n.CreateSeqStmt.Sequence)
	case *pg.Node_ViewStmt:
		return related(n.ViewStmt.View)
	case *pg.Node_IndexStmt:
		return making{kind: "relation", name: n.IndexStmt.Idxname, schema: n.IndexStmt.Relation.GetSchemaname()}
	case *pg.Node_CreateTrigStmt:
		return making{kind: "trigger", name: n.CreateTrigStmt.Trigname, on: n.CreateTrigStmt.Relation}
	case *pg.Node_CreatePolicyStmt:
		return making{kind: "policy", name: n.CreatePolicyStmt.PolicyName, on: n.CreatePolicyStmt.Table}
	case *pg.Node_AlterTableStmt:
		return madeOn(n.AlterTableStmt)
	case *pg.Node_AlterEnumStmt:
		schemaName, of := apart(n.AlterEnumStmt.TypeName)
		return making{kind: "label", name: n.AlterEnumStmt.NewVal, schema: schemaName, of: of}
	}
	return madeAlone(node, named)
}

// madeAlone tells what a statement makes that is on nothing.
func madeAlone(node *pg.Node, named func(string, []*pg.Node) making) making {
	switch n := node.GetNode().(type) {
	case *pg.Node_CreateRoleStmt:
		return making{kind: "role", name: n.CreateRoleStmt.Role}
	case *pg.Node_CreateSchemaStmt:
		return making{kind: "schema", name: n.CreateSchemaStmt.Schemaname}
	case *pg.Node_CreateExtensionStmt:
		return making{kind: "extension", name: n.CreateExtensionStmt.Extname}
	case *pg.Node_CreatePublicationStmt:
		return making{kind: "publication", name: n.CreatePublicationStmt.Pubname}
	case *pg.Node_CreateForeignServerStmt:
		return making{kind: "server", name: n.CreateForeignServerStmt.Servername}
	case *pg.Node_DefineStmt:
		switch n.DefineStmt.Kind {
		case pg.ObjectType_OBJECT_TSCONFIGURATION, pg.ObjectType_OBJECT_TSDICTIONARY, pg.ObjectType_OBJECT_COLLATION:
			return named(KindWord(n.DefineStmt.Kind), n.DefineStmt.Defnames)
		}
	}
	return making{}
}

// madeOn tells what ALTER TABLE adds, if that is all it does.
func madeOn(n *pg.AlterTableStmt) making {
	if len(n.Cmds) != 1 {
		return making{}
	}
	switch cmd := n.Cmds[0].GetAlterTableCmd(); cmd.GetSubtype() {
	case pg.AlterTableType_AT_AddConstraint:
		return making{kind: "constraint", name: cmd.GetDef().GetConstraint().GetConname(), on: n.Relation}
	case pg.AlterTableType_AT_AddColumn:
		return making{kind: "column", name: cmd.GetDef().GetColumnDef().GetColname(), on: n.Relation}
	}
	return making{}
}

// there tells whether what a statement makes is there.
func (c *Catalog) there(s *script.Statement) bool {
	m := made(s.Node)
	o := c.origin(s, 0)
	if m.on != nil {
		n, err := c.relation(o, m.on)
		return err == nil && c.thereOn(n, m)
	}
	switch m.kind {
	case "schema":
		return c.Schemas[m.name] != nil || m.name == Public
	case "extension":
		return c.Extensions[m.name] != nil
	case "publication":
		return c.Others[[2]string{m.kind, m.name}] != nil
	case "server":
		return c.Others[[2]string{"opaque", "server " + m.name}] != nil
	case "role":
		return false // roles are no part of a schema
	case "label":
		n, ok := c.ResolveType(o, m.schema, m.of)
		return ok && slices.Contains(c.Types[n].Labels, m.name)
	}
	path := []string{m.schema}
	if m.schema == "" {
		path = o.Path[:min(1, len(o.Path))]
	}
	for _, in := range path {
		n := Name{in, m.name}
		_, relation := c.Relation(n)
		if c.Types[n] != nil || relation || c.Others[[2]string{"opaque", m.kind + " " + n.String()}] != nil {
			return true
		}
	}
	return false
}

// thereOn tells whether a table or a view has a part of a name.
func (c *Catalog) thereOn(on Name, m making) bool {
	t := c.Tables[on]
	switch m.kind {
	case "column":
		return t != nil && t.column(m.name) != nil
	case "constraint":
		return t != nil && t.constraint(m.name) != nil
	case "policy":
		return c.Others[[2]string{"policy", partOf(on, m.name)}] != nil
	}
	var triggers []*Trigger
	if t != nil {
		triggers = t.Triggers
	} else if v := c.Views[on]; v != nil {
		triggers = v.Triggers
	}
	return slices.ContainsFunc(triggers, func(g *Trigger) bool { return g.Name == m.name })
}

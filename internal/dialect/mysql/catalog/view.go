package catalog

import (
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"github.com/altergate/altergate/internal/dialect/mysql/script"
	"github.com/altergate/altergate/internal/schema"
)

// definer reads DEFINER = … after its word: as it is written, without white space.
func (r *reader) definer() string {
	r.take("=")
	off := r.here().off
	if r.take("current_user") {
		if r.take("(") {
			r.want(")")
		}
		return "CURRENT_USER"
	}
	if r.take("current_role") {
		return "CURRENT_ROLE"
	}
	t := r.next()
	user := t.value
	if t.kind != tokenWord && t.kind != tokenQuoted && t.kind != tokenString {
		r.failSyntax("a user")
		return ""
	}
	if r.here().kind == tokenVar {
		v := r.next()
		host := strings.TrimPrefix(v.text, "@")
		if host == "" {
			host = r.next().value
		} else if r.is(".") || r.is("-") {
			for r.is(".") || r.is("-") || r.here().kind == tokenNumber {
				host += r.next().text
			}
		}
		return Quote(user) + "@" + Quote(host)
	}
	if off < 0 {
		return ""
	}
	return Quote(user) + "@" + Quote("%")
}

// createView runs CREATE VIEW, with or without OR REPLACE, and ALTER VIEW.
func (r *reader) createView(s *script.Statement) error {
	at := r.here()
	alter := r.take("alter")
	replace, quiet := alter, false
	if !alter {
		r.want("create")
		replace = r.take("or", "replace")
	}
	v := &View{Pos: r.pos(at.off), Text: strings.TrimSpace(s.SQL), statement: s}
	for r.err == nil && !r.is("view") {
		switch {
		case r.take("algorithm"):
			r.take("=")
			v.Algorithm = strings.ToUpper(r.word())
			if v.Algorithm == "UNDEFINED" {
				v.Algorithm = ""
			}
		case r.take("definer"):
			v.Definer = r.definer()
		case r.take("sql", "security"):
			v.Security = strings.ToUpper(r.word())
			if v.Security == "DEFINER" {
				v.Security = ""
			}
		default:
			r.failSyntax("VIEW")
		}
	}
	r.want("view")
	quiet = r.take("if", "not", "exists")
	nameAt := r.here()
	v.Name = r.name()
	r.wantName(nameAt, "view", v.Name.Name)
	if r.take("(") {
		v.Columns = r.names()
	}
	r.want("as")
	if r.err != nil {
		return r.err
	}
	r.viewQuery(v, s)
	c := r.c
	key := v.Name.Key()
	switch {
	case c.Tables[key] != nil:
		r.fail(nameAt, schema.KindSchema, "%s is a table; drop it first, or give the view another name", v.Name)
		return r.err
	case alter && c.Views[key] == nil:
		return r.missing(nameAt, "view %s is altered and is not there; declare it first", v.Name)
	case c.Views[key] != nil && quiet:
		r.idleMade(nameAt, "view", v.Name)
		return nil
	case c.Views[key] != nil && !replace:
		r.fail(nameAt, schema.KindSchema, "view %s is there already; drop it first, or say CREATE OR REPLACE", v.Name)
		return r.err
	}
	c.Views[key] = v
	return errCarried
}

// viewQuery reads the query of a view: what it names, and its canonical text.
func (r *reader) viewQuery(v *View, s *script.Statement) {
	start, end := r.i, len(r.list)-1
	has := func(i int, words ...string) bool {
		if i < start {
			return false
		}
		for n, w := range words {
			if t := r.list[i+n]; t.kind != tokenWord || !strings.EqualFold(t.text, w) {
				return false
			}
		}
		return true
	}
	switch {
	case has(end-4, "with", "cascaded", "check", "option"):
		v.Check, end = "CASCADED", end-4
	case has(end-4, "with", "local", "check", "option"):
		v.Check, end = "LOCAL", end-4
	case has(end-3, "with", "check", "option"):
		v.Check, end = "CASCADED", end-3
	}
	if end <= start {
		r.failSyntax("a query")
		return
	}
	text := r.src[r.list[start].off:r.list[end-1].end]
	v.Words = script.Words(text)
	for i := start; i < end; i++ {
		if t := r.list[i]; t.kind == tokenOp && t.text == "*" && r.list[i-1].kind != tokenNumber {
			p := r.list[i-1]
			v.Open = v.Open || p.kind == tokenWord && (strings.EqualFold(p.text, "select") || strings.EqualFold(p.text, "distinct")) || p.kind == tokenOp && (p.text == "." || p.text == ",")
		}
	}
	canon, ok := r.c.queryCanon(r, r.list[start:end], v.Name.Database)
	if !ok {
		canon = wordsOf(r.list[start:end])
	}
	v.Canon = canon
	v.Tables = map[string]bool{}
	if node, ok := s.Node.(*ast.CreateViewStmt); ok && node.Select != nil {
		r.c.viewTables(node.Select, v.Tables)
		v.names = namesIn(node.Select)
	}
}

// viewTables collects the tables and views that a query reads.
func (c *Catalog) viewTables(n ast.Node, into map[string]bool) {
	n.Accept(&tableNames{c: c, into: into})
}

type tableNames struct {
	c    *Catalog
	into map[string]bool
}

// Enter implements ast.Visitor.
func (v *tableNames) Enter(n ast.Node) (ast.Node, bool) {
	if t, ok := n.(*ast.TableName); ok {
		v.into[v.c.named(t.Schema.O, t.Name.O).Key()] = true
	}
	return n, false
}

// Leave implements ast.Visitor.
func (v *tableNames) Leave(n ast.Node) (ast.Node, bool) { return n, true }

// keywords are the reserved words of both servers that are written in lower case in canonical text; other words are names, whose case may count.
var keywords = wordSet(`add all alter and as asc between both by case cast collate convert cross current_date current_time current_timestamp
	current_user database databases default delete desc describe distinct distinctrow div else elseif exists except exit false for force from fulltext group
	groups having high_priority if ignore in index inner insert intersect interval into is join key keys lateral leading left like limit localtime
	localtimestamp mod natural not null of offset on or order outer over partition primary range recursive regexp rename replace restrict right
	rlike row rows select separator set straight_join table then to trailing true union unique unsigned update use using utc_date utc_time
	utc_timestamp values when where while window with xor begin end declare return returns call do loop repeat until leave iterate cursor open close
	fetch handler continue condition signal resignal sqlstate new old each trigger before after`)

func wordSet(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(text) {
		set[w] = true
	}
	return set
}

// wordsOf writes tokens in one form: keywords and functions in lower case, names in quotes, strings in single ones, one blank between them.
func wordsOf(list []token) string {
	var b strings.Builder
	for i, t := range list {
		if i > 0 {
			b.WriteByte(' ')
		}
		switch t.kind {
		case tokenWord:
			lower := strings.ToLower(t.text)
			called := i+1 < len(list) && list[i+1].text == "(" && list[i+1].kind == tokenOp
			if dotted := i > 0 && list[i-1].text == "." && list[i-1].kind == tokenOp; !dotted && (keywords[lower] || called) {
				b.WriteString(lower)
			} else {
				b.WriteString(Quote(t.text))
			}
		case tokenQuoted:
			b.WriteString(Quote(t.value))
		case tokenString:
			b.WriteString(quoteText(t.value))
		case tokenOp:
			op := t.text
			if op == "!=" {
				op = "<>"
			}
			b.WriteString(op)
		default:
			b.WriteString(strings.ToLower(t.text))
		}
	}
	return b.String()
}

// dropViews runs DROP VIEW.
func (r *reader) dropViews() error {
	r.want("drop", "view")
	names, quiet, at := r.dropNames()
	if r.err != nil {
		return r.err
	}
	for _, n := range names {
		if r.c.Views[n.Key()] == nil && !quiet {
			return r.missing(at, "view %s is not there to drop", n)
		}
		if r.c.Views[n.Key()] == nil {
			r.idle(at, true, "view "+n.String()+" is not there")
		}
	}
	for _, n := range names {
		delete(r.c.Views, n.Key())
	}
	return errCarried
}

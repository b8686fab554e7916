package scratch

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"github.com/altergate/altergate/internal/dialect/mysql/script"
	"github.com/altergate/altergate/internal/proof"
	"github.com/altergate/altergate/internal/schema"
)

// databases are those that hold one side: the one that plans run in, and one for each that the schema names.
type databases struct {
	server *server
	session
	main  string            // of ours
	named map[string]string // ours, by the schema's name as it is compared
	names map[string]string // the schema's name, by ours; the main one's is empty
	made  map[string]bool   // the schema's names, as compared, of those that a statement makes
	title string            // of the main one, where the schema has a name for it

	clash map[string]bool // tables that are called like a database
	mode  mode            // of the session's strings
}

// newDatabases names the databases of a side, and makes those that no statement makes.
func (s *server) newDatabases(ctx context.Context, of schema.Side, in Input) (*databases, error) {
	q, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	d := &databases{server: s, session: q, main: s.prefix + string(of), named: map[string]string{}, names: map[string]string{}, made: map[string]bool{}, clash: map[string]bool{}, title: in.Main}
	d.names[d.main] = ""
	if in.Main != "" {
		d.named[s.fold(in.Main)] = d.main
	}
	found := s.namesIn(in)
	for i, name := range found.databases {
		if _, known := d.named[name]; !known {
			ours := fmt.Sprintf("%s_%d", d.main, i+1)
			d.named[name], d.names[ours] = ours, found.written[name]
		}
	}
	side := in.Base
	if of == schema.Head {
		side = in.Head
	}
	for _, st := range side.Statements {
		if n, ok := st.Node.(*ast.CreateDatabaseStmt); ok {
			d.made[s.fold(n.Name.O)] = true
		}
	}
	for name := range d.named {
		d.clash[name] = found.tables[name]
	}
	if err := d.create(ctx, in); err != nil {
		_ = d.conn.Close()
		return nil, err
	}
	return d, nil
}

// create makes the main database, and those that the schema uses and does not make. It is not stopped with ctx: a server that has been
// told to make one makes it.
func (d *databases) create(ctx context.Context, in Input) error {
	patient, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanupTimeout)
	defer cancel()
	options := ""
	if in.Charset != "" && d.server.collations[strings.ToLower(in.Charset)] {
		options += " CHARACTER SET " + in.Charset
	}
	if in.Collation != "" && d.server.collations[strings.ToLower(in.Collation)] {
		options += " COLLATE " + in.Collation
	}
	all := []string{d.main}
	for _, name := range keys(d.named) {
		if ours := d.named[name]; ours != d.main && !d.made[name] {
			all = append(all, ours)
		}
	}
	for _, name := range all {
		if err := d.exec(patient, "CREATE DATABASE "+quote(name)+options); err != nil {
			return unavailable(ctx, fmt.Errorf("making a database: %w", err))
		}
	}
	return d.exec(ctx, "USE "+quote(d.main))
}

// found are the names in both sides.
type found struct {
	databases []string          // as compared, in order
	written   map[string]string // as written
	tables    map[string]bool
}

// namesIn looks for the databases that statements make, use or name a table in.
func (s *server) namesIn(in Input) found {
	f := found{written: map[string]string{}, tables: map[string]bool{}}
	add := func(name string) {
		if name != "" && !strings.EqualFold(name, "information_schema") && !slices.Contains(system, strings.ToLower(name)) {
			f.written[s.fold(name)] = name
		}
	}
	for _, side := range []Side{in.Base, in.Head} {
		for _, st := range side.Statements {
			switch n := st.Node.(type) {
			case *ast.UseStmt:
				add(n.DBName)
			case *ast.CreateDatabaseStmt:
				add(n.Name.O)
			case *ast.DropDatabaseStmt:
				add(n.Name.O)
			case *ast.AlterDatabaseStmt:
				add(n.Name.O)
			case nil:
			default:
				n.Accept(tableNames{func(t *ast.TableName) {
					add(t.Schema.O)
					f.tables[s.fold(t.Name.O)] = true
				}})
			}
			if st.Stored != nil {
				add(st.Stored.Name.Database)
				add(st.Stored.Table.Database)
			}
			if st.Maria != nil {
				add(st.Maria.Name.Database)
			}
		}
	}
	f.databases = keys(f.written)
	return f
}

// tableNames visits the tables that a statement names.
type tableNames struct{ see func(*ast.TableName) }

// Enter is called for every node.
func (v tableNames) Enter(n ast.Node) (ast.Node, bool) {
	if t, ok := n.(*ast.TableName); ok {
		v.see(t)
	}
	return n, false
}

// Leave is called afterwards.
func (v tableNames) Leave(n ast.Node) (ast.Node, bool) { return n, true }

// mapped writes a statement with our databases for the schema's. A name in front of a dot is a database, unless a table is called like
// one: then the word before it decides, and where that does not, the error is *proof.Unfit.
func (d *databases) mapped(text string, ts []token) (string, bool, error) {
	var out strings.Builder
	from := 0
	for i, t := range ts {
		ours, known := d.named[d.server.fold(t.text)]
		if !known || !t.isName() {
			continue
		}
		ok, err := d.isDatabase(ts, i)
		if err != nil {
			return "", false, err
		}
		if ok {
			out.WriteString(text[from:t.from] + quote(ours))
			from = t.to
		}
	}
	return out.String() + text[from:], from > 0, nil
}

// isDatabase tells whether a name that a database has stands for it.
func (d *databases) isDatabase(ts []token, i int) (bool, error) {
	before := func(n int) token {
		if i-n < 0 {
			return token{}
		}
		return ts[i-n]
	}
	next := func(n int) string {
		if i+n < len(ts) {
			return ts[i+n].text
		}
		return ""
	}
	switch {
	case before(1).text == "." && before(1).kind == other, before(1).text == "@":
		return false, nil
	case next(1) != ".":
		return before(1).is("use") && i == 1 || before(1).is("database", "schema") || before(1).is("exists") && slices.ContainsFunc(ts[:i], func(t token) bool { return t.is("database", "schema") }), nil
	case !d.clash[d.server.fold(ts[i].text)], next(3) == ".":
		return true, nil
	case before(1).is("from", "join", "table", "tables", "into", "update", "references", "view", "trigger", "procedure", "function", "event", "sequence", "exists", "call", "like", "to", "straight_join"):
		return true, nil
	case before(1).text == ",", before(1).is("on"), before(1).text == "(":
		return false, &proof.Unfit{Reason: fmt.Sprintf("a table and a database are both called %s, and it is not clear which one a statement means", ts[i].text)}
	}
	return false, nil
}

// said gives what the server says, with the schema's names for our databases.
func (d *databases) said(text string) string {
	for _, ours := range slices.Backward(keys(d.names)) { // the longer ones first
		name := d.names[ours]
		if name == "" && d.title != "" {
			name = d.title
		}
		if name == "" {
			text = strings.NewReplacer("`"+ours+"`.", "", "'"+ours+".", "'", ours+".", "", ours, "the database").Replace(text)
			continue
		}
		text = strings.ReplaceAll(text, ours, name)
	}
	return text
}

// shown gives the name of what is in a database of ours, as reports have it.
func (d *databases) shown(ours, name string) string {
	if db := d.names[ours]; db != "" {
		return db + "." + name
	}
	return name
}

// list gives our databases as SQL.
func (d *databases) list() string {
	var out []string
	for _, name := range keys(d.names) {
		out = append(out, literal(name))
	}
	return strings.Join(out, ", ")
}

// position says where a statement stands.
func position(st *script.Statement) schema.Pos {
	if st.At != nil {
		return *st.At
	}
	if st.File == nil {
		return schema.Pos{}
	}
	return st.File.Pos(st.Offset)
}

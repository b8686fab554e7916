package catalog

import (
	"maps"
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/altergate/altergate/internal/dialect/postgres/script"
	"github.com/altergate/altergate/internal/schema"
)

// defaultPath is the search path of a new session without "$user": a schema of the user's name would have to be declared, and
// then it depends on who runs the files.
var defaultPath = []string{Public}

// origin is a place in the statement that runs.
func (c *Catalog) origin(s *script.Statement, offset int) Origin {
	return Origin{Statement: s, Offset: max(offset, 0), Path: c.path, Time: c.now}
}

// runSession runs the statements that change no schema: they are about the session, or about rows.
func (c *Catalog) runSession(s *script.Statement, node *pg.Node) (bool, error) {
	switch n := node.GetNode().(type) {
	case *pg.Node_VariableSetStmt:
		return true, c.set(s, n.VariableSetStmt)
	case *pg.Node_TransactionStmt:
		return true, c.transaction(n.TransactionStmt)
	case *pg.Node_SelectStmt:
		return true, c.query(s, n.SelectStmt)
	case *pg.Node_ExplainStmt:
		return true, c.explain(s, n.ExplainStmt)
	case *pg.Node_DiscardStmt:
		if n.DiscardStmt.GetTarget() == pg.DiscardMode_DISCARD_ALL {
			c.NewSession()
		}
		return true, passedOver("DISCARD")
	case *pg.Node_DoStmt:
		return true, doubtful("DO")
	}
	if what, ok := unseen[kindOf(node)]; ok {
		return true, doubtful(what)
	}
	what, ok := passing[kindOf(node)]
	if !ok {
		return false, nil
	}
	if v := node.GetVacuumStmt(); v != nil && !v.GetIsVacuumcmd() {
		what = "ANALYZE"
	}
	return true, passedOver(what)
}

// passing are the statements that change no schema, by the parser's name for them, with the word to count them by.
var passing = map[string]string{
	"InsertStmt": "INSERT", "UpdateStmt": "UPDATE", "DeleteStmt": "DELETE", "MergeStmt": "MERGE", "CopyStmt": "COPY", "TruncateStmt": "TRUNCATE",
	"VacuumStmt": "VACUUM", "ClusterStmt": "CLUSTER", "ReindexStmt": "REINDEX", "RefreshMatViewStmt": "REFRESH MATERIALIZED VIEW", "CheckPointStmt": "CHECKPOINT",
	"LockStmt": "LOCK", "NotifyStmt": "NOTIFY", "ListenStmt": "LISTEN", "UnlistenStmt": "UNLISTEN", "VariableShowStmt": "SHOW", "ConstraintsSetStmt": "SET CONSTRAINTS",
	"DeallocateStmt": "DEALLOCATE", "ClosePortalStmt": "CLOSE", "FetchStmt": "FETCH",
	"CreatedbStmt": "CREATE DATABASE", "AlterDatabaseStmt": "ALTER DATABASE", "AlterDatabaseSetStmt": "ALTER DATABASE", "AlterDatabaseRefreshCollStmt": "ALTER DATABASE", "DropdbStmt": "DROP DATABASE",
	"CreateRoleStmt": "CREATE ROLE", "AlterRoleStmt": "ALTER ROLE", "AlterRoleSetStmt": "ALTER ROLE", "DropRoleStmt": "DROP ROLE", "GrantRoleStmt": "GRANT of a role",
	"CreateTableSpaceStmt": "CREATE TABLESPACE", "AlterTableSpaceOptionsStmt": "ALTER TABLESPACE", "DropTableSpaceStmt": "DROP TABLESPACE", "AlterSystemStmt": "ALTER SYSTEM",
}

// unseen are the statements of which only a run shows what they change, by the parser's name for them, with the word for them.
var unseen = map[string]string{
	"PrepareStmt": "PREPARE", "ExecuteStmt": "EXECUTE", "DeclareCursorStmt": "DECLARE", "CallStmt": "CALL", "LoadStmt": "LOAD", "ImportForeignSchemaStmt": "IMPORT FOREIGN SCHEMA",
	"DropOwnedStmt": "DROP OWNED", "ReassignOwnedStmt": "REASSIGN OWNED", "AlterTableMoveAllStmt": "ALTER TABLE ALL IN TABLESPACE",
}

// set takes SET, which matters where it changes what names mean.
func (c *Catalog) set(s *script.Statement, n *pg.VariableSetStmt) error {
	what := passedOver("SET")
	if n.GetKind() == pg.VariableSetKind_VAR_RESET || n.GetKind() == pg.VariableSetKind_VAR_RESET_ALL {
		what = "RESET"
	}
	switch {
	case n.GetKind() == pg.VariableSetKind_VAR_RESET_ALL:
		c.path = defaultPath
	case n.GetName() == "session_replication_role", n.GetName() != "search_path":
	case n.GetKind() != pg.VariableSetKind_VAR_SET_VALUE:
		c.path = defaultPath
	default:
		if n.GetIsLocal() && c.before == nil {
			c.before = c.path
		}
		if !n.GetIsLocal() {
			c.before = nil
		}
		return c.setPath(s, words(n.GetArgs()), what)
	}
	return what
}

// setPath takes the schemas of a search path.
func (c *Catalog) setPath(s *script.Statement, schemas []string, what passedOver) error {
	path := []string{}
	for _, name := range schemas {
		switch {
		case name == "$user", name == "", name == "pg_catalog", slices.Contains(path, name):
		case isTemporary(name):
			// it is searched first anyway
		default:
			path = append(path, name)
		}
	}
	c.path = path
	return what
}

func isTemporary(schemaName string) bool {
	return schemaName == "pg_temp" || strings.HasPrefix(schemaName, "pg_temp_") || strings.HasPrefix(schemaName, "pg_toast_temp")
}

// transaction ends what SET LOCAL has set.
func (c *Catalog) transaction(n *pg.TransactionStmt) error {
	switch n.GetKind() {
	case pg.TransactionStmtKind_TRANS_STMT_COMMIT, pg.TransactionStmtKind_TRANS_STMT_ROLLBACK:
		c.endTemporary()
		if c.before != nil {
			c.path, c.before = c.before, nil
		}
	}
	word := strings.TrimPrefix(n.GetKind().String(), "TRANS_STMT_")
	return passedOver(strings.ReplaceAll(word, "_", " "))
}

// query takes a SELECT that stands by itself: it may set the search path, or call a function that changes anything.
func (c *Catalog) query(s *script.Statement, n *pg.SelectStmt) error {
	if into := n.GetIntoClause(); into != nil {
		return c.createFromQuery(s, queried{into: into, query: s.Node, selected: true})
	}
	unknown := false
	var path []string
	walk(n.ProtoReflect(), func(m protoreflect.Message) {
		call, ok := m.Interface().(*pg.FuncCall)
		if !ok {
			return
		}
		in, name := apart(call.GetFuncname())
		unknown = unknown || c.MayWrite(c.origin(s, 0), in, name)
		if name == "set_config" && len(call.GetArgs()) > 1 && strings.EqualFold(word(call.GetArgs()[0]), "search_path") {
			path = nameList(word(call.GetArgs()[1]))
		}
	})
	switch {
	case path != nil:
		return c.setPath(s, path, "SELECT set_config")
	case unknown:
		return doubtful("SELECT")
	}
	return passedOver("SELECT")
}

// explain takes EXPLAIN, which may run its statement: that is about rows, unless it makes a table.
func (c *Catalog) explain(s *script.Statement, n *pg.ExplainStmt) error {
	for _, option := range n.GetOptions() {
		if option.GetDefElem().GetDefname() == "analyze" && n.GetQuery().GetCreateTableAsStmt() != nil {
			return c.errorf(c.origin(s, 0), schema.KindUnsupported, "EXPLAIN ANALYZE of CREATE TABLE AS makes the table; write the CREATE TABLE alone")
		}
	}
	return passedOver("EXPLAIN")
}

// nameList reads a list of names as settings hold it: 'app, "My Schema"'. It is never nil.
func nameList(text string) []string {
	names := []string{}
	for text = strings.TrimSpace(text); text != ""; {
		name, rest := identifier(text)
		if rest == text { // no name begins here
			rest = text[1:]
		} else {
			names = append(names, name)
		}
		text = strings.TrimLeft(rest, " \t\n,")
	}
	return names
}

// identifier reads the name that a text begins with, and gives the rest of the text.
func identifier(text string) (name, rest string) {
	end := behindIdentifier(text, 0)
	name, rest = text[:end], text[end:]
	if strings.HasPrefix(name, `"`) && len(name) > 1 {
		return strings.ReplaceAll(name[1:len(name)-1], `""`, `"`), rest
	}
	return fold(name), rest
}

// fold gives the form in which PostgreSQL keeps an unquoted name.
func fold(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, name)
}

// qualified reads a name as a literal of type regclass holds it; ok is false if it is none.
func qualified(text string) (schemaName, name string, ok bool) {
	var parts []string
	for rest := strings.TrimSpace(text); ; {
		part, more := identifier(rest)
		if more == rest {
			return "", "", false
		}
		parts = append(parts, part)
		rest = strings.TrimSpace(more)
		if rest == "" {
			break
		}
		if rest[0] != '.' {
			return "", "", false
		}
		rest = strings.TrimSpace(rest[1:])
	}
	if len(parts) > 2 {
		parts = parts[len(parts)-2:]
	}
	if len(parts) == 1 {
		return "", parts[0], true
	}
	return parts[0], parts[1], true
}

// created gives the full name of something that a statement makes: without a schema it goes to the first one of the path.
func (c *Catalog) created(o Origin, schemaName, name string) (Name, error) {
	switch {
	case isTemporary(schemaName):
		return Name{}, c.errorf(o, schema.KindUnsupported, "temporary tables are no part of a schema; take %s out of the files", name)
	case schemaName != "":
		return Name{schemaName, name}, nil
	case len(o.Path) == 0:
		return Name{}, c.errorf(o, schema.KindSchema, "no schema has been selected to create %s in: the search path is empty here; write the schema before the name", name)
	case len(o.Path) > 1 && o.Path[0] != Public && c.Schemas[o.Path[0]] == nil:
		return Name{}, c.missing(o, "%s would go to the schema %s, which is the first of the search path and is not declared; add CREATE SCHEMA %s, or write the schema before the name", name, o.Path[0], script.Quote(o.Path[0]))
	}
	return Name{o.Path[0], name}, nil
}

// newRelation gives the full name of a relation that a statement makes.
func (c *Catalog) newRelation(o Origin, r *pg.RangeVar) (Name, error) {
	if r.GetRelpersistence() == "t" {
		return Name{}, c.errorf(o, schema.KindUnsupported, "temporary tables are no part of a schema; take %s out of the files", r.GetRelname())
	}
	return c.created(o, r.GetSchemaname(), r.GetRelname())
}

// relation gives the full name of the relation that a statement is about. It waits for one that is not there.
func (c *Catalog) relation(o Origin, r *pg.RangeVar) (Name, error) {
	n, ok := c.Resolve(o, r.GetSchemaname(), r.GetRelname())
	if ok {
		return n, nil
	}
	if isTemporary(r.GetSchemaname()) {
		return Name{}, c.errorf(o, schema.KindUnsupported, "temporary tables are no part of a schema; take %s out of the files", r.GetRelname())
	}
	written := r.GetRelname()
	if r.GetSchemaname() != "" {
		written = r.GetSchemaname() + "." + written
	}
	if r.GetSchemaname() == "" && len(o.Path) == 0 {
		return Name{}, c.missing(o, "there is no relation %s: the search path is empty here, so a name without a schema is found nowhere; write the schema before it", written)
	}
	return Name{}, c.missing(o, "there is no relation %s; create it, or correct the name", written)
}

// existing does the same for ALTER … IF EXISTS. On a server, what comes only later is not there: to pass the statement over or to run
// it would both be a guess, so it is refused.
func (c *Catalog) existing(o Origin, r *pg.RangeVar, missingOK bool) (Name, error) {
	n, err := c.relation(o, r)
	switch {
	case !missingOK || (err != nil && !waits(err)):
		return n, err
	case err != nil && c.final:
		return n, notThere
	case err != nil:
		if c.skipped == nil {
			c.skipped = map[*script.Statement]bool{}
		}
		c.skipped[o.Statement] = true
		return n, err
	case c.skipped[o.Statement]:
		return n, c.errorf(o, schema.KindSchema, "%s is made only behind this, so a server passes this over by IF EXISTS; put it behind, or take it out", n)
	}
	return n, nil
}

// notThere is what comes of IF EXISTS.
const notThere = passedOver("ALTER … IF EXISTS of what is not there")

// table gives the table that a statement is about. It waits for one that is not there.
func (c *Catalog) table(o Origin, r *pg.RangeVar) (*Table, error) {
	n, err := c.relation(o, r)
	if err != nil {
		return nil, err
	}
	t := c.Tables[n]
	if t == nil {
		kind, _ := c.Relation(n)
		return nil, c.errorf(o, schema.KindSchema, "%s is a %s and no table", n, kind)
	}
	return t, nil
}

// Relation tells what has a name: "table", "view", "sequence", "index" or "composite type".
func (c *Catalog) Relation(n Name) (kind string, ok bool) {
	switch {
	case c.Tables[n] != nil:
		return "table", true
	case c.Views[n] != nil:
		return "view", true
	case c.Sequences[n] != nil:
		return "sequence", true
	case c.Indexes[n] != nil:
		return "index", true
	case c.Types[n] != nil && c.Types[n].Kind == Composite:
		return "composite type", true
	}
	if _, k := c.keyNamed(n); k != nil {
		return "index", true
	}
	return "", false
}

// freeRelation refuses a name for a new relation that one has already.
func (c *Catalog) freeRelation(o Origin, what string, n Name) error {
	kind, ok := c.Relation(n)
	if !ok {
		return nil
	}
	article := "a"
	if kind == "index" {
		article = "an"
	}
	return c.errorf(o, schema.KindSchema, "%s %s cannot be made: there already is %s %s of that name%s; take one of the two out", what, n, article, kind, c.saidAt(n))
}

// saidAt gives the place where a relation was made, for messages.
func (c *Catalog) saidAt(n Name) string {
	var o Origin
	switch {
	case c.Tables[n] != nil:
		o = c.Tables[n].Origin
	case c.Views[n] != nil:
		o = c.Views[n].Origin
	case c.Sequences[n] != nil:
		o = c.Sequences[n].Origin
	case c.Indexes[n] != nil:
		o = c.Indexes[n].Origin
	case c.Types[n] != nil:
		o = c.Types[n].Origin
	default:
		if _, k := c.keyNamed(n); k != nil {
			o = k.Origin
		}
	}
	if at := o.Pos(); at.Line > 0 {
		return " (" + at.String() + ")"
	}
	return ""
}

// Resolve gives the relation that a name in a body means, as it is called now: the body's path and its time count. A name written
// with its schema is given even if nothing has it.
func (c *Catalog) Resolve(o Origin, schemaName, name string) (Name, bool) {
	return c.resolve(o, schemaName, name, func(n Name) bool { _, ok := c.Relation(n); return ok })
}

// ResolveType does the same for a type that a statement made, or a table's or view's row type.
func (c *Catalog) ResolveType(o Origin, schemaName, name string) (Name, bool) {
	return c.resolve(o, schemaName, name, func(n Name) bool { return c.Types[n] != nil || c.Tables[n] != nil || c.Views[n] != nil })
}

func (c *Catalog) resolve(o Origin, schemaName, name string, there func(Name) bool) (Name, bool) {
	if schemaName != "" {
		n := Name{schemaName, name}
		now := c.nameNow(o.Time, n)
		return now, there(now) && c.NameThen(o.Time, now) == n
	}
	for _, in := range o.Path {
		n := Name{in, name}
		if now := c.nameNow(o.Time, n); there(now) && c.NameThen(o.Time, now) == n {
			return now, true
		}
	}
	return Name{}, false
}

// functionsBy holds functions by name, as they were at a tick.
type functionsBy struct {
	tick, n int
	byName  map[Name][]*Function
}

// ResolveFunctions gives all functions that a name in a body may mean, those of the path's first schemas first. A function that
// was renamed is among those of its old name for bodies from before.
func (c *Catalog) ResolveFunctions(o Origin, schemaName, name string) []*Function {
	by := c.functionsByName()
	path := o.Path
	if schemaName != "" {
		path = []string{schemaName}
	}
	var found []*Function
	for _, in := range path {
		names := []Name{{in, name}}
		for _, r := range c.since(o.Time) {
			if r.Kind == "function" && slices.Contains(names, r.From) && !slices.Contains(names, r.To) {
				names = append(names, r.To)
			}
		}
		for _, n := range names {
			found = append(found, by[n]...)
		}
	}
	return found
}

func (c *Catalog) functionsByName() map[Name][]*Function {
	if f := c.functions.Load(); f != nil && f.tick == c.ticks && f.n == len(c.Functions) {
		return f.byName
	}
	f := &functionsBy{tick: c.ticks, n: len(c.Functions), byName: map[Name][]*Function{}}
	for _, id := range slices.Sorted(maps.Keys(c.Functions)) {
		fn := c.Functions[id]
		f.byName[fn.Name] = append(f.byName[fn.Name], fn)
	}
	c.functions.Store(f)
	return f.byName
}

// walk visits a tree and all that is in it, from the outside in.
func walk(m protoreflect.Message, visit func(protoreflect.Message)) {
	if !m.IsValid() {
		return
	}
	visit(m)
	m.Range(func(field protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case field.Message() == nil:
		case field.IsList():
			for i := range v.List().Len() {
				walk(v.List().Get(i).Message(), visit)
			}
		default:
			walk(v.Message(), visit)
		}
		return true
	})
}

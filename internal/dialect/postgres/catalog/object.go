package catalog

import (
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/proto"

	"github.com/altergate/altergate/internal/dialect/postgres/script"
	"github.com/altergate/altergate/internal/schema"
)

// duplicate makes the error for something that is declared twice.
func (c *Catalog) duplicate(o Origin, kind, name string, first Origin) error {
	at := first.Pos().String()
	if at == "" {
		at = "in the statements before"
	}
	return c.errorf(o, schema.KindSchema, "%s %s is already there (%s); take one of the two out", kind, name, at)
}

// put takes a new object in.
func (c *Catalog) put(o *Object) error {
	key := [2]string{o.Kind, o.Key}
	if old := c.Others[key]; old != nil {
		return c.duplicate(o.Origin, strings.ReplaceAll(o.Kind, "_", " "), o.Key, old.Origin)
	}
	c.Others[key] = o
	return nil
}

// other finds an object of Others whose key is a qualified name. It waits for one that is not there.
func (c *Catalog) other(o Origin, kind, what string, names []*pg.Node) (*Object, error) {
	schemaName, name := apart(names)
	for _, path := range c.schemasOf(o, schemaName) {
		if x := c.Others[[2]string{kind, Name{path, name}.String()}]; x != nil {
			return x, nil
		}
	}
	return nil, c.missing(o, "%s %s is not there; create it, or correct the name", what, dotted(schemaName, name))
}

// role gives the name of a role as grants and owners have it. Those that depend on who runs the file keep SQL's word.
func role(r *pg.RoleSpec) string {
	switch r.GetRoletype() {
	case pg.RoleSpecType_ROLESPEC_PUBLIC:
		return "public"
	case pg.RoleSpecType_ROLESPEC_CURRENT_ROLE, pg.RoleSpecType_ROLESPEC_CURRENT_USER:
		return "current_user"
	case pg.RoleSpecType_ROLESPEC_SESSION_USER:
		return "session_user"
	}
	return r.GetRolename()
}

// createSchema declares a schema and runs the statements in it as if they stood behind it with the schema first in the path.
func (c *Catalog) createSchema(s *script.Statement, n *pg.CreateSchemaStmt) error {
	o := c.origin(s, max(0, firstAt(s, 0, "SCHEMA")))
	name := n.Schemaname
	if name == "" {
		name = role(n.Authrole)
	}
	if strings.HasPrefix(name, "pg_") {
		return c.errorf(o, schema.KindSchema, "schema %s: names that begin with pg_ are kept for PostgreSQL; rename it", name)
	}
	old := c.Schemas[name]
	if _, waited := c.done[s]; waited { // it was made, and some statement in it had to wait
		return c.runElements(s, n, name)
	}
	if old != nil {
		if n.IfNotExists {
			return passedOver("CREATE SCHEMA IF NOT EXISTS of what is there")
		}
		return c.duplicate(o, "schema", name, old.Origin)
	}
	x := &Object{Kind: "schema", Key: name, Node: s.Node, Props: map[string]string{}, Modelled: true, Origin: o}
	if n.Authrole != nil {
		x.Owner = role(n.Authrole)
	}
	c.Schemas[name] = x
	return c.runElements(s, n, name)
}

// runElements runs the statements in a CREATE SCHEMA in the server's order, each as a statement of its own.
func (c *Catalog) runElements(s *script.Statement, n *pg.CreateSchemaStmt, name string) error {
	path := c.path
	defer func() { c.path = path }()
	c.path = append([]string{name}, without(path, name)...)
	step := 0
	for _, kind := range []func(*pg.Node) bool{
		func(x *pg.Node) bool { return x.GetCreateSeqStmt() != nil },
		func(x *pg.Node) bool { return x.GetCreateStmt() != nil },
		func(x *pg.Node) bool { return x.GetViewStmt() != nil },
		func(x *pg.Node) bool { return x.GetIndexStmt() != nil },
		func(x *pg.Node) bool { return x.GetCreateTrigStmt() != nil },
		func(x *pg.Node) bool { return x.GetGrantStmt() != nil },
	} {
		for i, x := range n.SchemaElts {
			if !kind(x) {
				continue
			}
			if step++; step <= c.done[s] {
				continue
			}
			piece := element(s, n.SchemaElts, i)
			err := c.run(piece, piece.Node)
			if waits(err) {
				if c.done == nil {
					c.done = map[*script.Statement]int{}
				}
				c.done[s] = step - 1
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// element makes one of the statements in a CREATE SCHEMA a statement of its own, with its own text and the offsets in it.
func element(s *script.Statement, all []*pg.Node, i int) *script.Statement {
	start, end := elementStart(s, all[i]), len(s.Text)
	if i+1 < len(all) {
		end = elementStart(s, all[i+1])
	}
	node := proto.Clone(all[i]).(*pg.Node)
	shift(node.ProtoReflect(), start)
	piece := *s
	piece.Text, piece.Start, piece.Node = strings.TrimSpace(s.Text[start:end]), s.Start+start, node
	return &piece
}

func elementStart(s *script.Statement, x *pg.Node) int {
	first := firstLocation(x)
	return max(lastBefore(s, first, "CREATE"), lastBefore(s, first, "GRANT"), 0)
}

// PropAlong names the extension that another one came along with.
const PropAlong = "along"

// Along gives the extensions that CREATE EXTENSION … CASCADE brings along because one needs them.
func Along(extension string) []string {
	switch extension {
	case "earthdistance":
		return []string{"cube"}
	case "postgis_topology", "postgis_raster", "postgis_sfcgal", "pgrouting":
		return []string{"postgis"}
	case "postgis_tiger_geocoder":
		return []string{"postgis", "fuzzystrmatch"}
	case "vectorscale":
		return []string{"vector"}
	}
	return nil
}

// createExtension declares an extension. What it brings is known only to package builtin.
func (c *Catalog) createExtension(s *script.Statement, n *pg.CreateExtensionStmt) error {
	o := c.origin(s, max(0, firstAt(s, 0, "EXTENSION")))
	if old := c.Extensions[n.Extname]; old != nil && (old.Props[PropAlong] == "" || n.IfNotExists) {
		if n.IfNotExists {
			return passedOver("CREATE EXTENSION IF NOT EXISTS of what is there")
		}
		return c.duplicate(o, "extension", n.Extname, old.Origin)
	}
	x := &Object{Kind: "extension", Key: n.Extname, Node: s.Node, Props: map[string]string{}, Modelled: true, Origin: o}
	for _, d := range defElems(n.Options) {
		switch d.Defname {
		case "schema":
			x.Props[propSchema] = word(d.Arg)
		case "new_version":
			x.Props["version"] = word(d.Arg)
		case "cascade":
			for _, along := range Along(n.Extname) {
				if c.Extensions[along] == nil {
					c.Extensions[along] = &Object{Kind: "extension", Key: along, Node: s.Node, Props: map[string]string{PropAlong: n.Extname}, Modelled: true, Origin: o}
				}
			}
		default:
			return c.errorf(c.origin(s, int(d.Location)), schema.KindUnsupported, "the option %s of extension %s is not understood; take it out", d.Defname, n.Extname)
		}
	}
	c.Extensions[n.Extname] = x
	return nil
}

// alterExtension takes ALTER EXTENSION … UPDATE.
func (c *Catalog) alterExtension(s *script.Statement, n *pg.AlterExtensionStmt) error {
	x := c.Extensions[n.Extname]
	if x == nil {
		return c.missing(c.origin(s, 0), "extension %s is not there; create it, or correct the name", n.Extname)
	}
	for _, d := range defElems(n.Options) {
		if d.Defname == "new_version" {
			x.Props["version"] = word(d.Arg)
			x.Altered = true
		}
	}
	return nil
}

// createStatistics makes extended statistics on a table.
func (c *Catalog) createStatistics(s *script.Statement, n *pg.CreateStatsStmt) error {
	o := c.origin(s, max(0, firstAt(s, 0, "STATISTICS")))
	if len(n.Relations) != 1 || n.Relations[0].GetRangeVar() == nil {
		return c.errorf(o, schema.KindSchema, "statistics are on one table; name it alone behind FROM")
	}
	on, err := c.relation(o, n.Relations[0].GetRangeVar())
	if err != nil {
		return err
	}
	columns, parts, err := c.statisticsColumns(o, on, n.Exprs)
	if err != nil {
		return err
	}
	name, err := c.statisticsName(o, on, n.Defnames, parts)
	if err != nil {
		return err
	}
	kinds := words(n.StatTypes)
	if len(kinds) == 0 && len(parts) > 1 {
		kinds = []string{"dependencies", "mcv", "ndistinct"}
	}
	slices.Sort(kinds)
	x := &Object{Kind: "statistics", Key: name.String(), On: &on, Node: s.Node, Modelled: true, Origin: o,
		Props: map[string]string{propSchema: name.Schema, propName: name.Name, "kinds": strings.Join(kinds, ","), "columns": joinNames(columns)}}
	x.Exprs = c.statisticsExprs(s, o, n)
	if old := c.Others[[2]string{x.Kind, x.Key}]; old != nil && n.IfNotExists {
		return passedOver("CREATE STATISTICS IF NOT EXISTS of what is there")
	}
	return c.put(x)
}

// statisticsColumns gives the columns that are named alone, and the words of which a name is made up.
func (c *Catalog) statisticsColumns(o Origin, on Name, nodes []*pg.Node) (columns, parts []string, err error) {
	for _, x := range nodes {
		name := x.GetStatsElem().GetName()
		if fields := x.GetStatsElem().GetExpr().GetColumnRef().GetFields(); name == "" && len(fields) == 1 {
			name = word(fields[0])
		}
		if name == "" {
			parts = append(parts, "expr")
			continue
		}
		if t := c.Tables[on]; t != nil && t.column(name) == nil {
			return nil, nil, c.missing(o, "statistics on %s name column %s, which is not there; create it, or correct the name", on, name)
		}
		columns, parts = append(columns, name), append(parts, name)
	}
	return columns, parts, nil
}

// statisticsExprs gives the expressions among what statistics are about. Their texts are between the commas from ON to FROM.
func (c *Catalog) statisticsExprs(s *script.Statement, o Origin, n *pg.CreateStatsStmt) []*Expr {
	var list []*Expr
	from := lastBefore(s, int(n.Relations[0].GetRangeVar().GetLocation()), "FROM")
	at := s.After(firstAt(s, o.Offset, "ON"), "ON")
	for _, x := range n.Exprs {
		text := s.Expr(at, from)
		if tree := x.GetStatsElem().GetExpr(); tree != nil && tree.GetColumnRef() == nil {
			list = append(list, &Expr{Node: tree, Text: text, Origin: c.origin(s, firstLocation(tree))})
		}
		if i := strings.Index(s.Text[max(at, 0):], text); i >= 0 {
			at = s.After(max(at, 0)+i+len(text), ",")
		}
	}
	return list
}

// statisticsName gives the name that is written, or makes one up as the server does (PostgreSQL 15, statscmds.c:
// ChooseExtendedStatisticName).
func (c *Catalog) statisticsName(o Origin, on Name, written []*pg.Node, parts []string) (Name, error) {
	if len(written) > 0 {
		schemaName, name := apart(written)
		return c.created(o, schemaName, name)
	}
	for pass := 0; ; pass++ {
		n := Name{on.Schema, makeObjectName(on.Name, nameAddition(parts), numbered("stat", pass))}
		if c.Others[[2]string{"statistics", n.String()}] == nil {
			return n, nil
		}
	}
}

func (c *Catalog) alterStatistics(s *script.Statement, n *pg.AlterStatsStmt) error {
	x, err := c.other(c.origin(s, 0), "statistics", "statistics", n.Defnames)
	if err != nil {
		if n.MissingOk {
			return passedOver("ALTER STATISTICS IF EXISTS of what is not there")
		}
		return err
	}
	if target := word(n.Stxstattarget); target == "-1" || target == "" {
		delete(x.Props, "target")
	} else {
		x.Props["target"] = target
	}
	x.Altered = true
	return nil
}

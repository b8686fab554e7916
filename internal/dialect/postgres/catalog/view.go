package catalog

import (
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/altergate/altergate/internal/dialect/postgres/script"
	"github.com/altergate/altergate/internal/schema"
)

// createView makes a view, or gives one another query.
func (c *Catalog) createView(s *script.Statement, n *pg.ViewStmt) error {
	o := c.origin(s, int(n.View.GetLocation()))
	name, err := c.newRelation(o, n.View)
	if err != nil {
		return err
	}
	v := &View{Name: name, Aliases: words(n.Aliases), Query: n.Query, Options: options(n.Options), Columns: map[string]*Expr{}, Origin: o}
	v.Text = viewText(s, int(n.View.GetLocation()))
	if recursive(n.Query) {
		v.Text = recursiveText(v)
	}
	switch n.WithCheckOption {
	case pg.ViewCheckOption_LOCAL_CHECK_OPTION:
		v.Options["check_option"] = "local"
	case pg.ViewCheckOption_CASCADED_CHECK_OPTION:
		v.Options["check_option"] = "cascaded"
	}
	if t := c.Types[name]; t != nil { // the type of a view's rows has its name
		return c.duplicate(o, t.word(), name.String(), t.Origin)
	}
	old := c.Views[name]
	if old == nil || old.Materialized || !n.Replace {
		if err := c.freeRelation(o, "view", name); err != nil {
			return err
		}
		c.Views[name] = v
		return nil
	}
	v.Columns, v.Triggers, v.Owner = old.Columns, old.Triggers, old.Owner
	c.Views[name] = v
	return nil
}

// createMaterializedView makes a materialized view.
func (c *Catalog) createMaterializedView(s *script.Statement, n *pg.CreateTableAsStmt) error {
	into := n.Into
	o := c.origin(s, int(into.Rel.GetLocation()))
	name, err := c.newRelation(o, into.Rel)
	if err != nil {
		return err
	}
	if _, there := c.Relation(name); there && n.IfNotExists {
		return passedOver("CREATE MATERIALIZED VIEW IF NOT EXISTS of what is there")
	}
	if err := c.freeRelation(o, "materialized view", name); err != nil {
		return err
	}
	c.Views[name] = &View{
		Name: name, Materialized: true, Aliases: words(into.ColNames), Query: n.Query, Text: viewText(s, int(into.Rel.GetLocation())),
		Options: options(into.Options), NoData: into.SkipData, AccessMethod: into.AccessMethod, Tablespace: spaceName(into.TableSpaceName),
		Columns: map[string]*Expr{}, Origin: o,
	}
	return nil
}

// viewText gives the query of CREATE VIEW name …, as written. What may follow the query is left out.
func viewText(s *script.Statement, name int) string {
	i := behindName(s, name)
	for {
		switch {
		case s.After(i, "(") >= 0, s.After(i, "WITH", "(") >= 0:
			_, end, _ := s.Parens(i)
			i = end
		case s.After(i, "USING") >= 0:
			i = behindWord(s, s.After(i, "USING"))
		case s.After(i, "TABLESPACE") >= 0:
			i = behindWord(s, s.After(i, "TABLESPACE"))
		case s.After(i, "AS") >= 0:
			return withoutTail(s, s.After(i, "AS"))
		default:
			return strings.TrimSpace(s.Text[i:])
		}
	}
}

func behindWord(s *script.Statement, i int) int {
	for i < len(s.Text) && !nameByte(s.Text[i]) && s.Text[i] != '"' {
		i++
	}
	return behindName(s, i)
}

// withoutTail gives the text from an offset on without WITH … CHECK OPTION or WITH [NO] DATA at its end.
func withoutTail(s *script.Statement, from int) string {
	text := s.Text[from:]
	for i := len(s.Text) - 1; i >= from; i-- {
		if wordsAt(s, i, []string{"WITH"}) < 0 {
			continue
		}
		for _, tail := range [][]string{{"CHECK", "OPTION"}, {"LOCAL", "CHECK", "OPTION"}, {"CASCADED", "CHECK", "OPTION"}, {"DATA"}, {"NO", "DATA"}} {
			if s.After(i, append([]string{"WITH"}, tail...)...) == len(s.Text) {
				return strings.TrimSpace(s.Text[from:i])
			}
		}
	}
	return strings.TrimSpace(text)
}

// recursive tells whether the query is what the grammar makes of CREATE RECURSIVE VIEW: a WITH that is nowhere in the text.
func recursive(query *pg.Node) bool {
	with := query.GetSelectStmt().GetWithClause()
	return with.GetRecursive() && with.GetLocation() < 0
}

// recursiveText writes out what the grammar makes of the text of CREATE RECURSIVE VIEW.
func recursiveText(v *View) string {
	var columns []string
	for _, a := range v.Aliases {
		columns = append(columns, script.Quote(a))
	}
	list := strings.Join(columns, ", ")
	name := script.Quote(v.Name.Name)
	return "WITH RECURSIVE " + name + " (" + list + ") AS (" + v.Text + ") SELECT " + list + " FROM " + name
}

// options gives storage parameters and the like as text; one without a value is true, as on the server.
func options(nodes []*pg.Node) map[string]string {
	m := map[string]string{}
	for _, n := range nodes {
		d := n.GetDefElem()
		m[optionName(d)] = optionValue(d)
	}
	return m
}

func optionName(d *pg.DefElem) string {
	if d.GetDefnamespace() != "" {
		return d.GetDefnamespace() + "." + d.GetDefname()
	}
	return d.GetDefname()
}

func optionValue(d *pg.DefElem) string {
	if d.GetArg() == nil {
		return "true"
	}
	return word(d.GetArg())
}

// alterView changes a view by ALTER VIEW or ALTER MATERIALIZED VIEW; ALTER TABLE does it too.
func (c *Catalog) alterView(s *script.Statement, n *pg.AlterTableStmt, v *View) error {
	for _, node := range n.Cmds {
		if err := c.alterViewBy(s, node.GetAlterTableCmd(), v); err != nil {
			return err
		}
	}
	return nil
}

func (c *Catalog) alterViewBy(s *script.Statement, cmd *pg.AlterTableCmd, v *View) error {
	o := c.origin(s, v.locate(s))
	switch cmd.Subtype {
	case pg.AlterTableType_AT_ChangeOwner:
		v.Owner = role(cmd.Newowner)
	case pg.AlterTableType_AT_SetRelOptions:
		v.Altered = true
		for k, value := range options(cmd.Def.GetList().GetItems()) {
			v.Options[k] = value
		}
	case pg.AlterTableType_AT_ResetRelOptions:
		v.Altered = true
		for _, d := range cmd.Def.GetList().GetItems() {
			delete(v.Options, optionName(d.GetDefElem()))
		}
	case pg.AlterTableType_AT_ColumnDefault:
		if cmd.Def == nil {
			delete(v.Columns, cmd.Name)
			break
		}
		v.Columns[cmd.Name] = c.exprBehind(s, 0, cmd.Def, "DEFAULT")
	case pg.AlterTableType_AT_SetTableSpace:
		v.Altered, v.Tablespace = true, spaceName(cmd.Name)
	case pg.AlterTableType_AT_SetAccessMethod:
		v.Altered, v.AccessMethod = true, cmd.Name
	case pg.AlterTableType_AT_ClusterOn:
		v.ClusterOn = cmd.Name
	case pg.AlterTableType_AT_DropCluster:
		v.ClusterOn = ""
	default:
		return c.errorf(o, schema.KindUnsupported, "this change of view %s is not understood (%s); drop the view and create it as it should be", v.Name, cmd.Subtype)
	}
	return nil
}

// locate gives the offset of the view's name in ALTER [MATERIALIZED] VIEW.
func (v *View) locate(s *script.Statement) int {
	if n := s.Node.GetAlterTableStmt(); n != nil {
		return int(n.Relation.GetLocation())
	}
	return 0
}

// renameViewColumn gives a column of a view another name, by the list of names behind the view's.
func (c *Catalog) renameViewColumn(o Origin, v *View, from, to string) error {
	names, ok := outputNames(v)
	i := slices.Index(names, from)
	switch {
	case i >= 0:
	case ok:
		return c.errorf(o, schema.KindSchema, "view %s has no column %s; it has %s", v.Name, from, strings.Join(names, ", "))
	default:
		return c.errorf(o, schema.KindUnsupported, "which column of view %s is %s cannot be told from its query; list the columns in CREATE VIEW %s (…), or name them in its SELECT", v.Name, from, v.Name.SQL())
	}
	if slices.Contains(names, to) {
		return c.errorf(o, schema.KindSchema, "view %s already has a column %s", v.Name, to)
	}
	names[i] = to
	v.Aliases = names[:max(i+1, len(v.Aliases))]
	v.Altered = true
	if e := v.Columns[from]; e != nil {
		delete(v.Columns, from)
		v.Columns[to] = e
	}
	c.logRename("column", Name{Name: from}, Name{Name: to}, v.Name)
	c.followPart("column", v.Name, from, to)
	return nil
}

// outputNames gives the names of a view's first columns, as far as they can be told without knowing the tables, and whether they
// are all.
func outputNames(v *View) ([]string, bool) {
	names := slices.Clone(v.Aliases)
	q := v.Query.GetSelectStmt()
	for q != nil && q.Larg != nil {
		q = q.Larg
	}
	for i, n := range q.GetTargetList() {
		if i < len(names) {
			continue
		}
		name := n.GetResTarget().GetName()
		if fields := n.GetResTarget().GetVal().GetColumnRef().GetFields(); name == "" && len(fields) > 0 {
			name = word(fields[len(fields)-1])
		}
		if name == "" {
			return names, false
		}
		names = append(names, name)
	}
	return names, len(q.GetTargetList()) > 0
}

package postgres

import (
	"fmt"
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/altergate/altergate/internal/dialect/postgres/builtin"
	"github.com/altergate/altergate/internal/dialect/postgres/catalog"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// readRows finds which rows the statement writes and removes, and what else it runs. What it names has to be there.
func (m *move) readRows() error {
	node := m.s.Node
	if x := node.GetExplainStmt(); x != nil {
		if !runs(x) {
			return m.names(x.GetQuery())
		}
		node = x.GetQuery()
	}
	if x := node.GetCreateTableAsStmt(); x != nil && x.GetObjtype() == pg.ObjectType_OBJECT_TABLE {
		node = x.GetQuery()
	}
	switch n := node.GetNode().(type) {
	case *pg.Node_CopyStmt:
		return m.copy(n.CopyStmt)
	case *pg.Node_TruncateStmt:
		return m.truncate(n.TruncateStmt)
	case *pg.Node_RefreshMatViewStmt:
		return m.there(n.RefreshMatViewStmt.GetRelation())
	case *pg.Node_LockStmt:
		return m.allThere(n.LockStmt.GetRelations())
	case *pg.Node_ReindexStmt:
		return m.allThere([]*pg.Node{{Node: &pg.Node_RangeVar{RangeVar: n.ReindexStmt.GetRelation()}}})
	case *pg.Node_ClusterStmt:
		return m.allThere([]*pg.Node{{Node: &pg.Node_RangeVar{RangeVar: n.ClusterStmt.GetRelation()}}})
	case *pg.Node_VacuumStmt:
		for _, x := range n.VacuumStmt.GetRels() {
			if r := x.GetVacuumRelation().GetRelation(); r != nil {
				if err := m.there(r); err != nil {
					return err
				}
			}
		}
	case *pg.Node_InsertStmt, *pg.Node_UpdateStmt, *pg.Node_DeleteStmt, *pg.Node_MergeStmt, *pg.Node_SelectStmt:
		m.writes(node)
		return m.bind(node)
	}
	return nil
}

// names wants what a statement names to be there, and takes nothing of what it would do.
func (m *move) names(node *pg.Node) error {
	only := &move{before: m.before, s: m.s}
	return only.bind(node)
}

// runs tells whether EXPLAIN runs its statement.
func runs(x *pg.ExplainStmt) bool {
	run := false
	for _, o := range x.GetOptions() {
		if d := o.GetDefElem(); d.GetDefname() == "analyze" {
			run = isOn(d)
		}
	}
	return run
}

// isOn reads the value of an option that is on or off.
func isOn(d *pg.DefElem) bool {
	if d.GetArg() == nil {
		return true
	}
	word := strings.ToLower(d.GetArg().GetString_().GetSval())
	return d.GetArg().GetBoolean().GetBoolval() || d.GetArg().GetInteger().GetIval() != 0 || word == "true" || word == "on"
}

// writes finds what a statement writes, in the order in which it is written down: what WITH writes first.
func (m *move) writes(node *pg.Node) {
	var with *pg.WithClause
	var own *diff.WriteRows
	var of *pg.RangeVar
	switch n := node.GetNode().(type) {
	case *pg.Node_SelectStmt:
		with = n.SelectStmt.GetWithClause()
	case *pg.Node_InsertStmt:
		with, of = n.InsertStmt.GetWithClause(), n.InsertStmt.GetRelation()
		m.writesIn(n.InsertStmt.GetSelectStmt().GetSelectStmt().GetWithClause())
		own = &diff.WriteRows{Verb: "insert", Columns: targets(n.InsertStmt.GetCols()), Copy: m.copied(n.InsertStmt)}
	case *pg.Node_UpdateStmt:
		with, of = n.UpdateStmt.GetWithClause(), n.UpdateStmt.GetRelation()
		own = &diff.WriteRows{Verb: "update", Columns: targets(n.UpdateStmt.GetTargetList()), All: always(n.UpdateStmt.GetWhereClause())}
	case *pg.Node_DeleteStmt:
		with, of = n.DeleteStmt.GetWithClause(), n.DeleteStmt.GetRelation()
		own = &diff.WriteRows{Verb: "delete", All: always(n.DeleteStmt.GetWhereClause())}
	case *pg.Node_MergeStmt:
		with, of = n.MergeStmt.GetWithClause(), n.MergeStmt.GetRelation()
		own = &diff.WriteRows{Verb: "merge"}
	}
	m.writesIn(with)
	if own != nil {
		m.write(*own, of)
	}
}

func (m *move) writesIn(with *pg.WithClause) {
	for _, node := range with.GetCtes() {
		m.writes(node.GetCommonTableExpr().GetCtequery())
	}
}

// write notes rows of a table.
func (m *move) write(w diff.WriteRows, of *pg.RangeVar) {
	if m.before.catalog.Temporary(of.GetSchemaname(), of.GetRelname()) {
		m.note(diff.RunSession{What: strings.ToUpper(w.Verb) + " of a temporary table", Pos: m.s.Pos(0)})
		return
	}
	w.Table, w.Pos = m.key(of), m.s.Pos(0)
	w.Name = w.Table
	if of.GetLocation() > 0 && m.nested(of) {
		w.Pos = m.s.Pos(int(of.GetLocation()))
	}
	m.note(w)
}

// nested tells whether a table is not the one that the statement itself is about.
func (m *move) nested(of *pg.RangeVar) bool {
	n := m.s.Node
	if n.GetCopyStmt() != nil {
		return false
	}
	for _, own := range []*pg.RangeVar{n.GetInsertStmt().GetRelation(), n.GetUpdateStmt().GetRelation(), n.GetDeleteStmt().GetRelation(), n.GetMergeStmt().GetRelation()} {
		if own == of {
			return false
		}
	}
	return true
}

// key gives the key of a table that the statement names.
func (m *move) key(of *pg.RangeVar) string {
	c := m.before.catalog
	n, ok := c.Resolve(c.Origin(m.s), of.GetSchemaname(), of.GetRelname())
	if !ok {
		n.Schema, n.Name = of.GetSchemaname(), of.GetRelname()
		if n.Schema == "" {
			return n.Name
		}
	}
	return n.String()
}

// targets gives the columns that are named to be written; nil if none is.
func targets(list []*pg.Node) []string {
	var names []string
	for _, node := range list {
		if name := node.GetResTarget().GetName(); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// always tells whether a condition leaves nothing out: it is not there, or is a constant that is true.
func always(where *pg.Node) bool {
	switch n := where.GetNode().(type) {
	case nil:
		return true
	case *pg.Node_AConst:
		return n.AConst.GetBoolval().GetBoolval() || truth(n.AConst.GetSval().GetSval())
	case *pg.Node_TypeCast:
		return always(n.TypeCast.GetArg()) && len(n.TypeCast.GetTypeName().GetNames()) > 0 && lastString(n.TypeCast.GetTypeName().GetNames()) == "bool"
	case *pg.Node_AExpr:
		l, r := n.AExpr.GetLexpr().GetAConst(), n.AExpr.GetRexpr().GetAConst()
		return n.AExpr.GetKind() == pg.A_Expr_Kind_AEXPR_OP && lastString(n.AExpr.GetName()) == "=" && l != nil && r != nil && !l.GetIsnull() && equalConstants(l, r)
	case *pg.Node_BoolExpr:
		all, one := true, false
		for _, a := range n.BoolExpr.GetArgs() {
			all, one = all && always(a), one || always(a)
		}
		switch n.BoolExpr.GetBoolop() {
		case pg.BoolExprType_AND_EXPR:
			return all
		case pg.BoolExprType_OR_EXPR:
			return one
		}
	}
	return false
}

// equalConstants tells whether two constants are written with the same value.
func equalConstants(a, b *pg.A_Const) bool {
	return fmt.Sprintf("%T %v", a.GetVal(), constant(a)) == fmt.Sprintf("%T %v", b.GetVal(), constant(b))
}

func constant(a *pg.A_Const) any {
	switch v := a.GetVal().(type) {
	case *pg.A_Const_Ival:
		return v.Ival.GetIval()
	case *pg.A_Const_Fval:
		return v.Fval.GetFval()
	case *pg.A_Const_Boolval:
		return v.Boolval.GetBoolval()
	case *pg.A_Const_Sval:
		return v.Sval.GetSval()
	case *pg.A_Const_Bsval:
		return v.Bsval.GetBsval()
	}
	return nil
}

// truth tells whether the server reads a text as true.
func truth(text string) bool {
	text = strings.ToLower(strings.TrimSpace(text))
	return text != "" && (strings.HasPrefix("true", text) || strings.HasPrefix("yes", text) || text == "on" || text == "1")
}

func lastString(list []*pg.Node) string {
	if len(list) == 0 {
		return ""
	}
	return list[len(list)-1].GetString_().GetSval()
}

// copied tells where the rows of an INSERT … SELECT come from, if it takes all rows of one table, each once.
func (m *move) copied(n *pg.InsertStmt) *diff.Copy {
	q := n.GetSelectStmt().GetSelectStmt()
	if q == nil || n.GetOnConflictClause() != nil || !always(q.GetWhereClause()) || len(q.GetFromClause()) != 1 || q.GetOp() != pg.SetOperation_SETOP_NONE ||
		len(q.GetDistinctClause())+len(q.GetGroupClause())+len(q.GetValuesLists())+len(q.GetWindowClause()) > 0 ||
		q.GetHavingClause() != nil || q.GetLimitCount() != nil || q.GetLimitOffset() != nil || q.GetWithClause() != nil || n.GetWithClause() != nil || len(q.GetLockingClause()) > 0 {
		return nil
	}
	from, to := q.GetFromClause()[0].GetRangeVar(), n.GetRelation()
	if c := m.before.catalog; c.Temporary(from.GetSchemaname(), from.GetRelname()) || c.Temporary(to.GetSchemaname(), to.GetRelname()) {
		return nil
	}
	source, target := m.before.catalog.Tables[parseName(m.key(from))], m.before.catalog.Tables[parseName(m.key(to))]
	if from == nil || source == nil || target == nil || m.manifold(q) {
		return nil
	}
	into := targets(n.GetCols())
	if into == nil {
		for _, x := range target.Columns {
			into = append(into, x.Name)
		}
	}
	var out []string
	for _, node := range q.GetTargetList() {
		fields := node.GetResTarget().GetVal().GetColumnRef().GetFields()
		switch {
		case len(fields) > 0 && fields[len(fields)-1].GetAStar() != nil:
			for _, x := range source.Columns {
				out = append(out, x.Name)
			}
		case len(fields) > 0 && isColumn(source, lastString(fields)):
			out = append(out, lastString(fields))
		default:
			out = append(out, "")
		}
	}
	c := &diff.Copy{From: m.key(from), Columns: map[string]string{}}
	for i, name := range out {
		if i < len(into) {
			c.Columns[into[i]] = name
		}
	}
	return c
}

func isColumn(t *catalog.Table, name string) bool {
	return slices.ContainsFunc(t.Columns, func(x *catalog.Column) bool { return x.Name == name })
}

// manifold tells whether a query may give a row of its table more than once, or many in one: by an aggregate, or a function that gives
// rows. Of functions that are not known, either may be true.
func (m *move) manifold(q *pg.SelectStmt) bool {
	many := false
	for _, node := range q.GetTargetList() {
		catalog.Calls(node, func(in, name string) {
			many = many || in != "" && in != "pg_catalog" || !builtin.PerRow(name)
		})
	}
	return many
}

// copy reads COPY … FROM, which inserts, and COPY (…) TO, which may run a statement.
func (m *move) copy(n *pg.CopyStmt) error {
	if n.GetQuery() != nil {
		m.writes(n.GetQuery())
		return m.bind(n.GetQuery())
	}
	if err := m.there(n.GetRelation()); err != nil {
		return err
	}
	if n.GetIsFrom() {
		var columns []string
		for _, x := range n.GetAttlist() {
			columns = append(columns, x.GetString_().GetSval())
		}
		if err := m.columnsThere(n.GetRelation(), columns); err != nil {
			return err
		}
		m.write(diff.WriteRows{Verb: "insert", Columns: columns}, n.GetRelation())
	}
	if n.GetIsProgram() {
		m.note(diff.RunOpaque{What: "COPY with PROGRAM", Pos: m.s.Pos(0)})
	}
	return nil
}

func (m *move) truncate(n *pg.TruncateStmt) error {
	emptied := map[string]bool{}
	for _, node := range n.GetRelations() {
		emptied[m.key(node.GetRangeVar())] = true
	}
	if n.GetBehavior() != pg.DropBehavior_DROP_CASCADE {
		if err := m.keepsRows(emptied); err != nil {
			return err
		}
	}
	for _, node := range n.GetRelations() {
		of := node.GetRangeVar()
		if err := m.there(of); err != nil {
			return err
		}
		m.write(diff.WriteRows{Verb: "truncate", All: true, Cascade: n.GetBehavior() == pg.DropBehavior_DROP_CASCADE}, of)
	}
	return nil
}

// keepsRows finds a table that references one whose rows all go, and keeps its own.
func (m *move) keepsRows(emptied map[string]bool) error {
	for _, name := range sortedNames(m.before.catalog.Tables) {
		for _, k := range m.before.catalog.Tables[name].Constraints {
			if k.Ref != nil && emptied[k.Ref.Table.String()] && !emptied[name.String()] {
				return m.refuse("table %s cannot be truncated: foreign key %s of table %s references it; truncate that too, or add CASCADE", k.Ref.Table, k.Name, name)
			}
		}
	}
	return nil
}

// there wants a relation that is named to be there.
func (m *move) there(of *pg.RangeVar) error {
	node := &pg.Node{Node: &pg.Node_SelectStmt{SelectStmt: &pg.SelectStmt{FromClause: []*pg.Node{{Node: &pg.Node_RangeVar{RangeVar: of}}}}}}
	return m.bind(node)
}

// allThere wants relations that are named to be there.
func (m *move) allThere(list []*pg.Node) error {
	for _, node := range list {
		if of := node.GetRangeVar(); of != nil {
			if err := m.there(of); err != nil {
				return err
			}
		}
	}
	return nil
}

// columnsThere wants columns of a table to be there.
func (m *move) columnsThere(of *pg.RangeVar, names []string) error {
	t := m.before.catalog.Tables[parseName(m.key(of))]
	for _, name := range names {
		if t != nil && !isColumn(t, name) {
			return &schema.Error{Pos: m.s.Pos(int(of.GetLocation())), Path: m.s.Path, Kind: schema.KindSchema, Text: fmt.Sprintf("table %s has no column %s here; correct the name, or put the statement that makes it before this one", t.Name, name)}
		}
	}
	return nil
}

package catalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"github.com/altergate/altergate/internal/dialect/mysql/script"
	"github.com/altergate/altergate/internal/schema"
)

// viewNames is what the query of a view names. Which table a name belongs to is not looked for; what is in none of those that the query
// reads is not there, and the server refuses the view.
type viewNames struct {
	columns []string        // lower case, each once
	own     map[string]bool // names that the query gives itself: aliases, common tables and their columns
}

func namesIn(n ast.Node) viewNames {
	v := &namesVisitor{viewNames{own: map[string]bool{}}}
	n.Accept(v)
	return v.viewNames
}

type namesVisitor struct{ viewNames }

// Enter implements ast.Visitor.
func (v *namesVisitor) Enter(n ast.Node) (ast.Node, bool) {
	switch n := n.(type) {
	case *ast.ColumnName:
		if !slices.Contains(v.columns, n.Name.L) {
			v.columns = append(v.columns, n.Name.L)
		}
	case *ast.SelectField:
		v.own[n.AsName.L] = true
	case *ast.CommonTableExpression:
		v.own[n.Name.L] = true
		for _, c := range n.ColNameList {
			v.own[c.L] = true
		}
	}
	return n, false
}

// Leave implements ast.Visitor.
func (v *namesVisitor) Leave(n ast.Node) (ast.Node, bool) { return n, true }

// hidden are columns that every table has, or every table with a history, though none declares them.
var hidden = []string{"_rowid", "row_start", "row_end"}

// checkView finds what a view names and what is not there. The server looks at that moment at which the view is made.
func (c *Catalog) checkView(v *View) error {
	columns := map[string]bool{}
	sure := true
	for _, key := range sorted(v.Tables) {
		switch there, known := c.outputs(key, columns, 0); {
		case !there && c.declares(v, key):
			return c.notThere(v, "reads %s, which is not there", nameOf(key).String())
		default:
			sure = sure && there && known
		}
	}
	if !sure {
		return nil
	}
	for _, name := range v.names.columns {
		if !columns[name] && !v.names.own[name] && !slices.Contains(hidden, name) {
			return c.notThere(v, "names the column %s, which nothing that it reads has", name)
		}
	}
	return nil
}

// viewOf is the view that a statement has made or changed, or nil.
func (c *Catalog) viewOf(s *script.Statement) *View {
	if s.Kind != script.CreateView && s.Kind != script.AlterView {
		return nil
	}
	for _, key := range sorted(c.Views) {
		if v := c.Views[key]; v.statement == s {
			return v
		}
	}
	return nil
}

func (c *Catalog) notThere(v *View, format, name string) error {
	return &schema.Error{Pos: v.Pos, Kind: schema.KindSchema, Text: fmt.Sprintf("view %s "+format+"; declare it, or correct the view", v.Name, name)}
}

// declares tells whether a table that a view reads would have to be among those that are declared here: it is no common table of the
// query, and in no database that the schema says nothing of.
func (c *Catalog) declares(v *View, key string) bool {
	name := nameOf(key)
	if v.names.own[strings.ToLower(name.Name)] || c.Sequences[key] != nil {
		return false
	}
	return name.Database == "" || c.Databases[name.Database] != nil
}

// nameOf takes a key apart, see Name.Key.
func nameOf(key string) Name {
	if database, name, ok := strings.Cut(key, "\x00"); ok {
		return Name{database, name}
	}
	return Name{Name: key}
}

// outputs adds the columns of a table or a view, in lower case. Those of a view may be more than it has.
func (c *Catalog) outputs(key string, into map[string]bool, depth int) (there, known bool) {
	const deepest = 50
	if t := c.Tables[key]; t != nil {
		for _, column := range t.Columns {
			into[strings.ToLower(column.Name)] = true
		}
		return true, true
	}
	v := c.Views[key]
	if v == nil || depth == deepest {
		return v != nil, false
	}
	known = len(v.names.columns)+len(v.names.own) > 0 || v.Open
	for _, name := range v.Columns {
		into[strings.ToLower(name)] = true
	}
	for _, name := range v.names.columns {
		into[name] = true
	}
	for name := range v.names.own {
		into[name] = true
	}
	if v.Open {
		for _, below := range sorted(v.Tables) {
			there, sure := c.outputs(below, into, depth+1)
			known = known && there && sure
		}
	}
	return true, known
}

package syntax

import (
	"github.com/altergate/altergate/internal/schema"
)

// Clone copies an expression with everything below it.
func (e *Expr) Clone() *Expr { return nil }

// Clone copies a query with everything below it.
func (q *Query) Clone() *Query { return nil }

// ConstraintBody gives the form in which constraints are compared: without name and tags, defaults left out, names folded. The
// child's schema is left out of a foreign key. column is the column of an inline constraint.
func ConstraintBody(c *Constraint, column, schema string) string { return "" }

// IndexBody gives the form in which indexes are compared: without name, table and tags. collation gives the collation that a
// column of the table has.
func IndexBody(i *Index, collation func(column string) string) string { return "" }

// ViewBody gives the form in which views are compared: the columns and the query.
func ViewBody(columns []Name, q *Query) string { return "" }

// Relations tells a binder which columns a relation has. It is asked with folded names; schema is empty when none is written.
type Relations func(schema, relation string) (columns []string, known bool)

// Use is one place in a body that names a relation or a column of one.
type Use struct {
	Span
	Relation string // folded; empty when the column could not be bound
	Schema   string // folded, as written
	Column   string // folded; empty for the relation itself
	Set      func(name string)
}

// Uses gives all places in a query that name relations and columns, in order.
func (q *Query) Uses(relations Relations) []Use { return nil }

// Uses gives all places in an expression that name relations and columns; owner is the table whose columns it may name, or empty.
func (e *Expr) Uses(owner string, relations Relations) []Use { return nil }

// Output is one column that a query gives.
type Output struct {
	Name             string
	Relation, Column string // where it comes from and takes its name from; empty for everything but a bare column
}

// Outputs gives the columns of a query; known is false when a star stands for columns nobody knows.
func (q *Query) Outputs(relations Relations) (columns []Output, known bool) { return nil, false }

// Site is where tags stand, for the rules of reserved tags.
type Site int

// The sites of tags.
const (
	TableSite Site = iota
	ColumnSite
	ConstraintSite
	IndexSite
	ViewSite
)

// CheckTags gives the first error in the reserved tags of an item: an unknown key, one at the wrong site, or a bad value. The order is
// that of the engine: the table, its columns, its table constraints, its inline constraints.
func CheckTags(i Item) *schema.Error { return nil }

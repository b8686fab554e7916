package syntax

// ExprKind is the form of an expression.
type ExprKind int

// The forms of expressions.
const (
	NumberExpr    ExprKind = iota // Name is the lexeme
	StringExpr                    // Name is the text, without quotes
	BlobExpr                      // Name is the digits, in lower case
	NullExpr                      //
	BoolExpr                      // Name is true or false
	ColumnExpr                    // [[Schema.]Table.]Name
	ParameterExpr                 // Name is ?, :x or $x
	UnaryExpr                     // Op Args[0]; after the operand if Op begins with `is `
	BinaryExpr                    // Args[0] Op Args[1]
	CallExpr                      // Name(Args), Over a window or not
	CastExpr                      // cast(Args[0] as Name)
	CaseExpr                      // Base, Whens, Else
	InExpr                        // Args[0] in (Args[1:]) or in (Query)
	BetweenExpr                   // Args[0] [not] between Args[1] and Args[2]
	CollateExpr                   // Args[0] collate Name
	ExistsExpr                    // exists (Query)
	SubqueryExpr                  // (Query)
)

// Expr is an expression. Which fields mean something depends on its kind; parentheses are not kept, for printing puts back those
// that are needed. Operators are in lower case, and `<>` is `!=`.
type Expr struct {
	Span
	Kind                ExprKind
	Op                  string
	Schema, Table, Name string
	Args                []*Expr
	Not                 bool // between
	Distinct, Star      bool // call; Star is count(*)
	Base, Else          *Expr
	Whens               []When
	Query               *Query
	Over                *Window
	depth               int // of the tree below
}

// When is one branch of a case.
type When struct{ If, Then *Expr }

// Window is what stands in the parentheses after over.
type Window struct {
	Partition []*Expr
	Order     []*Order
	Frame     *Frame
}

// Frame is the frame of a window. End is empty when only the start is said.
type Frame struct {
	Unit       string // rows, range
	Start, End Bound
	Exclude    string // no others, current row, group, ties; empty when not said
}

// Bound is one end of a frame.
type Bound struct {
	Kind  string // current row, unbounded preceding, unbounded following, preceding, following
	Value *Expr  // of the last two
}

// Order is one term of an order by.
type Order struct {
	Expr  *Expr
	Desc  bool
	Nulls string // first, last; empty when not said
}

// Query is a select, or rows of values, with what follows it.
type Query struct {
	Span
	With          *With
	Values        [][]*Expr // when not nil the query is `values …`, and the fields down to Having are empty
	Distinct, All bool
	Columns       []*ResultColumn
	From          []*Source
	Where         *Expr
	GroupBy       []*Expr
	Having        *Expr
	SchemaPath    []Name // with schema a, b
	Compound      *Compound
	OrderBy       []*Order // of the whole compound
	Limit, Offset *Expr
	Defaults      []*DefaultFor
}

// With is the common table expressions of a query.
type With struct {
	Recursive    bool
	Tables       []*CommonTable
	MaxRecursion string // option (maxrecursion N); empty when not said
}

// CommonTable is one common table expression.
type CommonTable struct {
	Span
	Name    Name
	Columns []Name
	Hint    string // materialized, not materialized; empty when not said
	Query   *Query
}

// Compound joins a query to the one that follows: union, union all, intersect, except, diff.
type Compound struct {
	Op    string
	Exist []Existence
	Query *Query
}

// Existence is `exists side as name`: a column that says whether that side had the row.
type Existence struct {
	Side string // left, right
	Name Name
}

// ResultColumn is one column of a select: an expression, or a star.
type ResultColumn struct {
	Span
	Star  bool
	Table Name // of a star: t.*
	Expr  *Expr
	Alias Name
}

// SourceKind is the form of a source.
type SourceKind int

// The forms of sources.
const (
	TableSource    SourceKind = iota
	QuerySource               // (Query) as Alias
	FunctionSource            // Name(Args) as Alias
	JoinSource                // Left Join Right
)

// Source is one thing in a from clause.
type Source struct {
	Span
	Kind         SourceKind
	Schema, Name Name
	Alias        Name
	Columns      []Name // after the alias
	Query        *Query
	Args         []*Expr
	Left, Right  *Source
	Join         string // inner, left, right, full, cross
	Natural      bool
	Lateral      bool
	On           *Expr
	Using        []Name
	Exist        []Existence
}

// DefaultFor is one `column = expression` of a view's `with defaults`.
type DefaultFor struct {
	Column Name
	Value  *Expr
}

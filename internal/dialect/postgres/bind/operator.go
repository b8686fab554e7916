package bind

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/altergate/altergate/internal/dialect/postgres/builtin"
	"github.com/altergate/altergate/internal/dialect/postgres/catalog"
)

// operation binds everything that the grammar writes with an operator (PostgreSQL 15, parse_expr.c: transformAExpr…).
func (r *run) operation(n *pg.A_Expr, s *scope) value {
	switch n.GetKind() {
	case pg.A_Expr_Kind_AEXPR_OP, pg.A_Expr_Kind_AEXPR_LIKE, pg.A_Expr_Kind_AEXPR_ILIKE, pg.A_Expr_Kind_AEXPR_SIMILAR:
		return r.plainOperation(n, s)
	case pg.A_Expr_Kind_AEXPR_OP_ANY:
		return r.overArray(r.operatorName(n.GetName()), "any", r.expr(n.GetLexpr(), s), r.expr(n.GetRexpr(), s))
	case pg.A_Expr_Kind_AEXPR_OP_ALL:
		return r.overArray(r.operatorName(n.GetName()), "all", r.expr(n.GetLexpr(), s), r.expr(n.GetRexpr(), s))
	case pg.A_Expr_Kind_AEXPR_DISTINCT:
		return r.distinct(n, s)
	case pg.A_Expr_Kind_AEXPR_NOT_DISTINCT:
		return r.notDistinct(n, s)
	case pg.A_Expr_Kind_AEXPR_NULLIF:
		return r.nullIf(r.expr(n.GetLexpr(), s), r.expr(n.GetRexpr(), s))
	case pg.A_Expr_Kind_AEXPR_IN:
		return r.in(n, s)
	case pg.A_Expr_Kind_AEXPR_BETWEEN, pg.A_Expr_Kind_AEXPR_NOT_BETWEEN, pg.A_Expr_Kind_AEXPR_BETWEEN_SYM, pg.A_Expr_Kind_AEXPR_NOT_BETWEEN_SYM:
		return r.between(n, s)
	}
	return r.generic(&pg.Node{Node: &pg.Node_AExpr{AExpr: n}}, s)
}

// operator is a name as it stands in the tree.
type operatorName struct {
	schema string
	name   string
}

func (r *run) operatorName(list []*pg.Node) operatorName {
	schema, name := qualified(list)
	if schema == pgCatalog {
		schema = ""
	}
	return operatorName{schema, name}
}

func (o operatorName) String() string {
	if o.schema != "" {
		return "operator(" + ident(o.schema) + "." + o.name + ")"
	}
	return o.name
}

func (r *run) plainOperation(n *pg.A_Expr, s *scope) value {
	name := r.operatorName(n.GetName())
	if n.GetLexpr() == nil {
		return r.prefix(name, r.expr(n.GetRexpr(), s))
	}
	if row, sub := n.GetLexpr().GetRowExpr(), n.GetRexpr().GetSubLink(); row != nil && sub != nil && sub.GetSubLinkType() == pg.SubLinkType_EXPR_SUBLINK {
		return r.rowAgainstQuery(name, row, sub, s)
	}
	left, right := r.expr(n.GetLexpr(), s), r.expr(n.GetRexpr(), s)
	if n.GetLexpr().GetRowExpr() != nil && n.GetRexpr().GetRowExpr() != nil && len(left.fields) == len(right.fields) && len(left.fields) > 0 {
		return r.rows(name, left, right)
	}
	return r.binary(name, left, right)
}

// binary applies an operator to two operands.
func (r *run) binary(name operatorName, left, right value) value {
	v, left, right := r.operate(&name, left, right)
	v.text = "(" + left.text + " " + name.String() + " " + right.text + ")"
	return v
}

// compare applies an operator of the server's, and gives the operands as it takes them.
func (r *run) compare(name string, left, right value) (v, l, rt value) {
	return r.operate(&operatorName{name: name}, left, right)
}

// operate finds the operator and brings the operands to the types it takes. The text is left to the caller.
func (r *run) operate(name *operatorName, left, right value) (v, l, rt value) {
	v.mix(left, right)
	if o := r.userOperator(*name, left.typ, right.typ); o != nil {
		*name = operatorName{name: "operator " + o.key} // found in the path or by its schema, it is the same
		left, right = r.coerce(left, o.left), r.coerce(right, o.right)
		v.typ, v.volatile = o.result, v.volatile || o.volatile
		return v, left, right
	}
	var o builtin.Operator
	ok := false
	if name.schema == "" {
		o, ok = r.b.operator(name.name, cmp.Or(left.typ, builtin.Unresolved), right.typ)
	}
	if !ok {
		if u := r.looseOperator(*name, left.typ, right.typ); u != nil {
			*name = operatorName{name: "operator " + u.key}
			v.typ, v.volatile = u.result, v.volatile || u.volatile
			return v, r.coerce(left, u.left), r.coerce(right, u.right)
		}
		v.typ, v.volatile = o.Result, v.volatile || o.Volatile || o.Result == ""
		if comparison[name.name] && name.schema == "" {
			v.typ, v.volatile = boolType, left.volatile || right.volatile
		}
		return v, left, right
	}
	plainLeft, plainRight := left, right
	left, right = r.coerce(left, o.Left), r.coerce(right, o.Right)
	v.typ = o.Result
	v.volatile = v.volatile || o.Volatile
	v.total = left.total && right.total && r.safeOperator(name.name, o.Left, o.Right)
	v.notNull = v.total && plainLeft.notNull && plainRight.notNull
	return v, left, right
}

// operands is an operator's name with the types it is to be applied to.
type operands struct{ name, left, right string }

// resolvedOperator is what builtin answers for them.
type resolvedOperator struct {
	builtin.Operator
	ok bool
}

// operator finds an operator of the server's, each but once.
func (b *Binder) operator(name, left, right string) (builtin.Operator, bool) {
	key := operands{name, left, right}
	o, known := b.resolved[key]
	if !known {
		o.Operator, o.ok = builtin.ResolveOperator(name, left, right, &b.known)
		b.resolved[key] = o
	}
	return o.Operator, o.ok
}

// comparison are operators that give a truth value for whatever they compare.
var comparison = map[string]bool{"=": true, "<>": true, "<": true, "<=": true, ">": true, ">=": true}

// safeOperator tells whether an operator cannot fail for any two values.
func (r *run) safeOperator(name, left, right string) bool {
	switch {
	case comparison[name]:
		return builtin.Category(left, &r.b.known) != 0 && left != "json" && left != recordType
	case name == "||":
		return textual(left) && textual(right)
	}
	return false
}

// prefix applies an operator to one operand.
func (r *run) prefix(name operatorName, arg value) value {
	v := value{}
	v.mix(arg)
	if o := r.userOperator(name, "", arg.typ); o != nil {
		arg = r.coerce(arg, o.right)
		name = operatorName{name: "operator " + o.key}
		v.typ, v.volatile = o.result, v.volatile || o.volatile
	} else if name.schema != "" {
		v.volatile = true
	} else if o, ok := r.b.operator(name.name, "", arg.typ); ok {
		arg = r.coerce(arg, o.Right)
		v.typ, v.volatile = o.Result, v.volatile || o.Volatile
	} else {
		v.typ, v.volatile = o.Result, v.volatile || o.Result == ""
	}
	v.text = "(" + name.String() + " " + arg.text + ")"
	return v
}

// rows compares ROW(…) with ROW(…): = and <> go column by column, the others over the whole.
func (r *run) rows(name operatorName, left, right value) value {
	parts := make([]value, len(left.fields))
	lefts, rights := make([]value, len(left.fields)), make([]value, len(left.fields))
	for i := range left.fields {
		as := name
		parts[i], lefts[i], rights[i] = r.operate(&as, left.fields[i], right.fields[i])
		parts[i].text = "(" + lefts[i].text + " " + as.String() + " " + rights[i].text + ")"
	}
	if len(parts) == 1 {
		return parts[0]
	}
	switch name.name {
	case "=":
		return junction(" and ", parts)
	case "<>":
		return junction(" or ", parts)
	}
	v := junction("", parts)
	v.text = "(row(" + texts(lefts, ", ") + ") " + name.String() + " row(" + texts(rights, ", ") + "))"
	return v
}

// distinct binds IS DISTINCT FROM.
func (r *run) distinct(n *pg.A_Expr, s *scope) value {
	left, right := r.expr(n.GetLexpr(), s), r.expr(n.GetRexpr(), s)
	switch {
	case isNull(n.GetRexpr()):
		return nullCheck(r.untyped(left), " is not null)")
	case isNull(n.GetLexpr()):
		return nullCheck(r.untyped(right), " is not null)")
	}
	if n.GetLexpr().GetRowExpr() != nil && n.GetRexpr().GetRowExpr() != nil && len(left.fields) == len(right.fields) {
		parts := make([]value, len(left.fields))
		for i := range left.fields {
			parts[i] = r.distinctOf(left.fields[i], right.fields[i])
		}
		return junction(" or ", parts)
	}
	return r.distinctOf(left, right)
}

func (r *run) notDistinct(n *pg.A_Expr, s *scope) value {
	switch {
	case isNull(n.GetRexpr()):
		return nullCheck(r.untyped(r.expr(n.GetLexpr(), s)), " is null)")
	case isNull(n.GetLexpr()):
		return nullCheck(r.untyped(r.expr(n.GetRexpr(), s)), " is null)")
	}
	return not(r.distinct(n, s))
}

func (r *run) distinctOf(left, right value) value {
	v, left, right := r.compare("=", left, right)
	v.text = "(" + left.text + " is distinct from " + right.text + ")"
	v.typ, v.notNull = boolType, true
	return v
}

// isNull tells whether a node is the bare word NULL.
func isNull(n *pg.Node) bool { return n.GetAConst().GetIsnull() }

// nullCheck is what the server makes of IS DISTINCT FROM NULL.
func nullCheck(arg value, word string) value {
	v := value{text: "(" + arg.text + word, typ: boolType, total: arg.total, notNull: true}
	v.mix(arg)
	return v
}

// untyped gives a literal that nothing gives a type the type text.
func (r *run) untyped(v value) value {
	if v.typ == unknown {
		return r.coerce(v, textType)
	}
	return v
}

// in binds IN (…) and NOT IN (…) (PostgreSQL 15, parse_expr.c: transformAExprIn): what holds no column is one array, the rest are
// comparisons of their own.
func (r *run) in(n *pg.A_Expr, s *scope) value {
	name := r.operatorName(n.GetName())
	quantifier, word := "any", " or "
	if name.name == "<>" {
		quantifier, word = "all", " and "
	}
	left := r.expr(n.GetLexpr(), s)
	list := r.exprs(n.GetRexpr().GetList().GetItems(), s)
	var constants, others, parts []value
	for _, e := range list {
		if e.columns || e.fields != nil {
			others = append(others, e)
		} else {
			constants = append(constants, e)
		}
	}
	if len(constants) > 1 && left.fields == nil {
		if v, ok := r.inArray(name, quantifier, left, constants); ok {
			parts = append(parts, v)
			list = others
		}
	}
	for _, e := range list {
		if left.fields != nil && len(e.fields) == len(left.fields) {
			parts = append(parts, r.rows(name, left, e))
			continue
		}
		parts = append(parts, r.binary(name, left, e))
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return junction(word, parts)
}

// inArray makes the array of an IN list: its elements and what is compared with them have one type, if there is one.
func (r *run) inArray(name operatorName, quantifier string, left value, list []value) (value, bool) {
	t, ok := builtin.CommonType(typesOf(append([]value{left}, list...)), &r.b.known)
	if !ok || t == "" || t == recordType || element(t) != "" {
		return value{}, false
	}
	elements := make([]value, len(list))
	for i, e := range list {
		elements[i] = r.coerce(e, t)
	}
	return r.overArray(name, quantifier, left, r.arrayFrom(elements, t, false)), true
}

// overArray binds x op ANY (array) and x op ALL (array).
func (r *run) overArray(name operatorName, quantifier string, left, array value) value {
	of := element(r.b.underlying(array.typ))
	if array.typ == unknown {
		of = unknown
	}
	if array.array && len(array.elements) == 1 && of != "" {
		return r.binary(name, left, array.elements[0]) // as IN (x) is = x
	}
	item := value{typ: of, total: array.total, columns: array.columns, volatile: array.volatile}
	if of == unknown {
		item.literal = stringLiteral
	}
	v, left, one := r.operate(&name, left, item)
	if one.typ != "" && one.typ != unknown && !isPseudo(one.typ) && element(one.typ) == "" {
		array = r.coerce(array, one.typ+"[]")
	}
	v.total = v.total && array.total
	v.notNull = false
	v.typ = boolType
	v.text = "(" + left.text + " " + name.String() + " " + quantifier + " (" + array.text + "))"
	if array.array && v.total && left.notNull && allNotNull(array.elements...) {
		v.notNull = true
	}
	return v
}

// between binds BETWEEN as the comparisons that it stands for.
func (r *run) between(n *pg.A_Expr, s *scope) value {
	word, parts := r.betweenParts(n, s)
	if len(parts) == 0 {
		return r.generic(&pg.Node{Node: &pg.Node_AExpr{AExpr: n}}, s)
	}
	return junction(word, parts)
}

// betweenParts gives the conditions and the word that joins them; none where the tree has another form.
func (r *run) betweenParts(n *pg.A_Expr, s *scope) (word string, parts []value) {
	bounds := n.GetRexpr().GetList().GetItems()
	if len(bounds) != 2 {
		return "", nil
	}
	x := r.expr(n.GetLexpr(), s)
	a, b := r.expr(bounds[0], s), r.expr(bounds[1], s)
	op := func(name string, bound value) value { return r.binary(operatorName{name: name}, x, bound) }
	within := func(a, b value) []value { return []value{op(">=", a), op("<=", b)} }
	outside := func(a, b value) []value { return []value{op("<", a), op(">", b)} }
	switch n.GetKind() {
	case pg.A_Expr_Kind_AEXPR_BETWEEN:
		return " and ", within(a, b)
	case pg.A_Expr_Kind_AEXPR_NOT_BETWEEN:
		return " or ", outside(a, b)
	case pg.A_Expr_Kind_AEXPR_BETWEEN_SYM:
		return " or ", []value{junction(" and ", within(a, b)), junction(" and ", within(b, a))}
	}
	return " and ", []value{junction(" or ", outside(a, b)), junction(" or ", outside(b, a))}
}

// betweenWord gives the word that joins what a BETWEEN stands for, or nothing for another expression.
func betweenWord(n *pg.Node) string {
	switch n.GetAExpr().GetKind() {
	case pg.A_Expr_Kind_AEXPR_BETWEEN, pg.A_Expr_Kind_AEXPR_NOT_BETWEEN_SYM:
		return " and "
	case pg.A_Expr_Kind_AEXPR_NOT_BETWEEN, pg.A_Expr_Kind_AEXPR_BETWEEN_SYM:
		return " or "
	}
	return ""
}

// userOperator is an operator of the catalog's.
type userOperator struct {
	schema              string
	key                 string // name and types: "===(integer, integer)"
	left, right, result string
	volatile            bool
}

// userOperator finds an operator that the catalog has for just these types; a literal takes the type of the other operand.
func (r *run) userOperator(name operatorName, left, right string) *userOperator {
	if r.b.operators == nil {
		r.b.readOperators()
	}
	for _, o := range r.operatorsNamed(name) {
		if r.b.takes(o.left, left, right) && r.b.takes(o.right, right, left) {
			r.ref("operator", o.key, "")
			return o
		}
	}
	return nil
}

// operatorsNamed gives the operators that a name can mean, those of the path's first schemas first.
func (r *run) operatorsNamed(name operatorName) []*userOperator {
	all := r.b.operators[name.name]
	if len(all) == 0 {
		return nil
	}
	path := r.o.Path
	if name.schema != "" {
		path = []string{name.schema}
	}
	var found []*userOperator
	for _, in := range path {
		for _, o := range all {
			if o.schema == in {
				found = append(found, o)
			}
		}
	}
	return found
}

// looseOperator finds the one operator of the catalog's to whose types the operands can be brought.
func (r *run) looseOperator(name operatorName, left, right string) *userOperator {
	var found *userOperator
	for _, o := range r.operatorsNamed(name) {
		if !r.b.becomes(left, o.left) || !r.b.becomes(right, o.right) {
			continue
		}
		if found != nil {
			return nil
		}
		found = o
	}
	if found != nil {
		r.ref("operator", found.key, "")
	}
	return found
}

// becomes tells whether a value is brought to a type without being told.
func (b *Binder) becomes(from, to string) bool {
	if from == unknown || from == to {
		return to != ""
	}
	c, ok := builtin.FindCast(from, to, &b.known)
	return ok && c.Context == 'i'
}

// takes tells whether an operand is of the type, or a literal that becomes it because the other operand is.
func (b *Binder) takes(param, arg, other string) bool {
	return param == arg || arg == unknown && (param == other || other == "") || param != "" && param == b.underlying(arg)
}

// readOperators gathers the operators of the catalog by name.
func (b *Binder) readOperators() {
	b.operators = map[string][]*userOperator{}
	for _, key := range slices.SortedFunc(maps.Keys(b.catalog.Others), compareKeys) {
		if key[0] != "opaque" {
			continue
		}
		o := b.catalog.Others[key]
		define := o.Node.GetDefineStmt()
		if define == nil || define.GetKind() != pg.ObjectType_OBJECT_OPERATOR {
			continue
		}
		r := &run{b: b, o: o.Origin}
		schema, name := qualified(define.GetDefnames())
		if schema == "" {
			schema = first(o.Path)
		}
		op := &userOperator{schema: schema, key: strings.TrimPrefix(key[1], "operator ")}
		for _, d := range define.GetDefinition() {
			e := d.GetDefElem()
			switch strings.ToLower(e.GetDefname()) {
			case "leftarg":
				op.left = r.typeOf(e.GetArg().GetTypeName()).base
			case "rightarg":
				op.right = r.typeOf(e.GetArg().GetTypeName()).base
			case "procedure", "function":
				op.result, op.volatile = r.operatorResult(e.GetArg().GetTypeName().GetNames())
			}
		}
		b.operators[name] = append(b.operators[name], op)
	}
}

// first gives the schema in which things are made that name none.
func first(path []string) string {
	if len(path) == 0 {
		return catalog.Public
	}
	return path[0]
}

func compareKeys(a, b [2]string) int {
	return cmp.Or(strings.Compare(a[0], b[0]), strings.Compare(a[1], b[1]))
}

// operatorResult gives the result of an operator's function, if there is but one of the name.
func (r *run) operatorResult(list []*pg.Node) (string, bool) {
	schema, name := qualified(list)
	found := r.b.catalog.ResolveFunctions(r.o, schema, name)
	if len(found) != 1 {
		v, ok := builtin.Volatility(name)
		return "", !ok || v == 'v'
	}
	return r.b.signature(found[0]).result, found[0].Volatility == "volatile"
}

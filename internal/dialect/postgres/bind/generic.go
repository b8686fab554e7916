package bind

import (
	"fmt"
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// generic prints a node that is not understood, field by field, so that nothing of it is lost. Expressions, queries, types and
// relations in it are bound all the same.
func (r *run) generic(n *pg.Node, s *scope) value {
	v := value{volatile: true}
	m := n.ProtoReflect()
	m.Range(func(_ protoreflect.FieldDescriptor, inner protoreflect.Value) bool {
		v.text = r.genericMessage(inner.Message(), s)
		return false
	})
	switch x := n.GetNode().(type) {
	case *pg.Node_XmlExpr:
		v.typ = "xml"
		if x.XmlExpr.GetOp() == pg.XmlExprOp_IS_DOCUMENT {
			v.typ = boolType
		}
		v.volatile = false
	case *pg.Node_XmlSerialize:
		v.typ = r.typeOf(x.XmlSerialize.GetTypeName()).base
		v.volatile = false
	case *pg.Node_JsonIsPredicate:
		v.typ, v.volatile = boolType, false
	}
	return v
}

// genericMessage prints the fields of a message in their order. Places in the text are no part of what it means.
func (r *run) genericMessage(m protoreflect.Message, s *scope, without ...string) string {
	var b strings.Builder
	b.WriteString("{" + string(m.Descriptor().Name()))
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		if !m.Has(f) || f.Name() == "location" || slices.Contains(without, string(f.Name())) {
			continue
		}
		b.WriteString(" " + string(f.Name()) + "=")
		if !f.IsList() {
			b.WriteString(r.genericField(f, m.Get(f), s))
			continue
		}
		list := m.Get(f).List()
		b.WriteString("[")
		for k := range list.Len() {
			if k > 0 {
				b.WriteString(", ")
			}
			b.WriteString(r.genericField(f, list.Get(k), s))
		}
		b.WriteString("]")
	}
	b.WriteString("}")
	return b.String()
}

// genericField prints one value of a field.
func (r *run) genericField(f protoreflect.FieldDescriptor, v protoreflect.Value, s *scope) string {
	switch {
	case f.Kind() == protoreflect.EnumKind:
		return fmt.Sprint(v.Enum())
	case f.Kind() == protoreflect.StringKind:
		return quoted(v.String())
	case f.Message() == nil:
		return v.String()
	}
	switch x := v.Message().Interface().(type) {
	case *pg.Node:
		return r.genericNode(x, s)
	case *pg.TypeName:
		return r.b.spelled(r.typeOf(x).full)
	case *pg.RangeVar:
		return r.genericRelation(x)
	case *pg.SelectStmt:
		return r.genericQuery(&pg.Node{Node: &pg.Node_SelectStmt{SelectStmt: x}}, s)
	case *pg.ColumnRef:
		return r.columnRef(x, s).text
	case *pg.FuncCall:
		return r.call(x, s).text
	default:
		return r.genericMessage(v.Message(), s)
	}
}

// genericNode prints a node inside one that is not understood.
func (r *run) genericNode(n *pg.Node, s *scope) string {
	switch x := n.GetNode().(type) {
	case nil:
		return "null"
	case *pg.Node_String_:
		return quoted(x.String_.GetSval())
	case *pg.Node_TypeName:
		return r.b.spelled(r.typeOf(x.TypeName).full)
	case *pg.Node_RangeVar:
		return r.genericRelation(x.RangeVar)
	case *pg.Node_SelectStmt, *pg.Node_InsertStmt, *pg.Node_UpdateStmt, *pg.Node_DeleteStmt:
		return r.genericQuery(n, s)
	case *pg.Node_List:
		parts := make([]string, len(x.List.GetItems()))
		for i, item := range x.List.GetItems() {
			parts[i] = r.genericNode(item, s)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return r.expr(n, s).text
}

func (r *run) genericQuery(n *pg.Node, s *scope) string {
	q := r.statement(n, s)
	q.settle(r)
	return "(" + q.render() + ")"
}

// genericRelation prints a relation by its name today.
func (r *run) genericRelation(n *pg.RangeVar) string {
	rel, ok := r.relation(n.GetSchemaname(), n.GetRelname())
	switch {
	case rel.known:
		r.ref("relation", rel.name, "")
	case !ok:
		r.miss("relation", written(n), n.GetLocation())
	}
	text := ident(rel.name)
	if n.GetAlias() != nil {
		text += " as " + ident(n.GetAlias().GetAliasname())
	}
	return text
}

package catalog

import (
	"strconv"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/altergate/altergate/internal/dialect/postgres/script"
)

// The tree has no offsets for much of what a report quotes, such as a view's query or a function's argument. They are found from
// the offsets that it has: the keyword before an expression is the last one of that spelling before its first located part.

// words gives the strings in a list.
func words(nodes []*pg.Node) []string {
	var list []string
	for _, n := range nodes {
		list = append(list, word(n))
	}
	return list
}

// word gives the text of a string, a number, a boolean, or a name that the grammar took for a type; "" for anything else.
func word(n *pg.Node) string {
	switch {
	case n.GetString_() != nil:
		return n.GetString_().GetSval()
	case n.GetInteger() != nil:
		return strconv.Itoa(int(n.GetInteger().GetIval()))
	case n.GetFloat() != nil:
		return n.GetFloat().GetFval()
	case n.GetBoolean() != nil:
		return yes(n.GetBoolean().GetBoolval())
	case n.GetTypeName() != nil:
		return strings.Join(words(n.GetTypeName().GetNames()), ".")
	case n.GetAConst() != nil:
		return constant(n.GetAConst())
	}
	return ""
}

func constant(a *pg.A_Const) string {
	switch {
	case a.GetSval() != nil:
		return a.GetSval().GetSval()
	case a.GetIval() != nil:
		return strconv.Itoa(int(a.GetIval().GetIval()))
	case a.GetFval() != nil:
		return a.GetFval().GetFval()
	case a.GetBoolval() != nil:
		return yes(a.GetBoolval().GetBoolval())
	}
	return ""
}

// yes is how a flag is kept in Props.
func yes(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

// apart takes a qualified name apart; a database before the schema is left out.
func apart(nodes []*pg.Node) (schemaName, name string) {
	list := words(nodes)
	switch len(list) {
	case 0:
		return "", ""
	case 1:
		return "", list[0]
	}
	return list[len(list)-2], list[len(list)-1]
}

// firstLocation gives the smallest offset in a tree; -1 if it has none. At 0 stands the statement's own first word.
func firstLocation(m proto.Message) int {
	first := -1
	locations(m.ProtoReflect(), func(at int) {
		if first < 0 || at < first {
			first = at
		}
	})
	return first
}

// lastLocation gives the largest offset in a tree; -1 if it has none.
func lastLocation(m proto.Message) int {
	last := -1
	locations(m.ProtoReflect(), func(at int) { last = max(last, at) })
	return last
}

// shift takes all offsets in a tree back by as much as its text was cut at the front.
func shift(m protoreflect.Message, by int) {
	walk(m, func(m protoreflect.Message) {
		field := m.Descriptor().Fields().ByName("location")
		if field != nil && field.Kind() == protoreflect.Int32Kind && m.Get(field).Int() > 0 {
			m.Set(field, protoreflect.ValueOfInt32(int32(m.Get(field).Int())-int32(by)))
		}
	})
}

func locations(m protoreflect.Message, found func(int)) {
	walk(m, func(m protoreflect.Message) {
		field := m.Descriptor().Fields().ByName("location")
		if field != nil && field.Kind() == protoreflect.Int32Kind && m.Get(field).Int() > 0 {
			found(int(m.Get(field).Int()))
		}
	})
}

// behindLast gives the offset behind the last place before a limit where the words stand; -1 if there is none at or after from.
func behindLast(s *script.Statement, from, limit int, list ...string) int {
	for i := min(limit, len(s.Text)) - 1; i >= max(from, 0); i-- {
		if end := wordsAt(s, i, list); end >= 0 && end <= limit {
			return end
		}
	}
	return -1
}

// lastBefore gives the last place before a limit where a word stands; -1 if there is none.
func lastBefore(s *script.Statement, limit int, word string) int {
	for i := min(limit, len(s.Text)) - 1; i >= 0; i-- {
		if wordsAt(s, i, []string{word}) >= 0 {
			return i
		}
	}
	return -1
}

// firstAt gives the first place at or after from where the words stand; -1 if there is none.
func firstAt(s *script.Statement, from int, list ...string) int {
	for i := max(from, 0); i < len(s.Text); i++ {
		if wordsAt(s, i, list) >= 0 {
			return i
		}
	}
	return -1
}

// wordsAt gives the offset behind words that begin exactly at an offset, and -1 if others stand there.
func wordsAt(s *script.Statement, i int, list []string) int {
	if lower(s.Text[i]) != lower(list[0][0]) || (i > 0 && nameByte(list[0][0]) && nameByte(s.Text[i-1])) {
		return -1
	}
	return s.After(i, list...)
}

func lower(b byte) byte {
	if b >= 'A' && b <= 'Z' {
		return b + 'a' - 'A'
	}
	return b
}

func nameByte(b byte) bool {
	return b == '_' || b == '$' || b >= 0x80 || (b >= '0' && b <= '9') || (lower(b) >= 'a' && lower(b) <= 'z')
}

// behindName gives the offset behind the qualified name that begins at an offset.
func behindName(s *script.Statement, i int) int {
	for {
		i = behindIdentifier(s.Text, i)
		dot := s.After(i, ".")
		if dot < 0 {
			return i
		}
		for i = dot; i < len(s.Text) && strings.IndexByte(" \t\n\r\f\v", s.Text[i]) >= 0; {
			i++
		}
	}
}

func behindIdentifier(text string, i int) int {
	if q := strings.TrimLeft(text[i:], "Uu&"); strings.HasPrefix(q, `"`) {
		i = len(text) - len(q) + 1
		for i < len(text) {
			switch {
			case text[i] != '"':
				i++
			case i+1 < len(text) && text[i+1] == '"':
				i += 2
			default:
				return i + 1
			}
		}
		return i
	}
	for i < len(text) && nameByte(text[i]) {
		i++
	}
	return i
}

// exprBehind makes the expression of a tree whose text begins behind the words, as it does behind DEFAULT.
func (c *Catalog) exprBehind(s *script.Statement, from int, tree *pg.Node, list ...string) *Expr {
	return c.exprAt(s, from, tree, list, func(at int) string { return s.Expr(at) })
}

// exprIn makes the expression of a tree that stands in parentheses behind the words, as it does behind USING.
func (c *Catalog) exprIn(s *script.Statement, from int, tree *pg.Node, list ...string) *Expr {
	return c.exprAt(s, from, tree, list, func(at int) string {
		text, _, _ := s.Parens(at)
		return text
	})
}

func (c *Catalog) exprAt(s *script.Statement, from int, tree *pg.Node, list []string, read func(at int) string) *Expr {
	if tree == nil {
		return nil
	}
	first := firstLocation(tree)
	at := behindLast(s, from, first, list...)
	if at < 0 {
		return &Expr{Node: tree, Text: s.Expr(max(first, 0)), Origin: c.origin(s, first)}
	}
	return &Expr{Node: tree, Text: read(at), Origin: c.origin(s, first)}
}

// typeRef makes the reference to a type that is not in a column's definition.
func (c *Catalog) typeRef(s *script.Statement, t *pg.TypeName) TypeRef {
	at := int(t.GetLocation())
	if at < 0 {
		return TypeRef{Node: t, Origin: c.origin(s, 0)}
	}
	return TypeRef{Node: t, Text: s.Text[at:behindType(s, t, at)], Origin: c.origin(s, at)}
}

// typeWords are what may follow the first word of a type that SQL spells with several.
var typeWords = [][]string{
	{"PRECISION"}, {"VARYING"}, {"CHARACTER"}, {"CHAR"}, {"WITH", "TIME", "ZONE"}, {"WITHOUT", "TIME", "ZONE"}, {"ARRAY"},
	{"YEAR"}, {"MONTH"}, {"DAY"}, {"HOUR"}, {"MINUTE"}, {"SECOND"}, {"TO"}, {"%", "TYPE"},
}

// behindType gives the offset behind a type that begins at an offset.
func behindType(s *script.Statement, t *pg.TypeName, at int) int {
	i := behindName(s, at)
	builtIn := len(t.GetNames()) == 2 && word(t.GetNames()[0]) == "pg_catalog"
	for {
		next := -1
		switch {
		case s.After(i, "(") >= 0 && len(t.GetTypmods()) > 0:
			_, next, _ = s.Parens(i)
		case s.After(i, "[") >= 0:
			if end := strings.IndexByte(s.Text[i:], ']'); end >= 0 {
				next = i + end + 1
			}
		default:
			for _, list := range typeWords {
				if end := s.After(i, list...); end >= 0 && (builtIn || list[0] == "%" || list[0] == "ARRAY") {
					next = end
				}
			}
		}
		if next < 0 {
			return i
		}
		i = next
	}
}

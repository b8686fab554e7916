package pipeline

import "github.com/goccy/go-yaml/ast"

// anchors are the values that a document gives a name to, for aliases to repeat.
type anchors map[string]ast.Node

// Visit gathers them.
func (a anchors) Visit(node ast.Node) ast.Visitor {
	if n, ok := node.(*ast.AnchorNode); ok {
		a[n.Name.GetToken().Value] = n.Value
	}
	return a
}

// bare gives what a value is without the anchor or tag before it, and for an alias the value that it repeats: an anchor hides no key, and
// what has one meaning where it is written may be repeated where it has another. An alias of nothing, or of itself, is left to the
// decoder, which refuses it.
func (a anchors) bare(node ast.Node) ast.Node {
	for range 100 {
		switch n := node.(type) {
		case *ast.AnchorNode:
			node = n.Value
		case *ast.TagNode:
			node = n.Value
		case *ast.AliasNode:
			node = a[n.Value.GetToken().Value]
		default:
			return node
		}
	}
	return nil
}

package plan

import (
	"strings"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// securityDefiner: such a function looks names up along its caller's search path, so a caller can put a function or a table of their
// own in the way and have it used with the owner's rights (sql-createfunction.html, "Writing SECURITY DEFINER Functions Safely").
var securityDefiner = Rule{ID: "security-definer", Title: "a function has its owner's rights and its caller's names", Check: func(p *Pass, c diff.Change) []Finding {
	var o *schema.Object
	switch c := c.(type) {
	case diff.CreateObject:
		o = c.Object
	case diff.AlterObject:
		o = c.To
	default:
		return nil
	}
	if p.mysql() {
		return nil // a program there has one database, and no search path
	}
	if before := p.From.Object(o.Kind, o.Key); !borrowsRights(o) || before != nil && borrowsRights(before) {
		return nil
	}
	return onHead(Review, o.Pos, "The %s runs with the rights of its owner and has no search_path of its own, so whoever calls it can make it use their own functions and tables; write SET search_path", words(o))
}}

// borrowsRights tells whether a function is SECURITY DEFINER and says nowhere where its names are looked up.
func borrowsRights(o *schema.Object) bool {
	if o.Kind != "function" && o.Kind != "procedure" {
		return false
	}
	said, _, _ := strings.Cut(o.Canon, " as '") // the body is last
	said, _, _ = strings.Cut(said, " begin ")
	return strings.Contains(said, " security definer") && !strings.Contains(said, "search_path=")
}

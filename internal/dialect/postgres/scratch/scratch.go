// Package scratch proves plans on a real PostgreSQL server, and asks it for its own normal form of what a schema says. It makes
// databases of its own there and drops them again; it touches no other, and nothing that belongs to the server as a whole, as roles
// and tablespaces do. It does not know how a plan was made, and judges no risk.
//
// What it runs comes from a pull request, and an expression or a function body may try anything that the role may. Statements are
// let through by their kind, and languages that reach outside the database are not; but a superuser's session has no fence that a
// function could not open again. The server must be an expendable one, and its role should have CREATEDB and no more.
package scratch

import (
	"fmt"
	"sort"

	"github.com/altergate/altergate/internal/dialect/postgres/script"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/proof"
	"github.com/altergate/altergate/internal/schema"
)

// Name is the engine's word in reports.
const Name = "postgres"

// Side is what one side's files say, as far as it is modelled.
type Side struct {
	Statements []*script.Statement // CREATE, ALTER, COMMENT, GRANT … in the order of the files, which need not be one that works
	// Paths are the schemas of the search path at those statements where it is another than a new session's.
	Paths  map[*script.Statement][]string
	Schema *schema.Schema
}

// Input is what a proof needs to know. Renames lead from names of the base to names of the head.
type Input struct {
	Base, Head Side
	Renames    diff.Renames
	Steps      []*plan.Step
}

// leftOut gathers the statements that are not run, by reason. A statement that both sides hold counts once.
type leftOut map[reason]map[string]bool

// reason is why a statement is left out; it completes "3 statements …".
type reason string

// Why statements are left out.
const (
	namesRoles    reason = "roles that the server does not have, or its role may not act for"
	policyRoles   reason = "policies for roles that the server does not have, and were tried with its own role"
	concernsOther reason = "something outside the database"
)

func (l leftOut) add(why reason, text string) {
	if l[why] == nil {
		l[why] = map[string]bool{}
	}
	l[why][text] = true
}

// clauses gives what was left out, for the report.
func (l leftOut) clauses() []string {
	verbs := map[reason][2]string{namesRoles: {"names", "name"}, policyRoles: {"makes", "make"}, concernsOther: {"concerns", "concern"}}
	var out []string
	for why, texts := range l {
		verb := verbs[why][1]
		if len(texts) == 1 {
			verb = verbs[why][0]
		}
		out = append(out, fmt.Sprintf("%s %s %s", proof.Count(len(texts), "statement"), verb, why))
	}
	sort.Strings(out)
	return out
}

// Package scratch proves plans on a real MySQL or MariaDB server. It makes databases of its own there and drops them again; it touches
// no other, and nothing that belongs to the server as a whole, as users and global variables do. It does not know how a plan was made,
// and judges no risk.
//
// What it runs comes from a pull request, and a trigger's body may try anything that the user may. Statements are let through by what
// they make, and those that reach outside their databases are not; but what a privileged session runs has no fence that holds for
// sure. The server must be an expendable one, and its user should have no more than all privileges on `altergate\_%`.*.
package scratch

import (
	"fmt"
	"slices"

	"github.com/altergate/altergate/internal/dialect/mysql/script"
	flavours "github.com/altergate/altergate/internal/dialect/mysql/server"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/schema"
)

// Side is what one side's files say, as far as it is modelled.
type Side struct {
	Statements []*script.Statement // CREATE, ALTER, SET, USE … in the order of the files
	Schema     *schema.Schema
}

// Input is what a proof needs to know. Renames lead from names of the base to names of the head.
type Input struct {
	Server     flavours.Server // that the plan is for; the one that proves may be another
	Base, Head Side
	Renames    diff.Renames
	Steps      []*plan.Step

	// Main is the database that plans run in, where the schema has a name for it. Charset and Collation are what it has unless a
	// statement says so; empty is the server's own.
	Main               string
	Charset, Collation string
}

// leftOut gathers what is not run, or not as it is written, by reason. A statement that both sides hold counts once.
type leftOut map[reason]map[string]bool

// reason is why a statement is left out, or changed; see clauses.
type reason string

const (
	definers   reason = "definers"
	events     reason = "events"
	algorithms reason = "algorithms"
	collations reason = "collations"
)

func (l leftOut) add(why reason, text string) {
	if l[why] == nil {
		l[why] = map[string]bool{}
	}
	l[why][text] = true
}

func (l leftOut) addAll(other leftOut) {
	for why, texts := range other {
		for text := range texts {
			l.add(why, text)
		}
	}
}

// clauses gives what was left out, for the report.
func (l leftOut) clauses() []string {
	words := []struct {
		why       reason
		one, more string
	}{
		{algorithms, "states an ALGORITHM or LOCK that this server does not have for it, and ran without", "state an ALGORITHM or LOCK that this server does not have for them, and ran without"},
		{collations, "names a collation that this server does not have, and ran with another", "name a collation that this server does not have, and ran with another"},
		{definers, "names a definer that the server's user may not set", "name a definer that the server's user may not set"},
		{events, "makes an event, which this server would have started", "make events, which this server would have started"},
	}
	var out []string
	for _, w := range words {
		switch n := len(l[w.why]); n {
		case 0:
		case 1:
			out = append(out, "1 statement "+w.one)
		default:
			out = append(out, fmt.Sprintf("%d statements %s", n, w.more))
		}
	}
	return out
}

// keys gives the keys of a map in order.
func keys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

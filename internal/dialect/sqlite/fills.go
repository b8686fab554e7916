package sqlite

import (
	"regexp"
	"strings"

	"github.com/altergate/altergate/internal/schema"
)

// filling are functions that give a value, and never NULL, for values (sqlite.org/lang_corefunc.html, sqlite.org/lang_datefunc.html).
var filling = set("date datetime hex julianday length lower ltrim quote random randomblob replace round rtrim strftime time trim typeof unixepoch upper zeroblob")

// clocks are those among them that give NULL for what is no moment, or no way to move one.
var clocks = set("date datetime julianday strftime time unixepoch")

// moved is how a moment may be moved.
var moved = regexp.MustCompile(`^(utc|localtime|subsec|subsecond|start of (day|month|year)|[+-]?[0-9]+ (second|minute|hour|day|month|year)s?)$`)

// Fills implements plan.Planner. A literal is a value of every column, since what a STRICT table does not take is refused. An expression is
// one if nothing in it can fail or, in a column that takes no NULL, be NULL.
func (p Planner) Fills(c *schema.Column) bool {
	e := c.Default
	if e.Constant != "" {
		return e.Constant != "null" || !c.Required
	}
	tokens := newParser(e.Text).tokens
	clock := false
	for i, t := range tokens {
		called := i+1 < len(tokens) && tokens[i+1].is("(") && (t.kind == word || t.kind == quoted)
		switch {
		case called && filling[fold(t.name())]:
			clock = clock || clocks[fold(t.name())]
		case called, t.kind == quoted:
			return p.Total(*e) && !c.Required
		case t.is("CURRENT_TIMESTAMP"), t.is("CURRENT_DATE"), t.is("CURRENT_TIME"), t.is("("), t.is(")"), t.is(","), t.is("||"):
		case t.kind == word, t.kind == operator && !t.is("-") && !t.is("+"):
			return p.Total(*e) && !c.Required
		}
	}
	return !clock || !c.Required || knownMoment(tokens)
}

// knownMoment tells whether all texts of an expression with functions of time are the current moment, ways to move it, and forms to write it in.
func knownMoment(tokens []token) bool {
	for _, t := range tokens {
		if t.kind != text {
			continue
		}
		if s := strings.ToLower(t.name()); s != "now" && !strings.Contains(s, "%") && !moved.MatchString(s) {
			return false
		}
	}
	return true
}

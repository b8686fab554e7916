package quereus

import (
	"strings"

	"github.com/altergate/altergate/internal/dialect/quereus/syntax"
	"github.com/altergate/altergate/internal/schema"
)

// fact is something that a declaration says and that the engine's differ does not look at.
type fact struct {
	what, text string
	key        string   // by which the fact of the other side is found
	former     []string // keys that it may have had
	bound      bool     // it is of a constraint that is compared: where only one side has that, a statement brings the fact or takes it away
	column     string   // that has it, if one has: a column that comes or goes brings it or takes it away
	pos        schema.Pos
}

// facts lists what the engine does not compare.
func (t *table) facts() []fact {
	var facts []fact
	add := func(f fact) {
		if f.key == "" {
			f.key = f.what
		}
		facts = append(facts, f)
	}
	of := func(k *syntax.Constraint, column string) {
		for _, f := range t.constraintFacts(k, column) {
			f.column, f.pos = column, k.Pos()
			add(f)
		}
	}
	for _, c := range t.Columns {
		for _, k := range c.Constraints {
			of(k, syntax.Fold(c.Name.Text))
		}
	}
	for _, k := range t.Constraints {
		of(k, "")
	}
	for _, v := range t.Context {
		text := v.Type
		if v.Null {
			text += " null"
		}
		add(fact{what: "the variable " + v.Name.Text, text: strings.TrimSpace(text) + " in the context", pos: t.Pos()})
	}
	return facts
}

func (t *table) constraintFacts(k *syntax.Constraint, column string) []fact {
	name := syntax.Fold(k.Name.Text)
	if k.Kind == syntax.PrimaryKey {
		return []fact{{what: "the name of the primary key", text: k.Name.Text}, {what: "the conflict action of the primary key", text: conflict(k)},
			{what: "the list of tags of the primary key", text: compared(k.Tags)}}
	}
	if _, ok := constraintKinds[k.Kind]; !ok {
		var facts []fact
		if k.Kind == syntax.NotNull || k.Kind == syntax.Null {
			facts = append(facts, fact{what: "the conflict action of not null of column " + column, text: conflict(k)})
		}
		return append(facts, fact{what: "the list of tags of constraint " + name + " of column " + column, text: compared(k.Tags)})
	}
	body := syntax.ConstraintBody(k, column, t.in.key)
	if engineMade(k) {
		what := "constraint " + name + ", which has a name of the engine's kind,"
		facts := []fact{{what: what, text: body}, {what: "the list of tags of constraint " + name, text: compared(k.Tags)}}
		if k.Foreign != nil {
			facts = append(facts, fact{what: "whether it can be deferred, of constraint " + name, text: deferrable(k.Foreign)})
		}
		return facts
	}
	// One whose body is another is dropped and added, with all that it says.
	var facts []fact
	what := "constraint " + name
	if name == "" {
		what = "the unnamed " + body
		facts = append(facts, fact{what: "the list of tags of " + what, key: "tags " + body, text: compared(k.Tags), bound: true})
	}
	if k.Foreign == nil {
		return facts
	}
	f := fact{what: "whether it can be deferred, of " + what, key: "deferred " + name + " " + body, text: deferrable(k.Foreign), bound: true}
	for _, former := range mark(nil, k.Name.Text, k.Tags, k.Pos()).Former {
		f.former = append(f.former, "deferred "+former+" "+body)
	}
	return append(facts, f)
}

func conflict(k *syntax.Constraint) string {
	if k.Conflict == "abort" {
		return ""
	}
	return k.Conflict
}

func deferrable(f *syntax.ForeignTable) string {
	switch {
	case f.Deferrable == syntax.DeferrableYes && f.Initially == "deferred":
		return "deferrable initially deferred"
	case f.Deferrable == syntax.DeferrableYes:
		return "deferrable"
	}
	return ""
}

package plan

import (
	"fmt"
	"regexp"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// definer: what names its definer runs with the rights of that account. The account has to be there, and whoever runs the plan has to
// have the right to name it.
var definer = Rule{ID: "definer", Title: "a view or program runs with a named account's rights", Check: func(p *Pass, c diff.Change) []Finding {
	if !p.mysql() {
		return nil
	}
	what, name, text, before, pos := "", "", "", "", schema.Pos{}
	switch c := c.(type) {
	case diff.CreateView:
		what, name, text, pos = "view", c.View.Name, c.View.Text, c.View.Pos
		if v := p.From.View(c.View.Key); v != nil {
			before = v.Text
		}
	case diff.ReplaceView:
		what, name, text, before, pos = "view", c.To.Name, c.To.Text, c.From.Text, c.To.Pos
	case diff.CreateTrigger:
		what, name, text, pos = "trigger", c.Trigger.Name, c.Trigger.Text, c.Trigger.Pos
		if t := trigger(p.From, c.Trigger.Key); t != nil {
			before = t.Text
		}
	case diff.CreateObject:
		what, name, text, pos = c.Object.Kind, c.Object.Name, c.Object.Text, c.Object.Pos
		if o := p.From.Object(c.Object.Kind, c.Object.Key); o != nil {
			before = o.Text
		}
	case diff.AlterObject:
		what, name, text, before, pos = c.To.Kind, c.To.Name, c.To.Text, c.From.Text, c.To.Pos
	}
	account := definerIn(text)
	if account == "" || account == definerIn(before) {
		return nil
	}
	return []Finding{{Risk: Review, Side: schema.Head, Pos: pos, Text: fmt.Sprintf("The %s %s runs with the rights of %s: the account has to exist where the plan runs, and naming it takes a right of its own", what, name, account)}}
}}

var definerWords = regexp.MustCompile("(?is)^\\s*(?:CREATE|ALTER)\\b(?:\\s+OR\\s+REPLACE\\b)?(?:\\s+ALGORITHM\\s*=\\s*\\w+)?\\s+DEFINER\\s*=\\s*((?:`[^`]*`|'[^']*'|\"[^\"]*\"|[\\w$]+)(?:\\s*@\\s*(?:`[^`]*`|'[^']*'|\"[^\"]*\"|[\\w$.%-]+))?)")

// definerIn gives the account that a statement names as its definer; empty = none, or whoever runs it.
func definerIn(text string) string {
	m := definerWords.FindStringSubmatch(text)
	if m == nil || regexp.MustCompile(`(?i)^current_(user|role)\b`).MatchString(m[1]) {
		return ""
	}
	return m[1]
}

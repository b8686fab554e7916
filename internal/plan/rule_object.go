package plan

import (
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// Objects that are no tables, views or parts of them: what a rule says of one depends on its kind.

// createObject: what is new is used by nobody yet, unless it changes what others may do.
var createObject = Rule{ID: "create-object", Title: "a function, type, sequence or another object is new", Check: func(p *Pass, c diff.Change) []Finding {
	o, ok := c.(diff.CreateObject)
	if !ok || ruledElsewhere(o.Object.Kind) {
		return nil
	}
	name := words(o.Object)
	switch {
	case p.From.Object(o.Object.Kind, o.Object.Key) != nil && p.From.Object(o.Object.Kind, o.Object.Key).Canon == o.Object.Canon:
		return onHead(Safe, o.Object.Pos, "The %s comes back as it was", name)
	case p.From.Object(o.Object.Kind, o.Object.Key) != nil:
		return onHead(Review, o.Object.Pos, "The %s comes back with another definition", name)
	case o.Object.Kind == "event_trigger", o.Object.Kind == "rule", o.Object.Kind == "publication", o.Object.Kind == "publication_table", o.Object.Kind == "extension", o.Object.Kind == "event":
		return onHead(Review, o.Object.Pos, "The %s is new: %s", name, newMeaning[o.Object.Kind])
	}
	return onHead(Safe, o.Object.Pos, "The %s is new: nothing uses it yet", name)
}}

// newMeaning says what a new object does to what is there.
var newMeaning = map[string]string{
	"event_trigger": "it runs at changes of the schema, this plan's among them",
	"rule":          "it rewrites the statements that others run",
	"publication":   "other servers can subscribe to its rows",

	"publication_table": "other servers get its rows",
	"extension":         "its programs become part of the server",
	"event":             "it runs by itself at its times",
}

// dropObject: those who use it fail, and what it stores is lost.
var dropObject = Rule{ID: "drop-object", Title: "a function, type, sequence or another object is dropped", Check: func(p *Pass, c diff.Change) []Finding {
	o, ok := c.(diff.DropObject)
	if !ok || ruledElsewhere(o.Object.Kind) {
		return nil
	}
	name := words(o.Object)
	to := p.To.Object(o.Object.Kind, o.Object.Key)
	switch {
	case to != nil && to.Canon == o.Object.Canon:
		return onBase(Review, o.Object.Pos, "The %s stands in the way of a change; it comes back as it was", name)
	case to != nil:
		return onBase(Review, o.Object.Pos, "The %s is dropped, to come back with another definition", name)
	case o.Object.Kind == "statistics":
		return onBase(Safe, o.Object.Pos, "Queries can be planned in another way without the %s", name)
	case o.Object.Kind == "schema", o.Object.Kind == "extension", o.Object.Kind == "database":
		return onBase(Destructive, o.Object.Pos, "The %s goes with all that is in it", name)
	case o.Object.Kind == "sequence" && o.Object.On == "":
		return onBase(Destructive, o.Object.Pos, "The %s goes: the numbers it has given out are forgotten", name)
	}
	if o.Object.Kind == "event" {
		return onBase(Review, o.Object.Pos, "What the %s did at its times is no longer done", name)
	}
	return onBase(Review, o.Object.Pos, "Those who use the %s fail", name)
}}

// alterObject: whatever uses it sees the change at once.
var alterObject = Rule{ID: "alter-object", Title: "a function, type, sequence or another object changes", Check: func(p *Pass, c diff.Change) []Finding {
	o, ok := c.(diff.AlterObject)
	if !ok || ruledElsewhere(o.To.Kind) || len(o.From.Labels) > 0 {
		return nil
	}
	switch {
	case o.From == o.To:
		return onHead(Safe, o.To.Pos, "The %s goes with the column that owns it from now on", words(o.To))
	case o.To.Kind == "type" && !strings.HasPrefix(o.To.Canon, strings.TrimSuffix(o.From.Canon, ")")):
		return onHead(Destructive, o.To.Pos, "The %s loses or changes attributes: what the rows that hold one have there is lost", words(o.To))
	case o.To.Kind == "domain":
		return onHead(Review, o.To.Pos, "The %s changes: values that are stored and do not satisfy it stop the plan", words(o.To))
	case o.To.Kind == "sequence":
		return onHead(Review, o.To.Pos, "The %s gives out its numbers in another way: from \"%s\" to \"%s\"", words(o.To), o.From.Canon, o.To.Canon)
	}
	return onHead(Review, o.To.Pos, "The %s changes for all who use it", words(o.To))
}}

// enumLabels: a value that is stored cannot keep a label that is gone, and labels are compared by their order.
var enumLabels = Rule{ID: "enum-labels", Title: "the labels of an enum change", Check: func(p *Pass, c diff.Change) []Finding {
	o, ok := c.(diff.AlterObject)
	if !ok || len(o.From.Labels) == 0 {
		return nil
	}
	var found []Finding
	var gone, kept []string
	for _, l := range o.From.Labels {
		if slices.Contains(o.To.Labels, l) {
			kept = append(kept, l)
		} else {
			gone = append(gone, l)
		}
	}
	var order, added []string
	for _, l := range o.To.Labels {
		if slices.Contains(o.From.Labels, l) {
			order = append(order, l)
		} else {
			added = append(added, l)
		}
	}
	if len(gone) > 0 {
		found = append(found, onHead(Destructive, o.To.Pos, "Type %s loses the labels %s: a row that holds one stops the plan, and every table with the type is written again", o.To.Name, list(gone))...)
	}
	if !slices.Equal(kept, order) {
		found = append(found, onHead(Review, o.To.Pos, "The labels of type %s are in another order, by which values are sorted and compared; every table with the type is written again", o.To.Name)...)
	}
	if len(added) > 0 {
		found = append(found, onHead(Safe, o.To.Pos, "Type %s gets the labels %s; no value that is stored changes", o.To.Name, list(added))...)
	}
	if len(found) == 0 {
		return onHead(Review, o.To.Pos, "Type %s changes for all who use it", o.To.Name)
	}
	return found
}}

// ruledElsewhere tells whether objects of a kind have a rule of their own.
func ruledElsewhere(kind string) bool {
	return quiet(kind) || access[kind] || kind == "tags" || kind == "assertion"
}

// quiet tells whether objects of a kind change nothing that runs.
func quiet(kind string) bool { return kind == "comment" || kind == "label" }

// comment: it is read by people only.
var comment = Rule{ID: "comment", Title: "a comment changes", Check: func(p *Pass, c diff.Change) []Finding {
	switch c := c.(type) {
	case diff.CreateObject:
		if quiet(c.Object.Kind) {
			return onHead(Safe, c.Object.Pos, "What is said of the %s changes nothing that runs", c.Object.Name)
		}
	case diff.AlterObject:
		if quiet(c.To.Kind) {
			return onHead(Safe, c.To.Pos, "What is said of the %s changes nothing that runs", c.To.Name)
		}
	case diff.AlterColumn:
		if from, to := withoutComment(c.From.Canon), withoutComment(c.To.Canon); p.mysql() && from == to && c.From.Canon != c.To.Canon {
			return onHead(Safe, c.To.Pos, "What is said of column %s.%s changes nothing that runs", c.Table.Name, c.To.Name)
		}
	case diff.DropObject:
		if quiet(c.Object.Kind) {
			return onBase(Safe, c.Object.Pos, "What is said of the %s changes nothing that runs", c.Object.Name)
		}
	}
	return nil
}}

// withoutComment takes the comment off the end of a column's definition, where MySQL's has it.
func withoutComment(canon string) string {
	if i := strings.Index(canon, " comment '"); i >= 0 && strings.HasSuffix(canon, "'") {
		return canon[:i]
	}
	return canon
}

// access are the kinds of objects that say who may do what.
var access = map[string]bool{"policy": true, "grant": true, "default_privileges": true, "owner": true}

// accessChange: others may read or write what they could not, or no longer what they could.
var accessChange = Rule{ID: "access", Title: "who may do what changes", Check: func(p *Pass, c diff.Change) []Finding {
	var o *schema.Object
	pos, side, verb := schema.Pos{}, schema.Head, ""
	switch c := c.(type) {
	case diff.CreateObject:
		o, verb = c.Object, "is new"
	case diff.AlterObject:
		o, verb = c.To, "changes"
	case diff.DropObject:
		o, side, verb = c.Object, schema.Base, "goes"
	default:
		return nil
	}
	if !access[o.Kind] {
		return nil
	}
	pos = o.Pos
	if from, to := p.From.Object(o.Kind, o.Key), p.To.Object(o.Kind, o.Key); from != nil && to != nil && from.Canon == to.Canon {
		verb = "is dropped and comes back as it was"
		if side == schema.Head {
			return []Finding{{Risk: Safe, Side: side, Pos: pos, Text: "The " + words(o) + " comes back as it was"}}
		}
	}
	risk := Review
	if on := o.On; on != "" && p.From.Table(on) == nil && p.From.View(on) == nil && o.Kind != "grant" {
		risk = Safe // what it guards is new
	}
	return []Finding{{Risk: risk, Side: side, Pos: pos, Text: "The " + words(o) + " " + verb + ": who may read and write what changes with it"}}
}}

// words names an object for people: "event trigger audit".
func words(o *schema.Object) string { return strings.ReplaceAll(o.Kind, "_", " ") + " " + o.Name }

package plan

import (
	"strings"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// setTags: tags are notes for programs. Those whose keys begin with quereus. tell the engine something; what the others tell, only their
// readers know, and nothing that is stored changes.
var setTags = Rule{ID: "set-tags", Title: "the tags of an object change", Check: func(_ *Pass, c diff.Change) []Finding {
	switch c := c.(type) {
	case diff.CreateObject:
		if c.Object.Kind == "tags" {
			return tagsChange(c.Object, "", c.Object.Canon)
		}
	case diff.AlterObject:
		if c.To.Kind == "tags" {
			return tagsChange(c.To, c.From.Canon, c.To.Canon)
		}
	case diff.DropObject:
		if c.Object.Kind == "tags" {
			return onBase(tagsRisk(c.Object.Canon), c.Object.Pos, "%s loses its tags; %s", c.Object.Name, tagsMeaning(c.Object.Canon))
		}
	}
	return nil
}}

func tagsChange(o *schema.Object, from, to string) []Finding {
	return onHead(max(tagsRisk(from), tagsRisk(to)), o.Pos, "The tags of %s change; %s", o.Name, tagsMeaning(from+to))
}

// reservedTags tells whether tags, in canonical form, hold one that the engine reads.
func reservedTags(canon string) bool { return strings.Contains(canon, "'quereus.") }

func tagsRisk(canon string) Risk {
	if reservedTags(canon) {
		return Review
	}
	return Safe
}

func tagsMeaning(canon string) string {
	if reservedTags(canon) {
		return "one that begins with quereus. tells the engine something"
	}
	return "the engine reads none of them, and nothing that is stored changes"
}

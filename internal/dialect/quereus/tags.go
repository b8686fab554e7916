package quereus

import (
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/dialect/quereus/syntax"
	"github.com/altergate/altergate/internal/schema"
)

// Hint tags drive renames. They are not compared, and are written along when something else has changed (behaviour 94).
const (
	idTag       = "quereus.id"
	previousTag = "quereus.previous_name"
)

// hintTag tells whether a key is a hint's. Keys are compared with their letters: `Quereus.id` is anybody's tag.
func hintTag(key string) bool { return key == idTag || key == previousTag }

// compared gives tags in the form in which they are compared: without hints, in order. Of a key that is there twice the last counts.
func compared(tags *syntax.Tags) string {
	if tags == nil {
		return ""
	}
	values := map[string]string{}
	for _, t := range tags.List {
		if !hintTag(t.Key) {
			values[t.Key] = t.Value.String()
		}
	}
	var parts []string
	for _, key := range sorted(values) {
		parts = append(parts, syntax.Literal(key)+" = "+values[key])
	}
	return strings.Join(parts, ", ")
}

// tag gives the value of a tag, empty where there is none.
func tag(tags *syntax.Tags, key string) syntax.Value {
	if tags == nil {
		return syntax.Value{}
	}
	for _, t := range slices.Backward(tags.List) {
		if t.Key == key {
			return t.Value
		}
	}
	return syntax.Value{}
}

// managed tells whether the engine keeps a table for itself.
func (t *table) managed() bool {
	return tag(t.Tags, engineManaged) == syntax.Value{Kind: syntax.BoolValue, Text: "true"}
}

// appendTags adds the tags of one site as an object of the model. A site without any that counts has no object.
func appendTags(to []*schema.Object, site, on, key, name string, tags *syntax.Tags) []*schema.Object {
	canon := compared(tags)
	if canon == "" {
		return to
	}
	return append(to, &schema.Object{Kind: tagsKind, Name: name, Key: site + " " + key, On: on, Canon: canon, Text: tags.ListString(), Pos: tags.Pos()})
}

// tagObjects gives the tags of a table, its columns and its named constraints.
func (t *table) tagObjects() []*schema.Object {
	key, name := t.key(), t.in.display(t.Name.Text)
	objects := appendTags(nil, "table", key, key, name, t.Tags)
	for _, column := range t.Columns {
		objects = appendTags(objects, "column", key, key+"."+syntax.Fold(column.Name.Text), name+"."+column.Name.Text, column.Tags)
		for _, k := range column.Constraints {
			objects = t.constraintTags(objects, k)
		}
	}
	for _, k := range t.Constraints {
		objects = t.constraintTags(objects, k)
	}
	return objects
}

// constraintTags leaves out constraints that no statement can name.
func (t *table) constraintTags(to []*schema.Object, k *syntax.Constraint) []*schema.Object {
	if k.Name.Text == "" || engineMade(k) || k.Kind == syntax.PrimaryKey || k.Kind > syntax.ForeignKey {
		return to
	}
	return appendTags(to, "constraint", t.key(), t.key()+"."+syntax.Fold(k.Name.Text), t.in.display(t.Name.Text)+"."+k.Name.Text, k.Tags)
}

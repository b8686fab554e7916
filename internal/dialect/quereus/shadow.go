package quereus

import "github.com/altergate/altergate/internal/dialect/quereus/syntax"

// A name without a schema is one of the schema it stands in, else one of main. So a table that comes, goes or is renamed in a schema can
// give another meaning to a body that nobody touched.

// nameIn is a relation as a body names it.
type nameIn struct{ schema, relation string }

// shadowed refuses a head in which a body that stays as it is means another relation than at the base.
func (s *staleness) shadowed() {
	if len(s.head.spaces) < 2 && len(s.base.spaces) < 2 {
		return
	}
	before := map[string]map[nameIn]string{} // by the body's owner, the keys that its names meant
	for _, b := range s.base.bodies() {
		owner := ownerOf(b, b.key)
		if before[owner] == nil {
			before[owner] = map[nameIn]string{}
		}
		for _, u := range b.uses(s.base.relations(b.in)) {
			if u.Relation != "" && u.Column == "" {
				before[owner][nameIn{u.Schema, u.Relation}] = s.base.resolve(b.in, u.Schema, u.Relation)
			}
		}
	}
	kept := map[string]bool{}
	for _, b := range s.renamed.bodies() {
		kept[bodyText(b)] = true
	}
	for _, b := range s.head.bodies() {
		if !kept[bodyText(b)] {
			continue // it is written for what is there now
		}
		from := b.key
		if b.kind != "view" && b.kind != "assertion" && b.kind != "index" {
			from = s.former(b.key)
		}
		for _, u := range b.uses(s.head.relations(b.in)) {
			if u.Relation == "" || u.Column != "" {
				continue
			}
			was, is := before[ownerOf(b, from)][nameIn{u.Schema, u.Relation}], s.head.resolve(b.in, u.Schema, u.Relation)
			if was != "" && is != "" && s.former(is) != was {
				s.fail(s.place(u, b), "%s stays as it is and reads %s, which is %s at the base and %s after this change; write the schema before it", b.kind+" "+b.name, u.Relation, s.shown(s.base, was), s.shown(s.head, is))
			}
		}
	}
}

// ownerOf tells bodies of one key apart whose names do not follow each other: an index can have the name of a table.
func ownerOf(b *body, key string) string {
	switch b.kind {
	case "index", "assertion":
		return b.kind + " " + key
	}
	return "relation " + key
}

// bodyText is the same for a body that stays as it is.
func bodyText(b *body) string {
	if b.query != nil {
		return b.kind + " " + b.key + " " + b.query.String()
	}
	return b.kind + " " + b.key + " " + b.expr.String()
}

// shown names a relation with its schema.
func (s *staleness) shown(c *catalog, key string) string {
	if t := c.tables[key]; t != nil {
		return syntax.Quote(t.in.name) + "." + syntax.Quote(t.Name.Text)
	}
	if v := c.views[key]; v != nil {
		return syntax.Quote(v.in.name) + "." + syntax.Quote(v.Name.Text)
	}
	return key
}

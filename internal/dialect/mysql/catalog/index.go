package catalog

import (
	"slices"
	"strings"
)

// createIndex runs CREATE INDEX.
func (r *reader) createIndex() error {
	at := r.here()
	r.want("create")
	replace := r.take("or", "replace")
	_ = r.take("online") || r.take("offline")
	k := &Key{Kind: Plain, Pos: r.pos(at.off), Given: true}
	switch {
	case r.take("unique"):
		k.Kind = Unique
	case r.take("fulltext"):
		k.Kind = Fulltext
	case r.take("spatial"):
		k.Kind = Spatial
	case r.take("vector"):
		k.option("VECTOR", "YES")
	}
	r.want("index")
	absent := r.take("if", "not", "exists")
	k.Name = r.ident()
	r.using(k)
	r.want("on")
	tableAt := r.here()
	name := r.name()
	parts := r.here().off
	r.wait()
	r.keyParts(k)
	r.keyOptions(k)
	rest := r.since(parts)
	for r.take("algorithm") || r.take("lock") {
		r.take("=")
		r.word()
	}
	r.keyOptions(k)
	r.wait()
	r.end()
	if r.err != nil {
		return r.err
	}
	k.Text = map[KeyKind]string{Plain: "KEY ", Unique: "UNIQUE KEY ", Fulltext: "FULLTEXT KEY ", Spatial: "SPATIAL KEY "}[k.Kind] + Quote(k.Name) + " " + rest
	old := r.c.Tables[name.Key()]
	if old == nil {
		return r.missing(tableAt, "the index %s is on table %s, which is not there; declare it first", k.Name, name)
	}
	if old.Key(k.Name) != nil && absent {
		r.idlePart("index", old, k.Name, otherKey(old.Key(k.Name), k))
		return nil
	}
	t := old.clone()
	if replace {
		t.Keys = slices.DeleteFunc(t.Keys, func(o *Key) bool { return strings.EqualFold(o.Name, k.Name) })
	}
	r.addKey(t, k)
	r.settleTable(t)
	if r.err == nil {
		r.c.Tables[name.Key()] = t
	}
	return r.err
}

// dropIndex runs DROP INDEX.
func (r *reader) dropIndex() error {
	at := r.here()
	r.want("drop")
	_ = r.take("online")
	r.want("index")
	quiet := r.take("if", "exists")
	keyAt := r.here()
	key := r.ident()
	r.want("on")
	tableAt := r.here()
	name := r.name()
	r.wait()
	for r.take("algorithm") || r.take("lock") {
		r.take("=")
		r.word()
	}
	r.end()
	if r.err != nil {
		return r.err
	}
	old := r.c.Tables[name.Key()]
	if old == nil {
		return r.missing(tableAt, "the index %s is on table %s, which is not there", key, name)
	}
	if old.Key(key) == nil {
		if quiet {
			r.idle(keyAt, true, "table "+name.String()+" has no index "+key)
			return nil
		}
		return r.missing(keyAt, "table %s has no key %s to drop", name, key)
	}
	t := old.clone()
	t.Keys = slices.DeleteFunc(t.Keys, func(k *Key) bool { return strings.EqualFold(k.Name, key) })
	r.settleTable(t)
	if r.err == nil {
		r.keysNeeded(at, t, nil)
	}
	if r.err == nil {
		r.c.Tables[name.Key()] = t
	}
	return r.err
}

// Check finds a check by its name; those of MariaDB's columns have none.
func (t *Table) Check(name string) *Check {
	for _, k := range t.Checks {
		if k.Name != "" && strings.EqualFold(k.Name, name) {
			return k
		}
	}
	return nil
}

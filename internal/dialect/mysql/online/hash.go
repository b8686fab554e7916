package online

import (
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/dialect/mysql/catalog"
)

// maxKeyBytes is the longest key of InnoDB, of one column and of all of them.
const maxKeyBytes = 3072

// hashed tells whether a unique key is one that MariaDB keeps by a hash of its values, in a hidden virtual column: a key of values that
// are too long for an index, and one that says so. Columns are as find gives them.
func (a Alter) hashed(k *catalog.Key, find func(string) *catalog.Column) bool {
	if !a.Server.MariaDB || k.Kind != catalog.Unique {
		return false
	}
	if strings.EqualFold(k.Using, "HASH") {
		return !strings.EqualFold(a.table().Engine, "MEMORY") // where every index can be one
	}
	total := 0
	for _, p := range k.Parts {
		n := partBytes(p, find(p.Column))
		if total += n; n > maxKeyBytes {
			return true
		}
	}
	return total > maxKeyBytes
}

// partBytes is how long a column is in a key. What has no length of its own is longer than any key.
func partBytes(p catalog.KeyPart, c *catalog.Column) int {
	switch {
	case c == nil:
		return 0
	case geometry(c.Type.Base):
		return maxKeyBytes + 1
	case p.Prefix > 0:
		return p.Prefix * charBytes(c.Type.Charset)
	case longBytes[c.Type.Base] > 0, c.Type.Base == "json":
		return maxKeyBytes + 1
	case c.Type.Charset != "" && c.Type.Length > 0, strings.HasSuffix(c.Type.Base, "binary"):
		return maxBytes(c.Type)
	case c.Type.Base == "decimal":
		return 32
	}
	return 16
}

// besideHash is of a table with a hashed key, and of one that gets such: to the server each change of the table gives or takes the hidden
// column, "INPLACE ADD or DROP of virtual columns cannot be combined with other ALTER TABLE actions", error 1846.
func (a Alter) besideHash(act Action) (fact, bool) {
	const why = "a unique key of long values is kept by their hash, in a hidden column "
	is := func(k *catalog.Key) bool { return a.hashed(k, a.column) }
	switch act := act.(type) {
	case RenameTable, ChangePartitions:
		return fact{}, false
	case AddKey:
		if is(act.Key) {
			return copied(why + "that is added by a copy"), true
		}
	case ModifyColumn:
		after := func(name string) *catalog.Column {
			if strings.EqualFold(name, act.From.Name) {
				return act.To
			}
			return a.column(name)
		}
		if slices.ContainsFunc(a.keysOf(act.From.Name), func(k *catalog.Key) bool { return a.hashed(k, after) }) {
			return copied(why + "that is added by a copy"), true
		}
	}
	there := slices.ContainsFunc(a.table().Keys, is)
	if !there {
		return fact{}, false
	}
	if !slices.ContainsFunc(a.table().Keys, func(k *catalog.Key) bool { return is(k) && !a.drops(k) }) {
		switch act.(type) {
		case AddKey, DropKey:
			return fact{}, false
		}
	}
	return copied(why + "beside which nothing is changed in place"), true
}

// outgrown tells whether a column becomes longer than an index takes, which then holds the beginnings of its values.
func (a Alter) outgrown(m ModifyColumn) bool {
	return slices.ContainsFunc(a.keysOf(m.From.Name), func(k *catalog.Key) bool {
		return slices.ContainsFunc(k.Parts, func(p catalog.KeyPart) bool {
			return strings.EqualFold(p.Column, m.From.Name) && k.Kind != catalog.Fulltext && partBytes(p, m.From) <= maxKeyBytes && partBytes(p, m.To) > maxKeyBytes
		})
	})
}

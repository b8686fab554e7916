package online

import (
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/dialect/mysql/catalog"
)

// table gives the table before the statement, which is never nil.
func (a Alter) table() *catalog.Table {
	if a.Table == nil {
		return &catalog.Table{}
	}
	return a.Table
}

func (a Alter) compressed() bool  { return a.table().RowFormat == "COMPRESSED" }
func (a Alter) partitioned() bool { return a.table().Partitions != nil }

// has tells whether the table has a key of a kind before the statement.
func (a Alter) has(kind catalog.KeyKind) bool {
	return slices.ContainsFunc(a.table().Keys, func(k *catalog.Key) bool { return k.Kind == kind })
}

// survives tells whether a key of a kind is there before the statement and after it.
func (a Alter) survives(kind catalog.KeyKind) bool {
	return slices.ContainsFunc(a.table().Keys, func(k *catalog.Key) bool { return k.Kind == kind && !a.drops(k) })
}

// drops tells whether the statement drops a key, by itself or with the last of its columns.
func (a Alter) drops(k *catalog.Key) bool {
	gone := 0
	for _, act := range a.Actions {
		switch act := act.(type) {
		case DropKey:
			if act.Key == k || strings.EqualFold(act.Key.Name, k.Name) {
				return true
			}
		case DropColumn:
			if in(k, act.Column.Name) {
				gone++
			}
		}
	}
	return gone > 0 && gone == len(k.Parts)
}

// in tells whether a key names a column.
func in(k *catalog.Key, column string) bool {
	return slices.ContainsFunc(k.Parts, func(p catalog.KeyPart) bool {
		return strings.EqualFold(p.Column, column) || p.Expr != nil && slices.ContainsFunc(p.Expr.Columns, func(c string) bool { return strings.EqualFold(c, column) })
	})
}

// keysOf gives the keys that a column is in.
func (a Alter) keysOf(column string) []*catalog.Key {
	var keys []*catalog.Key
	for _, k := range a.table().Keys {
		if in(k, column) {
			keys = append(keys, k)
		}
	}
	return keys
}

// clustered is the key by which InnoDB stores the rows: the primary one, or the first unique one without a column that can be NULL; nil
// where it makes one up.
func (a Alter) clustered() *catalog.Key {
	for _, k := range a.table().Keys {
		if k.Kind == catalog.Primary {
			return k
		}
	}
	for _, k := range a.table().Keys {
		if a.couldCluster(k) {
			return k
		}
	}
	return nil
}

// couldCluster tells whether a unique key would be taken for the primary one, if there were none.
func (a Alter) couldCluster(k *catalog.Key) bool {
	if k.Kind != catalog.Unique {
		return false
	}
	for _, p := range k.Parts {
		c := a.column(p.Column)
		if p.Prefix > 0 || p.Expr != nil || c == nil || !c.NotNull {
			return false
		}
	}
	return true
}

// there tells whether a column is there before the statement.
func (a Alter) there(name string) bool {
	return slices.ContainsFunc(a.table().Columns, func(c *catalog.Column) bool { return strings.EqualFold(c.Name, name) })
}

// column finds a column before the statement, or one that it adds.
func (a Alter) column(name string) *catalog.Column {
	for _, c := range a.table().Columns {
		if strings.EqualFold(c.Name, name) {
			return c
		}
	}
	for _, act := range a.Actions {
		if add, ok := act.(AddColumn); ok && strings.EqualFold(add.Column.Name, name) {
			return add.Column
		}
	}
	return nil
}

func virtual(c *catalog.Column) bool { return c != nil && c.Generated != nil && !c.Generated.Stored }
func stored(c *catalog.Column) bool  { return c != nil && c.Generated != nil && c.Generated.Stored }

// indexedVirtual tells whether a virtual column is in a key that stays.
func (a Alter) indexedVirtual() bool {
	for _, k := range a.table().Keys {
		for _, p := range k.Parts {
			if (p.Expr != nil || virtual(a.column(p.Column))) && !a.drops(k) {
				return true
			}
		}
	}
	return false
}

func functional(k *catalog.Key) bool {
	return slices.ContainsFunc(k.Parts, func(p catalog.KeyPart) bool { return p.Expr != nil })
}

// hasAction tells whether one of the actions is such.
func (a Alter) hasAction(is func(Action) bool) bool { return slices.ContainsFunc(a.Actions, is) }

// givesPrimary tells whether the statement makes a primary key.
func givesPrimary(act Action) bool {
	switch act.(type) {
	case AddPrimaryKey, ReplacePrimaryKey:
		return true
	}
	return false
}

package catalog

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/altergate/altergate/internal/schema"
)

// readForeignKey reads a foreign key from its words on.
func (r *reader) readForeignKey(at token, symbol string) *ForeignKey {
	f := &ForeignKey{Name: symbol, Given: symbol != "", Pos: r.pos(at.off)}
	r.want("foreign", "key")
	if r.take("if", "not", "exists") {
		f.absent = true
	}
	if r.isName() {
		f.Index = r.ident()
	}
	r.want("(")
	f.Columns = r.names()
	r.references(f)
	f.Text = r.since(at.off)
	if !f.Given && f.Index != "" && r.c.Server.MariaDB {
		// MariaDB takes the key's name for the constraint's.
		f.Name, f.Given = f.Index, true
	}
	return f
}

// names reads names up to a closing parenthesis.
func (r *reader) names() []string {
	var list []string
	for r.err == nil {
		list = append(list, r.ident())
		if r.take("(") { // a length, which a foreign key cannot have
			r.failSyntax("`,` or `)`")
		}
		_ = r.take("asc") || r.take("desc")
		if !r.take(",") {
			break
		}
	}
	r.want(")")
	return list
}

// references reads REFERENCES … with what follows.
func (r *reader) references(f *ForeignKey) {
	r.take("references")
	f.Ref = r.name()
	if r.take("(") {
		f.RefColumns = r.names()
	}
	for r.err == nil {
		switch {
		case r.take("match"):
			if r.takeAny("full", "partial", "simple") == "" {
				r.failSyntax("FULL, PARTIAL or SIMPLE")
			}
		case r.take("on", "delete"):
			f.OnDelete = r.action()
		case r.take("on", "update"):
			f.OnUpdate = r.action()
		default:
			return
		}
	}
}

// action reads what a foreign key does. RESTRICT and NO ACTION are one and the same in InnoDB ("FOREIGN KEY Constraints", MySQL's manual).
func (r *reader) action() string {
	at := r.here()
	switch {
	case r.take("restrict"), r.take("no", "action"):
		return ""
	case r.take("cascade"):
		return "cascade"
	case r.take("set", "null"):
		return "set null"
	case r.take("set", "default"):
		if !r.c.Server.MariaDB {
			r.fail(at, schema.KindSchema, "InnoDB refuses SET DEFAULT of a foreign key; use SET NULL or CASCADE")
		}
		return ""
	}
	r.failSyntax("RESTRICT, CASCADE, SET NULL or NO ACTION")
	return ""
}

// addForeignKey names a foreign key and puts it into the table, with the key that it needs.
func (r *reader) addForeignKey(t *Table, f *ForeignKey, number *int, served bool) {
	refuse := func(format string, args ...any) {
		r.keep(&schema.Error{Pos: f.Pos, Path: r.path, Kind: schema.KindSchema, Text: fmt.Sprintf(format, args...)})
	}
	for _, c := range f.Columns {
		if t.Column(c) == nil {
			refuse("the foreign key %s names column %s, which table %s does not have", f.describe(), c, t.Name)
			return
		}
	}
	if len(f.RefColumns) == 0 && len(f.Columns) > 0 && f.RefColumns == nil {
		if !r.c.reads.Maria(10, 5, 0) && !r.c.reads.MySQL(9, 0, 0) {
			refuse("the foreign key %s does not say which columns of %s it means; name them", f.describe(), f.Ref)
			return
		}
	}
	if len(f.RefColumns) > 0 && len(f.RefColumns) != len(f.Columns) {
		refuse("the foreign key %s has %d columns and references %d; name as many", f.describe(), len(f.Columns), len(f.RefColumns))
		return
	}
	implied := &Key{Kind: Plain, Implied: true, Name: f.Name, Pos: f.Pos, Text: "KEY (" + quoteAll(f.Columns) + ")"}
	if !f.Given && f.Index != "" {
		implied.Name = f.Index
	}
	for _, c := range f.Columns {
		implied.Parts = append(implied.Parts, KeyPart{Column: t.Column(c).Name})
	}
	if !strings.EqualFold(t.Engine, "innodb") && !strings.EqualFold(t.Engine, "ndb") && !strings.EqualFold(t.Engine, "ndbcluster") {
		r.c.notice(f.Pos, r.path, "%s has no foreign keys; this one of table %s is parsed and left out", t.Engine, t.Name)
	} else {
		if f.Name == "" {
			*number++
			f.Name = r.c.foreignKeyName(t, *number)
		}
		if t.ForeignKey(f.Name) != nil {
			refuse("table %s has a foreign key %s already; give one of them another name", t.Name, f.Name)
			return
		}
		t.ForeignKeys = append(t.ForeignKeys, f)
	}
	if served {
		return
	}
	if implied.Name != "" && t.Key(implied.Name) != nil {
		implied.Name = ""
	}
	if implied.Name == "" {
		implied.Name = keyName(t, implied)
	}
	if problem := nameProblem("key", implied.Name); problem != "" {
		refuse("the foreign key %s brings a key of its name along, and that %s, which %s refuses; give it another", f.describe(), problem, r.c.Server.Name())
		return
	}
	t.Keys = append(t.Keys, implied)
}

// servedKeys tells which of the foreign keys among the items bring no key along, since another key serves: one that is written, or one that
// another foreign key brings, longer or later. Keys that were brought along before and are served now go.
func (r *reader) servedKeys(t *Table, items []any) map[*ForeignKey]bool {
	type brought struct {
		of  *ForeignKey // nil: it was there before
		key *Key
	}
	written, all := []*Key{}, []brought{}
	for _, k := range t.Keys {
		if k.Implied {
			all = append(all, brought{nil, k})
		} else {
			written = append(written, k)
		}
	}
	for _, item := range items {
		switch x := item.(type) {
		case *Key:
			r.treeUsing(t, x)
			for i := range x.Parts { // whether it becomes a hash, which serves no foreign key
				if c, p := t.Column(x.Parts[i].Column), x.Parts[i]; c != nil && x.Kind == Unique {
					r.cutPrefix(t, x, &p, c)
				}
			}
			written = append(written, x)
		case *ForeignKey:
			k := &Key{Kind: Plain, Implied: true}
			for _, c := range x.Columns {
				k.Parts = append(k.Parts, KeyPart{Column: c})
			}
			all = append(all, brought{x, k})
		}
	}
	served := map[*ForeignKey]bool{}
	for i, b := range all {
		columns := b.key.columnNames()
		gone := slices.ContainsFunc(written, func(k *Key) bool { return k.serves(columns) })
		for j, o := range all {
			gone = gone || i != j && o.key.serves(columns) && (len(o.key.Parts) > len(columns) || j > i)
		}
		switch {
		case gone && b.of != nil:
			served[b.of] = true
		case gone:
			t.Keys = slices.DeleteFunc(t.Keys, func(k *Key) bool { return k == b.key })
		}
	}
	return served
}

func quoteAll(names []string) string {
	var list []string
	for _, n := range names {
		list = append(list, Quote(n))
	}
	return strings.Join(list, ", ")
}

// foreignKeyName makes the name of a foreign key that has none.
func (c *Catalog) foreignKeyName(t *Table, number int) string {
	if c.reads.Maria(12, 1, 0) {
		return strconv.Itoa(number)
	}
	return fmt.Sprintf("%s_ibfk_%d", t.Name.Name, number)
}

// highestForeignKey gives the highest number among the names that the server makes for foreign keys.
func (c *Catalog) highestForeignKey(t *Table) int {
	highest := 0
	for _, f := range t.ForeignKeys {
		text := f.Name
		if !c.reads.Maria(12, 1, 0) {
			rest, ok := strings.CutPrefix(text, t.Name.Name+"_ibfk_")
			if !ok {
				continue
			}
			text = rest
		}
		if n, err := strconv.Atoi(text); err == nil && n > highest {
			highest = n
		}
	}
	return highest
}

// ForeignKey finds a foreign key by its name.
func (t *Table) ForeignKey(name string) *ForeignKey {
	for _, f := range t.ForeignKeys {
		if strings.EqualFold(f.Name, name) {
			return f
		}
	}
	return nil
}

// referencing are the keys of the tables that have a foreign key to one.
func (c *Catalog) referencing(name Name) []string {
	var keys []string
	for key, t := range c.Tables {
		if slices.ContainsFunc(t.ForeignKeys, func(f *ForeignKey) bool { return f.Ref == name }) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

func (f *ForeignKey) describe() string {
	if f.Name != "" {
		return f.Name
	}
	return "(" + strings.Join(f.Columns, ", ") + ")"
}

// checkForeignKeys holds the foreign keys of a table to the tables that they reference, as they are now.
func (c *Catalog) checkForeignKeys(t *Table) []error {
	var errs []error
	for i, f := range t.ForeignKeys {
		if f.unchecked {
			continue
		}
		if pk := c.primaryOf(f); len(f.RefColumns) == 0 && pk != nil {
			t = t.clone()
			c.Tables[t.Name.Key()] = t
			f = t.ForeignKeys[i]
			f.RefColumns = pk.columnNames()
		}
		if text := c.checkForeignKey(t, f); text != "" {
			errs = append(errs, &schema.Error{Pos: f.Pos, Kind: schema.KindSchema, Text: text})
		}
	}
	return errs
}

// primaryOf is the primary key that a foreign key means which names no columns; nil = there is none of as many columns.
func (c *Catalog) primaryOf(f *ForeignKey) *Key {
	if ref := c.Tables[f.Ref.Key()]; ref != nil {
		if pk := ref.Key("PRIMARY"); pk != nil && len(pk.Parts) == len(f.Columns) {
			return pk
		}
	}
	return nil
}

func (c *Catalog) checkForeignKey(t *Table, f *ForeignKey) string {
	ref := c.Tables[f.Ref.Key()]
	if ref == nil {
		return fmt.Sprintf("the foreign key %s of table %s references table %s, which is not there; declare it, or take the foreign key away", f.Name, t.Name, f.Ref)
	}
	if len(f.RefColumns) == 0 {
		return fmt.Sprintf("the foreign key %s of table %s names no columns of %s, whose primary key has not as many; name them", f.Name, t.Name, f.Ref)
	}
	for i, name := range f.Columns {
		mine, theirs := t.Column(name), ref.Column(f.RefColumns[i])
		switch {
		case mine == nil:
			return fmt.Sprintf("the foreign key %s of table %s names column %s, which the table does not have", f.Name, t.Name, name)
		case theirs == nil:
			return fmt.Sprintf("the foreign key %s of table %s references column %s of %s, which is not there", f.Name, t.Name, f.RefColumns[i], f.Ref)
		case !comparable(mine.Type, theirs.Type):
			return fmt.Sprintf("the foreign key %s of table %s references %s.%s, which is %s, from %s, which is %s; make the types the same", f.Name, t.Name, f.Ref, theirs.Name, theirs.Type.full(), mine.Name, mine.Type.full())
		case mine.Generated != nil && (f.OnDelete == "set null" || f.OnUpdate == "set null" || f.OnUpdate == "cascade"):
			return fmt.Sprintf("the foreign key %s of table %s would write to column %s, which is generated; use RESTRICT", f.Name, t.Name, mine.Name)
		case mine.NotNull && (f.OnDelete == "set null" || f.OnUpdate == "set null"):
			return fmt.Sprintf("the foreign key %s of table %s says SET NULL of column %s, which is NOT NULL; change one of them", f.Name, t.Name, mine.Name)
		}
	}
	if !slices.ContainsFunc(ref.Keys, func(k *Key) bool { return k.serves(f.RefColumns) }) {
		return fmt.Sprintf("the foreign key %s of table %s references (%s) of %s, where no key begins with these columns; add a unique key", f.Name, t.Name, strings.Join(f.RefColumns, ", "), f.Ref)
	}
	return ""
}

// comparable tells whether InnoDB lets a foreign key go from one type to the other: integers of one size and sign, one precision of decimals,
// texts of one character set and collation, of any length ("FOREIGN KEY Constraints", MySQL's manual).
func comparable(a, b Type) bool {
	if isText(a.Base) && isText(b.Base) {
		same := a.Base == b.Base || kin(a.Base) == kin(b.Base)
		return same && a.Charset == b.Charset && a.Collation == b.Collation
	}
	if a.Binary() && b.Binary() {
		return true
	}
	return a.Base == b.Base && a.Unsigned == b.Unsigned && (a.Base != "bit" || a.Length == b.Length)
}

func kin(base string) string {
	if base == "varchar" {
		return "char"
	}
	return base
}

// full writes a type with its character set.
func (t Type) full() string {
	s := t.String()
	if t.Charset != "" {
		s += " character set " + t.Charset + " collate " + t.Collation
	}
	return s
}

package catalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/schema"
)

// readKey reads a key of a CREATE or ALTER TABLE, from its first word on; at is where the clause begins. nil = none comes.
func (r *reader) readKey(at token, symbol string) *Key {
	k := &Key{Pos: r.pos(at.off)}
	switch {
	case r.take("primary", "key"):
		k.Kind = Primary
	case r.take("unique"):
		k.Kind = Unique
		_ = r.take("key") || r.take("index")
	case r.take("fulltext"):
		k.Kind = Fulltext
		_ = r.take("key") || r.take("index")
	case r.take("spatial"):
		k.Kind = Spatial
		_ = r.take("key") || r.take("index")
	case r.take("key"), r.take("index"):
		k.Kind = Plain
	case r.take("vector"):
		k.Kind = Plain
		k.option("VECTOR", "YES")
		_ = r.take("key") || r.take("index")
	default:
		return nil
	}
	if r.take("if", "not", "exists") {
		k.option("IF NOT EXISTS", "")
	}
	if r.isName() && !r.is("using") && !r.is("type") {
		k.Name = r.ident()
	} else if symbol != "" {
		k.Name = symbol
	}
	k.Given = k.Name != ""
	if k.Kind == Primary {
		k.Name, k.Given = "PRIMARY", false
	}
	r.using(k)
	r.keyParts(k)
	r.keyOptions(k)
	k.Text = r.since(at.off)
	return k
}

func (k *Key) option(name, value string) {
	if k.Options == nil {
		k.Options = map[string]string{}
	}
	k.Options[name] = value
}

func (r *reader) using(k *Key) {
	if r.take("using") || r.take("type") {
		k.Using = strings.ToUpper(r.word())
		if k.Using == "RTREE" {
			k.Using = ""
		}
	}
}

// keyParts reads the columns and expressions of a key.
func (r *reader) keyParts(k *Key) {
	r.want("(")
	for r.err == nil {
		var p KeyPart
		if r.take("(") {
			p.Expr = r.expression()
		} else {
			p.Column = r.ident()
			if r.take("(") {
				p.Prefix = r.small()
				r.want(")")
			}
		}
		if r.takeAny("asc", "desc") != "" {
			// MySQL before 8.0 and MariaDB before 10.8 parse DESC and ignore it ("CREATE INDEX Statement" of MySQL 5.7's manual; "Descending
			// indexes" of MariaDB's).
			p.Desc = strings.EqualFold(r.list[r.i-1].text, "desc") && (r.c.reads.MySQL(8, 0, 0) || r.c.reads.Maria(10, 8, 0))
		}
		k.Parts = append(k.Parts, p)
		if !r.take(",") {
			break
		}
	}
	r.want(")")
}

// keyOptions reads what may follow a key's columns.
func (r *reader) keyOptions(k *Key) {
	for r.err == nil {
		switch {
		case r.is("using"), r.is("type"):
			r.using(k)
		case r.take("comment"):
			r.take("=")
			k.Comment = r.text()
		case r.take("key_block_size"):
			r.take("=")
			k.BlockSize = int(r.number())
		case r.take("with", "parser"):
			k.Parser = strings.ToLower(r.ident())
		case r.take("invisible"), r.take("ignored"):
			k.Invisible = true
		case r.take("visible"), r.take("not", "ignored"):
			k.Invisible = false
		case r.is("engine_attribute"), r.is("secondary_engine_attribute"), r.is("clustering"):
			name := strings.ToUpper(r.next().text)
			r.take("=")
			if value := r.optionValue(name); value != "" {
				k.option(name, value)
			}
		case r.c.Server.MariaDB && r.isName() && r.peek(1).kind == tokenOp && r.peek(1).text == "=":
			name := strings.ToUpper(r.ident())
			r.next()
			if value := r.optionValue(name); value != "" {
				k.option(name, value)
			}
		default:
			return
		}
	}
}

// keyKey is what two names of one key have in common.
func keyKey(name string) string { return strings.ToLower(name) }

// Key finds a key by its name.
func (t *Table) Key(name string) *Key {
	for _, k := range t.Keys {
		if strings.EqualFold(k.Name, name) {
			return k
		}
	}
	return nil
}

// Column finds a column by its name.
func (t *Table) Column(name string) *Column {
	for _, c := range t.Columns {
		if strings.EqualFold(c.Name, name) {
			return c
		}
	}
	return nil
}

// addKey holds a key to what the server asks of it, names it, and puts it into the table.
func (r *reader) addKey(t *Table, k *Key) {
	refuse := func(kind schema.ErrorKind, format string, args ...any) {
		if r.err == nil {
			r.err = &schema.Error{Pos: k.Pos, Path: r.path, Kind: kind, Text: fmt.Sprintf(format, args...)}
		}
	}
	if problem := nameProblem("key", k.Name); k.Given && problem != "" {
		refuse(schema.KindSchema, "the name %q of a key %s, which %s refuses; give it another", k.Name, problem, r.c.Server.Name())
		return
	}
	if k.Kind == Primary {
		k.Name = "PRIMARY"
		if t.Key("PRIMARY") != nil {
			refuse(schema.KindSchema, "table %s has a primary key already; it can have one", t.Name)
			return
		}
	}
	seen := map[string]bool{}
	for i := range k.Parts {
		p := &k.Parts[i]
		if p.Expr != nil {
			if !r.c.reads.MySQL(8, 0, 13) {
				refuse(schema.KindSchema, "%s has no keys on expressions; they came with MySQL 8.0.13. Use a generated column", r.c.Server)
			}
			continue
		}
		c := t.Column(p.Column)
		if c == nil {
			refuse(schema.KindSchema, "the key %s names column %s, which table %s does not have", k.describe(), p.Column, t.Name)
			return
		}
		if seen[columnKey(p.Column)] {
			refuse(schema.KindSchema, "the key %s names column %s twice", k.describe(), p.Column)
		}
		seen[columnKey(p.Column)] = true
		if k.Kind == Primary {
			r.primaryColumn(t, c, k)
		}
		r.settlePart(t, k, p, c)
	}
	r.treeUsing(t, k)
	if k.Name == "" {
		k.Name = keyName(t, k)
	} else if t.Key(k.Name) != nil && k.Kind != Primary {
		refuse(schema.KindSchema, "table %s has a key %s already; give one of them another name", t.Name, k.Name)
		return
	} else if strings.EqualFold(k.Name, "PRIMARY") && k.Kind != Primary {
		refuse(schema.KindSchema, "a key cannot have the name PRIMARY; give it another")
		return
	}
	delete(k.Options, "IF NOT EXISTS")
	if len(k.Options) == 0 {
		k.Options = nil
	}
	if k.Kind == Primary {
		t.Keys = append([]*Key{k}, t.Keys...)
	} else {
		t.Keys = append(t.Keys, k)
	}
}

// treeUsing makes a B-tree of a hash key where MySQL's InnoDB does, which has no other ("CREATE INDEX Statement", MySQL's manual). MariaDB makes a
// hash of a unique key.
func (r *reader) treeUsing(t *Table, k *Key) {
	if k.Using == "HASH" && strings.EqualFold(t.Engine, "innodb") && !r.c.Server.MariaDB {
		k.Using = "BTREE"
	}
}

// primaryColumn makes a column of a primary key NOT NULL, and its default accordingly.
func (r *reader) primaryColumn(t *Table, c *Column, k *Key) {
	if c.Generated != nil && (r.c.Server.MariaDB || !c.Generated.Stored) {
		r.keep(&schema.Error{Pos: k.Pos, Path: r.path, Kind: schema.KindSchema, Text: fmt.Sprintf("the primary key of table %s names the generated column %s, which is not possible", t.Name, c.Name)})
		return
	}
	if c.Default != nil && c.Default.Null {
		if !c.Default.Implied && !r.c.Server.MariaDB {
			r.err = &schema.Error{Pos: k.Pos, Path: r.path, Kind: schema.KindSchema, Text: fmt.Sprintf("column %s of table %s has DEFAULT NULL and is in the primary key; take the default away", c.Name, t.Name)}
			return
		}
		c.Default = nil
	}
	c.NotNull = true
}

// settlePart works out a prefix: one as long as the column is none, and MariaDB picks one where the column is too long.
func (r *reader) settlePart(t *Table, k *Key, p *KeyPart, c *Column) {
	if k.Kind == Fulltext || k.Kind == Spatial || k.Options["VECTOR"] != "" {
		p.Prefix = 0
		return
	}
	text, long := isText(c.Type.Base) && c.Type.Members == nil, isLong(c.Type.Base)
	bytes := long || text || c.Type.Binary()
	switch {
	case p.Prefix > 0 && !bytes, p.Prefix > 0 && c.Type.Length >= 0 && p.Prefix > c.Type.Length:
		r.fail(r.here(), schema.KindSchema, "the key %s takes %d characters of column %s, which is %s; leave the length away", k.describe(), p.Prefix, p.Column, c.Type)
		return
	case p.Prefix > 0 && p.Prefix == c.Type.Length:
		p.Prefix = 0
	case p.Prefix == 0 && (long || c.Type.Base == "json" || isSpatial(c.Type.Base)) && !(r.c.Server.MariaDB && long && k.Kind != Primary):
		r.fail(r.here(), schema.KindSchema, "the key %s names column %s, which is %s, without a length; write %s(20), say", k.describe(), p.Column, c.Type, p.Column)
		return
	}
	r.cutPrefix(t, k, p, c)
}

// cutPrefix does what MariaDB does with what is longer than a key can be: a plain key takes as much as it can, a unique one becomes a hash.
func (r *reader) cutPrefix(t *Table, k *Key, p *KeyPart, c *Column) {
	if !r.c.Server.MariaDB || !strings.EqualFold(t.Engine, "innodb") {
		return
	}
	most := 3072
	if t.RowFormat == "COMPACT" || t.RowFormat == "REDUNDANT" {
		most = 767
	}
	wide := max(1, charsets[c.Type.Charset].most)
	length := p.Prefix
	if length == 0 {
		length = c.Type.Length
		if isLong(c.Type.Base) {
			length = most/wide + 1
		}
	}
	if !(isText(c.Type.Base) && c.Type.Members == nil) && !c.Type.Binary() || length*wide <= most {
		return
	}
	switch k.Kind {
	case Plain:
		p.Prefix = most / wide
	case Unique:
		k.Using, k.hashed = "HASH", true
	}
}

func isLong(base string) bool {
	return strings.HasSuffix(base, "text") || strings.HasSuffix(base, "blob")
}

// describe names a key for people.
func (k *Key) describe() string {
	if k.Name != "" {
		return k.Name
	}
	return k.columns()
}

// columns writes a key's parts.
func (k *Key) columns() string {
	var list []string
	for _, p := range k.Parts {
		if p.Expr != nil {
			list = append(list, "("+p.Expr.Text+")")
			continue
		}
		list = append(list, p.Column)
	}
	return "(" + strings.Join(list, ", ") + ")"
}

// keyName makes the name of a key that has none: its first column's, with a number from 2 on behind it where that is taken; a key on an
// expression is functional_index ("CREATE INDEX Statement", MySQL's manual).
func keyName(t *Table, k *Key) string {
	base := "functional_index"
	if k.Parts[0].Expr == nil {
		base = t.Column(k.Parts[0].Column).Name
		if !strings.EqualFold(base, "PRIMARY") && t.Key(base) == nil {
			return base
		}
	} else if t.Key(base) == nil {
		return base
	}
	for n := 2; ; n++ {
		if name := fmt.Sprintf("%s_%d", base, n); t.Key(name) == nil {
			return name
		}
	}
}

// serves tells whether a key begins with the columns, whole and in their order.
func (k *Key) serves(columns []string) bool {
	if k.Kind == Fulltext || k.Kind == Spatial || k.Kind == Unique && k.Using == "HASH" || len(k.Parts) < len(columns) || k.Options["VECTOR"] != "" {
		return false
	}
	for i, c := range columns {
		if p := k.Parts[i]; p.Expr != nil || p.Prefix > 0 || !strings.EqualFold(p.Column, c) {
			return false
		}
	}
	return true
}

func (k *Key) columnNames() []string {
	var list []string
	for _, p := range k.Parts {
		list = append(list, p.Column)
	}
	return list
}

// dropServed takes away the keys that were made for a foreign key and that another key serves as well, as every CREATE and ALTER TABLE does.
func (t *Table) dropServed() {
	for i := 0; i < len(t.Keys); i++ {
		k := t.Keys[i]
		if !k.Implied {
			continue
		}
		columns := k.columnNames()
		for j, other := range t.Keys {
			if j != i && other.serves(columns) && (!other.Implied || len(other.Parts) > len(k.Parts) || j > i) {
				t.Keys = slices.Delete(t.Keys, i, i+1)
				i--
				break
			}
		}
	}
}

// checkAuto refuses more than one AUTO_INCREMENT column, and one that no key begins with.
func (r *reader) checkAuto(t *Table) {
	var auto *Column
	for _, c := range t.Columns {
		if !c.AutoIncrement {
			continue
		}
		at := c.Pos
		if auto != nil {
			r.keep(&schema.Error{Pos: at, Path: r.path, Kind: schema.KindSchema, Text: fmt.Sprintf("table %s has two AUTO_INCREMENT columns, %s and %s; it can have one", t.Name, auto.Name, c.Name)})
			return
		}
		auto = c
		if !slices.ContainsFunc(t.Keys, func(k *Key) bool {
			return k.serves([]string{c.Name}) || !strings.EqualFold(t.Engine, "innodb") && slices.ContainsFunc(k.Parts, func(p KeyPart) bool { return strings.EqualFold(p.Column, c.Name) })
		}) {
			r.keep(&schema.Error{Pos: at, Path: r.path, Kind: schema.KindSchema, Text: fmt.Sprintf("column %s of table %s is AUTO_INCREMENT and no key begins with it; add PRIMARY KEY (%s), or a key", c.Name, t.Name, c.Name)})
			return
		}
	}
}

// keep notes an error that has its place.
func (r *reader) keep(err error) {
	if r.err == nil {
		r.err = err
	}
	r.i = len(r.list) - 1
}

// fixedBytes are the bytes that values of types take in a key, at least.
var fixedBytes = map[string]int{"tinyint": 1, "smallint": 2, "mediumint": 3, "int": 4, "bigint": 8, "float": 4, "double": 8, "date": 3, "time": 3, "datetime": 5, "timestamp": 4, "year": 1, "enum": 1, "set": 1}

// checkLength refuses a key that is certain to be longer than InnoDB's pages hold ("InnoDB Limits", MySQL's manual: 3072 bytes, or 767 with the
// row formats COMPACT and REDUNDANT for each column).
func (r *reader) checkLength(t *Table, k *Key) {
	if !strings.EqualFold(t.Engine, "innodb") || k.Kind == Fulltext || k.Kind == Spatial || k.Using == "HASH" && k.Kind == Unique {
		return
	}
	total, longest := 0, 0
	for _, p := range k.Parts {
		c := t.Column(p.Column)
		if p.Expr != nil || c == nil {
			continue
		}
		bytes := fixedBytes[c.Type.Base]
		if isText(c.Type.Base) && c.Type.Members == nil || c.Type.Binary() {
			length := p.Prefix
			if length == 0 {
				length = max(c.Type.Length, 0)
			}
			bytes = length * max(1, charsets[c.Type.Charset].most)
		}
		total, longest = total+bytes, max(longest, bytes)
	}
	if total > 3072 || longest > 767 && (t.RowFormat == "COMPACT" || t.RowFormat == "REDUNDANT") {
		r.keep(&schema.Error{Pos: k.Pos, Path: r.path, Kind: schema.KindSchema, Text: fmt.Sprintf("the key %s of table %s is %d bytes long, and 3072 are the most, or 767 of one column with ROW_FORMAT=COMPACT; name fewer columns, or give the long ones a length", k.describe(), t.Name, total)})
	}
}

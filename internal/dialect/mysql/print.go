package mysql

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/altergate/altergate/internal/dialect/mysql/catalog"
	"github.com/altergate/altergate/internal/dialect/mysql/script"
	"github.com/altergate/altergate/internal/dialect/mysql/server"
)

// quote writes a name in backticks. All names are: which words are reserved differs between versions and flavours.
func quote(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }

func quoteAll(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = quote(n)
	}
	return strings.Join(quoted, ", ")
}

// sqlName writes an object's name, with its database where it has one.
func sqlName(n catalog.Name) string {
	if n.Database == "" {
		return quote(n.Name)
	}
	return quote(n.Database) + "." + quote(n.Name)
}

// literal writes a string. A backslash is doubled, since plans run under a sql_mode without NO_BACKSLASH_ESCAPES.
func literal(s string) string { return "'" + escapes.Replace(s) + "'" }

// escapes is made once: making it takes longer than using it.
var escapes = strings.NewReplacer(`\`, `\\`, "'", "''", "\n", `\n`, "\r", `\r`, "\x00", `\0`)

// printer writes definitions for a server. Tables are those whose defaults a column may rely on while the plan runs: where all of them
// agree with the column, its character set goes without saying.
type printer struct {
	server  server.Server
	catalog *catalog.Catalog
	tables  []*catalog.Table
}

// typ writes a column's type with its character set; said tells that the author wrote one.
func (p printer) typ(t catalog.Type, said bool) string {
	var b strings.Builder
	b.WriteString(t.Base)
	switch {
	case len(t.Members) > 0:
		quoted := make([]string, len(t.Members))
		for i, m := range t.Members {
			quoted[i] = literal(m)
		}
		fmt.Fprintf(&b, "(%s)", strings.Join(quoted, ","))
	case t.Length >= 0 && t.Decimals >= 0:
		fmt.Fprintf(&b, "(%d,%d)", t.Length, t.Decimals)
	case t.Length >= 0:
		fmt.Fprintf(&b, "(%d)", t.Length)
	case t.Decimals > 0: // fractional seconds; none are the default
		fmt.Fprintf(&b, "(%d)", t.Decimals)
	}
	if t.Zerofill {
		b.WriteString(" unsigned zerofill")
	} else if t.Unsigned {
		b.WriteString(" unsigned")
	}
	if t.Charset != "" && t.Charset != "binary" && (said || !p.inherits(t)) {
		b.WriteString(" CHARACTER SET " + t.Charset)
		if t.Collation != "" && t.Collation != p.catalog.DefaultCollation(t.Charset) {
			b.WriteString(" COLLATE " + t.Collation)
		}
	}
	return b.String()
}

func (p printer) inherits(t catalog.Type) bool {
	return !slices.ContainsFunc(p.tables, func(table *catalog.Table) bool {
		return table.Charset != t.Charset || table.Collation != t.Collation
	})
}

// saysCharset tells whether a column's own text has a character set or a collation. What the table gives it then need not be what the
// author thinks, where the table has that from the server.
func saysCharset(c *catalog.Column) bool {
	words := script.Words(c.Text)
	return words["character"] || words["charset"] || words["collate"]
}

var displayWidth = regexp.MustCompile(`(?i)^\s*(?:` + "`[^`]*`" + `|[^\s` + "`" + `]+)\s+(?:tinyint|smallint|mediumint|int|integer|bigint)\s*\(\s*(\d+)\s*\)`)

// spelledWidth gives a column's type with the display width that its author wrote: it means nothing, and old servers print it.
func spelledWidth(c *catalog.Column) catalog.Type {
	t := c.Type
	if m := displayWidth.FindStringSubmatch(c.Text); m != nil && t.Length < 0 && strings.HasSuffix(t.Base, "int") {
		t.Length, _ = strconv.Atoi(m[1])
	}
	return t
}

// column writes a column's whole definition, so that nothing is lost by omission when it replaces another one.
func (p printer) column(c *catalog.Column, check *catalog.Check) string {
	var b strings.Builder
	if p.server.MariaDB && check.JSON() && c.Type.Base == "longtext" && c.Type.Collation == "utf8mb4_bin" {
		// With the words that it prints, MariaDB takes the column for one of another type, and copies the table to change its comment.
		check = nil
		b.WriteString(quote(c.Name) + " json")
	} else {
		b.WriteString(quote(c.Name) + " " + p.typ(spelledWidth(c), saysCharset(c)))
	}
	if c.SRID != "" && p.server.MariaDB { // which takes it of a type alone
		b.WriteString(" REF_SYSTEM_ID=" + c.SRID)
	}
	if g := c.Generated; g != nil {
		kind := "VIRTUAL"
		if g.Stored {
			kind = "STORED"
		}
		fmt.Fprintf(&b, " GENERATED ALWAYS AS (%s) %s", g.Expr.Text, kind)
	}
	if side := c.Options[asRow]; side != "" {
		b.WriteString(" GENERATED ALWAYS AS ROW " + side)
	}
	switch {
	case c.Options[asRow] != "": // which takes no NOT NULL, and implies it
	case c.NotNull:
		b.WriteString(" NOT NULL")
	case c.Type.Base == "timestamp" && c.Generated == nil:
		b.WriteString(" NULL") // without it, older servers take it for NOT NULL
	}
	if d := defaultText(c.Default); d != "" {
		b.WriteString(" DEFAULT " + d)
	}
	if c.OnUpdate != "" {
		b.WriteString(" ON UPDATE " + strings.ToUpper(c.OnUpdate))
	}
	if c.AutoIncrement {
		b.WriteString(" AUTO_INCREMENT")
	}
	if c.Invisible {
		b.WriteString(" INVISIBLE")
	}
	for _, k := range slices.Sorted(maps.Keys(c.Options)) {
		if k != asRow {
			b.WriteString(" " + columnOption(k, c.Options[k]))
		}
	}
	if c.Comment != "" {
		b.WriteString(" COMMENT " + literal(c.Comment))
	}
	if c.SRID != "" && !p.server.MariaDB {
		b.WriteString(" SRID " + c.SRID)
	}
	if check != nil {
		fmt.Fprintf(&b, " CHECK (%s)", check.Expr.Text)
	}
	return b.String()
}

// asRow is the option of a column that begins or ends a period of system time.
const asRow = "AS ROW"

// columnOption writes an option of a column.
func columnOption(name, value string) string {
	switch {
	case name == "COLUMN_FORMAT" || name == "STORAGE":
		return name + " " + value
	case value == "":
		return name
	case name == "COMPRESSED":
		return name + "=" + value
	}
	return name + "=" + catalog.OptionText(name, value)
}

// defaultText writes what stands behind DEFAULT; empty where nothing has to.
func defaultText(d *catalog.Default) string {
	switch {
	case d == nil || d.Implied || d.Null:
		return ""
	case d.Now != "":
		return strings.ToUpper(d.Now)
	case d.Expr != nil:
		return "(" + d.Expr.Text + ")"
	case d.AsIfText != "":
		return d.AsIfText
	}
	return d.Literal
}

// parts writes the columns of a key.
func parts(list []catalog.KeyPart) string {
	all := make([]string, len(list))
	for i, p := range list {
		switch {
		case p.Expr != nil:
			all[i] = "(" + p.Expr.Text + ")"
		case p.Prefix > 0:
			all[i] = fmt.Sprintf("%s(%d)", quote(p.Column), p.Prefix)
		default:
			all[i] = quote(p.Column)
		}
		if p.Desc {
			all[i] += " DESC"
		}
	}
	return strings.Join(all, ", ")
}

// vector is the option of a key that is one of vectors.
const vector = "VECTOR"

var keyWords = map[catalog.KeyKind]string{catalog.Primary: "PRIMARY KEY", catalog.Unique: "UNIQUE KEY", catalog.Plain: "KEY", catalog.Fulltext: "FULLTEXT KEY", catalog.Spatial: "SPATIAL KEY"}

// key writes a key as it stands in CREATE TABLE and behind ADD; without a name the server makes one.
func (p printer) key(k *catalog.Key, name string) string {
	var b strings.Builder
	if k.Options[vector] != "" {
		b.WriteString(vector + " ")
	}
	b.WriteString(keyWords[k.Kind])
	if name != "" && k.Kind != catalog.Primary {
		b.WriteString(" " + quote(name))
	}
	fmt.Fprintf(&b, " (%s)", parts(k.Parts))
	if k.Using != "" {
		b.WriteString(" USING " + k.Using)
	}
	if k.BlockSize > 0 {
		fmt.Fprintf(&b, " KEY_BLOCK_SIZE=%d", k.BlockSize)
	}
	if k.Parser != "" {
		b.WriteString(" WITH PARSER " + quote(k.Parser))
	}
	for _, o := range slices.Sorted(maps.Keys(k.Options)) {
		if o != vector {
			b.WriteString(" " + o + "=" + catalog.OptionText(o, k.Options[o]))
		}
	}
	if k.Comment != "" {
		b.WriteString(" COMMENT " + literal(k.Comment))
	}
	if k.Invisible {
		b.WriteString(" " + p.hidden())
	}
	return b.String()
}

// hidden is the flavour's word for a key that the optimizer does not use.
func (p printer) hidden() string {
	if p.server.MariaDB {
		return "IGNORED"
	}
	return "INVISIBLE"
}

// foreignKey writes a foreign key; without a name the server makes one.
func foreignKey(f *catalog.ForeignKey, name string) string {
	var b strings.Builder
	if name != "" {
		b.WriteString("CONSTRAINT " + quote(name) + " ")
	}
	b.WriteString("FOREIGN KEY ")
	if f.Index != "" {
		b.WriteString(quote(f.Index) + " ")
	}
	fmt.Fprintf(&b, "(%s) REFERENCES %s (%s)", quoteAll(f.Columns), sqlName(f.Ref), quoteAll(f.RefColumns))
	if f.OnDelete != "" {
		b.WriteString(" ON DELETE " + strings.ToUpper(f.OnDelete))
	}
	if f.OnUpdate != "" {
		b.WriteString(" ON UPDATE " + strings.ToUpper(f.OnUpdate))
	}
	return b.String()
}

// check writes a check that stands after the columns.
func check(c *catalog.Check, name string) string {
	text := fmt.Sprintf("CHECK (%s)", c.Expr.Text)
	if name != "" {
		text = "CONSTRAINT " + quote(name) + " " + text
	}
	if c.NotEnforced {
		text += " NOT ENFORCED"
	}
	return text
}

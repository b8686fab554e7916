package catalog

import (
	"fmt"
	"strings"
)

// Canon writes a column as SHOW CREATE TABLE would, in one form: two columns that mean the same have the same text.
func (c *Column) Canon(t *Table) string {
	var b strings.Builder
	b.WriteString(Quote(columnKey(c.Name)) + " " + c.Type.String())
	if c.Type.Charset != "" && (c.Type.Charset != t.Charset || c.Type.Collation != t.Collation) {
		b.WriteString(" character set " + c.Type.Charset + " collate " + c.Type.Collation)
	}
	if c.Generated != nil {
		b.WriteString(" as (" + c.Generated.Expr.Canon + ")" + map[bool]string{true: " stored", false: " virtual"}[c.Generated.Stored])
	}
	if c.NotNull {
		b.WriteString(" not null")
	}
	b.WriteString(c.Default.Canon())
	if c.OnUpdate != "" {
		b.WriteString(" on update " + c.OnUpdate)
	}
	if c.AutoIncrement {
		b.WriteString(" auto_increment")
	}
	if c.Invisible {
		b.WriteString(" invisible")
	}
	if c.SRID != "" {
		b.WriteString(" srid " + c.SRID)
	}
	writeOptions(&b, c.Options)
	if c.Comment != "" {
		b.WriteString(" comment " + quoteText(c.Comment))
	}
	return b.String()
}

func writeOptions(b *strings.Builder, options map[string]string) {
	for _, name := range sorted(options) {
		b.WriteString(" " + strings.ToLower(name) + "=" + quoteText(options[name]))
	}
}

// Canon writes a default with its word; none and NULL are empty.
func (d *Default) Canon() string {
	switch {
	case d == nil || d.Null:
		return ""
	case d.Now != "":
		return " default " + d.Now
	case d.Expr != nil:
		return " default (" + d.Expr.Canon + ")"
	}
	return " default " + d.Literal
}

// Canon writes a key.
func (k *Key) Canon() string {
	var b strings.Builder
	b.WriteString(string(k.Kind) + " key " + Quote(keyKey(k.Name)) + " (")
	for i, p := range k.Parts {
		if i > 0 {
			b.WriteByte(',')
		}
		if p.Expr != nil {
			b.WriteString("(" + p.Expr.Canon + ")")
		} else {
			b.WriteString(Quote(columnKey(p.Column)))
		}
		if p.Prefix > 0 {
			fmt.Fprintf(&b, "(%d)", p.Prefix)
		}
		if p.Desc {
			b.WriteString(" desc")
		}
	}
	b.WriteByte(')')
	if k.Using != "" {
		b.WriteString(" using " + strings.ToLower(k.Using))
	}
	if k.BlockSize > 0 {
		fmt.Fprintf(&b, " key_block_size=%d", k.BlockSize)
	}
	if k.Parser != "" {
		b.WriteString(" with parser " + k.Parser)
	}
	if k.Invisible {
		b.WriteString(" invisible")
	}
	writeOptions(&b, k.Options)
	if k.Comment != "" {
		b.WriteString(" comment " + quoteText(k.Comment))
	}
	return b.String()
}

// Canon writes a foreign key.
func (f *ForeignKey) Canon() string {
	s := "constraint " + Quote(strings.ToLower(f.Name)) + " foreign key (" + lowered(f.Columns) + ") references " + f.Ref.SQL() + " (" + lowered(f.RefColumns) + ")"
	if f.OnDelete != "" {
		s += " on delete " + f.OnDelete
	}
	if f.OnUpdate != "" {
		s += " on update " + f.OnUpdate
	}
	return s
}

// Canon writes a check.
func (k *Check) Canon() string {
	s := "check (" + k.Expr.Canon + ")"
	if k.Column != "" {
		s = "column " + Quote(columnKey(k.Column)) + " " + s
	} else {
		s = "constraint " + Quote(strings.ToLower(k.Name)) + " " + s
	}
	if k.NotEnforced {
		s += " not enforced"
	}
	return s
}

// OptionsCanon writes what is said of a table as a whole, its partitions aside. The counter is data.
func (t *Table) OptionsCanon() string {
	var b strings.Builder
	b.WriteString("engine=" + strings.ToLower(t.Engine) + " charset=" + t.Charset + " collate=" + t.Collation)
	if t.RowFormat != "" {
		b.WriteString(" row_format=" + strings.ToLower(t.RowFormat))
	}
	writeOptions(&b, t.Options)
	if t.Comment != "" {
		b.WriteString(" comment=" + quoteText(t.Comment))
	}
	if t.Versioned != nil {
		b.WriteString(" " + t.Versioned.Canon)
	}
	return b.String()
}

// Lines writes a table, one fact a line: its options, its columns in their order, and keys, foreign keys and checks sorted, since their order
// means nothing.
func (t *Table) Lines() []string {
	lines := []string{"table " + t.Name.SQL() + " " + t.OptionsCanon()}
	for _, c := range t.Columns {
		lines = append(lines, "column "+c.Canon(t))
	}
	facts := map[string]bool{}
	for _, k := range t.Keys {
		facts[k.Canon()] = true
	}
	for _, f := range t.ForeignKeys {
		facts[f.Canon()] = true
	}
	for _, k := range t.Checks {
		facts[k.Canon()] = true
	}
	lines = append(lines, sorted(facts)...)
	if t.Partitions != nil {
		lines = append(lines, t.Partitions.Canon)
	}
	return lines
}

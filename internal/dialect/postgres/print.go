package postgres

import (
	"fmt"
	"sort"
	"strings"

	"github.com/altergate/altergate/internal/dialect/postgres/bind"
	"github.com/altergate/altergate/internal/dialect/postgres/catalog"
	"github.com/altergate/altergate/internal/dialect/postgres/script"
	"github.com/altergate/altergate/internal/schema"
)

// printer writes the statements that make what the head has. Names and types are written in their plain form, expressions and bodies
// in the author's own words.
type printer struct {
	*Loaded
	filled bool // a materialized view is filled whatever the author says
}

func literal(text string) string { return script.Literal(text) }

// binderOf gives the binder that has read the side already.
func binderOf(l *Loaded) *bind.Binder { return l.binder }

func collationSQL(n *catalog.Name) string {
	if n.Schema == "pg_catalog" {
		return quote(n.Name)
	}
	return n.SQL()
}

func identifiers(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = quote(n)
	}
	return strings.Join(quoted, ", ")
}

// table writes CREATE TABLE without foreign keys, which need the other table.
func (p printer) table(t *schema.Table, serials map[string]*schema.Object) string {
	d := p.details.tables[t.Key]
	head := "CREATE TABLE " + sqlName(t.Name)
	if d.Unlogged {
		head = "CREATE UNLOGGED TABLE " + sqlName(t.Name)
	}
	if d.Server != "" {
		head = "CREATE FOREIGN TABLE " + sqlName(t.Name)
	}
	var lines []string
	for _, c := range t.Columns {
		line := p.column(t, c, serials[c.Key] != nil)
		if d.PartitionOf != nil {
			line = p.overridden(c)
		}
		lines = append(lines, line)
	}
	for _, k := range t.Constraints {
		if k.Kind != schema.ForeignKey && !p.details.constraints[k].NotValid {
			lines = append(lines, "CONSTRAINT "+quote(k.Name)+" "+p.constraint(k))
		}
	}
	body := ""
	if len(lines) > 0 || d.PartitionOf == nil {
		body = " (\n  " + strings.Join(lines, ",\n  ") + "\n)"
		if len(lines) == 0 {
			body = " ()"
		}
	}
	text := head + body
	if d.PartitionOf != nil {
		text = head + " PARTITION OF " + d.PartitionOf.SQL() + body + " " + d.BoundText
	}
	if len(d.Inherits) > 0 {
		var parents []string
		for _, n := range d.Inherits {
			parents = append(parents, n.SQL())
		}
		text += " INHERITS (" + strings.Join(parents, ", ") + ")"
	}
	if d.Partition != nil {
		text += " PARTITION BY " + d.PartitionText
	}
	if d.AccessMethod != "" {
		text += " USING " + quote(d.AccessMethod)
	}
	if len(d.Options) > 0 {
		text += " WITH (" + assignmentsAs(p.text(d.Origin), d.Options) + ")"
	}
	if d.Tablespace != "" {
		text += " TABLESPACE " + quote(d.Tablespace)
	}
	if d.Server != "" {
		text += " SERVER " + quote(d.Server)
		if len(d.ServerOptions) > 0 {
			text += " OPTIONS (" + strings.ReplaceAll(serverOptions(nil, d.ServerOptions), "ADD ", "") + ")"
		}
	}
	return text
}

// overridden writes a column of a partition that differs from its parent's.
func (p printer) overridden(c *schema.Column) string {
	text := quote(c.Name)
	if c.Default != nil {
		text += " DEFAULT " + c.Default.Text
	}
	if c.NotNull {
		text += " NOT NULL"
	}
	return text
}

// assignmentsAs writes storage parameters in the order in which the author has them, which is the one that the server keeps.
func assignmentsAs(text string, m map[string]string) string {
	keys := sortedKeys(m)
	sort.SliceStable(keys, func(i, j int) bool { return strings.LastIndex(text, keys[i]) < strings.LastIndex(text, keys[j]) })
	var list []string
	for _, k := range keys {
		list = append(list, k+" = "+optionValue(m[k]))
	}
	return strings.Join(list, ", ")
}

func assignments(m map[string]string) string {
	var list []string
	for _, k := range sortedKeys(m) {
		list = append(list, k+" = "+optionValue(m[k]))
	}
	return strings.Join(list, ", ")
}

// optionValue quotes the value of a storage parameter that is not a plain word or number.
func optionValue(v string) string {
	for i, r := range v {
		if !(r >= '0' && r <= '9' || r == '.' || r == '-' && i == 0 || r >= 'a' && r <= 'z' || r == '_') {
			return literal(v)
		}
	}
	if v == "" {
		return "''"
	}
	return v
}

// tableRest writes what CREATE TABLE cannot say.
func (p printer) tableRest(t *schema.Table) []string {
	d := p.details.tables[t.Key]
	head := "ALTER TABLE " + sqlName(t.Name) + " "
	var sql []string
	for _, c := range t.Columns {
		sql = append(sql, p.columnRest(t, c)...)
	}
	for _, k := range t.Constraints {
		if k.Kind != schema.ForeignKey && p.details.constraints[k].NotValid {
			sql = append(sql, head+"ADD CONSTRAINT "+quote(k.Name)+" "+p.constraint(k))
		}
	}
	if d.RowSecurity {
		sql = append(sql, head+"ENABLE ROW LEVEL SECURITY")
	}
	if d.ForceRowSecurity {
		sql = append(sql, head+"FORCE ROW LEVEL SECURITY")
	}
	if kind, index, _ := strings.Cut(d.ReplicaIdentity, " "); index != "" {
		sql = append(sql, head+"REPLICA IDENTITY USING INDEX "+quote(index))
	} else if kind != "" {
		sql = append(sql, head+"REPLICA IDENTITY "+strings.ToUpper(kind))
	}
	if d.ClusterOn != "" {
		sql = append(sql, head+"CLUSTER ON "+quote(d.ClusterOn))
	}
	return sql
}

// column writes a column's definition without its constraints.
func (p printer) column(_ *schema.Table, c *schema.Column, serial bool) string {
	d := p.details.columns[c]
	if serial {
		return quote(c.Name) + " " + map[string]string{"smallint": "smallserial", "integer": "serial", "bigint": "bigserial"}[d.base]
	}
	text := quote(c.Name) + " " + p.typeSQL(c.Type)
	if d.Collation != nil {
		text += " COLLATE " + collationSQL(d.Collation)
	}
	switch {
	case c.Generated != nil:
		text += " GENERATED ALWAYS AS (" + c.Generated.Expr.Text + ") STORED"
	case c.Identity != "":
		text += " " + p.identity(d.Identity)
	case c.Default != nil:
		text += " DEFAULT " + c.Default.Text
	}
	if c.NotNull && c.Identity == "" {
		text += " NOT NULL"
	}
	return text
}

// columnRest writes what a column's definition cannot say in every version that plans are made for.
func (p printer) columnRest(t *schema.Table, c *schema.Column) []string {
	d := p.details.columns[c]
	head := fmt.Sprintf("ALTER TABLE %s ALTER COLUMN %s ", sqlName(t.Name), quote(c.Name))
	var sql []string
	if d.Storage != "" {
		sql = append(sql, head+"SET STORAGE "+strings.ToUpper(d.Storage))
	}
	if d.Compression != "" {
		sql = append(sql, head+"SET COMPRESSION "+d.Compression)
	}
	head = only(head)
	if d.Statistics >= 0 {
		sql = append(sql, fmt.Sprintf("%sSET STATISTICS %d", head, d.Statistics))
	}
	return append(sql, optionChanges(head, "", nil, d.Options)...)
}

// only keeps what is said of a column from the tables that inherit it: unlike storage, they do not get it when they are made.
func only(alterTable string) string {
	return strings.Replace(alterTable, "ALTER TABLE ", "ALTER TABLE ONLY ", 1)
}

func (p printer) identity(i *catalog.Identity) string {
	text := "GENERATED BY DEFAULT AS IDENTITY"
	if i.Always {
		text = "GENERATED ALWAYS AS IDENTITY"
	}
	if i.Sequence == nil {
		return text
	}
	usual := usualSequence(i.Sequence)
	parameters := sequenceParameters(usual, i.Sequence)
	if !usualName(i.Sequence) {
		parameters = "SEQUENCE NAME " + i.Sequence.Name.SQL() + parameters
	}
	if parameters != "" {
		text += " (" + strings.TrimSpace(parameters) + ")"
	}
	return text
}

// usualName tells whether the sequence of an identity has the name that the server gives it when that is free and short enough.
func usualName(s *catalog.Sequence) bool {
	return s.OwnedBy == nil || s.Name == catalog.Name{Schema: s.OwnedBy.Schema, Name: s.OwnedBy.Name + "_" + s.OwnedColumn + "_seq"}
}

// usualSequence is what CREATE SEQUENCE makes of a type and a direction when it is told nothing else but the limits, at one of which it
// starts.
func usualSequence(s *catalog.Sequence) *catalog.Sequence {
	low, high := limits(s.Type)
	u := &catalog.Sequence{Type: s.Type, Increment: 1, Min: 1, Max: high, Start: 1, Cache: 1}
	if s.Increment < 0 {
		u.Min, u.Max = low, -1
	}
	if u.Start = s.Min; s.Increment < 0 {
		u.Start = s.Max
	}
	return u
}

// identityChange gives what ALTER COLUMN has to be told of a column that numbers its rows before and after.
func (p printer) identityChange(from, to *catalog.Identity) string {
	var parts []string
	if from.Always != to.Always {
		parts = append(parts, "SET GENERATED "+map[bool]string{true: "ALWAYS", false: "BY DEFAULT"}[to.Always])
	}
	if from.Sequence != nil && to.Sequence != nil {
		for _, word := range strings.Split(strings.TrimSpace(strings.NewReplacer(" INCREMENT", "\nINCREMENT", " MIN", "\nMIN", " MAX", "\nMAX", " START", "\nSTART", " CACHE", "\nCACHE", " NO CYCLE", "\nNO CYCLE", " CYCLE", "\nCYCLE").Replace(sequenceParameters(from.Sequence, to.Sequence))), "\n") {
			if word != "" {
				parts = append(parts, "SET "+word)
			}
		}
	}
	return strings.Join(parts, " ")
}

// constraint writes a constraint without its name.
func (p printer) constraint(k *schema.Constraint) string {
	d := p.details.constraints[k]
	var text string
	switch k.Kind {
	case schema.Check:
		text = "CHECK (" + k.Expr.Text + ")"
		if d.NoInherit {
			text += " NO INHERIT"
		}
	case schema.ForeignKey:
		text = p.foreignKey(k, d)
	case schema.Exclusion:
		text = p.exclusion(d)
	default:
		text = strings.ToUpper(strings.ReplaceAll(string(k.Kind), "_", " "))
		if d.NullsNotDistinct {
			text += " NULLS NOT DISTINCT"
		}
		text += " (" + identifiers(d.Columns) + ")" + p.keyOptions(d)
	}
	text += p.deferral(d)
	if d.NotValid {
		text += " NOT VALID"
	}
	return text
}

func (p printer) keyOptions(d *constraint) string {
	text := ""
	if len(d.Include) > 0 {
		text += " INCLUDE (" + identifiers(d.Include) + ")"
	}
	if len(d.Options) > 0 {
		text += " WITH (" + assignmentsAs(p.text(d.Origin), d.Options) + ")"
	}
	if d.Tablespace != "" {
		text += " USING INDEX TABLESPACE " + quote(d.Tablespace)
	}
	return text
}

func (p printer) deferral(d *constraint) string {
	switch {
	case d.Deferred:
		return " DEFERRABLE INITIALLY DEFERRED"
	case d.Deferrable:
		return " DEFERRABLE"
	}
	return ""
}

func (p printer) foreignKey(k *schema.Constraint, d *constraint) string {
	text := fmt.Sprintf("FOREIGN KEY (%s) REFERENCES %s (%s)", identifiers(d.Columns), d.Ref.Table.SQL(), identifiers(k.Ref.Columns))
	if d.Ref.Match != "" {
		text += " MATCH " + strings.ToUpper(d.Ref.Match)
	}
	if k.Ref.OnUpdate != "" {
		text += " ON UPDATE " + strings.ToUpper(k.Ref.OnUpdate)
	}
	if k.Ref.OnDelete != "" {
		text += " ON DELETE " + strings.ToUpper(k.Ref.OnDelete)
	}
	if len(d.Ref.SetColumns) > 0 {
		text += " (" + identifiers(d.Ref.SetColumns) + ")"
	}
	return text
}

func (p printer) exclusion(d *constraint) string {
	var parts []string
	for i, e := range d.Elements {
		parts = append(parts, p.element(e)+" WITH "+d.Operators[i])
	}
	text := "EXCLUDE USING " + quote(d.Method) + " (" + strings.Join(parts, ", ") + ")" + p.keyOptions(d)
	if d.Where != nil {
		text += " WHERE (" + d.Where.Text + ")"
	}
	return text
}

// element writes one column or expression of an index.
func (p printer) element(e *catalog.IndexElement) string {
	text := quote(e.Column)
	if e.Expr != nil {
		text = "(" + e.Expr.Text + ")"
	}
	if e.Collation != nil {
		text += " COLLATE " + collationSQL(e.Collation)
	}
	if e.OpClass != "" {
		text += " " + e.OpClass
		if len(e.OpClassOptions) > 0 {
			text += " (" + assignments(e.OpClassOptions) + ")"
		}
	}
	if e.Desc {
		text += " DESC"
	}
	if e.NullsFirst != e.Desc {
		text += map[bool]string{true: " NULLS FIRST", false: " NULLS LAST"}[e.NullsFirst]
	}
	return text
}

func (p printer) index(x *schema.Index, concurrently bool) string {
	return p.indexAs(x, p.details.indexes[x].Name, concurrently)
}

// indexAs writes CREATE INDEX with a name of one's own choice; the index is in its table's schema, so the name is written bare.
func (p printer) indexAs(x *schema.Index, name catalog.Name, concurrently bool) string {
	d := p.details.indexes[x]
	text := "CREATE INDEX "
	if d.Unique {
		text = "CREATE UNIQUE INDEX "
	}
	if concurrently {
		text += "CONCURRENTLY "
	}
	text += quote(name.Name) + " ON "
	if d.Only {
		text += "ONLY "
	}
	text += d.Table.SQL()
	if d.Method != "btree" {
		text += " USING " + quote(d.Method)
	}
	var parts []string
	for _, e := range d.Elements {
		parts = append(parts, p.element(e))
	}
	text += " (" + strings.Join(parts, ", ") + ")"
	if len(d.Include) > 0 {
		text += " INCLUDE (" + identifiers(d.Include) + ")"
	}
	if d.NullsNotDistinct {
		text += " NULLS NOT DISTINCT"
	}
	if len(d.Options) > 0 {
		text += " WITH (" + assignmentsAs(p.text(d.Origin), d.Options) + ")"
	}
	if d.Tablespace != "" {
		text += " TABLESPACE " + quote(d.Tablespace)
	}
	if d.Where != nil {
		text += " WHERE " + d.Where.Text
	}
	return text
}

// keyIndex writes the unique index that a key is then made of.
func (p printer) keyIndex(t *schema.Table, k *schema.Constraint) string {
	d := p.details.constraints[k]
	text := fmt.Sprintf("CREATE UNIQUE INDEX CONCURRENTLY %s ON %s (%s)", quote(k.Name), sqlName(t.Name), identifiers(d.Columns))
	if len(d.Include) > 0 {
		text += " INCLUDE (" + identifiers(d.Include) + ")"
	}
	if len(d.Options) > 0 {
		text += " WITH (" + assignmentsAs(p.text(d.Origin), d.Options) + ")"
	}
	if d.Tablespace != "" {
		text += " TABLESPACE " + quote(d.Tablespace)
	}
	return text
}

package mysql

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/altergate/altergate/internal/dialect/mysql/catalog"
	"github.com/altergate/altergate/internal/schema"
)

// details lead from the model back to the catalog. They are filled when first a plan is to be made.
type details struct {
	once    sync.Once
	columns map[*schema.Column]*catalog.Column
	keys    map[*schema.Constraint]*catalog.Key
	indexes map[*schema.Index]*catalog.Key
	foreign map[*schema.Constraint]*catalog.ForeignKey
	checks  map[*schema.Constraint]*catalog.Check

	triggers map[*schema.Trigger]*catalog.Trigger
	views    map[*schema.View]*catalog.View
}

// tableModel is the model of a table with what leads from it back to the catalog. Sides of which one became the other share it, as long as
// they have the same table.
type tableModel struct {
	of       *catalog.Table
	model    *schema.Table
	keys     []pair[schema.Constraint, catalog.Key]
	indexes  []pair[schema.Index, catalog.Key]
	foreign  []pair[schema.Constraint, catalog.ForeignKey]
	checks   []pair[schema.Constraint, catalog.Check]
	triggers []pair[schema.Trigger, catalog.Trigger]
}

type pair[M, C any] struct {
	model *M
	of    *C
}

func join[M, C any](into map[*M]*C, pairs []pair[M, C]) {
	for _, p := range pairs {
		into[p.model] = p.of
	}
}

// detail fills the details, which planning needs, and gives them.
func (l *Loaded) detail() *details {
	d := l.details
	d.once.Do(func() {
		d.columns, d.keys, d.indexes = map[*schema.Column]*catalog.Column{}, map[*schema.Constraint]*catalog.Key{}, map[*schema.Index]*catalog.Key{}
		d.foreign, d.checks, d.triggers = map[*schema.Constraint]*catalog.ForeignKey{}, map[*schema.Constraint]*catalog.Check{}, map[*schema.Trigger]*catalog.Trigger{}
		for _, m := range l.models {
			for i, c := range m.model.Columns {
				d.columns[c] = m.of.Columns[i]
			}
			join(d.keys, m.keys)
			join(d.indexes, m.indexes)
			join(d.foreign, m.foreign)
			join(d.checks, m.checks)
			join(d.triggers, m.triggers)
		}
	})
	return d
}

// analyse makes the model of the catalog.
func (l *Loaded) analyse() { l.analyseWith(marks{}) }

// analyseWith does, and marks what is to be compared with the other side. What is known of tables that are still the same is taken over.
func (l *Loaded) analyseWith(m marks) {
	l.marks = m
	dialect := MySQL
	if l.catalog.Server.MariaDB {
		dialect = MariaDB
	}
	l.Schema = &schema.Schema{Dialect: dialect}
	l.details = &details{views: map[*schema.View]*catalog.View{}}
	for _, key := range slices.Sorted(maps.Keys(l.catalog.Views)) {
		v := l.catalog.Views[key]
		l.view(v.Name.String(), v)
	}
	triggers := map[catalog.Name][]string{} // keys
	for _, key := range slices.Sorted(maps.Keys(l.catalog.Triggers)) {
		on := l.catalog.Triggers[key].Table
		triggers[on] = append(triggers[on], key)
	}
	var names map[string][]string
	if len(triggers) > 0 {
		names = l.names()
	}
	models := make(map[string]*tableModel, len(l.catalog.Tables))
	var same []*schema.Table
	for key, t := range l.catalog.Tables {
		on := triggers[t.Name]
		if m := l.models[key]; m != nil && m.of == t && len(on)+len(m.triggers) == 0 {
			models[key] = m
			same = append(same, m.model)
			continue
		}
		m := newTableModel(t)
		for _, key := range on {
			l.trigger(m, key, names)
		}
		models[key] = m
		l.Schema.Tables = append(l.Schema.Tables, m.model)
	}
	l.models = models
	l.objects()
	l.Schema.Sort()
	l.Schema.Tables = append(l.Schema.Tables, same...)
	slices.SortFunc(l.Schema.Tables, func(a, b *schema.Table) int { return strings.Compare(a.Key, b.Key) })
}

// names are the keys of tables and views by their last name in lower case, as they show among the words of a body.
func (l *Loaded) names() map[string][]string {
	names := map[string][]string{}
	for _, key := range slices.Sorted(maps.Keys(l.catalog.Tables)) {
		name := strings.ToLower(l.catalog.Tables[key].Name.Name)
		names[name] = append(names[name], l.catalog.Tables[key].Name.String())
	}
	for _, key := range slices.Sorted(maps.Keys(l.catalog.Views)) {
		name := strings.ToLower(l.catalog.Views[key].Name.Name)
		names[name] = append(names[name], l.catalog.Views[key].Name.String())
	}
	return names
}

func newTableModel(t *catalog.Table) *tableModel {
	m := &schema.Table{Name: t.Name.String(), Key: t.Name.String(), Text: t.Text, Pos: t.Pos, Options: tableOptions(t)}
	of := &tableModel{of: t, model: m}
	for _, c := range t.Columns {
		m.Columns = append(m.Columns, columnModel(c))
	}
	for _, k := range t.Keys {
		if k.Kind == catalog.Primary || k.Kind == catalog.Unique {
			c := keyConstraint(k)
			of.keys = append(of.keys, pair[schema.Constraint, catalog.Key]{c, k})
			m.Constraints = append(m.Constraints, c)
			continue
		}
		x := &schema.Index{Name: k.Name, Key: columnKey(k.Name), Parts: keyParts(k), Canon: "index " + columnKey(k.Name) + " " + keyBody(k), Text: k.Text, Pos: k.Pos}
		of.indexes = append(of.indexes, pair[schema.Index, catalog.Key]{x, k})
		m.Indexes = append(m.Indexes, x)
	}
	for _, f := range t.ForeignKeys {
		c := &schema.Constraint{Kind: schema.ForeignKey, Name: f.Name, Ref: &schema.Reference{Table: f.Ref.String(), Name: f.Ref.String(), Columns: columnKeys(f.RefColumns),
			OnDelete: f.OnDelete, OnUpdate: f.OnUpdate}, Canon: "foreign key " + columnKey(f.Name) + " " + foreignBody(f), Text: f.Text, Pos: f.Pos}
		for _, name := range f.Columns {
			c.Columns = append(c.Columns, schema.Part{Column: columnKey(name)})
		}
		of.foreign = append(of.foreign, pair[schema.Constraint, catalog.ForeignKey]{c, f})
		m.Constraints = append(m.Constraints, c)
	}
	for _, k := range t.Checks {
		c := &schema.Constraint{Kind: schema.Check, Name: k.Name, Expr: &schema.Expr{Text: k.Expr.Text, Canon: k.Expr.Canon}, Owner: columnKey(k.Column),
			Canon: "check " + columnKey(k.Name) + " " + checkBody(k), Text: k.Text, Pos: k.Pos}
		if k.NotEnforced {
			c.Options = []string{"not enforced"}
		}
		of.checks = append(of.checks, pair[schema.Constraint, catalog.Check]{c, k})
		m.Constraints = append(m.Constraints, c)
	}
	return of
}

// columnKey gives the form in which column, key and constraint names are compared.
func columnKey(name string) string { return strings.ToLower(name) }

func columnKeys(names []string) []string {
	keys := make([]string, len(names))
	for i, n := range names {
		keys[i] = columnKey(n)
	}
	return keys
}

func columnModel(c *catalog.Column) *schema.Column {
	m := &schema.Column{Name: c.Name, Key: columnKey(c.Name), Type: typeText(c.Type), TypeCanon: typeCanon(c.Type), NotNull: c.NotNull, Required: c.NotNull,
		Collation: c.Type.Collation, Text: c.Text, Pos: c.Pos}
	if canon := defaultCanon(c.Default); canon != "" && !c.Default.Implied { // rules take what is not said for no default
		m.Default = &schema.Expr{Text: shownDefault(c.Default), Canon: canon}
		if c.Default.Expr == nil && c.Default.Now == "" {
			m.Default.Constant = c.Default.Literal
		}
	}
	if g := c.Generated; g != nil {
		m.Generated = &schema.Generated{Expr: schema.Expr{Text: g.Expr.Text, Canon: g.Expr.Canon}, Stored: g.Stored}
	}
	if c.AutoIncrement {
		m.Identity = "auto_increment"
	}
	m.Canon = strings.Join(columnFacts(m, c), " ")
	return m
}

// columnFacts is everything that a column's definition says.
func columnFacts(m *schema.Column, c *catalog.Column) []string {
	facts := []string{m.Key, m.TypeCanon}
	say := func(is bool, text string) {
		if is {
			facts = append(facts, text)
		}
	}
	say(m.Collation != "", "collate "+m.Collation)
	say(c.NotNull, "not null")
	if canon := defaultCanon(c.Default); canon != "" {
		facts = append(facts, "default "+canon)
	}
	say(c.OnUpdate != "", "on update "+c.OnUpdate)
	say(c.AutoIncrement, "auto_increment")
	if g := c.Generated; g != nil {
		facts = append(facts, "as ("+g.Expr.Canon+")")
		say(g.Stored, "stored")
	}
	say(c.Invisible, "invisible")
	say(c.SRID != "", "srid "+c.SRID)
	for _, o := range slices.Sorted(maps.Keys(c.Options)) {
		facts = append(facts, strings.TrimSpace(strings.ToLower(o)+" "+c.Options[o]))
	}
	say(c.Comment != "", "comment "+literal(c.Comment))
	return facts
}

// typeCanon writes a type with its character set; the collation is a fact of its own.
func typeCanon(t catalog.Type) string {
	text := typeText(t)
	if t.Charset != "" && t.Charset != "binary" {
		text += " character set " + t.Charset
	}
	return text
}

func typeText(t catalog.Type) string {
	t.Charset, t.Collation = "", ""
	return printer{}.typ(t, false)
}

func defaultCanon(d *catalog.Default) string {
	switch {
	case d == nil || d.Null:
		return ""
	case d.Now != "":
		return d.Now
	case d.Expr != nil:
		return "(" + d.Expr.Canon + ")"
	}
	return d.Literal
}

func shownDefault(d *catalog.Default) string {
	if text := defaultText(d); text != "" {
		return text
	}
	return defaultCanon(d)
}

func keyConstraint(k *catalog.Key) *schema.Constraint {
	c := &schema.Constraint{Kind: schema.Unique, Name: k.Name, Columns: keyParts(k), Canon: "unique " + columnKey(k.Name) + " " + keyBody(k), Text: k.Text, Pos: k.Pos}
	if k.Kind == catalog.Primary {
		c.Kind, c.Name, c.Canon = schema.PrimaryKey, "", "primary key "+keyBody(k)
	}
	return c
}

func keyParts(k *catalog.Key) []schema.Part {
	var all []schema.Part
	for _, p := range k.Parts {
		part := schema.Part{Column: columnKey(p.Column), Prefix: p.Prefix, Desc: p.Desc}
		if p.Expr != nil {
			part.Column, part.Expr = "", p.Expr.Canon
		}
		all = append(all, part)
	}
	return all
}

// keyBody is all of a key but its name.
func keyBody(k *catalog.Key) string {
	facts := []string{string(k.Kind), partsCanon(k.Parts)}
	if k.Using != "" {
		facts = append(facts, "using "+strings.ToLower(k.Using))
	}
	if k.BlockSize > 0 {
		facts = append(facts, "key_block_size "+strconv.Itoa(k.BlockSize))
	}
	if k.Parser != "" {
		facts = append(facts, "with parser "+strings.ToLower(k.Parser))
	}
	for _, o := range slices.Sorted(maps.Keys(k.Options)) {
		facts = append(facts, strings.ToLower(o)+" "+k.Options[o])
	}
	if k.Comment != "" {
		facts = append(facts, "comment "+literal(k.Comment))
	}
	if k.Invisible {
		facts = append(facts, "invisible")
	}
	return strings.Join(facts, " ")
}

func partsCanon(list []catalog.KeyPart) string {
	all := make([]string, len(list))
	for i, p := range list {
		switch {
		case p.Expr != nil:
			all[i] = "(" + p.Expr.Canon + ")"
		case p.Prefix > 0:
			all[i] = fmt.Sprintf("%s(%d)", columnKey(p.Column), p.Prefix)
		default:
			all[i] = columnKey(p.Column)
		}
		if p.Desc {
			all[i] += " desc"
		}
	}
	return "(" + strings.Join(all, ", ") + ")"
}

func foreignBody(f *catalog.ForeignKey) string {
	text := fmt.Sprintf("(%s) references %s (%s)", strings.Join(columnKeys(f.Columns), ", "), f.Ref.String(), strings.Join(columnKeys(f.RefColumns), ", "))
	if f.OnDelete != "" {
		text += " on delete " + f.OnDelete
	}
	if f.OnUpdate != "" {
		text += " on update " + f.OnUpdate
	}
	return text
}

func checkBody(c *catalog.Check) string {
	text := "(" + c.Expr.Canon + ")"
	if c.Column != "" {
		text = "of " + columnKey(c.Column) + " " + text
	}
	if c.NotEnforced {
		text += " not enforced"
	}
	return text
}

// tableOptions are what is said of a table as a whole, one text for each thing, in the order of the alphabet.
func tableOptions(t *catalog.Table) []string {
	var all []string
	say := func(what, value string) {
		if value != "" {
			all = append(all, what+" "+value)
		}
	}
	say("engine", strings.ToLower(t.Engine))
	say("charset", t.Charset)
	say("collation", t.Collation)
	say("row_format", strings.ToLower(t.RowFormat))
	if t.Comment != "" {
		say("comment", literal(t.Comment))
	}
	for _, o := range slices.Sorted(maps.Keys(t.Options)) {
		all = append(all, strings.TrimSpace(strings.ToLower(o)+" "+t.Options[o]))
	}
	if t.Versioned != nil {
		all = append(all, strings.TrimSpace("system versioning "+t.Versioned.Canon))
	}
	if p := t.Partitions; p != nil {
		all = append(all, partitionBy+partitioning(p))
		for _, part := range p.Parts {
			all = append(all, partitionOption(part))
		}
	}
	slices.Sort(all)
	return all
}

const partitionBy = "partition by "

// partitioning is how a table is partitioned, without its named partitions.
func partitioning(p *catalog.Partitions) string {
	text := p.Method
	if p.Sub != "" {
		text += " subpartition by " + p.Sub
	}
	if p.Count > 0 && len(p.Parts) == 0 {
		text += " partitions " + strconv.Itoa(p.Count)
	}
	return text
}

func partitionOption(p catalog.Part) string { return "partition " + columnKey(p.Name) + " " + p.Canon }

// tableOf finds a table by its key in the model, which is its name as people write it.
func (l *Loaded) tableOf(key string) *catalog.Table {
	if t := l.catalog.Tables[key]; t != nil {
		return t
	}
	return l.catalog.Tables[parseName(key).Key()]
}

// shown gives the keys of a catalog as the model has them.
func shown(keys map[string]bool) map[string]bool {
	out := map[string]bool{}
	for key := range keys {
		out[strings.ReplaceAll(key, "\x00", ".")] = true
	}
	return out
}

func (l *Loaded) view(key string, v *catalog.View) {
	m := &schema.View{Name: v.Name.String(), Key: key, Text: v.Text, Pos: v.Pos, Uses: schema.Uses{Tables: shown(v.Tables), Words: v.Words, Open: v.Open}}
	var facts []string
	for _, f := range [...][2]string{{"algorithm", v.Algorithm}, {"definer", v.Definer}, {"security", v.Security}, {"check", v.Check}, {"columns", strings.Join(columnKeys(v.Columns), ", ")}} {
		if f[1] != "" {
			facts = append(facts, f[0]+" "+f[1])
		}
	}
	m.Canon = strings.Join(append(facts, v.Canon), " ")
	l.details.views[m] = v
	l.Schema.Views = append(l.Schema.Views, m)
}

func (l *Loaded) trigger(of *tableModel, key string, names map[string][]string) {
	t, on := l.catalog.Triggers[key], of.model
	canon := strings.ToLower(t.Time+" "+t.Event) + " " + t.Canon
	m := &schema.Trigger{Name: t.Name.Name, Key: t.Name.String(), Canon: canon, Text: t.Text, Pos: t.Pos, Uses: schema.Uses{Tables: map[string]bool{on.Key: true}, Words: t.Words}}
	if t.Definer != "" {
		m.Canon = "definer " + t.Definer + " " + m.Canon
	}
	if l.reordered[key] {
		m.Canon += " at " + strconv.Itoa(t.Place)
	}
	m.Canon += l.mode("trigger "+key, t.Mode)
	for word := range t.Words {
		for _, table := range names[word] {
			m.Uses.Tables[table] = true
		}
	}
	of.triggers = append(of.triggers, pair[schema.Trigger, catalog.Trigger]{m, t})
	on.Triggers = append(on.Triggers, m)
}

// ownDatabase stands for the name of the database that plans run in, which has none in them.
const ownDatabase = "DATABASE()"

// objects are what stands beside tables and views.
func (l *Loaded) objects() {
	add := func(kind, key, name, definer, canon, text string, pos schema.Pos) {
		if definer != "" {
			canon = "definer " + definer + " " + canon
		}
		l.Schema.Objects = append(l.Schema.Objects, &schema.Object{Kind: kind, Key: key, Name: name, Canon: canon, Text: text, Pos: pos})
	}
	for _, key := range slices.Sorted(maps.Keys(l.catalog.Routines)) {
		r := l.catalog.Routines[key]
		add(r.Kind, r.Name.String(), r.Name.String(), r.Definer, r.Canon+l.mode(key, r.Mode), r.Text, r.Pos)
	}
	for _, key := range slices.Sorted(maps.Keys(l.catalog.Events)) {
		e := l.catalog.Events[key]
		add("event", e.Name.String(), e.Name.String(), e.Definer, e.Canon+l.mode("event "+key, e.Mode), e.Text, e.Pos)
	}
	for _, key := range slices.Sorted(maps.Keys(l.catalog.Sequences)) {
		s := l.catalog.Sequences[key]
		add("sequence", s.Name.String(), s.Name.String(), "", s.Canon, s.Text, s.Pos)
	}
	for _, key := range slices.Sorted(maps.Keys(l.catalog.Databases)) {
		if d := l.catalog.Databases[key]; d.Name != "" && d.Made && !l.altered[key] {
			add("database", key, d.Name, "", d.Canon(), d.Text, schema.Pos{})
		}
	}
	for _, key := range slices.Sorted(maps.Keys(l.altered)) {
		add("database", key, cmp.Or(key, ownDatabase), "", l.catalog.DatabaseOf(key).Canon(), l.catalog.DatabaseOf(key).Text, schema.Pos{})
	}
}

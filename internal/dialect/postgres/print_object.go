package postgres

import (
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/dialect/postgres/builtin"
	"github.com/altergate/altergate/internal/dialect/postgres/catalog"
	"github.com/altergate/altergate/internal/schema"
)

// view writes CREATE [OR REPLACE] VIEW. What later statements said of the view is said again behind it.
func (p printer) view(v *schema.View, create string) []string {
	d := p.details.views[v.Key]
	_, word := viewWords(v)
	text := create + " " + word + " " + sqlName(v.Name)
	if len(d.Aliases) > 0 {
		var columns []string
		for _, c := range d.columns {
			columns = append(columns, c.Name)
		}
		text += " (" + identifiers(columns) + ")"
	}
	if d.AccessMethod != "" {
		text += " USING " + quote(d.AccessMethod)
	}
	options := map[string]string{}
	for k, o := range d.Options {
		if k != "check_option" {
			options[k] = o
		}
	}
	if len(options) > 0 {
		text += " WITH (" + assignmentsAs(p.text(d.Origin), options) + ")"
	}
	if d.Tablespace != "" {
		text += " TABLESPACE " + quote(d.Tablespace)
	}
	text += " AS\n" + d.Text
	if check := d.Options["check_option"]; check != "" {
		text += "\nWITH " + strings.ToUpper(check) + " CHECK OPTION"
	}
	if d.NoData && !p.filled {
		text += "\nWITH NO DATA"
	}
	sql := []string{text}
	for _, c := range sortedKeys(d.Columns) {
		sql = append(sql, "ALTER VIEW "+sqlName(v.Name)+" ALTER COLUMN "+quote(c)+" SET DEFAULT "+d.Columns[c].Text)
	}
	return sql
}

// replaceView changes a view where it is; options that it no longer has are taken away, since OR REPLACE keeps none but says so nowhere.
func (p printer) replaceView(from *view, to *schema.View) []string {
	sql := p.view(to, "CREATE OR REPLACE")
	d := p.details.views[to.Key]
	for _, c := range sortedKeys(from.Columns) {
		if _, ok := d.Columns[c]; !ok {
			sql = append(sql, "ALTER VIEW "+sqlName(to.Name)+" ALTER COLUMN "+quote(c)+" DROP DEFAULT")
		}
	}
	return sql
}

// trigger writes a trigger, and that it is not enabled in the usual way.
func (p printer) trigger(on string, t *schema.Trigger) []string {
	d := p.details.triggers[t]
	sql := []string{t.Text}
	if d.Enabled != "" {
		sql = append(sql, "ALTER TABLE "+sqlName(on)+" "+enabledWords[d.Enabled]+" TRIGGER "+quote(d.Name))
	}
	return sql
}

// enabledWords are what makes a trigger or a rule run at other times than usual.
var enabledWords = map[string]string{"disabled": "DISABLE", "replica": "ENABLE REPLICA", "always": "ENABLE ALWAYS"}

// statistics writes extended statistics as they are now.
func (p printer) statistics(o *catalog.Object) []string {
	var about []string
	for _, c := range catalog.SplitNames(o.Props["columns"]) {
		about = append(about, quote(c))
	}
	for _, e := range o.Exprs {
		about = append(about, "("+e.Text+")")
	}
	text := "CREATE STATISTICS " + sqlName(o.Key)
	if kinds := o.Props["kinds"]; kinds != "" && kinds != "dependencies,mcv,ndistinct" {
		text += " (" + strings.ReplaceAll(kinds, ",", ", ") + ")"
	}
	sql := []string{text + " ON " + strings.Join(about, ", ") + " FROM " + o.On.SQL()}
	if target := o.Props["target"]; target != "" {
		sql = append(sql, "ALTER STATISTICS "+sqlName(o.Key)+" SET STATISTICS "+target)
	}
	return sql
}

// publication writes a publication without its tables, which are objects of their own.
func (p printer) publication(o *catalog.Object) string {
	text := "CREATE PUBLICATION " + quote(o.Key)
	if o.Props["all_tables"] == "true" {
		text += " FOR ALL TABLES"
	} else if schemas := catalog.SplitNames(o.Props["schemas"]); len(schemas) > 0 {
		text += " FOR TABLES IN SCHEMA " + identifiers(schemas)
	}
	if options := publicationOptions(o); options != "" {
		text += " WITH (" + options + ")"
	}
	return text
}

func publicationOptions(o *catalog.Object) string {
	var options []string
	if v := o.Props["publish"]; v != "" {
		options = append(options, "publish = "+literal(v))
	}
	if v := o.Props["publish_via_partition_root"]; v != "" {
		options = append(options, "publish_via_partition_root = "+v)
	}
	return strings.Join(options, ", ")
}

// published writes a table of a publication.
func (p printer) published(o *catalog.Object) string {
	text := o.On.SQL()
	if o.Props["only"] == "true" {
		text = "ONLY " + text
	}
	if columns := catalog.SplitNames(o.Props["columns"]); len(columns) > 0 {
		text += " (" + identifiers(columns) + ")"
	}
	if o.Expr != nil {
		text += " WHERE (" + o.Expr.Text + ")"
	}
	return text
}

// typ writes a type as it is now.
func (p printer) typ(t *catalog.Type) string {
	switch t.Kind {
	case catalog.Enum:
		labels := make([]string, len(t.Labels))
		for i, l := range t.Labels {
			labels[i] = literal(l)
		}
		return "CREATE TYPE " + t.Name.SQL() + " AS ENUM (" + strings.Join(labels, ", ") + ")"
	case catalog.Composite:
		var columns []string
		for _, c := range t.Columns {
			text := quote(c.Name) + " " + p.typeText(c.Type)
			if c.Collation != nil {
				text += " COLLATE " + collationSQL(c.Collation)
			}
			columns = append(columns, text)
		}
		return "CREATE TYPE " + t.Name.SQL() + " AS (" + strings.Join(columns, ", ") + ")"
	case catalog.Domain:
		return p.domain(t)
	}
	return t.Statement.Text
}

func (p printer) typeText(t catalog.TypeRef) string {
	canon, _, _, _, _ := binderOf(p.Loaded).Type(t)
	return p.typeSQL(canon)
}

// typeSQL writes a type that is named as the model names it: a type of the schema's own may need quotes.
func (l *Loaded) typeSQL(canon string) string {
	name, array := strings.CutSuffix(canon, "[]")
	if _, built := builtin.TypeName("", name); built {
		return canon
	}
	if l.details.types[name] == nil && l.details.tables[name] == nil && l.details.views[name] == nil {
		return l.homeOf(name) + canon
	}
	if array {
		return sqlName(name) + "[]"
	}
	return sqlName(name)
}

// homeOf gives the schema of an extension's type with a dot behind it, where the extension was put into one that no search path has.
func (l *Loaded) homeOf(name string) string {
	for _, ext := range sortedKeys(l.catalog.Extensions) {
		in := l.catalog.Extensions[ext].Props["schema"]
		if types, _ := builtin.ExtensionTypes(ext); in != "" && in != catalog.Public && slices.Contains(types, name) {
			return quote(in) + "."
		}
	}
	return ""
}

func (p printer) domain(t *catalog.Type) string {
	text := "CREATE DOMAIN " + t.Name.SQL() + " AS " + p.typeText(t.Base)
	if t.Collation != nil {
		text += " COLLATE " + collationSQL(t.Collation)
	}
	if t.Default != nil {
		text += " DEFAULT " + t.Default.Text
	}
	if t.NotNull {
		text += " NOT NULL"
	}
	for _, k := range t.Checks {
		if !k.NotValid {
			text += " CONSTRAINT " + quote(k.Name) + " CHECK (" + k.Expr.Text + ")"
		}
	}
	return text
}

// sequence writes CREATE SEQUENCE.
func (p printer) sequence(s *catalog.Sequence) string {
	text := "CREATE SEQUENCE "
	if s.Unlogged {
		text = "CREATE UNLOGGED SEQUENCE "
	}
	text += s.Name.SQL()
	if s.Type != "bigint" {
		text += " AS " + s.Type
	}
	return text + sequenceParameters(usualSequence(s), s)
}

// routine writes a function in the author's own words.
func (p printer) routine(o *schema.Object) []string {
	d := p.details.functions[o.Key]
	sql := []string{o.Text}
	if !d.Altered {
		return sql
	}
	for _, s := range p.statements {
		// What has been said of the function since is said again, in its words.
		if n := s.Node.GetAlterFunctionStmt(); n != nil && lastName(n.Func.Objname) == d.Name.Name {
			sql = append(sql, s.Text)
		}
	}
	return sql
}

func lastName(nodes []*node) string {
	if len(nodes) == 0 {
		return ""
	}
	return nodes[len(nodes)-1].GetString_().GetSval()
}

// replaceRoutine writes CREATE OR REPLACE, which keeps what may be done with the function and what uses it.
func (p printer) replaceRoutine(o *schema.Object) []string {
	sql := p.routine(o)
	d := p.details.functions[o.Key]
	if behind := d.Statement.After(0, "CREATE"); behind >= 0 && d.Statement.After(behind, "OR", "REPLACE") < 0 {
		sql = slices.Clone(sql)
		sql[0] = "CREATE OR REPLACE" + sql[0][behind:]
	}
	return sql
}

// routineName writes a function with the types of its arguments, which tell it from others of its name.
func (p printer) routineName(key string) string {
	d := p.details.functions[key]
	_, args, _ := strings.Cut(strings.TrimSuffix(key, ")"), "(")
	types := strings.Split(args, ", ")
	for i, t := range types {
		types[i] = p.typeSQL(t)
	}
	return d.Name.SQL() + "(" + strings.Join(types, ", ") + ")"
}

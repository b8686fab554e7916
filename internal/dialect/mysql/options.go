package mysql

import (
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/dialect/mysql/catalog"
	"github.com/altergate/altergate/internal/dialect/mysql/online"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// options makes the units of what is said of a table as a whole.
func (w *work) options(t *tableWork) {
	if t.options == nil {
		return
	}
	rest := func(o string) bool { return !isVersioning(o) && !isPartition(o) }
	if c, ok := t.optionChange(rest); ok {
		u := &unit{kind: "alter_table", object: t.model.Name, changes: []diff.Change{c}, phase: phaseAlterColumn}
		u.old, u.new = strings.Join(c.From.Options, ", "), strings.Join(c.To.Options, ", ")
		w.optionClauses(t, u)
		w.charset(t, u)
		if len(u.clauses) > 0 {
			t.unit(u)
		}
	}
	if c, ok := t.optionChange(isVersioning); ok {
		w.versioning(t, c)
	}
}

func isVersioning(option string) bool { return strings.HasPrefix(option, "system versioning") }
func isPartition(option string) bool  { return strings.HasPrefix(option, "partition ") }

// optionChange gives the part of the change of options that is about some of them.
func (t *tableWork) optionChange(about func(string) bool) (diff.AlterOptions, bool) {
	from, to := *t.options.From, *t.options.To
	not := func(o string) bool { return !about(o) }
	from.Options, to.Options = slices.DeleteFunc(slices.Clone(from.Options), not), slices.DeleteFunc(slices.Clone(to.Options), not)
	// What both say is left out of both.
	a, b := slices.Clone(from.Options), slices.Clone(to.Options)
	from.Options = slices.DeleteFunc(a, func(o string) bool { return slices.Contains(to.Options, o) })
	to.Options = slices.DeleteFunc(b, func(o string) bool { return slices.Contains(t.options.From.Options, o) })
	return diff.AlterOptions{From: &from, To: &to}, len(from.Options)+len(to.Options) > 0
}

// optionClauses writes all options but the character set.
func (w *work) optionClauses(t *tableWork, u *unit) {
	a, b := t.from, t.to
	for _, o := range [...]string{"DATA DIRECTORY", "INDEX DIRECTORY"} {
		if a.Options[o] != b.Options[o] {
			w.refuse(b.Pos, "the %s of table %s is another than in the base, and the server ignores that in ALTER TABLE; leave it as it was, or drop the table and make it anew in two pull requests", o, t.model.Name)
			return
		}
	}
	say := func(clause string, act online.Action) {
		u.clauses, u.actions = append(u.clauses, clause), append(u.actions, act)
	}
	if !strings.EqualFold(a.Engine, b.Engine) {
		say("ENGINE="+b.Engine, online.ChangeEngine{To: b.Engine})
	}
	if a.RowFormat != b.RowFormat {
		format := b.RowFormat
		if format == "" {
			format = "DEFAULT"
		}
		say("ROW_FORMAT="+format, online.SetTableOption{Name: "ROW_FORMAT"})
	}
	if a.Comment != b.Comment {
		say("COMMENT="+literal(b.Comment), online.SetTableOption{Name: "COMMENT"})
	}
	for _, o := range sortedKeys(b.Options) {
		if v, there := a.Options[o]; !there || v != b.Options[o] {
			say(tableOption(o, catalog.OptionText(o, b.Options[o])), online.SetTableOption{Name: o})
		}
	}
	for _, o := range sortedKeys(a.Options) {
		if _, stays := b.Options[o]; !stays {
			say(tableOption(o, catalog.Unset(o)), online.SetTableOption{Name: o})
		}
	}
}

// tableOption writes an option; the one for a tablespace has no equals sign in MariaDB.
func tableOption(name, value string) string {
	if name == "TABLESPACE" {
		return name + " " + value
	}
	return name + "=" + value
}

// charset changes what new columns inherit. Where all text columns go the same way, and keep their type by it, CONVERT TO does it for
// them too; it makes a longer type of TEXT, so that such tables get a MODIFY for each column.
func (w *work) charset(t *tableWork, u *unit) {
	a, b := t.from, t.to
	if a.Charset == b.Charset && a.Collation == b.Collation {
		return
	}
	clause := " CHARACTER SET " + b.Charset
	if saysCollation(b) || b.Collation != w.To.catalog.DefaultCollation(b.Charset) {
		clause += " COLLATE " + b.Collation
	}
	converted := w.converted(t)
	if len(converted) == 0 {
		u.clauses, u.actions = append(u.clauses, "DEFAULT"+clause), append(u.actions, online.SetCharset{})
		return
	}
	u.clauses, u.actions = append(u.clauses, "CONVERT TO"+clause), append(u.actions, online.ConvertCharset{To: b})
	for _, c := range converted {
		u.changes, u.old, u.new = append(u.changes, c), u.old+"\n"+c.From.Canon, u.new+"\n"+c.To.Canon
		u.alone = u.alone || w.loses(c)
	}
	t.units = slices.DeleteFunc(t.units, func(o *unit) bool {
		return len(o.changes) == 1 && slices.ContainsFunc(converted, func(c diff.AlterColumn) bool { return sameColumn(o.changes[0], c) })
	})
}

func sameColumn(c diff.Change, a diff.AlterColumn) bool {
	o, ok := c.(diff.AlterColumn)
	return ok && o.From == a.From && o.To == a.To
}

// converted gives the changes of columns that CONVERT TO makes, if it makes no other.
func (w *work) converted(t *tableWork) []diff.AlterColumn {
	changes := map[string]diff.AlterColumn{}
	for _, c := range t.alters {
		changes[c.To.Key] = c
	}
	var all []diff.AlterColumn
	for _, c := range t.from.Columns {
		if c.Type.Charset == "" || c.Type.Charset == "binary" {
			continue
		}
		change, ok := changes[columnKey(c.Name)]
		to := columnNamed(t.to, c.Name)
		if !ok || to == nil || strings.HasSuffix(c.Type.Base, "text") || c.Type.Base == "json" || to.Type.Charset != t.to.Charset || to.Type.Collation != t.to.Collation {
			return nil
		}
		same := *to
		same.Type.Charset, same.Type.Collation = c.Type.Charset, c.Type.Collation
		if columnModel(&same).Canon != columnModel(c).Canon || same.Name != c.Name {
			return nil
		}
		all = append(all, change)
	}
	for _, a := range t.adds { // a column that is new by then would go along
		c := w.To.details.columns[a.Column]
		if c.Type.Charset != "" && c.Type.Charset != "binary" && (c.Type.Charset != t.to.Charset || c.Type.Collation != t.to.Collation) {
			return nil
		}
	}
	return all
}

// versioning begins and ends the history of rows; where that ends, it is deleted.
func (w *work) versioning(t *tableWork, c diff.AlterOptions) {
	u := &unit{kind: "alter_table", object: t.model.Name, changes: []diff.Change{c}, old: strings.Join(c.From.Options, ", "), new: strings.Join(c.To.Options, ", ")}
	if c := apartFromHistory(t); c != nil {
		w.refuse(c.Pos, "column %s.%s is kept out of the history of its table, or no longer, where that begins or ends; do the one in a pull request, and the other in another", t.model.Name, c.Name)
		return
	}
	switch a, b := t.from.Versioned, t.to.Versioned; {
	case a == nil && b.Start == "":
		u.phase, u.clauses, u.actions = phaseAlterColumn, []string{"ADD SYSTEM VERSIONING"}, []online.Action{online.AddVersioning{}}
		u.alone = true // the server keeps most other changes off a table with a history
	case b == nil:
		u.phase, u.clauses, u.actions = phaseDropPart, []string{"DROP SYSTEM VERSIONING"}, []online.Action{online.DropVersioning{}}
		u.alone = true
	default:
		w.refuse(t.to.Pos, "table %s keeps the history of its rows in another way: drop its versioning in one pull request and add it in another, since the history does not survive the change", t.model.Name)
		return
	}
	t.unit(u)
}

// apartFromHistory finds a column that stays and is in the table's history on one side alone: the server takes that of a table that keeps one
// before and after.
func apartFromHistory(t *tableWork) *catalog.Column {
	for _, c := range t.to.Columns {
		old := columnNamed(t.from, c.Name)
		if old == nil {
			continue
		}
		_, was := old.Options[catalog.WithoutVersioning]
		if _, is := c.Options[catalog.WithoutVersioning]; was != is {
			return c
		}
	}
	return nil
}

// gather makes one ALTER of what the server takes only together: a column that counts by itself and its key; columns of a primary key
// that changes, and the key.
func (w *work) gather(t *tableWork) {
	var together []*unit
	primary := slices.IndexFunc(t.units, func(u *unit) bool { return strings.HasSuffix(u.kind, "primary_key") })
	for _, u := range t.units {
		if primary >= 0 && (u == t.units[primary] || w.touchesPrimary(t, u)) || w.countsAnew(t, u) {
			together = append(together, u)
		}
	}
	if len(together) < 2 {
		return
	}
	t.units = slices.DeleteFunc(t.units, func(u *unit) bool { return slices.Contains(together, u) })
	t.units = append(t.units, merge(t.model.Name, together))
}

// touchesPrimary tells whether a unit changes whether a column of the old or new primary key can be NULL or counts by itself.
func (w *work) touchesPrimary(t *tableWork, u *unit) bool {
	for _, c := range u.changes {
		a, ok := c.(diff.AlterColumn)
		if !ok || u.phase == phaseMove || a.From.Required == a.To.Required && a.From.Identity == a.To.Identity {
			continue
		}
		if inPrimary(t.from, a.To.Key) || inPrimary(t.to, a.To.Key) {
			return true
		}
	}
	return false
}

func inPrimary(t *catalog.Table, column string) bool {
	return slices.ContainsFunc(t.Keys, func(k *catalog.Key) bool { return k.Kind == catalog.Primary && hasPart(k, column) })
}

// countsAnew tells whether a unit makes a column that counts by itself from now on, or a key that it needs for that.
func (w *work) countsAnew(t *tableWork, u *unit) bool {
	column := ""
	for _, c := range t.adds {
		if c.Column.Identity != "" {
			column = c.Column.Key
		}
	}
	for _, c := range t.alters {
		if c.To.Identity != "" && c.From.Identity == "" {
			column = c.To.Key
		}
	}
	if column == "" {
		return false
	}
	for _, c := range u.changes {
		switch c := c.(type) {
		case diff.AddColumn:
			if c.Column.Key == column || partOfKeyOf(t.to, column, c.Column.Key) {
				return true
			}
		case diff.AlterColumn:
			if c.To.Key == column && u.phase != phaseMove {
				return true
			}
		case diff.AddConstraint:
			if firstPart(c.Constraint.Columns) == column && c.Constraint.Kind != schema.ForeignKey {
				return true
			}
		case diff.CreateIndex:
			if firstPart(c.Index.Parts) == column {
				return true
			}
		}
	}
	return false
}

func firstPart(parts []schema.Part) string {
	if len(parts) == 0 {
		return ""
	}
	return parts[0].Column
}

// partOfKeyOf tells whether a column is in a key that begins with another one.
func partOfKeyOf(t *catalog.Table, first, column string) bool {
	return slices.ContainsFunc(t.Keys, func(k *catalog.Key) bool {
		return len(k.Parts) > 1 && columnKey(k.Parts[0].Column) == first && hasPart(k, column)
	})
}

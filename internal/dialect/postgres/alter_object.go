package postgres

import (
	"fmt"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/dialect/postgres/catalog"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/schema"
)

// inPlace tells whether an object can be changed where it is, or has to be dropped and made again.
func (w *work) inPlace(c diff.AlterObject) bool {
	switch c.To.Kind {
	case "policy", "rule", "statistics", "publication_table", "event_trigger":
		return false
	case "publication":
		from, to := w.From.details.objects[c.From.ID()].Props, w.To.details.objects[c.To.ID()].Props
		return from["all_tables"] == to["all_tables"] && from["schemas"] == to["schemas"]
	case "function", "procedure":
		from, to := w.From.details.functions[c.From.Key], w.To.details.functions[c.To.Key]
		return from.arguments == to.arguments && from.returns == to.returns && from.defaults <= to.defaults && from.Window == to.Window
	case "aggregate":
		return false
	case "type":
		// A range or a base type cannot be changed; dropping it would take columns with it, so it is refused: see changeObject.
		return true
	}
	return true
}

// addsLabels tells whether an enum only gets new labels: the old ones are still there, in their order.
func (w *work) addsLabels(c diff.AlterObject) bool {
	i := 0
	for _, l := range c.To.Labels {
		if i < len(c.From.Labels) && c.From.Labels[i] == l {
			i++
		}
	}
	return i == len(c.From.Labels)
}

func (w *work) changeObject(id string, c diff.AlterObject) {
	o := c.To
	s := &plan.Step{Kind: "alter_" + o.Kind, Object: o.Name, Changes: []diff.Change{c}, Old: c.From.Canon, New: o.Canon}
	p := printer{Loaded: w.To}
	switch o.Kind {
	case "type":
		w.changeType(id, c, s)
	case "domain":
		w.changeDomain(id, c, s)
	case "sequence":
		s.SQL = w.sequenceMoves(c)
		text := w.sequenceChange(c)
		if kept, owner, ok := strings.Cut(text, " OWNED BY "); ok && w.newOwner(o.Key) {
			text = kept
			if w.From.details.sequences[c.From.Key].OwnedBy != nil {
				text += " OWNED BY NONE" // the old owner may go before the new one is there
			}
			w.ownLater(id, c, owner)
		}
		if text != "" {
			s.SQL = append(s.SQL, "ALTER SEQUENCE "+sqlName(o.Name)+text)
		}
		if to := w.To.details.sequences[o.Key]; strings.HasSuffix(c.From.Canon, "logged") || strings.HasSuffix(o.Canon, "logged") {
			s.SQL = append(s.SQL, "ALTER SEQUENCE "+sqlName(o.Name)+map[bool]string{true: " SET UNLOGGED", false: " SET LOGGED"}[to.Unlogged])
		}
		phase := phaseAlter
		if to := w.To.details.sequences[o.Key]; to.OwnedBy != nil {
			if c, ok := w.changes.alters[columnID(to.OwnedBy.String(), to.OwnedColumn)].(diff.AlterColumn); ok && w.madeAgain(c) {
				phase = phaseConstraint // the sequence would go with the column that is dropped
			}
		}
		if len(s.SQL) > 0 {
			w.add(phase, s, shareRowExclusive).moving(id)
		}
	case "function", "procedure":
		s.SQL = within(w.To.details.functions[o.Key].Origin, p.replaceRoutine(o))
		w.add(phaseRoutine, s, none).moving(id)
	case "comment":
		s.Kind = "comment"
		s.SQL = []string{w.commentSQL(w.To, o, literal(w.To.details.objects[id].Props["text"]))}
		w.add(phaseComment, s, shareUpdateExclusive).moving(id)
	case "grant":
		s.Kind = "grant"
		s.SQL = w.grantChange(c)
		w.add(phaseGrant, s, none).moving(id)
	case "default_privileges":
		s.SQL = append(w.defaultPrivilegesSQL(w.From, c.From, "REVOKE"), w.defaultPrivilegesSQL(w.To, o, "GRANT")...)
		w.add(phaseGrant, s, none).moving(id)
	case "owner":
		s.SQL = []string{w.ownerSQL(w.To, o)}
		w.add(phaseGrant, s, accessExclusive).moving(id)
	case "extension":
		w.changeExtension(id, c, s)
	case "publication":
		s.SQL = []string{"ALTER PUBLICATION " + quote(o.Key) + " SET (" + publicationChange(w.To.details.objects[id]) + ")"}
		w.add(phasePart, s, none).moving(id)
	default:
		w.errs = append(w.errs, &schema.Error{Side: schema.Head, Pos: o.Pos, Kind: schema.KindUnsupported, Text: fmt.Sprintf(
			"%s %s changes, and how to change it where it is is not understood; drop it in one change and make it again in the next", o.Kind, o.Name)})
	}
}

// publicationChange sets all options of a publication, those that are as usual too.
func publicationChange(o *catalog.Object) string {
	all := &catalog.Object{Props: map[string]string{"publish": o.Props["publish"], "publish_via_partition_root": o.Props["publish_via_partition_root"]}}
	if all.Props["publish"] == "" {
		all.Props["publish"] = "insert,update,delete,truncate"
	}
	if all.Props["publish_via_partition_root"] == "" {
		all.Props["publish_via_partition_root"] = "false"
	}
	return publicationOptions(all)
}

func (w *work) changeExtension(id string, c diff.AlterObject, s *plan.Step) {
	from, to := w.From.details.objects[id].Props, w.To.details.objects[id].Props
	head := "ALTER EXTENSION " + quote(c.To.Name)
	if orDefault(from["schema"], catalog.Public) != orDefault(to["schema"], catalog.Public) {
		s.SQL = append(s.SQL, head+" SET SCHEMA "+quote(orDefault(to["schema"], catalog.Public)))
	}
	if from["version"] != to["version"] && from["version"] != "" && to["version"] != "" {
		update := head + " UPDATE"
		if to["version"] != "" {
			update += " TO " + literal(to["version"])
		}
		s.SQL = append(s.SQL, update)
	}
	w.add(phaseSchema, s, none).moving(id)
}

// changeType changes a type: labels are added to an enum where it is, one by one in transactions of their own; an enum that loses or
// moves labels is made anew and swapped in; a composite type gets and loses attributes.
func (w *work) changeType(id string, c diff.AlterObject, s *plan.Step) {
	from, to := w.From.details.types[c.From.Key], w.To.details.types[c.To.Key]
	switch {
	case from.Kind == catalog.Enum && to.Kind == catalog.Enum && w.addsLabels(c):
		s.SQL = addLabels(to, c.From.Labels)
		w.add(phaseLabel, s, none).online().moving(id)
	case from.Kind == catalog.Enum && to.Kind == catalog.Enum:
		w.swap(id, c, s)
	case from.Kind == catalog.Composite && to.Kind == catalog.Composite && w.attributes(from, to, s):
		w.add(phaseType, s, none).moving(id)
	default:
		w.errs = append(w.errs, &schema.Error{Side: schema.Head, Pos: c.To.Pos, Kind: schema.KindTransition, Text: fmt.Sprintf(
			"type %s changes in a way that PostgreSQL cannot do to a type that is there; make a new type, move the columns to it, and drop the old one in a later change", c.To.Name)})
	}
}

// addLabels gives a statement for each new label. It says where the label stands, since that is its order.
func addLabels(t *catalog.Type, had []string) []string {
	var sql []string
	for i, l := range t.Labels {
		if slices.Contains(had, l) {
			continue
		}
		place := ""
		if i > 0 {
			place = " AFTER " + literal(t.Labels[i-1])
			if !slices.ContainsFunc(t.Labels[i+1:], func(next string) bool { return slices.Contains(had, next) }) {
				place = "" // at the end
			}
		} else if len(had) > 0 {
			place = " BEFORE " + literal(had[0])
		}
		sql = append(sql, "ALTER TYPE "+t.Name.SQL()+" ADD VALUE "+literal(l)+place)
	}
	return sql
}

// swap makes an enum anew beside the old one, moves the columns over by the text of their values, and drops the old one.
func (w *work) swap(id string, c diff.AlterObject, s *plan.Step) {
	p := printer{Loaded: w.To}
	t := w.To.details.types[c.To.Key]
	staging := t.Name
	staging.Name = shortened(StagingPrefix + staging.Name)
	s.SQL = []string{fmt.Sprintf("ALTER TYPE %s RENAME TO %s", t.Name.SQL(), quote(staging.Name)), p.typ(t)}
	st := w.add(phaseAlter, s, exclusiveRewrite).shifting(id)
	for _, table := range w.in.From.Tables {
		for _, col := range table.Columns {
			d := w.From.details.columns[col]
			if !slices.Contains(d.types, id) || w.in.To.Table(table.Key) == nil {
				continue
			}
			to := w.in.To.Table(table.Key).Column(col.Key)
			if to == nil || to.TypeCanon != col.TypeCanon {
				st.after = append(st.after, w.changing(columnID(table.Key, col.Key))...)
				continue
			}
			if w.inPartitionKey(table.Key, col.Key) {
				w.errs = append(w.errs, w.partitionedBy(t, table, to))
				return
			}
			head := fmt.Sprintf("ALTER TABLE %s ALTER COLUMN %s ", sqlName(table.Name), quote(col.Name))
			if col.Default != nil {
				s.SQL = append(s.SQL, head+"DROP DEFAULT")
				st.dropping(defaultID(table.Key, col.Key))
			}
			via := "text"
			if strings.HasSuffix(d.base, "[]") {
				via = "text[]"
			}
			s.SQL = append(s.SQL, fmt.Sprintf("%sTYPE %s USING %s::%s::%[2]s", head, w.To.typeSQL(to.Type), quote(col.Name), via))
			if to.Default != nil && w.changes.alters[columnID(table.Key, col.Key)] == nil {
				s.SQL = append(s.SQL, head+"SET DEFAULT "+to.Default.Text)
			} else if to.Default != nil && col.Default != nil && col.Default.Canon == to.Default.Canon {
				s.SQL = append(s.SQL, head+"SET DEFAULT "+to.Default.Text)
			}
			st.shifting(columnID(table.Key, col.Key))
		}
	}
	s.SQL = append(s.SQL, "DROP TYPE "+staging.SQL())
}

// partitionedBy says that an enum cannot be made anew under a column by which a table is partitioned.
func (w *work) partitionedBy(t *catalog.Type, table *schema.Table, c *schema.Column) error {
	return &schema.Error{Side: schema.Head, Pos: t.Pos(), Kind: schema.KindTransition, Text: fmt.Sprintf(
		"type %s loses or moves labels, so that it is made again, which PostgreSQL cannot do under column %s.%s, by which the table is partitioned: leave the labels where they are, or make a new table, move the rows, and drop the old one in a later change", t.Name, table.Name, c.Name)}
}

// changing lists the steps so far that change a thing where it is.
func (w *work) changing(id string) []*step {
	var steps []*step
	for _, s := range w.steps {
		if slices.Contains(s.moves, id) {
			steps = append(steps, s)
		}
	}
	return steps
}

// attributes changes a composite type, where what is new stands behind what stays.
func (w *work) attributes(from, to *catalog.Type, s *plan.Step) bool {
	head, p := "ALTER TYPE "+to.Name.SQL()+" ", printer{Loaded: w.To}
	var kept []string
	for _, c := range from.Columns {
		i := slices.IndexFunc(to.Columns, func(x *catalog.Column) bool { return x.Name == c.Name })
		if i < 0 {
			s.SQL = append(s.SQL, head+"DROP ATTRIBUTE "+quote(c.Name))
			continue
		}
		kept = append(kept, c.Name)
		if was, is := w.typeText(w.From, c.Type), w.typeText(w.To, to.Columns[i].Type); was != is {
			if w.storedIn(typeID(from.Name.String()), map[string]bool{}) {
				return false // the server changes no attribute of which a table has values
			}
			s.SQL = append(s.SQL, head+"ALTER ATTRIBUTE "+quote(c.Name)+" TYPE "+p.typeText(to.Columns[i].Type))
		}
	}
	for i, c := range to.Columns {
		switch {
		case i < len(kept) && kept[i] != c.Name:
			return false
		case i >= len(kept):
			s.SQL = append(s.SQL, head+"ADD ATTRIBUTE "+quote(c.Name)+" "+p.typeText(c.Type))
		}
	}
	return len(s.SQL) > 0
}

// storedIn tells whether a column that stays has values of a type, by itself or within another type.
func (w *work) storedIn(id string, seen map[string]bool) bool {
	for _, user := range w.users[id] {
		switch kind, _, _ := strings.Cut(user, " "); {
		case seen[user] || w.changes.drops[user] != nil:
		case kind == "column":
			return true
		case kind == "type":
			seen[user] = true
			if w.storedIn(user, seen) {
				return true
			}
		}
	}
	return false
}

// newOwner tells whether the column that a sequence of the head belongs to is made by this plan.
func (w *work) newOwner(sequence string) bool {
	s := w.To.details.sequences[sequence]
	return s.OwnedBy != nil && (w.changes.creates[columnID(s.OwnedBy.String(), s.OwnedColumn)] != nil || w.changes.creates[relationID(s.OwnedBy.String())] != nil)
}

// ownLater says whose a sequence is once that column is there: its default needs the sequence before.
func (w *work) ownLater(id string, c diff.AlterObject, owner string) {
	s := w.To.details.sequences[c.To.Key]
	w.To.graph.need("owned "+id, columnID(s.OwnedBy.String(), s.OwnedColumn))
	w.add(phaseConstraint, &plan.Step{Kind: "alter_sequence", Object: c.To.Name, Changes: []diff.Change{c}, Old: c.From.Canon, New: c.To.Canon,
		SQL: []string{"ALTER SEQUENCE " + s.Name.SQL() + " OWNED BY " + owner}}, shareRowExclusive).making("owned " + id)
}

func (w *work) typeText(l *Loaded, t catalog.TypeRef) string {
	canon, _, _, _, _ := binderOf(l).Type(t)
	return canon
}

// changeDomain changes what a domain demands. Its checks are added without reading the tables that use it, and then validated.
func (w *work) changeDomain(id string, c diff.AlterObject, s *plan.Step) {
	from, to := w.From.details.types[c.From.Key], w.To.details.types[c.To.Key]
	if was, is := w.typeText(w.From, from.Base), w.typeText(w.To, to.Base); was != is || from.Collation != nil && to.Collation != nil && *from.Collation != *to.Collation {
		w.errs = append(w.errs, &schema.Error{Side: schema.Head, Pos: c.To.Pos, Kind: schema.KindTransition, Text: fmt.Sprintf(
			"domain %s changes from %s to %s, which ALTER DOMAIN cannot do; make a new domain, move the columns to it, and drop the old one in a later change", c.To.Name, was, is)})
		return
	}
	if held := w.heldInside(id); held != "" && (!from.NotNull && to.NotNull || len(to.Checks) > 0) {
		w.errs = append(w.errs, &schema.Error{Side: schema.Head, Pos: c.To.Pos, Kind: schema.KindTransition, Text: fmt.Sprintf(
			"domain %s demands something else, and PostgreSQL cannot look at the values inside %s; make a new domain, move the columns to it, and drop the old one in a later change", c.To.Name, held)})
		return
	}
	head := "ALTER DOMAIN " + to.Name.SQL() + " "
	a, b := &analyst{Loaded: w.From, binder: binderOf(w.From), seen: map[string]bool{}}, &analyst{Loaded: w.To, binder: binderOf(w.To), seen: map[string]bool{}}
	had, has := map[string]string{}, map[string]string{}
	for _, k := range from.Checks {
		had[k.Name] = a.domainCheck(from, k, "discarded")
	}
	for _, k := range to.Checks {
		has[k.Name] = b.domainCheck(to, k, "discarded")
	}
	for _, name := range sortedKeys(had) {
		if has[name] != had[name] {
			s.SQL = append(s.SQL, head+"DROP CONSTRAINT "+quote(name))
		}
	}
	s.SQL = append(s.SQL, domainDefault(head, from, to)...)
	if from.NotNull != to.NotNull {
		s.SQL = append(s.SQL, head+map[bool]string{true: "SET NOT NULL", false: "DROP NOT NULL"}[to.NotNull])
	}
	for _, k := range to.Checks {
		if had[k.Name] == has[k.Name] {
			continue
		}
		add := head + "ADD CONSTRAINT " + quote(k.Name) + " " + k.Text
		s.SQL = append(s.SQL, add)
		if !k.NotValid && !w.Plain {
			s.SQL[len(s.SQL)-1] += " NOT VALID"
			s.SQL = append(s.SQL, head+"VALIDATE CONSTRAINT "+quote(k.Name))
		}
	}
	lock := plan.Lock{Level: "SHARE on every table that uses the domain", Blocks: "writes", Scan: true}
	w.add(phaseType, s, lock).moving(id)
}

// heldInside gives a column that holds a domain inside of something else, an array or a composite type (PostgreSQL 15, typecmds.c:
// get_rels_with_domain refuses those).
func (w *work) heldInside(id string) string {
	for _, t := range w.in.From.Tables {
		for _, col := range t.Columns {
			d := w.From.details.columns[col]
			if slices.Contains(d.types, id) && typeID(d.base) != id {
				return t.Key + "." + col.Name
			}
		}
	}
	for _, user := range w.users[id] {
		if kind, name, _ := strings.Cut(user, " "); kind == "type" && w.From.details.types[name].Kind == catalog.Composite {
			return "type " + name
		}
	}
	return ""
}

func domainDefault(head string, from, to *catalog.Type) []string {
	switch {
	case to.Default == nil && from.Default != nil:
		return []string{head + "DROP DEFAULT"}
	case to.Default != nil && (from.Default == nil || from.Default.Text != to.Default.Text):
		return []string{head + "SET DEFAULT " + to.Default.Text}
	}
	return nil
}

// sequenceChange gives what ALTER SEQUENCE has to be told.
func (w *work) sequenceChange(c diff.AlterObject) string {
	from, to := w.From.details.sequences[c.From.Key], w.To.details.sequences[c.To.Key]
	text := ""
	if from.Type != to.Type {
		text += " AS " + to.Type
	}
	text += sequenceParameters(from, to)
	if restarts(from, to) {
		text += " RESTART"
	}
	switch {
	case to.OwnedBy == nil && from.OwnedBy != nil:
		text += " OWNED BY NONE"
	case to.OwnedBy != nil && (from.OwnedBy == nil || *from.OwnedBy != *to.OwnedBy || from.OwnedColumn != to.OwnedColumn):
		text += " OWNED BY " + to.OwnedBy.SQL() + "." + quote(to.OwnedColumn)
	}
	return text
}

// restarts tells whether no number that a sequence can have reached is within its new limits, so that it has to begin anew.
func restarts(from, to *catalog.Sequence) bool {
	up := to.Increment > 0
	return up != (from.Increment > 0) || up && (from.Start > to.Max || from.Max < to.Min) || !up && (from.Start < to.Min || from.Min > to.Max)
}

// sequenceMoves takes a sequence that stands before its new limits to where they begin: the server keeps where it stands.
func (w *work) sequenceMoves(c diff.AlterObject) []string {
	from, to := w.From.details.sequences[c.From.Key], w.To.details.sequences[c.To.Key]
	limit, comparison := to.Min, "<"
	if to.Increment < 0 {
		limit, comparison = to.Max, ">"
	}
	if restarts(from, to) || to.Increment > 0 && from.Min >= to.Min || to.Increment < 0 && from.Max <= to.Max {
		return nil
	}
	name := sqlName(c.To.Name)
	return []string{fmt.Sprintf("SELECT setval(%s, %d, false) FROM %s WHERE last_value %s %[2]d", literal(name), limit, name, comparison)}
}

// sequenceParameters gives the parameters in which two sequences differ.
func sequenceParameters(from, to *catalog.Sequence) string {
	text := ""
	add := func(word string, a, b int64) {
		if a != b {
			text += fmt.Sprintf(" %s %d", word, b)
		}
	}
	add("INCREMENT BY", from.Increment, to.Increment)
	add("MINVALUE", from.Min, to.Min)
	add("MAXVALUE", from.Max, to.Max)
	add("START WITH", from.Start, to.Start)
	add("CACHE", from.Cache, to.Cache)
	if from.Cycle != to.Cycle {
		text += map[bool]string{true: " CYCLE", false: " NO CYCLE"}[to.Cycle]
	}
	return text
}

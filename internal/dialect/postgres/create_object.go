package postgres

import (
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/altergate/altergate/internal/dialect/postgres/catalog"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/schema"
)

// createObject makes the step in which an object comes, or comes back.
func (w *work) createObject(id string, c diff.CreateObject) {
	o := c.Object
	p := printer{Loaded: w.To}
	s := &plan.Step{Kind: "create_" + o.Kind, Object: o.Name, Changes: []diff.Change{c}, New: o.Canon}
	d := w.To.details.objects[id]
	phase, lock := phasePart, none
	switch o.Kind {
	case "schema":
		phase, s.SQL = phaseSchema, []string{"CREATE SCHEMA " + quote(o.Name)}
	case "extension":
		phase = phaseSchema
		s.SQL = []string{"CREATE EXTENSION " + quote(o.Name)}
		if in := d.Props["schema"]; in != "" {
			s.SQL[0] += " SCHEMA " + quote(in)
		}
		if v := d.Props["version"]; v != "" {
			s.SQL[0] += " VERSION " + literal(v)
		}
		if len(w.To.along(o.Name)) > 0 {
			s.SQL[0] += " CASCADE"
		}
	case "type", "domain":
		phase, s.SQL = phaseType, []string{p.typ(w.To.details.types[o.Key])}
		for _, k := range w.To.details.types[o.Key].Checks {
			if k.NotValid {
				s.SQL = append(s.SQL, "ALTER DOMAIN "+sqlName(o.Name)+" ADD CONSTRAINT "+quote(k.Name)+" "+k.Text)
			}
		}
	case "sequence":
		w.createSequence(id, c, s)
		return
	case "function", "procedure", "aggregate":
		phase, s.SQL = phaseRoutine, p.routine(o)
	case "policy":
		lock = accessExclusive
		s.SQL = []string{p.policy(o)}
	case "rule":
		lock = accessExclusive
		s.SQL = []string{o.Text}
		if e := d.Props["enabled"]; e != "" {
			s.SQL = append(s.SQL, "ALTER TABLE "+sqlName(o.On)+" "+enabledWords[e]+" RULE "+quote(partName(o)))
		}
	case "comment":
		s.Kind, phase, lock = "comment", phaseComment, shareUpdateExclusive
		s.SQL = []string{w.commentSQL(w.To, o, literal(d.Props["text"]))}
	case "grant":
		s.Kind, phase = "grant", phaseGrant
		s.SQL = w.grantSQL(o)
	case "default_privileges":
		phase = phaseGrant
		s.SQL = w.defaultPrivilegesSQL(w.To, o, "GRANT")
	case "owner":
		phase = phaseGrant
		s.Kind = "alter_owner"
		s.SQL = []string{w.ownerSQL(w.To, o)}
	case "statistics":
		lock = shareUpdateExclusive
		s.SQL = p.statistics(d)
	case "publication":
		s.SQL = []string{p.publication(d)}
	case "publication_table":
		lock = shareUpdateExclusive
		s.SQL = []string{"ALTER PUBLICATION " + quote(d.Props["name"]) + " ADD TABLE " + p.published(d)}
	case "event_trigger":
		s.SQL = []string{o.Text}
		if e := enabledWords[d.Props["enabled"]]; e != "" {
			s.SQL = append(s.SQL, "ALTER EVENT TRIGGER "+quote(o.Key)+" "+e)
		}
	default:
		s.SQL = []string{o.Text}
	}
	if d != nil {
		s.SQL = within(d.Origin, s.SQL)
	} else if f := w.To.details.functions[o.Key]; f != nil && phase == phaseRoutine {
		s.SQL = within(f.Origin, s.SQL)
	} else if t := w.To.details.types[o.Key]; t != nil && phase == phaseType {
		s.SQL = within(t.Origin, s.SQL)
	}
	if o.On != "" && w.isNew(o.On) {
		lock = none
	}
	st := w.add(phase, s, lock).making(id).taking(id)
	switch o.Kind {
	case "type", "domain":
		st.taking(space(o.Key))
	case "function", "procedure", "aggregate":
		st.taking(overloads(w.To, o.Key))
	}
}

// createSequence makes a sequence, and says whose it is once that column is there.
func (w *work) createSequence(id string, c diff.CreateObject, s *plan.Step) {
	d := w.To.details.sequences[c.Object.Key]
	p := printer{Loaded: w.To}
	s.SQL = []string{p.sequence(d)}
	if d.OwnedBy == nil {
		w.add(phaseSequence, s, none).making(id).taking(space(c.Object.Key))
		return
	}
	owned := "ALTER SEQUENCE " + d.Name.SQL() + " OWNED BY " + d.OwnedBy.SQL() + "." + quote(d.OwnedColumn)
	column := columnID(d.OwnedBy.String(), d.OwnedColumn)
	if w.changes.creates[column] == nil && w.changes.creates[relationID(d.OwnedBy.String())] == nil {
		s.SQL = append(s.SQL, owned)
		w.add(phaseSequence, s, none).making(id).taking(space(c.Object.Key))
		return
	}
	whole := s.New
	s.New = sequenceCanon(d)
	st := w.add(phaseSequence, s, none).making(id).taking(space(c.Object.Key))
	then := w.add(phaseConstraint, &plan.Step{Kind: "alter_sequence", Object: c.Object.Name, Changes: []diff.Change{diff.AlterObject{From: c.Object, To: c.Object}}, Old: s.New, New: whole, SQL: []string{owned}}, shareRowExclusive)
	then.after = append(then.after, st)
	w.To.graph.need("owned "+id, column)
	then.making("owned " + id)
}

// subject writes what a comment, a grant or an owner is about, with the word for what it is.
func (w *work) subject(l *Loaded, kind string, on *catalog.Name, name string) string {
	word := strings.ToUpper(kind)
	switch {
	case on != nil && name == "":
		return word + " " + on.SQL()
	case kind == "column" && on == nil: // of a composite type
		of, attribute := splitLast(name)
		return word + " " + sqlName(of) + "." + quote(fold(attribute))
	case kind == "column":
		return word + " " + on.SQL() + "." + quote(name)
	case on != nil && kind != "index":
		return word + " " + quote(name) + " ON " + on.SQL()
	}
	switch kind {
	case "function", "procedure", "aggregate":
		return word + " " + w.routineSQL(l, name)
	case "schema", "extension", "publication", "event trigger", "language", "server", "foreign data wrapper":
		return word + " " + quote(name)
	case "constraint": // of a domain
		domain, constraint := splitLast(name)
		return word + " " + quote(fold(constraint)) + " ON DOMAIN " + sqlName(domain)
	}
	return word + " " + sqlName(name)
}

func (w *work) routineSQL(l *Loaded, key string) string {
	return printer{Loaded: l}.routineName(key)
}

func (w *work) commentSQL(l *Loaded, o *schema.Object, text string) string {
	d := l.details.objects[o.ID()]
	return "COMMENT ON " + w.subject(l, d.Props["kind"], d.On, d.Props["name"]) + " IS " + text
}

// losesColumnOf tells whether a privilege is on a column of a table that goes, or that is made again, and with it what could be done to it.
func (w *work) losesColumnOf(table *catalog.Name, privilege string) bool {
	_, column, ok := strings.Cut(strings.TrimSuffix(privilege, ")"), " (")
	if !ok || table == nil {
		return false
	}
	id := columnID(table.String(), fold(column))
	alter, altered := w.changes.alters[id].(diff.AlterColumn)
	return w.changes.drops[id] != nil || w.changes.rebuilt[id] || altered && w.madeAgain(alter)
}

// dropOpaqueSQL writes the DROP of an object that is known by its text: its key names it as SQL does.
func dropOpaqueSQL(o *catalog.Object) (string, bool) {
	kind, name, ok := strings.Cut(o.Key, " ")
	for _, long := range []string{"operator class", "operator family", "text search configuration", "text search dictionary", "text search parser", "text search template", "foreign data wrapper", "user mapping", "access method"} {
		if rest, found := strings.CutPrefix(o.Key, long+" "); found {
			kind, name = long, rest
		}
	}
	if m := o.Node.GetCreateUserMappingStmt(); m != nil {
		return "DROP USER MAPPING FOR " + mappedSQL(m.User) + " SERVER " + quote(m.Servername), true
	}
	switch kind {
	case "transform", "operator", "cast", "operator class", "operator family", "collation", "conversion", "text search configuration", "text search dictionary",
		"text search parser", "text search template", "server", "foreign data wrapper", "language", "access method", "subscription":
		return "DROP " + strings.ToUpper(kind) + " " + name, ok
	}
	return "", false
}

// along gives the extensions that came along with one.
func (l *Loaded) along(extension string) []string {
	return slices.DeleteFunc(catalog.Along(extension), func(name string) bool {
		x := l.catalog.Extensions[name]
		return x == nil || x.Props[catalog.PropAlong] != extension
	})
}

func mappedSQL(r *pg.RoleSpec) string {
	if r.GetRoletype() == pg.RoleSpecType_ROLESPEC_CSTRING {
		return quote(r.GetRolename())
	}
	return strings.TrimPrefix(r.GetRoletype().String(), "ROLESPEC_")
}

// tableCanon is the whole definition of a table in canonical form, for the identity of a step.
func tableCanon(t *schema.Table) string {
	text := "table " + t.Key
	for _, c := range t.Columns {
		text += "\n" + c.Canon
	}
	for _, k := range t.Constraints {
		text += "\n" + k.Canon
	}
	for _, o := range t.Options {
		text += "\n" + o
	}
	for _, x := range t.Indexes {
		text += "\n" + x.Canon
	}
	return text
}

package postgres

import (
	"fmt"
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

// policy writes a policy as it is now.
func (p printer) policy(o *schema.Object) string {
	d := p.details.objects[o.ID()]
	text := "CREATE POLICY " + quote(partName(o)) + " ON " + sqlName(o.On)
	if d.Props["permissive"] != "true" {
		text += " AS RESTRICTIVE"
	}
	if c := d.Props["command"]; c != "" && c != "all" {
		text += " FOR " + strings.ToUpper(c)
	}
	if roles := d.Props["roles"]; roles != "" && roles != "public" {
		text += " TO " + rolesSQL(roles)
	}
	if d.Expr != nil {
		text += " USING (" + d.Expr.Text + ")"
	}
	if d.Check != nil {
		text += " WITH CHECK (" + d.Check.Text + ")"
	}
	return text
}

// rolesSQL writes a list of roles; some are words of the grammar.
func rolesSQL(list string) string {
	var roles []string
	for _, r := range strings.Split(list, ",") {
		roles = append(roles, roleSQL(strings.TrimSpace(r)))
	}
	return strings.Join(roles, ", ")
}

func roleSQL(role string) string {
	switch strings.ToLower(role) {
	case "public", "current_user", "session_user", "current_role":
		return strings.ToUpper(role)
	}
	if strings.HasPrefix(role, `"`) {
		return role
	}
	return quote(role)
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

// privileges of a grant as SQL: lists of words, with and without the right to pass them on.
func splitPrivileges(props map[string]string) (plain, passing []string) {
	for _, list := range []string{props["privileges"], props["columns"]} {
		for _, p := range splitCommas(list) {
			name, option := strings.CutSuffix(p, "*")
			if word, column, ok := strings.Cut(name, "("); ok {
				name = word + " (" + column
			}
			if option {
				passing = append(passing, name)
			} else {
				plain = append(plain, name)
			}
		}
	}
	return plain, passing
}

// splitCommas cuts a list at the commas outside of parentheses.
func splitCommas(list string) []string {
	var parts []string
	depth, start := 0, 0
	for i, r := range list {
		switch r {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				parts = append(parts, list[start:i])
				start = i + 1
			}
		}
	}
	if list != "" {
		parts = append(parts, list[start:])
	}
	return parts
}

func (w *work) grantSQL(o *schema.Object) []string {
	d := w.To.details.objects[o.ID()]
	on := " ON " + w.grantSubject(w.To, d)
	var sql []string
	plain, passing := splitPrivileges(d.Props)
	if revoked := d.Props["revoked"]; revoked != "" {
		sql = append(sql, "REVOKE "+strings.ReplaceAll(revoked, ",", ", ")+on+" FROM "+roleSQL(d.Props["to"]))
	}
	if len(plain) > 0 {
		sql = append(sql, "GRANT "+strings.Join(plain, ", ")+on+" TO "+roleSQL(d.Props["to"]))
	}
	if len(passing) > 0 {
		sql = append(sql, "GRANT "+strings.Join(passing, ", ")+on+" TO "+roleSQL(d.Props["to"])+" WITH GRANT OPTION")
	}
	return sql
}

// grantSubject writes what a grant is on: views and tables are both tables there.
func (w *work) grantSubject(l *Loaded, d *catalog.Object) string {
	kind := d.Props["kind"]
	switch kind {
	case "aggregate":
		kind = "function"
	case "domain":
		kind = "type"
	}
	return w.subject(l, kind, d.On, d.Props["name"])
}

// revokeSQL takes away what a grant gave, and gives back what it took.
func (w *work) revokeSQL(o *schema.Object) []string {
	d := w.From.details.objects[o.ID()]
	on := " ON " + w.grantSubject(w.From, d)
	var sql []string
	plain, passing := splitPrivileges(d.Props)
	all := slices.DeleteFunc(append(plain, passing...), func(privilege string) bool { return w.losesColumnOf(d.On, privilege) })
	if len(all) > 0 {
		sql = append(sql, "REVOKE "+strings.Join(all, ", ")+on+" FROM "+roleSQL(d.Props["to"]))
	}
	if revoked := d.Props["revoked"]; revoked != "" {
		sql = append(sql, "GRANT "+strings.ReplaceAll(revoked, ",", ", ")+on+" TO "+roleSQL(d.Props["to"]))
	}
	return sql
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

func (w *work) grantChange(c diff.AlterObject) []string {
	return append(w.revokeSQL(c.From), w.grantSQL(c.To)...)
}

func (w *work) defaultPrivilegesSQL(l *Loaded, o *schema.Object, verb string) []string {
	d := l.details.objects[o.ID()]
	head := "ALTER DEFAULT PRIVILEGES"
	if r := d.Props["role"]; r != "" {
		head += " FOR ROLE " + roleSQL(r)
	}
	if in := d.Props["schema"]; in != "" {
		head += " IN SCHEMA " + quote(in)
	}
	on := " ON " + strings.ToUpper(d.Props["on"])
	to := roleSQL(d.Props["to"])
	plain, passing := splitPrivileges(d.Props)
	var sql []string
	give := func(list []string, option string) {
		if len(list) == 0 {
			return
		}
		if verb == "GRANT" {
			sql = append(sql, head+" GRANT "+strings.Join(list, ", ")+on+" TO "+to+option)
		} else {
			sql = append(sql, head+" REVOKE "+strings.Join(list, ", ")+on+" FROM "+to)
		}
	}
	give(plain, "")
	give(passing, " WITH GRANT OPTION")
	if revoked := splitCommas(d.Props["revoked"]); len(revoked) > 0 {
		opposite := head + " REVOKE " + strings.Join(revoked, ", ") + on + " FROM " + to
		if verb != "GRANT" {
			opposite = head + " GRANT " + strings.Join(revoked, ", ") + on + " TO " + to
		}
		sql = append(sql, opposite)
	}
	return sql
}

func (w *work) ownerSQL(l *Loaded, o *schema.Object) string {
	kind, name, _ := strings.Cut(o.Key, " ")
	subject := strings.ToUpper(kind) + " " + sqlName(name)
	switch kind {
	case "view":
		if v := l.details.views[name]; v != nil && v.Materialized {
			subject = "MATERIALIZED " + subject
		}
	case "function", "procedure", "aggregate":
		subject = strings.ToUpper(kind) + " " + w.routineSQL(l, name)
	case "schema":
		subject = "SCHEMA " + quote(name)
	}
	return fmt.Sprintf("ALTER %s OWNER TO %s", subject, roleSQL(o.Text))
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

package postgres

import (
	"fmt"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/dialect/postgres/catalog"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

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

// rolesSQL writes a list of roles.
func rolesSQL(list string) string {
	roles := catalog.SplitNames(list)
	for i, r := range roles {
		roles[i] = roleSQL(r)
	}
	return strings.Join(roles, ", ")
}

// roleSQL writes a role, by name or by a word of the grammar. A role called "Public" is none of these.
func roleSQL(role string) string {
	switch role {
	case "public", "current_user", "session_user":
		return strings.ToUpper(role)
	}
	return quote(role)
}

// privileges of a grant as SQL: lists of words, with and without the right to pass them on.
func splitPrivileges(props map[string]string) (plain, passing []string) {
	for _, list := range []string{props["privileges"], props["columns"]} {
		for _, p := range catalog.SplitList(list) {
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
	if revoked := catalog.SplitList(d.Props["revoked"]); len(revoked) > 0 {
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

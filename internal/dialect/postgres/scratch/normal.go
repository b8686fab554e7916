package scratch

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/altergate/altergate/internal/dialect/postgres/script"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/proof"
	"github.com/altergate/altergate/internal/schema"
)

// Forms are the server's own texts for what one side says, by object: "view v", "materialized view v", "constraint t.name",
// "index name", "default t.column", "generated t.column", "type of t.column", "trigger t.name", "policy t.name", "rule t.name", and
// "function f(types)" for a body that is SQL and not a string. Names are as reports have them.
type Forms struct {
	Text map[string]string
	// Reason is a clause that says why there are none, when the server lacks what the side needs; empty = there are.
	Reason string
}

// formQueries give the forms.
func formQueries(number int) []string {
	column := func(kind, text, condition string) string {
		return `SELECT '` + kind + ` ' || ` + relation + ` || '.' || a.attname, ` + text +
			fromRelations("'r', 'p', 'f', 'v', 'm', 'c'", "JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum") + condition
	}
	queries := []string{
		`SELECT CASE c.relkind WHEN 'v' THEN 'view ' ELSE 'materialized view ' END || ` + relation + `, pg_get_viewdef(c.oid)` + fromRelations("'v', 'm'", ""),
		`SELECT 'constraint ' || ` + relation + ` || '.' || k.conname, pg_get_constraintdef(k.oid)` + fromRelations("'r', 'p', 'f'", "JOIN pg_constraint k ON k.conrelid = c.oid AND k.contype NOT IN ('t', 'n')"),
		`SELECT 'constraint ' || ` + named("n.nspname", "t.typname") + ` || '.' || k.conname, pg_get_constraintdef(k.oid) FROM pg_constraint k JOIN pg_type t ON t.oid = k.contypid JOIN pg_namespace n ON n.oid = t.typnamespace
		WHERE k.contype <> 'n' AND ` + ours("pg_type", "t.oid"),
		`SELECT 'index ' || ` + relation + `, pg_get_indexdef(c.oid)` + fromRelations("'i', 'I'", "JOIN pg_index i ON i.indexrelid = c.oid") + ` AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = c.oid AND k.contype IN ('p', 'u', 'x'))`,
		column("default", "pg_get_expr(d.adbin, d.adrelid)", " AND d.adbin IS NOT NULL AND a.attgenerated = ''"),
		column("generated", "pg_get_expr(d.adbin, d.adrelid)", " AND a.attgenerated <> ''"),
		column("type of", "format_type(a.atttypid, a.atttypmod)", ""),
		`SELECT 'trigger ' || ` + relation + ` || '.' || t.tgname, pg_get_triggerdef(t.oid)` + fromRelations("'r', 'p', 'v', 'm', 'f'", "JOIN pg_trigger t ON t.tgrelid = c.oid AND NOT t.tgisinternal"),
		`SELECT 'policy ' || ` + relation + ` || '.' || p.polname, concat_ws(' ', 'USING ' || pg_get_expr(p.polqual, p.polrelid), 'WITH CHECK ' || pg_get_expr(p.polwithcheck, p.polrelid))` + fromRelations("'r', 'p'", "JOIN pg_policy p ON p.polrelid = c.oid"),
		`SELECT 'rule ' || ` + relation + ` || '.' || r.rulename, pg_get_ruledef(r.oid)` + fromRelations("'r', 'p', 'v', 'm', 'f'", "JOIN pg_rewrite r ON r.ev_class = c.oid AND r.rulename <> '_RETURN'"),
	}
	if number >= 140000 {
		queries = append(queries, `SELECT 'function ' || `+named("n.nspname", "p.proname")+` || '(' || oidvectortypes(p.proargtypes) || ')', pg_get_function_sqlbody(p.oid)
		FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE p.prosqlbody IS NOT NULL AND `+ours("pg_proc", "p.oid"))
	}
	return queries
}

// Normal asks the server at the URL for its own forms of one side, after renames. Errors are those of Prove, without a side.
func Normal(ctx context.Context, url string, side Side, renames diff.Renames) (Forms, error) {
	s, err := connect(ctx, url)
	if err != nil {
		return Forms{}, err
	}
	databases, err := s.create(ctx, 1)
	if err != nil {
		return Forms{}, err
	}
	defer drop(ctx, databases)
	forms, err := databases[0].normal(ctx, side, renames)
	if why := (*proof.Unfit)(nil); errors.As(err, &why) {
		return Forms{Reason: why.Reason}, nil
	}
	return forms, err
}

func (d *database) normal(ctx context.Context, side Side, renames diff.Renames) (Forms, error) {
	b, err := d.build(ctx, schema.Side(""), side, leftOut{})
	if err != nil {
		return Forms{}, err
	}
	if err := d.rename(ctx, renames); err != nil {
		return Forms{}, err
	}
	if err := b.finish(ctx); err != nil {
		return Forms{}, err
	}
	results, err := d.results(ctx, "SET search_path = pg_catalog, public;\n"+strings.Join(formQueries(d.server.number), ";\n"))
	if err != nil {
		return Forms{}, fmt.Errorf("reading the server's normal forms: %w", err)
	}
	forms := Forms{Text: map[string]string{}}
	for _, result := range results {
		for _, r := range texts(result) {
			forms.Text[r[0]] = orEmpty(r[1])
		}
	}
	return forms, nil
}

// rename gives tables and columns their names in the head. Tables go by way of names that nobody has, since two may change places.
func (d *database) rename(ctx context.Context, renames diff.Renames) error {
	ts, err := d.tables(ctx)
	if err != nil {
		return err
	}
	schemas, err := d.query(ctx, "SELECT nspname FROM pg_catalog.pg_namespace")
	if err != nil {
		return fmt.Errorf("reading the schemas of a scratch database: %w", err)
	}
	var first, then []string
	now := map[string]string{} // where a table is, by its name in the head
	for _, t := range ts.all {
		now[t.name] = t.sql
	}
	for i, r := range renames.Tables {
		t := ts.byName[r.From]
		if t == nil {
			return fmt.Errorf("renaming %s to %s on the scratch server: there is no such table", r.From, r.To)
		}
		from := schemaOf(t.sql)
		space, name := target(schemas, r.To)
		between := fmt.Sprintf("altergate_%d", i)
		first = append(first, "ALTER TABLE "+t.sql+" RENAME TO "+between)
		if space != from {
			then = append(then, "ALTER TABLE "+from+"."+between+" SET SCHEMA "+space)
		}
		then = append(then, "ALTER TABLE "+space+"."+between+" RENAME TO "+name)
		now[r.To] = space + "." + name
	}
	then = append(then, renameColumns(renames.Columns, now)...)
	for _, statement := range append(first, then...) {
		if err := d.exec(ctx, statement); err != nil {
			return fmt.Errorf("renaming on the scratch server (%s): %w", proof.Excerpt(statement), err)
		}
	}
	return nil
}

// renameColumns does for columns what rename does for tables.
func renameColumns(renames []diff.RenameColumn, now map[string]string) []string {
	var first, then []string
	for i, r := range renames {
		between := fmt.Sprintf("altergate_%d", i)
		first = append(first, "ALTER TABLE "+now[r.Table]+" RENAME COLUMN "+script.Quote(r.From)+" TO "+between)
		then = append(then, "ALTER TABLE "+now[r.Table]+" RENAME COLUMN "+between+" TO "+script.Quote(r.To))
	}
	return append(first, then...)
}

// target takes a name in the head apart into schema and table, as SQL. A name may hold a dot; it depends on whether there is such a schema.
func target(schemas [][]string, name string) (string, string) {
	space, rest, _ := strings.Cut(name, ".")
	for _, r := range schemas {
		if r[0] == space && rest != "" {
			return script.Quote(space), script.Quote(rest)
		}
	}
	return "public", script.Quote(name)
}

// schemaOf gives the schema in a table's SQL name: what stands before the dot between its parts, which may be quoted and hold dots.
func schemaOf(sql string) string {
	quoted := false
	for i, c := range sql {
		switch {
		case c == '"':
			quoted = !quoted
		case c == '.' && !quoted:
			return sql[:i]
		}
	}
	return "public"
}

package scratch

import (
	"context"
	"fmt"
	"regexp"
	"sort"
	"strings"

	"github.com/altergate/altergate/internal/proof"
)

// facts reads everything that the server says of a side's databases.
func (d *databases) facts(ctx context.Context) ([]proof.Fact, error) {
	var all []proof.Fact
	for _, read := range []func(context.Context) ([]proof.Fact, error){d.databaseFacts, d.tableFacts, d.triggerFacts, d.routineFacts, d.eventFacts} {
		some, err := read(ctx)
		if err != nil {
			return nil, fmt.Errorf("reading the catalog of a scratch database: %w", err)
		}
		all = append(all, some...)
	}
	return all, nil
}

func (d *databases) databaseFacts(ctx context.Context) ([]proof.Fact, error) {
	rows, err := d.query(ctx, "SELECT schema_name, default_character_set_name, default_collation_name FROM information_schema.schemata WHERE schema_name IN ("+d.list()+") ORDER BY 1")
	var out []proof.Fact
	for _, r := range rows {
		what := "the database"
		if name := d.names[r[0].String]; name != "" {
			what = "database " + name
		}
		out = append(out, proof.Fact{What: what, Text: r[1].String + " " + r[2].String})
	}
	return out, err
}

// tableFacts reads tables, views and sequences by what the server prints of them.
func (d *databases) tableFacts(ctx context.Context) ([]proof.Fact, error) {
	rows, err := d.query(ctx, "SELECT table_schema, table_name, table_type FROM information_schema.tables WHERE table_schema IN ("+d.list()+") ORDER BY table_type = 'VIEW', 1, 2")
	if err != nil {
		return nil, err
	}
	var out []proof.Fact
	for _, r := range rows {
		name, sql := d.shown(r[0].String, r[1].String), sqlName(r[0].String, r[1].String)
		switch r[2].String {
		case "VIEW":
			text, err := d.view(ctx, sql)
			if err != nil {
				return nil, err
			}
			out = append(out, proof.Fact{What: "view " + name, Text: text})
		case "SEQUENCE":
			printed, err := d.query(ctx, "SHOW CREATE SEQUENCE "+sql)
			if err != nil {
				return nil, err
			}
			out = append(out, proof.Fact{What: "sequence " + name, Text: d.said(printed[0][1].String)})
		default:
			printed, err := d.query(ctx, "SHOW CREATE TABLE "+sql)
			if err != nil {
				return nil, err
			}
			out = append(out, tableFacts(name, d.said(printed[0][1].String))...)
		}
	}
	return out, nil
}

// view gives what a view is, and what the server has against it.
func (d *databases) view(ctx context.Context, sql string) (string, error) {
	printed, err := d.query(ctx, "SHOW CREATE VIEW "+sql)
	if err != nil {
		return "", err
	}
	checked, err := d.query(ctx, "CHECK TABLE "+sql)
	if err != nil {
		return "", err
	}
	text := d.withoutOwnDefiner(d.said(printed[0][1].String))
	for _, r := range checked {
		if strings.EqualFold(r[2].String, "error") {
			return text + "; it is broken: " + d.said(r[3].String), nil
		}
	}
	columns, err := d.query(ctx, "SELECT column_name, column_type, is_nullable, collation_name FROM information_schema.columns WHERE CONCAT('`', table_schema, '`.`', REPLACE(table_name, '`', '``'), '`') = "+literal(sql)+" ORDER BY ordinal_position")
	if err != nil {
		return "", err
	}
	for _, c := range columns {
		text += fmt.Sprintf("; %s %s %s %s", c[0].String, c[1].String, c[2].String, c[3].String)
	}
	return text, nil
}

// unsaid is what is no difference between tables: how far they have counted, and the row format that InnoDB has by itself.
var unsaid = regexp.MustCompile(` AUTO_INCREMENT=\d+| ROW_FORMAT=DYNAMIC`)

// tableFacts takes a printed CREATE TABLE apart: columns in their order, and keys, foreign keys and checks for themselves, since a new
// one comes last whatever its place in a file.
func tableFacts(name, printed string) []proof.Fact {
	lines := strings.Split(printed, "\n")
	var columns []string
	var parts []proof.Fact
	end := len(lines)
	for i, line := range lines[1:] {
		if strings.HasPrefix(line, ")") {
			end = i + 1
			break
		}
		line = folded(strings.TrimSuffix(strings.TrimSpace(line), ","))
		if strings.HasPrefix(line, "`") {
			columns = append(columns, line)
			continue
		}
		parts = append(parts, proof.Fact{What: partName(name, line), Text: line})
	}
	out := []proof.Fact{{What: "table " + name, Text: unsaid.ReplaceAllString(strings.Join(lines[end:], "\n"), "")}, {What: "the order of columns of " + name, Text: order(columns)}}
	for _, c := range columns {
		column, _, _ := strings.Cut(strings.ReplaceAll(c[1:], "``", "\x00"), "`")
		out = append(out, proof.Fact{What: "column " + name + "." + strings.ReplaceAll(column, "\x00", "`"), Text: c})
	}
	sort.SliceStable(parts, func(a, b int) bool { return parts[a].What < parts[b].What })
	return append(out, parts...)
}

var inBackticks = regexp.MustCompile("`(?:[^`]|``)*`")

// folded gives a line with its names in lower case: those of columns, keys and constraints are compared so.
func folded(line string) string { return inBackticks.ReplaceAllStringFunc(line, strings.ToLower) }

// order gives the names of columns.
func order(columns []string) string {
	var names []string
	for _, c := range columns {
		ts := tokens(c, mode{})
		names = append(names, ts[0].text)
	}
	return strings.Join(names, ", ")
}

// partName names a key or a constraint by its line.
func partName(table, line string) string {
	kind, rest := "index", line
	switch {
	case strings.HasPrefix(line, "PRIMARY KEY"):
		return "primary key of " + table
	case strings.HasPrefix(line, "CONSTRAINT ") && strings.Contains(line, " FOREIGN KEY "):
		kind = "foreign key"
	case strings.HasPrefix(line, "CONSTRAINT "):
		kind = "check"
	case strings.HasPrefix(line, "PERIOD"):
		kind = "period"
	}
	for _, t := range tokens(rest, mode{}) {
		if t.kind == quoted {
			return kind + " " + table + "." + t.text
		}
	}
	return kind + " of " + table + " " + line
}

func (d *databases) triggerFacts(ctx context.Context) ([]proof.Fact, error) {
	rows, err := d.query(ctx, "SELECT trigger_schema, trigger_name, event_object_schema, event_object_table, action_timing, event_manipulation, definer, action_statement FROM information_schema.triggers WHERE trigger_schema IN ("+
		d.list()+") ORDER BY 3, 4, 5, 6, action_order")
	var out []proof.Fact
	order := map[string][]string{}
	for _, r := range rows {
		table := d.shown(r[2].String, r[3].String)
		at := fmt.Sprintf("%s %s ON %s", r[4].String, r[5].String, table)
		order[at] = append(order[at], r[1].String)
		out = append(out, proof.Fact{What: "trigger " + d.shown(r[0].String, r[1].String), Text: at + d.otherDefiner(r[6].String) + " " + plain(d.said(r[7].String), mode{})})
	}
	for _, at := range keys(order) {
		out = append(out, proof.Fact{What: "the order of triggers " + at, Text: strings.Join(order[at], ", ")})
	}
	return out, err
}

func (d *databases) routineFacts(ctx context.Context) ([]proof.Fact, error) {
	rows, err := d.query(ctx, "SELECT routine_schema, routine_name, routine_type, dtd_identifier, routine_definition, is_deterministic, sql_data_access, security_type, definer, routine_comment FROM information_schema.routines WHERE routine_schema IN ("+
		d.list()+") ORDER BY 1, 3, 2")
	if err != nil {
		return nil, err
	}
	params, err := d.query(ctx, "SELECT specific_schema, routine_type, specific_name, parameter_mode, parameter_name, dtd_identifier, collation_name FROM information_schema.parameters WHERE specific_schema IN ("+d.list()+") ORDER BY 1, 2, 3, ordinal_position")
	if err != nil {
		return nil, err
	}
	of := map[string]string{}
	for _, r := range params {
		of[r[1].String+" "+d.shown(r[0].String, r[2].String)] += fmt.Sprintf(" %s %s %s %s,", r[3].String, strings.ToLower(r[4].String), r[5].String, r[6].String)
	}
	var out []proof.Fact
	for _, r := range rows {
		name := d.shown(r[0].String, r[1].String)
		text := fmt.Sprintf("(%s) %s deterministic %s, %s, security %s, comment %s%s: %s", of[r[2].String+" "+name], r[3].String, r[5].String, r[6].String, r[7].String, literal(r[9].String), d.otherDefiner(r[8].String), plain(d.said(r[4].String), mode{}))
		out = append(out, proof.Fact{What: strings.ToLower(r[2].String) + " " + name, Text: text})
	}
	return out, nil
}

// eventFacts leaves out when an event begins: unless that is stated, it is when the event was made.
func (d *databases) eventFacts(ctx context.Context) ([]proof.Fact, error) {
	rows, err := d.query(ctx, "SELECT event_schema, event_name, event_type, interval_value, interval_field, ends, on_completion, status, event_comment, definer, event_definition FROM information_schema.events WHERE event_schema IN ("+d.list()+") ORDER BY 1, 2")
	var out []proof.Fact
	for _, r := range rows {
		text := fmt.Sprintf("%s every %s %s, ends %s, %s, %s, comment %s%s: %s", r[2].String, r[3].String, r[4].String, r[5].String, r[6].String, r[7].String, literal(r[8].String), d.otherDefiner(r[9].String), plain(d.said(r[10].String), mode{}))
		out = append(out, proof.Fact{What: "event " + d.shown(r[0].String, r[1].String), Text: text})
	}
	return out, err
}

// otherDefiner names a definer unless it is whoever proves: that is whose a thing is for which nobody is named.
func (d *databases) otherDefiner(definer string) string {
	if definer == d.server.user {
		return ""
	}
	return " definer " + definer
}

// withoutOwnDefiner takes the definer out of a printed view if it is whoever proves.
func (d *databases) withoutOwnDefiner(printed string) string {
	user, host, _ := strings.Cut(d.server.user, "@")
	return strings.Replace(printed, " DEFINER="+quote(user)+"@"+quote(host), "", 1)
}

// sameCatalogs says in words where the catalog after the plan differs from the head's.
func sameCatalogs(ctx context.Context, after, head *databases) error {
	have, err := after.facts(ctx)
	if err != nil {
		return err
	}
	want, err := head.facts(ctx)
	if err != nil {
		return err
	}
	return proof.SameFacts(have, want)
}

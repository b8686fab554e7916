package scratch

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/go-sql-driver/mysql"

	"github.com/altergate/altergate/internal/dialect/mysql/script"
	"github.com/altergate/altergate/internal/proof"
	"github.com/altergate/altergate/internal/schema"
)

// mostRefused is how many refusals are worth reading.
const mostRefused = 20

// task is a statement that is to be run on one side's databases.
type task struct {
	statement *script.Statement
	text      string
	where     string // the current database, of ours
	settings  string // a SET that has the session as the statement wants it
	refused   *mysql.MySQLError
	mapped    bool // names of databases in it were changed
}

// builder makes one side's objects. Triggers and events come last, see finish.
type builder struct {
	db    *databases
	side  schema.Side
	want  flavour
	left  leftOut
	where string
	late  []*task
}

// build makes all objects of a side but its triggers and events.
func (d *databases) build(ctx context.Context, side schema.Side, from Side, want flavour, left leftOut) (*builder, error) {
	b := &builder{db: d, side: side, want: want, left: left, where: d.main}
	if err := d.exec(ctx, "SET SESSION foreign_key_checks = 0"); err != nil {
		return nil, err
	}
	var waiting []*task
	for _, s := range from.Statements {
		t, err := b.next(ctx, s)
		if err != nil {
			return nil, err
		}
		if t == nil {
			continue
		}
		done, err := b.run(ctx, t)
		if err != nil {
			return nil, err
		}
		if !done {
			waiting = append(waiting, t)
		}
	}
	return b, b.again(ctx, waiting)
}

// next judges a statement. It gives nothing where there is nothing to run, or not yet.
func (b *builder) next(ctx context.Context, s *script.Statement) (*task, error) {
	d := b.db
	ts := tokens(s.SQL, d.mode)
	what, err := d.server.what(ts, s.SQL, false)
	if err != nil {
		return nil, err
	}
	if why := d.server.reachesOut(ts, d.named); why != "" {
		return nil, &proof.Unfit{Reason: why}
	}
	if strings.HasSuffix(what, " table") && b.want.known() && keepsInline(b.want.Server) != keepsInline(d.server.is) && inlineReferences(ts) {
		return nil, &proof.Unfit{Reason: fmt.Sprintf("%s and the scratch server, %s, differ in what they make of REFERENCES behind a column, at %s: one makes a foreign key, the other forgets it", b.want, d.server.is, s.Pos(0))}
	}
	if what == "set" {
		return nil, b.set(ctx, s, ts)
	}
	text, mapped, err := d.mapped(s.SQL, ts)
	if err != nil {
		return nil, err
	}
	if text, err = d.server.withCollations(text, d.mode, b.want, b.left); err != nil {
		return nil, err
	}
	if what == "use" {
		b.where = d.main
		if len(ts) > 1 && d.named[d.server.fold(ts[1].text)] != "" {
			b.where = d.named[d.server.fold(ts[1].text)]
		}
		return nil, d.exec(ctx, "USE "+quote(b.where))
	}
	t := &task{statement: s, text: text, where: b.where, mapped: mapped}
	switch {
	case strings.HasSuffix(what, " event") && d.server.schedules:
		b.left.add(events, s.SQL)
		return nil, nil
	case strings.HasSuffix(what, " trigger"), strings.HasSuffix(what, " event"):
		if t.settings, err = d.settings(ctx); err != nil {
			return nil, err
		}
		b.late = append(b.late, t)
		return nil, nil
	case what == "create database" && len(ts) > 0 && strings.Contains(text, quote(d.main)):
		return nil, nil // it is there
	}
	return t, nil
}

// set runs what a SET says of the session, as far as it counts.
func (b *builder) set(ctx context.Context, s *script.Statement, ts []token) error {
	text := assignments(s.SQL, ts, false, b.db.server.standard)
	if text == "" {
		return nil
	}
	if err := b.db.exec(ctx, text); err != nil {
		answer := answerOf(err)
		if answer == nil {
			return err
		}
		return b.explain([]*task{{statement: s, text: text, refused: answer}})
	}
	return b.db.readMode(ctx)
}

// readMode asks how the session takes quotes and backslashes.
func (d *databases) readMode(ctx context.Context) error {
	rows, err := d.query(ctx, "SELECT @@sql_mode")
	if err != nil {
		return err
	}
	d.mode = mode{strings.Contains(rows[0][0].String, "ANSI_QUOTES"), strings.Contains(rows[0][0].String, "NO_BACKSLASH_ESCAPES")}
	return nil
}

// settings gives a statement that brings the session back to what it is now.
func (d *databases) settings(ctx context.Context) (string, error) {
	rows, err := d.query(ctx, "SELECT @@sql_mode")
	if err != nil {
		return "", err
	}
	return "SET SESSION sql_mode = " + literal(rows[0][0].String), nil
}

// run runs a task where and how it was written. What it needs may come later: then it is not done.
func (b *builder) run(ctx context.Context, t *task) (bool, error) {
	err := b.db.exec(ctx, t.text)
	if answer := answerOf(err); answer != nil && (answer.Number == 1227 || answer.Number == 4165) && b.db.definer(t.text) != t.text {
		b.left.add(definers, t.statement.SQL)
		t.text = b.db.definer(t.text)
		err = b.db.exec(ctx, t.text)
	}
	if err == nil {
		return true, nil
	}
	if t.refused = answerOf(err); t.refused == nil {
		return false, err
	}
	if t.settings == "" {
		if t.settings, err = b.db.settings(ctx); err != nil {
			return false, err
		}
	}
	return false, nil
}

// again runs what failed again after the others, for as long as that helps.
func (b *builder) again(ctx context.Context, waiting []*task) error {
	for len(waiting) > 0 {
		var still []*task
		for _, t := range waiting {
			for _, first := range []string{t.settings, "USE " + quote(t.where)} {
				if err := b.db.exec(ctx, first); err != nil {
					return err
				}
			}
			done, err := b.run(ctx, t)
			if err != nil {
				return err
			}
			if !done {
				still = append(still, t)
			}
		}
		if len(still) == len(waiting) {
			return b.explain(still)
		}
		waiting = still
	}
	return nil
}

// finish makes the triggers and events: triggers would have acted on the filling of the tables.
func (b *builder) finish(ctx context.Context) error {
	if err := b.again(ctx, b.late); err != nil {
		return err
	}
	return b.db.exec(ctx, "USE "+quote(b.db.main))
}

// definer takes DEFINER = … out of a statement.
func (d *databases) definer(text string) string {
	ts := tokens(text, d.mode)
	for i, t := range ts {
		if !t.is("definer") || i+2 >= len(ts) || ts[i+1].text != "=" {
			continue
		}
		end := i + 2
		if end+2 < len(ts) && ts[end+1].text == "@" {
			end += 2
		} else if end+2 < len(ts) && ts[end+1].text == "(" {
			end += 2
		}
		return text[:t.from] + text[ts[end].to:]
	}
	return text
}

// withCollations has a collation that the server knows where a schema for the other flavour names one that it does not.
func (s *server) withCollations(text string, m mode, want flavour, left leftOut) (string, error) {
	if !want.known() || want.MariaDB == s.is.MariaDB {
		return text, nil
	}
	var out strings.Builder
	from := 0
	for _, t := range tokens(text, m) {
		name := strings.ToLower(t.text)
		if t.kind == other || s.collations[name] || !strings.HasPrefix(name, "utf8mb4_") && !strings.HasPrefix(name, "utf8mb3_") || !(strings.Contains(name, "_0900_") || strings.Contains(name, "uca1400")) {
			continue
		}
		stands := name[:len("utf8mb4")] + "_unicode_520_ci"
		if strings.HasSuffix(name, "_bin") || strings.HasSuffix(name, "_cs") {
			stands = name[:len("utf8mb4")] + "_bin"
		}
		out.WriteString(text[from:t.from] + stands)
		from = t.to
	}
	if from > 0 {
		left.add(collations, text)
	}
	return out.String() + text[from:], nil
}

// explain says why statements cannot be run: because of what the server lacks, or because of themselves. What only misses something
// is left out where something else is refused: that is probably what it misses.
func (b *builder) explain(tasks []*task) error {
	var causes, misses []error
	for _, t := range tasks {
		if reason := b.lacks(t); reason != "" {
			return &proof.Unfit{Reason: reason}
		}
		err := &schema.Error{Side: b.side, Pos: position(t.statement), Path: t.statement.Path, Kind: schema.KindSchema,
			Text: fmt.Sprintf("%s refuses this: %s", b.db.server.is, b.db.message(t.refused))}
		if isMiss(t.refused.Number) {
			misses = append(misses, err)
		} else {
			causes = append(causes, err)
		}
	}
	if len(causes) == 0 {
		causes = misses
	}
	return errors.Join(causes[:min(mostRefused, len(causes))]...)
}

// message gives the server's words of a refusal.
func (d *databases) message(e *mysql.MySQLError) string { return proof.Excerpt(d.said(e.Message)) }

// isMiss tells whether a refusal is for something that is not there.
func isMiss(number uint16) bool {
	switch number {
	case 1146, 1054, 1305, 1824, 1356, 1049, 1360, 1091, 1072, 4091: // table, column, routine, parent, view's tables, database, trigger, key, key's column, sequence
		return true
	}
	return false
}

// lacks says what the server does not have or may not do that a statement needs; it is a clause, and empty where the statement itself
// is at fault.
func (b *builder) lacks(t *task) string {
	s, at := b.db.server, position(t.statement)
	switch t.refused.Number {
	case 1044, 1045, 1142, 1143, 1227, 1370, 1410, 1419:
		return "the scratch server's user may not do everything that the schema needs: " + b.db.message(t.refused)
	case 1969, 3024, 1205:
		return fmt.Sprintf("the scratch server needs too long for the statement at %s", at)
	case 1286:
		return "the scratch server does not have a storage engine that the schema needs: " + b.db.message(t.refused)
	case 1021, 1114, 1041, 1037:
		return "the scratch server cannot take the schema: " + b.db.message(t.refused)
	}
	switch {
	case t.mapped:
		return fmt.Sprintf("the scratch server refuses the statement at %s, in which databases have other names there: %s", at, b.db.message(t.refused))
	case b.want.beyond(s.is):
		return fmt.Sprintf("the scratch server, %s, does not take what stands at %s and is meant for %s: %s", s.is, at, b.want, b.db.message(t.refused))
	}
	return ""
}

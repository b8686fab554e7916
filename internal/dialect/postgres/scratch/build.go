package scratch

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/altergate/altergate/internal/dialect/postgres/script"
	"github.com/altergate/altergate/internal/proof"
	"github.com/altergate/altergate/internal/schema"
)

const (
	// batch is how many statements are sent at once. They are one transaction, which holds a lock for each object: a whole dump
	// may need more than the server has.
	batch = 100
	// mostRefused is how many refusals are worth reading.
	mostRefused = 20
)

// task is a statement that is to be run on one side's database.
type task struct {
	statement *script.Statement
	text      string
	refused   *pgconn.PgError
}

// builder makes one side's objects. Event triggers come last, see finish.
type builder struct {
	db   *database
	side schema.Side
	late []*task
}

// build judges the statements of a side and makes all its objects but event triggers.
func (d *database) build(ctx context.Context, side schema.Side, from Side, left leftOut) (*builder, error) {
	b := &builder{db: d, side: side}
	var tasks []*task
	for _, s := range from.Statements {
		if s.Node == nil {
			return nil, fmt.Errorf("building the %s on the scratch server: the statement at %s has not been parsed", side, s.Pos(0))
		}
		r, err := d.server.judge(s.Text, s.Node, false)
		if err != nil {
			return nil, err
		}
		if r.why != "" {
			left.add(r.why, s.Text)
		}
		switch t := (&task{statement: s, text: along(from.Paths[s], r.text)}); {
		case r.out:
		case watchesStatements(s.Node):
			b.late = append(b.late, t)
		default:
			tasks = append(tasks, t)
		}
	}
	return b, b.make(ctx, tasks)
}

// along runs a statement with a search path of its own.
func along(path []string, text string) string {
	if len(path) == 0 || text == "" {
		return text
	}
	var names []string
	for _, name := range path {
		names = append(names, script.Quote(name))
	}
	return "SET search_path = " + strings.Join(names, ", ") + ";\n" + text + ";\nSET search_path = public"
}

// finish makes the event triggers: they would have acted on everything that was made, and on the filling of the tables.
func (b *builder) finish(ctx context.Context) error { return b.make(ctx, b.late) }

// watchesStatements tells whether a statement is about an event trigger.
func watchesStatements(n *pg.Node) bool {
	const is = pg.ObjectType_OBJECT_EVENT_TRIGGER
	switch n := n.GetNode().(type) {
	case *pg.Node_CreateEventTrigStmt, *pg.Node_AlterEventTrigStmt:
		return true
	case *pg.Node_CommentStmt:
		return n.CommentStmt.GetObjtype() == is
	case *pg.Node_AlterOwnerStmt:
		return n.AlterOwnerStmt.GetObjectType() == is
	case *pg.Node_RenameStmt:
		return n.RenameStmt.GetRenameType() == is
	case *pg.Node_DropStmt:
		return n.DropStmt.GetRemoveType() == is
	}
	return false
}

// make runs statements in their order, and those that fail again after the others, for as long as that helps.
func (b *builder) make(ctx context.Context, tasks []*task) error {
	waiting, err := b.inBatches(ctx, tasks)
	for err == nil && len(waiting) > 0 {
		var still []*task
		if still, err = b.oneByOne(ctx, waiting); err == nil && len(still) == len(waiting) {
			return b.explain(still)
		}
		waiting = still
	}
	return err
}

// inBatches runs statements many at a time, and gives those that failed.
func (b *builder) inBatches(ctx context.Context, tasks []*task) ([]*task, error) {
	var waiting []*task
	for len(tasks) > 0 {
		some := tasks[:min(batch, len(tasks))]
		tasks = tasks[len(some):]
		var texts []string
		for _, t := range some {
			texts = append(texts, t.text)
		}
		err := b.db.exec(ctx, strings.Join(texts, ";\n"))
		if err == nil {
			continue
		}
		if answerOf(err) == nil {
			return nil, err
		}
		failed, err := b.oneByOne(ctx, some)
		if err != nil {
			return nil, err
		}
		waiting = append(waiting, failed...)
	}
	return waiting, nil
}

// oneByOne runs statements, and gives those that failed.
func (b *builder) oneByOne(ctx context.Context, tasks []*task) ([]*task, error) {
	var failed []*task
	for _, t := range tasks {
		err := b.db.exec(ctx, t.text)
		if err == nil {
			continue
		}
		if t.refused = answerOf(err); t.refused == nil {
			return nil, err
		}
		if b.db.conn.TxStatus() != 'I' {
			if err := b.db.exec(ctx, "ROLLBACK"); err != nil {
				return nil, err
			}
		}
		if reason := b.db.server.lacks(t); reason != "" && t.statement.Node.GetCreateExtensionStmt() != nil {
			return nil, &proof.Unfit{Reason: reason} // most of what follows would fail as well, again and again
		}
		failed = append(failed, t)
	}
	return failed, nil
}

// explain says why statements cannot be run: because of what the server lacks, or because of themselves. What only misses something
// is left out where something else is refused: that is probably what it misses.
func (b *builder) explain(tasks []*task) error {
	var causes, misses []error
	for _, t := range tasks {
		if reason := b.db.server.lacks(t); reason != "" {
			return &proof.Unfit{Reason: reason}
		}
		err := &schema.Error{Side: b.side, Pos: t.statement.Pos(0), Path: t.statement.Path, Kind: schema.KindSchema,
			Text: fmt.Sprintf("PostgreSQL %s refuses this: %s", b.db.server.version, message(t.refused))}
		if isMiss(t.refused.Code) {
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
func message(e *pgconn.PgError) string {
	text := e.Message
	if e.Detail != "" {
		text += " (" + strings.TrimSuffix(e.Detail, ".") + ")"
	}
	return proof.Excerpt(text)
}

// isMiss tells whether a refusal is for something that is not there.
func isMiss(code string) bool {
	switch code {
	case "42P01", "42703", "42704", "42883", "3F000": // table, column, object, function, schema
		return true
	}
	return false
}

// lacks says what the server does not have or may not do that a statement needs; it is a clause, and empty where the statement
// itself is at fault.
func (s *server) lacks(t *task) string {
	e := t.refused
	if extension := t.statement.Node.GetCreateExtensionStmt().GetExtname(); extension != "" {
		switch {
		case e.Code == "42501":
			return fmt.Sprintf("extension %s needs a superuser, and the scratch server's role is none", extension)
		case e.Code == "0A000", e.Code == "58P01":
			return fmt.Sprintf("extension %s is not installed on the scratch server", extension)
		case e.Code != "42710" && !isMiss(e.Code):
			return fmt.Sprintf("extension %s cannot be made on the scratch server: %s", extension, message(e))
		}
	}
	switch {
	case e.Code == "42501":
		return "the scratch server's role may not do everything that the schema needs: " + message(e)
	case e.Code == "58P01":
		return "the scratch server does not have a file that the schema needs: " + message(e)
	case e.Code == "57014":
		return fmt.Sprintf("the scratch server needs too long for the statement at %s", t.statement.Pos(0))
	case strings.HasPrefix(e.Code, "53"), strings.HasPrefix(e.Code, "54"):
		return "the scratch server cannot take the schema: " + message(e)
	case e.Code == "42601" && strings.HasPrefix(e.Message, "syntax error"):
		return fmt.Sprintf("the scratch server, PostgreSQL %s, does not know what stands at %s: %s", s.version, t.statement.Pos(0), message(e))
	case e.Code == "22023" && strings.HasPrefix(e.Message, "could not create locale"):
		return "the scratch server does not have a locale that the schema needs: " + message(e)
	case e.Code == "0A000" && strings.Contains(e.Message, "is not supported by this build"), e.Code == "0A000" && strings.Contains(e.Message, "not supported on this platform"):
		return "the scratch server does not support something that the schema needs: " + message(e)
	case e.Code == "42704":
		for _, what := range []string{"role", "language", "tablespace", "collation", "access method"} {
			if strings.HasPrefix(e.Message, what+" ") {
				return "the scratch server does not have something that the schema needs: " + message(e)
			}
		}
	}
	return ""
}

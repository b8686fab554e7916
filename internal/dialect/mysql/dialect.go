package mysql

import (
	"context"
	"errors"
	"strings"

	"github.com/altergate/altergate/internal/dialect/mysql/catalog"
	"github.com/altergate/altergate/internal/dialect/mysql/scratch"
	"github.com/altergate/altergate/internal/dialect/mysql/server"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/proof"
	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/schemajson"
	"github.com/altergate/altergate/internal/source"
)

// Dialect is one flavour as internal/dialect uses it, of one version: what a text means depends on it. Where a version is stated in part,
// it is all those between Oldest and Newest: texts are read, and plans written, as the newest takes them, and every statement is taken to
// cost what it costs the oldest.
type Dialect struct{ Oldest, Newest server.Server }

// Name gives the word for the dialect.
func (d Dialect) Name() string {
	if d.Newest.MariaDB {
		return MariaDB
	}
	return MySQL
}

// Key gives a table's name as it is: whether two that differ by case are one depends on the server's lower_case_table_names, and the
// safe reading is that they are two. Names of columns are folded when a hint is read, see Hint.
func (Dialect) Key(name string) string { return name }

// Hint gives a hint with the names of columns in the form in which they are compared.
func (Dialect) Hint(h diff.Hint) diff.Hint { return foldHint(h) }

func foldHint(h diff.Hint) diff.Hint {
	if h.Table != "" {
		h.From, h.To = columnKey(h.From), columnKey(h.To)
	}
	return h
}

// JSON names the dialect, for which documents cannot be written.
func (d Dialect) JSON() schemajson.Dialect { return schemajson.Dialect(d.Name()) }

// Read reads SQL files.
func (d Dialect) Read(ctx context.Context, files []*source.File, like *Loaded) (*Loaded, error) {
	return Read(ctx, d.Newest, files, like)
}

// ReadStatements refuses the statements of a JSON source.
func (Dialect) ReadStatements(ctx context.Context, statements []schemajson.Statement, like *Loaded) (*Loaded, error) {
	return ReadStatements(ctx, statements, like)
}

// Rename gives the base after its renames, with what follows them on the server.
func (d Dialect) Rename(_ context.Context, base *Loaded, r diff.Renames) (*Loaded, error) {
	if r.None() {
		return base, nil
	}
	renamed := *base
	renamed.catalog = base.catalog.Clone()
	for _, t := range r.Tables {
		if err := renamed.catalog.RenameTable(parseName(t.From), parseName(t.To)); err != nil {
			return nil, transition(t.Pos, err)
		}
	}
	exchanged := map[string]bool{} // tables some of whose columns take each other's names, which is done at once
	for _, c := range r.Columns {
		if exchanged[c.Table] {
			continue
		}
		t := renamed.tableOf(c.Table)
		if t == nil || columnNamed(t, c.From) == nil {
			return nil, &schema.Error{Pos: c.Pos, Kind: schema.KindHint, Text: "there is no column " + c.Table + "." + c.From}
		}
		others := map[string]string{}
		for _, o := range r.Columns {
			if o.Table == c.Table {
				others[columnKey(o.From)] = o.To
			}
		}
		err := error(nil)
		if exchanged[c.Table] = others[columnKey(c.To)] != ""; exchanged[c.Table] {
			err = renamed.catalog.ExchangeColumns(t.Name, others)
		} else {
			err = renamed.catalog.RenameColumn(t.Name, c.From, c.To)
		}
		if err != nil {
			return nil, transition(c.Pos, err)
		}
	}
	renamed.analyse()
	return &renamed, nil
}

func transition(pos schema.Pos, err error) error {
	if known := (*schema.Error)(nil); errors.As(err, &known) {
		return err
	}
	return &schema.Error{Pos: pos, Kind: schema.KindTransition, Text: err.Error()}
}

// parseName takes a name apart as reports write it.
func parseName(name string) catalog.Name {
	if database, rest, ok := strings.Cut(name, "."); ok {
		return catalog.Name{Database: database, Name: rest}
	}
	return catalog.Name{Name: name}
}

// Align leaves out of the head what is no difference.
func (Dialect) Align(_ context.Context, _ string, _, renamed, head *Loaded, _ diff.Renames) error {
	align(renamed, head)
	return nil
}

// Planner prepares planning from a base to a head.
func (d Dialect) Planner(_ context.Context, base, renamed, head *Loaded, o plan.Options) (plan.Planner, []schema.Notice, error) {
	return Planner{Base: base, From: renamed, To: head, Server: d.Newest, Oldest: d.Oldest, Plain: o.Plain}, unknownModes(renamed.catalog, head.catalog), nil
}

// Replay applies the plan's SQL to the model.
func (Dialect) Replay(base, _, head *Loaded, steps []*plan.Step) error {
	return replay(base, head, steps)
}

// noServer is what is given for the URL of a server when none is to be asked.
const noServer = "none"

// Prove runs the plan on a scratch server, where there is one.
func (Dialect) Prove(ctx context.Context, url string, base, head *Loaded, r diff.Renames, steps []*plan.Step) (*proof.Engine, error) {
	if url == "" || url == noServer {
		return nil, nil
	}
	set, collation := head.catalog.DefaultCharset()
	engine, err := scratch.Prove(ctx, url, scratch.Input{Server: head.catalog.Server, Base: base.side(), Head: head.side(), Renames: r, Steps: steps, Charset: set, Collation: collation})
	return engine, unavailable(err)
}

// unavailable makes an answer of a server that cannot be used: the plan may be right, and nobody has said so.
func unavailable(err error) error {
	if no := (*proof.Unavailable)(nil); errors.As(err, &no) {
		return &schema.Error{Kind: schema.KindProof, Text: strings.Join(strings.Fields(no.Error()), " ")}
	}
	return err
}

// side is what a scratch server is given of a source: the statements that act.
func (l *Loaded) side() scratch.Side {
	return scratch.Side{Statements: l.statements, Schema: l.Schema}
}

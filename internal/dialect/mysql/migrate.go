package mysql

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/altergate/altergate/internal/dialect/mysql/catalog"
	"github.com/altergate/altergate/internal/dialect/mysql/script"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/source"
)

// Cut cuts a migration into the statements that a client sends, in their order, and parses those that act on a schema.
func (d Dialect) Cut(f *source.File) ([]*source.Statement, error) {
	sent, bad := script.Cut(f, d.Newest)
	var acting []*script.Statement
	for _, s := range sent {
		if s.Kind != "" {
			acting = append(acting, s.Statement)
		}
	}
	bad = append(bad, script.Parse(acting, d.Newest, nil)...)
	if len(bad) > 0 {
		return nil, errors.Join(asErrors(bad)...)
	}
	list := make([]*source.Statement, len(sent))
	for i, s := range sent {
		list[i] = &source.Statement{Text: s.Text, Pos: s.Pos(0), Node: s}
	}
	return list, nil
}

// Begin gives a side as a new session finds it.
func (d Dialect) Begin(l *Loaded) (*Loaded, error) {
	next := *l
	next.catalog = l.catalog.Begin()
	next.client = client{}
	return &next, nil
}

// client is what a session keeps beside the catalog.
type client struct {
	temporary map[string]bool // keys of its temporary tables
}

// After gives a side after one statement more. The server would say its errors in its own words; what refers to something that comes only
// later is one of them, unlike in a schema's files.
func (d Dialect) After(_ context.Context, l *Loaded, st *source.Statement) (*Loaded, source.Acts, error) {
	s, ok := st.Node.(*script.Sent)
	if !ok {
		return nil, source.Acts{}, &schema.Error{Pos: st.Pos, Kind: schema.KindInternal, Text: "this statement was cut by another dialect"}
	}
	acts := source.Acts{Commits: s.Opaque == "" && commits(s)}
	switch {
	case s.Opaque != "":
		acts.Changes = []diff.Change{diff.RunOpaque{What: s.FirstWords(), Pos: st.Pos}}
		return l.blurred(s, st.Pos), acts, nil
	case s.Kind == "":
		return l.sent(s, st.Pos, acts)
	}
	next := *l
	next.catalog = l.catalog.Clone()
	if _, err := next.catalog.Apply(s.Statement); err != nil {
		return nil, source.Acts{}, l.afterUnknown(placedAt(st.Pos, err))
	}
	if s.Kind == script.Use || s.Kind == script.Set {
		acts.Changes = []diff.Change{diff.RunSession{What: s.FirstWords(), Pos: st.Pos}}
		return &next, acts, nil
	}
	next.deeds(s, &acts, st.Pos)
	acts.Changes = append(acts.Changes, l.madeAgain(s, st.Pos)...)
	acts.Online = asksOnline(s)
	if what := script.RowsClause(s.Statement); what == "TRUNCATE PARTITION" {
		acts.Changes = append(acts.Changes, l.truncatedPart(s, st.Pos))
	} else if what != "" {
		acts.Changes = append(acts.Changes, diff.RunOpaque{What: what, Pos: st.Pos})
	}
	if s.Kind == script.TruncateTable {
		w, err := l.truncate(s, st.Pos)
		if err != nil {
			return nil, source.Acts{}, err
		}
		acts.Changes = append(acts.Changes, w)
		return l, acts, nil
	}
	if err := next.reserved(); err != nil {
		return nil, source.Acts{}, err
	}
	next.analyse()
	return &next, acts, nil
}

// blurred gives a side after a statement that may have changed it in ways that nobody here knows.
func (l *Loaded) blurred(s *script.Sent, pos schema.Pos) *Loaded {
	if l.unknown != "" {
		return l
	}
	next := *l
	next.unknown = fmt.Sprintf("what %s at %s did is not known here, and may be why; write out what it does", s.FirstWords(), pos)
	return &next
}

// afterUnknown says of errors that code ran before which may have changed the schema.
func (l *Loaded) afterUnknown(err error) error {
	if l.unknown != "" {
		for _, e := range schema.Errors(err) {
			e.Text += " (" + l.unknown + ")"
		}
	}
	return err
}

// placedAt gives errors the place of their statement if they have none in it: what the statement breaks may stand elsewhere.
func placedAt(pos schema.Pos, err error) error {
	for _, e := range schema.Errors(err) {
		if e.Pos.File != pos.File || e.Pos.Line < pos.Line || e.Pos.Line == pos.Line && e.Pos.Column < pos.Column {
			e.Pos = pos
		}
	}
	return err
}

// deeds tells what the catalog noted of the statement that it ran last.
func (l *Loaded) deeds(s *script.Sent, acts *source.Acts, pos schema.Pos) {
	did := l.catalog.Deeds()
	for _, r := range did.Tables {
		acts.Renames.Tables = append(acts.Renames.Tables, diff.RenameTable{From: r.From.String(), To: r.To.String(), Pos: pos})
	}
	for _, r := range did.Columns {
		acts.Renames.Columns = append(acts.Renames.Columns, diff.RenameColumn{Table: r.Table.String(), From: columnKey(r.From), To: columnKey(r.To), Pos: pos})
	}
	for _, r := range did.Keys {
		acts.Renames.Parts = append(acts.Renames.Parts, diff.RenamePart{Kind: "index", Table: r.Table.String(), From: r.From, To: r.To, Pos: pos})
	}
	for _, i := range did.Idle {
		if i.Made != nil && l.differs(*i.Made, s) {
			i.Text += ", and not as it is declared here"
		}
		acts.Changes = append(acts.Changes, diff.NoEffect{Text: i.Text, Drop: i.Drop, Pos: i.Pos})
	}
}

// differs tells whether what CREATE … IF NOT EXISTS found there is another than it would make.
func (l *Loaded) differs(made catalog.Made, s *script.Sent) bool {
	fresh := *l
	fresh.catalog = l.catalog.Without(made)
	if _, err := fresh.catalog.Apply(s.Statement); err != nil {
		return true
	}
	was := *l
	was.analyse()
	fresh.analyse()
	align(&was, &fresh)
	return len(diff.Schemas(was.Schema, fresh.Schema)) > 0
}

// sent tells what a statement does that acts on no schema.
func (l *Loaded) sent(s *script.Sent, pos schema.Pos, acts source.Acts) (*Loaded, source.Acts, error) {
	if s.What == "CREATE TEMPORARY TABLE" {
		if id, ok := script.TemporaryTable(s.SQL); ok {
			next := *l
			next.client.temporary = maps.Clone(l.client.temporary)
			if next.client.temporary == nil {
				next.client.temporary = map[string]bool{}
			}
			next.client.temporary[l.catalog.Named(id.Database, id.Name).Key()] = true
			l = &next
		}
	}
	rows := script.ReadRows(s.SQL)
	if rows != nil {
		changes, err := l.writes(s, rows)
		if err != nil {
			return nil, source.Acts{}, l.afterUnknown(err)
		}
		if len(changes) > 0 {
			acts.Changes = append(acts.Changes, changes...)
			return l, acts, nil
		}
	}
	if rows == nil && opaque(s) {
		acts.Changes = append(acts.Changes, diff.RunOpaque{What: s.FirstWords(), Pos: pos})
		return l.blurred(s, pos), acts, nil
	}
	acts.Changes = append(acts.Changes, diff.RunSession{What: s.FirstWords(), Pos: pos})
	return l, acts, nil
}

// opaqueWords begin statements that act on no schema by themselves and whose effect is not read.
var opaqueWords = map[string]bool{"INSERT": true, "REPLACE": true, "UPDATE": true, "DELETE": true, "LOAD DATA": true, "LOAD XML": true, "LOAD": true, "DO": true, "CLONE": true, "RESET": true, "RESTART": true,
	"SHUTDOWN": true, "INSTALL": true, "UNINSTALL": true, "INSTALL PLUGIN": true, "INSTALL COMPONENT": true, "UNINSTALL PLUGIN": true, "UNINSTALL COMPONENT": true, "HANDLER": true}

// opaque tells whether a statement may do what its words do not say.
func opaque(s *script.Sent) bool {
	switch words := script.Words(s.SQL); s.What {
	case "WITH":
		return words["insert"] || words["update"] || words["delete"] || words["replace"]
	case "ANALYZE": // MariaDB's, which runs the statement behind it
		return words["insert"] || words["update"] || words["delete"] || words["replace"]
	}
	return opaqueWords[s.What] || strings.HasPrefix(s.What, "LOAD ") && s.What != "LOAD INDEX"
}

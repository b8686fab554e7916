package postgres

import (
	"fmt"
	"strings"

	"github.com/altergate/altergate/internal/dialect/postgres/catalog"
	"github.com/altergate/altergate/internal/diff"
)

// identity turns a column into one that numbers its rows by itself, or changes how it does.
func (cw *columnWork) identity(st *step) {
	if cw.To.Identity == "" || cw.To.Identity == cw.From.Identity {
		return
	}
	p := printer{Loaded: cw.Planner.To}
	if cw.From.Identity != "" {
		if change := p.identityChange(cw.from.Identity, cw.to.Identity); change != "" {
			cw.sql = append(cw.sql, cw.head+change)
		}
		if was, is := cw.from.Identity.Sequence.Name, cw.to.Identity.Sequence.Name; was != is {
			cw.sql = append(cw.sql, "ALTER SEQUENCE "+was.SQL()+" RENAME TO "+quote(is.Name))
			st.freeing(space(was.String())).taking(space(is.String()))
		}
		return
	}
	sequence := cw.to.Identity.Sequence.Name
	add := cw.head + "ADD " + p.identity(cw.to.Identity)
	old := cw.ownedSequence()
	if old == nil {
		cw.sql = append(cw.sql, add, setval(sequence.SQL(), cw.Table.Name, cw.To.Name))
		st.taking(space(sequence.String()))
		return
	}
	// The numbers go on where the old sequence stands, which may be beyond the highest that is stored.
	staging := old.Name
	staging.Name = shortened(StagingPrefix + staging.Name)
	cw.sql = append(cw.sql,
		fmt.Sprintf("ALTER SEQUENCE %s RENAME TO %s", old.Name.SQL(), quote(staging.Name)), add,
		fmt.Sprintf("SELECT setval('%s', last_value, is_called) FROM %s", strings.ReplaceAll(sequence.SQL(), "'", "''"), staging.SQL()),
		"DROP SEQUENCE "+staging.SQL())
	id := relationID(old.Name.String())
	if d := cw.changes.drops[id]; d != nil {
		cw.changes.folded["drop "+id] = true
		cw.step.Changes = append(cw.step.Changes, d)
		st.dropping(id)
	}
}

// dropIdentity lets a column no longer number its rows by itself. A sequence that it then takes its numbers from, as a serial column
// does, often has the name that the identity's own has; it goes on where that stands.
func (cw *columnWork) dropIdentity(st *step) {
	drop := cw.head + "DROP IDENTITY"
	if cw.to.Default == nil || cw.to.Default.Sequence == nil || cw.from.Identity.Sequence == nil {
		cw.sql = append(cw.sql, drop)
		return
	}
	id := relationID(cw.to.Default.Sequence.String())
	c, ok := cw.changes.creates[id].(diff.CreateObject)
	if !ok {
		cw.sql = append(cw.sql, drop)
		return
	}
	sequence, old := cw.Planner.To.details.sequences[c.Object.Key], cw.from.Identity.Sequence.Name
	staging := old
	staging.Name = shortened(StagingPrefix + staging.Name)
	p := printer{Loaded: cw.Planner.To}
	cw.sql = append(cw.sql,
		fmt.Sprintf("ALTER SEQUENCE %s RENAME TO %s", old.SQL(), quote(staging.Name)), p.sequence(sequence),
		fmt.Sprintf("SELECT setval('%s', last_value, is_called) FROM %s", strings.ReplaceAll(sequence.Name.SQL(), "'", "''"), staging.SQL()), drop)
	if sequence.OwnedBy != nil {
		cw.sql = append(cw.sql, "ALTER SEQUENCE "+sequence.Name.SQL()+" OWNED BY "+sequence.OwnedBy.SQL()+"."+quote(sequence.OwnedColumn))
	}
	cw.changes.folded["create "+id] = true
	cw.step.Changes = append(cw.step.Changes, c)
	st.making(id)
}

// ownedSequence gives the sequence that the column owned and took its default from, which the head no longer has.
func (cw *columnWork) ownedSequence() *catalog.Sequence {
	if cw.from.Default == nil || cw.from.Default.Sequence == nil {
		return nil
	}
	key := cw.from.Default.Sequence.String()
	s := cw.Planner.From.details.sequences[key]
	if s == nil || s.OwnedBy == nil || cw.changes.drops[relationID(key)] == nil {
		return nil
	}
	return s
}

// goOn lets a sequence that is made for a column which has numbers already begin behind them.
func (cw *columnWork) goOn() {
	if cw.to.Default == nil || cw.to.Default.Sequence == nil || cw.From.Identity != "" {
		return
	}
	s := cw.Planner.To.details.sequences[cw.to.Default.Sequence.String()]
	if s == nil || s.Increment < 0 || s.Start > 1 || cw.changes.creates[relationID(s.Name.String())] == nil {
		return
	}
	cw.sql = append(cw.sql, setval(s.Name.SQL(), cw.Table.Name, cw.To.Name))
}

// setval lets a new sequence go on behind the highest value that is stored.
func setval(sequence, table, column string) string {
	return fmt.Sprintf("SELECT setval('%s', COALESCE((SELECT max(%s) FROM %s), 0) + 1, false)", strings.ReplaceAll(sequence, "'", "''"), quote(column), sqlName(table))
}

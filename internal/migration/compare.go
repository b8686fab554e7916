package migration

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/schema"
)

// Delta is what a pull request does to a directory of migrations.
type Delta struct {
	// New are the migrations of head that a database which has run all of base has not run, in the order in which the tool will run
	// them. A repeatable one that has changed is new; one that the tool would silently pass over is not.
	New      []*Migration
	Findings []Finding
}

// Finding is something about the files that a reviewer should know.
type Finding struct {
	Rule      string // edited-migration, deleted-migration, out-of-order, duplicate-version, missing-down, …
	Text      string
	Migration *Migration // nil where it is about several
	Side      schema.Side
	Pos       schema.Pos
	State     string // digest of the texts it is about, on both sides, so that an approval of it ends when they change
	Replay    bool   // base followed by New may give another schema than head's directory from the beginning
}

// comparison is the work of one Compare.
type comparison struct {
	base, head *Directory
	was        map[string][]*Migration // base's by version
	is         map[string][]*Migration // head's by version
	delta      *Delta
	errs       []error
}

// Compare tells what head has that a database at base has not run. A nil base is a database that has run nothing. Errors are
// *schema.Error, joined: then nobody can tell what would run.
func Compare(base, head *Directory) (*Delta, error) {
	if base == nil {
		base = &Directory{Tool: head.Tool, Path: head.Path}
	}
	c := &comparison{base: base, head: head, was: byVersion(base), is: byVersion(head), delta: &Delta{}}
	if len(base.Migrations) > 0 && !sameTool(base.Tool, head.Tool) {
		return nil, &schema.Error{Side: schema.Head, Pos: schema.Pos{File: head.Path}, Kind: schema.KindSource,
			Text: fmt.Sprintf("the migrations are for %s (%s), and were for %s (%s) at the base; set tool if both sides are for one, and change the tool in a pull request of its own otherwise", head.Tool, head.Why, base.Tool, base.Why)}
	}
	if base.folders != head.folders {
		c.base = converted(base, head)
		c.was = byVersion(c.base)
	}
	if head.sum != nil {
		c.errs = append(c.errs, head.sum)
	}
	c.duplicates()
	c.merged()
	c.added()
	if len(c.errs) > 0 {
		return nil, errors.Join(c.errs...)
	}
	return c.delta, nil
}

// converted gives base under the names that head has for the same statements: drizzle's own command (drizzle-kit up) has put each
// migration into a folder.
func converted(base, head *Directory) *Directory {
	now := map[string][]*Migration{}
	for _, m := range head.Migrations {
		now[m.Hash] = append(now[m.Hash], m)
	}
	was := *base
	was.Migrations = nil
	for _, m := range base.Migrations {
		if same := now[m.Hash]; len(same) > 0 {
			now[m.Hash] = same[1:]
			renamed := *m
			renamed.Version, renamed.when, renamed.Path = same[0].Version, same[0].when, same[0].Path
			m = &renamed
		}
		was.Migrations = append(was.Migrations, m)
	}
	return &was
}

// numbered tools agree on names and order, and one directory may look like one of them today and like another tomorrow.
func sameTool(a, b string) bool {
	numbered := []string{"plain", "golang-migrate", "sqlx", "supabase", "atlas"}
	return a == b || slices.Contains(numbered, a) && slices.Contains(numbered, b)
}

func byVersion(d *Directory) map[string][]*Migration {
	all := make(map[string][]*Migration, len(d.Migrations))
	for _, m := range d.Migrations {
		if !m.Baseline {
			all[m.Version] = append(all[m.Version], m)
		}
	}
	return all
}

func (c *comparison) find(rule string, side schema.Side, m *Migration, replay bool, format string, args ...any) {
	c.delta.Findings = append(c.delta.Findings, Finding{Rule: rule, Text: fmt.Sprintf(format, args...), Migration: m, Side: side, Pos: m.Pos(), Replay: replay, State: c.state(side, m)})
}

// state is that of a migration on both sides.
func (c *comparison) state(side schema.Side, m *Migration) string {
	if side == schema.Base {
		return State(m, match(m, c.is[m.Version], c.was[m.Version]))
	}
	return State(c.counterpart(m), m)
}

// duplicates looks for versions that are taken twice: an error where the pull request does it.
func (c *comparison) duplicates() {
	for _, m := range c.head.Migrations {
		same := c.is[m.Version]
		if len(same) < 2 || same[0] == m || m.Baseline {
			continue
		}
		if len(c.was[m.Version]) > 1 {
			c.find("duplicate-version", schema.Head, m, false, "has the version %s, as %s does; the base has both", m.Version, same[0].Path)
			continue
		}
		late, early := m, same[0]
		if c.counterpart(m) != nil && c.counterpart(early) == nil {
			late, early = early, m
		}
		c.errs = append(c.errs, &schema.Error{Side: schema.Head, Pos: late.Pos(), Kind: schema.KindSource,
			Text: fmt.Sprintf("has the version %s, which %s has already; give one of them another, as %s would run only one or neither", m.Version, early.Path, c.head.runner())})
	}
}

// counterpart gives what base has of a migration of head.
func (c *comparison) counterpart(m *Migration) *Migration {
	return match(m, c.was[m.Version], c.is[m.Version])
}

// match picks from several migrations of one version the one that another is: by place and path first.
func match(m *Migration, among, beside []*Migration) *Migration {
	if i := slices.Index(beside, m); i >= 0 && i < len(among) && among[i].Path == m.Path { // several changesets of one file
		return among[i]
	}
	for _, other := range among {
		if other.Path == m.Path {
			return other
		}
	}
	if len(among) == 1 && len(beside) == 1 {
		return among[0]
	}
	return nil
}

// merged looks at what has become of base's migrations.
func (c *comparison) merged() {
	var gone []*Migration
	for _, m := range c.base.Migrations {
		if m.Baseline {
			continue
		}
		now := match(m, c.is[m.Version], c.was[m.Version])
		if now == nil {
			if !m.Repeatable {
				gone = append(gone, m)
			} else {
				c.find("deleted-migration", schema.Base, m, true, "the repeatable migration %s is deleted: what it made stays in databases that ran it, and new ones do not get it", m.Name)
			}
			continue
		}
		if !m.Repeatable {
			c.edited(m, now)
		}
		c.downs(m, now)
	}
	c.deleted(gone)
}

// edited compares the two sides of a migration that has been merged.
func (c *comparison) edited(was, is *Migration) {
	moved := path.Base(was.Path) != path.Base(is.Path) || path.Dir(was.Path) != path.Dir(is.Path) && c.base.Path == c.head.Path
	switch {
	case !was.SameStatements(is) && was.Name != is.Name:
		c.find("never-run", schema.Head, is, true, "has the version %s, which is %s at the base: databases that have run that one never run this one; give it a new version", is.Version, was.Path)
	case !was.SameStatements(is):
		text := "was edited after it was merged: databases that have run it keep what it did before"
		if c.head.Checksums {
			text += ", and " + c.head.Tool + " complains that its checksum has changed"
		}
		c.find("edited-migration", schema.Head, is, true, "%s; undo the edit, and add a new migration", text)
	case moved:
		c.find("renamed-migration", schema.Head, is, false, "is %s at the base; the version and the statements are the same", was.Path)
	case was.Transaction != is.Transaction && c.base.Tool == c.head.Tool:
		c.find("edited-migration", schema.Head, is, false, "says otherwise than when it was merged whether it runs in a transaction, which is of no effect where it has been run")
	case c.head.Checksums && !was.SameText(is):
		c.find("edited-migration", schema.Head, is, false, "has other comments or white space than when it was merged: it does the same, but %s complains that its checksum has changed; undo the edit", c.head.Tool)
	}
}

// downs compares the ways back of a migration that has been merged.
func (c *comparison) downs(was, is *Migration) {
	switch {
	case was.Down != nil && is.Down == nil:
		c.find("missing-down", schema.Head, is, false, "has lost its way back, which it had when it was merged")
	case was.Down != nil && is.Down != nil && was.downHash != is.downHash:
		c.find("edited-down", schema.Head, is, false, "has another way back than when it was merged; that is harmless unless somebody has gone back with it already")
	}
}

// few is how many migrations are named one by one.
const few = 3

// deleted tells of migrations that are gone; many at once are one finding.
func (c *comparison) deleted(gone []*Migration) {
	const means = "databases that are up to date keep what was done, and new ones do not get it"
	if len(gone) <= few {
		for _, m := range gone {
			text := "was deleted after it was merged: " + means
			for _, n := range c.head.Migrations {
				if n.SameStatements(m) && c.counterpart(n) == nil {
					text += fmt.Sprintf("; %s is the same under a new version, and would run again", n.Path)
				}
			}
			c.find("deleted-migration", schema.Base, m, true, "%s", text)
		}
		return
	}
	var names []string
	for _, m := range gone[:few] {
		names = append(names, path.Base(m.Path))
	}
	c.find("deleted-migration", schema.Base, gone[0], true, "%d migrations were deleted after they were merged (%s, …): %s", len(gone), strings.Join(names, ", "), means)
	last := &c.delta.Findings[len(c.delta.Findings)-1]
	last.Migration, last.State = nil, State(gone...)
}

// added finds what is new, and whether the tool will run it.
func (c *comparison) added() {
	last := c.lastApplied()
	newestWhen := newest(c.base.Migrations)
	for i, m := range c.head.Migrations {
		was := c.counterpart(m)
		switch {
		case m.Baseline && slices.ContainsFunc(c.base.Migrations, func(b *Migration) bool { return b.Baseline && b.Version == m.Version }):
			continue
		case m.Baseline && len(c.base.Migrations) > 0:
			c.find("baseline", schema.Head, m, true, "is for empty databases only: those that have run the base never run it")
			continue
		case was != nil && (!m.Repeatable || m.SameStatements(was)):
			continue
		case was == nil && !m.Repeatable && c.late(i, m, last, newestWhen):
			if !c.outOfOrder(m, c.head.Migrations[max(last, 0)]) {
				continue
			}
		}
		c.delta.New = append(c.delta.New, m)
	}
	c.missingDowns()
	for _, m := range c.delta.New {
		if m.Up == nil {
			c.find("unread-migration", schema.Head, m, c.head.Structure == "", "is written in %s: what it does cannot be seen here", m.Language)
		}
		if c.head.listed != nil && !c.head.listed[m.Version] {
			c.find("stale-structure", schema.Head, m, true, "%s does not list the version %s: run the migration, and commit the file that Rails writes", c.head.Structure, m.Version)
		}
	}
}

// lastApplied gives the place in head of the last migration that base has too; -1 = none.
func (c *comparison) lastApplied() int {
	for i := len(c.head.Migrations) - 1; i >= 0; i-- {
		if m := c.head.Migrations[i]; !m.Repeatable && c.counterpart(m) != nil {
			return i
		}
	}
	return -1
}

// late reports whether a new migration sorts before one that has been run.
func (c *comparison) late(i int, m *Migration, last int, newestWhen int64) bool {
	if c.head.Tool == "drizzle" && newestWhen > 0 && m.when > 0 {
		return m.when <= newestWhen
	}
	return i < last
}

// outOfOrder tells of a migration that comes late, and reports whether it will run.
func (c *comparison) outOfOrder(m, after *Migration) bool {
	before := fmt.Sprintf("is new and sorts before %s, which the base has", after.Name)
	if c.head.Tool == "drizzle" && m.when > 0 {
		before = "is new, and its time in meta/_journal.json is not after the newest that the base has"
	}
	switch c.head.OutOfOrder {
	case Runs:
		c.find("out-of-order", schema.Head, m, true, "%s: databases that are up to date run it after that one, new ones before", before)
	case Skips:
		c.find("never-run", schema.Head, m, true, "%s: %s never runs it where the base has been run; give it a version after the newest", before, c.head.Tool)
		return false
	case Refuses:
		c.find("out-of-order", schema.Head, m, true, "%s: %s refuses to run it; give it a version after the newest", before, c.head.Tool)
	case Unknown:
		c.find("out-of-order", schema.Head, m, true, "%s: many tools never run it then; give it a version after the newest", before)
	}
	return true
}

// missingDowns looks for ways back that are missing among new migrations, where the directory otherwise has them.
func (c *comparison) missingDowns() {
	with, without := 0, 0
	for _, m := range c.head.Migrations {
		switch {
		case m.Up == nil || m.Repeatable || m.Baseline || slices.Contains(c.delta.New, m):
		case m.Down != nil:
			with++
		default:
			without++
		}
	}
	if with <= without && c.head.Tool != "dbmate" {
		return
	}
	for _, m := range c.delta.New {
		if m.Up != nil && m.Down == nil && !m.Repeatable && !m.Baseline {
			why := "most others here have one"
			if c.head.Tool == "dbmate" {
				why = "dbmate demands -- migrate:down"
			}
			c.find("missing-down", schema.Head, m, false, "has no way back; %s", why)
		}
	}
}

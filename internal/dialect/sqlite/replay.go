package sqlite

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/proof"
	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/source"
)

// Replay applies the plan's SQL, as it will be printed, to the model of the base and tells whether the head comes out. It reads
// the statements anew and shares nothing with the code that made them. renamed is the base after its renames.
func Replay(base, renamed, head *Loaded, steps []*plan.Step) error {
	c := catalog{}
	c.add(base.entries)
	// ALTER TABLE … RENAME is not understood here but by SQLite itself, which made renamed: it is taken over where the last
	// rename stands, without what was dropped before.
	last := -1
	for i, s := range steps {
		if strings.HasPrefix(s.Kind, "rename_") {
			last = i
		}
	}
	for i, s := range steps {
		for _, sql := range s.Statements() {
			if i <= last && strings.HasPrefix(s.Kind, "rename_") && strings.HasPrefix(sql, "ALTER TABLE") {
				continue
			}
			if err := c.apply(sql); err != nil {
				return fmt.Errorf("replaying %s: %w", proof.StepName(i, s), err)
			}
		}
		if i == last {
			c.adopt(renamed.entries)
		}
	}
	got, err := model(c.list(), merged(base.known, renamed.known, head.known))
	if err != nil {
		return err
	}
	return proof.Reached(got, head.Schema)
}

// catalog is a database's objects by "kind key", changed by statements.
type catalog map[string]entry

func (c catalog) add(entries []entry) {
	for _, x := range entries {
		c[x.kind+" "+fold(x.name)] = x
	}
}

func (c catalog) list() []entry {
	var entries []entry
	for _, key := range slices.Sorted(maps.Keys(c)) {
		entries = append(entries, c[key])
	}
	return entries
}

// adopt takes over a catalog after renames, without what has been dropped before them.
func (c catalog) adopt(renamed []entry) {
	here := maps.Clone(c)
	clear(c)
	for _, x := range renamed {
		if (x.kind != "view" && x.kind != "trigger") || here.has(x.kind, x.name) {
			c.add([]entry{x})
		}
	}
}

func (c catalog) has(kind, name string) bool {
	_, ok := c[kind+" "+fold(name)]
	return ok
}

// taken tells whether a table, view or index has the name: SQLite keeps them in one space.
func (c catalog) taken(name string) bool {
	return c.has("table", name) || c.has("view", name) || c.has("index", name)
}

// apply runs one statement on the list.
func (c catalog) apply(sql string) error {
	s, errs := split(&source.File{Text: sql})
	if len(errs) > 0 || len(s.statements) != 1 {
		return fmt.Errorf("%s is not one statement", excerpt(sql))
	}
	st := s.statements[0]
	switch {
	case st.has("CREATE", "TEMP"), st.has("INSERT"), st.has("DELETE"), st.has("PRAGMA"), st.has("BEGIN"), st.has("COMMIT"):
		return nil
	case st.has("CREATE"):
		return c.create(st)
	case st.has("DROP"):
		return c.drop(st)
	case st.has("ALTER", "TABLE"):
		return c.alter(st)
	}
	return fmt.Errorf("%s is not understood", excerpt(sql))
}

func (c catalog) create(st *statement) error {
	kind, name := st.created()
	if kind != "trigger" && c.taken(name) || c.has(kind, name) {
		return fmt.Errorf("there already is something called %s", name)
	}
	x := entry{kind: kind, name: name, table: name, sql: st.text}
	switch kind {
	case "index", "trigger":
		on, err := owner(st)
		if err != nil {
			return err
		}
		if !c.has("table", on) && (kind == "index" || !c.has("view", on)) {
			return fmt.Errorf("%s %s is made on %s, which is not there", kind, name, on)
		}
		x.table = on
	case "table", "view":
	default:
		return fmt.Errorf("%s is not understood", excerpt(st.text))
	}
	c.add([]entry{x})
	return nil
}

// owner gives the table in CREATE INDEX … ON t, or CREATE TRIGGER … ON t.
func owner(st *statement) (string, error) {
	p := &parser{src: st.text, tokens: st.tokens}
	for !p.done() && !p.take("ON") {
		p.i++
	}
	return p.qualifiedName()
}

func (c catalog) drop(st *statement) error {
	p := &parser{src: st.text, tokens: st.tokens, i: 2}
	kind := fold(st.tokens[1].text)
	name, err := p.qualifiedName()
	if err != nil {
		return err
	}
	if strings.HasPrefix(fold(name), StagingPrefix) && kind == "table" && !c.has(kind, name) {
		return nil // a temporary table of the plan's own
	}
	if !c.has(kind, name) {
		return fmt.Errorf("there is no %s %s to drop", kind, name)
	}
	delete(c, kind+" "+fold(name))
	if kind == "table" || kind == "view" {
		maps.DeleteFunc(c, func(_ string, x entry) bool { return fold(x.table) == fold(name) })
	}
	return nil
}

// alter understands ADD COLUMN, and the RENAME TO at the end of a rebuild, where nothing else names the table yet.
func (c catalog) alter(st *statement) error {
	p := &parser{src: st.text, tokens: st.tokens, i: 2}
	name, err := p.qualifiedName()
	if err != nil {
		return err
	}
	x, ok := c["table "+fold(name)]
	if !ok {
		return fmt.Errorf("there is no table %s to alter", name)
	}
	switch {
	case p.take("RENAME", "TO"):
		to, err := p.name()
		if err != nil {
			return err
		}
		if !strings.HasPrefix(fold(name), StagingPrefix) || c.taken(to) {
			return fmt.Errorf("renaming %s to %s here is not understood", name, to)
		}
		delete(c, "table "+fold(name))
		x.name, x.table = to, to
		x.sql, err = renamedCreate(x.sql, to)
		c.add([]entry{x})
		return err
	case p.take("ADD", "COLUMN"):
		x.sql, err = withColumn(x.sql, st.text[p.peek().start-st.tokens[0].start:])
		c.add([]entry{x})
		return err
	}
	return fmt.Errorf("%s is not understood", excerpt(st.text))
}

// withColumn adds a column's definition to a CREATE TABLE statement: behind the other columns, before the constraints.
func withColumn(create, column string) (string, error) {
	p := &tableParser{parser: newParser(create), at: nowhere, table: &schema.Table{}, keys: map[string]bool{}}
	if err := p.header(); err != nil {
		return "", err
	}
	if err := p.expect("("); err != nil {
		return "", err
	}
	for {
		if err := p.column(); err != nil {
			return "", err
		}
		end := p.tokens[p.i-1].end
		if !p.take(",") || p.startsTableConstraint() {
			return create[:end] + ", " + column + create[end:], nil
		}
	}
}

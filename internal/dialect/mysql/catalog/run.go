package catalog

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/dialect/mysql/script"
	"github.com/altergate/altergate/internal/dialect/mysql/server"
	"github.com/altergate/altergate/internal/schema"
)

// Counts says what became of statements. None is skipped in silence: each is in one of the numbers, or it is an error.
type Counts struct {
	Modelled int             // understood
	Opaque   int             // carried as text: views, triggers, routines, events, sequences
	Passed   map[string]int  // passed over, by what they are, since they change no schema
	Notices  []schema.Notice // what the server takes and ignores, and which reading was taken
}

// Add takes the counts of other statements in.
func (n *Counts) Add(more Counts) {
	n.Modelled += more.Modelled
	n.Opaque += more.Opaque
	for what, k := range more.Passed {
		n.pass(what, k)
	}
	n.Notices = append(n.Notices, more.Notices...)
}

func (n *Counts) pass(what string, times int) {
	if n.Passed == nil {
		n.Passed = map[string]int{}
	}
	n.Passed[what] += times
}

// New gives a server with nothing in it but the database that plans run in.
func New(sv server.Server) *Catalog {
	c := &Catalog{Server: sv, reads: sv.Newest(), Databases: map[string]*Database{}, Tables: map[string]*Table{}, Views: map[string]*View{}, Triggers: map[string]*Trigger{},
		Routines: map[string]*Routine{}, Events: map[string]*Event{}, Sequences: map[string]*Sequence{}, touched: map[string]bool{}, foldedNames: map[string][]Name{}}
	c.database("")
	return c
}

// Key is what two spellings of a name have in common. The case of tables and views counts, as on a server whose lower_case_table_names is 0,
// which is the default on Linux.
func (n Name) Key() string {
	if n.Database == "" {
		return n.Name
	}
	return n.Database + "\x00" + n.Name
}

// String writes the name for people: the database only where one is named.
func (n Name) String() string {
	if n.Database == "" {
		return n.Name
	}
	return n.Database + "." + n.Name
}

// SQL writes the name in quotes.
func (n Name) SQL() string {
	if n.Database == "" {
		return Quote(n.Name)
	}
	return Quote(n.Database) + "." + Quote(n.Name)
}

// named gives a name the database that it means.
func (c *Catalog) named(database, name string) Name {
	if database == "" {
		database = c.current
	}
	return Name{database, name}
}

// folded is the key of what does not count by case: routines and events.
func (n Name) folded() string { return Name{n.Database, strings.ToLower(n.Name)}.Key() }

// database gives a database, which is made with the server's character set if nothing has made it yet.
func (c *Catalog) database(name string) *Database {
	d := c.Databases[name]
	if d == nil {
		d = c.DatabaseOf(name)
		c.Databases[name] = d
	}
	return d
}

func (c *Catalog) notice(at schema.Pos, path, format string, args ...any) {
	c.notices = append(c.notices, schema.Notice{Pos: at, Text: fmt.Sprintf(format, args...)})
}

// waiting is the error of a statement that may succeed once others have run.
type waiting struct{ err *schema.Error }

func (w waiting) Error() string { return w.err.Error() }

// Unwrap gives the error to report if it never does.
func (w waiting) Unwrap() error { return w.err }

// passedOver is the outcome of a statement that changes no schema; its text is the word to count it by.
type passedOver string

func (p passedOver) Error() string { return string(p) + " is passed over" }

// errCarried is the outcome of a statement whose object is compared by its text alone.
var errCarried = errors.New("carried as text")

// told is a statement that was come to in its turn, with what was in force there.
type told struct {
	statement *script.Statement
	session   session
	current   string
}

// Run runs the statements of a source, in order, and again those that name what came only later, since schema files may stand in any
// order. Each file begins with the session of a new client. Foreign keys are held to the tables that there are at the end.
func (c *Catalog) Run(statements []*script.Statement) (Counts, []*schema.Error) {
	var counts Counts
	var errs []*schema.Error
	var left []told
	for i, s := range statements {
		if i > 0 && s.File != statements[i-1].File {
			c.session, c.current = session{}, ""
		}
		t := told{s, c.session, c.current}
		if n, err := c.tell(s); isWaiting(err) {
			left = append(left, t)
		} else {
			counts.Add(n)
			errs = append(errs, schema.Errors(err)...)
		}
	}
	again, late := c.rerun(left)
	counts.Add(again)
	errs = append(errs, late...)
	c.session, c.current = session{}, ""
	for _, e := range c.settle() {
		errs = append(errs, schema.Errors(e)...)
	}
	for _, key := range sorted(c.Views) {
		errs = append(errs, schema.Errors(c.checkView(c.Views[key]))...)
	}
	counts.Notices = append(counts.Notices, c.notices...)
	c.notices = nil
	slices.SortStableFunc(errs, func(a, b *schema.Error) int {
		return cmp.Or(cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Column, b.Pos.Column))
	})
	return counts, errs
}

func isWaiting(err error) bool {
	var w waiting
	return errors.As(err, &w)
}

// rerun runs statements that waited until none is left or none of them succeeds any more.
func (c *Catalog) rerun(left []told) (Counts, []*schema.Error) {
	var counts Counts
	for len(left) > 0 {
		var still []told
		var errs []*schema.Error
		for _, t := range left {
			c.session, c.current = t.session, t.current
			n, err := c.tell(t.statement)
			if isWaiting(err) {
				still = append(still, t)
			} else {
				counts.Add(n)
			}
			errs = append(errs, schema.Errors(err)...)
		}
		if len(still) == len(left) {
			return counts, errs
		}
		if len(errs) > 0 && len(still) == 0 {
			return counts, errs
		}
		left = still
	}
	return counts, nil
}

// Apply runs one statement of a plan on what is there, and holds the foreign keys of every table that it changes to the others at once.
func (c *Catalog) Apply(s *script.Statement) (Counts, error) {
	c.deeds = Deeds{}
	counts, err := c.tell(s)
	if err == nil && !c.session.unchecked {
		err = errors.Join(c.settle()...)
	}
	if v := c.viewOf(s); err == nil && v != nil {
		err = c.checkView(v)
	}
	counts.Notices = append(counts.Notices, c.notices...)
	c.notices = nil
	var w waiting
	if errors.As(err, &w) {
		err = w.err
	}
	return counts, err
}

// settle holds foreign keys to the tables that they reference.
func (c *Catalog) settle() []error {
	var errs []error
	names := map[Name]bool{}
	for key := range c.touched {
		if t := c.Tables[key]; t != nil {
			names[t.Name] = true
		}
	}
	var mine []string
	for key, t := range c.Tables {
		if c.touched[key] || slices.ContainsFunc(t.ForeignKeys, func(f *ForeignKey) bool { return names[f.Ref] }) {
			mine = append(mine, key)
		}
	}
	slices.Sort(mine)
	for _, key := range mine {
		errs = append(errs, c.checkForeignKeys(c.Tables[key])...)
	}
	clear(c.touched)
	return errs
}

// tell runs one statement.
func (c *Catalog) tell(s *script.Statement) (Counts, error) {
	var counts Counts
	err := c.run(s)
	var over passedOver
	switch {
	case err == nil:
		counts.Modelled++
	case errors.Is(err, errCarried):
		counts.Opaque++
		err = nil
	case errors.As(err, &over):
		counts.pass(string(over), 1)
		err = nil
	}
	return counts, err
}

// reader makes a reader of a statement's text.
func (c *Catalog) reader(s *script.Statement) *reader {
	x := &lexer{src: s.SQL, mode: c.session.mode, maria: c.Server.MariaDB, number: c.reads.Major*10_000 + c.reads.Minor*100 + c.reads.Patch}
	r := &reader{c: c, src: s.SQL, list: x.into(c.tokens[:0]), mode: c.session.mode, path: s.Path, pos: func(off int) schema.Pos { return s.Pos(min(off, len(s.SQL))) }}
	c.tokens = r.list
	if x.err != "" {
		r.fail(token{off: x.at}, schema.KindSyntax, "%s", x.err)
	}
	return r
}

// run runs a statement by its kind.
func (c *Catalog) run(s *script.Statement) error {
	r := c.reader(s)
	if r.err != nil && s.Stored == nil {
		return r.err
	}
	switch s.Kind {
	case script.CreateTable:
		return r.createTable()
	case script.AlterTable:
		return r.alterTable()
	case script.DropTable:
		return r.dropTables()
	case script.RenameTable:
		return r.renameTables()
	case script.TruncateTable:
		return r.truncate()
	case script.CreateIndex:
		return r.createIndex()
	case script.DropIndex:
		return r.dropIndex()
	case script.CreateDatabase, script.AlterDatabase:
		return r.createDatabase(s)
	case script.DropDatabase:
		return r.dropDatabase()
	case script.Use:
		r.want("use")
		c.current = r.ident()
		c.database(c.current)
		r.end()
		return r.err
	case script.Set:
		r.set()
		return r.err
	}
	return r.runOther(s)
}

// runOther runs the statements about what is carried as text.
func (r *reader) runOther(s *script.Statement) error {
	switch s.Kind {
	case script.CreateView, script.AlterView:
		return r.createView(s)
	case script.DropView:
		return r.dropViews()
	case script.CreateTrigger, script.DropTrigger:
		return r.trigger(s)
	case script.CreateRoutine, script.AlterRoutine, script.DropRoutine:
		return r.routine(s)
	case script.CreateEvent, script.AlterEvent, script.DropEvent:
		return r.event(s)
	case script.CreateSequence, script.AlterSequence, script.DropSequence:
		return r.sequence(s)
	}
	r.fail(r.here(), schema.KindUnsupported, "%s is a statement (%s) that is not understood; take it out of the schema's files, or report it", excerpt(s.SQL), s.Kind)
	return r.err
}

// sorted gives the keys of a map in order.
func sorted[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

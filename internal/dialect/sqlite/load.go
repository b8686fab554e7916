// Package sqlite reads, plans and proves SQLite schemas. Reading is done by SQLite itself: a source's statements are run in an
// empty database in memory and the catalog is read back, so that nothing has to be guessed about what a statement means. The
// literal text of every object is kept.
package sqlite

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sort"
	"strings"

	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/schemajson"
	"github.com/altergate/altergate/internal/source"
)

// Name is the dialect's word in configuration, flags and reports.
const Name = "sqlite"

// StagingPrefix begins the names of the tables a plan makes for itself; no schema may use it.
const StagingPrefix = "__altergate_"

// Loaded is a source as SQLite understood it.
type Loaded struct {
	Schema  *schema.Schema
	told    source.Told
	entries []entry // the catalog, which can make the schema again
	extras  extras
	known   parsed
	made    map[string][]entry // see executeGroups
	// temporary are the statements that make the temporary objects again, in the middle of a migration.
	temporary []string
	// once are the keys of tables and views that a migration has made, some of which a later one has dropped or renamed.
	once map[string]bool
}

// Model gives the schema that the source declares.
func (l *Loaded) Model() *schema.Schema { return l.Schema }

// Told gives what the source says besides.
func (l *Loaded) Told() source.Told { return l.told }

// loader runs the statements of one source.
type loader struct {
	like    *Loaded // read before, and much the same; nil = nothing was
	scripts []*script
	run     []*statement // in the order of the files
	passed  map[string]int
	loaded  Loaded
	errs    []error
	// classify says what is done with a statement: classify, or classifyMigration.
	use func(*statement) (use, *schema.Error)
	// ordered says that statements run in their order and in no other, as those of migrations do.
	ordered bool
}

// Read reads a schema from SQL files. All problems are reported at once, joined. like may be a schema that was read before and is
// much the same, which makes this faster and changes nothing else.
func Read(ctx context.Context, files []*source.File, like *Loaded) (*Loaded, error) {
	l := &loader{like: like, passed: map[string]int{}, use: classify}
	return l.files(ctx, files)
}

// ReadMigrations reads the schema that files make when they are run in their order, each by a client of its own.
func (Dialect) ReadMigrations(ctx context.Context, files []*source.File, like *Loaded) (*Loaded, error) {
	l := &loader{like: like, passed: map[string]int{}, use: classifyMigration, ordered: true}
	return l.files(ctx, files)
}

func (l *loader) files(ctx context.Context, files []*source.File) (*Loaded, error) {
	for _, f := range files {
		s, errs := split(f)
		l.scripts = append(l.scripts, s)
		l.fail(errs...)
		if len(errs) == 0 {
			l.classify(s.statements)
		}
	}
	return l.load(ctx)
}

// ReadStatements reads a schema from the statements of a JSON source; errors carry the path of the value.
func ReadStatements(ctx context.Context, statements []schemajson.Statement, like *Loaded) (*Loaded, error) {
	l := &loader{like: like, passed: map[string]int{}, use: classify}
	for _, s := range statements {
		f := &source.File{Path: s.Pos.File, Text: s.SQL}
		sc, errs := split(f)
		l.fail(errs...)
		for _, one := range sc.statements {
			one.path, one.pos = s.Path, s.Pos
		}
		l.classify(sc.statements)
	}
	return l.load(ctx)
}

func (l *loader) fail(errs ...*schema.Error) {
	for _, e := range errs {
		l.errs = append(l.errs, e)
	}
}

func (l *loader) classify(statements []*statement) {
	for _, s := range statements {
		l.loaded.told.Coverage.Statements++
		use, err := l.use(s)
		switch {
		case err != nil:
			l.fail(err)
		case use == pass:
			l.passed[strings.ToUpper(s.tokens[0].text)]++
		default:
			l.run = append(l.run, s)
			l.loaded.told.Coverage.Modelled++
			if s.has("CREATE", "VIRTUAL") {
				l.loaded.told.Coverage.Modelled--
				l.loaded.told.Coverage.Opaque++
			}
		}
	}
}

func (l *loader) load(ctx context.Context) (*Loaded, error) {
	if len(l.errs) > 0 {
		return nil, errors.Join(l.errs...)
	}
	if err := l.findModules(ctx); err != nil {
		return nil, err
	}
	var err error
	l.loaded.entries, err = l.executeGroups(ctx)
	if err != nil && l.ordered {
		l.loaded.entries, err = l.executeFamilies(ctx)
	}
	if err != nil {
		if l.loaded.entries, err = l.execute(ctx); err != nil {
			return nil, err
		}
	}
	l.parseTables()
	if l.loaded.Schema, err = model(l.loaded.entries, l.loaded.known); err != nil {
		return nil, err
	}
	l.place()
	l.reserved()
	for _, s := range l.scripts {
		hints, errs := s.hints()
		l.loaded.told.Hints = append(l.loaded.told.Hints, hints...)
		l.loaded.told.HintErrors = append(l.loaded.told.HintErrors, errs...)
	}
	l.notice()
	if l.ordered {
		l.loaded.once = l.everMade()
	}
	return &l.loaded, errors.Join(l.errs...)
}

// everMade gives the names that statements have given to tables and views.
func (l *loader) everMade() map[string]bool {
	once := map[string]bool{}
	for _, st := range l.run {
		switch {
		case st.isTemporary():
		case st.has("CREATE"):
			if kind, name := st.created(); kind == "table" || kind == "view" {
				once[fold(name)] = true
			}
		case st.has("ALTER", "TABLE"):
			p := &parser{src: st.text, tokens: st.tokens, i: 2}
			if _, err := p.qualifiedName(); err == nil && p.take("RENAME", "TO") {
				once[fold(p.peek().name())] = true
			}
		}
	}
	return once
}

// findModules lists the modules of virtual tables that this SQLite lacks.
func (l *loader) findModules(ctx context.Context) error {
	wanted := map[string]bool{}
	for _, s := range l.run {
		if s.has("CREATE", "VIRTUAL", "TABLE") {
			if module, _, err := virtualModule(s.text); err == nil {
				wanted[fold(module)] = true
			}
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	e, err := openEngine(ctx, extras{})
	if err != nil {
		return err
	}
	defer e.close()
	rows, err := e.query(ctx, "SELECT name FROM pragma_module_list")
	if err != nil {
		return fmt.Errorf("listing SQLite's modules: %w", err)
	}
	for _, r := range rows {
		delete(wanted, fold(r[0].(string)))
	}
	for name := range wanted {
		l.loaded.extras.modules = append(l.loaded.extras.modules, name)
	}
	sort.Strings(l.loaded.extras.modules)
	return nil
}

// execute runs the statements in one database and reads its catalog. The whole at once is the fast way; one by one tells which
// statement is wrong, and lets a statement stand before what it needs. What SQLite does not have gets a stub, and all is run again.
func (l *loader) execute(ctx context.Context) ([]entry, error) {
	e, err := openEngine(ctx, l.loaded.extras)
	if err != nil {
		return nil, err
	}
	defer e.close()
	if e.exec(ctx, transaction(l.run)) == nil {
		return e.catalog(ctx)
	}
	for {
		before := l.loaded.extras
		entries, err := l.executeOneByOne(ctx)
		if err == nil || reflect.DeepEqual(before, l.loaded.extras) {
			return entries, err
		}
	}
}

func (l *loader) executeOneByOne(ctx context.Context) ([]entry, error) {
	e, err := openEngine(ctx, l.loaded.extras)
	if err != nil {
		return nil, err
	}
	defer e.close()
	if err := l.oneByOne(ctx, e); err != nil {
		return nil, err
	}
	return e.catalog(ctx)
}

// lacks notes a function or a collation that an error says SQLite does not have.
func (l *loader) lacks(err error) {
	m := message(err)
	if name, ok := strings.CutPrefix(m, "no such function: "); ok {
		l.loaded.extras = l.loaded.extras.and(extras{functions: []string{fold(name)}})
	}
	if name, ok := strings.CutPrefix(m, "no such collation sequence: "); ok {
		l.loaded.extras = l.loaded.extras.and(extras{collations: []string{fold(name)}})
	}
}

// oneByOne runs what it can, again and again, until all is run or nothing more can be.
func (l *loader) oneByOne(ctx context.Context, e *engine) error {
	left := l.run
	for {
		var failed []*statement
		var errs []error
		for _, s := range left {
			err := e.exec(ctx, runnable(s))
			if err == nil {
				continue
			}
			if ctx.Err() != nil {
				return &schema.Error{Pos: s.start(), Kind: schema.KindSource, Text: "reading the schema took too long and was stopped at " + excerpt(s.text)}
			}
			l.lacks(err)
			failed, errs = append(failed, s), append(errs, explain(ctx, e, s, err))
			if l.ordered {
				return errors.Join(errs...) // those behind it may fail for that reason alone
			}
			if !waits(s, err) {
				left = nil // no later round can mend it
			}
		}
		if len(failed) == 0 {
			return nil
		}
		if len(failed) == len(left) || left == nil {
			return errors.Join(errs[:min(len(errs), maxErrors)]...)
		}
		left = failed
	}
}

// waits tells whether a statement can succeed once others have run. A DROP never waits: it would remove what comes after it.
func waits(s *statement, err error) bool {
	return !s.has("DROP") && strings.HasPrefix(message(err), "no such ")
}

// runnable gives the text to run for a statement. CREATE TABLE … AS makes its columns from a query; the query's rows are
// data, and computing them is work that a hostile source could make endless.
func runnable(s *statement) string {
	if !s.has("CREATE", "TABLE") {
		return s.text
	}
	for i, t := range s.tokens {
		if t.is("(") {
			break
		}
		if t.is("AS") && i > 2 {
			offset := s.tokens[0].start
			return s.text[:t.end-offset] + " SELECT * FROM (" + s.text[t.end-offset:] + "\n) LIMIT 0"
		}
	}
	return s.text
}

// parseTables reads the CREATE TABLE statements where they were written, so that positions are those of the author's file. The
// catalog has the same text, but for what stands before the name; a table that was altered later is read from the catalog.
func (l *loader) parseTables() {
	l.loaded.known = parsed{}
	for _, st := range l.run {
		if !st.has("CREATE", "TABLE") {
			continue
		}
		start := st.tokens[0].start
		t, err := parseTable(st.text, func(offset int) schema.Pos { return st.at(start + offset) })
		if err != nil {
			continue // CREATE TABLE … AS
		}
		t.Text = "CREATE TABLE " + st.text[st.nameStart()-start:]
		l.loaded.known[t.Text] = t
	}
}

// nameStart gives the offset of the name in CREATE TABLE [IF NOT EXISTS] [schema.]name, from which on the catalog keeps the text.
func (st *statement) nameStart() int {
	i := 2
	if st.tokens[i].is("IF") {
		i += 3
	}
	if st.tokens[i+1].is(".") {
		i += 2
	}
	return st.tokens[i].start
}

// place gives every object the position of the statement that created it, and columns and constraints their own.
func (l *loader) place() {
	s := l.loaded.Schema
	places := map[string]*schema.Pos{}
	for _, t := range s.Tables {
		places["table "+t.Key] = &t.Pos
		for _, x := range t.Indexes {
			places["index "+x.Key] = &x.Pos
		}
	}
	for _, v := range s.Views {
		places["view "+v.Key] = &v.Pos
	}
	for _, o := range s.Opaques {
		places["table "+o.Key] = &o.Pos
	}
	for _, t := range s.Triggers() {
		places["trigger "+t.Key] = &t.Pos
	}
	for _, st := range l.run {
		if !st.has("CREATE") {
			continue
		}
		kind, name := st.created()
		if pos := places[kind+" "+fold(name)]; pos != nil {
			*pos = st.start()
		}
		if t := s.Table(fold(name)); t != nil && st.has("CREATE", "TABLE") && l.loaded.known[t.Text].Pos == (schema.Pos{}) {
			start := st.tokens[0].start
			placeTable(t, st.text, func(offset int) schema.Pos { return st.at(start + offset) })
		}
	}
	l.placeRenamed(places)
}

// created gives the kind and the name in CREATE … [IF NOT EXISTS] [schema.]name. A virtual table is a table.
func (st *statement) created() (kind, name string) {
	kind, p := st.createdAt()
	name, _ = p.qualifiedName()
	return kind, name
}

// createdAt gives the kind of what is created, and a parser that stands before its name.
func (st *statement) createdAt() (string, *parser) {
	p := &parser{src: st.text, tokens: st.tokens, i: 1}
	for _, w := range [...]string{"UNIQUE", "VIRTUAL"} {
		p.take(w)
	}
	kind := fold(p.peek().text)
	p.i++
	p.take("IF", "NOT", "EXISTS")
	return kind, p
}

// placeTable finds the columns and constraints of a table in the statement that made it. What an ALTER added later is at the
// table's own place.
func placeTable(t *schema.Table, src string, at locate) {
	written, err := parseTable(src, at)
	if err != nil {
		written = &schema.Table{Pos: at(0)} // CREATE TABLE … AS
	}
	for _, c := range t.Columns {
		c.Pos = t.Pos
		if w := written.Column(c.Key); w != nil {
			c.Pos = w.Pos
		}
	}
	places := map[string]schema.Pos{}
	for _, k := range written.Constraints {
		places[k.Canon] = k.Pos
	}
	for _, k := range t.Constraints {
		k.Pos = t.Pos
		if pos, ok := places[k.Canon]; ok {
			k.Pos = pos
		}
	}
}

// reserved refuses names that a plan uses for itself.
func (l *loader) reserved() {
	for _, t := range l.loaded.Schema.Tables {
		if strings.HasPrefix(t.Key, StagingPrefix) {
			l.fail(&schema.Error{Pos: t.Pos, Path: "tables." + t.Name + ".name", Kind: schema.KindSchema,
				Text: fmt.Sprintf("table %s: names that begin with %s are kept for the tables a plan makes for itself; rename it", t.Name, StagingPrefix)})
		}
	}
}

// notice says what was not really known.
func (l *loader) notice() {
	l.loaded.told.Passed = l.passed
	for _, lack := range []struct {
		names []string
		text  string
	}{
		{l.loaded.extras.modules, "the virtual table module %s is not built into the embedded SQLite; its tables are compared by their text alone"},
		{l.loaded.extras.functions, "the function %s is not built into the embedded SQLite; in the proof it gives NULL, which satisfies every check"},
		{l.loaded.extras.collations, "the collation %s is not built into the embedded SQLite; in the proof it compares bytes"},
	} {
		for _, name := range lack.names {
			l.loaded.told.Notices = append(l.loaded.told.Notices, schema.Notice{Text: fmt.Sprintf(lack.text, name)})
		}
	}
}

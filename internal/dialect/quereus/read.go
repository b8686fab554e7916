package quereus

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/dialect/quereus/syntax"
	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/source"
)

// Loaded is a source as it was understood.
type Loaded struct {
	schema  *schema.Schema
	catalog *catalog
	items   []syntax.Item // everything that was declared, as it stands
	told    source.Told
	missing bool           // there was no file at all
	files   []*source.File // as they were read
}

// Model gives the schema that the source declares.
func (l *Loaded) Model() *schema.Schema { return l.schema }

// Told gives what the source says besides.
func (l *Loaded) Told() source.Told { return l.told }

// reader reads the files of one side.
type reader struct {
	Loaded
	errs   []error
	passed map[string]int
}

func read(files []*source.File) (*Loaded, error) {
	r := &reader{Loaded: Loaded{catalog: newCatalog(), missing: len(files) == 0, files: files}, passed: map[string]int{}}
	for _, f := range files {
		parsed, errs := syntax.Parse(f)
		for _, e := range errs {
			r.errs = append(r.errs, e)
		}
		if len(errs) > 0 {
			continue
		}
		for _, s := range parsed.Statements {
			r.statement(s)
		}
	}
	if len(r.errs) == 0 {
		r.finish()
	}
	if len(r.errs) > 0 {
		return nil, errors.Join(r.errs...)
	}
	for _, word := range sorted(r.passed) {
		r.notice(schema.Pos{}, "%s: %s passed over; it declares nothing", word, count(r.passed[word], "statement"))
	}
	r.schema = r.catalog.model()
	return &r.Loaded, nil
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what + " was"
	}
	return fmt.Sprintf("%d %ss were", n, what)
}

func (r *reader) notice(at schema.Pos, format string, args ...any) {
	r.told.Notices = append(r.told.Notices, schema.Notice{Pos: at, Text: fmt.Sprintf(format, args...)})
}

func (r *reader) fail(at schema.Pos, kind schema.ErrorKind, format string, args ...any) {
	r.errs = append(r.errs, &schema.Error{Pos: at, Kind: kind, Text: fmt.Sprintf(format, args...)})
}

// statement takes in one statement of a file.
func (r *reader) statement(s syntax.Statement) {
	r.told.Coverage.Statements++
	switch s := s.(type) {
	case *syntax.Declare:
		r.told.Coverage.Modelled++
		r.declare(s)
	case *syntax.Bare:
		r.fail(s.Pos(), schema.KindSchema, "this stands in no schema; write it between the braces of `declare schema main { … }`")
	case *syntax.Apply:
		r.passed["apply"]++
	case *syntax.Diff:
		r.passed["diff"]++
	case *syntax.Other:
		r.passed[s.Word]++
	default:
		r.told.Coverage.Modelled++
		if c, ok := s.(*syntax.Create); ok {
			r.items = append(r.items, c.Item)
		}
		if err := r.catalog.apply(s); err != nil {
			r.fail(s.At().Pos(), schema.KindSchema, "%s", err)
		}
	}
}

func (r *reader) declare(d *syntax.Declare) {
	in := newSpace(d.Name)
	if other, twice := r.catalog.spaces[in.key]; twice {
		r.fail(d.Name.Pos(), schema.KindSchema, "schema %s is declared twice, first at %s; the engine would take the later one for the whole; write one block", in.name, other.pos)
		return
	}
	r.catalog.spaces[in.key] = in
	if d.Logical {
		r.catalog.logical[in.key] = d
		r.notice(d.Pos(), "schema %s is logical: it maps onto other schemas, and applying it attaches and detaches lenses without any statement; a plan has no steps for it", in.name)
		r.told.Coverage.Statements += len(d.Items)
		return
	}
	module, args := options(d)
	for _, item := range d.Items {
		r.told.Coverage.Statements++
		switch item := item.(type) {
		case *syntax.Seed:
			r.seed(in, item)
			continue
		case *syntax.Ignored:
			r.notice(item.Pos(), "the engine knows the word %s and skips what follows it; so does a plan", item.Word)
			continue
		case *syntax.Table:
			if module.Text != "" && item.Module == nil {
				if err := defaultModule(item, module, args); err != nil {
					r.fail(item.Pos(), schema.KindSchema, "default_vtab_args of schema %s is no JSON object, so table %s cannot be made: %s", in.name, item.Name.Text, err)
				}
			}
		}
		r.told.Coverage.Modelled++
		r.items = append(r.items, item)
		if err := r.catalog.add(in, item); err != nil {
			r.fail(item.At().Pos(), schema.KindSchema, "%s", err)
		}
	}
}

func (r *reader) seed(in *space, s *syntax.Seed) {
	key := in.object(s.Table.Text)
	if other := r.catalog.seeds[key]; other != nil {
		r.fail(s.Pos(), schema.KindSchema, "table %s of schema %s is seeded twice, first at %s", s.Table.Text, in.name, other.Pos())
		return
	}
	r.catalog.seeds[key] = s
}

// options gives what a schema says of tables that name no module.
func options(d *syntax.Declare) (module syntax.Name, args string) {
	for _, o := range d.Options {
		if o.Value == nil || o.Value.Kind != syntax.StringExpr {
			continue
		}
		switch syntax.Fold(o.Name.Text) {
		case "default_vtab_module":
			module = syntax.Name{Span: o.Span, Text: o.Value.Name}
		case "default_vtab_args":
			args = o.Value.Name
		}
	}
	return module, args
}

// defaultModule gives a table the module that its schema says for those that name none.
func defaultModule(t *syntax.Table, module syntax.Name, args string) error {
	t.Module = &syntax.Module{Span: module.Span, Name: module}
	if args == "" {
		return nil
	}
	d := json.NewDecoder(bytes.NewBufferString(args))
	d.UseNumber()
	var values map[string]any
	if err := d.Decode(&values); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("something follows the value")
	}
	for _, key := range sorted(values) {
		a := &syntax.Argument{Span: module.Span, Key: strings.ToLower(key)}
		switch v := values[key].(type) {
		case nil:
		case string:
			a.Value = syntax.Value{Kind: syntax.TextValue, Text: v}
		case json.Number:
			a.Value = syntax.Value{Kind: syntax.NumberValue, Text: v.String()}
		case bool:
			a.Value = syntax.Value{Kind: syntax.BoolValue, Text: fmt.Sprint(v)}
		default:
			return fmt.Errorf("%s is neither text, number, true, false nor null", key)
		}
		t.Module.Args = append(t.Module.Args, a)
	}
	return nil
}

// add puts an object into the catalog. Tables and views share their names; indexes and assertions have theirs.
func (c *catalog) add(in *space, item syntax.Item) error {
	switch item := item.(type) {
	case *syntax.Table:
		return c.addTable(&table{item, in, false})
	case *syntax.View:
		if item.Materialized {
			return c.addTable(&table{materialized(item), in, true})
		}
		v := &view{item, in}
		if err := c.free(in, "view", item.Name); err != nil {
			return err
		}
		c.views[v.key()] = v
		c.came(in, item.Name)
	case *syntax.Index:
		x := &index{item, in, in.object(item.Table.Text)}
		if other := c.indexes[x.key()]; other != nil {
			return fmt.Errorf("index %s is declared more than once in schema %s, on %s and on %s; the names of indexes are unique in a schema", item.Name.Text, in.name, other.Table.Text, item.Table.Text)
		}
		c.indexes[x.key()] = x
	case *syntax.Assertion:
		a := &assertion{item, in}
		if item.Schema.Text != "" && syntax.Fold(item.Schema.Text) != in.key {
			return fmt.Errorf("assertion %s names schema %s, and is declared in %s", item.Name.Text, item.Schema.Text, in.name)
		}
		if c.assertions[a.key()] != nil {
			return fmt.Errorf("assertion %s is declared more than once in schema %s", item.Name.Text, in.name)
		}
		c.assertions[a.key()] = a
	default:
		return fmt.Errorf("a %T cannot be created", item)
	}
	return nil
}

func (c *catalog) addTable(t *table) error {
	if err := c.free(t.in, t.word(), t.Name); err != nil {
		return err
	}
	columns, constraints := map[string]bool{}, map[string]bool{}
	for _, column := range t.Columns {
		key := syntax.Fold(column.Name.Text)
		if columns[key] {
			return fmt.Errorf("table %s has two columns %s", t.Name.Text, column.Name.Text)
		}
		columns[key] = true
	}
	for _, k := range t.allConstraints() {
		key := syntax.Fold(k.Name.Text)
		if _, named := constraintKinds[k.Kind]; key == "" || !named {
			continue
		}
		if constraints[key] {
			return fmt.Errorf("table %s has two constraints %s", t.Name.Text, k.Name.Text)
		}
		constraints[key] = true
	}
	c.tables[t.key()] = t
	c.came(t.in, t.Name)
	return nil
}

// word is what people call the table.
func (t *table) word() string {
	if t.sugar {
		return "materialized view"
	}
	return "table"
}

// free wants a name that no table and no view of the space has.
func (c *catalog) free(in *space, what string, name syntax.Name) error {
	key, other := in.object(name.Text), ""
	if t := c.tables[key]; t != nil {
		other = t.word()
	} else if c.views[key] != nil {
		other = "view"
	}
	switch other {
	case "":
		return nil
	case what:
		return fmt.Errorf("%s %s is declared more than once in schema %s", what, name.Text, in.name)
	}
	return fmt.Errorf("%s is declared as both a %s and a %s in schema %s", name.Text, other, what, in.name)
}

// finish checks what only the whole can show.
func (r *reader) finish() {
	c := r.catalog
	for _, key := range sorted(c.tables) {
		r.errs = append(r.errs, c.tables[key].ownErrors()...)
	}
	for _, key := range sorted(c.indexes) {
		x := c.indexes[key]
		t := c.tables[x.on]
		if t == nil {
			r.fail(x.Pos(), schema.KindSchema, "index %s is on %s, and schema %s declares no such table", x.Name.Text, x.Table.Text, x.in.name)
			continue
		}
		for _, part := range x.Columns {
			if part.Name.Text == "" {
				r.fail(part.Pos(), schema.KindUnsupported, "index %s has an expression where a column is expected; the engine parses that and refuses to make the index", x.Name.Text)
			}
		}
	}
}

// ownErrors are what makes a table impossible by itself.
func (t *table) ownErrors() []error {
	var errs []error
	if !t.sugar && len(t.Columns) == 0 {
		errs = append(errs, &schema.Error{Pos: t.Pos(), Kind: schema.KindSchema, Text: fmt.Sprintf("table %s has no columns", t.Name.Text)})
	}
	keys := slices.DeleteFunc(slices.Clone(t.allConstraints()), func(k *syntax.Constraint) bool { return k.Kind != syntax.PrimaryKey })
	if len(keys) > 1 {
		errs = append(errs, &schema.Error{Pos: keys[1].Pos(), Kind: schema.KindSchema, Text: fmt.Sprintf("table %s has two primary keys", t.Name.Text)})
	}
	return errs
}

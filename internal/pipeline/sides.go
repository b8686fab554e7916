package pipeline

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/goccy/go-yaml/parser"

	"github.com/altergate/altergate/internal/policy"
	"github.com/altergate/altergate/internal/schema"
)

// Sides are the trees whose configurations a change is held against.
type Sides struct {
	Policy fs.FS // the branch that the change goes into, as it is now
	Base   fs.FS // what the head is compared with; nil = the same as Policy
	Head   fs.FS
}

// ReadConfig reads the configuration that a change is held against. A change cannot loosen its own gate: the policy is that of the branch
// it goes into, and so are the schemas; those that the head adds are looked at too, and one that it removes still is. Each side's files
// are where that side's own configuration has them: what the base has there becomes what the head has where it says. Like a rename
// hint, the word that a schema is dropped is part of the change, and read at the head: what it leads to is destructive. A branch without
// a configuration leaves the head's schemas and the default policy.
func ReadConfig(s Sides, name string) (*Config, []schema.Notice, error) {
	tip, tipErr := configOf(s.Policy, schema.Base, name)
	base, baseErr := tip, error(nil)
	if s.Base != nil {
		base, baseErr = configOf(s.Base, schema.Base, name)
	} else {
		s.Base = s.Policy
	}
	head, headErr := configOf(s.Head, schema.Head, name)
	if err := errors.Join(tipErr, baseErr, headErr); err != nil {
		return nil, nil, err
	}
	m := &merging{Sides: s, name: name, head: head, out: &Config{Policy: policy.Default()}}
	switch {
	case tip == nil && head == nil:
		return nil, nil, configError(name, 0, 0, "there is no configuration at this path, neither at the base nor at the head")
	case tip == nil:
		m.say("the base has no %s yet: the head's schemas are looked at, under the default policy", name)
	case head == nil && base == nil:
		m.say("the head has no %s yet; the base's is used", name)
	case head == nil:
		m.say("the head removes %s; the base's is used until that is merged", name)
	}
	if tip != nil {
		m.out.Policy = tip.Policy
	}
	for _, schemaName := range tip.with(head) {
		m.schema(tip.schema(schemaName), base.schema(schemaName), head.schema(schemaName))
	}
	if err := errors.Join(m.errs...); err != nil {
		return nil, nil, err
	}
	return m.out, m.notices, nil
}

// configOf is the configuration of a tree, nil if it has none.
func configOf(fsys fs.FS, side schema.Side, name string) (*Config, error) {
	c, err := LoadConfig(fsys, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return c, onSide(side, err)
}

// onSide says of errors on which side they are.
func onSide(side schema.Side, err error) error {
	var errs []error
	for _, e := range schema.Errors(err) {
		e.Side = side
		errs = append(errs, e)
	}
	return errors.Join(errs...)
}

// with names the schemas of a configuration, and behind them those that another one adds.
func (c *Config) with(other *Config) []string {
	var names []string
	for _, one := range []*Config{c, other} {
		for i := 0; one != nil && i < len(one.Schemas); i++ {
			if name := one.Schemas[i].Name; !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// schema is the one of that name, or nil.
func (c *Config) schema(name string) *SchemaConfig {
	for i := 0; c != nil && i < len(c.Schemas); i++ {
		if c.Schemas[i].Name == name {
			return &c.Schemas[i]
		}
	}
	return nil
}

// merging makes one configuration of those of the sides.
type merging struct {
	Sides
	name    string
	head    *Config // nil if it has none
	out     *Config
	notices []schema.Notice
	errs    []error
}

func (m *merging) say(format string, args ...any) {
	m.notices = append(m.notices, schema.Notice{Text: fmt.Sprintf(format, args...)})
}

// schema adds one schema, as it is written at the tip, the base and the head; nil where it is not. What planning goes by (the version, the
// online forms) is the tip's, and where the files are each side's own.
func (m *merging) schema(tip, base, head *SchemaConfig) {
	if m.otherDialect(tip, base, head) || m.otherKind(tip, base, head) {
		return
	}
	to := first(head, base, tip)
	from := first(base, to)
	s := *first(tip, head)
	s.Source, s.Migrations, s.Hints, s.Dropped = to.Source, to.Migrations, to.Hints, head != nil && head.Dropped
	if s.Migrations != "" && s.Source == "" {
		s.Source = from.Source // a change does not take its own check away
	}
	if path.Clean(from.place()) != path.Clean(to.place()) {
		s.Before = from.place()
		m.say("schema %q is at %s at the base, and the head's configuration says that it is at %s: that is what it is compared with", s.Name, s.Before, s.place())
	}
	switch {
	case head != nil || base == nil || m.head == nil: // it takes nothing out
	case m.nothingAt(to.place()):
		m.say("the head takes schema %q out of the configuration; there is nothing at %s any more", s.Name, to.place())
		return
	default:
		m.say("the head takes schema %q out of the configuration; it is looked at until that is merged, and not afterwards", s.Name)
	}
	m.out.Schemas = append(m.out.Schemas, s)
}

func first(written ...*SchemaConfig) *SchemaConfig {
	i := slices.IndexFunc(written, func(s *SchemaConfig) bool { return s != nil })
	return written[i]
}

// nothingAt tells whether neither side has anything at a path.
func (m *merging) nothingAt(source string) bool {
	_, before := fs.Stat(m.Base, path.Clean(source))
	_, after := fs.Stat(m.Head, path.Clean(source))
	return errors.Is(before, fs.ErrNotExist) && errors.Is(after, fs.ErrNotExist)
}

// otherDialect refuses one name for two schemas: nothing can be planned from one dialect to another.
func (m *merging) otherDialect(tip, base, head *SchemaConfig) bool {
	s := first(tip, base, head)
	for _, o := range []*SchemaConfig{base, head} {
		if o != nil && o.Dialect != s.Dialect {
			err := m.errorAt(o.Name, "schema %q has the dialect %s here and %s at the base; a schema of another dialect is another schema, so give it a name of its own", s.Name, o.Dialect, s.Dialect)
			m.errs = append(m.errs, onSide(schema.Head, err))
			return true
		}
	}
	return false
}

// otherKind refuses to take migrations for a schema file, or the other way round: what a file declares and what migrations do are not
// compared.
func (m *merging) otherKind(tip, base, head *SchemaConfig) bool {
	s := first(base, tip, head)
	for _, o := range []*SchemaConfig{tip, head} {
		if o != nil && (o.Migrations == "") != (s.Migrations == "") {
			err := m.errorAt(o.Name, "schema %q is read from migrations on one side and from a schema file on the other; give what is new a name of its own, so that both are looked at until that is merged", s.Name)
			m.errs = append(m.errs, onSide(schema.Head, err))
			return true
		}
	}
	return false
}

// place is where the schema's files are.
func (s *SchemaConfig) place() string {
	if s.Migrations != "" {
		return s.Migrations
	}
	return s.Source
}

// errorAt is an error at the place of a schema's dialect in the head's configuration, if it is in there.
func (m *merging) errorAt(schemaName, format string, args ...any) error {
	c := &checker{name: m.name}
	data, err := fs.ReadFile(m.Head, m.name)
	if err == nil {
		c.root, err = parser.ParseBytes(data, 0)
	}
	if err != nil || m.head.schema(schemaName) == nil {
		return configError(m.name, 0, 0, format, args...)
	}
	at := slices.IndexFunc(m.head.Schemas, func(s SchemaConfig) bool { return s.Name == schemaName })
	c.failAt(fmt.Sprintf("$.schemas[%d].dialect", at), format, args...)
	return errors.Join(c.errs...)
}

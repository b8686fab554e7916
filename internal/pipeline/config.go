// Package pipeline reads the configuration and goes the one way from two trees to a report.
package pipeline

import (
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"sort"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/altergate/altergate/internal/dialect"
	"github.com/altergate/altergate/internal/policy"
	"github.com/altergate/altergate/internal/schema"
)

// DefaultConfig is where the configuration is looked for.
const DefaultConfig = ".github/altergate.yml"

// Config is a configuration file that has been checked.
type Config struct {
	Schemas []SchemaConfig
	Policy  policy.Policy
}

// SchemaConfig says where a schema is.
type SchemaConfig struct {
	Name    string
	Dialect string
	Version string // of the engine, empty = the dialect's oldest
	Source  string // a path in the tree: a file or a directory
	Before  string // the same at the base, where it is another path; empty = the same
	Hints   string // a path in the tree, empty = none
	Dropped bool   // the head may have nothing at Source: everything is to be dropped
	Plain   bool   // no online forms: online is false

	Migrations string // a directory in the tree; Source is then the schema file that has to agree, if any
	Tool       string // whose migrations they are; empty = it is told from the files
	CrossCheck string // what it means if Source does not agree: one of CrossChecks
}

// file is the configuration as it is written.
type file struct {
	Schemas []schemaFile `yaml:"schemas"`
	Policy  policyFile   `yaml:"policy"`
}

type schemaFile struct {
	Name       string  `yaml:"name"`
	Dialect    string  `yaml:"dialect"`
	Version    version `yaml:"version"`
	Source     string  `yaml:"source"`
	Migrations string  `yaml:"migrations"`
	Tool       string  `yaml:"tool"`
	CrossCheck string  `yaml:"cross-check"`
	Hints      string  `yaml:"hints"`
	Dropped    bool    `yaml:"dropped"`
	Online     *bool   `yaml:"online"`
}

type policyFile struct {
	MaxRisk          *string        `yaml:"max-risk"`
	Renames          *string        `yaml:"renames"`
	Approvers        *approversFile `yaml:"approvers"`
	MinApprovals     any            `yaml:"min-approvals"` // see people
	AuthorMayApprove bool           `yaml:"author-may-approve"`
	RequireDigest    bool           `yaml:"require-digest"`
	Protect          []protectFile  `yaml:"protect"`
}

type approversFile struct {
	Roles      []string `yaml:"roles"`
	Teams      []string `yaml:"teams"`
	Users      []string `yaml:"users"`
	CodeOwners bool     `yaml:"codeowners"`
}

// protectFile is a glob alone, or a mapping with more to say.
type protectFile struct {
	Tables       []string       `yaml:"tables"`
	Approvers    *approversFile `yaml:"approvers"`
	MinApprovals any            `yaml:"min-approvals"` // see people

	alone bool // it is a glob alone
}

// UnmarshalYAML takes both forms.
func (p *protectFile) UnmarshalYAML(unmarshal func(any) error) error {
	var glob string
	if unmarshal(&glob) == nil {
		p.Tables, p.alone = []string{glob}, true
		return nil
	}
	type mapping protectFile
	return unmarshal((*mapping)(p))
}

// version is written as a number or as a string: 3.40 has to stay 3.40 and not become 3.4.
type version string

// UnmarshalYAML takes the text as it is written.
func (v *version) UnmarshalYAML(text []byte) error {
	*v = version(strings.Trim(strings.TrimSpace(string(text)), `"'`))
	return nil
}

// maxConfigBytes is more than any configuration needs.
const maxConfigBytes = 1 << 20

// LoadConfig reads a configuration. A tree without one gives fs.ErrNotExist. All problems are reported at once, each with its
// place; an unknown key names the nearest one there is.
func LoadConfig(fsys fs.FS, name string) (*Config, error) {
	data, err := fs.ReadFile(fsys, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fs.ErrNotExist
	case err != nil:
		return nil, configError(name, 0, 0, "cannot be read: %s", err)
	case len(data) > maxConfigBytes:
		return nil, configError(name, 0, 0, "is larger than a configuration can be")
	}
	return parseConfig(name, data)
}

func parseConfig(name string, data []byte) (*Config, error) {
	root, err := parser.ParseBytes(data, 0)
	if err != nil {
		return nil, yamlError(name, err)
	}
	c := &checker{name: name, anchors: anchors{}}
	for _, doc := range root.Docs {
		if doc.Body != nil {
			ast.Walk(c.anchors, doc.Body)
		}
		c.keys(doc.Body, reflect.TypeFor[file](), "")
	}
	if len(root.Docs) > 1 {
		c.fail(1, 1, "holds more than one YAML document; keep one")
	}
	if len(c.errs) > 0 {
		return nil, errors.Join(c.errs...)
	}
	var f file
	if err := yaml.Unmarshal(data, &f); err != nil {
		return nil, yamlError(name, err)
	}
	c.root = root
	out := c.config(f)
	return out, errors.Join(c.errs...)
}

// checker gathers what is wrong with a configuration.
type checker struct {
	name    string
	root    *ast.File
	anchors anchors
	errs    []error
}

func (c *checker) fail(line, column int, format string, args ...any) {
	c.errs = append(c.errs, configError(c.name, line, column, format, args...))
}

// failAt reports a problem with the value at a YAML path.
func (c *checker) failAt(path, format string, args ...any) {
	line, column := 1, 1
	if p, err := yaml.PathString(path); err == nil {
		if node, err := p.FilterFile(c.root); err == nil && node.GetToken() != nil {
			line, column = node.GetToken().Position.Line, node.GetToken().Position.Column
		}
	}
	c.fail(line, column, format, args...)
}

func configError(name string, line, column int, format string, args ...any) error {
	return &schema.Error{Pos: schema.Pos{File: name, Line: line, Column: column}, Kind: schema.KindConfig, Text: fmt.Sprintf(format, args...)}
}

// yamlError takes the place out of the library's error.
func yamlError(name string, err error) error {
	var at yaml.Error
	if errors.As(err, &at) && at.GetToken() != nil {
		pos := at.GetToken().Position
		return configError(name, pos.Line, pos.Column, "%s", at.GetMessage())
	}
	return configError(name, 1, 1, "%s", err)
}

// keys checks the keys of a mapping against the fields of a type.
func (c *checker) keys(node ast.Node, t reflect.Type, where string) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	node = c.anchors.bare(node)
	switch t.Kind() {
	case reflect.Slice:
		if list, ok := node.(*ast.SequenceNode); ok {
			for _, item := range list.Values {
				c.keys(item, t.Elem(), where)
			}
		}
	case reflect.Struct:
		var values []*ast.MappingValueNode
		switch m := node.(type) {
		case *ast.MappingNode:
			values = m.Values
		case *ast.MappingValueNode:
			values = []*ast.MappingValueNode{m}
		}
		known := fields(t)
		for _, v := range values {
			key := v.Key.GetToken().Value
			field, ok := known[key]
			if !ok {
				pos := v.Key.GetToken().Position
				c.fail(pos.Line, pos.Column, "unknown key %q%s; did you mean %q?", key, where, nearest(key, known))
				continue
			}
			c.keys(v.Value, field, fmt.Sprintf(" in %q", key))
		}
	}
}

func fields(t reflect.Type) map[string]reflect.Type {
	out := map[string]reflect.Type{}
	for i := range t.NumField() {
		if key := t.Field(i).Tag.Get("yaml"); key != "" {
			out[key] = t.Field(i).Type
		}
	}
	return out
}

// nearest gives the known word that takes the fewest edits, the first by the alphabet among equals.
func nearest(word string, known map[string]reflect.Type) string {
	best, least := "", len(word)+100
	var words []string
	for k := range known {
		words = append(words, k)
	}
	sort.Strings(words)
	for _, k := range words {
		if d := distance(word, k); d < least {
			best, least = k, d
		}
	}
	return best
}

// distance counts the letters to insert, delete or replace.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := before
			if a[i] != b[j] {
				cost++
			}
			before, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, cost)
		}
	}
	return row[len(b)]
}

// config turns what is written into what it means.
func (c *checker) config(f file) *Config {
	out := &Config{Policy: policy.Default()}
	seen := map[string]bool{}
	for i, s := range f.Schemas {
		at := func(key string) string { return fmt.Sprintf("$.schemas[%d].%s", i, key) }
		switch {
		case s.Name == "":
			c.failAt(fmt.Sprintf("$.schemas[%d]", i), "schema %d has no name", i+1)
		case seen[s.Name]:
			c.failAt(at("name"), "two schemas are called %q", s.Name)
		}
		seen[s.Name] = true
		if dialect.All[s.Dialect] == nil {
			c.failAt(at("dialect"), "unknown dialect %q: this version reads %s", s.Dialect, dialect.Names())
		}
		switch {
		case s.Source == "" && s.Migrations == "":
			c.failAt(fmt.Sprintf("$.schemas[%d]", i), "schema %q has no source: give the path of its file or directory, or that of its migrations", s.Name)
		case s.Source != "" && !fs.ValidPath(s.Source):
			c.failAt(at("source"), "%q is no path inside the repository", s.Source)
		}
		c.migrations(s, at)
		if s.Hints != "" && !fs.ValidPath(s.Hints) {
			c.failAt(at("hints"), "%q is no path inside the repository", s.Hints)
		}
		out.Schemas = append(out.Schemas, SchemaConfig{Name: s.Name, Dialect: s.Dialect, Version: string(s.Version), Source: s.Source,
			Hints: s.Hints, Dropped: s.Dropped, Plain: s.Online != nil && !*s.Online, Migrations: s.Migrations, Tool: s.Tool, CrossCheck: s.CrossCheck})
	}
	if len(f.Schemas) == 0 {
		c.fail(1, 1, "names no schema; add one under `schemas`")
	}
	c.policy(f.Policy, &out.Policy)
	return out
}

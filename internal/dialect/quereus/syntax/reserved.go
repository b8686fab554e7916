package syntax

import (
	"fmt"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/schema"
)

// Site is where tags stand, for the rules of reserved tags.
type Site string

// The sites of tags. The last three are of logical schemas.
const (
	TableSite             Site = "table"
	ColumnSite            Site = "column"
	ConstraintSite        Site = "constraint"
	IndexSite             Site = "index"
	ViewSite              Site = "view"
	LogicalTableSite      Site = "logical table"
	LogicalColumnSite     Site = "logical column"
	LogicalConstraintSite Site = "logical constraint"
)

// text names a site in a sentence.
func (s Site) text() string {
	if s == IndexSite {
		return "an " + string(s)
	}
	return "a " + string(s)
}

// reservedPrefix begins the keys that the engine gives a meaning. It is compared with its letters: `Quereus.id` is anybody's tag.
const reservedPrefix = "quereus."

// reservedTag is one key, or the beginning of keys, with the sites where it may stand and the value it takes.
type reservedTag struct {
	key   string // behind the prefix; a family ends in a dot, and something has to follow
	sites []Site
	shape shape
}

// shape is what a value has to be.
type shape struct {
	want string // for people
	fits func(Value) bool
}

func oneOf(words ...string) shape {
	return shape{"one of '" + strings.Join(words, "', '") + "'", func(v Value) bool { return v.Kind == TextValue && slices.Contains(words, v.Text) }}
}

var (
	textShape  = shape{"text", func(v Value) bool { return v.Kind == TextValue }}
	boolShape  = shape{"true or false", func(v Value) bool { return v.Kind == BoolValue }}
	someShape  = shape{"text that is not empty", func(v Value) bool { return v.Kind == TextValue && strings.TrimSpace(v.Text) != "" }}
	evictShape = shape{"'never', 'immediate' or a number of milliseconds from 0 on", func(v Value) bool {
		return v.Kind == NumberValue && !strings.HasPrefix(v.Text, "-") || v.Kind == TextValue && (v.Text == "never" || v.Text == "immediate")
	}}
)

var (
	physicalSites = []Site{TableSite, ColumnSite, ConstraintSite, IndexSite, ViewSite}
	storedSites   = []Site{TableSite, ViewSite}
	tableSites    = []Site{TableSite}
)

var reservedTags = []reservedTag{
	{"id", physicalSites, textShape},
	{"previous_name", physicalSites, textShape},
	{"engine_managed", tableSites, boolShape},
	{"sync.replicate", storedSites, boolShape},
	{"sync.evict", storedSites, evictShape},
	{"expose_implicit_index", []Site{ConstraintSite}, boolShape},
	{"lens.decomp.logical.", tableSites, textShape},
	{"lens.decomp.role.", tableSites, oneOf("primary-storage", "auxiliary-access")},
	{"lens.decomp.anchor.", tableSites, textShape},
	{"lens.decomp.member.", tableSites, textShape},
	{"lens.decomp.presence.", tableSites, oneOf("mandatory", "optional")},
	{"lens.decomp.keykind.", tableSites, oneOf("surrogate", "logical-tuple")},
	{"lens.decomp.key.", tableSites, textShape},
	{"lens.decomp.col.", tableSites, textShape},
	{"lens.decomp.pivot.", tableSites, textShape},
	{"lens.ack.", []Site{LogicalTableSite, LogicalConstraintSite}, someShape},
	{"lens.access.", []Site{LogicalTableSite}, textShape},
	{"lens.writable", []Site{LogicalColumnSite}, boolShape},
	{"lens.policy.error-on", []Site{LogicalTableSite}, textShape},
	{"lens.policy.require-ack", []Site{LogicalTableSite}, textShape},
}

func findReserved(key string) *reservedTag {
	for i, r := range reservedTags {
		family := strings.HasSuffix(r.key, ".")
		if !family && key == r.key || family && strings.HasPrefix(key, r.key) && len(key) > len(r.key) {
			return &reservedTags[i]
		}
	}
	return nil
}

// CheckSite gives the first error in the reserved tags of one list: a key that is not known, one that may not stand at the site, or a value
// of the wrong shape. Tags without the engine's prefix are anybody's.
func CheckSite(site Site, tags *Tags) *schema.Error {
	if tags == nil {
		return nil
	}
	for _, t := range tags.List {
		key, ok := strings.CutPrefix(t.Key, reservedPrefix)
		if !ok {
			continue
		}
		if problem := checkTag(site, key, t.Value); problem != "" {
			return &schema.Error{Pos: t.Pos(), Kind: schema.KindSchema, Text: problem}
		}
	}
	return nil
}

func checkTag(site Site, key string, v Value) string {
	r := findReserved(key)
	switch {
	case r == nil:
		problem := fmt.Sprintf("%s on %s is no reserved tag: keys that begin with `%s` are the engine's", excerpt(reservedPrefix+key), site.text(), reservedPrefix)
		var known []string
		for _, r := range reservedTags {
			known = append(known, r.key)
		}
		if near := nearest(key, known); near != "" {
			problem += "; did you mean `" + reservedPrefix + near + "`?"
		}
		return problem
	case !slices.Contains(r.sites, site):
		var sites []string
		for _, s := range r.sites {
			sites = append(sites, string(s))
		}
		return fmt.Sprintf("the reserved tag %s may not stand on %s; it may on: %s", excerpt(reservedPrefix+key), site.text(), strings.Join(sites, ", "))
	case !r.shape.fits(v):
		return fmt.Sprintf("the reserved tag %s on %s has the value %s; it takes %s", excerpt(reservedPrefix+key), site.text(), excerpt(v.String()), r.shape.want)
	}
	return ""
}

// CheckTags gives the first error in the reserved tags of an item of a physical schema. The order is the engine's: the table, its columns,
// its table constraints, its inline constraints.
func CheckTags(i Item) *schema.Error {
	switch i := i.(type) {
	case *Index:
		return CheckSite(IndexSite, i.Tags)
	case *View:
		return CheckSite(ViewSite, i.Tags)
	case *Table:
		if err := CheckSite(TableSite, i.Tags); err != nil {
			return err
		}
		for _, c := range i.Columns {
			if err := CheckSite(ColumnSite, c.Tags); err != nil {
				return err
			}
		}
		if err := checkConstraints(i.Constraints); err != nil {
			return err
		}
		for _, c := range i.Columns {
			if err := checkConstraints(c.Constraints); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkConstraints(constraints []*Constraint) *schema.Error {
	for _, k := range constraints {
		if err := CheckSite(ConstraintSite, k.Tags); err != nil {
			return err
		}
	}
	return nil
}

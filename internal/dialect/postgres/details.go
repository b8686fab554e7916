package postgres

import (
	"github.com/altergate/altergate/internal/dialect/postgres/bind"
	"github.com/altergate/altergate/internal/dialect/postgres/catalog"
	"github.com/altergate/altergate/internal/schema"
)

// details are what PostgreSQL knows of the model's parts besides what all dialects share. Parts are found by their pointers, or by key.
type details struct {
	tables      map[string]*catalog.Table
	views       map[string]*view
	types       map[string]*catalog.Type
	sequences   map[string]*catalog.Sequence
	functions   map[string]*function
	columns     map[*schema.Column]*column
	constraints map[*schema.Constraint]*constraint
	indexes     map[*schema.Index]*index
	triggers    map[*schema.Trigger]*catalog.Trigger
	objects     map[string]*catalog.Object // by schema.Object.ID
}

type view struct {
	*catalog.View
	columns []bind.Column
	stars   []bind.Star
}

type function struct {
	*catalog.Function
	arguments, returns string // canonical, with names: what CREATE OR REPLACE cannot change
	defaults           int    // arguments that have one
}

type column struct {
	*catalog.Column
	base  string // the type without modifiers
	mods  []int
	types []string // ids of the types it needs
	// value is what is known of its default, or of the expression that computes it.
	value bind.Bound
}

type constraint struct {
	*catalog.Constraint
	body string // canonical, without the name
	id   string
}

type index struct {
	*catalog.Index
	body string // canonical, without the name
}

func newDetails() details {
	return details{
		tables: map[string]*catalog.Table{}, views: map[string]*view{}, types: map[string]*catalog.Type{}, sequences: map[string]*catalog.Sequence{},
		functions: map[string]*function{}, columns: map[*schema.Column]*column{}, constraints: map[*schema.Constraint]*constraint{},
		indexes: map[*schema.Index]*index{}, triggers: map[*schema.Trigger]*catalog.Trigger{}, objects: map[string]*catalog.Object{},
	}
}

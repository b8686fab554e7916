package catalog

import (
	"math"
	"slices"
	"strconv"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/altergate/altergate/internal/dialect/postgres/builtin"
	"github.com/altergate/altergate/internal/dialect/postgres/script"
	"github.com/altergate/altergate/internal/schema"
)

// limits are the least and the largest value of the types that sequences have.
var limits = map[string][2]int64{"smallint": {math.MinInt16, math.MaxInt16}, "integer": {math.MinInt32, math.MaxInt32}, "bigint": {math.MinInt64, math.MaxInt64}}

// createSequence runs CREATE SEQUENCE.
func (c *Catalog) createSequence(s *script.Statement, n *pg.CreateSeqStmt) error {
	o := c.origin(s, int(n.GetSequence().GetLocation()))
	name, err := c.newRelation(o, n.GetSequence())
	if err != nil {
		return err
	}
	if _, there := c.Relation(name); there && n.GetIfNotExists() {
		return passedOver("CREATE SEQUENCE IF NOT EXISTS of what is there")
	}
	if err := c.freeRelation(o, "sequence", name); err != nil {
		return err
	}
	q := &Sequence{Name: name, Unlogged: n.GetSequence().GetRelpersistence() == "u", Origin: o}
	if err := c.sequenceOptions(o, q, n.GetOptions(), "bigint"); err != nil {
		return err
	}
	c.Sequences[name] = q
	return nil
}

// alterSequence runs ALTER SEQUENCE with options; its other forms arrive as ALTER TABLE, RENAME, OWNER and SET SCHEMA.
func (c *Catalog) alterSequence(s *script.Statement, n *pg.AlterSeqStmt) error {
	o := c.origin(s, int(n.GetSequence().GetLocation()))
	name, err := c.existing(o, n.GetSequence(), n.GetMissingOk())
	if err != nil {
		return err
	}
	old := c.Sequences[name]
	if old == nil {
		kind, _ := c.Relation(name)
		return c.errorf(o, schema.KindSchema, "%s is a %s and no sequence", name, kind)
	}
	q := *old
	if err := c.sequenceOptions(o, &q, n.GetOptions(), ""); err != nil {
		return err
	}
	*old = q
	return nil
}

// sequenceOptions changes a sequence as init_params does. first is the type of a new sequence, if no other is given, and empty
// for one that is there.
func (c *Catalog) sequenceOptions(o Origin, q *Sequence, nodes []*pg.Node, first string) error {
	given := map[string]*pg.DefElem{}
	for _, n := range nodes {
		d := n.GetDefElem()
		if given[d.GetDefname()] != nil {
			return c.errorf(o, schema.KindSchema, "sequence %s has the option %s twice; take one out", q.Name, d.GetDefname())
		}
		given[d.GetDefname()] = d
	}
	resetMin, resetMax, err := c.sequenceType(o, q, given["as"], first)
	if err != nil {
		return err
	}
	isNew := first != ""
	if isNew {
		q.Increment, q.Cache = 1, 1
	}
	if d := given["increment"]; d != nil {
		q.Increment = whole(d.GetArg())
	}
	if d := given["cycle"]; d != nil {
		q.Cycle = word(d.GetArg()) == "true"
	}
	if d := given["cache"]; d != nil {
		q.Cache = whole(d.GetArg())
	}
	q.bounds(given, isNew, resetMin, resetMax)
	switch d := given["start"]; {
	case d != nil:
		q.Start = whole(d.GetArg())
	case isNew && q.Increment > 0:
		q.Start = q.Min
	case isNew:
		q.Start = q.Max
	}
	if err := c.checkSequence(o, q); err != nil {
		return err
	}
	return c.ownSequence(o, q, given["owned_by"])
}

// sequenceType sets the type, and tells which limits were those of the old type and go with it.
func (c *Catalog) sequenceType(o Origin, q *Sequence, as *pg.DefElem, first string) (resetMin, resetMax bool, err error) {
	if as == nil {
		if first != "" {
			q.Type = first
		}
		return false, false, nil
	}
	schemaName, name := apart(as.GetArg().GetTypeName().GetNames())
	typ, ok := builtin.TypeName(schemaName, name)
	if _, whole := limits[typ]; !ok || !whole {
		return false, false, c.errorf(o, schema.KindSchema, "sequence %s cannot be of type %s; it must be smallint, integer or bigint", q.Name, name)
	}
	old, had := limits[q.Type]
	q.Type = typ
	return had && first == "" && q.Min == old[0], had && first == "" && q.Max == old[1], nil
}

// bounds sets the least and the largest value: those given, or the defaults of the direction.
func (q *Sequence) bounds(given map[string]*pg.DefElem, isNew, resetMin, resetMax bool) {
	limit := limits[q.Type]
	high, asked := given["maxvalue"]
	switch {
	case asked && high.GetArg() != nil:
		q.Max = whole(high.GetArg())
	case !asked && !isNew && !resetMax:
	case q.Increment > 0 || resetMax:
		q.Max = limit[1]
	default:
		q.Max = -1
	}
	low, asked := given["minvalue"]
	switch {
	case asked && low.GetArg() != nil:
		q.Min = whole(low.GetArg())
	case !asked && !isNew && !resetMin:
	case q.Increment < 0 || resetMin:
		q.Min = limit[0]
	default:
		q.Min = 1
	}
}

func (c *Catalog) checkSequence(o Origin, q *Sequence) error {
	limit := limits[q.Type]
	switch {
	case q.Increment == 0:
		return c.errorf(o, schema.KindSchema, "sequence %s cannot have INCREMENT 0", q.Name)
	case q.Min < limit[0] || q.Max > limit[1]:
		return c.errorf(o, schema.KindSchema, "the limits of sequence %s (%d to %d) are out of those of its type %s; change the limits or the type", q.Name, q.Min, q.Max, q.Type)
	case q.Min >= q.Max:
		return c.errorf(o, schema.KindSchema, "the MINVALUE of sequence %s (%d) must be less than its MAXVALUE (%d)", q.Name, q.Min, q.Max)
	case q.Start < q.Min || q.Start > q.Max:
		return c.errorf(o, schema.KindSchema, "the START of sequence %s (%d) must be from its MINVALUE (%d) to its MAXVALUE (%d)", q.Name, q.Start, q.Min, q.Max)
	}
	return nil
}

// ownSequence gives a sequence to a column, or to none.
func (c *Catalog) ownSequence(o Origin, q *Sequence, d *pg.DefElem) error {
	names := d.GetArg().GetList().GetItems()
	switch {
	case d == nil:
		return nil
	case len(names) == 1 && word(names[0]) == "none":
		q.OwnedBy, q.OwnedColumn = nil, ""
		return nil
	case len(names) < 2:
		return c.errorf(o, schema.KindSchema, "OWNED BY of sequence %s must name table.column, or NONE", q.Name)
	}
	schemaName, name := apart(names[:len(names)-1])
	table, ok := c.Resolve(o, schemaName, name)
	column := word(names[len(names)-1])
	if !ok || c.Tables[table] == nil {
		return c.missing(o, "sequence %s is to be owned by table %s, which is not there; create it, or correct the name", q.Name, dotted(schemaName, name))
	}
	x, err := c.columnAt(o, c.Tables[table], column)
	if err != nil {
		return err
	}
	if q.Name.Schema != table.Schema {
		return c.errorf(o, schema.KindSchema, "sequence %s must be in the schema of table %s to be owned by it", q.Name, table)
	}
	q.OwnedBy, q.OwnedColumn = &table, x.Name
	return nil
}

// whole reads a whole number; larger ones than fit in an int come as floats.
func whole(n *pg.Node) int64 {
	v, _ := strconv.ParseInt(word(n), 10, 64)
	return v
}

// ownedSequences lists the sequences of a table's columns, by name.
func (c *Catalog) ownedSequences(table Name) []*Sequence {
	t := c.Tables[table]
	if t == nil {
		return nil
	}
	var list []*Sequence
	for _, q := range c.Sequences {
		if q.OwnedBy != nil && *q.OwnedBy == table {
			list = append(list, q)
		}
	}
	slices.SortFunc(list, func(a, b *Sequence) int { return compareNames(a.Name, b.Name) })
	return list
}

// columnSequence makes the sequence of a serial or identity column. The options of an identity may name it.
func (c *Catalog) columnSequence(o Origin, t *Table, column, typ string, options []*pg.Node) (*Sequence, error) {
	name := Name{Schema: t.Name.Schema}
	var rest []*pg.Node
	for _, n := range options {
		if d := n.GetDefElem(); d.GetDefname() == "sequence_name" {
			schemaName, given := apart(d.GetArg().GetList().GetItems())
			name.Name = given
			if schemaName != "" {
				name.Schema = schemaName
			}
			continue
		}
		rest = append(rest, n)
	}
	if name.Name == "" {
		name.Name = c.chooseRelationName(name.Schema, t.Name.Name, column, "seq", false)
	}
	if err := c.freeRelation(o, "sequence", name); err != nil {
		return nil, err
	}
	q := &Sequence{Name: name, Unlogged: t.Unlogged, OwnedColumn: column, Origin: o}
	table := t.Name
	q.OwnedBy = &table
	if err := c.sequenceOptions(o, q, rest, typ); err != nil {
		return nil, err
	}
	c.Sequences[name] = q
	return q, nil
}

// sequenceDefault gives the one form that a default has which is nextval of a sequence named by a literal: however it is written,
// and as serial makes it. sure is false while the sequence may still come.
func (c *Catalog) sequenceDefault(e *Expr, sure bool) *Expr {
	schemaName, name, ok := nextvalOf(e.Node)
	if !ok {
		return e
	}
	n, found := c.Resolve(e.Origin, schemaName, name)
	switch {
	case found:
	case schemaName != "":
	case len(e.Path) == 1 || (sure && len(e.Path) > 1):
		n = c.nameNow(e.Time, Name{e.Path[0], name})
	default:
		c.unsettled = c.unsettled || !sure
		return e
	}
	return &Expr{Sequence: &n, Origin: e.Origin}
}

// nextvalOf takes nextval('s'::regclass) apart. A literal of type text is looked up each time anew, so that is something else.
func nextvalOf(n *pg.Node) (schemaName, name string, ok bool) {
	call := n.GetFuncCall()
	in, f := apart(call.GetFuncname())
	if f != "nextval" || (in != "" && in != "pg_catalog") || len(call.GetArgs()) != 1 {
		return "", "", false
	}
	arg := call.GetArgs()[0]
	if cast := arg.GetTypeCast(); cast != nil {
		if in, typ := apart(cast.GetTypeName().GetNames()); typ != "regclass" || (in != "" && in != "pg_catalog") || len(cast.GetTypeName().GetArrayBounds()) > 0 {
			return "", "", false
		}
		arg = cast.GetArg()
	}
	if arg.GetAConst().GetSval() == nil {
		return "", "", false
	}
	return qualified(arg.GetAConst().GetSval().GetSval())
}

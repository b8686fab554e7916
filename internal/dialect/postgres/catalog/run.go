package catalog

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/altergate/altergate/internal/dialect/postgres/script"
	"github.com/altergate/altergate/internal/schema"
)

// Counts says what became of statements. None is skipped in silence: each is in one of the three numbers, or it is an error.
type Counts struct {
	Modelled int                 // understood
	Opaque   int                 // carried as text
	Passed   map[string]int      // passed over, by what they are, since they change no schema
	Doubtful []Passed            // those of the passed that may have done anything: DO blocks, calls of functions that are not known
	Ran      []*script.Statement // those that are modelled or carried, in the order in which they ran, which is one that works
	// Paths are the search paths in force at those of them where one was that a new session does not have.
	Paths map[*script.Statement][]string
}

// Passed is one statement that was passed over.
type Passed struct {
	What      string
	Pos       schema.Pos
	Statement *script.Statement
}

// add takes the counts of other statements in.
func (n *Counts) add(more Counts) {
	n.Modelled += more.Modelled
	n.Opaque += more.Opaque
	for what, k := range more.Passed {
		n.pass(what, k)
	}
	n.Doubtful = append(n.Doubtful, more.Doubtful...)
	n.Ran = append(n.Ran, more.Ran...)
	for s, path := range more.Paths {
		n.at(s, path)
	}
}

// at notes the search path at a statement, where it matters: with none, names have their schemas written.
func (n *Counts) at(s *script.Statement, path []string) {
	if len(path) == 0 || slices.Equal(path, defaultPath) {
		return
	}
	if n.Paths == nil {
		n.Paths = map[*script.Statement][]string{}
	}
	n.Paths[s] = path
}

func (n *Counts) pass(what string, times int) {
	if n.Passed == nil {
		n.Passed = map[string]int{}
	}
	n.Passed[what] += times
}

// New gives an empty database: it has the schema public and nothing in it.
func New() *Catalog {
	return &Catalog{
		Schemas: map[string]*Object{}, Extensions: map[string]*Object{}, Tables: map[Name]*Table{}, Views: map[Name]*View{},
		Sequences: map[Name]*Sequence{}, Indexes: map[Name]*Index{}, Types: map[Name]*Type{}, Functions: map[string]*Function{},
		Others: map[[2]string]*Object{}, path: defaultPath, named: map[Name][]*Table{}, heirs: map[Name][]*Table{},
	}
}

// waiting is the error of a statement that may succeed once others have run.
type waiting struct{ err *schema.Error }

func (w waiting) Error() string { return w.err.Error() }

// Unwrap gives the error to report if it never does.
func (w waiting) Unwrap() error { return w.err }

// passedOver is the outcome of a statement that changes nothing; its text is the word to count it by.
type passedOver string

func (p passedOver) Error() string { return string(p) + " is passed over" }

// doubtful is the outcome of a statement that is passed over though it may have changed anything.
type doubtful string

func (d doubtful) Error() string { return string(d) + " is passed over, whatever it does" }

// errCarried is the outcome of a statement whose object is compared by its text alone.
var errCarried = errors.New("carried as text")

// errorf makes an error at a place.
func (c *Catalog) errorf(o Origin, kind schema.ErrorKind, format string, args ...any) error {
	e := &schema.Error{Pos: o.Pos(), Kind: kind, Text: fmt.Sprintf(format, args...)}
	if o.Statement != nil {
		e.Path = o.Statement.Path
	}
	return e
}

// missing makes the error of a statement that names something that is not there yet.
func (c *Catalog) missing(o Origin, format string, args ...any) error {
	return waiting{c.errorf(o, schema.KindSchema, format, args...).(*schema.Error)}
}

// waits tells whether a statement may succeed once others have run.
func waits(err error) bool {
	var w waiting
	return errors.As(err, &w)
}

// told is a statement that was come to in its turn, with what was in force there. It keeps that when it is run later.
type told struct {
	statement *script.Statement
	path      []string
	time      int
	final     bool // nothing else is left to wait for
}

// Run runs the statements of a source, in order, and again those that name what came only later, so that files may stand in
// any order. Each file begins with the search path that a new session has.
func (c *Catalog) Run(statements []*script.Statement) (Counts, []*schema.Error) {
	var counts Counts
	var errs []*schema.Error
	var left []told
	for i, s := range statements {
		if i == 0 || s.File != statements[i-1].File {
			c.NewSession()
		}
		for _, m := range c.members(s) {
			t := told{statement: m.statement, path: c.path, time: c.now}
			c.now++
			if c.held(m) {
				counts.pass(heldBack, 1)
			} else if n, err := c.tell(t); waits(err) {
				left = append(left, t)
			} else {
				counts.add(n)
				errs = append(errs, schema.Errors(err)...)
			}
		}
	}
	again, late := c.rerun(left)
	counts.add(again)
	c.settle()
	c.done, c.skipped = nil, nil
	return counts, append(errs, late...)
}

// rerun runs statements that waited until none is left or none of them succeeds any more.
func (c *Catalog) rerun(left []told) (Counts, []*schema.Error) {
	var counts Counts
	var errs []*schema.Error
	path, before := c.path, c.before
	for len(left) > 0 {
		var still []told
		for _, t := range left {
			n, err := c.tell(t)
			if waits(err) && !t.final {
				still = append(still, t)
				continue
			}
			counts.add(n)
			errs = append(errs, schema.Errors(err)...)
		}
		if len(still) == len(left) {
			for i := range still {
				still[i].final = true
			}
		}
		left = still
	}
	c.path, c.before = path, before
	slices.SortStableFunc(c.renames, func(a, b Rename) int { return cmp.Compare(a.Time, b.Time) })
	return counts, errs
}

// Apply runs one statement on what is there, and of a DO block that is understood what is in it.
func (c *Catalog) Apply(s *script.Statement) (Counts, *schema.Error) {
	var counts Counts
	for _, m := range c.members(s) {
		t := told{statement: m.statement, path: c.path, time: c.now, final: true}
		c.now++
		if c.held(m) {
			counts.pass(heldBack, 1)
			continue
		}
		one, err := c.tell(t)
		counts.add(one)
		c.done = nil
		for _, e := range schema.Errors(err) {
			return counts, e
		}
	}
	c.settle()
	return counts, nil
}

// heldBack is the word for a statement of a DO block that looks first whether it is needed.
const heldBack = "DO about what is there"

// tell runs a statement with what was in force when it was come to.
func (c *Catalog) tell(t told) (Counts, error) {
	now := c.now
	c.ticks++
	c.path, c.now, c.final = t.path, t.time, t.final
	defer func() { c.now = now }()
	var counts Counts
	err := c.checkLengths(t.statement)
	if err == nil {
		err = c.run(t.statement, t.statement.Node)
	}
	var over passedOver
	var doubt doubtful
	switch {
	case err == nil:
		counts.Modelled++
		counts.Ran = append(counts.Ran, t.statement)
		counts.at(t.statement, t.path)
	case errors.Is(err, errCarried):
		counts.Opaque++
		counts.Ran = append(counts.Ran, t.statement)
		counts.at(t.statement, t.path)
	case errors.As(err, &over):
		counts.pass(string(over), 1)
	case errors.As(err, &doubt):
		counts.pass(string(doubt), 1)
		counts.Doubtful = append(counts.Doubtful, Passed{What: string(doubt), Pos: t.statement.Pos(0), Statement: t.statement})
	default:
		return counts, err
	}
	return counts, nil
}

// run runs a statement, or one that stands in another as those of CREATE SCHEMA do.
func (c *Catalog) run(s *script.Statement, node *pg.Node) error {
	for _, group := range [...]func(*script.Statement, *pg.Node) (bool, error){c.runTemporary, c.runRelation, c.runObject, c.runAny, c.runSession} {
		if mine, err := group(s, node); mine {
			if c.final && waits(err) && c.aboutBrought(node) {
				return doubtful(OnBrought)
			}
			return err
		}
	}
	return c.errorf(c.origin(s, 0), schema.KindUnsupported, "%s is a statement (%s) that is not understood; take it out of the schema's files, or report it", excerpt(s.Text), kindOf(node))
}

// kindOf gives the parser's name of a statement.
func kindOf(node *pg.Node) string {
	if node.GetNode() == nil {
		return "nothing"
	}
	return strings.TrimPrefix(fmt.Sprintf("%T", node.GetNode()), "*pg_query.Node_")
}

// runRelation runs the statements about tables, indexes and sequences, and those about relations of any kind.
func (c *Catalog) runRelation(s *script.Statement, node *pg.Node) (bool, error) {
	switch n := node.GetNode().(type) {
	case *pg.Node_CreateStmt:
		return true, c.createTable(s, n.CreateStmt)
	case *pg.Node_CreateForeignTableStmt:
		return true, c.createForeignTable(s, n.CreateForeignTableStmt)
	case *pg.Node_AlterTableStmt:
		return true, c.alterTable(s, n.AlterTableStmt)
	case *pg.Node_IndexStmt:
		return true, c.createIndex(s, n.IndexStmt)
	case *pg.Node_CreateSeqStmt:
		return true, c.createSequence(s, n.CreateSeqStmt)
	case *pg.Node_AlterSeqStmt:
		return true, c.alterSequence(s, n.AlterSeqStmt)
	case *pg.Node_RenameStmt:
		return true, c.rename(s, n.RenameStmt)
	case *pg.Node_AlterObjectSchemaStmt:
		return true, c.setSchema(s, n.AlterObjectSchemaStmt)
	case *pg.Node_AlterOwnerStmt:
		return true, c.alterOwner(s, n.AlterOwnerStmt)
	case *pg.Node_DropStmt:
		return true, c.drop(s, n.DropStmt)
	case *pg.Node_ViewStmt:
		return true, c.createView(s, n.ViewStmt)
	case *pg.Node_CreateTableAsStmt:
		if n.CreateTableAsStmt.GetObjtype() == pg.ObjectType_OBJECT_MATVIEW {
			return true, c.createMaterializedView(s, n.CreateTableAsStmt)
		}
		as := n.CreateTableAsStmt
		return true, c.createFromQuery(s, queried{into: as.GetInto(), query: as.GetQuery(), missing: as.GetIfNotExists(), selected: as.GetIsSelectInto()})
	}
	return false, nil
}

// runObject runs the statements about what has a type of its own in the catalog, or belongs to a relation.
func (c *Catalog) runObject(s *script.Statement, node *pg.Node) (bool, error) {
	switch n := node.GetNode().(type) {
	case *pg.Node_CreateFunctionStmt:
		return true, c.createFunction(s, n.CreateFunctionStmt)
	case *pg.Node_AlterFunctionStmt:
		return true, c.alterFunction(s, n.AlterFunctionStmt)
	case *pg.Node_CreateEnumStmt:
		return true, c.createEnum(s, n.CreateEnumStmt)
	case *pg.Node_AlterEnumStmt:
		return true, c.alterEnum(s, n.AlterEnumStmt)
	case *pg.Node_CompositeTypeStmt:
		return true, c.createComposite(s, n.CompositeTypeStmt)
	case *pg.Node_CreateRangeStmt:
		return true, c.createRange(s, n.CreateRangeStmt)
	case *pg.Node_CreateDomainStmt:
		return true, c.createDomain(s, n.CreateDomainStmt)
	case *pg.Node_AlterDomainStmt:
		return true, c.alterDomain(s, n.AlterDomainStmt)
	case *pg.Node_CreateTrigStmt:
		return true, c.createTrigger(s, n.CreateTrigStmt)
	case *pg.Node_CreatePolicyStmt:
		return true, c.createPolicy(s, n.CreatePolicyStmt)
	case *pg.Node_AlterPolicyStmt:
		return true, c.alterPolicy(s, n.AlterPolicyStmt)
	case *pg.Node_RuleStmt:
		return true, c.createRule(s, n.RuleStmt)
	case *pg.Node_CommentStmt:
		return true, c.comment(s, n.CommentStmt)
	case *pg.Node_SecLabelStmt:
		return true, c.securityLabel(s, n.SecLabelStmt)
	case *pg.Node_GrantStmt:
		return true, c.grant(s, n.GrantStmt)
	case *pg.Node_AlterDefaultPrivilegesStmt:
		return true, c.alterDefaultPrivileges(s, n.AlterDefaultPrivilegesStmt)
	}
	return false, nil
}

// runAny runs the statements about everything else.
func (c *Catalog) runAny(s *script.Statement, node *pg.Node) (bool, error) {
	switch n := node.GetNode().(type) {
	case *pg.Node_CreateSchemaStmt:
		return true, c.createSchema(s, n.CreateSchemaStmt)
	case *pg.Node_CreateExtensionStmt:
		return true, c.createExtension(s, n.CreateExtensionStmt)
	case *pg.Node_AlterExtensionStmt:
		return true, c.alterExtension(s, n.AlterExtensionStmt)
	case *pg.Node_CreateEventTrigStmt:
		return true, c.createEventTrigger(s, n.CreateEventTrigStmt)
	case *pg.Node_AlterEventTrigStmt:
		return true, c.alterEventTrigger(s, n.AlterEventTrigStmt)
	case *pg.Node_CreateStatsStmt:
		return true, c.createStatistics(s, n.CreateStatsStmt)
	case *pg.Node_AlterStatsStmt:
		return true, c.alterStatistics(s, n.AlterStatsStmt)
	case *pg.Node_CreatePublicationStmt:
		return true, c.createPublication(s, n.CreatePublicationStmt)
	case *pg.Node_AlterPublicationStmt:
		return true, c.alterPublication(s, n.AlterPublicationStmt)
	case *pg.Node_DefineStmt:
		return true, c.define(s, n.DefineStmt)
	case *pg.Node_AlterCollationStmt, *pg.Node_CreateFdwStmt, *pg.Node_AlterFdwStmt, *pg.Node_CreateForeignServerStmt, *pg.Node_AlterForeignServerStmt,
		*pg.Node_CreateUserMappingStmt, *pg.Node_AlterUserMappingStmt, *pg.Node_DropUserMappingStmt, *pg.Node_CreateAmStmt, *pg.Node_CreatePlangStmt,
		*pg.Node_CreateOpClassStmt, *pg.Node_CreateOpFamilyStmt, *pg.Node_AlterOpFamilyStmt, *pg.Node_AlterOperatorStmt, *pg.Node_AlterTypeStmt,
		*pg.Node_CreateConversionStmt, *pg.Node_CreateCastStmt, *pg.Node_CreateTransformStmt, *pg.Node_AlterTsdictionaryStmt, *pg.Node_AlterTsconfigurationStmt,
		*pg.Node_CreateSubscriptionStmt, *pg.Node_AlterSubscriptionStmt, *pg.Node_DropSubscriptionStmt, *pg.Node_AlterObjectDependsStmt, *pg.Node_AlterExtensionContentsStmt:
		return true, c.opaque(s, node)
	}
	return false, nil
}

// settle takes foreign keys and defaults to the tables and sequences that they mean: where a name without a schema was read with a
// path of several schemas, before what it names, only the end shows which one it is in.
func (c *Catalog) settle() {
	if !c.unsettled {
		return
	}
	c.unsettled = false
	for _, t := range c.Tables {
		for _, k := range t.Constraints {
			if k.Ref != nil && !k.Ref.Schema && c.Tables[k.Ref.Table] == nil {
				if n, ok := c.Resolve(k.Origin, "", k.Ref.Table.Name); ok {
					k.Ref.Table = n
				}
			}
		}
		for _, x := range t.Columns {
			if x.Default != nil && x.Default.Sequence == nil {
				x.Default = c.sequenceDefault(x.Default, true)
			}
		}
	}
}

// excerpt shortens a statement for a message.
func excerpt(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	const most = 60
	if len(text) <= most {
		return "`" + text + "`"
	}
	return "`" + strings.ToValidUTF8(text[:most], "") + "…`"
}

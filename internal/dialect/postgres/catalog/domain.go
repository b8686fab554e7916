package catalog

import (
	"slices"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/altergate/altergate/internal/dialect/postgres/script"
	"github.com/altergate/altergate/internal/schema"
)

func (c *Catalog) createDomain(s *script.Statement, n *pg.CreateDomainStmt) error {
	t, err := c.newType(s, Domain, "DOMAIN", n.Domainname)
	if err != nil {
		return err
	}
	t.Base = c.typeRef(s, n.TypeName)
	t.Collation = c.collation(t.Origin, n.GetCollClause().GetCollname())
	for i, x := range n.Constraints {
		if err := c.domainClause(s, t, x.GetConstraint(), nextClause(s, n.Constraints, i)); err != nil {
			return err
		}
	}
	return c.putType(t)
}

// nextClause gives the offset where the clause behind the i-th begins.
func nextClause(s *script.Statement, all []*pg.Node, i int) int {
	if i+1 < len(all) {
		return int(all[i+1].GetConstraint().GetLocation())
	}
	return len(s.Text)
}

// domainClause takes one of the clauses of CREATE DOMAIN in, which ends before an offset.
func (c *Catalog) domainClause(s *script.Statement, t *Type, k *pg.Constraint, end int) error {
	switch k.Contype {
	case pg.ConstrType_CONSTR_DEFAULT:
		if !c.isNull(&Column{Type: t.Base}, k.RawExpr) {
			t.Default = c.domainDefault(s, int(k.Location), k.RawExpr, end)
		}
	case pg.ConstrType_CONSTR_NOTNULL:
		t.NotNull = true
	case pg.ConstrType_CONSTR_NULL:
		t.NotNull = false
	case pg.ConstrType_CONSTR_CHECK:
		return c.addDomainCheck(s, t, k, end)
	default:
		return c.errorf(c.origin(s, int(k.Location)), schema.KindSchema, "domain %s has a constraint of a kind (%s) that domains cannot have; take it out", t.Name, k.Contype)
	}
	return nil
}

func (c *Catalog) domainDefault(s *script.Statement, from int, tree *pg.Node, end int) *Expr {
	e := c.exprBehind(s, from, tree, "DEFAULT")
	if at := behindLast(s, from, firstLocation(tree), "DEFAULT"); at >= 0 {
		e.Text = s.Expr(at, end)
	}
	return e
}

func (c *Catalog) addDomainCheck(s *script.Statement, t *Type, n *pg.Constraint, end int) error {
	o := c.origin(s, int(n.Location))
	k := &Constraint{Name: n.Conname, Kind: schema.Check, NotValid: n.SkipValidation, Expr: c.exprIn(s, int(n.Location), n.RawExpr, "CHECK"), Origin: o}
	if from := firstAt(s, int(n.Location), "CHECK"); from >= 0 {
		k.Text = s.Expr(from, end)
	}
	if k.Name == "" {
		k.Made = true
		k.Name = c.domainCheckName(t)
	}
	if old := t.check(k.Name); old != nil {
		return c.duplicate(o, "constraint", partOf(t.Name, k.Name), old.Origin)
	}
	t.Checks = append(slices.Clip(t.Checks), k)
	return nil
}

// domainCheckName makes up the name of a check, which no other constraint in the schema has.
func (c *Catalog) domainCheckName(t *Type) string {
	for pass := 0; ; pass++ {
		name := makeObjectName(t.Name.Name, "", numbered("check", pass))
		if t.check(name) == nil && !c.constraintNameExists(Name{t.Name.Schema, name}) {
			return name
		}
	}
}

// alterDomain changes a domain; the letters are those of the parser.
func (c *Catalog) alterDomain(s *script.Statement, n *pg.AlterDomainStmt) error {
	o := c.origin(s, max(0, firstAt(s, 0, "DOMAIN")))
	t, err := c.typeNamed(o, n.TypeName)
	if err != nil {
		return err
	}
	if t.Kind != Domain {
		return c.errorf(o, schema.KindSchema, "type %s is no domain: it is of the kind %s", t.Name, t.Kind)
	}
	t.Altered = true
	switch n.Subtype {
	case "T":
		t.Default = nil
		if n.Def != nil && !c.isNull(&Column{Type: t.Base}, n.Def) {
			t.Default = c.domainDefault(s, 0, n.Def, len(s.Text))
		}
	case "N":
		t.NotNull = false
	case "O":
		t.NotNull = true
	case "C":
		return c.domainClause(s, t, n.Def.GetConstraint(), len(s.Text))
	case "X", "V":
		return c.alterDomainCheck(o, t, n)
	default:
		return c.errorf(o, schema.KindUnsupported, "this change of domain %s is not understood (%s)", t.Name, n.Subtype)
	}
	return nil
}

// alterDomainCheck drops or validates a check.
func (c *Catalog) alterDomainCheck(o Origin, t *Type, n *pg.AlterDomainStmt) error {
	k := t.check(n.Name)
	switch {
	case k == nil && n.MissingOk:
		return passedOver("ALTER DOMAIN … DROP CONSTRAINT IF EXISTS of what is not there")
	case k == nil:
		return c.missing(o, "domain %s has no constraint %s; correct the name", t.Name, n.Name)
	case n.Subtype == "V":
		k.NotValid = false
		return nil
	}
	t.Checks = slices.DeleteFunc(slices.Clone(t.Checks), func(x *Constraint) bool { return x == k })
	c.forget("constraint", partOf(t.Name, k.Name))
	return nil
}

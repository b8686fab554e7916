package catalog

import (
	"slices"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/altergate/altergate/internal/schema"
)

// tableChange does a part of ALTER TABLE that is about the table as a whole.
type tableChange = func(a *alteration, cmd *pg.AlterTableCmd, o Origin) error

// tableChanges are those parts, by the parser's names.
var tableChanges = map[pg.AlterTableType]tableChange{
	pg.AlterTableType_AT_ValidateConstraint: validate, pg.AlterTableType_AT_AlterConstraint: alterConstraint,
	pg.AlterTableType_AT_ChangeOwner: func(a *alteration, cmd *pg.AlterTableCmd, _ Origin) error {
		a.t.Owner = role(cmd.GetNewowner())
		return nil
	},
	pg.AlterTableType_AT_ClusterOn:   clusterOn,
	pg.AlterTableType_AT_DropCluster: func(a *alteration, _ *pg.AlterTableCmd, _ Origin) error { a.t.ClusterOn = ""; return nil },
	pg.AlterTableType_AT_SetLogged:   func(a *alteration, _ *pg.AlterTableCmd, _ Origin) error { a.setUnlogged(false); return nil },
	pg.AlterTableType_AT_SetUnLogged: func(a *alteration, _ *pg.AlterTableCmd, _ Origin) error { a.setUnlogged(true); return nil },
	pg.AlterTableType_AT_DropOids:    func(*alteration, *pg.AlterTableCmd, Origin) error { return passedOver("SET WITHOUT OIDS") },
	pg.AlterTableType_AT_SetAccessMethod: func(a *alteration, cmd *pg.AlterTableCmd, _ Origin) error {
		a.t.AccessMethod = accessMethod(cmd.GetName())
		return nil
	},
	pg.AlterTableType_AT_SetTableSpace: func(a *alteration, cmd *pg.AlterTableCmd, _ Origin) error {
		a.t.Tablespace = spaceName(cmd.GetName())
		return nil
	},
	pg.AlterTableType_AT_SetRelOptions: func(a *alteration, cmd *pg.AlterTableCmd, _ Origin) error {
		a.t.Options = withOptions(a.t.Options, cmd.GetDef().GetList().GetItems())
		return nil
	},
	pg.AlterTableType_AT_ResetRelOptions: func(a *alteration, cmd *pg.AlterTableCmd, _ Origin) error {
		a.t.Options = withoutOptions(a.t.Options, cmd.GetDef().GetList().GetItems())
		return nil
	},
	pg.AlterTableType_AT_GenericOptions: func(a *alteration, cmd *pg.AlterTableCmd, _ Origin) error {
		a.t.ServerOptions = serverOptions(a.t.ServerOptions, cmd.GetDef().GetList().GetItems())
		return nil
	},
	pg.AlterTableType_AT_EnableTrig: trigger(""), pg.AlterTableType_AT_EnableAlwaysTrig: trigger("always"), pg.AlterTableType_AT_EnableReplicaTrig: trigger("replica"), pg.AlterTableType_AT_DisableTrig: trigger("disabled"),
	pg.AlterTableType_AT_EnableTrigAll: allTriggers(""), pg.AlterTableType_AT_EnableTrigUser: allTriggers(""), pg.AlterTableType_AT_DisableTrigAll: allTriggers("disabled"), pg.AlterTableType_AT_DisableTrigUser: allTriggers("disabled"),
	pg.AlterTableType_AT_EnableRule: rule(""), pg.AlterTableType_AT_EnableAlwaysRule: rule("always"), pg.AlterTableType_AT_EnableReplicaRule: rule("replica"), pg.AlterTableType_AT_DisableRule: rule("disabled"),
	pg.AlterTableType_AT_AddInherit: inherit, pg.AlterTableType_AT_DropInherit: disinherit, pg.AlterTableType_AT_AddOf: addOf,
	pg.AlterTableType_AT_DropOf:             func(a *alteration, _ *pg.AlterTableCmd, _ Origin) error { a.t.OfType = nil; return nil },
	pg.AlterTableType_AT_ReplicaIdentity:    replicaIdentity,
	pg.AlterTableType_AT_EnableRowSecurity:  func(a *alteration, _ *pg.AlterTableCmd, _ Origin) error { a.t.RowSecurity = true; return nil },
	pg.AlterTableType_AT_DisableRowSecurity: func(a *alteration, _ *pg.AlterTableCmd, _ Origin) error { a.t.RowSecurity = false; return nil },
	pg.AlterTableType_AT_ForceRowSecurity:   func(a *alteration, _ *pg.AlterTableCmd, _ Origin) error { a.t.ForceRowSecurity = true; return nil },
	pg.AlterTableType_AT_NoForceRowSecurity: func(a *alteration, _ *pg.AlterTableCmd, _ Origin) error { a.t.ForceRowSecurity = false; return nil },
	pg.AlterTableType_AT_AttachPartition: func(a *alteration, cmd *pg.AlterTableCmd, o Origin) error {
		return a.c.attach(o, a.t, cmd.GetDef().GetPartitionCmd())
	},
	pg.AlterTableType_AT_DetachPartition: func(a *alteration, cmd *pg.AlterTableCmd, o Origin) error {
		return a.c.detach(o, a.t, cmd.GetDef().GetPartitionCmd())
	},
	pg.AlterTableType_AT_DetachPartitionFinalize: func(*alteration, *pg.AlterTableCmd, Origin) error { return passedOver("DETACH PARTITION … FINALIZE") },
}

// setUnlogged changes whether a table and its own sequences are written to the log.
func (a *alteration) setUnlogged(unlogged bool) {
	a.t.Unlogged = unlogged
	for _, q := range a.c.ownedSequences(a.t.Name) {
		q.Unlogged = unlogged
	}
}

// constraintAt gives a constraint that a statement names. It waits for one that is not there.
func (a *alteration) constraintAt(o Origin, name string) (*Constraint, error) {
	if k := a.t.constraint(name); k != nil {
		return k, nil
	}
	return nil, a.c.missing(o, "table %s has no constraint %s; add it, or correct the name", a.t.Name, name)
}

func validate(a *alteration, cmd *pg.AlterTableCmd, o Origin) error {
	k, err := a.constraintAt(o, cmd.GetName())
	if err != nil {
		return err
	}
	if k.Kind != schema.Check && k.Kind != schema.ForeignKey {
		return a.c.errorf(o, schema.KindSchema, "constraint %s of table %s is neither a check nor a foreign key, so there is nothing to validate", k.Name, a.t.Name)
	}
	k.NotValid = false
	for _, child := range a.c.children(a.t.Name) {
		if own := child.constraint(k.Name); own != nil && own.Kind == k.Kind && !a.only && !k.NoInherit {
			own.NotValid = false
		}
	}
	return nil
}

func alterConstraint(a *alteration, cmd *pg.AlterTableCmd, o Origin) error {
	n := cmd.GetDef().GetConstraint()
	k, err := a.constraintAt(o, n.GetConname())
	if err != nil {
		return err
	}
	if k.Kind != schema.ForeignKey {
		return a.c.errorf(o, schema.KindSchema, "constraint %s of table %s is no foreign key, and only those can be altered", k.Name, a.t.Name)
	}
	a.c.setDeferrable(a.t, k, n.GetDeferrable(), n.GetInitdeferred())
	return nil
}

func (c *Catalog) setDeferrable(t *Table, k *Constraint, deferrable, deferred bool) {
	for _, child := range c.children(t.Name) {
		if own := child.inheritedOf(k); own != nil {
			c.setDeferrable(child, own, deferrable, deferred)
		}
	}
	k.Deferrable, k.Deferred = deferrable, deferred
}

// indexAt tells whether a table has an index, be it a constraint's.
func (a *alteration) indexAt(o Origin, name string) error {
	x := a.c.Indexes[Name{a.t.Name.Schema, name}]
	if k := a.t.constraint(name); (x != nil && x.Table == a.t.Name) || (k != nil && k.isKey()) {
		return nil
	}
	return a.c.missing(o, "table %s has no index %s; create it, or correct the name", a.t.Name, name)
}

func clusterOn(a *alteration, cmd *pg.AlterTableCmd, o Origin) error {
	if err := a.indexAt(o, cmd.GetName()); err != nil {
		return err
	}
	a.t.ClusterOn = cmd.GetName()
	return nil
}

func replicaIdentity(a *alteration, cmd *pg.AlterTableCmd, o Origin) error {
	n := cmd.GetDef().GetReplicaIdentityStmt()
	switch n.GetIdentityType() {
	case "f":
		a.t.ReplicaIdentity = "full"
	case "n":
		a.t.ReplicaIdentity = "nothing"
	case "i":
		if err := a.indexAt(o, n.GetName()); err != nil {
			return err
		}
		a.t.ReplicaIdentity = "index " + n.GetName()
	default:
		a.t.ReplicaIdentity = ""
	}
	return nil
}

// trigger gives what enables or disables one trigger, with its copies in the partitions.
func trigger(enabled string) tableChange {
	return func(a *alteration, cmd *pg.AlterTableCmd, o Origin) error {
		g := a.c.trigger(a.t.Name, cmd.GetName())
		if g == nil {
			return a.c.missing(o, "table %s has no trigger %s; create it, or correct the name", a.t.Name, cmd.GetName())
		}
		g.Enabled = enabled
		a.enableBelow(a.t, enabled, func(x *Trigger) bool { return x.Name == g.Name && x.Inherited })
		return nil
	}
}

func allTriggers(enabled string) tableChange {
	return func(a *alteration, _ *pg.AlterTableCmd, _ Origin) error {
		for _, g := range a.t.Triggers {
			g.Enabled = enabled
		}
		a.enableBelow(a.t, enabled, func(x *Trigger) bool { return x.Inherited })
		return nil
	}
}

func (a *alteration) enableBelow(t *Table, enabled string, which func(*Trigger) bool) {
	if a.only || t.Partition == nil {
		return
	}
	for _, child := range a.c.children(t.Name) {
		for _, g := range child.Triggers {
			if which(g) {
				g.Enabled = enabled
			}
		}
		a.enableBelow(child, enabled, which)
	}
}

// rule gives what enables or disables a rule.
func rule(enabled string) tableChange {
	return func(a *alteration, cmd *pg.AlterTableCmd, o Origin) error {
		r := a.c.Others[[2]string{"rule", partOf(a.t.Name, cmd.GetName())}]
		if r == nil {
			return a.c.missing(o, "table %s has no rule %s; create it, or correct the name", a.t.Name, cmd.GetName())
		}
		r.Props["enabled"] = enabled
		if enabled == "" {
			delete(r.Props, "enabled")
		}
		return nil
	}
}

// inherit runs INHERIT: the table has the parent's columns and checks already, and keeps them as its own.
func inherit(a *alteration, cmd *pg.AlterTableCmd, o Origin) error {
	p, err := a.c.table(o, cmd.GetDef().GetRangeVar())
	if err != nil {
		return err
	}
	switch {
	case slices.Contains(a.t.Inherits, p.Name):
		return a.c.errorf(o, schema.KindSchema, "table %s inherits from %s already", a.t.Name, p.Name)
	case p.Partition != nil || a.t.Partition != nil || a.t.PartitionOf != nil:
		return a.c.errorf(o, schema.KindSchema, "table %s cannot inherit from %s: partitions and partitioned tables do not; use ATTACH PARTITION", a.t.Name, p.Name)
	}
	if err := a.c.conform(o, p, a.t); err != nil {
		return err
	}
	a.t.Inherits = append(slices.Clone(a.t.Inherits), p.Name)
	a.c.noteParent(a.t, p.Name)
	return nil
}

// disinherit runs NO INHERIT: what no other parent has is the table's own now.
func disinherit(a *alteration, cmd *pg.AlterTableCmd, o Origin) error {
	p, err := a.c.table(o, cmd.GetDef().GetRangeVar())
	if err != nil {
		return err
	}
	i := slices.Index(a.t.Inherits, p.Name)
	if i < 0 {
		return a.c.missing(o, "table %s does not inherit from %s", a.t.Name, p.Name)
	}
	a.t.Inherits = slices.Delete(slices.Clone(a.t.Inherits), i, i+1)
	for _, x := range a.t.Columns {
		x.Inherited = x.Inherited && a.c.inheritsColumn(a.t, x.Name)
	}
	for _, k := range a.t.Constraints {
		k.Inherited = k.Inherited && a.c.inheritsConstraint(a.t, k)
	}
	return nil
}

func addOf(a *alteration, cmd *pg.AlterTableCmd, o Origin) error {
	t, err := a.c.typeNamed(o, cmd.GetDef().GetTypeName().GetNames())
	if err != nil {
		return err
	}
	name := t.Name
	a.t.OfType = &name
	return nil
}

// dropSequence takes a sequence away, and the defaults that take their values from it.
func (c *Catalog) dropSequence(q *Sequence) {
	delete(c.Sequences, q.Name)
	for _, t := range c.Tables {
		for _, x := range t.Columns {
			if d := x.Default; d != nil && d.Sequence != nil && *d.Sequence == q.Name {
				x.Default = nil
			}
		}
	}
	c.forget("sequence", q.Name.String())
}

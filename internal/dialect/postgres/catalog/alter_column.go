package catalog

import (
	"slices"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/altergate/altergate/internal/schema"
)

// columnChanges are the forms of ALTER COLUMN, by the parser's names.
var columnChanges = map[pg.AlterTableType]columnChange{
	pg.AlterTableType_AT_ColumnDefault:             {passConstraint, true, setDefault},
	pg.AlterTableType_AT_DropNotNull:               {passDrop, true, dropNotNull},
	pg.AlterTableType_AT_SetNotNull:                {passColumn, true, setNotNull},
	pg.AlterTableType_AT_AddIdentity:               {passConstraint, false, addIdentity},
	pg.AlterTableType_AT_SetIdentity:               {passColumn, false, setIdentity},
	pg.AlterTableType_AT_DropIdentity:              {passDrop, false, dropIdentity},
	pg.AlterTableType_AT_DropExpression:            {passDrop, true, dropExpression},
	pg.AlterTableType_AT_SetExpression:             {passAddColumn, true, setExpression},
	pg.AlterTableType_AT_SetStatistics:             {passMisc, true, setStatistics},
	pg.AlterTableType_AT_SetStorage:                {passMisc, true, setStorage},
	pg.AlterTableType_AT_SetCompression:            {passMisc, false, setCompression},
	pg.AlterTableType_AT_SetOptions:                {passMisc, false, setColumnOptions},
	pg.AlterTableType_AT_ResetOptions:              {passMisc, false, resetColumnOptions},
	pg.AlterTableType_AT_AlterColumnGenericOptions: {passMisc, false, setServerColumnOptions},
}

func setDefault(a *alteration, cmd *pg.AlterTableCmd, t *Table, x *Column, o Origin) error {
	if cmd.GetDef() == nil {
		x.Default = nil
		return nil
	}
	switch {
	case x.Identity != nil:
		return a.c.errorf(o, schema.KindSchema, "column %s of table %s is an identity, which has no default; drop the identity first", x.Name, t.Name)
	case x.Generated != nil:
		return a.c.errorf(o, schema.KindSchema, "column %s of table %s is generated, which has no default; drop its expression first", x.Name, t.Name)
	}
	x.Default = a.c.defaultExpr(a.s, cmd.GetDef(), a.text(o, "SET", "DEFAULT"))
	if x.NullDefault = a.c.isNull(x, cmd.GetDef()); x.NullDefault {
		x.Default = nil
	}
	return nil
}

func setNotNull(_ *alteration, _ *pg.AlterTableCmd, _ *Table, x *Column, _ Origin) error {
	x.NotNull = true
	return nil
}

func dropNotNull(a *alteration, _ *pg.AlterTableCmd, t *Table, x *Column, o Origin) error {
	switch k := t.primaryKey(); {
	case k != nil && slices.Contains(k.Columns, x.Name):
		return a.c.errorf(o, schema.KindSchema, "column %s of table %s is in its primary key, so it stays NOT NULL; drop the key first", x.Name, t.Name)
	case x.Identity != nil:
		return a.c.errorf(o, schema.KindSchema, "column %s of table %s is an identity, so it stays NOT NULL; drop the identity first", x.Name, t.Name)
	}
	x.NotNull = false
	return nil
}

func addIdentity(a *alteration, cmd *pg.AlterTableCmd, t *Table, x *Column, o Origin) error {
	n := cmd.GetDef().GetConstraint()
	switch {
	case x.Identity != nil:
		return a.c.errorf(o, schema.KindSchema, "column %s of table %s is an identity already", x.Name, t.Name)
	case x.Default != nil:
		return a.c.errorf(o, schema.KindSchema, "column %s of table %s has a default; drop it before the column becomes an identity", x.Name, t.Name)
	case !x.NotNull:
		return a.c.missing(o, "column %s of table %s must be NOT NULL to become an identity", x.Name, t.Name)
	}
	return a.c.addIdentity(o, t, x, n.GetGeneratedWhen() == "a", n.GetOptions())
}

// setIdentity runs SET GENERATED … and SET of the options of the sequence. RESTART changes no schema.
func setIdentity(a *alteration, cmd *pg.AlterTableCmd, t *Table, x *Column, o Origin) error {
	if x.Identity == nil {
		return a.c.errorf(o, schema.KindSchema, "column %s of table %s is no identity", x.Name, t.Name)
	}
	var rest []*pg.Node
	always := x.Identity.Always
	for _, n := range cmd.GetDef().GetList().GetItems() {
		switch d := n.GetDefElem(); d.GetDefname() {
		case "generated":
			always = generatedAlways(d.GetArg())
		default:
			rest = append(rest, n)
		}
	}
	if err := a.c.sequenceOptions(o, x.Identity.Sequence, rest, ""); err != nil {
		return err
	}
	x.Identity.Always = always
	return nil
}

// generatedAlways reads the letter that stands for ALWAYS or BY DEFAULT, which the grammar keeps as a number.
func generatedAlways(n *pg.Node) bool { return n.GetInteger().GetIval() == 'a' || word(n) == "a" }

func dropIdentity(a *alteration, cmd *pg.AlterTableCmd, t *Table, x *Column, o Origin) error {
	if x.Identity == nil {
		if cmd.GetMissingOk() {
			return passedOver("DROP IDENTITY IF EXISTS of what is not there")
		}
		return a.c.errorf(o, schema.KindSchema, "column %s of table %s is no identity; add IF EXISTS", x.Name, t.Name)
	}
	q := x.Identity.Sequence
	x.Identity = nil
	a.c.dropSequence(q)
	return nil
}

// dropExpression leaves the column with the values that it has.
func dropExpression(a *alteration, cmd *pg.AlterTableCmd, t *Table, x *Column, o Origin) error {
	if x.Generated == nil {
		if cmd.GetMissingOk() {
			return passedOver("DROP EXPRESSION IF EXISTS of what is not there")
		}
		return a.c.errorf(o, schema.KindSchema, "column %s of table %s is not generated; add IF EXISTS", x.Name, t.Name)
	}
	x.Generated = nil
	return nil
}

func setExpression(a *alteration, cmd *pg.AlterTableCmd, t *Table, x *Column, o Origin) error {
	if x.Generated == nil {
		return a.c.errorf(o, schema.KindSchema, "column %s of table %s is not generated, so it has no expression to change", x.Name, t.Name)
	}
	text := a.text(o, "EXPRESSION", "AS")
	if at := firstAt(a.s, o.Offset, "EXPRESSION", "AS"); at >= 0 {
		text, _, _ = a.s.Parens(at)
	}
	x.Generated = &Expr{Node: cmd.GetDef(), Text: text, Origin: a.c.origin(a.s, max(firstLocation(cmd.GetDef()), o.Offset))}
	return nil
}

func setStatistics(_ *alteration, cmd *pg.AlterTableCmd, _ *Table, x *Column, _ Origin) error {
	x.Statistics = -1
	if cmd.GetDef() != nil {
		x.Statistics = int(whole(cmd.GetDef()))
	}
	return nil
}

func setStorage(a *alteration, cmd *pg.AlterTableCmd, _ *Table, x *Column, _ Origin) error {
	x.Storage = a.c.storage(x, word(cmd.GetDef()))
	return nil
}

func setCompression(_ *alteration, cmd *pg.AlterTableCmd, _ *Table, x *Column, _ Origin) error {
	x.Compression = compression(word(cmd.GetDef()))
	return nil
}

func setColumnOptions(_ *alteration, cmd *pg.AlterTableCmd, _ *Table, x *Column, _ Origin) error {
	x.Options = withOptions(x.Options, cmd.GetDef().GetList().GetItems())
	return nil
}

func resetColumnOptions(_ *alteration, cmd *pg.AlterTableCmd, _ *Table, x *Column, _ Origin) error {
	x.Options = withoutOptions(x.Options, cmd.GetDef().GetList().GetItems())
	return nil
}

func setServerColumnOptions(_ *alteration, cmd *pg.AlterTableCmd, _ *Table, x *Column, _ Origin) error {
	x.Options = serverOptions(x.Options, cmd.GetDef().GetList().GetItems())
	return nil
}

// serverOptions runs OPTIONS (ADD a 'x', SET b 'y', DROP c).
func serverOptions(old map[string]string, nodes []*pg.Node) map[string]string {
	var set, drop []*pg.Node
	for _, n := range nodes {
		if n.GetDefElem().GetDefaction() == pg.DefElemAction_DEFELEM_DROP {
			drop = append(drop, n)
		} else {
			set = append(set, n)
		}
	}
	return withoutOptions(withOptions(old, set), drop)
}

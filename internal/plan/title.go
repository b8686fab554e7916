package plan

import (
	"strings"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// title is how a step is called after its change.
type title struct {
	kind, object, from string
	table              string // that it is about; else its own object
}

// titleOf names a change as the dialects' planners name its step; nothing for one that is no step by itself.
func titleOf(c diff.Change) title {
	switch c := c.(type) {
	case diff.CreateTable:
		return whole("create_table", c.Table.Name)
	case diff.DropTable:
		return whole("drop_table", c.Table.Name)
	case diff.RenameTable:
		return title{"rename_table", c.To, c.From, c.To}
	case diff.RenameColumn:
		return title{"rename_column", c.Table + "." + c.To, c.Table + "." + c.From, c.Table}
	case diff.AddColumn:
		return part("add_column", c.Table, c.Column.Name)
	case diff.DropColumn:
		return part("drop_column", c.Table, c.Column.Name)
	case diff.AlterColumn:
		return part("alter_column", c.Table, c.To.Name)
	case diff.AddConstraint:
		return part("add_"+string(c.Constraint.Kind), c.Table, label(c.Constraint))
	case diff.DropConstraint:
		return part("drop_"+string(c.Constraint.Kind), c.Table, label(c.Constraint))
	case diff.ValidateConstraint:
		return part("alter_"+string(c.To.Kind), c.Table, label(c.To))
	case diff.RenameConstraint:
		return part("rename_"+string(c.To.Kind), c.Table, label(c.To))
	case diff.AlterOptions:
		return whole("alter_table", c.To.Name)
	case diff.CreateIndex:
		return part("create_index", c.Table, c.Index.Name)
	case diff.DropIndex:
		return part("drop_index", c.Table, c.Index.Name)
	case diff.RenameIndex:
		return part("rename_index", c.Table, c.To.Name)
	case diff.CopyTable:
		return whole("rebuild_table", c.To.Name)
	case diff.CreateView:
		return whole("create_"+viewKind(c.View), c.View.Name)
	case diff.DropView:
		return whole("drop_"+viewKind(c.View), c.View.Name)
	case diff.ReplaceView:
		return whole("alter_"+viewKind(c.To), c.To.Name)
	case diff.CreateTrigger:
		return title{"create_trigger", c.On + "." + c.Trigger.Name, "", c.On}
	case diff.DropTrigger:
		return title{"drop_trigger", c.On + "." + c.Trigger.Name, "", c.On}
	case diff.CreateObject:
		return whole("create_"+c.Object.Kind, c.Object.Name)
	case diff.DropObject:
		return whole("drop_"+c.Object.Kind, c.Object.Name)
	case diff.AlterObject:
		return whole("alter_"+c.To.Kind, c.To.Name)
	case diff.RenameObject:
		return title{"rename_" + c.To.Kind, c.To.Name, c.From.Name, c.To.Name}
	case diff.ReplaceOpaque:
		if c.To != nil {
			return whole("opaque", c.To.Name)
		}
		return whole("opaque", c.From.Name)
	case diff.WriteRows:
		return whole(c.Verb+"_rows", c.Name)
	case diff.MadeAgain:
		return whole("drop_"+c.What, c.Name)
	case diff.RunOpaque:
		return whole("opaque", c.What)
	case diff.RunSession:
		return whole("session", c.What)
	case diff.NoEffect:
		return whole("no_effect", c.Text)
	case diff.Remark:
		return whole(strings.ReplaceAll(c.Rule, "-", "_"), c.Pos.File)
	}
	return title{}
}

func whole(kind, object string) title { return title{kind, object, "", object} }

func part(kind string, t *schema.Table, name string) title {
	return title{kind, t.Name + "." + name, "", t.Name}
}

func viewKind(v *schema.View) string {
	if v.Materialized {
		return "materialized_view"
	}
	return "view"
}

// Lacks says in a few words what a change still has to do: "table users is missing", "column users.email differs".
func Lacks(c diff.Change) string {
	t := titleOf(c)
	verb, what, _ := strings.Cut(strings.ReplaceAll(t.kind, "_", " "), " ")
	if what == "" {
		what = verb
	}
	switch verb {
	case "create", "add":
		return what + " " + t.object + " is missing"
	case "drop":
		return what + " " + t.object + " is left over"
	}
	return what + " " + t.object + " differs"
}

// Places gives where the object of a change is written, on the side before and on the side after; empty where it is not.
func Places(c diff.Change) (from, to schema.Pos) {
	switch c := c.(type) {
	case diff.CreateTable:
		return from, c.Table.Pos
	case diff.DropTable:
		return c.Table.Pos, to
	case diff.AddColumn:
		return from, c.Column.Pos
	case diff.DropColumn:
		return c.Column.Pos, to
	case diff.AlterColumn:
		return c.From.Pos, c.To.Pos
	case diff.AddConstraint:
		return from, c.Constraint.Pos
	case diff.DropConstraint:
		return c.Constraint.Pos, to
	case diff.AlterOptions:
		return c.From.Pos, c.To.Pos
	case diff.CreateIndex:
		return from, c.Index.Pos
	case diff.DropIndex:
		return c.Index.Pos, to
	case diff.CreateView:
		return from, c.View.Pos
	case diff.DropView:
		return c.View.Pos, to
	case diff.CreateTrigger:
		return from, c.Trigger.Pos
	case diff.DropTrigger:
		return c.Trigger.Pos, to
	case diff.CreateObject:
		return from, c.Object.Pos
	case diff.DropObject:
		return c.Object.Pos, to
	case diff.AlterObject:
		return c.From.Pos, c.To.Pos
	case diff.ReplaceOpaque:
		if c.From != nil {
			from = c.From.Pos
		}
		if c.To != nil {
			to = c.To.Pos
		}
	}
	return from, to
}

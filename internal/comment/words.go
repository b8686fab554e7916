package comment

import (
	"fmt"
	"strings"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/schema"
)

// rebuild is the kind of step that says nothing of what it changes.
const rebuild = "rebuild_table"

// inWords says what a step does: "drop column `users.email`". Where kind and object do not say it all, its changes are listed.
func inWords(s *plan.Step) string {
	words := Text(strings.ReplaceAll(s.Kind, "_", " "))
	if s.From != "" {
		words += " " + Code(s.From) + " to"
	}
	words += " " + Code(s.Object)
	var parts []string
	for _, c := range leaves(s.Changes) {
		parts = append(parts, changeInWords(c))
	}
	if len(parts) == 0 || len(parts) == 1 && s.Kind != rebuild {
		return words
	}
	return words + ": " + list(parts)
}

// leaves takes rebuilds apart.
func leaves(changes []diff.Change) []diff.Change {
	var all []diff.Change
	for _, c := range changes {
		switch c := c.(type) {
		case diff.RebuildTable:
			all = append(all, leaves(c.Changes)...)
		case diff.CopyTable, diff.MadeAgain, diff.RunSession, diff.NoEffect, diff.Remark:
			// The step is named for it, or its finding says all there is.
		default:
			all = append(all, c)
		}
	}
	return all
}

func changeInWords(c diff.Change) string {
	switch c := c.(type) {
	case diff.CreateTable:
		return "create table " + Code(c.Table.Name)
	case diff.DropTable:
		return "drop table " + Code(c.Table.Name)
	case diff.RenameTable:
		return "rename table " + Code(c.From) + " to " + Code(c.To)
	case diff.RenameColumn:
		return "rename column " + Code(c.From) + " to " + Code(c.To)
	case diff.WriteRows:
		return Text(c.Verb) + " rows of " + Code(c.Name)
	case diff.RunOpaque:
		return "run " + Code(c.What)
	case diff.AddColumn:
		return "add column " + Code(c.Column.Name)
	case diff.DropColumn:
		return "drop column " + Code(c.Column.Name)
	case diff.AlterColumn:
		return "alter column " + Code(c.To.Name)
	case diff.AddConstraint:
		return "add " + constraintInWords(c.Constraint)
	case diff.DropConstraint:
		return "drop " + constraintInWords(c.Constraint)
	case diff.AlterOptions:
		return "alter the options of the table"
	case diff.CreateIndex:
		return "create index " + Code(c.Index.Name)
	case diff.DropIndex:
		return "drop index " + Code(c.Index.Name)
	case diff.CreateView:
		return "create " + viewInWords(c.View)
	case diff.DropView:
		return "drop " + viewInWords(c.View)
	case diff.ReplaceView:
		return "replace " + viewInWords(c.To)
	case diff.CreateTrigger:
		return "create trigger " + Code(c.Trigger.Name)
	case diff.DropTrigger:
		return "drop trigger " + Code(c.Trigger.Name)
	case diff.CreateObject:
		return "create " + objectInWords(c.Object)
	case diff.DropObject:
		return "drop " + objectInWords(c.Object)
	case diff.AlterObject:
		return "alter " + objectInWords(c.To)
	case diff.ValidateConstraint:
		return "validate " + constraintInWords(c.To)
	case diff.RenameConstraint:
		return "rename " + constraintInWords(c.From) + " to " + Code(c.To.Name)
	case diff.RenameIndex:
		return "rename index " + Code(c.From.Name) + " to " + Code(c.To.Name)
	case diff.RenameObject:
		return "rename " + objectInWords(c.From) + " to " + Code(c.To.Name)
	case diff.ReplaceOpaque:
		return opaqueInWords(c)
	case diff.RebuildTable:
		return "rebuild table " + Code(c.To.Name)
	}
	return Text(fmt.Sprintf("a change of the kind %T", c))
}

func constraintInWords(c *schema.Constraint) string {
	words := strings.ReplaceAll(string(c.Kind), "_", " ")
	switch {
	case c.Name != "":
		return words + " " + Code(c.Name)
	case len(c.ColumnKeys()) > 0:
		return words + " on " + list(codes(c.ColumnKeys()))
	case c.Expr != nil:
		return words + " " + Code(c.Expr.Text)
	}
	return words
}

func viewInWords(v *schema.View) string {
	if v.Materialized {
		return "materialized view " + Code(v.Name)
	}
	return "view " + Code(v.Name)
}

func objectInWords(o *schema.Object) string {
	return Text(strings.ReplaceAll(o.Kind, "_", " ")) + " " + Code(o.Name)
}

func opaqueInWords(c diff.ReplaceOpaque) string {
	switch {
	case c.From == nil:
		return "create " + Text(c.To.Kind) + " " + Code(c.To.Name)
	case c.To == nil:
		return "drop " + Text(c.From.Kind) + " " + Code(c.From.Name)
	}
	return "replace " + Text(c.To.Kind) + " " + Code(c.To.Name)
}

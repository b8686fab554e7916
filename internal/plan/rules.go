package plan

import (
	"fmt"
	"strings"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// Rule looks at one change and says what it means. Its ID is stable: reports, documentation and suppressions name it.
type Rule struct {
	ID    string
	Title string // a few words for a list
	Check func(*Pass, diff.Change) []Finding
}

// Rules are all rules, in the order of docs/rules.md. Every change is judged by at least one of them.
var Rules = []Rule{
	createTable, dropTable, renameTable, renameColumn,
	addColumn, dropColumn, changeType, setNotNull, dropNotNull, changeDefault, changeCollation, charset, changeGenerated, moveColumn,
	implicitTimestamp, ignoredReferences, alterColumn,
	changePrimaryKey, autoincrement, addUnique, dropUnique, addForeignKey, dropForeignKey, deleteAction, setNullRequired,
	addCheck, dropCheck, tableOptions, engine, rebuildTable, deleteChildren,
	createIndex, dropIndex, hideIndex, foreignKeyMismatch, createView, replaceView, dropView, createTrigger, dropTrigger, opaque,
	createObject, dropObject, alterObject, enumLabels, securityDefiner, definer, comment, accessChange, identity, exclusion, validate, renamePart, partition, rewrite, copyTable, instantBudget,
	setTags, assertion, maintained,
	insertRows, updateRows, deleteRows, copyRows, dropAndCreate, noEffect, session,
	editedMigration, deletedMigration, renamedMigration, baseline, editedDown, outOfOrder, neverRun, catchUp, cannotRun, implicitTransaction, crossCheck, otherServer, missingDown, downDiffers, unreadMigration, backfillInTransaction, ignoredPragma,
}

// onHead makes the finding of a rule about something written in the head.
func onHead(risk Risk, pos schema.Pos, format string, args ...any) []Finding {
	return []Finding{{Risk: risk, Text: fmt.Sprintf(format, args...), Side: schema.Head, Pos: pos}}
}

// onBase makes the finding of a rule about something that only the base has.
func onBase(risk Risk, pos schema.Pos, format string, args ...any) []Finding {
	return []Finding{{Risk: risk, Text: fmt.Sprintf(format, args...), Side: schema.Base, Pos: pos}}
}

// label names a constraint for people: its name, or what it says.
func label(k *schema.Constraint) string {
	switch {
	case k.Name != "":
		return k.Name
	case k.Expr != nil:
		return "(" + strings.Join(strings.Fields(k.Expr.Text), " ") + ")"
	}
	return strings.Join(strings.Fields(k.Text), " ")
}

// list names columns.
func list(names []string) string { return strings.Join(names, ", ") }

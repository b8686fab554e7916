package plan

import "github.com/altergate/altergate/internal/diff"

// Rules about the files of migrations: what is wrong is found where the files are compared, and the risk is said here.
var (
	// editedMigration: a database that has run the old text never runs the new one. Where both do the same only the tool complains.
	editedMigration = Rule{ID: "edited-migration", Title: "a merged migration is edited", Check: func(p *Pass, c diff.Change) []Finding {
		if r, ok := c.(diff.Remark); ok && r.Same {
			return remarked("edited-migration", "", Review).Check(p, c)
		}
		return remarked("edited-migration", "", Destructive).Check(p, c)
	}}
	// deletedMigration: a database that has run it keeps what it did.
	deletedMigration = remarked("deleted-migration", "a merged migration is removed", Destructive)
	// renamedMigration: tools that know migrations by their files' names take it for another one.
	renamedMigration = remarked("renamed-migration", "a merged migration has another file name", Review)
	// baseline: only empty databases run it.
	baseline = remarked("baseline", "a baseline for new databases", Review)
	// editedDown: what a database would run to go back is another than before.
	editedDown = remarked("edited-down", "the way back of a merged migration is edited", Safe)
	// outOfOrder: tools run, refuse or skip a migration that comes before one that has run.
	outOfOrder = remarked("out-of-order", "a migration comes before one that is merged", Review)
	// neverRun: databases differ from the files for good.
	neverRun = remarked("never-run", "a migration that the tool never runs", Destructive)
	// catchUp: databases that exist cannot get there by migrations.
	catchUp = remarked("catch-up", "a change that no migration makes", Review)
	// cannotRun: what the files say is not what databases get.
	cannotRun = remarked("cannot-run", "a migration that fails on databases there are", Destructive)
	// implicitTransaction: whether it fails depends on how the tool is set up.
	implicitTransaction = remarked("implicit-transaction", "a statement that may stand in a transaction and must not", Review)
	// crossCheck: the two say different things of the same database.
	crossCheck = remarked("cross-check", "the schema file and the migrations differ", Review)
	// otherServer: on the server that the configuration names, it fails.
	otherServer = remarked("other-server", "a migration that the dialect does not know", Review)
	// missingDown: the way back is missing.
	missingDown = remarked("missing-down", "a migration without a way back", Review)
	// downDiffers: the way back leads elsewhere.
	downDiffers = remarked("down-differs", "a way back that leads elsewhere", Review)
	// unreadMigration: what is not SQL can do anything.
	unreadMigration = remarked("unread-migration", "a migration that is not SQL", Review)
	// backfillInTransaction: a lock is held while all rows are written.
	backfillInTransaction = remarked("backfill-in-transaction", "rows are written while a table is locked", Review)
	// ignoredPragma: SQLite ignores it there.
	ignoredPragma = remarked("ignored-pragma", "PRAGMA foreign_keys inside a transaction", Review)
)

// remarked makes a rule that says what was found, at its risk.
func remarked(id, title string, risk Risk) Rule {
	return Rule{ID: id, Title: title, Check: func(_ *Pass, c diff.Change) []Finding {
		if r, ok := c.(diff.Remark); ok && r.Rule == id {
			return []Finding{{Risk: risk, Text: r.Text, Side: r.Side, Pos: r.Pos}}
		}
		return nil
	}}
}

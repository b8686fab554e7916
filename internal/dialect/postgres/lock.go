package postgres

import "github.com/altergate/altergate/internal/plan"

// The locks of steps, as measured on PostgreSQL 15 by tracing pg_locks (explicit-locking.html has the table of conflicts).
var (
	// accessExclusive is what ALTER TABLE takes unless its documentation says otherwise (sql-altertable.html).
	accessExclusive = plan.Lock{Level: "ACCESS EXCLUSIVE", Blocks: "reads and writes"}
	// exclusiveScan is ACCESS EXCLUSIVE while all rows are read.
	exclusiveScan = plan.Lock{Level: "ACCESS EXCLUSIVE", Blocks: "reads and writes", Scan: true}
	// exclusiveRewrite is ACCESS EXCLUSIVE while all rows and indexes are written again.
	exclusiveRewrite = plan.Lock{Level: "ACCESS EXCLUSIVE", Blocks: "reads and writes", Rewrite: true, Scan: true}
	// shareRowExclusive is what a foreign key takes on both tables, and a trigger on its own.
	shareRowExclusive = plan.Lock{Level: "SHARE ROW EXCLUSIVE", Blocks: "writes"}
	shareRowScan      = plan.Lock{Level: "SHARE ROW EXCLUSIVE", Blocks: "writes", Scan: true}
	// share is what CREATE INDEX takes.
	share = plan.Lock{Level: "SHARE", Blocks: "writes", Scan: true}
	// shareUpdateExclusive is what VALIDATE CONSTRAINT, CREATE INDEX CONCURRENTLY and COMMENT ON take.
	shareUpdateExclusive = plan.Lock{Level: "SHARE UPDATE EXCLUSIVE", Blocks: "nothing"}
	shareUpdateScan      = plan.Lock{Level: "SHARE UPDATE EXCLUSIVE", Blocks: "nothing", Scan: true}
	// none is a change of something that no rows are stored in, or that nobody can see yet.
	none = plan.Lock{Level: "none", Blocks: "nothing"}
	// exclusiveThenScan is what NOT VALID and VALIDATE take: the strong lock for a moment, and a weak one while rows are read.
	exclusiveThenScan = plan.Lock{Level: "ACCESS EXCLUSIVE for a moment, then SHARE UPDATE EXCLUSIVE", Blocks: "nothing while rows are read", Scan: true}
	shareRowThenScan  = plan.Lock{Level: "SHARE ROW EXCLUSIVE for a moment, then SHARE UPDATE EXCLUSIVE", Blocks: "nothing while rows are read", Scan: true}
)

// Package online knows what a change of a table costs on MySQL and MariaDB: which ALGORITHM and LOCK the server takes for it, whether
// rows are read or written again, and what becomes of the values in a column whose type changes. It is a pure function of definitions,
// flavour and version. It plans nothing, renders nothing and asks no server; tests hold it to one.
//
// What is said of MySQL is from its manual, "Online DDL Operations" (17.12.1 of 8.4 and 9, 17.12.1 of 8.0, 14.13.1 of 5.7), and where that
// is silent, from storage/innobase/handler/handler0alter.cc. What is said of MariaDB is from "InnoDB Online DDL Operations with the
// INSTANT, NOCOPY, INPLACE Alter Algorithm", and measured. A server that could do better than is said here does what is stated; one that
// could not refuses the statement. So what is in doubt is COPY, which every server can.
package online

import (
	"strings"

	"github.com/altergate/altergate/internal/dialect/mysql/catalog"
	"github.com/altergate/altergate/internal/dialect/mysql/server"
	"github.com/altergate/altergate/internal/plan"
)

// Alter is one ALTER TABLE.
type Alter struct {
	Server    server.Server
	Table     *catalog.Table // as it is before
	Actions   []Action
	Loose     bool // sql_mode is not strict
	Unchecked bool // foreign_key_checks is off
}

// Answer is what the statement takes.
type Answer struct {
	Algorithm string // INSTANT, NOCOPY (MariaDB), INPLACE, COPY
	Lock      string // NONE, SHARED, EXCLUSIVE: what the statement keeps others from while it works
	Rewrite   bool   // every row is written again
	Scan      bool   // every row is read
	Why       string // a clause: "a column is added in the metadata"
	// Together tells that the actions cost no more in one statement than each in its own. Where they do, Conflict says why.
	Together bool
	Conflict string
	// Refused says why the server takes the statement in no way; empty = it does.
	Refused string

	unstated bool // the statement takes no such clauses
}

// Clause gives ALGORITHM and LOCK as they are to be stated, with which the server refuses rather than do more than is said; empty where
// the statement takes none. INSTANT goes without LOCK, since MySQL takes only LOCK=DEFAULT with it.
func (a Answer) Clause() string {
	switch {
	case a.unstated:
		return ""
	case a.Algorithm == instant.String():
		return "ALGORITHM=INSTANT"
	}
	return "ALGORITHM=" + a.Algorithm + ", LOCK=" + a.Lock
}

// Blocks says whom the statement keeps waiting while it works, in the words of plan.Lock.
func (a Answer) Blocks() string {
	switch a.Lock {
	case none.String():
		return "nothing"
	case shared.String():
		return "writes"
	}
	return "reads and writes"
}

// PlanLock is the answer for a plan's step.
func (a Answer) PlanLock() plan.Lock {
	level := a.Algorithm
	if a.Algorithm != instant.String() {
		level += ", LOCK=" + a.Lock
	}
	return plan.Lock{Level: level, Blocks: a.Blocks(), Rewrite: a.Rewrite, Scan: a.Scan}
}

// algorithm and lock are ordered: what comes later is worse.
type (
	algorithm int
	lock      int
)

const (
	instant algorithm = iota
	noCopy            // MariaDB's: in place, and the table is not rebuilt
	inPlace
	byCopy
)

const (
	none lock = iota
	shared
	exclusive
)

func (a algorithm) String() string { return [...]string{"INSTANT", "NOCOPY", "INPLACE", "COPY"}[a] }
func (l lock) String() string      { return [...]string{"NONE", "SHARED", "EXCLUSIVE"}[l] }

// fact is what one action takes.
type fact struct {
	algorithm     algorithm
	lock          lock
	rewrite, scan bool
	why           string
	slow          *fact // what it takes beside an action that needs a worse algorithm; nil = no more than this
	unstated      bool
	refused       string
}

// metadata is a change that touches no row.
func metadata(a algorithm, why string) fact { return fact{algorithm: a, why: why} }

// copied is a change for which the table is copied.
func copied(why string) fact {
	return fact{algorithm: byCopy, lock: shared, rewrite: true, scan: true, why: why}
}

// rebuilt is a change for which the table is rebuilt where it is, while others read and write.
func rebuilt(why string) fact {
	return fact{algorithm: inPlace, rewrite: true, scan: true, why: why}
}

// instantOr is a change that is INSTANT if the whole statement is.
func instantOr(slow fact, why string) fact { return fact{algorithm: instant, why: why, slow: &slow} }

// worse joins what two actions take.
func (f fact) worse(g fact) fact {
	if g.rank() > f.rank() {
		f.why = g.why
	}
	f.algorithm, f.lock = max(f.algorithm, g.algorithm), max(f.lock, g.lock)
	f.rewrite, f.scan, f.unstated = f.rewrite || g.rewrite, f.scan || g.scan, f.unstated || g.unstated
	if f.refused == "" {
		f.refused = g.refused
	}
	return f
}

func (f fact) rank() int {
	n := 10*int(f.algorithm) + int(f.lock)
	if f.rewrite {
		n += 5
	}
	return n
}

// Answer says what the statement takes: the worst of its actions, and what their being together adds.
func (a Alter) Answer() Answer {
	facts := make([]fact, len(a.Actions))
	apart, together := fact{why: "nothing changes"}, fact{why: "nothing changes"}
	for i, act := range a.Actions {
		facts[i] = a.settle(a.fact(act))
		apart = apart.worse(facts[i])
	}
	for _, f := range facts {
		if apart.algorithm > f.algorithm && f.slow != nil {
			f = *f.slow
		}
		together = together.worse(f)
	}
	together = a.settle(together)
	out := Answer{Together: true}
	why := a.conflict(together)
	if why != "" {
		together = together.worse(copied(why))
	}
	if together.algorithm > apart.algorithm || together.lock > apart.lock || together.rewrite && !apart.rewrite {
		if out.Together, out.Conflict = false, why; why == "" {
			out.Conflict = "what is instant alone rebuilds the table beside what is not"
		}
	}
	out.Algorithm, out.Lock = together.algorithm.String(), together.lock.String()
	out.Rewrite, out.Scan, out.Why, out.Refused, out.unstated = together.rewrite, together.scan, together.why, together.refused, together.unstated
	return out
}

// fact says what one action takes by itself.
func (a Alter) fact(act Action) fact {
	if f, ok := a.besideHash(act); ok {
		return f
	}
	if !a.innoDB() {
		return a.otherEngine(act)
	}
	if shifts(act) {
		return copied("a virtual column gets another place")
	}
	if a.Server.MariaDB {
		return a.maria(act)
	}
	return a.mysql(act)
}

// shifts tells whether an action gives a virtual column that is there another place among the columns. For that both servers copy the
// table: "INPLACE ADD or DROP of virtual columns cannot be combined with other ALTER TABLE actions", error 1846.
func shifts(act Action) bool {
	switch act := act.(type) {
	case AddColumn:
		return act.Shifts
	case ModifyColumn:
		return act.Shifts && act.Moved
	}
	return false
}

// settle takes the table into account: a rebuild cannot keep every index up to date while others write.
func (a Alter) settle(f fact) fact {
	if f.slow != nil {
		slow := a.settle(*f.slow)
		f.slow = &slow
	}
	if !f.rewrite || f.algorithm != inPlace {
		return f
	}
	switch full, spatial := a.survives(catalog.Fulltext), a.survives(catalog.Spatial); {
	case full && !a.Server.MariaDB:
		// handler0alter.cc: "If the table already contains fulltext indexes, refuse to rebuild the table natively altogether."
		return copied(f.why + ", and a table with a FULLTEXT index cannot be rebuilt in place")
	case full, spatial:
		f.lock = max(f.lock, shared)
	case a.indexedVirtual():
		f.lock = max(f.lock, shared) // "online rebuild with indexed virtual columns"
	}
	return f
}

// otherEngine: of engines other than InnoDB, only what stands in no row is changed without a copy.
func (a Alter) otherEngine(act Action) fact {
	still := metadata(instant, "only the definition changes")
	if !a.Server.MariaDB {
		still = fact{algorithm: inPlace, why: still.why, unstated: true} // which of the two a server calls it depends on the engine
	}
	switch act := act.(type) {
	case RenameColumn, SetDefault, RenameKey, DropCheck, RenameTable, ChangePartitions:
		if p, ok := act.(ChangePartitions); ok {
			return partitions(p.How, a.Server)
		}
		return still
	case SetKeyVisibility:
		return still
	case SetTableOption:
		if act.Name == "COMMENT" {
			return still
		}
	case ModifyColumn:
		if !act.Moved && onlyWords(act.From, act.To) {
			return still
		}
	}
	return copied("the engine " + a.Table.Engine + " knows no other way")
}

func (a Alter) innoDB() bool {
	return a.table().Engine == "" || strings.EqualFold(a.table().Engine, "InnoDB")
}

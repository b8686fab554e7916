package postgres

import (
	"strings"

	"github.com/altergate/altergate/internal/plan"
)

// lockTimeout is how long a statement waits for a lock before it gives up: whoever comes after it waits too, readers as well. It is
// short enough not to be felt, and the plan can be run again from where it stopped.
const lockTimeout = "SET lock_timeout = '5s'"

// noLockTimeout is for what waits for others without holding them up, such as an index that is built concurrently: if that gave up, it
// would leave an invalid index behind.
const noLockTimeout = "SET lock_timeout = 0"

// timed are statements of a step outside of transactions that take a strong lock.
func timed(sql ...string) []string { return sql }

// untimed are those that wait long and hold up nobody.
func untimed(sql ...string) []string {
	return append(append([]string{noLockTimeout}, sql...), lockTimeout)
}

// frame puts steps that can be in a transaction, and stand side by side, into one, and limits the time that they wait for locks.
func frame(steps []*plan.Step) {
	if len(steps) == 0 {
		return
	}
	if len(steps[0].SQL) == 0 || steps[0].SQL[0] != noLockTimeout {
		steps[0].Before = append(steps[0].Before, lockTimeout)
	}
	open := false
	for i, s := range steps {
		if s.Transaction && !open {
			s.Before = append(s.Before, "BEGIN")
			open = true
		}
		if open && (i+1 == len(steps) || !steps[i+1].Transaction) {
			s.After = append(s.After, "COMMIT")
			open = false
		}
	}
	last := steps[len(steps)-1]
	last.After = append(last.After, "RESET lock_timeout")
	for _, s := range steps {
		// A step that ends with waiting without limit says when the limit is on again; the next one need not hear it twice.
		if n := len(s.SQL); s == last && n > 0 && s.SQL[n-1] == lockTimeout {
			s.SQL = s.SQL[:n-1]
		}
		for i, sql := range s.SQL {
			s.SQL[i] = strings.TrimRight(sql, "; \n\t")
		}
	}
}

package schemajson

import (
	"errors"
	"fmt"
)

// sqliteVerbs begin the statements that the body of a trigger may hold.
var sqliteVerbs = []string{"INSERT", "REPLACE", "UPDATE", "DELETE", "SELECT", "VALUES", "WITH"}

// sqliteTrigger wants [FOR EACH ROW] [WHEN condition] BEGIN statements END. SQLite ends the trigger at the END that stands
// where a statement could begin, so that one must be the last token; an END anywhere else must belong to a CASE. Comments
// are let in, as people write them in bodies: each is known to end before the END does.
func sqliteTrigger(f fragment) error {
	if !f[len(f)-1].is("END") {
		return errors.New("must be BEGIN … END, with nothing after END")
	}
	f, err := triggerBody(f.withoutComments())
	if err != nil {
		return err
	}
	start := 0
	for i, t := range f.outer() {
		if !t.sign(";") {
			continue
		}
		if err := checkBodyStatement(f[start:i]); err != nil {
			return err
		}
		start = i + 1
	}
	if len(f) == 0 || start < len(f) {
		return errors.New(`must have a ";" after each statement between BEGIN and END`)
	}
	return nil
}

// triggerBody gives what stands between BEGIN and END.
func triggerBody(f fragment) (fragment, error) {
	f, _ = f.skip("FOR", "EACH", "ROW")
	if rest, ok := f.skip("WHEN"); ok {
		begin := rest.condition()
		if begin <= 0 {
			return nil, errors.New("must have a condition after WHEN, and BEGIN after the condition")
		}
		f = rest[begin:]
	}
	f, ok := f.skip("BEGIN")
	if !ok || len(f) == 0 {
		return nil, errors.New("must be [FOR EACH ROW] [WHEN condition] BEGIN … END")
	}
	return f[:len(f)-1], nil
}

// condition gives the number of tokens before the BEGIN that ends a condition; -1 when there is none.
func (f fragment) condition() int {
	for i, t := range f.outer() {
		switch {
		case t.sign(";"):
			return -1
		case t.is("BEGIN") && !f.follows(i, "."):
			return i
		}
	}
	return -1
}

func checkBodyStatement(f fragment) error {
	if len(f) == 0 {
		return errors.New(`holds a ";" without a statement before it`)
	}
	if !isOneOf(f[0], sqliteVerbs) {
		return fmt.Errorf("may hold INSERT, REPLACE, UPDATE, DELETE, SELECT, VALUES and WITH between BEGIN and END, not %s", excerpt(f[0].text))
	}
	cases := 0
	for i, t := range f {
		if f.follows(i, ".") {
			continue // a name, whatever the word
		}
		switch {
		case t.is("CASE"):
			cases++
		case t.is("END"):
			cases--
		case t.is("BEGIN"):
			return errors.New("holds a second BEGIN; a column of that name needs quotes")
		}
		if cases < 0 {
			return errors.New(`holds an END that closes no CASE; put a ";" before the END of the trigger, and quotes around a name`)
		}
	}
	if cases > 0 {
		return errors.New("holds a CASE without END")
	}
	return nil
}

// postgresTrigger wants [FOR [EACH] ROW|STATEMENT] [WHEN (condition)] EXECUTE FUNCTION name(arguments).
func postgresTrigger(f fragment) error {
	for _, t := range f {
		if t.kind == commentToken || t.sign(";") {
			return fmt.Errorf("may hold neither comments nor %q", ";")
		}
	}
	for _, each := range [][]string{{"FOR", "EACH", "ROW"}, {"FOR", "EACH", "STATEMENT"}, {"FOR", "ROW"}, {"FOR", "STATEMENT"}} {
		rest, ok := f.skip(each...)
		if f = rest; ok {
			break
		}
	}
	if rest, ok := f.skip("WHEN"); ok && rest.group() > 2 {
		f = rest[rest.group():]
	}
	for _, execute := range []string{"FUNCTION", "PROCEDURE"} {
		if call, ok := f.skip("EXECUTE", execute); ok && len(call) > 0 && call.call() == len(call) {
			return nil
		}
	}
	return errors.New("must be [FOR EACH ROW] [WHEN (condition)] EXECUTE FUNCTION name(arguments), with nothing after it")
}

func (f fragment) withoutComments() fragment {
	var kept fragment
	for _, t := range f {
		if t.kind != commentToken {
			kept = append(kept, t)
		}
	}
	return kept
}

func isOneOf(t token, keywords []string) bool {
	for _, k := range keywords {
		if t.is(k) {
			return true
		}
	}
	return false
}

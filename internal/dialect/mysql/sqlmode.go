package mysql

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/dialect/mysql/catalog"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// A program keeps the sql_mode of the session that made it, and runs under that ("Server SQL Modes"). It counts where both sides state one, as
// dumps do; where one side leaves it to whoever runs the statement, it cannot be compared.

// otherModes finds the programs of which both sides state the sql_mode, and not the same.
func otherModes(from, head *catalog.Catalog) map[string]bool {
	other := map[string]bool{}
	before := from.Programs()
	for key, p := range head.Programs() {
		if old := before[key]; old.Mode != "" && p.Mode != "" && old.Mode != p.Mode {
			other[key] = true
		}
	}
	return other
}

// mode is what the model says of a program's sql_mode: nothing, unless it is another than on the other side.
func (l *Loaded) mode(key, mode string) string {
	if !l.modes[key] {
		return ""
	}
	return " sql_mode " + mode
}

// unknownModes tells of the programs whose sql_mode one side alone states.
func unknownModes(from, head *catalog.Catalog) []schema.Notice {
	before, after := from.Programs(), head.Programs()
	var names [2][]string
	for _, key := range slices.Sorted(maps.Keys(after)) {
		old, there := before[key]
		switch p := after[key]; {
		case !there || (old.Mode == "") == (p.Mode == ""):
		case p.Mode == "":
			names[0] = append(names[0], p.What+" "+p.Name.String())
		default:
			names[1] = append(names[1], p.What+" "+p.Name.String())
		}
	}
	var all []schema.Notice
	for i, side := range [...]schema.Side{schema.Base, schema.Head} {
		if len(names[i]) > 0 {
			all = append(all, schema.Notice{Side: side, Text: fmt.Sprintf("the %s alone states the sql_mode under which programs are made, so whether it changes is not known: %s; state it on both sides, or on none", side, listed(names[i]))})
		}
	}
	return all
}

// listed names the first of many.
func listed(names []string) string {
	const most = 5
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}

// keepMode and backToMode stand around a statement that makes a program under a sql_mode of its own.
const (
	keepMode   = "SET @altergate_sql_mode = @@SESSION.sql_mode"
	backToMode = "SET SESSION sql_mode = @altergate_sql_mode"
)

// making are the statements that make a program of the head, by the one of its author and those that alter it later.
func (w *work) making(key, sql string) []string {
	return w.underMode(key, append([]string{sql}, w.modes[key].Alters...))
}

// underMode has statements run under the sql_mode that the head states for a program.
func (w *work) underMode(key string, sql []string) []string {
	mode := w.modes[key].Mode
	if mode == "" {
		return sql
	}
	return slices.Concat([]string{keepMode, "SET SESSION sql_mode = " + mode}, sql, []string{backToMode})
}

// onlyAltered gives the statements of the head that alter what the base has already; nil = more than that changes.
func (w *work) onlyAltered(c diff.AlterObject) []string {
	old, p := w.From.catalog.Programs()[programKey(c.From)], w.modes[programKey(c.To)]
	if n := len(old.Alters); len(p.Alters) > n && slices.Equal(p.Alters[:n], old.Alters) && old.Made == p.Made && old.Mode == p.Mode && old.Definer == p.Definer {
		return p.Alters[n:]
	}
	return nil
}

// programKey is that of an object among the programs.
func programKey(o *schema.Object) string { return catalog.RoutineKey(o.Kind, parseName(o.Name)) }

// sameModes tells whether the programs whose sql_mode changes got that of the head.
func sameModes(base, after, head *catalog.Catalog) error {
	got, want := after.Programs(), head.Programs()
	for _, key := range slices.Sorted(maps.Keys(otherModes(base, head))) {
		if p := want[key]; got[key].Mode != p.Mode {
			return fmt.Errorf("the plan does not lead to the head: the %s %s is not made under the sql_mode %s", p.What, p.Name, p.Mode)
		}
	}
	return nil
}

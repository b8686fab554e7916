package catalog

import (
	"slices"
	"strings"
)

// modeGroups are the parts of sql_mode that stand for several, as the servers write them out. What only says how a text is read is no more
// in a statement by the time that it comes here.
var modeGroups = map[string][]string{
	"TRADITIONAL": {"TRADITIONAL", "STRICT_TRANS_TABLES", "STRICT_ALL_TABLES", "NO_ZERO_IN_DATE", "NO_ZERO_DATE", "ERROR_FOR_DIVISION_BY_ZERO", "NO_ENGINE_SUBSTITUTION"},
}

// modeText writes a value of sql_mode in one form, as a statement has it. NO_AUTO_CREATE_USER is left out: it is about GRANT alone, and MySQL
// 8.0 does not know it any more.
func modeText(list string) string {
	var words []string
	for _, w := range strings.Split(strings.ToUpper(list), ",") {
		switch w = strings.TrimSpace(w); {
		case w == "", w == "0", w == "NO_AUTO_CREATE_USER":
		case modeGroups[w] != nil:
			words = append(words, modeGroups[w]...)
		default:
			words = append(words, w)
		}
	}
	slices.Sort(words)
	return quoteText(strings.Join(slices.Compact(words), ","))
}

// programMode gives the sql_mode that a program keeps from the session that makes it; empty = it is not stated.
func (r *reader) programMode(what string, name Name) string {
	s := &r.c.session
	if s.workedOut {
		r.c.notice(r.pos(0), r.path, "the sql_mode of the %s %s is worked out on the server, and is not compared; set it to a list of modes in quotes to have it compared", what, name)
	}
	return s.stated
}

// Program is what has a body, and keeps the sql_mode of the session that made it.
type Program struct {
	What string // trigger, procedure, function, event
	Name Name
	Mode string // a list in quotes; empty = not stated

	Definer string
	Made    string   // what the statement that made it says, in one form
	Alters  []string // the statements that altered it since
}

// Programs gives all of them, by a key of their own.
func (c *Catalog) Programs() map[string]Program {
	all := map[string]Program{}
	for key, t := range c.Triggers {
		all["trigger "+key] = Program{What: "trigger", Name: t.Name, Mode: t.Mode}
	}
	for key, p := range c.Routines {
		all[key] = Program{p.Kind, p.Name, p.Mode, p.Definer, p.made, p.alters}
	}
	for key, e := range c.Events {
		all["event "+key] = Program{"event", e.Name, e.Mode, e.Definer, e.made, e.alters}
	}
	return all
}

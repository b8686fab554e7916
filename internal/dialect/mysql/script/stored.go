package script

import (
	"sort"
	"strings"
)

// program is what the words before the body of a stored program say.
type program struct {
	kind   Kind
	stored Stored
	body   int    // offset of the body; -1 = none
	at     int    // where it cannot be read on
	fault  string // why; empty = it could be read
}

func (p *program) fail(r *reader, want string) *program {
	p.at, p.fault, p.body = r.tok.Start, want, -1
	return p
}

// readProgram reads a statement that makes, changes or drops a trigger, a routine or an event, up to its body. It gives nil for all
// others.
func readProgram(r *reader) *program {
	p := &program{body: -1}
	verb := r.upper()
	if verb != "CREATE" && verb != "ALTER" && verb != "DROP" {
		return nil
	}
	r.step()
	if verb == "CREATE" && r.take("OR", "REPLACE") {
		p.stored.OrReplace = true
	}
	if verb != "DROP" && r.take("DEFINER") {
		r.take("=")
		who, ok := r.user()
		if !ok {
			return nil
		}
		p.stored.Definer = who
	}
	aggregate := verb == "CREATE" && r.take("AGGREGATE")
	kinds := programs[r.upper()]
	if kinds == nil {
		return nil
	}
	p.stored.What = strings.ToLower(r.step().Text(r.src))
	p.kind = kinds[verb]
	if p.kind == "" {
		return p.fail(r, "a trigger cannot be altered; drop it and create it")
	}
	p.stored.IfNotExists = verb == "CREATE" && r.take("IF", "NOT", "EXISTS")
	p.stored.IfExists = verb != "CREATE" && r.take("IF", "EXISTS")
	var ok bool
	if p.stored.Name, ok = r.ident(); !ok {
		return p.fail(r, "the name of the "+p.stored.What+" is expected here")
	}
	switch {
	case verb == "DROP":
		if r.tok.Kind != End {
			return p.fail(r, "nothing more may follow the name")
		}
		return p
	case p.kind == CreateTrigger:
		return p.trigger(r)
	case p.stored.What == "event":
		return p.event(r)
	}
	return p.routine(r, verb, aggregate)
}

// programs gives the kinds by what is made and how.
var programs = map[string]map[string]Kind{
	"TRIGGER":   {"CREATE": CreateTrigger, "DROP": DropTrigger},
	"PROCEDURE": {"CREATE": CreateRoutine, "ALTER": AlterRoutine, "DROP": DropRoutine},
	"FUNCTION":  {"CREATE": CreateRoutine, "ALTER": AlterRoutine, "DROP": DropRoutine},
	"EVENT":     {"CREATE": CreateEvent, "ALTER": AlterEvent, "DROP": DropEvent},
}

// trigger reads: BEFORE INSERT ON t FOR EACH ROW [FOLLOWS other].
func (p *program) trigger(r *reader) *program {
	if !r.in("BEFORE", "AFTER") {
		return p.fail(r, "BEFORE or AFTER is expected here")
	}
	p.stored.Time = strings.ToUpper(r.step().Text(r.src))
	if !r.in("INSERT", "UPDATE", "DELETE") {
		return p.fail(r, "INSERT, UPDATE or DELETE is expected here")
	}
	p.stored.Event = strings.ToUpper(r.step().Text(r.src))
	if !r.take("ON") {
		return p.fail(r, "ON is expected here; a trigger of several events or of some columns is not understood, write one trigger for each event")
	}
	var ok bool
	if p.stored.Table, ok = r.ident(); !ok {
		return p.fail(r, "the name of the table is expected here")
	}
	if !r.take("FOR", "EACH", "ROW") {
		return p.fail(r, "FOR EACH ROW is expected here")
	}
	if r.in("FOLLOWS", "PRECEDES") {
		p.stored.Order = strings.ToUpper(r.step().Text(r.src))
		beside, ok := r.ident()
		if !ok {
			return p.fail(r, "the name of a trigger is expected here")
		}
		p.stored.Beside = beside.Name
	}
	return p.begins(r)
}

// begins notes where the body is.
func (p *program) begins(r *reader) *program {
	if r.tok.Kind == End {
		return p.fail(r, "the body of the "+p.stored.What+" is missing")
	}
	p.body = r.tok.Start
	return p
}

// event reads: ON SCHEDULE …, ON COMPLETION …, RENAME TO …, ENABLE, COMMENT …, DO.
func (p *program) event(r *reader) *program {
	var clauses []string
	for r.tok.Kind != End && r.tok.Kind != Illegal && !r.is("DO") {
		from := r.tok.Start
		switch {
		case r.take("ON", "SCHEDULE"):
			for r.tok.Kind != End && r.tok.Kind != Illegal && !r.in(";", "ON", "RENAME", "ENABLE", "DISABLE", "COMMENT", "DO") {
				if !r.is("(") {
					r.step()
				} else if !r.parens() {
					return p.fail(r, "this parenthesis is never closed")
				}
			}
		case r.take("ON", "COMPLETION"):
			not := r.take("NOT")
			if !r.take("PRESERVE") {
				return p.fail(r, "PRESERVE is expected here")
			}
			if not && p.kind == CreateEvent { // the default
				continue
			}
		case r.take("RENAME", "TO"):
			to, ok := r.ident()
			if !ok {
				return p.fail(r, "the new name of the event is expected here")
			}
			p.stored.NewName = to
			continue
		case r.take("ENABLE"):
			if p.kind == CreateEvent {
				continue
			}
		case r.take("DISABLE"):
			if r.take("ON") {
				r.step() // SLAVE, REPLICA
			}
		case r.take("COMMENT"):
			if r.tok.Kind != String {
				return p.fail(r, "a string is expected here")
			}
			if Unquote(r.step().Text(r.src)) == "" && p.kind == CreateEvent {
				continue
			}
		default:
			return p.fail(r, "this is not understood in an event; DO is expected behind its schedule")
		}
		clauses = append(clauses, r.text(from))
	}
	p.stored.Head = strings.Join(clauses, " ")
	if r.take("DO") {
		return p.begins(r)
	}
	if p.kind == CreateEvent {
		return p.fail(r, "DO is expected here")
	}
	return p
}

// text gives what was read from an offset up to the current token, in one form.
func (r *reader) text(from int) string {
	if r.lex.runs == nil {
		return Canonical(r.src[from:r.tok.Start])
	}
	return ""
}

// routine reads: (parameters) [RETURNS type] characteristics.
func (p *program) routine(r *reader, verb string, aggregate bool) *program {
	var parts []string
	if aggregate {
		parts = append(parts, "aggregate")
	}
	if verb == "CREATE" {
		from := r.tok.Start
		if p.stored.What == "function" && r.is("RETURNS") { // … SONAME: it is the library's, and none of the schema
			p.stored.Library = true
			return p
		}
		if !r.parens() {
			return p.fail(r, "the parameters are expected here, in parentheses")
		}
		parts = append(parts, strings.ReplaceAll(strings.ReplaceAll(r.text(from), "(in ", "("), ", in ", ", "))
		if p.stored.What == "function" {
			if !r.is("RETURNS") {
				return p.fail(r, "RETURNS is expected here")
			}
			from := r.step().Start
			if !r.returns() {
				return p.fail(r, "the type that the function returns is expected here")
			}
			parts = append(parts, r.text(from))
		}
	}
	said := map[string]string{}
	for {
		from := r.tok.Start
		what := r.characteristic()
		if what == "" {
			break
		}
		said[what] = r.text(from)
	}
	if verb == "CREATE" {
		for what, is := range characteristicDefaults {
			if said[what] == is {
				delete(said, what)
			}
		}
	}
	var list []string
	for _, is := range said {
		list = append(list, is)
	}
	sort.Strings(list)
	p.stored.Head = strings.Join(append(parts, list...), " ")
	if verb == "CREATE" {
		return p.begins(r)
	}
	if r.tok.Kind != End {
		return p.fail(r, "this is no characteristic of a "+p.stored.What)
	}
	return p
}

// characteristicDefaults are what holds if nothing is said.
var characteristicDefaults = map[string]string{
	"comment": "comment ''", "language": "language sql", "data": "contains sql", "security": "sql security definer", "deterministic": "not deterministic",
}

// characteristic goes past one characteristic of a routine, and tells which; empty = there is none here.
func (r *reader) characteristic() string {
	switch {
	case r.is("COMMENT"):
		was := *r
		if r.step(); r.tok.Kind == String {
			r.step()
			return "comment"
		}
		*r = was
	case r.take("LANGUAGE", "SQL"):
		return "language"
	case r.take("NOT", "DETERMINISTIC"), r.take("DETERMINISTIC"):
		return "deterministic"
	case r.take("CONTAINS", "SQL"), r.take("NO", "SQL"), r.take("READS", "SQL", "DATA"), r.take("MODIFIES", "SQL", "DATA"):
		return "data"
	case r.take("SQL", "SECURITY", "DEFINER"), r.take("SQL", "SECURITY", "INVOKER"):
		return "security"
	}
	return ""
}

// returns goes past the type that a function returns.
func (r *reader) returns() bool {
	if r.tok.Kind != Word {
		return false
	}
	for r.step(); ; {
		switch {
		case r.is("("):
			if !r.parens() {
				return false
			}
		case r.take("CHARACTER", "SET"), r.is("CHARSET"), r.is("COLLATE"):
			if r.in("CHARSET", "COLLATE") {
				r.step()
			}
			r.step()
		case r.in("UNSIGNED", "SIGNED", "ZEROFILL", "PRECISION", "VARYING", "BINARY", "ASCII", "UNICODE", "BYTE", "CHAR", "CHARACTER", "VARCHAR", "VARCHARACTER", "VARBINARY"):
			r.step()
		default:
			return true
		}
	}
}

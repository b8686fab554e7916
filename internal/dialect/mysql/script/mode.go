package script

import (
	"strings"

	"github.com/altergate/altergate/internal/schema"
)

// modeWords are the parts of sql_mode that change how text is read, alone or as a group of several.
var modeWords = map[string]Mode{
	"ANSI_QUOTES":          {AnsiQuotes: true},
	"NO_BACKSLASH_ESCAPES": {NoBackslashEscapes: true},
	"PIPES_AS_CONCAT":      {pipes: true},
	"REAL_AS_FLOAT":        {realAsFloat: true},
	"ANSI":                 {AnsiQuotes: true, pipes: true, realAsFloat: true},
	"DB2":                  {AnsiQuotes: true, pipes: true},
	"MSSQL":                {AnsiQuotes: true, pipes: true},
	"POSTGRESQL":           {AnsiQuotes: true, pipes: true},
}

// refusedModes change what statements mean in ways that are not followed.
var refusedModes = map[string]string{
	"ORACLE":              "has another grammar",
	"MAXDB":               "makes TIMESTAMP another type",
	"HIGH_NOT_PRECEDENCE": "makes NOT bind tighter",
}

// assignment is one variable of a SET.
type assignment struct {
	name   string // in lower case, without @@ and session; with @ if it is the user's
	global bool   // GLOBAL, PERSIST: later sessions have it, this one has not
	value  string // as written
	at     int    // of the value
}

// assignments reads a SET; nil if it sets none, as SET NAMES.
func assignments(sql string) []assignment {
	r := reading(sql, 0)
	if !r.take("SET") {
		return nil
	}
	var all []assignment
	for r.tok.Kind != End {
		a := assignment{}
		if r.in("GLOBAL", "PERSIST", "PERSIST_ONLY") {
			a.global = true
			r.step()
		} else if r.in("SESSION", "LOCAL") {
			r.step()
		}
		a.name, a.global = variable(r, a.global)
		if a.name == "" || (!r.take(":", "=") && !r.take("=")) {
			return nil
		}
		a.at = r.tok.Start
		for depth := 0; r.tok.Kind != End && (depth > 0 || !r.is(",")); r.step() {
			switch {
			case r.is("("):
				depth++
			case r.is(")"):
				depth--
			}
		}
		a.value = strings.TrimSpace(sql[a.at:r.tok.Start])
		all = append(all, a)
		r.take(",")
	}
	return all
}

// variable reads the name of a variable: x, @x, @@x, @@session.x.
func variable(r *reader, global bool) (string, bool) {
	marks := ""
	for r.is("@") && len(marks) < 2 {
		marks += "@"
		r.step()
	}
	if r.tok.Kind == End || r.tok.Kind == Symbol || r.tok.Kind == Illegal {
		return "", global
	}
	name := strings.ToLower(r.step().Name(r.src))
	if marks == "@@" && r.is(".") {
		global = name == "global" || name == "persist" || name == "persist_only"
		r.step()
		name = strings.ToLower(r.step().Name(r.src))
	}
	if marks == "@" {
		name = "@" + name
	}
	return name, global
}

// setMode follows what a SET says of sql_mode, and keeps what it saves of it.
func (s *splitter) setMode(sql string) {
	for _, a := range assignments(sql) {
		switch {
		case a.global:
		case strings.HasPrefix(a.name, "@"):
			if m, known, fault := s.modeOf(a.value); known && fault == "" {
				s.saved[a.name] = m
			}
		case a.name == "sql_mode":
			m, known, fault := s.modeOf(a.value)
			if fault != "" || !known {
				if fault == "" {
					fault = "what it becomes is not known"
				}
				s.errorf(s.start, schema.KindUnsupported, "sql_mode is set to %s: %s; set it to a list of modes in quotes, without this one", excerpt(a.value, 60), fault)
				continue
			}
			s.tellMode(m)
			s.lex.mode = m
		}
	}
}

// tellMode makes a notice of the first SET of a mode that reads text otherwise than servers do by default.
func (s *splitter) tellMode(m Mode) {
	if s.modes[m] {
		return
	}
	s.modes[m] = true
	var read []string
	if m.AnsiQuotes {
		read = append(read, "text in double quotes is read as a name")
	}
	if m.NoBackslashEscapes {
		read = append(read, "a backslash in a string is read as itself")
	}
	if len(read) > 0 {
		s.notice(s.start, "sql_mode is set here: from here on %s", strings.Join(read, ", and "))
	}
}

// modeOf gives the reading under a value of sql_mode: a list in quotes, DEFAULT, another variable, or a function of such.
func (s *splitter) modeOf(value string) (m Mode, known bool, fault string) {
	tokens := Solid(value)
	switch {
	case len(tokens) == 1 && tokens[0].Kind == String, len(tokens) == 1 && tokens[0].Kind == QuotedName:
		m, fault = modeList(tokens[0].Name(value))
		return m, true, fault
	case len(tokens) == 1 && tokens[0].Is(value, "DEFAULT"), value == "0":
		return Mode{}, true, ""
	case len(tokens) == 1 && tokens[0].Kind == Word:
		m, fault = modeList(tokens[0].Name(value))
		return m, true, fault
	}
	r := reading(value, 0)
	if r.is("@") {
		own := !r.take("@", "@")
		if own {
			name, _ := variable(reading(value, 0), false)
			return s.saved[name], true, ""
		}
		r = reading(value, 0)
		if name, _ := variable(r, false); name == "sql_mode" && r.tok.Kind == End {
			return s.lex.mode, true, ""
		}
		return Mode{}, false, ""
	}
	// A function of what it was: CONCAT(@@sql_mode, ',…'), IFNULL(@old, ''). Modes that matter are too much for it.
	current := s.lex.mode
	uses := false
	for i, t := range tokens {
		switch {
		case t.Is(value, "sql_mode"):
			uses = true
		case i > 0 && t.Kind == Word && tokens[i-1].Is(value, "@") && (i < 2 || !tokens[i-2].Is(value, "@")):
			current, uses = s.saved["@"+strings.ToLower(t.Name(value))], true
		case t.Kind == String:
			m, fault := modeList(t.Name(value))
			if fault != "" || m != (Mode{}) {
				return Mode{}, false, ""
			}
		}
	}
	return current, uses, ""
}

// neutral gives edits of a SET that take out of sql_mode what the statements behind it are free of: they are for the default reading.
func neutral(sql string) []edit {
	var edits []edit
	for _, a := range assignments(sql) {
		if a.global || (a.name != "sql_mode" && !strings.HasPrefix(a.name, "@")) {
			continue
		}
		tokens := Solid(a.value)
		if len(tokens) != 1 || (tokens[0].Kind != String && tokens[0].Kind != QuotedName && tokens[0].Kind != Word) {
			continue
		}
		var left []string
		list := strings.Split(tokens[0].Name(a.value), ",")
		for _, w := range list {
			upper := strings.ToUpper(strings.TrimSpace(w))
			switch {
			case modeWords[upper] == Mode{}:
				left = append(left, w)
			case groupModes[upper]:
				left = append(left, "IGNORE_SPACE") // which they stand for too
			}
		}
		if text := strings.Join(left, ","); text != strings.Join(list, ",") {
			edits = append(edits, edit{a.at, a.at + len(a.value), "'" + text + "'"})
		}
	}
	return edits
}

// groupModes are those that stand for several.
var groupModes = map[string]bool{"ANSI": true, "DB2": true, "MSSQL": true, "POSTGRESQL": true}

// modeList reads a list of modes.
func modeList(list string) (m Mode, fault string) {
	for _, w := range strings.Split(strings.ToUpper(list), ",") {
		w = strings.TrimSpace(w)
		if why := refusedModes[w]; why != "" {
			return m, w + " " + why
		}
		is := modeWords[w]
		m = Mode{m.AnsiQuotes || is.AnsiQuotes, m.NoBackslashEscapes || is.NoBackslashEscapes, m.pipes || is.pipes, m.realAsFloat || is.realAsFloat}
	}
	if _, ok := number(list); ok && strings.TrimSpace(list) != "0" {
		return m, "the number says nothing to a reader"
	}
	return m, ""
}

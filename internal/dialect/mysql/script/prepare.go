package script

import "strings"

// prepared is what a session keeps of texts that it can run later.
type prepared struct {
	texts      map[string]string // by user variable, @ and all
	statements map[string]string // by their names
}

// follow keeps up with what user variables and prepared statements hold: a text counts as known if a SET gave it as a literal, and nothing
// that could have changed it came since.
func (s *splitter) follow(sql string) {
	r := reading(sql, 0)
	switch {
	case r.is("SET"):
		for _, a := range assignments(sql) {
			if strings.HasPrefix(a.name, "@") {
				s.keep(a.name, a.value)
			}
		}
	case r.take("PREPARE"):
		name, ok := r.ident()
		if !ok || !r.take("FROM") {
			return
		}
		delete(s.prepared.statements, name.Name)
		if text, known := s.textOf(strings.TrimSpace(sql[r.tok.Start:])); known {
			if s.prepared.statements == nil {
				s.prepared.statements = map[string]string{}
			}
			s.prepared.statements[name.Name] = text
		}
	case r.take("DEALLOCATE", "PREPARE"), r.take("DROP", "PREPARE"):
		name, _ := r.ident()
		delete(s.prepared.statements, name.Name)
	case strings.Contains(sql, "@") || refusedVerbs[r.upper()] != "":
		clear(s.prepared.texts)
	}
}

// keep notes what a SET gives a user variable.
func (s *splitter) keep(name, value string) {
	delete(s.prepared.texts, name)
	if text, known := s.textOf(value); known {
		if s.prepared.texts == nil {
			s.prepared.texts = map[string]string{}
		}
		s.prepared.texts[name] = text
	}
}

// textOf gives the text that an expression is: a string, a variable that holds one, or such behind each other in CONCAT.
func (s *splitter) textOf(value string) (string, bool) {
	r := reading(value, 0)
	text, ok := s.term(r)
	return text, ok && r.tok.Kind == End
}

func (s *splitter) term(r *reader) (string, bool) {
	switch {
	case r.tok.Kind == String && (r.src[r.tok.Start] == '\'' || r.src[r.tok.Start] == '"'):
		text := ""
		for r.tok.Kind == String { // strings side by side are one
			text += Unquote(r.step().Text(r.src))
		}
		return text, true
	case r.is("@"):
		r.step()
		if r.tok.Kind != Word && r.tok.Kind != QuotedName {
			return "", false
		}
		text, known := s.prepared.texts["@"+strings.ToLower(r.step().Name(r.src))]
		return text, known
	case r.take("CONCAT", "("):
		text := ""
		for {
			part, ok := s.term(r)
			if !ok {
				return "", false
			}
			text += part
			if r.take(")") {
				return text, true
			}
			if !r.take(",") {
				return "", false
			}
		}
	}
	return "", false
}

// executed gives the statement that EXECUTE runs, where its text is known.
func (s *splitter) executed(sql string) (string, bool) {
	r := reading(sql, 0)
	if !r.take("EXECUTE") || s.lex.mode != (Mode{}) {
		return "", false
	}
	if s.sv.MariaDB && r.take("IMMEDIATE") {
		return s.textOf(strings.TrimSpace(sql[r.tok.Start:]))
	}
	name, ok := r.ident()
	if !ok || r.tok.Kind != End {
		return "", false
	}
	text, known := s.prepared.statements[name.Name]
	return strings.TrimSuffix(strings.TrimSpace(text), ";"), known
}

package catalog

import (
	"strings"

	"github.com/altergate/altergate/internal/schema"
)

// session is what SET and USE have said so far.
type session struct {
	mode         mode
	charset      string // of the connection; empty = utf8mb4, which clients of today ask for
	engine       string
	unchecked    bool   // foreign_key_checks = 0
	explicit     *bool  // explicit_defaults_for_timestamp; nil = as the version has it
	stated       string // sql_mode as modeText writes it; empty = the server's own, or worked out
	workedOut    bool   // it is what the server works out
	savedMode    map[string]savedMode
	savedChecked map[string]bool
}

// savedMode is what a user's variable keeps of sql_mode.
type savedMode struct {
	mode      mode
	stated    string
	workedOut bool
}

// names is the character set of strings and casts that state none.
func (s *session) names() string {
	if s.charset == "" {
		return "utf8mb4"
	}
	return s.charset
}

// explicitTimestamps tells whether TIMESTAMP columns are like all others ("Server System Variables", MySQL's manual: by default from
// 8.0.2; MariaDB's: from 10.10.1).
func (c *Catalog) explicitTimestamps() bool {
	if c.session.explicit != nil {
		return *c.session.explicit
	}
	return c.reads.MySQL(8, 0, 2) || c.reads.Maria(10, 10, 1)
}

// parseMode reads a value of sql_mode.
func parseMode(text string) mode {
	m := mode{loose: true}
	for _, word := range strings.Split(strings.ToUpper(text), ",") {
		switch strings.TrimSpace(word) {
		case "ANSI_QUOTES":
			m.ansiQuotes = true
		case "PIPES_AS_CONCAT":
			m.pipesConcat = true
		case "NO_BACKSLASH_ESCAPES":
			m.noBackslash = true
		case "REAL_AS_FLOAT":
			m.realAsFloat = true
		case "HIGH_NOT_PRECEDENCE":
			m.highNot = true
		case "ANSI", "DB2", "MAXDB", "MSSQL", "ORACLE", "POSTGRESQL":
			m.ansiQuotes, m.pipesConcat = true, true
			m.realAsFloat = strings.TrimSpace(word) == "ANSI"
		case "STRICT_ALL_TABLES", "STRICT_TRANS_TABLES", "TRADITIONAL":
			m.loose = false
		case "ALLOW_INVALID_DATES":
			m.invalidDates = true
		}
	}
	return m
}

// set reads a SET. What is kept in a user's variable and put back later is kept here too, as dumps do with sql_mode.
func (r *reader) set() {
	r.want("set")
	for first := true; r.err == nil && !r.done(); first = false {
		if !first {
			r.want(",")
		}
		if r.take("names") || r.take("character", "set") || r.take("charset") {
			r.setNames()
			continue
		}
		t := r.next()
		name := strings.ToLower(t.text)
		if t.kind == tokenWord && (name == "global" || name == "session" || name == "local" || name == "persist") && !r.is("=") && !r.is(":=") {
			if t = r.next(); name == "global" || name == "persist" {
				t.text = "@@global." + t.text
			}
		}
		if !r.take("=") && !r.take(":=") {
			r.failSyntax("`=`")
			return
		}
		start := r.i
		for depth := 0; !r.done() && (depth > 0 || !r.is(",")); r.next() {
			if r.is("(") {
				depth++
			} else if r.is(")") {
				depth--
			}
		}
		r.c.session.assign(r, t, r.list[start:r.i])
	}
}

func (r *reader) setNames() {
	set := r.charsetWord()
	r.c.session.charset = set
	if r.take("collate") {
		r.collationWord()
	}
}

// assign takes a variable's new value in.
func (s *session) assign(r *reader, to token, value []token) {
	name := strings.ToLower(to.text)
	for _, p := range [...]string{"@@session.", "@@local.", "@@"} {
		if rest, ok := strings.CutPrefix(name, p); ok {
			name = rest
			break
		}
	}
	if len(value) == 0 {
		r.failSyntax("a value")
		return
	}
	from := strings.ToLower(value[0].text)
	if strings.HasPrefix(to.text, "@") && !strings.HasPrefix(to.text, "@@") {
		s.save(name, from)
		return
	}
	plain := len(value) == 1
	on := from == "1" || from == "on" || from == "true" || strings.EqualFold(value[0].value, "on")
	saved := strings.HasPrefix(from, "@") && !strings.HasPrefix(from, "@@")
	switch name {
	case "sql_mode":
		if saved && plain {
			old := s.savedMode[from]
			s.mode, s.stated, s.workedOut = old.mode, old.stated, old.workedOut
		} else if plain && (value[0].kind == tokenString || value[0].kind == tokenWord || value[0].kind == tokenNumber || value[0].kind == tokenQuoted) {
			s.mode, s.stated, s.workedOut = parseMode(value[0].value), modeText(value[0].value), false
			if from == "default" {
				s.mode, s.stated = mode{}, ""
			}
		} else if text := joined(value); strings.Contains(text, "ansi") || strings.Contains(text, "pipes") || strings.Contains(text, "backslash") {
			r.fail(to, schema.KindUnsupported, "sql_mode is set to what is worked out on the server, and how later statements read hangs on it; set it to a list of modes in quotes")
		} else {
			s.stated, s.workedOut = "", true
		}
	case "foreign_key_checks":
		if saved {
			s.unchecked = s.savedChecked[from]
		} else {
			s.unchecked = !on
		}
	case "default_storage_engine", "storage_engine":
		if plain && !strings.HasPrefix(from, "@") && from != "default" {
			s.engine = value[0].value
		} else {
			s.engine = ""
		}
	case "explicit_defaults_for_timestamp":
		s.explicit = nil
		if plain && from != "default" {
			s.explicit = &on
		}
	case "character_set_client", "character_set_connection":
		if set := charsetName(value[0].value); name == "character_set_connection" && charsets[set].most > 0 {
			s.charset = set
		}
	}
}

func joined(value []token) string {
	var b strings.Builder
	for _, t := range value {
		b.WriteString(strings.ToLower(t.text))
	}
	return b.String()
}

// save keeps what a user's variable holds: SET @OLD_SQL_MODE=@@SQL_MODE.
func (s *session) save(name, from string) {
	switch strings.TrimPrefix(strings.TrimPrefix(from, "@@session."), "@@") {
	case "sql_mode":
		m := map[string]savedMode{}
		for k, v := range s.savedMode {
			m[k] = v
		}
		m[name] = savedMode{s.mode, s.stated, s.workedOut}
		s.savedMode = m
	case "foreign_key_checks":
		m := map[string]bool{}
		for k, v := range s.savedChecked {
			m[k] = v
		}
		m[name] = s.unchecked
		s.savedChecked = m
	}
}

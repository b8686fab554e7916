package script

import (
	"strings"

	"github.com/altergate/altergate/internal/dialect/mysql/server"
	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/source"
)

// Sent is one statement of a file as a client sends it.
type Sent struct {
	*Statement        // its Kind is empty if it acts on no schema, or nobody knows on what
	Text       string // as written
	What       string // of one without Kind: its first words, in upper case
	Opaque     string // why it may do anything, as a clause behind its text; empty = what it does is known
}

// Cut cuts a file as Split does, and leaves nothing out: statements that change no schema count too, and those that may do anything. Where
// a stored program stands without DELIMITER, as tools send it that know where it ends, it is one statement; so is a block of MariaDB
// outside of one (BEGIN NOT ATOMIC, IF, LOOP, …).
func Cut(f *source.File, sv server.Server) ([]*Sent, []*schema.Error) {
	s := newSplitter(f, sv)
	s.sends = true
	s.run()
	return s.out.Sent, s.errs
}

// compoundVerbs begin blocks that MariaDB runs outside of stored programs, beside BEGIN NOT ATOMIC ("Using Compound Statements Outside of
// Stored Programs", its manual).
var compoundVerbs = map[string]bool{"IF": true, "CASE": true, "LOOP": true, "WHILE": true, "REPEAT": true, "FOR": true}

// compound tells whether a token begins a block that holds statements.
func (s *splitter) compound(t Token, upper string) bool {
	switch {
	case !s.sv.MariaDB:
		return false
	case upper == "BEGIN":
		r := &reader{lex: s.lex, src: s.src}
		r.to(t.Start)
		return r.take("BEGIN", "NOT", "ATOMIC")
	}
	return compoundVerbs[upper]
}

// send takes in a statement that is over.
func (s *splitter) send(st *Statement) {
	sent := &Sent{Statement: st, Text: s.src[s.start:s.end]}
	s.forOne(st)
	verb := reading(st.SQL, 0).upper()
	var fault string
	switch {
	case s.data:
		sent.What = passedAs(st.SQL)
	case s.bodyAt == s.start && s.body != nil:
		sent.What, sent.Opaque = verb, "is a block that may change anything"
	case opaqueVerbs[verb]:
		sent.What, sent.Opaque = verb, refusedVerbs[verb]
	default:
		st.Kind, sent.What, fault = s.classify(st.SQL)
	}
	if fault != "" {
		s.errorf(s.start, schema.KindUnsupported, "%s", fault)
		return
	}
	if st.Kind == Set {
		st.SQL, st.again = apply(st.SQL, 0, len(st.SQL), neutral(st.SQL))
	}
	s.out.Sent = append(s.out.Sent, sent)
}

// forOne takes away MariaDB's SET STATEMENT … FOR, if what it sets for the statement behind it changes no meaning.
func (s *splitter) forOne(st *Statement) {
	r := reading(st.SQL, 0)
	if !r.take("SET", "STATEMENT") {
		return
	}
	for depth := 0; r.tok.Kind != End && r.tok.Kind != Illegal; {
		t := r.step()
		switch {
		case t.Is(st.SQL, "("):
			depth++
		case t.Is(st.SQL, ")"):
			depth--
		case t.Kind == Word && meaning[strings.ToLower(t.Text(st.SQL))]:
			return
		case depth == 0 && t.Is(st.SQL, "FOR"):
			st.SQL = blanked(st.SQL[:r.tok.Start]) + st.SQL[r.tok.Start:]
			verb := r.upper()
			s.data = dataVerbs[verb]
			return
		}
	}
}

// opaqueVerbs begin statements whose text does not tell what they do.
var opaqueVerbs = map[string]bool{"CALL": true, "EXECUTE": true, "BINLOG": true, "IMPORT": true}

// FirstWords are the words that a report names a statement by.
func (s *Sent) FirstWords() string {
	if s.What != "" {
		return s.What
	}
	return strings.ToUpper(string(s.Kind))
}

// TemporaryTable gives the name in a CREATE TEMPORARY TABLE.
func TemporaryTable(sql string) (Ident, bool) {
	r := reading(sql, 0)
	r.take("CREATE")
	r.take("OR", "REPLACE")
	if !r.take("TEMPORARY", "TABLE") {
		return Ident{}, false
	}
	r.take("IF", "NOT", "EXISTS")
	return r.ident()
}

// Truncated gives the table of a TRUNCATE.
func Truncated(sql string) (Ident, bool) {
	r := reading(sql, 0)
	r.step()
	r.take("TABLE")
	return r.ident()
}

// Limits are the ALGORITHM and LOCK that a statement states, in upper case; empty = it does not.
type Limits struct {
	Algorithm, Lock string
	At              int // where the first of them stands
}

// Stated gives the limits that an ALTER TABLE, a CREATE INDEX or a DROP INDEX states.
func Stated(s *Statement) Limits {
	var said Limits
	if s.Kind != AlterTable && s.Kind != CreateIndex && s.Kind != DropIndex {
		return said
	}
	r := reading(s.SQL, 0)
	for depth := 0; r.tok.Kind != End && r.tok.Kind != Illegal; {
		t := r.step()
		switch {
		case t.Is(r.src, "("):
			depth++
		case t.Is(r.src, ")"):
			depth--
		case depth > 0 || t.Kind != Word:
		case t.Is(r.src, "ALGORITHM"), t.Is(r.src, "LOCK"):
			r.take("=")
			value := r.upper()
			if value == "" || value == "DEFAULT" {
				continue
			}
			if said.At == 0 {
				said.At = t.Start
			}
			if t.Is(r.src, "LOCK") {
				said.Lock = value
			} else {
				said.Algorithm = value
			}
		}
	}
	return said
}

// CommonTables are the names that WITH declares before a statement.
func CommonTables(sql string) []string {
	r := reading(sql, 0)
	if !r.take("WITH") {
		return nil
	}
	r.take("RECURSIVE")
	var names []string
	for {
		id, ok := r.ident()
		if !ok {
			return names
		}
		names = append(names, id.Name)
		if r.is("(") {
			r.parens()
		}
		if !r.take("AS") || !r.parens() || !r.take(",") {
			return names
		}
	}
}

// RowsClause names the clause of an ALTER TABLE that takes rows away or puts others in their place; empty = it has none.
func RowsClause(s *Statement) string {
	if s.Kind != AlterTable {
		return ""
	}
	r := reading(s.SQL, 0)
	for depth := 0; r.tok.Kind != End && r.tok.Kind != Illegal; {
		if depth == 0 {
			for _, words := range [...][]string{{"TRUNCATE", "PARTITION"}, {"EXCHANGE", "PARTITION"}, {"IMPORT", "PARTITION"}, {"DISCARD", "PARTITION"}, {"IMPORT", "TABLESPACE"}, {"DISCARD", "TABLESPACE"}} {
				if r.take(words...) {
					return strings.Join(words, " ")
				}
			}
		}
		t := r.step()
		switch {
		case t.Is(r.src, "("):
			depth++
		case t.Is(r.src, ")"):
			depth--
		}
	}
	return ""
}

// Altered gives the table of an ALTER TABLE.
func Altered(sql string) (Ident, bool) {
	r := reading(sql, 0)
	for r.in("ALTER", "ONLINE", "IGNORE") {
		r.step()
	}
	r.take("TABLE")
	r.take("IF", "EXISTS")
	return r.ident()
}

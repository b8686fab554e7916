package script

import (
	"sort"
	"strings"

	"github.com/altergate/altergate/internal/dialect/mysql/server"
	"github.com/altergate/altergate/internal/schema"
)

// sequence reads a statement about a sequence, which only MariaDB has.
func (o *outcome) sequence(sql string, sv server.Server) {
	if !sv.MariaDB {
		o.fail(schema.KindUnsupported, 0, "MySQL has no sequences; if the server is MariaDB, say so with the dialect mariadb")
		return
	}
	r := reading(sql, 0)
	m := &Maria{Sequence: map[string]string{}}
	verb := strings.ToUpper(r.step().Text(sql))
	m.OrReplace = r.take("OR", "REPLACE")
	if !r.take("SEQUENCE") {
		o.fail(schema.KindSyntax, r.tok.Start, "SEQUENCE is expected here: %s", around(sql, r.tok.Start))
		return
	}
	if r.take("IF", "NOT", "EXISTS") {
		m.IfExists = map[int]string{whole: "IF NOT EXISTS"}
	} else if r.take("IF", "EXISTS") {
		m.IfExists = map[int]string{whole: "IF EXISTS"}
	}
	var ok bool
	if m.Name, ok = r.ident(); !ok {
		o.fail(schema.KindSyntax, r.tok.Start, "the name of the sequence is expected here: %s", around(sql, r.tok.Start))
		return
	}
	o.maria = m
	if verb == "DROP" {
		for r.take(",") {
			id, ok := r.ident()
			if !ok {
				break
			}
			m.More = append(m.More, id)
		}
		if r.tok.Kind != End {
			o.fail(schema.KindSyntax, r.tok.Start, "nothing more may follow the names: %s", around(sql, r.tok.Start))
		}
		return
	}
	for r.tok.Kind != End {
		if at := r.tok.Start; !r.sequenceOption(m.Sequence) {
			o.fail(schema.KindSyntax, at, "this is no option of a sequence: %s", around(sql, at))
			return
		}
	}
}

// sequenceOption reads one option: START WITH 5, INCREMENT BY 2, MINVALUE 1, NO MAXVALUE, CACHE 10, NOCYCLE, RESTART, ENGINE=InnoDB.
func (r *reader) sequenceOption(into map[string]string) bool {
	value := func(name string) bool {
		r.take("=")
		from := r.tok.Start
		if r.is("-") || r.is("+") {
			r.step()
		}
		if r.tok.Kind != Number && r.tok.Kind != Word && r.tok.Kind != String && r.tok.Kind != QuotedName {
			return false
		}
		r.step()
		into[name] = strings.TrimPrefix(strings.TrimRight(r.src[from:r.tok.Start], " \t\r\n"), "+")
		return true
	}
	switch {
	case r.take("START"):
		r.take("WITH")
		return value("start")
	case r.take("INCREMENT"):
		r.take("BY")
		return value("increment")
	case r.take("RESTART"):
		r.take("WITH")
		if r.is("=") || r.tok.Kind == Number || r.is("-") {
			return value("restart")
		}
		into["restart"] = ""
		return true
	case r.take("NO"):
		if !r.in("MINVALUE", "MAXVALUE", "CACHE", "CYCLE") {
			return false
		}
		into[strings.ToLower(r.step().Text(r.src))] = "no"
		return true
	case r.in("NOMINVALUE", "NOMAXVALUE", "NOCACHE", "NOCYCLE"):
		into[strings.ToLower(r.step().Text(r.src))[2:]] = "no"
		return true
	case r.take("CYCLE"):
		into["cycle"] = "yes"
		return true
	case r.take("AS"):
		from := r.tok.Start
		r.step()
		for r.in("UNSIGNED", "SIGNED") {
			r.step()
		}
		into["as"] = Canonical(r.src[from:r.tok.Start])
		return true
	case r.in("MINVALUE", "MAXVALUE", "CACHE", "ENGINE", "COMMENT"):
		return value(strings.ToLower(r.step().Text(r.src)))
	}
	return false
}

// SequenceOptions gives the options that a sequence has, in order of their names.
func (m *Maria) SequenceOptions() []string {
	names := make([]string, 0, len(m.Sequence))
	for name := range m.Sequence {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

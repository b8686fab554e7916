package catalog

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/altergate/altergate/internal/dialect/mysql/script"
	"github.com/altergate/altergate/internal/schema"
)

// sequenceFacts are a sequence's properties with what is implied written out ("CREATE SEQUENCE", MariaDB's manual).
type sequenceFacts struct {
	start, low, high, step, cache string
	cycle                         bool
}

func (f sequenceFacts) canon() string {
	cycle := "nocycle"
	if f.cycle {
		cycle = "cycle"
	}
	return fmt.Sprintf("start with %s minvalue %s maxvalue %s increment by %s cache %s %s", f.start, f.low, f.high, f.step, f.cache, cycle)
}

// implied gives what is not said.
func (f sequenceFacts) implied() sequenceFacts {
	if f.step == "" {
		f.step = "1"
	}
	down := strings.HasPrefix(f.step, "-")
	if f.low == "" {
		f.low = map[bool]string{false: "1", true: "-9223372036854775807"}[down]
	}
	if f.high == "" {
		f.high = map[bool]string{false: "9223372036854775806", true: "-1"}[down]
	}
	if f.start == "" {
		f.start = f.low
		if down {
			f.start = f.high
		}
	}
	if f.cache == "" {
		f.cache = "1000"
	}
	return f
}

// sequence runs CREATE, ALTER and DROP SEQUENCE.
func (r *reader) sequence(s *script.Statement) error {
	c := r.c
	if !c.Server.MariaDB {
		return r.errorAt(s, "%s has no sequences; use AUTO_INCREMENT", c.Server)
	}
	at := r.next()
	replace := r.take("or", "replace")
	r.want("sequence")
	if s.Kind == script.DropSequence {
		names, quiet, at := r.dropNames()
		for _, n := range names {
			if r.err == nil && c.Sequences[n.Key()] == nil && !quiet {
				return r.missing(at, "sequence %s is not there to drop", n)
			}
			delete(c.Sequences, n.Key())
		}
		if r.err != nil {
			return r.err
		}
		return errCarried
	}
	quiet := r.take("if", "not", "exists") || r.take("if", "exists")
	nameAt := r.here()
	name := r.name()
	r.wantName(nameAt, "sequence", name.Name)
	if r.err != nil {
		return r.err
	}
	key := name.Key()
	old := c.Sequences[key]
	q := &Sequence{Name: name, Text: strings.TrimSpace(s.SQL), Pos: r.pos(at.off)}
	switch create := s.Kind == script.CreateSequence; {
	case create && old != nil && quiet:
		return nil
	case create && old != nil && !replace:
		return r.errorAt(s, "sequence %s is there already; drop it first, or give this one another name", name)
	case create && c.Tables[key] != nil:
		return r.errorAt(s, "%s is a table; give the sequence another name", name)
	case !create && old == nil && quiet:
		return nil
	case !create && old == nil:
		return r.later(s, "sequence %s is altered and is not there", name)
	case !create:
		n := *old
		q = &n
	}
	r.sequenceOptions(&q.facts)
	if r.err != nil {
		return r.err
	}
	q.facts = q.facts.implied()
	q.Canon = q.facts.canon()
	c.Sequences[key] = q
	return errCarried
}

// sequenceOptions reads the options up to the end.
func (r *reader) sequenceOptions(f *sequenceFacts) {
	value := func() string {
		r.takeAny("=", "by", "with")
		sign := ""
		if r.take("-") {
			sign = "-"
		}
		t := r.here()
		if _, err := strconv.ParseUint(t.text, 10, 64); t.kind != tokenNumber || err != nil {
			r.failSyntax("a whole number")
		}
		r.next()
		return sign + t.text
	}
	for r.err == nil && !r.done() {
		at := r.here()
		switch {
		case r.take("increment"):
			f.step = value()
		case r.take("start"):
			f.start = value()
		case r.take("minvalue"):
			f.low = value()
		case r.take("maxvalue"):
			f.high = value()
		case r.take("cache"):
			f.cache = value()
		case r.take("nocache"), r.take("no", "cache"):
			f.cache = "0"
		case r.take("nominvalue"), r.take("no", "minvalue"):
			f.low = ""
		case r.take("nomaxvalue"), r.take("no", "maxvalue"):
			f.high = ""
		case r.take("cycle"):
			f.cycle = true
		case r.take("nocycle"), r.take("no", "cycle"):
			f.cycle = false
		case r.take("restart"): // data
			if r.here().kind == tokenNumber || r.is("=") || r.is("with") || r.is("-") {
				value()
			}
		case r.take("engine"), r.take("comment"), r.take("as"):
			r.take("=")
			r.word()
		default:
			r.fail(at, schema.KindUnsupported, "%s is no option of a sequence that is understood", excerpt(r.src[at.off:]))
		}
	}
}

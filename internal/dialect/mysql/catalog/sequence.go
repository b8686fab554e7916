package catalog

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/altergate/altergate/internal/dialect/mysql/script"
	"github.com/altergate/altergate/internal/schema"
)

// sequenceFacts are a sequence's properties with what is implied written out ("CREATE SEQUENCE", MariaDB's manual).
type sequenceFacts struct {
	start, low, high, step, cache string
	cycle                         bool
	typ                           string // empty = bigint
}

func (f sequenceFacts) canon() string {
	cycle := "nocycle"
	if f.cycle {
		cycle = "cycle"
	}
	text := fmt.Sprintf("start with %s minvalue %s maxvalue %s increment by %s cache %s %s", f.start, f.low, f.high, f.step, f.cache, cycle)
	if f.typ != "" {
		text = "as " + f.typ + " " + text
	}
	return text
}

// implied gives what is not said.
func (f sequenceFacts) implied() sequenceFacts {
	if f.step == "" {
		f.step = "1"
	}
	down := strings.HasPrefix(f.step, "-")
	top := f.top()
	if f.low == "" {
		f.low = "1"
		if down {
			f.low = "-" + strconv.FormatUint(top, 10)
		}
	}
	if f.high == "" {
		f.high = strconv.FormatUint(top-1, 10)
		if down {
			f.high = "-1"
		}
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

// sequenceBits are the sizes of the types that a sequence can have.
var sequenceBits = map[string]int{"tinyint": 8, "smallint": 16, "mediumint": 24, "int": 32, "bigint": 64, "": 64}

// top is the greatest number of a sequence's type.
func (f sequenceFacts) top() uint64 {
	base, unsigned := strings.CutSuffix(f.typ, " unsigned")
	bits := sequenceBits[base]
	if !unsigned {
		bits--
	}
	return math.MaxUint64 >> (64 - bits)
}

// Options writes what ALTER SEQUENCE takes.
func (q *Sequence) Options() string { return strings.ToUpper(q.facts.canon()) }

// Typed tells whether AS says that it counts in something else than bigint.
func (q *Sequence) Typed() bool { return q.facts.typ != "" }

// sql writes the statement that makes the sequence, where its author's is no longer the one.
func (q *Sequence) sql() string {
	text := "CREATE SEQUENCE " + q.Name.SQL() + " " + q.Options() + " ENGINE=" + q.Engine
	if q.Comment != "" {
		text += " COMMENT=" + quoteText(q.Comment)
	}
	return text
}

// settle writes the canonical text.
func (q *Sequence) settle() {
	q.facts = q.facts.implied()
	q.Canon = q.facts.canon() + " engine " + strings.ToLower(q.Engine)
	if q.Comment != "" {
		q.Canon += " comment " + quoteText(q.Comment)
	}
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
			if r.err == nil && c.Sequences[n.Key()] == nil {
				r.idle(at, true, "sequence "+n.String()+" is not there")
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
	q := &Sequence{Name: name, Engine: engineName(orElse(c.session.engine, "InnoDB")), Text: strings.TrimSpace(s.SQL), Pos: r.pos(at.off)}
	switch create := s.Kind == script.CreateSequence; {
	case create && old != nil && quiet:
		r.idleMade(at, "sequence", name)
		return nil
	case create && old != nil && !replace:
		return r.errorAt(s, "sequence %s is there already; drop it first, or give this one another name", name)
	case create && c.Tables[key] != nil:
		return r.errorAt(s, "%s is a table; give the sequence another name", name)
	case !create && old == nil && quiet:
		r.idle(at, false, "sequence "+name.String()+" is not there")
		return nil
	case !create && old == nil:
		return r.later(s, "sequence %s is altered and is not there", name)
	case !create:
		n := *old
		q = &n
	}
	r.sequenceOptions(q)
	if strings.HasPrefix(q.facts.step, "-") && strings.HasSuffix(q.facts.typ, "unsigned") {
		r.fail(at, schema.KindUnsupported, "a sequence that counts down in an unsigned type is not understood; use one with a sign")
	}
	if r.err != nil {
		return r.err
	}
	q.settle()
	if s.Kind == script.AlterSequence {
		q.Text = q.sql()
	}
	c.Sequences[key] = q
	return errCarried
}

// sequenceOptions reads the options up to the end.
func (r *reader) sequenceOptions(q *Sequence) {
	f := &q.facts
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
		case r.take("as"):
			r.sequenceType(f, at)
		case r.tableOfSequence(q):
		default:
			r.fail(at, schema.KindUnsupported, "%s is no option of a sequence that is understood", excerpt(r.src[at.off:]))
		}
	}
}

// tableOfSequence reads an option that a sequence has as the table that it is kept in; false = none comes.
func (r *reader) tableOfSequence(q *Sequence) bool {
	switch {
	case r.take("engine"):
		r.take("=")
		q.Engine = engineName(r.word())
	case r.take("comment"):
		r.take("=")
		q.Comment = r.text()
	default:
		return false
	}
	return true
}

// sequenceType reads the type behind AS.
func (r *reader) sequenceType(f *sequenceFacts, at token) {
	if !r.c.reads.Maria(11, 5, 0) {
		r.fail(at, schema.KindSchema, "%s has no sequences of a type; AS came with MariaDB 11.5", r.c.Server)
		return
	}
	var s said
	t := r.readType(&s)
	switch {
	case r.err != nil:
	case sequenceBits[t.Base] == 0 || t.Zerofill:
		r.fail(at, schema.KindSchema, "a sequence cannot be of type %s; use an integer type", t)
	}
	f.typ = t.Base
	if t.Unsigned {
		f.typ += " unsigned"
	}
	if f.typ == "bigint" {
		f.typ = ""
	}
}

// alterSequenceTable runs ALTER TABLE of a sequence, which has its engine and its comment from there.
func (r *reader) alterSequenceTable(old *Sequence) error {
	q := *old
	for r.err == nil && !r.done() {
		if at := r.here(); !r.tableOfSequence(&q) {
			r.fail(at, schema.KindUnsupported, "%s is a sequence, of which ALTER TABLE changes the engine and the comment alone; use ALTER SEQUENCE", old.Name)
		}
		if !r.take(",") {
			break
		}
	}
	r.end()
	if r.err != nil {
		return r.err
	}
	q.settle()
	q.Text = q.sql()
	r.c.Sequences[q.Name.Key()] = &q
	return nil
}

package script

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/pingcap/tidb/pkg/parser"
	"github.com/pingcap/tidb/pkg/parser/ast"
	_ "github.com/pingcap/tidb/pkg/parser/test_driver" // values of literals; without it the parser has none

	"github.com/altergate/altergate/internal/dialect/mysql/server"
	"github.com/altergate/altergate/internal/schema"
)

// Cache keeps what texts were parsed to, so that what base and head share is parsed once. Its zero value is ready; it may be used by
// several goroutines.
type Cache struct {
	mu     sync.Mutex
	parsed map[cacheKey]*outcome
}

// cacheKey is all that an outcome depends on.
type cacheKey struct {
	kind Kind
	sv   server.Server
	sql  string
}

// outcome is what parsing a text gave, or why it could not be parsed.
type outcome struct {
	node   ast.StmtNode
	stored *Stored
	maria  *Maria
	parts  []Part
	err    *fault
}

// maxErrors is how many statements that cannot be read are told; a file that is no SQL at all has many thousands.
const maxErrors = 1000

// Parse reads each statement, and gives an error for each that cannot be read, a thousand at most. Equal texts share what they are read
// to, which nobody may change. The cache may be nil.
func Parse(list []*Statement, sv server.Server, cache *Cache) []*schema.Error {
	if cache == nil {
		cache = &Cache{}
	}
	var errs []*schema.Error
	for i, out := range cache.parse(list, sv) {
		s := list[i]
		if out.err == nil {
			s.Node, s.Stored, s.Maria, s.Parts = out.node, out.stored, out.maria, out.parts
		} else if len(errs) < maxErrors {
			errs = append(errs, &schema.Error{Pos: s.Pos(out.err.at), Path: s.Path, Kind: out.err.kind, Text: out.err.text})
		}
	}
	return errs
}

// parse gives the outcome of each statement, from the cache or by parsing.
func (c *Cache) parse(list []*Statement, sv server.Server) []*outcome {
	outcomes := make([]*outcome, len(list))
	fresh := map[cacheKey]*outcome{}
	var keys []cacheKey
	c.mu.Lock()
	for i, s := range list {
		key := cacheKey{s.Kind, sv, s.SQL}
		out, ok := c.parsed[key]
		if !ok {
			out, ok = fresh[key]
		}
		if !ok {
			out = &outcome{}
			fresh[key] = out
			keys = append(keys, key)
		}
		outcomes[i] = out
	}
	c.mu.Unlock()
	parseAll(keys, fresh)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.parsed == nil {
		c.parsed = fresh
		return outcomes
	}
	for key, out := range fresh {
		c.parsed[key] = out
	}
	return outcomes
}

// parseAll fills the outcomes of texts, on as many processors as there are.
func parseAll(keys []cacheKey, into map[cacheKey]*outcome) {
	const batch = 16 // texts are taken so many at once: most are parsed in microseconds
	var taken atomic.Int64
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), (len(keys)+batch-1)/batch) {
		wait.Go(func() {
			p := parser.New()
			for {
				to := int(taken.Add(batch))
				for _, key := range keys[min(to-batch, len(keys)):min(to, len(keys))] {
					if into[key].parse(p, key) {
						p = parser.New() // it broke down, and may be in any state
					}
				}
				if to >= len(keys) {
					return
				}
			}
		})
	}
	wait.Wait()
}

// parse reads one statement. It tells whether the parser broke down.
func (o *outcome) parse(p *parser.Parser, key cacheKey) (broken bool) {
	defer func() {
		if v := recover(); v != nil {
			*o = outcome{err: &fault{schema.KindInternal, 0, fmt.Sprintf("the parser broke down: %v. This is a fault of Altergate; please report it with this statement", v)}}
			broken = true
		}
	}()
	if at, ok := nested(key.sql); ok {
		o.fail(schema.KindUnsupported, at, "this statement nests too deep here: at most %d parentheses, and %d operators or joins in a row, are read", maxParentheses, maxChain)
		return false
	}
	switch key.kind {
	case CreateTrigger, DropTrigger, CreateRoutine, AlterRoutine, DropRoutine, CreateEvent, AlterEvent, DropEvent:
		o.program(key.sql)
	case CreateSequence, AlterSequence, DropSequence:
		o.sequence(key.sql, key.sv)
	default:
		o.statement(p, key)
	}
	return false
}

// fail makes the outcome an error.
func (o *outcome) fail(kind schema.ErrorKind, at int, format string, args ...any) {
	*o = outcome{err: &fault{kind, at, fmt.Sprintf(format, args...)}}
}

// program reads a stored program.
func (o *outcome) program(sql string) {
	p := readProgram(reading(sql, 0))
	switch {
	case p == nil:
		o.fail(schema.KindSyntax, 0, "%s is not understood", excerpt(sql, 60))
	case p.fault != "":
		o.fail(schema.KindSyntax, p.at, "%s: %s", p.fault, around(sql, p.at))
	default:
		if p.body >= 0 {
			p.stored.Body, p.stored.BodyAt = sql[p.body:], p.body
		}
		o.stored = &p.stored
	}
}

// statement reads a statement with TiDB's parser.
func (o *outcome) statement(p *parser.Parser, key cacheKey) {
	w := &rewriter{reader: &reader{src: key.sql}, sv: key.sv, kind: key.kind}
	text, shifts := w.rewrite()
	if w.refused != "" {
		o.fail(schema.KindUnsupported, w.at, "%s", w.refused)
		return
	}
	nodes, _, err := p.Parse(text, "", "")
	if err != nil {
		if quoted, any := quoteNames(text, key.sv); any {
			if again, _, failed := p.Parse(quoted, "", ""); failed == nil {
				nodes, err = again, nil
			}
		}
	}
	if err != nil {
		if what := beyond(key); what != "" {
			o.maria = &Maria{Opaque: what}
			return
		}
		o.explain(key, text, shifts, err)
		return
	}
	if len(nodes) != 1 {
		o.fail(schema.KindSyntax, 0, "one statement is expected here: %s", excerpt(key.sql, 60))
		return
	}
	o.node, o.parts = nodes[0], w.parts
	if w.maria.said() {
		o.maria = &w.maria
	}
	if f := w.finish(o.node); f != nil {
		*o = outcome{err: f}
	}
}

// beyond tells what in a view TiDB's parser does not know, though servers do; empty = nothing. Such a view has no Node.
func beyond(key cacheKey) string {
	if key.kind != CreateView && key.kind != AlterView {
		return ""
	}
	r := reading(key.sql, 0)
	for r.tok.Kind != End {
		for _, words := range beyondViews {
			if r.take(words...) {
				return strings.Join(words, " ")
			}
		}
		r.step()
	}
	return ""
}

var beyondViews = [][]string{{"JSON_TABLE", "("}, {"FOR", "SYSTEM_TIME"}, {"WITHIN", "GROUP"}, {"SOUNDS", "LIKE"}, {"NEXT", "VALUE", "FOR"}, {"PREVIOUS", "VALUE", "FOR"}}

// said tells whether there is anything in it.
func (m *Maria) said() bool {
	return m.OrReplace || m.Versioning != "" || m.Name.Name != "" ||
		len(m.Columns)+len(m.Checks)+len(m.IfExists)+len(m.Sequence)+len(m.Options)+len(m.Keys)+len(m.Clauses) > 0
}

// explain says for a person what the parser's error says.
func (o *outcome) explain(key cacheKey, text string, shifts []shift, err error) {
	message := err.Error()
	at := 0
	if _, near, ok := strings.Cut(message, ` near "`); ok {
		near = strings.TrimRight(near, " ")
		near = strings.TrimSuffix(near, `"`)
		// The parser shows the rest of the text, or the beginning of it if that is long.
		if i := strings.LastIndex(text, near); i >= 0 && len(near) > 0 {
			at = i
		}
	}
	at = through(shifts, at)
	hint := ""
	if t := plain.next(key.sql, min(at, len(key.sql))); t.Kind == String && key.sql[t.Start] == '"' {
		hint = "; double quotes are strings here, names take backticks, or set sql_mode to ANSI_QUOTES in the file"
	}
	if !strings.Contains(message, " near ") { // no fault of its grammar
		_, message, _ = strings.Cut(message, "]")
		o.fail(schema.KindSyntax, 0, "%s: %s; correct the statement", strings.ToUpper(string(key.kind)), excerpt(message, 200))
		return
	}
	o.fail(schema.KindSyntax, at, "%s cannot be read as %s from here on: %s%s; correct the statement, or take it out of the source and manage what it does elsewhere",
		strings.ToUpper(string(key.kind)), key.sv.Name(), around(key.sql, at), hint)
}

// around gives an excerpt of the line in which an offset is; of a long line, what stands shortly before the offset and behind it.
func around(text string, at int) string {
	const most = 60
	at = min(at, len(text))
	if at == len(text) {
		at = len(strings.TrimRight(text, " \t\n"))
	}
	start := strings.LastIndexByte(text[:at], '\n') + 1
	line := text[start:lineEnd(text, at)]
	if len(strings.TrimSpace(line)) > most {
		from := max(0, at-start-most/3)
		if rest := len(line) - most; from > rest {
			from = max(0, rest)
		}
		line = strings.ToValidUTF8(line[from:], "")
	}
	return excerpt(line, most)
}

// alone tells whether nothing stands before an offset on its line.
func alone(src string, offset int) bool {
	for offset > 0 && classes[src[offset-1]]&blank != 0 {
		if offset--; src[offset] == '\n' {
			return true
		}
	}
	return offset == 0
}

package script

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	pg "github.com/pganalyze/pg_query_go/v6"
	pgquery "github.com/wasilibs/go-pgquery"
	"github.com/wasilibs/go-pgquery/parser"

	"github.com/altergate/altergate/internal/schema"
)

// Cache keeps parse trees by the text of their statements, so that what base and head share is parsed once. Its zero value
// is ready; it may be used by several goroutines.
type Cache struct {
	mu     sync.Mutex
	parsed map[string]*outcome
	turn   sync.Mutex // held while parsing, where parsers are few
}

// outcome is what parsing a text gave: a tree, or an error with its offset in the text.
type outcome struct {
	node   *pg.Node
	kind   schema.ErrorKind
	offset int
	text   string
}

// maxErrors is how many statements that cannot be read are told; a file that is no SQL at all has many thousands.
const maxErrors = 1000

// Parse sets the Node of each statement, and gives an error for each that PostgreSQL's grammar does not read, a thousand at
// most. The cache may be nil.
func Parse(all []*Statement, cache *Cache) []*schema.Error {
	if cache == nil {
		cache = &Cache{}
	}
	parsed := cache.parse(all)
	var errs []*schema.Error
	for i, s := range all {
		out := parsed[i]
		if out.text == "" {
			s.Node = out.node
			continue
		}
		if len(errs) == maxErrors {
			continue
		}
		errs = append(errs, &schema.Error{Pos: s.Pos(out.offset), Path: s.Path, Kind: out.kind, Text: out.text})
	}
	return errs
}

// parse gives the outcome of each statement, from the cache or by parsing.
func (c *Cache) parse(all []*Statement) []*outcome {
	if maxParsers == 1 {
		c.turn.Lock()
		defer c.turn.Unlock()
	}
	outcomes := make([]*outcome, len(all))
	fresh := map[string]*outcome{}
	var texts []string
	c.mu.Lock()
	for i, s := range all {
		out, ok := c.parsed[s.Text]
		if !ok {
			out, ok = fresh[s.Text]
		}
		if !ok {
			out = &outcome{}
			fresh[s.Text] = out
			texts = append(texts, s.Text)
		}
		outcomes[i] = out
	}
	c.mu.Unlock()
	parseTexts(texts, fresh)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.parsed == nil {
		c.parsed = fresh
		return outcomes
	}
	for text, out := range fresh {
		c.parsed[text] = out
	}
	return outcomes
}

// parseTexts fills the outcomes of texts, on as many processors as there are parsers for.
func parseTexts(texts []string, into map[string]*outcome) {
	const batch = 32 // texts are taken so many at once: most are parsed in microseconds
	var taken atomic.Int64
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), maxParsers, (len(texts)+batch-1)/batch) {
		wait.Go(func() {
			for {
				to := int(taken.Add(batch))
				for _, text := range texts[min(to-batch, len(texts)):min(to, len(texts))] {
					into[text].parse(text)
				}
				if to >= len(texts) {
					return
				}
			}
		})
	}
	wait.Wait()
}

// parse reads one statement.
func (o *outcome) parse(text string) {
	defer func() {
		if p := recover(); p != nil {
			o.fail(schema.KindInternal, 0, fmt.Sprintf("the parser broke down: %v. This is a fault of Altergate; please report it with this statement", p))
		}
	}()
	if at, ok := nested(text); ok {
		o.fail(schema.KindUnsupported, at, fmt.Sprintf("this statement nests too deep here: at most %d parentheses, and %d operators or joins in a row, are read", maxParentheses, maxChain))
		return
	}
	tree, err := pgquery.Parse(text)
	switch {
	case err != nil:
		o.explain(text, err)
	case len(tree.GetStmts()) == 0:
		o.fail(schema.KindSyntax, 0, "there is no statement here")
	case len(tree.GetStmts()) > 1:
		o.fail(schema.KindSyntax, next(text, int(tree.GetStmts()[1].GetStmtLocation())).start, "a second statement begins here; only one may be given")
	default:
		o.node = tree.GetStmts()[0].GetStmt()
	}
}

// fail makes the outcome an error.
func (o *outcome) fail(kind schema.ErrorKind, offset int, text string) {
	*o = outcome{kind: kind, offset: offset, text: text}
}

// explain says for a person what the parser's error says.
func (o *outcome) explain(text string, err error) {
	var e *parser.Error
	if !errors.As(err, &e) {
		o.fail(schema.KindUnsupported, 0, fmt.Sprintf("%s cannot be read: %s", excerpt(text, 60), err))
		return
	}
	at := offsetOf(text, e.Cursorpos)
	if strings.HasPrefix(e.Message, "syntax error") && virtual(text, at) {
		o.fail(schema.KindUnsupported, at, "a generated column without STORED is VIRTUAL; VIRTUAL generated columns need PostgreSQL 18, whose grammar is not supported yet; write STORED, or take the column out of the source")
		return
	}
	// The message goes on with all of the text that was not understood; an excerpt is enough.
	message, _, cut := strings.Cut(e.Message, "\n")
	if cut || len(message) > 120 {
		message = strings.Trim(excerpt(message, 120), "`")
	}
	o.fail(schema.KindSyntax, at, fmt.Sprintf("%s: %s; PostgreSQL 17's grammar cannot read this statement", message, around(text, at)))
}

// offsetOf turns a cursor of the parser, which counts code points from 1, into a byte offset. 0 is no cursor.
func offsetOf(text string, cursor int) int {
	for i := range text {
		if cursor--; cursor <= 0 {
			return i
		}
	}
	return len(text)
}

// around gives an excerpt of the line in which an offset is; of a long line, what stands shortly before the offset and behind it.
func around(text string, at int) string {
	const most = 60
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
		line = line[from:]
	}
	return excerpt(line, most)
}

// virtual tells whether what cannot be read at an offset follows GENERATED ALWAYS AS (…), where PostgreSQL 17 wants STORED.
func virtual(text string, at int) bool {
	var open [][3]string // for each open parenthesis the three words before it
	var before, group [3]string
	for t := next(text, 0); t.kind != eof && t.start < at; t = next(text, t.end) {
		if t.kind == comment {
			continue
		}
		s := strings.ToUpper(text[t.start:t.end])
		group = [3]string{}
		switch {
		case s == "(":
			open = append(open, before)
		case s == ")" && len(open) > 0:
			group = open[len(open)-1]
			open = open[:len(open)-1]
		}
		before = [3]string{before[1], before[2], s}
	}
	return group == [3]string{"GENERATED", "ALWAYS", "AS"}
}

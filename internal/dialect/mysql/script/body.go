package script

// body follows a stored program's body through its blocks: semicolons between BEGIN and END belong to it.
type body struct {
	open    []int     // offsets of the words that wait for their END
	first   bool      // the next token begins a statement
	verb    Token     // the word that began this statement
	parens  int       // open in this statement
	cases   int       // CASE expressions in this statement that wait for their END
	last    Token     // before the current one
	handler condition // where in DECLARE … HANDLER FOR this is
}

// condition is how far the conditions of a handler are read.
type condition uint8

const (
	noHandler condition = iota
	wanted              // one begins here
	begun               // SQLSTATE or NOT was read
	held                // it is read: a comma goes on, anything else is a statement
)

// blocks are the words that at the beginning of a statement open what END closes.
var blocks = map[string]bool{"BEGIN": true, "IF": true, "CASE": true, "LOOP": true, "WHILE": true, "REPEAT": true, "FOR": true}

// add takes in the next token of the body, with its text in upper case if it is a word.
func (b *body) add(src string, t Token, upper string) {
	comma := t.Kind == Symbol && src[t.Start] == ','
	if b.handler == held && !comma {
		b.handler, b.first = noHandler, true
	}
	first := b.first
	b.first = false
	switch {
	case t.Kind == Symbol && src[t.Start] == ';':
		*b = body{open: b.open, first: true, last: t}
		return
	case b.handler != noHandler:
		b.condition(comma, upper)
	case t.Kind == Symbol && src[t.Start] == '(':
		b.parens++
	case t.Kind == Symbol && src[t.Start] == ')':
		b.parens--
	case t.Kind == Symbol && src[t.Start] == ':' && b.verb == b.last: // a label
		b.first = true
	case t.Kind == Word && b.parens == 0 && !b.last.Is(src, ".") && !b.last.Is(src, "@"):
		b.word(src, t, upper, first)
	}
	if first {
		b.verb = t
	}
	b.last = t
}

// condition goes on in the conditions of a handler.
func (b *body) condition(comma bool, upper string) {
	switch {
	case comma:
		b.handler = wanted
	case b.handler == wanted && (upper == "SQLSTATE" || upper == "NOT"), b.handler == begun && upper == "VALUE":
		b.handler = begun
	default:
		b.handler = held
	}
}

// word takes in a word that is no part of a name and not in parentheses.
func (b *body) word(src string, t Token, upper string, first bool) {
	switch {
	case upper == "END" && b.cases > 0:
		b.cases--
	case upper == "END":
		if len(b.open) > 0 && (first || b.verb.Is(src, "UNTIL")) {
			b.open = b.open[:len(b.open)-1]
		}
	case first && blocks[upper]:
		b.open = append(b.open, t.Start)
		// What follows LOOP, REPEAT and BEGIN is a statement; behind the others stand conditions.
		b.first = upper == "BEGIN" || upper == "LOOP" || upper == "REPEAT"
	case first && upper == "ELSE":
		b.first = true
	case upper == "CASE":
		if !b.last.Is(src, "END") {
			b.cases++
		}
	case b.cases > 0:
	case upper == "THEN", upper == "DO" && !first, upper == "ATOMIC" && b.last.Is(src, "NOT"):
		b.first = true
	case upper == "FOR" && b.last.Is(src, "HANDLER"):
		b.handler = wanted
	}
}

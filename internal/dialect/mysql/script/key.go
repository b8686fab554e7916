package script

import "strings"

// startsKey tells whether a definition begins here that is a key or a constraint and no column.
func (w *rewriter) startsKey() bool {
	if w.in("CONSTRAINT", "PRIMARY", "UNIQUE", "KEY", "INDEX", "FULLTEXT", "SPATIAL", "FOREIGN", "CHECK") {
		return true
	}
	was := *w.reader
	defer func() { *w.reader = was }()
	return w.take("VECTOR", "KEY") || w.take("VECTOR", "INDEX")
}

// keyDefinition reads a key or a constraint, up to the comma or parenthesis behind it. Its number is that of the parser's constraint or
// clause.
func (w *rewriter) keyDefinition(number int) {
	named := false
	if w.take("CONSTRAINT") {
		w.ifExists(number)
		if !w.in("PRIMARY", "UNIQUE", "FOREIGN", "CHECK") {
			w.step()
			named = true
		}
	}
	kind := w.tok
	switch {
	case w.is("CHECK"):
		w.step()
		w.parens()
		if at := w.tok.Start; w.take("NOT", "ENFORCED") || w.take("ENFORCED") {
			w.never(at, "ENFORCED of a check")
		}
		w.skipClause()
		return
	case w.is("SPATIAL"), w.is("VECTOR"):
		w.key(number, strings.ToLower(w.upper()), "")
		if w.step(); w.in("KEY", "INDEX") {
			w.cut(kind.Start, kind.End)
			w.step()
		} else {
			w.put(kind.Start, kind.End, "KEY")
		}
	case w.take("FOREIGN", "KEY"), w.take("PRIMARY", "KEY"):
	default:
		if w.step(); w.in("KEY", "INDEX") && !kind.Is(w.src, "KEY") && !kind.Is(w.src, "INDEX") {
			w.step()
		}
	}
	w.ifExists(number)
	if (w.tok.Kind == Word && !w.in("USING", "TYPE")) || w.tok.Kind == QuotedName {
		name := w.step().Name(w.src)
		if kind.Is(w.src, "FOREIGN") || named {
			w.key(number, "index", name)
		}
		if kind.Is(w.src, "FOREIGN") && !named {
			w.key(number, "unnamed", "")
		}
	}
	if w.in("USING", "TYPE") {
		w.step()
		w.step()
	}
	w.keyParts(number)
	if kind.Is(w.src, "FOREIGN") {
		w.skipClause()
		return
	}
	w.keyOptions(number)
}

// keyParts reads the columns of a key, in parentheses.
func (w *rewriter) keyParts(number int) {
	if !w.is("(") {
		return
	}
	last := w.step()
	for w.tok.Kind != End && w.tok.Kind != Illegal && !w.is(")") {
		from := w.tok.Start
		switch {
		case w.is("("):
			if last.Is(w.src, "(") || last.Is(w.src, ",") { // else it is the length of a prefix
				w.never(from, "a key on an expression")
			}
			if !w.parens() {
				return
			}
		case w.take("WITHOUT", "OVERLAPS"):
			w.only(from, "WITHOUT OVERLAPS")
			w.key(number, "without overlaps", "")
			w.cut(from, w.before(from))
		default:
			last = w.step()
		}
	}
	w.step()
}

// keyOptions reads what follows the columns of a key.
func (w *rewriter) keyOptions(number int) {
	for w.tok.Kind != End && !w.is(",") && !w.is(")") {
		from := w.tok.Start
		switch {
		case w.take("NOT", "IGNORED"):
			w.cut(from, w.before(from))
		case w.take("IGNORED"):
			w.only(from, "IGNORED")
			w.key(number, "ignored", "")
			w.cut(from, w.before(from))
		case w.is("INVISIBLE"):
			w.never(from, "INVISIBLE of a key")
			w.step()
		case w.in("COMMENT", "USING", "ALGORITHM", "LOCK", "KEY_BLOCK_SIZE"):
			w.step()
			w.take("=")
			w.step()
		case w.is("("):
			if !w.parens() {
				return
			}
		default:
			name := w.step()
			attribute := name.Is(w.src, "ENGINE_ATTRIBUTE") || name.Is(w.src, "SECONDARY_ENGINE_ATTRIBUTE")
			if name.Kind == Symbol || (!attribute && (!w.is("=") || !w.sv.MariaDB)) {
				continue
			}
			if attribute {
				w.never(from, "ENGINE_ATTRIBUTE of a key")
			}
			w.take("=")
			w.key(number, "option "+strings.ToUpper(name.Name(w.src)), w.step().Text(w.src))
			w.cut(from, w.before(from))
		}
	}
}

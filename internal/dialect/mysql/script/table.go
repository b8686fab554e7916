package script

// createTable reads CREATE [OR REPLACE] TABLE name (definitions) options.
func (w *rewriter) createTable() {
	w.step()
	w.orReplace()
	w.take("TABLE")
	w.take("IF", "NOT", "EXISTS")
	if _, ok := w.ident(); !ok || !w.is("(") {
		w.tableOptions()
		return
	}
	was := *w.reader
	if w.step(); w.in("LIKE", "SELECT", "WITH", "(") {
		*w.reader = was
		return
	}
	w.definitions()
	if w.is(")") {
		w.step()
	}
	w.tableOptions()
}

// definitions reads what stands between the parentheses of a CREATE TABLE, up to the closing one.
func (w *rewriter) definitions() {
	keys := 0
	comma := -1 // of the last one
	for w.tok.Kind != End && w.tok.Kind != Illegal && !w.is(")") {
		from := w.tok.Start
		part := Part{Start: from}
		switch {
		case w.period(from):
			if comma >= 0 {
				w.cutComma(comma)
			} else if w.is(",") {
				w.cutComma(w.tok.Start)
			}
		case w.startsKey():
			w.keyDefinition(keys)
			keys++
		default:
			part.Column = w.tok.Name(w.src)
			w.columnDefinition()
		}
		part.End = w.before(from)
		w.parts = append(w.parts, part)
		if !w.is(",") {
			return
		}
		comma = w.step().Start
	}
}

// cutComma cuts a comma, which may stand before what was cut last.
func (w *rewriter) cutComma(at int) {
	n := len(w.edits)
	for n > 0 && w.edits[n-1].start > at {
		n--
	}
	w.edits = append(w.edits[:n:n], append([]edit{{at, at + 1, " "}}, w.edits[n:]...)...)
}

// period cuts PERIOD FOR name (a, b) of MariaDB.
func (w *rewriter) period(from int) bool {
	if !w.take("PERIOD", "FOR") {
		return false
	}
	w.only(from, "PERIOD")
	name := w.step().Name(w.src)
	start := w.tok.Start
	w.parens()
	w.option("PERIOD FOR "+name, Canonical(w.src[start:w.tok.Start]))
	w.cut(from, w.before(from))
	return true
}

// alterTable reads ALTER [ONLINE] [IGNORE] TABLE [IF EXISTS] name [WAIT n] clauses.
func (w *rewriter) alterTable() {
	w.step()
	for !w.is("TABLE") && w.tok.Kind != End {
		from := w.tok
		switch {
		case w.drop("ONLINE"), w.drop("OFFLINE"):
		case w.is("IGNORE"):
			w.refuse(from.Start, "ALTER IGNORE TABLE deletes rows that a new key would not allow; delete them by a statement of your own, and take IGNORE out")
			w.step()
		default:
			return
		}
	}
	w.step()
	w.ifExists(whole)
	if _, ok := w.ident(); !ok {
		return
	}
	w.wait()
	for number := 0; w.tok.Kind != End && w.tok.Kind != Illegal; number++ {
		from := w.tok.Start
		part := Part{Start: from}
		w.clause(number, &part)
		w.skipClause()
		part.End = w.before(from)
		w.parts = append(w.parts, part)
		if !w.is(",") {
			if w.is(")") {
				return
			}
			continue
		}
		w.step()
	}
}

// stand puts FORCE in place of a clause that TiDB's parser does not know, which keeps the number of those behind it.
func (w *rewriter) stand(number, from int) {
	w.skipClause()
	w.said(number, w.src[from:w.before(from)])
	w.edits = w.edits[:w.editsBefore(from)]
	w.put(from, w.before(from), "FORCE")
}

func (w *rewriter) said(number int, text string) {
	if w.maria.Clauses == nil {
		w.maria.Clauses = map[int]string{}
	}
	w.maria.Clauses[number] = text
}

func (w *rewriter) editsBefore(at int) int {
	n := len(w.edits)
	for n > 0 && w.edits[n-1].start >= at {
		n--
	}
	return n
}

// clause reads one clause of an ALTER TABLE.
func (w *rewriter) clause(number int, part *Part) {
	from := w.tok.Start
	verb := w.upper()
	switch verb {
	case "ADD":
		w.step()
		w.addClause(number, from, part)
	case "MODIFY", "CHANGE":
		w.step()
		w.take("COLUMN")
		w.ifExists(number)
		if verb == "CHANGE" {
			w.step()
		}
		part.Column = w.tok.Name(w.src)
		w.columnDefinition()
	case "ALTER":
		w.alterClause(number, from)
	case "DROP":
		w.step()
		switch {
		case w.in("SYSTEM", "PERIOD"):
			w.only(from, "SYSTEM VERSIONING, or PERIOD,")
			w.stand(number, from)
			return
		case w.is("CONSTRAINT"):
			w.step()
			w.ifExists(number)
			w.skipClause()
			w.said(number, w.src[from:w.before(from)])
			return
		}
		if w.is("CHECK") {
			w.never(from, "DROP CHECK")
		}
		if !w.take("FOREIGN", "KEY") && !w.take("PRIMARY", "KEY") && w.in("COLUMN", "INDEX", "KEY", "CHECK", "PARTITION") {
			w.step()
		}
		w.ifExists(number)
	case "RENAME":
		w.step()
		if w.in("COLUMN", "INDEX", "KEY") {
			w.step()
			w.ifExists(number)
		}
	case "ALGORITHM":
		w.step()
		if w.take("="); w.is("NOCOPY") {
			w.only(from, "ALGORITHM=NOCOPY")
			w.stand(number, from)
		}
	case "CONVERT":
		if w.take("CONVERT", "PARTITION") || w.take("CONVERT", "TABLE") {
			w.only(from, "CONVERT PARTITION, or CONVERT TABLE,")
			w.stand(number, from)
		}
	case "ORDER", "FORCE", "DISABLE", "ENABLE", "DISCARD", "IMPORT", "LOCK", "REORGANIZE", "COALESCE", "TRUNCATE", "EXCHANGE", "REMOVE", "REBUILD",
		"OPTIMIZE", "ANALYZE", "CHECK", "REPAIR", "WITHOUT", "SECONDARY_LOAD", "SECONDARY_UNLOAD":
	case "PARTITION":
		if w.take("PARTITION", "BY", "SYSTEM_TIME") {
			w.only(from, "PARTITION BY SYSTEM_TIME")
			w.stand(number, from)
		}
	case "WITH":
		if w.take("WITH", "VALIDATION") {
			return
		}
		w.options(number, from)
	default:
		w.options(number, from)
	}
}

// options reads a clause of table options; if none is left, something has to stand for it.
func (w *rewriter) options(number, from int) {
	if !w.tableOptions() && w.tok.Start > from {
		w.edits = w.edits[:w.editsBefore(from)]
		w.put(from, w.before(from), "FORCE")
		w.said(number, w.src[from:w.before(from)])
	}
}

// addClause reads what follows ADD.
func (w *rewriter) addClause(number, from int, part *Part) {
	switch {
	case w.is("SYSTEM"), w.is("PERIOD"):
		w.only(from, "SYSTEM VERSIONING, or PERIOD,")
		w.stand(number, from)
	case w.is("PARTITION"):
		w.step()
		w.ifExists(number)
	case w.startsKey():
		w.keyDefinition(number)
	default:
		w.take("COLUMN")
		w.ifExists(number)
		if !w.is("(") {
			part.Column = w.tok.Name(w.src)
			w.columnDefinition()
			return
		}
		for w.step(); w.tok.Kind != End && !w.is(")"); {
			if w.startsKey() {
				w.skipClause()
			} else {
				w.columnDefinition()
			}
			if !w.take(",") {
				break
			}
		}
		w.take(")")
	}
}

// alterClause reads ALTER [COLUMN] a SET DEFAULT …, ALTER INDEX i …, ALTER CHECK c ….
func (w *rewriter) alterClause(number, from int) {
	w.step()
	if w.in("INDEX", "KEY") {
		w.step()
		w.ifExists(number)
		w.step()
		if w.in("IGNORED", "NOT") {
			w.only(from, "IGNORED")
			w.stand(number, from)
		} else if w.in("VISIBLE", "INVISIBLE") {
			w.never(w.tok.Start, w.upper()+" of a key")
		}
		return
	}
	if w.in("CHECK", "CONSTRAINT") {
		w.never(from, "ALTER CHECK")
		w.step()
		w.ifExists(number)
		return
	}
	w.take("COLUMN")
	w.ifExists(number)
	w.step()
	switch {
	case w.take("SET", "DEFAULT"):
		if !w.simpleDefault() {
			w.stand(number, from)
		}
	case w.is("SET"):
		w.never(from, "SET VISIBLE, or SET INVISIBLE,")
		w.stand(number, from)
	}
}

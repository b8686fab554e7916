package script

import "strings"

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

// tableOptions reads the options of a table, and cuts those that TiDB's parser does not know or keep, up to the end, the next comma of an
// ALTER or PARTITION BY. It tells whether any was left.
func (w *rewriter) tableOptions() (left bool) {
	comma := -1
	for w.tok.Kind != End && !w.is(")") {
		if w.in("SELECT", "AS", "PARTITION", "LIKE", "(", "REPLACE") || (w.is("IGNORE") && w.kind == CreateTable) {
			if w.is("PARTITION") {
				w.partitions()
			} else {
				for w.tok.Kind != End {
					w.step()
				}
			}
			return true
		}
		if w.is(",") {
			if w.kind == AlterTable {
				return left
			}
			comma = w.step().Start
			continue
		}
		from := w.tok.Start
		switch {
		case w.take("WITH", "SYSTEM", "VERSIONING"):
			w.only(from, "WITH SYSTEM VERSIONING")
			w.maria.Versioning = "with system versioning"
			w.cut(from, w.before(from))
		case w.take("START", "TRANSACTION"):
			w.cut(from, w.before(from))
		case w.tok.Kind == Word || w.tok.Kind == String || w.tok.Kind == QuotedName:
			name := w.step()
			if name.Is(w.src, "ROW_FORMAT") && w.page() {
				w.option("ROW_FORMAT", "PAGE") // Aria's
				w.cut(from, w.before(from))
				break
			}
			if !w.lost(name) {
				left, comma = true, -1
				w.optionValue()
				continue
			}
			w.take("=")
			value := w.tok.Start
			if !w.is(",") {
				w.step()
			}
			w.option(name.Name(w.src), w.src[value:w.before(value)])
			w.cut(from, w.before(from))
		default:
			w.step()
			continue
		}
		if comma >= 0 {
			w.cutComma(comma)
		} else if w.is(",") && w.kind == CreateTable {
			w.cutComma(w.step().Start)
		}
		comma = -1
	}
	return left
}

// partitions reads PARTITION BY. That of MariaDB's SYSTEM_TIME is cut: TiDB's parser knows only some of its forms.
func (w *rewriter) partitions() {
	from := w.tok.Start
	system := w.take("PARTITION", "BY", "SYSTEM_TIME")
	w.skipClause()
	if system {
		w.only(from, "PARTITION BY SYSTEM_TIME")
		w.option("PARTITION BY", w.src[from:w.before(from)])
		w.cut(from, w.before(from))
	}
}

// optionValue goes past the value of an option, which may be a name of a word, a string, or a list.
func (w *rewriter) optionValue() {
	w.take("=")
	if w.is("(") {
		w.parens()
	} else if w.tok.Kind == String || w.tok.Kind == Number || w.tok.Kind == QuotedName {
		w.step()
	}
}

// kept are the table options whose value TiDB's parser keeps, and the words of which they and their values consist.
var kept = wordSet(`DEFAULT CHARACTER SET CHARSET COLLATE ENGINE AUTO_INCREMENT COMMENT AVG_ROW_LENGTH CHECKSUM COMPRESSION CONNECTION PASSWORD KEY_BLOCK_SIZE MAX_ROWS
	MIN_ROWS DELAY_KEY_WRITE ROW_FORMAT STATS_AUTO_RECALC STATS_SAMPLE_PAGES TABLESPACE STORAGE DATA INDEX DIRECTORY UNION INSERT_METHOD ENCRYPTION
	AUTOEXTEND_SIZE TABLE_CHECKSUM`)

// notKept are those that it reads without =, and does not keep.
var notKept = wordSet("STATS_PERSISTENT PACK_KEYS ENGINE_ATTRIBUTE SECONDARY_ENGINE_ATTRIBUTE SECONDARY_ENGINE")

// page goes past the value PAGE.
func (w *rewriter) page() bool { return w.take("=", "PAGE") || w.take("PAGE") }

// lost tells whether TiDB's parser does not know, or not keep, the option whose name was gone past. Only one with = is known to be one.
func (w *rewriter) lost(name Token) bool {
	if name.Kind == Word {
		upper := strings.ToUpper(name.Text(w.src))
		if notKept[upper] {
			return true
		}
		if kept[upper] {
			return false
		}
	}
	return w.is("=") && w.sv.MariaDB
}

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(list) {
		set[word] = true
	}
	return set
}

// skipClause goes on to the next comma of an ALTER TABLE, or to the end.
func (w *rewriter) skipClause() {
	for w.tok.Kind != End && !w.is(",") && !w.is(")") {
		if w.is("(") {
			if !w.parens() {
				return
			}
			continue
		}
		w.step()
	}
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
		}
		return
	}
	if w.in("CHECK", "CONSTRAINT") {
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
		w.stand(number, from)
	}
}

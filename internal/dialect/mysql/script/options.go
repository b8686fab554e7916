package script

import "strings"

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
			w.never(from, "START TRANSACTION")
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
	TABLE_CHECKSUM`)

// notKept are those that it reads without =, and does not keep, or reads only in part: AUTOEXTEND_SIZE not as servers print it.
var notKept = wordSet("STATS_PERSISTENT PACK_KEYS ENGINE_ATTRIBUTE SECONDARY_ENGINE_ATTRIBUTE SECONDARY_ENGINE AUTOEXTEND_SIZE")

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

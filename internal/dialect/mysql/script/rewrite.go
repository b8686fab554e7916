package script

import (
	"strings"

	"github.com/pingcap/tidb/pkg/parser/charset"

	"github.com/altergate/altergate/internal/dialect/mysql/server"
	"github.com/altergate/altergate/internal/schema"
)

// rewriter makes of a statement a text that TiDB's parser reads: what that does not know is taken out, and kept as data. What is put in
// its place is as long as it, wherever that can be.
type rewriter struct {
	*reader
	sv    server.Server
	kind  Kind
	edits []edit
	maria Maria
	parts []Part
	check bool // of a view: WITH CHECK OPTION

	refused string // why the statement is refused; empty = it is not
	at      int
}

// Part is one definition of a CREATE TABLE, or one clause of an ALTER TABLE; Start and End are offsets in the statement's SQL.
type Part struct {
	Column     string // that it defines, as written; of a clause that holds several, and of all others, empty
	Start, End int
}

// cut takes a part out.
func (w *rewriter) cut(from, to int) { w.put(from, to, "") }

// put writes a text in place of a part, with blanks to its length.
func (w *rewriter) put(from, to int, text string) {
	if n := to - from - len(text); n > 0 {
		text += strings.Repeat(" ", n)
	}
	w.edits = append(w.edits, edit{from, to, text})
}

// drop goes past words that stand here, and cuts them.
func (w *rewriter) drop(words ...string) bool {
	from := w.tok.Start
	if !w.take(words...) {
		return false
	}
	w.cut(from, w.before(from))
	return true
}

// before gives the end of the last token that was gone past, from an offset on.
func (w *rewriter) before(from int) int {
	return from + len(strings.TrimRight(w.src[from:w.tok.Start], " \t\n\r\f\v"))
}

func (w *rewriter) refuse(at int, why string) {
	if w.refused == "" {
		w.refused, w.at = why, at
	}
}

func (w *rewriter) column(name, what, is string) {
	if w.maria.Columns == nil {
		w.maria.Columns = map[string]map[string]string{}
	}
	name = strings.ToLower(name)
	if w.maria.Columns[name] == nil {
		w.maria.Columns[name] = map[string]string{}
	}
	w.maria.Columns[name][what] = is
}

func (w *rewriter) key(number int, what, is string) {
	if w.maria.Keys == nil {
		w.maria.Keys = map[int]map[string]string{}
	}
	if w.maria.Keys[number] == nil {
		w.maria.Keys[number] = map[string]string{}
	}
	w.maria.Keys[number][what] = is
}

func (w *rewriter) option(name, is string) {
	if w.maria.Options == nil {
		w.maria.Options = map[string]string{}
	}
	w.maria.Options[strings.ToUpper(name)] = is
}

func (w *rewriter) exists(number int, words string) {
	if w.maria.IfExists == nil {
		w.maria.IfExists = map[int]string{}
	}
	w.maria.IfExists[number] = words
}

// only refuses what MariaDB has and MySQL has not.
func (w *rewriter) only(at int, what string) {
	if !w.sv.MariaDB {
		w.refuse(at, what+" is MariaDB's, and MySQL does not know it here; if the server is MariaDB, say so with the dialect mariadb")
	}
}

// never refuses what MySQL has and MariaDB has not (10.11 and its manual know none of it).
func (w *rewriter) never(at int, what string) {
	if w.sv.MariaDB {
		w.refuse(at, what+" is MySQL's, and MariaDB does not know it; if the server is MySQL, say so with the dialect mysql")
	}
}

// orReplace cuts OR REPLACE, which MySQL knows of views alone.
func (w *rewriter) orReplace() {
	at := w.tok.Start
	if w.maria.OrReplace = w.drop("OR", "REPLACE"); w.maria.OrReplace {
		w.only(at, "OR REPLACE")
	}
}

// ifExists goes past IF [NOT] EXISTS, cuts it, and keeps it as said of a clause.
func (w *rewriter) ifExists(number int) {
	if w.is("IF") && w.kind != CreateView {
		w.only(w.tok.Start, "IF EXISTS, or IF NOT EXISTS,")
	}
	if w.drop("IF", "EXISTS") {
		w.exists(number, "IF EXISTS")
	} else if w.drop("IF", "NOT", "EXISTS") {
		w.exists(number, "IF NOT EXISTS")
	}
}

// whole is the number by which what is said of a whole statement is kept.
const whole = -1

// rewrite makes the text for the parser.
func (w *rewriter) rewrite() (string, []shift) {
	w.to(0)
	switch w.kind {
	case CreateTable:
		w.createTable()
	case AlterTable:
		w.alterTable()
	case CreateView, AlterView:
		w.view()
	case CreateIndex:
		w.createIndex()
	case DropIndex, DropTable, DropView, TruncateTable, RenameTable:
		w.plainObject()
	case CreateDatabase, AlterDatabase:
		w.database()
	}
	w.collations()
	if strings.Contains(w.src, "/*") {
		w.comments()
	}
	return apply(w.src, 0, len(w.src), w.edits)
}

// foreignSets are the character sets of the servers that TiDB's parser does not know.
var foreignSets = wordSet(`ARMSCII8 BIG5 CP1250 CP1251 CP1256 CP1257 CP850 CP852 CP866 CP932 DEC8 EUCJPMS EUCKR GB2312 GEOSTD8 GREEK HEBREW HP8 KEYBCS2 KOI8R KOI8U
	LATIN2 LATIN5 LATIN7 MACCE MACROMAN SJIS SWE7 TIS620 UCS2 UJIS UTF16 UTF16LE UTF32`)

// collations writes binary for each collation that TiDB's parser does not know, and utf8 for each character set: it refuses a statement over
// one.
func (w *rewriter) collations() {
	var all []edit
	put := func(t Token, text string) {
		all = append(all, edit{t.Start, t.End, text + strings.Repeat(" ", max(0, t.End-t.Start-len(text)))})
	}
	foreign := func(t Token) bool {
		return (t.Kind == Word || t.Kind == String || t.Kind == QuotedName) && foreignSets[strings.ToUpper(t.Name(w.src))]
	}
	for r := reading(w.src, 0); r.tok.Kind != End; {
		switch {
		case r.take("COLLATE"):
			r.take("=")
			if r.tok.Kind == Word || r.tok.Kind == String || r.tok.Kind == QuotedName {
				if _, err := charset.GetCollationByName(r.tok.Name(w.src)); err != nil {
					put(r.tok, "'binary'")
				}
			}
		case r.take("CHARACTER", "SET"), r.take("CHARSET"), r.take("USING"), r.take("NAMES"):
			if r.take("="); foreign(r.tok) {
				put(r.tok, "utf8")
			}
		case r.tok.Kind == Word && w.src[r.tok.Start] == '_' && foreignSets[strings.ToUpper(w.src[r.tok.Start+1:r.tok.End])]:
			put(r.step(), "_utf8")
		default:
			r.step()
		}
	}
	w.merge(all)
}

// merge adds edits among those that are there; one inside of another is left out.
func (w *rewriter) merge(more []edit) {
	if len(more) == 0 {
		return
	}
	var all []edit
	rest := w.edits
	for _, e := range more {
		for len(rest) > 0 && rest[0].start <= e.start {
			all, rest = append(all, rest[0]), rest[1:]
		}
		if len(all) == 0 || all[len(all)-1].end <= e.start {
			all = append(all, e)
		}
		for len(rest) > 0 && rest[0].start < e.end {
			rest = rest[1:]
		}
	}
	w.edits = append(all, rest...)
}

// comments cuts all comments: in some of them TiDB sees code.
func (w *rewriter) comments() {
	var all []edit
	for t := plain.next(w.src, 0); t.Kind != End; t = plain.next(w.src, t.End) {
		if t.Kind == Comment && w.src[t.Start] == '/' {
			all = append(all, edit{t.Start, t.End, blanked(w.src[t.Start:t.End])})
		}
	}
	w.merge(all)
}

// view reads CREATE [OR REPLACE] [ALGORITHM …] VIEW [IF NOT EXISTS] … and the same with ALTER.
func (w *rewriter) view() {
	if w.is("ALTER") {
		w.edits = append(w.edits, edit{w.tok.Start, w.tok.End, "CREATE"})
	}
	for w.tok.Kind != End && !w.is("VIEW") {
		w.step()
	}
	w.step()
	if w.is("IF") && !w.sv.MariaDB && !w.sv.MySQL(9, 1, 0) { // manual, "What Is New in MySQL 9.1"
		w.refuse(w.tok.Start, "IF NOT EXISTS of a view needs MySQL 9.1; write CREATE OR REPLACE VIEW, or state the version")
	}
	w.ifExists(whole)
	last := [3]Token{}
	for w.tok.Kind != End {
		if at := w.tok.Start; w.is("-") && strings.HasPrefix(w.src[at:], "->") {
			w.never(at, "the operator ->")
		}
		last = [3]Token{last[1], last[2], w.step()}
	}
	if last[0].Is(w.src, "WITH") && last[1].Is(w.src, "CHECK") && last[2].Is(w.src, "OPTION") {
		w.cut(last[0].Start, last[2].End)
		w.check = true
	}
}

// createIndex reads CREATE [OR REPLACE] [ONLINE] [UNIQUE] INDEX [IF NOT EXISTS] … ON t (…) options.
func (w *rewriter) createIndex() {
	w.step()
	w.orReplace()
	_ = w.drop("ONLINE") || w.drop("OFFLINE")
	if at := w.tok.Start; w.drop("VECTOR") {
		w.only(at, "a VECTOR INDEX")
		w.key(0, "vector", "")
	}
	for w.tok.Kind != End && !w.is("INDEX") {
		w.step()
	}
	w.step()
	w.ifExists(whole)
	for w.tok.Kind != End && !w.is("(") {
		w.step()
	}
	w.keyParts(0)
	w.wait()
	w.keyOptions(0)
}

// plainObject reads DROP, TRUNCATE and RENAME as far as MariaDB's words in them.
func (w *rewriter) plainObject() {
	if w.kind == RenameTable {
		w.step()
		if w.is("TABLES") {
			w.put(w.tok.Start, w.tok.End, "TABLE")
		}
		w.step()
		w.ifExists(whole)
	}
	for w.tok.Kind != End {
		if !w.wait() {
			w.step()
		}
	}
}

// wait cuts WAIT n and NOWAIT of MariaDB: how long to wait for a lock.
func (w *rewriter) wait() bool {
	from := w.tok.Start
	switch {
	case w.is("NOWAIT"):
		w.step()
	case w.is("WAIT"):
		was := *w.reader
		if w.step(); w.tok.Kind != Number {
			*w.reader = was
			return false
		}
		w.step()
	default:
		return false
	}
	w.only(from, "WAIT, or NOWAIT,")
	w.cut(from, w.before(from))
	return true
}

// database reads what MariaDB says of a database beside its character set.
func (w *rewriter) database() {
	w.step()
	w.orReplace()
	for w.tok.Kind != End {
		from := w.tok.Start
		if !w.take("COMMENT") {
			w.step()
			continue
		}
		w.take("=")
		w.only(from, "the COMMENT of a database")
		if w.tok.Kind == String {
			w.option("COMMENT", w.step().Text(w.src))
			instead := ""
			if w.kind == AlterDatabase { // the parser wants it to say something
				instead = "CHARSET utf8"
			}
			w.put(from, w.before(from), instead)
		}
	}
}

// fault is an error of a statement: where in its SQL, and what.
type fault struct {
	kind schema.ErrorKind
	at   int
	text string
}

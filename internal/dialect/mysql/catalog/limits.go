package catalog

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/altergate/altergate/internal/schema"
)

// checkLimits refuses what the server refuses of a table as a whole.
func (r *reader) checkLimits(t *Table) {
	if r.err != nil {
		return
	}
	r.checkComments(t)
	r.checkKeyCount(t)
	r.checkRowSize(t)
	r.checkPartitionKeys(t)
	r.checkHiddenKey(t)
}

// refuseAt notes that a definition which has its place is one that the server refuses.
func (r *reader) refuseAt(at schema.Pos, format string, args ...any) {
	r.keep(&schema.Error{Pos: at, Path: r.path, Kind: schema.KindSchema, Text: fmt.Sprintf(format, args...)})
}

// wantName refuses a name that ends in a blank, is empty, or has a character outside of the basic plane ("Schema Object Names", MySQL's
// manual). Where the name is a file's, all white space is such a blank; others may end in a tab.
func (r *reader) wantName(at token, what, name string) {
	if r.err != nil {
		return
	}
	if problem := nameProblem(what, name); problem != "" {
		r.fail(at, schema.KindSchema, "the name %q of a %s %s, which %s refuses; give it another", name, what, problem, r.c.Server.Name())
	}
}

func nameProblem(what, name string) string {
	blanks := " \t\n\v\f\r"
	switch what {
	case "trigger", "procedure", "function", "event":
		blanks = " "
	}
	switch {
	case name == "":
		return "is empty"
	case strings.ContainsRune(blanks, rune(name[len(name)-1])):
		return "ends in a blank"
	case strings.ContainsFunc(name, func(c rune) bool { return c > 0xFFFF }):
		return "has a character outside of the basic multilingual plane"
	}
	return ""
}

// The longest comments in characters, which a strict sql_mode refuses to exceed and others cut ("CREATE TABLE Statement", "CREATE INDEX
// Statement", MySQL's manual).
const (
	mostColumnComment = 1024
	mostTableComment  = 2048
	mostKeyComment    = 1024
)

func (r *reader) checkComments(t *Table) {
	fit := func(at schema.Pos, comment *string, most int, what string) {
		if utf8.RuneCountInString(*comment) <= most {
			return
		}
		if r.mode.loose {
			*comment = string([]rune(*comment)[:most])
			return
		}
		r.refuseAt(at, "the comment of %s has %d characters, and %d are the most; shorten it", what, utf8.RuneCountInString(*comment), most)
	}
	fit(t.Pos, &t.Comment, mostTableComment, "table "+t.Name.String())
	for _, c := range t.Columns {
		fit(c.Pos, &c.Comment, mostColumnComment, "column "+c.Name)
	}
	for _, k := range t.Keys {
		fit(k.Pos, &k.Comment, mostKeyComment, "the key "+k.describe())
	}
}

// checkKeyCount refuses more than 64 keys: of all on MariaDB, and beside the primary key on MySQL ("InnoDB Limits", its manual).
func (r *reader) checkKeyCount(t *Table) {
	const most = 64
	count := 0
	for _, k := range t.Keys {
		if k.Kind == Primary && !r.c.Server.MariaDB {
			continue
		}
		if count++; count > most {
			at := k.Pos
			if k.Pos.Line == 0 {
				at = t.Pos
			}
			r.refuseAt(at, "table %s has more than %d keys, those for foreign keys among them; drop some", t.Name, most)
			return
		}
	}
}

// checkRowSize refuses a row that is longer than 65535 bytes without what is stored beside it ("Limits on Table Column Count and Row Size",
// MySQL's manual). How much of a row an InnoDB page holds is another limit, which innodb_strict_mode turns on and off.
func (r *reader) checkRowSize(t *Table) {
	const most = 65535
	bytes, nullable := 0, 0
	for _, c := range t.Columns {
		size, ok := rowBytes(&c.Type)
		if !ok || size > most-1 && r.mode.loose || c.Generated != nil && !c.Generated.Stored && !r.c.Server.MariaDB {
			continue // where it is not certain that it counts, it does not; without a strict mode, what is too long becomes text
		}
		bytes += size
		if !c.NotNull {
			nullable++
		}
	}
	if bytes += (nullable + 7) / 8; bytes > most {
		r.refuseAt(t.Pos, "a row of table %s is %d bytes long, and %d are the most, what text and blob columns hold not counted; shorten columns, or make them text", t.Name, bytes, most)
	}
}

// pointers are the bytes of a row that lead to what is stored beside it: the length, and where it is.
var pointers = map[string]int{"tinytext": 9, "tinyblob": 9, "text": 10, "blob": 10, "mediumtext": 11, "mediumblob": 11, "longtext": 12, "longblob": 12, "json": 12}

// rowBytes are the bytes that a column takes of a row's 65535 ("Data Type Storage Requirements", MySQL's manual); false = not known.
func rowBytes(t *Type) (int, bool) {
	fraction := (max(t.Decimals, 0) + 1) / 2
	switch t.Base {
	case "char":
		return t.Length * max(1, charsets[t.Charset].most), true
	case "binary":
		return t.Length, true
	case "varchar", "varbinary":
		bytes := t.Length * max(1, charsets[t.Charset].most)
		if bytes > 255 {
			bytes++
		}
		return bytes + 1, true
	case "time":
		return 3 + fraction, true
	case "datetime":
		return 5 + fraction, true
	case "timestamp":
		return 4 + fraction, true
	case "decimal":
		return digitBytes(t.Length-t.Decimals) + digitBytes(t.Decimals), true
	case "bit":
		return t.Length / 8, true // MyISAM keeps what is left over among the bits for NULL
	case "enum":
		return 1 + len(t.Members)/256, true
	case "set":
		return [...]int{1, 2, 3, 4, 8, 8, 8, 8}[min((len(t.Members)-1)/8, 7)], true
	case "inet6", "uuid":
		return 16, true
	case "inet4":
		return 4, true
	}
	if isSpatial(t.Base) {
		return pointers["longblob"], true
	}
	if size, ok := pointers[t.Base]; ok {
		return size, true
	}
	size, ok := fixedBytes[t.Base]
	return size, ok
}

// digitBytes are the bytes of so many decimal digits: four for each nine, and fewer for what is left.
func digitBytes(digits int) int { return digits/9*4 + [...]int{0, 1, 1, 2, 2, 3, 3, 4, 4}[digits%9] }

// checkPartitionKeys refuses a unique key without all columns that the rows are spread by ("Partitioning Keys, Primary Keys, and Unique
// Keys", MySQL's manual).
func (r *reader) checkPartitionKeys(t *Table) {
	p := t.Partitions
	if p == nil || r.err != nil {
		return
	}
	columns := columnKeys(p.columns)
	for _, e := range p.exprs {
		if e.tree == nil || e.tree.op == "raw" {
			return // what it names is not known
		}
		if len(e.Columns) == 0 {
			r.refuseAt(t.Pos, "table %s is partitioned by an expression that names no column; name one", t.Name)
			return
		}
		columns = append(columns, e.Columns...)
	}
	if strings.Contains(p.Method, "key ()") || strings.Contains(p.Sub, "key ()") {
		k := t.rowKey()
		if k == nil {
			return
		}
		columns = append(columns, columnKeys(k.columnNames())...)
	}
	for _, k := range t.Keys {
		if k.Kind != Primary && k.Kind != Unique {
			continue
		}
		for _, c := range columns {
			if !slices.ContainsFunc(k.Parts, func(q KeyPart) bool { return columnKey(q.Column) == c && (q.Prefix == 0 || !r.c.Server.MariaDB) }) {
				r.refuseAt(k.Pos, "the unique key %s does not have column %s, by which table %s is partitioned, and has to; add it to the key, or partition by columns that every unique key has", k.describe(), c, t.Name)
				return
			}
		}
	}
}

func columnKeys(names []string) []string {
	keys := make([]string, len(names))
	for i, n := range names {
		keys[i] = columnKey(n)
	}
	return keys
}

// rowKey gives the key that the server takes for the primary one: that, or the first unique key whose columns are whole and NOT NULL; nil =
// there is none.
func (t *Table) rowKey() *Key {
	for _, k := range t.Keys {
		if k.Kind == Primary {
			return k
		}
	}
	for _, k := range t.Keys {
		if k.Kind == Unique && k.Using != "HASH" && !slices.ContainsFunc(k.Parts, func(p KeyPart) bool {
			c := t.Column(p.Column)
			return p.Expr != nil || p.Prefix > 0 || c == nil || !c.NotNull || isLong(c.Type.Base) || c.Generated != nil && !c.Generated.Stored
		}) {
			return k
		}
	}
	return nil
}

// checkHiddenKey refuses to hide the key that rows are told apart by ("Invisible Indexes", MySQL's manual; error 4174 of MariaDB).
func (r *reader) checkHiddenKey(t *Table) {
	k := t.rowKey()
	if k == nil || !k.Invisible || r.err != nil {
		return
	}
	word := "INVISIBLE"
	if r.c.Server.MariaDB {
		word = "IGNORED"
	}
	r.refuseAt(k.Pos, "the key %s of table %s is %s, and serves as its primary key, which cannot be; show it, or give the table a primary key", k.describe(), t.Name, word)
}

package catalog

import (
	"regexp"
	"strconv"
	"strings"
)

// wordOptions are the options of tables, columns and keys whose value is a number or a word that is written without quotes, and whose case
// does not count.
var wordOptions = nameSet("AVG_ROW_LENGTH", "MAX_ROWS", "MIN_ROWS", "PACK_KEYS", "STATS_PERSISTENT", "STATS_AUTO_RECALC", "STATS_SAMPLE_PAGES", "CHECKSUM",
	"TABLE_CHECKSUM", "DELAY_KEY_WRITE", "KEY_BLOCK_SIZE", "INSERT_METHOD", "AUTOEXTEND_SIZE", "PAGE_CHECKSUM", "PAGE_COMPRESSED",
	"PAGE_COMPRESSION_LEVEL", "ENCRYPTED", "ENCRYPTION_KEY_ID", "IETF_QUOTES", "ITEF_QUOTES", "TRANSACTIONAL", "SEQUENCE", "NODEGROUP", "COLUMN_FORMAT", "STORAGE", "CLUSTERING")

// textOptions are those whose value is a string. Where its case does not count, it is in upper case here.
var textOptions = map[string]bool{"COMPRESSION": true, "ENCRYPTION": true, "CONNECTION": false, "PASSWORD": false, "ENGINE_ATTRIBUTE": false,
	"SECONDARY_ENGINE_ATTRIBUTE": false, "SECONDARY_ENGINE": false}

func nameSet(names ...string) map[string]bool {
	set := map[string]bool{}
	for _, n := range names {
		set[n] = true
	}
	return set
}

// plainOption reads a table option that is no more than a name and a value; false = none comes.
func (r *reader) plainOption(set func(name, value string)) bool {
	at := r.here()
	name := strings.ToUpper(at.text)
	_, text := textOptions[name]
	switch {
	case at.kind == tokenWord && (text || wordOptions[name] && name != "STORAGE"):
		r.next()
	case r.isName() && r.peek(1).kind == tokenOp && r.peek(1).text == "=" && r.c.Server.MariaDB: // its engines have options of their own
		name = strings.ToUpper(r.ident())
	default:
		return false
	}
	r.take("=")
	if name == "TABLE_CHECKSUM" {
		name = "CHECKSUM"
	}
	set(name, r.optionValue(name))
	return true
}

// optionValue reads the value of an option; empty = what holds if nothing is said.
func (r *reader) optionValue(name string) string {
	t := r.here()
	value := r.word()
	if t.kind == tokenWord && (strings.EqualFold(value, "default") || strings.EqualFold(value, Unset(name))) {
		return ""
	}
	if wordOptions[name] || textOptions[name] {
		value = strings.ToUpper(value)
	}
	if name == "AUTOEXTEND_SIZE" {
		value = size(value)
	}
	if Unset(name) == OptionText(name, value) {
		return ""
	}
	return value
}

var sized = regexp.MustCompile(`^([0-9]{1,12})([KMG])$`)

// size writes a number of bytes without a unit.
func size(text string) string {
	m := sized.FindStringSubmatch(text)
	if m == nil {
		return text
	}
	n, _ := strconv.ParseUint(m[1], 10, 64) // of twelve digits
	return strconv.FormatUint(n<<map[string]uint{"K": 10, "M": 20, "G": 30}[m[2]], 10)
}

// tablespace reads what stands behind TABLESPACE.
func (r *reader) tablespace() string {
	r.take("=")
	value := Quote(r.word())
	if r.take("storage") {
		value += " STORAGE " + strings.ToUpper(r.word())
	}
	if value == Unset("TABLESPACE") {
		return ""
	}
	return value
}

// unionOf reads the tables of a MERGE table.
func (r *reader) unionOf() string {
	r.take("=")
	r.want("(")
	var names []string
	for r.err == nil && !r.is(")") {
		names = append(names, r.name().SQL())
		if !r.take(",") {
			break
		}
	}
	r.want(")")
	if names == nil {
		return ""
	}
	return "(" + strings.Join(names, ",") + ")"
}

var numberOnly = regexp.MustCompile(`^[0-9]+$`)

// OptionText writes the value of an option as a statement has it.
func OptionText(name, value string) string {
	if wordOptions[name] || name == "TABLESPACE" || name == "UNION" || numberOnly.MatchString(value) {
		return value
	}
	return quoteText(value)
}

// Unset gives the value, as a statement has it, that means that an option is not set ("ALTER TABLE Statement", "CREATE TABLE Statement").
func Unset(option string) string {
	switch option {
	case "KEY_BLOCK_SIZE", "AVG_ROW_LENGTH", "MAX_ROWS", "MIN_ROWS", "CHECKSUM", "DELAY_KEY_WRITE", "AUTOEXTEND_SIZE":
		return "0"
	case "COMPRESSION", "CONNECTION", "PASSWORD", "ENGINE_ATTRIBUTE", "SECONDARY_ENGINE_ATTRIBUTE":
		return "''"
	case "TABLESPACE":
		return Quote("innodb_file_per_table")
	case "ENCRYPTION":
		return "'N'"
	case "INSERT_METHOD":
		return "NO"
	case "UNION":
		return "()"
	case "SECONDARY_ENGINE":
		return "NULL"
	}
	return "DEFAULT"
}

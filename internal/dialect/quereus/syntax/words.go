package syntax

import "strings"

// reserved words need quotes as names (lexer of the engine, 4.6.0).
const reservedWords = `select from where insert update delete create drop alter table index view assertion virtual using null true false
not and or in like between is as distinct group by having order asc desc limit offset union diff all primary constraint key unique default check
collate generated foreign references on conflict cascade restrict set autoincrement no action begin commit rollback transaction deferred
immediate deferrable initially stored returning join inner left right full cross outer natural replace values exists if into temp temporary
rename to add always abort fail ignore savepoint release pragma analyze with recursive xor case when then else end cast over partition lateral
row rows range unbounded preceding following current intersect except declare version seed apply explain`

// contextual words are reserved, and yet name tables and columns without quotes.
const contextualWords = "key action set default check unique references on cascade restrict like"

// plainWords mean something in one place or other and are ordinary names everywhere else.
const plainWords = `schema maintained materialized tags context domain collation import column logical lens for defaults inverse option options
maxrecursion nulls first last data type refresh others group ties exclude`

// wordClass says what a word of the grammar may be used for.
type wordClass uint8

const (
	plain wordClass = iota
	contextual
	reserved
)

// entry is a word of the grammar. The text is kept so that tokens share one string.
type entry struct {
	text  string
	class wordClass
}

var words = wordTable()

func wordTable() map[string]entry {
	table := map[string]entry{}
	add := func(list string, class wordClass) {
		for _, w := range strings.Fields(list) {
			table[w] = entry{w, class}
		}
	}
	add(plainWords, plain)
	add(reservedWords, reserved)
	add(contextualWords, contextual)
	return table
}

// Fold gives the form in which names are compared: the engine takes `Pet` and `pet` for one name.
func Fold(name string) string { return strings.ToLower(name) }

// Quote writes a name, in double quotes only if it is reserved or no plain name.
func Quote(name string) string {
	if !isPlain(name) || isReserved(name) {
		return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
	}
	return name
}

// quoteCall writes the name of a function. Those that the parser takes without quotes before a parenthesis stay bare.
func quoteCall(name string) string {
	lower := strings.ToLower(name)
	if e, ok := words[lower]; ok && (e.class == contextual || lower == "replace") {
		return lower
	}
	return Quote(lower)
}

// Literal writes a string literal.
func Literal(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

func isReserved(name string) bool {
	e, ok := words[strings.ToLower(name)]
	return ok && e.class != plain
}

func isPlain(name string) bool {
	if name == "" || !isLetter(name[0]) {
		return false
	}
	for i := 1; i < len(name); i++ {
		if !isLetter(name[i]) && !isDigit(name[i]) {
			return false
		}
	}
	return true
}

func isLetter(c byte) bool {
	return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
}
func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isHex(c byte) bool {
	return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')
}

package script

import "strings"

// The types that TiDB's parser does not know, and what stands for them in what it reads.
var otherTypes = map[string]string{
	"GEOMETRY": "BLOB", "POINT": "BLOB", "LINESTRING": "BLOB", "POLYGON": "BLOB", "MULTIPOINT": "BLOB", "MULTILINESTRING": "BLOB", "MULTIPOLYGON": "BLOB",
	"GEOMETRYCOLLECTION": "BLOB", "GEOMCOLLECTION": "BLOB", "INET4": "CHAR", "INET6": "CHAR", "UUID": "CHAR", "XMLTYPE": "TEXT",
}

// columnDefinition reads a column: its name, its type, and what is said of it, up to the comma or parenthesis behind it.
func (w *rewriter) columnDefinition() {
	if w.tok.Kind == End {
		return
	}
	name := w.step().Name(w.src)
	typ := w.tok
	if upper := w.upper(); otherTypes[upper] != "" {
		if otherTypes[upper] != "BLOB" {
			w.only(typ.Start, "the type "+upper)
		}
		w.column(name, "type", strings.ToLower(upper))
		w.put(typ.Start, typ.End, otherTypes[upper])
	} else if upper == "NATIONAL" || upper == "NCHAR" || upper == "NVARCHAR" {
		w.column(name, "national", "")
	}
	if !w.is(",") && !w.is(")") && !w.is("GENERATED") && !w.is("AS") {
		w.step()
	}
	for w.tok.Kind != End && w.tok.Kind != Illegal && !w.is(",") && !w.is(")") {
		if w.is("(") {
			if !w.parens() {
				return
			}
			continue
		}
		w.attribute(name)
	}
}

// attribute reads one word of what is said of a column, or more of those that belong together.
func (w *rewriter) attribute(name string) {
	from := w.tok.Start
	gone := func(what, is string) {
		w.column(name, what, is)
		w.cut(from, w.before(from))
	}
	switch w.upper() {
	case "DEFAULT":
		w.step()
		if w.is("VALUE") || w.simpleDefault() {
			return
		}
		w.defaultExpression(name, from)
	case "INVISIBLE", "VISIBLE":
		if w.is("VISIBLE") {
			w.never(from, "VISIBLE of a column")
		}
		gone(strings.ToLower(w.step().Text(w.src)), "")
	case "NOT":
		if w.step(); w.is("ENFORCED") {
			w.never(from, "NOT ENFORCED")
		}
	case "COLUMN_FORMAT", "STORAGE":
		w.never(from, w.upper()+" of a column")
		w.step()
		w.step()
	case "SRID", "REF_SYSTEM_ID":
		if w.is("SRID") {
			w.never(from, "SRID")
		}
		w.step()
		w.take("=")
		if w.tok.Kind == Number {
			gone("srid", w.step().Text(w.src))
		}
	case "ENGINE_ATTRIBUTE", "SECONDARY_ENGINE_ATTRIBUTE":
		w.never(from, w.upper())
		what := strings.ToLower(w.step().Text(w.src))
		if w.take("="); w.tok.Kind == String {
			gone(what, w.step().Text(w.src))
		}
	case "PERSISTENT":
		w.only(from, "PERSISTENT")
		w.put(w.tok.Start, w.tok.End, "STORED")
		w.step()
	case "ASCII", "UNICODE", "BYTE":
		charset := map[string]string{"ASCII": "latin1", "UNICODE": "ucs2", "BYTE": "binary"}[w.upper()]
		w.step()
		gone("charset", charset)
	case "COMPRESSED":
		method := ""
		if w.step(); w.take("=") {
			method = strings.ToLower(w.step().Name(w.src))
		}
		w.only(from, "COMPRESSED")
		gone("compressed", method)
	case "WITH", "WITHOUT":
		words := strings.ToLower(w.step().Text(w.src)) + " system versioning"
		if w.take("SYSTEM", "VERSIONING") {
			w.only(from, "SYSTEM VERSIONING")
			gone(words, "")
		}
	case "GENERATED", "AS":
		w.take("GENERATED", "ALWAYS")
		w.take("AS")
		if w.in("ROW") {
			w.step()
			w.only(from, "ROW START, or ROW END,")
			gone("row", strings.ToLower(w.step().Text(w.src)))
		}
	case "CHARACTER":
		w.step()
		w.take("SET")
		w.step()
	case "COMMENT", "COLLATE", "CHARSET", "AFTER", "REFERENCES":
		w.step()
		if !w.is(",") && !w.is(")") {
			w.step()
		}
	default:
		t := w.step()
		if w.is("=") && w.sv.MariaDB && (t.Kind == Word || t.Kind == QuotedName || t.Kind == String) { // an option of the engine, MariaDB's
			w.step()
			value := w.step().Text(w.src)
			gone("option "+strings.ToUpper(t.Name(w.src)), value)
		}
	}
}

// simpleDefault goes past a default that TiDB's parser reads and keeps as it is: a literal, or the current time. It stays where it is if
// the default is something else.
func (w *rewriter) simpleDefault() bool {
	was := *w.reader
	switch {
	case w.in("+", "-"):
		w.step()
		if w.tok.Kind == Number {
			w.step()
			return true
		}
	case w.tok.Kind == String, w.tok.Kind == Number, w.in("NULL", "TRUE", "FALSE"):
		for w.step(); w.tok.Kind == String; { // strings side by side are one
			w.step()
		}
		return true
	case w.tok.Kind == Word && w.src[w.tok.Start] == '_':
		if w.step(); w.tok.Kind == String || w.tok.Kind == Number {
			w.step()
			return true
		}
	case w.in("CURRENT_TIMESTAMP", "LOCALTIME", "LOCALTIMESTAMP", "NOW"):
		if w.step(); w.is("(") {
			w.parens()
		}
		return true
	}
	*w.reader = was
	return false
}

// defaultExpression cuts a default that is an expression, and keeps its text: what is in the parentheses, or what MariaDB takes without.
func (w *rewriter) defaultExpression(name string, from int) {
	start := w.tok.Start
	switch {
	case w.is("("):
		if !w.parens() {
			return
		}
		end := w.before(start)
		w.column(name, "default", strings.TrimSpace(w.src[start+1:end-1]))
		w.cut(from, end)
		return
	case w.is("CASE"):
		for depth := 0; w.tok.Kind != End; {
			switch {
			case w.is("CASE"):
				depth++
			case w.is("END"):
				depth--
			}
			if w.step(); depth == 0 {
				break
			}
		}
	case w.take("NEXT", "VALUE", "FOR"), w.take("PREVIOUS", "VALUE", "FOR"):
		w.ident()
	case w.tok.Kind == Word || w.tok.Kind == QuotedName:
		w.ident()
		if w.is("(") && !w.parens() {
			return
		}
	default:
		return // the parser says what is wrong
	}
	end := w.before(start)
	if !w.sv.MariaDB {
		w.refuse(start, "MySQL takes an expression as a default only in parentheses; write DEFAULT ("+w.src[start:end]+")")
	}
	w.column(name, "default", w.src[start:end])
	w.cut(from, end)
}

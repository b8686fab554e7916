package script

import "strings"

// keywords are the words of PostgreSQL 17's kwlist.h that are RESERVED, TYPE_FUNC_NAME or COL_NAME keywords: those that
// quote_ident puts in quotes.
var keywords = func() map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(`
	all analyse analyze and any array as asc asymmetric authorization between bigint binary bit boolean both case cast
	char character check coalesce collate collation column concurrently constraint create cross current_catalog
	current_date current_role current_schema current_time current_timestamp current_user dec decimal default deferrable
	desc distinct do else end except exists extract false fetch float for foreign freeze from full grant greatest group
	grouping having ilike in initially inner inout int integer intersect interval into is isnull join json json_array
	json_arrayagg json_exists json_object json_objectagg json_query json_scalar json_serialize json_table json_value
	lateral leading least left like limit localtime localtimestamp merge_action national natural nchar none normalize not
	notnull null nullif numeric offset on only or order out outer overlaps overlay placing position precision primary real
	references returning right row select session_user setof similar smallint some substring symmetric system_user table
	tablesample then time timestamp to trailing treat trim true union unique user using values varchar variadic verbose
	when where window with xmlattributes xmlconcat xmlelement xmlexists xmlforest xmlnamespaces xmlparse xmlpi xmlroot
	xmlserialize xmltable`) {
		set[w] = true
	}
	return set
}()

// Quote writes a name so that PostgreSQL reads it back as that name, with quotes only where they are needed.
func Quote(name string) string {
	plain := name != "" && !keywords[name]
	for i := 0; i < len(name) && plain; i++ {
		c := name[i]
		plain = c == '_' || (c >= 'a' && c <= 'z') || (i > 0 && (c == '$' || (c >= '0' && c <= '9')))
	}
	if plain {
		return name
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

// Literal writes a string literal that means the text whatever standard_conforming_strings says, as quote_literal does.
func Literal(text string) string {
	text = strings.ReplaceAll(text, "'", "''")
	if strings.Contains(text, `\`) {
		return "E'" + strings.ReplaceAll(text, `\`, `\\`) + "'"
	}
	return "'" + text + "'"
}

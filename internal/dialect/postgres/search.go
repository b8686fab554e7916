package postgres

import (
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"github.com/altergate/altergate/internal/dialect/postgres/catalog"
)

const searchConfiguration = "text search configuration "

// tokens are those that the server's own parser finds, and wordTokens those of them that its configurations give to a stemmer.
var (
	tokens = []string{"asciiword", "word", "numword", "email", "url", "host", "sfloat", "version", "hword_numpart", "hword_part", "hword_asciipart",
		"numhword", "asciihword", "hword", "url_path", "file", "float", "int", "uint"}
	wordTokens = []string{"asciiword", "word", "hword_part", "hword_asciipart", "asciihword", "hword"}
)

// mapping is what a text search configuration comes to: the parser, and by token the dictionaries that are asked in turn.
type mapping struct {
	parser       string
	dictionaries map[string][]string
}

// String writes a mapping; tokens without a dictionary are not looked at.
func (m *mapping) String() string {
	text := "parser " + m.parser
	for _, token := range sortedKeys(m.dictionaries) {
		text += "; " + token + ": " + strings.Join(m.dictionaries[token], ", ")
	}
	return text
}

// searchMapping finds what a text search configuration comes to: a dump lists its mappings, where an author copies and alters. It is nil
// of anything else, and where a part is not known. Of one that is copied only what was said before a time counts, which is not 0.
func (a *analyst) searchMapping(o *catalog.Object, until int) *mapping {
	n := o.Node.GetDefineStmt()
	if n.GetKind() != pg.ObjectType_OBJECT_TSCONFIGURATION || !strings.HasPrefix(o.Key, searchConfiguration) {
		return nil
	}
	id := objectID("opaque", o.Key)
	w := &treeWriter{a: a, o: o.Origin, id: id}
	m := &mapping{}
	for _, d := range n.Definition {
		e := d.GetDefElem()
		names := stringsIn(e.GetArg().GetTypeName().GetNames())
		switch strings.ToLower(e.GetDefname()) {
		case "parser":
			m = &mapping{parser: w.named("text search parser", names), dictionaries: map[string][]string{}}
		case "copy":
			m = a.copied(w, names)
		}
	}
	if m == nil || m.parser == "" {
		return nil
	}
	for _, x := range o.Alterations {
		if until > 0 && x.Time > until {
			break
		}
		m.alter(&treeWriter{a: a, o: x, id: id}, x.Statement.Node.GetAlterTsconfigurationStmt())
	}
	return m
}

// copied gives what the configuration of a name came to when it was copied.
func (a *analyst) copied(w *treeWriter, names []string) *mapping {
	name := w.named(strings.TrimSpace(searchConfiguration), names)
	if other := a.catalog.Others[[2]string{"opaque", searchConfiguration + name}]; other != nil {
		if other.Time >= w.o.Time {
			return nil
		}
		return a.searchMapping(other, w.o.Time)
	}
	return builtinMapping(name)
}

// builtinMapping gives a configuration of the server's own (PostgreSQL 15, snowball/snowball_create.pl): words go to the language's
// stemmer, and those in ASCII to the English one where the language is not written in it.
func builtinMapping(language string) *mapping {
	if !slices.Contains(languages, language) {
		return nil
	}
	m := &mapping{parser: "default", dictionaries: map[string][]string{}}
	for _, token := range tokens {
		m.dictionaries[token] = []string{"simple"}
	}
	if language == "simple" {
		return m
	}
	for _, token := range wordTokens {
		stemmer := language
		if strings.Contains(token, "ascii") && (language == "hindi" || language == "russian") {
			stemmer = "english"
		}
		m.dictionaries[token] = []string{stemmer + "_stem"}
	}
	return m
}

var languages = strings.Fields(`simple arabic armenian basque catalan danish dutch english estonian finnish french german greek hindi hungarian indonesian
	irish italian lithuanian nepali norwegian portuguese romanian russian serbian spanish swedish tamil turkish yiddish`)

// alter does what ALTER TEXT SEARCH CONFIGURATION says.
func (m *mapping) alter(w *treeWriter, n *pg.AlterTSConfigurationStmt) {
	on := stringsIn(n.GetTokentype())
	if len(on) == 0 {
		on = sortedKeys(m.dictionaries)
	}
	var dicts []string
	for _, d := range n.GetDicts() {
		dicts = append(dicts, w.named("text search dictionary", stringsIn(d.GetList().GetItems())))
	}
	for _, token := range on {
		switch n.GetKind() {
		case pg.AlterTSConfigType_ALTER_TSCONFIG_ADD_MAPPING, pg.AlterTSConfigType_ALTER_TSCONFIG_ALTER_MAPPING_FOR_TOKEN:
			m.dictionaries[token] = dicts
		case pg.AlterTSConfigType_ALTER_TSCONFIG_REPLACE_DICT, pg.AlterTSConfigType_ALTER_TSCONFIG_REPLACE_DICT_FOR_TOKEN:
			list := slices.Clone(m.dictionaries[token])
			for i := range list {
				if list[i] == dicts[0] {
					list[i] = dicts[1]
				}
			}
			m.dictionaries[token] = list
		case pg.AlterTSConfigType_ALTER_TSCONFIG_DROP_MAPPING:
			delete(m.dictionaries, token)
		}
	}
}

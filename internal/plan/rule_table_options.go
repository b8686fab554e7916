package plan

import (
	"strings"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// tableOptions: SQLite's STRICT rejects values of other types, WITHOUT ROWID takes the rowid away; PostgreSQL's say who sees which rows,
// how they are stored and what the table is a part of; MySQL's how they are stored, and whether their history is kept.
var tableOptions = Rule{ID: "table-options", Title: "the options of a table change", Check: func(p *Pass, c diff.Change) []Finding {
	a, ok := c.(diff.AlterOptions)
	if !ok {
		return nil
	}
	if p.mysql() {
		return mysqlOptions(p, a)
	}
	var found []Finding
	for _, o := range a.To.Options {
		if !a.From.HasOption(o) && !strings.HasPrefix(o, maintainedAs) {
			found = append(found, optionSet(a.To, o)...)
		}
	}
	for _, o := range a.From.Options {
		if !a.To.HasOption(o) && !strings.HasPrefix(o, maintainedAs) {
			found = append(found, optionGone(a.To, o)...)
			if o == "strict" {
				found = append(found, looseAny(a)...)
			}
		}
	}
	return found
}}

// storage tells whether an option is a storage parameter: it decides how rows are stored from now on, and nothing else.
func storage(option string) bool { return strings.HasPrefix(option, "with ") }

func optionSet(t *schema.Table, option string) []Finding {
	if storage(option) {
		return onHead(Safe, t.Pos, "Rows of table %s are stored in another way from now on: %s", t.Name, strings.TrimPrefix(option, "with "))
	}
	for _, m := range optionMeaning {
		if strings.HasPrefix(option, m.option) {
			return onHead(Review, t.Pos, "Table %s becomes %s: %s", t.Name, spelled(option), m.meaning)
		}
	}
	return onHead(Review, t.Pos, "Table %s becomes %s", t.Name, spelled(option))
}

// spelled writes an option with the words of the language in capitals, and the names in it as they are.
func spelled(option string) string {
	for _, m := range optionMeaning {
		if rest, ok := strings.CutPrefix(option, m.option); ok {
			return strings.ToUpper(m.option) + rest
		}
	}
	return strings.ToUpper(option)
}

func optionGone(t *schema.Table, option string) []Finding {
	if storage(option) {
		return onHead(Safe, t.Pos, "Rows of table %s are no longer stored with %s", t.Name, strings.TrimPrefix(option, "with "))
	}
	return onHead(Review, t.Pos, "Table %s is no longer %s", t.Name, spelled(option))
}

// optionMeaning says what an option does to rows that exist, and to those who read them.
var optionMeaning = []struct{ option, meaning string }{
	{"strict", "rows that hold a value of another type than their column stop the plan"},
	{"without rowid", "it has no rowid any more, and no key column can be NULL"},
	{"row level security", "who is not its owner sees only the rows that a policy shows, and none where there is no policy"},
	{"forced row level security", "its owner too sees only the rows that a policy shows"},
	{"unlogged", "its rows are lost when the server crashes, and do not reach replicas"},
	{"partition of", "its rows are read and checked, and belong to that table"},
	{"inherits", "its rows show in that table"},
	{"replica identity", "subscribers see other columns of rows that are changed or deleted"},
}

// looseAny finds the columns of type ANY that stay in a table which is no longer STRICT: there ANY means NUMERIC, and text that
// looks like a number becomes one (sqlite.org/stricttables.html, section 2).
func looseAny(a diff.AlterOptions) []Finding {
	var found []Finding
	for _, c := range a.To.Columns {
		if old := a.From.Column(c.Key); old != nil && c.TypeCanon == "any" && old.TypeCanon == "any" {
			found = append(found, onHead(Destructive, c.Pos, "Without STRICT the type ANY of %s.%s turns text such as '007' into the number 7", a.To.Name, c.Name)...)
		}
	}
	return found
}

// quietOptions are options of MySQL that decide how rows are stored or counted, and nothing that a query gives.
var quietOptions = map[string]bool{"row_format": true, "key_block_size": true, "stats_persistent": true, "stats_auto_recalc": true, "stats_sample_pages": true,
	"max_rows": true, "min_rows": true, "avg_row_length": true, "pack_keys": true, "checksum": true, "delay_key_write": true, "page_compressed": true,
	"page_compression_level": true, "page_checksum": true, "compression": true}

// mysqlOptions judges the options of a table of MySQL but for its engine and its partitions, which have rules of their own.
func mysqlOptions(p *Pass, a diff.AlterOptions) []Finding {
	var found []Finding
	t := a.To
	for _, o := range t.Options {
		word, value, _ := strings.Cut(o, " ")
		switch {
		case a.From.HasOption(o), word == "engine", word == "partition":
		case word == "comment":
			found = append(found, onHead(Safe, t.Pos, "What is said of table %s changes nothing that runs", t.Name)...)
		case word == "system":
			found = append(found, onHead(Review, t.Pos, "Table %s keeps every version of its rows from now on, and grows with each change", t.Name)...)
		case word == "charset", word == "collation":
			found = append(found, onHead(p.ifRewritten(), t.Pos, "New columns of table %s get the %s %s; those that exist keep theirs unless they change too", t.Name, word, value)...)
		case quietOptions[word]:
			found = append(found, onHead(p.ifRewritten(), t.Pos, "Rows of table %s are stored in another way: %s", t.Name, o)...)
		default:
			found = append(found, onHead(Review, t.Pos, "Table %s gets the option %s", t.Name, o)...)
		}
	}
	for _, o := range a.From.Options {
		word, _, _ := strings.Cut(o, " ")
		switch {
		case t.HasOption(o), word == "engine", word == "partition", optionValue(t.Options, word+" ") != "":
		case word == "comment":
			found = append(found, onHead(Safe, t.Pos, "What is said of table %s changes nothing that runs", t.Name)...)
		case word == "system":
			found = append(found, onHead(Destructive, t.Pos, "The history of the rows of table %s is deleted", t.Name)...)
		case quietOptions[word]:
			found = append(found, onHead(p.ifRewritten(), t.Pos, "Rows of table %s are no longer stored with %s", t.Name, o)...)
		default:
			found = append(found, onHead(Review, t.Pos, "Table %s loses the option %s", t.Name, o)...)
		}
	}
	return found
}

// ifRewritten is review where the step writes every row again, and safe where it does not.
func (p *Pass) ifRewritten() Risk {
	if p.Step.Lock.Rewrite {
		return Review
	}
	return Safe
}

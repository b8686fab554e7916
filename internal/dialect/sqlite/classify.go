package sqlite

import (
	"strings"

	"github.com/altergate/altergate/internal/schema"
)

// use is what is done with a statement of a source.
type use int

const (
	refuse use = iota // so that a statement nobody thought of is refused
	run               // it makes the schema
	pass              // it changes no schema: counted and passed over
)

// verbs says what is done with a statement by its first words. The longest match counts; what is not here is refused.
var verbs = []struct {
	words []string
	use   use
	why   string // of a refusal: what to do about it
}{
	{[]string{"CREATE", "TABLE"}, run, ""},
	{[]string{"CREATE", "VIRTUAL", "TABLE"}, run, ""},
	{[]string{"CREATE", "INDEX"}, run, ""},
	{[]string{"CREATE", "UNIQUE", "INDEX"}, run, ""},
	{[]string{"CREATE", "VIEW"}, run, ""},
	{[]string{"CREATE", "TRIGGER"}, run, ""},
	{[]string{"CREATE", "TEMP"}, refuse, "a temporary object is no part of a schema; leave it out of the schema's files"},
	{[]string{"CREATE", "TEMPORARY"}, refuse, "a temporary object is no part of a schema; leave it out of the schema's files"},
	{[]string{"ALTER", "TABLE"}, run, ""},
	{[]string{"DROP", "TABLE"}, run, ""},
	{[]string{"DROP", "INDEX"}, run, ""},
	{[]string{"DROP", "VIEW"}, run, ""},
	{[]string{"DROP", "TRIGGER"}, run, ""},
	{[]string{"BEGIN"}, pass, ""},
	{[]string{"COMMIT"}, pass, ""},
	{[]string{"END"}, pass, ""},
	{[]string{"SAVEPOINT"}, pass, ""},
	{[]string{"RELEASE"}, pass, ""},
	{[]string{"ROLLBACK"}, refuse, "it undoes statements before it, and no schema file needs that"},
	{[]string{"INSERT"}, pass, ""},
	{[]string{"REPLACE"}, pass, ""},
	{[]string{"UPDATE"}, pass, ""},
	{[]string{"DELETE"}, pass, ""},
	{[]string{"WITH"}, pass, ""},
	{[]string{"SELECT"}, pass, ""},
	{[]string{"VALUES"}, pass, ""},
	{[]string{"ANALYZE"}, pass, ""},
	{[]string{"REINDEX"}, pass, ""},
	{[]string{"VACUUM"}, pass, ""},
	{[]string{"PRAGMA"}, pass, ""},
	{[]string{"EXPLAIN"}, pass, ""},
	{[]string{"ATTACH"}, refuse, "it opens another database file; a schema is read from one source"},
	{[]string{"DETACH"}, refuse, "it belongs to ATTACH; a schema is read from one source"},
}

// classify says what is done with a statement, or why it is refused.
func classify(s *statement) (use, *schema.Error) {
	best, longest := use(-1), 0
	why := "this is not a statement SQLite has; if it is a command of a shell, leave it out of the schema's files"
	for _, v := range verbs {
		if len(v.words) > longest && s.has(v.words...) {
			best, longest, why = v.use, len(v.words), v.why
		}
	}
	if best < 0 {
		return refuse, s.errorf(s.tokens[0], schema.KindSyntax, "%s: %s", excerpt(s.text), why)
	}
	if best == refuse {
		return refuse, s.errorf(s.tokens[0], schema.KindUnsupported, "%s is refused: %s", excerpt(s.text), why)
	}
	if err := forbidden(s); err != nil {
		return refuse, err
	}
	if best == run && s.has("CREATE") {
		if _, p := s.createdAt(); p.peekAt(1).is(".") && fold(p.peek().name()) != "main" {
			return refuse, s.errorf(p.peek(), schema.KindUnsupported, "%s is refused: a schema has one database, which is called main; leave the name of another one out", excerpt(s.text))
		}
		// Dumps hold SQLite's own tables (sqlite_sequence, sqlite_stat1), which come by themselves and which nobody else may make.
		if _, name := s.created(); strings.HasPrefix(fold(name), "sqlite_") {
			return pass, nil
		}
	}
	return best, nil
}

// reaches are functions that can touch a file or run code where they exist.
var reaches = set("load_extension readfile writefile writefile_append edit fsdir zipfile sqlar_uncompress fts3_tokenizer")

// pragmas are those that change nothing about a schema, so that a dump may set them. Others are refused: writable_schema lets
// a script write a catalog that no statement made, legacy_alter_table changes what a rename does, and an unknown one could do
// anything.
var pragmas = set("analysis_limit application_id auto_vacuum automatic_index busy_timeout cache_size cache_spill case_sensitive_like " +
	"cell_size_check checkpoint_fullfsync collation_list compile_options data_version defer_foreign_keys encoding foreign_key_check " +
	"foreign_key_list foreign_keys freelist_count fullfsync function_list ignore_check_constraints incremental_vacuum index_info " +
	"index_list index_xinfo integrity_check journal_mode journal_size_limit locking_mode max_page_count mmap_size module_list optimize " +
	"page_count page_size pragma_list query_only quick_check read_uncommitted recursive_triggers reverse_unordered_selects " +
	"schema_version secure_delete shrink_memory soft_heap_limit synchronous table_info table_list table_xinfo temp_store threads " +
	"trusted_schema user_version wal_autocheckpoint wal_checkpoint")

// forbidden finds what no statement may hold, whether it would be run or not: a source that tries is not what it seems.
func forbidden(s *statement) *schema.Error {
	for i, t := range s.tokens {
		called := i+1 < len(s.tokens) && s.tokens[i+1].is("(")
		if (t.kind == word || t.kind == quoted) && called && reaches[fold(t.name())] {
			return s.errorf(t, schema.KindUnsupported, "%s can reach outside the database and is refused", excerpt(t.text))
		}
	}
	switch {
	case s.has("VACUUM") && len(s.tokens) > 1 && (s.tokens[1].is("INTO") || len(s.tokens) > 2):
		return s.errorf(s.tokens[1], schema.KindUnsupported, "VACUUM INTO writes a file and is refused; leave it out of the schema's files")
	case s.has("PRAGMA"):
		return forbiddenPragma(s)
	case s.has("ALTER", "TABLE") || s.has("CREATE") || s.has("DROP"):
		return nil
	}
	for i, t := range s.tokens {
		if (t.kind == word || t.kind == quoted) && (fold(t.name()) == "sqlite_schema" || fold(t.name()) == "sqlite_master") && s.writesAt(i) {
			return s.errorf(t, schema.KindUnsupported, "writing to %s is refused: write the CREATE statement that makes the object instead", excerpt(t.text))
		}
	}
	return nil
}

// writesAt tells whether a name stands where an INSERT, UPDATE or DELETE names what it writes to.
func (st *statement) writesAt(i int) bool {
	if i > 1 && st.tokens[i-1].is(".") {
		i -= 2
	}
	for i--; i >= 0; i-- {
		switch t := st.tokens[i]; {
		case t.is("INTO"), t.is("UPDATE"), t.is("INSERT"), t.is("REPLACE"):
			return true
		case t.is("FROM"):
			return i > 0 && st.tokens[i-1].is("DELETE")
		case i > 0 && st.tokens[i-1].is("OR"): // UPDATE OR IGNORE
			i--
		default:
			return false
		}
	}
	return false
}

func forbiddenPragma(s *statement) *schema.Error {
	i := 1
	if len(s.tokens) > 3 && s.tokens[2].is(".") {
		i = 3
	}
	if len(s.tokens) <= i {
		return s.errorf(s.tokens[0], schema.KindSyntax, "PRAGMA without a name")
	}
	if t := s.tokens[i]; !pragmas[fold(t.name())] {
		return s.errorf(t, schema.KindUnsupported, "PRAGMA %s is refused: it can change what the schema's statements mean; leave it out of the schema's files", excerpt(t.text))
	}
	return nil
}

package script

import (
	"strings"
)

// dataVerbs begin statements that read or write rows. They are passed over without being read.
var dataVerbs = map[string]bool{"INSERT": true, "REPLACE": true, "UPDATE": true, "DELETE": true, "LOAD": true, "SELECT": true, "VALUES": true}

// passedVerbs begin statements that change no schema.
var passedVerbs = map[string]bool{
	"ANALYZE": true, "BACKUP": true, "CACHE": true, "CHANGE": true, "CHECK": true, "CHECKSUM": true, "CLONE": true, "COMMIT": true, "DEALLOCATE": true, "DESC": true,
	"DESCRIBE": true, "DO": true, "EXPLAIN": true, "FLUSH": true, "GRANT": true, "HANDLER": true, "HELP": true, "INSTALL": true, "KILL": true, "LOCK": true, "OPTIMIZE": true,
	"PREPARE": true, "PURGE": true, "RELEASE": true, "REPAIR": true, "RESET": true, "RESTART": true, "REVOKE": true, "ROLLBACK": true, "SAVEPOINT": true, "SHOW": true,
	"SHUTDOWN": true, "START": true, "STOP": true, "TABLE": true, "UNINSTALL": true, "UNLOCK": true, "WITH": true, "XA": true, "(": true,
}

// refusedVerbs begin statements that may change anything, which their text does not tell.
var refusedVerbs = map[string]string{
	"CALL":    "runs a procedure, which may change the schema; write out what it does",
	"EXECUTE": "runs a statement that is made while it runs; write the statement out",
	"BINLOG":  "holds events of a server's log; dump the schema as SQL",
	"IMPORT":  "takes a table from files of a server; write its CREATE TABLE",
	"IF":      "makes what follows depend on the run; keep the statements that should hold",
	"CASE":    "makes what follows depend on the run; keep the statements that should hold",
	"LOOP":    "makes what follows depend on the run; keep the statements that should hold",
	"WHILE":   "makes what follows depend on the run; keep the statements that should hold",
	"REPEAT":  "makes what follows depend on the run; keep the statements that should hold",
	"FOR":     "makes what follows depend on the run; keep the statements that should hold",
	"END":     "ends a block that was not begun; if it belongs to the body of a stored program, its BEGIN is missing",
}

// objects gives the kinds by what is made and how; an empty kind is passed over, and one with a blank before it is why it is refused.
var objects = map[string]map[string]Kind{
	"TABLE":     {"CREATE": CreateTable, "ALTER": AlterTable, "DROP": DropTable, "RENAME": RenameTable},
	"TABLES":    {"DROP": DropTable, "RENAME": RenameTable},
	"DATABASE":  {"CREATE": CreateDatabase, "ALTER": AlterDatabase, "DROP": DropDatabase},
	"SCHEMA":    {"CREATE": CreateDatabase, "ALTER": AlterDatabase, "DROP": DropDatabase},
	"INDEX":     {"CREATE": CreateIndex, "DROP": DropIndex},
	"VIEW":      {"CREATE": CreateView, "ALTER": AlterView, "DROP": DropView},
	"TRIGGER":   programs["TRIGGER"],
	"PROCEDURE": programs["PROCEDURE"],
	"FUNCTION":  programs["FUNCTION"],
	"EVENT":     programs["EVENT"],
	"SEQUENCE":  {"CREATE": CreateSequence, "ALTER": AlterSequence, "DROP": DropSequence},
}

// serverObjects belong to the server and to no schema.
var serverObjects = map[string]bool{"USER": true, "ROLE": true, "SERVER": true, "TABLESPACE": true, "LOGFILE": true, "UNDO": true, "RESOURCE": true, "INSTANCE": true, "PREPARE": true}

// before are words that may stand between the verb and what the statement is about.
var before = map[string]bool{"OR": true, "REPLACE": true, "TEMPORARY": true, "UNIQUE": true, "FULLTEXT": true, "SPATIAL": true, "ONLINE": true, "OFFLINE": true, "IGNORE": true,
	"AGGREGATE": true, "ALGORITHM": true, "UNDEFINED": true, "MERGE": true, "TEMPTABLE": true, "SQL": true, "SECURITY": true, "INVOKER": true, "=": true}

// classify tells what a statement is about, or as what it is passed over, or why it is refused.
func (s *splitter) classify(sql string) (kind Kind, passed, fault string) {
	r := reading(sql, 0)
	verb := r.upper()
	if r.is("(") {
		return "", "SELECT", ""
	}
	switch {
	case verb == "":
		return "", "", excerpt(sql, 60) + " is no statement"
	case verb == "SET":
		return s.set(sql)
	case verb == "USE":
		return Use, "", ""
	case verb == "TRUNCATE":
		r.step()
		r.take("TABLE")
		return s.onTable(TruncateTable, r, "TRUNCATE of a temporary table")
	case verb == "BEGIN":
		if r.step(); r.tok.Kind == End || r.is("WORK") {
			return "", "BEGIN", ""
		}
		return "", "", excerpt(sql, 60) + " is a block that may change anything; write its statements out"
	case refusedVerbs[verb] != "":
		return "", "", excerpt(sql, 60) + " " + refusedVerbs[verb]
	case passedVerbs[verb]:
		return "", passedAs(sql), ""
	case verb == "CREATE", verb == "ALTER", verb == "DROP", verb == "RENAME":
		return s.object(verb, r)
	}
	return "", "", excerpt(sql, 60) + " begins with no word that a statement of " + s.sv.Name() + " begins with; correct it, or take it out"
}

// object classifies what makes, changes or drops something.
func (s *splitter) object(verb string, r *reader) (kind Kind, passed, fault string) {
	r.step()
	temporary := false
	for r.tok.Kind != End {
		w := r.upper()
		switch {
		case w == "DEFINER":
			r.step()
			r.take("=")
			if _, ok := r.user(); !ok && verb == "CREATE" {
				return "", "", "an account is expected behind DEFINER in " + excerpt(r.src, 60)
			}
			continue
		case w == "SQL":
			r.take("SQL", "SECURITY")
			r.step() // DEFINER or INVOKER
			continue
		case w == "SPATIAL" && r.take("SPATIAL", "REFERENCE"):
			return "", verb + " SPATIAL REFERENCE SYSTEM", ""
		case w == "TEMPORARY":
			temporary = true
		}
		if !before[w] && !r.is("=") {
			break
		}
		r.step()
	}
	what := r.upper()
	if serverObjects[what] {
		return "", verb + " " + what, ""
	}
	kind = objects[what][verb]
	if kind == "" {
		return "", "", excerpt(r.src, 60) + " is not understood: what " + verb + " is about is none of the kinds of objects that are read"
	}
	r.step()
	switch kind {
	case CreateTable:
		r.take("IF", "NOT", "EXISTS")
		if temporary {
			if id, ok := r.ident(); ok {
				s.temps[id.Database+"."+id.Name] = true
				s.notice(s.start, "the temporary table %s is gone with its session, and is none of the schema", Quote(id.Name))
			}
			return "", "CREATE TEMPORARY TABLE", ""
		}
	case DropTable:
		if temporary {
			return "", "DROP TEMPORARY TABLE", ""
		}
		r.take("IF", "EXISTS")
		was := *r
		if id, ok := r.ident(); ok && r.tok.Kind == End && s.temps[id.Database+"."+id.Name] {
			delete(s.temps, id.Database+"."+id.Name)
			return "", "DROP of a temporary table", ""
		}
		*r = was
	case AlterTable:
		r.take("IF", "EXISTS")
		was := *r
		if _, ok := r.ident(); ok && (r.take("DISABLE", "KEYS") || r.take("ENABLE", "KEYS")) && r.tok.Kind == End {
			return "", "ALTER TABLE … KEYS", ""
		}
		*r = was
		return s.onTable(kind, r, "ALTER of a temporary table")
	case CreateIndex, DropIndex:
		for r.tok.Kind != End && !r.is("ON") {
			r.step()
		}
		r.step()
		return s.onTable(kind, r, "index of a temporary table")
	case CreateRoutine:
		if p := readProgram(reading(r.src, 0)); p != nil && p.stored.Library {
			return "", "CREATE FUNCTION … SONAME", ""
		}
	}
	return kind, "", ""
}

// onTable is the kind, unless the table whose name comes next is a temporary one.
func (s *splitter) onTable(kind Kind, r *reader, otherwise string) (Kind, string, string) {
	if len(s.temps) > 0 {
		if id, ok := r.ident(); ok && s.temps[id.Database+"."+id.Name] {
			return "", otherwise, ""
		}
	}
	return kind, "", ""
}

// meaning are the variables that change what later statements mean.
var meaning = map[string]bool{
	"sql_mode": true, "names": true, "charset": true, "character_set_client": true, "character_set_connection": true, "character_set_database": true,
	"character_set_server": true, "character_set_results": true, "character_set_collations": true, "collation_connection": true, "collation_database": true, "collation_server": true,
	"default_collation_for_utf8mb4": true, "default_storage_engine": true, "storage_engine": true, "default_table_encryption": true, "explicit_defaults_for_timestamp": true,
	"foreign_key_checks": true, "innodb_strict_mode": true, "old_mode": true, "sql_generate_invisible_primary_key": true, "system_versioning_alter_history": true,
	"check_constraint_checks": true, "lower_case_table_names": true, "innodb_default_row_format": true, "alter_algorithm": true, "restrict_fk_on_non_standard_key": true,
}

// set classifies a SET.
func (s *splitter) set(sql string) (Kind, string, string) {
	r := reading(sql, 0)
	r.step()
	switch {
	case r.is("STATEMENT"):
		return "", "", excerpt(sql, 60) + " sets a variable for one statement, which is not understood; write SET before it and after it"
	case r.in("NAMES", "CHARSET"), r.take("CHARACTER", "SET"):
		return Set, "", ""
	case r.in("PASSWORD", "ROLE", "DEFAULT", "TRANSACTION", "RESOURCE"):
		return "", "SET " + r.upper(), ""
	}
	s.setMode(sql)
	kept := false
	for _, a := range assignments(sql) {
		kept = kept || (meaning[a.name] && !a.global)
		for w := range words(a.value) {
			kept = kept || (strings.HasPrefix(a.name, "@") && meaning[w])
		}
	}
	if kept {
		return Set, "", ""
	}
	return "", "SET", ""
}

// passedAs names a statement that is passed over by its first words.
func passedAs(sql string) string {
	r := reading(sql, 0)
	verb := r.upper()
	if r.step(); r.in("TABLES", "TABLE", "DATA", "XML", "TRANSACTION", "PLUGIN", "COMPONENT") {
		return verb + " " + r.upper()
	}
	return verb
}

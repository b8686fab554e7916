package scratch

import (
	"fmt"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/proof"
)

// what a statement does, by its first words: "create table", "alter view", "set". The error is *proof.Unfit where it is nothing that is run.
func (s *server) what(ts []token, text string, plan bool) (string, error) {
	refused := &proof.Unfit{Reason: fmt.Sprintf("statements such as %q are not run on a scratch server", proof.Excerpt(text))}
	if len(ts) == 0 {
		return "", refused
	}
	verb := strings.ToLower(ts[0].text)
	switch verb {
	case "create", "alter", "drop":
		object := objectOf(ts[1:])
		if object == "" {
			return "", refused
		}
		return verb + " " + object, nil
	case "rename":
		if len(ts) > 1 && ts[1].is("table", "tables") {
			return "rename table", nil
		}
	case "truncate", "use", "set":
		return verb, nil
	case "update", "insert", "delete", "select", "start", "begin", "commit", "lock", "unlock", "optimize", "analyze", "do":
		if plan {
			return verb, nil
		}
	}
	return "", refused
}

// objectOf gives the kind of object that a CREATE, ALTER or DROP is about, for those kinds that belong to a database.
func objectOf(ts []token) string {
	for i := 0; i < len(ts); i++ {
		t := ts[i]
		switch {
		case t.is("or", "replace", "unique", "fulltext", "spatial", "online", "offline", "ignore", "aggregate", "sql", "security", "invoker"):
		case t.is("definer", "algorithm") && i+1 < len(ts) && ts[i+1].text == "=":
			i += 2 // and the value; what follows a user's name is neither of the kinds
		case t.is("definer"), t.text == "@", t.text == "(", t.text == ")", t.kind == quoted, t.kind == str, i > 0 && ts[i-1].text == "@":
		case t.is("table", "index", "view", "trigger", "procedure", "function", "event", "sequence"):
			return strings.ToLower(t.text)
		case t.is("database", "schema"):
			return "database"
		default:
			return ""
		}
	}
	return ""
}

// engines are those that keep their rows in the server's own directory.
var engines = []string{"innodb", "myisam", "aria", "memory", "heap", "archive", "blackhole", "csv", "rocksdb", "mroonga", "columnstore", "sequence"}

// system are the databases that every server has; a schema may read information_schema.
var system = []string{"mysql", "sys", "performance_schema"}

// reachesOut says why a statement is not run: it would let a pull request do more than use its own databases. It is a clause. Words
// count wherever they stand outside strings, in bodies of triggers and routines too.
func (s *server) reachesOut(ts []token, named map[string]string) string {
	at := func(i int) token {
		if i < 0 || i >= len(ts) {
			return token{}
		}
		return ts[i]
	}
	for i, t := range ts {
		next := at(i + 1)
		if next.text == "=" {
			next = at(i + 2)
		}
		switch {
		case t.is("outfile", "dumpfile") && at(i-1).is("into"), t.is("infile") && at(i+1).kind == str, t.is("load_file") && at(i+1).text == "(", t.is("load") && at(i+1).is("data", "xml", "local"):
			return "a statement reads or writes files of the server, which is not done on a scratch server"
		case t.is("soname") && next.kind == str, t.is("install", "uninstall") && at(i+1).is("plugin", "soname", "component"):
			return "a statement loads a library, which is not done on a scratch server"
		case t.is("global", "persist", "persist_only") && (at(i-1).is("set") || at(i-1).text == "@" || at(i-1).text == "," && ts[0].is("set")):
			return "a statement sets a variable of the whole server, which is not done on a scratch server"
		case t.is("shutdown", "restart") && (i == 0 || at(i-1).text == ";" || at(i-1).is("begin", "then", "do")):
			return "a statement stops the server"
		case t.is("user", "role") && at(i-1).is("create", "alter", "drop", "rename"), t.is("grant", "revoke") && (i == 0 || at(i-1).text == ";" || at(i-1).is("begin", "then", "do")):
			return "a statement is about the server's users, who are not touched on a scratch server"
		case t.is("engine") && next.isName() && at(i+1).text == "=" && !slices.Contains(engines, strings.ToLower(next.text)):
			return fmt.Sprintf("the storage engine %s is not used on a scratch server, as it may reach outside", next.text)
		case t.is("directory") && at(i-1).is("data", "index") && next.kind == str, t.is("connection") && next.kind == str, t.is("tablespace") && next.isName() && !strings.HasPrefix(strings.ToLower(next.text), "innodb_") && !at(i-1).is("discard", "import", "."):
			return fmt.Sprintf("a table's %s is not made on a scratch server, as it reaches outside the database", strings.ToUpper(t.text))
		case t.isName() && at(i+1).text == "." && at(i-1).text != "." && at(i-1).text != "@" && s.isForeign(t.text, named):
			return fmt.Sprintf("a statement names the database %s, which is the server's and not the schema's", t.text)
		}
	}
	return ""
}

// isForeign tells whether a name is that of a database which is there and is none of ours.
func (s *server) isForeign(name string, named map[string]string) bool {
	if slices.Contains(system, strings.ToLower(name)) {
		return true
	}
	_, ours := named[s.fold(name)]
	return !ours && s.others[s.fold(name)]
}

// settable are the session's variables that a schema may set, since they decide what later statements mean; true for those that are set
// on the scratch server too. Texts are sent as UTF-8 whatever a file says, rows are written with all checks on, and tables are made
// before those that they refer to.
var settable = map[string]bool{"sql_mode": true, "default_storage_engine": true, "storage_engine": true, "explicit_defaults_for_timestamp": true,
	"innodb_strict_mode": true, "sql_generate_invisible_primary_key": true, "character_set_server": true, "collation_server": true, "system_versioning_alter_history": true}

// inPlans are those that only a plan sets.
var inPlans = map[string]bool{"foreign_key_checks": true, "unique_checks": true, "lock_wait_timeout": true, "innodb_lock_wait_timeout": true, "max_statement_time": true,
	"check_constraint_checks": true, "alter_algorithm": true, "old_alter_table": true, "sql_notes": true, "system_versioning_alter_history": true,
	"system_versioning_insert_history": true, "innodb_alter_copy_bulk": true, "sql_require_primary_key": true, "names": false}

// assignments gives what of a SET is run. A value that a file keeps for itself in a variable (SET sql_mode = @old) is the session's own.
func assignments(text string, ts []token, plan bool, standard map[string]string) string {
	var out []string
	for _, part := range split(ts[1:]) {
		part = withoutScope(part)
		if len(part) == 0 || part[0].text == "@" { // a user's variable
			continue
		}
		name := strings.ToLower(part[0].text)
		equals := slices.IndexFunc(part, func(t token) bool { return t.text == "=" })
		if equals < 0 || equals+1 >= len(part) || !(settable[name] || plan && inPlans[name]) {
			continue
		}
		value := text[part[equals+1].from:part[len(part)-1].to]
		if own, kept := standard[name]; kept && keepsForItself(part[equals+1:]) {
			value = literal(own)
		}
		out = append(out, "SESSION "+name+" = "+value)
	}
	if len(out) == 0 {
		return ""
	}
	return "SET " + strings.Join(out, ", ")
}

// withoutScope takes SESSION, @@ and the like away.
func withoutScope(part []token) []token {
	for len(part) > 1 {
		switch {
		case part[0].text == "@" && part[1].text == "@":
			part = part[2:]
		case part[0].is("session", "local"), part[0].text == ".":
			part = part[1:]
		default:
			return part
		}
	}
	return part
}

// keepsForItself tells whether a value is a user's variable.
func keepsForItself(ts []token) bool {
	return len(ts) >= 2 && ts[0].text == "@" && ts[1].text != "@"
}

// split takes tokens apart at commas outside of parentheses.
func split(ts []token) [][]token {
	var out [][]token
	depth, from := 0, 0
	for i, t := range ts {
		switch t.text {
		case "(":
			depth++
		case ")":
			depth--
		case ",":
			if t.kind == other && depth == 0 {
				out = append(out, ts[from:i])
				from = i + 1
			}
		}
	}
	return append(out, ts[from:])
}

package dialect_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"github.com/altergate/altergate/internal/dialect/mysql/mysqltest"
	"github.com/altergate/altergate/internal/plan"
)

// myServer is the server on which plans are tried.
type myServer struct {
	version               string
	filled, empty, target *myDatabase
}

// myDatabase is a database that is made anew for every schema.
type myDatabase struct {
	name string
	conn *sql.Conn
}

func startMyServer(t *testing.T) *myServer {
	version := mysqltest.Server(t)
	s := &myServer{version: fmt.Sprintf("%d.%d", version.Major, version.Minor)}
	for _, d := range []**myDatabase{&s.filled, &s.empty, &s.target} {
		name := mysqltest.Database(t)
		db := mysqltest.ConnectTo(t, name)
		conn, err := db.Conn(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		*d = &myDatabase{name, conn}
	}
	return s
}

// exec runs one statement.
func (d *myDatabase) exec(statement string) error {
	_, err := d.conn.ExecContext(context.Background(), statement)
	return err
}

// rows gives what a query gives, as text; NULL is "∅".
func (d *myDatabase) rows(query string) ([][]string, error) {
	rows, err := d.conn.QueryContext(context.Background(), query)
	if err != nil {
		return nil, fmt.Errorf("%w in %.200s", err, query)
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	var out [][]string
	for rows.Next() {
		values, into := make([]sql.NullString, len(names)), make([]any, len(names))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		row := make([]string, len(names))
		for i, v := range values {
			row[i] = v.String
			if !v.Valid {
				row[i] = "∅"
			}
		}
		out = append(out, row)
	}
	return out, rows.Err()
}

// build makes the database anew and runs statements.
func (d *myDatabase) build(statements []string) error {
	name := myQuote(d.name)
	all := append([]string{"ROLLBACK", "SET SESSION sql_mode = DEFAULT, foreign_key_checks = 1", "DROP DATABASE IF EXISTS " + name, "CREATE DATABASE " + name + " CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci", "USE " + name}, statements...)
	for _, s := range all {
		if err := d.exec(s); err != nil {
			return fmt.Errorf("%w in %s", err, s)
		}
	}
	return nil
}

// run runs the plan's statements, one by one.
func (d *myDatabase) run(made *plan.Plan) error {
	for _, s := range made.Steps {
		for _, statement := range s.Statements() {
			if err := d.exec(strings.TrimSuffix(statement, ";")); err != nil {
				return fmt.Errorf("%w in %s", err, statement)
			}
		}
	}
	return nil
}

// numberOf gives the number of the server's error.
func numberOf(err error) uint16 {
	var e *mysql.MySQLError
	if errors.As(err, &e) {
		return e.Number
	}
	return 0
}

// aboutRows are the errors that only rows can cause.
var aboutRows = []uint16{1048, 1062, 1138, 1264, 1265, 1292, 1366, 1406, 1411, 1416, 1452, 1526, 1690, 3819, 4025, 1425, 1517, 1467, 1216, 1217, 1451, 1867, 1918, 3140, 1300, 1977}

// prints gives what the server prints of everything there is, as statements.
func (d *myDatabase) prints() ([]string, error) {
	tables, err := d.rows("SELECT table_name, table_type FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY table_type, table_name")
	if err != nil {
		return nil, err
	}
	var out []string
	for _, t := range tables {
		printed, err := d.rows("SHOW CREATE " + map[bool]string{true: "VIEW ", false: "TABLE "}[t[1] == "VIEW"] + myQuote(t[0]))
		if err != nil {
			return nil, err
		}
		out = append(out, printed[0][1])
	}
	for kind, query := range map[string]string{"TRIGGER": "SELECT trigger_name FROM information_schema.triggers WHERE trigger_schema = DATABASE() ORDER BY event_object_table, action_timing, event_manipulation, action_order",
		"FUNCTION": "SELECT routine_name FROM information_schema.routines WHERE routine_schema = DATABASE()"} {
		names, err := d.rows(query)
		if err != nil {
			return nil, err
		}
		for _, n := range names {
			printed, err := d.rows("SHOW CREATE " + kind + " " + myQuote(n[0]))
			if err != nil {
				return nil, err
			}
			out = append(out, printed[0][2])
		}
	}
	return out, nil
}

// counting is what is no difference between tables: how far they have counted, and the row format that InnoDB has by itself.
var counting = regexp.MustCompile(` AUTO_INCREMENT=\d+| ROW_FORMAT=DYNAMIC`)

// catalog lists what the server prints in lines that have no order but that of columns.
func (d *myDatabase) catalog() ([]string, error) {
	prints, err := d.prints()
	if err != nil {
		return nil, err
	}
	var out []string
	for _, text := range prints {
		text = counting.ReplaceAllString(strings.ReplaceAll(text, myQuote(d.name)+".", ""), "")
		lines := strings.Split(text, "\n")
		if !strings.HasPrefix(text, "CREATE TABLE") {
			out = append(out, strings.Join(strings.Fields(text), " "))
			continue
		}
		column := 0
		for _, line := range lines[1:] {
			line = strings.TrimSuffix(line, ",")
			if strings.HasPrefix(line, "  `") {
				column++
				line = fmt.Sprintf("%02d %s", column, line)
			}
			out = append(out, lines[0]+line)
		}
	}
	slices.Sort(out)
	return out, nil
}

// fill puts rows of simple values into every table of the base; those that do not fit are left out.
func (d *myDatabase) fill(w *myWorld, seed uint64) error {
	random := rand.New(rand.NewPCG(seed, 1))
	if err := d.exec("SET SESSION sql_mode = 'STRICT_ALL_TABLES'"); err != nil {
		return err
	}
	for range 2 {
		for _, t := range w.tables {
			for range 4 {
				if err := d.exec(w.insert(t, random)); err != nil && numberOf(err) == 0 {
					return err
				}
			}
		}
	}
	return d.exec("SET SESSION sql_mode = DEFAULT")
}

// insert writes an INSERT of a random row.
func (w *myWorld) insert(t *myTable, random *rand.Rand) string {
	var names, values []string
	for _, c := range t.columns {
		if c.computed != "" || c.auto && random.IntN(2) == 0 {
			continue
		}
		all := append(slices.Clone(myFamilies[c.family()]), typeNamed(c.typ).values...)
		value := "NULL"
		if c.notNull || t.inPrimary(c.id) || random.IntN(4) > 0 {
			value = all[random.IntN(len(all))]
			if c.auto {
				value = fmt.Sprint(1 + random.IntN(9))
			}
		}
		names, values = append(names, myQuote(c.name)), append(values, value)
	}
	return "INSERT INTO " + myQuote(t.name) + " (" + strings.Join(names, ", ") + ") VALUES (" + strings.Join(values, ", ") + ")"
}

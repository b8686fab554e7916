// Package mysqltest gives tests the MariaDB server that they run on, and databases of their own on it. It knows nothing of schemas or
// plans.
package mysqltest

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/altergate/altergate/internal/dialect/mysql/address"
	"github.com/altergate/altergate/internal/dialect/mysql/server"
)

// usual are the places where a server stands on a machine of one's own.
var usual = []string{"mysql://root@localhost/?socket=/run/mysqld/mysqld.sock", "mysql://root@localhost/?socket=/tmp/mysql.sock", "mysql://root@127.0.0.1:3306/"}

// URL gives the server: that of ALTERGATE_TEST_MARIADB, else one at its usual place on this machine that lets us in. What tests expect
// is MariaDB's, so a MySQL server is none. Without a server the test is left out, and with CI set it fails: nothing is left out there.
func URL(t testing.TB) string {
	t.Helper()
	places := usual
	if given := os.Getenv("ALTERGATE_TEST_MARIADB"); given != "" {
		places = []string{given}
	}
	var why []string
	for _, url := range places {
		_, err := versionAt(url)
		if err == nil {
			return url
		}
		why = append(why, err.Error())
	}
	LeaveOut(t, "no MariaDB server: "+strings.Join(why, "; "))
	return ""
}

// versionAt asks a server what it is.
func versionAt(url string) (server.Server, error) {
	db, err := open(url, "")
	if err != nil {
		return server.Server{}, err
	}
	defer db.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	var version string
	if err := db.QueryRowContext(ctx, "SELECT VERSION()").Scan(&version); err != nil {
		return server.Server{}, err
	}
	if !strings.Contains(version, "MariaDB") {
		return server.Server{}, fmt.Errorf("the server is MySQL %s", version)
	}
	number, _, _ := strings.Cut(version, "-")
	return server.Parse("mariadb", number)
}

// Server gives the server's version.
func Server(t testing.TB) server.Server {
	t.Helper()
	s, err := versionAt(URL(t))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// LeaveOut ends a test for the lack of something, which is a failure with CI set.
func LeaveOut(t testing.TB, why string) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatal(why)
	}
	t.Skip(why)
}

var made atomic.Int64

// Database makes an empty database of the test's own, utf8mb4 with utf8mb4_general_ci, which is dropped when the test ends, and gives
// its name.
func Database(t testing.TB) string {
	t.Helper()
	url := URL(t)
	name := fmt.Sprintf("altergate_test_%d_%d", os.Getpid(), made.Add(1))
	for _, do := range []string{"DROP DATABASE IF EXISTS " + name, "CREATE DATABASE " + name + " CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci"} {
		exec(t, url, do)
	}
	t.Cleanup(func() { exec(t, url, "DROP DATABASE IF EXISTS "+name) })
	return name
}

// Connect gives a session in a new database of the test's own. It is one session, however it is used, and takes several statements at
// once, with semicolons between them.
func Connect(t testing.TB) *sql.DB {
	t.Helper()
	return connect(t, Database(t))
}

// ConnectTo gives a session in a database.
func ConnectTo(t testing.TB, database string) *sql.DB {
	t.Helper()
	return connect(t, database)
}

func connect(t testing.TB, database string) *sql.DB {
	t.Helper()
	db, err := open(URL(t), database)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// open gives a session that is opened when it is first used.
func open(url, database string) (*sql.DB, error) {
	config, err := address.Parse(url)
	if err != nil {
		return nil, err
	}
	config.DBName, config.MultiStatements = database, true
	connector, err := mysql.NewConnector(config)
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(1)
	return db, nil
}

func exec(t testing.TB, url, statement string) {
	t.Helper()
	db, err := open(url, "")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

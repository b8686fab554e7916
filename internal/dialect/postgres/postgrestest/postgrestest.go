// Package postgrestest gives tests the PostgreSQL server that they run on, and databases of their own on it. It knows nothing of
// schemas or plans.
package postgrestest

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// URL gives the server: that of ALTERGATE_TEST_POSTGRES, else the one at its usual place on this machine. Without a server the test is
// left out, and with CI set it fails: nothing is left out there.
func URL(t testing.TB) string {
	t.Helper()
	url := cmp.Or(os.Getenv("ALTERGATE_TEST_POSTGRES"), "postgres://postgres@127.0.0.1:5432/postgres")
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	c, err := pgx.Connect(ctx, url)
	if err != nil {
		LeaveOut(t, fmt.Sprintf("no PostgreSQL server: %v", err))
	}
	if err := c.Close(ctx); err != nil {
		t.Fatal(err)
	}
	return url
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

// Database makes an empty database of the test's own, which is dropped when the test ends, and gives its name.
func Database(t testing.TB) string {
	t.Helper()
	admin := connect(t, "")
	name := fmt.Sprintf("altergate_test_%d_%d", os.Getpid(), made.Add(1))
	exec(t, admin, "CREATE DATABASE "+name+" TEMPLATE template0 ENCODING 'UTF8'")
	t.Cleanup(func() { exec(t, connect(t, ""), "DROP DATABASE "+name+" WITH (FORCE)") })
	return name
}

// Connect gives a connection to a new database of the test's own.
func Connect(t testing.TB) *pgx.Conn {
	t.Helper()
	return connect(t, Database(t))
}

// connect connects to a database of the server; an empty name is the URL's own.
func connect(t testing.TB, database string) *pgx.Conn {
	t.Helper()
	ctx := context.Background() // a cleanup outlives the test's own
	config, err := pgx.ParseConfig(URL(t))
	if err != nil {
		t.Fatal(err)
	}
	config.Database = cmp.Or(database, config.Database)
	c, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close(ctx) })
	return c
}

func exec(t testing.TB, c *pgx.Conn, sql string) {
	t.Helper()
	if _, err := c.Exec(context.Background(), sql); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

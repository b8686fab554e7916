package mysqltest

import "testing"

func TestDatabasesAreOnesOwn(t *testing.T) {
	db, name := Connect(t), Database(t)
	var current string
	var others int
	if err := db.QueryRow("SELECT DATABASE()").Scan(&current); err != nil {
		t.Fatal(err)
	}
	if err := db.QueryRow("SELECT COUNT(*) FROM information_schema.schemata WHERE schema_name = ?", name).Scan(&others); err != nil {
		t.Fatal(err)
	}
	if current == name || others != 1 {
		t.Errorf("the session is in %s, and %d databases are called %s", current, others, name)
	}
	if _, err := db.Exec("SET @a = 1; CREATE TABLE t (id int); INSERT INTO t VALUES (1)"); err != nil {
		t.Fatal(err)
	}
	var a int
	if err := db.QueryRow("SELECT @a + COUNT(*) FROM t").Scan(&a); err != nil || a != 2 {
		t.Errorf("the session has forgotten what was done in it: %d, %v", a, err)
	}
	if s := Server(t); !s.MariaDB || s.Major < 10 {
		t.Errorf("the server is %s", s)
	}
}

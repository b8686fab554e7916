package builtin

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
)

// TestDefaultOpClass compares with the server's catalog. Indexes of the method brin are not looked at: nobody names its classes.
func TestDefaultOpClass(t *testing.T) {
	conn, _ := connect(t)
	rows, err := conn.Query(context.Background(), `SELECT amname, opcname, format_type(opcintype, NULL) FROM pg_opclass JOIN pg_am a ON a.oid = opcmethod
		WHERE opcdefault AND amname <> 'brin' AND opcnamespace = 'pg_catalog'::regnamespace`)
	if err != nil {
		t.Fatal(err)
	}
	stands := map[string]string{"anyarray": "integer[]", "anyenum": "mood", "anyrange": "int4range", "anymultirange": "int4multirange"}
	var method, class, typ string
	n := 0
	if _, err := pgx.ForEachRow(rows, []any{&method, &class, &typ}, func() error {
		n++
		if other := stands[typ]; other != "" {
			typ = other
		}
		if got := DefaultOpClass(method, typ, opTypes{}); got != class {
			t.Errorf("%s of %s: got %q, want %q", method, typ, got, class)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	known := 2 * len(ordered)
	for _, classes := range opClasses {
		known += len(classes)
	}
	if n != known {
		t.Errorf("the server has %d default classes, and %d are known", n, known)
	}
	for typ, want := range map[string]string{"character varying": "text_ops", "zip": "text_ops", "cidr": "inet_ops", "nothing": ""} {
		if got := DefaultOpClass("btree", typ, opTypes{}); got != want {
			t.Errorf("%s: got %q, want %q", typ, got, want)
		}
	}
}

type opTypes struct{}

func (opTypes) Enum(t string) bool { return t == "mood" }
func (opTypes) Base(t string) string {
	if t == "zip" {
		return varchar
	}
	return ""
}
func (opTypes) Range(string) (string, bool) { return "", false }
func (opTypes) Composite(string) bool       { return false }

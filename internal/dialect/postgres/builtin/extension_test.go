package builtin

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// TestExtensions compares what extensions make with what they make on the server, as far as it has them.
func TestExtensions(t *testing.T) {
	conn, version := connect(t)
	ctx := context.Background()
	for name := range extensions {
		var there bool
		if err := conn.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_available_extensions WHERE name = $1 AND installed_version IS NULL)`, name).Scan(&there); err != nil {
			t.Fatal(err)
		}
		if !there || version != 15 {
			continue
		}
		tx, err := conn.Begin(ctx)
		if err != nil {
			t.Fatal(err)
		}
		var types, relations []string
		if _, err = tx.Exec(ctx, `CREATE EXTENSION "`+name+`" CASCADE`); err == nil {
			err = tx.QueryRow(ctx, `WITH mine AS (SELECT d.classid, d.objid FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid
    WHERE d.refclassid = 'pg_extension'::regclass AND e.extname = $1 AND d.deptype = 'e')
SELECT (SELECT array_agg(typname::text ORDER BY typname COLLATE "C") FROM mine JOIN pg_type t ON classid = 'pg_type'::regclass AND t.oid = objid
    WHERE typelem = 0 AND NOT EXISTS (SELECT FROM pg_class WHERE pg_class.oid = typrelid AND relkind <> 'c')),
  (SELECT array_agg(relname::text ORDER BY relname COLLATE "C") FROM mine JOIN pg_class c ON classid = 'pg_class'::regclass AND c.oid = objid
    WHERE relkind IN ('r', 'v', 'm', 'f'))`, name).Scan(&types, &relations)
		}
		if rollback := tx.Rollback(ctx); err != nil || rollback != nil {
			t.Fatal(name, err, rollback)
		}
		got, _ := ExtensionTypes(name)
		if diff := cmp.Diff(types, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("types of %s (-server +we):\n%s", name, diff)
		}
		if diff := cmp.Diff(relations, ExtensionRelations(name), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("relations of %s (-server +we):\n%s", name, diff)
		}
	}
}

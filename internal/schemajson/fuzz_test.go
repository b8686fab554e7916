package schemajson

import (
	"database/sql"
	"errors"
	"fmt"
	"testing"

	"github.com/altergate/altergate/internal/schema"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// FuzzDecode holds that no document makes the package panic, that every problem has a place, and that each statement of a
// valid document is one statement to the tokenizer.
func FuzzDecode(f *testing.F) {
	for _, path := range caseFiles(f) {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			f.Add(file.Data)
		}
	}
	r, err := SQLite.rules()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		hints, err := DecodeHints("f", src)
		checkProblems(t, err)
		d, err := Decode("f", src)
		checkProblems(t, err)
		if err != nil {
			return
		}
		checkProblems(t, Validate(d, d, hints, Postgres))
		if err := Validate(nil, d, hints, SQLite); err != nil {
			checkProblems(t, err)
			return
		}
		if err := Validate(d, d, nil, SQLite); err != nil {
			t.Errorf("the document is valid, and cannot stay as it is: %v", err)
		}
		statements, err := d.Statements(SQLite)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range statements {
			tokens, err := r.lexicon.tokens(s.SQL)
			if err == nil {
				err = fragment(tokens).balanced()
			}
			if err != nil && !holdsControl(s.SQL) {
				t.Errorf("%s: %v\n%s", s.Path, err, s.SQL)
			}
			for _, token := range tokens {
				if token.sign(";") && fragment(tokens[:2])[1].text != "TRIGGER" {
					t.Errorf("%s holds more than one statement:\n%s", s.Path, s.SQL)
				}
			}
		}
	})
}

// holdsControl tells whether SQL holds a control character, which names may and fragments may not.
func holdsControl(sql string) bool {
	for _, r := range sql {
		if r < ' ' || r == 0x7f {
			return true
		}
	}
	return false
}

func checkProblems(t *testing.T, err error) {
	t.Helper()
	for _, e := range schema.Errors(err) {
		if e.Kind == schema.KindInternal || e.Pos.Line == 0 || e.Pos.Column == 0 || e.Text == "" {
			t.Errorf("a problem lacks its kind, place or text: %#v", e)
		}
	}
}

// FuzzFragment asks the engine itself: whatever fragment is accepted, the statement it is put into either fails as a
// whole or makes exactly the object it should, and changes nothing else.
func FuzzFragment(f *testing.F) {
	for i, c := range allFragmentCases {
		if c.dialect == SQLite {
			for _, sql := range append(c.accept, c.refuse...) {
				f.Add(i, sql)
			}
		}
	}
	r, err := SQLite.rules()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, which int, sql string) {
		kind := allFragmentCases[max(0, which)%len(allFragmentCases)].kind
		for _, d := range []Dialect{Postgres, SQLite} {
			other, err := d.rules()
			if err != nil {
				t.Fatal(err)
			}
			_ = other.fragment(kind, sql) // it may refuse; it may not panic
		}
		if r.fragment(kind, sql) != nil {
			return
		}
		if err := onlyDoes(t, documentWith(kind, sql)); err != nil {
			t.Errorf("%s %q: %v", kind, sql, err)
		}
	})
}

// documentWith is a document that holds the fragment in the place for its kind, before other things of that place.
func documentWith(kind fragmentKind, sql string) *Document {
	fragment := value{text: sql}
	name := func(text string) item { return item{name: value{text: text}} }
	first := &column{item: name("first"), dataType: value{text: "TEXT"}, nullable: boolean{set: true}}
	last := &column{item: name("last"), dataType: value{text: "INT"}, nullable: boolean{set: true}}
	subject := &table{item: name("subject"), columns: list[*column]{items: []*column{first, last}}}
	d := &Document{tables: list[*table]{items: []*table{subject}}}
	switch kind {
	case dataType:
		first.dataType = fragment
	case defaultValue:
		first.defaultValue = &fragment
	case checkExpression:
		subject.checks.items = []*check{{item: name("c"), expression: fragment}, {item: name("d"), expression: value{text: "1"}}}
	case viewDefinition:
		d.views.items = []*view{{item: name("v"), definition: fragment}}
	case triggerAction:
		subject.triggers.items = []*trigger{{item: name("g"), timing: value{text: "AFTER"}, event: value{text: "INSERT"}, action: fragment}}
	}
	return d
}

// onlyDoes runs a document's statements beside a table that they have no business with. The engine may refuse one of them;
// what is there in the end must be what the document declares.
func onlyDoes(t *testing.T, d *Document) error {
	db := newEngine(t)
	if _, err := db.Exec("CREATE TABLE bystander (a); INSERT INTO bystander VALUES (1)"); err != nil {
		t.Fatal(err)
	}
	statements, err := d.Statements(SQLite)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"table bystander: a null"}
	for i, s := range statements {
		_, err := db.Exec(s.SQL + ";")
		switch {
		case err != nil && i == 0:
			return onlyHolds(t, db, want)
		case err != nil:
		case i == 0:
			want = append(want, "table subject: first null, last null")
		case len(d.views.items) > 0:
			want = append(want, "view v")
		default:
			want = append(want, "trigger g")
		}
	}
	return onlyHolds(t, db, want)
}

// onlyHolds compares everything the database holds, indexes that it made by itself included: a constraint that was
// smuggled in shows as one of those, or in a column.
func onlyHolds(t *testing.T, db *sql.DB, want []string) error {
	got := rows(t, db, `
		SELECT type || ' ' || name || CASE WHEN type <> 'table' THEN '' ELSE ': ' || (
			SELECT group_concat(c.name || iif(c."notnull", ' required', ' null') || iif(c.pk, ' key', '') || iif(c.hidden, ' hidden', ''), ', ')
			FROM pragma_table_xinfo(s.name) c) END
		FROM sqlite_schema s ORDER BY rowid`)
	if d := cmp.Diff(want, got); d != "" {
		return fmt.Errorf("the database differs (-want +got):\n%s", d)
	}
	if left := rows(t, db, "SELECT a FROM bystander"); len(left) != 1 {
		return errors.New("the bystander's row is gone")
	}
	return nil
}

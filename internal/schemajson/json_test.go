package schemajson

import (
	"errors"
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
	"github.com/google/go-cmp/cmp"
)

// TestSyntax holds that what is not one JSON value in UTF-8 is refused at the place where it ceases to be one.
func TestSyntax(t *testing.T) {
	tests := []struct {
		what, src, want string
	}{
		{"empty", "", `f:1:1: the file is empty; to declare nothing, write {"version": "1", "tables": []}`},
		{"blank", "\n \n", `f:1:1: the file is empty; to declare nothing, write {"version": "1", "tables": []}`},
		{"not UTF-8", "{\"é\":\n \"\xff\"}", "f:2:3: the file is not UTF-8 text; save it as UTF-8"},
		{"UTF-16", "\xff\xfe{\x00}\x00", "f:1:1: the file is not UTF-8 text; save it as UTF-8"},
		{"SQL", "CREATE TABLE t (a)", `f:1:1: this is not valid JSON: 'C' stands where a value should be`},
		{"cut off", `{"version": "1"`, `f:1:16: this is not valid JSON: it ends where "," or "}" should be`},
		{"cut off in a string", "{\n  \"vers", `f:2:3: this is not valid JSON: this string has no closing quote`},
		{"cut off in an escape", `"\`, `f:1:1: this is not valid JSON: this string has no closing quote`},
		{"cut off after a colon", `{"version":`, `f:1:12: this is not valid JSON: it ends where a value should be`},
		{"trailing data", "{}\n{}", `f:2:1: this is not valid JSON: there is more text after the end of the JSON value; take it out`},
		{"trailing comma in an object", "{\"é\": 1,\n}", `f:2:1: this is not valid JSON: '}' stands where a key in double quotes should be`},
		{"trailing comma in an array", `[1,]`, `f:1:4: this is not valid JSON: ']' stands where a value should be`},
		{"leading comma", `[,1]`, `f:1:2: this is not valid JSON: ',' stands where a value should be`},
		{"no comma", `["é" 2]`, `f:1:6: this is not valid JSON: '2' stands where "," or "]" should be`},
		{"no colon", `{"a" 1}`, `f:1:6: this is not valid JSON: '1' stands where ":" should be`},
		{"comment", "{ // the version\n}", `f:1:3: this is not valid JSON: '/' stands where a key in double quotes should be`},
		{"leading zero", `[01]`, `f:1:3: this is not valid JSON: '1' stands where "," or "]" should be`},
		{"bare minus", `[-]`, `f:1:2: this is not valid JSON: '-' stands where a number should be`},
		{"wrong word", `[True]`, `f:1:2: this is not valid JSON: 'T' stands where a value should be`},
		{"raw newline", "[\"a\nb\"]", `f:1:4: this is not valid JSON: a string holds the control character '\n'; write it as an escape such as \n`},
		{"unknown escape", `["\x41"]`, `f:1:2: this is not valid JSON: invalid character 'x' in string escape code`},
		{"short escape", `["\u12"]`, `f:1:3: this is not valid JSON: \u needs four hexadecimal digits`},
		{"half a pair", `["\ud83d"]`, `f:1:3: this is not valid JSON: this is half of a surrogate pair; write both halves, or the character itself`},
		{"pair the wrong way round", `["\ude00\ud83d"]`, `f:1:3: this is not valid JSON: this is half of a surrogate pair; write both halves, or the character itself`},
		{"NUL", `["a\u0000"]`, `f:1:4: a string holds \u0000, where an engine stops reading; take it out`},
		{"too deep", strings.Repeat("[", 1<<20), `f:1:33: this is not valid JSON: it nests more than 32 deep; a schema JSON does not`},
		{"too large", strings.Repeat(" ", maxSize+1), `f:1:1: the file is larger than 16 MiB; a schema JSON is not`},
		{"another kind of value", " []", `f:1:2: expected an object, found an array`},
	}
	for _, test := range tests {
		t.Run(test.what, func(t *testing.T) {
			_, err := Decode("f", []byte(test.src))
			if err == nil {
				t.Fatal("it was read")
			}
			// The keys that an array does not have are reported too; the first problem is the one in question.
			got, _, _ := strings.Cut(err.Error(), "\n")
			if d := cmp.Diff(test.want, got); d != "" {
				t.Errorf("error (-want +got):\n%s", d)
			}
		})
	}
}

func TestByteOrderMarkAndEscapes(t *testing.T) {
	src := "\ufeff" + `{"\u0076ersion": "\ud83d\ude00\"\\\n", "tables": []}`
	d, err := Decode("f", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	want := value{"😀\"\\\n", schema.Pos{File: "f", Line: 1, Column: 18}}
	if d := cmp.Diff(want, d.version, cmp.AllowUnexported(value{})); d != "" {
		t.Errorf("version (-want +got):\n%s", d)
	}
}

func TestProblemsAreLimited(t *testing.T) {
	src := `{"version": "1", "tables": [` + strings.Repeat("1,", 5000) + `1]}`
	_, err := Decode("f", []byte(src))
	if got := len(schema.Errors(err)); got != maxProblems+1 {
		t.Errorf("%d problems, want %d and the one that says so", got, maxProblems)
	}
	if !strings.Contains(err.Error(), "more than 1000 problems") {
		t.Error("nothing says that problems were left out")
	}
}

func TestNamesAreLimited(t *testing.T) {
	src := `{"version": "1", "tables": [], "views": [{"name": "` + strings.Repeat("v", maxName+1) + `", "definition": "SELECT 1"}]}`
	_, err := Decode("f", []byte(src))
	want := []*schema.Error{{Pos: schema.Pos{File: "f", Line: 1, Column: 51}, Path: "views", Kind: schema.KindUnsupported,
		Text: "a name is longer than 1024 bytes; no engine takes it"}}
	if d := cmp.Diff(want, schema.Errors(err)); d != "" {
		t.Errorf("problems (-want +got):\n%s", d)
	}
}

func TestDecodeHints(t *testing.T) {
	got, err := DecodeHints("h.json", []byte(`{
  "tables": [["groups", "bands"], ["same", "same"]],
  "columns": [["bands", "name", "title"],
              ["bands", "id", "id"]]
}`))
	if err != nil {
		t.Fatal(err)
	}
	want := []diff.Hint{
		{From: "groups", To: "bands", Path: "hints.tables.groups", Pos: schema.Pos{File: "h.json", Line: 2, Column: 15}},
		{Table: "bands", From: "name", To: "title", Path: "hints.columns.bands.name", Pos: schema.Pos{File: "h.json", Line: 3, Column: 16}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("hints (-want +got):\n%s", d)
	}
}

func TestNames(t *testing.T) {
	d, err := Decode("f", []byte(`{"version": "1", "tables": [
		{"name": "Bands", "indexes": [], "foreign_keys": [], "columns": [
			{"name": "Id", "data_type": "INT", "nullable": true, "primary_key": false, "unique": false},
			{"name": "a", "data_type": "INT", "nullable": true, "primary_key": false, "unique": false}]},
		{"name": "none", "indexes": [], "foreign_keys": [], "columns": []}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(map[string][]string{"Bands": {"Id", "a"}, "none": {}}, d.Names()); d != "" {
		t.Errorf("names (-want +got):\n%s", d)
	}
}

// TestNoDocument holds that a side without a document declares nothing, and that an unknown dialect is no answer.
func TestNoDocument(t *testing.T) {
	if err := Validate(nil, nil, nil, SQLite); err != nil {
		t.Errorf("nothing is a problem: %v", err)
	}
	var at *schema.Error
	if err := Validate(nil, nil, nil, "mysql"); !errors.As(err, &at) || at.Kind != schema.KindUnsupported {
		t.Errorf("an unknown dialect gives %v", err)
	}
	for _, d := range []Dialect{"mysql", ""} {
		if _, err := new(Document).Statements(d); !errors.As(err, &at) || at.Kind != schema.KindUnsupported {
			t.Errorf("statements for %q give %v", d, err)
		}
	}
}

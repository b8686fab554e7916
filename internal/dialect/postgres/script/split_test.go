package script

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/source"
)

// splitCase is a text, and what Split makes of it: statements, then what is passed over and errors with their places.
type splitCase struct {
	name, text string
	want       []string
	rest       []string
}

var splitCases = []splitCase{
	{"nothing", "", nil, nil},
	{"blanks and comments", " \n-- a; b\n/* c; /* d; */ e; */\n", nil, nil},
	{"empty statements", ";; ;\n;", nil, nil},
	{"two statements", "SELECT 1;\n SELECT 2 ;", []string{"SELECT 1", "SELECT 2"}, nil},
	{"no semicolon at the end", "SELECT 1; SELECT 2\n", []string{"SELECT 1", "SELECT 2"}, nil},
	{"comments around", "-- a\nSELECT /* b; */ 1 -- c;\n; -- d", []string{"SELECT /* b; */ 1"}, nil},
	{"strings", `SELECT ';', 'a'';b', ';\'; SELECT '';`, []string{`SELECT ';', 'a'';b', ';\'`, "SELECT ''"}, nil},
	{"strings with backslashes", `SELECT E'\';', e'\\'; SELECT E'a'';';`, []string{`SELECT E'\';', e'\\'`, `SELECT E'a'';'`}, nil},
	{"strings that go on", "SELECT E'a' -- b\n 'c\\';'; SELECT 2", []string{"SELECT E'a' -- b\n 'c\\';'", "SELECT 2"}, nil},
	{"strings that do not go on", `SELECT E'a' '\'; SELECT 2`, []string{`SELECT E'a' '\'`, "SELECT 2"}, nil},
	{"strings of other kinds", `SELECT U&'\;', B'1;', x'1;', N';', U&"a\;"; SELECT 2`, []string{`SELECT U&'\;', B'1;', x'1;', N';', U&"a\;"`, "SELECT 2"}, nil},
	{"no prefix but a name", `SELECT date';', "E"';'; SELECT 2`, []string{`SELECT date';', "E"';'`, "SELECT 2"}, nil},
	{"quoted names", `SELECT "a;""b;", "\"; SELECT ";"`, []string{`SELECT "a;""b;", "\"`, `SELECT ";"`}, nil},
	{"dollar quotes", "DO $$ a; $b$ ; $$; DO $b$ ; $$ $ $c$ $b$; SELECT 3", []string{"DO $$ a; $b$ ; $$", "DO $b$ ; $$ $ $c$ $b$", "SELECT 3"}, nil},
	{"dollar quotes with letters beyond ASCII", "DO $ü1$ ; $ü1$; SELECT 2", []string{"DO $ü1$ ; $ü1$", "SELECT 2"}, nil},
	{"no dollar quotes", "SELECT a$$, b$c$, $1, 1$$;$$; SELECT $1;", []string{"SELECT a$$, b$c$, $1, 1$$;$$", "SELECT $1"}, nil},
	{"operators before comments", "SELECT 1 +-- ;\n 2 */* ; */ 3; SELECT 4", []string{"SELECT 1 +-- ;\n 2 */* ; */ 3", "SELECT 4"}, nil},
	{"rule", "CREATE OR REPLACE RULE r AS ON INSERT TO t DO (SELECT f(';'); SELECT 2;); SELECT 3;", []string{"CREATE OR REPLACE RULE r AS ON INSERT TO t DO (SELECT f(';'); SELECT 2;)", "SELECT 3"}, nil},
	{"a forgotten parenthesis", "CREATE TABLE t (a int;\nCREATE TABLE u (b int);", []string{"CREATE TABLE t (a int", "CREATE TABLE u (b int)"}, nil},
	{"a parenthesis too many", "SELECT 1); SELECT 2;", []string{"SELECT 1)", "SELECT 2"}, nil},
	{"a query in parentheses", "(SELECT 1); SELECT 2;", []string{"(SELECT 1)", "SELECT 2"}, nil},
	{"body", "CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; SELECT 1 AS end, t.case; END; SELECT 2", []string{
		"CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; SELECT 1 AS end, t.case; END", "SELECT 2"}, nil},
	{"empty body", "create or replace procedure p() begin/**/atomic end; SELECT 2", []string{"create or replace procedure p() begin/**/atomic end", "SELECT 2"}, nil},
	{"names of a body", "CREATE FUNCTION begin(atomic int, \"end\" int) RETURNS int LANGUAGE sql RETURN 1; BEGIN; END;", []string{
		"CREATE FUNCTION begin(atomic int, \"end\" int) RETURNS int LANGUAGE sql RETURN 1", "BEGIN", "END"}, nil},
	{"meta-commands", "\\c db\n\\set ON_ERROR_STOP on\nSELECT 1; \\echo 'a;\n\\restrict x;y\nSELECT 2;\\unrestrict x", []string{"SELECT 1", "SELECT 2"}, []string{
		"1:1 psql meta-command", "2:1 psql meta-command", "3:11 psql meta-command", "4:1 psql meta-command", "5:10 psql meta-command"}},
	{"two meta-commands on a line", "\\set x 'a\\i b' \\i c.sql\n\\timing\\\\SELECT 1;", []string{"SELECT 1"}, []string{
		"1:1 psql meta-command", "2:1 psql meta-command", "1:16 `\\i c.sql` includes a file that is not read; name that file in the source, or put its text here"}},
	{"commands that send", "SELECT 1 \\gx\nSELECT 2\n\\g (a=b) out.txt\nSELECT 3 \\; SELECT 4;", []string{"SELECT 1", "SELECT 2", "SELECT 3", "SELECT 4"}, []string{
		"1:10 psql meta-command", "3:1 psql meta-command"}},
	{"includes", "\\i a.sql\n\\ir 'b.sql'\n  \\include c.sql\nSELECT 1;", []string{"SELECT 1"}, []string{
		"1:1 `\\i a.sql` includes a file that is not read; name that file in the source, or put its text here",
		"2:1 `\\ir 'b.sql'` includes a file that is not read; name that file in the source, or put its text here",
		"3:3 `\\include c.sql` includes a file that is not read; name that file in the source, or put its text here"}},
	{"conditions", "\\if :x\nSELECT 1;\n\\endif", []string{"SELECT 1"}, []string{
		"1:1 `\\if :x` makes what follows depend on the run of psql, which is not done; keep the statements that should hold",
		"3:1 `\\endif` makes what follows depend on the run of psql, which is not done; keep the statements that should hold"}},
	{"gexec", "SELECT 1\n\\gexec\n;", []string{"SELECT 1"}, []string{"2:1 `\\gexec` runs what a query gives, which is not known; write the statements out"}},
	{"quit", "\\q\nSELECT 1;", []string{"SELECT 1"}, []string{"1:1 `\\q` ends the script; take away what follows, and this line"}},
	{"a meta-command inside a statement", "CREATE TABLE t (\n\\echo x\na int);", []string{"CREATE TABLE t (\n\\echo x\na int)"}, []string{
		"2:1 the psql command `\\echo x` stands inside a statement; end the statement before it, with a semicolon"}},
	{"copy", "COPY public.t (a, b) FROM stdin; -- c\n1\t';\n\\N\t\\i x\n\\.\n\nSELECT 1;", []string{"SELECT 1"}, []string{"1:1 COPY data"}},
	{"copy without rows", "copy t from\nSTDIN with (format csv);\n\\.\nSELECT 1", []string{"SELECT 1"}, []string{"1:1 COPY data"}},
	{"copy with a meta-command", "COPY t FROM stdin \\g\n1\n\\.\nSELECT 1", []string{"SELECT 1"}, []string{"1:1 COPY data"}},
	{"copy from elsewhere", "COPY t FROM 'stdin'; COPY t TO stdout; COPY (SELECT a FROM stdin) TO '/x'; COPY \"from\" TO \"stdin\";",
		[]string{"COPY t FROM 'stdin'", "COPY t TO stdout", "COPY (SELECT a FROM stdin) TO '/x'", "COPY \"from\" TO \"stdin\""}, nil},
	{"copy by psql", "\\copy t from 'a\\b.csv'\n\\copy t to x\n\\copy t from stdin\n1;\n\\.\nSELECT 1", []string{"SELECT 1"}, []string{"1:1 COPY data", "2:1 psql meta-command", "3:1 COPY data"}},
	{"copy that does not end", "SELECT 1;\nCOPY t FROM stdin;\n1\n\\.x\n", []string{"SELECT 1"}, []string{"2:1 unterminated COPY data: no line holds only \\. behind it"}},
	{"copy at the end", "COPY t FROM stdin", nil, []string{"1:1 unterminated COPY data: the statement has no semicolon, and no data follows"}},
	{"copy with more on its line", "COPY t FROM stdin; SELECT 1;\n\\.\n", nil, []string{
		"1:1 COPY data", "1:20 `SELECT 1;` stands on the line of a COPY … FROM stdin, whose data begin on the next; put it on a line of its own"}},
	{"the end of no data", "SELECT 1;\n\\.\n", []string{"SELECT 1"}, []string{"2:1 `\\.` ends no COPY data: none was begun"}},
	{"psql variables are left", "SELECT :x, :'y', a[1:2], b::int;", []string{"SELECT :x, :'y', a[1:2], b::int"}, nil},
	{"old strings", "SET standard_conforming_strings = on; SET standard_conforming_strings = off;", []string{"SET standard_conforming_strings = on"}, []string{
		"1:39 strings in which backslashes escape are only understood as E'…'; dump the schema with standard_conforming_strings on"}},
	{"an open string", "SELECT 1;\nSELECT ü 'a;\nb", []string{"SELECT 1"}, []string{"2:10 `'a; b` opens a string that is never closed"}},
	{"an open string with backslashes", `SELECT E'\'`, nil, []string{"1:8 `E'\\'` opens a string that is never closed"}},
	{"an open name", `SELECT "a"";`, nil, []string{"1:8 `\"a\"\";` opens a quoted name that is never closed"}},
	{"an open comment", "/* a /* b */ SELECT 1;", nil, []string{"1:1 `/* a /* b */ SELECT 1;` opens a comment that is never closed; comments nest in PostgreSQL"}},
	{"an open dollar quote", "DO $a$ $b$ $$;", nil, []string{"1:4 `$a$ $b$ $$;` opens a dollar-quoted string that is never closed"}},
	{"an open body", "CREATE FUNCTION f()\nBEGIN ATOMIC SELECT 1; SELECT 2;", nil, []string{"2:1 this BEGIN ATOMIC has no END: the file ends inside its body"}},
	{"an open rule", "CREATE RULE r AS ON INSERT TO t DO (SELECT (1); SELECT 2;", nil, []string{"1:36 this parenthesis is never closed: the file ends inside the rule"}},
}

func TestSplit(t *testing.T) {
	for _, tt := range splitCases {
		t.Run(tt.name, func(t *testing.T) {
			s, errs := Split(&source.File{Path: "a.sql", Text: tt.text})
			var got, rest []string
			for _, st := range s.Statements {
				got = append(got, st.Text)
				if at := st.File.Text[st.Start:]; !strings.HasPrefix(at, st.Text) {
					t.Errorf("%q is said to stand at %q", st.Text, at)
				}
			}
			for _, p := range s.Passed {
				rest = append(rest, fmt.Sprintf("%d:%d %s", p.Pos.Line, p.Pos.Column, p.What))
			}
			for _, e := range errs {
				rest = append(rest, fmt.Sprintf("%d:%d %s", e.Pos.Line, e.Pos.Column, e.Text))
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("statements (-want +got):\n%s", d)
			}
			if d := cmp.Diff(tt.rest, rest); d != "" {
				t.Errorf("the rest (-want +got):\n%s", d)
			}
		})
	}
}

// FuzzSplit holds Split to lose nothing: what is in no statement, and not passed over, is blank, a comment or a semicolon.
// And each statement is one when it stands alone.
func FuzzSplit(f *testing.F) {
	for _, tt := range splitCases {
		f.Add(tt.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, errs := Split(&source.File{Path: "a.sql", Text: text})
		if errs == nil && len(s.Passed) != len(s.passed) {
			t.Fatalf("%d things are passed over in %d places", len(s.Passed), len(s.passed))
		}
		for i, sp := range s.passed {
			if want := (&source.File{Path: "a.sql", Text: text}).Pos(sp.start); s.Passed[i].Pos != want {
				t.Fatalf("%s is said to be at %s, and is at %s", s.Passed[i].What, s.Passed[i].Pos, want)
			}
		}
		taken := slices.Clone(s.passed)
		for _, st := range s.Statements {
			if st.Text == "" || text[st.Start:st.Start+len(st.Text)] != st.Text {
				t.Fatalf("%q does not stand at %d", st.Text, st.Start)
			}
			taken = append(taken, span{st.Start, st.Start + len(st.Text)})
		}
		if errs != nil {
			return
		}
		slices.SortFunc(taken, func(a, b span) int { return a.start - b.start })
		last := 0
		for _, sp := range append(taken, span{len(text), len(text)}) {
			if sp.start < last {
				t.Fatalf("%q is taken twice", text[sp.start:last])
			}
			// A file is lexed from its start on, but a gap begins where a token does.
			for tok := next(text[:sp.start], last); tok.kind != eof; tok = next(text[:sp.start], tok.end) {
				if said := text[tok.start:tok.end]; tok.kind != comment && said != ";" && said != `\` {
					t.Fatalf("%q is lost", said)
				}
			}
			last = sp.end
		}
		for _, st := range s.Statements {
			again, errs := Split(&source.File{Path: "a.sql", Text: st.Text})
			if errs != nil || len(again.Statements) != 1 || again.Statements[0].Text != st.Text {
				t.Fatalf("%q is no statement when alone: %v", st.Text, errs)
			}
		}
	})
}

// TestSplitIsLinear guards against a quadratic lexer: each of these took one many times longer than the test may.
func TestSplitIsLinear(t *testing.T) {
	const n = 1 << 20
	start := time.Now()
	for _, part := range []string{"'", "\"", "(", ")", "$a", "$a$", "/*", "*/", "--\n", "\\", "\\c\n", ";", "E'\\", "a ", "SELECT 1;\n", "COPY t FROM stdin;\n\\.\n", "BEGIN ATOMIC ", "é", "CREATE TABLE t (a int, -- @renamed from=x\n"} {
		f := &source.File{Path: "a.sql", Text: strings.Repeat(part, n/len(part))}
		s, _ := Split(f)
		s.Hints()
		for _, st := range s.Statements {
			nested(st.Text)
		}
		if took := time.Since(start); took > 10*time.Second {
			t.Fatalf("%q: after %s", part, took)
		}
	}
}

func TestPos(t *testing.T) {
	s, _ := Split(&source.File{Path: "a.sql", Text: "-- ü\nSELECT 'ü',\n  1;"})
	st := s.Statements[0]
	if got := st.Pos(strings.Index(st.Text, ",")); got != (schema.Pos{File: "a.sql", Line: 2, Column: 11}) {
		t.Errorf("the comma is at %s", got)
	}
	if got := st.Pos(1000); got != (schema.Pos{File: "a.sql", Line: 3, Column: 4}) {
		t.Errorf("what is behind the end is at %s", got)
	}
	at := schema.Pos{File: "a.json", Line: 7}
	if got := (&Statement{Text: "SELECT 1", At: &at}).Pos(3); got != at {
		t.Errorf("a value of a JSON source is at %s", got)
	}
}

func BenchmarkSplit(b *testing.B) {
	f := &source.File{Path: "a.sql", Text: dump(2 << 20)}
	b.SetBytes(int64(len(f.Text)))
	for b.Loop() {
		if _, errs := Split(f); errs != nil {
			b.Fatal(errs)
		}
	}
}

// dump makes a text of at least so many bytes that looks like what pg_dump prints; no two statements of it are the same.
func dump(size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, `--
-- Name: table_%[1]d; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.table_%[1]d (
    id bigint NOT NULL,
    name character varying(255) DEFAULT 'x'::character varying NOT NULL,
    amount numeric(10,2),
    created_at timestamp(6) without time zone DEFAULT now() NOT NULL,
    data jsonb DEFAULT '{}'::jsonb,
    CONSTRAINT check_%[1]d CHECK (((amount > (0)::numeric) AND ((name)::text <> ''::text)))
);

CREATE SEQUENCE public.table_%[1]d_id_seq START WITH 1 INCREMENT BY 1 NO MINVALUE NO MAXVALUE CACHE 1;

ALTER TABLE ONLY public.table_%[1]d ADD CONSTRAINT table_%[1]d_pkey PRIMARY KEY (id);

CREATE INDEX index_%[1]d ON public.table_%[1]d USING btree (name, created_at);

`, i)
	}
	return b.String()
}

package builtin

import (
	"fmt"
	"strings"
	"testing"
)

func TestTypeName(t *testing.T) {
	for _, c := range []struct{ schema, name, want string }{
		{"pg_catalog", "int4", "integer"},
		{"", "int4", "integer"},
		{"", "integer", "integer"},
		{"", "int", "integer"},
		{"", "bool", "boolean"},
		{"", "varchar", "character varying"},
		{"", "decimal", "numeric"},
		{"pg_catalog", "bpchar", "character"},
		{"", "char", `"char"`},
		{"", "timestamptz", "timestamp with time zone"},
		{"", "timestamp", "timestamp without time zone"},
		{"", "_int4", "integer[]"},
		{"", "integer[]", "integer[]"},
		{"", "_char", `"char"[]`},
		{"pg_catalog", "pg_class", "pg_class"},
		{"pg_catalog", "any", `"any"`},
		{"pg_catalog", "integer", ""},
		{"public", "int4", ""},
		{"", "citext", ""},
		{"", "citext[]", ""},
	} {
		if got, ok := TypeName(c.schema, c.name); got != c.want || ok != (c.want != "") {
			t.Errorf("%s.%s: %q, %v", c.schema, c.name, got, ok)
		}
	}
}

// TestFormat compares Format with what the server keeps. The SQL of a type is written from its modifiers.
func TestFormat(t *testing.T) {
	conn, _ := connect(t)
	var expressions, want []string
	add := func(sql, name string, mods ...int) {
		s, err := Format(name, mods)
		if err != nil {
			s = "error"
		}
		expressions, want = append(expressions, "CAST(NULL AS "+sql+")"), append(want, "NULL::"+s)
	}
	add("varchar(20)", varchar, 20)
	add("varchar", varchar)
	add("varchar(0)", varchar, 0)
	add("varchar(10485761)", varchar, maxLength+1)
	add("varchar(20)[]", "character varying[]", 20)
	add("char", character, 1)
	add("char(3)", character, 3)
	add("bpchar", character)
	add("bpchar[]", "character[]")
	add("bit", "bit", 1)
	add(`"bit"`, "bit")
	add("varbit(4)", "bit varying", 4)
	add("bit(83886081)", "bit", 83886081)
	add("numeric(8,2)", "numeric", 8, 2)
	add("numeric(8)", "numeric", 8)
	add("numeric(8,-2)", "numeric", 8, -2)
	add("numeric(2,5)", "numeric", 2, 5)
	add("numeric(1001)", "numeric", 1001)
	add("numeric(8,1001)", "numeric", 8, 1001)
	add("timestamp(3)", "timestamp without time zone", 3)
	add("timestamptz(3)", "timestamp with time zone", 3)
	add("timestamptz(9)", "timestamp with time zone", 9)
	add("time(0)", "time without time zone", 0)
	add("time(3) with time zone", "time with time zone", 3)
	add("interval", "interval", full)
	add("interval(3)", "interval", full, 3)
	for _, f := range fields[1:] {
		add("interval"+f.name, "interval", f.mask)
		if strings.HasSuffix(f.name, "second") {
			add("interval"+f.name+"(2)", "interval", f.mask, 2)
		}
	}
	add("integer(3)", "integer", 3)
	add("text(3)", text, 3)
	add(`"char"`, `"char"`)
	for i, got := range ask(t, conn, expressions) {
		kept := got[1]
		if strings.HasPrefix(got[0], "error") {
			kept = "NULL::error"
		}
		if kept != want[i] {
			t.Errorf("%s: we say %s, the server %s", expressions[i], want[i], kept)
		}
	}
	for name, mods := range map[string][]int{"mood": {1}, "interval": {3}, "numeric": {1, 2, 3}} {
		if s, err := Format(name, mods); err == nil {
			t.Errorf("%s %v: %s", name, mods, s)
		}
	}
}

// TestCommonType compares CommonType with the server's COALESCE and UNION.
func TestCommonType(t *testing.T) {
	conn, _ := connect(t)
	var lists [][]string
	var expressions []string
	n := len(operandTypes)
	for a := range n {
		for b := range n {
			for c := range n + 1 {
				list := []int{a, b, c}[:2+min(1, n-c)]
				if c == n && !sampled(fmt.Sprint(list), 2) || c < n && !sampled(fmt.Sprint(list), 400) {
					continue
				}
				var types, args []string
				for _, i := range list {
					arg, _ := operand(i, "")
					types, args = append(types, operandTypes[i]), append(args, arg)
				}
				lists, expressions = append(lists, types), append(expressions, "COALESCE("+strings.Join(args, ", ")+")")
			}
		}
	}
	for i, server := range ask(t, conn, expressions) {
		got, ok := CommonType(lists[i], testTypes{})
		if !ok {
			got = ""
		}
		want := server[0]
		if strings.HasPrefix(want, "error") {
			want = ""
		}
		if got != want {
			t.Errorf("%v: we say %q, the server %q", lists[i], got, server)
		}
	}
	t.Logf("%d checks", len(lists))
}

// TestFindCast compares FindCast with the server's casts, as they are written and as assignments do them.
func TestFindCast(t *testing.T) {
	conn, _ := connect(t)
	type pair struct{ from, to string }
	var pairs []pair
	var expressions []string
	for i, from := range operandTypes {
		for _, to := range operandTypes {
			if to != unknown && from != unknown && sampled(from+to, 3) {
				given, _ := operand(i, "")
				pairs, expressions = append(pairs, pair{from, to}), append(expressions, given+"::"+to)
			}
		}
	}
	for i, server := range ask(t, conn, expressions) {
		c, ok := FindCast(pairs[i].from, pairs[i].to, testTypes{})
		if refused := strings.HasPrefix(server[0], "error"); refused == ok && server[0] != "error 42P22" { // no collation for a column
			t.Errorf("%v: we say %+v, %v, the server %q", pairs[i], c, ok, server)
		}
	}
	t.Logf("%d checks", len(pairs))
}

// TestNotKnown holds that no answer rests on a guess about a type that is not known.
func TestNotKnown(t *testing.T) {
	type operator struct{ name, left, right string }
	for c, want := range map[operator]string{ // the result; "?" behind it when only that is certain
		{"=", Unresolved, "integer"}:          "boolean?",
		{"||", Unresolved, text}:              "?",
		{"+", Unresolved, "integer"}:          "?",
		{"~~", Unresolved, unknown}:           "boolean?",
		{"=", "citext", "citext"}:             "?",
		{"=", "citext", unknown}:              "?",
		{"||", text, "citext"}:                "?",
		{"@@", "tsvector", Unresolved}:        "boolean",
		{"->>", "jsonb", Unresolved}:          "text?",
		{"->>", Unresolved, unknown}:          "text?",
		{"&&", "integer[]", Unresolved}:       "boolean",
		{"!", "", "boolean"}:                  "?",
		{"-", "", "citext"}:                   "?",
		{"no such operator", text, "integer"}: "?",
	} {
		o, ok := ResolveOperator(c.name, c.left, c.right, nil)
		got := o.Result
		if !ok {
			got += "?"
		}
		if got != want {
			t.Errorf("%v: %s, want %s", c, got, want)
		}
	}
	for call, want := range map[string]string{
		"lower()":                   "?",
		"count(citext)":             "bigint",
		"count()":                   "bigint",
		"count(@)":                  "bigint",
		"array_agg(citext)":         "citext[]",
		"max(citext)":               "?",
		"replace(citext,text,text)": "?",
		"length(@)":                 "?",
		"md5(@)":                    "text?",
		"array_length(@,integer)":   "integer",
		"unnest(@)":                 "?",
		"date(@)":                   "?",
		"concat(@,text,unknown)":    "text",
		"now()":                     "timestamp with time zone",
		"no_such_function(text)":    "?",
	} {
		name, list, _ := strings.Cut(strings.TrimSuffix(call, ")"), "(")
		var args []string
		if list != "" {
			args = strings.Split(strings.ReplaceAll(list, "@", ""), ",")
		}
		f, ok := ResolveFunction(name, args, nil)
		got := f.Result
		if !ok {
			got += "?"
		}
		if got != want {
			t.Errorf("%s: %s, want %s", call, got, want)
		}
	}
	if v, ok := Volatility("random"); v != 'v' || !ok {
		t.Errorf("random: %c, %v", v, ok)
	}
	if v, ok := Volatility("now"); v != 's' || !ok {
		t.Errorf("now: %c, %v", v, ok)
	}
}

func BenchmarkFacts(b *testing.B) {
	for b.Loop() {
		readFacts()
	}
}

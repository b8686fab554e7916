package builtin

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestFunctions compares ResolveFunction with the server, as TestOperators does for operators.
func TestFunctions(t *testing.T) {
	conn, _ := connect(t)
	type call struct {
		name string
		args []int
	}
	var calls []call
	var expressions []string
	add := func(name string, args ...int) {
		var list []string
		for _, a := range args {
			o, _ := operand(a, "")
			list = append(list, o)
		}
		e := quoted(name) + "(" + strings.Join(list, ", ") + ")"
		if HasFunction(name) {
			if f, _ := ResolveFunction(name, make([]string, len(args)), nil); f.Window {
				e += " OVER ()"
			}
		}
		calls, expressions = append(calls, call{name, args}), append(expressions, e)
	}
	names := slices.Sorted(maps.Keys(facts().functions))
	for name, to := range facts().names { // calls that are casts
		if f := facts().types[to]; f != nil && f.kind != 'p' && f.kind != 'c' && !HasFunction(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		if callable(name) {
			for n, args := range plausible(name) {
				if sampled(fmt.Sprint(name, n, args), 120) {
					add(name, args...)
				}
			}
		}
	}
	answers, taken := ask(t, conn, expressions), 0
	for i, c := range calls {
		var args, list []string
		for _, a := range c.args {
			args = append(args, operandTypes[a])
		}
		f, ok := ResolveFunction(c.name, args, testTypes{})
		server := answers[i]
		if ok && (f.Result == "void" || f.Result == record || f.WithinGroup) || strings.Contains(server[1], "floats_multirange") {
			continue // multiranges of user ranges are not known; no column of a view, or a call of another form
		}
		if refused := strings.HasPrefix(server[0], "error"); refused || !ok {
			if refused == ok {
				t.Errorf("%s: we say %v %+v, the server says %q", expressions[i], ok, f, server)
			}
			continue
		}
		taken++
		for j, a := range c.args {
			_, kept := operand(a, f.Args[j])
			if f.Args[j] == unknown {
				kept = "NULL::unknown"
			}
			list = append(list, kept)
		}
		if n := len(list) - f.Variadic; f.Variadic > 0 {
			list = append(list[:n:n], "VARIADIC ARRAY["+strings.Join(list[n:], ", ")+"]")
		}
		want := c.name + "(" + strings.Join(list, ", ") + ")"
		if f.Window {
			want += " OVER ()"
		}
		if strings.Contains(want, "NULL::name_of") {
			continue // a literal becomes a domain in two steps
		}
		if f.Cast {
			_, want = operand(c.args[0], f.Result)
		}
		if server[0] != f.Result || strings.ReplaceAll(server[1], `"`, "") != strings.ReplaceAll(want, `"`, "") {
			t.Errorf("%s: we say %+v, %s, the server says %q", expressions[i], f, want, server)
		}
	}
	t.Logf("%d checks, of which the server takes %d", len(calls), taken)
}

func quoted(name string) string { return `"` + name + `"` }

// callable leaves out functions that cannot be called from SQL.
func callable(name string) bool {
	for line := range strings.Lines(facts().functions[name]) {
		if strings.Contains(line, "internal") || strings.Contains(line, "cstring") || strings.Contains(line, "trigger") {
			return false
		}
	}
	return true
}

// plausible gives lists of arguments for a function: with each type at each place where some function of the name takes an argument,
// and literals or the parameter's own type at the others.
func plausible(name string) (lists [][]int) {
	index := map[string]int{}
	for i, t := range operandTypes {
		index[t] = i
	}
	for _, f := range append(facts().function(name), candidate{params: []string{text}}) {
		if f.rest != "" {
			lists = append(lists, slices.Repeat([]int{index["integer"]}, len(f.params)+1), slices.Repeat([]int{index[text]}, len(f.params)))
		}
		for n := len(f.params) - f.defaults; n <= len(f.params); n++ {
			for _, others := range []bool{false, true} {
				for place := range n {
					for i := range operandTypes {
						list := make([]int, n)
						for j := range list {
							if list[j] = index[f.params[j]]; others {
								list[j] = i
							}
						}
						list[place] = i
						lists = append(lists, list)
					}
				}
			}
			lists = append(lists, make([]int, n))
		}
	}
	return lists
}

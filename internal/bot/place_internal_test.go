package bot

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestMovedLines(t *testing.T) {
	for name, test := range map[string]struct {
		before, after string
		want          string // for each line of before, from 1; – is not certain
	}{
		"the same":                  {"a b c", "a b c", "1 2 3"},
		"more at the top":           {"new a b c", "a b c", "– 1 2 3"},
		"less at the top":           {"b c", "a b c", "2 3"},
		"more at the end":           {"a b new", "a b", "1 2 –"},
		"more in the middle":        {"a x y b", "a b", "1 – – 2"},
		"changed in the middle":     {"a x b", "a y b", "1 – 3"},
		"moved and unique":          {"a x q y b", "a y r q x b", "1 5 4 2 6"},
		"several of one":            {"a x q x b", "a x y r q b", "1 2 5 – 6"},
		"several of one afterwards": {"a q x y b", "a x z x b", "1 – – – 5"},
		"nothing is left":           {"a b", "", "– –"},
		"all is new":                {"", "a b", "–"},
		"two at the join":           {"a a", "a", "1 –"},
		"blank lines":               {"a _ x b", "a y _ z b", "1 – – 5"},
	} {
		t.Run(name, func(t *testing.T) {
			lines := func(text string) []string { return strings.Split(strings.ReplaceAll(text, "_", ""), " ") }
			before := lines(test.before)
			move := moved(before, lines(test.after))
			var got []string
			for i := range before {
				if line, ok := move(i + 1); ok {
					got = append(got, fmt.Sprint(line))
				} else {
					got = append(got, "–")
				}
			}
			if strings.Join(got, " ") != test.want {
				t.Errorf("got %s, want %s", strings.Join(got, " "), test.want)
			}
			for _, outside := range []int{-1, 0, len(before) + 1} {
				if line, ok := move(outside); ok {
					t.Errorf("line %d is at %d", outside, line)
				}
			}
		})
	}
}

// Whatever the texts are, a line is only ever taken to one that reads the same.
func TestMovedLinesReadTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SliceOfN(rapid.SampledFrom([]string{"", "a", "b", ");", "CREATE TABLE t ("}), 0, 12)
		before, after := text.Draw(t, "before"), text.Draw(t, "after")
		move := moved(before, after)
		for i := range before {
			if line, ok := move(i + 1); ok && (line < 1 || line > len(after) || after[line-1] != before[i]) {
				t.Fatalf("line %d, %q, is taken to %d", i+1, before[i], line)
			}
		}
	})
}

package source_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/source"
)

func TestPos(t *testing.T) {
	f := &source.File{Path: "a.sql", Text: "ab\n\nüx\n"}
	for offset, want := range map[int]schema.Pos{
		0: {File: "a.sql", Line: 1, Column: 1},
		2: {File: "a.sql", Line: 1, Column: 3},
		3: {File: "a.sql", Line: 2, Column: 1},
		4: {File: "a.sql", Line: 3, Column: 1},
		6: {File: "a.sql", Line: 3, Column: 2}, // ü has two bytes and is one code point
		7: {File: "a.sql", Line: 3, Column: 3},
		8: {File: "a.sql", Line: 4, Column: 1},
	} {
		if got := f.Pos(offset); got != want {
			t.Errorf("offset %d is at %s, want %s", offset, got, want)
		}
	}
	if got := (&source.File{Path: "empty.sql"}).Pos(0); got.String() != "empty.sql:1:1" {
		t.Errorf("the start of an empty file is at %s", got)
	}
}

// TestPosCounts compares with counting from the start, for each offset of random texts and in any order of asking.
func TestPosCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{"a", "\n", "ü", "\r", "語", "\t"})).Draw(t, "text"), "")
		f := &source.File{Path: "a.sql", Text: text}
		offset := rapid.IntRange(0, len(text)).Filter(func(i int) bool { return i == len(text) || utf8.RuneStart(text[i]) }).Draw(t, "offset")
		before := text[:offset]
		want := schema.Pos{File: "a.sql", Line: 1 + strings.Count(before, "\n"), Column: 1 + utf8.RuneCountInString(before[strings.LastIndex(before, "\n")+1:])}
		if got := f.Pos(offset); got != want {
			t.Fatalf("offset %d of %q is at %s, want %s", offset, text, got, want)
		}
	})
}

package comment_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/altergate/altergate/internal/comment"
)

func TestMarkerIsReadBack(t *testing.T) {
	mark := options().Mark
	line := "<!-- altergate key=20c09b9819083c76 head=c0ffee0123456789c0ffee0123456789c0ffee01 run=9876543210.1 -->"
	if got := comment.Marker(mark); got != line {
		t.Errorf("the marker is %s, want %s", got, line)
	}
	tests := map[string]bool{
		line:                                true,
		"text\n\n" + line:                   true,
		"text\r\n" + line + "\r\n":          true,
		line + "\ntext":                     false,
		"text " + line:                      false,
		" " + line:                          false,
		line + " ":                          false,
		line + line:                         false,
		"> " + line:                         false,
		line[:len(line)-1]:                  false,
		"":                                  false,
		strings.ToUpper(line):               false,
		strings.Replace(line, "20c", "", 1): false,
		strings.Replace(line, "9876543210", "99999999999999999999", 1): false,
		strings.Replace(line, ".1 ", ".99999999999999999999 ", 1):      false,
		strings.Replace(line, "head=c0ffee", "head=--> x c0ffee", 1):   false,
		strings.Replace(line, "run=", "extra=1 run=", 1):               false,
	}
	for body, want := range tests {
		got, ok := comment.ParseMarker(body)
		if ok != want {
			t.Errorf("ParseMarker(%q) is %t", body, ok)
		}
		if wanted := map[bool]comment.Mark{true: mark}[want]; got != wanted {
			t.Errorf("mark of %q (-want +got):\n%s", body, cmp.Diff(wanted, got))
		}
	}
}

func TestMarkerSaysWithWhichStatusTheRunBegan(t *testing.T) {
	mark := options().Mark
	mark.Began = 4711
	line := "<!-- altergate key=20c09b9819083c76 head=c0ffee0123456789c0ffee0123456789c0ffee01 run=9876543210.1 began=4711 -->"
	if got, ok := comment.ParseMarker(line); !ok || got != mark || comment.Marker(mark) != line {
		t.Errorf("the marker is %s, and reads %+v", comment.Marker(mark), got)
	}
	for _, wrong := range []string{"began=x", "began=", "began=-1", "began=99999999999999999999", "began=4711 began=4711"} {
		if got, ok := comment.ParseMarker(strings.Replace(line, "began=4711", wrong, 1)); ok {
			t.Errorf("%s reads %+v", wrong, got)
		}
	}
}

func TestMarkerCannotBeClosedFromWithin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := comment.Mark{Key: rapid.String().Draw(t, "key"), Head: rapid.String().Draw(t, "head"), Run: rapid.Int64().Draw(t, "run")}
		line := comment.Marker(m)
		if inside := strings.TrimSuffix(strings.TrimPrefix(line, "<!-- "), " -->"); strings.ContainsAny(inside, "<>\n") || strings.Contains(inside, "--") {
			t.Fatalf("the marker is %s", line)
		}
	})
}

func TestMarksAreOrderedByRun(t *testing.T) {
	older, newer, again := comment.Mark{Run: 7, Attempt: 3}, comment.Mark{Run: 8, Attempt: 1}, comment.Mark{Run: 8, Attempt: 2}
	if older.Compare(newer) >= 0 || again.Compare(newer) <= 0 || again.Compare(again) != 0 {
		t.Errorf("7.3, 8.1 and 8.2 compare as %d, %d, %d", older.Compare(newer), again.Compare(newer), again.Compare(again))
	}
}

// A run that is started again later has a lower number than those in between.
func TestMarksAreOrderedByTheirBeginning(t *testing.T) {
	first, again, unknown := comment.Mark{Run: 900, Began: 4}, comment.Mark{Run: 100, Began: 5}, comment.Mark{Run: 500}
	if first.Compare(again) >= 0 || again.Compare(first) <= 0 {
		t.Error("the number of the run counts for more than its beginning")
	}
	if unknown.Compare(again) <= 0 || unknown.Compare(first) >= 0 {
		t.Error("without a beginning the number of the run does not count")
	}
}

func TestKeysOfContextsDiffer(t *testing.T) {
	if comment.KeyOf("altergate") == comment.KeyOf("altergate/ledger") {
		t.Error("two contexts have one key")
	}
}

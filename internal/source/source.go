// Package source finds the text of a schema in a tree (an fs.FS): a file or a directory of files. It knows files, sizes and
// encodings, and nothing of SQL.
package source

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// Coverage counts the statements of a schema's text. What is in neither Modelled nor Opaque was passed over because it
// changes no schema (SET, INSERT, BEGIN), and is named in a notice.
type Coverage struct {
	Statements, Modelled, Opaque int
}

// Told is what a text says besides the schema it declares.
type Told struct {
	Coverage   Coverage
	Hints      []diff.Hint     // from comments
	HintErrors []*schema.Error // hints that cannot be read or belong to nothing; of no concern at the base
	Notices    []schema.Notice
	Passed     map[string]int // statements that change no schema and were passed over, by what they are
}

// PassedOver names the statements that were passed over, if any.
func (t Told) PassedOver() []schema.Notice {
	var names []string
	total := 0
	for _, what := range slices.Sorted(maps.Keys(t.Passed)) {
		if n := t.Passed[what]; n > 0 {
			names = append(names, fmt.Sprintf("%s ×%d", what, n))
			total += n
		}
	}
	if total == 0 {
		return nil
	}
	return []schema.Notice{{Text: fmt.Sprintf("%d of the statements change no schema and were passed over: %s", total, strings.Join(names, ", "))}}
}

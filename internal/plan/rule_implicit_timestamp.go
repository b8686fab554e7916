package plan

import (
	"regexp"
	"strings"

	"github.com/altergate/altergate/internal/diff"
)

// implicitTimestamp: where explicit_defaults_for_timestamp is off, as in MySQL 5.7 and MariaDB before 10.10, a table's first TIMESTAMP
// that says nothing else is set to the time of every change, and others that are NOT NULL begin with zeroes.
var implicitTimestamp = Rule{ID: "implicit-timestamp", Title: "a TIMESTAMP gets a default that nobody wrote", Check: func(p *Pass, c diff.Change) []Finding {
	if !p.mysql() {
		return nil
	}
	var found []Finding
	t, columns := columnsOf(c)
	for _, col := range columns {
		if !strings.HasPrefix(col.TypeCanon, "timestamp") || col.Generated != nil || saysTime.MatchString(col.Text) {
			continue
		}
		found = append(found, onHead(Review, col.Pos, "Column %s.%s is a TIMESTAMP that says neither NULL nor a default: whether it is set to the time of each change hangs on the server's explicit_defaults_for_timestamp", t.Name, col.Name)...)
	}
	return found
}}

// saysTime finds what makes a TIMESTAMP's default clear: one that is written, ON UPDATE, or NULL that is allowed.
var saysTime = regexp.MustCompile(`(?is)\bDEFAULT\b|\bON\s+UPDATE\b|^\s*(?:` + "`[^`]*`" + `|\S+)\s+timestamp\s*(?:\(\s*\d\s*\))?\s+NULL\b`)

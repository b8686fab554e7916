package migration

import (
	"strings"

	"github.com/altergate/altergate/internal/source"
)

// delimited cuts a text that has a delimiter of its own into what it sends one by one. In the file that it gives the delimiters are
// blank.
func delimited(f *source.File, from int, delimiter string) (*source.File, []Span) {
	if delimiter == "" || delimiter == ";" {
		return f, nil
	}
	var whole []Span
	for at := from; at < len(f.Text); {
		end := len(f.Text)
		next := end
		if i := strings.Index(f.Text[at:], delimiter); i >= 0 {
			end, next = at+i, at+i+len(delimiter)
		}
		if strings.TrimSpace(f.Text[at:end]) != "" {
			whole = append(whole, Span{at, end})
		}
		at = next
	}
	return cutOut(f, whole...), whole
}

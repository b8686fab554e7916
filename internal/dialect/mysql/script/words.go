package script

import "strings"

// words is what Words says.
func words(text string) map[string]bool {
	all := map[string]bool{}
	for t := plain.next(text, 0); t.Kind != End; t = plain.next(text, t.End) {
		if t.Kind == Word || t.Kind == QuotedName {
			all[strings.ToLower(t.Name(text))] = true
		}
	}
	return all
}

package script

import "strings"

// words is for the engineer of this package to write; see Words.
func words(text string) map[string]bool {
	all := map[string]bool{}
	for _, w := range strings.Fields(strings.ToLower(text)) {
		all[w] = true
	}
	return all
}

package catalog_test

import (
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/dialect/mysql/catalog"
	"github.com/altergate/altergate/internal/dialect/mysql/script"
	"github.com/altergate/altergate/internal/source"
)

// TestBrokenScripts cuts scripts off and takes words out of them: whatever is left is read or refused with a place, and nothing falls over.
func TestBrokenScripts(t *testing.T) {
	sv := version(t, "mariadb", "10.11")
	try := func(text string) {
		s, _ := script.Split(&source.File{Path: "schema.sql", Text: text}, sv)
		if s == nil {
			return
		}
		_, errs := catalog.New(sv).Run(s.Statements)
		for _, e := range errs {
			if e.Pos.Line == 0 || e.Text == "" {
				t.Errorf("%s\n%v has no place", text, e)
			}
		}
	}
	texts := append([]string{}, onServer...)
	for _, e := range expressions[:60] {
		texts = append(texts, "CREATE TABLE t (a int AS ("+e+"))")
	}
	for _, v := range views {
		texts = append(texts, "CREATE VIEW v AS "+v)
	}
	for _, text := range texts {
		for i := 0; i < len(text); i += 5 {
			try(text[:i])
		}
		words := strings.Fields(text)
		for i := range words {
			try(strings.Join(words[:i], " ") + " " + strings.Join(words[i+1:], " "))
		}
	}
}

package scratch

import (
	"testing"

	flavours "github.com/altergate/altergate/internal/dialect/mysql/server"
)

func TestBeyond(t *testing.T) {
	maria := func(major, minor, patch int) flavours.Server {
		return flavours.Server{MariaDB: true, Major: major, Minor: minor, Patch: patch}
	}
	for _, test := range []struct {
		meant, is flavours.Server
		want      bool
	}{
		{flavours.Server{}, maria(10, 11, 6), false},
		{maria(10, 11, 99), maria(10, 11, 6), false}, // 10.11 is any of them
		{maria(10, 11, 0), maria(10, 11, 6), false},
		{maria(10, 11, 7), maria(10, 11, 6), true},
		{maria(11, 4, 99), maria(10, 11, 6), true},
		{maria(11, 99, 99), maria(11, 4, 2), false},
		{maria(10, 6, 0), maria(11, 4, 2), false},
		{flavours.Server{Major: 8}, maria(10, 11, 6), true},
		{flavours.Server{Major: 8, Patch: 29}, flavours.Server{Major: 8, Patch: 20}, true},
		{flavours.Server{Major: 8, Patch: 99}, flavours.Server{Major: 8, Patch: 20}, false},
	} {
		if got := (flavour{test.meant}).beyond(test.is); got != test.want {
			t.Errorf("a schema for %v on %v: %v", test.meant, test.is, got)
		}
	}
}

func TestInlineReferences(t *testing.T) {
	for text, want := range map[string]bool{
		"CREATE TABLE g (id int, h int REFERENCES h (id))":                                                                    true,
		"CREATE TABLE g (id int, h int NOT NULL COMMENT 'x' REFERENCES `h` (id) ON DELETE CASCADE)":                           true,
		"ALTER TABLE g ADD COLUMN h int REFERENCES h (id)":                                                                    true,
		"CREATE TABLE g (id int, h int, FOREIGN KEY (h) REFERENCES h (id), CONSTRAINT x FOREIGN KEY k (h) REFERENCES h (id))": false,
		"ALTER TABLE g ADD CONSTRAINT f FOREIGN KEY (h, i) REFERENCES h (id, i), ADD x int":                                   false,
		"ALTER TABLE g ADD FOREIGN KEY (h) REFERENCES h (id), ADD x int REFERENCES h (id)":                                    true,
		"CREATE TABLE g (id int COMMENT 'it REFERENCES a herd', `references` int, `foreign` int)":                             false,
	} {
		if got := inlineReferences(tokens(text, mode{})); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

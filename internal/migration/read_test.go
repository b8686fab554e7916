package migration_test

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/altergate/altergate/internal/migration"
	"github.com/altergate/altergate/internal/source"
)

// tree makes a tree of paths and texts, in pairs.
func tree(pairs ...string) fstest.MapFS {
	t := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		t[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return t
}

// sketch writes a directory down in lines: the tool, then each migration with what it runs.
func sketch(d *migration.Directory) string {
	var b strings.Builder
	b.WriteString(d.Tool)
	for _, m := range d.Migrations {
		b.WriteString("\n" + m.Version + " " + m.Path)
		if m.Up != nil {
			b.WriteString(" up=" + migration.Normal(m.Up.Text, "postgres"))
		}
		if m.Down != nil {
			b.WriteString(" down=" + migration.Normal(m.Down.Text, "postgres"))
		}
		for _, flag := range []struct {
			on   bool
			name string
		}{{m.Transaction, "tx"}, {m.Implicit, "implicit"}, {m.Repeatable, "repeatable"}, {m.Baseline, "baseline"}, {m.Language != "", m.Language}} {
			if flag.on {
				b.WriteString(" " + flag.name)
			}
		}
	}
	for _, n := range d.Notices {
		b.WriteString("\n# " + n.Pos.String() + ": " + n.Text)
	}
	return b.String()
}

func TestReadMissing(t *testing.T) {
	if _, err := migration.Read(tree("a", "b"), "migrations", migration.Options{}); !errors.Is(err, source.ErrMissing) {
		t.Errorf("%v", err)
	}
}

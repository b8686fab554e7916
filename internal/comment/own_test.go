package comment_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/altergate/altergate/internal/comment"
)

// Our comment shows the command that it asks for. Whoever reads it as a comment, we ourselves or another bot of ours, finds none in it.
func TestOurOwnCommentHoldsNoCommand(t *testing.T) {
	bodies, err := filepath.Glob("testdata/*.md")
	if err != nil || len(bodies) < 10 {
		t.Fatalf("there are %d bodies: %v", len(bodies), err)
	}
	for _, name := range bodies {
		body, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if found := comment.Commands(string(body)); len(found) > 0 {
			t.Errorf("%s holds %+v", name, found)
		}
	}
}

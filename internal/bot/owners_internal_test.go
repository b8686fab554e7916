package bot

import (
	"testing"
	"testing/fstest"

	"github.com/altergate/altergate/internal/codeowners"
	"github.com/altergate/altergate/internal/pull"
)

// TestNobodyOwnsNothing: where no file is changed, everybody would own every changed file.
func TestNobodyOwnsNothing(t *testing.T) {
	file, err := codeowners.Read(fstest.MapFS{"CODEOWNERS": {Data: []byte("* @ann\n")}})
	if err != nil {
		t.Fatal(err)
	}
	ann := pull.User{ID: 1, Login: "ann"}
	for want, e := range map[string]electorate{
		"no file of it is changed":          {owners: file},
		"the base branch has no CODEOWNERS": {},
	} {
		if got, err := e.notOwned(t.Context(), ann, nil); got != want || err != nil {
			t.Errorf("got %q, %v, want %q", got, err, want)
		}
	}
	if got, err := (electorate{owners: file}).notOwned(t.Context(), ann, []string{"a"}); got != "" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
}

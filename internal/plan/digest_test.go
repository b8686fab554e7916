package plan_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/schema"
)

// built gives steps their IDs, as Build does.
func built(t *testing.T, name string, steps ...*plan.Step) []*plan.Step {
	t.Helper()
	p, err := plan.Build(plan.Input{Name: name, From: &schema.Schema{}, To: &schema.Schema{Dialect: "sqlite"}}, &planner{steps: steps})
	if err != nil {
		t.Fatal(err)
	}
	return p.Steps
}

// dropMail is a step with something in every field.
func dropMail() *plan.Step {
	table := &schema.Table{Name: "users", Key: "users"}
	column := &schema.Column{Name: "mail", Key: "mail"}
	return &plan.Step{Kind: "rebuild_table", Object: "users", From: "", Old: "table users\nmail text", New: "table users", Transaction: true,
		Changes: []diff.Change{diff.DropColumn{Table: table, Column: column}},
		SQL:     []string{"CREATE TABLE __altergate_new_users (id INTEGER PRIMARY KEY)", "DROP TABLE users"},
		Before:  []string{"BEGIN IMMEDIATE"}, After: []string{"COMMIT"},
		Lock: plan.Lock{Level: "RESERVED", Blocks: "writes", Rewrite: true, Scan: true}}
}

// TestStepID pins an ID, computed here anew. If this test fails, approvals that people have given are void: a change of what an ID is
// made of needs another word than altergate/v1.
func TestStepID(t *testing.T) {
	h := sha256.New()
	for _, field := range []string{"altergate/v1", "sqlite", "main", "rebuild_table", "users", "table users\nmail text", "table users",
		"CREATE TABLE __altergate_new_users (id INTEGER PRIMARY KEY)", "DROP TABLE users"} {
		fmt.Fprintf(h, "%s%s", string([]byte{0, 0, 0, 0, 0, 0, 0, byte(len(field))}), field)
	}
	want := hex.EncodeToString(h.Sum(nil))[:16]
	if got := built(t, "main", dropMail())[0].ID; got != want {
		t.Errorf("the ID is %s, want %s", got, want)
	}
	if want != "bf4814083c4ecca4" {
		t.Errorf("the ID has become %s", want)
	}
}

// TestStepIDCounts changes one thing at a time: what a step does is in its ID, and what only stands around it is not.
func TestStepIDCounts(t *testing.T) {
	id := func(name string, change func(*plan.Step)) string {
		s := dropMail()
		change(s)
		return built(t, name, s)[0].ID
	}
	same := id("main", func(*plan.Step) {})
	for what, change := range map[string]func(*plan.Step){
		"the kind":               func(s *plan.Step) { s.Kind = "drop_column" },
		"the object":             func(s *plan.Step) { s.Object = "user" },
		"the old definition":     func(s *plan.Step) { s.Old += "\nphone text" },
		"the new definition":     func(s *plan.Step) { s.New = "" },
		"a statement":            func(s *plan.Step) { s.SQL[1] = "DROP TABLE user" },
		"one statement more":     func(s *plan.Step) { s.SQL = append(s.SQL, "DROP TABLE pets") },
		"one statement less":     func(s *plan.Step) { s.SQL = s.SQL[:1] },
		"where statements part":  func(s *plan.Step) { s.SQL = []string{s.SQL[0] + s.SQL[1]} },
		"where definitions part": func(s *plan.Step) { s.Old, s.New = s.Old+"t", s.New[1:] },
	} {
		if id("main", change) == same {
			t.Errorf("%s is not part of the ID", what)
		}
	}
	if id("ledger", func(*plan.Step) {}) == same {
		t.Error("the schema's name is not part of the ID")
	}
	for what, change := range map[string]func(*plan.Step){
		"the frame of the plan":    func(s *plan.Step) { s.Before, s.After = nil, []string{"COMMIT", "PRAGMA foreign_keys = ON"} },
		"the lock":                 func(s *plan.Step) { s.Lock = plan.Lock{} },
		"whether it can roll back": func(s *plan.Step) { s.Transaction = false },
		"where it was written": func(s *plan.Step) {
			c := s.Changes[0].(diff.DropColumn)
			s.Changes[0] = diff.DropColumn{Table: c.Table, Column: &schema.Column{Name: "mail", Key: "mail", Pos: schema.Pos{File: "b.sql", Line: 9, Column: 9}}}
		},
	} {
		if id("main", change) != same {
			t.Errorf("%s is part of the ID", what)
		}
	}
}

func TestDigest(t *testing.T) {
	const none = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	if got := plan.Digest(nil); got != none {
		t.Errorf("no step has the digest %s", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		identity := rapid.StringMatching(`[0-9a-f]{64}`)
		ids := rapid.SliceOfNDistinct(identity, 1, 6, rapid.ID).Draw(t, "identities")
		digest := plan.Digest(steps(ids))
		if len(digest) != 64 || strings.Trim(digest, "0123456789abcdef") != "" {
			t.Fatalf("the digest is %q", digest)
		}
		if other := rapid.Permutation(ids).Draw(t, "order"); plan.Digest(steps(other)) != digest {
			t.Fatalf("the order %q gives another digest than %q", other, ids)
		}
		if plan.Digest(steps(ids[1:])) == digest {
			t.Fatal("a step less gives the same digest")
		}
		other := rapid.SliceOfNDistinct(identity, 1, 6, rapid.ID).Draw(t, "other identities")
		if same := slices.Equal(slices.Sorted(slices.Values(ids)), slices.Sorted(slices.Values(other))); same != (plan.Digest(steps(other)) == digest) {
			t.Fatalf("%q and %q: the digests are equal, or the steps are, and not the others", ids, other)
		}
		if strings.HasPrefix(digest, ids[0][:16]) {
			t.Fatal("the digest begins with a step's ID")
		}
	})
}

func steps(identities []string) []*plan.Step {
	var s []*plan.Step
	for _, identity := range identities {
		s = append(s, &plan.Step{Identity: identity, ID: identity[:16]})
	}
	return s
}

// Two steps that share an ID, which can be found by trying, do not share a digest.
func TestDigestIsOfWholeIdentities(t *testing.T) {
	id := "0123456789abcdef"
	if a, b := plan.Digest(steps([]string{id + strings.Repeat("a", 48)})), plan.Digest(steps([]string{id + strings.Repeat("b", 48)})); a == b {
		t.Error("one ID, one digest")
	}
}

// TestDigestLeavesOutTheRest: whatever joins a plan within policy leaves the digest of the steps above it as it is.
func TestDigestLeavesOutTheRest(t *testing.T) {
	alone := &plan.Plan{Steps: built(t, "main", dropMail())}
	added := &plan.Step{Kind: "create_table", Object: "pets", New: "table pets", SQL: []string{"CREATE TABLE pets (id)"},
		Changes: []diff.Change{diff.CreateTable{Table: &schema.Table{Name: "pets", Key: "pets"}}}}
	last := dropMail()
	last.Before = nil // the transaction begins with the new step now
	joined := &plan.Plan{Steps: built(t, "main", added, last)}
	if a, b := plan.Digest(alone.Above(plan.Review)), plan.Digest(joined.Above(plan.Review)); a != b {
		t.Errorf("a safe step changes the digest from %s to %s", a, b)
	}
	if a, b := plan.Digest(alone.Above(plan.Review)), plan.Digest(joined.Above(plan.Destructive)); a == b {
		t.Error("the digest does not depend on the steps")
	}
}

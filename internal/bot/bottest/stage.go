// Package bottest sets the stage for tests of the Action: a fake GitHub with one pull request, number 7 by eve, whose commits are in a
// real repository. Ann may write, rex may only read.
package bottest

import (
	"slices"
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/pull/pulltest"
)

// Number is the pull request's.
const Number = 7

// Config is a configuration with the default policy.
const Config = `schemas:
  - name: main
    dialect: sqlite
    source: db/schema.sql
`

// Schema is what the base declares.
const Schema = `CREATE TABLE users (id INTEGER PRIMARY KEY, email TEXT NOT NULL, nick TEXT);
CREATE TABLE orders (id INTEGER PRIMARY KEY, user_id INTEGER REFERENCES users (id), note TEXT);
`

// Base is the base's files.
func Base() Files {
	return Files{".github/altergate.yml": Config, "db/schema.sql": Schema, "README.md": "A shop\n"}
}

// DropNick loses one column.
func DropNick() Files { return changed(", nick TEXT", "") }

// DropNickAndNote loses that column and another.
func DropNickAndNote() Files { return changed(", nick TEXT", "", ", note TEXT", "") }

// DropNickAndIndex loses that column, and has a step that is not destructive beside it.
func DropNickAndIndex() Files {
	files := DropNick()
	files["db/schema.sql"] += "CREATE INDEX orders_user ON orders (user_id);\n"
	return files
}

// AddIndex loses nothing.
func AddIndex() Files {
	return Files{"db/schema.sql": Schema + "CREATE INDEX orders_user ON orders (user_id);\n"}
}

// NoSchema leaves the schema alone.
func NoSchema() Files { return Files{"README.md": "A big shop\n"} }

func changed(oldnew ...string) Files {
	return Files{"db/schema.sql": strings.NewReplacer(oldnew...).Replace(Schema)}
}

// Scene is a base, a head made from it, and GitHub's merge of the two.
type Scene struct {
	Repo              *Repository
	Base, Head, Merge string
}

// NewScene makes one. Several stages may share it, as long as none adds commits.
func NewScene(t testing.TB, base, head Files) *Scene {
	t.Helper()
	r := NewRepository(t)
	s := &Scene{Repo: r, Base: r.Commit("", base)}
	s.Head = r.Commit(s.Base, head)
	s.Merge = r.Merge(s.Base, s.Head)
	return s
}

// Stage is a scene with a GitHub around it.
type Stage struct {
	*pulltest.GitHub
	Scene
	t testing.TB
}

// New sets the stage.
func New(t testing.TB, scene *Scene) *Stage {
	t.Helper()
	s := &Stage{GitHub: pulltest.New(t), Scene: *scene, t: t}
	s.User("ann").Role("write")
	s.User("rex").Role("read")
	s.Git(scene.Repo.Dir)
	s.Branch("main", s.Base)
	s.PullRequest(Number).Author("eve").Base("main", s.Base)
	s.show()
	return s
}

// AlsoOpen opens another pull request with the same head.
func (s *Stage) AlsoOpen(number int, into string) {
	s.t.Helper()
	s.PullRequest(number).Head(s.Head).Base(into, s.Base)
}

// show has the pull request be what the scene is.
func (s *Stage) show() {
	pr := s.PullRequest(Number).Head(s.Head)
	if s.Merge == "" {
		pr.Conflict()
		return
	}
	pr.MergeCommit(s.Merge)
}

// Push adds a commit to the head.
func (s *Stage) Push(files Files) {
	s.t.Helper()
	s.Head = s.Repo.Commit(s.Head, files)
	s.Merge = s.Repo.Merge(s.Base, s.Head)
	s.show()
}

// MoveBase adds a commit to main. GitHub's own idea of the pull request's base stays what it was at the last push.
func (s *Stage) MoveBase(files Files) {
	s.t.Helper()
	s.Base = s.Repo.Commit(s.Base, files)
	s.Merge = s.Repo.Merge(s.Base, s.Head)
	s.Branch("main", s.Base)
	s.show()
}

// States are the states of our status on a commit, the oldest first.
func (s *Stage) States(sha string) []string {
	var states []string
	for _, status := range slices.Backward(s.Statuses(sha)) {
		states = append(states, status.State)
	}
	return states
}

// Last is the status that counts on a commit.
func (s *Stage) Last(sha string) pulltest.Status {
	s.t.Helper()
	statuses := s.Statuses(sha)
	if len(statuses) == 0 {
		s.t.Fatalf("there is no status on %s", sha)
	}
	return statuses[0]
}

// Ours are the comments that a bot wrote.
func (s *Stage) Ours() []pulltest.Comment {
	return slices.DeleteFunc(s.Comments(Number), func(c pulltest.Comment) bool { return !strings.HasSuffix(c.Author, "[bot]") })
}

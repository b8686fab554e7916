package bot

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/altergate/altergate/internal/comment"
	"github.com/altergate/altergate/internal/policy"
	"github.com/altergate/altergate/internal/pull"
	"github.com/altergate/altergate/internal/schema"
)

// command is one slash command. None is carried out when it is written: each run hears all of them again, in their order, so that one
// that is edited, deleted or seen twice needs no care.
type command struct {
	name, usage, meaning string
	hear                 func(*conversation, utterance)
}

// commands are all there are, in the order of the help.
func commands() []command {
	return []command{approve(), unapprove(), again(), help()}
}

// utterance is one command of one comment.
type utterance struct {
	comment.Command
	comment pull.Comment
	line    int // among the commands of the comment
}

// compare orders utterances by when they were said.
func (u utterance) compare(o utterance) int {
	return cmp.Or(u.comment.Created.Compare(o.comment.Created), cmp.Compare(u.comment.ID, o.comment.ID), cmp.Compare(u.line, o.line))
}

// conversation is what people said in commands, and what it comes to.
type conversation struct {
	author    pull.User // of the pull request
	given     []approval
	takenBack []utterance
	wantHelp  bool
	last      map[string]utterance // the last command of each person
}

// approval is a fact for the policy, and where it comes from.
type approval struct {
	policy.Approval
	said utterance
}

// listen hears all comments, the oldest first. Bots are heard too, so that it can be said that their approvals do not count.
func (r *review) listen() conversation {
	c := conversation{author: r.pr.Author, last: map[string]utterance{}}
	for _, written := range r.comments {
		if r.me.Is(written.Author) && r.marked(written.Body) {
			continue // the plan comment
		}
		for line, said := range comment.Commands(written.Body) {
			c.hear(utterance{said, written, line})
		}
	}
	for i, a := range c.given {
		c.given[i].Revoked = slices.ContainsFunc(c.takenBack, func(u utterance) bool { return takesBack(u, a.said) })
		// What comes with our own token may come from any workflow that has it.
		c.given[i].Bot = a.said.comment.ByBot() || r.me.Is(a.said.comment.Author)
	}
	return c
}

func (c *conversation) hear(u utterance) {
	if !u.comment.ByBot() {
		c.last[person(u.comment.Author)] = u
	}
	if u.Problem != "" {
		return
	}
	for _, known := range commands() {
		if known.name == u.Name {
			known.hear(c, u)
		}
	}
}

// person names an account for as long as this run lasts.
func person(u pull.User) string {
	if u.ID != 0 {
		return fmt.Sprint(u.ID)
	}
	return "@" + strings.ToLower(u.Login)
}

// same tells whether two accounts are one.
func same(a, b pull.User) bool {
	if a == (pull.User{}) || b == (pull.User{}) { // two that are gone need not be one
		return false
	}
	return person(a) == person(b)
}

// approvals are all that were given, with what is known about them.
func (c conversation) approvals() []policy.Approval {
	facts := make([]policy.Approval, len(c.given))
	for i, a := range c.given {
		facts[i] = a.Approval
	}
	return facts
}

// remarks are lines for the plan comment: help for who asked, and what was not understood of each person's last command. They follow
// from the comments alone, as all else does, so that they stay until they are answered and then go.
func (c conversation) remarks() []schema.Notice {
	var notices []schema.Notice
	for _, u := range c.misused() {
		notices = append(notices, schema.Notice{Text: fmt.Sprintf("%q by %s at %s is not understood: %s", clip(u.Line), u.comment.Author.Login,
			u.comment.Created.UTC().Format(time.DateOnly+" 15:04 UTC"), u.Problem)})
	}
	if c.wantHelp {
		var lines []string
		for _, known := range commands() {
			lines = append(lines, known.usage+" "+known.meaning)
		}
		notices = append(notices, schema.Notice{Text: "commands, each alone on a line of a comment: " + strings.Join(lines, "; ")})
	}
	return notices
}

// misused are people's last commands that make no sense, the latest few of them.
func (c conversation) misused() []utterance {
	const few = 5
	var wrong []utterance
	for _, u := range c.last {
		if u.Problem != "" {
			wrong = append(wrong, u)
		}
	}
	slices.SortFunc(wrong, utterance.compare)
	return wrong[max(0, len(wrong)-few):]
}

func clip(line string) string {
	const width = 60
	if runes := []rune(line); len(runes) > width {
		return string(runes[:width]) + "…"
	}
	return line
}

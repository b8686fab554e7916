package bot

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/comment"
	"github.com/altergate/altergate/internal/pull"
)

// question is what an event asks for, which is always to look at pull requests as they are now: at one, or at all that a branch or a
// commit has in common.
type question struct {
	trigger
	into string // all open ones that go to this branch; empty: no
	with string // all open ones with this head; empty: no
}

// trigger has one pull request looked at.
type trigger struct {
	number  int
	head    string // where the event says the head was; empty when it does not say
	comment int64  // the comment to react to, which holds commands; 0 is none
	altered int64  // the comment of ours that somebody changed, so that its mark may be gone; 0 is none
	group   group  // of a merge queue, which is looked at in the place of the pull request's own head; zero: no
	broken  error  // why all that can be done is to make the head red
	nothing string // why there is nothing to do
}

// payload is as much of an event's payload as is looked at. It is old when it arrives, so that it only says what to look at.
type payload struct {
	Action      string `json:"action"`
	Number      int    `json:"number"`
	PullRequest struct {
		Head struct {
			SHA string `json:"sha"`
		} `json:"head"`
	} `json:"pull_request"`
	Issue struct {
		Number      int       `json:"number"`
		PullRequest *struct{} `json:"pull_request"` // nil: a plain issue
	} `json:"issue"`
	Comment struct {
		ID   int64     `json:"id"`
		Body string    `json:"body"`
		User account   `json:"user"`
		Via  *struct{} `json:"performed_via_github_app"`
	} `json:"comment"`
	Changes struct {
		Body struct {
			From string `json:"from"`
		} `json:"body"`
	} `json:"changes"`
	MergeGroup struct {
		HeadSHA string `json:"head_sha"`
		HeadRef string `json:"head_ref"`
		BaseSHA string `json:"base_sha"`
		BaseRef string `json:"base_ref"`
	} `json:"merge_group"`
	WorkflowRun struct {
		HeadSHA string `json:"head_sha"`
	} `json:"workflow_run"`
	Inputs     map[string]any `json:"inputs"` // of workflow_dispatch
	Ref        string         `json:"ref"`    // of a push
	Deleted    bool           `json:"deleted"`
	Sender     account        `json:"sender"`
	Repository struct {
		FullName string `json:"full_name"`
	} `json:"repository"`
}

type account struct {
	ID    int64  `json:"id"`
	Login string `json:"login"`
	Type  string `json:"type"`
}

func (a account) bot() bool { return pull.User{ID: a.ID, Login: a.Login, Type: a.Type}.Bot() }

// events are those that can be answered, in the order in which an error names them.
func (b *Bot) events() []event {
	return []event{
		{"pull_request", parsePullRequest},
		{"pull_request_target", parsePullRequest},
		{"issue_comment", b.parseComment},
		{"merge_group", parseMergeGroup},
		{"workflow_dispatch", parseDispatch},
		{"push", parsePush},
		{"workflow_run", parseWorkflowRun},
	}
}

type event struct {
	name  string
	parse func(payload) (question, error)
}

func (b *Bot) parse(name string, text []byte) (question, error) {
	var names []string
	for _, known := range b.events() {
		names = append(names, known.name)
		if known.name != name {
			continue
		}
		var p payload
		if err := json.Unmarshal(text, &p); err != nil {
			return question{}, fmt.Errorf("its payload is not what GitHub sends: %w", err)
		}
		if !strings.EqualFold(p.Repository.FullName, b.Pulls.Repository()) {
			return question{}, fmt.Errorf("its payload is about the repository %q, and this run is about %s", p.Repository.FullName, b.Pulls.Repository())
		}
		return known.parse(p)
	}
	return question{}, fmt.Errorf("this version answers %s; take it out of the workflow's `on:`", strings.Join(names, ", "))
}

// parsePullRequest does not tell actions apart: one that changes nothing for us, such as a label, finds everything as it was.
func parsePullRequest(p payload) (question, error) {
	switch head := p.PullRequest.Head.SHA; {
	case head == "":
		return question{}, errors.New("its payload names no pull request")
	case p.Number <= 0:
		return question{trigger: trigger{head: head, broken: errors.New("the event's payload gives its pull request no number")}}, nil
	default:
		return question{trigger: trigger{number: p.Number, head: head}}, nil
	}
}

func (b *Bot) parseComment(p payload) (question, error) {
	if p.Issue.Number <= 0 || p.Comment.ID <= 0 {
		return question{}, errors.New("its payload names no comment")
	}
	if !slices.Contains([]string{"created", "edited", "deleted"}, p.Action) {
		return question{}, fmt.Errorf("its action is %q, and comments are created, edited or deleted", p.Action)
	}
	if p.Issue.PullRequest == nil {
		return question{trigger: trigger{nothing: "the comment is on an issue, not on a pull request"}}, nil
	}
	t := trigger{number: p.Issue.Number}
	byBot := p.Comment.User.bot() || p.Comment.Via != nil
	switch {
	case b.tampered(p):
		t.altered = p.Comment.ID
	case byBot:
		t.nothing = "the comment is a bot's"
	case len(comment.Commands(p.Comment.Body)) > 0:
		if p.Action != "deleted" {
			t.comment = p.Comment.ID
		}
	case p.Action == "edited" && len(comment.Commands(p.Changes.Body.From)) > 0: // it held an approval, which is gone
	default:
		t.nothing = "the comment holds no command"
	}
	return question{trigger: t}, nil
}

// tampered tells whether somebody else changed a comment that carries our mark, so that it has to be put right. If the mark is not ours
// but copied, no harm is done by looking. Our own edits are no reason to look again: that would never end.
func (b *Bot) tampered(p payload) bool {
	if p.Action == "created" || p.Sender.bot() || p.Sender.ID == p.Comment.User.ID {
		return false
	}
	return b.marked(p.Comment.Body) || b.marked(p.Changes.Body.From)
}

func (b *Bot) marked(body string) bool {
	mark, ok := comment.ParseMarker(body)
	return ok && mark.Key == comment.KeyOf(b.Context)
}

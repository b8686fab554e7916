package bot

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/altergate/altergate/internal/pull"
)

// dispatchInput is the input of a workflow that is started by hand.
const dispatchInput = "pull-request"

func parseDispatch(p payload) (question, error) {
	text, _ := p.Inputs[dispatchInput].(string)
	number, err := strconv.Atoi(strings.TrimPrefix(strings.TrimSpace(text), "#"))
	if err != nil || number <= 0 {
		return question{}, fmt.Errorf("its input %s has to be the number of a pull request, and is %.40q", dispatchInput, text)
	}
	return question{trigger: trigger{number: number}}, nil
}

// parsePush has the pull requests looked at again that go to the branch, since what they are compared with has changed.
func parsePush(p payload) (question, error) {
	branch, ok := strings.CutPrefix(p.Ref, "refs/heads/")
	switch {
	case p.Ref == "":
		return question{}, errors.New("its payload names no branch")
	case !ok || branch == "":
		return question{trigger: trigger{nothing: "the push is not to a branch"}}, nil
	case p.Deleted:
		return question{trigger: trigger{nothing: "the branch was deleted"}}, nil
	}
	return question{into: branch}, nil
}

// parseWorkflowRun takes the head and nothing else from a workflow that ran before: what such a run leaves behind may be a fork's.
func parseWorkflowRun(p payload) (question, error) {
	if p.WorkflowRun.HeadSHA == "" {
		return question{}, errors.New("its payload names no run")
	}
	return question{with: p.WorkflowRun.HeadSHA}, nil
}

// each looks at all open pull requests that a question is about, one after the other, and gives an answer for each.
func (b *Bot) each(ctx context.Context, q question) []Answer {
	about := "goes to " + q.into
	if q.with != "" {
		about = fmt.Sprintf("has the head %.12s", q.with)
	}
	open, err := b.Pulls.OpenPulls(ctx)
	if err != nil {
		return []Answer{b.cannot(err)}
	}
	var answers []Answer
	left := 0
	for _, other := range open {
		switch {
		case other.Base != q.into && other.Head != q.with:
		case len(answers) == most || ctx.Err() != nil || stopped(answers):
			left++
		default:
			answers = append(answers, b.look(ctx, trigger{number: other.Number}))
		}
	}
	switch {
	case left > 0:
		answers = append(answers, b.cannot(fmt.Errorf("%s, each of which %s, could not be looked at; what their statuses say is as old as "+
			"their last runs: comment /plan on them, or start the workflow by hand for each", count(left, "open pull request"), about)))
	case len(answers) == 0:
		answers = []Answer{{Nothing: "no open pull request " + about}}
	}
	return answers
}

// most is how many pull requests are looked at in one run. A workflow's own token has a thousand requests an hour.
const most = 50

// stopped tells whether the last answer shows that there is no use in asking GitHub for more.
func stopped(answers []Answer) bool {
	return len(answers) > 0 && errors.Is(answers[len(answers)-1].Failure, pull.ErrRateLimited)
}

// cannot is an answer that is about no pull request.
func (b *Bot) cannot(err error) Answer {
	r := &review{Bot: b}
	r.fail(err)
	return r.answer
}

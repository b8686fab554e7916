package bot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/gitdiff"
	"github.com/altergate/altergate/internal/policy"
	"github.com/altergate/altergate/internal/pull"
	"github.com/altergate/altergate/internal/schema"
)

// group is what a merge queue tries before it merges a pull request: the branch with everything that is ahead in the queue, and the
// same with the pull request in it.
type group struct {
	base, head string // commits
	branch     string // that the queue is of
}

// parseMergeGroup takes the pull request from the name of the group's branch. A group that cannot be understood is red: a status that
// is missing would hold up the whole queue.
func parseMergeGroup(p payload) (question, error) {
	in := p.MergeGroup
	branch := strings.TrimPrefix(in.BaseRef, "refs/heads/")
	switch {
	case p.Action == "destroyed":
		return question{trigger: trigger{nothing: "the merge group is gone"}}, nil
	case in.HeadSHA == "":
		return question{}, errors.New("its payload names no merge group")
	}
	t := trigger{head: in.HeadSHA}
	entry, of, ok := pull.ParseEntry(in.HeadRef)
	if !ok || of != branch || in.BaseSHA == "" {
		t.broken = fmt.Errorf("the merge group of %.200q on %.200q is not one that says which pull request it is of", in.HeadRef, in.BaseRef)
		return question{trigger: t}, nil
	}
	t.number, t.group = entry.Number, group{base: in.BaseSHA, head: in.HeadSHA, branch: branch}
	return question{trigger: t}, nil
}

// ahead finds out whether everything that is ahead in the queue may be merged, each pull request with the approvals of its own. A queue
// may be set to merge all of them as soon as the last one is green.
func (r *review) ahead(ctx context.Context) (*schema.Error, error) {
	if gitdiff.Commit(r.group.base) == r.tip {
		return nil, nil
	}
	queue, err := r.Pulls.Queue(ctx, r.group.branch)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(queue, func(e pull.Entry) bool { return e.Head == r.group.base })
	if at < 0 { // it may have been merged since the tip was read
		tip, err := r.Pulls.Branch(ctx, r.group.branch)
		if err != nil || tip == r.group.base {
			return nil, err
		}
		return nil, fmt.Errorf("the merge group stands on %.12s, which is neither the tip of %s nor in its queue; the queue tries it again", r.group.base, r.group.branch)
	}
	const most = 20
	entry := queue[at]
	if r.behind == most {
		return nil, fmt.Errorf("more than %d pull requests are ahead in the merge queue; set the queue to build fewer at once", most)
	}
	other := &review{Bot: r.Bot, trigger: trigger{number: entry.Number, head: entry.Head, group: group{entry.Base, entry.Head, r.group.branch}}, behind: r.behind + 1}
	if other.pr, err = r.Pulls.Get(ctx, entry.Number); err != nil {
		return nil, err
	}
	other.commit = entry.Head
	if other.pr.State != "open" {
		return nil, fmt.Errorf("pull request #%d, which is ahead in the merge queue, is %s", entry.Number, other.pr.State)
	}
	if err := other.evaluate(ctx); err != nil {
		return nil, fmt.Errorf("looking at #%d, which is ahead in the merge queue: %w", entry.Number, err)
	}
	if other.answer.Verdict.Outcome == policy.Passed {
		return nil, nil
	}
	return &schema.Error{Kind: schema.KindConfig, Text: fmt.Sprintf("pull request #%d is ahead in the merge queue, and would be merged with this one; "+
		"it is not within policy: have it approved, or take it out of the queue", entry.Number)}, nil
}

package bot

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// group is what a merge queue tries before it merges a pull request: the branch with everything that is ahead in the queue, and the
// same with the pull request in it.
type group struct {
	base, head string // commits
	branch     string // that the queue is of
}

// queued is the branch that a merge queue makes for a pull request; its end is the commit that it was made from.
var queued = regexp.MustCompile(`^refs/heads/gh-readonly-queue/(.+)/pr-([0-9]{1,9})-[0-9a-f]{40,64}$`)

// parseMergeGroup takes the pull request from the name of the group's branch, which only GitHub can make. A group that cannot be
// understood is red: a status that is missing would hold up the whole queue.
func parseMergeGroup(p payload) (question, error) {
	g := group{base: p.MergeGroup.BaseSHA, head: p.MergeGroup.HeadSHA, branch: strings.TrimPrefix(p.MergeGroup.BaseRef, "refs/heads/")}
	switch {
	case p.Action == "destroyed":
		return question{trigger: trigger{nothing: "the merge group is gone"}}, nil
	case g.head == "":
		return question{}, errors.New("its payload names no merge group")
	}
	t := trigger{head: g.head}
	parts := queued.FindStringSubmatch(p.MergeGroup.HeadRef)
	if parts == nil || g.base == "" || g.branch == "" || parts[1] != g.branch {
		t.broken = fmt.Errorf("the merge group of %.200q on %.200q is not one that says which pull request it is of", p.MergeGroup.HeadRef, p.MergeGroup.BaseRef)
		return question{trigger: t}, nil
	}
	t.number, _ = strconv.Atoi(parts[2])
	t.group = g
	return question{trigger: t}, nil
}

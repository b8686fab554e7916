package pulltest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// PullRequestEvent is the payload of pull_request, and of pull_request_target, for a pull request as it is now.
func (gh *GitHub) PullRequestEvent(action string, number int) []byte {
	gh.t.Helper()
	defer gh.lock()()
	pr := gh.pulls[number]
	if pr == nil {
		gh.t.Fatalf("pulltest: there is no pull request #%d", number)
	}
	o := object{"number": number, "pull_request": gh.pullJSON(pr)}
	if action == "edited" && pr.was[0] != "" {
		o["changes"] = object{"base": object{"ref": object{"from": pr.was[0]}, "sha": object{"from": pr.was[1]}}}
	}
	return gh.payload(action, pr.author, o)
}

// CommentEvent is the payload of issue_comment: created, edited or deleted. Whoever changed the comment last is its sender.
func (gh *GitHub) CommentEvent(action string, id int64) []byte {
	gh.t.Helper()
	defer gh.lock()()
	i := slices.IndexFunc(gh.comments, func(c *Comment) bool { return c.ID == id })
	if i < 0 {
		gh.t.Fatalf("pulltest: there never was a comment %d", id)
	}
	c := gh.comments[i]
	o := object{"comment": gh.commentJSON(c), "issue": gh.issueJSON(c.PullRequest)}
	sender := c.Author
	if action != "created" {
		sender = c.changedBy
	}
	if action == "edited" {
		o["changes"] = object{"body": object{"from": c.before}}
	}
	return gh.payload(action, sender, o)
}

// DispatchEvent is the payload of a workflow_dispatch with the number of a pull request as its input.
func (gh *GitHub) DispatchEvent(number string) []byte {
	gh.t.Helper()
	defer gh.lock()()
	return gh.payload("", gh.owner(), object{"ref": "refs/heads/main", "workflow": ".github/workflows/altergate.yml", "inputs": object{"pull-request": number}})
}

// PushEvent is the payload of a push that moves a branch to a commit.
func (gh *GitHub) PushEvent(branch, sha string) []byte {
	gh.t.Helper()
	defer gh.lock()()
	return gh.payload("", gh.owner(), object{"ref": "refs/heads/" + branch, "after": sha, "deleted": false})
}

// WorkflowRunEvent is the payload of a workflow_run after a workflow of a pull request with this head. GitHub names the pull requests of
// the run only if none is a fork's, so that here it names none.
func (gh *GitHub) WorkflowRunEvent(sha string) []byte {
	gh.t.Helper()
	defer gh.lock()()
	return gh.payload("completed", gh.owner(), object{"workflow_run": object{
		"id": 4711, "head_sha": sha, "head_branch": "feature", "event": "pull_request", "conclusion": "success", "pull_requests": []object{},
	}})
}

// EventFile writes a payload where GITHUB_EVENT_PATH can point to.
func (gh *GitHub) EventFile(payload []byte) string {
	gh.t.Helper()
	path := filepath.Join(gh.t.TempDir(), "event.json")
	if err := os.WriteFile(path, payload, 0o600); err != nil {
		gh.t.Fatalf("pulltest: %v", err)
	}
	return path
}

func (gh *GitHub) payload(action, sender string, o object) []byte {
	gh.t.Helper()
	o["sender"], o["repository"] = gh.userJSON(sender), gh.repositoryJSON(gh.Repository)
	if action != "" { // not every event has one
		o["action"] = action
	}
	payload, err := json.MarshalIndent(o, "", "  ")
	if err != nil {
		gh.t.Fatalf("pulltest: %v", err)
	}
	return payload
}

// issueJSON is a pull request as an issue, which is how the event of a comment shows it: without head and base.
func (gh *GitHub) issueJSON(number int) object {
	pr := gh.pulls[number]
	if pr == nil { // a comment on a plain issue
		return object{"number": number, "state": "open", "user": gh.userJSON("eve"), "title": "A question"}
	}
	whole := gh.pullJSON(pr)
	o := object{"pull_request": object{}}
	for _, key := range []string{"number", "state", "locked", "draft", "user", "title", "body", "created_at", "updated_at"} {
		o[key] = whole[key]
	}
	for _, key := range []string{"url", "html_url", "diff_url", "patch_url", "merged_at"} {
		o["pull_request"].(object)[key] = whole[key]
	}
	o["url"], o["html_url"] = whole["issue_url"], gh.pageURL()+"/issues/"+strconv.Itoa(number)
	return o
}

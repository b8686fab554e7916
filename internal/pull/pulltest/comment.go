package pulltest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
)

// Comment is one in the conversation of a pull request, as it stands.
type Comment struct {
	ID               int64
	PullRequest      int
	Author           string
	Via              string // slug of the App that acted for the author
	Body             string
	Created, Updated time.Time
	Hidden           string // why it was hidden: OUTDATED; empty: it is to be seen

	authorID  int64
	before    string // the text before the last edit
	changedBy string
	deleted   bool
}

// Comment adds what someone wrote.
func (gh *GitHub) Comment(number int, login, body string) Comment {
	return gh.CommentVia(number, login, "", body)
}

// CommentVia adds what an App wrote in someone's name.
func (gh *GitHub) CommentVia(number int, login, app, body string) Comment {
	defer gh.lock()()
	return *gh.addComment(number, login, app, body)
}

func (gh *GitHub) addComment(number int, login, app, body string) *Comment {
	now := gh.tick()
	c := &Comment{ID: gh.nextID(), PullRequest: number, Author: login, authorID: gh.user(login).id, Via: app, Body: body, Created: now, Updated: now}
	gh.comments = append(gh.comments, c)
	return c
}

// EditComment replaces a text in the browser, as everyone with write access can.
func (gh *GitHub) EditComment(id int64, login, body string) {
	gh.change(id, func(c *Comment) { gh.edit(c, login, body) })
}

func (gh *GitHub) edit(c *Comment, login, body string) {
	c.before, c.Body, c.Updated, c.changedBy = c.Body, body, gh.tick(), login
}

// DeleteComment takes a comment away in the browser.
func (gh *GitHub) DeleteComment(id int64, login string) {
	gh.change(id, func(c *Comment) { c.deleted, c.changedBy = true, login })
}

// RedateComment sets the times of a comment.
func (gh *GitHub) RedateComment(id int64, created, updated time.Time) {
	gh.change(id, func(c *Comment) { c.Created, c.Updated = created, updated })
}

// HideComment hides a comment in the browser.
func (gh *GitHub) HideComment(id int64) { gh.change(id, func(c *Comment) { c.Hidden = "OFF_TOPIC" }) }

// ShowComment shows a hidden one again.
func (gh *GitHub) ShowComment(id int64) { gh.change(id, func(c *Comment) { c.Hidden = "" }) }

func (gh *GitHub) change(id int64, f func(*Comment)) {
	gh.t.Helper()
	defer gh.lock()()
	c := gh.comment(id)
	if c == nil {
		gh.t.Fatalf("pulltest: there is no comment %d", id)
	}
	f(c)
}

func (gh *GitHub) comment(id int64) *Comment {
	i := slices.IndexFunc(gh.comments, func(c *Comment) bool { return c.ID == id && !c.deleted })
	if i < 0 {
		return nil
	}
	return gh.comments[i]
}

// Comments are the comments of a pull request, the oldest first.
func (gh *GitHub) Comments(number int) []Comment {
	defer gh.lock()()
	var list []Comment
	for _, c := range gh.commentsOn(number) {
		list = append(list, *c)
	}
	return list
}

func (gh *GitHub) commentsOn(number int) []*Comment {
	var list []*Comment
	for _, c := range gh.comments {
		if c.PullRequest == number && !c.deleted {
			list = append(list, c)
		}
	}
	return list
}

// Reaction is a sign someone set below a comment.
type Reaction struct{ Login, Content string }

// Reactions are those to a comment, the oldest first.
func (gh *GitHub) Reactions(comment int64) []Reaction {
	defer gh.lock()()
	return slices.Clone(gh.reactions[comment])
}

func (gh *GitHub) commentRoutes() []route {
	return []route{
		{"GET /repos/{owner}/{repo}/issues/{issue_number}/comments", "pull-requests: read", gh.listComments},
		{"POST /repos/{owner}/{repo}/issues/{issue_number}/comments", "pull-requests: write", gh.createComment},
		{"PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}", "pull-requests: write", gh.withComment(gh.editComment)},
		{"DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}", "pull-requests: write", gh.withComment(gh.deleteComment)},
		{"POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions", "pull-requests: write", gh.withComment(gh.react)},
	}
}

func (gh *GitHub) listComments(r *http.Request, _ caller) reply {
	pr := gh.pullOf(r, "issue_number")
	if pr == nil {
		return notFound()
	}
	return page(gh, r, gh.commentsOn(pr.number), gh.commentJSON)
}

func (gh *GitHub) createComment(r *http.Request, who caller) reply {
	pr := gh.pullOf(r, "issue_number")
	if pr == nil {
		return notFound()
	}
	if pr.locked {
		return refuse(http.StatusForbidden, "Unable to create comment because issue is locked.")
	}
	body, refusal := commentBody(r)
	if refusal != nil {
		return *refusal
	}
	return created(gh.commentJSON(gh.addComment(pr.number, who.login, who.app, body)))
}

// withComment finds the comment in the path.
func (gh *GitHub) withComment(handle func(*http.Request, caller, *Comment) reply) func(*http.Request, caller) reply {
	return func(r *http.Request, who caller) reply {
		id, _ := strconv.ParseInt(r.PathValue("comment_id"), 10, 64)
		c := gh.comment(id)
		if c == nil {
			return notFound()
		}
		if who.app == "" && who.login != c.Author && !gh.users[who.login].flags()["push"] && r.Method != http.MethodPost {
			return refuse(http.StatusForbidden, "Must have admin rights to Repository.")
		}
		return handle(r, who, c)
	}
}

func (gh *GitHub) editComment(r *http.Request, who caller, c *Comment) reply {
	body, refusal := commentBody(r)
	if refusal != nil {
		return *refusal
	}
	gh.edit(c, who.login, body)
	return ok(gh.commentJSON(c))
}

func (gh *GitHub) deleteComment(_ *http.Request, who caller, c *Comment) reply {
	gh.tick()
	c.deleted, c.changedBy = true, who.login
	return reply{status: http.StatusNoContent}
}

func (gh *GitHub) react(r *http.Request, who caller, c *Comment) reply {
	var in struct {
		Content string `json:"content"`
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		return refuse(http.StatusBadRequest, "Problems parsing JSON")
	}
	if pr := gh.pulls[c.PullRequest]; pr != nil && pr.locked {
		return refuse(http.StatusForbidden, "Unable to create reaction because issue is locked.")
	}
	answer := object{"id": c.ID*10 + int64(len(gh.reactions[c.ID])), "node_id": nodeID("R", c.ID), "user": gh.userJSON(who.login),
		"content": in.Content, "created_at": stamp(gh.clock)}
	reaction := Reaction{who.login, in.Content}
	if slices.Contains(gh.reactions[c.ID], reaction) {
		return ok(answer)
	}
	gh.tick()
	gh.reactions[c.ID] = append(gh.reactions[c.ID], reaction)
	return created(answer)
}

// commentBody holds GitHub's two rules about texts that its description does not tell. It does not tell either what the limit counts.
func commentBody(r *http.Request) (string, *reply) {
	var in struct {
		Body string `json:"body"`
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		return "", new(refuse(http.StatusBadRequest, "Problems parsing JSON"))
	}
	switch {
	case strings.TrimSpace(in.Body) == "":
		return "", new(invalid("IssueComment", "body", "missing_field", ""))
	case len(utf16.Encode([]rune(in.Body))) > 65536 || len(in.Body) > 262144:
		return "", new(invalid("IssueComment", "body", "custom", "body is too long (maximum is 65536 characters)"))
	}
	return in.Body, nil
}

func (gh *GitHub) commentJSON(c *Comment) object {
	user := gh.userJSON(c.Author)
	user["id"] = c.authorID
	o := object{
		"id": c.ID, "node_id": nodeID("IC", c.ID), "user": user, "body": c.Body, "author_association": "CONTRIBUTOR",
		"url":        fmt.Sprintf("%s/repos/%s/issues/comments/%d", gh.URL, gh.Repository, c.ID),
		"html_url":   fmt.Sprintf("%s/pull/%d#issuecomment-%d", gh.pageURL(), c.PullRequest, c.ID),
		"issue_url":  fmt.Sprintf("%s/repos/%s/issues/%d", gh.URL, gh.Repository, c.PullRequest),
		"created_at": stamp(c.Created), "updated_at": stamp(c.Updated), "performed_via_github_app": nil,
	}
	if c.Via != "" {
		o["performed_via_github_app"] = gh.appJSON(c.Via)
	}
	return o
}

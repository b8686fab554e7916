package pulltest

import (
	"fmt"
	"maps"
	"strings"
	"time"
)

// object is JSON on its way out.
type object map[string]any

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

func nodeID(kind string, id int64) string { return fmt.Sprintf("%s_%d", kind, id) }

// pageURL is where people see the repository.
func (gh *GitHub) pageURL() string { return strings.TrimSuffix(gh.URL, base) + "/" + gh.Repository }

// urls are the many addresses in GitHub's answers, which all begin alike.
func urls(prefix string, names ...string) object {
	o := object{}
	for _, name := range names {
		o[name+"_url"] = prefix + "/" + name
	}
	return o
}

func (gh *GitHub) userJSON(login string) object {
	u := gh.user(login)
	o := urls(gh.URL+"/users/"+login, "avatar", "events", "followers", "following", "gists", "organizations", "received_events", "repos",
		"starred", "subscriptions")
	kind := "User"
	if strings.HasSuffix(login, "[bot]") {
		kind = "Bot"
	}
	maps.Copy(o, object{
		"login": login, "id": u.id, "node_id": nodeID("U", u.id), "type": kind, "site_admin": false, "gravatar_id": "",
		"url": gh.URL + "/users/" + login, "html_url": strings.TrimSuffix(gh.URL, base) + "/" + login,
	})
	return o
}

func (gh *GitHub) publicUserJSON(login string) object {
	o := gh.userJSON(login)
	maps.Copy(o, object{
		"user_view_type": "public", "name": nil, "company": nil, "blog": "", "location": nil, "email": nil, "hireable": nil, "bio": nil,
		"public_repos": 0, "public_gists": 0, "followers": 0, "following": 0,
		"created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z",
	})
	return o
}

func (gh *GitHub) repositoryJSON(fullName string) object {
	owner, name, _ := strings.Cut(fullName, "/")
	address := gh.URL + "/repos/" + fullName
	o := urls(address, "archive", "assignees", "blobs", "branches", "collaborators", "comments", "commits", "compare", "contents",
		"contributors", "deployments", "downloads", "events", "forks", "git_commits", "git_refs", "git_tags", "hooks", "issue_comment",
		"issue_events", "issues", "keys", "labels", "languages", "merges", "milestones", "notifications", "pulls", "releases",
		"stargazers", "statuses", "subscribers", "subscription", "tags", "teams", "trees", "clone", "git", "ssh", "svn")
	maps.Copy(o, object{
		"id": len(fullName), "node_id": "R_" + name, "name": name, "full_name": fullName, "owner": gh.userJSON(owner),
		"private": false, "fork": fullName != gh.Repository, "url": address, "html_url": strings.TrimSuffix(gh.URL, base) + "/" + fullName,
		"description": nil, "homepage": nil, "language": nil, "mirror_url": nil, "license": nil, "default_branch": "main",
		"archived": false, "disabled": false, "has_downloads": true, "has_issues": true, "has_projects": true, "has_wiki": true,
		"has_pages": false, "has_discussions": false, "network_count": 0, "subscribers_count": 0, "forks": 0, "forks_count": 0,
		"open_issues": 0, "open_issues_count": 0, "size": 0, "stargazers_count": 0, "watchers": 0, "watchers_count": 0,
		"pushed_at": "2026-01-01T00:00:00Z", "created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z",
	})
	return o
}

func (gh *GitHub) pullJSON(p *PullRequest) object {
	page := fmt.Sprintf("%s/pull/%d", gh.pageURL(), p.number)
	address := fmt.Sprintf("%s/repos/%s/pulls/%d", gh.URL, gh.Repository, p.number)
	issue := fmt.Sprintf("%s/repos/%s/issues/%d", gh.URL, gh.Repository, p.number)
	o := object{
		"url": address, "html_url": page, "diff_url": page + ".diff", "patch_url": page + ".patch", "issue_url": issue,
		"comments_url": issue + "/comments", "commits_url": address + "/commits", "review_comment_url": address + "/comments/{number}",
		"review_comments_url": address + "/comments", "statuses_url": gh.URL + "/repos/" + gh.Repository + "/statuses/" + p.head,
		"id": p.number, "node_id": nodeID("PR", int64(p.number)), "number": p.number, "title": "Change the schema", "body": nil,
		"state": p.state, "merged": p.merged, "draft": p.draft, "locked": p.locked, "active_lock_reason": nil, "user": gh.userJSON(p.author),
		"author_association": "CONTRIBUTOR", "assignee": nil, "assignees": []object{}, "labels": []object{}, "milestone": nil,
		"requested_reviewers": []object{}, "requested_teams": []object{}, "auto_merge": nil, "merged_by": nil,
		"additions": 1, "deletions": 1, "changed_files": 1, "comments": 0, "review_comments": 0, "commits": len(p.commits),
		"mergeable": p.mergeable, "mergeable_state": "unknown", "maintainer_can_modify": false, "merge_commit_sha": nil,
		"created_at": "2026-01-01T00:00:00Z", "updated_at": stamp(gh.clock), "closed_at": nil, "merged_at": nil,
		"head": gh.branchJSON(p.headRepo, p.headRef, p.head),
		"base": gh.branchJSON(gh.Repository, p.baseRef, p.base),
	}
	links := object{}
	for link, of := range map[string]string{
		"self": "url", "html": "html_url", "issue": "issue_url", "comments": "comments_url", "commits": "commits_url",
		"statuses": "statuses_url", "review_comment": "review_comment_url", "review_comments": "review_comments_url",
	} {
		links[link] = object{"href": o[of]}
	}
	o["_links"] = links
	if p.mergeCommit != "" {
		o["merge_commit_sha"] = p.mergeCommit
	}
	if p.merged {
		o["merged_at"] = stamp(gh.clock)
	}
	if p.state == "closed" {
		o["closed_at"] = stamp(gh.clock)
	}
	return o
}

func (gh *GitHub) branchJSON(repository, ref, sha string) object {
	owner, _, _ := strings.Cut(repository, "/")
	o := object{"label": owner + ":" + ref, "ref": ref, "sha": sha, "user": nil, "repo": nil}
	if repository != "" {
		o["user"], o["repo"] = gh.userJSON(owner), gh.repositoryJSON(repository)
	}
	return o
}

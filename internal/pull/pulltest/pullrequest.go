package pulltest

import (
	"cmp"
	"crypto/sha1"
	"encoding/hex"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// SHA makes a commit's name of any text, the same at each run.
func SHA(text string) string {
	sum := sha1.Sum([]byte(text))
	return hex.EncodeToString(sum[:])
}

// PullRequest is one, as it is set up. Each method changes it and returns it.
type PullRequest struct {
	gh            *GitHub
	number        int
	author, state string
	merged        bool
	draft, locked bool
	head, headRef string
	headRepo      string // empty: the fork is gone
	base, baseRef string
	was           [2]string // base and baseRef before Retarget
	mergeCommit   string
	mergeable     *bool
	commits       []string
}

// commit is known by its name, its author and its committer; an empty login is an address no account has.
type commit struct{ sha, author, committer string }

// PullRequest finds one, or opens it: by eve, from the branch feature with one commit, into main, with a clean test merge.
func (gh *GitHub) PullRequest(number int) *PullRequest {
	gh.mu.Lock()
	pr := gh.pulls[number]
	if pr == nil {
		name := "#" + strconv.Itoa(number)
		pr = &PullRequest{gh: gh, number: number, author: "eve", state: "open", headRef: "feature", headRepo: gh.Repository,
			base: SHA("main"), baseRef: "main", mergeable: new(true)}
		gh.user(pr.author)
		gh.commit(pr.base)
		gh.pulls[number] = pr
		pr.headOn(SHA("head of "+name), pr.author)
	}
	gh.mu.Unlock()
	return pr
}

func (p *PullRequest) with(change func()) *PullRequest {
	defer p.gh.lock()()
	change()
	return p
}

func (p *PullRequest) headOn(sha, author string) {
	p.gh.commits[sha] = commit{sha: sha, author: author, committer: author}
	p.head, p.mergeCommit, p.commits = sha, SHA("merge of "+sha), []string{sha}
	p.gh.commit(p.mergeCommit)
}

// Author makes someone the author, and of the first commit too.
func (p *PullRequest) Author(login string) *PullRequest {
	return p.with(func() {
		p.gh.user(login)
		p.author = login
		p.gh.commits[p.commits[0]] = commit{sha: p.commits[0], author: login, committer: login}
	})
}

// Head is a force push: the pull request now has this one commit, by its author.
func (p *PullRequest) Head(sha string) *PullRequest {
	return p.with(func() { p.headOn(sha, p.author) })
}

// Push adds a commit; the head moves to it.
func (p *PullRequest) Push(sha, author, committer string) *PullRequest {
	return p.with(func() {
		commits := append(p.commits, sha)
		p.headOn(sha, author)
		p.gh.commits[sha] = commit{sha, author, committer}
		p.commits = commits
	})
}

// Base says where it is to be merged.
func (p *PullRequest) Base(ref, sha string) *PullRequest {
	return p.with(func() {
		p.was = [2]string{p.baseRef, p.base}
		p.baseRef, p.base = ref, sha
		p.gh.commit(sha)
	})
}

// Fork makes it one from another repository. An empty name is a fork that was deleted since.
func (p *PullRequest) Fork(repository string) *PullRequest {
	return p.with(func() { p.headRepo = repository })
}

// MergeCommit names the test merge.
func (p *PullRequest) MergeCommit(sha string) *PullRequest {
	return p.with(func() {
		p.mergeCommit = sha
		p.gh.commit(sha)
	})
}

// Conflict makes the test merge impossible; the merge commit of an earlier head stays.
func (p *PullRequest) Conflict() *PullRequest { return p.with(func() { p.mergeable = new(false) }) }

// Unmerged is the state until GitHub has tried the merge.
func (p *PullRequest) Unmerged() *PullRequest {
	return p.with(func() { p.mergeable, p.mergeCommit = nil, "" })
}

// Draft makes it a draft.
func (p *PullRequest) Draft() *PullRequest { return p.with(func() { p.draft = true }) }

// Lock locks the conversation.
func (p *PullRequest) Lock() *PullRequest { return p.with(func() { p.locked = true }) }

// Close closes it without a merge.
func (p *PullRequest) Close() *PullRequest { return p.with(func() { p.state = "closed" }) }

// Merge merges it.
func (p *PullRequest) Merge() *PullRequest {
	return p.with(func() { p.state, p.merged = "closed", true })
}

// HeadSHA is where its head is now.
func (p *PullRequest) HeadSHA() string {
	defer p.gh.lock()()
	return p.head
}

// commit makes a commit known, so that it can carry statuses.
func (gh *GitHub) commit(sha string) {
	if _, known := gh.commits[sha]; !known {
		gh.commits[sha] = commit{sha: sha}
	}
}

func (gh *GitHub) pullRoutes() []route {
	return []route{
		{"GET /repos/{owner}/{repo}/pulls", "pull-requests: read", gh.listPulls},
		{"GET /repos/{owner}/{repo}/pulls/{pull_number}", "pull-requests: read", gh.getPull},
		{"GET /repos/{owner}/{repo}/pulls/{pull_number}/commits", "pull-requests: read", gh.listCommits},
		{"GET /repos/{owner}/{repo}/compare/{basehead}", "contents: read", gh.compare},
	}
}

func (gh *GitHub) pullOf(r *http.Request, parameter string) *PullRequest {
	number, _ := strconv.Atoi(r.PathValue(parameter))
	return gh.pulls[number]
}

func (gh *GitHub) getPull(r *http.Request, _ caller) reply {
	pr := gh.pullOf(r, "pull_number")
	if pr == nil {
		return notFound()
	}
	answer := ok(gh.pullJSON(pr))
	answer.undescribed = pr.headRepo == "" // null, which the description does not allow
	return answer
}

// listPulls gives the open ones, the newest first, as GitHub does unasked.
func (gh *GitHub) listPulls(r *http.Request, _ caller) reply {
	var open []*PullRequest
	for _, pr := range gh.pulls {
		if pr.state == "open" {
			open = append(open, pr)
		}
	}
	slices.SortFunc(open, func(a, b *PullRequest) int { return cmp.Compare(b.number, a.number) })
	return page(gh, r, open, gh.pullJSON)
}

// listCommits ends after 250 without a word, as GitHub does.
func (gh *GitHub) listCommits(r *http.Request, _ caller) reply {
	pr := gh.pullOf(r, "pull_number")
	if pr == nil {
		return notFound()
	}
	return page(gh, r, pr.commits[:min(len(pr.commits), 250)], gh.commitJSON)
}

// compare knows the pull requests' own commits, and with a repository every two commits of it.
func (gh *GitHub) compare(r *http.Request, _ caller) reply {
	from, to, _ := strings.Cut(r.PathValue("basehead"), "...")
	var commits []string
	for _, pr := range gh.pulls {
		if pr.base == from && pr.head == to {
			commits = pr.commits
		}
	}
	parted := from
	if gh.git != nil {
		var refusal *reply
		if parted, refusal = gh.git.mergeBase(from, to); refusal != nil {
			return *refusal
		}
	} else if commits == nil {
		return notFound()
	}
	some, header := pageOf(gh, r, commits, gh.commitJSON)
	address := gh.pageURL() + "/compare/" + from + "..." + to
	return reply{status: http.StatusOK, header: header, body: object{
		"url": gh.URL + "/repos/" + gh.Repository + "/compare/" + from + "..." + to, "html_url": address, "permalink_url": address,
		"diff_url": address + ".diff", "patch_url": address + ".patch", "base_commit": gh.commitJSON(from), "merge_base_commit": gh.commitJSON(parted),
		"status": "ahead", "ahead_by": len(commits), "behind_by": 0, "total_commits": len(commits), "commits": some,
		"files": []object{},
	}}
}

func (gh *GitHub) commitJSON(sha string) object {
	account := func(login string) any {
		if login == "" {
			return nil
		}
		return gh.userJSON(login)
	}
	c := gh.commits[sha]
	address := gh.URL + "/repos/" + gh.Repository + "/commits/" + sha
	who := object{"name": "Somebody", "email": "somebody@example.com", "date": stamp(gh.clock)}
	return object{
		"sha": sha, "node_id": "C_" + sha, "url": address, "html_url": gh.pageURL() + "/commit/" + sha, "comments_url": address + "/comments",
		"commit": object{"author": who, "committer": who, "comment_count": 0, "message": "Change something", "url": address,
			"tree": object{"sha": SHA("tree of " + sha), "url": address}},
		"author": account(c.author), "committer": account(c.committer), "parents": []object{},
	}
}

package pulltest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Status is one that was posted on a commit. Creator, Created and ID are the fake's to fill in.
type Status struct {
	State, Context, Description, URL string
	Creator                          string
	Created                          time.Time
	ID                               int64

	sha       string
	creatorID int64
}

// PostStatus posts a status in someone's name.
func (gh *GitHub) PostStatus(login, sha string, s Status) Status {
	defer gh.lock()()
	gh.commit(sha)
	return gh.addStatus(login, sha, s)
}

func (gh *GitHub) addStatus(login, sha string, s Status) Status {
	s.sha, s.ID, s.Created, s.Creator, s.creatorID = sha, gh.nextID(), gh.tick(), login, gh.user(login).id
	gh.statuses = append(gh.statuses, s)
	return s
}

// Statuses are those of a commit, the newest first.
func (gh *GitHub) Statuses(sha string) []Status {
	defer gh.lock()()
	return gh.statusesOf(sha)
}

func (gh *GitHub) statusesOf(sha string) []Status {
	var list []Status
	for _, s := range slices.Backward(gh.statuses) {
		if s.sha == sha {
			list = append(list, s)
		}
	}
	return list
}

func (gh *GitHub) statusRoutes() []route {
	return []route{
		{"POST /repos/{owner}/{repo}/statuses/{sha}", "statuses: write", gh.createStatus},
		{"GET /repos/{owner}/{repo}/commits/{ref}/statuses", "statuses: read", gh.listStatuses},
	}
}

func (gh *GitHub) createStatus(r *http.Request, who caller) reply {
	var in struct {
		State       string `json:"state"`
		Context     string `json:"context"`
		Description string `json:"description"`
		TargetURL   string `json:"target_url"`
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		return refuse(http.StatusBadRequest, "Problems parsing JSON")
	}
	sha, same := r.PathValue("sha"), 0
	for _, s := range gh.statusesOf(sha) {
		if strings.EqualFold(s.Context, in.Context) {
			same++
		}
	}
	_, known := gh.commits[sha]
	switch {
	case !known:
		return refuse(http.StatusUnprocessableEntity, "No commit found for SHA: "+sha)
	case utf8.RuneCountInString(in.Description) > 140:
		return invalid("Status", "description", "custom", "description is too long (maximum is 140 characters)")
	case same >= 1000:
		return invalid("Status", "base", "custom", "This SHA and context has reached the maximum number of statuses.")
	}
	s := gh.addStatus(who.login, sha, Status{State: in.State, Context: in.Context, Description: in.Description, URL: in.TargetURL})
	return created(gh.statusJSON(s))
}

func (gh *GitHub) listStatuses(r *http.Request, _ caller) reply {
	if _, known := gh.commits[r.PathValue("ref")]; !known {
		return notFound()
	}
	return page(gh, r, gh.statusesOf(r.PathValue("ref")), gh.statusJSON)
}

func (gh *GitHub) statusJSON(s Status) object {
	creator := gh.userJSON(s.Creator)
	creator["id"] = s.creatorID
	return object{
		"id": s.ID, "node_id": nodeID("SC", s.ID), "state": s.State, "context": s.Context, "description": s.Description,
		"target_url": s.URL, "creator": creator, "avatar_url": nil, "created_at": stamp(s.Created), "updated_at": stamp(s.Created),
		"url": fmt.Sprintf("%s/repos/%s/statuses/%s", gh.URL, gh.Repository, s.sha),
	}
}

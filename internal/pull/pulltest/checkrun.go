package pulltest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"unicode/utf8"
)

// CheckRun is one on a commit, as it stands. ID and App are the fake's to fill in.
type CheckRun struct {
	ID                   int64
	Name, App            string // the App's slug
	Status, Conclusion   string
	Title, Summary, Text string
	ExternalID, URL      string
	Annotations          []Annotation // all that were ever added

	sha string
}

// Annotation is one of a check run.
type Annotation struct {
	Path    string `json:"path"`
	Start   int    `json:"start_line"`
	End     int    `json:"end_line"`
	Level   string `json:"annotation_level"`
	Title   string `json:"title"`
	Message string `json:"message"`
}

// PostCheckRun posts a check run in an App's name.
func (gh *GitHub) PostCheckRun(app, sha string, run CheckRun) CheckRun {
	defer gh.lock()()
	gh.commit(sha)
	run.sha, run.App = sha, app
	return *gh.addCheckRun(run)
}

func (gh *GitHub) addCheckRun(run CheckRun) *CheckRun {
	gh.tick()
	run.ID = gh.nextID()
	gh.checkRuns = append(gh.checkRuns, &run)
	return &run
}

// CheckRuns are those of a commit, the oldest first.
func (gh *GitHub) CheckRuns(sha string) []CheckRun {
	defer gh.lock()()
	var list []CheckRun
	for _, run := range gh.checkRuns {
		if run.sha == sha {
			copied := *run
			copied.Annotations = slices.Clone(run.Annotations)
			list = append(list, copied)
		}
	}
	return list
}

func (gh *GitHub) checkRunRoutes() []route {
	return []route{
		{"POST /repos/{owner}/{repo}/check-runs", "checks: write", gh.createCheckRun},
		{"PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}", "checks: write", gh.updateCheckRun},
		{"GET /repos/{owner}/{repo}/check-runs/{check_run_id}", "checks: read", gh.getCheckRun},
		{"GET /repos/{owner}/{repo}/commits/{ref}/check-runs", "checks: read", gh.listCheckRuns},
	}
}

// checkRunInput is the body of both writes.
type checkRunInput struct {
	Name       *string `json:"name"`
	HeadSHA    string  `json:"head_sha"`
	Status     *string `json:"status"`
	Conclusion *string `json:"conclusion"`
	ExternalID *string `json:"external_id"`
	DetailsURL *string `json:"details_url"`
	Output     *struct {
		Title       *string      `json:"title"`
		Summary     string       `json:"summary"`
		Text        *string      `json:"text"`
		Annotations []Annotation `json:"annotations"`
	} `json:"output"`
}

func (gh *GitHub) createCheckRun(r *http.Request, who caller) reply {
	run := CheckRun{App: who.app, Status: "queued"}
	in, refusal := gh.changeCheckRun(r, who, &run)
	if refusal != nil {
		return *refusal
	}
	if _, known := gh.commits[in.HeadSHA]; !known {
		return refuse(http.StatusUnprocessableEntity, "No commit found for SHA: "+in.HeadSHA)
	}
	run.sha = in.HeadSHA
	return created(gh.checkRunJSON(gh.addCheckRun(run)))
}

func (gh *GitHub) updateCheckRun(r *http.Request, who caller) reply {
	run := gh.checkRun(r)
	switch {
	case run == nil:
		return notFound()
	case who.app != "" && run.App != who.app:
		return refuse(http.StatusForbidden, "Invalid app_id - check run can only be modified by the GitHub App that created it.")
	}
	changed := *run
	changed.Annotations = slices.Clone(run.Annotations)
	if _, refusal := gh.changeCheckRun(r, who, &changed); refusal != nil {
		return *refusal
	}
	gh.tick()
	*run = changed
	return ok(gh.checkRunJSON(run))
}

// changeCheckRun holds what GitHub's description does not tell: who may, what a completed one needs, how long texts may be. What the
// description does tell is held here too, for where it is not at hand.
func (gh *GitHub) changeCheckRun(r *http.Request, who caller, run *CheckRun) (checkRunInput, *reply) {
	var in checkRunInput
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		return in, new(refuse(http.StatusBadRequest, "Problems parsing JSON"))
	}
	if who.app == "" {
		return in, new(refuse(http.StatusForbidden, "You must authenticate via a GitHub App."))
	}
	set := func(to *string, from *string) {
		if from != nil {
			*to = *from
		}
	}
	set(&run.Name, in.Name)
	set(&run.Status, in.Status)
	set(&run.ExternalID, in.ExternalID)
	set(&run.URL, in.DetailsURL)
	if in.Conclusion != nil {
		run.Conclusion, run.Status = *in.Conclusion, "completed"
	}
	conclusions := []string{"success", "failure", "neutral", "cancelled", "skipped", "timed_out", "action_required"}
	switch {
	case run.Name == "":
		return in, new(invalid("CheckRun", "name", "missing_field", ""))
	case run.Status == "completed" && !slices.Contains(conclusions, run.Conclusion):
		return in, new(invalid("CheckRun", "conclusion", "missing_field", ""))
	}
	if in.Output == nil {
		return in, nil
	}
	set(&run.Title, in.Output.Title)
	set(&run.Text, in.Output.Text)
	run.Summary = in.Output.Summary
	if run.Title == "" || run.Summary == "" {
		return in, new(invalid("CheckRun", "output", "missing_field", ""))
	}
	const most = 65535
	for _, text := range []string{run.Summary, run.Text} {
		if utf8.RuneCountInString(text) > most || len(text) > most { // it does not tell what the limit counts
			return in, new(invalid("CheckRun", "output", "custom", fmt.Sprintf("Only %d characters are allowed; %d were supplied.", most, len(text))))
		}
	}
	if len(in.Output.Annotations) > 50 {
		return in, new(invalid("CheckRun", "annotations", "custom", "annotations exceeds a maximum quantity of 50"))
	}
	for _, a := range in.Output.Annotations {
		if a.Path == "" || a.Start < 1 || a.End < a.Start || a.Message == "" || len(a.Message) > 64<<10 || utf8.RuneCountInString(a.Title) > 255 {
			return in, new(invalid("CheckAnnotation", "data", "invalid", ""))
		}
	}
	run.Annotations = append(run.Annotations, in.Output.Annotations...)
	return in, nil
}

func (gh *GitHub) checkRun(r *http.Request) *CheckRun {
	id, _ := strconv.ParseInt(r.PathValue("check_run_id"), 10, 64)
	i := slices.IndexFunc(gh.checkRuns, func(run *CheckRun) bool { return run.ID == id })
	if i < 0 {
		return nil
	}
	return gh.checkRuns[i]
}

func (gh *GitHub) getCheckRun(r *http.Request, _ caller) reply {
	run := gh.checkRun(r)
	if run == nil {
		return notFound()
	}
	return ok(gh.checkRunJSON(run))
}

// listCheckRuns gives the newest of each App and name unless all are asked for.
func (gh *GitHub) listCheckRuns(r *http.Request, _ caller) reply {
	if _, known := gh.commits[r.PathValue("ref")]; !known {
		return notFound()
	}
	query, seen := r.URL.Query(), map[[2]string]bool{}
	var list []*CheckRun
	for _, run := range slices.Backward(gh.checkRuns) {
		key := [2]string{run.App, run.Name}
		if run.sha != r.PathValue("ref") || query.Has("check_name") && run.Name != query.Get("check_name") || seen[key] {
			continue
		}
		seen[key] = query.Get("filter") != "all"
		list = append(list, run)
	}
	some, header := pageOf(gh, r, list, gh.checkRunJSON)
	answer := ok(object{"total_count": len(list), "check_runs": some})
	answer.header = header
	return answer
}

func (gh *GitHub) checkRunJSON(run *CheckRun) object {
	address := fmt.Sprintf("%s/repos/%s/check-runs/%d", gh.URL, gh.Repository, run.ID)
	o := object{
		"id": run.ID, "node_id": nodeID("CR", run.ID), "head_sha": run.sha, "name": run.Name, "url": address,
		"html_url": fmt.Sprintf("%s/runs/%d", gh.pageURL(), run.ID), "details_url": run.URL, "status": run.Status, "conclusion": nil,
		"started_at": stamp(gh.clock), "completed_at": nil, "external_id": run.ExternalID, "check_suite": object{"id": 1},
		"output": object{"title": run.Title, "summary": run.Summary, "text": run.Text, "annotations_count": len(run.Annotations),
			"annotations_url": address + "/annotations"},
		"app": gh.appJSON(run.App), "pull_requests": []object{},
	}
	if run.Conclusion != "" {
		o["conclusion"], o["completed_at"] = run.Conclusion, stamp(gh.clock)
	}
	return o
}

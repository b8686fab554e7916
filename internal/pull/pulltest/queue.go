package pulltest

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// MergeGroupEvent is the payload of merge_group for a queue that holds one pull request. Its head can carry statuses from now on.
func (gh *GitHub) MergeGroupEvent(number int, headSHA string) []byte {
	gh.t.Helper()
	return gh.MergeGroupOn(number, "", headSHA)
}

// MergeGroupOn is that of a pull request with others ahead of it in the queue, all of which are in the base; an empty base is the pull
// request's own. The queue has the entry from now on.
func (gh *GitHub) MergeGroupOn(number int, baseSHA, headSHA string) []byte {
	gh.t.Helper()
	defer gh.lock()()
	pr := gh.pulls[number]
	if pr == nil {
		gh.t.Fatalf("pulltest: there is no pull request #%d", number)
	}
	if baseSHA == "" {
		baseSHA = pr.base
	}
	gh.commit(headSHA)
	ref := fmt.Sprintf("refs/heads/gh-readonly-queue/%s/pr-%d-%s", pr.baseRef, number, baseSHA)
	gh.queue[ref] = headSHA
	return gh.payload("checks_requested", pr.author, object{"merge_group": object{
		"head_sha": headSHA, "head_ref": ref, "base_sha": baseSHA, "base_ref": "refs/heads/" + pr.baseRef,
	}})
}

// Unqueue takes all entries of a pull request out of the queues.
func (gh *GitHub) Unqueue(number int) {
	defer gh.lock()()
	maps.DeleteFunc(gh.queue, func(ref, _ string) bool { return strings.Contains(ref, fmt.Sprintf("/pr-%d-", number)) })
}

func (gh *GitHub) queueRoutes() []route {
	return []route{{"GET /repos/{owner}/{repo}/git/matching-refs/{ref...}", "contents: read", gh.matchingRefs}}
}

// matchingRefs knows the branches of merge queues only.
func (gh *GitHub) matchingRefs(r *http.Request, _ caller) reply {
	var matching []string
	for _, ref := range slices.Sorted(maps.Keys(gh.queue)) {
		if strings.HasPrefix(ref, "refs/"+r.PathValue("ref")) {
			matching = append(matching, ref)
		}
	}
	return page(gh, r, matching, func(ref string) object {
		return object{"ref": ref, "node_id": "REF_1", "url": gh.URL + "/repos/" + gh.Repository + "/git/" + ref,
			"object": object{"type": "commit", "sha": gh.queue[ref], "url": gh.URL + "/repos/" + gh.Repository + "/git/commits/" + gh.queue[ref]}}
	})
}

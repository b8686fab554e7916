package bot_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/altergate/altergate/internal/bot"
	"github.com/altergate/altergate/internal/bot/bottest"
	"github.com/altergate/altergate/internal/policy"
)

// fault is one way for a request to fail: GitHub gives another answer, or the connection none.
type fault struct {
	status int    // 200 is an empty answer; 0: see broken
	broken string // reset, timeout or cut: at half of the answer's body
	late   bool   // after it was done
	times  int
}

func (f fault) String() string {
	text := f.broken
	if text == "" {
		text = fmt.Sprint(f.status)
	}
	if f.late {
		text += " after it was done"
	}
	if f.times < 0 {
		text += ", always"
	}
	return text
}

// faults are all kinds, each once.
func faults() []fault {
	list := []fault{{broken: "reset", times: 1}, {broken: "timeout", times: 1}, {broken: "cut", times: 1}, {broken: "reset", late: true, times: 1}}
	for _, status := range []int{200, 403, 404, 409, 422, 429, 500} {
		list = append(list, fault{status: status, times: 1})
	}
	return list
}

// lasting are those that no second try mends, and one in which a status is posted without anyone knowing.
func lasting() []fault {
	return append(faults(), fault{broken: "reset", times: -1}, fault{broken: "timeout", times: -1}, fault{broken: "cut", times: -1},
		fault{broken: "timeout", late: true, times: 1}, fault{status: 403, times: -1}, fault{status: 404, times: -1}, fault{status: 429, times: -1},
		fault{status: 500, times: -1}, fault{status: 500, late: true, times: 1}, fault{status: 502, times: -1})
}

// mended tells whether another try does what the first did not. A post is never tried again, unless it is a query, or has a comment
// hidden.
func (f fault) mended(method, path string) bool {
	again := f.status == 429 || f.status >= 500 || f.broken == "reset" || f.broken == "timeout"
	return f.times > 0 && again && (method != http.MethodPost || path == "/graphql")
}

// harmless tells whether a request may fail without a loss: a reaction and a check run are no part of the answer, a token that may not comment says so
// elsewhere, and a comment that was deleted is written again. GitHub's merge may be gone: then the head is compared with where the
// branches parted.
func harmless(method, path string, earlier int, f fault) bool {
	switch {
	case strings.HasSuffix(path, "/reactions"), strings.Contains(path, "/check-runs"):
		return true
	case strings.Contains(path, "/git/commits/"):
		return f.status == http.StatusNotFound
	case path == "/graphql": // the earlier comment is still to be seen, or was deleted
		return f.status == http.StatusForbidden || f.status == http.StatusNotFound
	case !strings.Contains(path, "/issues/"):
		return false
	case f.status == http.StatusNotFound:
		return method == http.MethodPatch && f.times == 1
	}
	return f.status == http.StatusForbidden && (method != http.MethodGet || earlier > 0)
}

// line is the connection to GitHub, which breaks at one request.
type line struct {
	method, path string
	skip         int
	fault        fault
	mu           sync.Mutex
}

func (l *line) breaks(req *http.Request) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case req.Method != l.method || !strings.HasSuffix(req.URL.Path, l.path) || l.fault.times == 0:
		return false
	case l.skip > 0:
		l.skip--
		return false
	}
	l.fault.times--
	return true
}

func (l *line) RoundTrip(req *http.Request) (*http.Response, error) {
	breaks := l.breaks(req)
	var resp *http.Response
	if !breaks || l.fault.late || l.fault.broken == "cut" {
		var err error
		if resp, err = http.DefaultTransport.RoundTrip(req); err != nil || !breaks {
			return resp, err
		}
		defer resp.Body.Close()
	}
	switch l.fault.broken {
	case "cut":
		whole, err := io.ReadAll(resp.Body)
		resp.Body = io.NopCloser(io.MultiReader(bytes.NewReader(whole[:len(whole)/2]), cutOff{}))
		return resp, err
	case "timeout":
		return nil, &net.OpError{Op: "read", Net: "tcp", Err: os.ErrDeadlineExceeded}
	}
	return nil, &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}
}

type cutOff struct{}

func (cutOff) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// flow is an event, and what was before it.
type flow struct {
	change bottest.Files
	green  bool // the right answer is yes
	before bool // a run of earlier has left its comment and its status
	faults []fault
	event  func(p *play, digest string) (name string, payload []byte)

	setUp   func(p *play) // may be nil
	objects bool          // of the requests only those for git's objects fail
}

// throughTheAPI has the files come from there, where all other requests are the same.
func (f flow) throughTheAPI(setUp func(p *play)) flow {
	f.objects, f.setUp = true, func(p *play) {
		p.trees = bot.TreesAPI
		setUp(p)
	}
	return f
}

// withEverything has it hide its earlier comment, and post a check run.
func (f flow) withEverything() flow {
	f.setUp = func(p *play) {
		p.token = p.ActionsToken("contents: read", "pull-requests: write", "statuses: write", "checks: write")
		p.tune = func(b *bot.Bot) { b.Comment, b.CheckRun = bot.CommentHideAndNew, true }
	}
	return f
}

func (f flow) concerns(path string) bool {
	return !f.objects || strings.Contains(path, "/git/") || strings.Contains(path, "/compare/")
}

// commented is the event of a comment, in which DIGEST stands for the plan's.
func commented(login, text string) func(*play, string) (string, []byte) {
	return func(p *play, digest string) (string, []byte) {
		return "issue_comment", p.CommentEvent("created", p.Comment(bottest.Number, login, strings.ReplaceAll(text, "DIGEST", digest)).ID)
	}
}

// approvedThen is another event, after an approval that no run has seen yet.
func approvedThen(name string, payload func(p *play) []byte) func(*play, string) (string, []byte) {
	return func(p *play, digest string) (string, []byte) {
		p.Comment(bottest.Number, "ann", "/approve destructive "+digest)
		return name, payload(p)
	}
}

func pushedTo(p *play) []byte { return p.PullRequestEvent("synchronize", bottest.Number) }
func queuedAs(p *play) []byte { return p.MergeGroupEvent(bottest.Number, p.Merge) }

func flows() map[string]flow {
	drop, few := bottest.DropNick(), faults()
	byDigest := flow{drop, true, false, lasting(), commented("ann", "/approve destructive DIGEST"), nil, false}
	return map[string]flow{
		"approved by digest, first run":     byDigest,
		"without a checkout":                byDigest.throughTheAPI(func(*play) {}),
		"and without a merge":               byDigest.throughTheAPI(func(p *play) { p.PullRequest(bottest.Number).Unmerged() }),
		"with everything":                   flow{drop, true, true, few, commented("ann", "/approve destructive DIGEST"), nil, false}.withEverything(),
		"approved, behind another":          {drop, true, false, few, behindAnother(), nil, false},
		"approved in bare form, edited":     {drop, true, true, few, commented("ann", "/approve destructive"), nil, false},
		"no schema change, second run":      {bottest.NoSchema(), true, true, few, commented("ann", "/plan"), nil, false},
		"within policy":                     {bottest.AddIndex(), true, false, few, func(p *play, _ string) (string, []byte) { return "pull_request", pushedTo(p) }, nil, false},
		"approved, pull_request_target":     {drop, true, true, few, approvedThen("pull_request_target", pushedTo), nil, false},
		"approved, merge_group":             {drop, true, true, lasting(), approvedThen("merge_group", queuedAs), nil, false},
		"approved, workflow_dispatch":       {drop, true, true, few, approvedThen("workflow_dispatch", func(p *play) []byte { return p.DispatchEvent("7") }), nil, false},
		"approved, push":                    {drop, true, true, few, approvedThen("push", func(p *play) []byte { return p.PushEvent("main", p.Base) }), nil, false},
		"approved, workflow_run":            {drop, true, true, few, approvedThen("workflow_run", func(p *play) []byte { return p.WorkflowRunEvent(p.Head) }), nil, false},
		"blocked":                           {drop, false, false, lasting(), func(p *play, _ string) (string, []byte) { return "pull_request_target", pushedTo(p) }, nil, false},
		"blocked, merge_group":              {drop, false, true, few, func(p *play, _ string) (string, []byte) { return "merge_group", queuedAs(p) }, nil, false},
		"approved by someone who may not":   {drop, false, true, few, commented("rex", "/approve destructive DIGEST"), nil, false},
		"approved by the author":            {drop, false, true, few, commented("eve", "/approve destructive DIGEST"), nil, false},
		"approved, and then taken back":     {drop, false, true, few, commented("ann", "/approve destructive DIGEST\n\n/unapprove"), nil, false},
		"approved in a comment that edited": {drop, false, true, few, editedApproval, nil, false},
	}
}

// behindAnother is a merge queue of two, both approved. The commits are made once for all plays of a scene.
func behindAnother() func(*play, string) (string, []byte) {
	var head, ahead, group string
	return func(p *play, digest string) (string, []byte) {
		if group == "" {
			head = p.Repo.Commit(p.Base, bottest.Files{"README.md": "Bands.\n"})
			ahead = p.Repo.Merge(p.Base, head)
			group = p.Repo.Merge(ahead, p.Head)
		}
		p.PullRequest(8).Author("mia").Base("main", p.Base).Head(head).MergeCommit(ahead)
		p.MergeGroupOn(8, p.Base, ahead)
		p.Comment(bottest.Number, "ann", "/approve destructive "+digest)
		return "merge_group", p.MergeGroupOn(bottest.Number, ahead, group)
	}
}

func editedApproval(p *play, digest string) (string, []byte) {
	c := p.Comment(bottest.Number, "ann", "Hm")
	p.EditComment(c.ID, "eve", "/approve destructive "+digest)
	return "issue_comment", p.CommentEvent("edited", c.ID)
}

// Whatever fails at whichever request of each event, no run leaves a green status that it should not leave.
func TestFaults(t *testing.T) {
	var all, green atomic.Int64
	t.Run("flows", func(t *testing.T) {
		for name, f := range flows() {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				combinations, yes := f.play(t)
				all.Add(int64(combinations))
				green.Add(int64(yes))
			})
		}
	})
	t.Logf("%d combinations in all, of which %d end green, as they should", all.Load(), green.Load())
}

func (f flow) play(t *testing.T) (combinations, green int) {
	scene := bottest.NewScene(t, bottest.Base(), f.change)
	digest := openOn(t, scene).pushed().Verdict.Digest
	open := func() (*play, string, []byte) {
		p := openOn(t, scene)
		if f.setUp != nil {
			f.setUp(p)
		}
		if f.before {
			p.pushed()
		}
		event, payload := f.event(p, digest)
		return p, event, payload
	}
	p, event, payload := open()
	judged := scene.Head
	if event == "merge_group" {
		var queued struct {
			Group struct {
				Head string `json:"head_sha"`
			} `json:"merge_group"`
		}
		if err := json.Unmarshal(payload, &queued); err != nil {
			t.Fatal(err)
		}
		judged = queued.Group.Head
	}
	answer, requests := p.between(0, event, payload, nil)
	if passed := answer.Verdict.Outcome == policy.Passed; passed != f.green || passed != (p.Last(judged).State == "success") {
		t.Fatalf("without a fault the verdict is %s, and the status %s: %v", answer.Verdict.Outcome, p.Last(judged).State, answer.Failure)
	}
	if testing.Short() {
		f.faults = []fault{{status: 500, times: -1}}
	}
	earlier := map[string]int{}
	for _, request := range requests {
		method, path, _ := strings.Cut(request, " ")
		for _, fault := range f.faults {
			if !f.concerns(path) {
				break
			}
			combinations++
			p, event, payload := open()
			if f.one(p, event, payload, judged, method, path, earlier[request], fault) {
				green++
			}
		}
		earlier[request]++
	}
	t.Logf("%d combinations of %d requests and %d faults", combinations, len(requests), len(f.faults))
	return combinations, green
}

// one plays the event with a fault at the request that comes after so many of the same kind, and tells whether it ended green.
func (f flow) one(p *play, event string, payload []byte, judged, method, path string, earlier int, fault fault) bool {
	p.t.Helper()
	before := len(p.States(judged))
	if fault.broken != "" {
		p.transport = &line{method: method, path: path, skip: earlier, fault: fault}
	} else if injected := p.Fail(method, path, fault.status, fault.times).After(earlier); fault.late {
		injected.Late()
	}
	answers := p.handleAll(event, payload)
	answer := answers[len(answers)-1]
	posted := p.States(judged)[before:]
	green := len(posted) > 0 && posted[len(posted)-1] == "success"
	where := fmt.Sprintf("%s %s, the %d. time: %s", method, path, earlier+1, fault)
	may := f.green && (fault.mended(method, path) || harmless(method, path, earlier, fault))
	switch {
	case green && !may:
		p.t.Errorf("%s: the run posted %v: %v", where, posted, answer.Failure)
	case green && answer.Failure != nil:
		p.t.Errorf("%s: the status is green, though something went wrong: %v", where, answer.Failure)
	case !may && saysYes(answer):
		p.t.Errorf("%s: the answer is a yes: %+v", where, answer)
	}
	return green
}

func saysYes(a bot.Answer) bool {
	return a.Nothing == "" && a.Stale == "" && a.Failure == nil && a.Denied == "" && a.Verdict.Outcome == policy.Passed
}

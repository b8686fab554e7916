// Package pulltest is a GitHub for tests: an HTTP server that holds one repository's users, roles, teams, pull requests, comments and
// statuses, so that a test asks what is there afterwards, and not which calls were made. It pages by two, refuses what GitHub refuses,
// fails the test on a request it does not know, and keeps its own time.
package pulltest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// GitHub is the server and all it holds. Its methods may be called while it serves.
type GitHub struct {
	URL        string // of the REST API, below a path as on GitHub Enterprise Server; GraphQL is where such a server has it
	Repository string // owner/name

	t         testing.TB
	known     *http.ServeMux // what the fake serves itself
	added     *http.ServeMux // what a test added with Handle
	validator *validator

	mu        sync.Mutex
	clock     time.Time
	ids       int64
	pageSize  int
	users     map[string]*User
	teams     map[string]map[string]string // "org/team" to login to state of the membership
	apps      map[string]*App
	tokens    map[string]token
	pulls     map[int]*PullRequest
	commits   map[string]commit
	comments  []*Comment
	reactions map[int64][]Reaction
	statuses  []Status
	queue     map[string]string // ref of an entry of a merge queue to commit
	checkRuns []*CheckRun
	faults    []*Fault
	requests  []string
	git       *objects
	branches  map[string]string // to the commit at the tip
	onRequest func(method, path string)
}

const base = "/api/v3"

// New starts a GitHub with the repository acme/shop and nobody in it. It stops when the test ends.
func New(t testing.TB) *GitHub {
	t.Helper()
	gh := &GitHub{
		Repository: "acme/shop",
		t:          t,
		known:      http.NewServeMux(),
		added:      http.NewServeMux(),
		validator:  newValidator(t),
		clock:      time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC),
		ids:        1000,
		pageSize:   2,
		users:      map[string]*User{},
		teams:      map[string]map[string]string{},
		apps:       map[string]*App{},
		tokens:     map[string]token{},
		pulls:      map[int]*PullRequest{},
		commits:    map[string]commit{},
		reactions:  map[int64][]Reaction{},
		queue:      map[string]string{},
		branches:   map[string]string{},
	}
	for _, r := range gh.routes() {
		method, path, _ := strings.Cut(r.pattern, " ")
		gh.known.Handle(method+" "+base+path, gh.serve(r))
	}
	gh.known.Handle("POST /api/graphql", gh.serve(route{pattern: "POST /graphql", handle: gh.graphql}))
	server := httptest.NewServer(http.HandlerFunc(gh.dispatch))
	t.Cleanup(server.Close)
	gh.URL = server.URL + base
	return gh
}

// OnRequest calls f before each request is served, with the path below the API's address, so that a test can change what is there
// between two requests, or hold one back. Requests at the same time call it at the same time.
func (gh *GitHub) OnRequest(f func(method, path string)) {
	defer gh.lock()()
	gh.onRequest = f
}

// Requests are all requests so far, as "GET /repos/acme/shop/pulls/7", without their queries.
func (gh *GitHub) Requests() []string {
	defer gh.lock()()
	return slices.Clone(gh.requests)
}

// Handle serves another route, or one of the fake's own in another way. The pattern is one of http.ServeMux, below the API's address;
// written as GitHub's description writes it, its requests and responses are validated too. Any valid token may use it.
func (gh *GitHub) Handle(pattern string, h http.Handler) {
	method, path, _ := strings.Cut(pattern, " ")
	gh.added.Handle(method+" "+base+path, gh.serve(route{pattern: pattern, handle: func(r *http.Request, _ caller) reply {
		answer := httptest.NewRecorder()
		h.ServeHTTP(answer, r)
		return reply{status: answer.Code, header: answer.Header(), raw: answer.Body.Bytes()}
	}}))
}

// route is one of GitHub's operations. Its pattern is that of GitHub's description, which is how the validator finds it.
type route struct {
	pattern string
	need    string // "statuses: write"; "app": the App's own key; empty: any token
	handle  func(*http.Request, caller) reply
}

func (gh *GitHub) routes() []route {
	return slices.Concat(gh.userRoutes(), gh.appRoutes(), gh.pullRoutes(), gh.commentRoutes(), gh.statusRoutes(), gh.queueRoutes(), gh.gitRoutes(), gh.checkRunRoutes())
}

func (gh *GitHub) dispatch(w http.ResponseWriter, r *http.Request) {
	unlock := gh.lock()
	path := below(r)
	gh.requests = append(gh.requests, r.Method+" "+path)
	hook := gh.onRequest
	unlock()
	if hook != nil {
		hook(r.Method, path)
	}
	for _, mux := range []*http.ServeMux{gh.added, gh.known} {
		if _, pattern := mux.Handler(r); pattern != "" {
			mux.ServeHTTP(w, r)
			return
		}
	}
	gh.t.Errorf("pulltest: no such route: %s %s", r.Method, r.URL.Path)
	http.Error(w, "pulltest knows no such route", http.StatusNotImplemented)
}

// below is the path below the API's address, as GitHub's description has it.
func below(r *http.Request) string {
	return strings.TrimPrefix(strings.TrimPrefix(r.URL.Path, base), "/api")
}

func (gh *GitHub) serve(rt route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			gh.t.Errorf("pulltest: reading the request: %v", err)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		answer := gh.answer(rt, r)
		if err := gh.validator.check(rt, r, body, answer); err != nil {
			gh.t.Errorf("pulltest: %s %s is not as GitHub describes it: %v", r.Method, r.URL.Path, err)
		}
		answer.write(w)
	})
}

func (gh *GitHub) answer(rt route, r *http.Request) reply {
	defer gh.lock()()
	fault := gh.faultFor(r)
	if fault != nil && !fault.late {
		return fault.reply()
	}
	answer := gh.honest(rt, r)
	if fault != nil {
		return fault.reply()
	}
	return answer
}

func (gh *GitHub) honest(rt route, r *http.Request) reply {
	who, refusal := gh.caller(r, rt.need)
	repo := r.PathValue("owner") + "/" + r.PathValue("repo")
	switch {
	case refusal != nil:
		return *refusal
	case repo != "/" && repo != gh.Repository:
		return notFound()
	}
	return rt.handle(r, who)
}

// reply is an answer before it is on the wire.
type reply struct {
	status      int
	header      http.Header
	body        any
	raw         []byte
	undescribed bool // as GitHub answers, but not as it describes
}

func (a reply) write(w http.ResponseWriter) {
	for key, values := range a.header {
		w.Header()[key] = values
	}
	raw := a.raw
	if a.body != nil {
		raw, _ = json.Marshal(a.body)
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
	}
	w.WriteHeader(a.status)
	_, _ = w.Write(raw)
}

func ok(body any) reply      { return reply{status: http.StatusOK, body: body} }
func created(body any) reply { return reply{status: http.StatusCreated, body: body} }
func notFound() reply        { return refuse(http.StatusNotFound, "Not Found") }

func refuse(status int, message string) reply {
	return reply{status: status, body: object{"message": message, "documentation_url": "https://docs.github.com/rest"}}
}

func invalid(resource, field, code, message string) reply {
	problem := object{"resource": resource, "field": field, "code": code}
	if message != "" {
		problem["message"] = message
	}
	return reply{status: http.StatusUnprocessableEntity, body: object{
		"message": "Validation Failed", "errors": []object{problem}, "documentation_url": "https://docs.github.com/rest",
	}}
}

// PageSize lets lists come in other pages than of two, for a test that needs long ones.
func (gh *GitHub) PageSize(n int) {
	defer gh.lock()()
	gh.pageSize = n
}

// Now is the fake's time. It stands still, but for one second at each write.
func (gh *GitHub) Now() time.Time {
	defer gh.lock()()
	return gh.clock
}

// Advance lets time pass.
func (gh *GitHub) Advance(d time.Duration) {
	defer gh.lock()()
	gh.clock = gh.clock.Add(d)
}

func (gh *GitHub) tick() time.Time {
	gh.clock = gh.clock.Add(time.Second)
	return gh.clock
}

func (gh *GitHub) nextID() int64 {
	gh.ids++
	return gh.ids
}

func (gh *GitHub) lock() (unlock func()) {
	gh.mu.Lock()
	return gh.mu.Unlock
}

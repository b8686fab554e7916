package pulltest

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Git has the fake serve the objects of a real repository, those of forks' pull requests among them, as GitHub does.
func (gh *GitHub) Git(dir string) {
	defer gh.lock()()
	gh.git = &objects{t: gh.t, dir: dir, limit: 100_000}
}

// Branch points a branch at a commit.
func (gh *GitHub) Branch(name, sha string) {
	defer gh.lock()()
	gh.branches[name] = sha
	gh.commit(sha)
}

// TreeLimit is how many entries the list of a tree has at most. GitHub's own is 100,000.
func (gh *GitHub) TreeLimit(entries int) {
	defer gh.lock()()
	gh.git.limit = entries
}

// objects are a repository's. They are read all at once, and again when one is asked for that is not among them.
type objects struct {
	t     testing.TB
	dir   string
	limit int
	known map[string]gitObject
}

type gitObject struct {
	kind string
	data []byte
}

func (o *objects) get(id, kind string) (data []byte, found bool) {
	if o == nil {
		return nil, false
	}
	if _, known := o.known[id]; !known {
		o.read()
	}
	got := o.known[id]
	if got.kind != kind {
		return nil, false
	}
	return got.data, true
}

func (o *objects) read() {
	out, err := o.run("cat-file", "--batch", "--batch-all-objects", "--buffer")
	if err != nil {
		o.t.Errorf("pulltest: reading the repository %s: %v", o.dir, err)
		return
	}
	o.known = map[string]gitObject{}
	for in := bufio.NewReader(bytes.NewReader(out)); ; {
		var id, kind string
		var size int
		if _, err := fmt.Fscanf(in, "%s %s %d\n", &id, &kind, &size); err != nil {
			return
		}
		data := make([]byte, size+1) // and a newline
		if _, err := io.ReadFull(in, data); err != nil {
			o.t.Errorf("pulltest: reading the object %s: %v", id, err)
			return
		}
		o.known[id] = gitObject{kind, data[:size]}
	}
}

func (o *objects) run(args ...string) ([]byte, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = o.dir
	return cmd.Output()
}

func (o *objects) mergeBase(a, b string) (string, *reply) {
	for _, id := range []string{a, b} {
		if _, found := o.get(id, "commit"); !found {
			return "", new(notFound())
		}
	}
	out, err := o.run("merge-base", a, b)
	if err != nil {
		return "", new(refuse(http.StatusNotFound, fmt.Sprintf("No common ancestor between %s and %s.", a, b)))
	}
	return strings.TrimSpace(string(out)), nil
}

func (gh *GitHub) gitRoutes() []route {
	const need = "contents: read"
	return []route{
		{"GET /repos/{owner}/{repo}/git/ref/{ref...}", need, gh.getRef},
		{"GET /repos/{owner}/{repo}/git/commits/{commit_sha}", need, gh.getCommit},
		{"GET /repos/{owner}/{repo}/git/trees/{tree_sha}", need, gh.getTree},
		{"GET /repos/{owner}/{repo}/git/blobs/{file_sha}", need, gh.getBlob},
	}
}

func (gh *GitHub) gitURL(what, id string) string {
	return gh.URL + "/repos/" + gh.Repository + "/git/" + what + "/" + id
}

func (gh *GitHub) getRef(r *http.Request, _ caller) reply {
	name, _ := strings.CutPrefix(r.PathValue("ref"), "heads/")
	sha := gh.branches[name]
	if sha == "" {
		return notFound()
	}
	return ok(object{"ref": "refs/heads/" + name, "node_id": "REF_" + name, "url": gh.gitURL("refs/heads", name),
		"object": object{"type": "commit", "sha": sha, "url": gh.gitURL("commits", sha)}})
}

// gitCommit gives the tree and the parents that a commit names.
func (gh *GitHub) gitCommit(sha string) (tree string, parents []string, found bool) {
	data, found := gh.git.get(sha, "commit")
	head, _, _ := strings.Cut(string(data), "\n\n")
	for _, line := range strings.Split(head, "\n") {
		switch word, id, _ := strings.Cut(line, " "); word {
		case "tree":
			tree = id
		case "parent":
			parents = append(parents, id)
		}
	}
	return tree, parents, found
}

func (gh *GitHub) getCommit(r *http.Request, _ caller) reply {
	sha := r.PathValue("commit_sha")
	tree, parents, found := gh.gitCommit(sha)
	if !found {
		return notFound()
	}
	who := object{"name": "Somebody", "email": "somebody@example.com", "date": stamp(gh.clock)}
	above := []object{}
	for _, p := range parents {
		above = append(above, object{"sha": p, "url": gh.gitURL("commits", p), "html_url": gh.pageURL() + "/commit/" + p})
	}
	return ok(object{
		"sha": sha, "node_id": "C_" + sha, "url": gh.gitURL("commits", sha), "html_url": gh.pageURL() + "/commit/" + sha, "author": who,
		"committer": who, "message": "Change something", "tree": object{"sha": tree, "url": gh.gitURL("trees", tree)}, "parents": above,
		"verification": object{"verified": false, "reason": "unsigned", "signature": nil, "payload": nil, "verified_at": nil},
	})
}

// getTree takes the name of a tree or of a commit, and its answer echoes that. Any value makes it recursive, as on GitHub.
func (gh *GitHub) getTree(r *http.Request, _ caller) reply {
	sha := r.PathValue("tree_sha")
	id := sha
	if tree, _, isCommit := gh.gitCommit(sha); isCommit {
		id = tree
	}
	entries, found := gh.listTree(id, "", r.URL.Query().Has("recursive"))
	if !found {
		return notFound()
	}
	truncated := len(entries) > gh.git.limit
	return ok(object{"sha": sha, "url": gh.gitURL("trees", sha), "tree": entries[:min(len(entries), gh.git.limit)], "truncated": truncated})
}

func (gh *GitHub) listTree(id, prefix string, below bool) (list []object, found bool) {
	data, found := gh.git.get(id, "tree")
	list = []object{}
	for len(data) > 0 {
		head, rest, _ := bytes.Cut(data, []byte{0})
		mode, name, _ := strings.Cut(string(head), " ")
		bits, _ := strconv.ParseUint(mode, 8, 32)
		size := len(id) / 2
		entry := object{"path": prefix + name, "mode": fmt.Sprintf("%06o", bits), "sha": hex.EncodeToString(rest[:size])}
		data = rest[size:]
		of := entry["sha"].(string)
		list = append(list, entry)
		switch bits {
		case 0o040000:
			entry["type"], entry["url"] = "tree", gh.gitURL("trees", of)
			if below {
				inner, _ := gh.listTree(of, prefix+name+"/", below)
				list = slices.Concat(list, inner)
			}
		case 0o160000:
			entry["type"] = "commit"
		default:
			content, _ := gh.git.get(of, "blob")
			entry["type"], entry["url"], entry["size"] = "blob", gh.gitURL("blobs", of), len(content)
		}
	}
	return list, found
}

// getBlob answers in two forms. The raw one is as GitHub's documentation has it, and is not in its description.
func (gh *GitHub) getBlob(r *http.Request, _ caller) reply {
	sha := r.PathValue("file_sha")
	data, found := gh.git.get(sha, "blob")
	if !found {
		return notFound()
	}
	if accept := r.Header.Get("Accept"); accept == "application/vnd.github.raw+json" || accept == "application/vnd.github.raw" {
		header := http.Header{"Content-Type": {accept + "; charset=utf-8"}}
		return reply{status: http.StatusOK, header: header, raw: data, undescribed: true}
	}
	return ok(object{"sha": sha, "node_id": "B_" + sha, "size": len(data), "url": gh.gitURL("blobs", sha), "encoding": "base64",
		"content": base64.StdEncoding.EncodeToString(data) + "\n"})
}

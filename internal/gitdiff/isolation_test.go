package gitdiff_test

import (
	"context"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/altergate/altergate/internal/gitdiff"
)

// Each program that git could be told to run leaves a file behind; none may.
func TestNoProgramOfTheRepositoryIsRun(t *testing.T) {
	t.Parallel()
	remote, commits := newRemote(t)
	clone := remote.clone("--depth=1")
	traces := realTempDir(t)
	program := func(name string) string {
		path := filepath.Join(realTempDir(t), name)
		script := fmt.Sprintf("#!/bin/sh\ntouch '%s/%s'\nexit 1\n", traces, name)
		if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	clone.write(".gitattributes", "* filter=evil diff=evil merge=evil text ident\n")
	clone.write(".gitmodules", "[submodule \"s\"]\n\tpath = s\n\turl = ext::"+program("submodule")+"\n\tupdate = !touch "+traces+"/update\n")
	clone.write(".lfsconfig", "[lfs]\n\turl = ext::"+program("lfs")+"\n")
	clone.write("schema.sql", "text\n")
	own := clone.commit("with attributes")

	hooks := realTempDir(t)
	for _, hook := range []string{"post-checkout", "reference-transaction", "post-merge", "pre-auto-gc", "fsmonitor-watchman", "post-index-change"} {
		if err := os.Symlink(program("hook-"+hook), filepath.Join(hooks, hook)); err != nil {
			t.Fatal(err)
		}
	}
	for key, value := range map[string]string{
		"core.hooksPath": hooks, "core.fsmonitor": program("fsmonitor"), "core.pager": program("pager"), "pager.cat-file": program("pager2"),
		"core.editor": program("editor"), "filter.evil.smudge": program("smudge"), "filter.evil.clean": program("clean"),
		"filter.evil.process": program("process"), "filter.evil.required": "true", "diff.evil.textconv": program("textconv"),
		"diff.evil.command": program("diff"), "diff.external": program("external"), "merge.evil.driver": program("merge"),
		"core.alternateRefsCommand": program("alternates"), "remote.origin.uploadpack": program("uploadpack"),
		"remote.origin.receivepack": program("receivepack"), "gpg.program": program("gpg"), "alias.cat-file": "!" + program("alias"),
		"alias.merge-base": "!" + program("alias2"), "gc.auto": "1", "maintenance.auto": "true", "fetch.recurseSubmodules": "true",
		"uploadpack.packObjectsHook": program("packobjects"),
	} {
		clone.git("config", key, value)
	}
	alternate := newWorkdir(t)
	alternate.commit("alternate")
	if err := os.WriteFile(filepath.Join(clone.dir, ".git", "objects", "info", "alternates"), []byte(alternate.dir+"/.git/objects\n"), 0o644); err != nil {
		t.Fatal(err)
	}

	r := clone.open()
	wantFile(t, files(t, r, own), "schema.sql", "text\n")
	if _, err := r.Resolve(t.Context(), string(commits[2])); err != nil {
		t.Error(err)
	}
	if _, err := r.Changed(t.Context(), own, commits[2]); err != nil {
		t.Error(err)
	}
	if _, err := r.MergeBase(t.Context(), own, commits[4]); err != nil {
		t.Error(err)
	}
	if _, err := r.DefaultBranch(t.Context()); err != nil {
		t.Error(err)
	}

	// Urls that are programs are refused, whatever the repository allows.
	clone.git("config", "protocol.allow", "always")
	clone.git("config", "protocol.ext.allow", "always")
	clone.git("config", "remote.origin.url", "ext::"+program("ext")+" %S")
	_, err := r.Resolve(t.Context(), strings.Repeat("1", 40))
	wantError(t, err, gitdiff.ErrMissing, "transport 'ext' not allowed")

	left, err := os.ReadDir(traces)
	if err != nil {
		t.Fatal(err)
	}
	for _, trace := range left {
		t.Errorf("the program %s was run", trace.Name())
	}
}

// recordGit puts a git first in PATH that writes down each call.
func recordGit(t *testing.T) (calls func() []string) {
	t.Helper()
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	dir := realTempDir(t)
	log := filepath.Join(dir, "log")
	script := fmt.Sprintf("#!/bin/sh\nfor a; do printf '%%s ' \"$a\"; done >>'%s'\necho >>'%s'\nexec '%s' \"$@\"\n", log, log, real)
	if err := os.WriteFile(filepath.Join(dir, "git"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	return func() []string {
		data, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		os.Remove(log)
		var verbs []string
		for line := range strings.Lines(string(data)) {
			words := strings.Fields(line)
			for len(words) > 2 && words[0] == "-c" {
				words = words[2:]
			}
			verbs = append(verbs, words[0])
		}
		return verbs
	}
}

// Starting git is what costs time: two processes serve all that is ordinary.
func TestFewProcessesAndPlumbingOnly(t *testing.T) {
	remote, commits := newRemote(t)
	clone := remote.clone("--depth=2")
	calls := recordGit(t)

	r := open(t, clone.dir)
	for _, rev := range []string{"HEAD", "HEAD~1"} {
		c, err := r.Resolve(t.Context(), rev)
		if err != nil {
			t.Fatal(err)
		}
		fsys := files(t, r, c)
		if _, err := fs.ReadFile(fsys, "a"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := r.Changed(t.Context(), commits[3], commits[4]); err != nil {
		t.Fatal(err)
	}
	if got, want := calls(), []string{"rev-parse", "cat-file"}; !slices.Equal(got, want) {
		t.Errorf("git was started for %q, want %q", got, want)
	}

	if _, err := r.MergeBase(t.Context(), commits[3], commits[4]); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Resolve(t.Context(), string(commits[0])); err != nil {
		t.Fatal(err)
	}
	if got, want := calls(), []string{"merge-base", "rev-list", "config", "fetch", "cat-file"}; !slices.Equal(got, want) {
		t.Errorf("git was started for %q, want %q", got, want)
	}
}

// A server that never answers is left when the caller has no more time.
func TestContextEndsAFetchThatHangs(t *testing.T) {
	t.Parallel()
	remote, commits := newRemote(t)
	clone := remote.clone("--filter=blob:none", "--no-checkout")
	r := clone.open()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	fsys, err := r.FS(ctx, commits[0])
	if err != nil {
		t.Fatal(err)
	}
	// cat waits for git to speak, and git for cat.
	clone.git("config", "remote.origin.uploadpack", "cat #")
	time.AfterFunc(300*time.Millisecond, cancel)
	_, err = fs.ReadFile(fsys, "a")
	wantError(t, err, context.Canceled)

	clone.git("config", "--unset", "remote.origin.uploadpack")
	wantFile(t, files(t, r, commits[0]), "a", "one")

	// The same for a fetch of our own, here from a port where nobody accepts.
	deaf, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer deaf.Close()
	full := remote.clone()
	full.git("config", "remote.origin.url", "http://"+deaf.Addr().String()+"/r.git")
	r = full.open()
	ctx, cancel = context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	_, err = r.Resolve(ctx, strings.Repeat("1", 40))
	wantError(t, err, context.DeadlineExceeded)
}

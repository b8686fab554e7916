package codeowners

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestPatternsAsGit compares patterns with git's own reading of them, but for those that end in a bare star: there GitHub's page
// says that nested files are not meant, and gitignore means them.
func TestPatternsAsGit(t *testing.T) {
	dir := t.TempDir()
	git := func(stdin string, args ...string) []string {
		cmd := exec.Command("git", append([]string{"-C", dir}, args...)...)
		cmd.Env = append(os.Environ(), "HOME="+dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
		cmd.Stdin = strings.NewReader(stdin)
		out, _ := cmd.Output() // fails where nothing matches
		return strings.Fields(string(out))
	}
	git("", "init", "--quiet")
	names := []string{"a", "b", "ab"}
	files := slices.Clone(names)
	for _, x := range names {
		for _, y := range names {
			files = append(files, x+"/"+y, x+"/"+y+"/a", x+"/"+y+"/c")
		}
	}
	compared := 0
	segments := []string{"a", "b", "a*", "?", "*", "**"}
	for _, first := range segments {
		for _, second := range append(segments, "") {
			for _, text := range []string{first + "/" + second, "/" + first + "/" + second, first + second, first + "/" + second + "/", "**/" + first + "/" + second} {
				p, err := newPattern(text)
				if err != nil || p[len(p)-1] == "*" {
					continue
				}
				if err := os.WriteFile(filepath.Join(dir, ".gitignore"), []byte(text+"\n"), 0o644); err != nil {
					t.Fatal(err)
				}
				ignored := git(strings.Join(files, "\n")+"\n", "check-ignore", "--no-index", "--stdin")
				for _, name := range files {
					compared++
					if want, got := slices.Contains(ignored, name), p.matches(strings.Split(name, "/")); got != want {
						t.Errorf("%s matches %s: %v, and git says %v", text, name, got, want)
					}
				}
			}
		}
	}
	if compared < 1000 {
		t.Errorf("only %d pairs were compared", compared)
	}
}

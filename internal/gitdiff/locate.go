package gitdiff

import (
	"fmt"
	"os"
	"path/filepath"
)

// A location says where git has to be run to find a repository at once.
type location struct {
	top   string // absolute, without symbolic links
	named bool   // the caller named the top itself
}

// locate walks up from dir as git does, with one difference: a bare repository
// below a working tree is refused. Its files may have been committed there by
// anyone, its config included (git calls this safe.bareRepository).
func locate(dir string) (location, error) {
	start, err := filepath.Abs(dir)
	if err != nil {
		return location{}, err
	}
	if start, err = filepath.EvalSymlinks(start); err != nil {
		return location{}, err
	}
	bare := ""
	for at := start; ; at = filepath.Dir(at) {
		dotGit := filepath.Join(at, ".git")
		if isGitLink(dotGit) || isGitDir(dotGit) {
			if bare != "" && bare != dotGit {
				return location{}, fmt.Errorf("%s looks like a bare repository inside the working tree %s, where "+
					"a pull request may have put it; name the working tree, or move the repository out of it", bare, at)
			}
			return location{top: at, named: at == start}, nil
		}
		if bare == "" && isGitDir(at) {
			bare = at
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	if bare != "" {
		return location{top: bare, named: bare == start}, nil
	}
	return location{}, fmt.Errorf("%w; run inside a clone, or check the repository out first", ErrNoRepository)
}

// isGitLink reports a .git file, as linked worktrees and submodules have.
func isGitLink(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// isGitDir asks for the three things without which git does not take a
// directory for a repository.
func isGitDir(path string) bool {
	if _, err := os.Lstat(filepath.Join(path, "HEAD")); err != nil {
		return false
	}
	for _, name := range []string{"objects", "refs"} {
		// In a linked worktree's own directory these are elsewhere; such a
		// directory is reached through its .git file only.
		if info, err := os.Stat(filepath.Join(path, name)); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}

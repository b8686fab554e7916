package codeowners

import (
	"errors"
	"path"
	"slices"
	"strings"
)

// pattern is one of gitignore's, taken apart at its slashes. A segment ** stands for any number of directories.
type pattern []string

// newPattern reads a pattern. What GitHub does not support, and what has no plain meaning, is refused.
func newPattern(text string) (pattern, error) {
	switch {
	case strings.HasPrefix(text, "!"):
		return nil, errors.New("a pattern cannot be negated with !; give the files that are left out a line of their own")
	case strings.ContainsAny(text, "[]"):
		return nil, errors.New("a pattern cannot hold a range [ ]; write a pattern for each")
	case strings.Contains(text, "***"):
		return nil, errors.New("a pattern cannot hold ***; write ** or *")
	}
	within, directory := strings.CutSuffix(text, "/")
	rooted := strings.Contains(within, "/")
	p := pattern(strings.Split(strings.TrimPrefix(within, "/"), "/"))
	if slices.Contains(p, "") {
		return nil, errors.New("a pattern cannot be / alone, nor hold two slashes side by side")
	}
	if !rooted && p[0] != "**" {
		p = append(pattern{"**"}, p...) // at any depth
	}
	if directory && p[len(p)-1] == "**" {
		p = append(p, "*")
	}
	if directory {
		p = append(p, "**")
	}
	return p, nil
}

// matches tells whether the pattern means a file: the file itself or, unless the pattern ends in a bare star, a directory above it.
func (p pattern) matches(file []string) bool {
	if p.is(file) {
		return true
	}
	if last := p[len(p)-1]; last == "*" || last == "**" {
		return false
	}
	for depth := 1; depth < len(file); depth++ {
		if p.is(file[:depth]) {
			return true
		}
	}
	return false
}

// is tells whether the pattern means exactly this path. As in any glob, only the last ** has to be tried again.
func (p pattern) is(names []string) bool {
	at, again, from := 0, -1, 0
	for i := 0; i < len(names); {
		switch {
		case at < len(p) && p[at] == "**":
			again, from = at, i
			if at == len(p)-1 {
				return true // there is at least one name below
			}
			at++
		case at < len(p) && segment(p[at], names[i]):
			at, i = at+1, i+1
		case again >= 0:
			from++
			at, i = again+1, from
		default:
			return false
		}
	}
	return at == len(p)
}

func segment(glob, name string) bool {
	ok, err := path.Match(glob, name)
	return err == nil && ok
}

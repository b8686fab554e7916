// Package codeowners reads GitHub's CODEOWNERS: who owns which file. It follows GitHub's page "About code owners", and where that
// leaves a doubt it refuses the line: GitHub passes over a line that it cannot read, which here could give files to the wrong people.
// It does not know who is in a team, nor what anyone may do in the repository.
package codeowners

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/altergate/altergate/internal/schema"
)

// MaxBytes is the size of the largest file that GitHub loads.
const MaxBytes = 3 << 20

// places are where GitHub looks; the first file that exists is the one.
var places = []string{".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"}

// File is a CODEOWNERS file that could be read to its end. The zero File gives nothing to anybody.
type File struct {
	Path  string // where it was found; empty = there is none
	rules []rule
}

// Owner is one owner of a rule. One of the fields is set.
type Owner struct {
	Login string
	Team  string // org/team
	Email string // of an account; GitHub tells nobody whose
}

// String gives the owner as it is written.
func (o Owner) String() string {
	if o.Email != "" {
		return o.Email
	}
	return "@" + o.Login + o.Team
}

// rule gives the files that match a pattern to its owners, who may be none.
type rule struct {
	pattern pattern
	owners  []Owner
}

// Read finds the file in a tree. A tree without one gives an empty File. Every line that cannot be read is in the error, with its place.
func Read(tree fs.FS) (*File, error) {
	for _, place := range places {
		info, err := fs.Stat(tree, place)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil && info.Size() > MaxBytes {
			return nil, problem(place, 0, "is larger than the %d MiB that GitHub loads; shorten it", MaxBytes>>20)
		}
		text, err := fs.ReadFile(tree, place)
		switch {
		case err != nil:
			return nil, problem(place, 0, "cannot be read: %s", err)
		case len(text) > MaxBytes:
			return nil, problem(place, 0, "is larger than the %d MiB that GitHub loads; shorten it", MaxBytes>>20)
		case !utf8.Valid(text):
			return nil, problem(place, 0, "is not UTF-8; save it as UTF-8")
		}
		return parse(place, strings.TrimPrefix(string(text), "\ufeff"))
	}
	return &File{}, nil
}

// Owners gives the owners of a file: those of the last rule that matches it.
func (f *File) Owners(name string) []Owner {
	path := strings.Split(name, "/")
	for _, r := range slices.Backward(f.rules) {
		if r.pattern.matches(path) {
			return r.owners
		}
	}
	return nil
}

func parse(place, text string) (*File, error) {
	f := &File{Path: place}
	var errs []error
	for i, line := range strings.Split(text, "\n") {
		words, err := split(strings.TrimSuffix(line, "\r"))
		if err == nil && len(words) == 0 {
			continue
		}
		var r rule
		if err == nil {
			r, err = newRule(words)
		}
		if err != nil {
			errs = append(errs, problem(place, i+1, "%s", err))
		}
		f.rules = append(f.rules, r)
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return f, nil
}

func problem(place string, line int, format string, args ...any) error {
	return &schema.Error{Side: schema.Base, Pos: schema.Pos{File: place, Line: line}, Kind: schema.KindConfig, Text: fmt.Sprintf(format, args...)}
}

// split takes a line apart at blanks that no backslash escapes, and leaves a comment out.
func split(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	escaped := false
	end := func() {
		if word.Len() > 0 {
			words = append(words, word.String())
			word.Reset()
		}
	}
	for _, c := range line {
		switch {
		case escaped && !strings.ContainsRune(` \*?`, c):
			return nil, fmt.Errorf("a backslash stands before %q, which CODEOWNERS does not know; change the pattern", c)
		case escaped:
			word.WriteString(`\` + string(c))
			escaped = false
		case c == '\\':
			escaped = true
		case c == ' ' || c == '\t':
			end()
		case c == '#' && word.Len() > 0:
			return nil, errors.New("a # stands inside a word; put a blank before a comment")
		case c == '#':
			return words, nil
		default:
			word.WriteRune(c)
		}
	}
	if escaped {
		return nil, errors.New("the line ends in a backslash; remove it")
	}
	end()
	return words, nil
}

func newRule(words []string) (rule, error) {
	p, err := newPattern(words[0])
	if err != nil {
		return rule{}, err
	}
	r := rule{pattern: p}
	for _, word := range words[1:] {
		o, ok := newOwner(word)
		if !ok {
			return rule{}, fmt.Errorf("%q is no owner; write @user, @org/team or an e-mail address", word)
		}
		r.owners = append(r.owners, o)
	}
	return r, nil
}

var (
	login = regexp.MustCompile(`^@([A-Za-z0-9_-]+)$`)
	team  = regexp.MustCompile(`^@([A-Za-z0-9_-]+/[A-Za-z0-9_-]+)$`)
	email = regexp.MustCompile(`^[^@\s]+@[^@\s]+$`)
)

func newOwner(word string) (Owner, bool) {
	if m := login.FindStringSubmatch(word); m != nil {
		return Owner{Login: m[1]}, true
	}
	if m := team.FindStringSubmatch(word); m != nil {
		return Owner{Team: m[1]}, true
	}
	return Owner{Email: word}, email.MatchString(word)
}

package bot

import (
	"io/fs"
	"strings"

	"github.com/altergate/altergate/internal/pipeline"
	"github.com/altergate/altergate/internal/schema"
)

// place is a line of a file of the compared tree.
type place struct {
	file string
	line int
}

// Line tells on which line of its file on the head commit something stands, where that is certain. What is said of the base has no
// line there. Known only if annotations are wanted.
func (a Answer) Line(side schema.Side, at schema.Pos) (int, bool) {
	if side != schema.Head {
		return 0, false
	}
	line, ok := a.lines[place{at.File, at.Line}]
	return line, ok
}

// locate finds out where on the head commit the report's places are: GitHub shows annotations on the files of that commit, while the
// head that was compared is usually its merge into the base.
func (r *review) locate(t trees, report *pipeline.Report) {
	if report == nil || !r.CheckRun && r.answer.Denied == "" {
		return
	}
	own := t.head
	if t.own != nil {
		var err error
		if own, err = t.own(); err != nil {
			r.logf("The files of the head itself cannot be read, so nothing is annotated on its lines: %s", err)
			return
		}
	}
	r.answer.lines = map[place]int{}
	maps := map[string]func(int) (int, bool){}
	for _, at := range headPlaces(report) {
		if _, read := maps[at.file]; !read {
			maps[at.file] = lineMap(t.head, own, at.file)
		}
		if line, ok := maps[at.file](at.line); ok {
			r.answer.lines[at] = line
		}
	}
}

func headPlaces(report *pipeline.Report) []place {
	var places []place
	add := func(side schema.Side, at schema.Pos) {
		if side == schema.Head && at.File != "" {
			places = append(places, place{at.File, at.Line})
		}
	}
	errors := report.Errors
	for _, result := range report.Results {
		errors = append(errors[:len(errors):len(errors)], result.Errors...)
	}
	for _, e := range errors {
		add(e.Side, e.Pos)
	}
	for _, s := range steps(report) {
		for _, f := range s.Findings {
			add(f.Side, f.Pos)
		}
	}
	return places
}

// lineMap takes the lines of a file in one tree to those of the same file in another. A place in the file as a whole is at its top.
func lineMap(from, to fs.FS, file string) func(int) (int, bool) {
	before, err := fs.ReadFile(from, file)
	after, errAfter := fs.ReadFile(to, file)
	if err != nil || errAfter != nil {
		return func(int) (int, bool) { return 0, false }
	}
	move := moved(strings.Split(string(before), "\n"), strings.Split(string(after), "\n"))
	return func(line int) (int, bool) {
		if line == 0 {
			return 1, true
		}
		return move(line)
	}
}

// moved takes the lines of one text, counted from 1, to those of another that was made from it. It is certain of those before the first
// difference and after the last, and of a line in between that is there once in each.
func moved(before, after []string) func(int) (int, bool) {
	top, most := 0, min(len(before), len(after))
	for top < most && before[top] == after[top] {
		top++
	}
	bottom := 0
	for bottom < most-top && before[len(before)-1-bottom] == after[len(after)-1-bottom] {
		bottom++
	}
	var onceBefore, onceAfter map[string]int
	return func(line int) (int, bool) {
		switch {
		case line < 1 || line > len(before):
			return 0, false
		case line <= top:
			return line, true
		case line > len(before)-bottom:
			return line + len(after) - len(before), true
		}
		if onceBefore == nil {
			onceBefore, onceAfter = single(before), single(after)
		}
		text := before[line-1]
		at := onceAfter[text]
		return at, at > 0 && onceBefore[text] > 0 && strings.TrimSpace(text) != ""
	}
}

// single gives the place of each line, from 1, or 0 if there are several of it.
func single(lines []string) map[string]int {
	once := map[string]int{}
	for i, text := range lines {
		if _, seen := once[text]; seen {
			once[text] = 0
		} else {
			once[text] = i + 1
		}
	}
	return once
}

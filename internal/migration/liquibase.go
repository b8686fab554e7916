package migration

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/source"
)

// liquibase reads what a master changelog (XML, YAML or JSON) in the directory or beside it includes, in its order, and without one
// every SQL file in the order of the paths. Files that begin with --liquibase formatted sql hold changesets, each a migration of its own
// (AbstractFormattedChangeLogParser.java); another SQL file is one changeset. Changesets that are written in the changelogs themselves
// are no SQL. A changeset is known by its id, its author and its file. What has not been run is run whenever it came, each in a
// transaction unless it says runInTransaction:false, and one whose text has changed is refused, or run again if it says runOnChange.
func (r *reader) liquibase() {
	w := &changelogs{reader: r, visited: map[string]bool{}}
	roots, ok := w.roots()
	if !ok {
		return
	}
	if len(roots) == 1 {
		w.changelog(roots[0], 0)
		for _, e := range r.entries {
			if e.sql() && !r.used[e.path] {
				r.notice(e, "is never run: %s does not include it", roots[0].path)
			}
		}
		return
	}
	for _, e := range r.entries {
		if e.sql() {
			w.sql(e)
		}
	}
}

// formattedSQL reports whether a file's first line is Liquibase's.
func formattedSQL(text string) bool {
	text = strings.TrimLeft(text, " \t\n")
	rest, ok := strings.CutPrefix(text[:lineLength(text)], "--")
	words := strings.Fields(strings.ToLower(rest))
	return ok && len(words) > 1 && words[0] == "liquibase" && strings.HasPrefix(words[1], "formatted")
}

// sql reads a file of SQL.
func (w *changelogs) sql(e entry) {
	f, ok := w.text(e)
	if !ok || w.visited[e.path] {
		return
	}
	w.visited[e.path] = true
	if !formattedSQL(f.Text) {
		w.add(e, &Migration{Version: "raw::includeAll::" + e.path, Name: e.name, Up: f, Transaction: true})
		return
	}
	w.used[e.path] = true
	p := &changesetParser{changelogs: w, e: e, f: f, logical: e.path}
	p.parse()
}

// changesetParser reads the changesets of a file.
type changesetParser struct {
	*changelogs
	e       entry
	f       *source.File
	logical string
	current *changeset
}

// changeset is one that is being read.
type changeset struct {
	m         *Migration
	head      line
	skip      bool
	condition bool // a precondition decides whether it runs
	delimiter string
	whole     bool
	ignored   []Span // what is not sent: Liquibase's own comments, and what stands between --ignoreLines
	downs     []Span
	hasDown   bool
}

func (p *changesetParser) parse() {
	ignoring := -1
	seen := false
	lines := allLines(p.f.Text)
	for _, l := range lines {
		if word, _ := firstWord(strings.TrimLeft(l.text, "- \t")); word == "changeset" {
			p.parts += 2 * len(p.f.Text)
		}
	}
	if p.parts > largestParts {
		p.fail(p.e, 0, "the file holds too many changesets for its size; put them into several files")
		return
	}
	for i := 0; i < len(lines); i++ {
		l := lines[i]
		text := strings.TrimLeft(l.text, " \t")
		if !strings.HasPrefix(text, "--") {
			continue
		}
		word, rest := firstWord(strings.TrimLeft(text[2:], " \t"))
		switch word {
		case "liquibase":
			if path, ok := attribute(rest, "logicalFilePath"); ok {
				p.logical = path
			}
		case "ignorelines:start":
			ignoring = l.start
		case "ignorelines:end":
			if p.current != nil && ignoring >= 0 {
				p.current.ignored = append(p.current.ignored, Span{ignoring, l.start})
			}
			ignoring = -1
		case "changeset":
			if ignoring >= 0 {
				continue
			}
			p.finish(l.start)
			if !seen && p.before(p.e, l.start) {
				return
			}
			seen = true
			p.begin(l, rest)
		default:
			if n, ok := strings.CutPrefix(word, "ignorelines:"); ok && ignoring < 0 {
				i = p.ignore(lines, i, n)
				continue
			}
			if ignoring < 0 {
				p.inside(l, word, rest)
			}
		}
	}
	p.finish(len(p.f.Text))
	if !seen {
		p.notice(p.e, "holds no changeset")
	}
}

// ignore leaves out as many lines as --ignoreLines:3 says, and gives the last of them.
func (p *changesetParser) ignore(lines []line, at int, count string) int {
	n, err := strconv.Atoi(count)
	if err != nil || n < 0 {
		p.fail(p.e, lines[at].start, "%s is not understood: Liquibase wants a number, start or end", strings.TrimSpace(lines[at].text))
		return at
	}
	last := min(at+n, len(lines)-1)
	if p.current != nil {
		p.current.ignored = append(p.current.ignored, Span{lines[at].start, lines[last].next})
	}
	return last
}

// begin reads --changeset author:id name:value …
func (p *changesetParser) begin(l line, rest string) {
	author, rest, ok := quotedOr(rest, ":")
	id, rest, ok2 := quotedOr(strings.TrimLeft(strings.TrimPrefix(rest, ":"), " \t"), " ")
	if !ok || !ok2 || author == "" || id == "" {
		p.fail(p.e, l.start, "%s is no changeset: Liquibase wants --changeset author:id", strings.TrimSpace(l.text))
		return
	}
	get := func(name string) string { v, _ := attribute(rest, name); return v }
	file := p.logical
	if v := get("logicalFilePath"); v != "" {
		file = v
	}
	c := &changeset{head: l, delimiter: get("endDelimiter"), whole: strings.EqualFold(get("splitStatements"), "false")}
	c.m = &Migration{Version: id + "::" + author + "::" + file, Name: author + ":" + id, Path: p.e.path,
		Transaction: !strings.EqualFold(get("runInTransaction"), "false"),
		Repeatable:  strings.EqualFold(get("runOnChange"), "true") || strings.EqualFold(get("runAlways"), "true")}
	p.current = c
	tell := func(format string, args ...any) {
		p.dir.Notices = append(p.dir.Notices, schema.Notice{Text: "the changeset " + c.m.Name + " " + fmt.Sprintf(format, args...), Pos: p.f.Pos(l.start)})
	}
	if strings.EqualFold(get("runAlways"), "true") {
		tell("runs at every update")
	}
	for _, name := range []string{"context", "contextFilter", "labels"} {
		if v := get(name); v != "" {
			tell("has %s %s: it is read as if it ran", name, v)
		}
	}
	if dbms := get("dbms"); dbms != "" && !p.forDialect(dbms) {
		c.skip = true
		tell("is not read: it is for %s", dbms)
	}
	if strings.EqualFold(get("ignore"), "true") {
		c.skip = true
		tell("is not read: it says ignore:true")
	}
}

// inside reads a comment line of a changeset.
func (p *changesetParser) inside(l line, word, rest string) {
	c := p.current
	if c == nil {
		return
	}
	known := strings.HasPrefix(word, "precondition") || slices.Contains([]string{"rollback", "comment", "comments", "property", "validchecksum"}, word)
	dashes := strings.Index(l.text, "--")
	if after := l.text[dashes+2:]; known || p.o.Dialect != "postgres" && after != "" && after[0] > ' ' {
		c.ignored = append(c.ignored, Span{l.start, l.next}) // what Liquibase takes for a comment is none to MySQL without a space
	}
	switch {
	case word == "rollback":
		c.hasDown = true
		at := l.start + strings.LastIndex(l.text, rest)
		low := strings.ToLower(rest)
		if rest != "" && low != "empty" && low != "not required" && !strings.HasPrefix(low, "changesetid:") {
			c.downs = append(c.downs, Span{at, l.start + len(l.text)})
		}
	case word == "preconditions":
		onFail, _ := attribute(rest, "onFail")
		c.condition = strings.EqualFold(onFail, "MARK_RAN") || strings.EqualFold(onFail, "CONTINUE")
	}
}

// finish ends the changeset that is open.
func (p *changesetParser) finish(at int) {
	c := p.current
	p.current = nil
	if c == nil || c.skip {
		return
	}
	f := cutOut(p.f, without(Span{min(c.head.next, at), at}, c.ignored)...)
	switch {
	case c.whole:
		c.m.Whole = []Span{{min(c.head.next, at), at}}
	case c.delimiter != "" && c.delimiter != ";":
		f, c.m.Whole = delimited(f, c.head.next, strings.NewReplacer(`\n`, "\n", `\r`, "\r").Replace(c.delimiter))
	}
	c.m.Up = f
	c.blockRollback(p.f, at)
	if c.hasDown {
		c.m.Down, c.m.DownPath = cutOut(p.f, c.downs...), p.e.path
	}
	c.m.raw = strings.Join(strings.Fields(f.Text), " ")
	if c.condition {
		p.dir.Notices = append(p.dir.Notices, schema.Notice{Pos: p.f.Pos(c.head.start),
			Text: "the changeset " + c.m.Name + " has a precondition under which it does not run: it is read as if it ran"})
	}
	p.add(p.e, c.m)
}

// blockRollback finds a way back that is written as /* liquibase rollback … */.
func (c *changeset) blockRollback(f *source.File, end int) {
	at := min(c.head.next, end)
	for {
		i := strings.Index(f.Text[at:end], "/*")
		if i < 0 {
			return
		}
		at += i
		first := f.Text[at+2 : at+lineLength(f.Text[at:])]
		n := upTo(f.Text[at:end], "*/")
		if words := strings.Fields(strings.ToLower(first)); slices.Equal(words, []string{"liquibase", "rollback"}) {
			c.hasDown = true
			c.downs = append(c.downs, Span{at + 2 + len(first), max(at+2+len(first), at+n-2)})
		}
		at += n
	}
}

// forDialect reads a list of databases such as "postgresql,h2" or "!oracle".
func (p *changesetParser) forDialect(dbms string) bool {
	name := map[string]string{"postgres": "postgresql"}[p.o.Dialect]
	if name == "" {
		name = p.o.Dialect
	}
	excluded := false
	for _, word := range strings.Split(strings.ToLower(dbms), ",") {
		word = strings.TrimSpace(word)
		not := strings.HasPrefix(word, "!")
		word = strings.TrimPrefix(word, "!")
		switch {
		case name == "" || word == "all":
			return true
		case word == name && !not:
			return true
		case word == name:
			return false
		case not:
			excluded = true
		}
	}
	return excluded
}

// firstWord gives the first word of a comment, in lower case, and what follows it.
func firstWord(text string) (word, rest string) {
	i := strings.IndexAny(text, " \t")
	if i < 0 {
		return strings.ToLower(strings.TrimSpace(text)), ""
	}
	return strings.ToLower(strings.TrimSuffix(text[:i], ":")), strings.TrimSpace(text[i:])
}

// quotedOr gives a "quoted" text, or what stands before a sign.
func quotedOr(text, until string) (value, rest string, ok bool) {
	if strings.HasPrefix(text, `"`) {
		value, rest, ok = strings.Cut(text[1:], `"`)
		return value, rest, ok
	}
	i := strings.Index(text, until)
	if i < 0 {
		return strings.TrimSpace(text), "", until == " "
	}
	return strings.TrimSpace(text[:i]), text[i:], true
}

// attribute gives the value of name:value, whose case does not matter.
func attribute(text, name string) (string, bool) {
	low := strings.ToLower(text)
	for at := 0; ; {
		i := strings.Index(low[at:], strings.ToLower(name)+":")
		if i < 0 {
			return "", false
		}
		at += i
		if at == 0 || !wordByte(text[at-1]) {
			value := text[at+len(name)+1:]
			if strings.HasPrefix(value, `"`) {
				value, _, _ = strings.Cut(value[1:], `"`)
				return value, true
			}
			value, _, _ = strings.Cut(strings.TrimLeft(value, " \t"), " ")
			return value, true
		}
		at++
	}
}

// changelogStem tells names that master changelogs have.
func changelogStem(name string) bool {
	stem := strings.ToLower(strings.TrimSuffix(name, path.Ext(name)))
	return strings.Contains(stem, "changelog") || strings.Contains(stem, "master") || strings.Contains(stem, "liquibase") || stem == "index" || stem == "main" || stem == "root"
}

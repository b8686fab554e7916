package cli

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"github.com/sethvargo/go-githubactions"

	"github.com/altergate/altergate/internal/bot"
	"github.com/altergate/altergate/internal/policy"
	"github.com/altergate/altergate/internal/schema"
)

// actionLog writes lines that may hold text from a pull request to the log of a job, where the runner carries out every line that looks
// like a command of its own.
type actionLog struct {
	to   io.Writer
	rest []byte // of a line whose end has not come
}

// Write takes text in any pieces. It never fails: a log that is gone changes no answer.
func (l *actionLog) Write(p []byte) (int, error) {
	l.rest = append(l.rest, p...)
	for {
		line, rest, ended := bytes.Cut(l.rest, []byte("\n"))
		if !ended {
			return len(p), nil
		}
		_, _ = io.WriteString(l.to, inert(string(line))+"\n")
		l.rest = append([]byte(nil), rest...)
	}
}

// inert spells out what makes a command of a line: two colons at its beginning, blanks before them or not, and the older form, which
// counts anywhere in it.
func inert(line string) string {
	line = strings.ReplaceAll(visible(line), "##[", `#\u{23}[`)
	text := strings.TrimLeftFunc(line, unicode.IsSpace)
	if strings.HasPrefix(text, "::") {
		line = line[:len(line)-len(text)] + `\u{3A}` + text[1:]
	}
	return line
}

// oneLine gives an error, which may be several, as the text of an annotation.
func oneLine(err error) string { return visible(strings.ReplaceAll(err.Error(), "\n", "; ")) }

// tolerant keeps the toolkit, which panics when it cannot write, from doing so.
type tolerant struct{ io.Writer }

func (t tolerant) Write(p []byte) (int, error) {
	_, _ = t.Writer.Write(p)
	return len(p), nil
}

// tell makes the answer known to whoever reads the run: in the log, the summary, the files and, where nothing else can carry it, as
// annotations. Of an answer among several, there are no files.
func (a action) tell(runner *githubactions.Action, log io.Writer, in actionInputs, answer bot.Answer, among bool) results {
	say := func(text string) { _, _ = io.WriteString(log, text+"\n") }
	out := resultsOf(answer)
	if answer.Nothing != "" {
		say("Nothing to do: " + answer.Nothing)
		return out
	}
	if answer.Report != nil {
		var text bytes.Buffer
		writeText(&text, answer.Report, answer.Verdict, false)
		title := "Report"
		if answer.Number != 0 {
			title += fmt.Sprintf(" on #%d", answer.Number)
		}
		runner.Group(title)
		say(strings.TrimRight(text.String(), "\n"))
		runner.EndGroup()
	}
	if answer.Stale != "" {
		say("Nothing was published: " + answer.Stale)
	}
	if answer.Denied != "" {
		say("There is no commit status, so the step's own result is the answer: " + answer.Denied)
	}
	for _, note := range answer.Notes {
		say(note)
	}
	a.annotate(runner, answer)
	summary := answer.Markdown + "\n"
	if among && answer.Number != 0 {
		summary = fmt.Sprintf("## Pull request %d\n\n%s", answer.Number, summary)
	}
	if !among {
		if err := a.reportFiles(&out, in.context, answer); err != nil {
			runner.Warningf("%s", oneLine(err))
		}
	}
	if answer.Stale == "" {
		if err := appendTo(a.Getenv("GITHUB_STEP_SUMMARY"), summary); err != nil {
			runner.Warningf("%s", oneLine(err))
		}
	}
	return out
}

// annotate puts errors where GitHub shows them beside the run. There is a limit of ten for a step.
func (a action) annotate(runner *githubactions.Action, answer bot.Answer) {
	const most = 10
	if answer.Failure != nil {
		runner.Errorf("%s", oneLine(answer.Failure))
		return
	}
	if answer.Denied == "" || answer.Stale != "" {
		return
	}
	var problems []*schema.Error
	if answer.Verdict.Outcome == policy.NoAnswer {
		problems = allErrors(answer.Report)
	}
	for _, s := range answer.Verdict.Blocking {
		e := &schema.Error{Text: s.Risk.String() + " step needs approval: " + strings.ReplaceAll(s.Kind, "_", " ") + " " + objectOf(s)}
		for _, f := range s.Findings {
			if f.Risk == s.Risk {
				e.Text, e.Side, e.Pos = e.Text+". "+f.Text, f.Side, f.Pos
				break
			}
		}
		problems = append(problems, e)
	}
	for i, e := range problems {
		if i == most-1 && len(problems) > most {
			runner.Errorf("%d more, which are in the summary of the job", len(problems)-i)
			return
		}
		runner.WithFieldsMap(placed(answer, e)).Errorf("%s", visible(e.Text))
	}
}

// placed gives the place of an annotation, where it has one on the head commit: its files are those that GitHub shows.
func placed(answer bot.Answer, e *schema.Error) map[string]string {
	fields := map[string]string{"title": "Altergate"}
	if line, ok := answer.Line(e.Side, e.Pos); ok {
		fields["file"] = visible(e.Pos.File)
		fields["line"] = strconv.Itoa(line)
	}
	return fields
}

package pull

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/go-github/v62/github"
)

// CheckRun is what a check run on a commit is to show. It decides nothing, the commit status does: GitHub hangs the check runs of a
// workflow's token under some workflow of the commit, which need not be the one that made them.
type CheckRun struct {
	SHA         string
	Name        string
	Passed      bool
	Title       string // one line
	Summary     string // Markdown, at most MaxCheckText bytes, of which all is below the title
	Text        string // likewise, below the summary
	URL         string // where its "Details" lead; may be empty
	Annotations []Annotation
}

// MaxCheckText is how long a summary or a text may be. GitHub says characters, and no text has more of them than bytes.
const MaxCheckText = 65_535

// Annotation is a remark on a line of a file of the commit. Its texts are plain, not Markdown.
type Annotation struct {
	Path    string
	Line    int // from 1
	Level   Level
	Title   string // GitHub's 255 characters of it are kept
	Message string // and 64 KiB of this
}

// Level is how grave an annotation is. The zero Level is none, and is refused.
type Level string

// The levels, the gravest first.
const (
	LevelFailure Level = "failure"
	LevelWarning Level = "warning"
	LevelNotice  Level = "notice"
)

const (
	maxAnnotations  = 50 // in one request
	maxCheckTitle   = 255
	maxCheckMessage = 64 << 10
	writeChecks     = "checks: write"
)

// PutCheckRun brings our check run of that name on a commit up to date. Annotations are only ever added, so that one with other
// annotations is left behind for a new one; what is left behind gets the new conclusion, so that no old answer stands beside the new.
func (c *Client) PutCheckRun(ctx context.Context, run CheckRun) error {
	err := run.check()
	if err == nil {
		err = c.putCheckRun(ctx, run)
	}
	if err != nil {
		return fmt.Errorf("posting the check run %s on %.12s: %w", run.Name, run.SHA, err)
	}
	return nil
}

func (c *Client) putCheckRun(ctx context.Context, run CheckRun) error {
	ours, err := c.checkRuns(ctx, run.SHA, run.Name)
	if err != nil {
		return err
	}
	if len(ours) > 0 && ours[0].GetExternalID() == run.mark() {
		if err := c.updateCheckRun(ctx, ours[0].GetID(), run.update(run.output(nil), run.mark())); err != nil {
			return err
		}
		ours = ours[1:]
	} else if err := c.createCheckRun(ctx, run); err != nil {
		return err
	}
	for _, old := range ours {
		if old.GetConclusion() == run.conclusion() {
			continue
		}
		superseded := &github.CheckRunOutput{Title: github.String(shorten(run.Title, maxCheckTitle)),
			Summary: github.String("A later check run of the same name has the annotations.")}
		if err := c.updateCheckRun(ctx, old.GetID(), run.update(superseded, old.GetExternalID())); err != nil {
			return err
		}
	}
	return nil
}

// checkRuns are ours of a name on a commit, the newest first. Each App, and all workflows together, have their own.
func (c *Client) checkRuns(ctx context.Context, sha, name string) ([]*github.CheckRun, error) {
	me, err := c.Me(ctx)
	if err != nil {
		return nil, err
	}
	var ours []*github.CheckRun
	path := c.path("commits/%s/check-runs?check_name=%s&filter=all", sha, url.QueryEscape(name))
	err = pages(ctx, c, path, writeChecks, func(page github.ListCheckRunsResults) error {
		if page.Total == nil {
			return errEmpty
		}
		for _, r := range page.CheckRuns {
			if r.GetName() == name && me.Is(User{Login: r.GetApp().GetSlug() + "[bot]"}) {
				ours = append(ours, r)
			}
		}
		return nil
	})
	slices.SortFunc(ours, func(a, b *github.CheckRun) int { return cmp.Compare(b.GetID(), a.GetID()) })
	return ours, err
}

// createCheckRun adds the annotations in batches. Only the last request says by its mark that all of them are there.
func (c *Client) createCheckRun(ctx context.Context, run CheckRun) error {
	batches := slices.Collect(slices.Chunk(run.Annotations, maxAnnotations))
	if batches == nil {
		batches = [][]Annotation{nil}
	}
	var mark string
	if len(batches) == 1 {
		mark = run.mark()
	}
	first := run.update(run.output(batches[0]), mark)
	in := github.CreateCheckRunOptions{Name: run.Name, HeadSHA: run.SHA, DetailsURL: first.DetailsURL, ExternalID: first.ExternalID,
		Status: first.Status, Conclusion: first.Conclusion, Output: first.Output}
	var made github.CheckRun
	if _, err := c.do(ctx, ask{method: "POST", path: c.path("check-runs"), in: in, need: writeChecks}, &made); err != nil {
		return err
	}
	if made.GetID() == 0 || made.GetConclusion() != run.conclusion() {
		return errEmpty
	}
	for i, batch := range batches[1:] {
		if i == len(batches)-2 {
			mark = run.mark()
		}
		if err := c.updateCheckRun(ctx, made.GetID(), run.update(run.output(batch), mark)); err != nil {
			return err
		}
	}
	return nil
}

func (c *Client) updateCheckRun(ctx context.Context, id int64, in github.UpdateCheckRunOptions) error {
	var out github.CheckRun
	_, err := c.do(ctx, ask{method: "PATCH", path: c.path("check-runs/%d", id), in: in, need: writeChecks}, &out)
	if err == nil && out.GetConclusion() != *in.Conclusion {
		err = errEmpty
	}
	return err
}

func (r CheckRun) conclusion() string {
	if r.Passed {
		return "success"
	}
	return "failure" // neutral and skipped let a required check pass
}

func (r CheckRun) update(output *github.CheckRunOutput, mark string) github.UpdateCheckRunOptions {
	in := github.UpdateCheckRunOptions{Name: r.Name, Status: github.String("completed"), Conclusion: github.String(r.conclusion()), Output: output}
	if mark != "" {
		in.ExternalID = github.String(mark)
	}
	if r.URL != "" {
		in.DetailsURL = github.String(r.URL)
	}
	return in
}

func (r CheckRun) output(annotations []Annotation) *github.CheckRunOutput {
	out := &github.CheckRunOutput{Title: github.String(shorten(r.Title, maxCheckTitle)), Summary: github.String(r.Summary), Text: github.String(r.Text)}
	for _, a := range annotations {
		out.Annotations = append(out.Annotations, &github.CheckRunAnnotation{
			Path: github.String(a.Path), StartLine: github.Int(a.Line), EndLine: github.Int(a.Line), AnnotationLevel: github.String(string(a.Level)),
			Title: github.String(shorten(a.Title, maxCheckTitle)), Message: github.String(cutBytes(a.Message, maxCheckMessage)),
		})
	}
	return out
}

// mark is the check run's external ID, which tells one set of annotations from another.
func (r CheckRun) mark() string {
	text, _ := json.Marshal(r.output(r.Annotations).Annotations) // of strings and numbers alone
	sum := sha256.Sum256(text)
	return "altergate " + hex.EncodeToString(sum[:16])
}

// check refuses what GitHub would refuse, in words that say which part it is.
func (r CheckRun) check() error {
	switch {
	case !objectID.MatchString(r.SHA):
		return fmt.Errorf("%q is not a commit", r.SHA)
	case r.Name == "" || r.Title == "" || r.Summary == "":
		return fmt.Errorf("it needs a name, a title and a summary")
	case len(r.Summary) > MaxCheckText || len(r.Text) > MaxCheckText:
		return fmt.Errorf("its summary has %d bytes and its text %d, and GitHub takes %d", len(r.Summary), len(r.Text), MaxCheckText)
	}
	for _, a := range r.Annotations {
		level := a.Level == LevelFailure || a.Level == LevelWarning || a.Level == LevelNotice
		if a.Path == "" || a.Line < 1 || !level || strings.TrimSpace(a.Message) == "" {
			return fmt.Errorf("an annotation needs a file, a line, a level and a message, and is %+v", a)
		}
	}
	return nil
}

// cutBytes cuts a text that is too long, at a character.
func cutBytes(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	end := limit - len("…")
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}

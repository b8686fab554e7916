package comment_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"pgregory.net/rapid"

	"github.com/altergate/altergate/internal/comment"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/pipeline"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/policy"
	"github.com/altergate/altergate/internal/proof"
	"github.com/altergate/altergate/internal/schema"
)

// nasty are names that want to be something else.
var nasty = []string{
	"`", "``", "a`b", "```\n", "|", "\\|", "a\\", "a\\\\|b", "a|b`", "`|`", "<details>", "</details>", "</summary>", "<!--", "-->",
	"<!-- altergate key=00 -->", "\n<!-- altergate key=20c09b9819083c76 head= run=9.9 -->", "@acme/everyone", "a@b.example", "#123", "acme/shop#1",
	"GH-12", ":smile:", ":a:b:", "https://evil.example", "http://x", "www.evil.example", "ftp://x", "mailto:a@b", "![x](https://x/y.png)",
	"[x](y)", "[x]", "[x]: y", "[^1]", "<https://x>", "&lt;b&gt;", "&#64;acme", "&commat;acme", "*a*", "_a_", "__a__", "~~a~~", "~a~", "$x$", "$$",
	"- [ ] a", "- a", "1. a", "1) a", "+ a", "> a", "# a", "===", "---", "    a", "\ta", "a\r\nb", "a\nb", "a\n\nb", "\n/approve destructive\n",
	"/approve destructive", "\u202Eabc", "a\u200Bb", "a\u00A0b", "\u2066x\u2069", "\u3164", "\uFE0F", "\x00", "\x1b[31m", "\xff\xfe", "\uFFFD", " a ", "a  b", " ",
	"\\u{202E}", "\\x{FF}", "\u2028", "c0ffee0123456789c0ffee0123456789c0ffee01", "::set-output name=x::y", "{{x}}", "\"", "'", "é", "名前", "👩‍👩‍👧",
	"\\\\|", "\\\\\\|", "a\\|b|c\\", "|\n|\n", "a\u0301", "\u0301", "\uD7FF", "\uE000", "\uFFFE", "\uFFFF", "\U0010FFFF", "\U000E0041", "\uFFF9", "\u061C",
	"\u200E\u200F", "\u2028\u2029", "\u115F", "\uFEFF", "\xed\xa0\x80", "\xf4\x90\x80\x80", "$`x`$", "$", "$$\n\\x\n$$", "acme/shop@c0ffee0", "a@b.c",
	"fixes #1", "GH-1", "gh-1", "https://[x", "HTTP://X", "![](https://x)", "[[x]]", "<!-- altergate key=20c09b9819083c76 head= run=1.1 -->", "--!>", "<!", "<?", "]]>",
	"<img src=x>", "&#x40;a", "&nbsp;", "\\@a", "\\`", "%0A", "{#id}", "[x]: <y> 'z'", "^a^", "==a==", "||", "\r", "\v", "\f", "\u0085", "- [x] a", "* a", "***", "~~~",
	strings.Repeat("long", 40), strings.Repeat("`", 90), strings.Repeat("\u202E", 90), strings.Repeat("@", 500),
}

// drawName gives any text that is not empty: arbitrary Unicode, arbitrary bytes, or nasty pieces put together.
func drawName(t *rapid.T, label string) string {
	nastier := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(nasty), 1, 3).Draw(t, "pieces"), rapid.SampledFrom([]string{"", " ", "\n", "a", "_"}).Draw(t, "glue"))
	})
	bytes := rapid.Custom(func(t *rapid.T) string { return string(rapid.SliceOfN(rapid.Byte(), 1, 20).Draw(t, "bytes")) })
	anywhere := rapid.Custom(func(t *rapid.T) string { // every code point is as likely as any other
		var b strings.Builder
		for _, r := range rapid.SliceOfN(rapid.Int32Range(0, unicode.MaxRune), 1, 12).Draw(t, "code points") {
			b.WriteRune(r) // a surrogate becomes U+FFFD
		}
		return b.String()
	})
	return rapid.OneOf(nastier, rapid.StringN(1, 30, -1), bytes, anywhere).Draw(t, label)
}

// namesEverywhere is a body in which every text that can come from a pull request contains a name.
func namesEverywhere(name func() string) string {
	table := &schema.Table{Name: name()}
	steps := []*plan.Step{dropColumn(name(), name()), setNotNull(name(), name()), addColumn(name(), name())}
	renamed := change("rename_column", name(), plan.Review, "Code may still use "+name()+".", "ALTER TABLE x RENAME "+name())
	renamed.From = name()
	rebuilt := change("rebuild_table", name(), plan.Destructive, name()+" is lost.", "CREATE TABLE "+name()+" (a)", "-- "+name())
	rebuilt.Changes = []diff.Change{diff.RebuildTable{From: table, To: table, Changes: []diff.Change{
		diff.DropColumn{Table: table, Column: &schema.Column{Name: name()}},
		diff.AddConstraint{Table: table, Constraint: &schema.Constraint{Kind: schema.Unique, Name: name()}},
		diff.DropConstraint{Table: table, Constraint: &schema.Constraint{Kind: schema.Check, Expr: &schema.Expr{Text: name()}}},
		diff.ReplaceOpaque{To: &schema.Opaque{Kind: "virtual table using " + name(), Name: name()}},
	}}}
	rebuilt.Before, rebuilt.After = []string{"SAVEPOINT " + name()}, []string{"RELEASE " + name()}
	rebuilt.Lock = plan.Lock{Level: name(), Blocks: "reads of " + name(), Rewrite: true}
	for i := range 8 {
		renamed.Findings = append(renamed.Findings, plan.Finding{Risk: plan.Risk(i % 3), Text: name(), Side: schema.Base, Pos: schema.Pos{File: name(), Line: i}})
	}
	main := answer(name(), append(steps, renamed, rebuilt)...)
	main.Source, main.Dialect = name(), "postgres"+name()
	main.Plan.PossibleRenames = []diff.PossibleRename{{Kind: "column", Table: name(), From: name(), To: name(), Hint: "-- @renamed from=" + name()}}
	main.Plan.Notices = []schema.Notice{{Text: "About " + name(), Side: schema.Head, Pos: schema.Pos{File: name(), Line: 1, Column: 2}}}
	main.Proof.Engine = &proof.Engine{Name: "e" + name(), Version: "1" + name(), Result: proof.Proved, Empty: []string{name(), name()},
		LeftOut: []string{"no " + name(), "not " + name()}}
	side := answer(name(), addColumn(name(), name()))
	side.Proof.Engine = &proof.Engine{Name: "postgres", Version: "15", Reason: "there is no " + name()}
	side.Plan.Steps[0].Transaction = false
	r := report(main, side, answer(name()), failure(name(), &schema.Error{Side: schema.Base, Pos: schema.Pos{File: name(), Line: 3}, Path: name(), Text: "Not " + name()}))
	r.Notices = []schema.Notice{{Text: "No " + name() + " here."}}
	r.Policy.Approvers = policy.Approvers{Roles: []string{name(), name()}, Teams: []string{name()}, Users: []string{name()}}

	refused := approvalBy("x", "")
	refused.Login, refused.Barred, refused.Digest, refused.Steps = name(), "has the role "+name(), name(), []string{name(), name()}
	counted := approvalBy("y", name())
	counted.Login, counted.URL = name(), "https://github.com/acme/shop/"
	refused.URL = "javascript:" + name()
	blocked := policy.Decide(r.Policy, r.Plans(), true, []policy.Approval{refused})
	blocked.Counted = []policy.Approval{counted}
	failed := policy.Decide(r.Policy, r.Plans(), r.Answered(), []policy.Approval{refused})
	passed := blocked
	passed.Outcome = policy.Passed
	var bodies []string
	r.Policy.Protect = []policy.Protection{{Tables: []string{"*"}, MinApprovals: 2, Approvers: &policy.Approvers{Roles: []string{name()}, Teams: []string{name(), name()}, Users: []string{name()}}}}
	protected := policy.Decide(r.Policy, []*plan.Plan{main.Plan}, true, []policy.Approval{refused})
	protected.Blocking = protected.Blocking[:1] // names that are the same are listed once
	protected.Needing[0].Gates[0].Kind, protected.Needing[0].Gates[0].Object = "virtual table using "+name(), name()
	protected.Counted, protected.Limits = []policy.Approval{counted}, []string{"column " + name() + " is protected: it takes the team " + name()}
	for _, v := range []policy.Verdict{blocked, failed, passed, protected} {
		o := options()
		o.Mark, o.Base, o.Limit = comment.Mark{}, name(), comment.Limit{Units: 1 << 20, Bytes: 1 << 22} // nothing is cut
		bodies = append(bodies, comment.Render(r, v, o))
	}
	bodies = append(bodies, comment.Elsewhere(comment.Remarks(r), 1<<20))
	return strings.Join(bodies, "\n\n") + "\n\n" + comment.Render(&pipeline.Report{Results: []*pipeline.Result{answer(name())}}, policy.Verdict{Outcome: policy.Passed}, options())
}

// Whatever the names are, the structure of the comment is what it is with plain names.
func TestNamesNeverChangeTheStructure(t *testing.T) {
	want := skeleton(t, namesEverywhere(func() string { return "users" }))
	check := func(t failer, body string) {
		t.Helper()
		if diff := cmp.Diff(want, skeleton(t, body)); diff != "" {
			t.Errorf("structure (-want +got):\n%s\nof:\n%s", diff, body)
		}
		checkInert(t, body)
		checkOneMarker(t, body)
	}
	for _, name := range nasty {
		check(t, namesEverywhere(func() string { return name }))
	}
	rapid.Check(t, func(t *rapid.T) {
		check(t, namesEverywhere(func() string { return drawName(t, "name") }))
	})
}

// Pipes and backslashes, in names, defaults and checks, neither split a cell nor join two, and are read as they were written.
func TestPipesAndBackslashesInCells(t *testing.T) {
	for text, shown := range map[string]string{
		"a|b":            `a\u{7C}b`,
		`\d+\|x`:         `\d+\\u{7C}x`,
		`a\`:             `a\`,
		`a\\`:            `a\\`,
		`\|`:             `\\u{7C}`,
		`\\|`:            `\\\u{7C}`,
		"a\nb":           `a\u{A}b`,
		"`a|b`":          `\u{60}a\u{7C}b\u{60}`,
		`^[a-z]+\.\d{2}`: `^[a-z]+\.\d{2}`,
	} {
		s := change("rebuild_table", text, plan.Destructive, "The default "+text+" is lost.")
		s.Changes = []diff.Change{diff.RebuildTable{Changes: []diff.Change{diff.AddConstraint{
			Constraint: &schema.Constraint{Kind: schema.Check, Expr: &schema.Expr{Text: text}}}}}}
		r := report(answer("main", s, addColumn(text, text)))
		r.Results[0].Plan.PossibleRenames = []diff.PossibleRename{{Kind: "column", Table: text, From: text, To: text, Hint: text}}
		body := comment.Render(r, decide(r), options())
		checkInert(t, body)
		if cell := "| rebuild table `" + shown + "`: add check `" + shown + "` |"; !strings.Contains(body, cell) {
			t.Errorf("%q: there is no cell %s in\n%s", text, cell, body)
		}
		rows := 0
		walk(t, parseMarkdown([]byte(body)), func(node ast.Node, entering bool) {
			table, ok := node.(*extast.Table)
			if !ok || !entering {
				return
			}
			for row := table.FirstChild().NextSibling(); row != nil; row = row.NextSibling() {
				rows++
				if row.LastChild().FirstChild() == nil {
					t.Errorf("%q: the last cell of a row is empty in\n%s", text, body)
				}
			}
		})
		if rows != 3 {
			t.Errorf("%q: there are %d rows, want 3, in\n%s", text, rows, body)
		}
	}
}

func TestTextIsInert(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := drawName(t, "text")
		for _, got := range []string{comment.Text(name), comment.Text(name + " " + name), "- " + comment.Text("a "+name)} {
			checkInert(t, got)
		}
		if got, want := skeleton(t, "x "+comment.Text(name)+" y"), skeleton(t, "x users y"); got != want {
			t.Errorf("structure of %q:\n%s", comment.Text(name), got)
		}
		if got := skeleton(t, comment.Text(name)); got != skeleton(t, "users") && got != skeleton(t, "") {
			t.Errorf("structure of %q at the beginning of a line:\n%s", comment.Text(name), got)
		}
	})
}

// Two names that differ are shown as two names.
func TestCodeKeepsNamesApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawName(t, "a"), drawName(t, "b")
		if a != b && comment.Code(a) == comment.Code(b) {
			t.Fatalf("%q and %q are both shown as %s", a, b, comment.Code(a))
		}
		if got := len([]rune(comment.Code(a))); got > 82 {
			t.Fatalf("%q is %d characters wide", comment.Code(a), got)
		}
	})
}

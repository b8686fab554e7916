package comment_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/comment"
	"github.com/altergate/altergate/internal/plan"
)

const (
	digest = "3f9a2c1b8d7e6f5a4b3c2d1e"
	stepID = "0123456789abcdef"
)

// isCommand is a body that holds `/approve destructive` in plain sight, and nothing else of ours.
func isCommand(body string) commandCase {
	return commandCase{body: body, want: []comment.Command{{Name: comment.Approve, Risk: plan.Destructive, Line: "/approve destructive"}}}
}

// isTalk is a body that holds no command.
func isTalk(body string) commandCase { return commandCase{body: body} }

type commandCase struct {
	body string
	want []comment.Command
}

// Where a command stands decides whether it is one.
func TestCommandsInPlainSight(t *testing.T) {
	tests := map[string]commandCase{
		"alone":                                   isCommand("/approve destructive"),
		"with a line end":                         isCommand("/approve destructive\n"),
		"CRLF":                                    isCommand("Fine.\r\n/approve destructive\r\n"),
		"CR":                                      isCommand("Fine.\r/approve destructive\r"),
		"blanks around":                           isCommand("  /approve destructive 	 "),
		"three blanks before":                     isCommand("   /approve destructive"),
		"after a line":                            isCommand("Looks good.\n/approve destructive"),
		"before a line":                           isCommand("/approve destructive\nThank you"),
		"after a paragraph":                       isCommand("Looks good.\n\n/approve destructive\n\nBye"),
		"after a blank line at the top":           isCommand("\n\n/approve destructive"),
		"after a closed quote":                    isCommand("> what?\n\n/approve destructive"),
		"after a list and a line of text":         isCommand("- a\n- b\n\nSo:\n\n/approve destructive"),
		"after a heading":                         isCommand("# Yes\n/approve destructive"),
		"before a thematic break":                 isCommand("/approve destructive\n\n---"),
		"after a closed fence":                    isCommand("```\nx\n```\n/approve destructive"),
		"with a trailer of an issue tracker":      isCommand("/approve destructive\n<!-- linear:isThreadRoot -->"),
		"with a trailer after a blank line":       isCommand("/approve destructive\n\n<!-- a -->\n<!-- b\nc -->"),
		"with an inline comment elsewhere":        isCommand("Yes <!-- x --> indeed\n/approve destructive"),
		"beside emphasis and code on other lines": isCommand("*yes* `x` [l](u) ~~no~~\n/approve destructive\n**bye**"),
		"after an autolink":                       isCommand("see https://example.com/a\n/approve destructive"),
		"where a list with a fence ends":          isCommand("- a\n  ```\n/approve destructive\n  ```"),
		"a price before it":                       isCommand("it costs $5\n/approve destructive\nand $6"),

		"as long as may be": isCommand("/approve destructive\n\n" + strings.Repeat("x", 16<<10-22)),

		"too long, without a command":          isTalk("approve destructive\n\n/approved /plans\n" + strings.Repeat("x", 16<<10)),
		"nothing":                              isTalk(""),
		"quote":                                isTalk("> /approve destructive"),
		"lazy continuation of a quote":         isTalk("> quote\n/approve destructive"),
		"quote in a quote":                     isTalk("> > /approve destructive"),
		"alert":                                isTalk("> [!NOTE]\n> /approve destructive"),
		"fence":                                isTalk("```\n/approve destructive\n```"),
		"fence with tildes":                    isTalk("~~~\n/approve destructive\n~~~"),
		"unclosed fence":                       isTalk("```\n/approve destructive"),
		"fence inside a longer fence":          isTalk("````\n```\n/approve destructive\n```\n````"),
		"indented code":                        isTalk("    /approve destructive"),
		"code after a tab":                     isTalk("\t/approve destructive"),
		"four blanks after a line":             isTalk("text\n    /approve destructive"),
		"a tab after a line":                   isTalk("text\n\t/approve destructive"),
		"inline code":                          isTalk("`/approve destructive`"),
		"inline code over lines":               isTalk("`a\n/approve destructive\nb`"),
		"inline code over lines, two ticks":    isTalk("see ``a\n/approve destructive\n`` b"),
		"list item":                            isTalk("- /approve destructive"),
		"numbered item":                        isTalk("1. /approve destructive"),
		"lazy continuation of an item":         isTalk("- item\n/approve destructive"),
		"paragraph of an item":                 isTalk("- item\n\n  /approve destructive"),
		"task":                                 isTalk("- [ ] /approve destructive"),
		"HTML comment":                         isTalk("<!-- /approve destructive -->"),
		"HTML comment over lines":              isTalk("<!--\n/approve destructive\n-->"),
		"inline HTML comment over lines":       isTalk("text <!--\n/approve destructive\n--> text"),
		"unclosed HTML comment":                isTalk("<!--\n/approve destructive"),
		"after an unclosed comment":            isTalk("/approve destructive\n\n<!-- x"),
		"details":                              isTalk("<details>\n/approve destructive\n</details>"),
		"details with blank lines":             isTalk("<details>\n\n/approve destructive\n\n</details>"),
		"details closed before it":             isTalk("<details>x</details>\n\n/approve destructive"),
		"details after it":                     isTalk("/approve destructive\n\n<details>\n"),
		"details glued to a comment":           isTalk("<!-- --> <details>\n\n/approve destructive"),
		"comment that browsers close early":    isTalk("<!--> <details> -->\n\n/approve destructive"),
		"comment that browsers close early, 2": isTalk("<!-- --!> <details> -->\n\n/approve destructive"),
		"any other HTML":                       isTalk("<br>\n/approve destructive"),
		"HTML inside a quote":                  isTalk("> <b>x</b>\n\n/approve destructive"),
		"script":                               isTalk("<script>\n/approve destructive\n</script>"),
		"CDATA":                                isTalk("<![CDATA[\n/approve destructive\n]]>"),
		"heading":                              isTalk("# /approve destructive"),
		"setext heading":                       isTalk("/approve destructive\n---"),
		"setext heading, 2":                    isTalk("/approve destructive\n==="),
		"table head":                           isTalk("/approve destructive | b\n--- | ---\n"),
		"table row":                            isTalk("a | b\n--- | ---\n/approve destructive | c"),
		"table row without a pipe":             isTalk("a | b\n--- | ---\n/approve destructive"),
		"link definition":                      isTalk("[a]: /approve\n"),
		"title of a link definition":           isTalk("[a]: /x '\n/approve destructive\n'"),
		"text of a link":                       isTalk("[a\n/approve destructive\n](https://example.com)"),
		"title of a link":                      isTalk("[a](https://example.com '\n/approve destructive\n')"),
		"alternative text of an image":         isTalk("![a\n/approve destructive\n](https://example.com)"),
		"strikethrough":                        isTalk("~~/approve destructive~~"),
		"strikethrough over lines":             isTalk("~~no\n/approve destructive\nno~~"),
		"emphasis over lines":                  isTalk("*a\n/approve destructive\nb*"),
		"footnote":                             isTalk("text[^1]\n\n[^1]: note\n/approve destructive"),
		"footnote nobody sees":                 isTalk("[^1]: note\n/approve destructive"),
		"formula":                              isTalk("$$\n/approve destructive\n$$"),
		"backslash escape":                     isTalk("\\/approve destructive"),
		"entity":                               isTalk("&#47;approve destructive"),
		"right to left":                        isTalk("\u202E/approve destructive"),
		"zero width before":                    isTalk("\u200B/approve destructive"),
		"no-break space before":                isTalk("\u00A0/approve destructive"),
		"in a sentence":                        isTalk("Please /approve destructive"),
		"after a mention":                      isTalk("@altergate /approve destructive"),
		"bold":                                 isTalk("**/approve destructive**"),
		"slash apart":                          isTalk("/ approve destructive"),
		"two slashes":                          isTalk("//approve destructive"),
		"another slash":                        isTalk("⁄approve destructive"),
		"unknown word":                         isTalk("/deploy production"),
		"longer word":                          isTalk("/approved destructive"),
		"path":                                 isTalk("/plan/users.sql is wrong"),
		"word with a letter glued to it":       isTalk("/planète"),
		"another bot's command":                isTalk("/lgtm"),
		"another bot's command, 2":             isTalk("/deploy\n/hold\n/retest\n/merge now"),
		"approved":                             isTalk("/approved"),
		"unapproved":                           isTalk("/unapproved"),
		"plans":                                isTalk("/plans"),
		"with a hyphen":                        isTalk("/approve-all destructive"),
		"with a low line":                      isTalk("/approve_destructive"),
		"with a colon":                         isTalk("/approve: destructive"),
		"a path of its words":                  isTalk("/approve/destructive"),
		"e-mail's tail":                        isTalk("No.\n\nOn Mon, Ann <ann@example.com> wrote:\n> Fine.\n>\n> /approve destructive\n"),
		"e-mail's tail, lazily":                isTalk("No.\n\nOn Monday Ann wrote:\n> Fine.\n/approve destructive\n"),
		"a suggestion":                         isTalk("```suggestion\n/approve destructive\n```"),
		"a diagram":                            isTalk("```mermaid\n/approve destructive\n```"),
		"a list in a quote":                    isTalk("> - a\n> - b\n/approve destructive"),
		"a form feed before":                   isTalk("\f/approve destructive"),
		"a line separator before":              isTalk("yes\u2028/approve destructive"),
		"a next line before":                   isTalk("yes\u0085/approve destructive"),
		"a byte order mark before":             isTalk("\uFEFF/approve destructive"),
		"a NUL before":                         isTalk("\x00/approve destructive"),
		"a letter that looks like it":          isTalk("/аpprove destructive"),
		"apostrophe in prose":                  isTalk("I can't see why, it's \"odd"),
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, comment.Commands(test.body)); diff != "" {
				t.Errorf("commands in %q (-want +got):\n%s", test.body, diff)
			}
		})
	}
}

func TestCommandWords(t *testing.T) {
	approve := comment.Command{Name: comment.Approve, Risk: plan.Destructive}
	digested, stepped, stepped2, review := approve, approve, approve, approve
	digested.Digest = digest
	stepped.Steps = []string{stepID}
	stepped2.Steps = []string{stepID, "fedcba9876543210"}
	review.Risk = plan.Review
	whole := approve
	whole.Digest = strings.Repeat("ab", 32)
	wrong := func(name, problem string) comment.Command { return comment.Command{Name: name, Problem: problem} }
	tests := map[string]comment.Command{
		"/approve destructive":                                 approve,
		"/approve review":                                      review,
		"/approve destructive " + digest:                       digested,
		"/approve destructive " + strings.ToUpper(digest):      digested,
		"/approve destructive " + whole.Digest:                 whole,
		"/approve destructive " + stepID:                       stepped,
		"/approve destructive " + stepID + " FEDCBA9876543210": stepped2,
		"/approve  \t destructive":                             approve,
		"/unapprove":                                           {Name: comment.Unapprove},
		"/plan":                                                {Name: comment.Plan},
		"/help":                                                {Name: comment.Help},

		"/approve":                        wrong("approve", "say which risk is approved: destructive or review"),
		"/approve safe":                   wrong("approve", `unknown risk "safe": it is destructive or review`),
		"/approve Destructive":            wrong("approve", `unknown risk "Destructive": it is destructive or review`),
		"/approve " + digest:              wrong("approve", `unknown risk "`+digest+`": it is destructive or review`),
		"/approve destructive.":           wrong("approve", `unknown risk "destructive.": it is destructive or review`),
		"/approve ~~destructive~~":        wrong("approve", `unknown risk "~~destructive~~": it is destructive or review`),
		"/approve `destructive`":          wrong("approve", "unknown risk \"`destructive`\": it is destructive or review"),
		"/approve destructive\u00A0":      wrong("approve", `unknown risk "destructive\u00a0": it is destructive or review`),
		"/approve destructive please":     wrong("approve", `"please" is neither a digest nor a step's ID`),
		"/approve destructive <!-- x -->": wrong("approve", `"<!--" is neither a digest nor a step's ID`),
		"/approve destructive 3f9a":       wrong("approve", `a digest has 24 to 64 hex digits and a step's ID 16, and "3f9a" has 4`),
		"/approve destructive " + digest[:23]: wrong("approve",
			`a digest has 24 to 64 hex digits and a step's ID 16, and "`+digest[:23]+`" has 23`),
		"/approve destructive " + whole.Digest + "a": wrong("approve",
			`a digest has 24 to 64 hex digits and a step's ID 16, and "`+whole.Digest[:40]+`" has 65`),
		"/approve destructive " + digest + " " + digest: wrong("approve", "one digest is enough"),
		"/approve destructive " + digest + " " + stepID: wrong("approve", "give a digest or the IDs of steps, not both"),
		"/Approve destructive":                          wrong("approve", "commands are written in lower case: /approve"),
		"/approve\u00A0destructive":                     wrong("approve", "after /approve stands a character that is no ordinary blank"),
		"/approve\u200B destructive":                    wrong("approve", "after /approve stands a character that is no ordinary blank"),
		"/unapprove all":                                wrong("unapprove", "/unapprove stands alone on its line"),
		"/plan again":                                   wrong("plan", "/plan stands alone on its line"),
		"/help me":                                      wrong("help", "/help stands alone on its line"),
	}
	for line, want := range tests {
		want.Line = line
		if diff := cmp.Diff([]comment.Command{want}, comment.Commands(line)); diff != "" {
			t.Errorf("commands in %q (-want +got):\n%s", line, diff)
		}
	}
}

// A comment that is too long to be read safely says so, once, if anything in it looks like a command of ours.
func TestCommandsInALongComment(t *testing.T) {
	long := strings.Repeat("x", 16<<10)
	arguments := "/approve destructive" + strings.Repeat(" "+stepID, 10_000)
	tests := map[string]struct{ body, name, line string }{
		"before the text":    {"/approve destructive\n\n" + long, "approve", "/approve destructive"},
		"after the text":     {long + "\r\n\t /unapprove ", "unapprove", "/unapprove"},
		"the first of many":  {long + "\n/lgtm\n/plan\n/help\n", "plan", "/plan"},
		"not in lower case":  {long + "\n/Plan\n", "plan", "/Plan"},
		"after a fence":      {"```\n/plan\n```\n/help\n" + long, "help", "/help"},
		"after fences":       {"~~~~ x\n/plan\n~~~\n```\n~~~~~ \n```a```\n/help\n" + long, "help", "/help"},
		"10,000 arguments":   {arguments, "approve", arguments},
		"with tabs":          {long + "\n/approve\tdestructive", "approve", "/approve\tdestructive"},
		"65,536 characters":  {strings.Repeat("/help\n", 65_536/6), "help", "/help"},
		"made to take long":  {strings.Repeat("[", 60_000) + "\n/plan", "plan", "/plan"},
		"no blank that ends": {long + "\n/approve\u00A0destructive", "approve", "/approve\u00A0destructive"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			want := []comment.Command{{Name: test.name, Line: test.line,
				Problem: "the comment is too long to be read for commands, at more than 16 KiB: write /" + test.name + " in a comment of its own"}}
			if diff := cmp.Diff(want, comment.Commands(test.body)); diff != "" {
				t.Errorf("commands (-want +got):\n%s", diff)
			}
		})
	}
	for _, talk := range []string{"```\n/help\n", "  ~~~ sh\n/help\n```\n/help\n~~~\n", "````\n```\n/help\n````\n", "> /help\n", "text /help\n", "/helpme\n"} {
		if got := comment.Commands(talk + long); got != nil {
			t.Errorf("%q and a long text are %+v", talk, got)
		}
	}
}

// Two approvals in one comment that are not the same are a slip, and so is one that is taken back beside it.
func TestCommandsThatContradict(t *testing.T) {
	const differ = "the comment has several /approve that differ: write one, with the digest or with the IDs of all steps"
	const both = "the same comment has /unapprove: write one of them"
	const unknown = `unknown risk "please": it is destructive or review`
	other := strings.Repeat("b", 24)
	for body, want := range map[string][]string{ // the problems in order
		"/approve destructive\n/approve destructive":                                            {"", ""},
		"/approve destructive " + digest + "\n/approve destructive " + digest:                   {"", ""},
		"/approve destructive " + digest + "\n/approve destructive " + other:                    {differ, differ},
		"/approve destructive " + digest + "\n/approve destructive":                             {differ, differ},
		"/approve destructive\n/approve review":                                                 {differ, differ},
		"/approve destructive " + stepID + "\n/approve destructive " + digest:                   {differ, differ},
		"/approve destructive\n/approve please":                                                 {differ, unknown},
		"/approve please\n\ntext\n\n/approve destructive":                                       {unknown, differ},
		"/approve please\n/approve please":                                                      {unknown, unknown},
		"/approve destructive\n/unapprove":                                                      {both, ""},
		"/unapprove\n/approve destructive":                                                      {"", both},
		"/approve destructive\n/approve review\n/unapprove":                                     {both, both, ""},
		"/approve destructive\n/unapprove all":                                                  {"", "/unapprove stands alone on its line"},
		"/plan\n/approve destructive\n/help\n/plan":                                             {"", "", "", ""},
		"/approve destructive " + digest + "\n> /approve destructive " + other:                  {""},
		"/approve destructive " + strings.ToUpper(digest) + "\n/approve  destructive " + digest: {"", ""},
	} {
		var got []string
		for _, c := range comment.Commands(body) {
			got = append(got, c.Problem)
			if c.Problem != "" && (c.Risk != plan.Safe || c.Digest != "" || c.Steps != nil) {
				t.Errorf("%q: a command with a problem asks for something: %+v", body, c)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("problems in %q (-want +got):\n%s", body, diff)
		}
	}
}

func TestManyArguments(t *testing.T) {
	line := "/approve destructive" + strings.Repeat(" "+stepID, 100)
	if got := comment.Commands(line); len(got) != 1 || len(got[0].Steps) != 100 {
		t.Errorf("a hundred IDs are %+v", got)
	}
	got := comment.Commands(line + " " + stepID)
	want := "101 arguments are too many: give the digest, which stands for all steps, or at most 100 IDs"
	if len(got) != 1 || got[0].Problem != want || got[0].Steps != nil {
		t.Errorf("101 IDs are %+v", got)
	}
	if got := comment.Commands("/approve" + strings.Repeat(" a", 8_000)); len(got) != 1 || len(got[0].Problem) > 120 {
		t.Errorf("8,000 words are %+v", got)
	}
}

func TestCommandsKeepTheirOrder(t *testing.T) {
	var names []string
	for _, c := range comment.Commands("/unapprove\n/approve destructive\n\n> /plan\n\ntext\n/help\n") {
		names = append(names, c.Name)
	}
	if diff := cmp.Diff([]string{"unapprove", "approve", "help"}, names); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}

// Whatever people write: a command is a line of it, an approval without a problem is exactly what it says, and in a quote or a
// fence there is none.
func FuzzCommands(f *testing.F) {
	for _, seed := range []string{
		"/approve destructive", "/approve destructive " + digest, "/approve review " + stepID, "> q\n/plan", "```\n/help", "<!-- x -->\n/unapprove",
		"<details>\n\n/approve destructive\n", "a | b\n--|--\n/plan", "[a]: /x '\n/plan\n'", "~~a\n/plan~~", "text\r\n/approve\u00A0destructive", "$$\n/plan\n$$",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		commands := comment.Commands(body)
		lines := strings.FieldsFunc(body, func(r rune) bool { return r == '\n' || r == '\r' })
		for _, c := range commands {
			if !slices.ContainsFunc(lines, func(line string) bool { return strings.Trim(line, " \t") == c.Line }) {
				t.Errorf("%q is no line of %q", c.Line, body)
			}
			if c.Problem != "" && (c.Risk != plan.Safe || c.Digest != "" || c.Steps != nil) {
				t.Errorf("a command with a problem asks for something: %+v", c)
			}
			if spelling := strings.Join(strings.Fields(c.Line), " "); c.Problem == "" && spelling != written(c) && strings.ToLower(spelling) != written(c) {
				t.Errorf("%q was read as %q", c.Line, written(c))
			}
		}
		quoted := "> " + strings.NewReplacer("\r\n", "\n> ", "\r", "\n> ", "\n", "\n> ").Replace(body)
		if inQuote := comment.Commands(quoted); len(inQuote) > 0 {
			t.Errorf("a quote holds commands: %+v", inQuote)
		}
		if again := comment.Commands(body); !cmp.Equal(commands, again) {
			t.Errorf("read twice, understood twice")
		}
	})
}

// written spells a command as it should have been written.
func written(c comment.Command) string {
	words := []string{"/" + c.Name}
	if c.Name == comment.Approve {
		words = append(words, c.Risk.String())
	}
	if c.Digest != "" {
		words = append(words, c.Digest)
	}
	return strings.Join(append(words, c.Steps...), " ")
}

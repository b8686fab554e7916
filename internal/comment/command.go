package comment

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/policy"
)

// The names of the commands.
const (
	Approve   = "approve"   // /approve <risk> [<digest> | <step id>…]
	Unapprove = "unapprove" // take one's approvals back
	Plan      = "plan"      // run again
	Help      = "help"
)

const (
	stepIDLength  = 16
	mostArguments = 100 // of one /approve
)

// Command is one slash command. While Problem is not empty, nothing else but Name and Line is set: a command that is not
// understood asks for nothing.
type Command struct {
	Name    string
	Risk    plan.Risk // of approve: Review or Destructive
	Digest  string    // of approve, in lower case; empty in its other forms
	Steps   []string  // of approve, in lower case
	Problem string    // what is wrong, as a sentence without its full stop; it quotes the comment, so it is shown through Text
	Line    string    // as it was written, without the blanks around it
}

// Commands finds the slash commands in a comment that a person wrote, in order. Only what everybody sees as a plain line of the
// comment itself counts (see plainLines). In a comment of more than 16 KiB what looks like a command is one that is not understood. A word
// after a slash that is no command of ours is none of our business.
func Commands(body string) []Command {
	if len(body) > longest {
		return tooLong(body)
	}
	var commands []Command
	for _, line := range plainLines(body) {
		if c, ok := parseCommand(line); ok {
			commands = append(commands, c)
		}
	}
	return consistent(commands)
}

// tooLong gives the first line outside a fence that begins with a command, whether or not the rest of Markdown lets it be one.
func tooLong(body string) []Command {
	var fence fences
	for line := range strings.FieldsFuncSeq(body, func(r rune) bool { return r == '\n' || r == '\r' }) {
		if fence.holds(line) {
			continue
		}
		line = strings.Trim(line, " \t")
		word, _, _ := strings.Cut(strings.ReplaceAll(line, "\t", " "), " ")
		if name, _ := splitName(word); strings.HasPrefix(word, "/") && isOurs(name) {
			return []Command{{Name: name, Line: line, Problem: fmt.Sprintf("the comment is too long to be read for commands, at more than %d KiB: "+
				"write /%s in a comment of its own", longest>>10, name)}}
		}
	}
	return nil
}

// consistent refuses the approvals of a comment that contradict each other or are taken back in it: which of them is meant would be a
// guess. Taking back is not refused, since nothing passes by it.
func consistent(commands []Command) []Command {
	problem, first := "", -1
	for i, c := range commands {
		switch {
		case c.Name == Unapprove && c.Problem == "":
			problem = "the same comment has /unapprove: write one of them"
		case c.Name != Approve:
		case first < 0:
			first = i
		case problem == "" && !c.same(commands[first]):
			problem = "the comment has several /approve that differ: write one, with the digest or with the IDs of all steps"
		}
	}
	for i, c := range commands {
		if problem != "" && c.Name == Approve && c.Problem == "" {
			commands[i] = Command{Name: Approve, Line: c.Line, Problem: problem}
		}
	}
	return commands
}

// same tells whether two commands ask for the same.
func (c Command) same(o Command) bool {
	return c.Problem == "" && o.Problem == "" && c.Name == o.Name && c.Risk == o.Risk && c.Digest == o.Digest && slices.Equal(c.Steps, o.Steps)
}

func isOurs(name string) bool {
	return slices.Contains([]string{Approve, Unapprove, Plan, Help}, name)
}

func parseCommand(line string) (Command, bool) {
	words := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' })
	if len(words) == 0 {
		return Command{}, false
	}
	name, rest := splitName(words[0])
	if !isOurs(name) {
		return Command{}, false
	}
	c := Command{Name: name}
	switch {
	case words[0] != "/"+name && rest == "":
		c.Problem = fmt.Sprintf("commands are written in lower case: /%s", name)
	case rest != "":
		c.Problem = fmt.Sprintf("after /%s stands a character that is no ordinary blank", name)
	case name == Approve:
		c = parseApprove(words[1:])
	case len(words) > 1:
		c.Problem = fmt.Sprintf("/%s stands alone on its line", name)
	}
	c.Line = line
	return c, true
}

// splitName takes the first word apart into a command's name and what is glued to it by something that is neither ASCII nor
// a letter, such as a no-break space. Any other word, a path for example, comes back as one name.
func splitName(word string) (name, rest string) {
	word = strings.TrimPrefix(word, "/")
	glue := strings.IndexFunc(word, func(r rune) bool { return r > unicode.MaxASCII && !unicode.IsLetter(r) })
	if glue < 0 {
		glue = len(word)
	}
	return asciiLower(word[:glue]), word[glue:]
}

// parseApprove reads what stands after /approve. It guesses nothing.
func parseApprove(words []string) Command {
	wrong := func(format string, args ...any) Command {
		return Command{Name: Approve, Problem: fmt.Sprintf(format, args...)}
	}
	if len(words) == 0 {
		return wrong("say which risk is approved: destructive or review")
	}
	if len(words)-1 > mostArguments {
		return wrong("%d arguments are too many: give the digest, which stands for all steps, or at most %d IDs", len(words)-1, mostArguments)
	}
	c := Command{Name: Approve}
	switch words[0] {
	case plan.Destructive.String():
		c.Risk = plan.Destructive
	case plan.Review.String():
		c.Risk = plan.Review
	default:
		return wrong("unknown risk %.40q: it is destructive or review", words[0])
	}
	for _, word := range words[1:] {
		hex := asciiLower(word)
		switch {
		case strings.IndexFunc(hex, isNotHex) >= 0:
			return wrong("%.40q is neither a digest nor a step's ID", word)
		case len(hex) == stepIDLength:
			c.Steps = append(c.Steps, hex)
		case len(hex) < policy.MinDigest || len(hex) > policy.MaxDigest:
			return wrong("a digest has %d to %d hex digits and a step's ID %d, and %.40q has %d",
				policy.MinDigest, policy.MaxDigest, stepIDLength, word, len(hex))
		case c.Digest != "":
			return wrong("one digest is enough")
		default:
			c.Digest = hex
		}
	}
	if c.Digest != "" && len(c.Steps) > 0 {
		return wrong("give a digest or the IDs of steps, not both")
	}
	return c
}

// asciiLower lowers A to Z and nothing else: no other letter is one of them in disguise.
func asciiLower(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

package cli

import (
	"errors"
	"fmt"
	"io"

	"github.com/alecthomas/kong"

	"github.com/altergate/altergate/internal/dialect"
)

// grammar is the command line.
type grammar struct {
	Verify  inputFlags   `cmd:"" help:"Report what the change does, and whether policy allows it."`
	Plan    inputFlags   `cmd:"" help:"Print the SQL of the plan, if policy allows it."`
	Rules   rulesCommand `cmd:"" help:"List the rules that decide risk, or explain one."`
	Version struct{}     `cmd:"" help:"Print the version."`
}

// inputFlags are those of verify and plan.
type inputFlags struct {
	Config        once `help:"Configuration file (default .github/altergate.yml)." placeholder:"FILE"`
	Schema        once `help:"Only the schema of that name in the configuration." placeholder:"NAME"`
	Dialect       once `help:"Dialect of --base and --head, which then need no configuration: ${dialects}." placeholder:"WORD"`
	Base          once `help:"The schema before: a path, or REV:path." placeholder:"SPEC"`
	Head          once `help:"The schema after: a path, or REV:path." placeholder:"SPEC"`
	Hints         once `help:"JSON file with renames." placeholder:"FILE"`
	Renames       once `help:"What a difference of names without a hint means: allow, require-hint or deny." placeholder:"WORD"`
	MaxRisk       once `help:"Highest risk that needs no approval: safe, review or destructive (default review)." placeholder:"WORD"`
	EngineVersion once `help:"Version of the engine that the plan has to run on." placeholder:"VERSION"`
	Online        once `help:"Whether plans use the engine's online forms, which keep others going: true or false (default true)." placeholder:"BOOL"`
	Scratch       once `help:"Server to prove plans on, as postgres://user@host:5432/postgres or mysql://user@host:3306/; it has to be one that nothing else needs. none leaves out the engine; the replay is always done." placeholder:"URL"`
	Migrations    bool `help:"Base and head are migrations directories."`
	Format        once `help:"verify: text, markdown or json; plan: sql or json." placeholder:"WORD"`
	Out           once `help:"Write to this file instead of standard output." placeholder:"FILE"`
}

type rulesCommand struct {
	ID string `arg:"" optional:"" help:"The rule to explain."`
}

// once is a flag that may be given once: a second one is a mistake, and taking the last in silence would hide it.
type once struct {
	Value string
	Given bool
}

// Decode implements kong.MapperValue. The values are not in the message: one of them may hold a password.
func (o *once) Decode(ctx *kong.DecodeContext) error {
	token, err := ctx.Scan.PopValue("value")
	switch {
	case err != nil:
		return err
	case o.Given:
		return errors.New("is given twice; keep one")
	}
	o.Value, o.Given = fmt.Sprint(token.Value), true
	return nil
}

// or gives the value, or another when none was given.
func (o once) or(value string) string {
	if o.Given {
		return o.Value
	}
	return value
}

// parse reads the arguments and gives the command's name. It is empty when help was asked for and has been printed.
func parse(args []string, out io.Writer) (*grammar, string, error) {
	g := &grammar{}
	helped := false
	k, err := kong.New(g, kong.Name("altergate"), kong.Description("Altergate says what a change of a database schema does, in which order and at what risk, and proves it."),
		kong.Writers(out, out), kong.Exit(func(int) { helped = true }), kong.Vars{"dialects": dialect.Names()})
	if err != nil {
		return nil, "", err
	}
	switch {
	case len(args) == 0:
		return nil, "", fmt.Errorf("no command; one of verify, plan, rules, version (--help tells more)")
	case args[0] == "help":
		args = append([]string{"--help"}, args[1:]...)
	}
	parsed, err := k.Parse(args)
	switch {
	case helped:
		return g, "", nil
	case err != nil:
		return nil, "", err
	}
	return g, parsed.Selected().Name, nil
}

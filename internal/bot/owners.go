package bot

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/codeowners"
	"github.com/altergate/altergate/internal/pipeline"
	"github.com/altergate/altergate/internal/policy"
	"github.com/altergate/altergate/internal/pull"
	"github.com/altergate/altergate/internal/schema"
)

// owners is the CODEOWNERS of the base branch; nil where nothing hangs on it.
type owners = *codeowners.File

// readOwners reads CODEOWNERS where an approval may hang on it. It is taken from the tip of the base branch, as the policy is: a pull
// request does not make anybody an owner. One that cannot be read leaves no answer.
func (r *review) readOwners(tip fs.FS, report *pipeline.Report) {
	asked := slices.ContainsFunc(policy.Needing(report.Policy, report.Plans()), func(n policy.Need) bool {
		return slices.ContainsFunc(n.Gates, func(g policy.Gate) bool { return g.Approvers.CodeOwners })
	})
	if !asked {
		return
	}
	file, err := codeowners.Read(tip)
	report.Errors = append(report.Errors, schema.Errors(err)...)
	r.owners = file
}

// own notes whether an approval's writer is a code owner of every file that the pull request changes of a schema. GitHub takes nobody
// for an owner who may not write.
func (e electorate) own(ctx context.Context, a *policy.Approval, u pull.User, schema string) error {
	if slices.ContainsFunc(a.Owns, func(o policy.Ownership) bool { return o.Schema == schema }) {
		return nil
	}
	not, err := "a code owner has to have the role write or more", error(nil)
	if slices.Contains([]string{"write", "maintain", "admin"}, a.Level) {
		not, err = e.notOwned(ctx, u, e.changed[schema])
	}
	if err == nil {
		a.Owns = append(a.Owns, policy.Ownership{Schema: schema, Not: not})
	}
	return err
}

// notOwned says of the first of some files that someone does not own whose it is, or nothing. It asks about teams only when no file is
// in the way for which there is nothing to ask.
func (e electorate) notOwned(ctx context.Context, u pull.User, files []string) (string, error) {
	switch {
	case e.owners == nil || e.owners.Path == "":
		return "the base branch has no CODEOWNERS", nil
	case len(files) == 0:
		return "no file of it is changed", nil
	}
	var byTeam []string
	for _, file := range files {
		of := e.owners.Owners(file)
		switch {
		case slices.ContainsFunc(of, func(o codeowners.Owner) bool { return o.Login != "" && strings.EqualFold(o.Login, u.Login) }):
		case slices.ContainsFunc(of, func(o codeowners.Owner) bool { return o.Team != "" }):
			byTeam = append(byTeam, file)
		default:
			return belongs(file, of), nil
		}
	}
	for _, file := range byTeam {
		in, err := e.inOneOf(ctx, u, e.owners.Owners(file))
		if err != nil {
			return "", err
		}
		if !in {
			return belongs(file, e.owners.Owners(file)), nil
		}
	}
	return "", nil
}

func (e electorate) inOneOf(ctx context.Context, u pull.User, of []codeowners.Owner) (bool, error) {
	for _, o := range of {
		if o.Team == "" {
			continue
		}
		if in, err := e.inTeam(ctx, u, o.Team); in || err != nil {
			return in, err
		}
	}
	return false, nil
}

// belongs says whose a file is.
func belongs(file string, of []codeowners.Owner) string {
	if len(of) == 0 {
		return fmt.Sprintf("%s has no code owner", file)
	}
	var names []string
	unknown := ""
	for _, o := range of {
		names = append(names, o.String())
		if o.Email != "" {
			unknown = " (whose an e-mail address is, nobody can ask)"
		}
	}
	return fmt.Sprintf("%s belongs to %s%s", file, strings.Join(names, ", "), unknown)
}

package bot

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/google/go-github/v62/github"

	"github.com/altergate/altergate/internal/schema"
)

// shared finds another open pull request that has the same head and goes to another branch. A status stands on the commit, so a yes
// for one would be a yes for the other, and who opens a pull request chooses its base: a forgotten branch may have no policy at all.
func (r *review) shared(ctx context.Context) (*schema.Error, error) {
	const most = 100 // pages
	owner, name, _ := strings.Cut(r.Pulls.Repository(), "/")
	options := &github.PullRequestListOptions{State: "open", ListOptions: github.ListOptions{PerPage: 100}}
	for range most {
		open, resp, err := r.Pulls.GitHub().PullRequests.List(ctx, owner, name, options)
		if err == nil && open == nil { // an empty list is []
			err = errors.New("GitHub's answer is empty")
		}
		if err != nil {
			return nil, fmt.Errorf("listing the open pull requests: %w", err)
		}
		for _, other := range open {
			if other.GetHead().GetSHA() == r.pr.Head.SHA && other.GetNumber() != r.pr.Number && other.GetBase().GetRef() != r.pr.Base.Ref {
				return &schema.Error{Kind: schema.KindConfig, Text: fmt.Sprintf("pull request #%d has the same head and goes to the branch %s; a commit status "+
					"stands on the commit, and so cannot tell them apart: close one of them, or push a commit to it", other.GetNumber(), other.GetBase().GetRef())}, nil
			}
		}
		if options.Page = resp.NextPage; options.Page == 0 {
			return nil, nil
		}
	}
	return nil, errors.New("listing the open pull requests: there are too many to look through")
}

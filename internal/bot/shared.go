package bot

import (
	"context"
	"fmt"

	"github.com/altergate/altergate/internal/schema"
)

// shared finds another open pull request that has the same head and goes to another branch. A status stands on the commit, so a yes
// for one would be a yes for the other, and who opens a pull request chooses its base: a forgotten branch may have no policy at all.
func (r *review) shared(ctx context.Context) (*schema.Error, error) {
	open, err := r.Pulls.OpenPulls(ctx)
	if err != nil {
		return nil, err
	}
	for _, other := range open {
		if other.Head == r.pr.Head.SHA && other.Number != r.pr.Number && other.Base != r.pr.Base.Ref {
			return &schema.Error{Kind: schema.KindConfig, Text: fmt.Sprintf("pull request #%d has the same head and goes to the branch %s; a commit status "+
				"stands on the commit, and so cannot tell them apart: close one of them, or push a commit to it", other.Number, other.Base)}, nil
		}
	}
	return nil, nil
}

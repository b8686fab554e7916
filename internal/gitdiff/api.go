package gitdiff

import "context"

// API is what the host of a repository answers about its objects. An error that is ErrMissing says that the repository does not have
// what was asked for; any other one, that there was no answer.
type API interface {
	GitCommit(ctx context.Context, c Commit) (APICommit, error)
	// GitTree lists one directory, which is named by its own object or by the commit whose top it is.
	GitTree(ctx context.Context, name string) (APITree, error)
	// GitTreeBelow lists it and everything below it, as far as the host likes.
	GitTreeBelow(ctx context.Context, name string) (APITree, error)
	// GitBlob gives a file's content, or ErrTooLarge if that is longer than limit.
	GitBlob(ctx context.Context, id string, limit int64) ([]byte, error)
	MergeBase(ctx context.Context, a, b Commit) (Commit, error)
}

// APICommit is as much of a commit as is looked at.
type APICommit struct {
	Tree    string
	Parents []Commit
}

// APITree is a host's list of a directory.
type APITree struct {
	Entries   []APIEntry
	Truncated bool // something is missing from it
}

// APIEntry is one name in it.
type APIEntry struct {
	Path string // from the directory that was listed
	Mode string // octal
	ID   string
	Size int64 // of a file; zero if the host did not say
}

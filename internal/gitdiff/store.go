package gitdiff

import (
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"strconv"
	"sync"
)

// A store has the objects of one repository, by their full names: the clone, or the API of the repository's host.
type store interface {
	// root lists the top directory of a commit, as far as it is known; confirm makes sure that nothing is missing from that list.
	root(ctx context.Context, c Commit) ([]entry, error)
	confirm(ctx context.Context, c Commit) error
	tree(ctx context.Context, id string) ([]entry, error)
	blob(ctx context.Context, id string) ([]byte, error)
	// size is that of a blob, however large.
	size(ctx context.Context, id string) (int64, error)
}

// nameObject gives the name that git gives to an object, in SHA-1 or, for names of that length, in SHA-256. An object that has another
// name than the one it was asked for by was cut off, or is something else altogether.
func nameObject(kind string, data []byte, length int) string {
	var h hash.Hash = sha1.New()
	if length == 64 {
		h = sha256.New()
	}
	h.Write([]byte(kind + " " + strconv.Itoa(len(data)) + "\x00"))
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

// maxCached is how many entries of trees are kept, at some hundred bytes each.
const maxCached = 2_000_000

// treeCache keeps the trees that were read: two commits share most of theirs, and a path is looked up from the root each time. A
// tree's name is that of its content, so that what is kept cannot become wrong.
type treeCache struct {
	mu      sync.Mutex
	trees   map[string][]entry
	entries int // in all trees
}

func (c *treeCache) get(id string) (entries []entry, known bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	entries, known = c.trees[id]
	return entries, known
}

func (c *treeCache) put(id string, entries []entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, known := c.trees[id]; known || c.entries+len(entries) > maxCached {
		return
	}
	if c.trees == nil {
		c.trees = map[string][]entry{}
	}
	c.trees[id] = entries
	c.entries += len(entries)
}

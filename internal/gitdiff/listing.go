package gitdiff

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A listing is one directory as the API lists it.
type listing struct {
	entries []entry
	id      string // the name of the tree that has exactly these entries
	err     error  // why it is no directory
}

// rawEntry is an entry as git hashes it.
type rawEntry struct {
	name string
	bits uint64
	id   []byte
}

// parseListings makes directories of a host's list, by their paths; that of the directory that was listed is "". What the host says is
// believed of no tree but the one whose name comes out: a directory that is not whole has the name of another tree, or of none.
func parseListings(tree APITree, idLength int) map[string]*listing {
	type directory struct {
		entries []entry
		raw     []rawEntry
		err     error
	}
	directories := map[string]*directory{"": {}}
	for _, e := range tree.Entries {
		dir, name := "", e.Path
		if slash := strings.LastIndexByte(e.Path, '/'); slash >= 0 {
			dir, name = e.Path[:max(slash, 1)], e.Path[slash+1:] // what begins with a slash is not in the directory that was listed
		}
		d := directories[dir]
		if d == nil {
			d = &directory{}
			directories[dir] = d
		}
		made, bits, err := newEntry(name, e.Mode, e.ID)
		if err == nil && (len(e.ID) != idLength || !isObjectName(e.ID)) {
			err = fmt.Errorf("%q has the object %q, which is no full name", name, e.ID)
		}
		if err != nil {
			d.err = errors.Join(d.err, err)
			continue
		}
		id, _ := hex.DecodeString(e.ID)
		d.entries = append(d.entries, made)
		d.raw = append(d.raw, rawEntry{name, bits, id})
	}
	listings := make(map[string]*listing, len(directories))
	for path, d := range directories {
		l := &listing{err: d.err}
		if l.err == nil {
			l.entries, l.err = sorted(d.entries)
		}
		if l.err == nil {
			l.id = nameTree(d.raw, idLength)
		}
		listings[path] = l
	}
	return listings
}

// nameTree gives the name of the tree with these entries.
func nameTree(entries []rawEntry, idLength int) string {
	// Git puts a directory where its name and a slash would stand.
	key := func(e rawEntry) string {
		if e.bits&0o170000 == 0o040000 {
			return e.name + "/"
		}
		return e.name
	}
	slices.SortFunc(entries, func(a, b rawEntry) int { return strings.Compare(key(a), key(b)) })
	var data []byte
	for _, e := range entries {
		data = strconv.AppendUint(data, e.bits, 8)
		data = append(data, ' ')
		data = append(data, e.name...)
		data = append(data, 0)
		data = append(data, e.id...)
	}
	return nameObject("tree", data, idLength)
}

package gitdiff

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

// An entry is one name in a tree.
type entry struct {
	name string // one path element; not always valid UTF-8
	id   string
	mode fs.FileMode
}

// fileMode translates git's mode, which knows only these kinds of entry.
func fileMode(mode uint64) (fs.FileMode, error) {
	const kind, executable = 0o170000, 0o100
	switch mode & kind {
	case 0o040000:
		return fs.ModeDir | 0o555, nil
	case 0o100000:
		if mode&executable != 0 {
			return 0o555, nil
		}
		return 0o444, nil
	case 0o120000:
		return fs.ModeSymlink | 0o777, nil
	case 0o160000: // a submodule: a commit of another repository
		return fs.ModeIrregular, nil
	default:
		return 0, fmt.Errorf("the mode %o, which git does not know", mode)
	}
}

// parseTree reads a tree object: "<octal mode> <name>\0<id>" for each entry.
// The entries are returned sorted by name, which is not git's order.
//
// A tree that git's own fsck refuses is an error: with two entries of one name,
// what is reviewed would depend on who reads.
func parseTree(data []byte, idSize int) ([]entry, error) {
	var entries []entry
	for len(data) > 0 {
		head, rest, found := bytes.Cut(data, []byte{0})
		if !found || len(rest) < idSize {
			return nil, errors.New("the tree is cut off")
		}
		octal, name, found := strings.Cut(string(head), " ")
		if !found {
			return nil, fmt.Errorf("%q is no entry of a tree", head)
		}
		e, _, err := newEntry(name, octal, hex.EncodeToString(rest[:idSize]))
		if err != nil {
			return nil, err
		}
		entries = append(entries, e)
		data = rest[idSize:]
	}
	return sorted(entries)
}

// newEntry makes an entry of a name and of a mode in octal, which it also gives as the number that git hashes.
func newEntry(name, octal, id string) (e entry, bits uint64, err error) {
	if bits, err = strconv.ParseUint(octal, 8, 32); err != nil {
		return entry{}, 0, fmt.Errorf("%q has the mode %q, which is no number", name, octal)
	}
	mode, err := fileMode(bits)
	if err != nil {
		return entry{}, 0, fmt.Errorf("%q has %w", name, err)
	}
	if name == "" || name == "." || name == ".." || strings.ContainsAny(name, "/\x00") {
		return entry{}, 0, fmt.Errorf("%q cannot be the name of a file", name)
	}
	return entry{name: name, id: id, mode: mode}, bits, nil
}

// sorted puts entries in order of their names, and refuses two of one name.
func sorted(entries []entry) ([]entry, error) {
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	for i := 1; i < len(entries); i++ {
		if entries[i].name == entries[i-1].name {
			return nil, fmt.Errorf("the tree holds %q twice", entries[i].name)
		}
	}
	return entries, nil
}

// lookUp finds a name among sorted entries.
func lookUp(entries []entry, name string) (entry, bool) {
	i, found := slices.BinarySearchFunc(entries, name, func(e entry, name string) int { return strings.Compare(e.name, name) })
	if !found {
		return entry{}, false
	}
	return entries[i], true
}

package catalog

import (
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/altergate/altergate/internal/dialect/postgres/script"
)

// held is what a grant holds: each privilege, and whether it may be granted on.
type held struct {
	whole   map[string]bool
	columns map[[2]string]bool // privilege and column
	revoked map[string]bool
}

// readGrants reads what write has written.
func readGrants(o *Object) held {
	h := held{whole: map[string]bool{}, columns: map[[2]string]bool{}, revoked: map[string]bool{}}
	for _, p := range SplitList(o.Props[propPrivileges]) {
		name, option := strings.CutSuffix(p, "*")
		h.whole[name] = option
	}
	for _, p := range SplitList(o.Props[propColumns]) {
		p, option := strings.CutSuffix(p, "*")
		name, column, _ := strings.Cut(strings.TrimSuffix(p, ")"), "(")
		h.columns[[2]string{name, SplitNames(column)[0]}] = option
	}
	for _, p := range SplitList(o.Props[propRevoked]) {
		h.revoked[p] = true
	}
	return h
}

// give adds privileges; a grant option is not lost by granting again without it. What is there by default is only given back.
func (h held) give(list grantList, option bool, first initial) {
	for _, p := range list.whole {
		delete(h.revoked, p)
		if option || !slices.Contains(first.privileges, p) {
			h.whole[p] = h.whole[p] || option
		}
	}
	for p, columns := range list.columns {
		for _, column := range columns {
			k := [2]string{p, column}
			h.columns[k] = h.columns[k] || option
		}
	}
}

// take takes privileges away, or only the right to grant them, and tells whether that made a difference. What is there by default,
// or may be, is noted as revoked.
func (h held) take(list grantList, onlyOption bool, first initial) bool {
	if onlyOption {
		h.takeOption(list)
		return true
	}
	taken := h.takeColumns(list)
	for _, p := range list.whole {
		if _, ok := h.whole[p]; ok {
			delete(h.whole, p)
			taken = true
		}
	}
	changed := taken
	for _, p := range list.whole {
		if slices.Contains(first.privileges, p) || (first.unsure && !taken) {
			h.revoked[p] = true
			changed = true
		}
	}
	return changed
}

// takeColumns takes privileges on columns away: REVOKE on a table does it too.
func (h held) takeColumns(list grantList) bool {
	before := len(h.columns)
	maps.DeleteFunc(h.columns, func(k [2]string, _ bool) bool {
		return slices.Contains(list.whole, k[0]) || slices.Contains(list.columns[k[0]], k[1])
	})
	return len(h.columns) < before
}

func (h held) takeOption(list grantList) {
	for _, p := range list.whole {
		if h.whole[p] {
			h.whole[p] = false
		}
		for k := range h.columns {
			if k[0] == p {
				h.columns[k] = false
			}
		}
	}
	for p, columns := range list.columns {
		for _, column := range columns {
			if k := [2]string{p, column}; h.columns[k] {
				h.columns[k] = false
			}
		}
	}
}

// write puts the lists in the Props of the object.
func (h held) write(o *Object) {
	var whole, columns, revoked []string
	for p, option := range h.whole {
		whole = append(whole, p+star(option))
	}
	for k, option := range h.columns {
		columns = append(columns, k[0]+"("+script.Quote(k[1])+")"+star(option))
	}
	for p := range h.revoked {
		revoked = append(revoked, p)
	}
	for _, x := range []struct {
		name string
		list []string
	}{{propPrivileges, whole}, {propColumns, columns}, {propRevoked, revoked}} {
		if len(x.list) == 0 {
			delete(o.Props, x.name)
			continue
		}
		sort.Strings(x.list)
		o.Props[x.name] = strings.Join(x.list, ",")
	}
}

func star(option bool) string {
	if option {
		return "*"
	}
	return ""
}

// holds tells whether anything is left of a grant.
func holds(o *Object) bool {
	return o.Props[propPrivileges] != "" || o.Props[propColumns] != "" || o.Props[propRevoked] != ""
}

// changeGrantColumns changes the columns that a grant names, one at a time.
func changeGrantColumns(o *Object, change func([]string) []string) {
	h := readGrants(o)
	columns := map[[2]string]bool{}
	for k, option := range h.columns {
		for _, column := range change([]string{k[1]}) {
			columns[[2]string{k[0], column}] = option
		}
	}
	h.columns = columns
	h.write(o)
}

package plan

import (
	"slices"
	"strings"

	"github.com/altergate/altergate/internal/diff"
)

// partition: where PostgreSQL makes a partition, everybody is kept from its parent, which is there and in use. MySQL's are options of the
// table; one that goes takes its rows along.
var partition = Rule{ID: "partition", Title: "the partitions of a table in use change", Check: func(p *Pass, c diff.Change) []Finding {
	switch c := c.(type) {
	case diff.CreateTable:
		partitioned := func(o string) bool { return strings.HasPrefix(o, "partition of ") }
		for _, parent := range parentsOf(p.From, c.Table) {
			if slices.ContainsFunc(c.Table.Options, partitioned) {
				return onHead(Review, c.Table.Pos, "Making partition %s locks %s against reads and writes, and rows of its default partition that belong in the new one stop the plan", c.Table.Name, parent)
			}
		}
	case diff.AlterOptions:
		if p.mysql() {
			return partitions(p, c)
		}
	}
	return nil
}}

// partitions judges what becomes of the partitions of one table: "partition by range (id)", "partition p0 values less than (10)".
func partitions(p *Pass, a diff.AlterOptions) []Finding {
	from, gone := partitioning(a.From.Options, a.To.Options)
	to, come := partitioning(a.To.Options, a.From.Options)
	name, pos := a.To.Name, a.To.Pos
	switch {
	case p.Step.Kind == "drop_partition":
		return onHead(Destructive, pos, "The partition %s of table %s goes with all its rows", list(gone), name)
	case from == "" && to == "" && len(gone) == 0 && len(come) == 0:
		return nil
	case from != "" && to == "":
		return onHead(Review, pos, "Table %s is no longer partitioned: its rows are copied together, %s", name, p.Step.Lock.meanwhile())
	case from == "" && to != "":
		return onHead(Review, pos, "Table %s becomes partitioned by %s: its rows are copied apart, %s; one that belongs in no partition stops the plan", name, to, p.Step.Lock.meanwhile())
	case from != to:
		return onHead(Review, pos, "Table %s is partitioned in another way, by %s: its rows are copied, %s; one that belongs in no partition stops the plan", name, to, p.Step.Lock.meanwhile())
	case len(gone) > 0 && len(come) == 0:
		return onHead(Destructive, pos, "The partition %s of table %s goes with all its rows", list(gone), name)
	case len(gone) == 0 && !p.Step.Lock.Rewrite:
		return onHead(Safe, pos, "The partition %s of table %s is new and empty", list(come), name)
	}
	return onHead(Review, pos, "The rows in the partition %s of table %s move over to %s, %s; one that belongs in none of them stops the plan", list(gone), name, list(come), p.Step.Lock.meanwhile())
}

// partitioning gives how a table is partitioned, and the names of the partitions that the other side does not have as they are.
func partitioning(options, others []string) (by string, names []string) {
	other := map[string]bool{}
	for _, o := range others {
		other[o] = true
	}
	for _, o := range options {
		rest, ok := strings.CutPrefix(o, "partition ")
		if how, is := strings.CutPrefix(rest, "by "); ok && is {
			by = how
		} else if ok && !other[o] {
			name, _, _ := strings.Cut(rest, " ")
			names = append(names, name)
		}
	}
	return by, names
}

package mysql

import (
	"slices"
	"strconv"
	"strings"

	"github.com/altergate/altergate/internal/dialect/mysql/catalog"
	"github.com/altergate/altergate/internal/dialect/mysql/online"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

// partitions makes the units of how a table is partitioned.
func (w *work) partitions(t *tableWork) {
	if t.options == nil {
		return
	}
	if _, ok := t.optionChange(isPartition); !ok {
		return
	}
	from, to := t.from.Partitions, t.to.Partitions
	switch {
	case to == nil:
		w.partition(t, "alter_table", t.model.Name, isPartition, online.RemovePartitions, "REMOVE PARTITIONING", phaseDepart)
	case from == nil || from.Method != to.Method || from.Sub != to.Sub || !w.stepwise(t, from, to):
		phase := phasePartition
		if slices.ContainsFunc(t.dropColumns, func(d diff.DropColumn) bool { return isSpatial(w.From.details.columns[d.Column]) }) {
			phase = phaseDropPart // a partitioned table holds no geometries (error 1178), so they go before
		}
		w.partition(t, "alter_table", t.model.Name, isPartition, online.PartitionBy, to.Text, phase)
	}
}

func isSpatial(c *catalog.Column) bool {
	return slices.Contains([]string{"geometry", "point", "linestring", "polygon", "multipoint", "multilinestring", "multipolygon", "geometrycollection", "geomcollection"}, c.Type.Base)
}

// partition makes a unit of a clause about partitions, which stands alone: MariaDB takes no ALGORITHM and LOCK beside it, and MySQL does
// not hold to them for all ("Online DDL Operations", "Partitioning Operations").
func (w *work) partition(t *tableWork, kind, object string, about func(string) bool, how online.PartitionChange, clause string, phase int) {
	c, _ := t.optionChange(about)
	t.unit(&unit{kind: kind, object: object, changes: []diff.Change{c}, old: strings.Join(c.From.Options, ", "), new: strings.Join(c.To.Options, ", "), phase: phase,
		alone: true, bare: true, last: clause, actions: []online.Action{online.ChangePartitions{How: how}}})
}

// stepwise changes single partitions, where that can be; false = the table has to be partitioned anew.
func (w *work) stepwise(t *tableWork, from, to *catalog.Partitions) bool {
	switch {
	case len(from.Parts) == 0 && len(to.Parts) == 0:
		return w.counted(t, from, to)
	case len(from.Parts) == 0 || len(to.Parts) == 0:
		return false
	case strings.HasPrefix(to.Method, "range"):
		return w.ranges(t, from.Parts, to.Parts)
	case strings.HasPrefix(to.Method, "list"):
		return w.lists(t, from.Parts, to.Parts)
	}
	return false
}

// counted adds partitions of a hash or takes them away; the rows stay.
func (w *work) counted(t *tableWork, from, to *catalog.Partitions) bool {
	switch n := to.Count - from.Count; {
	case n > 0:
		w.partition(t, "alter_table", t.model.Name, isPartition, online.AddHash, "ADD PARTITION PARTITIONS "+strconv.Itoa(n), phasePartition)
	case n < 0 && to.Count > 0:
		w.partition(t, "alter_table", t.model.Name, isPartition, online.Coalesce, "COALESCE PARTITION "+strconv.Itoa(-n), phasePartition)
	default:
		return false
	}
	return true
}

// ranges keeps the partitions that are on both sides. What comes behind them all is added, what goes without another in its place is
// dropped with its rows, and where others take its place the rows move over to them.
func (w *work) ranges(t *tableWork, from, to []catalog.Part) bool {
	stays := longestCommon(partKeys(from), partKeys(to))
	i, j := 0, 0
	for {
		var gone, come []catalog.Part
		for ; i < len(from) && !stays[partKey(from[i])]; i++ {
			gone = append(gone, from[i])
		}
		for ; j < len(to) && !stays[partKey(to[j])]; j++ {
			come = append(come, to[j])
		}
		atEnd := i == len(from)
		switch {
		case len(come) == 0:
			w.dropParts(t, gone)
		case len(gone) == 0 && atEnd:
			w.addParts(t, come)
		case atEnd || gone != nil && gone[len(gone)-1].Values == come[len(come)-1].Values:
			w.reorganize(t, gone, come)
		default:
			w.reorganize(t, append(gone, from[i]), append(come, to[j]))
		}
		if atEnd {
			return true
		}
		i, j = i+1, j+1
	}
}

// lists does the same for partitions whose order means nothing. One whose values go to another is not dropped.
func (w *work) lists(t *tableWork, from, to []catalog.Part) bool {
	var gone, come []catalog.Part
	names := map[string]bool{}
	for _, p := range from {
		if !slices.Contains(partKeys(to), partKey(p)) {
			gone = append(gone, p)
			names[columnKey(p.Name)] = true
			for _, v := range listValues(p) {
				names["value "+v] = true
			}
		}
	}
	moves := false
	for _, p := range to {
		if slices.Contains(partKeys(from), partKey(p)) {
			continue
		}
		come = append(come, p)
		moves = moves || names[columnKey(p.Name)]
		for _, v := range listValues(p) {
			moves = moves || names["value "+v]
		}
	}
	if moves {
		w.reorganize(t, gone, come)
		return true
	}
	w.addParts(t, come)
	w.dropParts(t, gone)
	return true
}

func listValues(p catalog.Part) []string {
	inside := strings.TrimSuffix(strings.TrimPrefix(p.Values, "in ("), ")")
	return strings.Split(inside, ", ")
}

func partKey(p catalog.Part) string { return partitionOption(p) }

func partKeys(parts []catalog.Part) []string {
	var keys []string
	for _, p := range parts {
		keys = append(keys, partKey(p))
	}
	return keys
}

func (w *work) addParts(t *tableWork, parts []catalog.Part) {
	if len(parts) == 0 {
		return
	}
	w.partition(t, "add_partition", onTable(t.model.Name, partNames(parts, plain)), about(parts), online.AddPartition, "ADD PARTITION ("+definitions(parts)+")", phasePartition)
}

// dropParts drops each by itself, so that each can be approved by itself.
func (w *work) dropParts(t *tableWork, parts []catalog.Part) {
	for _, p := range parts {
		w.partition(t, "drop_partition", onTable(t.model.Name, p.Name), about([]catalog.Part{p}), online.DropPartition, "DROP PARTITION "+quote(p.Name), phaseDropPart)
	}
}

func (w *work) reorganize(t *tableWork, gone, come []catalog.Part) {
	w.partition(t, "alter_partition", onTable(t.model.Name, partNames(gone, plain)), about(append(slices.Clone(gone), come...)), online.Reorganize,
		"REORGANIZE PARTITION "+partNames(gone, quote)+" INTO ("+definitions(come)+")", phasePartition)
}

// about is for the options that are these partitions.
func about(parts []catalog.Part) func(string) bool {
	keys := partKeys(parts)
	return func(option string) bool { return slices.Contains(keys, option) }
}

func plain(name string) string { return name }

func partNames(parts []catalog.Part, write func(string) string) string {
	var names []string
	for _, p := range parts {
		names = append(names, write(p.Name))
	}
	return strings.Join(names, ", ")
}

func definitions(parts []catalog.Part) string {
	var texts []string
	for _, p := range parts {
		texts = append(texts, p.Text)
	}
	return strings.Join(texts, ", ")
}

// partitionsFit refuses what cannot be: a foreign key of a partitioned table ("Restrictions and Limitations on Partitioning").
func (w *work) partitionsFit(t *catalog.Table, pos schema.Pos) {
	if t.Partitions != nil && len(t.ForeignKeys) > 0 {
		w.refuse(pos, "table %s is partitioned and has a foreign key, which the server does not take", t.Name)
	}
}

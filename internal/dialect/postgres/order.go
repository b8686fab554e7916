package postgres

import (
	"container/heap"
	"fmt"
	"sort"
	"strings"

	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/schema"
)

// order puts the steps so that each finds what it needs, and nothing that needs it is left when a thing goes; where that leaves it open,
// by phase and by name.
func (w *work) order() ([]*plan.Step, error) {
	q := &queue{edges: map[*step][]*step{}, known: map[[2]*step]bool{}, waits: map[*step]int{}, rank: map[*step]int{}}
	w.edges(q)
	q.sink(w.steps)
	q.number(w.steps)
	q.lift(w.steps)
	for _, s := range w.steps {
		if q.waits[s] == 0 {
			heap.Push(q, s)
		}
	}
	var out []*plan.Step
	for q.Len() > 0 {
		s := heap.Pop(q).(*step)
		out = append(out, s.Step)
		for _, next := range q.edges[s] {
			if q.waits[next]--; q.waits[next] == 0 {
				heap.Push(q, next)
			}
		}
	}
	if len(out) < len(w.steps) {
		return nil, w.circle(q)
	}
	return out, nil
}

// circle names the steps that wait for each other.
func (w *work) circle(q *queue) error {
	var names []string
	for _, s := range w.steps {
		if q.waits[s] > 0 {
			names = append(names, strings.ReplaceAll(s.Kind, "_", " ")+" "+s.Object)
		}
	}
	const most = 8
	if len(names) > most {
		names = append(names[:most], "…")
	}
	return &schema.Error{Kind: schema.KindTransition, Text: fmt.Sprintf("no order of these steps works, since each needs another to come first: %s; make the change in two pull requests", strings.Join(names, ", "))}
}

// edges finds which steps have to come before which.
func (w *work) edges(q *queue) {
	makers, droppers := byID(w.steps, func(s *step) []string { return s.makes }), byID(w.steps, func(s *step) []string { return s.drops })
	movers, shifters := byID(w.steps, func(s *step) []string { return s.moves }), byID(w.steps, func(s *step) []string { return s.shifts })
	takers, freers := byID(w.steps, func(s *step) []string { return s.takes }), byID(w.steps, func(s *step) []string { return s.frees })
	for id, makes := range makers {
		// What a thing of the head needs is there, and as the head has it, before it is made.
		for _, need := range w.To.graph.needs[id] {
			q.all(makers[need], makes)
			q.all(movers[need], makes)
		}
	}
	for id, drops := range droppers {
		// What needed a thing of the base is gone before the thing goes, or changes.
		for _, need := range w.From.graph.needs[id] {
			q.all(drops, droppers[need])
			q.all(drops, shifters[need])
		}
	}
	for id, moves := range movers {
		for _, need := range w.To.graph.needs[id] {
			q.all(makers[need], moves)
			q.all(movers[need], moves)
		}
		for _, need := range w.From.graph.needs[id] {
			q.all(moves, droppers[need])
		}
	}
	for name, takes := range takers {
		q.all(freers[name], takes)
	}
	for _, s := range w.steps {
		q.all(s.after, []*step{s})
	}
	for _, bodies := range []map[string][]*step{makers, movers} {
		for _, id := range sortedKeys(bodies) {
			for _, want := range w.To.graph.wants[id] {
				q.softly(makers[want], bodies[id])
				q.softly(movers[want], bodies[id])
			}
		}
	}
	w.rowsFirst(q, makers, droppers, movers)
}

// rowsFirst lets rows get and lose their columns before a function that takes or returns them: the server reads its body when it is made,
// and holds the result to the row as it then is.
func (w *work) rowsFirst(q *queue, makers, droppers, movers map[string][]*step) {
	columns := map[string][]*step{}
	for _, changed := range []map[string][]*step{makers, droppers} {
		for _, id := range sortedKeys(changed) {
			if table := w.tableOf(id); table != "" && strings.HasPrefix(id, "column ") {
				columns[relationID(table)] = append(columns[relationID(table)], changed[id]...)
			}
		}
	}
	if len(columns) == 0 {
		return
	}
	for _, bodies := range []map[string][]*step{makers, movers} {
		for _, id := range sortedKeys(bodies) {
			if !strings.HasPrefix(id, "function ") {
				continue
			}
			for _, need := range w.To.graph.needs[id] {
				q.softly(columns[need], bodies[id])
			}
		}
	}
}

func byID(steps []*step, ids func(*step) []string) map[string][]*step {
	out := map[string][]*step{}
	for _, s := range steps {
		for _, id := range ids(s) {
			out[id] = append(out[id], s)
		}
	}
	return out
}

// queue holds the steps that wait for nothing more, the one with the lowest rank first.
type queue struct {
	ready []*step
	edges map[*step][]*step
	known map[[2]*step]bool // edges, to be looked up
	waits map[*step]int
	rank  map[*step]int
	early map[*step]int // the lowest rank among the step and those that wait for it
}

// number gives the steps their order where nothing else does: by phase, then by name.
func (q *queue) number(steps []*step) {
	sort.SliceStable(steps, func(i, j int) bool {
		a, b := steps[i], steps[j]
		if a.phase != b.phase {
			return a.phase < b.phase
		}
		return a.key() < b.key()
	})
	for i, s := range steps {
		q.rank[s] = i
	}
}

// sink puts what needs something that is built outside of transactions behind it, instead of cutting the transaction before it in two.
func (q *queue) sink(steps []*step) {
	var below func(s *step)
	below = func(s *step) {
		for _, next := range q.edges[s] {
			if next.phase < phaseOnlineKey {
				next.phase = phaseOnlineKey
				below(next)
			}
		}
	}
	for _, s := range steps {
		if s.phase >= phaseOnline {
			below(s)
		}
	}
}

// lift lets a step come as early as the earliest that waits for it: what has to go before a view can go, goes with the views.
func (q *queue) lift(steps []*step) {
	q.early = map[*step]int{}
	var rank func(s *step) int
	rank = func(s *step) int {
		if known, ok := q.early[s]; ok {
			return known
		}
		q.early[s] = q.rank[s] // in a circle, which is found later
		lowest := q.rank[s]
		for _, next := range q.edges[s] {
			lowest = min(lowest, rank(next))
		}
		q.early[s] = lowest
		return lowest
	}
	for _, s := range steps {
		rank(s)
	}
}

// all makes every first come before every then.
func (q *queue) all(first, then []*step) {
	for _, a := range first {
		for _, b := range then {
			if a != b && !q.known[[2]*step{a, b}] {
				q.known[[2]*step{a, b}] = true
				q.edges[a] = append(q.edges[a], b)
				q.waits[b]++
			}
		}
	}
}

// softly does so where the other order is not demanded already.
func (q *queue) softly(first, then []*step) {
	for _, a := range first {
		for _, b := range then {
			if !q.reaches(b, a, map[*step]bool{}) {
				q.all([]*step{a}, []*step{b})
			}
		}
	}
}

func (q *queue) reaches(a, b *step, seen map[*step]bool) bool {
	if a == b {
		return true
	}
	if seen[a] {
		return false
	}
	seen[a] = true
	for _, next := range q.edges[a] {
		if q.reaches(next, b, seen) {
			return true
		}
	}
	return false
}

// Len, Less, Swap, Push and Pop implement heap.Interface.
func (q *queue) Len() int { return len(q.ready) }
func (q *queue) Less(i, j int) bool {
	a, b := q.ready[i], q.ready[j]
	if q.early[a] != q.early[b] {
		return q.early[a] < q.early[b]
	}
	return q.rank[a] < q.rank[b]
}

func (q *queue) Swap(i, j int) { q.ready[i], q.ready[j] = q.ready[j], q.ready[i] }

// Push implements heap.Interface.
func (q *queue) Push(x any) { q.ready = append(q.ready, x.(*step)) }

// Pop implements heap.Interface.
func (q *queue) Pop() any {
	last := q.ready[len(q.ready)-1]
	q.ready = q.ready[:len(q.ready)-1]
	return last
}

package dialect

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
	"github.com/altergate/altergate/internal/source"
)

// drawnColumn and drawnTable are parts of a random Quereus schema. What names them holds pointers to them, so that everything follows a
// rename, and a name from before it becomes a tag.
type drawnColumn struct {
	name, was, kind, tail string
}

type drawnTable struct {
	name, was string
	columns   []*drawnColumn // the first is the key
	limit     int            // of its check
	checked   *drawnColumn
	parent    *drawnTable
	indexed   []*drawnColumn
	unique    bool
	shown     []*drawnColumn // by its view, nil = none
	asserted  bool
	stored    bool // a materialized view over it
	tag       int
}

// drawnSchema is a random schema; the numbers count what was done to it.
type drawnSchema struct {
	r                      *rand.Rand
	tables                 []*drawnTable
	next                   int
	dropped, renamed, rest int
}

func (s *drawnSchema) fresh(prefix string) string {
	s.next++
	return fmt.Sprintf("%s_%d", prefix, s.next)
}

func (s *drawnSchema) column() *drawnColumn {
	kinds := []string{"integer", "real", "text", "text collate nocase", "varchar(20)"}
	tails := []string{"", " null", " not null", " default 7", " null default null"}
	return &drawnColumn{name: s.fresh("c"), kind: kinds[s.r.IntN(len(kinds))], tail: tails[s.r.IntN(len(tails))]}
}

func (s *drawnSchema) table() *drawnTable {
	t := &drawnTable{name: s.fresh("t"), limit: s.r.IntN(9), unique: s.r.IntN(4) == 0, asserted: s.r.IntN(3) == 0, stored: s.r.IntN(4) == 0, tag: s.r.IntN(2)}
	for range 2 + s.r.IntN(4) {
		t.columns = append(t.columns, s.column())
	}
	t.columns[0].kind, t.columns[0].tail = "integer", " primary key"
	t.checked = t.columns[s.r.IntN(len(t.columns))]
	if s.r.IntN(2) == 0 {
		t.indexed = []*drawnColumn{t.columns[s.r.IntN(len(t.columns))]}
	}
	if s.r.IntN(2) == 0 {
		t.shown = []*drawnColumn{t.columns[0], t.columns[len(t.columns)-1]}
	}
	if len(s.tables) > 0 && s.r.IntN(2) == 0 {
		t.parent = s.tables[s.r.IntN(len(s.tables))]
	}
	return t
}

// String writes the declare block; parts that depend on a table's identity have numbers that do not change.
func (s *drawnSchema) String() string {
	var b strings.Builder
	hint := func(was string, more ...string) string {
		if was != "" {
			more = append([]string{fmt.Sprintf(`"quereus.previous_name" = '%s'`, was)}, more...)
		}
		if len(more) == 0 {
			return ""
		}
		return " with tags (" + strings.Join(more, ", ") + ")"
	}
	b.WriteString("declare schema main {\n")
	for _, t := range s.tables {
		id := strings.NewReplacer("t_", "").Replace(t.identity())
		fmt.Fprintf(&b, "  table %s (", t.name)
		for _, c := range t.columns {
			fmt.Fprintf(&b, "%s %s%s%s, ", c.name, c.kind, c.tail, hint(c.was))
		}
		fmt.Fprintf(&b, "constraint k_%s check (%s.%s > %d and %s in (select %s from %s))", id, t.name, t.checked.name, t.limit, t.checked.name, t.checked.name, t.name)
		if t.parent != nil {
			fmt.Fprintf(&b, ", constraint f_%s foreign key (%s) references %s(%s)", id, t.columns[0].name, t.parent.name, t.parent.columns[0].name)
		}
		fmt.Fprintf(&b, ")%s\n", hint(t.was, fmt.Sprintf("n = %d", t.tag)))
		if t.indexed != nil {
			unique := ""
			if t.unique {
				unique = "unique "
			}
			fmt.Fprintf(&b, "  %sindex i_%s on %s (%s) where %s.%s > 0\n", unique, id, t.name, joined(t.indexed), t.name, t.indexed[0].name)
		}
		if t.shown != nil {
			fmt.Fprintf(&b, "  view v_%s as select %s from %s as x where x.%s > 1\n", id, joined(t.shown), t.name, t.shown[0].name)
		}
		if t.stored {
			fmt.Fprintf(&b, "  materialized view m_%s as select %s from %s\n", id, t.columns[0].name, t.name)
		}
		if t.asserted {
			fmt.Fprintf(&b, "  assertion a_%s check (not exists (select 1 from %s where %s < 0))\n", id, t.name, t.columns[0].name)
		}
	}
	b.WriteString("}\n")
	return b.String()
}

func (t *drawnTable) identity() string {
	if t.was != "" {
		return t.was
	}
	return t.name
}

func joined(columns []*drawnColumn) string {
	var names []string
	for _, c := range columns {
		names = append(names, c.name)
	}
	return strings.Join(names, ", ")
}

// edit changes the schema once.
func (s *drawnSchema) edit() {
	t := s.tables[s.r.IntN(len(s.tables))]
	c := t.columns[s.r.IntN(len(t.columns))]
	old := func() bool { return t.was == "" && c.was == "" && !strings.HasPrefix(c.name, "new") }
	switch s.r.IntN(9) {
	case 0:
		if t.was == "" && !strings.HasPrefix(t.name, "new") {
			t.was, t.name = t.name, s.fresh("new")
			s.renamed++
		}
	case 1:
		if old() {
			c.was, c.name = c.name, s.fresh("new")
			s.renamed++
		}
	case 2:
		fresh := s.column()
		fresh.name, fresh.tail = "new"+fresh.name, " default 3"
		t.columns = append(t.columns, fresh)
		if t.shown != nil {
			t.shown = append(t.shown, fresh)
		}
		if t.indexed != nil {
			t.indexed = append(t.indexed, fresh)
		}
		s.rest++
	case 3:
		t.limit += 10
		s.rest++
	case 4:
		t.tag++
		s.rest++
	case 5:
		if t.indexed != nil {
			t.unique = !t.unique
			s.rest++
		}
	case 6:
		if c != t.columns[0] && c != t.checked && !slices.Contains(t.indexed, c) && !slices.Contains(t.shown, c) && old() {
			t.columns = slices.DeleteFunc(t.columns, func(other *drawnColumn) bool { return other == c })
			s.dropped++
		}
	case 7:
		if t.parent != nil {
			t.parent = nil
			s.rest++
		}
	case 8:
		if used := slices.ContainsFunc(s.tables, func(other *drawnTable) bool { return other.parent == t }); !used && len(s.tables) > 1 {
			s.tables = slices.DeleteFunc(s.tables, func(other *drawnTable) bool { return other == t })
			s.dropped++
		}
	}
}

// TestRandomQuereus plans between a random schema and what a few edits make of it. There is always a plan, and it is proved; nothing that
// holds rows is dropped that was not dropped, and renames alone make no other steps, but for assertions, which the engine makes anew.
func TestRandomQuereus(t *testing.T) {
	for seed := range uint64(1500) {
		s := &drawnSchema{r: rand.New(rand.NewPCG(seed, 7))}
		for range 1 + s.r.IntN(4) {
			s.tables = append(s.tables, s.table())
		}
		base := s.String()
		for range 1 + s.r.IntN(4) {
			s.edit()
		}
		head := s.String()
		if d := s.wrong(base, head); d != "" {
			t.Fatalf("seed %d: %s\nbase: %s\nhead: %s", seed, d, base, head)
		}
	}
}

func (s *drawnSchema) wrong(base, head string) string {
	ask := func(from, to string) Answer {
		return All["quereus"](context.Background(), Question{Name: "main", Renames: diff.Allow,
			Base: Text{Files: []*source.File{{Path: "base.sql", Text: from}}}, Head: Text{Files: []*source.File{{Path: "head.sql", Text: to}}}})
	}
	answer := ask(base, head)
	if answer.Plan == nil {
		return fmt.Sprint("no plan: ", answer.Errors)
	}
	drops, renames, others := 0, 0, 0
	for _, step := range answer.Plan.Steps {
		switch {
		case step.Kind == "drop_table" || step.Kind == "drop_column":
			drops++
		case step.Kind == "rename_table" || step.Kind == "rename_column":
			renames++
		case !strings.HasSuffix(step.Kind, "_assertion"):
			others++
		}
	}
	if drops > s.dropped {
		return fmt.Sprintf("%d drops for %d edits", drops, s.dropped)
	}
	if s.dropped == 0 && renames != s.renamed {
		return fmt.Sprintf("%d renames for %d edits", renames, s.renamed)
	}
	if s.dropped+s.rest == 0 && others > 0 {
		return fmt.Sprintf("%d steps that are no renames", others)
	}
	if again := ask(head, head); again.Plan == nil || len(again.Plan.Steps) > 0 {
		return fmt.Sprint("the head is not itself: ", again.Errors)
	}
	for _, e := range ask(head, base).Errors {
		if e.Kind == schema.KindProof || e.Kind == schema.KindInternal {
			return fmt.Sprint("backwards: ", e)
		}
	}
	return ""
}

package plan

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/schema"
)

func TestLineage(t *testing.T) {
	table := func(name string, options ...string) *schema.Table {
		return &schema.Table{Name: name, Key: name, Options: options}
	}
	base := &schema.Schema{Tables: []*schema.Table{table("a"), table("log", "partition by range (id)"), table("log_1", "partition of log for values from (1) to (2)", "unlogged")}}
	head := &schema.Schema{Tables: []*schema.Table{table("a"), table("b c"), table("d", "inherits a", "inherits b c"), table("e", "partition of b c default"),
		table("f", "partition of gone default", "inherits"), table("log_1", "partition of a default")}}
	want := map[string][]string{"log_1": {"log", "a"}, "d": {"a", "b c"}, "e": {"b c"}}
	if d := cmp.Diff(want, lineage(base, head)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	rule := func(child *schema.Table) int {
		return len(partition.Check(&Pass{From: head, To: head}, diff.CreateTable{Table: child}))
	}
	if rule(head.Tables[3]) != 1 || rule(head.Tables[2]) != 0 {
		t.Error("a partition locks its parent, whatever that is called, and an heir does not")
	}
}

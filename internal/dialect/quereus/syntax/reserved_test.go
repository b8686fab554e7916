package syntax_test

import (
	"strings"
	"testing"

	"github.com/altergate/altergate/internal/dialect/quereus/syntax"
)

// sited puts tags at each site.
var sited = map[syntax.Site]string{
	syntax.TableSite:      "table t (a integer) with tags (%)",
	syntax.ColumnSite:     "table t (a integer with tags (%))",
	syntax.ConstraintSite: "table t (a integer, unique (a) with tags (%))",
	syntax.IndexSite:      "index i on t (a) with tags (%)",
	syntax.ViewSite:       "materialized view m as select 1 with tags (%)",
}

// TestReservedTags holds where each reserved tag may stand and which values it takes (behaviours 97 to 99): unknown, at the wrong site, and
// of the wrong value are three different errors.
func TestReservedTags(t *testing.T) {
	all := []syntax.Site{syntax.TableSite, syntax.ColumnSite, syntax.ConstraintSite, syntax.IndexSite, syntax.ViewSite}
	table := []syntax.Site{syntax.TableSite}
	stored := []syntax.Site{syntax.TableSite, syntax.ViewSite}
	for _, test := range []struct {
		key   string
		good  []string
		bad   []string
		sites []syntax.Site
	}{
		{"quereus.id", []string{"'tbl-1'", "''"}, []string{"1", "true", "null"}, all},
		{"quereus.previous_name", []string{"'a, b'"}, []string{"1", "null"}, all},
		{"quereus.engine_managed", []string{"true", "false"}, []string{"1", "'true'"}, table},
		{"quereus.sync.replicate", []string{"true"}, []string{"'true'", "0"}, stored},
		{"quereus.sync.evict", []string{"'never'", "'immediate'", "0", "5000"}, []string{"'later'", "-1", "true"}, stored},
		{"quereus.expose_implicit_index", []string{"true", "false"}, []string{"'yes'", "1"}, []syntax.Site{syntax.ConstraintSite}},
		{"quereus.lens.decomp.role.d1", []string{"'primary-storage'"}, []string{"'main'", "1"}, table},
		{"quereus.lens.decomp.col.d1.name", []string{"'x'"}, []string{"1"}, table},
		{"quereus.lens.writable", []string{"true"}, nil, nil},
		{"quereus.lens.policy.error-on", []string{"'x'"}, nil, nil},
		{"quereus.lens.ack.no-index", []string{"'because'"}, nil, nil},
	} {
		for _, site := range all {
			legal := false
			for _, s := range test.sites {
				legal = legal || s == site
			}
			for _, value := range test.good {
				err := checkAt(t, site, `"`+test.key+`" = `+value)
				switch {
				case legal && err != "":
					t.Errorf("%s = %s on a %s: %s", test.key, value, site, err)
				case !legal && !strings.Contains(err, "may not stand on "+article(site)):
					t.Errorf("%s = %s on a %s is said to be %q", test.key, value, site, err)
				}
			}
			for _, value := range test.bad {
				if err := checkAt(t, site, `"`+test.key+`" = `+value); legal && !strings.Contains(err, "has the value") {
					t.Errorf("%s = %s on a %s is said to be %q", test.key, value, site, err)
				}
			}
		}
	}
	for _, key := range []string{"quereus.previuos_name", "quereus.prevname", "quereus.ID", "quereus.", "quereus.update.policy", "quereus.sync.replicat",
		"quereus.lens.decomp.role.", "quereus.lens.decomp.foo.d", "quereus.lens.writable.x"} {
		for _, site := range all {
			if err := checkAt(t, site, `"`+key+`" = 'x'`); !strings.Contains(err, "is no reserved tag") {
				t.Errorf("%s on a %s is said to be %q", key, site, err)
			}
		}
	}
	if err := checkAt(t, syntax.TableSite, `"quereus.previuos_name" = 'x'`); !strings.Contains(err, "did you mean `quereus.previous_name`?") {
		t.Errorf("the nearest tag is not named in %q", err)
	}
	// The prefix is compared with its letters, and other tags are anybody's.
	for _, tags := range []string{`"Quereus.nope" = 'x'`, `quereus = 1, "quereusx.y" = 2, owner = null`} {
		for _, site := range all {
			if err := checkAt(t, site, tags); err != "" {
				t.Errorf("%s on a %s: %s", tags, site, err)
			}
		}
	}
}

func article(site syntax.Site) string {
	if site == syntax.IndexSite {
		return "an index"
	}
	return "a " + string(site)
}

func checkAt(t *testing.T, site syntax.Site, tags string) string {
	t.Helper()
	if err := syntax.CheckTags(item(t, strings.Replace(sited[site], "%", tags, 1))); err != nil {
		return err.Text
	}
	return ""
}

// TestReservedTagOrder holds which error comes first (behaviour 102): the table, its columns, its table constraints, its inline constraints.
func TestReservedTagOrder(t *testing.T) {
	parts := []string{`"quereus.four" = 1`, `"quereus.two" = 1`, `"quereus.three" = 1`, `"quereus.one" = 1`}
	text := func() string {
		return "table t (a integer constraint k check (a > 0) with tags (" + parts[0] + ") with tags (" + parts[1] + "), unique (a) with tags (" + parts[2] + ")) with tags (" + parts[3] + ")"
	}
	for _, step := range []struct {
		first string
		clear int
	}{{"one", 3}, {"two", 1}, {"three", 2}, {"four", 0}} {
		err := syntax.CheckTags(item(t, text()))
		if err == nil || !strings.Contains(err.Text, "quereus."+step.first) {
			t.Fatalf("%v comes first, not %s", err, step.first)
		}
		if want := 1 + strings.Index(text(), `"quereus.`+step.first); err.Pos.Line != 2 || err.Pos.Column != want {
			t.Errorf("%s is said to stand at %v, not at column %d", step.first, err.Pos, want)
		}
		parts[step.clear] = "fine = 1"
	}
	if err := syntax.CheckTags(item(t, text())); err != nil {
		t.Errorf("without any reserved tag: %v", err)
	}
}

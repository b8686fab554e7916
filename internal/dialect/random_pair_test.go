package dialect_test

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/altergate/altergate/internal/dialect"
	"github.com/altergate/altergate/internal/diff"
	"github.com/altergate/altergate/internal/plan"
	"github.com/altergate/altergate/internal/schema"
)

// checksAsked tells whether -rapid.checks was given; it looks once, before a test sets it.
var checksAsked = sync.OnceValue(func() bool {
	asked := false
	flag.Visit(func(f *flag.Flag) { asked = asked || f.Name == "rapid.checks" })
	return asked
})

// fewChecks lowers the number of checks, unless it was asked for. They are the same few at each run, so that one which fails is a change's
// doing and not chance's.
func fewChecks(t *testing.T, n int) {
	setFlag(t, "rapid.shrinktime", "0s") // see smallest
	if checksAsked() {
		return
	}
	if testing.Short() {
		n /= 4
	}
	setFlag(t, "rapid.checks", fmt.Sprint(n))
	setFlag(t, "rapid.seed", "1")
}

func setFlag(t *testing.T, name, value string) {
	before := flag.Lookup(name).Value.String()
	flag.Set(name, value)
	t.Cleanup(func() { flag.Set(name, before) })
}

// tally counts what became of random pairs.
type tally struct {
	counts   map[string]int
	refusals map[string]int
	told     map[string]string // failures by what failed, since rapid runs it again
}

// newTally begins one that is shown when the test ends.
func newTally(t *testing.T) *tally {
	n := &tally{counts: map[string]int{}, refusals: map[string]int{}, told: map[string]string{}}
	t.Cleanup(func() { n.log(t) })
	return n
}

func (n *tally) log(t *testing.T) {
	for _, k := range slices.Sorted(maps.Keys(n.counts)) {
		t.Logf("%5d %s", n.counts[k], k)
	}
	for _, k := range slices.Sorted(maps.Keys(n.refusals)) {
		t.Logf("refused %d: %s", n.refusals[k], k)
	}
	if failures := n.counts["failures"]; failures > 0 {
		t.Errorf("%d pairs failed", failures)
	}
}

// invalid notes a random schema that the server refuses, by the code of its error.
func (n *tally) invalid(code string, err error, statements []string) {
	n.counts["no schema: "+code]++
	if os.Getenv("ALTERGATE_TEST_SHOW") != "" {
		fmt.Printf("no schema: %v\n%s\n\n", err, strings.Join(statements, ";\n"))
	}
}

// made gives the plan of an answer; none where the pair is refused for a reason that may be.
func (n *tally) made(answer dialect.Answer) (*plan.Plan, error) {
	for _, e := range answer.Errors {
		if !slices.Contains([]schema.ErrorKind{schema.KindTransition, schema.KindUnsupported}, e.Kind) {
			return nil, failed("no plan "+string(e.Kind), "%s", e)
		}
	}
	if answer.Plan == nil {
		n.counts["refused"]++
		for _, e := range answer.Errors {
			n.refusals[string(e.Kind)+": "+e.Text]++
		}
		return nil, nil
	}
	n.counts["plans "+answer.Plan.Risk().String()]++
	if len(answer.Plan.Steps) == 0 {
		n.counts["plans without steps"]++
	}
	return answer.Plan, nil
}

// written is what a pair's two worlds are as text.
type written struct {
	base, head []string
	hints      []diff.Hint
}

func (w *written) texts() *written { return w }

// trial is a base and a head of a dialect under test; P is its type.
type trial[P any] interface {
	write() P
	texts() *written
	smaller() []P // pairs with one thing less, or with one that does not change
	review(base, head []string, hints []diff.Hint) dialect.Answer
}

// try checks a pair, and shows the smallest that fails alike where it fails.
func try[P trial[P]](t *rapid.T, n *tally, p P, check func(P) error) {
	err := check(p.write())
	if err == nil {
		return
	}
	text := strings.Join(slices.Concat(p.texts().base, p.texts().head), ";")
	if n.told[text] == "" {
		small, err := smallest(n, p, err, check)
		n.told[text] = fmt.Sprintf("%v\n%s", err, show(small))
	}
	if os.Getenv("ALTERGATE_TEST_SHOW") != "" {
		fmt.Printf("FAILURE %s\n\n", n.told[text])
		n.counts["failures"]++
		return
	}
	t.Fatal(n.told[text])
}

// smallest takes away from both sides what the failure does not need. rapid shrinks what was drawn, and here each draw changes what the
// next ones mean, so it gets nowhere.
func smallest[P trial[P]](n *tally, p P, err error, check func(P) error) (P, error) {
	counts, refusals := maps.Clone(n.counts), maps.Clone(n.refusals)
	for again := true; again; {
		again = false
		for _, smaller := range p.smaller() {
			if e := check(smaller.write()); e != nil && kindOf(e) == kindOf(err) {
				p, err, again = smaller, e, true
				break
			}
		}
	}
	n.counts, n.refusals = counts, refusals
	return p, err
}

func show[P trial[P]](p P) string {
	w := p.texts()
	text := fmt.Sprintf("base:\n%s;\nhead:\n%s;\nhints: %q\n", strings.Join(w.base, ";\n"), strings.Join(w.head, ";\n"), w.hints)
	if answer := p.review(w.base, w.head, w.hints); answer.Plan != nil {
		text += "plan:\n" + script(answer.Plan)
	}
	return text
}

// noSteps plans where nothing has to be done.
func noSteps[P trial[P]](p P, what string, base, head []string) error {
	answer := p.review(base, head, nil)
	if answer.Plan == nil {
		return failed(what+" gives no plan", "%v", join(answer.Errors))
	}
	if len(answer.Plan.Steps) > 0 {
		return failed(what+" gives steps", "\n%s\n--- from:\n%s\n--- to:\n%s\n---", script(answer.Plan), strings.Join(base, ";\n"), strings.Join(head, ";\n"))
	}
	return nil
}

// failure is an error of a kind: smaller pairs are to fail with the same.
type failure struct{ kind, text string }

func (f *failure) Error() string { return f.kind + ": " + f.text }

func failed(kind, format string, args ...any) error {
	return &failure{kind, fmt.Sprintf(format, args...)}
}

func kindOf(err error) string {
	var f *failure
	if errors.As(err, &f) {
		return f.kind
	}
	return ""
}

func join(errs []*schema.Error) error {
	var all []error
	for _, e := range errs {
		all = append(all, e)
	}
	return errors.Join(all...)
}

// Package proof shows that a plan does what it says: on the model (replay), and on a real engine with rows in the tables.
package proof

// Outcome is how a proof ended. The zero value claims nothing.
type Outcome string

// A plan whose proof is Refuted is never shown as a plan.
const (
	NotRun  Outcome = ""
	Proved  Outcome = "proved"
	Refuted Outcome = "refuted"
)

// String gives the word used in reports.
func (o Outcome) String() string {
	if o == NotRun {
		return "not run"
	}
	return string(o)
}

// Result says which proofs ran and how they ended.
type Result struct {
	Replay Outcome
	Engine *Engine // nil = no engine was asked
}

// Engine is what a real engine said.
type Engine struct {
	Name, Version string
	Result        Outcome
	// Reason is a clause that says why the plan was not run, when the engine lacks what the schema needs: "extension postgis is not
	// installed on the scratch server". Empty = it was run.
	Reason string
	Rows   int      // rows that stood in the base's tables while the plan ran
	Empty  []string // tables for which no row was found that satisfies their constraints, by name
	// LeftOut are clauses that say what the proof does not cover, each with its number: "3 statements name roles that the server does
	// not have".
	LeftOut []string
}

// Title gives the engine's name as people write it.
func (e *Engine) Title() string {
	switch e.Name {
	case "postgres":
		return "PostgreSQL"
	case "mysql":
		return "MySQL"
	case "mariadb":
		return "MariaDB"
	}
	return e.Name
}

// Asked tells whether there was an engine to ask: a server that nobody gave has no version.
func (e *Engine) Asked() bool { return e != nil && e.Version != "" }

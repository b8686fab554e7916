package schema

import (
	"errors"
	"fmt"
	"strings"
)

// Side is the tree something was read from.
type Side string

// The two sides of a pull request.
const (
	Base Side = "base"
	Head Side = "head"
)

// Pos is a place in a file; lines and columns count from 1, columns in code points. The zero value is "nowhere".
type Pos struct {
	File   string
	Line   int
	Column int
}

// String gives file:line:column, and leaves out what is not known.
func (p Pos) String() string {
	switch {
	case p.Line == 0:
		return p.File
	case p.Column == 0:
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// ErrorKind groups errors for programs that read the report.
type ErrorKind string

// The kinds of errors in a report.
const (
	KindConfig      ErrorKind = "config"      // the configuration or the command line
	KindSource      ErrorKind = "source"      // a file is missing, empty, binary, too large
	KindSyntax      ErrorKind = "syntax"      // the text cannot be read as what it should be
	KindSchema      ErrorKind = "schema"      // it reads well and declares something impossible
	KindUnsupported ErrorKind = "unsupported" // it may be fine, but Altergate does not understand it, or refuses to run it
	KindHint        ErrorKind = "hint"        // a rename hint is stale, misplaced or contradictory
	KindTransition  ErrorKind = "transition"  // each side is fine, but no plan leads from one to the other
	KindProof       ErrorKind = "proof"       // the plan did not do what it says
	KindInternal    ErrorKind = "internal"
)

// Error says why there is no answer. It is the one error type with a position.
type Error struct {
	Side Side // empty when the error is about both sides or neither
	Pos  Pos
	Path string // for JSON sources, the path of the value: tables.users.columns.email.data_type
	Kind ErrorKind
	Text string // what is wrong and what to do next, for the person in the pull request
}

// Error gives one line: side, place, text.
func (e *Error) Error() string {
	var parts []string
	if e.Side != "" {
		parts = append(parts, string(e.Side))
	}
	if at := e.Pos.String(); at != "" {
		parts = append(parts, at)
	}
	if e.Path != "" {
		parts = append(parts, e.Path)
	}
	return strings.Join(append(parts, e.Text), ": ")
}

// Errors takes an error apart into all the positioned errors joined in it. One without a position becomes a
// KindInternal error, so that nothing is lost.
func Errors(err error) []*Error {
	if err == nil {
		return nil
	}
	switch wrapped := err.(type) {
	case *Error:
		return []*Error{wrapped}
	case interface{ Unwrap() []error }:
		var all []*Error
		for _, e := range wrapped.Unwrap() {
			all = append(all, Errors(e)...)
		}
		return all
	case interface{ Unwrap() error }:
		// What was being done is only lost where a place says more.
		if at := (*Error)(nil); errors.As(err, &at) {
			return Errors(wrapped.Unwrap())
		}
	}
	return []*Error{{Kind: KindInternal, Text: err.Error()}}
}

// Recover turns a panic into an error, where it is deferred: defer schema.Recover(&err). A panic that ends a Go program gives exit
// code 2, which here means that the answer is no; breaking down is not an answer.
func Recover(err *error) {
	if p := recover(); p != nil {
		*err = &Error{Kind: KindInternal, Text: fmt.Sprintf("Altergate broke down: %v. This is a fault of its own; please report it with both schemas", p)}
	}
}

// Notice is something a reviewer should know that changes no verdict.
type Notice struct {
	Text string
	Side Side
	Pos  Pos
}

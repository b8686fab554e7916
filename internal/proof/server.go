package proof

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/altergate/altergate/internal/schema"
)

// Unavailable says that a server cannot be used at all: it is not there, or it does not let us make databases.
type Unavailable struct{ Err error }

// Error says so to the person who configured the server.
func (u *Unavailable) Error() string {
	return fmt.Sprintf("the scratch server cannot be used: %s; check --scratch", strings.Join(strings.Fields(u.Err.Error()), " "))
}

// Unwrap gives the cause.
func (u *Unavailable) Unwrap() error { return u.Err }

// Unfit says that a server lacks something that a side needs, or that a side wants what is not done there. It is no fault of the plan.
type Unfit struct{ Reason string } // a clause, see Engine.Reason

// Error gives the reason.
func (u *Unfit) Error() string { return u.Reason }

// Ended gives what a server said of a plan whose run ended in err. An error that comes back with an engine says how the plan failed. One
// without is about something else: the server (*Unavailable), a side that it refuses (*schema.Error), or the end of ctx.
func (e *Engine) Ended(ctx context.Context, err error) (*Engine, error) {
	var (
		unfit       *Unfit
		unavailable *Unavailable
		side        *schema.Error
	)
	switch {
	case errors.As(err, &unfit):
		return &Engine{Name: e.Name, Version: e.Version, Reason: unfit.Reason}, nil
	case err == nil:
		e.Result = Proved
		return e, nil
	case ctx.Err() != nil || errors.As(err, &unavailable) || errors.As(err, &side):
		return nil, err
	}
	e.Result = Refuted
	return e, err
}

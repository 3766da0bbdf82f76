package database

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"gpatlas/platform/apperr"
)

// Away says whether err means that the database cannot be had at the moment (not reached, connection lost, shutting
// down, too many connections, no answer in time) rather than that a statement is wrong. A caller who has gone away
// himself is no fault of the database.
func Away(err error) bool {
	if err == nil || errors.Is(err, context.Canceled) {
		return false
	}
	e, ok := errors.AsType[*pgconn.PgError](err)
	if !ok {
		return !misused(err)
	}
	// Classes: 08 connection exceptions, 53 insufficient resources, 57 operator intervention (57014 is our own
	// statement timeout), 58 system errors.
	for _, class := range []string{"08", "53", "57", "58"} {
		if strings.HasPrefix(e.Code, class) {
			return true
		}
	}
	return false
}

// Unsure says whether a statement or a commit that failed may have taken effect: the connection was lost before the answer came.
func Unsure(err error) bool {
	if refusal, ok := errors.AsType[*apperr.Error](err); ok {
		err = errors.Unwrap(refusal)
	}
	if err == nil {
		return false
	}
	if e, ok := errors.AsType[*pgconn.PgError](err); ok { // the server answered that it did nothing, unless it was about to end
		return strings.HasPrefix(e.Code, "57P") || strings.HasPrefix(e.Code, "08")
	}
	_, unconnected := errors.AsType[*pgconn.ConnectError](err)
	return !unconnected && !pgconn.SafeToRetry(err)
}

// misused says whether an error without an SQLSTATE was made by our side of the connection: a wrong scan target, a wrong
// argument. All others come from the network.
func misused(err error) bool {
	if _, network := errors.AsType[interface {
		error
		Timeout() bool
	}](err); network || errors.Is(err, context.DeadlineExceeded) || pgconn.Timeout(err) {
		return false
	}
	text := err.Error()
	for _, sign := range []string{"connect", "conn closed", "closed pool", "is closed", "unexpected EOF", "broken pipe", "bad connection"} {
		if strings.Contains(text, sign) {
			return false
		}
	}
	return true
}

// Failure is what a store returns for err: Unavailable when the database is away, else err with what was being done.
// Not finding a row is no failure: a store says so in its own words. What already says something to the caller passes as it
// is.
func Failure(what string, err error) error {
	if err == nil {
		return nil
	}
	if _, said := errors.AsType[*apperr.Error](err); said {
		return err
	}
	err = fmt.Errorf("%s: %w", what, err)
	if Away(err) {
		return apperr.Unavailable("The database is unavailable; try again").Wrap(err)
	}
	return err
}

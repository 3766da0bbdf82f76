package database

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"gpatlas/platform/apperr"
)

// codeReadOnly is what a standby answers to a write, also one that was the primary until a moment ago.
const codeReadOnly = "25006"

// Away reports whether err means that the database is unavailable at the moment (unreachable, connection lost, shutting down,
// too many connections, timeout, read-only during a failover) rather than that a statement is wrong. A caller that has disconnected is no fault of the
// database.
func Away(err error) bool {
	if err == nil || errors.Is(err, context.Canceled) {
		return false
	}
	e, ok := errors.AsType[*pgconn.PgError](err)
	if !ok {
		return !misused(err)
	}
	if e.Code == codeReadOnly {
		return true
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

// Unsure reports whether a statement or a commit that failed may have taken effect: the connection was lost before the
// response.
func Unsure(err error) bool {
	if refusal, ok := errors.AsType[*apperr.Error](err); ok {
		err = errors.Unwrap(refusal)
	}
	if err == nil {
		return false
	}
	if e, ok := errors.AsType[*pgconn.PgError](err); ok { // the server reported that it did nothing, unless it was about to end
		return strings.HasPrefix(e.Code, "57P") || strings.HasPrefix(e.Code, "08")
	}
	_, unconnected := errors.AsType[*pgconn.ConnectError](err)
	return !unconnected && !pgconn.SafeToRetry(err)
}

// misused reports whether an error without an SQLSTATE comes from our side of the connection: a wrong scan target, a wrong
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

// Failure is the error that a store returns for err: Unavailable if the database is unavailable, else err with the failed
// action. A missing row is no failure: stores handle it themselves. Errors that already have a message for the caller are
// returned unchanged.
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

package ingest

import (
	"context"
	"errors"
	"log/slog"

	"gpatlas/modules/dataops/internal/run"
	"gpatlas/platform/apperr"
)

// ErrLost means that the connection to the database was lost while documents were loaded.
var ErrLost = errors.New("the database went away")

// lost is the error of a document whose loading was not confirmed because the connection to the database was lost.
type lost struct{ loaded bool }

func (e lost) Error() string {
	if e.loaded {
		return "it is loaded, but the database went away before its result was recorded; the same command records it"
	}
	return "the database went away before it was loaded; the same command loads it"
}

func (lost) Unwrap() error { return ErrLost }

// record writes the result of the run. If the connection to the database was lost, the error becomes lost, and
// the log has the cause.
func (it *item) record(ctx context.Context, session *run.Session) {
	loaded, unrecorded := it.err == nil, error(nil)
	if it.id != 0 {
		unrecorded = session.Finish(ctx, it.id, it.start, it.end)
		it.err = errors.Join(it.err, unrecorded)
	}
	if it.err != nil && ctx.Err() == nil && (unavailable(unrecorded) || session.Lost(ctx)) {
		it.s.log.ErrorContext(ctx, "the database went away", slog.Int64("run_id", it.id), slog.Any("error", it.err))
		it.err = lost{loaded}
	}
}

// unavailable reports whether an error says that the database cannot be used at the moment.
func unavailable(err error) bool {
	return err != nil && apperr.From(err).Kind == apperr.KindUnavailable
}

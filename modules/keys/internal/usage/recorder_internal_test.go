package usage

import (
	"context"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/keys/internal/testkit/fixture"
	"gpatlas/platform/testkit/clocktest"
	"gpatlas/platform/testkit/dbtest"
)

// A recorder that has counted nothing does not warn when it is stopped at its start, as in a process that does not come up, nor
// when the database is unavailable. It warns when a month cannot be created.
func TestSilentWithNothingToWrite(t *testing.T) {
	t.Parallel()
	db, warned := dbtest.New(t), make(lines, 1)
	recorder := func() *Recorder {
		return NewRecorder(NewStore(db), clocktest.At("2026-11-20T10:00:30Z"), slog.New(slog.NewTextHandler(warned, nil)), nil)
	}
	fixture.Exec(t, db, "ALTER TABLE keys.usage_days RENAME TO hidden")
	r := recorder()
	r.Start(t.Context())
	require.Contains(t, <-warned, "the next month of usage could not be made ready")
	require.NoError(t, r.Stop(t.Context()))
	stopped, stop := context.WithCancel(t.Context())
	stop()
	require.NoError(t, recorder().makeMonths(stopped))

	db.Close()
	r = recorder()
	require.NoError(t, r.makeMonths(t.Context()))
	require.NoError(t, r.Flush(t.Context()))
	r.Start(t.Context())
	require.NoError(t, r.Stop(t.Context()))
	require.Empty(t, warned)
}

// lines hands on what is written.
type lines chan string

func (l lines) Write(p []byte) (int, error) {
	l <- string(p)
	return len(p), nil
}

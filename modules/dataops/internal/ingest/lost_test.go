package ingest_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/modules/dataops/internal/ingest"
	"gpatlas/modules/dataops/internal/run"
	"gpatlas/platform/apperr"
	"gpatlas/platform/database"
	"gpatlas/platform/stage"
	"gpatlas/platform/testkit/cutproxy"
	"gpatlas/platform/testkit/dbtest"
)

// terminate ends all other connections to the database.
func (k *kit) terminate() {
	_ = k.db.From(context.WithoutCancel(k.t.Context())).Exec(
		`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`).Error
}

// Guarantee: when the database goes away, the ingestion ends, reports what it has kept and names what it has not loaded. The
// same command completes it.
func TestDatabaseGoesAway(t *testing.T) {
	t.Parallel()
	const again = "; start it and run the same command again to continue (LOG_LEVEL=error shows the cause)"
	const none = "the database went away: no document is known to be loaded" + again
	const unread = "the database went away: all documents are loaded and stay loaded, but people are not read yet" + again
	for at, want := range map[string]string{
		"begin 0": none, "staged 0": none, "begin 1": none, "staged 1": none, "deriving 2 advisers": none, "deriving 2 advisers ended": none,
		"people": unread,
	} {
		t.Run(at, func(t *testing.T) {
			t.Parallel()
			k := newKit(t)
			dir := t.TempDir()
			k.loaded(write(t, dir, "before.csv", rosterCSV("10/02/2026", "100")))
			args := []string{write(t, dir, "a.csv", rosterCSV("11/02/2026", "101")), write(t, dir, "b.csv", rosterCSV("11/03/2026", "100", "101"))}
			var logged strings.Builder
			service := ingest.New(ingest.Config{}, k.store, k.loader, today, fetcher(), slog.New(slog.NewTextHandler(&logged, nil)))
			stop := &stopping{at: at, cancel: k.terminate}
			sum, err := service.Ingest(t.Context(), args, stop, func(context.Context, ingest.Summary) (int, error) {
				stop.now("people")
				if at == "people" {
					return 0, apperr.Unavailable("the database is unavailable")
				}
				return 0, nil
			})
			require.Error(t, err)
			require.True(t, sum.DatabaseLost, "%v", err)
			require.Equal(t, want, sum.Interruption(), "%v", stop.seen)
			require.Contains(t, logged.String(), `level=ERROR msg="the database went away"`)
			var told strings.Builder
			require.NoError(t, sum.WriteText(&told))
			require.NotRegexp(t, "failed|Nothing changed|SQLSTATE|connection", told.String())
			require.Equal(t, 2, len(sum.Documents)+sum.NotBegun)
			for _, d := range sum.Documents {
				require.NotRegexp(t, "SQLSTATE|connection|\n", d.Error)
				require.Equal(t, d.Error != "", strings.Contains(told.String(), d.Document))
			}
			k.db.Pool().Reset() // the next command has connections of its own
			k.loaded(args...)
			require.Equal(t, int64(2), k.count(`SELECT count(*) FROM catalog.advisers`))
		})
	}
	sum := ingest.Summary{Documents: make([]ingest.Document, 11), Failed: 6, NotBegun: 5, DatabaseLost: true, PeopleUnread: true}
	require.Equal(t, "the database went away: 5 of 16 documents are loaded and stay loaded, but people are not read yet"+again, sum.Interruption())
}

// A primary that is killed and refuses connections ends the ingestion in the same line, although no transaction can begin.
func TestPrimaryIsKilled(t *testing.T) {
	t.Parallel()
	direct := dbtest.New(t)
	proxy := cutproxy.New(t, dbtest.URL(t, direct))
	db, err := database.Open(t.Context(), database.Config{URL: proxy.URL()})
	require.NoError(t, err)
	t.Cleanup(db.Close)
	service := ingest.New(ingest.Config{}, run.NewStore(db), catalogtest.NewLoader(db, today), today, fetcher(), silent)
	dir := t.TempDir()
	args := []string{write(t, dir, "a.csv", rosterCSV("11/02/2026", "101")), write(t, dir, "b.csv", rosterCSV("11/02/2026", "102"))}
	stop := &stopping{at: "begin 0", cancel: func() { proxy.SetDown(true) }}
	sum, err := service.Ingest(t.Context(), args, stop, nil)
	require.ErrorIs(t, err, ingest.ErrLost)
	require.True(t, sum.DatabaseLost)
	require.Regexp(t, `^the database went away: no document is known to be loaded; start it and run the same command again[^\n]*$`, sum.Interruption())
	require.Equal(t, 2, len(sum.Documents)+sum.NotBegun)
	proxy.SetDown(false)
	sum, err = service.Ingest(t.Context(), args, ingest.Silent{}, nil)
	require.NoError(t, err)
	require.Len(t, sum.Documents, 2)
	require.Zero(t, sum.Failed)
}

// One line names the documents that were not loaded, and no line of progress repeats them.
func TestManyDocumentsAreLostInOneLine(t *testing.T) {
	t.Parallel()
	k, dir, args := newKit(t), t.TempDir(), []string(nil)
	for i := range 12 {
		args = append(args, write(t, dir, fmt.Sprintf("%02d.csv", i), rosterCSV("11/02/2026", strconv.Itoa(100+i))))
	}
	service := ingest.New(ingest.Config{}, k.store, k.loader, today, fetcher(), silent)
	stop := &stopping{at: "staged 11", cancel: k.terminate}
	sum, err := service.Ingest(t.Context(), args, stop, nil)
	require.ErrorIs(t, err, ingest.ErrLost)
	require.Zero(t, stop.ended)
	var told strings.Builder
	require.NoError(t, sum.WriteText(&told))
	require.Contains(t, told.String(), "Not loaded: 00.csv, 01.csv, 02.csv, 03.csv, 04.csv, 05.csv, 06.csv, 07.csv, 4 more.\n")
}

// unopened is a loader that gets no connection for a transaction.
type unopened struct{ catalogapi.Loader }

func (unopened) LoadBatch(context.Context, func(context.Context, catalogapi.LoadFunc) error) ([]catalogapi.LoadResult, error) {
	return nil, errors.New("take a connection: refused")
}

// A document whose transaction cannot begin is reported, like every other.
func TestNoTransaction(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	service := ingest.New(ingest.Config{}, k.store, unopened{catalogtest.NewLoader(k.db, today)}, today, fetcher(), silent)
	dir := t.TempDir()
	sum, err := service.Ingest(t.Context(), []string{
		write(t, dir, "a.csv", rosterCSV("11/02/2026", "101")), write(t, dir, "b.csv", rosterCSV("11/02/2026", "102")),
	}, ingest.Silent{}, nil)
	require.ErrorContains(t, err, "refused")
	require.Len(t, sum.Documents, 2)
	require.Equal(t, 2, sum.Failed)
	require.Equal(t, int64(2), k.count(`SELECT count(*) FROM dataops.ingestion_runs WHERE state = 'failed' AND error = 'take a connection: refused'`))
}

// What was cut short is not shown as done, and the next run reports that it read the people.
func TestPeopleAfterAnInterruption(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	path := write(t, t.TempDir(), "a.csv", rosterCSV("11/02/2026", "101"))
	ctx, cancel := context.WithCancel(t.Context())
	sum, err := k.service.Ingest(ctx, []string{path}, ingest.Silent{}, func(ctx context.Context, _ ingest.Summary) (int, error) {
		defer stage.Begin(ctx, "reading people")()
		cancel()
		return 0, ctx.Err()
	})
	require.ErrorIs(t, err, context.Canceled)
	last := sum.Stages[len(sum.Stages)-1]
	last.Seconds = 2.5
	require.Equal(t, "reading people: interrupted after 2.5 s", fmt.Sprint(last))
	sum, err = k.service.Ingest(t.Context(), []string{path}, ingest.Silent{}, func(context.Context, ingest.Summary) (int, error) { return 4902, nil })
	require.NoError(t, err)
	var told strings.Builder
	require.NoError(t, sum.WriteText(&told))
	require.Contains(t, told.String(), "Everything was already loaded; the people of 4,902 advisers were read now.\n")
	require.NotContains(t, told.String(), "Nothing changed")
}

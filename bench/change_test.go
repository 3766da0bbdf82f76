package bench_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// measureRebuild drives GP searches for as long as a rebuild takes, without one and with one in turn, and gives by how
// much the 99th percentile grows. Then the index is rebuilt without load.
func (s *served) measureRebuild(ctx context.Context, b *testing.B, r *report, atStart float64) {
	b.Helper()
	all, err := gather(ctx, s.addr)
	require.NoError(b, err)
	defer all.close()
	gps := &s.measured[0]
	slot := time.Duration(max(atStart, 0.2) * float64(time.Second))
	var ratios, quiet99, busy99 []float64
	for range *roundsFlag {
		quiet, err := all.drive(ctx, gps.requests, slot)
		require.NoError(b, err)
		seq, err := announce(ctx, s.databaseURL)
		require.NoError(b, err)
		time.Sleep(300 * time.Millisecond) // the index waits so long for further changes
		busy, err := all.drive(ctx, gps.requests, slot)
		require.NoError(b, err)
		require.NoError(b, visible(ctx, s.internal, seq))
		ratios = append(ratios, float64(busy.p99)/float64(quiet.p99))
		quiet99, busy99 = append(quiet99, milliseconds(quiet.p99)), append(busy99, milliseconds(busy.p99))
	}
	r.measure(keyRebuild, "p99 of GP search while the index is rebuilt", "times", ratios,
		fmt.Sprintf("%s ms instead of %s ms, over HTTP", figure(median(busy99)), figure(median(quiet99))))
	var again, seen []float64
	for range *roundsFlag {
		before := s.figures(ctx, b)
		seq, err := announce(ctx, s.databaseURL)
		require.NoError(b, err)
		began := time.Now()
		require.NoError(b, visible(ctx, s.internal, seq))
		seen = append(seen, time.Since(began).Seconds())
		after := s.figures(ctx, b)
		require.InDelta(b, before[builds]+1, after[builds], 0.5, "one build for one change")
		again = append(again, after[buildSeconds]-before[buildSeconds])
	}
	r.measure(keyLoadBuild, "index loaded from PostgreSQL and built, one worker", "s", again, "in the service, without load; at its start "+figure(atStart)+" s")
	r.measure("rebuild/visible", "a change visible after its commit, nothing else going on", "s", seen, "")
}

// measureMonths ingests the months that the catalog lacks, one after another, beside the service, and waits for each to
// be in the index; then the last of them again, which changes nothing.
func (s *served) measureMonths(ctx context.Context, b *testing.B, r *report, archives []string) {
	b.Helper()
	conn, err := pgx.Connect(ctx, s.databaseURL)
	require.NoError(b, err)
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	_, err = conn.Exec(ctx, "LISTEN catalog_changed")
	require.NoError(b, err)
	var seen, took []float64
	var rows int64
	for _, archive := range archives {
		sum, seconds := s.month(ctx, b, conn, archive)
		seen, took, rows = append(seen, seconds), append(took, sum.Seconds), sum.Read
	}
	r.measure(keyVisible, "an ingested month visible in search after its commit", "s", seen, "")
	r.measure("month/ingest", "ingestion of a month beside the service", "s", took, fmt.Sprintf("%d rows the last", rows))
	sum := ingest(ctx, b, s.binary, s.data, archives[len(archives)-1])
	require.False(b, sum.Changed, "%s changes nothing again", archives[len(archives)-1])
	r.measure("month/again", "the same month again", "s", []float64{sum.Seconds}, "")
}

// month ingests an archive by the command, beside the service, and gives the time from its commit, with which the notice
// comes, to when the index holds it.
func (s *served) month(ctx context.Context, b *testing.B, conn *pgx.Conn, archive string) (sum ingested, seconds float64) {
	b.Helper()
	limited, cancel := context.WithTimeout(ctx, 10*time.Minute)
	defer cancel()
	type arrival struct {
		took time.Duration
		err  error
	}
	wait := func() (a arrival) {
		notice, err := conn.WaitForNotification(limited)
		if err != nil {
			return arrival{err: err}
		}
		committed := time.Now()
		seq, err := strconv.ParseInt(notice.Payload, 10, 64)
		if err == nil {
			err = visible(limited, s.internal, seq)
		}
		return arrival{time.Since(committed), err}
	}
	arrived := make(chan arrival, 1)
	go func() { arrived <- wait() }()
	sum = ingest(limited, b, s.binary, s.data, archive)
	require.True(b, sum.Changed, "%s changes something", filepath.Base(archive))
	a := <-arrived
	require.NoError(b, a.err)
	return sum, a.took.Seconds()
}

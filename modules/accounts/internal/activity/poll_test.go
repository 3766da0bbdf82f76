package activity_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/auth"
	"gpatlas/platform/testkit/itertest"
)

// follow reads on from a cursor (from the beginning where it is empty) until nothing is left for now, and gives the next
// cursor.
func (b *bench) follow(t *testing.T, as *auth.Principal, cursor string, limit int) (events []string, next string) {
	t.Helper()
	for {
		query := fmt.Sprintf("?limit=%d", limit)
		if cursor != "" {
			query += "&cursor=" + cursor
		} else {
			query += "&known_since=2000-01-01"
		}
		page, meta := b.get(t, as, query)
		require.Len(t, page, min(limit, meta.Total))
		require.Equal(t, meta.Total > limit, meta.HasMore)
		events, cursor = append(events, page...), meta.NextCursor
		if !meta.HasMore {
			return events, cursor
		}
	}
}

// Whoever follows the cursor reads the whole feed and then what becomes known, late filings among it, each event once.
func TestPolling(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	events, cursor := b.follow(t, b.ada, "", 2)
	require.Equal(t, all, events)
	events, cursor = b.follow(t, b.ada, cursor, 2)
	require.Empty(t, events)

	b.file(t.Context(), t, "1004", "900001", "2021-05-05 12:00") // filed five years ago, known today
	b.file(t.Context(), t, "3002", "900003", "2026-11-20 08:00") // not watched
	b.file(t.Context(), t, "2002", "900002", "2022-06-06 12:00")
	want := []string{"06-06T12:00 900002 ADV ADV-900002-2002", "05-05T12:00 900001 ADV ADV-900001-1004"}
	list, _ := b.get(t, b.ada, "?known_since=2026-11-15")
	require.Equal(t, want, list, "known_since goes by when it became known")
	list, _ = b.get(t, b.ada, "?since=2026-11-15")
	require.Empty(t, list, "since goes by the date of the filing")
	list, _ = b.get(t, b.ada, "?limit=1&cursor="+cursor)
	require.Equal(t, want[:1], list)
	events, cursor = b.follow(t, b.ada, cursor, 1)
	require.Equal(t, want, events)
	events, _ = b.follow(t, b.ada, cursor, 100)
	require.Empty(t, events)
}

// A load while a reader is in the middle of the feed neither moves what is left nor gets lost.
func TestLoadAmidAWalk(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	first, meta := b.get(t, b.ada, "?limit=5&since=2000-01-01")
	b.file(t.Context(), t, "1004", "900001", "2026-11-19 12:00")
	rest, cursor := b.follow(t, b.ada, meta.NextCursor, 3)
	require.Equal(t, all, slices.Concat(first, rest))
	events, _ := b.follow(t, b.ada, cursor, 3)
	require.Equal(t, []string{"11-19T12:00 900001 ADV/A ADV-900001-1004"}, events)
}

// Two loads overlap: the transaction that began first commits last. Its processed_at is the later one, and a reader who has
// seen the other load gets it.
func TestOverlappingTransactions(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	_, cursor := b.follow(t, b.ada, "", 100)
	require.NoError(t, b.DB.InTx(t.Context(), func(slow context.Context) error {
		require.NoError(t, b.DB.From(slow).Exec("SELECT 1").Error) // its now() stands still from here on
		b.file(t.Context(), t, "1004", "900001", "2026-11-18 12:00")
		var events []string
		events, cursor = b.follow(t, b.ada, cursor, 100)
		require.Equal(t, []string{"11-18T12:00 900001 ADV/A ADV-900001-1004"}, events)
		b.file(slow, t, "1005", "900001", "2026-11-17 12:00")
		events, cursor = b.follow(t, b.ada, cursor, 100)
		require.Empty(t, events, "not committed")
		return nil
	}))
	var later bool
	require.NoError(t, b.DB.From(t.Context()).Raw(`SELECT a.processed_at > b.processed_at FROM catalog.filings a, catalog.filings b
		WHERE a.accession = 'ADV-900001-1005' AND b.accession = 'ADV-900001-1004'`).Scan(&later).Error)
	require.True(t, later, "the order of the loads counts, not that of the transactions")
	events, cursor := b.follow(t, b.ada, cursor, 100)
	require.Equal(t, []string{"11-17T12:00 900001 ADV/A ADV-900001-1005"}, events)
	events, _ = b.follow(t, b.ada, cursor, 100)
	require.Empty(t, events)
	var ordered bool
	require.NoError(t, b.DB.From(t.Context()).Raw(`SELECT bool_and(known_at > before) FROM (
		SELECT known_at, lag(known_at) OVER (ORDER BY arrival) AS before FROM catalog.arrivals WHERE arrival > 6) t`).Scan(&ordered).Error)
	require.True(t, ordered, "known_at rises with the arrivals")
}

// Loads by several writers at once, and readers in between with pages of any size: each event comes once to each reader.
func TestNothingIsSkippedOrRepeated(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	rng := rand.New(rand.NewPCG(1, 2))
	done := make(chan struct{})
	const writers, filingsEach = 3, 5
	for w := range writers {
		go func() {
			defer func() { done <- struct{}{} }()
			for i := range filingsEach {
				id := strconv.Itoa(7000 + w*100 + i)
				assertLoaded(t, b, id, fmt.Sprintf("20%02d-03-04 10:00", 10+(w*7+i*3)%16), w == 0)
			}
		}()
	}
	cursor, seen := "", map[string]int{}
	read := func() {
		var events []string
		events, cursor = b.follow(t, b.ada, cursor, 1+rng.IntN(4))
		for _, e := range events {
			seen[e]++
		}
	}
	for left := writers; left > 0; {
		select {
		case <-done:
			left--
		default:
		}
		read()
	}
	read()
	require.Len(t, seen, len(all)+writers*filingsEach)
	for e, n := range seen {
		require.Equal(t, 1, n, e)
	}
}

// assertLoaded loads one filing; where it is wrapped, inside a transaction that began before.
func assertLoaded(t *testing.T, b *bench, id, submitted string, wrapped bool) {
	t.Helper()
	load := func(ctx context.Context) error {
		_, err := b.loader.LoadDocument(ctx, catalogapi.Document{
			Name: "late-" + id + ".zip", Source: catalogapi.SourceADVArchive, Filings: itertest.Rows(filing(id, "900001", submitted)),
		}, catalogapi.LoadOptions{RunID: 7})
		return err
	}
	if !wrapped {
		assert.NoError(t, load(t.Context()))
		return
	}
	assert.NoError(t, b.DB.InTx(t.Context(), func(ctx context.Context) error {
		if err := b.DB.From(ctx).Exec("SELECT 1").Error; err != nil {
			return err
		}
		return load(ctx)
	}))
}

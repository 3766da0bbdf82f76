package changes

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/database"
	"gpatlas/platform/testkit/dbtest"
)

var errUndo = errors.New("undo")

// traffic lets writers append in parallel, with rollbacks and with pauses before the commit, while readers follow the log with pages of
// random sizes. It returns the numbers in the table and those that each reader got.
func traffic(t *testing.T, lock string) (table []int64, read [][]int64) {
	t.Helper()
	db := dbtest.New(t)
	const writers, rounds, readers = 4, 25, 3
	var writing, reading sync.WaitGroup
	for w := range writers {
		random := rand.New(rand.NewPCG(29, uint64(w)))
		writing.Go(func() {
			for n := range rounds {
				err := db.InTx(t.Context(), func(ctx context.Context) error {
					query := fmt.Sprintf("SELECT 'k%d' AS kind, n::text AS crd, '' AS subject, '' AS accession, NULL::date AS day, 0::bigint AS arrival, '{}'::jsonb AS said FROM generate_series(1, %d) n", n%2, 1+random.IntN(20))
					if _, err := appendQuery(ctx, db, lock, query, database.Args{}); err != nil {
						return err
					}
					if _, err := database.Run(ctx, db, "pause", fmt.Sprintf("SELECT pg_sleep(%f)", random.Float64()*0.005), nil); err != nil {
						return err
					}
					if random.IntN(4) == 0 {
						return errUndo
					}
					return nil
				})
				if err != nil && !errors.Is(err, errUndo) {
					t.Error(err)
				}
			}
		})
	}
	over := make(chan struct{})
	read = make([][]int64, readers)
	for r := range readers {
		random := rand.New(rand.NewPCG(92, uint64(r)))
		reading.Go(func() {
			for seq, last := int64(0), false; ; {
				select {
				case <-over:
					last = true
				default:
				}
				p, err := After(t.Context(), db, seq, 1+random.IntN(40), Filter{})
				if err != nil {
					t.Error(err)
					return
				}
				for _, e := range p.Events {
					read[r] = append(read[r], e.Seq)
				}
				if seq = p.Next; last && !p.More {
					return
				}
			}
		})
	}
	writing.Wait()
	close(over)
	reading.Wait()
	table, err := database.Values[int64](t.Context(), db, "read all", "SELECT seq FROM platform.changes ORDER BY seq", nil)
	require.NoError(t, err)
	require.NotEmpty(t, table)
	return table, read
}

// Guarantee: a reader gets each event of the log once, in its order, whatever commits or rolls back meanwhile.
func TestReadersMissNothing(t *testing.T) {
	t.Parallel()
	table, read := traffic(t, lockSQL)
	for _, got := range read {
		require.Equal(t, table, got)
	}
}

// The test above sees a log without the lock: numbers would become visible after higher ones.
func TestReadersMissEventsWithoutTheLock(t *testing.T) {
	t.Parallel()
	table, read := traffic(t, "SELECT @key::bigint")
	require.True(t, slices.ContainsFunc(read, func(got []int64) bool { return !slices.Equal(table, got) }), "nothing was missed: the test cannot fail")
}

package load_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/testkit/testscale"
)

// batch loads documents in one transaction; a document that fails is passed over.
func (b *bench) batch(docs ...document) (results []catalogapi.LoadResult, faults []error) {
	b.t.Helper()
	results, err := b.loader.LoadBatch(b.t.Context(), func(ctx context.Context, load catalogapi.LoadFunc) error {
		for _, d := range docs {
			b.run++
			_, err := load(ctx, b.loader.Prepare(ctx, d.stream(), catalogapi.LoadOptions{RunID: b.run}))
			faults = append(faults, err)
		}
		return nil
	})
	require.NoError(b.t, err)
	return results, faults
}

// Documents loaded together come to what they come to one by one, in any order and however they are cut into two batches,
// and announce it once. Eight orders are the full figure.
func TestBatchComesToTheSame(t *testing.T) {
	t.Parallel()
	docs := history()
	want := historyLoaded(t)
	for i, order := range orders(rand.New(rand.NewPCG(3, 19)), len(docs), testscale.Rounds(t, 2)) {
		b := newBench(t)
		shuffled := make([]document, len(docs))
		for k, n := range order {
			shuffled[k] = docs[n]
		}
		cut := i * 2 % len(docs) // 0: the second batch has all of them
		b.batch(shuffled[:cut]...)
		b.batch(shuffled[cut:]...)
		require.Equal(t, want, b.state(), "order %v, cut at %d", order, cut)
		published := b.row(`SELECT count(*) FROM catalog.publications`)
		// Two batches; withdrawals are published by themselves.
		require.LessOrEqual(t, published[0], "4")
		b.close()
	}
}

// A restatement of a filing that came earlier in the same batch replaces it, and takes away what it no longer lists.
func TestBatchRestatesItself(t *testing.T) {
	t.Parallel()
	first := archive("a.zip", filing("1", "7001", "2024-03-01", "ALDER POINT LLC"))
	first.funds = append(first.funds, fund("1", f1, "ALDER GROWTH I", 10), fund("1", f2, "ALDER GROWTH II", 20))
	second := archive("b.zip", filing("1", "7001", "2024-03-01", "ALDER POINT CAPITAL LLC"))
	second.funds = append(second.funds, fund("1", f1, "ALDER GROWTH I", 11))
	b := newBench(t)
	results, faults := b.batch(first, second, second)
	require.Equal(t, []error{nil, nil, nil}, faults)
	require.Equal(t, [][]string{{"805-" + f1, "11"}}, b.rows(`SELECT fund_id, gross_asset_value FROM catalog.funds`))
	require.Equal(t, []string{"ALDER POINT CAPITAL LLC"}, b.row(`SELECT legal_name FROM catalog.advisers`))
	require.Equal(t, catalogapi.LoadResult{RowsRead: 3, FilingsNew: 1, AdvisersNew: 1, FundsNew: 1, FundsUnchanged: 1, Published: true}, results[0])
	require.Equal(t, catalogapi.LoadResult{RowsRead: 2, FilingsChanged: 1, AdvisersChanged: 1, FundsChanged: 1, Published: true}, results[1])
	require.Equal(t, catalogapi.LoadResult{RowsRead: 2, FilingsUnchanged: 1, AdvisersUnchanged: 1, FundsUnchanged: 1}, results[2])
}

// An adviser that changes by what another one filed is counted with the first document that names it and brings something; one that
// brings nothing changes nobody.
func TestBatchCountsWhoChangesByOthers(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	alder := filing("1", "7001", "2024-03-01", "ALDER POINT LLC")
	known := archive("a.zip", alder)
	known.funds = append(known.funds, fund("1", f1, "ALDER GROWTH I", 10), fund("1", f2, "ALDER GROWTH II", 20))
	b.batch(known)
	taker := archive("b.zip", filing("2", "7002", "2024-04-01", "FENWICK LP"))
	taker.funds = append(taker.funds, fund("2", f1, "ALDER GROWTH I", 10))
	both := archive("c.zip", alder, filing("3", "7003", "2024-04-01", "QUILL LP"))
	both.funds = known.funds
	results, faults := b.batch(known, taker, both)
	require.Equal(t, []error{nil, nil, nil}, faults)
	require.Equal(t, catalogapi.LoadResult{RowsRead: 3, FilingsUnchanged: 1, AdvisersUnchanged: 1, FundsUnchanged: 2}, results[0])
	require.Equal(t, catalogapi.LoadResult{RowsRead: 2, FilingsNew: 1, AdvisersNew: 1, FundsChanged: 1, Published: true}, results[1])
	require.Equal(t, catalogapi.LoadResult{
		RowsRead: 4, FilingsNew: 1, FilingsUnchanged: 1, AdvisersNew: 1, AdvisersChanged: 1, FundsUnchanged: 2, Published: true,
	}, results[2])
}

// A document that breaks in the middle leaves nothing, and the others of its batch stay.
func TestBatchPassesOverAFailure(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	broken := archive("b.zip", filing("2", "7002", "2024-03-01", "FENWICK LP"))
	broken.funds, broken.breaks = append(broken.funds, fund("2", f2, "FENWICK I", 10)), errors.New("the archive ends in the middle")
	results, faults := b.batch(
		archive("a.zip", filing("1", "7001", "2024-03-01", "ALDER POINT LLC")), broken,
		archive("c.zip", filing("3", "7003", "2024-03-01", "QUILL LP")))
	require.NoError(t, faults[0])
	require.ErrorIs(t, faults[1], broken.breaks)
	require.NoError(t, faults[2])
	require.Equal(t, catalogapi.LoadResult{}, results[1])
	require.Equal(t, int64(1), results[2].AdvisersNew)
	require.Equal(t, [][]string{{"7001"}, {"7003"}}, b.rows(`SELECT crd FROM catalog.advisers ORDER BY crd`))
	require.Equal(t, []string{"2"}, b.row(`SELECT count(*) FROM catalog.filings`))
}

// A batch that its caller gives up leaves nothing at all.
func TestBatchGivenUp(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	enough := errors.New("enough")
	_, err := b.loader.LoadBatch(t.Context(), func(ctx context.Context, load catalogapi.LoadFunc) error {
		_, err := load(ctx, b.loader.Prepare(ctx, archive("a.zip", filing("1", "7001", "2024-03-01", "ALDER POINT LLC")).stream(), catalogapi.LoadOptions{RunID: 1}))
		require.NoError(t, err)
		return enough
	})
	require.ErrorIs(t, err, enough)
	require.Equal(t, []string{"0", "0"}, b.row(`SELECT (SELECT count(*) FROM catalog.filings), (SELECT count(*) FROM catalog.publications)`))
}

// A batch whose connection is lost says so to the document that meets it, and to those after it.
func TestBatchLosesItsConnection(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	var second error
	_, err := b.loader.LoadBatch(t.Context(), func(ctx context.Context, load catalogapi.LoadFunc) error {
		_, err := load(ctx, b.loader.Prepare(ctx, archive("a.zip", filing("1", "7001", "2024-03-01", "ALDER POINT LLC")).stream(), catalogapi.LoadOptions{RunID: 1}))
		require.NoError(t, err)
		b.row(`SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
			WHERE datname = current_database() AND pid <> pg_backend_pid() AND state = 'idle in transaction'`)
		_, second = load(ctx, b.loader.Prepare(ctx, archive("b.zip", filing("2", "7002", "2024-03-01", "FENWICK LP")).stream(), catalogapi.LoadOptions{RunID: 2}))
		return second
	})
	require.ErrorIs(t, second, catalogapi.ErrBatchBroken)
	require.ErrorIs(t, err, catalogapi.ErrBatchBroken)
	require.Equal(t, []string{"0"}, b.row(`SELECT count(*) FROM catalog.filings`))
}

// Indexes that a first load puts off are there again when it is done, as the schema has them, and when it fails.
func TestFirstLoadRestoresTheIndexes(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	indexes := func() [][]string {
		return b.rows(`SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'catalog' ORDER BY indexname`)
	}
	constraints := func() [][]string {
		return b.rows(`SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'catalog'::regnamespace ORDER BY 1`)
	}
	wantIndexes, wantConstraints := indexes(), constraints()
	broken := archive("b.zip", filing("2", "7002", "2024-03-01", "FENWICK LP"))
	broken.funds, broken.breaks = append(broken.funds, fund("2", f2, "FENWICK I", 10)), errors.New("the archive ends in the middle")
	_, faults := b.batch(broken)
	require.ErrorIs(t, faults[0], broken.breaks)
	require.Equal(t, wantIndexes, indexes())
	first := archive("a.zip", filing("1", "7001", "2024-03-01", "ALDER POINT LLC"))
	first.funds = append(first.funds, fund("1", f1, "ALDER GROWTH I", 10), fund("1", f2, "ALDER GROWTH II", 20))
	b.batch(first)
	require.Equal(t, wantIndexes, indexes())
	require.Equal(t, wantConstraints, constraints())
	require.Equal(t, []string{"2"}, b.row(`SELECT count(*) FROM catalog.fund_versions`))
}

// Notices that come first in a first load leave the indexes put off, and documents that bring nothing restore them.
func TestFirstLoadAfterNoticesRestoresTheIndexes(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	indexes := func() [][]string {
		return b.rows(`SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'catalog' ORDER BY indexname`)
	}
	want := indexes()
	load := func(docs ...catalogapi.Document) {
		_, err := b.loader.LoadBatch(t.Context(), func(ctx context.Context, load catalogapi.LoadFunc) error {
			for _, d := range docs {
				b.run++
				if _, err := load(ctx, b.loader.Prepare(ctx, d, catalogapi.LoadOptions{RunID: b.run})); err != nil {
					return err
				}
			}
			return nil
		})
		require.NoError(t, err)
		require.Equal(t, want, indexes())
	}
	early := notice(1, "021-111111", "2024-01-10", "Alder Point Fund I LP", offered("06b"))
	load(early.stream())
	load(early.stream(), archiveOf("1", "7001", "2024-03-01", "ALDER POINT LLC", f1, "ALDER POINT FUND I LP", "021-111111").stream())
	require.Equal(t, []string{"1"}, b.row(`SELECT count(*) FROM catalog.offering_funds`))
}

// What foreign keys would check, and does hold: every current row has its filing, and every fund its adviser.
func TestKeysHold(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.batch(history()...)
	require.Equal(t, []string{"0", "0", "0"}, b.row(`SELECT
		(SELECT count(*) FROM catalog.funds f WHERE NOT EXISTS (SELECT FROM catalog.advisers a WHERE a.crd = f.adviser_crd)),
		(SELECT count(*) FROM catalog.funds f WHERE NOT EXISTS (SELECT FROM catalog.filings l WHERE l.accession = f.latest_accession)),
		(SELECT count(*) FROM catalog.advisers a WHERE NOT EXISTS (SELECT FROM catalog.filings l WHERE l.accession = a.latest_accession))`))
	require.NotEqual(t, "0", b.row(`SELECT count(*) FROM catalog.funds`)[0])
}

package load

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/clock"
	"gpatlas/platform/dbtest"
)

// BenchmarkLoadOwners sets a first load of a month's Schedules A and B, 160,000 rows, against a bare COPY of the same rows,
// encoded beforehand, into their staging table. The load includes its 8,000 filings.
func BenchmarkLoadOwners(b *testing.B) {
	const each20 = 20
	document := func() catalogapi.Document {
		doc := benchDocument(0)
		doc.Funds, doc.Auditors = nil, nil
		yes := true
		doc.Owners = each(benchFilings*each20, func(i int) *catalogapi.OwnerRow {
			return &catalogapi.OwnerRow{
				FilingKey: strconv.Itoa(2_000_000 + i/each20), Schedule: "A", Name: "PERSON, INVENTED, " + strconv.Itoa(i), EntityType: "I",
				Title: "DIRECTOR, CHAIRMAN AND CHIEF EXECUTIVE OFFICER", AcquiredYear: 2011, AcquiredMonth: 9, OwnershipCode: "NA",
				ControlPerson: &yes, OwnerID: strconv.Itoa(1_000_000 + i),
			}
		})
		return doc
	}
	var bare, whole time.Duration
	for b.Loop() {
		b.StopTimer()
		l := New(dbtest.New(b), clock.System{}, slog.New(slog.DiscardHandler))
		doc := document()
		bare += bareOwners(b, l, doc)
		doc = document()
		b.StartTimer()
		begun := time.Now()
		result, err := l.LoadDocument(b.Context(), doc, catalogapi.LoadOptions{RunID: 1})
		require.NoError(b, err)
		require.EqualValues(b, benchFilings, result.FilingsNew)
		whole += time.Since(begun)
	}
	b.ReportMetric(whole.Seconds()/bare.Seconds(), "x-copy")
	b.ReportMetric(bare.Seconds()/float64(b.N), "copy-s/op")
}

// bareOwners sends the encoded rows and rolls back. It says how long the COPY took.
func bareOwners(b *testing.B, l *Loader, doc catalogapi.Document) time.Duration {
	b.Helper()
	st := newStaging(doc, catalogapi.LoadOptions{Reject: func(catalogapi.Rejected) {}})
	var rows rowBuffer
	for f := range doc.Filings {
		require.NoError(b, st.filing(f))
	}
	t := owners()
	put := childStager(st, &t, ownerKind())
	for o := range doc.Owners {
		require.NoError(b, put(&rows, o))
	}
	var took time.Duration
	undo := errors.New("enough")
	err := l.exclusively(b.Context(), func(ctx context.Context, s *session) error {
		require.NoError(b, s.run(ctx, "stage", "$version_columns$", quoteList("", stagedVersionColumns()), "$fund_columns$", quoteList("", stagedFundColumns())))
		require.NoError(b, s.createStaged(ctx, &t))
		begun := time.Now()
		require.NoError(b, s.copyIn(ctx, intoVersions(), numbered(len(st.filings), &st.filingRows, st.versionRow)))
		require.NoError(b, s.copyIn(ctx, t.into(), &feed{rows: rows, err: io.EOF}))
		took = time.Since(begun)
		return undo
	})
	require.ErrorIs(b, err, undo)
	return took
}

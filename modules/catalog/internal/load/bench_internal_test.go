package load

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/clock"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/itertest"
)

// benchFilings and benchFundsEach make a document of about 110,000 rows: a busy month.
const (
	benchFilings   = 8_000
	benchFundsEach = 6
)

// BenchmarkLoad sets the wall time of a load against a bare COPY of the same rows, encoded beforehand, into the same
// staging tables (x-copy): a document that is new, one that is known, one that restates the funds of 2% of the filings. What was
// used to make a document is collected before anything is timed. The figures are ratios of the medians of some turns: a single COPY
// takes half or twice as long where other work shares the machine.
func BenchmarkLoad(b *testing.B) {
	db := dbtest.New(b)
	l := New(db, clock.System{}, slog.New(slog.DiscardHandler))
	load := func(edition int) (catalogapi.LoadResult, time.Duration) {
		doc := benchDocument(edition)
		runtime.GC()
		begun := time.Now()
		result, err := l.LoadDocument(b.Context(), doc, catalogapi.LoadOptions{RunID: 1})
		require.NoError(b, err)
		return result, time.Since(begun)
	}
	_, first := load(0)
	const turns = 5
	var bare, known, changed []time.Duration
	edition := 0
	for b.Loop() {
		for range turns {
			bare = append(bare, bareCopy(b, l, benchDocument(0)))
			same, took := load(edition)
			require.False(b, same.Published)
			known = append(known, took)
			edition++
			other, took := load(edition)
			require.NotZero(b, other.FundsChanged)
			changed = append(changed, took)
		}
	}
	median := func(of []time.Duration) float64 {
		slices.Sort(of)
		return of[len(of)/2].Seconds()
	}
	b.ReportMetric(first.Seconds()/median(bare), "x-copy-first")
	b.ReportMetric(median(known)/median(bare), "x-copy-known")
	b.ReportMetric(median(changed)/median(bare), "x-copy-2%-changed")
	b.ReportMetric(median(bare), "copy-s/op")
}

// bareCopy sends the staged rows, encoded beforehand, and rolls back. It says how long the COPY took.
func bareCopy(b *testing.B, l *Loader, doc catalogapi.Document) time.Duration {
	b.Helper()
	r := readWhole(b, l, doc)
	runtime.GC()
	begun := time.Now()
	undo := errors.New("enough")
	err := l.exclusively(b.Context(), reasonFiling, func(ctx context.Context, s *session) error {
		require.NoError(b, s.stage(ctx, r.tables, r.chunks, false))
		return undo
	})
	took := time.Since(begun)
	require.ErrorIs(b, err, undo)
	return took
}

// readWhole reads a document to its end, however many chunks that makes.
func readWhole(tb testing.TB, l *Loader, doc catalogapi.Document) *reader {
	tb.Helper()
	r := readerOf(tb, l.Prepare(tb.Context(), doc, catalogapi.LoadOptions{}))
	var chunks []chunk
	c, err := r.chunks.next()
	for ; err == nil; c, err = r.chunks.next() {
		chunks = append(chunks, c)
	}
	require.Equal(tb, io.EOF, err)
	r.chunks = workAhead(tb.Context(), len(chunks), func(_ context.Context, put func(chunk) error) error {
		for _, c := range chunks {
			if err := put(c); err != nil {
				return err
			}
		}
		return nil
	})
	<-r.Done()
	return r
}

func readerOf(tb testing.TB, p catalogapi.Prepared) *reader {
	tb.Helper()
	switch d := p.(type) {
	case *filingReader:
		return d.reader
	case *noticeReader:
		return d.reader
	case *withdrawalReader:
		return d.reader
	}
	tb.Fatalf("what is a %T?", p)
	return nil
}

// benchDocument is an archive of one month; each edition restates the funds of other filings, 2% of all, and repeats what the
// editions before it say of the rest.
func benchDocument(edition int) catalogapi.Document {
	day := time.Date(2026, 3, 20, 12, 0, 0, 0, time.UTC)
	yes := true
	return catalogapi.Document{
		Name: "bench.zip", Source: catalogapi.SourceADVArchive,
		Filings: each(benchFilings, func(i int) *catalogapi.AdviserFiling {
			key := strconv.Itoa(2_000_000 + i)
			return &catalogapi.AdviserFiling{
				Key: key, FilingID: key, CRD: strconv.Itoa(300_000 + i), Submitted: day,
				Statement: catalogapi.Statement{
					LegalName: fmt.Sprintf("INVENTED FIRM %d LLC", i), SECNumber: catalogapi.Text("801-" + key), Street1: new("1 INVENTED STREET"),
					City: new("BOSTON"), State: new("MA"), Country: new("United States"), PostalCode: new("02110"), Phone: new("617-555-0100"),
					AdvisesFunds: &yes, RAUM: new(int64(i) * 1_000_000), EmployeeCount: new(int64(i % 50)),
				},
				Basis:       catalogapi.Basis{Registration: new(string(catalogapi.Registered))},
				FundsListed: true,
			}
		}),
		Funds: each(benchFilings*benchFundsEach, func(i int) *catalogapi.FundRow {
			gav := int64(i) * 1000
			if last := edition - (edition-i/benchFundsEach%50+50)%50; last > 0 { // the last edition that restated it
				gav += int64(last)
			}
			return &catalogapi.FundRow{
				FilingKey: strconv.Itoa(2_000_000 + i/benchFundsEach), ReferenceID: strconv.Itoa(i), FundID: fmt.Sprintf("805-%010d", i),
				Name: fmt.Sprintf("INVENTED GROWTH FUND %d, L.P.", i), State: "Delaware", Country: "United States", Is3C1: &yes, Is3C7: &yes,
				FundType: "Private Equity Fund", GAV: &gav, Owners: new(int64(57)), PctRelated: new(4.0), PctFunds: new(54.0), AnnualAudit: &yes,
			}
		}),
		Auditors: each(benchFilings*benchFundsEach, func(i int) *catalogapi.AuditorRow {
			return &catalogapi.AuditorRow{FilingKey: strconv.Itoa(2_000_000 + i/benchFundsEach), ReferenceID: strconv.Itoa(i), Name: "INVENTED AUDITORS LLP"}
		}),
	}
}

// each makes the rows before anything is timed: parsing them is not the load's business.
func each[T any](n int, row func(int) T) iter.Seq2[T, error] {
	rows := make([]T, n)
	for i := range rows {
		rows[i] = row(i)
	}
	return itertest.Rows(rows...)
}

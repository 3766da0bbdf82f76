package load

import (
	"fmt"
	"log/slog"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/clock"
	"gpatlas/platform/testkit/dbtest"
)

// benchNotices is about a quarter's notices of Form D; two in three bear the name of a fund of the
// bench's archive.
const benchNotices = 15_000

// BenchmarkLoadFormD sets the wall time of a quarter's notices against the bare COPY of the same rows, encoded beforehand (x-stage): new,
// known, and restated by one in fifty; and tells what a restating archive takes beside them.
func BenchmarkLoadFormD(b *testing.B) {
	db := dbtest.New(b)
	l := New(db, clock.System{}, slog.New(slog.DiscardHandler))
	load := func(doc catalogapi.Document) (catalogapi.LoadResult, time.Duration) {
		begun := time.Now()
		result, err := l.LoadDocument(b.Context(), doc, catalogapi.LoadOptions{RunID: 1})
		require.NoError(b, err)
		return result, time.Since(begun)
	}
	load(benchDocument(0))
	_, alone := load(benchDocument(1))
	result, first := load(benchQuarter(0))
	require.Equal(b, int64(benchNotices/3*2), result.FundsChanged)
	var stage, known, changed, archive time.Duration
	edition := 0
	for b.Loop() {
		stage += bareCopy(b, l, benchQuarter(edition))
		result, took := load(benchQuarter(edition))
		require.False(b, result.Published)
		known += took
		edition++
		result, took = load(benchQuarter(edition))
		require.NotZero(b, result.FilingsChanged)
		changed += took
		_, took = load(benchDocument(edition + 1))
		archive += took
	}
	n := float64(b.N)
	b.ReportMetric(stage.Seconds()/n, "stage-s")
	b.ReportMetric(first.Seconds()/(stage.Seconds()/n), "x-stage-first")
	b.ReportMetric(known.Seconds()/stage.Seconds(), "x-stage-known")
	b.ReportMetric(changed.Seconds()/stage.Seconds(), "x-stage-2%-changed")
	b.ReportMetric(archive.Seconds()/n/alone.Seconds(), "x-archive-without")
}

func benchQuarter(edition int) catalogapi.Document {
	filed := time.Date(2024, 5, 6, 0, 0, 0, 0, time.UTC)
	accession := func(i int) string { return fmt.Sprintf("0009999999-24-%06d", i) }
	return catalogapi.Document{
		Name: "2024q2_d.zip", Source: catalogapi.SourceFormD,
		Offerings: each(benchNotices, func(i int) *catalogapi.OfferingRow {
			sold := int64(i)
			if edition > 0 && i%50 == edition%50 {
				sold += int64(edition)
			}
			return &catalogapi.OfferingRow{
				Accession: accession(i), FileNumber: "021-" + strconv.Itoa(i), Form: "D", Filed: filed, FirstSale: filed, AmountSold: &sold,
				IndustryGroup: "Pooled Investment Fund", FundType: "Private Equity Fund", Exemptions: []string{"06b", "3C", "3C.7"},
			}
		}),
		Issuers: each(benchNotices, func(i int) *catalogapi.IssuerRow {
			name := fmt.Sprintf("Somebody Else %d LLC", i)
			if i%3 < 2 {
				name = fmt.Sprintf("Invented Growth Fund %d LP", i*3)
			}
			return &catalogapi.IssuerRow{Accession: accession(i), Seq: 1, CIK: strconv.Itoa(1_700_000 + i), Name: name, City: "BOSTON", State: "MA"}
		}),
		RelatedPersons: each(benchNotices*3, func(i int) *catalogapi.RelatedPersonRow {
			return &catalogapi.RelatedPersonRow{
				Accession: accession(i / 3), Seq: i%3 + 1, FirstName: "Invented", LastName: "Person " + strconv.Itoa(i),
				City: "Boston", State: "MA", Relationships: []string{"Executive Officer", "Director"},
			}
		}),
	}
}

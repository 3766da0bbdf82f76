package load

import (
	"log/slog"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/clock"
	"gpatlas/platform/testkit/dbtest"
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
		bare += bareCopy(b, l, doc)
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

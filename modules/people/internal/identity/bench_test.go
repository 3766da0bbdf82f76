package identity_test

import (
	"fmt"
	"strconv"
	"testing"

	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/modules/people/internal/testkit/fixture"
	"gpatlas/platform/database"
)

// BenchmarkResolve reads 1,000 advisers with ten filings of eight people each again.
func BenchmarkResolve(b *testing.B) {
	w := fixture.New(b, catalogtest.NewLoader)
	var filings []fixture.Filing
	for year := range 10 {
		for i := range 1_000 {
			f := fixture.Filing{CRD: strconv.Itoa(910_000 + i), On: fmt.Sprintf("%d-03-01", 2014+year)}
			for p := range 8 {
				who := i*12 + p + year/3
				person := fixture.Person{Name: fmt.Sprintf("LARKSPUR%c%c, ADA%c, M", 'A'+who%23, 'A'+who/23%23, 'A'+who/529%23), Title: "PARTNER", Since: "2011-03"}
				if who%3 > 0 {
					person.Number = strconv.Itoa(1_000_000 + who)
				}
				f.Schedule = append(f.Schedule, person)
			}
			filings = append(filings, f)
		}
	}
	w.LoadOnly(b, filings...) // one document, so that the catalog is loaded in bulk
	var rows int64
	for b.Loop() {
		for _, statement := range []string{"DELETE FROM people.progress", "DELETE FROM people.posts"} {
			if _, err := database.Run(b.Context(), w.DB, "begin anew", statement, database.Args{}); err != nil {
				b.Fatal(err)
			}
		}
		r, err := w.People.Resolve(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		rows += r.Rows
	}
	b.ReportMetric(float64(rows)/b.Elapsed().Seconds(), "rows/s")
}

package team_test

import (
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/modules/people/internal/team"
	"gpatlas/modules/people/internal/testkit/fixture"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/chargetest"
	"gpatlas/platform/testkit/httpapitest"
)

// BenchmarkTeam reads pages of teams out of 100,000 people at 5,000 advisers, without the charge.
func BenchmarkTeam(b *testing.B) {
	w := fixture.New(b, catalogtest.NewLoader)
	var filings []fixture.Filing
	for i := range 5_000 {
		f := fixture.Filing{CRD: strconv.Itoa(910_000 + i), On: "2026-03-01"}
		for p := range 20 {
			f.Schedule = append(f.Schedule, fixture.Person{
				Name: fmt.Sprintf("LARKSPUR%c%c%c%c, ADA%c", 'A'+i%17, 'A'+i/17%17, 'A'+i/289, 'A'+p, 'A'+p), Title: "PARTNER", Since: "2011-03",
			})
		}
		filings = append(filings, f)
	}
	w.Load(b, filings...)
	const statement = "SELECT count(DISTINCT person_uid) FROM people.posts WHERE standing = 'team'"
	people, err := database.Values[int](b.Context(), w.DB, "count people", statement, database.Args{})
	if err != nil || people[0] != 100_000 {
		b.Fatalf("%v people, %v", people, err)
	}
	host := httpapitest.NewMetered(b, &chargetest.Meter{CallersOnly: true}, team.Routes(team.NewService(team.NewStore(w.DB), bought{}, w.Clock))...)
	var took []time.Duration
	for n := 0; b.Loop(); n++ {
		begun := time.Now()
		host.Do(b, httpapitest.Scenario{Path: "/v1/gps/" + strconv.Itoa(910_000+n*37%5_000) + "/team", As: ada})
		took = append(took, time.Since(begun))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
}

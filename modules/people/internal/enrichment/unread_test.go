package enrichment_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/people/internal/testkit/fixture"
	"gpatlas/platform/testkit/httpapitest"
)

// No one is enriched while the people of the manager are not read, and the number of people is null, not the earlier one.
func TestEnrichWaitsForPeople(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.LoadOnly(t, fixture.Filed("900101", "2026-03-01", []fixture.Person{{Name: "HOLM, OLE", Title: "PARTNER"}}))
	b.host.Do(t, httpapitest.Scenario{Method: "POST", Path: "/v1/gps/900101/enrich", Body: `{}`, As: ada, Status: 503, Contains: []string{`"code":"people_not_read"`}})
	b.host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900101/enrichment-info", Contains: []string{`"people":null`, `"reason":"Filings of the manager were loaded`}})
	require.Equal(t, "completed", b.enrich(t, test, false, 200).State, "what is invented needs no people")
	_, err := b.People.Resolve(t.Context())
	require.NoError(t, err)
	require.Equal(t, new(5), b.enrich(t, ada, false, 200).Result.People)
}

// The number of people is unknown if no document that was loaded could have named them.
func TestPeopleWereNeverFiled(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Load(t, fixture.Filing{CRD: "900109", On: "2026-03-01", Source: catalogapi.SourceRoster})
	b.Load(t, fixture.Filed("900108", "2026-03-01", nil))
	b.host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900109/enrichment-info", Contains: []string{`"people":null`, `"reason":"No filing of this manager with a Schedule A or B`}})
	b.host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900108/enrichment-info", Contains: []string{`"people":0`, `"reason":null`}})
	enrich := func(crd string, contains ...string) {
		b.host.Do(t, httpapitest.Scenario{Method: "POST", Path: "/v1/gps/" + crd + "/enrich", Body: `{}`, As: ada, Contains: contains})
	}
	enrich("900109", `"people":null,"people_left_out":null,"reason":"No filing of this manager with a Schedule A or B`, `"fields":null,"providers":[]`)
	b.host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900109/enrichment-info", Contains: []string{`"enriched":false,"enriched_at":null,"state":"completed","people":null`}})
	unknown := httpapitest.Scenario{
		Method: "POST", Path: "/v1/gps/900109/enrich", Body: `{}`, As: test,
		Contains: []string{`"state":"completed"`, `"people":null,"people_left_out":null,"reason":"No filing of this manager`, `"fields":null,"providers":[]`},
	}
	id := decoded(t, b.host.Do(t, unknown).Body).JobID
	unknown.Method, unknown.Path, unknown.Body = "GET", "/v1/gps/900109/enrich/status/"+id, ""
	b.host.Do(t, unknown)
	enrich("900108", `"people":0,"people_left_out":0,"reason":null,"fields":{"experience":0`)
	b.host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900108/enrichment-info", Contains: []string{`"enriched":true`, `"people":0`}})
	b.Load(t, fixture.Filed("900109", "2026-04-01", []fixture.Person{{Name: "HOLM, OLE", Title: "PARTNER"}}))
	b.Clock.Move(15 * time.Minute)
	enrich("900109", `"cached":false`, `"people":1`, `"reason":null`)
}

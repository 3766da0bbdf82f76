package dataops_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/platform/audit"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/platform/testkit/itertest"
)

// loadsLock is the advisory lock of the catalog's loads.
const loadsLock = 0x6770_6174_6c61_73

// withCatalog are the operations over three advisers and a fund, corrected by module catalog.
func withCatalog(t *testing.T) *ops {
	t.Helper()
	deps := setup(t)
	var filings []*catalogapi.AdviserFiling
	for i, name := range []string{"Alder Point LLC", "Fenwick LP", "Quill Capital"} {
		key := strconv.Itoa(7001 + i)
		filings = append(filings, &catalogapi.AdviserFiling{
			Key: key, FilingID: key, CRD: key, Submitted: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC),
			Statement:   catalogapi.Statement{LegalName: name, City: new("BOSTON"), State: new("MA"), Country: new("United States")},
			Basis:       catalogapi.Basis{Registration: new(string(catalogapi.Registered))},
			FundsListed: true, File: "base.csv", Line: i + 2,
		})
	}
	doc := catalogapi.Document{
		Name: "adv.zip", Source: catalogapi.SourceADVArchive, Filings: itertest.Rows(filings...),
		Funds: itertest.Rows(&catalogapi.FundRow{FilingKey: "7001", ReferenceID: "1", FundID: "805-0000000011", Name: "Alder I"}),
	}
	_, err := deps.Loader.LoadDocument(t.Context(), doc, catalogapi.LoadOptions{RunID: 1, Reject: func(catalogapi.Rejected) {}})
	require.NoError(t, err)
	return newOps(t, deps, catalogtest.NewOverrider(deps.DB, deps.Clock))
}

func overrideOf(kind, entity, field, value string) string {
	text, _ := json.Marshal(map[string]any{ //nolint:errchkjson // the test's own
		"override_type": kind, "entity_id": entity, "field": field, "value": json.RawMessage(value), "reason": "x",
	})
	return string(text)
}

// The register shows the value that is in force, in the answer and in the list; the original has its JSON type, and is what was shown
// just before.
func TestOverridesShowWhatIsInForce(t *testing.T) {
	t.Parallel()
	o := withCatalog(t)
	for _, c := range []struct{ kind, entity, field, value, kept, original string }{
		{"gp_field", "7001", "website", `" alder.example.com/ "`, `"https://alder.example.com"`, `null`},
		{"gp_field", "7001", "legal_name", `" =1+1"`, `"=1+1"`, `"Alder Point LLC"`},
		{"gp_field", "7001", "primary_strategy", `"hedge "`, `"hedge"`, ``},
		{"gp_field", "7001", "founded_year", `1999`, `1999`, ``},
		{"gp_field", "7002", "website", `null`, `null`, `null`},
		{"fund_status", "805-0000000011", "status", `"closed "`, `"closed"`, `"active"`},
		{"canonical_group", "7003", "", `" 7002"`, `"7002"`, `"7003"`},
		{"canonical_group", "7002", "", `null`, `"alone"`, `"7002"`},
		{"canonical_group", "7001", "", `"alone"`, `"alone"`, `"7001"`},
	} {
		made := o.data(t, "POST", "overrides", overrideOf(c.kind, c.entity, c.field, c.value), 201)
		listed := o.do(t, 1, "GET", "overrides", "", 200)["data"].([]any)[0] //nolint:forcetypeassert // a list
		require.Equal(t, made, listed)
		require.JSONEq(t, c.kept, marshal(t, made["value"]), "%+v", c)
		if c.original != "" {
			require.JSONEq(t, c.original, marshal(t, made["original"]), "%+v", c)
		}
	}
}

func marshal(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	require.NoError(t, err)
	return string(text)
}

// The instants that the register shows are the first that know the override, and the first that no longer know it.
func TestKnownAtCreationAndDeletion(t *testing.T) {
	t.Parallel()
	o := withCatalog(t)
	o.data(t, "POST", "overrides", overrideOf("gp_field", "7001", "legal_name", `"Corrected LLC"`), 201)
	o.host.Do(t, httpapitest.Scenario{Method: "DELETE", Path: below + "overrides/1", As: admin(1), Status: 204})
	shown := o.do(t, 1, "GET", "overrides?active_only=false", "", 200)["data"].([]any)[0].(map[string]any) //nolint:forcetypeassert // a list of objects

	routes, err := catalogtest.Routes(t.Context(), o.deps.DB, clock.System{}) // overrides are known by the clock of the database, on this machine
	require.NoError(t, err)
	catalog := httpapitest.New(t, routes...)
	said := func(at, name string) {
		t.Helper()
		catalog.Do(t, httpapitest.Scenario{Path: "/v1/gps/7001?known_at=" + at, Contains: []string{`"legal_name":"` + name + `"`}})
	}
	for field, names := range map[string][2]string{
		"created_at": {"Alder Point LLC", "Corrected LLC"}, "removed_at": {"Corrected LLC", "Alder Point LLC"},
	} {
		at := shown[field].(string) //nolint:forcetypeassert // a text
		then, err := time.Parse(time.RFC3339Nano, at)
		require.NoError(t, err)
		said(then.Add(-time.Microsecond).Format(time.RFC3339Nano), names[0])
		said(at, names[1])
	}
}

// A value or a reason with a line break or something invisible is refused, and names its field.
func TestOverridesAreOneVisibleLine(t *testing.T) {
	t.Parallel()
	o := withCatalog(t)
	refused := func(body, field string) {
		t.Helper()
		answer := o.do(t, 1, "POST", "overrides", body, 400)
		require.Equal(t, field, answer["errors"].([]any)[0].(map[string]any)["field"], "%s: %v", body, answer) //nolint:forcetypeassert // a list of objects
	}
	for field, values := range map[string][]string{
		"website":          {`"https://a.example.com\r\nX: y"`, `"https://a.example.com other"`, `"\u200bhttps://a.example.com"`, `"a.example.com\n"`, `""`},
		"legal_name":       {`"\u200b=1+1"`, `"\u200b"`, `"\u00a0"`, `"Alder\u202eLLC"`, `"Alder\u2028LLC"`, `"Alder\n"`, `"\u2800"`, `""`},
		"primary_strategy": {`"hedge\n"`, `"hedge\u200b"`, `""`},
	} {
		for _, value := range values {
			refused(overrideOf("gp_field", "7001", field, value), "value")
		}
	}
	refused(overrideOf("fund_status", "805-0000000011", "", `"closed\n"`), "value")
	refused(overrideOf("canonical_group", "7001", "", `"7002\n"`), "value")
	for _, reason := range []string{`"\u200b"`, `"\u2028"`, `"a\nb"`, `"a\u202eb"`, `"\u2800"`, `"\u3164"`} {
		refused(`{"override_type":"gp_field","entity_id":"7001","field":"legal_name","value":"A","reason":`+reason+`}`, "reason")
	}
	require.Equal(t, []int64{0}, ints(t, o.deps.DB, "SELECT count(*) FROM dataops.overrides"))
}

// The record of changes says what was corrected to what and why; of a person it gives no reason, which may have a name in it.
func TestOverridesAreAudited(t *testing.T) {
	t.Parallel()
	deps := setup(t)
	o := newOps(t, deps, newCorrector(t, deps.DB, "gp_field", "person_merge"))
	o.data(t, "POST", "overrides", `{"override_type":"gp_field","entity_id":"7","field":"website","value":"a.example","reason":"moved"}`, 201)
	o.data(t, "POST", "overrides", `{"override_type":"person_merge","entity_id":"per_a","value":"per_b","reason":"Ada Larkspur wrote"}`, 201)
	for _, id := range []string{"1", "2"} {
		o.host.Do(t, httpapitest.Scenario{Method: "DELETE", Path: below + "overrides/" + id, As: admin(1), Status: 204})
	}
	list, err := audit.New(deps.DB, deps.Clock).List(t.Context(), 10)
	require.NoError(t, err)
	require.Len(t, list, 4)
	const firm = `{"type":"gp_field","entity_id":"7","field":"website","value":"a.example","original":{"was":null},"reason":"moved","valid_from":"2026-11-21","active":%t}`
	const person = `{"type":"person_merge","entity_id":"per_a","value":"per_b","original":{"was":null},"valid_from":"2026-11-21","active":%t}`
	require.JSONEq(t, fmt.Sprintf(person, true), string(list[0].Before))
	require.JSONEq(t, fmt.Sprintf(firm, true), string(list[1].Before))
	require.JSONEq(t, fmt.Sprintf(firm, false), string(list[1].After))
	require.JSONEq(t, fmt.Sprintf(person, true), string(list[2].After))
	require.JSONEq(t, fmt.Sprintf(firm, true), string(list[3].After))
}

// holding runs fn while another session has a lock.
func (o *ops) holding(t *testing.T, lock string, fn func()) {
	t.Helper()
	require.NoError(t, o.deps.DB.InTx(t.Context(), func(ctx context.Context) error {
		if _, err := database.Run(ctx, o.deps.DB, "hold a lock", lock, nil); err != nil {
			return err
		}
		fn()
		return nil
	}))
}

// While a load runs, thirty corrections at once leave the connections to others: a read is answered before any of them. Once the load has
// ended, one is made and the others learn of it.
func TestManyOverridesDuringALoad(t *testing.T) {
	t.Parallel()
	o := withCatalog(t)
	const writes = 30
	var wg sync.WaitGroup
	var answered atomic.Int64
	statuses := make([]int, writes)
	o.holding(t, fmt.Sprintf("SELECT pg_advisory_xact_lock(%d)", loadsLock), func() {
		for i := range writes {
			wg.Go(func() {
				body := overrideOf("gp_field", "7001", "legal_name", strconv.Quote(fmt.Sprint("Name ", i)))
				statuses[i] = o.host.Ask(t, httpapitest.Scenario{Method: "POST", Path: below + "overrides", Body: body, As: admin(1)}).Status
				answered.Add(1)
			})
		}
		const waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
		require.Eventually(t, func() bool { return ints(t, o.deps.DB, waiting)[0] > 0 }, time.Minute, time.Millisecond)
		require.Equal(t, []int64{1}, ints(t, o.deps.DB, waiting))
		o.do(t, 1, "GET", "overrides", "", 200)
		require.Zero(t, answered.Load())
	})
	wg.Wait()
	by := map[int]int{}
	for _, status := range statuses {
		by[status]++
	}
	require.Equal(t, map[int]int{http.StatusCreated: 1, http.StatusConflict: writes - 1}, by)
}

// While a load has the catalog or another process has the register, both writes say after five seconds what they wait for.
func TestOverridesDuringALoad(t *testing.T) {
	t.Parallel()
	for name, lock := range map[string]string{
		"catalog": fmt.Sprintf("SELECT pg_advisory_xact_lock(%d)", loadsLock), "register": "LOCK TABLE dataops.overrides IN SHARE ROW EXCLUSIVE MODE",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := withCatalog(t)
			o.data(t, "POST", "overrides", overrideOf("gp_field", "7001", "legal_name", `"A"`), 201)
			o.holding(t, lock, func() {
				for path, body := range map[string]string{"overrides": overrideOf("gp_field", "7002", "legal_name", `"B"`), "overrides/1": ""} {
					method := "POST"
					if body == "" {
						method = "DELETE"
					}
					o.host.Do(t, httpapitest.Scenario{
						Method: method, Path: below + path, Body: body, As: admin(1), Status: 503,
						Contains: []string{"Documents are being loaded; try again when the ingestion has ended"},
					})
				}
			})
			require.Equal(t, []int64{1}, ints(t, o.deps.DB, "SELECT id FROM dataops.overrides WHERE removed_at IS NULL"))
		})
	}
}

package regulatory_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/analytics/internal/regulatory"
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/testkit/clocktest"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/platform/testkit/itertest"
)

const (
	path     = "/v1/gps/900001/regulatory"
	lifetime = 24 * time.Hour
)

// answer is the body, as callers read it.
type answer struct {
	Data regulatory.Events     `json:"data"`
	Meta regulatory.EventsMeta `json:"meta"`
}

func get(t *testing.T, host *httpapitest.Host, address string) answer {
	t.Helper()
	got := host.Do(t, httpapitest.Scenario{Path: address})
	var a answer
	require.NoError(t, json.Unmarshal([]byte(got.Body), &a))
	require.Equal(t, len(a.Data.Events), a.Data.TotalEvents)
	return a
}

func types(events []regulatory.Event) (list []string) {
	for _, e := range events {
		list = append(list, string(e.EventType)+" "+*e.EventDate)
	}
	return list
}

// Guarantee: each matter is listed once over all amendments, the newest first, and the parameters narrow the list.
func TestList(t *testing.T) {
	t.Parallel()
	host := newHost(t, harborRidge(t), clocktest.New(noon))
	all := []string{"regulatory 2023-09-30", "regulatory 2023-02-03", "disciplinary 2021-02-19", "civil 2020-07-01", "criminal 2014-05-06"}
	for query, want := range map[string][]string{
		"":                        all,
		"event_type=all":          all,
		"event_type=regulatory":   all[:2],
		"event_type=disciplinary": all[2:3],
		"event_type=civil":        all[3:4],
		"event_type=criminal":     all[4:],
		"after_date=2021-02-19":   all[:3],
		"after_date=2021-02-20":   all[:2],
		"after_date=2026-11-21":   nil,
		"force_refresh=true":      all,
		"force_refresh=false":     all,
		"event_type=civil&after_date=2014-05-06&force_refresh=true": all[3:4],
	} {
		t.Run(query, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, want, types(get(t, host, path+"?"+query).Data.Events))
		})
	}
}

// Guarantee: what is shown is the newest filing's page with its affiliates; when it was disclosed is the first's date.
func TestEvents(t *testing.T) {
	t.Parallel()
	host := newHost(t, harborRidge(t), clocktest.New(noon))
	a := get(t, host, path)
	require.Equal(t, "900001", a.Data.CRD)
	require.Equal(t, "Harbor Ridge Capital Partners LLC", a.Data.FirmName)
	require.Equal(t, "2026-11-21T12:00:00.000000Z", a.Data.LastChecked)
	require.Empty(t, a.Data.NotItemized)
	require.Equal(t, "form_adv", a.Meta.Source)
	require.Equal(t, "2026-11-22T12:00:00.000000Z", a.Meta.CacheExpires)
	require.InDelta(t, 0.5, a.Meta.Pricing.Cost, 0)
	sec, state, finra, civil, criminal := a.Data.Events[0], a.Data.Events[1], a.Data.Events[2], a.Data.Events[3], a.Data.Events[4]

	against := regulatory.AgainstAffiliate
	require.Equal(t, regulatory.Event{
		EventID: finra.EventID, EventType: "disciplinary", EventDate: new("2021-02-19"),
		Description: "Trade reports had errors in a time stamp.", Resolution: "Acceptance, Waiver & Consent(AWC)",
		DisclosedAt: new("2024-03-28"), Source: "form_adv", Sources: []string{"form_adv"}, ReferenceID: new("11"),
		CaseNumber: new("2020065242701"), FiledAgainst: &against,
		AdvisoryAffiliates: []regulatory.Affiliate{
			{Name: "MOSSGATE SECURITIES, LLC", CRD: new("900009"), Kind: new("Firm")},
			{Name: "BATES, IMRA, K", CRD: new("900019"), Kind: new("Individual")},
		},
		InitiatedBy: new("FINRA"), InitiatorType: new("SRO"), Status: new("Final"), ResolutionDate: new("2021-02-19"),
		Sanctions: []string{"monetary sanction", "censure"}, SanctionDetail: new("Paid in full."), MonetaryAmount: new(int64(5000)),
		Product: new("No Product"), Items: []string{"11.E(3)"}, Summary: new("Settled."),
		AccessionNumber: new("ADV-900001-1003"), FirstAccessionNumber: new("ADV-900001-999"), TimesReported: 3,
	}, finra)

	require.Equal(t, "Order", sec.Resolution, "resolved by the third filing")
	require.Equal(t, "Regulatory action initiated by United States Securities and Exchange Commission, case 3-19999", sec.Description)
	require.Equal(t, int64(250_000), *sec.MonetaryAmount)
	require.Equal(t, regulatory.AgainstFirm, *sec.FiledAgainst)
	require.Empty(t, sec.AdvisoryAffiliates)

	require.Nil(t, state.ReferenceID)
	require.Equal(t, 2, state.TimesReported, "joined by case number, initiator and day")
	require.Equal(t, "Late notice filing.", state.Description)
	require.Equal(t, "2025-03-28", *state.DisclosedAt)
	require.Equal(t, regulatory.AgainstFirm, *state.FiledAgainst)
	require.Empty(t, state.Resolution, "neither resolution nor status is filed")

	require.Equal(t, regulatory.AgainstBoth, *civil.FiledAgainst)
	require.Equal(t, "Pending", civil.Resolution)
	require.Equal(t, "The claim is disputed.", civil.Description)
	require.Equal(t, []regulatory.Affiliate{{Name: "Larkspur, Ada", Kind: new("Individual")}}, civil.AdvisoryAffiliates)
	require.False(t, civil.NoLongerReported)
	require.Nil(t, civil.NoLongerReportedSince)

	require.True(t, criminal.NoLongerReported)
	require.Equal(t, "2026-03-28", *criminal.NoLongerReportedSince)
	require.Equal(t, "ADV-900001-1002", *criminal.AccessionNumber)
	require.Equal(t, 2, criminal.TimesReported)
	require.False(t, *criminal.Felony)
}

func TestScenarios(t *testing.T) {
	t.Parallel()
	newHost(t, harborRidge(t), clocktest.New(noon)).Run(t, []httpapitest.Scenario{
		{
			Name: "the fields in the contract's order", Path: path + "?event_type=criminal",
			Contains: []string{
				`{"data":{"crd":"900001","firm_name":"Harbor Ridge Capital Partners LLC","events":[{"event_id":"`,
				`"event_type":"criminal","event_date":"2014-05-06","description":"One count of conducting business without a local license.",` +
					`"resolution":"Dismissed","disclosed_at":"2024-03-28","source":"form_adv"`,
				`"total_events":1`, `"last_checked":"2026-11-21T12:00:00.000000Z"`, `"pricing":{"cost":0.5,"description":"$0.50 per request"}`,
			},
		},
		{
			Name: "nothing to disclose", Path: "/v1/gps/900002/regulatory",
			Contains: []string{
				`{"data":{"crd":"900002","firm_name":"Kestrel Lane Ventures LLC","events":[],"total_events":0,"not_itemized":[],"last_checked":"2026-11-21T12:00:00.000000Z","stated":true,"reason":null}`,
				`"cache_status":"miss"`, `"unavailable_sources":[]`,
			},
		},
		{Name: "unknown", Path: "/v1/gps/123/regulatory", Status: http.StatusNotFound, WantJSON: `{"detail": "GP with CRD 123 not found"}`},
		{Name: "malformed", Path: "/v1/gps/0123/regulatory", Status: http.StatusBadRequest, Contains: []string{"Invalid crd: must be a CRD number"}},
		{
			Name: "event type", Path: path + "?event_type=arbitration", Status: http.StatusBadRequest,
			Contains: []string{"must be one of disciplinary, regulatory, civil, criminal, all"},
		},
		{Name: "date", Path: path + "?after_date=2026-13-01", Status: http.StatusBadRequest, Contains: []string{"must be a date such as"}},
		{
			Name: "tomorrow", Path: path + "?after_date=2026-11-22", Status: http.StatusBadRequest,
			Contains: []string{"Invalid after_date: must not be in the future; today is 2026-11-21 (UTC)"},
		},
		{Name: "force", Path: path + "?force_refresh=yes", Status: http.StatusBadRequest, Contains: []string{"Invalid force_refresh: must be true or false"}},
		{Name: "unknown parameter", Path: path + "?type=civil", Status: http.StatusBadRequest, Contains: []string{"type"}},
	})
}

// Events are unknown if no complete filing of the manager was loaded, or if the archive of its newest lacks the disclosures of a family.
func TestUnstated(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	only := func(filing string, source catalogapi.Source, silent ...string) catalogapi.Document {
		return catalogapi.Document{Name: filing, Source: source, Disclosures: itertest.Rows[*catalogapi.DisclosureRow](), Filings: itertest.Rows(&catalogapi.AdviserFiling{
			Key: filing, FilingID: filing, CRD: filing[1:], Submitted: day("2026-03-28"), Silent: silent, File: "f", Line: 2,
			Statement: catalogapi.Statement{LegalName: "Kestrel Lane Ventures LLC"}, Basis: catalogapi.Basis{Registration: new(string(catalogapi.Registered))},
		})}
	}
	lacksCivil := catalogapi.OfPart(catalogapi.TableDisclosures, string(catalogapi.DisclosureCivil))
	load(t, db, only("1900005", catalogapi.SourceRoster), only("1900006", catalogapi.SourceADVArchive),
		only("1900007", catalogapi.SourceADVArchive, lacksCivil),
		only("1900008", catalogapi.SourceADVArchive), only("2900008", catalogapi.SourceADVArchive, lacksCivil), // the older one says nothing about today
		only("1900009", catalogapi.SourceADVArchive, lacksCivil), only("2900009", catalogapi.SourceADVArchive))
	host := newHost(t, db, clocktest.New(noon))
	for crd, stated := range map[string]bool{"900005": false, "900006": true, "900007": false, "900008": false, "900009": true} {
		for range 2 { // asked now, and cached
			a := get(t, host, "/v1/gps/"+crd+"/regulatory")
			require.Equal(t, stated, a.Data.Stated, crd)
			require.Equal(t, stated, a.Data.Reason == nil, crd)
			require.Equal(t, map[bool]string{true: "form_adv", false: ""}[stated], a.Meta.Source, crd)
			require.Empty(t, a.Data.Events, crd)
		}
	}
}

// Guarantee: the price, the contract's address and who may call are declared; an answer without events is free.
func TestPrice(t *testing.T) {
	t.Parallel()
	service := regulatory.NewService(regulatory.NewStore(nil), []regulatory.Provider{&source{name: "form_adv"}}, clocktest.New(noon), nil)
	routes := regulatory.Routes(service)
	require.Len(t, routes, 1)
	require.Equal(t, int64(500_000), routes[0].ChargeMicros)
	require.Equal(t, "request", routes[0].Per)
	require.Equal(t, httpapi.Public, routes[0].Access)
	require.Equal(t, []string{"History and analytics"}, routes[0].Operation.Tags)
}

func TestWithoutDatabase(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	host := newHost(t, db, clocktest.New(noon))
	db.Close()
	host.Do(t, httpapitest.Scenario{Path: path, Status: http.StatusServiceUnavailable, Contains: []string{"The database is unavailable"}})
}

// Guarantee: within the day a caller who has the answer gets a 304; a forced one is always new.
func TestEntityTag(t *testing.T) {
	t.Parallel()
	clk := clocktest.New(noon)
	host := newHost(t, harborRidge(t), clk)
	host.Do(t, httpapitest.Scenario{Path: path, Contains: []string{`"cache_status":"miss"`}})
	clk.Move(1)
	tag := host.Do(t, httpapitest.Scenario{Path: path, Contains: []string{`"cache_status":"hit"`}}).Header.Get("ETag")
	require.NotEmpty(t, tag)
	clk.Move(lifetime / 2)
	again := map[string]string{"If-None-Match": tag}
	host.Do(t, httpapitest.Scenario{Path: path, Header: again, Status: http.StatusNotModified})
	host.Do(t, httpapitest.Scenario{Path: path + "?force_refresh=true", Header: again, Contains: []string{`"cache_status":"bypass"`}})
}

package diff_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/analytics/internal/diff"
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
	"gpatlas/platform/testkit/chargetest"
	"gpatlas/platform/testkit/httpapitest"
)

var noon = clock.Fixed(time.Date(2026, time.November, 21, 12, 0, 0, 0, time.UTC))

func filed(accession, form, on string) catalogapi.FilingRef {
	day, err := time.Parse(time.DateOnly, on)
	if err != nil {
		panic(err)
	}
	return catalogapi.FilingRef{Accession: accession, FormType: form, FiledOn: day}
}

// harborRidge is one adviser at two points: as of mid-2025 and after its newest filing, which is the state of today.
func harborRidge() *catalogtest.History {
	fund := func(id, name, status string, gav int64, exemptions ...string) catalogapi.FundRecord {
		return catalogapi.FundRecord{FundID: id, Name: name, Status: status, Fields: []catalogapi.Field{
			{Name: "name", Value: name},
			{Name: "gross_asset_value", Value: gav},
			{Name: "exemptions", Value: exemptions},
			{Name: "status", Value: status},
		}}
	}
	before := catalogapi.Record{
		Filing: filed("ADV-900001-1001", "ADV", "2025-03-28"),
		Fields: []catalogapi.Field{
			{Name: "legal_name", Value: "Harbor Ridge Partners LLC"},
			{Name: "city", Value: nil},
			{Name: "total_aum", Value: int64(1_000_000_000)},
			{Name: "private_residence", Value: false},
		},
		Funds: []catalogapi.FundRecord{
			fund("805-0000000010", "Harbor Ridge I", "active", 400_000_000), fund("805-0000000011", "Harbor Ridge II", "active", 500_000_000, "506c", "506b"),
			fund("805-0000000013", "Harbor Ridge Side Fund", "liquidating", 1_000_000), fund("805-0000000014", "Harbor Ridge Old Fund", "closed", 7),
		},
	}
	after := catalogapi.Record{
		Filing: filed("ADV-900001-2001", "ADV/A", "2026-03-28"),
		Fields: []catalogapi.Field{
			{Name: "legal_name", Value: "Harbor Ridge Capital Partners LLC"},
			{Name: "city", Value: "Boston"},
			{Name: "total_aum", Value: int64(2_500_000_000)},
			{Name: "private_residence", Value: false},
		},
		Funds: []catalogapi.FundRecord{
			fund("805-0000000010", "Harbor Ridge I", "closed", 400_000_000), fund("805-0000000011", "Harbor Ridge II", "active", 850_000_000, "506b", "506c"),
			fund("805-0000000012", "Harbor Ridge III", "active", 300_000_000), fund("805-0000000014", "Harbor Ridge Old Fund", "active", 7),
		},
	}
	timeline := []catalogapi.AdviserState{{Filing: before.Filing}, {Filing: after.Filing, City: "Boston"}}
	return &catalogtest.History{Timelines: map[string][]catalogapi.AdviserState{"900001": timeline}, Records: map[string]map[string]catalogapi.Record{"900001": {
		"2025-06-30": before, "ADV-900001-1001": before, "0001-01-01": after, "2026-11-21": after, "ADV-900001-2001": after,
	}}}
}

const changed = `{"adviser": [
		{"field": "legal_name", "before": "Harbor Ridge Partners LLC", "after": "Harbor Ridge Capital Partners LLC"},
		{"field": "city", "before": null, "after": "Boston"},
		{"field": "total_aum", "before": 1000000000, "after": 2500000000}],
	"funds_added": [
		{"fund_id": "805-0000000012", "name": "Harbor Ridge III", "gross_asset_value": 300000000},
		{"fund_id": "805-0000000014", "name": "Harbor Ridge Old Fund", "gross_asset_value": 7}],
	"funds_removed": [
		{"fund_id": "805-0000000010", "name": "Harbor Ridge I", "gross_asset_value": 400000000, "status": "closed"},
		{"fund_id": "805-0000000013", "name": "Harbor Ridge Side Fund", "gross_asset_value": 1000000, "status": null}],
	"funds_changed": [
		{"fund_id": "805-0000000011", "name": "Harbor Ridge II", "changes": [{"field": "gross_asset_value", "before": 500000000, "after": 850000000}]}]}`

const (
	filing1 = `"filing": {"accession_number": "ADV-900001-1001", "filing_type": "ADV", "filing_date": "2025-03-28"}`
	filing2 = `"filing": {"accession_number": "ADV-900001-2001", "filing_type": "ADV/A", "filing_date": "2026-03-28"}`
	pricing = `"pricing": {"cost": 0.25, "description": "$0.25 per request"}`
	nothing = `{"adviser": [], "funds_added": [], "funds_removed": [], "funds_changed": []}`
)

func TestDiff(t *testing.T) {
	t.Parallel()
	host := httpapitest.New(t, diff.Routes(diff.NewService(harborRidge(), noon))...)
	host.Run(t, []httpapitest.Scenario{
		{
			Name: "two days", Path: "/v1/gps/900001/diff?from=2025-06-30&to=2026-11-21",
			WantJSON: `{"data": ` + changed + `, "meta": {"crd": "900001", "from": {"date": "2025-06-30", ` + filing1 + `},
				"to": {"date": "2026-11-21", ` + filing2 + `}, ` + pricing + `}}`,
		},
		{
			Name: "until now", Path: "/v1/gps/900001/diff?from=2025-06-30",
			WantJSON: `{"data": ` + changed + `, "meta": {"crd": "900001", "from": {"date": "2025-06-30", ` + filing1 + `},
				"to": {"date": "2026-11-21", ` + filing2 + `}, ` + pricing + `}}`,
		},
		{
			Name: "two filings", Path: "/v1/gps/900001/diff?from=ADV-900001-1001&to=ADV-900001-2001",
			WantJSON: `{"data": ` + changed + `, "meta": {"crd": "900001", "from": {"accession_number": "ADV-900001-1001", ` + filing1 + `},
				"to": {"accession_number": "ADV-900001-2001", ` + filing2 + `}, ` + pricing + `}}`,
		},
		{
			Name: "a filing and a day", Path: "/v1/gps/900001/diff?from=ADV-900001-1001&to=2025-06-30",
			WantJSON: `{"data": ` + nothing + `, "meta": {"crd": "900001", "from": {"accession_number": "ADV-900001-1001", ` + filing1 + `},
				"to": {"date": "2025-06-30", ` + filing1 + `}, ` + pricing + `}}`,
		},
		{
			Name: "backwards", Path: "/v1/gps/900001/diff?from=ADV-900001-2001&to=ADV-900001-1001",
			Contains: []string{`"before":2500000000,"after":1000000000}],"funds_added":[{"fund_id":"805-0000000010"`},
		},
		{Name: "nobody", Path: "/v1/gps/999999/diff?from=2025-06-30", Status: http.StatusNotFound, Contains: []string{"GP with CRD 999999 not found"}},
		{Name: "no such filing", Path: "/v1/gps/900001/diff?from=ADV-900001-7", Status: http.StatusNotFound, Contains: []string{`"detail":`}},
		{Name: "no such later filing", Path: "/v1/gps/900001/diff?from=2025-06-30&to=0001234567-25-000001", Status: http.StatusNotFound, Contains: []string{`"detail":`}},
	})
}

// An office whose country, state and city come and go: what is stated later is compared with what was stated last.
func TestPlaces(t *testing.T) {
	t.Parallel()
	office := func(accession, on, city, state, country, code string) (catalogapi.AdviserState, catalogapi.Record) {
		value := func(s string) any {
			if s == "" {
				return nil
			}
			return s
		}
		ref := filed(accession, "ADV/A", on)
		return catalogapi.AdviserState{Filing: ref, City: city, State: state, Country: country},
			catalogapi.Record{Filing: ref, Fields: []catalogapi.Field{
				{Name: "city", Value: value(city)},
				{Name: "state", Value: value(state)},
				{Name: "country", Value: value(country)},
				{Name: "country_code", Value: value(code)},
			}}
	}
	h := &catalogtest.History{Timelines: map[string][]catalogapi.AdviserState{}, Records: map[string]map[string]catalogapi.Record{"900003": {}}}
	for _, o := range [][6]string{
		{"ADV-900003-1", "2022-03-28", "Boston", "MA", "United States", "US"},
		{"ADV-900003-2", "2023-03-28", "London", "", "", ""},
		{"ADV-900003-3", "2024-03-28", "London", "", "United Kingdom", "GB"},
		{"ADV-900003-4", "2025-03-28", "Boston", "MA", "United States", "US"},
		{"ADV-900003-5", "2026-03-28", "Boston", "", "", ""},
		{"ADV-900003-6", "2026-04-28", "Boston", "MA", "United States", "US"},
	} {
		s, r := office(o[0], o[1], o[2], o[3], o[4], o[5])
		h.Timelines["900003"] = append(h.Timelines["900003"], s)
		h.Records["900003"][o[0]] = r
	}
	host := httpapitest.New(t, diff.Routes(diff.NewService(h, noon))...)
	for name, c := range map[string]struct{ points, adviser string }{
		"what is omitted is no change":        {"from=ADV-900003-1&to=ADV-900003-2", `{"field":"city","before":"Boston","after":"London"}`},
		"the last stated country is compared": {"from=ADV-900003-2&to=ADV-900003-3", `{"field":"country","before":"United States","after":"United Kingdom"},{"field":"country_code","before":null,"after":"GB"}`},
		"omitted and stated again":            {"from=ADV-900003-5&to=ADV-900003-6", ``},
		"omitted where it was stated":         {"from=ADV-900003-4&to=ADV-900003-5", ``},
		"it is back where it was stated last": {"from=ADV-900003-2&to=ADV-900003-4", `{"field":"city","before":"London","after":"Boston"}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900003/diff?" + c.points, Contains: []string{`"adviser":[` + c.adviser + `]`}})
		})
	}
}

func TestBadInput(t *testing.T) {
	t.Parallel()
	host := httpapitest.New(t, diff.Routes(diff.NewService(harborRidge(), noon))...)
	const forms = "must be a date such as 2025-06-30, or an accession number such as ADV-900001-2001"
	for query, want := range map[string]string{
		"900001/diff":                                  "Invalid from: is required",
		"900001/diff?from=":                            "must not be empty",
		"900001/diff?from=yesterday":                   "Invalid from: " + forms,
		"900001/diff?from=2025-06-31":                  "Invalid from: " + forms,
		"900001/diff?from=0001-01-01":                  "Invalid from: must not be 0001-01-01",
		"900001/diff?from=2025-06-30&to=0001-01-01":    "Invalid to: must not be 0001-01-01",
		"900001/diff?from=20250630":                    "Invalid from: " + forms,
		"900001/diff?from=ADV-900001-x":                "Invalid from: " + forms,
		"900001/diff?from=2025-06-30&to=tomorrow":      "Invalid to: " + forms,
		"900001/diff?from=2025-06-30&to=2025-02-29":    "Invalid to: " + forms,
		"900001/diff?from=2026-11-22":                  "Invalid from: must not be in the future; today is 2026-11-21 (UTC)",
		"900001/diff?from=2025-06-30&to=2026-11-22":    "Invalid to: must not be in the future; today is 2026-11-21 (UTC)",
		"900001/diff?from=2025-06-30&to=2025-06-29":    "Invalid from: must not be later than to (2025-06-30 > 2025-06-29)",
		"900001/diff?from=2025-06-30&until=2025-07-01": "unknown parameter",
		"900001/diff?form=2025-06-30":                  `did you mean \"from\"?`,
		"0900001/diff?from=2025-06-30":                 "a CRD number: 1 to 10 digits without leading zeros",
	} {
		t.Run(query, func(t *testing.T) {
			t.Parallel()
			host.Do(t, httpapitest.Scenario{Path: "/v1/gps/" + query, Status: http.StatusBadRequest, Contains: []string{want}})
		})
	}
	t.Run("all at once", func(t *testing.T) {
		t.Parallel()
		host.Do(t, httpapitest.Scenario{
			Path: "/v1/gps/900001/diff?from=2025-06-30&to=2025-06-29&x=1", Status: http.StatusBadRequest,
			Contains: []string{`"field":"x"`, "must not be later than to"},
		})
	})
}

func TestDatabaseAway(t *testing.T) {
	t.Parallel()
	away := &catalogtest.History{Err: apperr.Unavailable("The database is away")}
	host := httpapitest.New(t, diff.Routes(diff.NewService(away, noon))...)
	host.Do(t, httpapitest.Scenario{
		Path: "/v1/gps/900001/diff?from=2025-06-30", Status: http.StatusServiceUnavailable, Contains: []string{"The database is away"},
	})
}

// An answer without changes is not charged.
func TestCharges(t *testing.T) {
	t.Parallel()
	meter := &chargetest.Meter{}
	host := httpapitest.NewMetered(t, meter, diff.Routes(diff.NewService(harborRidge(), noon))...)
	host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900001/diff?from=2025-06-30", WantHeader: map[string]string{"X-Charge": "0.25"}})
	require.Len(t, meter.Charged(), 1)
	host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900001/diff?from=2025-06-30&to=2025-06-30"})
	require.Len(t, meter.Charged(), 1)
}

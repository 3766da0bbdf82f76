package change_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/analytics/internal/change"
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/platform/apperr"
	"gpatlas/platform/testkit/chargetest"
	"gpatlas/platform/testkit/httpapitest"
)

// newHost hosts the operation over an adviser of four filings. The fake notes what it is asked, so each test has its own.
func newHost(t *testing.T, err error) (*httpapitest.Host, *chargetest.Meter) {
	t.Helper()
	h := &catalogtest.History{Err: err, Timelines: map[string][]catalogapi.AdviserState{
		"900001": {
			state("ADV-900001-1001", "2023-03-28", func(s *catalogapi.AdviserState) { s.EmployeeCount = nil }),
			state("ADV-900001-1002", "2024-03-28", city("Providence")),
			state("ADV-900001-1003", "2025-03-28", city("Providence")),
			state("ADV-900001-1004", "2026-03-28", aum(2_500_000_000)),
		},
		"900002": {state("ADV-900002-2001", "2026-06-15", nil)},
	}}
	meter := &chargetest.Meter{}
	return httpapitest.NewMetered(t, meter, change.Routes(change.NewService(h))...), meter
}

func TestList(t *testing.T) {
	t.Parallel()
	const newest = `{"filing_date": "2026-03-28", "accession_number": "ADV-900001-1004", "filing_type": "ADV/A", "fields_changed": [
		{"field": "total_aum", "before": 2000000000, "after": 2500000000, "change_amount": 500000000, "change_percent": 25},
		{"field": "city", "before": "Providence", "after": "Boston", "change_amount": null, "change_percent": null}]}`
	const oldest = `{"filing_date": "2024-03-28", "accession_number": "ADV-900001-1002", "filing_type": "ADV/A", "fields_changed": [
		{"field": "employee_count", "before": null, "after": 40, "change_amount": null, "change_percent": null},
		{"field": "city", "before": "Boston", "after": "Providence", "change_amount": null, "change_percent": null}]}`
	const pricing = `"pricing": {"cost": 0.25, "description": "$0.25 per request"}`
	for _, s := range []httpapitest.Scenario{
		{Name: "all", Path: "/v1/gps/900001/changes", WantJSON: `{"data": [` + newest + `,` + oldest + `], "meta": {"total": 2, "crd": "900001", ` + pricing + `}}`},
		{Name: "limit", Path: "/v1/gps/900001/changes?limit=1", WantJSON: `{"data": [` + newest + `], "meta": {"total": 2, "crd": "900001", ` + pricing + `}}`},
		{Name: "largest limit", Path: "/v1/gps/900001/changes?limit=100", Contains: []string{`"total":2`}},
		{Name: "no change", Path: "/v1/gps/900002/changes", WantJSON: `{"data": [], "meta": {"total": 0, "crd": "900002", ` + pricing + `}}`},
		{Name: "unknown", Path: "/v1/gps/123/changes", Status: http.StatusNotFound, WantJSON: `{"detail": "GP with CRD 123 not found"}`},
		{Name: "malformed", Path: "/v1/gps/0123/changes", Status: http.StatusBadRequest, Contains: []string{"Invalid crd: must be a CRD number"}},
		{Name: "no limit", Path: "/v1/gps/900001/changes?limit=0", Status: http.StatusBadRequest, Contains: []string{"Invalid limit"}},
		{Name: "limit too large", Path: "/v1/gps/900001/changes?limit=101", Status: http.StatusBadRequest, Contains: []string{"Invalid limit"}},
		{Name: "limit of letters", Path: "/v1/gps/900001/changes?limit=x", Status: http.StatusBadRequest, Contains: []string{"Invalid limit"}},
		{Name: "unknown parameter", Path: "/v1/gps/900001/changes?limt=5", Status: http.StatusBadRequest, Contains: []string{`did you mean \"limit\"?`}},
	} {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			host, _ := newHost(t, nil)
			host.Do(t, s)
		})
	}
}

func TestWithoutDatabase(t *testing.T) {
	t.Parallel()
	host, _ := newHost(t, apperr.Unavailable("The database is unavailable; try again"))
	host.Do(t, httpapitest.Scenario{
		Path: "/v1/gps/900001/changes", Status: http.StatusServiceUnavailable, Contains: []string{"The database is unavailable"},
	})
}

// An answer without a change costs nothing.
func TestCharges(t *testing.T) {
	t.Parallel()
	host, meter := newHost(t, nil)
	host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900002/changes", WantHeader: map[string]string{"X-Charge": "0.00"}})
	require.Empty(t, meter.Charged())
	host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900001/changes", WantHeader: map[string]string{"X-Charge": "0.25"}})
	require.Len(t, meter.Charged(), 1)
	require.Equal(t, int64(250_000), meter.Charged()[0].Micros())
}

package metric_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/analytics/internal/metric"
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/charge"
	"gpatlas/platform/testkit/chargetest"
	"gpatlas/platform/testkit/httpapitest"
)

// newHost hosts the operation over an adviser of four filings and one of a single withdrawal. The fake notes what it is
// asked, so each test has its own.
func newHost(t *testing.T, err error) (*httpapitest.Host, *catalogtest.History, *chargetest.Meter) {
	t.Helper()
	timeline := []catalogapi.AdviserState{
		as(state("ADV-900001-1001", "2023-03-30", 1_250_000_000, 30), func(s *catalogapi.AdviserState) { s.Filing.FormType = "ADV" }),
		as(state("ROSTER-900001-20240329", "2024-03-29", 1_700_000_000, 40), func(s *catalogapi.AdviserState) { s.Filing.Source = catalogapi.SourceRoster }),
		state("ADV-900001-1003", "2025-03-28", 2_000_000_000, 46),
		state("ADV-900001-1004", "2026-03-28", 2_500_000_000, 48),
	}
	timeline[3].FundCount = new(int64(3))
	withdrawn := as(state("ADVW-900002-3001", "2026-07-02", -1, -1), withdraws)
	withdrawn.CRD, withdrawn.LegalName = "900002", "Larkspur Ventures LLC"
	sold := fund(2020, 200_000_000, "2020-03-28")
	sold.VintageQuality = catalogapi.VintageFormD
	h := &catalogtest.History{
		Err:       err,
		Timelines: map[string][]catalogapi.AdviserState{"900001": timeline, "900002": {withdrawn}},
		Standings: map[string]catalogapi.AdviserWithFunds{
			"900001": {AdviserState: timeline[3], Funds: []catalogapi.FundState{
				sold, fund(2021, 400_000_000, "2021-03-28"), fund(2022, 300_000_000, "2022-03-28"),
			}},
			"900002": {AdviserState: withdrawn},
		},
	}
	meter := &chargetest.Meter{}
	return httpapitest.NewMetered(t, meter, metric.Routes(metric.NewService(h, today))...), h, meter
}

func TestGet(t *testing.T) {
	t.Parallel()
	const gp = `"gp": {"crd": "900001", "legal_name": "Harbor Ridge Capital Partners LLC", "total_aum": 2500000000, "employee_count": 48}`
	const metrics = `"metrics": {
		"aum_growth": {"yoy_percent": 25, "yoy_reason": null, "yoy_from": "2025-03-28", "yoy_to": "2026-03-28",
			"cagr_3y_percent": 26.02, "cagr_reason": null, "cagr_from": "2023-03-30", "cagr_to": "2026-03-28"},
		"fund_metrics": {"fund_count": 3, "avg_fund_size_usd": 300000000, "avg_fund_size_trend_percent": 50,
			"avg_fund_size_trend_age_years": 1, "avg_fund_size_trend_reason": null, "fund_launch_cadence_months": 11.99, "fund_launch_cadence_reason": null, "first_vintage": 2020, "latest_vintage": 2022},
		"employee_growth": {"yoy_percent": 4.35, "yoy_reason": null, "yoy_from": "2025-03-28", "yoy_to": "2026-03-28"}}`
	const meta = `"calculated_at": "2026-11-21T09:00:00.000000Z", "data_sources": ["Form ADV archive", "Form D", "SEC adviser roster"],
		"basis": {
			"latest": {"accession_number": "ADV-900001-1004", "filing_type": "ADV/A", "filing_date": "2026-03-28",
				"registration_status": "registered", "total_aum": 2500000000, "employee_count": 48},
			"year_before": {"accession_number": "ADV-900001-1003", "filing_type": "ADV/A", "filing_date": "2025-03-28",
				"registration_status": "registered", "total_aum": 2000000000, "employee_count": 46},
			"three_years_before": {"accession_number": "ADV-900001-1001", "filing_type": "ADV", "filing_date": "2023-03-30",
				"registration_status": "registered", "total_aum": 1250000000, "employee_count": 30}},
		"pricing": {"cost": 0.15, "description": "$0.15 per request"}`
	for _, s := range []httpapitest.Scenario{
		{
			Name: "now", Path: "/v1/gps/900001/metrics", WantJSON: `{` + gp + `,` + metrics + `, "meta": {` + meta + `}}`,
			WantHeader: map[string]string{"ETag": "", "Cache-Control": "no-store"},
		},
		{
			Name: "as of a day", Path: "/v1/gps/900001/metrics?as_of=2026-06-30&known_at=2026-07-02T06:00:00.684338Z",
			WantJSON: `{` + gp + `,` + metrics + `, "meta": {` + meta + `, "as_of": "2026-06-30", "known_at": "2026-07-02T06:00:00.684338Z"}}`,
		},
		{
			Name: "nothing known", Path: "/v1/gps/900002/metrics", WantJSON: `{
				"gp": {"crd": "900002", "legal_name": "Larkspur Ventures LLC", "total_aum": null, "employee_count": null},
				"metrics": {"aum_growth": {"yoy_percent": null, "yoy_reason": "no_filing", "yoy_from": null, "yoy_to": null,
						"cagr_3y_percent": null, "cagr_reason": "no_filing", "cagr_from": null, "cagr_to": null},
					"fund_metrics": {"fund_count": null, "avg_fund_size_usd": null, "avg_fund_size_trend_percent": null,
						"avg_fund_size_trend_age_years": null, "avg_fund_size_trend_reason": "too_few_vintages", "fund_launch_cadence_months": null, "fund_launch_cadence_reason": "too_few_funds", "first_vintage": null, "latest_vintage": null},
					"employee_growth": {"yoy_percent": null, "yoy_reason": "no_filing", "yoy_from": null, "yoy_to": null}},
				"meta": {"calculated_at": "2026-11-21T09:00:00.000000Z", "data_sources": [],
					"basis": {"latest": null, "year_before": null, "three_years_before": null},
					"pricing": {"cost": 0.15, "description": "$0.15 per request"}}}`,
		},
		{Name: "unknown", Path: "/v1/gps/123/metrics", Status: http.StatusNotFound, WantJSON: `{"detail": "GP with CRD 123 not found"}`},
		{Name: "malformed", Path: "/v1/gps/0123/metrics", Status: http.StatusBadRequest, Contains: []string{"Invalid crd: must be a CRD number"}},
		{
			Name: "the future", Path: "/v1/gps/900001/metrics?as_of=2026-11-22&known_at=2026-11-22", Status: http.StatusBadRequest,
			Contains: []string{"Invalid as_of: must not be in the future; today is 2026-11-21 (UTC)", `"field":"known_at"`},
		},
		{Name: "today", Path: "/v1/gps/900001/metrics?as_of=2026-11-21", Contains: []string{`"as_of":"2026-11-21"`}},
		{Name: "no day", Path: "/v1/gps/900001/metrics?as_of=x", Status: http.StatusBadRequest, Contains: []string{"Invalid as_of"}},
		{Name: "unknown parameter", Path: "/v1/gps/900001/metrics?asof=2026-01-01", Status: http.StatusBadRequest, Contains: []string{`did you mean \"as_of\"?`}},
	} {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			host, _, _ := newHost(t, nil)
			host.Do(t, s)
		})
	}
}

// The history is asked once, for the moment that was asked for.
func TestMoment(t *testing.T) {
	t.Parallel()
	host, h, _ := newHost(t, nil)
	host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900001/metrics?as_of=2026-06-30&known_at=2026-07-02T06:00:00Z"})
	at := catalogapi.Moment{Day: day("2026-06-30"), Known: day("2026-07-02").Add(6 * 3600 * 1e9)}
	require.Equal(t, []catalogapi.Moment{at}, h.Asked)
}

func TestWithoutDatabase(t *testing.T) {
	t.Parallel()
	host, _, _ := newHost(t, apperr.Unavailable("The database is unavailable; try again"))
	host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900001/metrics", Status: http.StatusServiceUnavailable, Contains: []string{"The database is unavailable"}})
}

// An answer without a single figure costs nothing, even if the number of funds is known: the manager's detail shows it for free.
func TestCharges(t *testing.T) {
	t.Parallel()
	host, h, meter := newHost(t, nil)
	counted := h.Standings["900002"]
	counted.FundCount = new(int64(0))
	h.Standings["900002"] = counted
	host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900002/metrics", WantHeader: map[string]string{"X-Charge": "0.00"}})
	require.Empty(t, meter.Charged())
	host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900001/metrics", WantHeader: map[string]string{"X-Charge": "0.15"}})
	require.Len(t, meter.Charged(), 1)
	require.Equal(t, int64(150_000), meter.Charged()[0].Micros())
}

// With a meter that bills: each request is charged again up to the spending cap, and beyond it nothing is sold. Once the meter
// knows of the reached cap, no work is done either.
func TestBilling(t *testing.T) {
	t.Parallel()
	host, history, meter := newHost(t, nil)
	meter.CallersOnly = true
	account := meter.Account()
	meter.SetCap(account, new(int64(300_000)))
	ask := func(caller *auth.Principal, status int, cost string) {
		host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900001/metrics", As: caller, Status: status, WantHeader: map[string]string{"X-Charge": cost}})
	}
	live := &auth.Principal{Kind: auth.Key, UserID: account, Mode: "live"}
	ask(nil, http.StatusUnauthorized, "0.00")
	ask(live, http.StatusOK, "0.15")
	ask(live, http.StatusOK, "0.15")
	ask(live, http.StatusPaymentRequired, "0.00")
	asked := len(history.Asked)
	meter.Advance(charge.MaxStateAge)
	ask(live, http.StatusPaymentRequired, "0.00")
	require.Len(t, history.Asked, asked)
	ask(&auth.Principal{Kind: auth.Key, UserID: account, Mode: "test"}, http.StatusOK, "0.00")
	require.EqualValues(t, 300_000, meter.Spent(account))
	require.Empty(t, meter.Charged()[0].Units)
	require.Empty(t, meter.Charged()[0].Product, "a fee for one answer")
}

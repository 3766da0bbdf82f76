package filing_test

import (
	"net/http"
	"regexp"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/internal/filing"
	"gpatlas/modules/catalog/internal/testkit/fixture"
	"gpatlas/platform/testkit/httpapitest"
)

func newHost(t *testing.T) (*httpapitest.Host, *fixture.Catalog) {
	t.Helper()
	c := fixture.New(t)
	c.Withdraw(t, "900001", "2026-07-02")
	err := c.DB.Conn(t.Context(), func(conn *pgx.Conn) error {
		_, err := conn.Exec(t.Context(), `INSERT INTO catalog.filings
			(accession, crd, source, form_type, amendment_type, filing_date, submitted_at, funds_listed, document, run_id)
			VALUES ('D-2', '900001', 'adv_archive', 'D/A', 'material', '2021-01-01', '2021-01-01 00:00:00Z', false, 'd', 9),
			-- the feed has the newest amendment too, and the list of funds the day of the roster: each filing is listed once
			('FEED-900001-2001', '900001', 'iapd_feed', 'ADV/A', 'annual', (SELECT filing_date FROM catalog.filings WHERE accession = 'ADV-900001-2001'), '2026-03-28 00:00:00Z', false, 'feed', 9),
			('FUNDS-900001-20260701', '900001', 'fund_list', 'ADV/A', 'material', '2026-07-01', '2026-07-01 00:00:00Z', true, 'funds', 9)`)
		return err
	})
	require.NoError(t, err)
	return httpapitest.New(t, filing.Routes(filing.NewService(c.DB, c.Index, c.Clock))...), c
}

func TestList(t *testing.T) {
	t.Parallel()
	host, _ := newHost(t)
	accession := regexp.MustCompile(`"accession_number":"([^"]+)"`)
	for query, want := range map[string][]string{
		"":                            {"ADVW-900001-3001", "ROSTER-900001-20260701", "ADV-900001-2001", "D-2", "0009999999-20-000011", "ADV-900001-1001"},
		"form_type=D":                 {"0009999999-20-000011"},
		"form_type=D/A":               {"D-2"},
		"form_type=D%2FA":             {"D-2"},
		"form_type=ADV":               {"ADV-900001-1001"},
		"form_type=ADV-W":             {"ADVW-900001-3001"},
		"form_type=ADV/A":             {"ROSTER-900001-20260701", "ADV-900001-2001"},
		"year=2026":                   {"ADVW-900001-3001", "ROSTER-900001-20260701", "ADV-900001-2001"},
		"year=2020":                   {"0009999999-20-000011"},
		"year=2021":                   {"D-2"},
		"year=2018":                   nil,
		"year=2026&form_type=ADV/A":   {"ROSTER-900001-20260701", "ADV-900001-2001"},
		"page=2&per_page=2":           {"ADV-900001-2001", "D-2"},
		"limit=1&offset=5":            {"ADV-900001-1001"},
		"offset=6":                    nil,
		"year=2026&page=2&per_page=2": {"ADV-900001-2001"},
	} {
		t.Run(query, func(t *testing.T) {
			t.Parallel()
			got := host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900001/filings?" + query})
			var list []string
			for _, m := range accession.FindAllStringSubmatch(got.Body, -1) {
				list = append(list, m[1])
			}
			require.Equal(t, want, list)
		})
	}
}

func TestListAnswer(t *testing.T) {
	t.Parallel()
	host, _ := newHost(t)
	host.Run(t, []httpapitest.Scenario{
		{
			Name: "one filing", Path: "/v1/gps/900001/filings?form_type=ADV&year=2019",
			Contains: []string{
				`{"data":[{"accession_number":"ADV-900001-1001","filing_id":1001,"filing_type":"ADV","amendment_type":"initial",` +
					`"filing_date":"2019-03-28","submitted_at":"2019-03-28T00:00:00.000000Z","source":"adv_archive",` +
					`"document":"ADV_Filing_Data_20190301_20190331.zip","funds_listed":true,"status":"completed","processed_at":"`,
				`"meta":{"total":1,"limit":25,"offset":0,"page":1,"per_page":25,"filters_applied":{"form_type":"ADV","year":2019},"crd":"900001"}`,
			},
			WantHeader: map[string]string{"Link": `</v1/gps/900001/filings?form_type=ADV&year=2019&page=1&per_page=25>; rel="first", ` +
				`</v1/gps/900001/filings?form_type=ADV&year=2019&page=1&per_page=25>; rel="last"`},
		},
		{Name: "none", Path: "/v1/gps/900005/filings?year=2001", Contains: []string{`"data":[]`, `"total":0`}},
		{Name: "unknown", Path: "/v1/gps/123/filings", Status: http.StatusNotFound, WantJSON: `{"detail": "GP with CRD 123 not found"}`},
		{Name: "malformed", Path: "/v1/gps/0123/filings", Status: http.StatusBadRequest, Contains: []string{"Invalid crd: must be a CRD number"}},
		{Name: "form type", Path: "/v1/gps/1/filings?form_type=10-K", Status: http.StatusBadRequest, Contains: []string{"must be one of ADV, ADV/A, ADV-W, D, D/A"}},
		{Name: "year", Path: "/v1/gps/1/filings?year=20", Status: http.StatusBadRequest, Contains: []string{"Invalid year"}},
		{Name: "unknown parameter", Path: "/v1/gps/1/filings?form=D", Status: http.StatusBadRequest, Contains: []string{`did you mean \"form_type\"?`}},
		{Name: "per_page", Path: "/v1/gps/1/filings?per_page=101", Status: http.StatusBadRequest, Contains: []string{"Invalid per_page"}},
	})
}

func TestWithoutDatabase(t *testing.T) {
	t.Parallel()
	host, c := newHost(t)
	c.DB.Close()
	host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900001/filings", Status: http.StatusServiceUnavailable, Contains: []string{"The database is unavailable"}})
}

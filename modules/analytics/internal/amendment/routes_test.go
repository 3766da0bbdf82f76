package amendment_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/analytics/internal/amendment"
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/platform/testkit/itertest"
)

// answer is what the tests look at of either list.
type answer struct {
	Data []map[string]string `json:"data"`
	Meta struct {
		Total int `json:"total"`
	} `json:"meta"`
}

// get asks for a list and gives each row in one line.
func get(t *testing.T, host *httpapitest.Host, path string) (lines []string, total int) {
	t.Helper()
	var a answer
	require.NoError(t, json.Unmarshal([]byte(host.Do(t, httpapitest.Scenario{Path: path}).Body), &a))
	for _, r := range a.Data {
		lines = append(lines, r["accession_number"]+" "+r["filing_type"]+" "+r["filing_date"]+" "+r["amendment_type"]+" "+r["source"])
	}
	return lines, a.Meta.Total
}

func TestLists(t *testing.T) {
	t.Parallel()
	host, _, _ := newHost(t, nil)
	all := []string{
		"ADVW-900001-3001 ADV-W 2026-07-02 withdrawal advw",
		"ROSTER-900001-20260702 ADV/A 2026-07-02 material roster",  // the withdrawal of that day is another filing
		"FEED-900001-20250701 ADV/A 2025-07-01 material iapd_feed", // the roster tells of the same filing
		"ADV-900001-1003 ADV/A 2025-03-28 material adv_archive",
		"ADV-900001-1002 ADV/A 2025-03-28 annual adv_archive", // the list of funds tells of the same filing
		"0009999999-22-000002 D/A 2025-03-28 material form_d",
		"ADV-900001-1001 ADV 2024-03-28 initial adv_archive", // the roster tells of the same filing
		"0009999999-22-000001 D 2022-04-05 initial form_d",   // of two funds, once
	}
	ofOne := []string{
		"ADV-900002-2001 ADV 2026-02-02 initial adv_archive", // it is that manager's first
		"ADV-900001-1002 ADV/A 2025-03-28 annual adv_archive",
		"0009999999-22-000002 D/A 2025-03-28 material form_d",
		"ADV-900001-1001 ADV 2024-03-28 initial adv_archive",
		"0009999999-22-000001 D 2022-04-05 initial form_d",
	}
	// Of one instant, so the FilingID decides; as text, 999999 would be the newer one.
	ofOneDay := []string{"ADV-900004-1000000 ADV/A 2026-02-02 material adv_archive", "ADV-900004-999999 ADV 2026-02-02 initial adv_archive"}
	for name, c := range map[string]struct {
		path  string
		want  []string
		total int
	}{
		"a manager":               {"/v1/gps/900001/amendments", all, 8},
		"the newest of a manager": {"/v1/gps/900001/amendments?limit=3", all[:3], 8},
		"the largest limit":       {"/v1/gps/900001/amendments?limit=100", all, 8},
		"a manager that only a roster names": {
			"/v1/gps/900003/amendments", []string{"ROSTER-900003-20260504 ADV 2026-05-04 initial roster"}, 1,
		},
		"filings of one day":            {"/v1/gps/900004/amendments", ofOneDay, 2},
		"filings of one day, of a fund": {"/v1/funds/" + fundOfTwo + "/amendments", ofOneDay, 2},
		// It comes with all that was filed of its funds, before it took them over too.
		"a manager that took a fund over": {
			"/v1/gps/900002/amendments", []string{ofOne[0], ofOne[2], ofOne[4]}, 3,
		},
		"a fund":                     {"/v1/funds/" + fundOne + "/amendments", ofOne, 5},
		"a fund by its internal id":  {"/v1/funds/17/amendments", ofOne, 5},
		"the newest of a fund":       {"/v1/funds/" + fundOne + "/amendments?limit=1", ofOne[:1], 5},
		"a fund in no filing at all": {"/v1/funds/805-0000000099/amendments", nil, 0},
		"a fund that an amendment is the first to report": {"/v1/funds/" + fundTwo + "/amendments", []string{
			"ADV-900001-1003 ADV/A 2025-03-28 material adv_archive",
			"ADV-900001-1002 ADV/A 2025-03-28 initial adv_archive",
			"0009999999-22-000002 D/A 2025-03-28 material form_d",
			"0009999999-22-000001 D 2022-04-05 initial form_d",
		}, 4},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lines, total := get(t, host, c.path)
			require.Equal(t, c.want, lines)
			require.Equal(t, c.total, total)
		})
	}
}

// A fund that every filing of its manager reports has the manager's list: fund.sql and the published view leave out the same evidence of a day.
func TestFundsAreListedAsTheirManager(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	loader, rng := catalogtest.NewLoader(db, today), rand.New(rand.NewPCG(28, 11))
	for n := range 30 {
		id, source := strconv.Itoa(9100+n), catalogapi.SourceADVArchive
		if rng.IntN(2) == 0 {
			id, source = "", catalogapi.SourceFundList
		}
		f := filing(id, "900001", fmt.Sprintf("2026-03-%02d 00:00", 1+rng.IntN(12)))
		_, err := loader.LoadDocument(t.Context(), catalogapi.Document{
			Name: strconv.Itoa(n), Source: source, Filings: itertest.Rows(f), Funds: itertest.Rows(fund(f, fundOne)),
		}, catalogapi.LoadOptions{RunID: int64(n + 1)})
		require.NoError(t, err)
	}
	host := httpapitest.New(t, amendment.Routes(amendment.NewService(db, &catalogtest.History{Funds: map[string][2]string{fundOne: {fundOne, "900001"}}}))...)
	accessions := func(path string) (list []string) {
		lines, _ := get(t, host, path+"/amendments?limit=100")
		for _, line := range lines {
			list = append(list, strings.Fields(line)[0])
		}
		return list
	}
	want := accessions("/v1/gps/900001")
	require.Contains(t, strings.Join(want, " "), "LIST-")
	require.Equal(t, want, accessions("/v1/funds/"+fundOne))
	evidence, err := database.Values[string](t.Context(), db, "read", "SELECT accession FROM catalog.filings", nil)
	require.NoError(t, err)
	require.Greater(t, len(evidence), len(want), "days with both sources")
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	host, _, _ := newHost(t, nil)
	var scenarios []httpapitest.Scenario
	for _, path := range []string{"/v1/gps/900001/amendments", "/v1/funds/" + fundOne + "/amendments"} {
		scenarios = append(
			scenarios,
			httpapitest.Scenario{Name: path + " no limit", Path: path + "?limit=0", Status: http.StatusBadRequest, Contains: []string{"Invalid limit"}},
			httpapitest.Scenario{Name: path + " limit too large", Path: path + "?limit=101", Status: http.StatusBadRequest, Contains: []string{"Invalid limit"}},
			httpapitest.Scenario{Name: path + " limit of letters", Path: path + "?limit=x", Status: http.StatusBadRequest, Contains: []string{"Invalid limit"}},
			httpapitest.Scenario{Name: path + " unknown parameter", Path: path + "?limt=5", Status: http.StatusBadRequest, Contains: []string{`did you mean \"limit\"?`}},
		)
	}
	const pricing = `"pricing":{"cost":0.25,"description":"$0.25 per request"}}`
	host.Run(t, append(
		scenarios,
		httpapitest.Scenario{
			Name: "a manager", Path: "/v1/gps/900003/amendments", Contains: []string{
				`{"data":[{"accession_number":"ROSTER-900003-20260504","filing_type":"ADV","filing_date":"2026-05-04","amendment_type":"initial","processed_at":"`,
				`Z","source":"roster","status":"completed"}],"meta":{"total":1,"crd":"900003",` + pricing,
			},
		},
		httpapitest.Scenario{
			Name: "a fund", Path: "/v1/funds/17/amendments?limit=1", Contains: []string{
				`{"data":[{"accession_number":"ADV-900002-2001","filing_type":"ADV","filing_date":"2026-02-02","amendment_type":"initial","processed_at":"`,
				`Z","source":"adv_archive"}],"meta":{"total":5,"fund_id":"` + fundOne + `","adviser_crd":"900002",` + pricing,
			},
		},
		httpapitest.Scenario{
			Name: "a fund in no filing", Path: "/v1/funds/805-0000000099/amendments",
			WantJSON: `{"data":[],"meta":{"total":0,"fund_id":"805-0000000099","adviser_crd":"900001",` + pricing + `}`,
		},
		httpapitest.Scenario{
			Name: "unknown manager", Path: "/v1/gps/123/amendments", Status: http.StatusNotFound, WantJSON: `{"detail": "GP with CRD 123 not found"}`,
		},
		httpapitest.Scenario{
			Name: "a withdrawal of a manager that no form names", Path: "/v1/gps/900009/amendments", Status: http.StatusNotFound,
			WantJSON: `{"detail": "GP with CRD 900009 not found"}`,
		},
		httpapitest.Scenario{
			Name: "unknown fund", Path: "/v1/funds/805-1234567890/amendments", Status: http.StatusNotFound,
			WantJSON: `{"detail": "Fund 805-1234567890 not found"}`,
		},
		httpapitest.Scenario{
			Name: "malformed CRD", Path: "/v1/gps/0123/amendments", Status: http.StatusBadRequest, Contains: []string{"Invalid crd: must be a CRD number"},
		},
		httpapitest.Scenario{
			Name: "malformed fund", Path: "/v1/funds/805-12/amendments", Status: http.StatusBadRequest, Contains: []string{"Invalid fund_id: must be 805- and ten digits"},
		},
	))
}

// The instant that the lists show is the first that knows the filing.
func TestKnownAtProcessedAt(t *testing.T) {
	t.Parallel()
	host, db, _ := newHost(t, nil)
	routes, err := catalogtest.Routes(t.Context(), db, clock.System{}) // filings are processed by the clock of the database, on this machine
	require.NoError(t, err)
	catalog := httpapitest.New(t, routes...)
	for path, by := range map[string]*httpapitest.Host{"/v1/gps/900003/amendments": host, "/v1/gps/900003/filings": catalog} {
		var list struct {
			Data []struct {
				ProcessedAt string `json:"processed_at"`
			} `json:"data"`
		}
		require.NoError(t, json.Unmarshal([]byte(by.Do(t, httpapitest.Scenario{Path: path}).Body), &list))
		require.Len(t, list.Data, 1)
		shown := list.Data[0].ProcessedAt
		at, err := time.Parse(time.RFC3339Nano, shown)
		require.NoError(t, err)
		catalog.Do(t, httpapitest.Scenario{Name: path, Path: "/v1/gps/900003?known_at=" + shown, Contains: []string{`"crd":"900003"`}})
		before := at.Add(-time.Microsecond).Format(time.RFC3339Nano)
		catalog.Do(t, httpapitest.Scenario{Name: path, Path: "/v1/gps/900003?known_at=" + before, Status: http.StatusNotFound})
	}
}

func TestWithoutDatabase(t *testing.T) {
	t.Parallel()
	host, db, _ := newHost(t, nil)
	db.Close()
	for _, path := range []string{"/v1/gps/900001/amendments", "/v1/funds/17/amendments"} {
		host.Do(t, httpapitest.Scenario{Path: path, Status: http.StatusServiceUnavailable, Contains: []string{"The database is unavailable"}})
	}
}

func TestWithoutHistory(t *testing.T) {
	t.Parallel()
	host, _, _ := newHost(t, apperr.Unavailable("The database is unavailable; try again"))
	host.Do(t, httpapitest.Scenario{Path: "/v1/funds/17/amendments", Status: http.StatusServiceUnavailable, Contains: []string{"The database is unavailable"}})
}

// An empty list costs nothing.
func TestCharges(t *testing.T) {
	t.Parallel()
	host, _, meter := newHost(t, nil)
	host.Do(t, httpapitest.Scenario{Path: "/v1/funds/805-0000000099/amendments", WantHeader: map[string]string{"X-Charge": "0.00"}})
	require.Empty(t, meter.Charged())
	host.Do(t, httpapitest.Scenario{Path: "/v1/funds/17/amendments", WantHeader: map[string]string{"X-Charge": "0.25"}})
	host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900001/amendments", WantHeader: map[string]string{"X-Charge": "0.25"}})
	require.Len(t, meter.Charged(), 2)
	for _, item := range meter.Charged() {
		require.Equal(t, int64(250_000), item.Micros())
	}
	require.Equal(t, []string{"900002", "900001"}, []string{meter.Charged()[0].CRD, meter.Charged()[1].CRD}, "the manager that reports the fund stands in the purchases")
}

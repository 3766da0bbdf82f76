package gp_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/fund"
	"gpatlas/modules/catalog/internal/gp"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/testkit/fixture"
	"gpatlas/platform/clock"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/platform/testkit/itertest"
)

// instant is the database's clock, by which filings are processed.
func instant(t *testing.T, c *fixture.Catalog) (at time.Time) {
	t.Helper()
	err := c.DB.Conn(t.Context(), func(conn *pgx.Conn) error {
		return conn.QueryRow(t.Context(), "SELECT clock_timestamp()").Scan(&at)
	})
	require.NoError(t, err)
	return at
}

// A filing that is restated, with a fund less and a fund more: between the two editions known_at gives the first one,
// word for word, of the adviser and of its funds.
func TestKnownAt(t *testing.T) {
	t.Parallel()
	c := fixture.New(t)
	now := instant(t, c).Add(time.Hour) // documents are processed by the database's clock
	service, funds := gp.NewService(c.Index, history.NewStore(c.DB), nil, clock.Fixed(now)), fund.NewService(c.Index, history.NewStore(c.DB), nil, clock.Fixed(now))
	host := httpapitest.New(t, slices.Concat(gp.Routes(service), fund.Routes(funds))...)
	edition := func(name string, raum int64, listed ...*catalogapi.FundRow) catalogapi.Document {
		for _, f := range listed {
			f.FilingKey, f.ReferenceID = "9001", f.FundID
		}
		return catalogapi.Document{
			Name: name, Source: catalogapi.SourceADVArchive, Funds: itertest.Rows(listed...),
			Filings: itertest.Rows(&catalogapi.AdviserFiling{
				Key: "9001", FilingID: "9001", CRD: "900020", Submitted: date("2026-03-31"),
				Statement: catalogapi.Statement{LegalName: name, City: new("Boston"), State: new("MA"), RAUM: &raum},
				Basis:     catalogapi.Basis{Registration: new(string(catalogapi.Registered))}, FundsListed: true, File: "f", Line: 1,
			}),
		}
	}
	one := func(gav int64) *catalogapi.FundRow {
		return &catalogapi.FundRow{FundID: "805-0000000201", Name: "Larkspur Growth I LP", FundType: "Private Equity Fund", GAV: &gav, File: "f", Line: 1}
	}
	two := &catalogapi.FundRow{FundID: "805-0000000202", Name: "Larkspur Credit II LP", FundType: "Private Equity Fund", GAV: new(int64(7)), File: "f", Line: 1}
	three := &catalogapi.FundRow{FundID: "805-0000000203", Name: "Larkspur Realty III LP", FundType: "Real Estate Fund", GAV: new(int64(9)), File: "f", Line: 1}
	paths := []string{"/v1/gps/900020", "/v1/funds/805-0000000201", "/v1/funds/805-0000000202"}
	answers := func(query string) (out []string) {
		for _, path := range paths {
			out = append(out, host.Do(t, httpapitest.Scenario{Path: path + query}).Body)
		}
		return out
	}
	at := func(when time.Time) string { return "?known_at=" + url.QueryEscape(when.Format(time.RFC3339Nano)) }

	before := instant(t, c)
	c.Add(t, edition("Larkspur Hollow LLC", 100, one(5), two))
	between := instant(t, c)
	first := answers("")
	require.Contains(t, first[0], `"fund_count":2`)
	c.Add(t, edition("Larkspur Hollow Capital LLC", 200, one(6), three))
	after := instant(t, c)
	paths[2] = "/v1/funds/805-0000000203"
	second := answers("")
	require.Contains(t, second[0], `"legal_name":"Larkspur Hollow Capital LLC"`)
	require.Equal(t, second, answers(at(after)))
	require.Equal(t, second, answers("?as_of=2026-03-31"))
	host.Do(t, httpapitest.Scenario{
		Path: "/v1/funds/805-0000000203" + at(between), Status: http.StatusNotFound,
		WantJSON: `{"detail": "Fund 805-0000000203 was in no filing processed by ` + between.Format(time.RFC3339Nano) + `"}`,
	})
	host.Do(t, httpapitest.Scenario{Path: "/v1/funds/805-0000000202", Status: http.StatusNotFound}) // no edition that stands names it
	paths, first = paths[:2], first[:2]
	require.Equal(t, first, answers(at(between)))
	require.Equal(t, first, answers(at(between)+"&as_of=2026-03-31"))
	for _, path := range paths {
		host.Do(t, httpapitest.Scenario{Path: path + at(before), Status: http.StatusNotFound, Contains: []string{"processed by"}})
		host.Do(t, httpapitest.Scenario{
			Path: path + at(between) + "&as_of=2026-03-30", Status: http.StatusNotFound, Contains: []string{"up to 2026-03-30 processed by"},
		})
	}
	traced := host.Do(t, httpapitest.Scenario{Path: paths[0] + at(between) + "&include=provenance"}).Body
	require.Contains(t, traced, `"legal_name":{"accession_number":"ADV-900020-9001","filing_type":"ADV","filing_date":"2026-03-31"}`)
}

// A later edition of a roster may say something else of a filing that an earlier edition had, of the same day. as_of asks what
// was filed by a day, as it is known now: the filing is restated, also as of a day before the edition. known_at asks what was
// known: the earlier edition, until the later one was loaded.
func TestALaterEditionRestatesTheFiling(t *testing.T) {
	t.Parallel()
	c := fixture.New(t)
	host := httpapitest.New(t, gp.Routes(gp.NewService(c.Index, history.NewStore(c.DB), nil, clock.Fixed(instant(t, c).Add(time.Hour))))...)
	edition := func(day string, employees int64) {
		c.Add(t, catalogapi.Document{
			Name: "roster " + day, Source: catalogapi.SourceRoster, List: "roster/registered", Edition: func() time.Time { return date(day) },
			Filings: itertest.Rows(&catalogapi.AdviserFiling{
				Key: "r", CRD: "900021", Submitted: date("2026-03-31"),
				Statement: catalogapi.Statement{LegalName: "Quarry Lane LLC", SECNumber: new("801-900021"), EmployeeCount: &employees},
				Basis:     catalogapi.Basis{Registration: new(string(catalogapi.Registered))},
				File:      "f", Line: 2,
			}),
		})
	}
	said := func(query, want string) {
		t.Helper()
		host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900021?" + query, Contains: []string{want}})
	}
	edition("2026-05-01", 10)
	between := url.QueryEscape(instant(t, c).Format(time.RFC3339Nano))
	said("as_of=2026-05-15", `"employee_count":10`)
	edition("2026-06-01", 12)
	said("as_of=2026-05-15", `"employee_count":12`)
	said("as_of=2026-05-15&include=provenance", `"employee_count":{"accession_number":"ROSTER-900021-20260331","filing_type":"ADV","filing_date":"2026-03-31"}`)
	said("known_at="+between, `"employee_count":10`)
	said("as_of=2026-05-15&known_at="+between, `"employee_count":10`)
	edition("2026-04-01", 8) // an older edition that is loaded later
	said("as_of=2026-05-15", `"employee_count":12`)
}

func date(s string) time.Time {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return t
}

// With provenance the answer is the same but for that; what it names of a field is the filing that says it.
func TestProvenance(t *testing.T) {
	t.Parallel()
	host, _ := newHost(t)
	type answer struct {
		Data map[string]any `json:"data"`
	}
	get := func(query string) map[string]any {
		var a answer
		require.NoError(t, json.Unmarshal([]byte(host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900001" + query}).Body), &a))
		return a.Data
	}
	for _, query := range []string{"", "as_of=2020-06-30"} {
		plain, traced := get("?"+query), get("?include=provenance&"+query)
		require.NotContains(t, plain, "provenance")
		said, _ := traced["provenance"].(map[string]any)
		delete(traced, "provenance")
		require.Equal(t, plain, traced)
		for field, value := range plain {
			if field == "crd" || field == "canonical_gp_id" || field == "source" {
				require.NotContains(t, said, field)
				continue
			}
			require.Equal(t, value != nil, said[field] != nil, field)
		}
	}
	form := map[string]any{"accession_number": "ADV-900001-2001", "filing_type": "ADV/A", "filing_date": "2026-03-28"}
	roster := map[string]any{"accession_number": "ROSTER-900001-20260701", "filing_type": "ADV/A", "filing_date": "2026-07-01"}
	said, _ := get("?include=provenance")["provenance"].(map[string]any)
	require.Equal(t, roster, said["legal_name"], "the newest that says it")
	require.Equal(t, form, said["street1"], "filled forward")
	require.Equal(t, roster, said["registered_on"])
	require.Equal(t, form, said["total_gav"], "the newest of the filings summed")
	require.Equal(t, map[string]any{"accession_number": "ADV-900001-1001", "filing_type": "ADV", "filing_date": "2019-03-28"}, said["first_filing_date"])
}

func TestBadMomentsAndParts(t *testing.T) {
	t.Parallel()
	host, _ := newHost(t)
	for query, detail := range map[string]string{
		"include=funds":                    `Invalid include: \"funds\" cannot be included; the parts are provenance`,
		"include=provenance,":              `Invalid include: \"\" cannot be included; the parts are provenance`,
		"include=":                         "must not be empty",
		"known_at=yesterday":               "Invalid known_at",
		"known_at=2026-11-21T12:00:01Z":    "Invalid known_at: must not be in the future; now is 2026-11-21T12:00:00Z",
		"as_of=2026-11-22":                 "Invalid as_of: must not be in the future; today is 2026-11-21 (UTC)",
		"as_of=2020-06-30&known_at=x":      "Invalid known_at",
		"include=provenance,funds&as_of=x": "Invalid as_of",
	} {
		host.Do(t, httpapitest.Scenario{Name: query, Path: "/v1/gps/900001?" + query, Status: http.StatusBadRequest, Contains: []string{detail}})
	}
	host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900001?include=provenance,+provenance", Contains: []string{`"provenance":{`}})
}

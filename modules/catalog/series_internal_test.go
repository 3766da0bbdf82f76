package catalog

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/fund"
	"gpatlas/modules/catalog/internal/gp"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/load"
	"gpatlas/modules/catalog/internal/series"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/platform/testkit/itertest"
)

// firmsOfSeries is how many firms V37 asks about.
const firmsOfSeries = 500

// fileYears loads five years of filings of firms: archives, and a roster each summer. A firm may leave out a year, change its registration,
// and file twice on a day.
func fileYears(t *testing.T, db *database.DB, clk clock.Clock, firms int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(37, 41))
	loader := load.New(db, clk, slog.New(slog.DiscardHandler))
	put := func(doc catalogapi.Document) {
		_, err := loader.LoadDocument(t.Context(), doc, catalogapi.LoadOptions{RunID: 1, Reject: func(r catalogapi.Rejected) { require.Fail(t, "rejected", "%+v", r) }})
		require.NoError(t, err)
	}
	filing := func(crd, id string, day time.Time) *catalogapi.AdviserFiling {
		f := &catalogapi.AdviserFiling{
			Key: id, FilingID: id, CRD: crd, Submitted: day.Add(time.Duration(rng.IntN(80000)) * time.Second), FundsListed: true, File: "f", Line: 2,
			Statement: catalogapi.Statement{LegalName: "Series " + crd + " LLC", State: new([]string{"TX", "NY"}[rng.IntN(2)]), Country: new("United States")},
			Basis:     catalogapi.Basis{Registration: new(string(catalogapi.Registered))},
		}
		if rng.IntN(4) == 0 {
			f.Registration = new(string(catalogapi.ExemptReporting))
		} else {
			f.RAUM, f.EmployeeCount = new(rng.Int64N(1e9)), new(rng.Int64N(90))
		}
		return f
	}
	for year := 2021; year <= 2025; year++ {
		var filings, rows []*catalogapi.AdviserFiling
		var funds []*catalogapi.FundRow
		for i := range firms {
			crd := strconv.Itoa(700_001 + i)
			for n := range rng.IntN(3) {
				f := filing(crd, fmt.Sprintf("%d%d%d", year, n, i), time.Date(year, time.March, 1+rng.IntN(2), 0, 0, 0, 0, time.UTC))
				filings = append(filings, f)
				for k := range rng.IntN(3) {
					number := fmt.Sprintf("%010d", i*10+k)
					funds = append(funds, &catalogapi.FundRow{
						FilingKey: f.Key, ReferenceID: number, FundID: "805-" + number, Name: "Fund " + number, FundType: "Hedge Fund", GAV: new(rng.Int64N(1e8)),
						Owners: new(rng.Int64N(50)), File: "f", Line: 2,
					})
				}
			}
			if rng.IntN(3) == 0 {
				f := filing(crd, "", time.Date(year, time.Month(3+4*rng.IntN(2)), 1, 0, 0, 0, 0, time.UTC))
				f.Key, f.FilingID, f.FundsListed = crd, "", false
				rows = append(rows, f)
			}
		}
		put(catalogapi.Document{Name: strconv.Itoa(year), Source: catalogapi.SourceADVArchive, Filings: itertest.Rows(filings...), Funds: itertest.Rows(funds...)})
		put(catalogapi.Document{Name: fmt.Sprintf("r%d", year), Source: catalogapi.SourceRoster, Filings: itertest.Rows(rows...)})
	}
}

// V37: the series of a firm and of a fund is what the detail says as of the day of each filing.
func TestSeriesIsTheDetailOfEachFiling(t *testing.T) {
	t.Parallel()
	db, clk := dbtest.New(t), clock.Fixed(on("2026-11-21"))
	fileYears(t, db, clk, firmsOfSeries)
	store := history.NewStore(db)
	routes := append(gp.Routes(gp.NewService(&index.Holder{}, store, nil, clk)), fund.Routes(fund.NewService(&index.Holder{}, store, nil, clk))...)
	host := httpapitest.New(t, append(routes, series.Routes(series.NewService(newHistory(store, &index.Holder{}, clk), store, clk))...)...)
	get := func(path string) (answer struct {
		Data json.RawMessage
		Meta struct{ Breaks []series.Break }
	},
	) {
		got := host.Do(t, httpapitest.Scenario{Path: path})
		require.NoError(t, json.Unmarshal([]byte(got.Body), &answer), path)
		return answer
	}
	compare := func(path, fields string) (points int) {
		var rows []map[string]any
		require.NoError(t, json.Unmarshal(get(path+"/series?fields="+fields).Data, &rows))
		for i, row := range rows {
			if i+1 < len(rows) && rows[i+1]["date"] == row["date"] {
				continue // as_of gives the state at the end of the day
			}
			var detail map[string]any
			require.NoError(t, json.Unmarshal(get(path+"?as_of="+row["date"].(string)).Data, &detail))
			for field, value := range row {
				if field != "date" && field != "accession_number" {
					require.Equal(t, detail[field], value, "%s: %s of %s", path, field, row["date"])
					points++
				}
			}
		}
		return points
	}
	points := 0
	advisers, err := database.Values[string](t.Context(), db, "read", "SELECT crd FROM catalog.advisers", nil)
	require.NoError(t, err)
	require.Greater(t, len(advisers), firmsOfSeries*9/10)
	for _, crd := range advisers {
		points += compare("/v1/gps/"+crd, "total_aum,employee_count,fund_count,total_gav,registration_status,primary_strategy,legal_name,state,country")
	}
	require.Greater(t, points, 10_000)
	funds, err := database.Values[string](t.Context(), db, "read", "SELECT fund_id FROM catalog.funds ORDER BY fund_id LIMIT 100", nil)
	require.NoError(t, err)
	for _, id := range funds {
		require.Positive(t, compare("/v1/funds/"+id, "gross_asset_value,beneficial_owners_count,minimum_investment,name,strategy,adviser_crd"))
	}

	// Breaks are where a registration begins or ends, by SQL; years are the last state of each.
	rows, err := database.Values[string](t.Context(), db, "read", `SELECT DISTINCT crd FROM catalog.adviser_versions WHERE registration = 'exempt_reporting' ORDER BY crd LIMIT 50`, nil)
	require.NoError(t, err)
	broken := 0
	for _, crd := range rows {
		var all, years []map[string]any
		answer := get("/v1/gps/" + crd + "/series?fields=registration_status,total_aum&from=2022-01-01&to=2025-12-31")
		require.NoError(t, json.Unmarshal(answer.Data, &all))
		require.NoError(t, json.Unmarshal(get("/v1/gps/"+crd+"/series?fields=registration_status,total_aum&by=year&from=2022-01-01").Data, &years))
		var want, last []any
		for i, row := range all {
			if i > 0 && (row["registration_status"] == "exempt_reporting") != (all[i-1]["registration_status"] == "exempt_reporting") {
				want = append(want, row["date"])
			}
			if i+1 == len(all) || row["date"].(string)[:4] != all[i+1]["date"].(string)[:4] {
				last = append(last, row)
			}
		}
		var got, yearly []any
		for _, b := range answer.Meta.Breaks {
			if b.Field == "total_aum" && b.Reason == "registration_changed" {
				got, broken = append(got, b.Date), broken+1
			}
		}
		for _, row := range years {
			yearly = append(yearly, row)
		}
		require.Equal(t, want, got, crd)
		require.Equal(t, last, yearly, crd)
	}
	require.Positive(t, broken)
	for path, contains := range map[string]string{
		"/v1/gps/700001/series?fields=aum": `"aum\" is not a field`, "/v1/gps/700001/series?fields=total_aum,": "Invalid fields", "/v1/gps/700001/series?by=month": "Invalid by",
		"/v1/gps/700001/series?from=2025-01-01&to=2024-01-01": "Invalid from", "/v1/funds/" + funds[0] + "/series?fields=total_aum": "Invalid fields",
	} {
		host.Do(t, httpapitest.Scenario{Name: path, Path: path, Status: http.StatusBadRequest, Contains: []string{contains}})
	}
	host.Do(t, httpapitest.Scenario{Path: "/v1/gps/77/series", Status: http.StatusNotFound})
	host.Do(t, httpapitest.Scenario{Path: "/v1/funds/805-9999999999/series", Status: http.StatusNotFound})
}

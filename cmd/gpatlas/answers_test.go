package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/dbtest"
)

// dated is the part of an answer that says when something was filed.
type dated struct {
	CRD    string `json:"crd"`
	Latest string `json:"latest_filing_date"`
	Filed  string `json:"filing_date"`
	Source string `json:"source"`
}

// The advisers beside the sample: of whom nothing says how many funds they have, of whom a roster counts 12 without listing
// one, and whose list of funds was loaded and is empty.
const (
	silent, counted, empty = "900101", "900102", "900103"
)

// loadUnlisted loads them.
func loadUnlisted(t *testing.T, loader catalogapi.Loader) {
	t.Helper()
	file := func(source catalogapi.Source, set func(f *catalogapi.AdviserFiling), crds ...string) {
		_, err := loader.LoadDocument(t.Context(), catalogapi.Document{
			Name: "unlisted-" + string(source), Source: source, Filings: func(yield func(*catalogapi.AdviserFiling, error) bool) {
				for i, crd := range crds {
					f := &catalogapi.AdviserFiling{
						Key: crd, CRD: crd, Submitted: time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC),
						Statement: catalogapi.Statement{
							LegalName: "Zinnia " + crd + " LLC", City: new("Austin"), State: new("TX"), Country: new("United States"),
						},
						Basis: catalogapi.Basis{Registration: new(string(catalogapi.ExemptReporting))}, File: "unlisted", Line: i + 2,
					}
					set(f)
					if !yield(f, nil) {
						return
					}
				}
			},
		}, catalogapi.LoadOptions{RunID: 100})
		require.NoError(t, err)
	}
	file(catalogapi.SourceRoster, func(f *catalogapi.AdviserFiling) {
		if f.CRD == counted {
			f.ReportedFundCount, f.ReportedFundGAV = new(int64(12)), new(int64(4_200_000_000))
		}
	}, silent, counted)
	file(catalogapi.SourceADVArchive, func(f *catalogapi.AdviserFiling) { f.FilingID, f.FundsListed = "5001", true }, empty)
}

// Whole answers over the sample and three advisers beside it.
func TestAnswers(t *testing.T) {
	t.Parallel()
	db := sampleDB.New(t)
	loadUnlisted(t, catalogtest.NewLoader(db, clock.System{}))
	h := startHouse(t, dbtest.URL(t, db), dbtest.RedisURL(t))
	t.Run("the newest filing is one", func(t *testing.T) {
		t.Parallel()
		newestFilingIsOne(t, h, db)
	})
	t.Run("unknown is null", func(t *testing.T) {
		t.Parallel()
		unknownIsNull(t, h)
	})
}

// Every number and boolean that the analytics say of an adviser without a list of funds is null or was reported; what is
// known of one with an empty list is 0. A field that is added must be put into one list or the other.
func unknownIsNull(t *testing.T, h *house) {
	t.Helper()
	beside := []string{"cost", "max_score", "total", "similarity_score", "score"} // figures that do not speak of the adviser
	for path, want := range map[string]map[string][3]any{                         // silent, counted, empty
		"/v1/gps/{crd}/metrics": {
			"gp.total_aum": {nil, 4.2e9, nil}, "gp.employee_count": {}, "metrics.aum_growth.yoy_percent": {}, "metrics.aum_growth.cagr_3y_percent": {},
			"metrics.employee_growth.yoy_percent": {}, "metrics.fund_metrics.fund_count": {nil, 12.0, 0.0},
			"metrics.fund_metrics.avg_fund_size_usd": {}, "metrics.fund_metrics.avg_fund_size_trend_percent": {},
			"metrics.fund_metrics.avg_fund_size_trend_age_years": {},
			"metrics.fund_metrics.fund_launch_cadence_months":    {}, "metrics.fund_metrics.first_vintage": {}, "metrics.fund_metrics.latest_vintage": {},
			"meta.basis.latest.total_aum": {nil, 4.2e9, nil}, "meta.basis.latest.employee_count": {},
		},
		"/v1/gps/{crd}/related?similarity_factors=fund_count&limit=1": {
			"source_gp.aum": {nil, 4.2e9, nil}, "source_gp.fund_count": {nil, 12.0, 0.0},
		},
		"/v1/gps/{crd}/changes":    {},
		"/v1/gps/{crd}/amendments": {},
		"/v1/gps/{crd}?as_of=2026-07-02": {
			"data.fund_count": {nil, 12.0, 0.0}, "data.total_gav": {nil, 4.2e9, 0.0}, "data.net_gav": {nil, nil, 0.0},
			"data.total_investors": {nil, nil, 0.0},
			"data.total_aum":       {nil, 4.2e9, nil}, "data.employee_count": {}, "data.advises_funds": {},
		},
	} {
		for i, crd := range []string{silent, counted, empty} {
			status, body := get(t, h.base+strings.ReplaceAll(path, "{crd}", crd))
			require.Equal(t, http.StatusOK, status, body)
			var answer any
			require.NoError(t, json.Unmarshal([]byte(body), &answer))
			said := map[string]any{}
			figures("", answer, said)
			for name, values := range want {
				require.Contains(t, said, name, "%s of %s", path, crd)
				require.Equal(t, values[i], said[name], "%s: %s of %s", path, name, crd)
				delete(said, name)
			}
			for name, value := range said {
				own := !strings.HasPrefix(name, "similar_gps") && !strings.HasSuffix(name, "canonical_gp_id") && !strings.HasSuffix(name, "founded_year")
				require.False(t, own && value != nil && !slices.Contains(beside, name[strings.LastIndex(name, ".")+1:]), "%s: %s of %s is %v; is it known?", path, name, crd, value)
			}
		}
	}
}

// figures lists the numbers, booleans and nulls of an answer by their paths.
func figures(path string, v any, into map[string]any) {
	switch v := v.(type) {
	case map[string]any:
		for name, inner := range v {
			figures(strings.TrimPrefix(path+"."+name, "."), inner, into)
		}
	case []any:
		for _, inner := range v {
			figures(path+"[]", inner, into)
		}
	case float64, bool, nil:
		into[path] = v
	}
}

// Of every manager of the sample the list, the detail, the first of its filings and the activity feed agree on the day of the
// newest filing; and /status says that of the newest of all, and counts every filing once.
func newestFilingIsOne(t *testing.T, h *house, db *database.DB) {
	t.Helper()
	ada := h.signUp(t, "ada@larkspur.example")
	require.NoError(t, db.From(t.Context()).Exec(`INSERT INTO accounts.watchlist_items (id, user_id, adviser_crd, canonical_gp_id, created_at)
		SELECT gen_random_uuid(), u.id, a.crd, a.canonical_gp_id, now() FROM accounts.users u, catalog.advisers a`).Error)

	feed := newestEvents(t, ada)
	newest, seen := "", 0
	for page := 1; ; page++ {
		var list []dated
		require.NoError(t, json.Unmarshal([]byte(data(t, fmt.Sprintf("%s/v1/gps?per_page=100&page=%d", h.base, page))), &list))
		for _, gp := range list {
			var detail dated
			decodeDated(t, data(t, h.base+"/v1/gps/"+gp.CRD), &detail)
			require.Equal(t, gp.Latest, detail.Latest, gp.CRD)
			var filings []dated
			require.NoError(t, json.Unmarshal([]byte(data(t, h.base+"/v1/gps/"+gp.CRD+"/filings?per_page=100")), &filings))
			require.Equal(t, filings[0].Filed, gp.Latest, gp.CRD)
			documents := "" // the newest that is a document, not evidence of one
			for _, f := range filings {
				if documents == "" && (f.Source == "adv_archive" || f.Source == "form_d") {
					documents = f.Filed
				}
			}
			require.Equal(t, documents, feed[gp.CRD], gp.CRD)
			newest, seen = max(newest, gp.Latest), seen+1
		}
		if len(list) < 100 {
			break
		}
	}
	require.Greater(t, seen, 250)

	status, body := get(t, h.base+"/status")
	require.Equal(t, http.StatusOK, status)
	var said struct {
		Data struct {
			Latest   string `json:"latest_filing_date"`
			Advisers int
			Funds    int
			Closed   int `json:"closed_funds"`
			Coverage []struct {
				Source  string
				Filings int64
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(body), &said))
	require.Equal(t, newest, said.Data.Latest)
	var stats struct {
		Advisers int `json:"total_advisers"`
		Funds    int `json:"total_funds"`
	}
	require.NoError(t, json.Unmarshal([]byte(data(t, h.base+"/v1/stats")), &stats))
	require.Equal(t, stats.Advisers, said.Data.Advisers)
	require.Equal(t, stats.Funds, said.Data.Funds, "one definition of a fund that counts")
	require.Equal(t, 1827, said.Data.Funds)
	require.Equal(t, 2032-1827, said.Data.Closed)
	count := map[string]int64{}
	for _, c := range said.Data.Coverage {
		count[c.Source] += c.Filings
	}
	var filings, notices int64
	require.NoError(t, db.From(t.Context()).Raw("SELECT count(*) FROM catalog.filings").Scan(&filings).Error)
	require.NoError(t, db.From(t.Context()).Raw("SELECT count(*) FROM catalog.offerings").Scan(&notices).Error)
	require.Positive(t, notices)
	require.Equal(t, notices, count["form_d"])
	delete(count, "form_d")
	for _, n := range count {
		filings -= n
	}
	require.Zero(t, filings)
}

func decodeDated(t *testing.T, text string, into *dated) {
	t.Helper()
	var fields map[string]any // source is an object here
	require.NoError(t, json.Unmarshal([]byte(text), &fields))
	into.Latest, _ = fields["latest_filing_date"].(string)
}

// newestEvents is the day of the newest filing in the feed of an account, by manager.
func newestEvents(t *testing.T, a *account) map[string]string {
	t.Helper()
	days := map[string]string{}
	path := "/v1/me/activity?types=new_filing&limit=100&known_since=2000-01-01"
	for {
		got := a.call("GET", path, "")
		require.Equal(t, http.StatusOK, got.status, got.body)
		var page struct {
			Data []struct {
				CRD       string    `json:"crd"`
				EventDate time.Time `json:"event_date"`
			}
			Meta struct {
				HasMore    bool   `json:"has_more"`
				NextCursor string `json:"next_cursor"`
			}
		}
		require.NoError(t, json.Unmarshal([]byte(got.body), &page))
		for _, e := range page.Data {
			days[e.CRD] = max(days[e.CRD], e.EventDate.Format(time.DateOnly))
		}
		if !page.Meta.HasMore {
			return days
		}
		path = "/v1/me/activity?limit=100&cursor=" + page.Meta.NextCursor
	}
}

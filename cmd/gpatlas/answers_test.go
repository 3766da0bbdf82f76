package main

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/modules/dataops"
	"gpatlas/platform/clock"
	"gpatlas/platform/dbtest"
)

// dated is the part of an answer that says when something was filed.
type dated struct {
	CRD    string `json:"crd"`
	Latest string `json:"latest_filing_date"`
	Filed  string `json:"filing_date"`
	Source string `json:"source"`
}

// Of every manager of the sample the list, the detail, the first of its filings and the activity feed agree on the day of the
// newest filing; and /status says that of the newest of all, and counts every filing once.
func TestNewestFilingIsOne(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	deps := dataops.Deps{DB: db, Loader: catalogtest.NewLoader(db, clock.System{}), Clock: clock.System{}, Log: slog.New(slog.DiscardHandler)}
	_, err := dataops.LoadSample(t.Context(), deps, t.TempDir(), dataops.IngestOptions{})
	require.NoError(t, err)
	h := startHouse(t, dbtest.URL(t, db), dbtest.RedisURL(t))
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
			Coverage []struct {
				Source  string
				Filings int64
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(body), &said))
	require.Equal(t, newest, said.Data.Latest)
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
	path := "/v1/me/activity?types=new_filing&limit=100"
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

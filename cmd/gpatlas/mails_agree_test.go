package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
	"gpatlas/platform/testkit/dbtest"
)

// mailRow is a row of market intel, as the queue keeps it.
type mailRow struct {
	CRD, Name, Path, Word string
	Amount, Before        int64
	Day                   time.Time
}

type marketMail struct {
	Registrations, Changes, Launches, Closings struct {
		Rows  []mailRow
		Total int
	}
}

// Guarantee: every row of market intel agrees with the answer of the API about that manager or fund. The sample is split into "known
// before the week" and "became known in the week" at each year, so that each filing is news at least once.
func TestMarketIntelAgrees(t *testing.T) {
	t.Parallel()
	db := sampleDB.New(t)
	h := startHouse(t, dbtest.URL(t, db), dbtest.RedisURL(t), "ANONYMOUS_LIMITS=off")
	h.signUp(t, "ada@larkspur.example")
	spread(t, db)
	alter(t, db, "UPDATE accounts.users SET subscription_plan = 'enterprise', email_verified_at = now()")
	arrivals, err := database.Values[int64](t.Context(), db, "", "SELECT arrival FROM catalog.arrivals ORDER BY 1", nil)
	require.NoError(t, err)
	require.Greater(t, len(arrivals), 5, "hardly anything is told")
	c := caller{t: t, base: h.base}
	seen := map[string]int{}
	for i, low := range arrivals[:len(arrivals)-1] {
		monday := time.Date(2001, 1, 1, 12, 0, 0, 0, time.UTC).AddDate(0, 0, 7*i) // so early that nothing of the sample is old
		alter(t, db, fmt.Sprintf("UPDATE catalog.arrivals SET known_at = CASE WHEN arrival <= %d THEN '%s'::timestamptz ELSE '%s' END + arrival * interval '1 second'",
			low, monday.AddDate(0, 0, -60).Format(time.RFC3339), monday.AddDate(0, 0, -3).Format(time.RFC3339)))
		startJob(t, db, "notifications.market_intel", monday.Format(time.DateOnly))
		var mail marketMail
		require.NoError(t, json.Unmarshal(queued(t, db, "market_intel:%:"+monday.AddDate(0, 0, -7).Format(time.DateOnly)), &mail))
		for _, row := range mail.Registrations.Rows {
			seen["registration"]++
			gp := c.record(row.Path)
			require.Nil(t, gp["withdrawn_on"], row)
			require.Nil(t, gp["not_listed_since"], row)
			row.sameFirm(t, gp)
		}
		for _, row := range mail.Changes.Rows {
			seen["change"]++
			row.sameFirm(t, c.record(row.Path))
		}
		for _, row := range mail.Launches.Rows {
			seen["launch"]++
			fund := c.record(row.Path)
			require.NotEqual(t, "closed", fund["status"], row)
			require.Equal(t, row.Word, fund["strategy"])
			require.Equal(t, row.Day.Format(time.DateOnly), fund["first_filing_date"], row)
			row.sameFund(t, fund)
		}
		for _, row := range mail.Closings.Rows {
			seen["closing of a "+row.Word]++
			if row.Word == "fund" {
				fund := c.record(row.Path)
				require.Equal(t, "closed", fund["status"], row)
				row.sameFund(t, fund)
				continue
			}
			gp := c.record(row.Path)
			require.Equal(t, row.Day.Format(time.DateOnly), gp["withdrawn_on"], row)
			row.sameFirm(t, gp)
		}
	}
	require.Len(t, seen, 5, "a table that is always empty shows nothing: %v", seen)
}

// spread has the filings of each year arrive by themselves. The sample is one load.
func spread(t *testing.T, db *database.DB) {
	t.Helper()
	for _, statement := range []string{
		"DELETE FROM catalog.arrivals",
		`INSERT INTO catalog.arrivals (arrival, known_at, processed_at)
			SELECT row_number() OVER (ORDER BY year), year, year FROM (SELECT DISTINCT date_bin('365 days', filing_date, '2000-01-01') AS year FROM catalog.filings) h`,
		"UPDATE catalog.filings SET arrival = a.arrival FROM catalog.arrivals a WHERE a.known_at = date_bin('365 days', filing_date, '2000-01-01')",
		"UPDATE catalog.funds SET arrival = a.arrival FROM catalog.arrivals a WHERE a.known_at = date_bin('365 days', first_filed_on, '2000-01-01')",
	} {
		alter(t, db, statement)
	}
}

// Guarantee: every row of an activity digest is an event of the feed, its counts are the feed's, and the manager has that name and that
// filing or fund in the answers about it.
func TestDigestAgrees(t *testing.T) {
	t.Parallel()
	db := sampleDB.New(t)
	h := startHouse(t, dbtest.URL(t, db), dbtest.RedisURL(t), "ANONYMOUS_LIMITS=off")
	reader := h.signUp(t, "ada@larkspur.example")
	anybody := caller{t: t, base: h.base} // without limits
	spread(t, db)
	now := time.Now().UTC().Truncate(time.Second)
	alter(t, db, fmt.Sprintf("UPDATE catalog.arrivals SET known_at = '%s'::timestamptz + arrival * interval '1 second'", now.AddDate(0, 0, -60).Format(time.RFC3339)))
	alter(t, db, fmt.Sprintf("UPDATE catalog.arrivals SET known_at = '%s'::timestamptz + arrival * interval '1 second' WHERE arrival > (SELECT max(arrival) - 4 FROM catalog.arrivals)",
		now.AddDate(0, 0, -2).Format(time.RFC3339)))
	alter(t, db, "UPDATE accounts.users SET email_verified_at = now()")
	alter(t, db, `INSERT INTO accounts.watchlist_items (id, user_id, adviser_crd, canonical_gp_id, alert_enabled, created_at)
		SELECT gen_random_uuid(), (SELECT max(id) FROM accounts.users), crd, canonical_gp_id, true, '2026-01-01' FROM catalog.advisers ORDER BY crd LIMIT 100`)
	startJob(t, db, "notifications.daily_digest", jobs.DailyEastern(now))
	var mail struct {
		Filings, Funds int
		GPs            []struct {
			CRD, Name string
			News      []struct {
				Fund bool
				What string
				Day  time.Time
			}
		}
	}
	require.NoError(t, json.Unmarshal(queued(t, db, "activity_digest:%"), &mail))
	require.NotEmpty(t, mail.GPs)
	require.Positive(t, mail.Filings*mail.Funds)

	type event struct {
		crd, what, day string
		fund           bool
	}
	feed, filings := map[event]string{}, 0 // the accession number, or the fund's ID
	for cursor := "known_since=" + now.AddDate(0, 0, -3).Format(time.RFC3339); cursor != ""; {
		got := reader.call(http.MethodGet, "/v1/me/activity?limit=100&"+cursor, "")
		require.Equal(t, http.StatusOK, got.status, got.body)
		var page struct {
			Data []struct {
				Type, CRD string
				EventDate time.Time `json:"event_date"`
				Details   map[string]string
			}
			Meta struct {
				HasMore bool   `json:"has_more"`
				Next    string `json:"next_cursor"`
			}
		}
		require.NoError(t, json.Unmarshal([]byte(got.body), &page))
		for _, e := range page.Data {
			if day := e.EventDate.Format(time.DateOnly); e.Type == "new_fund" {
				feed[event{e.CRD, e.Details["fund_name"], day, true}] = e.Details["fund_id"]
			} else {
				filings++
				feed[event{e.CRD, e.Details["form_type"], day, false}] = e.Details["accession_number"]
			}
		}
		if cursor = ""; page.Meta.HasMore {
			cursor = "cursor=" + page.Meta.Next
		}
	}
	require.Equal(t, filings, mail.Filings)
	for _, told := range mail.GPs {
		require.Equal(t, told.Name, anybody.record("/v1/gps/" + told.CRD)["legal_name"])
		listed := anybody.call(http.MethodGet, "/v1/gps/"+told.CRD+"/filings?limit=100", "")
		for _, n := range told.News {
			key := feed[event{told.CRD, n.What, n.Day.Format(time.DateOnly), n.Fund}]
			require.NotEmpty(t, key, "%s %+v", told.CRD, n)
			if n.Fund {
				fund := anybody.record("/v1/funds/" + key)
				require.Equal(t, []any{n.What, told.CRD, n.Day.Format(time.DateOnly)}, []any{fund["name"], fund["adviser_crd"], fund["first_filing_date"]})
			} else if n.What != "D" && n.What != "D/A" {
				require.Contains(t, listed.body, `"`+key+`"`)
			}
		}
	}
}

func (r mailRow) sameFirm(t *testing.T, gp map[string]any) {
	t.Helper()
	require.Equal(t, r.Name, gp["legal_name"], r)
	require.Equal(t, r.amount(), gp["total_aum"], r)
}

func (r mailRow) sameFund(t *testing.T, fund map[string]any) {
	t.Helper()
	require.Equal(t, r.Name, fund["name"], r)
	require.Equal(t, r.CRD, fund["adviser_crd"], r)
	require.Equal(t, r.amount(), fund["gross_asset_value"], r)
}

// amount is as JSON has it.
func (r mailRow) amount() any {
	if r.Amount < 0 {
		return nil
	}
	return float64(r.Amount)
}

// record asks for a manager or a fund, by the path of its page or of the API.
func (c caller) record(path string) map[string]any {
	c.t.Helper()
	path = "/v1" + strings.TrimPrefix(path, "/v1")
	got := c.call(http.MethodGet, path, "")
	require.Equal(c.t, http.StatusOK, got.status, "%s: %s", path, got.body)
	var a struct{ Data map[string]any }
	require.NoError(c.t, json.Unmarshal([]byte(got.body), &a))
	return a.Data
}

func alter(t *testing.T, db *database.DB, statement string) {
	t.Helper()
	_, err := db.Pool().Exec(t.Context(), statement)
	require.NoError(t, err, statement)
}

// startJob has the worker run a job of a day.
func startJob(t *testing.T, db *database.DB, job, day string) {
	t.Helper()
	require.NoError(t, db.InTx(t.Context(), func(ctx context.Context) error {
		return jobs.NewEnqueuer(db).Enqueue(ctx, jobs.Job{Type: job, Payload: jobs.Bucket{Bucket: day}})
	}))
}

// queued waits for a mail whose key is like a pattern, and gives its data.
func queued(t *testing.T, db *database.DB, key string) (data []byte) {
	t.Helper()
	require.Eventually(t, func() bool {
		rows, err := database.Values[[]byte](t.Context(), db, "", "SELECT data FROM notifications.queue WHERE natural_key LIKE @key", database.Args{"key": key})
		if err != nil || len(rows) == 0 {
			return false
		}
		data = rows[0]
		return true
	}, patience, glance, key)
	return data
}

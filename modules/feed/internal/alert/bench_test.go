package alert_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/modules/feed/internal/alert"
	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
	"gpatlas/platform/testkit/clocktest"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/itertest"
)

// benchDocument has the filings of some advisers, with three funds each.
func benchDocument(edition, advisers int) catalogapi.Document {
	var filings []*catalogapi.AdviserFiling
	var funds []*catalogapi.FundRow
	r := rand.New(rand.NewPCG(uint64(edition), 5))
	words := []string{"Harbor", "Ridge", "Larkspur", "Mossgate", "Quillback", "Thistle", "Kestrel", "Hollow", "Birch", "Calder"}
	for i := range advisers {
		key := strconv.Itoa(edition*100_000 + i + 1)
		filings = append(filings, &catalogapi.AdviserFiling{
			CRD: strconv.Itoa(900_001 + i), Key: key, FilingID: key, FundsListed: true, Submitted: time.Date(2026, 1+time.Month(edition), 3, 0, 0, 0, 0, time.UTC), File: "f", Line: i + 2,
			Statement: catalogapi.Statement{
				LegalName: fmt.Sprintf("%s %s Partners %d LLC", words[i%10], words[i/10%10], i), City: new([]string{"Boston", "Austin", "Denver"}[i%3]), State: new([]string{"MA", "TX", "CO", "NY"}[r.IntN(4)]),
				Country: new("United States"), RAUM: new(r.Int64N(5_000_000_000)), EmployeeCount: new(r.Int64N(300)),
			},
			Basis: catalogapi.Basis{Registration: new("registered")},
		})
		for n := range 3 {
			id := fmt.Sprintf("805-%010d", i*10+n+1)
			funds = append(funds, &catalogapi.FundRow{
				FilingKey: key, ReferenceID: id, FundID: id, Name: fmt.Sprintf("%s Fund %d", words[i%10], n), FundType: []string{"Private Equity Fund", "Hedge Fund", "Venture Capital Fund"}[(i+n)%3],
				GAV: new(r.Int64N(900_000_000)), Country: "United States", State: "Delaware", File: "g", Line: i + 2,
			})
		}
	}
	return catalogapi.Document{Name: "bench", Source: catalogapi.SourceADVArchive, Filings: itertest.Rows(filings...), Funds: itertest.Rows(funds...)}
}

// benchSearches are random filters, 60,000 different ones among 100,000.
func benchSearches() (list []string) {
	r := rand.New(rand.NewPCG(29, 6))
	for i := range 60_000 {
		filters := map[string]any{"min_aum": 4_000_000_000 + 10_000*i} // one adviser in ten, and fewer
		for range 1 + r.IntN(3) {
			switch r.IntN(7) {
			case 0:
				filters["state"] = []string{"TX", "MA,NY", "CO"}[r.IntN(3)]
			case 1:
				filters["strategy"] = []string{"buyout,growth", "hedge", "VC"}[r.IntN(3)]
			case 2:
				filters["fund_size_min"] = 1_000_000 * (1 + r.IntN(900))
			case 3:
				filters["q"] = []string{"harbor", "larkspur hollow", "kestrel", "ridge partners"}[r.IntN(4)]
			case 4:
				filters["min_employees"] = r.IntN(200)
			case 5:
				filters["vintage_min"] = 2000 + r.IntN(26)
			case 6:
				filters["exclude_city"] = "Boston"
			}
		}
		encoded, _ := json.Marshal(filters)
		list = append(list, string(encoded))
	}
	return append(list, list[:40_000]...)
}

// BenchmarkLook is a look for news after a load that changed 1,000 of 4,000 advisers, for 100,000 alerts on 60,000 different searches.
func BenchmarkLook(b *testing.B) {
	db, clk := dbtest.New(b), clocktest.At("2026-11-28T09:00:00Z")
	loader, differ := catalogtest.NewLoader(db, clk), catalogtest.NewDiffer(db, clk)
	opts := catalogapi.LoadOptions{RunID: 1, Reject: func(r catalogapi.Rejected) { b.Log(r.Reason) }}
	_, err := loader.LoadDocument(b.Context(), benchDocument(0, 4000), opts)
	require.NoError(b, err)
	s := alert.NewService(db, clk, nil, differ, jobs.NewEnqueuer(db), false)
	_, err = s.Look(b.Context())
	require.NoError(b, err)
	for _, statement := range []string{
		`INSERT INTO accounts.users (email, email_key, password_hash, full_name, tier, subscription_plan, api_tier, created_at, updated_at, email_verified_at)
			SELECT n || '@larkspur.example', n || '@larkspur.example', 'x', 'Ada', 'free_trial', 'enterprise', 'starter', now(), now(), now() FROM generate_series(1, 1000) n`,
		`INSERT INTO accounts.saved_searches (id, user_id, name, filters, created_at, updated_at)
			SELECT gen_random_uuid(), (SELECT min(id) FROM accounts.users) + n % 1000, 'x', f::jsonb, now(), now() FROM unnest(@filters::text[]) WITH ORDINALITY AS u(f, n)`,
		`INSERT INTO feed.alerts (search_id, user_id, tells, fields, mail, webhooks, state, hash, since, mailed, created_at, updated_at)
			SELECT id, user_id, CASE WHEN get_byte(decode(hash, 'hex'), 0) < 64 THEN '{entered,left,changed}' ELSE '{entered,left}' END::text[], '{}', 'weekly', '{}', 'active', hash, 1, 1, now(), now() FROM accounts.pub_saved_search`,
		"ANALYZE",
	} {
		_, err := database.Run(b.Context(), db, "prepare", statement, database.Args{"filters": benchSearches()})
		require.NoError(b, err)
	}
	for edition := 1; b.Loop(); edition++ {
		b.StopTimer()
		_, err := loader.LoadDocument(b.Context(), benchDocument(edition, 1000), opts)
		require.NoError(b, err)
		_, err = database.Run(b.Context(), db, "forget", "TRUNCATE feed.matches", nil)
		require.NoError(b, err)
		begun := cpu()
		b.StartTimer()
		_, err = s.Look(context.WithoutCancel(b.Context()))
		require.NoError(b, err)
		b.ReportMetric((cpu() - begun).Seconds(), "cpu-s")
	}
	n, err := database.Values[float64](b.Context(), db, "count", "SELECT count(*)::float8 FROM feed.matches", nil)
	require.NoError(b, err)
	b.ReportMetric(n[0], "matches")
}

// cpu is the time that this process has computed, without PostgreSQL.
func cpu() time.Duration {
	var used syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &used) // it cannot fail
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

package bench_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

const (
	moneyPayers = 270 // accounts with one key each
	moneyTurns  = 4   // of the two services in one round, where a difference of some percent counts
)

// till is two web processes over one database: that of this tree, and that of the commit before there was billing, which
// answers the same requests free of charge.
type till struct {
	now, before       string // addresses
	databaseURL       string
	hot               []string // keys of one account
	payers            []string // keys, each of an account of its own
	aggregate, search [][]byte
	metrics           [][]byte
}

// measureMoney measures what a charge costs: alone, and in an answer.
func measureMoney(ctx context.Context, b *testing.B, r *report, binary string, data filled) {
	b.Helper()
	measureCharge(ctx, b, r)
	s, _ := serve(ctx, b, binary, data)
	defer s.end()
	commit, earlier, err := buildBeforeBilling(ctx, b)
	if err != nil {
		require.NoError(b, ctx.Err())
		for _, line := range []struct{ key, what string }{
			{keyCharged, chargedRow}, {keyMetricsCharged, metricsRow}, {keyRefused, refusedRow}, {keyFreePath, freeRow}, {keyHot, hotRow}, {keyHotP99, hotP99Row},
		} {
			r.miss(line.key, line.what, "no build without billing: "+lastLine(err.Error()))
		}
		return
	}
	say("  without billing: commit %s", commit)
	c := &till{databaseURL: s.databaseURL}
	c.prepare(ctx, b, s)
	c.now, c.before = startWeb(ctx, b, binary, data.data), startWeb(ctx, b, earlier, data.data)
	c.measure(ctx, b, r)
}

// measureCharge runs the ledger's own benchmark, on a PostgreSQL that writes to the disk.
func measureCharge(ctx context.Context, b *testing.B, r *report) {
	b.Helper()
	const what = "charge alone against a bare insert into the ledger, p50"
	found, err := goBench(ctx, "./modules/billing/internal/ledger", "^BenchmarkCharge$", "-benchtime", "500x", "-count", strconv.Itoa(*roundsFlag))
	require.NoError(b, err)
	ratio := found.rounds("BenchmarkCharge", "x-insert", 1)
	if len(ratio) == 0 {
		r.miss(keyCharge, what, "BenchmarkCharge gives no x-insert")
		return
	}
	r.measure(keyCharge, what, "times", ratio, fmt.Sprintf("%s ms against %s ms; fsync on",
		figure(median(found.rounds("BenchmarkCharge", "p50-charge-ms", 1))), figure(median(found.rounds("BenchmarkCharge", "p50-insert-ms", 1)))))
}

// prepare makes the accounts, and the questions that have an answer to charge for.
func (c *till) prepare(ctx context.Context, b *testing.B, s *served) {
	b.Helper()
	keys := makeKeys(ctx, b, s, "live")
	c.payers, c.hot = keys[:moneyPayers], keys[moneyPayers:]
	conn, err := pgx.Connect(ctx, s.databaseURL)
	require.NoError(b, err)
	defer func() { require.NoError(b, conn.Close(context.WithoutCancel(ctx))) }()
	_, err = conn.Exec(ctx, shareOut, moneyPayers)
	require.NoError(b, err)
	drawn, err := drawRecords(ctx, s.databaseURL)
	require.NoError(b, err)
	analyses := analyses(drawn)
	c.aggregate, c.metrics = sold(ctx, b, s.addr, &analyses[1]), sold(ctx, b, s.addr, &analyses[2])
	c.search = sold(ctx, b, s.addr, &operations(drawn)[0])
}

// shareOut gives each of the first keys an account of its own, and all others one together. Keys were made in the order of their
// names and accounts.
const shareOut = `WITH copied AS (
	INSERT INTO accounts.users (email, email_key, full_name, password_hash, tier, subscription_plan, api_tier, email_verified_at, created_at, updated_at)
	SELECT 'payer' || n || '@larkspur.example', 'payer' || n || '@larkspur.example', full_name, password_hash, tier, subscription_plan, api_tier, now(), now(), now()
	FROM accounts.users, generate_series(1, $1::int + 1) n WHERE email_key = 'bench0@larkspur.example'
	RETURNING id
), numbered AS (SELECT id, row_number() OVER (ORDER BY id) AS n FROM copied),
keys AS (SELECT k.id, row_number() OVER (ORDER BY k.user_id, k.name::int) AS n FROM keys.api_keys k WHERE k.name ~ '^[0-9]+$')
UPDATE keys.api_keys SET user_id = numbered.id FROM keys, numbered WHERE keys.id = api_keys.id AND numbered.n = least(keys.n, $1::int + 1)`

// sold asks an operation's questions, and keeps those whose answer has something in it: nothing is charged for others.
func sold(ctx context.Context, b *testing.B, addr string, op *operation) (kept [][]byte) {
	b.Helper()
	for i := range op.questions {
		q := &op.questions[i]
		status, body, err := get(ctx, addr, q.url())
		require.NoError(b, err)
		require.Equal(b, http.StatusOK, status, q.url())
		var a answer
		require.NoError(b, json.Unmarshal(body, &a))
		if a.rows() > 0 {
			kept = append(kept, request(q.url()))
		}
	}
	require.NotEmpty(b, kept, op.name)
	return kept
}

// by has questions asked with keys, one after another.
func by(keys []string, questions [][]byte) (list [][]byte) {
	for i := range max(len(keys), len(questions)) {
		q := questions[i%len(questions)]
		list = append(list, bytes.Replace(q, headEnd, []byte("\r\nAuthorization: Bearer "+keys[i%len(keys)]+"\r\n\r\n"), 1))
	}
	return list
}

const (
	chargedRow = "aggregate over HTTP, charged, against free with a key"
	metricsRow = "metrics over HTTP, charged, against free with a key"
	refusedRow = "aggregate refused by the spending cap, against free with a key"
	freeRow    = "GP search with a key, against a build without billing"
	hotRow     = "charged aggregates a second of one account"
	hotP99Row  = "charged aggregates of one account, p99"
)

func (c *till) measure(ctx context.Context, b *testing.B, r *report) {
	b.Helper()
	drive := func(addr string, requests [][]byte, slot time.Duration, status int) load {
		all, err := gather(ctx, addr) // a connection that nobody uses meanwhile would be closed
		require.NoError(b, err)
		defer all.close()
		l, err := all.driveTo(ctx, requests, slot, status)
		require.NoError(b, err)
		return l
	}
	// compare measures both in turn, some times in each round, and says the ratio of the rates.
	compare := func(key, what string, requests [][]byte, turns, status int) {
		slot := *slotFlag / time.Duration(turns)
		drive(c.before, requests, *slotFlag/2, http.StatusOK)
		drive(c.now, requests, *slotFlag/2, status)
		var share, with, without, p99 []float64
		for range *roundsFlag {
			var have, free float64
			var slow []float64
			for turn := range turns {
				for side := range 2 {
					if (turn+side)%2 == 0 {
						l := drive(c.now, requests, slot, status)
						have, slow = have+l.rate/float64(turns), append(slow, milliseconds(l.p99))
					} else {
						free += drive(c.before, requests, slot, http.StatusOK).rate / float64(turns)
					}
				}
			}
			share, with, without, p99 = append(share, have/free), append(with, have), append(without, free), append(p99, median(slow))
		}
		r.measure(key, what, "", share, fmt.Sprintf("%s against %s a second, p99 %s ms; %d accounts", figure(median(with)), figure(median(without)), figure(median(p99)), len(c.payers)))
	}
	compare(keyFreePath, freeRow, by(c.payers, c.search), moneyTurns, http.StatusOK)
	compare(keyCharged, chargedRow, by(c.payers, c.aggregate), 1, http.StatusOK)
	compare(keyMetricsCharged, metricsRow, by(c.payers, c.metrics), 1, http.StatusOK)
	var rate, p99 []float64
	hot := by(c.hot, c.aggregate)
	drive(c.now, hot, *slotFlag/2, http.StatusOK)
	for range *roundsFlag {
		l := drive(c.now, hot, *slotFlag, http.StatusOK)
		rate, p99 = append(rate, l.rate), append(p99, milliseconds(l.p99))
	}
	r.measure(keyHot, hotRow, "a second", rate, fmt.Sprintf("%d keys; fsync on", len(c.hot)))
	r.measure(keyHotP99, hotP99Row, "ms", p99, "")
	c.capAll(ctx, b)
	compare(keyRefused, refusedRow, by(c.payers, c.aggregate), 1, http.StatusPaymentRequired)
}

// capAll has every account's spending cap reached, and waits until the service has noticed.
func (c *till) capAll(ctx context.Context, b *testing.B) {
	b.Helper()
	conn, err := pgx.Connect(ctx, c.databaseURL)
	require.NoError(b, err)
	defer func() { require.NoError(b, conn.Close(context.WithoutCancel(ctx))) }()
	_, err = conn.Exec(ctx, "UPDATE billing.accounts SET cap_micros = 0")
	require.NoError(b, err)
	one, err := dial(ctx, c.now)
	require.NoError(b, err)
	defer one.close()
	for _, q := range by(c.payers, c.aggregate[:1]) {
		require.Eventually(b, func() bool {
			status, _, err := one.ask(q)
			return err == nil && status == http.StatusPaymentRequired
		}, 10*time.Second, 10*time.Millisecond)
	}
}

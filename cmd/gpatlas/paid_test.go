package main

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/charge"
	"gpatlas/platform/database"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/testkit/dbtest"
)

// shop is the sample's database, from which web processes sell. Their clocks are ahead of the machine's by what the file says,
// so that no test sees the end of a month.
type shop struct {
	t         *testing.T
	db        *database.DB
	url       string // which the processes are told
	redis     string
	jwt, file string
}

func openShop(t *testing.T) *shop {
	t.Helper()
	db := sampleDB.New(t)
	s := &shop{
		t: t, db: db, url: dbtest.URL(t, db), redis: dbtest.RedisURL(t),
		jwt: "k1:" + strings.Repeat("QUJD", 11), file: filepath.Join(t.TempDir(), "ahead"),
	}
	now := time.Now().UTC()
	if soon := now.Add(time.Hour); soon.Month() != now.Month() {
		s.ahead(2 * time.Hour)
	}
	return s
}

// ahead sets the clocks of all processes ahead.
func (s *shop) ahead(by time.Duration) {
	s.t.Helper()
	f, err := os.OpenFile(s.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	require.NoError(s.t, err)
	_, err = f.WriteString(strconv.Itoa(int(by.Seconds())) + "\n")
	require.NoError(s.t, err)
	require.NoError(s.t, f.Close())
}

// web starts a web process. It is killed when the test ends.
func (s *shop) web(env ...string) *house {
	s.t.Helper()
	addr := freePort(s.t)
	cmd, out := gpatlas(s.t, "web", "--addr", addr)
	cmd.Args[0] = "gpatlas-ahead"
	cmd.Env = append(append(cmd.Env, "AHEAD="+s.file, "DATABASE_URL="+s.url, "REDIS_URL="+s.redis, "ACCOUNTS_JWT_KEYS="+s.jwt, "WEB_INTERNAL_ADDR=127.0.0.1:0", "ANONYMOUS_LIMITS=off"), env...)
	require.NoError(s.t, cmd.Start())
	s.t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		require.NotContains(s.t, out.String(), "WARNING: DATA RACE")
	})
	h := &house{base: "http://" + addr, password: "three herons cross the pond", cmd: cmd, out: out}
	nobody := caller{t: s.t, base: h.base}
	require.Eventually(s.t, func() bool {
		a, err := nobody.ask("GET", "/v1/gps?per_page=1", "")
		return err == nil && a.status == http.StatusOK
	}, patience, glance, out)
	return h
}

// payer is an account with a number of keys that are limited as little as a key can be.
type payer struct {
	shop *shop
	id   int64
	keys []string
	turn atomic.Int64
}

// sellTo makes an account, without a spending cap.
func (s *shop) sellTo(h *house, email, mode string, keys int) *payer {
	s.t.Helper()
	a := h.signUp(s.t, email)
	p := &payer{shop: s}
	require.NoError(s.t, s.db.Pool().QueryRow(s.t.Context(), `UPDATE accounts.users
		SET email_verified_at = now(), api_tier = 'scale', subscription_plan = 'enterprise', trial_ends_at = NULL WHERE email_key = $1 RETURNING id`, email).Scan(&p.id))
	for n := range keys {
		made := a.call("POST", "/v1/api-keys", `{"name":"`+strconv.Itoa(n)+`","tier":"scale","mode":"`+mode+`"}`)
		require.Equal(s.t, http.StatusCreated, made.status, made.body)
		p.keys = append(p.keys, text(s.t, made.body, "key"))
	}
	return p
}

// setCap sets the spending cap, as another process does.
func (p *payer) setCap(micros int64) {
	p.shop.t.Helper()
	_, err := p.shop.db.Pool().Exec(p.shop.t.Context(), `INSERT INTO billing.accounts (user_id, period, cap_micros)
		VALUES ($1, date_trunc('month', now() AT TIME ZONE 'UTC'), $2) ON CONFLICT (user_id) DO UPDATE SET cap_micros = $2`, p.id, micros)
	require.NoError(p.shop.t, err)
}

// buy sends a request that is recognized in the ledger by its id, with one key after another. It reads the whole answer.
func (p *payer) buy(base, path, id, idempotencyKey string) (answer, error) {
	req, err := http.NewRequestWithContext(p.shop.t.Context(), http.MethodGet, base+path, http.NoBody)
	if err != nil {
		return answer{}, err
	}
	req.Close = true // a request on a kept connection that breaks would be sent again by the client itself
	req.Header.Set("Authorization", "Bearer "+p.keys[int(p.turn.Add(1))%len(p.keys)])
	req.Header.Set("X-Request-ID", id)
	if idempotencyKey != "" {
		req.Header.Set(httpapi.HeaderKey, idempotencyKey)
	}
	res, err := (&http.Client{Timeout: patience}).Do(req)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = res.Body.Close() }()
	b, err := io.ReadAll(res.Body)
	return answer{res.StatusCode, res.Header, string(b)}, err
}

// paid is what an answer says that it cost, in micro-dollars.
func paid(t *testing.T, a answer) int64 {
	t.Helper()
	dollars, err := strconv.ParseFloat(a.header.Get("X-Charge"), 64)
	require.NoError(t, err, "%d %s", a.status, a.body)
	micros := int64(dollars*1e6 + 0.5)
	require.Equal(t, charge.Dollars(micros), a.header.Get("X-Charge"))
	return micros
}

// code is that of a refusal.
func code(t *testing.T, a answer) string {
	t.Helper()
	var said struct{ Code string }
	require.NoError(t, json.Unmarshal([]byte(a.body), &said), a.body)
	return said.Code
}

// entry is a row of the ledger.
type entry struct {
	Request string
	Amount  int64
	Mode    string
}

// ledger is what an account was charged for, in order.
func (p *payer) ledger() (list []entry) {
	p.shop.t.Helper()
	rows, err := p.shop.db.Pool().Query(p.shop.t.Context(), "SELECT request_id, amount_micros, mode FROM billing.charges WHERE user_id = $1 ORDER BY id", p.id)
	require.NoError(p.shop.t, err)
	defer rows.Close()
	for rows.Next() {
		var e entry
		require.NoError(p.shop.t, rows.Scan(&e.Request, &e.Amount, &e.Mode))
		list = append(list, e)
	}
	require.NoError(p.shop.t, rows.Err())
	return list
}

// number is what a statement about the account gives.
func (p *payer) number(statement string) (n int64) {
	p.shop.t.Helper()
	require.NoError(p.shop.t, p.shop.db.Pool().QueryRow(p.shop.t.Context(), statement, p.id).Scan(&n))
	return n
}

// spent is what the account is said to have spent this month, which must be the sum of its ledger.
func (p *payer) spent() int64 {
	p.shop.t.Helper()
	micros := p.number("SELECT coalesce(sum(spent_micros), 0)::bigint FROM billing.accounts WHERE user_id = $1")
	var sum int64
	for _, e := range p.ledger() {
		sum += e.Amount
	}
	require.Equal(p.shop.t, sum, micros)
	return micros
}

// audit runs `gpatlas billing verify`, which must find no fault.
func (s *shop) audit() {
	s.t.Helper()
	cmd, out := gpatlas(s.t, "billing", "verify")
	cmd.Env = append(cmd.Env, "DATABASE_URL="+dbtest.URL(s.t, s.db))
	require.NoError(s.t, cmd.Run(), out)
}

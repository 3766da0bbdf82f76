package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/fx"

	"gpatlas/platform/auth"
	"gpatlas/platform/charge"
	"gpatlas/platform/clock"
	"gpatlas/platform/config"
	"gpatlas/platform/database"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
	"gpatlas/platform/telemetry"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/httpapitest"
)

// books are what the ledger holds: how many charges, and what all accounts have spent.
type books struct{ Charges, Spent int64 }

func readBooks(t *testing.T, db *database.DB) (b books) {
	t.Helper()
	require.NoError(t, db.From(t.Context()).Raw(`SELECT (SELECT count(*) FROM billing.charges) AS charges,
		(SELECT coalesce(sum(spent_micros), 0) FROM billing.accounts) AS spent`).Scan(&b).Error)
	return b
}

// withoutLedger makes the ledger unavailable while do runs.
func withoutLedger(t *testing.T, db *database.DB, do func()) {
	t.Helper()
	require.NoError(t, db.From(t.Context()).Exec("ALTER TABLE billing.accounts RENAME TO accounts_away").Error)
	do()
	require.NoError(t, db.From(t.Context()).Exec("ALTER TABLE billing.accounts_away RENAME TO accounts").Error)
}

// costOf is what an answer says that it cost, in micro-dollars.
func costOf(t *testing.T, got answer) int64 {
	t.Helper()
	dollars, err := strconv.ParseFloat(got.header.Get("X-Charge"), 64)
	require.NoError(t, err, "%d %s", got.status, got.body)
	return int64(dollars*1e6 + 0.5)
}

// with is a request with one more parameter.
func (q asked) with(parameter string) asked {
	q.path += map[bool]string{true: "&", false: "?"}[strings.Contains(q.path, "?")] + parameter
	return q
}

// payer is who pays for an operation.
func (s *survey) payer(r httpapi.Route) *guest {
	switch {
	case r.Access == httpapi.Admin:
		return s.guest("administrator")
	case r.Access == httpapi.Login && !r.KeyToo:
		return s.guest("session")
	default:
		return s.guest("live key")
	}
}

// Guarantee: every operation with a price charges its good answers and nothing else. Whatever is refused, fails, is unchanged,
// is asked by HEAD or for a quote, or cannot be recorded leaves no row and no cent in the ledger; and there are as many rows as
// there were answers that said that they cost something.
func TestPricedOperationsChargeGoodAnswersAlone(t *testing.T) {
	t.Parallel()
	s := newSurvey(t)
	var want books
	sold, unchanged, priced := 0, 0, 0
	for _, r := range s.routes {
		if r.ChargeMicros == 0 {
			continue
		}
		priced++
		s.exec("DELETE FROM billing.entitlements") // what an operation before has sold costs nothing more
		s.exec("DELETE FROM billing.places")
		id, payer := r.Operation.OperationID, s.payer(r)
		free := func(q asked, status int, what string) answer {
			t.Helper()
			got := s.ask(q)
			require.Equal(t, status, got.status, "%s, %s: %s", id, what, got.body)
			require.Equal(t, "0.00", got.header.Get("X-Charge"), "%s, %s", id, what)
			require.Equal(t, want, readBooks(t, s.db), "%s, %s", id, what)
			return got
		}
		good := func() asked { return s.valid(r, payer) }
		unframed := func(q asked, what string) answer { // what no operation documents, or has no body
			t.Helper()
			got, err := s.send(q)
			require.NoError(t, err)
			require.Equal(t, want, readBooks(t, s.db), "%s, %s", id, what)
			return got
		}
		free(good().with("verbos=1"), http.StatusBadRequest, "an unknown parameter")
		free(good().with("max_charge=-1"), http.StatusBadRequest, "a bad parameter")
		free(s.valid(r, s.guest("wrong credential")), http.StatusUnauthorized, "a wrong credential")
		if strings.Contains(r.Operation.Path, "{") {
			q := good()
			_, query, _ := strings.Cut(q.path, "?")
			q.path = inPathOf(r.Operation.Path, orNone(map[string]string{"crd": "999999999", "fund_id": "805-9999999999", "lp_id": "999999999", "person_uid": "per_aaaaaaaaaaaaaaaa"})) + "?" + query
			got := s.ask(q)
			require.Contains(t, []int{http.StatusNotFound, http.StatusBadRequest}, got.status, "%s: %s", id, got.body)
			require.Equal(t, "0.00", got.header.Get("X-Charge"), "%s, not found", id)
			require.Equal(t, want, readBooks(t, s.db), "%s, not found", id)
		}
		other := good()
		other.method = http.MethodPut
		verb := unframed(other, "another verb")
		require.Equal(t, http.StatusMethodNotAllowed, verb.status, id)
		require.Empty(t, verb.header.Get("X-Charge"), "%s: no operation has that verb", id)
		free(good().with("quote=true"), http.StatusOK, "a quote")
		limited := s.valid(r, s.guest("starter key")).with("quote=true")
		if r.Access != httpapi.Login || r.KeyToo {
			var got answer
			for range 30 {
				if got = s.once(limited); got.status == http.StatusTooManyRequests {
					break
				}
			}
			require.Equal(t, http.StatusTooManyRequests, got.status, id)
			require.Equal(t, "0.00", got.header.Get("X-Charge"), "%s, too many requests", id)
			require.Equal(t, want, readBooks(t, s.db), "%s, too many requests", id)
		}

		estimate := ""
		if r.Operation.Method == http.MethodGet {
			head := good()
			head.method = http.MethodHead
			got := unframed(head, "HEAD")
			require.Equal(t, http.StatusOK, got.status, id)
			require.Equal(t, "0.00", got.header.Get("X-Charge"), id)
			estimate = got.header.Get("X-Charge-Estimate")
			require.NotEmpty(t, estimate, id)
		}
		if estimate != "0.00" {
			free(good().with("max_charge=0"), http.StatusPaymentRequired, "more than max_charge")
			withoutLedger(t, s.db, func() {
				got := s.ask(good())
				require.Equal(t, http.StatusServiceUnavailable, got.status, "%s without a ledger: %s", id, got.body)
				require.Equal(t, "0.00", got.header.Get("X-Charge"), "%s without a ledger", id)
			})
			require.Equal(t, want, readBooks(t, s.db), "%s without a ledger", id)
		}

		got := s.ask(good())
		require.Equal(t, 2, got.status/100, "%s: %s", id, got.body)
		cost := costOf(t, got)
		if estimate != "" {
			require.Equal(t, estimate, got.header.Get("X-Charge"), "%s: HEAD said what GET would cost", id)
		}
		if cost > 0 {
			sold++
			want.Charges, want.Spent = want.Charges+1, want.Spent+cost
		}
		require.Equal(t, want, readBooks(t, s.db), "%s, sold", id)
		if tag := got.header.Get("ETag"); tag != "" {
			held := good()
			held.header = http.Header{"If-None-Match": {tag}}
			free(held, http.StatusNotModified, "unchanged")
			unchanged++
		}
	}
	require.Empty(t, s.faults)
	require.GreaterOrEqual(t, priced, 8)
	require.GreaterOrEqual(t, sold, 8)
	require.GreaterOrEqual(t, unchanged, 4)
	t.Logf("%d operations with a price, %d of them sold, %d unchanged; spent $%s", priced, sold, unchanged, charge.Dollars(want.Spent))
}

// sellable is the answer of stand-ins.
type sellable struct {
	Word string `json:"word"`
}

// ledgerOver is the service's own meter.
func ledgerOver(t *testing.T, db *database.DB) (meter charge.Meter) {
	t.Helper()
	var s settings
	_ = config.Load(nil, &s) // the defaults
	pt := parts{
		process: module.Process{Name: "test", Web: true}, settings: s, clock: clock.System{}, log: slog.New(slog.DiscardHandler), db: db, tracing: telemetry.NoTracing(),
	}
	require.NoError(t, fx.New(compose(pt), fx.Populate(&meter)).Err())
	return meter
}

// Guarantee: what holds for the answers of today's handlers holds for every handler behind an operation with a price: a panic,
// a failure and an empty answer are not charged, nor is one that cannot be recorded; a good one is, once.
func TestWhateverAPricedHandlerDoes(t *testing.T) {
	t.Parallel()
	app, err := describe()
	require.NoError(t, err)
	db := dbtest.New(t)
	meter := ledgerOver(t, db)
	as := &auth.Principal{Kind: auth.Session, UserID: 7, SessionID: "sess_priced"}
	var want books
	n := 0
	for _, r := range app.API.Routes() {
		if r.ChargeMicros == 0 {
			continue
		}
		n++
		var do func() (*httpapi.Reply[sellable], error)
		options := []httpapi.Option{httpapi.Charge(r.ChargeMicros, r.Per), httpapi.Sells(r.Product), httpapi.Bulk(r.BulkMicros), httpapi.Success(r.Operation.DefaultStatus)}
		if r.Unlock {
			options = append(options, httpapi.Unlock())
		}
		handler := func(context.Context, *struct{}) (*httpapi.Reply[sellable], error) { return do() }
		path := inPathOf(r.Operation.Path, func(string) string { return "1" })
		standIn := httpapi.Get(r.Operation.Path, r.Operation.OperationID, handler, options...)
		if r.Operation.Method == http.MethodPost {
			standIn = httpapi.Post(r.Operation.Path, r.Operation.OperationID, handler, options...)
		}
		h := httpapitest.NewMetered(t, meter, standIn)
		answers := func(status int, what string, reply func() (*httpapi.Reply[sellable], error)) {
			t.Helper()
			do = reply
			h.Do(t, httpapitest.Scenario{Method: r.Operation.Method, Path: path, As: as, Status: status})
			require.Equal(t, want, readBooks(t, db), "%s, %s", r.Operation.OperationID, what)
		}
		good := func() (*httpapi.Reply[sellable], error) {
			reply := &httpapi.Reply[sellable]{Body: sellable{"a"}}
			if r.Product != "" {
				reply.Units = []string{r.Operation.OperationID} // nobody has bought it
			}
			return reply, nil
		}
		answers(http.StatusInternalServerError, "panic", func() (*httpapi.Reply[sellable], error) { panic("a handler panics") })
		answers(http.StatusInternalServerError, "failure", func() (*httpapi.Reply[sellable], error) { return nil, fmt.Errorf("a handler fails") })
		answers(r.Operation.DefaultStatus, "empty", func() (*httpapi.Reply[sellable], error) {
			return &httpapi.Reply[sellable]{Free: true}, nil
		})
		if r.Per == charge.PerPerson {
			answers(r.Operation.DefaultStatus, "nobody", func() (*httpapi.Reply[sellable], error) { return &httpapi.Reply[sellable]{}, nil })
		}
		do = good
		withoutLedger(t, db, func() {
			h.Do(t, httpapitest.Scenario{Method: r.Operation.Method, Path: path, As: as, Status: http.StatusServiceUnavailable})
		})
		require.Equal(t, want, readBooks(t, db), "%s without a ledger", r.Operation.OperationID)
		want.Charges, want.Spent = want.Charges+1, want.Spent+r.ChargeMicros
		answers(r.Operation.DefaultStatus, "good", good)
	}
	require.GreaterOrEqual(t, n, 8)
}

// Guarantee: a lost answer costs nothing twice. The same request with its Idempotency-Key is charged once within a day, however
// often and however many at once; the key of another request is refused.
func TestAPaidAnswerThatWasLost(t *testing.T) {
	t.Parallel()
	db := sampleDB.New(t)
	h := startHouse(t, dbtest.URL(t, db), dbtest.RedisURL(t), "ANONYMOUS_LIMITS=off")
	ada := h.signUp(t, "ada@larkspur.example")
	h.verify(t, ada)
	const path, micros = "/v1/gps/" + shownGP + "/metrics", 150_000
	want := books{}
	paid := func(path, key, cost, replayed string) {
		t.Helper()
		got := ada.callKeyed(http.MethodGet, path, "", key)
		require.Equal(t, http.StatusOK, got.status, got.body)
		require.Equal(t, []string{cost, replayed}, []string{got.header.Get("X-Charge"), got.header.Get(httpapi.HeaderReplayed)})
		if cost != "0.00" {
			want.Charges, want.Spent = want.Charges+1, want.Spent+micros
		}
		require.Equal(t, want, readBooks(t, db))
	}
	paid(path, "lost", "0.15", "") // nobody reads this answer
	paid(path, "lost", "0.00", "true")
	paid(path, "lost", "0.00", "true")
	require.Equal(t, http.StatusUnprocessableEntity, ada.callKeyed(http.MethodGet, path+"?max_charge=1", "", "lost").status)
	got := ada.callKeyed(http.MethodGet, path+"?quote=true", "", "lost")
	require.Equal(t, http.StatusOK, got.status, "a quote has no key")
	require.Empty(t, got.header.Get(httpapi.HeaderReplayed))
	require.Equal(t, want, readBooks(t, db))

	var wait sync.WaitGroup
	var first, again, running atomic.Int64
	for range 50 {
		wait.Go(func() {
			got, err := ada.askKeyed(http.MethodGet, path, "", "fifty")
			switch {
			case err != nil:
				t.Error(err)
			case got.status == http.StatusConflict && got.header.Get("Retry-After") != "":
				running.Add(1)
			case got.status == http.StatusOK && got.header.Get("X-Charge") == "0.15":
				first.Add(1)
			case got.status == http.StatusOK && got.header.Get("X-Charge") == "0.00":
				again.Add(1)
			default:
				t.Errorf("%d %v %s", got.status, got.header, got.body)
			}
		})
	}
	wait.Wait()
	require.EqualValues(t, 1, first.Load())
	require.EqualValues(t, 49, again.Load()+running.Load())
	want.Charges, want.Spent = want.Charges+1, want.Spent+micros
	require.Equal(t, want, readBooks(t, db))

	aged := func(age string) {
		done := db.From(t.Context()).Exec("UPDATE platform.idempotency SET created_at = now() - ?::interval", age)
		require.NoError(t, done.Error)
		require.NotZero(t, done.RowsAffected)
	}
	aged("23 hours 59 minutes")
	paid(path, "lost", "0.00", "true")
	aged("24 hours 1 minute")
	paid(path, "lost", "0.15", "")
}

package sending_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	standard "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/feed/internal/changefeed"
	"gpatlas/modules/feed/internal/sending"
	"gpatlas/modules/feed/internal/signing"
	"gpatlas/modules/feed/internal/webhook"
	"gpatlas/platform/changes"
	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
	"gpatlas/platform/outbound"
	"gpatlas/platform/seal"
	"gpatlas/platform/testkit/clocktest"
	"gpatlas/platform/testkit/dbtest"
)

const start = "2026-11-20T09:30:00Z"

// bench is a worker with an account, Ada's, and a receiver.
type bench struct {
	*sending.Service
	hooks *webhook.Service
	db    *database.DB
	clock *clocktest.Clock
	ada   int64
}

func newBench(tb testing.TB) *bench {
	tb.Helper()
	b := &bench{db: dbtest.New(tb), clock: clocktest.At(start)}
	b.ada = b.account(tb, "ada@larkspur.example", "free")
	b.worker()
	return b
}

// worker replaces the service by a new one, which remembers nothing about endpoints.
func (b *bench) worker() {
	hub := changes.NewHub(b.db, slog.New(slog.DiscardHandler))
	b.Service = sending.New(sending.Deps{
		DB: b.db, Hub: hub, Feed: changefeed.NewService(b.db, hub, b.clock, 0), Out: outbound.New(outbound.Config{AllowHTTP: true}),
		Vault: signing.Vault{Secrets: seal.Secrets{[]byte(strings.Repeat("s", 32))}}, Queue: jobs.NewEnqueuer(b.db), Clock: b.clock, Log: slog.New(slog.DiscardHandler),
	})
	b.hooks = webhook.NewService(b.Service)
}

func (b *bench) account(tb testing.TB, email, plan string) int64 {
	tb.Helper()
	const statement = `INSERT INTO accounts.users (email, email_key, password_hash, full_name, tier, subscription_plan, api_tier, created_at, updated_at, email_verified_at)
		VALUES (@email, @email, 'x', 'Ada Larkspur', 'free_trial', @plan, 'starter', now(), now(), now()) RETURNING id`
	ids, err := database.Values[int64](tb.Context(), b.db, "add an account", statement, database.Args{"email": email, "plan": plan})
	require.NoError(tb, err)
	return ids[0]
}

func (b *bench) run(t *testing.T, statement string, args database.Args) {
	t.Helper()
	_, err := database.Run(t.Context(), b.db, "prepare", statement, args)
	require.NoError(t, err)
}

func (b *bench) value(t *testing.T, statement string) string {
	t.Helper()
	list, err := database.Values[string](t.Context(), b.db, "look", statement, nil)
	require.NoError(t, err)
	return strings.Join(list, " ")
}

// add publishes events, all at once.
func (b *bench) add(tb testing.TB, events ...changes.Event) {
	tb.Helper()
	require.NoError(tb, b.db.InTx(tb.Context(), func(ctx context.Context) error { return changes.Append(ctx, b.db, events) }))
}

// change is an event of a GP.
func change(crd int) changes.Event {
	return changes.Event{Kind: "aum_change", CRD: strconv.Itoa(crd), Said: json.RawMessage(
		`{"gp_name": "Harbor Ridge Capital Partners LLC", "reason": "filing", "changed": [{"field": "total_aum", "before": 2300000000, "after": 2500000000}]}`)}
}

func several(n int) (list []changes.Event) {
	for i := range n {
		list = append(list, change(900001+i))
	}
	return list
}

// endpoint makes an endpoint of an account.
func (b *bench) endpoint(tb testing.TB, user int64, url string, set ...func(*webhook.CreateInput)) *webhook.Created {
	tb.Helper()
	in := &webhook.CreateInput{}
	in.Body.URL, in.Body.Mode, in.Body.Scope = url, "each", webhook.Scope{All: true}
	for _, s := range set {
		s(in)
	}
	e, err := b.hooks.Create(tb.Context(), user, in)
	require.NoError(tb, err)
	return e
}

// all dispatches and sends until nothing is left.
func (b *bench) all(tb testing.TB) {
	tb.Helper()
	for more := true; more; {
		var err error
		more, err = b.Dispatch(tb.Context())
		require.NoError(tb, err)
		require.NoError(tb, b.SendDue(tb.Context()))
	}
}

// receiver verifies what it gets with the published library, and remembers it.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	secret string
	answer func(n int, id string) int // of the n-th request; nil: 200
	got    []received
}

type received struct {
	id, signature, body string
	header              http.Header
	fault               error
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{}
	r.Server = httptest.NewServer(http.HandlerFunc(r.serve))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) serve(w http.ResponseWriter, q *http.Request) {
	body, _ := io.ReadAll(q.Body)
	r.mu.Lock()
	one := received{id: q.Header.Get("webhook-id"), signature: q.Header.Get("webhook-signature"), body: string(body), header: q.Header}
	if r.secret != "" {
		verifier, err := standard.NewWebhook(r.secret)
		if err == nil {
			err = verifier.VerifyIgnoringTimestamp(body, q.Header) // the clock of the test stands still
		}
		one.fault = err
	}
	r.got = append(r.got, one)
	status := http.StatusOK
	if r.answer != nil {
		status = r.answer(len(r.got), one.id)
	}
	r.mu.Unlock()
	w.WriteHeader(status)
	_, _ = io.WriteString(w, "answer "+strconv.Itoa(status))
}

// ids are the IDs of what was received since the last call.
func (r *receiver) ids() (list []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, one := range r.got {
		list = append(list, one.id)
	}
	r.got = nil
	return list
}

func (r *receiver) answers(f func(n int, id string) int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answer = f
}

package apikey_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/keys/internal/apikey"
	"gpatlas/modules/keys/internal/secret"
	"gpatlas/modules/keys/internal/testkit/fixture"
	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/clocktest"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/httpapitest"
)

var _ auth.KeyVerifier = (*apikey.Verifier)(nil)

// bench is a process with keys.
type bench struct {
	db       *database.DB
	clock    *clocktest.Clock
	verifier *apikey.Verifier
	service  *apikey.Service
}

func setup(tb testing.TB) *bench {
	tb.Helper()
	return on(dbtest.New(tb), clocktest.At("2026-11-20T10:00:00Z"))
}

func on(db *database.DB, clk *clocktest.Clock) *bench {
	store := apikey.NewStore(db)
	v := apikey.NewVerifier(store, clk, slog.New(slog.DiscardHandler))
	return &bench{db, clk, v, apikey.NewService(store, v, clk)}
}

// make makes a test key of tier starter.
func (b *bench) make(tb testing.TB, userID int64) *apikey.Created {
	tb.Helper()
	k, err := b.service.Create(tb.Context(), apikey.CreateInput{UserID: userID, Name: "Import", Tier: "starter", Mode: secret.Test})
	require.NoError(tb, err)
	return k
}

func requireRefused(t *testing.T, v *apikey.Verifier, key string) {
	t.Helper()
	_, err := v.VerifyKey(t.Context(), key)
	require.Error(t, err)
	require.Equal(t, apperr.KindUnauthenticated, apperr.From(err).Kind)
	require.Equal(t, "Invalid or revoked API key", apperr.From(err).Message)
}

func TestCreate(t *testing.T) {
	t.Parallel()
	b := setup(t)
	growth := fixture.Account{APITier: "growth"}.Insert(t, b.db, "growth")
	unverified := fixture.Account{Unverified: true}.Insert(t, b.db, "new")
	host := httpapitest.New(t, apikey.Routes(b.service)...)
	post := func(name string, user int64, status int, body string, contains ...string) httpapitest.Scenario {
		return httpapitest.Scenario{
			Name: name, Method: http.MethodPost, Path: "/v1/api-keys", As: fixture.Session(user), Body: body, Status: status, Contains: contains,
		}
	}
	host.Run(t, []httpapitest.Scenario{
		post("live by default", growth, 201, `{"name": " Nightly import ", "tier": "growth"}`,
			`"name":"Nightly import"`, `"tier":"growth"`, `"mode":"live"`, `"key":"gpa_live_`, "shown only once", `"created_at":"2026-11-20T10:00:00.000000Z"`),
		post("test", growth, 201, `{"name": "Try", "tier": "starter", "mode": "test"}`, `"key":"gpa_test_`),
		post("tier above the account's", growth, 403, `{"name": "Big", "tier": "scale"}`, "API tier of your account is growth"),
		post("live without a verified address", unverified, 403, `{"name": "Live", "tier": "starter"}`, "Verify your email address first"),
		post("test without a verified address", unverified, 201, `{"name": "Test", "tier": "starter", "mode": "test"}`),
		post("no account", 999, 401, `{"name": "x", "tier": "starter"}`, "Could not validate credentials"),
		post("no name", growth, 400, `{"tier": "starter"}`, "name"),
		post("blank name", growth, 400, `{"name": "  ", "tier": "starter"}`, "must not be empty"),
		post("long name", growth, 400, `{"name": "`+strings.Repeat("é", 101)+`", "tier": "starter"}`, "at most 100"),
		post("control characters", growth, 400, `{"name": "a\nb", "tier": "starter"}`, "Invalid name: must be one line"),
		post("invisible characters", growth, 400, `{"name": "a\u200bb", "tier": "starter"}`, "Invalid name: must be one line"),
		post("a name turned around", growth, 400, `{"name": "a\u202eb", "tier": "starter"}`, "Invalid name: must be one line"),
		post("no tier", growth, 400, `{"name": "x"}`, "tier"),
		post("unknown tier", growth, 400, `{"name": "x", "tier": "free"}`, "starter, growth, scale"),
		post("unknown mode", growth, 400, `{"name": "x", "tier": "starter", "mode": "prod"}`, "live, test"),
		post("an id of one's own", growth, 400, `{"name": "x", "tier": "starter", "id": "1"}`, "id"),
		post("another's key", growth, 400, `{"name": "x", "tier": "starter", "user_id": 1}`, "user_id"),
		{Name: "anonymous", Method: http.MethodPost, Path: "/v1/api-keys", Body: `{"name": "x", "tier": "starter"}`, Status: 401},
		{
			Name: "with a key", Method: http.MethodPost, Path: "/v1/api-keys", Body: `{"name": "x", "tier": "starter"}`, Status: 403,
			As: &auth.Principal{Kind: auth.Key, UserID: growth, KeyID: "k"},
		},
	})
}

// The secret is in the answer to its creation and nowhere else: not in the database, not in any later answer.
func TestSecretIsShownOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	user := fixture.Account{}.Insert(t, b.db, "ada")
	host := httpapitest.New(t, apikey.Routes(b.service)...)
	made := host.Do(t, httpapitest.Scenario{
		Method: http.MethodPost, Path: "/v1/api-keys", As: fixture.Session(user), Status: 201, Body: `{"name": "Import", "tier": "starter"}`,
	})
	var k apikey.Created
	require.NoError(t, json.Unmarshal([]byte(made.Body), &k))
	require.Equal(t, "/v1/api-keys/"+k.ID, made.Header.Get("Location"))
	_, ok := secret.Parse(k.Key)
	require.True(t, ok)
	for _, path := range []string{"/v1/api-keys", "/v1/api-keys?include_revoked=true", "/v1/api-keys/" + k.ID} {
		got := host.Do(t, httpapitest.Scenario{
			Path: path, As: fixture.Session(user), NotContains: []string{k.Key, `"key"`, "hash"},
			Contains:   []string{`"hint":"gpa_live_…` + k.Key[48:] + `"`, `"last_used_at":null`, `"revoked_at":null`},
			WantHeader: map[string]string{"ETag": ""},
		})
		require.NotContains(t, got.Body, k.Key[9:46])
	}
	var dump string
	require.NoError(t, b.db.Pool().QueryRow(t.Context(), "SELECT string_agg(k::text, ' ') FROM keys.api_keys k").Scan(&dump))
	require.NotContains(t, dump, k.Key[9:46])
}

func TestListGetRenameRevoke(t *testing.T) {
	t.Parallel()
	b := setup(t)
	user := fixture.Account{}.Insert(t, b.db, "ada")
	me := fixture.Session(user)
	first := b.make(t, user)
	b.clock.Move(time.Hour)
	second := b.make(t, user)
	host := httpapitest.New(t, apikey.Routes(b.service)...)
	do := func(s httpapitest.Scenario) httpapitest.Response {
		s.As = me
		return host.Do(t, s)
	}
	got := do(httpapitest.Scenario{Path: "/v1/api-keys", Contains: []string{`"meta":{"total":2,"active":2,"active_max":10}`}})
	require.Less(t, strings.Index(got.Body, second.ID), strings.Index(got.Body, first.ID), "the newest first")

	path := "/v1/api-keys/" + first.ID
	do(httpapitest.Scenario{Method: http.MethodPatch, Path: path, Body: `{"name": " Weekly "}`, Contains: []string{`"name":"Weekly"`, `"tier":"starter"`}})
	for _, body := range []string{`{"name": "x", "tier": "scale"}`, `{"tier": "scale"}`, `{"mode": "live"}`, `{}`, `{"name": ""}`, `{"name": "x", "revoked_at": null}`} {
		do(httpapitest.Scenario{Method: http.MethodPatch, Path: path, Body: body, Status: 400})
	}
	do(httpapitest.Scenario{Method: http.MethodDelete, Path: path, Status: 204})
	b.clock.Move(time.Hour)
	do(httpapitest.Scenario{Method: http.MethodDelete, Path: path, Status: 204})
	do(httpapitest.Scenario{Method: http.MethodPatch, Path: path, Body: `{"name": "Renamed"}`, Status: 409, Contains: []string{"revoked"}})
	do(httpapitest.Scenario{Path: "/v1/api-keys", NotContains: []string{first.ID}, Contains: []string{`"total":1,"active":1`}})
	do(httpapitest.Scenario{Path: "/v1/api-keys?include_revoked=true", Contains: []string{first.ID, `"total":2,"active":1`}})
	do(httpapitest.Scenario{Path: path, Contains: []string{`"revoked_at":"2026-11-20T11:00:00.000000Z"`, `"name":"Weekly"`}})
	do(httpapitest.Scenario{Path: "/v1/api-keys?revoked=true", Status: 400, Contains: []string{"include_revoked"}})
}

// Another's key answers exactly like one that does not exist, and nothing happens to it.
func TestAnothersKeyLooksLikeNone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner, stranger := fixture.Account{}.Insert(t, b.db, "owner"), fixture.Account{}.Insert(t, b.db, "stranger")
	k := b.make(t, owner)
	host := httpapitest.New(t, apikey.Routes(b.service)...)
	for _, method := range []string{http.MethodGet, http.MethodPatch, http.MethodDelete} {
		body := ""
		if method == http.MethodPatch {
			body = `{"name": "Mine now"}`
		}
		ask := func(id string, status int) string {
			return host.Do(t, httpapitest.Scenario{Method: method, Path: "/v1/api-keys/" + id, Body: body, As: fixture.Session(stranger), Status: status}).Body
		}
		theirs := ask(k.ID, 404)
		require.JSONEq(t, `{"detail": "API key not found"}`, theirs)
		require.Equal(t, ask("11111111-2222-4333-8444-555555555555", 404), theirs)
		require.Contains(t, ask("1", 400), "UUID")
		require.Contains(t, ask("11111111-2222-4333-8444-55555555555g", 400), "UUID")
	}
	_, err := b.verifier.VerifyKey(t.Context(), k.Key)
	require.NoError(t, err)
	got, err := b.service.Get(t.Context(), owner, k.ID)
	require.NoError(t, err)
	require.Equal(t, "Import", got.Name)
}

// Thirty creations at once leave ten active keys, and none of them fails otherwise; a revoked one makes room.
func TestParallelCreations(t *testing.T) {
	t.Parallel()
	b := setup(t)
	user := fixture.Account{}.Insert(t, b.db, "ada")
	var made, refused atomic.Int64
	var wait sync.WaitGroup
	for range 30 {
		wait.Go(func() {
			_, err := b.service.Create(t.Context(), apikey.CreateInput{UserID: user, Name: "x", Tier: "starter", Mode: secret.Live})
			switch {
			case err == nil:
				made.Add(1)
			case apperr.From(err).Kind == apperr.KindConflict:
				refused.Add(1)
			default:
				t.Errorf("%v", err)
			}
		})
	}
	wait.Wait()
	require.EqualValues(t, 10, made.Load())
	require.EqualValues(t, 20, refused.Load())
	keys, meta, err := b.service.List(t.Context(), user, false)
	require.NoError(t, err)
	require.Equal(t, 10, meta.Active)
	require.NoError(t, b.service.Revoke(t.Context(), user, keys[0].ID))
	b.make(t, user)
}

// Twenty keys of a day are created one after the other, each revoked at once: the next waits for midnight, for keys of both modes and on the page too.
func TestCreationsOfADay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	user, other := fixture.Account{}.Insert(t, b.db, "ada"), fixture.Account{}.Insert(t, b.db, "bea")
	for range 20 {
		require.NoError(t, b.service.Revoke(t.Context(), user, b.make(t, user).ID))
	}
	create := httpapitest.Scenario{Method: http.MethodPost, Path: "/v1/api-keys", As: fixture.Session(user), Body: `{"name": "x", "tier": "starter"}`, Status: 429}
	create.Contains, create.WantHeader = []string{"at most 20 API keys in a day"}, map[string]string{"Retry-After": "50400"} // 14 hours
	host := httpapitest.New(t, apikey.Routes(b.service)...)
	host.Do(t, create)
	b.make(t, other)
	b.clock.Move(14*time.Hour - time.Second)
	create.WantHeader["Retry-After"] = "1"
	host.Do(t, create)
	b.clock.Move(time.Second)
	b.make(t, user)
}

// A live key continues the windows of a revoked one of its account, tier and mode, unless an active key does.
func TestReplacedKeysKeepTheirWindows(t *testing.T) {
	t.Parallel()
	b := setup(t)
	user := fixture.Account{APITier: "growth"}.Insert(t, b.db, "ada")
	create := func(user int64, tier, mode string) (id, countedAs string) {
		b.clock.Move(time.Second)
		k, err := b.service.Create(t.Context(), apikey.CreateInput{UserID: user, Name: "x", Tier: tier, Mode: mode})
		require.NoError(t, err)
		caller, err := b.verifier.VerifyKey(t.Context(), k.Key)
		require.NoError(t, err)
		return k.ID, caller.CountedAs
	}
	revoke := func(id string) {
		b.clock.Move(time.Second)
		require.NoError(t, b.service.Revoke(t.Context(), user, id))
	}
	first, own := create(user, "starter", secret.Live)
	require.Empty(t, own)
	second, own := create(user, "starter", secret.Live)
	require.Empty(t, own, "beside an active one")
	revoke(first)
	revoke(second)
	_, own = create(user, "growth", secret.Live)
	require.Empty(t, own, "of another tier")
	_, own = create(user, "starter", secret.Test)
	require.Empty(t, own, "a test key")
	_, own = create(fixture.Account{}.Insert(t, b.db, "bea"), "starter", secret.Live)
	require.Empty(t, own, "of another account")
	third, as := create(user, "starter", secret.Live)
	require.Equal(t, second, as)
	_, as = create(user, "starter", secret.Live)
	require.Equal(t, first, as)
	_, own = create(user, "starter", secret.Live)
	require.Empty(t, own, "all windows have an active key")
	revoke(third)
	_, as = create(user, "starter", secret.Live)
	require.Equal(t, second, as, "the windows, not the last key")
}

func TestVerify(t *testing.T) {
	t.Parallel()
	b := setup(t)
	before, after := b.clock.Now().Add(-time.Second), b.clock.Now().Add(time.Second)
	for name, c := range map[string]struct {
		account    fixture.Account
		tier, mode string
		want       auth.Principal
	}{
		"test key":            {fixture.Account{}, "starter", secret.Test, auth.Principal{Mode: "test", APITier: "starter", Plan: "pro"}},
		"live key":            {fixture.Account{APITier: "scale"}, "growth", secret.Live, auth.Principal{Mode: "live", APITier: "growth", Plan: "pro"}},
		"of an administrator": {fixture.Account{Admin: true}, "starter", secret.Live, auth.Principal{Mode: "live", APITier: "starter", Plan: "pro", Admin: true}},
		"unconfirmed":         {fixture.Account{Unverified: true}, "starter", secret.Test, auth.Principal{Mode: "test", APITier: "starter", Plan: "pro", Unverified: true}},
		"of the free plan":    {fixture.Account{Plan: "free"}, "starter", secret.Live, auth.Principal{Mode: "live", APITier: "starter", Plan: "free", FreeTier: true}},
		"on trial":            {fixture.Account{TrialEndsAt: &after}, "starter", secret.Live, auth.Principal{Mode: "live", APITier: "starter", Plan: "pro"}},
		"trial is over":       {fixture.Account{TrialEndsAt: &before}, "starter", secret.Live, auth.Principal{Mode: "live", APITier: "starter", Plan: "free", FreeTier: true}},
	} {
		user := c.account.Insert(t, b.db, strings.ReplaceAll(name, " ", "."))
		k, err := b.service.Create(t.Context(), apikey.CreateInput{UserID: user, Name: name, Tier: c.tier, Mode: c.mode})
		require.NoError(t, err)
		c.want.Kind, c.want.UserID, c.want.KeyID = auth.Key, user, k.ID
		for range 2 { // the second from the cache
			got, err := b.verifier.VerifyKey(t.Context(), k.Key)
			require.NoError(t, err)
			require.Equal(t, c.want, *got, name)
		}
	}
	requireRefused(t, b.verifier, secret.New(secret.Live))
	requireRefused(t, b.verifier, "gpa_live_")
	requireRefused(t, b.verifier, "")
}

func TestRevokedIsRefusedAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	user := fixture.Account{}.Insert(t, b.db, "ada")
	k := b.make(t, user)
	_, err := b.verifier.VerifyKey(t.Context(), k.Key)
	require.NoError(t, err)
	require.NoError(t, b.service.Revoke(t.Context(), user, k.ID))
	requireRefused(t, b.verifier, k.Key)
}

// Another process hears of a revocation, of a deletion too, although its clock stands still.
func TestOtherProcessesHearOfRevocations(t *testing.T) {
	t.Parallel()
	here := setup(t)
	there := on(here.db, here.clock)
	there.verifier.Start(t.Context())
	there.verifier.Start(t.Context()) // does nothing
	t.Cleanup(func() { require.NoError(t, there.verifier.Stop(context.WithoutCancel(t.Context()))) })
	listening(t, here.db)
	user := fixture.Account{}.Insert(t, here.db, "ada")
	first, second, third := here.make(t, user), here.make(t, user), here.make(t, user)
	keys := []string{first.Key, second.Key, third.Key}
	accepted := func(key string) bool {
		_, err := there.verifier.VerifyKey(t.Context(), key)
		return err == nil
	}
	for _, key := range keys {
		require.True(t, accepted(key))
	}
	require.NoError(t, here.service.Revoke(t.Context(), user, first.ID))
	require.Eventually(t, func() bool { return !accepted(first.Key) }, time.Minute, 5*time.Millisecond)
	require.True(t, accepted(second.Key))

	account := here.service
	require.ErrorIs(t, here.db.InTx(t.Context(), func(ctx context.Context) error {
		require.NoError(t, account.AccountDeleted(ctx, user))
		return context.DeadlineExceeded // whatever: the deletion is undone
	}), context.DeadlineExceeded)
	require.True(t, accepted(second.Key))
	require.NoError(t, here.db.InTx(t.Context(), func(ctx context.Context) error { return account.AccountDeleted(ctx, user) }))
	require.Eventually(t, func() bool { return !accepted(second.Key) && !accepted(third.Key) }, time.Minute, 5*time.Millisecond)
}

// listening waits until a process listens.
func listening(t *testing.T, db *database.DB) {
	t.Helper()
	require.Eventually(t, func() bool {
		var n int
		err := db.Pool().QueryRow(t.Context(), `SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND query LIKE 'LISTEN %' AND state = 'idle'`).Scan(&n)
		return err == nil && n > 0
	}, time.Minute, 5*time.Millisecond)
}

// The listener survives the loss of its connection and forgets what it may have missed.
func TestListenerComesBack(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verifier.Start(t.Context())
	t.Cleanup(func() { require.NoError(t, b.verifier.Stop(context.WithoutCancel(t.Context()))) })
	listening(t, b.db)
	user := fixture.Account{}.Insert(t, b.db, "ada")
	k := b.make(t, user)
	_, err := b.verifier.VerifyKey(t.Context(), k.Key)
	require.NoError(t, err)
	fixture.Exec(t, b.db, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN %'")
	fixture.Exec(t, b.db, "UPDATE keys.api_keys SET revoked_at = now()") // unheard of
	require.Eventually(t, func() bool {
		_, err := b.verifier.VerifyKey(t.Context(), k.Key)
		return err != nil
	}, time.Minute, 5*time.Millisecond)
}

// What was asked before a revocation and is answered after it is not kept.
func TestALookUpDoesNotOutliveARevocation(t *testing.T) {
	t.Parallel()
	b := setup(t)
	user := fixture.Account{}.Insert(t, b.db, "ada")
	for range 20 {
		k := b.make(t, user)
		var wait sync.WaitGroup
		for range 4 {
			wait.Go(func() {
				for range 5 {
					_, _ = b.verifier.VerifyKey(t.Context(), k.Key)
				}
			})
		}
		wait.Go(func() {
			if err := b.service.Revoke(t.Context(), user, k.ID); err != nil {
				t.Error(err)
			}
		})
		wait.Wait()
		requireRefused(t, b.verifier, k.Key)
	}
}

// Keys that do not exist, though their checksums are right, are asked of the database once.
func TestNoiseIsRemembered(t *testing.T) {
	t.Parallel()
	b := setup(t)
	noise := secret.New(secret.Live)
	requireRefused(t, b.verifier, noise)
	hash := secret.Sum(noise)
	user := fixture.Account{}.Insert(t, b.db, "ada")
	fixture.Exec(t, b.db, `INSERT INTO keys.api_keys (id, user_id, name, tier, mode, hash, last_four, created_at)
		VALUES (gen_random_uuid(), $1, 'x', 'starter', 'live', $2, 'xxxx', now())`, user, hash[:])
	requireRefused(t, b.verifier, noise)
	b.clock.Move(30 * time.Second)
	_, err := b.verifier.VerifyKey(t.Context(), noise)
	require.NoError(t, err)
}

// A flood of different unknown keys takes at most four connections, and is refused with Retry-After.
func TestNoiseDoesNotTakeEveryConnection(t *testing.T) {
	t.Parallel()
	b := setup(t)
	lock, err := b.db.Pool().Begin(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { _ = lock.Rollback(context.WithoutCancel(t.Context())) })
	_, err = lock.Exec(t.Context(), "LOCK TABLE keys.api_keys IN ACCESS EXCLUSIVE MODE") // each look-up takes its time
	require.NoError(t, err)
	var wait sync.WaitGroup
	for range 100 {
		wait.Go(func() {
			_, err := b.verifier.VerifyKey(t.Context(), secret.New(secret.Live))
			if kind := apperr.From(err).Kind; kind != apperr.KindUnavailable {
				t.Errorf("%v: %v", kind, err)
			}
		})
	}
	blocked := func() (n int) {
		require.NoError(t, b.db.Pool().QueryRow(t.Context(), `SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock'`).Scan(&n))
		return n
	}
	require.Eventually(t, func() bool { return blocked() == 4 }, time.Minute, 5*time.Millisecond)
	for range 50 {
		require.LessOrEqual(t, blocked(), 4)
	}
	wait.Wait()
}

// Without the database known keys work for a while, and others get Retry-After; not every request waits for it.
func TestWithoutDatabase(t *testing.T) {
	t.Parallel()
	b := setup(t)
	k := b.make(t, fixture.Account{}.Insert(t, b.db, "ada"))
	_, err := b.verifier.VerifyKey(t.Context(), k.Key)
	require.NoError(t, err)
	b.db.Close()
	for range 9 {
		b.clock.Move(time.Minute)
		_, err = b.verifier.VerifyKey(t.Context(), k.Key)
		require.NoError(t, err)
	}
	_, err = b.verifier.VerifyKey(t.Context(), secret.New(secret.Live))
	require.Equal(t, apperr.KindUnavailable, apperr.From(err).Kind)
	last := "1"
	if strings.HasSuffix(k.Key, last) {
		last = "2"
	}
	requireRefused(t, b.verifier, k.Key[:51]+last) // needs no database
	b.clock.Move(time.Minute)
	_, err = b.verifier.VerifyKey(t.Context(), k.Key)
	require.Equal(t, apperr.KindUnavailable, apperr.From(err).Kind)
	host := httpapitest.New(t, apikey.Routes(b.service)...)
	host.Do(t, httpapitest.Scenario{Path: "/v1/api-keys", As: fixture.Session(1), Status: 503, Contains: []string{"The database is unavailable"}})
}

// No key that is created while its account is deleted escapes the revocation, whichever comes first.
func TestKeysOfADeletion(t *testing.T) {
	t.Parallel()
	b := setup(t)
	user := fixture.Account{}.Insert(t, b.db, "ada")
	created := make(chan error, 1)
	blocked := func() (n int) {
		require.NoError(t, b.db.Pool().QueryRow(t.Context(), `SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock'`).Scan(&n))
		return n
	}
	require.NoError(t, b.db.InTx(t.Context(), func(ctx context.Context) error {
		_, err := database.Run(ctx, b.db, "delete", "UPDATE accounts.users SET deleted_at = now() WHERE id = @user", database.Args{"user": user})
		require.NoError(t, err)
		require.NoError(t, b.service.AccountDeleted(ctx, user))
		go func() {
			_, err := b.service.Create(t.Context(), apikey.CreateInput{UserID: user, Name: "Late", Tier: "starter", Mode: secret.Test})
			created <- err
		}()
		require.Eventually(t, func() bool { return blocked() == 1 }, time.Minute, 5*time.Millisecond, "it waits for the deletion")
		return nil
	}))
	require.Equal(t, apperr.KindUnauthenticated, apperr.From(<-created).Kind)
	keys, _, err := b.service.List(t.Context(), user, true)
	require.NoError(t, err)
	require.Empty(t, keys)
}

func TestDeletedAccounts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	user, other := fixture.Account{}.Insert(t, b.db, "ada"), fixture.Account{}.Insert(t, b.db, "bob")
	k, theirs := b.make(t, user), b.make(t, other)
	account := b.service
	require.NoError(t, account.AccountDeleted(t.Context(), user))
	requireRefused(t, b.verifier, k.Key)
	part, err := account.ExportFor(t.Context(), user)
	require.NoError(t, err)
	document, err := json.Marshal(part)
	require.NoError(t, err)
	require.Contains(t, string(document), k.ID)
	require.Contains(t, string(document), `"revoked_at":"2026-11-20T10:00:00Z"`)
	require.NotContains(t, string(document), "hash")

	for _, id := range []string{k.ID, theirs.ID} {
		fixture.Exec(t, b.db, `INSERT INTO keys.usage_minutes VALUES ($1, 'search-gps', now(), 1, 0, 5, 5, 5, '{1}')`, id)
		fixture.Exec(t, b.db, `INSERT INTO keys.usage_days VALUES ($1, 'search-gps', now(), 1, 0, 5, 5, 5, '{1}')`, id)
	}
	fixture.Exec(t, b.db, "INSERT INTO keys.free_calls VALUES ($1, 5), ($2, 6)", user, other)
	require.NoError(t, account.AccountPurged(t.Context(), user))
	require.NoError(t, account.AccountPurged(t.Context(), user)) // jobs may run twice
	for _, table := range []string{"api_keys", "usage_minutes", "usage_days", "free_calls"} {
		var n int
		require.NoError(t, b.db.Pool().QueryRow(t.Context(), "SELECT count(*) FROM keys."+table).Scan(&n))
		require.Equal(t, 1, n, table)
	}
	_, err = b.verifier.VerifyKey(t.Context(), theirs.Key)
	require.NoError(t, err)
}

// An account that is deleted without a notification has no keys either.
func TestKeyWithoutAccount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	user := fixture.Account{}.Insert(t, b.db, "ada")
	k := b.make(t, user)
	fixture.Exec(t, b.db, "UPDATE accounts.users SET deleted_at = now() WHERE id = $1", user)
	requireRefused(t, b.verifier, k.Key)
}

func BenchmarkVerifyKey(b *testing.B) {
	s := setup(b)
	keys := make([]string, 1000)
	for i := range keys {
		k, err := s.service.Create(b.Context(), apikey.CreateInput{
			UserID: fixture.Account{}.Insert(b, s.db, "u"+strconv.Itoa(i)), Name: "x", Tier: "starter", Mode: secret.Live,
		})
		require.NoError(b, err)
		keys[i] = k.Key
		_, err = s.verifier.VerifyKey(b.Context(), k.Key)
		require.NoError(b, err)
	}
	b.Run("alone", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			_, _ = s.verifier.VerifyKey(b.Context(), keys[i%len(keys)])
		}
	})
	b.Run("parallel", func(b *testing.B) {
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			for i := 0; pb.Next(); i++ {
				_, _ = s.verifier.VerifyKey(b.Context(), keys[i%len(keys)])
			}
		})
	})
}

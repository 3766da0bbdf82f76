package sending_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/feed/internal/sending"
	"gpatlas/modules/feed/internal/webhook"
	"gpatlas/platform/changes"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/jobstest"
	"gpatlas/platform/testkit/testscale"
)

// An event arrives once, signed, with the bytes of the feed, and only what the endpoint selects.
func TestDelivery(t *testing.T) {
	t.Parallel()
	b, r := newBench(t), newReceiver(t)
	b.add(t, change(900009)) // before the endpoint
	e := b.endpoint(t, b.ada, r.URL, func(in *webhook.CreateInput) {
		in.Body.Kinds, in.Body.Scope = []string{"aum_change"}, webhook.Scope{CRDs: []string{"900001"}}
		in.Body.Headers = map[string]string{"Authorization": "Bearer of-the-receiver"}
	})
	r.secret = e.Secret
	b.add(t, change(900001), change(900002), changes.Event{Kind: "new_filing", CRD: "900001"})
	b.all(t)
	require.Len(t, r.got, 1)
	got := r.got[0]
	require.NoError(t, got.fault)
	require.Equal(t, "Bearer of-the-receiver", got.header.Get("Authorization"))
	require.Equal(t, "application/json", got.header.Get("Content-Type"))
	require.NotContains(t, strings.Join(slices.Concat(got.header["Webhook-Signature"], got.header["Authorization"], got.header["User-Agent"]), " "), e.Secret)
	var body struct {
		Type, Timestamp string
		Data            struct{ ID, Kind, CRD string }
	}
	require.NoError(t, json.Unmarshal([]byte(got.body), &body))
	require.Equal(t, "aum_change aum_change 900001", body.Type+" "+body.Data.Kind+" "+body.Data.CRD)
	require.Contains(t, got.body, `"changed":[{"field":"total_aum","before":2300000000,"after":2500000000}]`)
	b.all(t)
	b.worker()
	b.all(t)
	require.Len(t, r.got, 1, "nothing is sent twice")
	full, err := b.hooks.Message(t.Context(), b.ada, e.ID, got.id)
	require.NoError(t, err)
	require.Equal(t, "done 1 200 answer 200", full.State+" "+jsonOf(t, full.Attempts)+" "+jsonOf(t, full.Deliveries[0].Status)+" "+*full.Deliveries[0].Said)
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	require.NoError(t, err)
	return string(text)
}

// The schedule: eight attempts in 28 hours, 20 % more or less; the message has the same ID and body each time.
func TestSchedule(t *testing.T) {
	t.Parallel()
	b, r := newBench(t), newReceiver(t)
	e := b.endpoint(t, b.ada, r.URL)
	r.answers(func(int, string) int { return http.StatusInternalServerError })
	b.add(t, change(900001))
	b.all(t)
	for _, wait := range []time.Duration{5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 10 * time.Hour} {
		n := len(r.got)
		b.clock.Move(wait*4/5 - time.Second)
		b.all(t)
		require.Len(t, r.got, n, "before %s", wait)
		b.clock.Move(wait*2/5 + 2*time.Second)
		b.all(t)
		require.Len(t, r.got, n+1, "after %s", wait)
	}
	require.Len(t, r.got, 8)
	for _, one := range r.got {
		require.Equal(t, r.got[0].id+r.got[0].body, one.id+one.body)
	}
	b.clock.Move(100 * time.Hour)
	b.all(t)
	require.Len(t, r.got, 8)
	id := r.got[0].id
	full, err := b.hooks.Message(t.Context(), b.ada, e.ID, id)
	require.NoError(t, err)
	require.Equal(t, "failed", full.State)
	require.Len(t, full.Deliveries, 8)
	r.answers(nil)
	_, err = b.hooks.Resend(t.Context(), b.ada, e.ID, id)
	require.NoError(t, err)
	b.all(t)
	require.Equal(t, id, r.got[8].id)
	full, err = b.hooks.Message(t.Context(), b.ada, e.ID, id)
	require.NoError(t, err)
	require.Equal(t, "done", full.State)
	require.Equal(t, 9, full.Attempts)
}

// Retry-After is followed, for an hour at most.
func TestRetryAfter(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	asked := "1800"
	requests := 0
	s := newReceiver(t)
	s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		requests++
		w.Header().Set("Retry-After", asked)
		w.WriteHeader(http.StatusTooManyRequests)
	})
	b.endpoint(t, b.ada, s.URL)
	b.add(t, change(900001))
	for i, wait := range []time.Duration{30 * time.Minute, time.Hour} {
		b.all(t)
		require.Equal(t, i+1, requests)
		b.clock.Move(wait - time.Second)
		b.all(t)
		require.Equal(t, i+1, requests)
		b.clock.Move(time.Second)
		asked = "999999"
	}
	b.all(t)
	require.Equal(t, 3, requests)
}

// After five failures in a row there is one request at a time, until one succeeds.
func TestProbe(t *testing.T) {
	t.Parallel()
	b, r := newBench(t), newReceiver(t)
	b.endpoint(t, b.ada, r.URL)
	now, most := 0, 0
	inner := r.Config.Handler
	failing := true
	r.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		r.mu.Lock()
		now++
		most = max(most, now)
		r.mu.Unlock()
		if failing {
			w.WriteHeader(http.StatusBadGateway)
		} else {
			inner.ServeHTTP(w, q)
		}
		r.mu.Lock()
		now--
		r.mu.Unlock()
	})
	b.add(t, several(12)...)
	b.all(t)
	require.Equal(t, "12", b.value(t, "SELECT streak::text FROM feed.endpoints"))
	most = 0
	b.clock.Move(time.Minute)
	b.all(t)
	require.Equal(t, 1, most)
	require.Equal(t, "24", b.value(t, "SELECT streak::text FROM feed.endpoints"))
	failing = false
	b.clock.Move(10 * time.Minute)
	b.all(t)
	require.Equal(t, "0 true", b.value(t, "SELECT streak || ' ' || (failing_since IS NULL) FROM feed.endpoints"))
	require.Len(t, slices.Compact(slices.Sorted(slices.Values(r.ids()))), 12)
}

// 410 disables at once; failing does after five days and twenty attempts. Each has one mail, and events go on where the endpoint stood.
func TestDisabling(t *testing.T) {
	t.Parallel()
	b, r := newBench(t), newReceiver(t)
	e := b.endpoint(t, b.ada, r.URL+"/hook?key=hidden")
	state := func() string {
		return b.value(t, "SELECT state || ' ' || coalesce(why, '') FROM feed.endpoints")
	}
	r.answers(func(int, string) int { return http.StatusGone })
	b.add(t, change(900001))
	b.all(t)
	require.Equal(t, "disabled gone", state())
	b.add(t, change(900002))
	b.clock.Move(24 * time.Hour)
	b.all(t)
	require.Len(t, r.ids(), 1)
	mails := jobstest.Waiting(t, b.db)
	require.Len(t, mails, 1)
	require.Contains(t, mails[0].Payload, `"webhook_disabled"`)
	require.NotContains(t, mails[0].Payload, "hidden")

	again := func() {
		in := &webhook.PatchInput{Path: webhook.Path{EndpointID: e.ID}}
		in.Body.State = new("active")
		_, err := b.hooks.Update(t.Context(), b.ada, in)
		require.NoError(t, err)
	}
	again()
	r.answers(func(int, string) int { return http.StatusInternalServerError })
	b.all(t)
	require.Len(t, r.ids(), 2, "the event of the days when it was off")
	for day := range 6 {
		b.add(t, several(4)...)
		b.all(t)
		if day == 4 {
			require.Equal(t, "active ", state(), "four days and some hours")
		}
		b.clock.Move(23*time.Hour + 59*time.Minute)
	}
	b.add(t, change(900003))
	b.all(t)
	require.Equal(t, "disabled failing", state())
	require.Len(t, jobstest.Waiting(t, b.db), 2)

	again()
	r.answers(nil)
	r.ids()
	b.clock.Move(24 * time.Hour)
	b.all(t)
	require.NotEmpty(t, r.ids())
	require.Equal(t, "active ", state())
}

// More than 1,000 events of one publication are one notice; 1,000 are not.
func TestFlood(t *testing.T) {
	t.Parallel()
	b, r := newBench(t), newReceiver(t)
	b.endpoint(t, b.ada, r.URL)
	b.add(t, change(900001))
	b.add(t, several(1001)...)
	b.add(t, change(900002))
	b.all(t)
	require.Len(t, r.got, 3)
	var notice struct {
		Type string
		Data sending.Notice
	}
	for _, one := range r.got {
		if strings.Contains(one.body, sending.Available) {
			require.NoError(t, json.Unmarshal([]byte(one.body), &notice))
		}
	}
	require.EqualValues(t, 1001, notice.Data.Count)
	from, err := changes.ParseCursor(notice.Data.From)
	require.NoError(t, err)
	to, err := changes.ParseCursor(notice.Data.To)
	require.NoError(t, err)
	require.Equal(t, int64(1001), to.Seq-from.Seq)
	r.ids()
	b.add(t, several(1000)...)
	b.all(t)
	require.Len(t, r.ids(), 1000)
}

// Mode notify sends cursors, every five seconds at most.
func TestNotify(t *testing.T) {
	t.Parallel()
	b, r := newBench(t), newReceiver(t)
	b.endpoint(t, b.ada, r.URL, func(in *webhook.CreateInput) {
		in.Body.Mode, in.Body.Scope = "notify", webhook.Scope{CRDs: []string{"900001"}}
	})
	b.add(t, change(900002))
	b.all(t)
	require.Empty(t, r.ids(), "nothing that it selects")
	b.add(t, change(900001))
	b.add(t, several(3)...)
	b.all(t)
	require.Len(t, r.got, 1)
	require.Contains(t, r.got[0].body, `"count":2`)
	b.add(t, change(900001))
	b.all(t)
	require.Len(t, r.got, 1)
	b.clock.Move(5 * time.Second)
	b.all(t)
	require.Len(t, r.got, 2)
	require.Contains(t, r.got[1].body, `"count":1`)
}

// An endpoint that was paused goes on where it stood. Recovering twice sends the same messages again.
func TestPauseAndRecover(t *testing.T) {
	t.Parallel()
	b, r := newBench(t), newReceiver(t)
	e := b.endpoint(t, b.ada, r.URL)
	patch := func(state string) {
		in := &webhook.PatchInput{Path: webhook.Path{EndpointID: e.ID}}
		in.Body.State = &state
		_, err := b.hooks.Update(t.Context(), b.ada, in)
		require.NoError(t, err)
	}
	patch("paused")
	loads := testscale.Rounds(t, 5)
	for range loads {
		b.add(t, several(100)...)
	}
	b.all(t)
	require.Empty(t, r.ids())
	patch("active")
	b.all(t)
	first := r.ids()
	require.Len(t, slices.Compact(slices.Sorted(slices.Values(first))), 100*loads)
	require.Len(t, first, 100*loads)
	for range 2 {
		in := &webhook.RecoverInput{Path: webhook.Path{EndpointID: e.ID}}
		in.Body.Cursor = e.Cursor
		_, err := b.hooks.Recover(t.Context(), b.ada, in)
		require.NoError(t, err)
		b.all(t)
		require.ElementsMatch(t, first, r.ids())
	}
	in := &webhook.RecoverInput{Path: webhook.Path{EndpointID: e.ID}}
	in.Body.Since = "2020-01-01T00:00:00Z"
	_, err := b.hooks.Recover(t.Context(), b.ada, in)
	require.NoError(t, err)
	b.all(t)
	require.Len(t, r.ids(), 100*loads)
}

// 200 messages that the receiver refuses stop neither the endpoint's others nor anybody else's.
func TestPoisoned(t *testing.T) {
	t.Parallel()
	b, r, other := newBench(t), newReceiver(t), newReceiver(t)
	b.endpoint(t, b.ada, r.URL)
	b.endpoint(t, b.account(t, "bea@larkspur.example", "free"), other.URL)
	var good []string
	r.answers(func(n int, id string) int {
		if n <= 200 {
			return http.StatusUnprocessableEntity
		}
		good = append(good, id)
		return http.StatusOK
	})
	b.add(t, several(300)...)
	b.all(t)
	require.Len(t, other.ids(), 300)
	require.Len(t, good, 100, "without waiting for the poisoned")
	require.Equal(t, "200", b.value(t, "SELECT count(*)::text FROM feed.messages WHERE state = 'waiting'"))
}

// No message is queued while 2,000 wait, and none is lost.
func TestBacklog(t *testing.T) {
	t.Parallel()
	b, r := newBench(t), newReceiver(t)
	e := b.endpoint(t, b.ada, r.URL)
	b.run(t, `INSERT INTO feed.messages (endpoint_id, id, seq_low, seq_high, kind, events, state, tries, attempts, next_at, created_at)
		SELECT @id, 'msg_' || n, 0, 0, 'aum_change', 1, 'waiting', 1, 1, @at, @at FROM generate_series(1, 1990) n`, database.Args{"id": e.ID, "at": b.clock.Now().Add(time.Hour)})
	b.add(t, several(300)...)
	queued := func(want string) {
		t.Helper()
		_, err := b.Dispatch(t.Context())
		require.NoError(t, err)
		require.Equal(t, want, b.value(t, "SELECT count(*)::text FROM feed.messages WHERE seq_high > 0"))
	}
	queued("10")
	queued("10")
	b.run(t, "DELETE FROM feed.messages WHERE seq_high = 0", nil)
	queued("200")
	queued("200")
	b.all(t)
	b.all(t)
	require.Len(t, r.ids(), 300)
}

// Nothing goes out for a deleted account, and after a purge nothing is left.
func TestDeletedAccount(t *testing.T) {
	t.Parallel()
	b, r := newBench(t), newReceiver(t)
	b.endpoint(t, b.ada, r.URL)
	b.add(t, change(900001))
	_, err := b.Dispatch(t.Context())
	require.NoError(t, err)
	b.run(t, "UPDATE accounts.users SET deleted_at = now()", nil)
	b.add(t, change(900002))
	b.all(t)
	require.Empty(t, r.ids(), "neither what was queued nor what came")
	require.NoError(t, b.hooks.AccountPurged(t.Context(), b.ada))
	require.Equal(t, "0", b.value(t, "SELECT (SELECT count(*) FROM feed.endpoints) + (SELECT count(*) FROM feed.secrets) + (SELECT count(*) FROM feed.messages) || ''"))
}

// A lower plan pauses the newest endpoints.
func TestPlanLowered(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	bea := b.account(t, "bea@larkspur.example", "pro")
	b.Most = webhook.EndpointsMost
	b.hooks = webhook.NewService(b.Service)
	var list []*receiver
	for range 3 {
		r := newReceiver(t)
		list = append(list, r)
		b.endpoint(t, bea, r.URL)
		b.clock.Move(time.Second)
	}
	b.run(t, "UPDATE accounts.users SET subscription_plan = 'free' WHERE id = @id", database.Args{"id": bea})
	require.NoError(t, b.Lowered(t.Context()))
	b.add(t, change(900001))
	b.all(t)
	require.Equal(t, "1 0 0", strings.Join([]string{jsonOf(t, len(list[0].ids())), jsonOf(t, len(list[1].ids())), jsonOf(t, len(list[2].ids()))}, " "))
	require.Equal(t, "active paused paused", b.value(t, "SELECT state FROM feed.endpoints ORDER BY created_at"))
	in := &webhook.CreateInput{}
	in.Body.URL, in.Body.Mode, in.Body.Scope = list[0].URL, "each", webhook.Scope{All: true}
	_, err := b.hooks.Create(t.Context(), bea, in)
	require.ErrorContains(t, err, "plan free can have at most 1 active")
}

// The longest names of filers stay under 20 kB; what is longer is announced.
func TestLongBodies(t *testing.T) {
	t.Parallel()
	b, r := newBench(t), newReceiver(t)
	b.endpoint(t, b.ada, r.URL)
	said := func(n int) json.RawMessage {
		return json.RawMessage(`{"gp_name": "` + strings.Repeat("ñ", n) + `", "fund_name": "` + strings.Repeat("ñ", n) + `", "reason": "filing", "changed": [{"field": "name", "before": "` +
			strings.Repeat("ñ", n) + `", "after": "` + strings.Repeat("ñ", n) + `"}]}`)
	}
	b.add(t, changes.Event{Kind: "fund_change", CRD: "900001", Subject: "805-0000000012", Said: said(500)})
	b.all(t)
	require.Contains(t, r.got[0].body, `"type":"fund_change"`)
	require.Less(t, len(r.got[0].body), sending.BodyMax)
	b.add(t, changes.Event{Kind: "fund_change", CRD: "900001", Subject: "805-0000000012", Said: said(5000)})
	b.all(t)
	require.Contains(t, r.got[1].body, `"type":"changes.available"`)
	require.Contains(t, r.got[1].body, `"count":1`)
}

// The watchlist and the collection are those of the moment when an event is read.
func TestScopes(t *testing.T) {
	t.Parallel()
	b, r := newBench(t), newReceiver(t)
	b.endpoint(t, b.ada, r.URL, func(in *webhook.CreateInput) { in.Body.Scope = webhook.Scope{Watchlist: true} })
	b.add(t, change(900001))
	b.all(t)
	require.Empty(t, r.ids())
	b.run(t, "INSERT INTO accounts.watchlist_items (id, user_id, adviser_crd, canonical_gp_id, created_at) VALUES (gen_random_uuid(), @user, '900001', 900001, now())", database.Args{"user": b.ada})
	b.add(t, change(900001), change(900002))
	b.all(t)
	require.Len(t, r.ids(), 1)
}

// A message that is about no event of the log is sent with the body that it was queued with.
func TestOwnBody(t *testing.T) {
	t.Parallel()
	b, r := newBench(t), newReceiver(t)
	e := b.endpoint(t, b.ada, r.URL)
	r.secret = e.Secret
	const body = `{"type":"search_match","data":{"count":2}}`
	b.run(t, `INSERT INTO feed.messages (endpoint_id, id, seq_low, seq_high, kind, events, state, next_at, created_at, body)
		VALUES (@endpoint, 'msg_mfrggzdfmztwq2lknnwg23tpob', 7, 7, 'search_match', 2, 'waiting', @now, @now, @body)`, database.Args{"endpoint": e.ID, "now": b.clock.Now(), "body": body})
	b.all(t)
	require.Len(t, r.got, 1)
	require.JSONEq(t, body, r.got[0].body)
	require.NoError(t, r.got[0].fault)
	require.Equal(t, "done", b.value(t, "SELECT state FROM feed.messages"))
}

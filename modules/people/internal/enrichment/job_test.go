package enrichment_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/people/internal/enrichment"
	"gpatlas/modules/people/internal/enrichment/provider"
	"gpatlas/platform/auth"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/platform/testkit/jobstest"
)

// P8: who asks while a job is open gets it, and each provider is asked once about each person.
func TestOneJobAtATime(t *testing.T) {
	t.Parallel()
	s := knowing("s")
	b := setup(t, s)
	ids := make([]string, 20)
	var group sync.WaitGroup
	for i := range ids {
		group.Go(func() {
			ids[i] = b.enrich(t, &auth.Principal{Kind: auth.Session, UserID: int64(1 + i%3)}, true, http.StatusAccepted).JobID
		})
	}
	group.Wait()
	for _, id := range ids {
		require.Equal(t, ids[0], id)
	}
	require.Len(t, jobstest.Waiting(t, b.DB), 1)
	require.Equal(t, "queued", b.status(t, &auth.Principal{Kind: auth.Session, UserID: 2}, ids[0], 200).State)
	run := func() { // a job may run twice, also at once
		group.Go(func() { _ = b.people.Run(context.WithoutCancel(t.Context()), ids[0]) })
	}
	run()
	run()
	group.Wait()
	b.work(t)
	require.Equal(t, []string{"Ada Larkspur", "Iris Fernley", "Theo Van Mossgate", "Una Quill"}, s.about())
	got := b.status(t, &auth.Principal{Kind: auth.Session, UserID: 3}, ids[0], 200)
	require.Equal(t, "completed", got.State)
	require.Equal(t, new(4), got.Result.People)
	cached := b.enrich(t, ada, true, http.StatusAccepted)
	require.True(t, cached.Cached)
	require.Equal(t, ids[0], cached.JobID)
	b.status(t, ada, ids[0], 200)
	b.Clock.Move(24*time.Hour - time.Second)
	require.True(t, b.enrich(t, ada, false, 200).Cached)
	b.Clock.Move(time.Second)
	require.False(t, b.enrich(t, ada, false, 200).Cached)
}

// Guarantee: the job of others looks like one that there is not, also under another adviser.
func TestJobsOfOthers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.enrich(t, ada, true, http.StatusAccepted).JobID
	b.status(t, ada, id, 200)
	ask := func(as *auth.Principal, crd, id string, status int) string {
		body := b.host.Do(t, httpapitest.Scenario{Path: "/v1/gps/" + crd + "/enrich/status/" + id, As: as, Status: status}).Body
		return strings.ReplaceAll(body, id, "ID")
	}
	none := ask(ada, "900101", "0190a5b2-7c41-4d6e-9a3f-1c2b3d4e5f60", 404)
	require.Equal(t, none, ask(ben, "900101", id, 404))
	require.Equal(t, none, ask(ada, "900101", "nonsense", 404))
	require.Equal(t, strings.ReplaceAll(none, "900101", "900102"), ask(ada, "900102", id, 404))
	require.Equal(t, none, ask(test, "900101", id, 404))
	ask(nil, "900101", id, 401)
	b.host.Do(t, httpapitest.Scenario{Method: http.MethodPost, Path: "/v1/gps/900109/enrich", Body: "{}", As: ada, Status: 404})
	b.host.Do(t, httpapitest.Scenario{Method: http.MethodPost, Path: "/v1/gps/900101/enrich", Body: "{}", Status: 401})
}

// A request waits for a minute; then it is answered 202, and the job goes on.
func TestWait(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.onSleep = func() {}
	begun := b.Clock.Now()
	got := b.enrich(t, ada, false, http.StatusAccepted)
	require.Equal(t, "queued", got.State)
	require.Nil(t, got.Result)
	require.GreaterOrEqual(t, b.Clock.Now().Sub(begun), time.Minute)
	require.Less(t, b.Clock.Now().Sub(begun), 62*time.Second)
	b.work(t)
	require.Equal(t, "completed", b.status(t, ada, got.JobID, 200).State)
}

// P8: a job whose worker is killed continues in another worker, which repeats no query; if no worker takes it, it fails. It
// never runs for ever, and a later request starts a new one.
func TestWorkerIsKilled(t *testing.T) {
	t.Parallel()
	s := knowing("s")
	b := setup(t, s)
	was, asked := s.say, 0
	var mu sync.Mutex
	killed := make(chan struct{})
	s.say = func(q provider.Query) (provider.Result, error) {
		mu.Lock()
		asked++
		n := asked
		mu.Unlock()
		if n > 2 { // the worker is gone: nothing of this comes back
			<-killed
			return provider.Result{}, &provider.Error{Kind: provider.Away}
		}
		return was(q)
	}
	id := b.enrich(t, ada, true, http.StatusAccepted).JobID
	ctx, kill := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- b.people.Run(ctx, id) }()
	require.Eventually(t, func() bool { mu.Lock(); defer mu.Unlock(); return asked == 4 }, time.Minute, time.Millisecond)
	require.Eventually(t, func() bool {
		n, err := database.Values[int64](t.Context(), b.DB, "count profiles", "SELECT count(*) FROM people.profiles", database.Args{})
		return err == nil && n[0] == 2
	}, time.Minute, time.Millisecond)
	require.Equal(t, "running", b.status(t, ada, id, 200).State)
	s.say = was
	require.Error(t, b.people.Run(t.Context(), id), "the lease holds: the queue tries again later")
	b.Clock.Move(2 * time.Minute)
	require.NoError(t, b.people.Run(t.Context(), id))
	require.Equal(t, "completed", b.status(t, ada, id, 200).State)
	require.Equal(t, 4, b.status(t, ada, id, 200).Result.Fields.Email)
	kill()
	close(killed)
	require.Error(t, <-done, "the first run ends without a word")
	require.Equal(t, "completed", b.status(t, ada, id, 200).State)
	require.Len(t, s.about(), 6, "two were asked about again, whose answers were lost")
}

// A job that no worker takes, or that no worker continues, fails; the status shows so even before the scheduled job has run.
func TestLostJobsFail(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for state, why := range map[string]string{"queued": "not_started", "running": "interrupted"} {
		id := b.enrich(t, ada, true, http.StatusAccepted).JobID
		if state == "running" {
			require.NoError(t, b.DB.From(t.Context()).Exec("UPDATE people.enrichments SET state = 'running', runs = 1, lease_until = ? WHERE id = ?", b.Clock.Now().Add(2*time.Minute), id).Error)
		}
		b.Clock.Move(time.Hour + 10*time.Minute)
		late := b.status(t, ada, id, 200)
		require.Equal(t, "failed", late.State)
		require.Equal(t, why, late.Error)
		require.NoError(t, b.people.Expire(t.Context()))
		require.NoError(t, b.people.Run(t.Context(), id), "the queue's late run finds it ended")
		require.Equal(t, late, b.status(t, ada, id, 200))
	}
	id := b.enrich(t, ada, true, http.StatusAccepted).JobID
	b.Clock.Move(70 * time.Minute)
	require.NotEqual(t, id, b.enrich(t, ada, true, http.StatusAccepted).JobID, "a lost job is in nobody's way")
	require.NoError(t, b.DB.From(t.Context()).Exec("UPDATE people.enrichments SET state = 'running', runs = 5, lease_until = ? WHERE state = 'queued'", b.Clock.Now()).Error)
	b.work(t)
	b.host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900101/enrichment-info", Contains: []string{`"state":"failed"`, `"enriched":false`}})
}

// A request whose job fails while it waits gets the failure free of charge, and may try again.
func TestFailsWhileWaiting(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.onSleep = func() {
		require.NoError(t, b.DB.From(t.Context()).Exec("UPDATE people.enrichments SET state = 'failed', error = 'timed_out', finished_at = now() WHERE state = 'queued'").Error)
	}
	b.host.Do(t, httpapitest.Scenario{Method: http.MethodPost, Path: "/v1/gps/900101/enrich", Body: `{}`, As: ada, Status: 503, Contains: []string{"failed; try again"}})
	b.onSleep = nil
	b.enrich(t, ada, false, 200)
}

// An account starts 20 a day. Joining others' costs nothing.
func TestStartsOfADay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	start := func(as *auth.Principal, status int) httpapitest.Response {
		require.NoError(t, b.DB.From(t.Context()).Exec("UPDATE people.enrichments SET state = 'failed', error = 'timed_out', finished_at = now() WHERE state = 'queued'").Error)
		return b.host.Do(t, httpapitest.Scenario{Method: http.MethodPost, Path: "/v1/gps/900101/enrich", Body: `{"async_mode":true}`, As: as, Status: status})
	}
	for range 20 {
		start(ada, http.StatusAccepted)
	}
	got := start(ada, http.StatusTooManyRequests)
	require.Equal(t, "54000", got.Header.Get("Retry-After"))
	start(ben, http.StatusAccepted)
	b.enrich(t, ada, true, http.StatusAccepted)
	b.Clock.Move(15 * time.Hour)
	start(ada, http.StatusAccepted)
}

// With a test key nothing is started, asked or kept, and the outcome is invented.
func TestTestKey(t *testing.T) {
	t.Parallel()
	s := knowing("s")
	b := setup(t, s)
	got := b.enrich(t, test, false, 200)
	require.Equal(t, "completed", got.State)
	require.Equal(t, got, b.enrich(t, test, true, http.StatusAccepted))
	require.Equal(t, got, b.status(t, test, got.JobID, 200))
	b.status(t, ada, got.JobID, 404)
	b.status(t, &auth.Principal{Kind: auth.Key, UserID: 8, KeyID: "l", Mode: auth.ModeTest}, got.JobID, 404)
	require.Empty(t, jobstest.Waiting(t, b.DB))
	require.Empty(t, s.about())
	b.host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900101/enrichment-info", Contains: []string{`"state":"none"`}})
	b.host.Do(t, httpapitest.Scenario{Method: http.MethodPost, Path: "/v1/gps/900109/enrich", Body: "{}", As: test, Status: 404})
}

// Beyond the most people of one job, the least senior are left out, those who have left before all.
func TestMostSeniorFirst(t *testing.T) {
	t.Parallel()
	s := knowing("s")
	b := setup(t)
	few := enrichment.NewService(b.DB, nil, enrichment.Settings{Providers: []provider.Provider{s}, PeopleMax: 2}, b.Clock, nopLog())
	id := b.enrich(t, ada, true, http.StatusAccepted).JobID
	require.NoError(t, few.Run(t.Context(), id))
	require.Equal(t, []string{"Ada Larkspur", "Iris Fernley"}, s.about())
	require.Equal(t, new(2), b.status(t, ada, id, 200).Result.LeftOut)
}

// What is kept of an account's requests is exported, and removed with the account; the job stays for the others.
func TestPersonal(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.enrich(t, ada, true, http.StatusAccepted).JobID
	b.enrich(t, ben, true, http.StatusAccepted)
	got, err := b.people.Part().Exporters[0].For(t.Context(), 7)
	require.NoError(t, err)
	require.Contains(t, fmt.Sprint(got), id)
	part := b.people.Part()
	b.status(t, ada, id, 200)
	require.NoError(t, part.Purged[0](t.Context(), 7))
	b.status(t, ada, id, 404)
	b.status(t, ben, id, 200)
	got, err = part.Exporters[0].For(t.Context(), 7)
	require.NoError(t, err)
	require.Empty(t, got)
}

// Without the database a job is an error, so that the queue runs it again; nonsense is not run again.
func TestJobErrors(t *testing.T) {
	t.Parallel()
	b := setup(t)
	handlers := enrichment.Handlers(b.people)
	require.True(t, jobstest.Never(handlers[0].Run(t.Context(), []byte("{"))))
	require.NoError(t, handlers[0].Run(t.Context(), []byte(`{"id":"0190a5b2-7c41-4d6e-9a3f-1c2b3d4e5f60"}`)), "removed meanwhile")
	b.DB.Close()
	for _, h := range handlers {
		require.Error(t, h.Run(t.Context(), []byte(`{"id":"0190a5b2-7c41-4d6e-9a3f-1c2b3d4e5f60"}`)), h.Type)
	}
}

package jobs_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hibiken/asynq"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
	"gpatlas/platform/testkit/dbtest"
)

const soon, often = time.Minute, 10 * time.Millisecond

// lines is a log that may be read while it is written.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// bench is a database and a Redis of the test's own.
type bench struct {
	db  *database.DB
	url string
	rdb redis.UniversalClient
	in  *jobs.Enqueuer
	log *lines
}

func setup(t *testing.T) *bench {
	t.Helper()
	db, url := dbtest.New(t), dbtest.RedisURL(t)
	options, err := redis.ParseURL(url)
	require.NoError(t, err)
	rdb := redis.NewClient(options)
	t.Cleanup(func() { _ = rdb.Close() })
	return &bench{db, url, rdb, jobs.NewEnqueuer(db), &lines{}}
}

// worker starts a worker that ends with the test.
func (b *bench) worker(t *testing.T, d jobs.Deps, cfg jobs.Config) *jobs.Worker {
	t.Helper()
	cfg.PollInterval = 20 * time.Millisecond
	if cfg.DrainTimeout == 0 {
		cfg.DrainTimeout = soon
	}
	d.DB = b.db
	if d.RedisURL == "" {
		d.RedisURL = b.url
	}
	d.Logger = slog.New(slog.NewJSONHandler(b.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	w, err := jobs.NewWorker(cfg, d)
	require.NoError(t, err)
	require.NoError(t, w.Start(t.Context()))
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), soon)
		defer cancel()
		require.NoError(t, w.Shutdown(ctx))
	})
	return w
}

func (b *bench) waiting(t *testing.T) int {
	t.Helper()
	var n int
	require.NoError(t, b.db.Pool().QueryRow(t.Context(), "SELECT count(*) FROM platform.outbox WHERE handed_at IS NULL").Scan(&n))
	return n
}

// counter is a handler that counts its runs by payload.
type counter struct {
	mu   sync.Mutex
	runs map[string]int
	n    atomic.Int64
}

func (c *counter) handler(taskType string) jobs.Handler {
	return jobs.Handler{Type: taskType, Run: func(_ context.Context, payload []byte) error {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.runs == nil {
			c.runs = map[string]int{}
		}
		c.runs[string(payload)]++
		c.n.Add(1)
		return nil
	}}
}

func (c *counter) reaches(t *testing.T, n int64) {
	t.Helper()
	require.Eventually(t, func() bool { return c.n.Load() >= n }, soon, often)
}

type number struct {
	N int `json:"n"`
}

// A job exists when its transaction does: not before the commit, and never after a rollback.
func TestAJobBelongsToItsTransaction(t *testing.T) {
	t.Parallel()
	b, c := setup(t), &counter{}
	b.worker(t, jobs.Deps{Handlers: []jobs.Handler{c.handler("catalog.count_up")}}, jobs.Config{})
	failure := errors.New("the service failed later on")
	err := b.db.InTx(t.Context(), func(ctx context.Context) error {
		require.NoError(t, b.in.Enqueue(ctx, jobs.Job{Type: "catalog.count_up", Payload: number{1}}))
		return failure
	})
	require.ErrorIs(t, err, failure)
	err = b.db.InTx(t.Context(), func(ctx context.Context) error {
		require.NoError(t, b.in.Enqueue(ctx, jobs.Job{Type: "catalog.count_up", Payload: number{2}}))
		require.Zero(t, b.waiting(t), "nobody sees it before the commit")
		undone := b.db.InTx(ctx, func(ctx context.Context) error {
			require.NoError(t, b.in.Enqueue(ctx, jobs.Job{Type: "catalog.count_up", Payload: number{3}}))
			return failure
		})
		require.ErrorIs(t, undone, failure)
		return nil
	})
	require.NoError(t, err)
	require.NoError(t, b.in.Enqueue(t.Context(), jobs.Job{Type: "catalog.count_up", Payload: number{4}}))
	c.reaches(t, 2)
	require.Eventually(t, func() bool { return b.waiting(t) == 0 }, soon, often)
	require.Equal(t, map[string]int{`{"n": 2}`: 1, `{"n": 4}`: 1}, c.runs)
}

// The relay hears of a commit at once, not with its next look into the outbox.
func TestACommitWakesTheRelay(t *testing.T) {
	t.Parallel()
	b, c := setup(t), &counter{}
	b.worker(t, jobs.Deps{Handlers: []jobs.Handler{c.handler("catalog.count_up")}}, jobs.Config{RelayInterval: time.Hour})
	for i := range 3 {
		require.NoError(t, b.in.Enqueue(t.Context(), jobs.Job{Type: "catalog.count_up"}))
		c.reaches(t, int64(i+1))
	}
}

// Jobs of the same natural key are one job, however often and from wherever they are enqueued.
func TestANaturalKeyRunsOnce(t *testing.T) {
	t.Parallel()
	b, c := setup(t), &counter{}
	handlers := []jobs.Handler{c.handler("catalog.count_up")}
	b.worker(t, jobs.Deps{Handlers: handlers}, jobs.Config{})
	for range 3 {
		require.NoError(t, b.in.Enqueue(t.Context(), jobs.Job{Type: "catalog.count_up", TaskID: jobs.Key("catalog.count_up", "2026-11-20")}))
	}
	c.reaches(t, 1)
	require.Eventually(t, func() bool { return b.waiting(t) == 0 }, soon, often)
	require.NoError(t, b.in.Enqueue(t.Context(), jobs.Job{Type: "catalog.count_up", TaskID: jobs.Key("catalog.count_up", "2026-11-20")}), "after it was done, too")
	require.NoError(t, b.in.Enqueue(t.Context(), jobs.Job{Type: "catalog.count_up", TaskID: jobs.Key("catalog.count_up", "2026-11-21")}))
	c.reaches(t, 2)
	require.Eventually(t, func() bool { return b.waiting(t) == 0 }, soon, often)
	info, err := asynq.NewInspectorFromRedisClient(b.rdb).GetTaskInfo("default", jobs.Key("catalog.count_up", "2026-11-20"))
	require.NoError(t, err)
	require.GreaterOrEqual(t, info.Retention, 25*time.Hour)
	require.EqualValues(t, 2, c.n.Load())
}

// A relay that died after the hand-over and before it was noted hands the job over again: it is known.
func TestARowHandedOverTwiceRunsOnce(t *testing.T) {
	t.Parallel()
	b, c := setup(t), &counter{}
	b.worker(t, jobs.Deps{Handlers: []jobs.Handler{c.handler("catalog.count_up")}}, jobs.Config{RelayInterval: 50 * time.Millisecond})
	insert := `INSERT INTO platform.outbox (id, type, payload) VALUES ('0198a000-0000-7000-8000-000000000001', 'catalog.count_up', '{"n": 1}')
		ON CONFLICT (id) DO UPDATE SET handed_at = NULL`
	for range 3 {
		_, err := b.db.Pool().Exec(t.Context(), insert)
		require.NoError(t, err)
		require.Eventually(t, func() bool { return b.waiting(t) == 0 }, soon, often)
		c.reaches(t, 1)
	}
	require.EqualValues(t, 1, c.n.Load())
}

func TestTwoWorkersDeliverEachJobOnce(t *testing.T) {
	t.Parallel()
	b, c := setup(t), &counter{}
	const total = 600
	for i := range total {
		require.NoError(t, b.in.Enqueue(t.Context(), jobs.Job{Type: "catalog.count_up", Payload: number{i}}))
	}
	handlers := []jobs.Handler{c.handler("catalog.count_up")}
	b.worker(t, jobs.Deps{Handlers: handlers}, jobs.Config{})
	b.worker(t, jobs.Deps{Handlers: handlers}, jobs.Config{})
	c.reaches(t, total)
	require.Eventually(t, func() bool { return b.waiting(t) == 0 }, soon, often)
	c.mu.Lock()
	defer c.mu.Unlock()
	require.Len(t, c.runs, total)
	for payload, n := range c.runs {
		require.Equal(t, 1, n, payload)
	}
}

// What no handler knows is kept where an operator finds it, and the log says so.
func TestAnUnknownTypeIsArchivedLoudly(t *testing.T) {
	t.Parallel()
	b, c := setup(t), &counter{}
	b.worker(t, jobs.Deps{Handlers: []jobs.Handler{c.handler("people.enrich")}}, jobs.Config{})
	require.NoError(t, b.in.Enqueue(t.Context(), jobs.Job{Type: "people.enrich_all", Payload: number{7}}))
	inspector := asynq.NewInspectorFromRedisClient(b.rdb)
	require.Eventually(t, func() bool {
		list, err := inspector.ListArchivedTasks("default")
		return err == nil && len(list) == 1 && list[0].Type == "people.enrich_all" && string(list[0].Payload) == `{"n": 7}`
	}, soon, often)
	require.Contains(t, b.log.String(), `"level":"ERROR"`)
	require.Contains(t, b.log.String(), "no handler for this type of job")
	require.Zero(t, c.n.Load(), "types match exactly, not by prefix")
}

func TestFailuresPanicsAndTimeLimits(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var tries atomic.Int64
	registry := prometheus.NewRegistry()
	b.worker(t, jobs.Deps{Metrics: registry, Random: func() float64 { return 1 }, Handlers: []jobs.Handler{
		{Type: "test.panic_once", Run: func(context.Context, []byte) error { panic("a bug") }},
		{Type: "test.run_long", Timeout: 50 * time.Millisecond, Run: func(ctx context.Context, _ []byte) error {
			<-ctx.Done()
			return ctx.Err()
		}},
		{Type: "test.give_up", Retries: 5, Run: func(context.Context, []byte) error {
			tries.Add(1)
			return jobs.Never(errors.New("a payload of nonsense"))
		}},
		{Type: "test.try_again", Retries: 5, Run: func(context.Context, []byte) error { return errors.New("not now") }},
	}}, jobs.Config{})
	for _, name := range []string{"test.panic_once", "test.run_long", "test.give_up", "test.try_again"} {
		require.NoError(t, b.in.Enqueue(t.Context(), jobs.Job{Type: name}))
	}
	inspector := asynq.NewInspectorFromRedisClient(b.rdb)
	require.Eventually(t, func() bool {
		info, err := inspector.GetQueueInfo("default")
		return err == nil && info.Archived == 3 && info.Retry == 1
	}, soon, often)
	require.EqualValues(t, 1, tries.Load())
	log := b.log.String()
	require.Contains(t, log, "panic: a bug")
	require.Contains(t, log, "jobs_test.go", "with the stack")
	require.Contains(t, log, "a payload of nonsense")
	got := gather(t, registry)
	require.InDelta(t, 1, got[`gpatlas_jobs_runs_total{result="panicked",type="test.panic_once"}`], 0)
	require.InDelta(t, 1, got[`gpatlas_jobs_runs_total{result="timed_out",type="test.run_long"}`], 0)
	require.InDelta(t, 1, got[`gpatlas_jobs_runs_total{result="failed",type="test.give_up"}`], 0)
	require.InDelta(t, 3, got[`gpatlas_jobs_queue_tasks{queue="default",state="archived"}`], 0)
	require.InDelta(t, 1, got[`gpatlas_jobs_queue_tasks{queue="default",state="retry"}`], 0)
	require.InDelta(t, 4, got[`gpatlas_jobs_relayed_total{result="queued"}`], 0)
	require.InDelta(t, 1, got[`gpatlas_jobs_queue_up`], 0)
	require.Contains(t, got, `gpatlas_jobs_outbox_waiting`)
	require.Contains(t, got, `gpatlas_jobs_outbox_oldest_seconds`)
}

// gather reads counters and gauges by name and labels.
func gather(t *testing.T, g prometheus.Gatherer) map[string]float64 {
	t.Helper()
	families, err := g.Gather()
	require.NoError(t, err)
	out := map[string]float64{}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			var labels []string
			for _, l := range m.GetLabel() {
				labels = append(labels, l.GetName()+"="+strconv.Quote(l.GetValue()))
			}
			name := f.GetName()
			if len(labels) > 0 {
				name += "{" + strings.Join(labels, ",") + "}"
			}
			out[name] = m.GetCounter().GetValue() + m.GetGauge().GetValue()
		}
	}
	return out
}

// A job that has begun is finished before the worker is gone.
func TestShutdownDrains(t *testing.T) {
	t.Parallel()
	b := setup(t)
	begun, release := make(chan struct{}), make(chan struct{})
	var finished atomic.Bool
	w := b.worker(t, jobs.Deps{Handlers: []jobs.Handler{{Type: "test.take_time", Run: func(ctx context.Context, _ []byte) error {
		close(begun)
		<-release
		finished.Store(ctx.Err() == nil)
		return nil
	}}}}, jobs.Config{})
	require.NoError(t, b.in.Enqueue(t.Context(), jobs.Job{Type: "test.take_time"}))
	<-begun
	hurry, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, w.Shutdown(hurry), context.DeadlineExceeded, "the job still runs")
	require.False(t, finished.Load())
	close(release)
	require.NoError(t, w.Shutdown(t.Context()))
	require.True(t, finished.Load(), "and it was not disturbed")
	require.NoError(t, b.in.Enqueue(t.Context(), jobs.Job{Type: "test.take_time"}))
	require.Equal(t, 1, b.waiting(t), "nothing is taken any more")
	require.ErrorContains(t, w.Start(t.Context()), "started before")
}

// A job that does not end within the drain timeout is cancelled and runs again in another worker.
func TestWhatIsNotFinishedGoesBackToTheQueue(t *testing.T) {
	t.Parallel()
	b := setup(t)
	begun := make(chan struct{}, 2)
	var runs atomic.Int64
	handler := jobs.Handler{Type: "test.take_time", Run: func(ctx context.Context, _ []byte) error {
		n := runs.Add(1)
		begun <- struct{}{}
		if n > 1 {
			return nil
		}
		<-ctx.Done()
		return ctx.Err()
	}}
	w := b.worker(t, jobs.Deps{Handlers: []jobs.Handler{handler}}, jobs.Config{DrainTimeout: 50 * time.Millisecond})
	require.NoError(t, b.in.Enqueue(t.Context(), jobs.Job{Type: "test.take_time"}))
	<-begun
	require.NoError(t, w.Shutdown(t.Context()))
	b.worker(t, jobs.Deps{Handlers: []jobs.Handler{handler}}, jobs.Config{})
	<-begun
	require.EqualValues(t, 2, runs.Load())
}

func TestAJobForLaterWaits(t *testing.T) {
	t.Parallel()
	b, c := setup(t), &counter{}
	b.worker(t, jobs.Deps{Handlers: []jobs.Handler{c.handler("catalog.count_up")}}, jobs.Config{})
	at := time.Now().Add(time.Hour).Truncate(time.Second)
	require.NoError(t, b.in.Enqueue(t.Context(), jobs.Job{Type: "catalog.count_up", TaskID: "later", RunAt: at}))
	inspector := asynq.NewInspectorFromRedisClient(b.rdb)
	require.Eventually(t, func() bool {
		info, err := inspector.GetTaskInfo("default", "later")
		return err == nil && info.State == asynq.TaskStateScheduled && info.NextProcessAt.Equal(at)
	}, soon, often)
	require.Zero(t, c.n.Load())
}

// While Redis is unavailable jobs wait in the outbox with the reason; whichever worker finds a queue takes them.
func TestJobsOutliveTheirQueue(t *testing.T) {
	t.Parallel()
	b, c := setup(t), &counter{}
	server := dbtest.RedisServer(t)
	gone := server.RedisURL() + "?max_retries=-1&dial_timeout=200ms"
	require.NoError(t, server.Stop(t.Context()))
	handlers := []jobs.Handler{c.handler("catalog.count_up")}
	w := b.worker(t, jobs.Deps{RedisURL: gone, Handlers: handlers}, jobs.Config{RelayInterval: 50 * time.Millisecond, DrainTimeout: time.Millisecond})
	require.NoError(t, b.in.Enqueue(t.Context(), jobs.Job{Type: "catalog.count_up", Payload: number{1}}))
	require.Eventually(t, func() bool {
		var reason *string
		err := b.db.Pool().QueryRow(t.Context(), "SELECT last_error FROM platform.outbox WHERE attempts > 1").Scan(&reason)
		return err == nil && reason != nil && strings.Contains(*reason, "connect")
	}, soon, often)
	require.NoError(t, w.Shutdown(t.Context()))
	b.worker(t, jobs.Deps{Handlers: handlers}, jobs.Config{})
	c.reaches(t, 1)
	require.Eventually(t, func() bool { return b.waiting(t) == 0 }, soon, often)
}

// Two workers, a schedule that is due every second, one bucket: one run.
func TestAScheduleRunsOnceABucket(t *testing.T) {
	t.Parallel()
	b, c := setup(t), &counter{}
	var asked atomic.Int64
	d := jobs.Deps{
		Handlers: []jobs.Handler{c.handler("test.run_daily")},
		Schedules: []jobs.Schedule{{Type: "test.run_daily", Cron: "@every 1s", Bucket: func(at time.Time) string {
			if at.Location() != time.UTC {
				return "an instant in local time"
			}
			asked.Add(1)
			return "2026-11-20"
		}}},
	}
	b.worker(t, d, jobs.Config{})
	b.worker(t, d, jobs.Config{})
	require.Eventually(t, func() bool { return asked.Load() >= 4 }, soon, often)
	require.Eventually(t, func() bool { return b.waiting(t) == 0 }, soon, often)
	c.reaches(t, 1)
	c.mu.Lock()
	defer c.mu.Unlock()
	require.Equal(t, map[string]int{`{"bucket": "2026-11-20"}`: 1}, c.runs)
}

// A schedule that asks for it runs when the worker starts, however far its next time is.
func TestAScheduleRunsAtTheStart(t *testing.T) {
	t.Parallel()
	b, c := setup(t), &counter{}
	b.worker(t, jobs.Deps{
		Handlers:  []jobs.Handler{c.handler("test.catch_up")},
		Schedules: []jobs.Schedule{{Type: "test.catch_up", Cron: "0 0 29 2 *", AtStart: true, Bucket: jobs.Daily}},
	}, jobs.Config{})
	c.reaches(t, 1)
	require.Eventually(t, func() bool { return b.waiting(t) == 0 }, soon, often)
}

// The monitoring page lists the schedules with their next times. Listing them enqueues nothing of its own.
func TestSchedulesAreDisplayed(t *testing.T) {
	t.Parallel()
	b, c := setup(t), &counter{}
	b.worker(t, jobs.Deps{
		Handlers:  []jobs.Handler{c.handler("test.run_daily")},
		Schedules: []jobs.Schedule{{Type: "test.run_daily", Cron: "@every 1s", Bucket: jobs.Daily}},
	}, jobs.Config{})
	var shown []*asynq.SchedulerEntry
	require.Eventually(t, func() bool {
		var err error
		shown, err = asynq.NewInspectorFromRedisClient(b.rdb).SchedulerEntries()
		return err == nil && len(shown) == 1
	}, soon, often)
	require.Equal(t, "@every 1s", shown[0].Spec)
	require.Equal(t, "test.run_daily", shown[0].Task.Type())
	require.WithinDuration(t, time.Now(), shown[0].Next, 10*time.Second)
	require.Eventually(t, func() bool { return b.waiting(t) == 0 }, soon, often)
	c.reaches(t, 1) // the run of the day; shown five times by now
}

// Of many who start a run at once one is the first, and all are told when it was. A transaction that fails has started nothing,
// and after 25 hours the key is free.
func TestEnqueueOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	job := jobs.Job{Type: "test.run_daily", TaskID: jobs.Key("test.run_daily", "2026-11-20")}
	undone := errors.New("undone")
	require.ErrorIs(t, b.db.InTx(t.Context(), func(ctx context.Context) error {
		_, first, err := b.in.EnqueueOnce(ctx, job)
		require.NoError(t, err)
		require.True(t, first)
		return undone
	}), undone)
	var firsts atomic.Int64
	times := make([]time.Time, 8)
	var wg sync.WaitGroup
	for i := range times {
		wg.Go(func() {
			at, first, err := b.in.EnqueueOnce(t.Context(), job)
			require.NoError(t, err)
			times[i] = at
			if first {
				firsts.Add(1)
			}
		})
	}
	wg.Wait()
	require.EqualValues(t, 1, firsts.Load())
	require.Equal(t, 1, b.waiting(t))
	for _, at := range times {
		require.Equal(t, times[0], at)
		require.Equal(t, time.UTC, at.Location())
	}
	_, err := b.db.Pool().Exec(t.Context(), "UPDATE platform.started_runs SET started_at = now() - interval '25 hours 1 second'")
	require.NoError(t, err)
	_, first, err := b.in.EnqueueOnce(t.Context(), job)
	require.NoError(t, err)
	require.True(t, first)
	_, _, err = b.in.EnqueueOnce(t.Context(), jobs.Job{Type: "test.run_daily"})
	require.ErrorContains(t, err, "without a task id")
	_, _, err = b.in.EnqueueOnce(t.Context(), jobs.Job{Type: "Enrich", TaskID: "x"})
	require.ErrorContains(t, err, "want module.verb_noun")
}

func TestBadJobsAreRefusedWhereTheyAreWritten(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for message, job := range map[string]jobs.Job{
		"want module.verb_noun": {Type: "Enrich"},
		"want at most 200":      {Type: "people.enrich", TaskID: strings.Repeat("x", 201)},
		"without blanks":        {Type: "people.enrich", TaskID: " x"},
		"payload":               {Type: "people.enrich", Payload: make(chan int)},
		"NUL":                   {Type: "people.enrich", Payload: map[string]string{"a": "\x00"}},
	} {
		require.ErrorContains(t, b.in.Enqueue(t.Context(), job), message)
	}
	require.Zero(t, b.waiting(t))
	var got map[string]any
	require.NoError(t, b.in.Enqueue(t.Context(), jobs.Job{Type: "people.enrich", Payload: json.RawMessage(`{"a":"é"}`)}))
	require.NoError(t, b.db.Pool().QueryRow(t.Context(), "SELECT payload FROM platform.outbox").Scan(&got))
	require.Equal(t, map[string]any{"a": "é"}, got)
}

func TestFaultsOfHandlersAndSchedulesAreAllNamed(t *testing.T) {
	t.Parallel()
	run := func(context.Context, []byte) error { return nil }
	_, err := jobs.NewWorker(jobs.Config{}, jobs.Deps{Handlers: []jobs.Handler{
		{Type: "a.b", Run: run},
		{Type: "a.b", Run: run},
		{Type: "nonsense", Run: run},
		{Type: "c.d"},
		{Type: "e.f", Run: run, Retries: -1},
		{Type: "g.h", Run: run, Queue: jobs.Low + 1},
	}})
	for _, message := range []string{"declared twice", "want module.verb_noun", `"c.d": nothing to run`, "must not be negative", `"g.h": there is no queue 3`} {
		require.ErrorContains(t, err, message)
	}
	_, err = jobs.NewWorker(jobs.Config{}, jobs.Deps{Handlers: []jobs.Handler{{Type: "a.b", Run: run}}, Schedules: []jobs.Schedule{
		{Type: "a.b", Cron: "every day", Bucket: jobs.Daily}, {Type: "a.b", Cron: "0 6 * * *"}, {Type: "g.h", Cron: "CRON_TZ=America/New_York 0 6 * * *", Bucket: jobs.Daily},
	}})
	for _, message := range []string{"every day", "no bucket", "schedule of g.h: no handler"} {
		require.ErrorContains(t, err, message)
	}
	_, err = jobs.NewWorker(jobs.Config{}, jobs.Deps{RedisURL: "http://127.0.0.1"})
	require.ErrorContains(t, err, "URL of Redis")
	_, err = jobs.NewWorker(jobs.Config{MetricsAddr: "9100"}, jobs.Deps{})
	require.ErrorContains(t, err, `JOBS_METRICS_ADDR: "9100" is not HOST:PORT`)
	_, err = jobs.NewWorker(jobs.Config{MetricsAddr: "127.0.0.1:0"}, jobs.Deps{})
	require.ErrorContains(t, err, "no metrics to serve")
}

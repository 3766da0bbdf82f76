package jobs_test

import (
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/hibiken/asynq"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
	"gpatlas/platform/localserver"
	"gpatlas/platform/testkit/dbtest"
)

// lastingRedis is a redis-server with an append-only file, as in production, that is stopped and started again at one
// address.
type lastingRedis struct {
	dir, port string
	server    *exec.Cmd
	client    *redis.Client
}

func newLastingRedis(t *testing.T) *lastingRedis {
	t.Helper()
	probe, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	_, port, err := net.SplitHostPort(probe.Addr().String())
	require.NoError(t, err)
	require.NoError(t, probe.Close())
	r := &lastingRedis{dir: t.TempDir(), port: port, client: redis.NewClient(&redis.Options{Addr: "127.0.0.1:" + port})}
	t.Cleanup(func() {
		r.stop(t)
		_ = r.client.Close()
	})
	r.start(t)
	return r
}

func (r *lastingRedis) url() string { return "redis://127.0.0.1:" + r.port + "/0" }

func (r *lastingRedis) start(t *testing.T) {
	t.Helper()
	bin, err := localserver.FindRedis()
	require.NoError(t, err)
	log, err := os.Create(filepath.Join(r.dir, "log"))
	require.NoError(t, err)
	defer func() { _ = log.Close() }()
	r.server = exec.Command(bin, "--bind", "127.0.0.1", "--port", r.port, "--dir", r.dir, "--save", "", "--appendonly", "yes")
	r.server.Stdout, r.server.Stderr = log, log
	r.server.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	require.NoError(t, r.server.Start())
	require.Eventually(t, func() bool { return r.client.Ping(t.Context()).Err() == nil }, soon, often)
}

func (r *lastingRedis) stop(t *testing.T) {
	t.Helper()
	if r.server.ProcessState == nil {
		require.NoError(t, r.server.Process.Signal(syscall.SIGTERM))
		require.NoError(t, r.server.Wait())
	}
}

// Redis stops amid work and comes back: what it held is run, what was enqueued meanwhile waited in the outbox and is
// run too, by the same worker, without anybody's help. What ended while nobody could be told runs once more.
func TestRedisStopsAndReturns(t *testing.T) {
	t.Parallel()
	b := setup(t)
	server := newLastingRedis(t)
	var finished counter
	begun, release := make(chan struct{}, 100), make(chan struct{})
	count := finished.handler("test.take_time").Run
	handler := jobs.Handler{Type: "test.take_time", Retries: 3, Run: func(ctx context.Context, payload []byte) error {
		begun <- struct{}{}
		<-release
		return count(ctx, payload)
	}}
	b.worker(t, jobs.Deps{RedisURL: server.url(), Handlers: []jobs.Handler{handler}}, jobs.Config{Concurrency: 2, RelayInterval: 50 * time.Millisecond})
	enqueue := func(from, to int) {
		for i := from; i < to; i++ {
			require.NoError(t, b.db.InTx(t.Context(), func(ctx context.Context) error {
				return b.in.Enqueue(ctx, jobs.Job{Type: "test.take_time", Payload: number{i}})
			}))
		}
	}
	enqueue(0, 5)
	<-begun
	<-begun
	require.Eventually(t, func() bool { return b.waiting(t) == 0 }, soon, often)

	server.stop(t)
	enqueue(5, 10)
	close(release) // two jobs end while nobody can be told
	finished.reaches(t, 2)
	require.Eventually(t, func() bool {
		var tried int
		err := b.db.Pool().QueryRow(t.Context(), "SELECT count(*) FROM platform.outbox WHERE attempts > 0").Scan(&tried)
		return err == nil && tried > 0
	}, soon, often)
	require.Equal(t, 5, b.waiting(t), "all of them are kept")

	server.start(t)
	inspector := asynq.NewInspectorFromRedisClient(server.client)
	completed := func(n int) {
		require.Eventually(t, func() bool {
			info, err := inspector.GetQueueInfo("default")
			return err == nil && info.Completed == n && info.Pending == 0 && b.waiting(t) == 0
		}, soon, often)
	}
	completed(8)
	finished.mu.Lock()
	require.Len(t, finished.runs, 10)
	finished.mu.Unlock()

	// The library leaves the two to their leases.
	require.Len(t, expireLeases(t, server.client), 2)
	b.worker(t, jobs.Deps{RedisURL: server.url(), Handlers: []jobs.Handler{handler}, Random: func() float64 { return 0 }}, jobs.Config{})
	completed(10)
	require.EqualValues(t, 12, finished.n.Load())
	list, err := inspector.ListArchivedTasks("default")
	require.NoError(t, err)
	require.Empty(t, list)
}

// expireLeases makes the leases of running jobs long out, and gives the jobs' ids: a lease lasts half a minute, and half
// a minute more is left to clocks that differ. A worker looks for such jobs when it starts, then once a minute.
func expireLeases(t *testing.T, client redis.UniversalClient) []string {
	t.Helper()
	const leases = "asynq:{default}:lease"
	held, err := client.ZRange(t.Context(), leases, 0, -1).Result()
	require.NoError(t, err)
	for _, id := range held {
		long := float64(time.Now().Add(-2 * time.Minute).Unix())
		require.NoError(t, client.ZAddXX(t.Context(), leases, redis.Z{Score: long, Member: id}).Err())
	}
	return held
}

// workerProcess is set where the test binary runs as the worker that is killed: Redis and the database.
const workerRedis, workerDatabase = "GPATLAS_TEST_WORKER_REDIS", "GPATLAS_TEST_WORKER_DATABASE"

// TestWorkerProcess is the worker that TestAKilledWorkersJobsComeBack kills: its jobs never end.
func TestWorkerProcess(t *testing.T) { //nolint:paralleltest // the only test of its process
	url := os.Getenv(workerRedis)
	if url == "" {
		return
	}
	db := openURL(t, os.Getenv(workerDatabase))
	options, err := redis.ParseURL(url)
	require.NoError(t, err)
	rdb := redis.NewClient(options)
	w, err := jobs.NewWorker(jobs.Config{Concurrency: 4, PollInterval: 20 * time.Millisecond}, jobs.Deps{DB: db, RedisURL: url, Handlers: []jobs.Handler{
		{Type: "test.take_time", Retries: 1, Run: func(ctx context.Context, payload []byte) error {
			if err := rdb.RPush(ctx, "begun", payload).Err(); err != nil {
				return err
			}
			<-ctx.Done()
			return ctx.Err()
		}},
	}})
	require.NoError(t, err)
	require.NoError(t, w.Start(t.Context()))
	select {} // until it is killed
}

// kill -9 amid work: what had begun runs again in the next worker once its lease has run out, what waited runs once.
func TestAKilledWorkersJobsComeBack(t *testing.T) {
	t.Parallel()
	b, c := setup(t), &counter{}
	const total, atOnce = 20, 4
	for i := range total {
		require.NoError(t, b.in.Enqueue(t.Context(), jobs.Job{Type: "test.take_time", Payload: number{i}}))
	}
	process := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestWorkerProcess$")
	process.Env = append(os.Environ(), workerRedis+"="+b.url, workerDatabase+"="+dbtest.URL(t, b.db))
	process.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	require.NoError(t, process.Start())
	require.Eventually(t, func() bool {
		return b.rdb.LLen(t.Context(), "begun").Val() == atOnce && b.waiting(t) == 0
	}, 2*soon, often)
	require.NoError(t, process.Process.Kill())
	require.Error(t, process.Wait())

	require.Len(t, expireLeases(t, b.rdb), atOnce)
	var waits atomic.Int64
	handler := c.handler("test.take_time")
	handler.Retries = 1
	b.worker(t, jobs.Deps{Handlers: []jobs.Handler{handler}, Random: func() float64 {
		waits.Add(1)
		return 0
	}}, jobs.Config{})
	c.reaches(t, total)
	require.EqualValues(t, atOnce, waits.Load(), "those in flight were put to retry")
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range total {
		require.Equal(t, 1, c.runs[`{"n": `+strconv.Itoa(i)+`}`], i)
	}
	for _, payload := range b.rdb.LRange(t.Context(), "begun", 0, -1).Val() {
		require.Equal(t, 1, c.runs[payload], "in flight: twice in all")
	}
}

func openURL(t *testing.T, url string) *database.DB {
	t.Helper()
	db, err := database.Open(t.Context(), database.Config{URL: url, MaxConns: 4})
	require.NoError(t, err)
	t.Cleanup(db.Close)
	return db
}

// Redis loses its data between the hand-over and the run: the jobs run all the same, and are forgotten when they are done.
func TestRedisLosesItsJobs(t *testing.T) {
	t.Parallel()
	b, c := setup(t), &counter{}
	inspector := asynq.NewInspectorFromRedisClient(b.rdb)
	require.NoError(t, inspector.PauseQueue("default"))
	registry := prometheus.NewRegistry()
	b.worker(t, jobs.Deps{Metrics: registry, Handlers: []jobs.Handler{c.handler("catalog.count_up")}}, jobs.Config{RelayInterval: 20 * time.Millisecond})
	require.NoError(t, b.in.Enqueue(t.Context(), jobs.Job{Type: "catalog.count_up", Payload: number{1}}))
	require.NoError(t, b.in.Enqueue(t.Context(), jobs.Job{Type: "catalog.count_up", Payload: number{2}, TaskID: "two"}))
	require.Eventually(t, func() bool { return b.waiting(t) == 0 }, soon, often)
	require.Zero(t, c.n.Load())
	require.NoError(t, b.rdb.FlushDB(t.Context()).Err())

	later := func() (rows int) {
		_, err := b.db.Pool().Exec(t.Context(), "UPDATE platform.outbox SET handed_at = handed_at - interval '2 minutes'")
		require.NoError(t, err)
		require.NoError(t, b.db.Pool().QueryRow(t.Context(), "SELECT count(*) FROM platform.outbox").Scan(&rows))
		return rows
	}
	require.Equal(t, 2, later())
	c.reaches(t, 2)
	require.Eventually(t, func() bool { return later() == 0 }, soon, often)
	c.mu.Lock()
	defer c.mu.Unlock()
	require.Equal(t, map[string]int{`{"n": 1}`: 1, `{"n": 2}`: 1}, c.runs)
	got := gather(t, registry)
	require.InDelta(t, 2, got[`gpatlas_jobs_relayed_total{result="lost"}`], 0)
	require.InDelta(t, 2, got[`gpatlas_jobs_queue_tasks{queue="default",state="completed"}`], 0, "Redis knows its queues again")
}

// A Redis that has become a replica answers, but takes no jobs: they wait, and the worker is not ready. Its connections
// are replaced, because another server may have its address by then.
func TestRedisBecomesAReplica(t *testing.T) {
	t.Parallel()
	b, c := setup(t), &counter{}
	server := newLastingRedis(t)
	w := b.worker(t, jobs.Deps{RedisURL: server.url(), Handlers: []jobs.Handler{c.handler("catalog.count_up")}}, jobs.Config{RelayInterval: 20 * time.Millisecond})
	require.NoError(t, w.Ready(t.Context()))
	replica := redis.NewClient(&redis.Options{Addr: "127.0.0.1:" + server.port})
	defer func() { _ = replica.Close() }()
	require.NoError(t, replica.Do(t.Context(), "REPLICAOF", "127.0.0.1", "1").Err())
	require.True(t, redis.IsReadOnlyError(replica.Set(t.Context(), "key", 1, 0).Err()))
	require.Zero(t, replica.PoolStats().TotalConns, "the connection is dropped")
	require.NoError(t, b.db.InTx(t.Context(), func(ctx context.Context) error {
		for i := range 5 {
			require.NoError(t, b.in.Enqueue(ctx, jobs.Job{Type: "catalog.count_up", Payload: number{i}}))
		}
		return nil
	}))
	require.Eventually(t, func() bool {
		var tried int
		err := b.db.Pool().QueryRow(t.Context(), "SELECT count(*) FROM platform.outbox WHERE last_error LIKE '%READONLY%'").Scan(&tried)
		return err == nil && tried > 0
	}, soon, often)
	require.Equal(t, 5, b.waiting(t))
	require.ErrorContains(t, w.Ready(t.Context()), "Redis accepts no jobs")
	require.NoError(t, replica.Do(t.Context(), "REPLICAOF", "NO", "ONE").Err())
	c.reaches(t, 5)
}

// The primary of Redis is lost: the worker and the counts of jobs follow the Sentinels to the replica, and no job is lost.
func TestSentinelsNameANewPrimary(t *testing.T) {
	t.Parallel()
	b, c := setup(t), &counter{}
	url, primary, replica := dbtest.RedisSentinel(t)
	w := b.worker(t, jobs.Deps{RedisURL: url, Handlers: []jobs.Handler{c.handler("catalog.count_up")}}, jobs.Config{RelayInterval: 50 * time.Millisecond})
	enqueue := func(from, to int) {
		for i := from; i < to; i++ {
			require.NoError(t, b.db.InTx(t.Context(), func(ctx context.Context) error {
				return b.in.Enqueue(ctx, jobs.Job{Type: "catalog.count_up", Payload: number{i}})
			}))
		}
	}
	enqueue(0, 5)
	c.reaches(t, 5)
	primary.Kill(t)
	enqueue(5, 10)
	c.reaches(t, 10)
	require.NoError(t, w.Ready(t.Context()))
	require.Equal(t, "master", replica.Do(t.Context(), "ROLE").Val().([]any)[0])
	inspector, err := jobs.NewInspector(url)
	require.NoError(t, err)
	defer func() { require.NoError(t, inspector.Close()) }()
	waiting, dead, err := inspector.Load(t.Context())
	require.NoError(t, err)
	require.Zero(t, waiting+dead)
}

// A queue's keys are on one node of a Cluster, and its other keys are asked for one at a time.
func TestJobsInACluster(t *testing.T) {
	t.Parallel()
	b, c := setup(t), &counter{}
	url, _ := dbtest.RedisCluster(t)
	b.worker(t, jobs.Deps{RedisURL: url, Handlers: []jobs.Handler{c.handler("catalog.count_up")}}, jobs.Config{RelayInterval: 50 * time.Millisecond})
	for i := range 20 {
		require.NoError(t, b.db.InTx(t.Context(), func(ctx context.Context) error {
			return b.in.Enqueue(ctx, jobs.Job{Type: "catalog.count_up", Payload: number{i}, TaskID: strconv.Itoa(i)})
		}))
	}
	c.reaches(t, 20)
	inspector, err := jobs.NewInspector(url)
	require.NoError(t, err)
	defer func() { require.NoError(t, inspector.Close()) }()
	waiting, dead, err := inspector.Load(t.Context())
	require.NoError(t, err)
	require.Zero(t, waiting+dead)
}

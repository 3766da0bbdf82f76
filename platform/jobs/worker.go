package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"github.com/hibiken/asynq"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"

	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/redisclient"
)

// Deps are a worker's dependencies. The caller closes the database after Shutdown. The worker owns its connection to Redis:
// asynq panics if it is closed too early.
type Deps struct {
	DB        *database.DB
	RedisURL  string // as redisclient.Options reads it
	Handlers  []Handler
	Schedules []Schedule
	Logger    *slog.Logger          // nil is silence
	Clock     clock.Clock           // nil is the machine's
	Metrics   prometheus.Registerer // nil is none
	// MetricsPage is the handler at Config.MetricsAddr for the registry's metrics.
	MetricsPage http.Handler
	// Random returns numbers in [0, 1) for the waits before retries; nil is the system's generator.
	Random func() float64
}

// Worker runs jobs, the relay and the schedules. Any number of workers may run side by side.
type Worker struct {
	cfg       Config
	server    *asynq.Server
	dispatch  *dispatcher
	relay     *relay
	scheduler *scheduler
	shown     *asynq.Scheduler
	metrics   *metrics
	registry  prometheus.Registerer
	log       *slog.Logger
	redis     redis.UniversalClient
	db        *database.DB
	page      http.Handler
	listener  *listener // nil: metrics are not served
	jobsCtx   *baseContext

	mu      sync.Mutex
	stop    context.CancelFunc // ends relay and schedules; nil before Start
	drained chan struct{}      // closed when everything has ended; nil before Shutdown
	running sync.WaitGroup
}

// baseContext is the parent of jobs' contexts: it is set when the worker starts.
type baseContext struct{ ctx context.Context } // asynq accepts a function without parameters

// NewWorker checks handlers and schedules and puts a worker together; nothing runs before Start. Every fault is in the
// error: two handlers of one type, a queue that does not exist, a schedule without handler or with a wrong cron expression.
func NewWorker(cfg Config, d Deps) (*Worker, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	cfg = cfg.withDefaults()
	if d.Logger == nil {
		d.Logger = slog.New(slog.DiscardHandler)
	}
	if d.Clock == nil {
		d.Clock = clock.System{}
	}
	if d.Random == nil {
		d.Random = rand.Float64
	}
	if cfg.MetricsAddr != "" && d.MetricsPage == nil {
		return nil, errors.New("JOBS_METRICS_ADDR: this process has no metrics to serve")
	}
	log := d.Logger.With(slog.String("part", "jobs"))
	handlers, err := index(d.Handlers)
	if err != nil {
		return nil, err
	}
	plan, err := newScheduler(d.Schedules, handlers)
	if err != nil {
		return nil, err
	}
	options, err := redisclient.Options(d.RedisURL)
	if err != nil {
		return nil, err
	}
	client := redis.NewUniversalClient(options)
	outbox := &store{db: d.DB}
	plan.enqueuer, plan.clock, plan.log = &Enqueuer{outbox}, d.Clock, log
	shown, err := plan.display(options)
	if err != nil {
		return nil, err
	}
	m := newMetrics(redis.NewUniversalClient(scrapeOptions(options)), outbox, d.Clock)
	w := &Worker{
		cfg: cfg, log: log, metrics: m, registry: d.Metrics, scheduler: plan, shown: shown, redis: client, db: d.DB, page: d.MetricsPage, jobsCtx: &baseContext{},
		dispatch: &dispatcher{handlers: handlers, log: log, clock: d.Clock, metrics: m},
		relay: &relay{
			db: d.DB, outbox: outbox, redis: client, client: asynq.NewClientFromRedisClient(client), tasks: asynq.NewInspectorFromRedisClient(client), handlers: handlers, log: log,
			metrics: m, interval: cfg.RelayInterval, patience: patience, wake: make(chan struct{}, 1),
		},
	}
	w.server = asynq.NewServerFromRedisClient(client, asynq.Config{
		Concurrency:              cfg.Concurrency,
		Queues:                   queueWeights(),
		RetryDelayFunc:           func(n int, _ error, _ *asynq.Task) time.Duration { return backoff(n, d.Random) },
		ShutdownTimeout:          cfg.DrainTimeout,
		TaskCheckInterval:        cfg.PollInterval,
		DelayedTaskCheckInterval: time.Second,
		BaseContext:              func() context.Context { return w.jobsCtx.ctx },
		Logger:                   asynqLog{log},
		LogLevel:                 asynq.WarnLevel,
	})
	return w, nil
}

// index checks the handlers and finds them by type.
func index(list []Handler) (map[string]Handler, error) {
	byType := make(map[string]Handler, len(list))
	var faults []error
	for _, h := range list {
		_, twice := byType[h.Type]
		switch {
		case !typePattern.MatchString(h.Type):
			faults = append(faults, fmt.Errorf("job handler %q: want module.verb_noun", h.Type))
		case twice:
			faults = append(faults, fmt.Errorf("job handler %q: declared twice", h.Type))
		case h.Run == nil:
			faults = append(faults, fmt.Errorf("job handler %q: nothing to run", h.Type))
		case h.Queue >= queueCount:
			faults = append(faults, fmt.Errorf("job handler %q: there is no queue %d", h.Type, h.Queue))
		case h.Retries < 0 || h.Timeout < 0:
			faults = append(faults, fmt.Errorf("job handler %q: retries and timeout must not be negative", h.Type))
		}
		if h.Timeout == 0 {
			h.Timeout = defaultTimeout
		}
		byType[h.Type] = h
	}
	return byType, errors.Join(faults...)
}

// Start begins to work and returns at once. ctx provides values to the jobs; its end stops nothing, Shutdown does.
func (w *Worker) Start(ctx context.Context) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stop != nil || w.drained != nil {
		return errors.New("jobs: the worker was started before")
	}
	base := context.WithoutCancel(ctx)
	w.jobsCtx.ctx, w.metrics.base = base, base
	if w.registry != nil {
		if err := w.registry.Register(w.metrics); err != nil {
			return fmt.Errorf("register the metrics of jobs: %w", err)
		}
	}
	if w.cfg.MetricsAddr != "" {
		var err error
		if w.listener, err = listen(ctx, w.cfg.MetricsAddr, w.page, http.HandlerFunc(w.serveReady), w.log); err != nil {
			return err
		}
		w.log.InfoContext(ctx, "metrics are served", slog.String("addr", w.listener.addr))
	}
	if err := w.server.Start(w.dispatch); err != nil {
		return errors.Join(fmt.Errorf("start the job server: %w", err), w.closeListener())
	}
	if err := w.shown.Start(); err != nil {
		w.server.Shutdown()
		return errors.Join(fmt.Errorf("show the schedules: %w", err), w.closeListener())
	}
	base, w.stop = context.WithCancel(base)
	w.running.Go(func() { w.relay.run(base) })
	for _, e := range w.scheduler.entries {
		w.running.Go(func() { w.scheduler.run(base, e) })
	}
	return nil
}

// readyLimit is how long Redis and the database may take to respond.
const readyLimit = 2 * time.Second

// Ready reports why jobs cannot run now; nil = they can.
func (w *Worker) Ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readyLimit)
	defer cancel()
	var faults []error
	if err := writable(ctx, w.redis); err != nil {
		faults = append(faults, fmt.Errorf("Redis accepts no jobs: %w", err)) //nolint:staticcheck // a name
	}
	if err := w.db.Ping(ctx); err != nil {
		faults = append(faults, fmt.Errorf("the database does not respond: %w", err))
	}
	return errors.Join(faults...)
}

// serveReady answers 200 or 503. The cause is for the log: it may name a server.
func (w *Worker) serveReady(rw http.ResponseWriter, r *http.Request) {
	rw.Header().Set("Cache-Control", "no-store")
	rw.Header().Set("Content-Type", "application/json")
	err := w.Ready(r.Context())
	if err != nil {
		w.log.WarnContext(r.Context(), "jobs cannot run", slog.Any("error", err))
		rw.WriteHeader(http.StatusServiceUnavailable)
	}
	_, _ = fmt.Fprintf(rw, "{\"ready\":%t}\n", err == nil)
}

// MetricsAddr is the address of the metrics, with the real port if 0 was configured; "" if they are not served.
func (w *Worker) MetricsAddr() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.listener == nil {
		return ""
	}
	return w.listener.addr
}

func (w *Worker) closeListener() error {
	if w.listener == nil {
		return nil
	}
	return w.listener.close()
}

// Shutdown takes no new work and waits for running jobs, up to the drain timeout: unfinished jobs are canceled and go back to
// the queue. It returns ctx's error if ctx ends first. It may be called twice.
func (w *Worker) Shutdown(ctx context.Context) error {
	w.mu.Lock()
	if w.drained == nil {
		w.drained = make(chan struct{})
		go w.drain(w.stop)
	}
	w.mu.Unlock()
	select {
	case <-w.drained:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("jobs are still running: %w", ctx.Err())
	}
}

// drain ends what Start began, if it began anything.
func (w *Worker) drain(stop context.CancelFunc) {
	defer close(w.drained)
	if stop != nil {
		stop()
		w.shown.Shutdown()
		w.server.Shutdown()
		w.running.Wait()
		if w.registry != nil {
			w.registry.Unregister(w.metrics)
		}
	}
	if err := errors.Join(w.closeListener(), w.redis.Close(), w.metrics.redis.Close()); err != nil {
		w.log.Warn("close the worker's connections", slog.Any("error", err))
	}
}

package main

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/fx"
	"go.uber.org/fx/fxevent"

	"gpatlas/modules"
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/feed"
	"gpatlas/modules/keys"
	"gpatlas/platform/audit"
	"gpatlas/platform/charge"
	"gpatlas/platform/clock"
	"gpatlas/platform/config"
	"gpatlas/platform/database"
	"gpatlas/platform/idempotency"
	"gpatlas/platform/jobs"
	"gpatlas/platform/jobs/queueui"
	"gpatlas/platform/mail"
	"gpatlas/platform/module"
	"gpatlas/platform/telemetry"
	"gpatlas/web"
)

// build is the build of the binary, set by the linker.
var build = "dev"

// service is a running process: the container, and what was opened before it.
type service struct {
	app     *fx.App
	web     *web.Server // nil if nothing is served
	loader  catalogapi.Loader
	data    catalogapi.DataSource
	db      *database.DB
	tracing *telemetry.Tracing
}

// parts are the container's ready-made values. Whatever may fail for external reasons (an unavailable database, an unknown
// collector) is opened before it, so that constructors only assign and errors stay one line.
type parts struct {
	process  module.Process
	settings settings
	clock    clock.Clock
	log      *slog.Logger
	db       *database.DB // nil if operations are only described
	tracing  *telemetry.Tracing
	mail     mail.Sender // nil in processes without jobs: nothing is sent inside a request
}

// compose is the container of a process: the platform, every module, and the process's hosts.
func compose(pt parts) fx.Option {
	pt.settings.Web.AppURL = pt.settings.Accounts.PublicAppURL
	var tagFault error
	pt.settings.Web.TagKeys, tagFault = pt.settings.Accounts.Secrets("entity tags")
	options := []fx.Option{
		fx.Error(tagFault),
		fx.WithLogger(func() fxevent.Logger { return fxevent.NopLogger }),
		fx.StartTimeout(startLimit),
		fx.StopTimeout(drainLimit),
		fx.Supply(pt.process, pt.log, pt.db, pt.tracing, pt.settings.Web, pt.settings.Redis, pt.settings.Jobs, keys.RedisURL(pt.settings.Redis.URL), web.Build(build)),
		fx.Provide(
			func() clock.Clock { return pt.clock },
			func() mail.Sender { return pt.mail },
			func() *charge.List { return &charge.List{} },
			jobs.NewEnqueuer,
			func(db *database.DB) web.Pinger { return db },
			telemetry.NewMetrics,
			newQueueUI,
			newInspector,
			func(m *telemetry.Metrics) prometheus.Registerer { return m.Registerer() },
		),
		pt.settings.Supply(),
		modules.All,
		audit.Module,
		idempotency.Module,
		fx.Provide(
			func() (idempotency.Secrets, error) { return pt.settings.Accounts.Secrets("idempotency") },
			func() (feed.Secrets, error) { return pt.settings.Accounts.Secrets("webhooks") },
		),
	}
	// The last one stops first: no new requests, then no new jobs.
	if pt.process.Worker {
		options = append(options, workerModule)
	}
	if pt.process.Web {
		options = append(options, web.Module)
	}
	return fx.Options(options...)
}

// newQueueUI makes the page of the job queues; nil where there is none.
func newQueueUI(lifecycle fx.Lifecycle, cfg web.Config, queue redisConfig) (*queueui.UI, error) {
	ui, err := web.NewQueueUI(cfg.QueueUI, queue.URL)
	if ui != nil {
		lifecycle.Append(fx.StopHook(ui.Close))
	}
	return ui, err
}

// newInspector looks at the job queues; nil if there are none.
func newInspector(lifecycle fx.Lifecycle, queue redisConfig) (*jobs.Inspector, error) {
	if queue.URL == "" {
		return nil, nil //nolint:nilnil // no queues are no failure
	}
	inspector, err := jobs.NewInspector(queue.URL)
	if err == nil {
		lifecycle.Append(fx.StopHook(inspector.Close))
	}
	return inspector, err
}

// open connects to the database and composes a process; start runs it.
func (p *program) open(ctx context.Context, process module.Process, s settings, log *slog.Logger) (*service, error) {
	s.Database.Logger = log
	s.Database.ApplicationName = "gpatlas " + process.Name
	if process.Worker {
		s.Database = s.Database.Direct() // jobs read what was just written, and hold locks of their sessions
	}
	db, err := database.Open(ctx, s.Database)
	if err != nil {
		return nil, err
	}
	if err := hasSchema(ctx, db); err != nil {
		db.Close()
		return nil, err
	}
	if err := s.Redis.reach(ctx); err != nil {
		if process.Worker || ctx.Err() != nil {
			db.Close()
			return nil, err
		}
		// Searches need no Redis, and a web process that starts while it is unavailable is better than none.
		log.Warn("Redis is unavailable: requests pass without limits until it returns", slog.Any("error", err))
	}
	svc := &service{db: db}
	var sender mail.Sender
	if process.Worker {
		var keys [][]byte
		if keys, err = s.Accounts.Secrets("message ids"); err == nil && len(keys) > 0 {
			s.Mail.IDKey = keys[0]
		}
		if err == nil {
			sender, err = mail.New(s.Mail, p.clock)
		}
	}
	if err == nil {
		svc.tracing, err = telemetry.NewTracing(ctx, s.Telemetry, build)
	}
	if err == nil {
		options := []fx.Option{compose(parts{process, s, p.clock, log, db, svc.tracing, sender}), fx.Populate(&svc.loader, &svc.data)}
		if process.Web {
			options = append(options, fx.Populate(&svc.web))
		}
		svc.app = fx.New(options...)
		err = svc.app.Err()
	}
	if err != nil {
		svc.close(ctx)
		return nil, err
	}
	return svc, nil
}

// hasSchema reports whether the database was ever migrated: queries of an empty one would fail with SQL errors.
func hasSchema(ctx context.Context, db *database.DB) error {
	var has bool
	err := db.Conn(ctx, func(c *pgx.Conn) error {
		return c.QueryRow(ctx, "SELECT to_regnamespace('catalog') IS NOT NULL").Scan(&has)
	})
	if err == nil && !has {
		err = errors.New("the database has no schema; run gpatlas migrate up")
	}
	return err
}

// start runs the process's work until stop. If that fails, it closes what was opened.
func (s *service) start(ctx context.Context) error {
	if err := s.app.Start(ctx); err != nil {
		s.close(ctx)
		return err
	}
	return nil
}

// stop drains a process: running requests and jobs are finished, unless force is requested.
func (p *program) stop(svc *service) error {
	ctx, cancel := context.WithTimeout(p.stops.force, drainLimit)
	defer cancel()
	err := svc.app.Stop(ctx)
	if err == nil {
		svc.close(ctx)
		return nil
	}
	// Interrupted work may hold a connection for ever, and closing the pool would wait for it: the process's end closes them
	// all.
	if p.stops.force.Err() != nil {
		return nil // interrupted on request
	}
	return err
}

// loaded waits until searches work, that is for the first index, but no longer than ctx lasts.
func (s *service) loaded(ctx context.Context) {
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for s.data.Freshness().BuiltAt.IsZero() {
		select {
		case <-ctx.Done():
			return
		case <-look.C:
		}
	}
}

// ended returns the reason why a part of the service has ended unexpectedly; nil waits for ever.
func (s *service) ended() <-chan error {
	if s.web == nil {
		return nil
	}
	return s.web.Done()
}

// closeLimit is how long connections may take to be returned once everything has stopped.
const closeLimit = 3 * time.Second

func (s *service) close(ctx context.Context) {
	if s.tracing != nil {
		_ = s.tracing.Stop(ctx) // traces that cannot be sent are lost, which is no fault of the service
	}
	closed := make(chan struct{})
	go func() {
		s.db.Close()
		close(closed)
	}()
	// Close waits for connections in use. An interrupted part may still hold one; the server rolls it back.
	select {
	case <-closed:
	case <-time.After(closeLimit):
	}
}

// describe returns the API as a host would serve it: every module is composed, nothing is opened or started.
func describe() (*web.App, error) {
	var s settings
	_ = config.Load(nil, &s) // the defaults; missing server URLs do not matter here
	var app *web.App
	pt := parts{
		process:  module.Process{Name: "openapi", Web: true},
		settings: s, clock: clock.System{}, log: slog.New(slog.DiscardHandler), tracing: telemetry.NoTracing(),
	}
	if err := fx.New(compose(pt), fx.Populate(&app)).Err(); err != nil {
		return nil, err
	}
	return app, nil
}

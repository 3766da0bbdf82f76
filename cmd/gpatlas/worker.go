package main

import (
	"log/slog"

	"go.uber.org/fx"

	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
	"gpatlas/platform/module"
	"gpatlas/platform/telemetry"
)

// workerModule runs the modules' jobs and schedules.
var workerModule = fx.Module("worker",
	fx.Provide(newWorker, fx.Annotate(jobsReady, fx.ResultTags(`group:"manifests"`))),
	fx.Invoke(func(lifecycle fx.Lifecycle, w *jobs.Worker) {
		lifecycle.Append(fx.Hook{OnStart: w.Start, OnStop: w.Shutdown})
	}),
)

// jobsReady makes a process that also answers requests report not ready while Redis is unavailable.
func jobsReady(queue redisConfig) module.Manifest {
	return module.New("jobs", module.Part{Checks: []module.Check{{Name: "redis", Run: queue.reach}}})
}

func newWorker(cfg jobs.Config, queue redisConfig, db *database.DB, list []module.Manifest, log *slog.Logger,
	clk clock.Clock, metrics *telemetry.Metrics,
) (*jobs.Worker, error) {
	handlers, schedules := work(list)
	return jobs.NewWorker(cfg, jobs.Deps{
		DB: db, RedisURL: queue.URL, Handlers: handlers, Schedules: schedules, Logger: log, Clock: clk,
		Metrics: metrics.Registerer(), MetricsPage: metrics.Handler(),
	})
}

// work is the modules' jobs and schedules.
func work(manifests []module.Manifest) (handlers []jobs.Handler, schedules []jobs.Schedule) {
	for _, m := range manifests {
		handlers = append(handlers, m.Jobs...)
		schedules = append(schedules, m.Schedules...)
	}
	return handlers, schedules
}

package dataops

import (
	"context"
	"strings"
	"sync"
	"time"

	"gpatlas/platform/jobs"
)

// sourceTimeout bounds the job of one source. The first use of one brings and loads years of archives.
const sourceTimeout = 12 * time.Hour

// sourceJob is the type of the job that uses a source.
func sourceJob(name string) string { return "dataops.ingest_" + strings.ReplaceAll(name, "-", "_") }

// minutely names the run of a schedule by the minute that its cron expression names, whatever that is: daily, hourly.
func minutely(at time.Time) string { return at.UTC().Format("2006-01-02T15:04") }

// work is a job for each enabled source, and its schedule where schedules are on. A job may run twice: what was fetched
// is not fetched again, and two at once wait for each other. It is not retried: the schedule's next time is its retry.
func (d Deps) work() (handlers []jobs.Handler, schedules []jobs.Schedule) {
	list, err := d.Config.sources()
	if err != nil {
		return nil, nil // the settings' check has told
	}
	fetcher := sync.OnceValues(d.fetcher) // one for all, so that they keep the rate together
	for _, def := range list {
		if !def.IsEnabled() {
			continue
		}
		handlers = append(handlers, jobs.Handler{
			Type: sourceJob(def.Name), Timeout: sourceTimeout,
			Run: func(ctx context.Context, _ []byte) error {
				f, err := fetcher()
				if err != nil {
					return err
				}
				_, err = d.ingestSources(ctx, f, []string{def.Name}, IngestOptions{})
				return err
			},
		})
		if d.Config.Schedule == "on" && def.Schedule != "" {
			schedules = append(schedules, jobs.Schedule{Type: sourceJob(def.Name), Cron: def.Schedule, Bucket: minutely})
		}
	}
	return handlers, schedules
}

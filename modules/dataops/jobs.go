package dataops

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"gpatlas/modules/dataops/internal/extraction"
	"gpatlas/modules/dataops/internal/fetch"
	"gpatlas/modules/dataops/internal/source"
	"gpatlas/platform/jobs"
)

// sourceTimeout bounds the job of one source. The first use of a source downloads and loads years of archives.
const sourceTimeout = 12 * time.Hour

// sourceJob is the type of the job that uses a source.
func sourceJob(name string) string { return "dataops.ingest_" + strings.ReplaceAll(name, "-", "_") }

// work is a job for each enabled source, and its schedule where schedules are on. A job may run twice: what was fetched
// is not fetched again, and two at once wait for each other. It is not retried: the schedule's next time is its retry.
func (d Deps) work() (handlers []jobs.Handler, schedules []jobs.Schedule) {
	list, err := d.Config.sources()
	if err != nil {
		return nil, nil // the check of the settings reports the error
	}
	fetcher := sync.OnceValues(d.fetcher) // one for all, so that they keep the rate together
	for _, def := range list {
		if !def.IsEnabled() {
			continue
		}
		handlers = append(handlers, jobs.Handler{
			Type: sourceJob(def.Name), Timeout: sourceTimeout,
			Run: func(ctx context.Context, _ []byte) error {
				busy, err := d.extractions(list).Busy(ctx, def.Name)
				if err != nil || busy {
					return err // the process that uses it now finds the new files
				}
				f, err := fetcher()
				if err != nil {
					return err
				}
				_, err = d.ingestSources(ctx, f, []string{def.Name}, IngestOptions{}, extraction.How{Trigger: extraction.BySchedule})
				return err
			},
		})
		if d.Config.Schedule == "on" && def.Schedule != "" {
			schedules = append(schedules, jobs.Schedule{Type: sourceJob(def.Name), Cron: def.Schedule, Bucket: jobs.Minutely})
		}
	}
	handlers = append(handlers, jobs.Handler{
		// A second try is for a worker that was killed before it began: what had begun is over.
		Type: extraction.Job, Timeout: sourceTimeout, Retries: 1,
		Run: func(ctx context.Context, payload []byte) error {
			f, err := fetcher()
			if err != nil {
				return err
			}
			return d.extract(ctx, f, payload)
		},
	})
	return handlers, schedules
}

// extract runs a waiting extraction. Its result is in its row, so a failed extraction does not fail the job.
func (d Deps) extract(ctx context.Context, f *fetch.Client, payload []byte) error {
	var p extraction.Payload
	if err := json.Unmarshal(payload, &p); err != nil {
		return fmt.Errorf("payload of an extraction: %w", err)
	}
	list, err := extraction.NewStore(d.DB).List(ctx, "", p.RunID, 1)
	if err != nil || len(list) == 0 || list[0].State != extraction.Queued {
		return err
	}
	e := list[0]
	how := extraction.How{ID: e.RunID, Trigger: e.Trigger, Accept: e.Accept}
	_, err = d.ingestSources(ctx, f, []string{e.Source}, IngestOptions{Accept: e.Accept}, how)
	if err == nil || ctx.Err() != nil {
		return err
	}
	after, fault := extraction.NewStore(d.DB).List(ctx, "", p.RunID, 1)
	if fault == nil && len(after) == 1 && after[0].State == extraction.Failed {
		return nil
	}
	return errors.Join(err, fault)
}

// extractions are the uses of sources.
func (d Deps) extractions(list []source.Definition) *extraction.Service {
	return extraction.NewService(d.DB, list, d.lacks, jobs.NewEnqueuer(d.DB), d.Clock)
}

// lacks returns an error that names the settings without which a source cannot be fetched.
func (d Deps) lacks(name string) error { return d.Config.CheckRequest([]string{name}, nil, nil) }

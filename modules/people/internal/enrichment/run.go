package enrichment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"gpatlas/modules/people/internal/title"
	"gpatlas/platform/jobs"
)

// The states of a job.
const (
	queued    = "queued"
	running   = "running"
	completed = "completed"
	failed    = "failed"
)

// The reasons why a job failed.
const (
	interrupted = "interrupted" // its worker was lost, and no other took over
	notStarted  = "not_started" // no worker took it
	timedOut    = "timed_out"
)

const (
	leaseFor  = 2 * time.Minute  // lease of a run, which its worker renews
	renewEach = 20 * time.Second // at most
	waitFor   = time.Hour        // for a worker to take the job
	graceFor  = 10 * time.Minute // after the lease, for another worker to take over
	runsMax   = 5
	atOnce    = 4 // people at the same time
)

var errLost = errors.New("another worker has taken the enrichment, or it was ended")

// Run works on a job until it has ended. It may be called again for the same job, also concurrently: one caller at a time has
// the job, and continues where a lost one stopped, without repeating queries that were answered.
func (s *Service) Run(ctx context.Context, id string) error {
	now := s.clock.Now()
	j, err := s.store.claim(ctx, id, now, now.Add(leaseFor))
	if err != nil {
		return err
	}
	if j == nil {
		open, err := s.store.open(ctx, id)
		if err == nil && open {
			err = errLost // try again after the other's lease has expired
		}
		return err
	}
	if j.Runs > runsMax {
		return s.end(ctx, j, failed, interrupted, Outcome{})
	}
	out, err := s.work(ctx, j)
	rest := context.WithoutCancel(ctx)
	switch {
	case err == nil:
		return s.end(rest, j, completed, "", out)
	case errors.Is(err, errLost):
		return nil
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return s.end(rest, j, failed, timedOut, out)
	}
	_, freed := s.store.renew(rest, j, s.clock.Now()) // for the next run, which can start at once
	return errors.Join(err, freed)
}

// end ends a job that this run holds.
func (s *Service) end(ctx context.Context, j *jobRow, state, fault string, out Outcome) error {
	return s.store.db.InTx(ctx, func(ctx context.Context) error {
		var why *string
		if fault != "" {
			why = &fault
		}
		done, err := s.store.finish(ctx, j, state, why, out, s.clock.Now())
		if err != nil || !done {
			return err
		}
		s.log.InfoContext(ctx, "enrichment ended", slog.String("crd", j.CRD), slog.String("state", state), slog.Any("people", out.People))
		if state != completed || out.Reason != nil {
			return nil
		}
		return s.store.noteFirm(ctx, j.CRD, s.clock.Now())
	})
}

// work asks about the people of the adviser, the most senior first, several at once.
func (s *Service) work(ctx context.Context, j *jobRow) (Outcome, error) {
	about, err := s.store.info(ctx, j.CRD)
	if err != nil {
		return Outcome{}, err
	}
	if about != nil && about.Unfiled {
		return unfiled(), nil
	}
	all, err := s.store.people(ctx, j.CRD)
	if err != nil {
		return Outcome{}, err
	}
	bySeniority(all)
	chosen := all[:min(len(all), s.settings.PeopleMax)]
	t := newTally(s.settings.Providers, len(all)-len(chosen))
	lease := &leaseRenewer{service: s, job: j, at: s.clock.Now()}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for _, p := range chosen {
		group.Go(func() (err error) {
			defer func() {
				if v := recover(); v != nil { // a panic would end the process
					err = fmt.Errorf("panic: %v", v)
				}
			}()
			if err := lease.renew(ctx); err != nil {
				return err
			}
			got, err := s.enrich(ctx, p.PersonUID, j.CRD)
			if err == nil && got != nil {
				t.add(got)
			}
			return err
		})
	}
	err = group.Wait()
	return t.out, err
}

// leaseRenewer renews the lease of a run while it works.
type leaseRenewer struct {
	service *Service
	job     *jobRow
	mu      sync.Mutex
	at      time.Time
}

func (l *leaseRenewer) renew(ctx context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.service.clock.Now()
	if now.Sub(l.at) < renewEach {
		return ctx.Err()
	}
	ours, err := l.service.store.renew(ctx, l.job, now.Add(leaseFor))
	if err == nil && !ours {
		err = errLost
	}
	l.at = now
	return err
}

// bySeniority orders the team before the alumni, and the most senior first.
func bySeniority(all []candidate) {
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(
			-strings.Compare(a.Standing, b.Standing), // team, alumni
			cmp.Compare(title.Read(a.Title).Rank(), title.Read(b.Title).Rank()),
			b.NamedUntil.Compare(a.NamedUntil), strings.Compare(a.PersonUID, b.PersonUID),
		)
	})
}

// enrich asks about one person and stores the answers: see chain. It returns nil for people that filings do not name (any more).
func (s *Service) enrich(ctx context.Context, uid, crd string) (*queryResults, error) {
	posts, err := s.store.posts(ctx, uid)
	if err != nil || len(posts) == 0 {
		return nil, err
	}
	k, err := s.store.kept(ctx, uid)
	if err != nil {
		return nil, err
	}
	before := k.UpdatedAt
	got, fault := s.chain(ctx, subjectOf(uid, posts, crd), &k, crd)
	if !k.UpdatedAt.Equal(before) { // also when the run is interrupted: paid answers are kept
		there, err := s.store.keep(context.WithoutCancel(ctx), uid, k)
		if err != nil || !there {
			return nil, errors.Join(fault, err)
		}
	}
	return got, fault // nil: suppressed meanwhile
}

// The jobs of this slice.
const (
	EnrichJob = "people.enrich_gp"
	ExpireJob = "people.end_enrichments"
	ForgetJob = "people.forget_profiles"
)

const (
	runTimeout   = 30 * time.Minute
	keepProfiles = 365 * 24 * time.Hour
	keepJobs     = 90 * 24 * time.Hour
)

type payload struct {
	ID string `json:"id"`
}

// Handlers are the jobs of enrichment.
func Handlers(s *Service) []jobs.Handler {
	return []jobs.Handler{
		{Type: EnrichJob, Timeout: runTimeout, Retries: 8, Run: func(ctx context.Context, text []byte) error {
			p, err := jobs.Decode[payload](text)
			if err != nil {
				return err
			}
			return s.Run(ctx, p.ID)
		}},
		{Type: ExpireJob, Queue: jobs.Low, Retries: 1, Run: func(ctx context.Context, _ []byte) error { return s.Expire(ctx) }},
		{Type: ForgetJob, Queue: jobs.Low, Retries: 3, Run: func(ctx context.Context, _ []byte) error { return s.Forget(ctx) }},
	}
}

// Schedules are the times of the maintenance jobs.
func Schedules() []jobs.Schedule {
	return []jobs.Schedule{
		{Type: ExpireJob, Cron: "*/5 * * * *", Bucket: jobs.Minutely},
		{Type: ForgetJob, Cron: "20 4 * * *", Bucket: jobs.Daily},
	}
}

// Expire fails jobs whose worker was lost and that no other worker has taken over, and jobs that no worker took.
func (s *Service) Expire(ctx context.Context) error {
	now := s.clock.Now()
	n, err := s.store.expire(ctx, "", now.Add(-graceFor), now)
	if n > 0 {
		s.log.WarnContext(ctx, "enrichments were lost and have failed", slog.Int64("count", n))
	}
	return err
}

// Forget removes provider answers older than a year, answers about people that filings no longer name, and old jobs.
func (s *Service) Forget(ctx context.Context) error {
	now := s.clock.Now()
	return s.store.forget(ctx, now.Add(-keepProfiles), now.Add(-keepJobs))
}

package enrichment

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"gpatlas/platform/apperr"
	"gpatlas/platform/jobs"
)

const (
	startsMax   = 20               // per account and day
	freshFor    = 24 * time.Hour   // within this time a completed job is returned again
	freshFailed = 15 * time.Minute // the same for a job in which a provider failed, or whose people are unknown
	pollFirst   = 50 * time.Millisecond
	pollMost    = time.Second
)

// Start returns the job that enriches an adviser's people: the open one, a recent completed one (cached), or a new one.
func (s *Service) Start(ctx context.Context, userID int64, crd string) (job *jobRow, cached bool, err error) {
	err = s.store.db.InTx(ctx, func(ctx context.Context) error {
		if err := s.store.wantGP(ctx, crd); err != nil {
			return err
		}
		if err := s.unread.WantFirm(ctx, crd); err != nil {
			return err
		}
		if err := s.store.lockAccount(ctx, userID); err != nil {
			return err
		}
		now := s.clock.Now().Truncate(time.Microsecond) // PostgreSQL's precision
		if _, err := s.store.expire(ctx, crd, now.Add(-graceFor), now); err != nil {
			return err
		}
		for job == nil {
			last, err := s.store.newest(ctx, crd)
			if err != nil {
				return err
			}
			if last != nil && s.usable(last, now) {
				job, cached = last, last.State == completed
				return s.store.noteAsker(ctx, job.ID, userID, now, false)
			}
			if job, err = s.begin(ctx, userID, crd, now); err != nil {
				return err
			}
		}
		return nil
	})
	return job, cached, err
}

// usable reports whether a job can be returned for a new request.
func (s *Service) usable(j *jobRow, now time.Time) bool {
	if j.State != completed {
		return true
	}
	var out Outcome
	if json.Unmarshal(j.Outcome, &out) != nil {
		return false
	}
	if out.brief() {
		return now.Before(j.FinishedAt.Add(freshFailed))
	}
	return now.Before(j.FinishedAt.Add(freshFor))
}

// begin creates a job and enqueues it; nil if another request was faster.
func (s *Service) begin(ctx context.Context, userID int64, crd string, now time.Time) (*jobRow, error) {
	today := now.Truncate(24 * time.Hour)
	n, err := s.store.startedSince(ctx, userID, today)
	if err != nil {
		return nil, err
	}
	if n >= startsMax {
		return nil, apperr.New(apperr.KindRateLimited, "An account can start %d enrichments a day (UTC); try again tomorrow", startsMax).
			Wrap(waiting{today.Add(24 * time.Hour).Sub(now)})
	}
	id := uuid.NewString()
	made, err := s.store.create(ctx, id, crd, now, now.Add(waitFor))
	if err != nil || !made {
		return nil, err
	}
	if err := s.store.noteAsker(ctx, id, userID, now, true); err != nil {
		return nil, err
	}
	if err := s.queue.Enqueue(ctx, jobs.Job{Type: EnrichJob, Payload: payload{id}, TaskID: jobs.Key(EnrichJob, id)}); err != nil {
		return nil, err
	}
	return &jobRow{ID: id, CRD: crd, State: queued, CreatedAt: now, LeaseUntil: now.Add(waitFor)}, nil
}

// waiting is the cause of a refusal, a httpapi.Waiter.
type waiting struct{ wait time.Duration }

func (w waiting) Error() string { return "wait for " + w.wait.String() }

// RetryAfter is how long the caller should wait.
func (w waiting) RetryAfter() time.Duration { return w.wait }

// wait waits until a job that the account requested has ended, at most as long as the settings allow.
func (s *Service) wait(ctx context.Context, j *jobRow, userID int64) (*jobRow, error) {
	until := s.clock.Now().Add(s.settings.Wait)
	for pause := pollFirst; j.State == queued || j.State == running; pause = min(2*pause, pollMost) {
		if left := until.Sub(s.clock.Now()); left <= 0 {
			return j, nil
		}
		if err := s.settings.Sleep(ctx, pause); err != nil {
			return nil, err
		}
		next, err := s.Job(ctx, j.ID, j.CRD, userID)
		if err != nil {
			return nil, err
		}
		j = next
	}
	return j, nil
}

// Job returns a job that the account requested. Other accounts' jobs are not found, like jobs that do not exist.
func (s *Service) Job(ctx context.Context, id, crd string, userID int64) (*jobRow, error) {
	if _, err := uuid.Parse(id); err != nil {
		return nil, noJob(id, crd)
	}
	j, err := s.store.job(ctx, id, crd, userID)
	if err == nil && j == nil {
		err = noJob(id, crd)
	}
	if err != nil {
		return nil, err
	}
	if (j.State == queued || j.State == running) && !j.LeaseUntil.Add(graceFor).After(s.clock.Now()) { // the job that marks it expired is late
		why := interrupted
		if j.State == queued {
			why = notStarted
		}
		at := j.LeaseUntil.Add(graceFor)
		j.State, j.Error, j.FinishedAt = failed, &why, &at
	}
	return j, nil
}

func noJob(id, crd string) error {
	return apperr.NotFound("Enrichment %s of the GP with CRD %s not found", id, crd)
}

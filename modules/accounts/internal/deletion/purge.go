package deletion

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gpatlas/modules/accounts/internal/mailing"
	"gpatlas/platform/jobs"
)

// PurgeJob permanently removes accounts that were deleted thirty days ago.
const PurgeJob = "accounts.purge_deleted"

const (
	purgeBatch   = 200
	purgeTimeout = time.Hour
)

// Handlers are the jobs of deletion.
func Handlers(s *Service) []jobs.Handler {
	return []jobs.Handler{{Type: PurgeJob, Queue: jobs.Low, Timeout: purgeTimeout, Retries: 3, Run: jobs.Plain(s.Purge)}}
}

// Purge removes accounts whose thirty days are over, with all their data in all modules, each account in a transaction of its
// own, and returns how many. An account that cannot be purged does not stop the others: the job retries it. The address is free
// from then on. Old invalid mailed tokens of all accounts are removed too.
func (s *Service) Purge(ctx context.Context) (int, error) {
	now := s.clock.Now()
	until := now.Add(-mailing.RecoveryWindow)
	var faults []error
	purged := 0
	for after := int64(0); ; {
		ids, err := s.store.overdue(ctx, until, after, purgeBatch)
		if err != nil {
			return purged, errors.Join(append(faults, err)...)
		}
		if len(ids) == 0 {
			break
		}
		for _, id := range ids {
			gone, err := s.purge(ctx, id, until)
			if err != nil {
				faults = append(faults, fmt.Errorf("purge account %d: %w", id, err))
			}
			if gone {
				purged++
			}
		}
		after = ids[len(ids)-1]
	}
	if _, err := s.tokens.Sweep(ctx, now); err != nil {
		faults = append(faults, err)
	}
	return purged, errors.Join(faults...)
}

func (s *Service) purge(ctx context.Context, id int64, until time.Time) (bool, error) {
	gone := false
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		due, err := s.store.lock(ctx, id, until)
		if err != nil || !due {
			return err
		}
		for _, hear := range s.personal.Purged {
			if err := hear(ctx, id); err != nil {
				return err
			}
		}
		gone = true
		return s.store.remove(ctx, id)
	})
	return gone && err == nil, err
}

package session

import (
	"context"
	"log/slog"
	"time"

	"gpatlas/platform/jobs"
)

// SweepJob removes sessions that ended long ago and expired counts of attempts.
const SweepJob = "accounts.sweep_sessions"

// Jobs are the handlers of this package. A second run of the job finds nothing to remove.
func Jobs(s *Service) []jobs.Handler {
	return []jobs.Handler{{Type: SweepJob, Queue: jobs.Low, Timeout: 5 * time.Minute, Retries: 3, Run: func(ctx context.Context, _ []byte) error {
		attempts, err := s.attempts.Sweep(ctx)
		if err != nil {
			return err
		}
		sessions, err := s.Sweep(ctx)
		if err != nil {
			return err
		}
		s.log.InfoContext(ctx, "old sessions and attempts removed", slog.Int64("sessions", sessions), slog.Int64("attempts", attempts))
		return nil
	}}}
}

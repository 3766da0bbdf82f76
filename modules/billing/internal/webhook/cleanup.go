package webhook

import (
	"context"
	"time"

	"gpatlas/platform/jobs"
)

// CleanupJob removes events that Stripe does not send again.
const CleanupJob = "billing.remove_events"

// Kept is how long an event is remembered. Stripe sends one again for three days, and by hand for thirty.
const Kept = 90 * 24 * time.Hour

// Handlers are the jobs of the slice.
func Handlers(s *Service) []jobs.Handler {
	return []jobs.Handler{{Type: CleanupJob, Retries: 3, Run: func(ctx context.Context, _ []byte) error {
		return s.db.InTx(ctx, func(ctx context.Context) error { return s.store.removeBefore(ctx, s.clock.Now().Add(-Kept)) })
	}}}
}

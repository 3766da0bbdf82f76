package digest

import (
	"context"
	"time"
)

// exported is the digests' part of an account's export.
type exported struct {
	LastRunOn string     `json:"last_run_on"`
	ToldUntil *time.Time `json:"told_until"`
}

// ExportFor returns up to which point an account's digests were sent.
func (s *Service) ExportFor(ctx context.Context, userID int64) (any, error) {
	r, err := s.store.find(ctx, userID)
	if err != nil || r == nil {
		return nil, err
	}
	until := r.HighAt.UTC()
	return exported{r.Day.Format(time.DateOnly), &until}, nil
}

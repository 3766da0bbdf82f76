package digest

import (
	"context"
	"time"
)

// ExportName is the name of the digests' part of the export.
func (*Service) ExportName() string { return "digests" }

// exported is what the export of an account says of its digests.
type exported struct {
	LastRunOn string     `json:"last_run_on"`
	ToldUntil *time.Time `json:"told_until"`
}

// ExportFor returns how far the digests of an account have come.
func (s *Service) ExportFor(ctx context.Context, userID int64) (any, error) {
	r, err := s.store.find(ctx, userID)
	if err != nil || r == nil {
		return nil, err
	}
	until := r.HighAt.UTC()
	return exported{r.Day.Format(time.DateOnly), &until}, nil
}

// AccountDeleted does nothing: a deleted account gets no digest.
func (*Service) AccountDeleted(context.Context, int64) error { return nil }

// AccountPurged forgets how far its digests have come.
func (s *Service) AccountPurged(ctx context.Context, userID int64) error {
	return s.store.forget(ctx, userID)
}

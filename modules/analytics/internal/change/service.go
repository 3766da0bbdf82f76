package change

import (
	"context"
	"slices"

	"gpatlas/modules/catalog/catalogapi"
)

// Service lists changes.
type Service struct {
	history catalogapi.History
}

// NewService makes the service.
func NewService(history catalogapi.History) *Service { return &Service{history: history} }

// List is what the filings of an adviser changed, the newest first and at most so many, and how many records there are in
// all. It fails with NotFound when there is no such adviser, and with Unavailable when the database is away.
func (s *Service) List(ctx context.Context, crd string, limit int) (records []Record, total int, err error) {
	states, err := s.history.Timeline(ctx, crd, catalogapi.Moment{})
	if err != nil {
		return nil, 0, err
	}
	records = Changes(states)
	slices.Reverse(records)
	return records[:min(limit, len(records))], len(records), nil
}

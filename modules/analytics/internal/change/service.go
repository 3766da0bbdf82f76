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

// List returns what the filings of an adviser changed, the newest first, up to a limit, and how many records there are in all.
// It fails with NotFound for an unknown adviser, and with Unavailable if the database is unavailable.
func (s *Service) List(ctx context.Context, crd string, limit int) (records []Record, total int, err error) {
	states, err := s.history.Timeline(ctx, crd, catalogapi.Moment{})
	if err != nil {
		return nil, 0, err
	}
	records = Changes(states)
	slices.Reverse(records)
	return records[:min(limit, len(records))], len(records), nil
}

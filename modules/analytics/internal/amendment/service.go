package amendment

import (
	"context"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/apperr"
	"gpatlas/platform/database"
)

// Service lists amendments.
type Service struct {
	store   store
	history catalogapi.History
}

// NewService makes the service over the catalog's views in db; resolve finds a fund by one of its IDs.
func NewService(db *database.DB, history catalogapi.History) *Service {
	return &Service{store: store{db: db}, history: history}
}

// ofGP returns the newest filings of an adviser; there is at least one. It fails with NotFound for an unknown adviser.
func (s *Service) ofGP(ctx context.Context, crd string, limit int) ([]row, error) {
	known, err := s.store.knows(ctx, crd)
	if err != nil {
		return nil, err
	}
	if !known { // a withdrawal may have been read for an adviser that no form names
		return nil, apperr.NotFound(catalogapi.NoGP, crd)
	}
	return s.store.list(ctx, gpSQL, crd, limit)
}

// ofFund returns the newest filings of a fund, by one of its IDs. It fails with NotFound for an unknown fund.
func (s *Service) ofFund(ctx context.Context, address string, limit int) (rows []row, fundID, crd string, err error) {
	fundID, crd, err = s.history.FindFund(ctx, address)
	if err != nil {
		return nil, "", "", err
	}
	rows, err = s.store.list(ctx, fundSQL, fundID, limit)
	return rows, fundID, crd, err
}

// total is how many filings there are in all.
func total(rows []row) int {
	if len(rows) == 0 {
		return 0
	}
	return rows[0].Total
}

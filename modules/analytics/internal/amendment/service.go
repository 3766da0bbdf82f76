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

// NewService makes the service: the catalogue's views in db, and what resolves the address of a fund.
func NewService(db *database.DB, history catalogapi.History) *Service {
	return &Service{store: store{db: db}, history: history}
}

// ofGP is the newest filings of an adviser, which always has one. It fails with NotFound when there is no such adviser.
func (s *Service) ofGP(ctx context.Context, crd string, limit int) ([]row, error) {
	known, err := s.store.knows(ctx, crd)
	if err != nil {
		return nil, err
	}
	if !known { // a withdrawal may have been read of an adviser that no form names
		return nil, apperr.NotFound("GP with CRD %s not found", crd)
	}
	return s.store.list(ctx, gpSQL, crd, limit)
}

// ofFund is the newest filings of a fund, by one of its addresses. It fails with NotFound when there is no such fund.
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

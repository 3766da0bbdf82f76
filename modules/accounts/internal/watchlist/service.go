package watchlist

import (
	"context"
	"time"

	"github.com/google/uuid"

	"gpatlas/modules/accounts/internal/manygps"
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
)

// Service changes and reads watchlists for their owners.
//
// Spec: no limit is shown for the number of items; it is the catalog's size, because each GP is watched once.
type Service struct {
	store *store
	clock clock.Clock
}

// NewService works on db.
func NewService(db *database.DB, clk clock.Clock) *Service {
	return &Service{store: &store{db}, clock: clk}
}

// Add adds a GP to the watchlist.
//
// Spec: not shown how a GP that is already on it is answered; it is a conflict, because otherwise a caller could take the
// item's alert_enabled for the one just sent.
func (s *Service) Add(ctx context.Context, userID int64, crd string, alert bool) (*Item, error) {
	g, err := s.store.findGP(ctx, crd)
	if err != nil {
		return nil, err
	}
	if g == nil {
		return nil, apperr.NotFound(catalogapi.NoGP, crd)
	}
	id, err := uuid.NewRandom()
	if err != nil {
		return nil, apperr.Internal(err)
	}
	r := row{
		ID: id.String(), UserID: userID, AdviserCRD: crd, CanonicalGPID: g.CanonicalGPID, AlertEnabled: alert,
		CreatedAt: s.clock.Now().UTC().Truncate(time.Microsecond), // PostgreSQL's precision: the list shows the same time
	}
	added, err := s.store.add(ctx, r)
	if err != nil {
		return nil, err
	}
	if !added {
		return nil, errWatched(crd)
	}
	return &Item{
		ID: r.ID, AdviserCRD: r.AdviserCRD, CanonicalGPID: r.CanonicalGPID, AlertEnabled: r.AlertEnabled, CreatedAt: r.CreatedAt,
		GPName: &g.LegalName, City: g.City, State: g.State,
	}, nil
}

// AddMany adds many GPs to the watchlist, with alerts.
func (s *Service) AddMany(ctx context.Context, userID int64, body *manygps.Body) (*manygps.Outcome, error) {
	crds, err := body.Numbers()
	if err != nil {
		return nil, err
	}
	known, err := manygps.Known(ctx, s.store.db, crds)
	if err != nil {
		return nil, err
	}
	added, err := s.store.addMany(ctx, userID, known, s.clock.Now().UTC())
	if err != nil {
		return nil, err
	}
	return manygps.Sort(body.CRDs, known, added), nil
}

// List returns a part of the watchlist, the newest items first, and how many there are in all; with a CRD number, only the item of that manager.
func (s *Service) List(ctx context.Context, userID int64, crd string, limit, offset int) ([]Item, int, error) {
	total, err := s.store.count(ctx, userID, crd)
	if err != nil {
		return nil, 0, err
	}
	items, err := s.store.list(ctx, userID, crd, &limit, offset)
	return items, total, err
}

// Remove removes an item from the watchlist.
func (s *Service) Remove(ctx context.Context, userID int64, id string) error {
	removed, err := s.store.remove(ctx, userID, id)
	if err != nil {
		return err
	}
	if !removed {
		return errNoItem
	}
	return nil
}

// ExportFor returns the whole watchlist.
func (s *Service) ExportFor(ctx context.Context, userID int64) (any, error) {
	return s.store.list(ctx, userID, "", nil, 0)
}

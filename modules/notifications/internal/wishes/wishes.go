// Package wishes implements what billing needs before it sends a mail: the account's preference, the unsubscribe URL and the names of
// managers. Billing may call neither this module nor the catalog.
package wishes

import (
	"context"

	"gpatlas/modules/notifications/internal/kind"
	"gpatlas/modules/notifications/internal/preference"
	"gpatlas/modules/notifications/internal/render"
	"gpatlas/platform/database"
)

// Service implements billingapi.Wishes.
type Service struct {
	db           *database.DB
	preferences  *preference.Service
	unsubscriber render.Unsubscriber
}

// NewService works on db.
func NewService(db *database.DB, preferences *preference.Service, unsubscriber render.Unsubscriber) *Service {
	return &Service{db, preferences, unsubscriber}
}

// Billing implements billingapi.Wishes.
func (s *Service) Billing(ctx context.Context, userID int64) (unsubscribeURL string, wanted bool, err error) {
	if wanted, err = s.preferences.Wants(ctx, userID, kind.Billing); err != nil {
		return "", false, err
	}
	unsubscribeURL, err = s.unsubscriber.URL(ctx, userID, kind.Billing)
	return unsubscribeURL, wanted, err
}

// Managers implements billingapi.Wishes.
func (s *Service) Managers(ctx context.Context, crds []string) (map[string]string, error) {
	const statement = "SELECT crd, legal_name AS name FROM catalog.pub_gp WHERE crd = ANY(@crds::text[])"
	rows, err := database.Select[struct{ CRD, Name string }](ctx, s.db, "read names of managers", statement, database.Args{"crds": crds})
	names := make(map[string]string, len(rows))
	for _, r := range rows {
		names[r.CRD] = r.Name
	}
	return names, err
}

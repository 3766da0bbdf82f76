package preference

import (
	"context"

	"gpatlas/modules/notifications/internal/kind"
	"gpatlas/modules/notifications/internal/render"
	"gpatlas/platform/database"
)

// Wishes implements billingapi.Wishes: what billing needs before it sends a mail. Billing may call neither this module nor the catalog.
type Wishes struct {
	db           *database.DB
	preferences  *Service
	unsubscriber render.Unsubscriber
}

// NewWishes works on db.
func NewWishes(db *database.DB, preferences *Service, unsubscriber render.Unsubscriber) *Wishes {
	return &Wishes{db, preferences, unsubscriber}
}

// Billing implements billingapi.Wishes.
func (w *Wishes) Billing(ctx context.Context, userID int64) (unsubscribeURL string, wanted bool, err error) {
	if wanted, err = w.preferences.Wants(ctx, userID, kind.Billing); err != nil {
		return "", false, err
	}
	unsubscribeURL, err = w.unsubscriber.URL(ctx, userID, kind.Billing)
	return unsubscribeURL, wanted, err
}

// Managers implements billingapi.Wishes.
func (w *Wishes) Managers(ctx context.Context, crds []string) (map[string]string, error) {
	const statement = "SELECT crd, legal_name AS name FROM catalog.pub_gp WHERE crd = ANY(@crds::text[])"
	rows, err := database.Select[struct{ CRD, Name string }](ctx, w.db, "read names of managers", statement, database.Args{"crds": crds})
	names := make(map[string]string, len(rows))
	for _, r := range rows {
		names[r.CRD] = r.Name
	}
	return names, err
}

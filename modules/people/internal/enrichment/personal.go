package enrichment

import (
	"context"

	"gpatlas/platform/database"
)

// ExportName is the name of the enrichments' part of the export.
func (*Service) ExportName() string { return "enrichments" }

// ExportFor returns the enrichments that an account requested.
func (s *Service) ExportFor(ctx context.Context, userID int64) (any, error) {
	return s.store.askedBy(ctx, userID)
}

// AccountDeleted does nothing: the account may be recovered.
func (*Service) AccountDeleted(context.Context, int64) error { return nil }

// AccountPurged removes the account from the requesters.
func (s *Service) AccountPurged(ctx context.Context, userID int64) error {
	return s.store.forgetAccount(ctx, userID)
}

// Kept returns everything that providers have stated about a person, for the person's own request; nil if nothing.
func Kept(ctx context.Context, db *database.DB, uid string) (any, error) {
	k, err := (&store{db}).kept(ctx, uid)
	if err != nil || k.UpdatedAt.IsZero() {
		return nil, err
	}
	return k, nil
}

package enrichment

import (
	"context"

	"gpatlas/platform/database"
)

// Kept returns everything that providers have stated about a person, for the person's own request; nil if nothing.
func Kept(ctx context.Context, db *database.DB, uid string) (any, error) {
	k, err := (&store{db}).kept(ctx, uid)
	if err != nil || k.UpdatedAt.IsZero() {
		return nil, err
	}
	return k, nil
}

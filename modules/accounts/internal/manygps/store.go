package manygps

import (
	"context"

	"gpatlas/platform/database"
)

// Known returns those of some CRD numbers that the catalog has.
func Known(ctx context.Context, db *database.DB, crds []string) ([]string, error) {
	const statement = "SELECT crd FROM catalog.pub_gp WHERE crd = ANY (@crds)"
	return database.Values[string](ctx, db, "look for GPs", statement, database.Args{"crds": crds})
}

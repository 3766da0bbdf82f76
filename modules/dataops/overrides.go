package dataops

import (
	"context"

	"gpatlas/modules/dataops/internal/override"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/overrides"
)

// CreateOverride applies an override by an Overrider and stores it, as the operation create-override does.
func CreateOverride(ctx context.Context, db *database.DB, clk clock.Clock, by overrides.Overrider, x *overrides.Override) error {
	service, err := override.NewService(db, []overrides.Overrider{by}, clk)
	if err != nil {
		return err
	}
	_, err = service.Create(ctx, x, false)
	return err
}

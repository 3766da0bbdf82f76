package catalogtest

import (
	"context"

	"gpatlas/modules/catalog/internal/filing"
	"gpatlas/modules/catalog/internal/gp"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/httpapi"
)

// Routes are the catalog's operations on advisers and their filings, over a real index of a test's database
// as it is now. Their lists do not show later changes.
func Routes(ctx context.Context, db *database.DB, clk clock.Clock) ([]httpapi.Route, error) {
	snapshot, err := index.Load(ctx, db, clk)
	if err != nil {
		return nil, err
	}
	holder := &index.Holder{}
	holder.Swap(snapshot)
	return append(gp.Routes(gp.NewService(holder, history.NewStore(db), nil, clk)), filing.Routes(filing.NewService(db, holder, clk))...), nil
}

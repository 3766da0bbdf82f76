package catalogtest

import (
	"context"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/gp"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
)

// NewSearcher searches a real index of a test's database as it is now. It does not find later changes.
func NewSearcher(ctx context.Context, db *database.DB, clk clock.Clock) (catalogapi.GPSearcher, error) {
	snapshot, err := index.Load(ctx, db, clk)
	if err != nil {
		return nil, err
	}
	holder := &index.Holder{}
	holder.Swap(snapshot)
	return gp.NewSearcher(holder, clk), nil
}

// NewDiffer is the real comparison of a test's database.
func NewDiffer(db *database.DB, clk clock.Clock) catalogapi.GPDiffer { return gp.NewDiffer(db, clk) }

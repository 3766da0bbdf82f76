package catalog

import (
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/gp"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/platform/clock"
)

// newSearcher hands the search of advisers to other modules.
func newSearcher(holder *index.Holder, clk clock.Clock) catalogapi.GPSearcher {
	return gp.NewSearcher(holder, clk)
}

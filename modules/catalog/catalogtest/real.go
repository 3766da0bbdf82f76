package catalogtest

import (
	"context"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/vocab"
	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
)

// Vocabulary is the catalog's own.
func Vocabulary() catalogapi.Vocabulary {
	return catalogapi.Vocabulary{Strategies: vocab.ExpandStrategy, StrategyNames: vocab.Strategies, StrategyAliases: vocab.StrategyAliases, Country: vocab.CountryCode}
}

// NewAnalysis answers from a real index of a test's database as it is now. It shows no later changes and no
// moments of the past.
func NewAnalysis(ctx context.Context, db *database.DB, clk clock.Clock) (catalogapi.Analysis, error) {
	snapshot, err := index.Load(ctx, db, clk)
	if err != nil {
		return nil, err
	}
	return indexed{snapshot}, nil
}

type indexed struct{ snapshot *index.Snapshot }

var errPast = apperr.Unavailable("The test's index knows the present alone")

// Related finds the advisers most like one.
func (i indexed) Related(_ context.Context, q catalogapi.RelatedQuery, at catalogapi.Moment) (catalogapi.Related, bool, error) {
	if !at.Now() {
		return catalogapi.Related{}, false, errPast
	}
	source, similar, ok := i.snapshot.RelatedTo(q.CRD, q.Factors, q.Limit)
	if !ok {
		return catalogapi.Related{}, false, nil
	}
	return catalogapi.Related{Source: source, Similar: similar, BuiltAt: i.snapshot.Freshness().BuiltAt}, true, nil
}

package catalogtest

import (
	"context"
	"slices"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/text"
	"gpatlas/modules/catalog/internal/vocab"
	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
)

// Vocabulary is the catalog's own; filed are the countries without a code that advisers are in.
func Vocabulary(filed ...string) catalogapi.Vocabulary { return words{filed: filed} }

type words struct {
	vocab.Words

	filed []string
}

// FilesCountry says whether a country is among the filed ones.
func (w words) FilesCountry(name string) bool {
	return slices.ContainsFunc(w.filed, func(f string) bool { return text.Normalize(f) == text.Normalize(name) })
}

// NewAnalysis answers from a real index over what stands in a test's database now. Later changes it does not see, and
// about a moment of the past it says nothing.
func NewAnalysis(ctx context.Context, db *database.DB, clk clock.Clock) (catalogapi.Analysis, error) {
	snapshot, err := index.Load(ctx, db, clk)
	if err != nil {
		return nil, err
	}
	return indexed{snapshot}, nil
}

type indexed struct{ snapshot *index.Snapshot }

var errPast = apperr.Unavailable("The test's index knows the present alone")

// Aggregate counts one grouping.
func (i indexed) Aggregate(_ context.Context, q catalogapi.AggregateQuery, at catalogapi.Moment) (catalogapi.Aggregation, error) {
	if !at.Now() {
		return catalogapi.Aggregation{}, errPast
	}
	return catalogapi.Aggregation{Rows: i.snapshot.Aggregate(&q), BuiltAt: i.snapshot.Freshness().BuiltAt}, nil
}

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

package catalog

import (
	"context"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/index"
)

// analysis answers other modules from the index.
type analysis struct{ holder *index.Holder }

func newAnalysis(holder *index.Holder) catalogapi.Analysis { return analysis{holder} }

// Aggregate counts one grouping.
func (a analysis) Aggregate(_ context.Context, q catalogapi.AggregateQuery, at catalogapi.Moment) (catalogapi.Aggregation, error) {
	s, err := a.holder.Snapshot()
	if err != nil {
		return catalogapi.Aggregation{}, err
	}
	return catalogapi.Aggregation{Rows: s.Aggregate(&q), BuiltAt: s.Freshness().BuiltAt}, nil
}

// Related finds the advisers most like one.
func (a analysis) Related(_ context.Context, q catalogapi.RelatedQuery, at catalogapi.Moment) (catalogapi.Related, bool, error) {
	s, err := a.holder.Snapshot()
	if err != nil {
		return catalogapi.Related{}, false, err
	}
	id, ok := s.FindGP(q.CRD)
	if !ok {
		return catalogapi.Related{}, false, nil
	}
	return catalogapi.Related{
		Source: s.RelatedGP(id), Similar: s.Related(id, q.Factors, q.Limit), BuiltAt: s.Freshness().BuiltAt,
	}, true, nil
}

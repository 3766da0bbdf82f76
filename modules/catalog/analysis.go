package catalog

import (
	"context"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/modules/catalog/internal/past"
)

// analysis answers other modules from the index: that of the present, or one of the past.
type analysis struct {
	holder *index.Holder
	past   *past.Builder
}

func newAnalysis(holder *index.Holder, builder *past.Builder) catalogapi.Analysis {
	return analysis{holder, builder}
}

// Related finds the advisers most like one. An adviser that is known now, but to no filing that counts at the moment, is an
// error that says so.
func (a analysis) Related(ctx context.Context, q catalogapi.RelatedQuery, at catalogapi.Moment) (catalogapi.Related, bool, error) {
	current, err := a.holder.Snapshot()
	if err != nil {
		return catalogapi.Related{}, false, err
	}
	s, err := a.past.At(ctx, at, current)
	if err != nil {
		return catalogapi.Related{}, false, err
	}
	source, similar, ok := s.RelatedTo(q.CRD, q.Factors, q.Limit)
	if !ok {
		if _, _, known := current.Find(q.CRD); known && !at.Now() {
			err = listing.NotYet("GP with CRD "+q.CRD, at)
		}
		return catalogapi.Related{}, false, err
	}
	return catalogapi.Related{Source: source, Similar: similar, BuiltAt: s.Freshness().BuiltAt}, true, nil
}

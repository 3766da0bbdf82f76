package history

import (
	"context"

	"gpatlas/modules/catalog/internal/fold"
)

// Timeline folds an adviser after each of its filings that count, oldest first. Its states are without the funds, and
// without what catalogapi.AdviserState does not show and what they were not read for: see blank.
func (s *Store) Timeline(ctx context.Context, current *fold.Adviser, asOf AsOf) (states []fold.State, err error) {
	err = s.reading(ctx, asOf.Known, func(r *reader) error {
		a, err := r.adviserFilings(ctx, current.CRD, &asOf)
		if a == nil {
			return err
		}
		totals := fold.NewFundTotals(a.CRD)
		err = a.fundVersions(ctx, r, summedFund, totals.Add)
		if err != nil {
			return err
		}
		states = a.TimelineOf(totals)
		return nil
	})
	return states, err
}

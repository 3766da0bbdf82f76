package history

import (
	"context"

	"gpatlas/modules/catalog/internal/fold"
)

// Timeline folds an adviser after each of its filings that count, oldest first. Its states are without the funds, and
// without what catalogapi.AdviserState does not show and what they were not read for: see blank.
func (s *Store) Timeline(ctx context.Context, current *fold.Adviser, asOf AsOf) (states []fold.State, err error) {
	err = s.reading(ctx, asOf.Known, func(r *reader) error {
		var b batch
		totals := fold.NewFundTotals(current.CRD)
		a, err := r.adviserFilings(ctx, &b, current.CRD, &asOf, summedFund, totals.Add)
		if a == nil {
			return err
		}
		b = batch{}
		said := a.elsewhere(r, &b, summedFund)
		if err := r.send(ctx, &b); err != nil {
			return err
		}
		if a.Others, err = said.take(ctx, r, &a.bounds, totals.Add); err != nil {
			return err
		}
		states = a.TimelineOf(totals)
		return nil
	})
	return states, err
}

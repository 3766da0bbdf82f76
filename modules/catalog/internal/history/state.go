package history

import (
	"context"

	"gpatlas/modules/catalog/internal/fold"
)

// AdviserAt folds what the filings of an adviser that count said; nil when none says anything. It fails with NotFound when
// the filing that it ends at is not the adviser's.
func (s *Store) AdviserAt(ctx context.Context, current *fold.Adviser, asOf AsOf) (state *fold.State, err error) {
	err = s.reading(ctx, asOf.Known, func(r *reader) error {
		a, err := r.adviserFilings(ctx, current.CRD, &asOf)
		if a == nil {
			return err
		}
		err = a.fundVersions(ctx, r, wholeFund, func(v *fold.FundVersion) { a.FundVersions = append(a.FundVersions, *v) })
		if err != nil {
			return err
		}
		if a.Notices, err = r.notices(ctx, a.FundVersions, &a.bounds); err != nil {
			return err
		}
		if a.Unlisted, err = a.unlisted(ctx, r); err != nil {
			return err
		}
		if err = a.correct(ctx, r); err != nil {
			return err
		}
		canonicalID := current.CanonicalGPID
		if a.through != nil || !asOf.Now() {
			if canonicalID, err = r.organisation(ctx, a.CRD, &a.bounds); err != nil {
				return err
			}
		}
		state = a.State(a.today, fold.Provenance{})
		state.CanonicalGPID = canonicalID
		return nil
	})
	return state, err
}

// CourseAt is AdviserAt with the states after each of its filings, oldest first; see fold.Record.Timeline. Where values come from
// and which organisation the adviser belonged to is not looked for.
func (s *Store) CourseAt(ctx context.Context, crd string, asOf AsOf) (state *fold.State, timeline []fold.State, err error) {
	err = s.reading(ctx, asOf.Known, func(r *reader) error {
		a, err := r.adviserFilings(ctx, crd, &asOf)
		if a == nil {
			return err
		}
		err = a.fundVersions(ctx, r, wholeFund, func(v *fold.FundVersion) { a.FundVersions = append(a.FundVersions, *v) })
		if err != nil {
			return err
		}
		if a.Notices, err = r.notices(ctx, a.FundVersions, &a.bounds); err != nil {
			return err
		}
		if err = a.correct(ctx, r); err != nil {
			return err
		}
		state, timeline = a.State(a.today, nil), a.Timeline()
		return nil
	})
	return state, timeline, err
}

// FundAt folds what the filings that count said of a fund; nil when none names it. Only a moment limits it.
func (s *Store) FundAt(ctx context.Context, current *fold.Fund, asOf AsOf) (state *fold.FundState, err error) {
	b := asOf.bounds(nil)
	err = s.reading(ctx, asOf.Known, func(r *reader) error {
		var versions []fold.FundVersion
		_, err := b.fundVersionsElsewhere(ctx, r, wholeFund, []string{current.FundID}, "", func(v *fold.FundVersion) {
			versions = append(versions, *v)
		})
		if err != nil || len(versions) == 0 {
			return err
		}
		adviser, err := r.adviserOf(ctx, fold.Newest(versions).CRD, b)
		if err != nil {
			return err
		}
		notices, err := r.notices(ctx, versions, &b)
		if err != nil {
			return err
		}
		corrected, err := r.overrides(ctx, []string{adviser.CRD}, []string{current.FundID})
		if err != nil {
			return err
		}
		state = fold.FundStateOf(versions, adviser.Versions, notices[current.FundID], corrected, b.today)
		state.ID = current.ID
		return nil
	})
	return state, err
}

package history

import (
	"context"

	"gpatlas/modules/catalog/internal/fold"
)

// AdviserAt folds what the filings of an adviser that count said; nil when none says anything. It fails with NotFound when
// the filing that it ends at is not the adviser's.
func (s *Store) AdviserAt(ctx context.Context, current *fold.Adviser, asOf AsOf) (state *fold.State, err error) {
	grouped := asOf.Accession != "" || !asOf.Now()
	err = s.reading(ctx, asOf.Known, func(r *reader) error {
		var corrected fold.Overrides
		a, err := r.whole(ctx, current.CRD, &asOf, func(b *batch) {
			if grouped && asOf.Accession == "" {
				r.overrides(b, nil, nil, &corrected)
			}
		})
		if a == nil {
			return err
		}
		var organisation *organisation
		err = a.rest(ctx, r, func(b *batch) {
			a.unlisted(r, b)
			if grouped {
				organisation = a.organisation(r, b, corrected)
			}
		})
		if err != nil {
			return err
		}
		canonicalID := current.CanonicalGPID
		if grouped {
			if canonicalID, err = organisation.canonicalID(ctx, r); err != nil {
				return err
			}
		}
		state = a.State(a.today, fold.Provenance{})
		state.CanonicalGPID = canonicalID
		return nil
	})
	return state, s.notFiled(ctx, err, current.CRD, asOf.Accession)
}

// CourseAt is AdviserAt with the states after each of its filings, oldest first; see fold.Record.Timeline. Where values come from
// and which organisation the adviser belonged to is not looked for.
func (s *Store) CourseAt(ctx context.Context, crd string, asOf AsOf) (state *fold.State, timeline []fold.State, err error) {
	err = s.reading(ctx, asOf.Known, func(r *reader) error {
		a, err := r.whole(ctx, crd, &asOf, func(*batch) {})
		if a == nil {
			return err
		}
		if err := a.rest(ctx, r, func(*batch) {}); err != nil {
			return err
		}
		state, timeline = a.State(a.today, nil), a.Timeline()
		return nil
	})
	return state, timeline, err
}

// whole reads the filings of an adviser that count with all that they say, and what with adds; nil when no version counts.
func (r *reader) whole(ctx context.Context, crd string, asOf *AsOf, with func(b *batch)) (*adviserFilings, error) {
	var b batch
	with(&b)
	var versions []fold.FundVersion
	a, err := r.adviserFilings(ctx, &b, crd, asOf, wholeFund, func(v *fold.FundVersion) { versions = append(versions, *v) })
	if a != nil {
		a.FundVersions = versions
	}
	return a, err
}

// rest reads what the state of the adviser is told from besides its filings: what others say of its funds, the notices of these,
// and corrections. What with adds is read before the notices.
func (a *adviserFilings) rest(ctx context.Context, r *reader, with func(b *batch)) error {
	var b batch
	said := a.elsewhere(r, &b, wholeFund)
	a.correct(r, &b)
	with(&b)
	err := r.send(ctx, &b)
	if err != nil {
		return err
	}
	a.Others, err = said.take(ctx, r, &a.bounds, func(v *fold.FundVersion) { a.FundVersions = append(a.FundVersions, *v) })
	if err != nil {
		return err
	}
	var last batch
	a.Notices, err = r.notices(ctx, &last, a.FundVersions, map[string][]fold.AdviserVersion{a.CRD: a.Versions}, &a.bounds)
	return err
}

// FundAt folds what the filings that count said of a fund; nil when none names it. Only a moment limits it.
func (s *Store) FundAt(ctx context.Context, current *fold.Fund, asOf AsOf) (state *fold.FundState, err error) {
	bounds := asOf.bounds(nil)
	err = s.reading(ctx, asOf.Known, func(r *reader) error {
		var b batch
		said := r.elsewhere(&b, wholeFund, []string{current.FundID}, "")
		if err := r.send(ctx, &b); err != nil || !said.found() {
			return err
		}
		var versions []fold.FundVersion
		advisers, of := map[string][]fold.AdviserVersion{}, map[string]*fold.Filed{}
		b = batch{}
		said.read(r, &b, &bounds, of, func(v *fold.FundVersion) { versions = append(versions, *v) })
		r.adviserVersions(&b, wholeAdviser, said.crds, of, func(v *fold.AdviserVersion) { advisers[v.CRD] = append(advisers[v.CRD], *v) })
		if err := r.send(ctx, &b); err != nil || len(versions) == 0 {
			return err
		}
		crd := fold.Newest(versions).CRD
		var corrected fold.Overrides
		b = batch{}
		r.overrides(&b, []string{crd}, []string{current.FundID}, &corrected)
		notices, err := r.notices(ctx, &b, versions, advisers, &bounds)
		if err != nil {
			return err
		}
		state = fold.FundStateOf(versions, advisers[crd], notices[current.FundID], corrected, bounds.today)
		state.ID = current.ID
		return nil
	})
	return state, err
}

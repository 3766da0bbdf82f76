package history

import (
	"context"
	"slices"

	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/platform/database"
)

// AdviserAt folds the filings of an adviser that count; nil when there is none. It fails with NotFound when
// the filing that it ends at is not the adviser's.
func (s *Store) AdviserAt(ctx context.Context, current *fold.Adviser, asOf AsOf) (state *fold.State, err error) {
	grouped := asOf.Accession != "" || !asOf.Now()
	err = s.reading(ctx, &asOf, func(r *reader) error {
		a, corrected, err := r.corrected(ctx, current.CRD, &asOf)
		if a == nil {
			return err
		}
		var b batch
		var organization *organization
		r.unlisted(&b, a)
		if grouped {
			organization = r.organization(&b, a, corrected)
		}
		if a.Notices, err = r.notices(ctx, &b, a.FundVersions); err != nil {
			return err
		}
		canonicalID := current.CanonicalGPID
		if grouped {
			if canonicalID, err = organization.canonicalID(ctx, r); err != nil {
				return err
			}
		}
		state = a.State(r.today, fold.Provenance{})
		state.CanonicalGPID = canonicalID
		return nil
	})
	return state, s.notFiled(ctx, err, current.CRD, asOf.Accession)
}

// corrected reads an adviser with the corrections of it, and returns all corrections; nil when no version counts. After a filing it is as
// the filings say.
func (r *reader) corrected(ctx context.Context, crd string, asOf *AsOf) (a *fold.Record, all fold.Overrides, err error) {
	var b batch
	if asOf.Accession == "" {
		r.overrides(&b, nil, nil, &all)
	}
	if a, err = r.adviser(ctx, &b, crd, asOf); a != nil {
		corrections := fold.Corrections{}
		for _, o := range all {
			corrections.Add(o)
		}
		corrections.Correct(a)
	}
	return a, all, err
}

// CourseAt is AdviserAt with the states after each of its filings, oldest first; see fold.Record.Timeline. Where values come from
// and which organization the adviser belonged to is not looked for.
func (s *Store) CourseAt(ctx context.Context, crd string, asOf AsOf) (state *fold.State, timeline []fold.State, err error) {
	err = s.reading(ctx, &asOf, func(r *reader) error {
		a, _, err := r.corrected(ctx, crd, &asOf)
		if a == nil {
			return err
		}
		var b batch
		if a.Notices, err = r.notices(ctx, &b, a.FundVersions); err != nil {
			return err
		}
		state, timeline = a.State(r.today, nil), a.Timeline()
		return nil
	})
	return state, timeline, err
}

// Timeline folds an adviser after each of its filings that count, oldest first. Its states are without the funds, and
// without what catalogapi.AdviserState does not show.
func (s *Store) Timeline(ctx context.Context, current *fold.Adviser, asOf AsOf) (states []fold.State, err error) {
	err = s.reading(ctx, &asOf, func(r *reader) error {
		a, err := r.adviser(ctx, &batch{}, current.CRD, &asOf)
		if a != nil {
			states = a.Timeline()
		}
		return err
	})
	return states, err
}

// FundAt folds what the filings that count state about a fund; nil when none names it. Only a moment limits it.
func (s *Store) FundAt(ctx context.Context, current *fold.Fund, asOf AsOf) (*fold.FundState, error) {
	states, err := s.FundsAt(ctx, []string{current.FundID}, asOf)
	return states[current.FundID], err
}

// FundsAt is FundAt of some funds, by Fund ID. Those that no filing names are left out.
func (s *Store) FundsAt(ctx context.Context, fundIDs []string, asOf AsOf) (states map[string]*fold.FundState, err error) {
	states = map[string]*fold.FundState{}
	err = s.reading(ctx, &asOf, func(r *reader) error {
		versions, err := r.namers(ctx, fundIDs, nil)
		if err != nil || len(versions) == 0 {
			return err
		}
		named := map[string][]fold.FundVersion{}
		for _, v := range versions {
			named[v.FundID] = append(named[v.FundID], v)
		}
		var crds []string
		for _, of := range named {
			crds = append(crds, fold.Newest(of).CRD)
		}
		var corrected fold.Overrides
		ids := map[string]int64{}
		var b batch
		r.overrides(&b, distinct(crds), fundIDs, &corrected)
		r.fundIDs(&b, fundIDs, ids)
		notices, err := r.notices(ctx, &b, versions)
		if err != nil {
			return err
		}
		for fund, of := range named {
			states[fund] = fold.FundStateOf(of, r.records[fold.Newest(of).CRD].Versions, notices[fund], corrected, r.today)
			states[fund].ID = ids[fund]
		}
		return nil
	})
	return states, err
}

// fundIDs adds the reading of the internal IDs of funds, by Fund ID.
func (r *reader) fundIDs(b *batch, funds []string, into map[string]int64) {
	const find = "SELECT id, fund_id FROM catalog.funds WHERE fund_id = ANY (@funds)"
	type row struct {
		ID     int64  `gorm:"column:id"`
		FundID string `gorm:"column:fund_id"`
	}
	add(b, "read IDs of funds", find, database.Args{"funds": funds}, func(f *row) { into[f.FundID] = f.ID })
}

// FundTimeline folds what filings that count state about a fund after each of them, oldest first, without what notices of Form D and other
// filings of its adviser add. Only a moment limits it.
func (s *Store) FundTimeline(ctx context.Context, fundID string, asOf AsOf) (funds []fold.Fund, err error) {
	err = s.reading(ctx, &asOf, func(r *reader) error {
		versions, err := r.namers(ctx, []string{fundID}, nil)
		if err != nil {
			return err
		}
		slices.SortFunc(versions, func(a, b fold.FundVersion) int { return fold.Order(&a.Filing, &b.Filing) })
		for i := range versions {
			funds = append(funds, fold.FundStateOf(versions[:i+1:i+1], nil, nil, nil, versions[i].FilingDate).Fund)
		}
		return nil
	})
	return funds, err
}

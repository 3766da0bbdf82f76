package history

import (
	"context"
	"slices"

	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/platform/database"
)

// AdviserAt folds the filings of an adviser that count; nil when there is none. It fails with NotFound when
// the filing that it ends at is not the adviser's.
func (s *Store) AdviserAt(ctx context.Context, current *fold.Adviser, asOf AsOf) (*fold.State, error) {
	states, err := s.statesAt(ctx, []string{current.CRD}, asOf, true)
	if err != nil || len(states) == 0 {
		return nil, s.notFiled(ctx, err, current.CRD, asOf.Accession)
	}
	if asOf.Accession == "" && asOf.Now() {
		states[0].CanonicalGPID = current.CanonicalGPID
	}
	return states[0], nil
}

// sums are what an index has of an adviser's funds; nil if they are read.
func (r *reader) sums(crd string) *FundSums {
	if r.noticed == nil {
		return nil
	}
	return r.noticed.Sums(crd)
}

// atOnce is how many advisers one transaction reads: one may have tens of thousands of versions of its funds, and a transaction has a deadline.
const atOnce = 10

// AdvisersAt returns advisers as of a past moment, by CRD number, as AdviserAt does, but without their funds and provenance. An adviser without a
// filing that counts is left out. If an index knows what the funds add (asOf.Noticed), no funds are read, and the rows have nothing of funds but that.
func (s *Store) AdvisersAt(ctx context.Context, crds []string, asOf AsOf) (map[string]*fold.Adviser, error) {
	all := map[string]*fold.Adviser{}
	for some := range slices.Chunk(crds, atOnce) {
		states, err := s.statesAt(ctx, some, asOf, false)
		if err != nil {
			return nil, err
		}
		for _, state := range states {
			all[state.CRD] = new(state.Adviser)
		}
	}
	return all, nil
}

// statesAt folds the filings of advisers that count. At the present, their organizations are not looked for.
func (s *Store) statesAt(ctx context.Context, crds []string, asOf AsOf, trace bool) (states []*fold.State, err error) {
	grouped := asOf.Accession != "" || !asOf.Now()
	err = s.reading(ctx, &asOf, func(r *reader) error {
		if slices.ContainsFunc(crds, func(crd string) bool { return r.sums(crd) == nil }) {
			r.noticed = nil
		}
		list, corrected, err := r.corrected(ctx, crds, &asOf)
		if err != nil || len(list) == 0 {
			return err
		}
		var b batch
		var organizations []*organization
		versions := make([][]fold.FundVersion, len(list))
		for i, a := range list {
			versions[i] = a.FundVersions
			r.unlisted(&b, a)
			if grouped {
				organizations = append(organizations, r.organization(&b, a, corrected))
			}
		}
		notices, err := r.notices(ctx, &b, versions...)
		if err != nil {
			return err
		}
		if err := r.canonicalIDs(ctx, organizations); err != nil {
			return err
		}
		for i, a := range list {
			var p fold.Provenance
			if trace {
				p = fold.Provenance{}
			}
			a.Notices = notices
			state := a.State(r.today, p)
			if grouped {
				state.CanonicalGPID = organizations[i].id
			}
			if sums := r.sums(a.CRD); sums != nil {
				sums.put(&state.Adviser)
			}
			states = append(states, state)
		}
		return nil
	})
	return states, err
}

// corrected reads advisers and applies the corrections to them. It also returns all corrections. An adviser without a version that counts is left
// out. Corrections do not apply to the state after a filing.
func (r *reader) corrected(ctx context.Context, crds []string, asOf *AsOf) (list []*fold.Record, all fold.Overrides, err error) {
	var b batch
	if asOf.Accession == "" {
		r.overrides(&b, nil, nil, &all)
	}
	if list, err = r.advisersWithFunds(ctx, &b, crds, asOf); err != nil {
		return nil, nil, err
	}
	corrections := fold.Corrections{}
	for _, o := range all {
		corrections.Add(o)
	}
	for _, a := range list {
		corrections.Correct(a)
	}
	return list, all, nil
}

// CourseAt is AdviserAt with the states after each of its filings, oldest first; see fold.Record.Timeline. Where values come from
// and which organization the adviser belonged to is not looked for.
func (s *Store) CourseAt(ctx context.Context, crd string, asOf AsOf) (state *fold.State, timeline []fold.State, err error) {
	err = s.reading(ctx, &asOf, func(r *reader) error {
		list, _, err := r.corrected(ctx, []string{crd}, &asOf)
		if err != nil || len(list) == 0 {
			return err
		}
		a := list[0]
		var b batch
		if a.Notices, err = r.notices(ctx, &b, a.FundVersions); err != nil {
			return err
		}
		state, timeline = a.State(r.today, nil), a.Timeline()
		return nil
	})
	return state, timeline, err
}

// NoticesAt is AdviserAt with the notices of Form D that count, by the Fund ID of the funds that they are joined to. Where values come from and
// which organization the adviser belonged to is not looked for.
func (s *Store) NoticesAt(ctx context.Context, crd string, asOf AsOf) (state *fold.State, notices map[string][]fold.Notice, err error) {
	err = s.reading(ctx, &asOf, func(r *reader) error {
		list, _, err := r.corrected(ctx, []string{crd}, &asOf)
		if err != nil || len(list) == 0 {
			return err
		}
		var b batch
		a := list[0]
		if a.Notices, err = r.notices(ctx, &b, a.FundVersions); err != nil {
			return err
		}
		state, notices = a.State(r.today, nil), a.Notices
		return nil
	})
	return state, notices, err
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

package index

import (
	"cmp"
	"maps"
	"slices"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/platform/clock"
)

// fundNotice is what rows show of the notices of a fund, in 16 bytes: see fold.Merged.
type fundNotice struct {
	fund    int64 // FundNumber of its Fund ID
	filed   int32 // the newest day
	vintage int32 // the year of the first sale; 0: none states it
}

// WithNotices adds the notices of Form D of funds, by FundNumber, each merged from all notices of the fund.
func (a *Analysis) WithNotices(noticed map[int64]fold.Notice) *Analysis {
	made := &Analysis{a.s, make([]fundNotice, 0, len(noticed))}
	for _, fund := range slices.Sorted(maps.Keys(noticed)) {
		n := fundNotice{fund: fund, filed: int32(clock.DayNumber(noticed[fund].FilingDate))} // #nosec G115 -- a day
		if sale := noticed[fund].FirstSale; sale != nil {
			n.vintage = int32(sale.Year()) // #nosec G115 -- a year
		}
		made.noticed = append(made.noticed, n)
	}
	return made
}

// Noticed is what rows of a list need not read.
func (a *Analysis) Noticed() *history.Noticed {
	return &history.Noticed{Publication: a.s.fresh.Publication, Sums: a.sums, Of: func(fundID string) []fold.Notice {
		i, ok := slices.BinarySearchFunc(a.noticed, FundNumber(fundID), func(n fundNotice, fund int64) int { return cmp.Compare(n.fund, fund) })
		if !ok {
			return nil
		}
		return []fold.Notice{fold.NewNotice(clock.DayOf(int64(a.noticed[i].filed)), int64(a.noticed[i].vintage))}
	}}
}

// sums are what the funds of an adviser add to its row; nil if there is no such adviser.
func (a *Analysis) sums(crd string) *history.FundSums {
	in, id, ok := a.s.Find(crd)
	if !ok {
		return nil
	}
	gp := in.GP(id)
	return &history.FundSums{
		TotalAUM: knownNumber(gp.TotalAUM), FundCount: knownNumber(gp.FundCount), PrimaryStrategy: catalogapi.Text(gp.PrimaryStrategy), ManagerType: catalogapi.Text(gp.ManagerType),
		OldestVintage: knownNumber(gp.FoundedYear), NewestFiledOn: gp.LatestFiledOn,
	}
}

package history

import (
	"time"

	"gpatlas/modules/catalog/internal/derive"
	"gpatlas/modules/catalog/internal/vocab"
)

// The states of a fund.
const (
	active      = "active"
	liquidating = "liquidating"
	closed      = "closed"
)

// A fund that has lost more than three quarters of its peak value, so many years after its vintage, is liquidating.
const (
	windDownYears = 8
	windDownShare = 4
)

// FoldFund says what the versions of one fund, at least one, the newest whole list of its adviser (nil when none was ever
// loaded) and its notices of Form D say together on a day.
func FoldFund(versions []FundVersion, listed *Filing, notices []Notice, day time.Time) Fund {
	newest := &versions[0]
	first := newest.FilingDate
	var peak *int64
	for i := range versions {
		v := &versions[i]
		if order(&v.Filing, &newest.Filing) > 0 {
			newest = v
		}
		if v.FilingDate.Before(first) {
			first = v.FilingDate
		}
		if v.GrossAssetValue != nil && (peak == nil || *v.GrossAssetValue > *peak) {
			peak = v.GrossAssetValue
		}
	}
	f := Fund{
		FundID: newest.FundID, AdviserCRD: newest.CRD, FiledFund: newest.FiledFund,
		Jurisdiction: newest.State,
		CountryCode:  countryCode(newest.Country, newest.State),
		Strategy: derive.Strategy(derive.Fund{
			Type: value(newest.FundType), TypeOther: value(newest.FundTypeOther), Name: newest.Name, FundOfFunds: newest.IsFundOfFunds,
		}),
		VintageYear: int64(first.Year()), VintageSource: "first_filing", PeakGAV: peak, FirstFiledOn: first,
		LatestAccession: newest.Accession, LatestFormType: newest.FormType, LatestFiledOn: newest.FilingDate,
		Status: active,
	}
	f.foldNotices(notices)
	if f.Jurisdiction == nil {
		f.Jurisdiction = newest.Country
	}
	switch {
	case listed != nil && order(&newest.Filing, listed) < 0:
		f.Status = closed
	case derive.SaysLiquidating(newest.Name), f.windsDown(day):
		f.Status = liquidating
	}
	return f
}

func (f *Fund) windsDown(day time.Time) bool {
	if f.GrossAssetValue == nil || f.PeakGAV == nil || f.VintageYear+windDownYears > int64(day.Year()) {
		return false
	}
	share := *f.PeakGAV / windDownShare // rounded towards zero; less than a share that is no whole number means at most it
	return *f.GrossAssetValue < share || *f.GrossAssetValue == share && *f.PeakGAV%windDownShare > 0
}

// countryCode is the alpha-2 code of a place: its country's, else that of the US where the state is one of theirs.
func countryCode(country, state *string) *string {
	if country != nil {
		if code, ok := vocab.CountryCode(*country); ok {
			return &code
		}
		return nil
	}
	if state != nil {
		if _, ok := vocab.StateCode(*state); ok {
			us := "US"
			return &us
		}
	}
	return nil
}

func value[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

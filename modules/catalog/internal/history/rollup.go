package history

import (
	"math"
	"math/bits"
	"slices"
	"strings"
	"time"

	"gpatlas/modules/catalog/internal/vocab"
)

// totals are sums over funds; nil where no fund reports a value.
type totals struct {
	strategy string
	funds    int64
	gav      *int64
	owners   *int64
}

func (t *totals) add(f *Fund) {
	t.funds++
	t.gav = sum(t.gav, f.GrossAssetValue)
	t.owners = sum(t.owners, f.BeneficialOwnersCount)
}

// foldFunds fills the totals over the funds that are not closed. Where no list of the adviser's funds was ever loaded, the
// roster's own counts stand in; an adviser that says it advises no private funds has none; what nobody reported is
// unknown.
func (a *Adviser) foldFunds(versions []AdviserVersion, funds []Fund, firstStatus *time.Time) {
	listed := len(funds) > 0 || slices.ContainsFunc(versions, func(v AdviserVersion) bool { return v.FundsListed })
	all, by := sumUp(funds)
	zero := int64(0)
	if listed {
		a.FundCount, a.TotalGAV, a.TotalInvestors = &all.funds, all.gav, all.owners
		if all.funds == 0 {
			a.TotalGAV, a.TotalInvestors = &zero, &zero
		}
	} else {
		a.FundCount = first(versions, func(v *AdviserVersion) *int64 { return v.ReportedFundCount })
		a.TotalGAV = first(versions, func(v *AdviserVersion) *int64 { return v.ReportedFundGAV })
		if a.AdvisesFunds != nil && !*a.AdvisesFunds {
			a.FundCount, a.TotalGAV, a.TotalInvestors = or(a.FundCount, &zero), or(a.TotalGAV, &zero), &zero
		}
	}
	a.TotalAUM = a.RAUM
	if value(a.RegistrationStatus) == "exempt_reporting" {
		a.TotalAUM = all.gav
		if !listed {
			a.TotalAUM = first(versions, func(v *AdviserVersion) *int64 { return v.ReportedFundGAV })
		}
	}
	if top := leading(by); top != nil {
		a.PrimaryStrategy = &top.strategy
		if m := vocab.ManagerType(top.strategy); m != "" {
			a.ManagerType = &m
		}
	}
	a.FoundedYear = a.founded(funds, firstStatus)
}

// founded is the earliest year of which there is evidence.
func (a *Adviser) founded(funds []Fund, firstStatus *time.Time) *int64 {
	year := int64(a.FirstFiledOn.Year())
	for _, t := range []*time.Time{a.RegisteredOn, firstStatus} {
		if t != nil {
			year = min(year, int64(t.Year()))
		}
	}
	for i := range funds {
		year = min(year, funds[i].VintageYear)
	}
	return &year
}

func sumUp(funds []Fund) (all totals, by []totals) {
	for i := range funds {
		f := &funds[i]
		if f.Status == closed {
			continue
		}
		all.add(f)
		k := slices.IndexFunc(by, func(t totals) bool { return t.strategy == f.Strategy })
		if k < 0 {
			k, by = len(by), append(by, totals{strategy: f.Strategy})
		}
		by[k].add(f)
	}
	return all, by
}

// leading is the strategy with most gross asset value, then most funds.
func leading(by []totals) (top *totals) {
	for i := range by {
		t := &by[i]
		if top == nil || value(t.gav) > value(top.gav) ||
			value(t.gav) == value(top.gav) && (t.funds > top.funds || t.funds == top.funds && strings.Compare(t.strategy, top.strategy) < 0) {
			top = t
		}
	}
	return top
}

// sum adds what is known; it stays at the largest number rather than overflow, for a filing may hold any.
func sum(total, v *int64) *int64 {
	if v == nil {
		return total
	}
	s := value(total) + *v
	if _, carry := bits.Add64(uint64(value(total)), uint64(*v), 0); carry == 0 && s < 0 && *v > 0 {
		s = math.MaxInt64
	}
	return &s
}

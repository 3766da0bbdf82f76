package fold

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/derive"
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

// summed is the funds of an adviser, with their origins where the totals are to name their filings.
type summed struct {
	funds   []Fund
	origins []origin
}

// by returns the filing shown for a total over the funds that count: the newest override that added such a fund to the sum or
// removed one, because no filing states that sum; else the newest filing that counts; for an empty sum the filing of the list.
func (s *summed) by(list *Filing, column string, counts func(f *Fund) bool) *Filing {
	return cmp.Or(s.moved(counts), s.newest(column, counts), list)
}

// newest returns the newest filing that states a column of an open fund for which counts is true; nil if there is none. Without
// a column, filings that name such a fund are meant.
func (s *summed) newest(column string, counts func(f *Fund) bool) (newest *Filing) {
	for i := range s.origins {
		if f := &s.funds[i]; f.Status == catalogapi.FundClosed || !counts(f) {
			continue
		}
		if at := s.origins[i].of(column); newest == nil || Order(at, newest) > 0 {
			newest = at
		}
	}
	return newest
}

// moved returns the newest override that added a fund for which counts is true to the sums, or removed one; nil if none did.
func (s *summed) moved(counts func(f *Fund) bool) (newest *Filing) {
	for i := range s.origins {
		if by := s.origins[i].moved; by != nil && counts(&s.funds[i]) && (newest == nil || Order(by, newest) > 0) {
			newest = by
		}
	}
	return newest
}

// foldFunds fills the totals over the funds that are not closed. If no list of the adviser's funds was ever loaded, the
// roster's own counts are used. An adviser that states that it advises no private funds has none. What no filing reports
// is unknown.
func (a *Adviser) foldFunds(versions, base []AdviserVersion, s *summed, p Provenance) {
	list := NewestList(versions)
	listed := len(s.funds) > 0 || list != nil
	all, by := sumUp(s.funds)
	var ofCount, ofGAV, ofNet, ofOwners, ofAUM *Filing
	if listed {
		inMasters := InMasters(s.funds)
		a.FundCount, a.TotalGAV, a.NetGAV, a.TotalInvestors = &all.funds, all.gav, s.net(inMasters), all.owners
		if all.funds == 0 {
			a.TotalGAV, a.NetGAV, a.TotalInvestors = new(int64), new(int64), new(int64)
		}
		if p != nil {
			ofCount = s.by(list, "", func(*Fund) bool { return true })
			ofGAV = s.by(list, "", func(f *Fund) bool { return f.GrossAssetValue != nil })
			ofNet = s.by(list, "", func(f *Fund) bool { return f.GrossAssetValue != nil && !inMasters[f] })
			ofOwners = s.by(list, catalogapi.FieldFundOwners, func(f *Fund) bool { return f.BeneficialOwnersCount != nil })
		}
	} else {
		a.FundCount, ofCount = first(versions, func(v *AdviserVersion) *int64 { return v.ReportedFundCount })
		a.TotalGAV, ofGAV = first(versions, func(v *AdviserVersion) *int64 { return v.ReportedFundGAV })
		if a.FundCount != nil && *a.FundCount == 0 { // without funds the value is 0, even if an older roster states another
			a.TotalGAV, ofGAV, a.TotalInvestors, ofOwners = new(int64), ofCount, new(int64), ofCount
			a.NetGAV, ofNet = new(int64), ofCount
		}
	}
	a.TotalAUM, ofAUM = first(base, func(v *AdviserVersion) *int64 { return v.RAUM })
	a.RAUM = a.TotalAUM
	advises, saysSo := first(base, func(v *AdviserVersion) *bool { return v.AdvisesFunds })
	a.AdvisesFunds = advises
	p.note("advises_funds", saysSo)
	if !listed && a.FundCount == nil && advises != nil && !*advises {
		a.FundCount, a.TotalGAV, a.NetGAV, a.TotalInvestors = new(int64), new(int64), new(int64), new(int64)
		ofCount, ofGAV, ofNet, ofOwners = saysSo, saysSo, saysSo, saysSo
	}
	if value(a.RegistrationStatus) == string(catalogapi.ExemptReporting) {
		a.TotalAUM, ofAUM = a.TotalGAV, ofGAV
		if a.FundCount != nil && *a.FundCount == 0 {
			a.TotalAUM = nil // its assets are known from its funds only
		}
	}
	for _, f := range []struct {
		name  string
		value *int64
		by    *Filing
	}{
		{"fund_count", a.FundCount, ofCount},
		{"total_gav", a.TotalGAV, ofGAV},
		{"net_gav", a.NetGAV, ofNet},
		{"total_investors", a.TotalInvestors, ofOwners},
		{"total_aum", a.TotalAUM, ofAUM},
	} {
		if f.value != nil {
			p.note(f.name, f.by)
		}
	}
	if listed {
		a.foldStrategy(by, s, p)
	} else if a.FundCount == nil || *a.FundCount > 0 {
		a.foldReportedStrategy(versions, p)
	}
}

// NewestList is the newest filing that came with the adviser's whole list of funds, or nil.
func NewestList(versions []AdviserVersion) (list *Filing) {
	for i := range versions {
		if f := &versions[i].Filing; f.FundsListed && (list == nil || Order(f, list) > 0) {
			list = f
		}
	}
	return list
}

// lists are the filings that came with the adviser's whole list of funds, oldest first. They are copies: origins of funds point to them.
func lists(versions []AdviserVersion) (all []Filing) {
	for i := range versions {
		if versions[i].FundsListed {
			all = append(all, versions[i].Filing)
		}
	}
	slices.SortFunc(all, func(a, b Filing) int { return Order(&a, &b) })
	return all
}

func (a *Adviser) foldStrategy(by []totals, s *summed, p Provenance) {
	top := leading(by)
	if top == nil {
		return
	}
	var filing *Filing
	if p != nil {
		if before := leading(s.asFiled()); before != nil && before.strategy == top.strategy {
			filing = s.newest("", func(f *Fund) bool { return f.Strategy == top.strategy })
		} else {
			filing = s.moved(func(*Fund) bool { return true })
		}
	}
	a.setStrategy(top.strategy, filing, p)
}

// asFiled is what the funds sum up to by strategy where no correction puts one into the sum, or out of it.
func (s *summed) asFiled() []totals {
	funds := slices.Clone(s.funds)
	for i := range funds {
		switch {
		case s.origins[i].moved == nil:
		case funds[i].Status == catalogapi.FundClosed:
			funds[i].Status = catalogapi.FundActive
		default:
			funds[i].Status = catalogapi.FundClosed
		}
	}
	_, by := sumUp(funds)
	return by
}

// foldReportedStrategy derives the strategy from the fund type that a roster counts most often.
//
// Spec: not shown; a roster neither names the funds nor states assets by type, so each type counts as an unnamed fund of that
// type.
func (a *Adviser) foldReportedStrategy(versions []AdviserVersion, p Provenance) {
	types, by := first(versions, func(v *AdviserVersion) *map[string]int64 {
		if v.ReportedFundTypes == nil {
			return nil
		}
		return &v.ReportedFundTypes
	})
	if types == nil {
		return
	}
	var counts []totals
	for name, n := range *types {
		counts = append(counts, totals{strategy: derive.Strategy(derive.Fund{Type: name}), funds: n})
	}
	if top := leading(counts); top != nil {
		a.setStrategy(top.strategy, by, p)
	}
}

func (a *Adviser) setStrategy(strategy string, by *Filing, p Provenance) {
	a.PrimaryStrategy = &strategy
	p.note("primary_strategy", by)
	if m := vocab.ManagerType(strategy); m != "" {
		a.ManagerType = &m
		p.note("manager_type", by)
	}
}

// The sources of a founded year.
const (
	byRegistration = "registration"
	byFirstFiling  = "first_filing"
)

// foldFounded fills the earliest year for which there is evidence, and the kind of evidence: the first registration that a
// source states (registered.day is nil if none does), else the first filing, of the adviser or of one of its funds.
//
// Spec: not shown; founded_year is the earliest year for which we have evidence, and founded_year_basis names the evidence.
func (a *Adviser) foldFounded(filed, registered since, s *summed, p Provenance) {
	year, by, basis := int64(filed.day.Year()), filed.by, byFirstFiling
	for i := range s.funds {
		if vintage := s.funds[i].VintageYear; vintage < year {
			year = vintage
			if s.origins != nil {
				by = s.origins[i].vintage
			}
		}
	}
	if registered.day != nil && int64(registered.day.Year()) <= year {
		year, by, basis = int64(registered.day.Year()), registered.by, byRegistration
	}
	a.FoundedYear, a.FoundedYearBasis = &year, &basis
	p.note("founded_year", by)
	p.note("founded_year_basis", by)
}

func sumUp(funds []Fund) (all totals, by []totals) {
	for i := range funds {
		f := &funds[i]
		if f.Status == catalogapi.FundClosed {
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

// sum adds what is known to a total, which is the caller's own; it stays at the largest number rather than overflow, for a
// filing may hold any.
func sum(total, v *int64) *int64 {
	switch {
	case v == nil:
		return total
	case total == nil:
		own := *v
		return &own
	}
	s := *total + *v
	if _, carry := bits.Add64(uint64(*total), uint64(*v), 0); carry == 0 && s < 0 && *v > 0 {
		s = math.MaxInt64
	}
	*total = s
	return total
}

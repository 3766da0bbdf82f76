package fold

import (
	"reflect"
	"slices"
	"strings"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/derive"
	"gpatlas/modules/catalog/internal/vocab"
)

// A fund that has lost more than three quarters of its peak value, so many years after its vintage, is liquidating.
const (
	windDownYears = 8
	windDownShare = 4
)

// FundState is a fund as the filings up to a moment said.
type FundState struct {
	Fund
	AdviserName string // its adviser's legal name then
	Provenance  Provenance
}

// FundStateOf returns a fund's state on a day: its values, corrections applied, its adviser's name and the provenance. It takes at
// least one version of the fund, and its notices of Form D. adviser holds the versions of its adviser.
func FundStateOf(versions []FundVersion, adviser []AdviserVersion, notices []Notice, corrected Overrides, day time.Time) *FundState {
	var all fundVersions
	for i := range versions {
		all.add(&versions[i])
	}
	f, t := all.fold(lists(adviser), notices, day)
	corrected.fund(&f, &t, day)
	state := &FundState{Fund: f, Provenance: t.provenance(&f)}
	name, by := corrected.LegalName(f.AdviserCRD, adviser, day)
	state.AdviserName = name
	if by != nil {
		state.Provenance.note("adviser_name", by)
	}
	return state
}

// Newest is the newest of versions; nil where there are none.
func Newest(versions []FundVersion) (newest *FundVersion) {
	for i := range versions {
		if v := &versions[i]; newest == nil || Order(&v.Filing, &newest.Filing) > 0 {
			newest = v
		}
	}
	return newest
}

// byFund groups versions by fund, by Fund ID.
func byFund(versions []FundVersion) []fundVersions {
	sorted := make([]*FundVersion, len(versions))
	for i := range versions {
		sorted[i] = &versions[i]
	}
	slices.SortStableFunc(sorted, func(a, b *FundVersion) int { return strings.Compare(a.FundID, b.FundID) }) // they mostly are
	n := 0
	for i, v := range sorted {
		if i == 0 || v.FundID != sorted[i-1].FundID {
			n++
		}
	}
	funds := make([]fundVersions, 0, n)
	for i, v := range sorted {
		if i == 0 || v.FundID != sorted[i-1].FundID {
			funds = append(funds, fundVersions{all: sorted[i:i:len(sorted)]}) // its versions come next, where they stand
		}
		funds[len(funds)-1].add(v)
	}
	return funds
}

// fundVersions collects the versions of one fund, which may be added in any order.
type fundVersions struct {
	all    []*FundVersion
	newest *FundVersion
	first  *Filing
	peak   *FundVersion // of those of known value; of equal ones the first
}

func (r *fundVersions) add(v *FundVersion) {
	r.all = append(r.all, v)
	if r.newest == nil || Order(&v.Filing, &r.newest.Filing) > 0 {
		r.newest = v
	}
	if r.first == nil || Order(&v.Filing, r.first) < 0 {
		r.first = &v.Filing
	}
	if v.GrossAssetValue == nil {
		return
	}
	if r.peak == nil || *v.GrossAssetValue > *r.peak.GrossAssetValue ||
		*v.GrossAssetValue == *r.peak.GrossAssetValue && Order(&v.Filing, &r.peak.Filing) < 0 {
		r.peak = v
	}
}

// quality is that of a vintage which the first filing tells.
func (r *fundVersions) quality() catalogapi.VintageQuality {
	if r.first.DocSource == catalogapi.SourceFundList {
		return catalogapi.VintageList
	}
	return catalogapi.VintageFirstFiling
}

// values is what the versions state of the fund's value, oldest first.
func (r *fundVersions) values() (list []catalogapi.FundValue) {
	known := slices.DeleteFunc(slices.Clone(r.all), func(v *FundVersion) bool { return v.GrossAssetValue == nil })
	slices.SortFunc(known, func(a, b *FundVersion) int { return Order(&a.Filing, &b.Filing) })
	for _, v := range known {
		list = append(list, catalogapi.FundValue{FiledOn: v.FilingDate, GAV: *v.GrossAssetValue})
	}
	return list
}

// stated is what the newest version says, with what its document has no column for as the newest version before it states
// it, and who states that. What belongs together is not mixed: see fieldReader.holds.
func (r *fundVersions) stated() (filed FiledFund, by map[string]*Filing) {
	filed = r.newest.FiledFund
	if len(r.newest.Silent) == 0 {
		return filed, nil
	}
	versions := slices.Clone(r.all)
	slices.SortFunc(versions, func(a, b *FundVersion) int { return Order(&b.Filing, &a.Filing) })
	all := fieldReader{len(versions), func(i int, field string) (string, bool) {
		return answerOf(reflect.ValueOf(&versions[i].FiledFund).Elem(), field), !slices.Contains(versions[i].Silent, field)
	}}
	by = map[string]*Filing{}
	to := reflect.ValueOf(&filed).Elem()
	for _, c := range catalogapi.ColumnsOf(to.Type()) {
		if !slices.Contains(r.newest.Silent, c.Name) {
			continue
		}
		if _, at := all.newest(c.Name, 1); at > 0 && all.holds(catalogapi.FundGroups, c.Name, at) {
			to.FieldByIndex(c.Path).Set(reflect.ValueOf(&versions[at].FiledFund).Elem().FieldByIndex(c.Path))
			by[c.Name] = &versions[at].Filing
		}
	}
	for field := range by {
		if !asked(catalogapi.FundGroups, field, func(field string) string { return answerOf(to, field) }) {
			clearField(to, field)
			delete(by, field)
		}
	}
	return filed, by
}

// fold computes the fund on a day from the versions that were added, the adviser's complete lists (oldest first) and the notices of
// Form D. It also returns the filings that the values come from.
func (r *fundVersions) fold(lists []Filing, notices []Notice, day time.Time) (Fund, origin) {
	newest := r.newest
	filed, stated := r.stated()
	filed.State, filed.Country = shownPlace(filed.State), shownPlace(filed.Country)
	f := Fund{
		FundID: newest.FundID, AdviserCRD: newest.CRD, FiledFund: filed,
		Jurisdiction: or(filed.State, filed.Country),
		CountryCode:  countryCode(filed.Country, filed.State),
		Strategy:     filed.strategy(),
		VintageYear:  int64(r.first.FilingDate.Year()), VintageQuality: r.quality(), FirstFiledOn: r.first.FilingDate,
		LatestAccession: newest.Accession, LatestFormType: newest.FormType, LatestFiledOn: newest.FilingDate,
		Status: catalogapi.FundActive,
	}
	f.FundTypeOther = derive.ShownText(f.FundTypeOther) // the strategy needs all of it
	t := origin{versions: r, stated: stated, newest: &newest.Filing, first: r.first, vintage: r.first, status: &newest.Filing}
	if r.peak != nil {
		f.PeakGAV, t.peak = r.peak.GrossAssetValue, &r.peak.Filing
	}
	f.foldNotices(notices, &t)
	without := slices.IndexFunc(lists, func(list Filing) bool { return closes(&list, &newest.Filing) })
	switch {
	case without >= 0:
		f.Status, f.ClosedOn, t.status = catalogapi.FundClosed, &lists[without].FilingDate, &lists[len(lists)-1]
	case derive.SaysLiquidating(newest.Name), f.windsDown(day):
		f.Status = catalogapi.FundLiquidating
	}
	return f, t
}

// shownPlace leaves out a place that may be a person's name.
func shownPlace(name *string) *string {
	if countryCode(name, nil) != nil || countryCode(nil, name) != nil {
		return name
	}
	return derive.ShownText(name)
}

// HasAuditor is Audited of the fund.
func (f *FiledFund) HasAuditor() *bool { return Audited(f.Auditors, f.AnnualAudit) }

// Audited reports whether a fund has an auditor, by the auditors that its filing names and its answer to item 23(a); nil if it is unknown: a list of
// funds has no auditors, and an archive may lack their table. The tests of the filter has_auditor ask PostgreSQL the same (index/fundfilter.go).
//
// Spec: not shown; a fund that is audited, but whose auditor is not named, is unknown too.
func Audited(auditors []string, annual *bool) *bool {
	switch {
	case len(auditors) > 0:
		return new(true)
	case annual != nil && !*annual:
		return new(false)
	}
	return nil
}

func (f *FiledFund) strategy() string {
	return derive.Strategy(derive.Fund{
		Type: value(f.FundType), TypeOther: value(f.FundTypeOther), Name: f.Name, FundOfFunds: f.IsFundOfFunds,
	})
}

// closes reports whether a complete list of an adviser is newer than the last filing that named a fund.
func closes(listed, newest *Filing) bool { return listed != nil && Order(newest, listed) < 0 }

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

package fold

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/derive"
)

// The fields that operators correct.
const (
	OverrideLegalName    = "legal_name"
	OverrideWebsite      = "website"
	OverrideStrategy     = "primary_strategy"
	OverrideFounded      = "founded_year"
	OverrideFundStatus   = "status"          // of a fund
	OverrideOrganization = "canonical_gp_id" // see Overrides.Alone and Overrides.Merged
)

// Overridden is the type of the filing that stands in the provenance of a value that an operator has corrected, and the basis of such a founded year.
const Overridden = "override"

// Override is a correction of one value by an operator: see platform/overrides.
type Override struct {
	ID        int64     `gorm:"column:id"`
	CRD       string    `gorm:"column:crd"`     // the adviser that it corrects; empty if it corrects a fund
	FundID    string    `gorm:"column:fund_id"` // the fund that it corrects; empty if it corrects an adviser
	Field     string    `gorm:"column:field"`
	Value     *string   `gorm:"column:value"`
	ValidFrom time.Time `gorm:"column:valid_from"`
}

// holds says whether the correction is in force on a day; the zero day is no limit.
func (o *Override) holds(day time.Time) bool { return day.IsZero() || !o.ValidFrom.After(day) }

// by is the correction as the filing that a value comes from.
func (o *Override) by() *Filing {
	return &Filing{Accession: "OVERRIDE-" + strconv.FormatInt(o.ID, 10), FormType: Overridden, FilingDate: o.ValidFrom, FilingID: o.ID}
}

// Overrides are corrections that are known. They are in no order: a field of an adviser or fund has one at most. Those of one adviser
// include those of others that merge these with it.
type Overrides []Override

// Corrections are overrides by the adviser, by CRD number, or the fund, by Fund ID, that they concern: a merger by both advisers.
type Corrections map[string]Overrides

// Add adds a correction.
func (c Corrections) Add(o Override) {
	of := o.CRD + o.FundID // one of them is empty
	c[of] = append(c[of], o)
	if o.Field == OverrideOrganization && o.Value != nil && *o.Value != of {
		c[*o.Value] = append(c[*o.Value], o)
	}
}

// Correct gives a record those of its adviser and funds.
func (c Corrections) Correct(r *Record) {
	if len(c) == 0 {
		return
	}
	r.Overrides = append(r.Overrides, c[r.CRD]...)
	seen := map[string]bool{}
	for i := range r.FundVersions {
		if id := r.FundVersions[i].FundID; !seen[id] {
			seen[id] = true
			r.Overrides = append(r.Overrides, c[id]...)
		}
	}
}

// of is the correction of a field of an adviser or a fund that holds on a day, or nil.
func (all Overrides) of(crd, fund, field string, day time.Time) *Override {
	i := slices.IndexFunc(all, func(o Override) bool { return o.CRD == crd && o.FundID == fund && o.Field == field && o.holds(day) })
	if i < 0 {
		return nil
	}
	return &all[i]
}

// Adviser puts what holds on a day into an adviser, its totals too: a fund's status is corrected before.
func (all Overrides) Adviser(a *Adviser, day time.Time) { all.adviser(a, day, nil) }

func (all Overrides) adviser(a *Adviser, day time.Time, p Provenance) {
	if len(all) == 0 {
		return
	}
	put := func(field string, set func(value *string)) *Override {
		o := all.of(a.CRD, "", field, day)
		if o != nil {
			set(o.Value)
			p.note(field, o.by())
		}
		return o
	}
	put(OverrideLegalName, func(v *string) { a.LegalName = value(v) })
	put(OverrideWebsite, func(v *string) { a.Website = v })
	if o := put(OverrideStrategy, func(*string) { a.ManagerType = nil }); o != nil {
		p.note("manager_type", o.by())
		a.setStrategy(value(o.Value), o.by(), p)
	}
	if o := put(OverrideFounded, func(v *string) { a.FoundedYear = year(v) }); o != nil {
		basis := Overridden
		a.FoundedYearBasis = &basis
		p.note("founded_year_basis", o.by())
	}
	if o := all.organization(a.CRD, day); o != nil {
		p.note(OverrideOrganization, o.by()) // the caller gives the value
	}
}

func year(text *string) *int64 {
	n, err := strconv.ParseInt(value(text), 10, 64)
	if err != nil {
		return nil
	}
	return &n
}

// Fund puts what holds on a day into a fund.
func (all Overrides) Fund(f *Fund, day time.Time) { all.fund(f, &origin{}, day) }

func (all Overrides) fund(f *Fund, t *origin, day time.Time) {
	if o := all.of("", f.FundID, OverrideFundStatus, day); o != nil {
		before := f.Status
		f.Status, t.status = value(o.Value), o.by()
		if (before == catalogapi.FundClosed) != (f.Status == catalogapi.FundClosed) {
			t.moved, f.ClosedOn = t.status, nil
			if f.Status == catalogapi.FundClosed {
				f.ClosedOn = &o.ValidFrom
			}
		}
	}
}

// LegalName is the legal name of an adviser on a day, by its versions and what corrects them, and what states it; nil if nothing does.
func (all Overrides) LegalName(crd string, versions []AdviserVersion, day time.Time) (name string, by *Filing) {
	if o := all.of(crd, "", OverrideLegalName, day); o != nil {
		return value(o.Value), o.by()
	}
	if NewestFirst(versions); len(versions) > 0 {
		return versions[0].LegalName, &versions[0].Filing
	}
	return "", nil
}

// Firm puts what holds on a day into what the grouping reads of an adviser.
func (all Overrides) Firm(crd string, f *derive.Firm, day time.Time) {
	if o := all.of(crd, "", OverrideLegalName, day); o != nil {
		f.Stem = derive.NameStem(value(o.Value))
	}
	if o := all.of(crd, "", OverrideWebsite, day); o != nil {
		f.Domain = derive.WebsiteDomain(value(o.Value))
	}
}

// Alone says whether what the filings say ties an adviser to no other on a day.
func (all Overrides) Alone(crd string, day time.Time) bool {
	o := all.of(crd, "", OverrideOrganization, day)
	return o != nil && o.Value == nil
}

// Merged are the advisers that corrections make one organization with an adviser on a day.
func (all Overrides) Merged(crd string, day time.Time) (others []string) {
	for i := range all {
		o := &all[i]
		if o.Field != OverrideOrganization || o.Value == nil || !o.holds(day) {
			continue
		}
		switch crd {
		case o.CRD:
			others = append(others, *o.Value)
		case *o.Value:
			others = append(others, o.CRD)
		}
	}
	return others
}

// organization is the newest of the corrections that hold on a day and say of an adviser by name to which organization it belongs,
// or nil: its own, and those of others that are merged with it.
func (all Overrides) organization(crd string, day time.Time) (newest *Override) {
	for i := range all {
		o := &all[i]
		if o.Field != OverrideOrganization || o.CRD != crd && value(o.Value) != crd || !o.holds(day) {
			continue
		}
		if newest == nil || cmp.Or(o.ValidFrom.Compare(newest.ValidFrom), cmp.Compare(o.ID, newest.ID)) > 0 {
			newest = o
		}
	}
	return newest
}

// Websites are the advisers whose websites corrections give.
func (all Overrides) Websites() (crds []string) {
	for i := range all {
		if all[i].Field == OverrideWebsite {
			crds = append(crds, all[i].CRD)
		}
	}
	return crds
}

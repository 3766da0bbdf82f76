package history

import (
	"slices"
	"strings"
	"time"

	"gpatlas/modules/catalog/catalogapi"
)

// FoldAdviser says what the versions of one adviser, at least one, say together, with the totals over its funds as they
// stood then. The organisation that it is grouped into is not a matter of filings: the caller gives it.
func FoldAdviser(versions []AdviserVersion, funds []Fund, canonicalID int64) Adviser {
	newestFirst(versions)
	base := baseOf(versions)
	regime := first(base, func(v *AdviserVersion) *string { return v.Registration })
	a := Adviser{
		CRD: versions[0].CRD, CanonicalGPID: canonicalID, RegistrationStatus: regime,
		LegalName:    base[0].LegalName,
		BusinessName: first(base, func(v *AdviserVersion) *string { return v.BusinessName }),
		SECNumber: first(base, func(v *AdviserVersion) *string {
			if !same(v.Registration, regime) {
				return nil
			}
			return v.SECNumber
		}),
		Phone:                first(base, func(v *AdviserVersion) *string { return v.Phone }),
		Website:              first(base, func(v *AdviserVersion) *string { return v.Website }),
		LEI:                  first(base, func(v *AdviserVersion) *string { return v.LEI }),
		EmployeeCount:        first(base, func(v *AdviserVersion) *int64 { return v.EmployeeCount }),
		RAUM:                 first(base, func(v *AdviserVersion) *int64 { return v.RAUM }),
		RAUMDiscretionary:    first(base, func(v *AdviserVersion) *int64 { return v.RAUMDiscretionary }),
		RAUMNonDiscretionary: first(base, func(v *AdviserVersion) *int64 { return v.RAUMNonDiscretionary }),
		OrgForm:              first(base, func(v *AdviserVersion) *string { return v.OrgForm }),
		FiscalYearEnd:        first(base, func(v *AdviserVersion) *string { return v.FiscalYearEnd }),
		OrgState:             first(base, func(v *AdviserVersion) *string { return v.OrgState }),
		OrgCountry:           first(base, func(v *AdviserVersion) *string { return v.OrgCountry }),
		AdvisesFunds:         first(base, func(v *AdviserVersion) *bool { return v.AdvisesFunds }),
		LatestAccession:      versions[0].Accession,
		LatestFormType:       versions[0].FormType,
		LatestFiledOn:        versions[0].FilingDate,
	}
	a.foldOffice(base)
	firstStatus := a.foldDates(versions)
	a.foldFunds(versions, funds, firstStatus)
	return a
}

// baseOf is the versions that the fields are read from: the newest archive filing, which is the whole form, and what is
// newer; without one, all.
func baseOf(versions []AdviserVersion) []AdviserVersion {
	form := slices.IndexFunc(versions, func(v AdviserVersion) bool { return v.DocSource == catalogapi.SourceADVArchive })
	if form < 0 {
		return versions
	}
	return versions[:form+1]
}

// foldOffice takes the main office from the newest version that speaks of it; street, postal code and country may be
// completed from versions of the same city.
func (a *Adviser) foldOffice(base []AdviserVersion) {
	n := slices.IndexFunc(base, func(v AdviserVersion) bool {
		return v.City != nil || v.State != nil || v.Country != nil || value(v.PrivateResidence)
	})
	if n < 0 {
		return
	}
	o := &base[n]
	var near []AdviserVersion
	for _, v := range base[n:] {
		if v.City != nil && o.City != nil && strings.EqualFold(*v.City, *o.City) && same(v.State, o.State) {
			near = append(near, v)
		}
	}
	residence := value(o.PrivateResidence)
	a.Street1, a.Street2, a.City, a.State, a.Country, a.PostalCode = o.Street1, o.Street2, o.City, o.State, o.Country, o.PostalCode
	a.PrivateResidence = or(o.PrivateResidence, first(near, func(v *AdviserVersion) *bool { return v.PrivateResidence }))
	if o.Street1 == nil && !residence {
		a.Street1, a.Street2 = nil, nil
		if i := slices.IndexFunc(near, func(v AdviserVersion) bool { return v.Street1 != nil }); i >= 0 {
			a.Street1, a.Street2 = near[i].Street1, near[i].Street2
		}
	}
	if !residence {
		a.PostalCode = or(a.PostalCode, first(near, func(v *AdviserVersion) *string { return v.PostalCode }))
	}
	a.Country = or(a.Country, first(near, func(v *AdviserVersion) *string { return v.Country }))
	if a.Country == nil && countryCode(nil, upper(a.State)) != nil {
		us := "United States"
		a.Country = &us
	}
	a.CountryCode = countryCode(a.Country, a.State)
}

// foldDates fills what all versions say together: status, dates. It gives the earliest status date.
func (a *Adviser) foldDates(versions []AdviserVersion) (firstStatus *time.Time) {
	otherRegime := slices.IndexFunc(versions, func(v AdviserVersion) bool {
		return v.Registration != nil && a.RegistrationStatus != nil && *v.Registration != *a.RegistrationStatus
	})
	var began *time.Time // first filing since the present regime
	a.FirstFiledOn = versions[0].FilingDate
	for i := range versions {
		v := &versions[i]
		if v.FilingDate.Before(a.FirstFiledOn) {
			a.FirstFiledOn = v.FilingDate
		}
		firstStatus = earlier(firstStatus, v.StatusDate)
		if v.Registration == nil || !same(v.Registration, a.RegistrationStatus) {
			continue
		}
		a.SECStatus = or(a.SECStatus, v.SECStatus)
		a.RegisteredOn = or(a.RegisteredOn, v.StatusDate)
		if otherRegime < 0 || i < otherRegime {
			began = earlier(began, &v.FilingDate)
		}
	}
	a.RegisteredOn = or(a.RegisteredOn, began)
	return firstStatus
}

func earlier(a, b *time.Time) *time.Time {
	if a == nil || b != nil && b.Before(*a) {
		return b
	}
	return a
}

// first is the newest answer to one question.
func first[T any](versions []AdviserVersion, get func(v *AdviserVersion) *T) *T {
	for i := range versions {
		if p := get(&versions[i]); p != nil {
			return p
		}
	}
	return nil
}

func or[T any](a, b *T) *T {
	if a != nil {
		return a
	}
	return b
}

func same[T comparable](a, b *T) bool {
	return a == nil && b == nil || a != nil && b != nil && *a == *b
}

func upper(s *string) *string {
	if s == nil {
		return nil
	}
	u := strings.ToUpper(*s)
	return &u
}

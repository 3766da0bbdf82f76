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

// foldAdviser joins the versions of one adviser, at least one, into its state on a day, with the totals over its funds on that day.
// If p is not nil, it records in p where each value comes from; origins are then those of the funds. The caller sets the
// organization, because that depends on other advisers as well.
func foldAdviser(versions []AdviserVersion, funds []Fund, origins []origin, day time.Time, p Provenance) Adviser {
	NewestFirst(versions)
	base := together(baseOf(versions), versions)
	newest := &versions[0].Filing
	regime := newestNoted(p, "registration_status", base, func(v *AdviserVersion) *string { return v.Registration })
	a := Adviser{
		CRD: newest.CRD, RegistrationStatus: regime,
		LatestAccession: newest.Accession, LatestFormType: newest.FormType, LatestFiledOn: newest.FilingDate,
	}
	a.LegalName = base[0].LegalName
	a.SECNumber = newestNoted(p, "sec_number", base, func(v *AdviserVersion) *string {
		if !same(v.Registration, regime) {
			return nil
		}
		return v.SECNumber
	})
	a.foldNewest(base, p)
	if a.Website = derive.ShownWebsite(a.Website, a.LegalName, catalogapi.TextOf(a.BusinessName)); a.Website == nil {
		delete(p, "website")
	}
	p.note("legal_name", newest)
	a.foldOffice(versions, base, p)
	of := &summed{funds, origins}
	a.foldFunds(versions, base, of, p)
	filed, registered := a.foldDates(versions, day, p)
	a.foldFounded(filed, registered, of, p)
	return a
}

// newestColumns are those of Statement without a rule of their own: the newest answer counts.
var newestColumns = slices.DeleteFunc(slices.Clone(catalogapi.ColumnsOf(reflect.TypeFor[catalogapi.Statement]())), func(c catalogapi.Column) bool {
	ruled := []string{
		catalogapi.FieldLegalName, catalogapi.FieldSECNumber, catalogapi.FieldSECStatus, catalogapi.FieldRAUM, catalogapi.FieldAdvisesFunds,
	}
	return slices.Contains(ruled, c.Name) || slices.Contains(officeFields, c.Name)
})

// foldNewest takes the newest answer to each of these columns.
func (a *Adviser) foldNewest(base []AdviserVersion, p Provenance) {
	to := reflect.ValueOf(&a.Statement).Elem()
	for _, c := range newestColumns {
		for i := range base {
			if answer := reflect.ValueOf(&base[i].Statement).Elem().FieldByIndex(c.Path); !answer.IsNil() {
				to.FieldByIndex(c.Path).Set(answer)
				p.note(c.Name, &base[i].Filing)
				break
			}
		}
	}
}

// baseOf is the versions that the fields are read from: the newest archive filing, which is the whole form, and what is
// newer; without one, all.
func baseOf(versions []AdviserVersion) []AdviserVersion {
	form := newestForm(versions)
	if form < 0 {
		return versions
	}
	return withSilent(versions, form)
}

// newestForm is the place of the newest whole form among versions, the newest first; below zero where there is none.
func newestForm(versions []AdviserVersion) int {
	return find(versions, func(v *AdviserVersion) bool { return v.DocSource == catalogapi.SourceADVArchive })
}

// foldOffice takes the main office from the newest version that speaks of it, with what its document has no column for from
// those before it; street, postal code and country may be completed from versions of the same city.
func (a *Adviser) foldOffice(versions, base []AdviserVersion, p Provenance) {
	n := find(base, func(v *AdviserVersion) bool {
		return v.City != nil || v.State != nil || v.Country != nil || v.Street1 != nil || v.PostalCode != nil || value(v.PrivateResidence)
	})
	if n < 0 {
		return
	}
	completed, by := stated(base[n], versions)
	o, own := &completed, []AdviserVersion{completed}
	var near []AdviserVersion
	for i := range base[n:] {
		if v := &base[n+i]; v.City != nil && o.City != nil && strings.EqualFold(*v.City, *o.City) && same(v.State, o.State) {
			near = append(near, *v)
		}
	}
	all := slices.Concat(own, near) // the office's own answer first
	postal := all
	if value(o.PrivateResidence) {
		postal = own
	}
	a.City = newestNoted(p, "city", own, func(v *AdviserVersion) *string { return v.City })
	a.State = newestNoted(p, "state", own, func(v *AdviserVersion) *string { return v.State })
	a.PrivateResidence = newestNoted(p, "private_residence", all, func(v *AdviserVersion) *bool { return v.PrivateResidence })
	a.PostalCode = newestNoted(p, "postal_code", postal, func(v *AdviserVersion) *string { return v.PostalCode })
	// Both lines of the street come from one version; a second line without a first is none, unless the first is blank on
	// purpose.
	street := own
	if !value(o.PrivateResidence) {
		street = nil
		if i := slices.IndexFunc(all, func(v AdviserVersion) bool { return v.Street1 != nil }); i >= 0 {
			street = all[i : i+1]
		}
	}
	a.Street1 = newestNoted(p, "street1", street, func(v *AdviserVersion) *string { return v.Street1 })
	a.Street2 = newestNoted(p, "street2", street, func(v *AdviserVersion) *string { return v.Street2 })
	a.hideAddressees(p)
	a.foldCountry(all, by, p)
	a.foldState(p)
	for field, stated := range by {
		if noted, ok := p[field]; ok && noted.Accession == o.Accession {
			p.note(field, stated)
		}
	}
}

// hideAddressees leaves out who may be a person in the main office's address.
func (a *Adviser) hideAddressees(p Provenance) {
	a.City = derive.ShownCity(a.City)
	a.Street1, a.Street2 = derive.ShownStreet(a.Street1, a.Street2)
	for field, shown := range map[string]*string{"city": a.City, "street1": a.Street1, "street2": a.Street2} {
		if shown == nil {
			delete(p, field)
		}
	}
}

// foldCountry takes the country from the first version that names one; the office's own version comes first. If none does, it
// is derived from the state.
func (a *Adviser) foldCountry(all []AdviserVersion, stated map[string]*Filing, p Provenance) {
	name, by := first(all, func(v *AdviserVersion) *string { return v.Country })
	from := stated[catalogapi.FieldCountry]
	if name == nil && countryCode(nil, upper(a.State)) != nil {
		us := vocab.UnitedStates
		name, by, from = &us, &all[0].Filing, stated[catalogapi.FieldState]
	}
	if from != nil && by != nil && by.Accession == all[0].Accession {
		by = from
	}
	a.Country, a.CountryCode = name, countryCode(name, a.State)
	p.note("country", by)
	if a.CountryCode != nil {
		p.note("country_code", by)
	}
}

// foldState writes a state of the US as its code, so that every way of counting finds it under one name.
//
// Spec: not shown; a state of the US contradicts another country, and one of both is wrong. The country stands, without a state.
func (a *Adviser) foldState(p Provenance) {
	code, ok := vocab.StateCode(catalogapi.TextOf(a.State))
	switch {
	case !ok || a.CountryCode == nil:
	case *a.CountryCode == "US":
		a.State = &code
	default:
		a.State = nil
		delete(p, "state")
	}
}

// foldDates fills the fields that depend on all versions: status and dates. It returns the first filing and the first registration
// that a source states. A roster is newer than the filings that it lists, so a status that began after day is ignored.
func (a *Adviser) foldDates(versions []AdviserVersion, day time.Time, p Provenance) (filed, registered since) {
	begun := func(v *AdviserVersion) bool { return v.StatusDate == nil || !v.StatusDate.After(day) }
	present := func(v *AdviserVersion) bool {
		return v.Registration != nil && same(v.Registration, a.RegistrationStatus) && begun(v)
	}
	for i := range versions {
		v := &versions[i]
		filed = filed.earlier(&v.FilingDate, &v.Filing)
		if begun(v) {
			registered = registered.earlier(v.StatusDate, &v.Filing)
		}
	}
	a.FirstFiledOn = *filed.day
	p.note("first_filing_date", filed.by)
	p.note("first_seen", filed.by)
	a.SECStatus = newestNoted(p, "sec_status", versions, func(v *AdviserVersion) *string {
		if !present(v) {
			return nil
		}
		return v.SECStatus
	})
	a.RegisteredOn = newestNoted(p, "registered_on", versions, func(v *AdviserVersion) *time.Time {
		if !present(v) {
			return nil
		}
		return v.StatusDate
	})
	return filed, registered
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

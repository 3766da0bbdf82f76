package fold

import (
	"reflect"
	"slices"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
)

// withSilent returns the versions up to the form. For fields that the form lacks, because its archive had no column for them, it
// adds the older versions, back to the first form that has them.
func withSilent(versions []AdviserVersion, form int) []AdviserVersion {
	base := versions[: form+1 : form+1]
	open := slices.DeleteFunc(slices.Clone(versions[form].Silent), func(field string) bool { return strings.HasPrefix(field, catalogapi.SilentTable) })
	for i := form + 1; i < len(versions) && len(open) > 0; i++ {
		v := &versions[i]
		base = append(base, only(v, open))
		if v.DocSource == catalogapi.SourceADVArchive {
			open = slices.DeleteFunc(slices.Clone(open), func(field string) bool { return !slices.Contains(v.Silent, field) })
		}
	}
	return base
}

// officeFields are those of the main office. They come from one version together.
var officeFields = []string{
	catalogapi.FieldStreet1, catalogapi.FieldStreet2, catalogapi.FieldCity, catalogapi.FieldState, catalogapi.FieldCountry,
	catalogapi.FieldPostalCode, catalogapi.FieldResidence,
}

// stated fills office fields that the version's document has no column for from the next older version at the same
// address; versions has all of them, newest first. by has the filing of each filled field.
func stated(o AdviserVersion, versions []AdviserVersion) (completed AdviserVersion, by map[string]*Filing) {
	completed, by = o, map[string]*Filing{}
	if len(o.Silent) == 0 {
		return completed, by
	}
	place := find(versions, func(v *AdviserVersion) bool { return v.Accession == o.Accession })
	older := versions[place+1:]
	to := reflect.ValueOf(&completed).Elem()
	for _, c := range catalogapi.ColumnsOf(to.Type()) {
		if !slices.Contains(officeFields, c.Name) || !slices.Contains(o.Silent, c.Name) {
			continue
		}
		i := find(older, func(v *AdviserVersion) bool {
			return v.DocSource != catalogapi.SourceFundList && !slices.Contains(v.Silent, c.Name)
		})
		if i < 0 || elsewhere(&o, &older[i]) {
			continue
		}
		// An office that is stated now is no residence because one was blank before.
		if c.Name == catalogapi.FieldResidence && (o.Street1 != nil || (o.City != nil || older[i].City != nil) && !alike(o.City, older[i].City)) {
			continue
		}
		if c.Name == catalogapi.FieldStreet2 && !slices.Contains(o.Silent, catalogapi.FieldStreet1) && !alike(o.Street1, older[i].Street1) {
			continue
		}
		if said := reflect.ValueOf(&older[i]).Elem().FieldByIndex(c.Path); !said.IsNil() {
			to.FieldByIndex(c.Path).Set(said)
			by[c.Name] = &older[i].Filing
		}
	}
	return completed, by
}

// elsewhere reports whether two versions have different addresses. If no city, state or country is stated by both, the postal
// codes are compared, else the streets.
func elsewhere(a, b *AdviserVersion) bool {
	both := func(x, y *string) bool { return x != nil && y != nil }
	if !both(a.City, b.City) && !both(a.State, b.State) && !both(a.Country, b.Country) {
		if both(a.PostalCode, b.PostalCode) {
			if differ(a.PostalCode, b.PostalCode) {
				return true
			}
		} else if differ(a.Street1, b.Street1) {
			return true
		}
	}
	return differ(a.City, b.City) || differ(a.State, b.State) || differ(a.Country, b.Country) ||
		a.PrivateResidence != nil && b.PrivateResidence != nil && *a.PrivateResidence != *b.PrivateResidence
}

func differ(a, b *string) bool { return a != nil && b != nil && !strings.EqualFold(*a, *b) }

func alike(a, b *string) bool { return a != nil && b != nil && strings.EqualFold(*a, *b) }

// only is the version with these fields alone.
func only(v *AdviserVersion, fields []string) AdviserVersion {
	out := AdviserVersion{Filing: v.Filing, Silent: v.Silent}
	if slices.Contains(fields, catalogapi.FieldSECNumber) {
		out.Registration = v.Registration // it decides whether the number counts
	}
	from, to := reflect.ValueOf(v).Elem(), reflect.ValueOf(&out).Elem()
	for _, c := range catalogapi.ColumnsOf(from.Type()) {
		if slices.Contains(fields, c.Name) {
			to.FieldByIndex(c.Path).Set(from.FieldByIndex(c.Path))
		}
	}
	return out
}

// unstated lists fields that are unknown because a document that counts lacks their column; versions are newest
// first. See catalogapi.AdviserState.
func unstated(versions []AdviserVersion, a *Adviser) (fields []string) {
	if form := newestForm(versions); form >= 0 {
		versions = versions[:form+1]
	}
	silent := func(field string) bool {
		return find(versions, func(v *AdviserVersion) bool { return slices.Contains(v.Silent, field) }) >= 0
	}
	for _, f := range []struct {
		name    string
		unknown bool
		columns []string
	}{
		{"total_aum", a.TotalAUM == nil && value(a.RegistrationStatus) != string(catalogapi.ExemptReporting), []string{catalogapi.FieldRAUM}},
		{"employee_count", a.EmployeeCount == nil, []string{catalogapi.FieldEmployees}},
		{"city", a.City == nil, []string{catalogapi.FieldCity}},
		{"state", a.State == nil, []string{catalogapi.FieldState}},
		{"country", a.Country == nil, []string{catalogapi.FieldCountry, catalogapi.FieldState}}, // a state may imply it
	} {
		if f.unknown && slices.ContainsFunc(f.columns, silent) {
			fields = append(fields, f.name)
		}
	}
	return fields
}

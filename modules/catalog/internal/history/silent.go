package history

import (
	"reflect"
	"slices"

	"gpatlas/modules/catalog/catalogapi"
)

// withSilent is the versions up to the form, and behind them what the versions before it say of the fields that the form
// is silent about, because its archive had no column for them: back to the first form that is not silent.
func withSilent(versions []AdviserVersion, form int) []AdviserVersion {
	base, open := versions[:form+1:form+1], versions[form].Silent
	for i := form + 1; i < len(versions) && len(open) > 0; i++ {
		v := &versions[i]
		base = append(base, only(v, open))
		if v.DocSource == catalogapi.SourceADVArchive {
			open = slices.DeleteFunc(slices.Clone(open), func(field string) bool { return !slices.Contains(v.Silent, field) })
		}
	}
	return base
}

// only is the version with these fields alone.
func only(v *AdviserVersion, fields []string) AdviserVersion {
	out := AdviserVersion{Filing: v.Filing}
	if slices.Contains(fields, catalogapi.FieldSECNumber) {
		out.Registration = v.Registration // it decides whether the number counts
	}
	from, to := reflect.ValueOf(v).Elem(), reflect.ValueOf(&out).Elem()
	for _, c := range columnsOf(from.Type()) {
		if slices.Contains(fields, c.name) {
			to.FieldByIndex(c.path).Set(from.FieldByIndex(c.path))
		}
	}
	return out
}

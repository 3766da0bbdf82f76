package fold

import (
	"reflect"
	"time"

	"gpatlas/modules/catalog/catalogapi"
)

// Provenance is the filing that each field's value comes from, by the fields' names in the detail answers. The
// fold notes the filing where it takes the value, so the two cannot differ. Values that no filing states have no entry. A nil
// Provenance takes no notes.
type Provenance map[string]Origin

// Origin is what a provenance shows of a filing.
type Origin struct {
	Accession, FormType string
	FilingDate          time.Time
}

// note says that a field's value comes from a filing.
func (p Provenance) note(field string, by *Filing) {
	if p != nil && by != nil {
		p[field] = Origin{by.Accession, by.FormType, by.FilingDate}
	}
}

// Sources is what answers show of it.
func (p Provenance) Sources() map[string]FilingSource {
	if p == nil {
		return nil
	}
	out := make(map[string]FilingSource, len(p))
	for field := range p {
		out[field] = p[field].source()
	}
	return out
}

func (o Origin) source() FilingSource {
	s := FilingSource{AccessionNumber: o.Accession, FilingType: o.FormType, FilingDate: o.FilingDate.Format(time.DateOnly)}
	if o.FormType == Overridden {
		s.Source = Overridden
	}
	return s
}

// newestNoted is the newest answer to one question, noted as a field's.
func newestNoted[T any](p Provenance, field string, versions []AdviserVersion, get func(v *AdviserVersion) *T) *T {
	value, by := first(versions, get)
	p.note(field, by)
	return value
}

// first is the newest answer to one question, with the filing that gave it.
func first[T any](versions []AdviserVersion, get func(v *AdviserVersion) *T) (*T, *Filing) {
	for i := range versions {
		if answer := get(&versions[i]); answer != nil {
			return answer, &versions[i].Filing
		}
	}
	return nil, nil
}

// since is a day and the filing that states it; nil if there is none.
type since struct {
	day *time.Time
	by  *Filing
}

// earlier is the earlier of two days. For equal days the argument wins: versions are read newest first, so it is older.
func (s since) earlier(day *time.Time, by *Filing) since {
	if day == nil || s.day != nil && day.After(*s.day) {
		return s
	}
	return since{day, by}
}

// origin is the filings that a fund's values come from. A nil pointer: no filing states it.
type origin struct {
	versions         *fundVersions
	newest, first    *Filing
	peak             *Filing
	vintage, exempts *Filing // may be notices of Form D
	status           *Filing
	moved            *Filing            // the correction that puts the fund into the adviser's totals, or out of them
	stated           map[string]*Filing // by column: the filing that states what the newest is silent about; nil = it is silent about nothing
}

// of is the filing that the value of a column comes from.
func (t *origin) of(column string) *Filing { return or(t.stated[column], t.newest) }

// filing returns the notice as the filing that a value comes from. It has no order among the filings of advisers.
func (n *Notice) filing() *Filing {
	return &Filing{Accession: n.Accession, DocSource: catalogapi.SourceFormD, FormType: n.FormType, FilingDate: n.FilingDate}
}

// fundFields is about how many fields of a fund are filled.
const fundFields = 28

// provenance returns the origin by the fields' names in the detail.
func (t *origin) provenance(f *Fund) Provenance {
	p := make(Provenance, fundFields)
	filed := reflect.ValueOf(f.FiledFund)
	for _, c := range catalogapi.ColumnsOf(filed.Type()) {
		if v := filed.FieldByIndex(c.Path); v.Kind() != reflect.Pointer || !v.IsNil() { // lists are empty, never null
			p.note(c.Name, t.of(c.Name))
		}
	}
	delete(p, "state") // shown as the jurisdiction
	delete(p, "country")
	if f.State != nil {
		p.note("jurisdiction", t.of("state"))
	} else if f.Country != nil {
		p.note("jurisdiction", t.of("country"))
	}
	if f.CountryCode != nil && f.Country != nil {
		p.note("country_code", t.of("country"))
	} else if f.CountryCode != nil {
		p.note("country_code", t.of("state"))
	}
	for _, field := range []string{"adviser_crd", "strategy", "latest_filing_date"} {
		p.note(field, t.newest)
	}
	if f.HasAuditor() != nil {
		if len(f.Auditors) > 0 {
			p.note("has_auditor", t.of("auditors"))
		} else {
			p.note("has_auditor", t.of("annual_audit"))
		}
	}
	p.note("first_filing_date", t.first)
	p.note("peak_gross_asset_value", t.peak)
	p.note("vintage_year", t.vintage)
	p.note("vintage_source", t.vintage)
	p.note("vintage_quality", t.vintage)
	p.note("exemptions", t.exempts)
	p.note("status", t.status)
	return p
}

package adv

import (
	"slices"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse/table"
)

// unasked are the items that exempt reporting advisers do not answer: that their table lacks them is no silence.
var unasked = []string{
	catalogapi.FieldEmployees, catalogapi.FieldRAUM, catalogapi.FieldRAUMDiscretion, catalogapi.FieldRAUMNonDiscr,
}

// organised are the items of base B, which registered advisers do not have in their table of filings.
var organised = []string{
	catalogapi.FieldOrgForm, catalogapi.FieldFiscalYearEnd, catalogapi.FieldOrgState, catalogapi.FieldOrgCountry,
}

// silence names what a piece of the table of filings says nothing of, because it lacks the column. What a whole table is
// missing for, the loader sees for itself.
func (d *document) silence(k kind, p *piece) []string {
	fields := lacking(p)
	if k == era {
		return slices.DeleteFunc(fields, func(f string) bool { return slices.Contains(unasked, f) })
	}
	fields = slices.DeleteFunc(fields, func(f string) bool { return slices.Contains(organised, f) })
	for _, b := range d.tables[tableID{ia, baseB}] {
		fields = append(fields, lacking(b)...)
	}
	slices.Sort(fields)
	return slices.Clip(slices.Compact(fields))
}

func lacking(p *piece) []string {
	layout, err := table.Bind(p.header, p.file.Columns)
	if err != nil {
		return nil // such a table is passed over
	}
	return layout.Silent()
}

// edition is the last day that the tables of filings reach to.
func (d *document) edition() (last time.Time) {
	for _, k := range []kind{ia, era} {
		for _, p := range d.tables[base(k)] {
			if p.to.After(last) {
				last = p.to
			}
		}
	}
	return last
}

package roster

import (
	"slices"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse/table"
)

func (r *reader) filing(row *table.Row) *catalogapi.AdviserFiling {
	f := &catalogapi.AdviserFiling{
		CRD:       row.CRD(colCRD),
		Submitted: row.RequiredDate(colFiled),
		Silent:    r.silent,
		File:      row.File,
		Line:      row.Line,
	}
	stated.Fill(f, row)
	table.RepairPostal(&f.Statement)
	f.ReportedFundTypes = r.types(row)
	f.Key = "CRD:" + f.CRD
	f.Registration = catalogapi.Text(string(r.registration(row)))
	if !r.opts.NotAfter.IsZero() && f.Submitted.After(r.opts.NotAfter) {
		row.Fail("Latest ADV Filing Date is in the future: " + f.Submitted.Format("2006-01-02"))
	}
	return f
}

// types are the counts of funds by type; a blank one is none. A roster that lacks one of the columns does not show which type
// leads.
func (r *reader) types(row *table.Row) map[string]int64 {
	if slices.Contains(r.silent, catalogapi.FieldReportedTypes) {
		return nil
	}
	var types map[string]int64
	for i, name := range fundTypes {
		if n := row.Count(colFundTypes + i); n != nil && *n > 0 {
			if types == nil {
				types = map[string]int64{}
			}
			types[name] = *n
		}
	}
	return types
}

// registration returns the regime under which the firm files, according to the row itself, else to the list that contains it;
// empty if it is unknown.
func (r *reader) registration(row *table.Row) catalogapi.Registration {
	if own := ownRegime(row); own != "" {
		return own
	}
	return r.list
}

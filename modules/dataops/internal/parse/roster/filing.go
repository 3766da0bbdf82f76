package roster

import (
	"slices"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse/table"
	"gpatlas/modules/dataops/internal/parse/value"
)

func (r *reader) filing(row *table.Row) *catalogapi.AdviserFiling {
	f := &catalogapi.AdviserFiling{
		CRD:              row.CRD(colCRD),
		Submitted:        row.RequiredDate(colFiled),
		FormVersion:      value.FormVersion(row.Word(colFormVersion)),
		LegalName:        row.Required(colLegalName),
		BusinessName:     row.Text(colBusinessName),
		SECNumber:        row.Text(colSECNumber),
		SECStatus:        row.Word(colStatus),
		StatusDate:       row.Date(colStatusDate),
		Street1:          row.Text(colStreet1),
		Street2:          row.Text(colStreet2),
		City:             row.Word(colCity),
		State:            row.Word(colState),
		Country:          row.Word(colCountry),
		Residence:        row.Flag(colResidence),
		Phone:            row.Text(colPhone),
		Website:          row.Text(colWebsite),
		LEI:              value.LEI(row.Cell(colLEI)),
		Employees:        row.Count(colEmployees),
		RAUM:             row.Money(colRAUM),
		RAUMDiscretion:   row.Money(colRAUMDiscretion),
		RAUMNonDiscr:     row.Money(colRAUMNonDiscr),
		OrgForm:          row.Word(colOrgForm),
		FiscalYearEnd:    row.Word(colFiscalYearEnd),
		OrgState:         row.Word(colOrgState),
		OrgCountry:       row.Word(colOrgCountry),
		AdvisesFunds:     row.Flag(colAdvisesFunds),
		ReportedFunds:    row.Count(colFundCount),
		ReportedFundsGAV: row.Money(colFundGAV),
		Silent:           r.silent,
		File:             row.File,
		Line:             row.Line,
	}
	f.ReportedTypes = r.types(row)
	f.Key = "CRD:" + f.CRD
	f.PostalCode = value.Postal(row.Text(colPostal), f.Country)
	f.Registration = r.registration(row)
	if !r.opts.NotAfter.IsZero() && f.Submitted.After(r.opts.NotAfter) {
		row.Fail("Latest ADV Filing Date is in the future: " + f.Submitted.Format("2006-01-02"))
	}
	return f
}

// types are the counts of funds by type; a blank one is none. A roster that lacks one of the columns does not say which type
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

// registration says under which regime the firm files: the row itself is asked first, then the list that it stands in.
// Unknown stays empty.
func (r *reader) registration(row *table.Row) catalogapi.Registration {
	if own := ownRegime(row); own != "" {
		return own
	}
	return r.list
}

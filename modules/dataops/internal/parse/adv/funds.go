package adv

import (
	"slices"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse/table"
)

// fund converts the table of funds. The rows of a piece share the list of what it lacks.
func (d *document) fund() convert[catalogapi.FundRow] {
	var of *table.Row // that of the piece
	var silent []string
	return func(row *table.Row, filing string) *catalogapi.FundRow {
		if row != of {
			of, silent = row, slices.Concat(row.Silent(), d.silenceOfFunds(row.File))
			slices.Sort(silent)
		}
		f := fundOf(row, filing)
		f.Silent = silent
		return f
	}
}

func fundOf(row *table.Row, filing string) *catalogapi.FundRow {
	f := &catalogapi.FundRow{
		FilingKey:     filing,
		ReferenceID:   row.Text(colFundReference),
		State:         row.Word(colFundState),
		Country:       row.Word(colFundCountry),
		MasterName:    row.Text(colMasterName),
		MasterFundID:  row.Text(colMasterID),
		FundType:      row.Word(colFundType),
		FundTypeOther: row.Text(colFundTypeOther),
		Unqualified:   row.Word(colUnqualified),
		File:          row.File,
		Line:          row.Line,
	}
	fundAnswers(row, f)
	return f
}

// fundAnswers reads those columns of a fund that can put a row at fault.
func fundAnswers(row *table.Row, f *catalogapi.FundRow) {
	f.FundID = row.FundID(colFundID)
	f.Name = name(row, colFundName)
	f.Is3C1 = row.Flag(col3C1)
	f.Is3C7 = row.Flag(col3C7)
	f.IsMaster = row.Flag(colMaster)
	f.IsFeeder = row.Flag(colFeeder)
	f.IsFundOfFunds = row.Flag(colFundOfFunds)
	f.GAV = row.Money(colGAV)
	f.MinInvestment = row.Money(colMinInvestment)
	f.Owners = row.Count(colOwners)
	f.PctRelated = row.Percent(colPctRelated)
	f.PctFunds = row.Percent(colPctFunds)
	f.PctNonUS = row.Percent(colPctNonUS)
	f.AnnualAudit = row.Flag(colAnnualAudit)
	f.GAAP = row.Flag(colGAAP)
}

func auditor(row *table.Row, filing string) *catalogapi.AuditorRow {
	return &catalogapi.AuditorRow{
		FilingKey:   filing,
		ReferenceID: row.Required(colReferenceID),
		Name:        row.Required(colAuditor),
		City:        row.Word(colAuditorCity),
		State:       row.Word(colAuditorState),
		Country:     row.Word(colAuditorCountry),
		Independent: row.Flag(colIndependent),
		PCAOB:       row.Flag(colPCAOB),
		File:        row.File,
		Line:        row.Line,
	}
}

func formDNumber(row *table.Row, filing string) *catalogapi.FormDRow {
	return &catalogapi.FormDRow{
		FilingKey:   filing,
		ReferenceID: row.Required(colReferenceID),
		FileNumber:  row.FormDNumber(colFormD),
		File:        row.File,
		Line:        row.Line,
	}
}

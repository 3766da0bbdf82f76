package adv

import (
	"bytes"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse/table"
	"gpatlas/modules/dataops/internal/parse/value"
)

func fund(row *table.Row, k kind) *catalogapi.FundRow {
	return &catalogapi.FundRow{
		FilingKey:     key(k, row.FilingID(colFilingID)),
		ReferenceID:   row.Text(colFundReference),
		FundID:        row.FundID(colFundID),
		Name:          row.Required(colFundName),
		State:         row.Word(colFundState),
		Country:       row.Word(colFundCountry),
		Is3C1:         row.Flag(col3C1),
		Is3C7:         row.Flag(col3C7),
		IsMaster:      row.Flag(colMaster),
		IsFeeder:      row.Flag(colFeeder),
		MasterName:    row.Text(colMasterName),
		MasterFundID:  row.Text(colMasterID),
		IsFundOfFunds: row.Flag(colFundOfFunds),
		FundType:      row.Word(colFundType),
		FundTypeOther: row.Text(colFundTypeOther),
		GAV:           row.Money(colGAV),
		MinInvestment: row.Money(colMinInvestment),
		Owners:        row.Count(colOwners),
		PctRelated:    row.Percent(colPctRelated),
		PctFunds:      row.Percent(colPctFunds),
		PctNonUS:      row.Percent(colPctNonUS),
		AnnualAudit:   row.Flag(colAnnualAudit),
		GAAP:          row.Flag(colGAAP),
		Unqualified:   row.Word(colUnqualified),
		File:          row.File,
		Line:          row.Line,
	}
}

// doubts notes the filings of which a fund's row cannot be used. Their lists are not whole, so that the merge must not
// take a fund for closed because its row is broken. A row that cannot even be parted into fields counts for the filing
// whose number it begins with.
func (d *document) doubts(k kind) (visit func(*table.Row), bad func(table.Bad)) {
	visit = func(row *table.Row) {
		fund(row, k)
		if row.Fault() == "" {
			return
		}
		if id, err := value.FilingID(row.Cell(colFilingID)); err == nil {
			d.doubtful[k].add(id)
		}
	}
	bad = func(b table.Bad) {
		first, _, _ := bytes.Cut(b.Raw, []byte{','})
		if id, err := value.FilingID(bytes.Trim(first, `"`)); err == nil {
			d.doubtful[k].add(id)
		}
	}
	return visit, bad
}

func auditor(row *table.Row, k kind) *catalogapi.AuditorRow {
	return &catalogapi.AuditorRow{
		FilingKey:   key(k, row.FilingID(colFilingID)),
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

func formDNumber(row *table.Row, k kind) *catalogapi.FormDRow {
	return &catalogapi.FormDRow{
		FilingKey:   key(k, row.FilingID(colFilingID)),
		ReferenceID: row.Required(colReferenceID),
		FileNumber:  row.FormDNumber(colFormD),
		File:        row.File,
		Line:        row.Line,
	}
}

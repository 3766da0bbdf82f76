package advw

import (
	"strings"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse/table"
	"gpatlas/modules/dataops/internal/parse/value"
)

const (
	colCRD = iota
	colSECNumber
	colLegalName
	colFilingID
	colFilingType
	colFilingDate
	colCity
	colState
	colCountry
	colCeased
	colCeasedOn
	colReason
)

var withdrawalColumns = []table.Column{
	{Name: "CRD Number", Aliases: []string{"CRD"}, Required: true},
	{Name: "SEC File Number", Aliases: []string{"SEC Number"}},
	{Name: "Full Legal Name", Aliases: []string{"Legal Name"}},
	{Name: "Filing ID", Required: true},
	{Name: "Filing Type", Required: true},
	{Name: "Filing Date", Aliases: []string{"DateSubmitted", "Date Filed"}, Required: true},
	{Name: "Office City"},
	{Name: "Office State"},
	{Name: "Office Country"},
	{Name: "Business Ceased"},
	{Name: "Date Ceased"},
	{Name: "Reasons for Withdrawal", Aliases: []string{"Reason for Withdrawal"}},
}

// withdrawal reads one form. Firm, filing number, type and date must be good: a full withdrawal hides the firm. The rest
// is left out where it cannot be understood.
func withdrawal(row *table.Row, notAfter time.Time) *catalogapi.WithdrawalRow {
	w := &catalogapi.WithdrawalRow{
		CRD:       row.CRD(colCRD),
		FilingID:  row.FilingID(colFilingID),
		Submitted: row.RequiredDate(colFilingDate),
		SECNumber: row.Text(colSECNumber),
		LegalName: row.Text(colLegalName),
		Ceased:    value.Loose(value.Flag(row.Cell(colCeased))),
		CeasedOn:  value.Loose(value.Date(row.Cell(colCeasedOn))),
		Reason:    row.Text(colReason),
		City:      row.Word(colCity),
		State:     row.Word(colState),
		Country:   row.Word(colCountry),
		File:      row.File,
		Line:      row.Line,
	}
	switch kind := row.Word(colFilingType); {
	case strings.EqualFold(kind, "FULL"):
		w.Full = true
	case !strings.EqualFold(kind, "PARTIAL"):
		row.Fail("Filing Type is neither FULL nor PARTIAL: " + kind)
	}
	if !notAfter.IsZero() && w.Submitted.After(notAfter) {
		row.Fail("Filing Date is in the future: " + row.Text(colFilingDate))
	}
	return w
}

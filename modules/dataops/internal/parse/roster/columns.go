package roster

import (
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse/table"
)

const (
	colCRD = iota
	colLegalName
	colFiled
	colSECNumber
	colFirmType
)

// columns of all generations of the roster. Exempt reporting advisers do not answer item 5, registered ones answer 2.A
// and not 2.B; some publishers cut the roster to few columns.
var columns = []table.Column{
	{Name: "Organization CRD#", Required: true},
	{Name: "Legal Name", Required: true, Field: catalogapi.FieldLegalName},
	{Name: "Latest ADV Filing Date", Required: true},
	{Name: "SEC#", Field: catalogapi.FieldSECNumber},
	{Name: "Firm Type"},
	{Name: "Primary Business Name", Field: catalogapi.FieldBusinessName},
	{Name: "Main Office Street Address 1", Field: catalogapi.FieldStreet1},
	{Name: "Main Office Street Address 2", Field: catalogapi.FieldStreet2},
	{Name: "Main Office City", Field: catalogapi.FieldCity},
	{Name: "Main Office State", Field: catalogapi.FieldState},
	{Name: "Main Office Country", Field: catalogapi.FieldCountry},
	{Name: "Main Office Postal Code", Field: catalogapi.FieldPostalCode},
	{Name: "Main Office Private Residence Flag", Field: catalogapi.FieldResidence},
	{Name: "Main Office Telephone Number", Field: catalogapi.FieldPhone},
	{Name: "SEC Current Status", Field: catalogapi.FieldSECStatus},
	{Name: "SEC Status Effective Date", Field: catalogapi.FieldStatusDate},
	{Name: "Form Version", Field: catalogapi.FieldFormVersion},
	{Name: "Website Address", Field: catalogapi.FieldWebsite},
	{Name: "1P", Field: catalogapi.FieldLEI},
	{Name: "3A", Field: catalogapi.FieldOrgForm},
	{Name: "3B", Field: catalogapi.FieldFiscalYearEnd},
	{Name: "3C-State", Field: catalogapi.FieldOrgState},
	{Name: "3C-Country", Field: catalogapi.FieldOrgCountry},
	{Name: "5A", Field: catalogapi.FieldEmployees},
	{Name: "5F(2)(a)", Field: catalogapi.FieldRAUMDiscretion},
	{Name: "5F(2)(b)", Field: catalogapi.FieldRAUMNonDiscr},
	{Name: "5F(2)(c)", Field: catalogapi.FieldRAUM},
	{Name: "7B", Field: catalogapi.FieldAdvisesFunds},
	{Name: "Count of Private Funds - 7B(1)", Field: catalogapi.FieldReportedFunds},
	{Name: "Total Gross Assets of Private Funds", Field: catalogapi.FieldReportedFundsGAV},
	{Name: "Total number of Hedge funds", Field: catalogapi.FieldReportedTypes},
	{Name: "Total number of Liquidity funds", Field: catalogapi.FieldReportedTypes},
	{Name: "Total number of PE funds", Field: catalogapi.FieldReportedTypes},
	{Name: "Total number of Real Estate funds", Field: catalogapi.FieldReportedTypes},
	{Name: "Total number of Securitized funds", Field: catalogapi.FieldReportedTypes},
	{Name: "Total number of VC funds", Field: catalogapi.FieldReportedTypes},
	{Name: "Total number of Other funds", Field: catalogapi.FieldReportedTypes},
}

// fundTypes are the types of Schedule D 7.B.(1) item 10, in the order of their columns.
var fundTypes = [...]string{
	"Hedge Fund", "Liquidity Fund", "Private Equity Fund", "Real Estate Fund", "Securitized Asset Fund", "Venture Capital Fund", "Other Private Fund",
}

var (
	stated       = table.FieldsOf[catalogapi.AdviserFiling](columns)
	colStatus    = table.Place(columns, "SEC Current Status")
	colFundTypes = table.Place(columns, "Total number of Hedge funds") // and one for each of fundTypes
)

var known = table.Known(columns)

// telling are the headers by which a roster is known.
var telling = []string{"Organization CRD#", "Latest ADV Filing Date"}

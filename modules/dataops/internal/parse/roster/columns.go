package roster

import "gpatlas/modules/dataops/internal/parse/table"

const (
	colCRD = iota
	colLegalName
	colFiled
	colSECNumber
	colFirmType
	colBusinessName
	colStreet1
	colStreet2
	colCity
	colState
	colCountry
	colPostal
	colResidence
	colPhone
	colStatus
	colStatusDate
	colFormVersion
	colWebsite
	colLEI
	colOrgForm
	colFiscalYearEnd
	colOrgState
	colOrgCountry
	colEmployees
	colRAUMDiscretion
	colRAUMNonDiscr
	colRAUM
	colAdvisesFunds
	colFundCount
	colFundGAV
)

// columns of all generations of the roster. Exempt reporting advisers do not answer item 5, registered ones answer 2.A
// and not 2.B; some publishers cut the roster to few columns.
var columns = []table.Column{
	{Name: "Organization CRD#", Required: true},
	{Name: "Legal Name", Required: true},
	{Name: "Latest ADV Filing Date", Required: true},
	{Name: "SEC#"},
	{Name: "Firm Type"},
	{Name: "Primary Business Name"},
	{Name: "Main Office Street Address 1"},
	{Name: "Main Office Street Address 2"},
	{Name: "Main Office City"},
	{Name: "Main Office State"},
	{Name: "Main Office Country"},
	{Name: "Main Office Postal Code"},
	{Name: "Main Office Private Residence Flag"},
	{Name: "Main Office Telephone Number"},
	{Name: "SEC Current Status"},
	{Name: "SEC Status Effective Date"},
	{Name: "Form Version"},
	{Name: "Website Address"},
	{Name: "1P"},
	{Name: "3A"},
	{Name: "3B"},
	{Name: "3C-State"},
	{Name: "3C-Country"},
	{Name: "5A"},
	{Name: "5F(2)(a)"},
	{Name: "5F(2)(b)"},
	{Name: "5F(2)(c)"},
	{Name: "7B"},
	{Name: "Count of Private Funds - 7B(1)"},
	{Name: "Total Gross Assets of Private Funds"},
}

// telling are the headers by which a roster is known.
var telling = []string{"Organization CRD#", "Latest ADV Filing Date"}

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
	{Name: "Legal Name", Required: true, Field: "legal_name"},
	{Name: "Latest ADV Filing Date", Required: true},
	{Name: "SEC#", Field: "sec_number"},
	{Name: "Firm Type"},
	{Name: "Primary Business Name", Field: "business_name"},
	{Name: "Main Office Street Address 1", Field: "street1"},
	{Name: "Main Office Street Address 2", Field: "street2"},
	{Name: "Main Office City", Field: "city"},
	{Name: "Main Office State", Field: "state"},
	{Name: "Main Office Country", Field: "country"},
	{Name: "Main Office Postal Code", Field: "postal_code"},
	{Name: "Main Office Private Residence Flag", Field: "private_residence"},
	{Name: "Main Office Telephone Number", Field: "phone"},
	{Name: "SEC Current Status", Field: "sec_status"},
	{Name: "SEC Status Effective Date", Field: "status_date"},
	{Name: "Form Version", Field: "form_version"},
	{Name: "Website Address", Field: "website"},
	{Name: "1P", Field: "lei"},
	{Name: "3A", Field: "org_form"},
	{Name: "3B", Field: "fiscal_year_end"},
	{Name: "3C-State", Field: "org_state"},
	{Name: "3C-Country", Field: "org_country"},
	{Name: "5A", Field: "employee_count"},
	{Name: "5F(2)(a)", Field: "raum_discretionary"},
	{Name: "5F(2)(b)", Field: "raum_non_discretionary"},
	{Name: "5F(2)(c)", Field: "raum"},
	{Name: "7B", Field: "advises_funds"},
	{Name: "Count of Private Funds - 7B(1)", Field: "reported_fund_count"},
	{Name: "Total Gross Assets of Private Funds", Field: "reported_fund_gav"},
	{Name: "Total number of Hedge funds", Field: "reported_fund_types"},
	{Name: "Total number of Liquidity funds", Field: "reported_fund_types"},
	{Name: "Total number of PE funds", Field: "reported_fund_types"},
	{Name: "Total number of Real Estate funds", Field: "reported_fund_types"},
	{Name: "Total number of Securitized funds", Field: "reported_fund_types"},
	{Name: "Total number of VC funds", Field: "reported_fund_types"},
	{Name: "Total number of Other funds", Field: "reported_fund_types"},
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

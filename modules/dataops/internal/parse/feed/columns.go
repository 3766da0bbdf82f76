package feed

import "gpatlas/modules/dataops/internal/parse/table"

const (
	colCRD = iota
	colLegalName
	colBusinessName
	colSECNumber
	colStreet1
	colStreet2
	colCity
	colState
	colCountry
	colPostal
	colPhone
	colFirmType
	colStatus
	colStatusDate
	colFiled
	colFormVersion
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
	columnCount
)

// columns are the attributes that are read, as element@attribute. An element's name is unique inside a firm's.
func columns() []table.Column {
	return []table.Column{
		{Name: "Info@FirmCrdNb"},
		{Name: "Info@LegalNm"},
		{Name: "Info@BusNm"},
		{Name: "Info@SECNb"},
		{Name: "MainAddr@Strt1"},
		{Name: "MainAddr@Strt2"},
		{Name: "MainAddr@City"},
		{Name: "MainAddr@State"},
		{Name: "MainAddr@Cntry"},
		{Name: "MainAddr@PostlCd"},
		{Name: "MainAddr@PhNb"},
		{Name: "Rgstn@FirmType"},
		{Name: "Rgstn@St"},
		{Name: "Rgstn@Dt"},
		{Name: "Filing@Dt"},
		{Name: "Filing@FormVrsn"},
		{Name: "Item1@Q1P"},
		{Name: "Item3A@OrgFormNm"},
		{Name: "Item3B@Q3B"},
		{Name: "Item3C@StateCD"},
		{Name: "Item3C@CntryNm"},
		{Name: "Item5A@TtlEmp"},
		{Name: "Item5F@Q5F2A"},
		{Name: "Item5F@Q5F2B"},
		{Name: "Item5F@Q5F2C"},
		{Name: "Item7B@Q7B"},
	}
}

// place is where an attribute's value goes.
type place struct {
	attribute string
	column    int
}

// The elements of a firm that are looked into.
const (
	elFirm         = "Firm"
	elRegistration = "Rgstn"
	elFiling       = "Filing"
	elWebsite      = "WebAddr"
)

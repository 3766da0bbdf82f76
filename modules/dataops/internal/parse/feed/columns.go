package feed

import (
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse/table"
)

// columns are the attributes that are read, as element@attribute. An element's name is unique inside a firm's.
var columns = []table.Column{
	{Name: "Info@FirmCrdNb"},
	{Name: "Info@LegalNm", Field: "legal_name"},
	{Name: "Info@BusNm", Field: "business_name"},
	{Name: "Info@SECNb", Field: "sec_number"},
	{Name: "MainAddr@Strt1", Field: "street1"},
	{Name: "MainAddr@Strt2", Field: "street2"},
	{Name: "MainAddr@City", Field: "city"},
	{Name: "MainAddr@State", Field: "state"},
	{Name: "MainAddr@Cntry", Field: "country"},
	{Name: "MainAddr@PostlCd", Field: "postal_code"},
	{Name: "MainAddr@PhNb", Field: "phone"},
	{Name: "Rgstn@FirmType"},
	{Name: "Rgstn@St", Field: "sec_status"},
	{Name: "Rgstn@Dt", Field: "status_date"},
	{Name: "Filing@Dt"},
	{Name: "Filing@FormVrsn", Field: "form_version"},
	{Name: "Item1@Q1P", Field: "lei"},
	{Name: "Item3A@OrgFormNm", Field: "org_form"},
	{Name: "Item3B@Q3B", Field: "fiscal_year_end"},
	{Name: "Item3C@StateCD", Field: "org_state"},
	{Name: "Item3C@CntryNm", Field: "org_country"},
	{Name: "Item5A@TtlEmp", Field: "employee_count"},
	{Name: "Item5F@Q5F2A", Field: "raum_discretionary"},
	{Name: "Item5F@Q5F2B", Field: "raum_non_discretionary"},
	{Name: "Item5F@Q5F2C", Field: "raum"},
	{Name: "Item7B@Q7B", Field: "advises_funds"},
}

var stated = table.FieldsOf[catalogapi.AdviserFiling](columns)

// The columns that rules name.
var (
	colCRD         = table.Place(columns, "Info@FirmCrdNb")
	colSECNumber   = table.Place(columns, "Info@SECNb")
	colFirmType    = table.Place(columns, "Rgstn@FirmType")
	colStatus      = table.Place(columns, "Rgstn@St")
	colStatusDate  = table.Place(columns, "Rgstn@Dt")
	colFiled       = table.Place(columns, "Filing@Dt")
	colFormVersion = table.Place(columns, "Filing@FormVrsn")
)

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

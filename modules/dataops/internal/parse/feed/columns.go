package feed

import (
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse/table"
)

// columns are the attributes that are read, as element@attribute. An element's name is unique inside a firm's.
var columns = []table.Column{
	{Name: "Info@FirmCrdNb"},
	{Name: "Info@LegalNm", Field: catalogapi.FieldLegalName},
	{Name: "Info@BusNm", Field: catalogapi.FieldBusinessName},
	{Name: "Info@SECNb", Field: catalogapi.FieldSECNumber},
	{Name: "MainAddr@Strt1", Field: catalogapi.FieldStreet1},
	{Name: "MainAddr@Strt2", Field: catalogapi.FieldStreet2},
	{Name: "MainAddr@City", Field: catalogapi.FieldCity},
	{Name: "MainAddr@State", Field: catalogapi.FieldState},
	{Name: "MainAddr@Cntry", Field: catalogapi.FieldCountry},
	{Name: "MainAddr@PostlCd", Field: catalogapi.FieldPostalCode},
	{Name: "MainAddr@PhNb", Field: catalogapi.FieldPhone},
	{Name: "Rgstn@FirmType"},
	{Name: "Rgstn@St", Field: catalogapi.FieldSECStatus},
	{Name: "Rgstn@Dt", Field: catalogapi.FieldStatusDate},
	{Name: "Filing@Dt"},
	{Name: "Filing@FormVrsn", Field: catalogapi.FieldFormVersion},
	{Name: "Item1@Q1P", Field: catalogapi.FieldLEI},
	{Name: "Item3A@OrgFormNm", Field: catalogapi.FieldOrgForm},
	{Name: "Item3B@Q3B", Field: catalogapi.FieldFiscalYearEnd},
	{Name: "Item3C@StateCD", Field: catalogapi.FieldOrgState},
	{Name: "Item3C@CntryNm", Field: catalogapi.FieldOrgCountry},
	{Name: "Item5A@TtlEmp", Field: catalogapi.FieldEmployees},
	{Name: "Item5F@Q5F2A", Field: catalogapi.FieldRAUMDiscretion},
	{Name: "Item5F@Q5F2B", Field: catalogapi.FieldRAUMNonDiscr},
	{Name: "Item5F@Q5F2C", Field: catalogapi.FieldRAUM},
	{Name: "Item7B@Q7B", Field: catalogapi.FieldAdvisesFunds},
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

package adv

import (
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse/table"
)

// columns lists what is read of each table; the constants beside it number them. Names are the present headers, aliases
// the ones of earlier years.
var columns = map[string][]table.Column{
	baseA:    baseColumns,
	baseERA:  baseColumns,
	baseB:    organizationColumns,
	websites: {filingID, {Name: "Website", Required: true}},
	funds:    fundColumns,
	auditors: {
		filingID, referenceID,
		{Name: "Name of Auditing Firm", Required: true},
		{Name: "City"},
		{Name: "State"},
		{Name: "Country"},
		{Name: "Independent"},
		{Name: "PCAOB Registered"},
	},
	formD:       {filingID, referenceID, {Name: "Form D File Number", Required: true}},
	filingTypes: {filingID},

	ciks:       {filingID, {Name: "CIK", Aliases: []string{"CIK Number", "1D3 CIK"}, Required: true}},
	otherCRDs:  {filingID, {Name: "CRDNumber", Aliases: []string{"CRD", "Additional CRD Number"}, Required: true}},
	offices:    officeColumns,
	affiliates: affiliateColumns,
	owners:     ownerColumns,

	drpCriminal:   disclosureColumns,
	drpRegulatory: disclosureColumns,
	drpCivil:      disclosureColumns,
	drpAffiliates: implicatedColumns,

	subAdvisedFunds: subAdvisedColumns,
	feeders:         feederColumns,
	feederDetails:   feederColumns,
	partners:        partnerColumns,
	primeBrokers:    primeBrokerColumns,
	custodians:      custodianColumns,
	administrators:  administratorColumns,
	marketers:       marketerColumns,
	marketerSites:   marketerSiteColumns,
}

var (
	filingID    = table.Column{Name: "FilingID", Required: true}
	referenceID = table.Column{Name: "ReferenceID", Required: true}
)

// colFilingID is the first column of every list, colReferenceID the second of a fund's children.
const (
	colFilingID    = 0
	colReferenceID = 1
)

// Columns of the tables of filings, base A and the ERA base, beside those that state a field.
const (
	colSubmitted   = 1
	colCRD         = 3
	colHasWebsites = 4
)

var baseColumns = []table.Column{
	filingID,
	{Name: "DateSubmitted", Required: true},
	{Name: "1A", Required: true, Field: "legal_name"},
	{Name: "1E1", Aliases: []string{"1E"}, Required: true},
	{Name: "1I"},
	{Name: "FormVersion", Field: "form_version"},
	{Name: "1B1", Aliases: []string{"1B"}, Field: "business_name"},
	{Name: "1D", Field: "sec_number"},
	{Name: "1F1-Street 1", Field: "street1"},
	{Name: "1F1-Street 2", Field: "street2"},
	{Name: "1F1-City", Field: "city"},
	{Name: "1F1-State", Field: "state"},
	{Name: "1F1-Country", Field: "country"},
	{Name: "1F1-Postal", Aliases: []string{"1F1-Postal Code"}, Field: "postal_code"},
	{Name: "1F1-Private", Aliases: []string{"1F1-Private Residence"}, Field: "private_residence"},
	{Name: "1F3", Field: "phone"},
	{Name: "1P", Field: "lei"},
	{Name: "5A", Field: "employee_count"},
	{Name: "5F2a", Field: "raum_discretionary"},
	{Name: "5F2b", Field: "raum_non_discretionary"},
	{Name: "5F2c", Field: "raum"},
	{Name: "7B", Field: "advises_funds"},
	// The ERA base holds item 3 itself; for registered advisers it is in base B.
	{Name: "3A", Field: "org_form"},
	{Name: "3B", Field: "fiscal_year_end"},
	{Name: "3C-State", Field: "org_state"},
	{Name: "3C-Country", Field: "org_country"},
}

var organizationColumns = []table.Column{
	filingID,
	{Name: "3A", Field: "org_form"},
	{Name: "3B", Field: "fiscal_year_end"},
	{Name: "3C-State", Field: "org_state"},
	{Name: "3C-Country", Field: "org_country"},
}

var (
	baseFields         = table.FieldsOf[catalogapi.AdviserFiling](baseColumns)
	organizationFields = table.FieldsOf[catalogapi.OrganizationRow](organizationColumns)
)

// Column of the websites.
const colWebsite = 1

// Columns of the funds' children.
const (
	colAuditor     = 2
	colAuditorCity = iota + 2
	colAuditorState
	colAuditorCountry
	colIndependent
	colPCAOB

	colFormD = 2
)

// Columns of the funds.
const (
	colFundName = iota + 1
	colFundID
	colFundReference
	colFundState
	colFundCountry
	col3C1
	col3C7
	colMaster
	colFeeder
	colMasterName
	colMasterID
	colFundOfFunds
	colFundType
	colFundTypeOther
	colGAV
	colMinInvestment
	colOwners
	colPctRelated
	colPctFunds
	colPctNonUS
	colAnnualAudit
	colGAAP
	colUnqualified
)

var fundColumns = []table.Column{
	filingID,
	{Name: "Fund Name", Required: true},
	{Name: "Fund ID", Required: true},
	referenceID,
	{Name: "State", Field: "state"},
	{Name: "Country", Field: "country"},
	{Name: "3(c)(1) Exclusion", Field: catalogapi.FieldFundIs3C1},
	{Name: "3(c)(7) Exclusion", Field: catalogapi.FieldFundIs3C7},
	{Name: "Master Fund", Field: catalogapi.FieldFundIsMaster},
	{Name: "Feeder Fund", Field: catalogapi.FieldFundIsFeeder},
	{Name: "Master Fund Name", Field: catalogapi.FieldFundMasterName},
	{Name: "Master Fund ID", Field: catalogapi.FieldFundMasterID},
	{Name: "Fund of Funds", Field: catalogapi.FieldFundOfFunds},
	{Name: "Fund Type", Required: true},
	{Name: "Fund Type Other", Field: catalogapi.FieldFundTypeOther},
	{Name: "Gross Asset Value", Required: true},
	{Name: "Minimum Investment", Field: catalogapi.FieldFundMinimum},
	{Name: "Owners", Field: catalogapi.FieldFundOwners},
	{Name: "%Owned You or Related", Field: catalogapi.FieldFundPctRelated},
	{Name: "%Owned Funds", Field: catalogapi.FieldFundPctFunds},
	{Name: "%Owned Non-US", Field: catalogapi.FieldFundPctNonUS},
	{Name: "Annual Audit", Field: catalogapi.FieldFundAnnualAudit},
	{Name: "GAAP", Field: catalogapi.FieldFundGAAP},
	{Name: "Unqualified Opinion", Field: catalogapi.FieldFundUnqualified},
}

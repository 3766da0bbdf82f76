package adv

import "gpatlas/modules/dataops/internal/parse/table"

// Column of the further numbers of a firm.
const colNumber = 1

// Columns of the offices, Schedule D 1.F.
const (
	colOfficeStreet1 = iota + 1
	colOfficeStreet2
	colOfficeCity
	colOfficeState
	colOfficeCountry
	colOfficePostal
	colOfficeResidence
	colOfficePhone
	colOfficeEmployees
)

var officeColumns = []table.Column{
	filingID,
	{Name: "Street 1"},
	{Name: "Street 2"},
	{Name: "City", Required: true},
	{Name: "State"},
	{Name: "Country"},
	{Name: "Postal Code", Aliases: []string{"Postal"}},
	{Name: "Private Residence", Aliases: []string{"Private"}},
	{Name: "Telephone Number", Aliases: []string{"Telephone", "Phone"}},
	{Name: "Employees"},
}

// Columns of the related persons, Schedule D 7.A. The answers 5a to 5p are found by their headers' form.
const (
	colAffiliateReference = iota + 1
	colAffiliateName
	colAffiliateBusiness
	colAffiliateSECNumber
	colAffiliateCRD
	colAffiliateControl
	colAffiliateCommon
)

var affiliateColumns = []table.Column{
	filingID,
	{Name: "ReferenceID"},
	{Name: "Legal Name", Required: true},
	{Name: "Business Name"},
	{Name: "SEC Number or Other", Aliases: []string{"SEC Number"}},
	{Name: "CRD Number"},
	{Name: "Control/Controlled"},
	{Name: "Common Control"},
}

// Columns of the owners and officers, Schedules A and B.
const (
	colSchedule = iota + 1
	colOwnerName
	colOwnerType
	colOwnedEntity
	colTitle
	colAcquired
	colOwnershipCode
	colControlPerson
	colPublicReporting
	colOwnerID
)

var ownerColumns = []table.Column{
	filingID,
	{Name: "Schedule", Required: true},
	{Name: "Full Legal Name", Required: true},
	{Name: "DE/FE/I"},
	{Name: "Entity in Which", Aliases: []string{"Entity in Which Interest is Owned"}},
	{Name: "Title or Status", Aliases: []string{"Status"}},
	{Name: "Status Acquired", Aliases: []string{"Date Status Acquired", "Date Title or Status Acquired"}},
	{Name: "Ownership Code"},
	{Name: "Control Person"},
	{Name: "PR", Aliases: []string{"Public Reporting"}},
	{Name: "OwnerID"},
}

// Columns of the disclosure reporting pages, of all three families: each has some of them. The answers of item 11 and the
// sanctions are found by their headers' form.
const (
	colPageReference = iota + 1
	colInitialAmended
	colFiledAgainst
	colInitiatedBy
	colInitiatorType
	colCourt
	colCaseNumber
	colEventDate
	colProduct
	colAllegations
	colFelony
	colStatus
	colResolution
	colResolutionDate
	colMonetaryAmount
	colSanctionDetail
	colSummary
	colPrincipalSanction
	colOtherSanctions
	colOtherOrdered
	colReliefSought
	colPageRemoved
)

var disclosureColumns = []table.Column{
	filingID,
	{Name: "ReferenceID"},
	{Name: "Initial/Amended", Aliases: []string{"Initial or Amended"}},
	{Name: "Filed Against"},
	{Name: "Initiated By"},
	{Name: "Initiator Type"},
	{Name: "Court"},
	{Name: "Case Number", Aliases: []string{"Docket/Case Number", "Docket Number"}},
	{Name: "Date Initiated", Aliases: []string{"Date First Charged", "Filing Date"}},
	{Name: "Principal Product"},
	{Name: "Allegations", Aliases: []string{"Event Detail"}},
	{Name: "Felony"},
	{Name: "Status"},
	{Name: "Resolution", Aliases: []string{"Resolution Type", "Disposition"}},
	{Name: "Resolution Date", Aliases: []string{"Disposition Date"}},
	{Name: "Monetary Amount"},
	{Name: "Sanction Detail"},
	{Name: "Summary"},
	{Name: "Principal Sanction"},
	{Name: "Other Sanctions"},
	{Name: "Other Sanctions Ordered"},
	{Name: "Relief Sought"},
	{Name: "DRP Removed"},
}

// Columns of the advisory affiliates of disclosure pages.
const (
	colImplicatedReference = iota + 1
	colDisclosureType
	colImplicatedCRD
	colImplicatedKind
	colImplicatedRegistered
	colImplicatedName
)

var implicatedColumns = []table.Column{
	filingID,
	referenceID,
	{Name: "Disclosure Type"},
	{Name: "CRD Number", Aliases: []string{"CRD"}},
	{Name: "Affiliate Type"},
	{Name: "Registered"},
	{Name: "Affiliate Name", Required: true},
}

package formd

import "gpatlas/modules/dataops/internal/parse/table"

// field is one value of a notice by its two names: the column of the data sets, and the path in primary_doc.xml below the
// record's element. A name that is empty is one that the form has no such value in.
type field struct {
	column, path string
	required     bool // a table without the column is not the one expected
}

// record is a kind of record: a table of the data sets, an element of the notice that may occur several times.
type record struct {
	table  string // lower case, without .tsv
	fields []field
	key    int // the field with the order of the records of a notice; 0 = there is none
}

// Fields of a submission.
const (
	sAccession = iota
	sFileNumber
	sFiled
	sSIC
	sSchema
	sType
	sTestOrLive
)

func submissionRecord() record {
	return record{"formdsubmission", []field{
		{"ACCESSIONNUMBER", "", true},
		{"FILE_NUM", "", false},
		{"FILING_DATE", "offeringData/signatureBlock/signature/signatureDate", true},
		{"SIC_CODE", "", false},
		{"SCHEMAVERSION", "schemaVersion", false},
		{"SUBMISSIONTYPE", "submissionType", true},
		{"TESTORLIVE", "testOrLive", false},
	}, 0}
}

// Fields of an offering.
const (
	oAccession = iota
	oIndustry
	oFundType
	o40Act
	oRevenue
	oNAV
	oExemptions
	oPrevious
	oFirstSale
	oYetToOccur
	oOverOneYear
	oMinimum
	oOffered
	oSold
	oRemaining
	oNonAccredited
	oNonAccreditedNum
	oInvestors
	oCommission
	oFinders
	oProceeds
	oSecurities // the first of the types of securities, in the order of securities
)

// securities are the types offered, as the catalog calls them.
var securities = [...]string{
	"equity", "debt", "option to acquire", "security to be acquired", "pooled investment fund", "tenant-in-common", "mineral property", "other",
}

func offeringRecord() record {
	return record{"offering", []field{
		{"ACCESSIONNUMBER", "", true},
		{"INDUSTRYGROUPTYPE", "industryGroup/industryGroupType", false},
		{"INVESTMENTFUNDTYPE", "industryGroup/investmentFundInfo/investmentFundType", false},
		{"IS40ACT", "industryGroup/investmentFundInfo/is40Act", false},
		{"REVENUERANGE", "issuerSize/revenueRange", false},
		{"AGGREGATENETASSETVALUERANGE", "issuerSize/aggregateNetAssetValueRange", false},
		{"FEDERALEXEMPTIONS_ITEMS_LIST", "federalExemptionsExclusions/item", true},
		{"PREVIOUSACCESSIONNUMBER", "typeOfFiling/newOrAmendment/previousAccessionNumber", false},
		{"SALE_DATE", "typeOfFiling/dateOfFirstSale/value", true},
		{"YETTOOCCUR", "typeOfFiling/dateOfFirstSale/yetToOccur", false},
		{"MORETHANONEYEAR", "durationOfOffering/moreThanOneYear", false},
		{"MINIMUMINVESTMENTACCEPTED", "minimumInvestmentAccepted", false},
		{"TOTALOFFERINGAMOUNT", "offeringSalesAmounts/totalOfferingAmount", true},
		{"TOTALAMOUNTSOLD", "offeringSalesAmounts/totalAmountSold", true},
		{"TOTALREMAINING", "offeringSalesAmounts/totalRemaining", false},
		{"HASNONACCREDITEDINVESTORS", "investors/hasNonAccreditedInvestors", false},
		{"NUMBERNONACCREDITEDINVESTORS", "investors/numberNonAccreditedInvestors", false},
		{"TOTALNUMBERALREADYINVESTED", "investors/totalNumberAlreadyInvested", false},
		{"SALESCOMM_DOLLARAMOUNT", "salesCommissionsFindersFees/salesCommissions/dollarAmount", false},
		{"FINDERSFEE_DOLLARAMOUNT", "salesCommissionsFindersFees/findersFees/dollarAmount", false},
		{"GROSSPROCEEDSUSED_DOLLARAMOUNT", "useOfProceeds/grossProceedsUsed/dollarAmount", false},
		{"ISEQUITYTYPE", "typesOfSecuritiesOffered/isEquityType", false},
		{"ISDEBTTYPE", "typesOfSecuritiesOffered/isDebtType", false},
		{"ISOPTIONTOACQUIRETYPE", "typesOfSecuritiesOffered/isOptionToAcquireType", false},
		{"ISSECURITYTOBEACQUIREDTYPE", "typesOfSecuritiesOffered/isSecurityToBeAcquiredType", false},
		{"ISPOOLEDINVESTMENTFUNDTYPE", "typesOfSecuritiesOffered/isPooledInvestmentFundType", false},
		{"ISTENANTINCOMMONTYPE", "typesOfSecuritiesOffered/isTenantInCommonType", false},
		{"ISMINERALPROPERTYTYPE", "typesOfSecuritiesOffered/isMineralPropertyType", false},
		{"ISOTHERTYPE", "typesOfSecuritiesOffered/isOtherType", false},
	}, 0}
}

// Fields of an issuer.
const (
	iAccession = iota
	iPrimary
	iCIK
	iName
	iStreet1
	iStreet2
	iCity
	iState
	iStateName
	iPostal
	iPhone
	iJurisdiction
	iPrevious1
	iPrevious2
	iPrevious3
	iFormer1
	iFormer2
	iFormer3
	iEntityType
	iYear
	iKey
)

func issuerRecord() record {
	return record{"issuers", []field{
		{"ACCESSIONNUMBER", "", true},
		{"IS_PRIMARYISSUER_FLAG", "", true},
		{"CIK", "cik", false},
		{"ENTITYNAME", "entityName", true},
		{"STREET1", "issuerAddress/street1", false},
		{"STREET2", "issuerAddress/street2", false},
		{"CITY", "issuerAddress/city", false},
		{"STATEORCOUNTRY", "issuerAddress/stateOrCountry", false},
		{"STATEORCOUNTRYDESCRIPTION", "issuerAddress/stateOrCountryDescription", false},
		{"ZIPCODE", "issuerAddress/zipCode", false},
		{"ISSUERPHONENUMBER", "issuerPhoneNumber", false},
		{"JURISDICTIONOFINC", "jurisdictionOfInc", false},
		{"ISSUER_PREVIOUSNAME_1", "issuerPreviousNameList/value", false},
		{"ISSUER_PREVIOUSNAME_2", "issuerPreviousNameList/previousName", false},
		{"ISSUER_PREVIOUSNAME_3", "", false},
		{"EDGAR_PREVIOUSNAME_1", "edgarPreviousNameList/value", false},
		{"EDGAR_PREVIOUSNAME_2", "edgarPreviousNameList/previousName", false},
		{"EDGAR_PREVIOUSNAME_3", "", false},
		{"ENTITYTYPE", "entityType", false},
		{"YEAROFINC_VALUE_ENTERED", "yearOfInc/value", false},
		{"ISSUER_SEQ_KEY", "", false},
	}, iKey}
}

// Fields of a related person.
const (
	pAccession = iota
	pFirst
	pMiddle
	pLast
	pCity
	pState
	pStateName
	pRelation1
	pRelation2
	pRelation3
	pClarification
	pKey
)

func personRecord() record {
	return record{"relatedpersons", []field{
		{"ACCESSIONNUMBER", "", true},
		{"FIRSTNAME", "relatedPersonName/firstName", false},
		{"MIDDLENAME", "relatedPersonName/middleName", false},
		{"LASTNAME", "relatedPersonName/lastName", true},
		{"CITY", "relatedPersonAddress/city", false},
		{"STATEORCOUNTRY", "relatedPersonAddress/stateOrCountry", false},
		{"STATEORCOUNTRYDESCRIPTION", "relatedPersonAddress/stateOrCountryDescription", false},
		{"RELATIONSHIP_1", "relatedPersonRelationshipList/relationship", false},
		{"RELATIONSHIP_2", "", false},
		{"RELATIONSHIP_3", "", false},
		{"RELATIONSHIPCLARIFICATION", "relationshipClarification", false},
		{"RELATEDPERSON_SEQ_KEY", "", false},
	}, pKey}
}

// Fields of a recipient of sales compensation.
const (
	rAccession = iota
	rName
	rCRD
	rBroker
	rBrokerCRD
	rCity
	rState
	rStateName
	rStates
	rStates2
	rForeign
	rKey
)

func recipientRecord() record {
	return record{"recipients", []field{
		{"ACCESSIONNUMBER", "", true},
		{"RECIPIENTNAME", "recipientName", true},
		{"RECIPIENTCRDNUMBER", "recipientCRDNumber", false},
		{"ASSOCIATEDBDNAME", "associatedBDName", false},
		{"ASSOCIATEDBDCRDNUMBER", "associatedBDCRDNumber", false},
		{"CITY", "recipientAddress/city", false},
		{"STATEORCOUNTRY", "recipientAddress/stateOrCountry", false},
		{"STATEORCOUNTRYDESCRIPTION", "recipientAddress/stateOrCountryDescription", false},
		{"STATES_OR_VALUE_LIST", "statesOfSolicitationList/state", false},
		{"", "statesOfSolicitationList/value", false},
		{"FOREIGNSOLICITATION", "foreignSolicitation", false},
		{"RECIPIENT_SEQ_KEY", "", false},
	}, rKey}
}

// columns returns the record's fields as a table's columns.
func (r record) columns() []table.Column {
	out := make([]table.Column, len(r.fields))
	for i, f := range r.fields {
		out[i] = table.Column{Name: f.column, Required: f.required}
		if f.column == "" {
			out[i].Name = f.path // matches no header
		}
	}
	return out
}

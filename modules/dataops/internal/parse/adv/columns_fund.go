package adv

import "gpatlas/modules/dataops/internal/parse/table"

var (
	providerCity    = table.Column{Name: "City"}
	providerState   = table.Column{Name: "State"}
	providerCountry = table.Column{Name: "Country"}
	providerCRD     = table.Column{Name: "CRD Number", Aliases: []string{"CRD"}}
	providerSEC     = table.Column{Name: "SEC Number", Aliases: []string{"SEC File Number"}}
	related         = table.Column{Name: "Related Person"}
	subreference    = table.Column{Name: "SubreferenceID"}
)

// Columns of those that serve a fund, in all five tables: those that a table does not have are missing from its list, so
// each list begins with the same columns and goes on with its own.
const (
	colProviderName = iota + 2
	colProviderCity
	colProviderState
	colProviderCountry
	colProviderSEC
	colProviderCRD
	colProviderRelated
	colProviderBusiness
	colProviderLEI
	colProviderSub
)

// absent is the placeholder in a list for a column that its table does not have: no header folds to it.
var absent = table.Column{Name: "\x00"}

var (
	partnerColumns = []table.Column{
		filingID, referenceID,
		{Name: "Name of Partner, etc.", Aliases: []string{"Name of Partner", "Name of General Partner, etc.", "Name of General Partner"}, Required: true},
		absent, absent, absent, absent, absent, absent, absent, absent, absent,
	}
	primeBrokerColumns = []table.Column{
		filingID, referenceID,
		{Name: "Name of Prime Broker", Required: true},
		providerCity, providerState, providerCountry, providerSEC, providerCRD, absent, absent, absent, absent,
	}
	custodianColumns = []table.Column{
		filingID, referenceID,
		{Name: "Legal Name of Custodian", Aliases: []string{"Name of Custodian"}, Required: true},
		providerCity, providerState, providerCountry, providerSEC, providerCRD, related,
		{Name: "Primary Business Name"},
		{Name: "Legal Entity Identifier", Aliases: []string{"LEI"}},
		absent,
	}
	administratorColumns = []table.Column{
		filingID, referenceID,
		{Name: "Name of Administrator", Required: true},
		providerCity, providerState, providerCountry, absent, absent, related, absent, absent, absent,
	}
	marketerColumns = []table.Column{
		filingID, referenceID,
		{Name: "Name of Marketer", Required: true},
		providerCity, providerState, providerCountry, providerSEC, providerCRD, related, absent, absent, subreference,
	}
)

// Columns of the marketers' websites.
const (
	colSiteSub = iota + 2
	colSiteAddress
)

var marketerSiteColumns = []table.Column{filingID, referenceID, subreference, {Name: "Website Address", Aliases: []string{"Website"}, Required: true}}

// Columns of the feeder funds, of both tables.
const (
	colFeederName = iota + 2
	colFeederID
)

var feederColumns = []table.Column{
	filingID, referenceID,
	{Name: "Private Fund Name", Aliases: []string{"Fund Name"}, Required: true},
	{Name: "Fund ID", Aliases: []string{"Private Fund ID"}},
}

// Columns of the funds that another adviser reports.
const (
	colSubFundName = iota + 1
	colSubFundID
	colSubAdviser
	colSubAdviserSEC
)

var subAdvisedColumns = []table.Column{
	filingID,
	{Name: "Fund Name", Required: true},
	{Name: "Fund ID"},
	{Name: "Adviser Name"},
	{Name: "Adviser SEC Number", Aliases: []string{"SEC Number"}},
}

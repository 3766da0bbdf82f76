package catalogapi

import "time"

// OfferingRow is one Form D or its amendment D/A: the notice of an exempt offering.
type OfferingRow struct {
	Accession         string // EDGAR's: "0001851508-21-000002"
	FileNumber        string // "021-…", shared by a notice and its amendments; empty where the file does not carry it
	Form              string // "D" or "D/A"
	Filed             time.Time
	PreviousAccession string
	SICCode           string
	SchemaVersion     string

	IndustryGroup string // "Pooled Investment Fund", …
	FundType      string // "Hedge Fund", "Private Equity Fund", "Venture Capital Fund", "Other Investment Fund"
	Is40Act       *bool
	RevenueRange  string
	NAVRange      string
	Exemptions    []string // codes as filed: "06b", "06c", "3C.1", …
	FirstSale     time.Time
	YetToOccur    *bool
	OverOneYear   *bool
	Securities    []string // lower-case names of the types offered: "equity", "pooled investment fund", …

	MinInvestment    *int64 // USD
	OfferingAmount   *int64 // USD; nil with Indefinite
	Indefinite       bool   // the amount is the word "Indefinite"
	AmountSold       *int64
	Remaining        *int64
	NonAccredited    *bool
	NonAccreditedNum *int64
	Investors        *int64
	SalesCommission  *int64
	FindersFee       *int64
	GrossProceeds    *int64 // paid to executives, directors, promoters

	File string
	Line int
}

// IssuerRow is one issuer of an offering. The first issuer is the primary one.
type IssuerRow struct {
	Accession     string
	Seq           int    // 1 = primary
	CIK           string // digits only, no leading zeros
	Name          string
	PreviousNames []string // issuer's and EDGAR's
	Street1       string
	Street2       string
	City          string
	State         string // state or country code as filed
	StateName     string // its description
	PostalCode    string
	Phone         string
	Jurisdiction  string // of incorporation, as filed
	EntityType    string
	YearFormed    int // 0 = not said

	File string
	Line int
}

// RelatedPersonRow is one executive officer, director or promoter of an offering. Entities stand here too: Entity is then
// true and LastName holds the whole name.
type RelatedPersonRow struct {
	Accession     string
	Seq           int
	FirstName     string
	MiddleName    string
	LastName      string
	Entity        bool
	City          string
	State         string
	Country       string
	Relationships []string // "Executive Officer", "Director", "Promoter"
	Clarification string

	File string
	Line int
}

// RecipientRow is one receiver of sales compensation: the placement agent.
type RecipientRow struct {
	Accession    string
	Seq          int
	Name         string
	CRD          string
	BrokerDealer string // associated broker or dealer
	BrokerCRD    string
	City         string
	State        string
	Country      string
	States       []string // of solicitation
	Foreign      *bool

	File string
	Line int
}

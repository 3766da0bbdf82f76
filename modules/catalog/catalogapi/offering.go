package catalogapi

import "time"

// OfferingRow is one Form D or its amendment D/A: the notice of an exempt offering.
type OfferingRow struct {
	Accession         string    `gorm:"column:accession"`   // EDGAR's: "0001851508-21-000002"
	FileNumber        string    `gorm:"column:file_number"` // "021-…", shared by a notice and its amendments; empty where the file does not carry it
	Form              string    `gorm:"column:form_type"`   // "D" or "D/A"
	Filed             time.Time `gorm:"column:filing_date"`
	PreviousAccession string    `gorm:"column:previous_accession"`
	SICCode           string    `gorm:"column:sic_code"`
	SchemaVersion     string    `gorm:"column:schema_version"`

	IndustryGroup string    `gorm:"column:industry_group"` // "Pooled Investment Fund", …
	FundType      string    `gorm:"column:fund_type"`      // "Hedge Fund", "Private Equity Fund", "Venture Capital Fund", "Other Investment Fund"
	Is40Act       *bool     `gorm:"column:is_40_act"`
	RevenueRange  string    `gorm:"column:revenue_range"`
	NAVRange      string    `gorm:"column:nav_range"`
	Exemptions    []string  `gorm:"column:exemptions"` // codes as filed: "06b", "06c", "3C.1", …
	FirstSale     time.Time `gorm:"column:first_sale"`
	YetToOccur    *bool     `gorm:"column:yet_to_occur"`
	OverOneYear   *bool     `gorm:"column:over_one_year"`
	Securities    []string  `gorm:"column:securities"` // lower-case names of the types offered: "equity", "pooled investment fund", …

	MinInvestment    *int64 `gorm:"column:minimum_investment"` // USD
	OfferingAmount   *int64 `gorm:"column:offering_amount"`    // USD; nil with Indefinite
	Indefinite       bool   `gorm:"column:indefinite"`         // the amount is the word "Indefinite"
	AmountSold       *int64 `gorm:"column:amount_sold"`
	Remaining        *int64 `gorm:"column:amount_remaining"`
	NonAccredited    *bool  `gorm:"column:non_accredited"`
	NonAccreditedNum *int64 `gorm:"column:non_accredited_count"`
	Investors        *int64 `gorm:"column:investor_count"`
	SalesCommission  *int64 `gorm:"column:sales_commission"`
	FindersFee       *int64 `gorm:"column:finders_fee"`
	GrossProceeds    *int64 `gorm:"column:gross_proceeds"` // paid to executives, directors, promoters

	File string
	Line int
}

// IssuerRow is one issuer of an offering. The first issuer is the primary one.
type IssuerRow struct {
	Accession     string
	Seq           int      // 1 = primary
	CIK           string   `gorm:"column:cik"` // digits only, no leading zeros
	Name          string   `gorm:"column:name"`
	PreviousNames []string `gorm:"column:previous_names"` // issuer's and EDGAR's
	Street1       string   `gorm:"column:street1"`
	Street2       string   `gorm:"column:street2"`
	City          string   `gorm:"column:city"`
	State         string   `gorm:"column:state"`      // state or country code as filed
	StateName     string   `gorm:"column:state_name"` // its description
	PostalCode    string   `gorm:"column:postal_code"`
	Phone         string   `gorm:"column:phone"`
	Jurisdiction  string   `gorm:"column:jurisdiction"` // of incorporation, as filed
	EntityType    string   `gorm:"column:entity_type"`
	YearFormed    int      `gorm:"column:year_formed" valid:"1-9999"` // 0 = not said

	File string
	Line int
}

// RelatedPersonRow is one executive officer, director or promoter of an offering. Entities are included: Entity is then
// true and LastName has the whole name.
type RelatedPersonRow struct {
	Accession     string
	Seq           int
	FirstName     string   `gorm:"column:first_name"`
	MiddleName    string   `gorm:"column:middle_name"`
	LastName      string   `gorm:"column:last_name"`
	Entity        bool     `gorm:"column:entity"`
	City          string   `gorm:"column:city"`
	State         string   `gorm:"column:state"`
	Country       string   `gorm:"column:country"`
	Relationships []string `gorm:"column:relationships"` // "Executive Officer", "Director", "Promoter"
	Clarification string   `gorm:"column:clarification"`

	File string
	Line int
}

// RecipientRow is one receiver of sales compensation: the placement agent.
type RecipientRow struct {
	Accession    string
	Seq          int
	Name         string   `gorm:"column:name"`
	CRD          string   `gorm:"column:crd"`
	BrokerDealer string   `gorm:"column:broker_dealer"` // associated broker or dealer
	BrokerCRD    string   `gorm:"column:broker_crd"`
	City         string   `gorm:"column:city"`
	State        string   `gorm:"column:state"`
	Country      string   `gorm:"column:country"`
	States       []string `gorm:"column:states"` // of solicitation
	Foreign      *bool    `gorm:"column:is_foreign"`

	File string
	Line int
}

package fold

import (
	"time"

	"gpatlas/modules/catalog/catalogapi"
)

// Adviser is an adviser as the filings say: a row of catalog.advisers, or the same folded for an earlier day. A nil
// pointer means that no filing states the value.
type Adviser struct {
	CRD string `gorm:"column:crd;primaryKey"`
	catalogapi.Statement

	RegistrationStatus *string    `gorm:"column:registration_status"`
	RegisteredOn       *time.Time `gorm:"column:registered_on"`
	CountryCode        *string    `gorm:"column:country_code"`
	TotalAUM           *int64     `gorm:"column:total_aum"`
	PrimaryStrategy    *string    `gorm:"column:primary_strategy"`
	ManagerType        *string    `gorm:"column:manager_type"`
	FundCount          *int64     `gorm:"column:fund_count"`
	TotalGAV           *int64     `gorm:"column:total_gav"`
	NetGAV             *int64     `gorm:"column:net_gav"` // feeders counted with their masters
	TotalInvestors     *int64     `gorm:"column:total_investors"`
	FoundedYear        *int64     `gorm:"column:founded_year"`
	FoundedYearBasis   *string    `gorm:"column:founded_year_basis"` // the source of the year
	CanonicalGPID      int64      `gorm:"column:canonical_gp_id"`
	FirstFiledOn       time.Time  `gorm:"column:first_filed_on"`
	LatestAccession    string     `gorm:"column:latest_accession"`
	LatestFormType     string     `gorm:"column:latest_form_type"`
	LatestFiledOn      time.Time  `gorm:"column:latest_filed_on"`
	NewestFiledOn      time.Time  `gorm:"column:newest_filed_on"` // of all its filings, rosters, withdrawals and joined notices of Form D too
	WithdrawnOn        *time.Time `gorm:"column:withdrawn_on"`
	NotListedSince     *time.Time `gorm:"column:not_listed_since"`
}

// TableName is where the current rows stand.
func (Adviser) TableName() string { return "catalog.advisers" }

// FiledFund is what a filing states about a fund (Schedule D section 7.B.(1)).
type FiledFund struct {
	Name                  string   `gorm:"column:name"`
	State                 *string  `gorm:"column:state"`
	Country               *string  `gorm:"column:country"`
	Is3C1                 *bool    `gorm:"column:is_3c1"`
	Is3C7                 *bool    `gorm:"column:is_3c7"`
	IsMaster              *bool    `gorm:"column:is_master"`
	IsFeeder              *bool    `gorm:"column:is_feeder"`
	MasterFundName        *string  `gorm:"column:master_fund_name"`
	MasterFundID          *string  `gorm:"column:master_fund_id"`
	IsFundOfFunds         *bool    `gorm:"column:is_fund_of_funds"`
	FundType              *string  `gorm:"column:fund_type"`
	FundTypeOther         *string  `gorm:"column:fund_type_other"`
	GrossAssetValue       *int64   `gorm:"column:gross_asset_value"`
	MinimumInvestment     *int64   `gorm:"column:minimum_investment"`
	BeneficialOwnersCount *int64   `gorm:"column:beneficial_owners_count"`
	PctOwnedRelated       *float64 `gorm:"column:pct_owned_related"`
	PctOwnedFunds         *float64 `gorm:"column:pct_owned_funds"`
	PctOwnedNonUS         *float64 `gorm:"column:pct_owned_non_us"`
	AnnualAudit           *bool    `gorm:"column:annual_audit"`
	GAAP                  *bool    `gorm:"column:gaap"`
	UnqualifiedOpinion    *string  `gorm:"column:unqualified_opinion"`
	Auditors              []string `gorm:"column:auditors;serializer:json"`
	FormDFileNumbers      []string `gorm:"column:form_d_file_numbers;serializer:json"`
}

// Fund is a fund as the filings say: a row of catalog.funds, or the same folded for an earlier day.
type Fund struct {
	ID         int64  `gorm:"column:id;primaryKey"`
	FundID     string `gorm:"column:fund_id"`
	AdviserCRD string `gorm:"column:adviser_crd"`
	FiledFund
	Jurisdiction    *string                   `gorm:"column:jurisdiction"`
	CountryCode     *string                   `gorm:"column:country_code"`
	Strategy        string                    `gorm:"column:strategy"`
	VintageYear     int64                     `gorm:"column:vintage_year"`
	VintageQuality  catalogapi.VintageQuality `gorm:"column:vintage_quality"`
	Exemptions      []string                  `gorm:"column:exemptions;serializer:json"`
	Status          string                    `gorm:"column:status"`
	ClosedOn        *time.Time                `gorm:"column:closed_on"`  // of a closed fund: the first day on which it is known to be closed
	OfferedOn       *time.Time                `gorm:"column:offered_on"` // the day of the newest notice of an offering that is not sold out
	PeakGAV         *int64                    `gorm:"column:peak_gav"`
	FirstFiledOn    time.Time                 `gorm:"column:first_filed_on"`
	LatestAccession string                    `gorm:"column:latest_accession"`
	LatestFormType  string                    `gorm:"column:latest_form_type"`
	LatestFiledOn   time.Time                 `gorm:"column:latest_filed_on"`
}

// TableName is where the current rows stand.
func (Fund) TableName() string { return "catalog.funds" }

// VintageSource is the kind of filing that the vintage comes from.
func (f *Fund) VintageSource() string {
	if f.VintageQuality == catalogapi.VintageFormD {
		return "form_d_first_sale"
	}
	return "first_filing"
}

// Models are the structures that mirror tables, for the test that compares them with the database.
func Models() []any { return []any{Adviser{}, Fund{}} }

// FilingSource says which filing an answer rests on.
type FilingSource struct {
	AccessionNumber string `json:"accession_number" doc:"Key of the filing: ADV-<CRD>-<FilingID>, ROSTER-<CRD>-<day>, FEED-<CRD>-<day>, LIST-<CRD>-<day> or ADVW-<CRD>-<FilingID>. For Form D, the EDGAR accession number." example:"ADV-900001-1912345"`
	FilingType      string `json:"filing_type" doc:"Form of the filing, such as ADV/A or D. override for a value that an operator has corrected." example:"ADV/A"`
	FilingDate      string `json:"filing_date" format:"date" doc:"Day of the filing." example:"2026-03-28"`
	// Spec: not shown; in a provenance alone, of a value that no filing says.
	Source string `json:"source,omitempty" enum:"override" doc:"Only for a value that an operator has corrected: accession_number is then OVERRIDE- and the ID of the override, filing_type override, and filing_date the first day on which the value holds." example:"override"`
}

// SchemaName is its name in the OpenAPI document.
func (FilingSource) SchemaName() string { return "SourceFiling" }

// Source is the newest filing that speaks of the adviser: the one that its name comes from.
func (a *Adviser) Source() FilingSource {
	return Origin{a.LatestAccession, a.LatestFormType, a.LatestFiledOn}.source()
}

// Source is the newest filing that names the fund.
func (f *Fund) Source() FilingSource {
	return Origin{f.LatestAccession, f.LatestFormType, f.LatestFiledOn}.source()
}

package catalogapi

import "time"

// Source is the kind of document that a record was read from. It decides how much of the adviser the record speaks
// for: an archive row is the whole form, a roster row is a cut of it, a fund list names funds alone.
type Source string

// The sources, in rising authority: among records of one date the later in this list wins.
const (
	SourceFundList   Source = "fund_list"   // a list of 7.B.(1) funds without the form around it
	SourceRoster     Source = "roster"      // the SEC's monthly roster
	SourceFeed       Source = "iapd_feed"   // IAPD's daily compilation of firms: the form without funds and schedules
	SourceADVArchive Source = "adv_archive" // Form ADV Part 1 archive: the whole filing
	SourceADVW       Source = "advw"        // Form ADV-W: withdrawals
	SourceFormD      Source = "form_d"      // Form D notices; not a source of advisers
)

// Authority orders the sources of advisers: of one day, the filing is that of the highest. It is catalog.authority in SQL.
func (s Source) Authority() int {
	switch s {
	case SourceFundList:
		return 0
	case SourceRoster:
		return 1
	case SourceFeed:
		return 2
	case SourceADVArchive, SourceADVW, SourceFormD: // the last two make no versions
	}
	return 3
}

// Registration is the regime under which an adviser files (Form ADV item 2).
type Registration string

// The registrations that the contract knows.
const (
	Registered      Registration = "registered"
	ExemptReporting Registration = "exempt_reporting"
)

// The states of a fund.
const (
	FundActive      = "active"
	FundLiquidating = "liquidating"
	FundClosed      = "closed"
)

// FundStatuses are the states of a fund.
var FundStatuses = []string{FundActive, FundLiquidating, FundClosed}

// VintageQuality is what the vintage of a fund was derived from, and so how far it can be trusted.
type VintageQuality string

// The qualities of vintages, the best first. Form ADV asks for no vintage.
const (
	VintageFormD       VintageQuality = "form_d"       // the first sale that a Form D states
	VintageFirstFiling VintageQuality = "first_filing" // the first filing that names the fund is the adviser's own Form ADV
	VintageList        VintageQuality = "list"         // a list of funds names the fund before any Form ADV: it is of that year or older
)

// AdviserFiling is one filing of an adviser in a document: its statements as of one day.
type AdviserFiling struct {
	Key       string    // unique in its document; the children below refer to it
	CRD       string    // digits only, no leading zeros: the firm's key
	FilingID  string    // Form ADV FilingID, digits; empty in rosters and fund lists
	Submitted time.Time // DateSubmitted, or the roster's latest filing date; no zone is given, so UTC by convention

	Statement
	Basis

	// FundsListed means that the document has this filing's whole list of 7.B.(1) funds: those that it no longer
	// names are closed. It does not hold where the list lacks a fund that another table of the document names, or has no row though
	// the filing answers Y to item 7.B.
	FundsListed bool

	// HasWebsites means that item 1.I is answered Y: a filing without a row of websites has lost them, as one that answers Y to item
	// 7.B and has no row of funds (7.B.(1) or 7.B.(2)) has lost these.
	HasWebsites bool

	// Silent names the fields (FieldRAUM, …) that the document has no column for, and the lists (TableAffiliates, …) that it
	// has no table for. It says nothing of them: what an earlier edition or an earlier filing said stays. The list is not
	// written to, and may be shared by filings. Lists whose sequence the document does not have need not be named.
	Silent []string

	File string // the file and line of the record, for provenance and quarantine
	Line int
}

// OrganizationRow is base B of an archive (items 2 and 3), joined by the filing's key. It states the fields of InBaseB.
type OrganizationRow struct {
	FilingKey string
	Statement

	File string // the file and line of the row, for quarantine; empty = unknown
	Line int
}

// WebsiteRow is one row of Schedule D 1.I. A filing has several, social pages among them.
type WebsiteRow struct {
	FilingKey string
	Website   string

	File string // the file and line of the row, for quarantine; empty = unknown
	Line int
}

// FilingTypeRow is the row of one filing in the archive's table of filing types.
type FilingTypeRow struct {
	FilingKey string
	Types     []string // lower-case names of the columns marked Y, such as "annual updating amendment"

	File string // the file and line of the row, for quarantine; empty = unknown
	Line int
}

// FundRow is one row of Schedule D section 7.B.(1).
type FundRow struct {
	FilingKey     string
	FundID        string   `gorm:"column:fund_id"`      // "805-" and ten digits
	ReferenceID   string   `gorm:"column:reference_id"` // unique inside one filing; joins the fund's own children
	Name          string   `gorm:"column:name"`
	State         string   `gorm:"column:state"` // place of organization: full state name, empty outside the US
	Country       string   `gorm:"column:country"`
	Is3C1         *bool    `gorm:"column:is_3c1"`
	Is3C7         *bool    `gorm:"column:is_3c7"`
	IsMaster      *bool    `gorm:"column:is_master"`
	IsFeeder      *bool    `gorm:"column:is_feeder"`
	MasterName    string   `gorm:"column:master_fund_name"`
	MasterFundID  string   `gorm:"column:master_fund_id"`
	IsFundOfFunds *bool    `gorm:"column:is_fund_of_funds"`
	FundType      string   `gorm:"column:fund_type"` // as filed: "Private Equity Fund", "Other Private Fund", …
	FundTypeOther string   `gorm:"column:fund_type_other"`
	GAV           *int64   `gorm:"column:gross_asset_value"`       // gross asset value, USD
	MinInvestment *int64   `gorm:"column:minimum_investment"`      // USD
	Owners        *int64   `gorm:"column:beneficial_owners_count"` // number of beneficial owners
	PctRelated    *float64 `gorm:"column:pct_owned_related"`
	PctFunds      *float64 `gorm:"column:pct_owned_funds"`
	PctNonUS      *float64 `gorm:"column:pct_owned_non_us"`
	AnnualAudit   *bool    `gorm:"column:annual_audit"`
	GAAP          *bool    `gorm:"column:gaap"`
	Unqualified   string   `gorm:"column:unqualified_opinion"` // "Y", "N" or "report not yet received", as filed

	// Silent names the fields (FieldFundType, …) that the document has no column for: what an earlier filing said of the
	// fund stays. The list is not written to, and may be shared by rows. Tables that are missing need not be named.
	Silent []string

	File string
	Line int
}

// AuditorRow is one auditor of one fund, Schedule D 7.B.(1) item 23.(a).
type AuditorRow struct {
	FilingKey   string
	ReferenceID string
	Name        string
	City        string
	State       string
	Country     string
	Independent *bool
	PCAOB       *bool

	File string // the file and line of the row, for quarantine; empty = unknown
	Line int
}

// FormDRow is the Form D file number ("021-…") of one fund, Schedule D 7.B.(1) item 22: the join to Form D.
type FormDRow struct {
	FilingKey   string
	ReferenceID string
	FileNumber  string

	File string // the file and line of the row, for quarantine; empty = unknown
	Line int
}

package gp

import (
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/platform/moment"
)

// DetailInput asks for one adviser.
type DetailInput struct {
	catalogapi.GPPath
	moment.Input
	listing.Include
}

// GPDetail is one adviser in full. Null means that no filing states it: exempt reporting advisers do not file regulatory
// assets or employees.
type GPDetail struct {
	CRD                  string            `json:"crd" doc:"CRD number of the adviser (Form ADV, item 1.E)." example:"900001"`
	LegalName            string            `json:"legal_name" doc:"Legal name (Form ADV, item 1.A)." example:"Harbor Ridge Capital Partners LLC"`
	BusinessName         *string           `json:"business_name" doc:"Business name (doing business as)." example:"Harbor Ridge"`
	Street1              *string           `json:"street1" doc:"Street of the main office. Blank if it is a private residence." example:"100 Example Street"`
	Street2              *string           `json:"street2" doc:"Second line of the street of the main office (item 1.F(1)). Null: not filed, or a private residence." example:"Floor 12"`
	City                 *string           `json:"city" doc:"City of the main office (item 1.F(1)). Null: not stated." example:"Boston"`
	State                *string           `json:"state" doc:"US state code." example:"MA"`
	PostalCode           *string           `json:"postal_code" doc:"Postal code of the main office (item 1.F(1)). Null: not stated." example:"02110"`
	Country              *string           `json:"country" doc:"Country of the main office, by its name (item 1.F(1)). Null: not stated." example:"United States"`
	CountryCode          *string           `json:"country_code" doc:"ISO 3166 alpha-2." example:"US"`
	PrivateResidence     *bool             `json:"private_residence" doc:"True if the main office is a private residence; its street is then not filed." example:"false"`
	Phone                *string           `json:"phone" doc:"Telephone number of the main office, as filed (item 1.F(3)). Null: not stated." example:"+1 617 555 0100"`
	Website              *string           `json:"website" doc:"The firm's own website (Schedule D, item 1.I), not its pages on social networks. Null: none is stated." example:"https://www.harborridge.example"`
	TotalAUM             *int64            `json:"total_aum" doc:"USD. Regulatory assets under management (Form ADV 5.F(2)(c)). Exempt reporting advisers do not file them; for those, the sum of their funds' gross asset values." example:"2500000000"`
	RAUMDiscretionary    *int64            `json:"raum_discretionary" doc:"USD, Form ADV 5.F(2)(a)." example:"2400000000"`
	RAUMNonDiscretionary *int64            `json:"raum_non_discretionary" doc:"USD, Form ADV 5.F(2)(b)." example:"100000000"`
	PrimaryStrategy      *string           `json:"primary_strategy" doc:"Strategy with the most gross asset value among the manager's funds." example:"buyout"`
	ManagerType          *string           `json:"manager_type" enum:"pe_vc,hedge_fund,real_estate,other" doc:"Kind of manager by primary_strategy: pe_vc is buyout, growth, venture and secondaries. Null: the strategy is unknown." example:"pe_vc"`
	EmployeeCount        *int64            `json:"employee_count" doc:"Number of employees (item 5.A). Null: not filed; exempt reporting advisers do not file it." example:"48"`
	FundCount            *int64            `json:"fund_count" doc:"Funds that are not closed." example:"12"`
	TotalGAV             *int64            `json:"total_gav" doc:"USD. Total gross asset value of the funds that are not closed, as filed: the assets of a feeder and of its master are both in it." example:"4200000000"`
	NetGAV               *int64            `json:"net_gav" doc:"USD. The same, with a feeder left out if its master is among the manager's open funds. Null if the funds are not listed, or if an open fund of known value does not say whether it is a feeder, as in a list of funds." example:"3900000000"`
	TotalInvestors       *int64            `json:"total_investors" doc:"Total beneficial owners of the funds that are not closed." example:"310"`
	FoundedYear          *int64            `json:"founded_year" doc:"Earliest year with evidence of the firm. founded_year_basis shows the evidence." example:"2009"`
	FoundedYearBasis     *string           `json:"founded_year_basis" enum:"registration,first_filing,override" doc:"Evidence for founded_year. registration: the first day on which a source says that the manager is registered or reports. first_filing: the first loaded filing of the manager or of one of its funds (a fund's vintage). override: an operator has corrected the year. The firm may be older than either. Null if founded_year is null." example:"registration"`
	CanonicalGPID        int64             `json:"canonical_gp_id" doc:"Shared by the advisers of one organization. With as_of or known_at, the grouping at that time." example:"900001"`
	RegistrationStatus   *string           `json:"registration_status" enum:"registered,exempt_reporting" doc:"registered with the SEC, or exempt_reporting. Null: unknown, as for advisers that only a list of funds names." example:"registered"`
	SECNumber            *string           `json:"sec_number" doc:"SEC file number, 801-… if registered, 802-… if exempt reporting (item 1.D). Null: not stated." example:"801-99001"`
	SECStatus            *string           `json:"sec_status" doc:"As filed." example:"Approved"`
	RegisteredOn         *string           `json:"registered_on" format:"date" doc:"Day since which the manager has been registered or reporting, as stated by a source. Null if no source states it." example:"2012-03-30"`
	FirstSeen            string            `json:"first_seen" format:"date" doc:"Date of the first loaded filing of the manager. Not a registration date." example:"2012-03-30"`
	LEI                  *string           `json:"lei" doc:"Legal Entity Identifier." example:"5493000EXAMPLE000001"`
	OrgForm              *string           `json:"org_form" doc:"Form of organization, as filed." example:"Limited Liability Company"`
	OrgState             *string           `json:"org_state" doc:"State under whose law the manager is organized, as filed." example:"Delaware"`
	OrgCountry           *string           `json:"org_country" doc:"Country under whose law the manager is organized, as filed (item 3.C). Null: not stated." example:"United States"`
	FiscalYearEnd        *string           `json:"fiscal_year_end" doc:"Last month of the fiscal year, as filed." example:"December"`
	AdvisesFunds         *bool             `json:"advises_funds" doc:"Answer to Form ADV item 7.B." example:"true"`
	WithdrawnOn          *string           `json:"withdrawn_on" format:"date" doc:"Date of the full withdrawal (Form ADV-W), if nothing was filed since. Searches then leave the manager out." example:"2026-07-02"`                                                                                   // Spec: not shown; a firm that has withdrawn is hidden, and its detail says why.
	NotListedSince       *string           `json:"not_listed_since" format:"date" doc:"Date of the first roster or feed that no longer lists the manager, if nothing was filed since and no other list contains it. Searches then leave the manager out, as after a withdrawal." example:"2026-07-01"` // Spec: not shown; a firm can disappear from the lists without an ADV-W.
	FirstFilingDate      string            `json:"first_filing_date" format:"date" doc:"Date of the first loaded filing." example:"2012-03-30"`
	LatestFilingDate     string            `json:"latest_filing_date" format:"date" doc:"Date of the newest filing in /v1/gps/{crd}/filings, including rosters, withdrawals (ADV-W) and matched Form D notices. It can be later than source.filing_date." example:"2026-03-28"`
	Source               fold.FilingSource `json:"source" doc:"Newest filing that this record is based on."`

	Provenance map[string]fold.FilingSource `json:"provenance,omitempty" doc:"With include=provenance: the filing that each value comes from, keyed by field name. For a total over funds, the newest of its filings. Null fields and values from no filing (crd, canonical_gp_id, not_listed_since) are left out. A value that an operator has corrected has source override; canonical_gp_id names the newest override of the manager or of one merged with it." example:"{\"legal_name\":{\"accession_number\":\"ADV-900001-1912345\",\"filing_type\":\"ADV/A\",\"filing_date\":\"2026-03-28\"}}"`
}

var fields = listing.NewFields[GPDetail]("crd", "canonical_gp_id", "not_listed_since", "source", "provenance")

// Fields is what the detail shows of an adviser, without what names the filing that it rests on and what is as today at
// every moment.
func Fields(a *fold.Adviser) []catalogapi.Field {
	detail := newGPDetail(a)
	return fields.Of(&detail)
}

var repeated = listing.NewCopier[GPDetail, fold.Adviser]()

func newGPDetail(a *fold.Adviser) GPDetail {
	first := a.FirstFiledOn.Format(time.DateOnly)
	d := GPDetail{FirstSeen: first, FirstFilingDate: first, LatestFilingDate: a.NewestFiledOn.Format(time.DateOnly), Source: a.Source()}
	repeated.Copy(&d, a)
	return d
}

package fund

import (
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/platform/moment"
)

// DetailInput asks for one fund.
type DetailInput struct {
	catalogapi.FundPath
	moment.Input
	listing.Include
}

// FundDetail is one fund in full, as Schedule D section 7.B.(1) has it. Null means that the filing does not state it.
type FundDetail struct {
	ID                    int64                     `json:"id" doc:"Internal ID." example:"1024"`
	FundID                string                    `json:"fund_id" doc:"Number of the fund (Schedule D, section 7.B.(1), item 1(b)): 805- and ten digits." example:"805-1234567890"`
	Name                  string                    `json:"name" doc:"Name of the fund, as filed (item 1(a))." example:"Harbor Ridge Buyout Fund III, L.P."`
	AdviserCRD            string                    `json:"adviser_crd" doc:"CRD number of the adviser that filed the newest filing that names the fund." example:"900001"`
	AdviserName           *string                   `json:"adviser_name" doc:"Legal name of the adviser. With as_of or known_at, its name at that time." example:"Harbor Ridge Capital Partners LLC"`
	Strategy              string                    `json:"strategy" doc:"Strategy by the type of fund (item 10), refined by its name and by item 8." example:"buyout"`
	FundType              *string                   `json:"fund_type" doc:"As filed." example:"Private Equity Fund"`
	FundTypeOther         *string                   `json:"fund_type_other" doc:"Description of an \"other\" fund type, as filed."`
	VintageYear           int64                     `json:"vintage_year" doc:"Year of the first sale by Form D, otherwise of the first filing that names the fund. vintage_quality shows how it is known. Never null." example:"2019"`
	VintageSource         string                    `json:"vintage_source" enum:"form_d_first_sale,first_filing" doc:"Source of the vintage: the date of first sale in the fund's Form D, or else the first filing that reports the fund." example:"first_filing"`
	VintageQuality        string                    `json:"vintage_quality" enum:"form_d,first_filing,list" doc:"How the vintage is known. form_d: the date of first sale in a Form D. first_filing: the year of the first Form ADV we hold that names the fund. list: a list of funds named it before any Form ADV we hold, so the fund is of that year or older." example:"first_filing"`
	GrossAssetValue       *int64                    `json:"gross_asset_value" doc:"USD." example:"850000000"`
	PeakGAV               *int64                    `json:"peak_gross_asset_value" doc:"USD. The highest value ever filed." example:"910000000"`
	MinimumInvestment     *int64                    `json:"minimum_investment" doc:"USD." example:"5000000"`
	BeneficialOwnersCount *int64                    `json:"beneficial_owners_count" doc:"Number of beneficial owners (item 13). Null: not answered." example:"74"`
	PctOwnedRelated       *float64                  `json:"pct_owned_related" doc:"Percent owned by the adviser and its related persons." example:"4"`
	PctOwnedFunds         *float64                  `json:"pct_owned_funds" doc:"Percent owned by funds of funds." example:"12"`
	PctOwnedNonUS         *float64                  `json:"pct_owned_non_us" doc:"Percent owned by non-US persons." example:"20"`
	Is3C1                 *bool                     `json:"is_3c1" doc:"Relies on section 3(c)(1) of the Investment Company Act (item 4). Null: not answered." example:"false"`
	Is3C7                 *bool                     `json:"is_3c7" doc:"Relies on section 3(c)(7) of the Investment Company Act (item 4). Null: not answered." example:"true"`
	Exemptions            []string                  `json:"exemptions" doc:"506b and 506c, from the Form D of the fund." example:"[\"506b\"]"`
	FormDFileNumbers      []string                  `json:"form_d_file_numbers" doc:"File numbers of the fund's Form D notices, as filed (item 22). Empty: the filing names none." example:"[\"021-900001\"]"`
	IsMaster              *bool                     `json:"is_master" doc:"Master fund of a master-feeder arrangement (item 6). Null: not answered." example:"false"`
	IsFeeder              *bool                     `json:"is_feeder" doc:"Feeder fund of a master-feeder arrangement (item 6). Null: not answered." example:"false"`
	MasterFundName        *string                   `json:"master_fund_name" doc:"Name of the master fund, as filed (items 6 and 7). Null: the filing names none."`
	MasterFundID          *string                   `json:"master_fund_id" doc:"Number of the master fund (items 6 and 7). Null: the filing names none."`
	IsFundOfFunds         *bool                     `json:"is_fund_of_funds" doc:"Invests 10 percent or more of its assets in other private funds (item 8). Null: not answered." example:"false"`
	Jurisdiction          *string                   `json:"jurisdiction" doc:"Place under whose law the fund is organized, as filed." example:"Delaware"`
	CountryCode           *string                   `json:"country_code" doc:"ISO 3166 alpha-2 code of the jurisdiction." example:"US"`
	HasAuditor            *bool                     `json:"has_auditor" doc:"True if the filing names an auditor. False if it says that the fund is not audited. Null if unknown." example:"true"`
	Auditors              []string                  `json:"auditors" doc:"Names of the auditors, as filed (item 23), sorted. Empty: the filing names none. Names that may be persons' are left out." example:"[\"Birch & Sloane LLP\"]"`
	AuditorsWithheld      int                       `json:"auditors_withheld,omitempty" doc:"Auditors left out because their names may be persons'. Absent: none." example:"0"`
	AnnualAudit           *bool                     `json:"annual_audit" doc:"True if the financial statements are audited every year (item 23(a)). Null: not answered." example:"true"`
	GAAP                  *bool                     `json:"gaap" doc:"True if the financial statements follow US GAAP." example:"true"`
	UnqualifiedOpinion    *string                   `json:"unqualified_opinion" doc:"As filed." example:"Y"`
	Status                string                    `json:"status" enum:"active,liquidating,closed" doc:"closed: the newest complete list of its adviser does not name the fund. liquidating: its name says so, or its value has fallen far below its peak. Otherwise active." example:"active"`
	ClosedBetween         *catalogapi.ClosedBetween `json:"closed_between,omitempty" doc:"Only for closed funds: the days between which the fund closed."`
	FirstFilingDate       string                    `json:"first_filing_date" format:"date" doc:"Date of the first filing that reports the fund." example:"2019-08-14"`
	LatestFilingDate      string                    `json:"latest_filing_date" format:"date" doc:"Day of the newest filing that names the fund." example:"2026-03-28"`
	Source                fold.FilingSource         `json:"source" doc:"Newest filing that names the fund."`

	Provenance map[string]fold.FilingSource `json:"provenance,omitempty" doc:"With include=provenance: the filing that each value comes from, keyed by field name. A Form D has its EDGAR accession number. Null fields and values from no filing (id, fund_id, and exemptions that no notice states) are left out. A value that an operator has corrected has source override." example:"{\"name\":{\"accession_number\":\"ADV-900001-1912345\",\"filing_type\":\"ADV/A\",\"filing_date\":\"2026-03-28\"}}"`
}

var fields = listing.NewFields[FundDetail]("id", "fund_id", "adviser_name", "auditors_withheld", "closed_between", "source", "provenance")

// Fields is what the detail shows of a fund, without what names the filing that it rests on and the name that its adviser's
// own fields give. holder has the auditors that may be shown.
func Fields(holder *index.Holder, f *fold.Fund) []catalogapi.Field {
	detail := newFundDetail(holder, f, "")
	return fields.Of(&detail)
}

var repeated = listing.NewCopier[FundDetail, fold.Fund]()

func newFundDetail(holder *index.Holder, f *fold.Fund, adviserName string) FundDetail {
	d := FundDetail{
		VintageSource: f.VintageSource(), PeakGAV: f.PeakGAV, HasAuditor: f.HasAuditor(), FirstFilingDate: f.FirstFiledOn.Format(time.DateOnly),
		LatestFilingDate: f.LatestFiledOn.Format(time.DateOnly), Source: f.Source(),
	}
	if f.ClosedOn != nil {
		d.ClosedBetween = catalogapi.NewClosedBetween(f.LatestFiledOn, *f.ClosedOn)
	}
	repeated.Copy(&d, f)
	d.Auditors = holder.ShownAuditors(f.Auditors)
	d.AuditorsWithheld = len(f.Auditors) - len(d.Auditors)
	if adviserName != "" {
		d.AdviserName = &adviserName
	}
	return d
}

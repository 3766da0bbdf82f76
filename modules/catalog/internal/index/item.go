package index

import (
	"cmp"
	"time"

	"gpatlas/modules/catalog/catalogapi"
)

// GPItem is one adviser in a list: the structure of the bytes that AppendGP writes.
type GPItem struct {
	CRD                string  `json:"crd" doc:"CRD number of the adviser" example:"900001"`
	LegalName          string  `json:"legal_name" doc:"Legal name (Form ADV, item 1.A)." example:"Harbor Ridge Capital Partners LLC"`
	BusinessName       *string `json:"business_name" doc:"Business name (doing business as)" example:"Harbor Ridge"`
	City               *string `json:"city" doc:"City of the main office (item 1.F(1)). Null: not stated." example:"Boston"`
	State              *string `json:"state" doc:"US state code" example:"MA"`
	Country            *string `json:"country" doc:"Country of the main office, by its name (item 1.F(1)). Null: not stated." example:"United States"`
	CountryCode        *string `json:"country_code" doc:"ISO 3166 alpha-2" example:"US"`
	TotalAUM           *int64  `json:"total_aum" doc:"USD. Regulatory assets under management; for exempt reporting advisers, the sum of their funds' gross asset values" example:"2500000000"`
	PrimaryStrategy    *string `json:"primary_strategy" doc:"Strategy with the most gross asset value among the manager's open funds. Null: no open fund, or unknown." example:"buyout"`
	ManagerType        *string `json:"manager_type" enum:"pe_vc,hedge_fund,real_estate,other" doc:"Kind of manager by primary_strategy: pe_vc is buyout, growth, venture and secondaries. Null: the strategy is unknown." example:"pe_vc"`
	EmployeeCount      *int64  `json:"employee_count" doc:"Number of employees (item 5.A). Null: not filed; exempt reporting advisers do not file it." example:"48"`
	FundCount          *int64  `json:"fund_count" doc:"Funds that are not closed" example:"12"`
	CanonicalGPID      int64   `json:"canonical_gp_id" doc:"Shared by the advisers of one organization" example:"900001"`
	RegistrationStatus *string `json:"registration_status" enum:"registered,exempt_reporting" doc:"registered with the SEC, or exempt_reporting. Null: unknown, as for advisers that only a list of funds names." example:"registered"`
	Website            *string `json:"website" doc:"The firm's own website (Schedule D, item 1.I), not its pages on social networks. Null: none is stated." example:"https://www.harborridge.example"`
	LatestFilingDate   *string `json:"latest_filing_date" format:"date" doc:"Date of the newest filing in /v1/gps/{crd}/filings" example:"2026-03-28"`
	// Spec: not shown; a row of a former manager has the reason. Others do not have the fields.
	WithdrawnOn    *string `json:"withdrawn_on,omitempty" format:"date" doc:"Only for managers that have withdrawn: the day of the full withdrawal" example:"2026-07-02"`
	NotListedSince *string `json:"not_listed_since,omitempty" format:"date" doc:"Only for managers that no current list names: the day of the first roster or feed without the manager" example:"2026-07-01"`
	*Registration
}

// Registration is what the rows of advisers have only where it is asked for.
type Registration struct {
	RegisteredOn *string `json:"registered_on" required:"false" format:"date" doc:"Only with include=registration, or if filtered or sorted by: the day since which the manager is registered, or reports. Null: not stated" example:"2012-03-30"`
	FoundedYear  *int64  `json:"founded_year" required:"false" doc:"Only with include=registration, or if filtered or sorted by: the earliest year with evidence. Null: unknown" example:"2009"`
	SECNumber    *string `json:"sec_number" required:"false" doc:"Only with include=registration, or if filtered or sorted by registered_on or founded_year: SEC file number. Null: not stated" example:"801-99001"`
}

// FundItem is one fund in a list: the structure of the bytes that AppendFund writes.
type FundItem struct {
	ID              int64                     `json:"id" doc:"Internal ID" example:"1024"`
	FundID          string                    `json:"fund_id" doc:"805- and ten digits" example:"805-1234567890"`
	Name            string                    `json:"name" doc:"Name of the fund, as filed (Schedule D, section 7.B.(1), item 1(a))." example:"Harbor Ridge Buyout Fund III, L.P."`
	AdviserCRD      string                    `json:"adviser_crd" doc:"CRD number of the adviser that filed the newest filing that names the fund." example:"900001"`
	AdviserName     *string                   `json:"adviser_name" doc:"The adviser's legal name" example:"Harbor Ridge Capital Partners LLC"`
	VintageYear     *int64                    `json:"vintage_year" doc:"Year of the first sale by Form D, otherwise of the first filing that names the fund." example:"2019"`
	GrossAssetValue *int64                    `json:"gross_asset_value" doc:"USD" example:"850000000"`
	Strategy        *string                   `json:"strategy" doc:"Strategy by the type of fund (item 10), refined by its name and by item 8." example:"buyout"`
	Is3C1           *bool                     `json:"is_3c1" doc:"Relies on section 3(c)(1) of the Investment Company Act (item 4). Null: not answered." example:"false"`
	Is3C7           *bool                     `json:"is_3c7" doc:"Relies on section 3(c)(7) of the Investment Company Act (item 4). Null: not answered." example:"true"`
	IsMaster        *bool                     `json:"is_master" doc:"Master fund of a master-feeder arrangement (item 6). Null: not answered." example:"false"`
	IsFeeder        *bool                     `json:"is_feeder" doc:"Feeder fund of a master-feeder arrangement (item 6). Null: not answered." example:"false"`
	Jurisdiction    *string                   `json:"jurisdiction" doc:"Place under whose law the fund is organized" example:"Delaware"`
	Status          string                    `json:"status" enum:"active,liquidating,closed" doc:"closed: the newest complete list of its adviser does not name the fund. liquidating: its name says so, or its value has fallen far below its peak. Otherwise active." example:"active"`
	HasAuditor      *bool                     `json:"has_auditor" doc:"True if the latest filing names an auditor. False if it says that the fund is not audited. Null if unknown" example:"true"`
	VintageQuality  string                    `json:"vintage_quality" enum:"form_d,first_filing,list" doc:"How the vintage is known. form_d: the date of first sale in a Form D. first_filing: the year of the first Form ADV we hold that names the fund. list: a list of funds named it before any Form ADV we hold, so the fund is of that year or older" example:"form_d"`
	ClosedBetween   *catalogapi.ClosedBetween `json:"closed_between,omitempty" doc:"Only for closed funds: the days between which the fund closed"`
}

// GPItem returns the row that AppendGP writes, as a structure.
func (s *Snapshot) GPItem(id uint32) GPItem {
	g := &s.gps.all[id]
	item := GPItem{
		CRD: g.CRD, LegalName: g.LegalName, BusinessName: catalogapi.Text(g.BusinessName), City: catalogapi.Text(g.City),
		State: catalogapi.Text(g.State), Country: catalogapi.Text(g.Country), CountryCode: catalogapi.Text(g.CountryCode),
		TotalAUM: knownNumber(g.TotalAUM), PrimaryStrategy: catalogapi.Text(g.PrimaryStrategy), ManagerType: catalogapi.Text(g.ManagerType),
		EmployeeCount: knownNumber(g.Employees), FundCount: knownNumber(g.FundCount), CanonicalGPID: g.CanonicalID,
		RegistrationStatus: catalogapi.Text(g.RegistrationStatus), Website: catalogapi.Text(g.Website),
	}
	item.LatestFilingDate = knownDay(g.LatestFiledOn)
	item.WithdrawnOn, item.NotListedSince = knownDay(g.WithdrawnOn), knownDay(g.NotListedSince)
	return item
}

// FundItem returns the row that AppendFund writes, as a structure.
func (s *Snapshot) FundItem(id uint32) FundItem {
	f := s.Fund(id)
	item := FundItem{
		ID: f.ID, FundID: f.FundID, Name: f.Name, AdviserCRD: f.AdviserCRD, VintageYear: knownNumber(f.VintageYear),
		GrossAssetValue: knownNumber(f.GAV), Strategy: catalogapi.Text(f.Strategy), Is3C1: f.Is3C1.Bool(), Is3C7: f.Is3C7.Bool(),
		IsMaster: f.IsMaster.Bool(), IsFeeder: f.IsFeeder.Bool(), Jurisdiction: catalogapi.Text(f.Jurisdiction()),
		Status: f.Status, HasAuditor: f.Audited.Bool(), VintageQuality: f.Quality,
	}
	item.ClosedBetween = catalogapi.NewClosedBetween(f.LatestFiledOn, f.ClosedOn)
	if gp, ok := s.FundGP(id); ok {
		item.AdviserName = catalogapi.Text(s.gps.all[gp].LegalName)
	}
	return item
}

// Jurisdiction is the place under whose law the fund is organized, as filed: the state where there is one.
func (f *Fund) Jurisdiction() string {
	return cmp.Or(f.State, f.Country)
}

// Bool returns the answer, or nil if there is none.
func (t Tri) Bool() *bool {
	if t == Any {
		return nil
	}
	yes := t == Yes
	return &yes
}

const dateLayout = "2006-01-02"

func knownDay(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	return catalogapi.Text(t.UTC().Format(dateLayout))
}

func knownNumber(v int64) *int64 {
	if v == Unknown {
		return nil
	}
	return &v
}

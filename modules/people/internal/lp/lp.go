// Package lp keeps LPs, which invest in private funds: who they are, what they have committed to which fund, and who manages
// it. The data comes from lists of commitments, as public pensions publish them.
//
// Such lists name funds and managers in words alone. Managers are matched to advisers of the catalog by name, each time the
// catalog or the lists change. A wrong manager is worse than none, so only matches of sufficient confidence are shown.
package lp

import "time"

// LP is a limited partner.
type LP struct {
	ID              int64   `json:"id" doc:"The LP's ID in this service. It stays when lists are loaded again." example:"1"`
	Name            string  `json:"name" doc:"Name, as the LP's list of commitments has it." example:"Larkspur Teachers Retirement Fund"`
	EntityType      *string `json:"entity_type" enum:"pension,endowment,family_office,fund_of_funds,insurance,sovereign_wealth,corporate,other" doc:"Kind of LP. Null where no list states it." example:"pension"`
	City            *string `json:"city" doc:"City, where the list states it." example:"Boston"`
	State           *string `json:"state" doc:"State, where the list states it." example:"MA"`
	Country         *string `json:"country" doc:"Country: as stated, or United States where the state is one of its states." example:"United States"`
	InvestmentCount int     `json:"investment_count" doc:"Funds that the LP has committed to." example:"40"`
	TotalCommitted  *int64  `json:"total_committed" doc:"Sum of the known commitments in US dollars, each as of its latest date. Null if none is known." example:"4200000000"`
	// Spec: not shown; a list may leave cells empty, so the sum may be of a part of the investments.
	CommittedKnown int    `json:"committed_known" doc:"Investments whose commitment is known: total_committed is the sum of these. If it is less than investment_count, the sum is partial." example:"40"`
	AsOf           string `json:"as_of" format:"date" doc:"Latest date of the figures." example:"2026-03-31"`
}

// SchemaName is its name in the OpenAPI document.
func (LP) SchemaName() string { return "LP" }

// Investment is a fund that an LP has committed to, with the figures of the latest date.
type Investment struct {
	ID              int64    `json:"id" doc:"ID of the investment. It stays when lists are loaded again." example:"12"`
	FundName        string   `json:"fund_name" doc:"Name of the fund, as the LP's list has it." example:"Mossgate Growth Fund IV"`
	FundID          *string  `json:"fund_id" doc:"The fund's ID in Form ADV, where the match names one fund." example:"805-9000000001"`
	GPCRD           *string  `json:"gp_crd" doc:"CRD number of the manager, where it was matched with sufficient confidence. Null with the match method operator: the operator says that no manager of the catalog is meant." example:"900001"`
	GPName          *string  `json:"gp_name" doc:"Manager, as the LP's list names it." example:"Mossgate"`
	VintageYear     *int16   `json:"vintage_year" doc:"Year in which the fund began, as the list has it." example:"2021"`
	FundVintageYear *int32   `json:"fund_vintage_year" doc:"Vintage year of the matched fund, as this service computes it from filings. Null where no fund was matched." example:"2021"`
	Strategy        *string  `json:"strategy" doc:"Strategy of the matched fund, as filings have it now. Null where no fund was matched: the manager's strategy is not used." example:"growth"`
	StrategyBasis   *string  `json:"strategy_basis" enum:"fund" doc:"fund: the strategy is that of the fund in fund_id. Null if strategy is null." example:"fund"`
	Committed       *int64   `json:"committed" doc:"Commitment in US dollars." example:"100000000"`
	Contributed     *int64   `json:"contributed" doc:"Paid in so far, in US dollars. It can exceed the commitment, because distributions can be called again." example:"64000000"`
	Distributed     *int64   `json:"distributed" doc:"Paid out so far, in US dollars. It can be negative after corrections." example:"12500000"`
	NAV             *int64   `json:"nav" doc:"Remaining value in US dollars. It can be negative." example:"71000000"`
	NetIRRPercent   *float64 `json:"net_irr_percent" doc:"Net internal rate of return in percent." example:"11.4"`
	Multiple        *float64 `json:"multiple" doc:"Value paid out and remaining, divided by what was paid in." example:"1.3"`
	AsOf            string   `json:"as_of" format:"date" doc:"Date of the figures." example:"2026-03-31"`
	// Spec: not shown; a figure that the latest list has no column for is not lost, but has an earlier date.
	EarlierFigures map[string]string `json:"earlier_figures" nullable:"true" doc:"Figures that are of an earlier date than as_of, because the list of as_of has no column for them: the name of each field and its date. Null if there are none." example:"{\"nav\":\"2025-12-31\"}"`
	Match          *Match            `json:"match" doc:"How the manager was matched. Null if it was not."`
}

// SchemaName is its name in the OpenAPI document.
func (Investment) SchemaName() string { return "LPInvestment" }

// Match is how a manager was found.
type Match struct {
	_ struct{} `nullable:"true"` // a pointer to it may be null: by default the schema allows that for scalars only

	Method     string  `json:"method" enum:"fund_name,fund_series,manager_name,operator" doc:"fund_name: by a fund of the same name; fund_series: by funds whose names continue it; manager_name: by the manager's name; operator: by hand." example:"fund_name"`
	Confidence float64 `json:"confidence" minimum:"0" maximum:"1" doc:"Confidence, 0 to 1. Matches below 0.8 are not shown." example:"0.95"`
}

// SchemaName is its name in the OpenAPI document.
func (Match) SchemaName() string { return "LPInvestmentMatch" }

// day shows a date.
func day(t time.Time) string { return t.Format(time.DateOnly) }

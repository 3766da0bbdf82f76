package catalogapi

import "slices"

// The kinds of changes in the log (platform/changes). Loads of the catalog write them; module people writes
// ChangePersonnel and ChangeCommitment.
const (
	ChangeNewFiling      = "new_filing"
	ChangeFilingRestated = "filing_restated"
	ChangeAdviserNew     = "adviser_new"
	ChangeAUM            = "aum_change"
	ChangeAdviser        = "adviser_change"
	ChangeWithdrawal     = "adviser_withdrawal"
	ChangeReturn         = "adviser_return"
	ChangeNewFund        = "new_fund"
	ChangeFund           = "fund_change"
	ChangeFundClose      = "fund_close"
	ChangeFundReturn     = "fund_return"
	ChangeFundMoved      = "fund_moved"
	ChangeRetracted      = "retracted"
	ChangeCorrection     = "correction"
	ChangeLoaded         = "loaded"
	ChangeCommitment     = "lp_commitment"
	ChangePersonnel      = "personnel_change"
)

// ChangeFields are the listed fields of each kind of change, by their names in GET /v1/gps/{crd} and GET /v1/funds/{fund_id}. An event
// exists only where one of them has changed. Fields with names of people, and what can contain such names, are not listed.
var ChangeFields = map[string][]string{
	ChangeAUM: {"total_aum", "raum_discretionary", "raum_non_discretionary"},
	ChangeAdviser: {
		"legal_name", "business_name", "city", "state", "country", "country_code", "postal_code", "website", "primary_strategy",
		"manager_type", "employee_count", "fund_count", "total_gav", "net_gav", "total_investors", "founded_year", "canonical_gp_id",
		"registration_status", "sec_number", "sec_status", "registered_on", "lei", "org_form", "org_state", "org_country",
		"fiscal_year_end", "advises_funds",
	},
	ChangeWithdrawal: changeGone,
	ChangeReturn:     changeGone,
	ChangeFund: {
		"name", "strategy", "fund_type", "fund_type_other", "vintage_year", "vintage_quality", "gross_asset_value", "minimum_investment",
		"beneficial_owners_count", "pct_owned_related", "pct_owned_funds", "pct_owned_non_us", "is_3c1", "is_3c7", "exemptions",
		"form_d_file_numbers", "is_master", "is_feeder", "master_fund_name", "master_fund_id", "is_fund_of_funds", "jurisdiction",
		"country_code", "annual_audit", "gaap", "unqualified_opinion",
	},
	ChangeFundClose:  changeStatus,
	ChangeFundReturn: changeStatus,
	ChangeFundMoved:  {"adviser_crd"},
}

// ChangePersonnelFields are the fields of ChangePersonnel, by their names in answers about people.
var ChangePersonnelFields = []string{"current", "role", "seniority_level"}

// ChangeLists are the listed fields of funds that are lists: null never, as in the detail.
var ChangeLists = []string{"exemptions", "form_d_file_numbers"}

// OverrideField is the name in an event of the kind correction, of the override of a field. It is not the field's own, so that who sets each field
// to its value after the event does not set it to the override.
const OverrideField = "override."

var (
	changeGone   = []string{"withdrawn_on", "not_listed_since"}
	changeStatus = []string{"status"}
)

// AdviserChangeFields and FundChangeFields are all listed fields: those that adviser_new, new_fund and retracted have.
func AdviserChangeFields() []string {
	return slices.Concat(ChangeFields[ChangeAUM], ChangeFields[ChangeAdviser], changeGone)
}

// FundChangeFields are those of funds.
func FundChangeFields() []string {
	return slices.Concat(ChangeFields[ChangeFund], changeStatus, ChangeFields[ChangeFundMoved])
}

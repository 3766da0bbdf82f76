package storedhistory

import "gpatlas/modules/catalog/catalogapi"

// Words that come again and again, by their place. A word that is not here is written out. A new word goes to the end; any other
// change needs another Encoding.
var (
	words = newList(
		"ADV", "ADV/A", "ADV-W", "D", "D/A", "initial", "annual", "material", "withdrawal",
		string(catalogapi.SourceFundList), string(catalogapi.SourceRoster), string(catalogapi.SourceFeed),
		string(catalogapi.SourceADVArchive), string(catalogapi.SourceADVW), string(catalogapi.SourceFormD),
		string(catalogapi.Registered), string(catalogapi.ExemptReporting),
		"active", "liquidating", "closed", string(catalogapi.VintageFirstFiling), string(catalogapi.VintageList), "feeder", "parallel",
		"total_aum", "employee_count", "city", "state", "country", "United States", "ADV-", "ADVW-", "ROSTER-", "FEED-", "LIST-", string(catalogapi.OwnFeederVehicle),
	)
	// The fields of the two details, at most 64 each: a set of them is one number.
	adviserFields = newList(
		"legal_name", "registration_status", "sec_number", "country", "country_code", "city", "state", "postal_code", "street1",
		"phone", "website", "employee_count", "org_form", "fiscal_year_end", "org_state", "org_country", "advises_funds", "total_aum",
		"raum_discretionary", "raum_non_discretionary", "fund_count", "total_gav", "total_investors", "primary_strategy",
		"manager_type", "first_filing_date", "first_seen", "founded_year", "founded_year_basis", "latest_filing_date", "sec_status",
		"registered_on", "business_name", "street2", "lei", "private_residence", "withdrawn_on", "net_gav",
	)
	fundFields = newList(
		"name", "adviser_crd", "strategy", "latest_filing_date", "adviser_name", "fund_type", "gross_asset_value", "jurisdiction",
		"country_code", "is_3c1", "is_3c7", "is_master", "is_feeder", "is_fund_of_funds", "minimum_investment",
		"beneficial_owners_count", "pct_owned_related", "pct_owned_funds", "pct_owned_non_us", "annual_audit", "gaap",
		"unqualified_opinion", "auditors", "has_auditor", "form_d_file_numbers", "first_filing_date", "peak_gross_asset_value",
		"vintage_year", "vintage_source", "vintage_quality", "status", "exemptions", "fund_type_other", "master_fund_name", "master_fund_id",
	)
)

// list is words with their places.
type list struct {
	words []string
	place map[string]int
}

func newList(words ...string) *list {
	l := &list{words, make(map[string]int, len(words))}
	for i, w := range words {
		l.place[w] = i
	}
	return l
}

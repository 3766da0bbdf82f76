package load

import "slices"

// The columns that staged rows share with the version tables, in one place: the statements are made from these lists.
var (
	// adviserVersionColumns: catalog.adviser_versions less its key, row_hash, and what it is silent about.
	adviserVersionColumns = []string{
		"legal_name", "business_name", "sec_number", "registration", "sec_status", "status_date", "street1", "street2",
		"city", "state", "country", "postal_code", "private_residence", "phone", "website", "lei", "form_version",
		"employee_count", "raum", "raum_discretionary", "raum_non_discretionary", "org_form", "fiscal_year_end",
		"org_state", "org_country", "advises_funds", "reported_fund_count", "reported_fund_gav",
	}
	// filedFundColumns: what a filing says of a fund and the current row repeats.
	filedFundColumns = []string{
		"name", "state", "country", "is_3c1", "is_3c7", "is_master", "is_feeder", "master_fund_name", "master_fund_id",
		"is_fund_of_funds", "fund_type", "fund_type_other", "gross_asset_value", "minimum_investment",
		"beneficial_owners_count", "pct_owned_related", "pct_owned_funds", "pct_owned_non_us", "annual_audit", "gaap",
		"unqualified_opinion", "auditors", "form_d_file_numbers",
	}
	// derivedFundColumns: the rest of catalog.funds, less its key, id and updated_at. Exemptions come from Form D, and the
	// vintage where it can.
	derivedFundColumns = []string{
		"adviser_crd", "jurisdiction", "country_code", "strategy", "vintage_year", "vintage_source", "status", "peak_gav",
		"first_filed_on", "latest_accession", "latest_form_type", "latest_filed_on", "exemptions", "name_key", "name_form",
	}
	// adviserColumns: catalog.advisers less its key, canonical_gp_id and updated_at.
	adviserColumns = []string{
		"legal_name", "business_name", "sec_number", "registration_status", "sec_status", "registered_on", "street1",
		"street2", "city", "state", "country", "country_code", "postal_code", "private_residence", "phone", "website",
		"website_domain", "lei", "employee_count", "raum", "raum_discretionary", "raum_non_discretionary", "org_form",
		"fiscal_year_end", "org_state", "org_country", "advises_funds", "total_aum", "primary_strategy", "manager_type",
		"fund_count", "total_gav", "total_investors", "founded_year", "founded_year_basis", "name_stem", "first_filed_on", "latest_accession",
		"latest_form_type", "latest_filed_on", "newest_filed_on", "withdrawn_on", "not_listed_since",
	}
)

// stagedFilingColumns are those of s_filing and b_filing, as staging.filingRow writes them.
var stagedFilingColumns = []string{
	"accession", "crd", "source", "filing_id", "filing_date", "submitted_at", "funds_listed", "filing_types", "fiscal_year_end",
	"document", "run_id", "edition",
}

// stagedVersionColumns are those of catalog.adviser_versions, as staging.versionRow writes them.
func stagedVersionColumns() []string {
	plain := slices.DeleteFunc(slices.Clone(adviserVersionColumns), func(c string) bool { return c == "website" })
	return slices.Concat([]string{"crd", "accession"}, plain, []string{"website", "silent", "row_hash"})
}

// stagedFundColumns are those of catalog.fund_versions, as staging.fundRow writes them.
func stagedFundColumns() []string {
	return slices.Concat([]string{"accession", "crd", "fund_id", "reference_id"}, filedFundColumns, []string{"silent", "row_hash"})
}

func into(staged, final string, columns []string) target {
	return target{staged: staged, final: final, columns: " (" + quoteList("", columns) + ")"}
}

func intoFilings() target { return into("s_filing", "b_filing", stagedFilingColumns) }
func intoVersions() target {
	return into("s_version", "catalog.adviser_versions", stagedVersionColumns())
}
func intoFunds() target { return into("s_fund", "catalog.fund_versions", stagedFundColumns()) }

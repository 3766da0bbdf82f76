package load

import "slices"

// The columns that staged rows share with the version tables, in one place: the statements are made from these lists.
var (
	// adviserVersionColumns: catalog.adviser_versions less its key, row_hash, and what it is silent about.
	adviserVersionColumns = []string{
		"legal_name", "business_name", "sec_number", "registration", "sec_status", "status_date", "street1", "street2",
		"city", "state", "country", "postal_code", "private_residence", "phone", "website", "lei", "form_version",
		"employee_count", "raum", "raum_discretionary", "raum_non_discretionary", "org_form", "fiscal_year_end",
		"org_state", "org_country", "advises_funds", "reported_fund_count", "reported_fund_gav", "reported_fund_types",
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
		"adviser_crd", "jurisdiction", "country_code", "strategy", "vintage_year", "vintage_quality", "status", "peak_gav",
		"first_filed_on", "latest_accession", "latest_form_type", "latest_filed_on", "exemptions", "name_key", "name_form",
	}
	// adviserColumns: catalog.advisers less its key, canonical_gp_id and updated_at.
	adviserColumns = []string{
		"legal_name", "business_name", "sec_number", "registration_status", "sec_status", "registered_on", "street1",
		"street2", "city", "state", "country", "country_code", "postal_code", "private_residence", "phone", "website",
		"website_domain", "lei", "employee_count", "raum", "raum_discretionary", "raum_non_discretionary", "org_form",
		"fiscal_year_end", "org_state", "org_country", "advises_funds", "total_aum", "primary_strategy", "manager_type",
		"fund_count", "total_gav", "net_gav", "total_investors", "founded_year", "founded_year_basis", "name_stem", "first_filed_on", "latest_accession",
		"latest_form_type", "latest_filed_on", "newest_filed_on", "withdrawn_on", "not_listed_since",
	}
)

// table is one that rows are copied into: a temporary one, where the merger compares them with what is known; or straight
// the catalog's own, where nothing is known yet.
type table struct {
	staged, final string
	columns       []string // in the order in which rows are written
	like          string   // what has columns of these names and types
	more          []string // further columns of the temporary table, which the merger fills
}

// into is the target of the COPY of its rows.
func (t *table) into(straight bool) string {
	name := t.staged
	if straight {
		name = t.final
	}
	return name + " (" + quoteList("", t.columns) + ")"
}

// create makes a temporary table of that name.
func (t *table) create(name string) string {
	return "CREATE TEMP TABLE " + name + " ON COMMIT DROP AS SELECT " + quoteList("", slices.Concat(t.columns, t.more)) +
		" FROM " + t.like + " WITH NO DATA"
}

// What filings are staged in; for what hangs on them see childTables.
var (
	filingTable = &table{
		staged: "s_filing", final: "b_filing", like: "catalog.filings JOIN catalog.adviser_versions USING (accession, crd)",
		columns: []string{
			"accession", "crd", "source", "filing_id", "filing_date", "submitted_at", "funds_listed", "filing_types", "fiscal_year_end",
			"document", "run_id", "edition",
		},
	}
	versionTable = &table{
		staged: "s_version", final: "catalog.adviser_versions", like: "catalog.adviser_versions", more: []string{"kept"},
		columns: slices.Concat([]string{"crd", "accession"}, slices.DeleteFunc(slices.Clone(adviserVersionColumns), func(c string) bool { return c == "website" }),
			[]string{"website", "silent", "row_hash"}),
	}
	fundTable = &table{
		staged: "s_fund", final: "catalog.fund_versions", like: "catalog.fund_versions",
		columns: slices.Concat([]string{"accession", "crd", "fund_id", "reference_id"}, filedFundColumns, []string{"silent", "row_hash"}),
	}
)

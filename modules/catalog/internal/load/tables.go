package load

import (
	"slices"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/fold"
)

// statedFirst are the columns of the first release that a filing's own row states, in the order of that row. The list never changes.
// Later columns follow these, and are hashed only if the filing states them, so that hashes of known filings stay valid.
const statedFirst = "legal_name business_name sec_number registration sec_status status_date street1 street2 city state country " +
	"postal_code private_residence phone lei form_version employee_count raum raum_discretionary raum_non_discretionary org_form " +
	"fiscal_year_end org_state org_country advises_funds reported_fund_count reported_fund_gav"

// stated is what a filing states of its adviser.
type stated struct {
	catalogapi.Statement
	catalogapi.Basis
}

// The columns that staged rows share with the version tables, and those of the current rows: the statements are made from these lists.
var (
	// ownColumns are those of a filing's own row; see statedFirst. The website may be in a table of its own.
	ownColumns = withLater(strings.Fields(statedFirst))
	// adviserVersionColumns: catalog.adviser_versions less its key, row_hash, and what it is silent about.
	adviserVersionColumns = append(slices.Clone(ownColumns), catalogapi.FieldWebsite)
	// filedFundColumns are the columns that a filing states about a fund and the current row repeats.
	filedFundColumns = catalogapi.ColumnNames[fold.FiledFund]()
	// ownFundColumns are those of a fund's own row; the others have tables of their own.
	ownFundColumns = append([]string{"fund_id", "reference_id"}, without(filedFundColumns, catalogapi.FieldFundAuditors, catalogapi.FieldFundFormD)...)

	currentAdviser = catalogapi.ColumnNames[adviserRow]()
	currentFund    = without(catalogapi.ColumnNames[fundRow](), "id")
	adviserColumns = without(currentAdviser, "crd", "canonical_gp_id")
	fundColumns    = without(currentFund, "fund_id")
)

// without is names less some of them.
func without(names []string, some ...string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(some, name) })
}

// withLater adds what a filing states since a later release.
func withLater(columns []string) []string {
	for _, c := range catalogapi.ByAge[stated]() {
		switch {
		case c.Tag.Get("since") != "":
			columns = append(columns, c.Name)
		case c.Name != catalogapi.FieldWebsite && !slices.Contains(columns, c.Name):
			panic("the column " + c.Name + " has no tag since")
		}
	}
	return columns
}

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

// The tables in which filings are staged; childTables are those of the rows that belong to them.
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
		columns: slices.Concat([]string{"crd", "accession"}, adviserVersionColumns, []string{"silent", "row_hash"}),
	}
	fundTable = &table{
		staged: "s_fund", final: "catalog.fund_versions", like: "catalog.fund_versions",
		columns: slices.Concat([]string{"accession", "crd", "fund_id", "reference_id"}, filedFundColumns, []string{"silent", "row_hash"}),
	}
)

// Package export writes the results of a search as a file: CSV, or JSON line by line. Rows come from one snapshot of the
// search index. Columns that the index does not have are read while the database has the same publication, so an export shows one moment.
package export

import (
	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
)

// The kinds of rows.
const (
	gps   = "gps"
	funds = "funds"
)

// The formats.
const (
	formatCSV    = "csv"
	formatNDJSON = "ndjson"
)

// Request is what to export.
//
// Spec: not shown; type, filters and fields are the contract's, the rest is added.
type Request struct {
	Type    string         `json:"type" enum:"gps,funds" doc:"What a row is: a fund manager (gps) or a fund (funds)." example:"gps"`
	Filters map[string]any `json:"filters,omitempty" doc:"Query parameters of GET /v1/gps or GET /v1/funds by name, with JSON types. Default: none, which exports everything that the search lists. Paging parameters are not allowed." example:"{\"state\":\"MA\",\"strategy\":\"PE\"}"`
	Fields  []string       `json:"fields,omitempty" doc:"Names of the columns, in their order. Default: those that GET /v1/export/fields marks as default. Each at most once." example:"[\"crd\",\"legal_name\",\"total_aum\"]"`
	Sort    string         `json:"sort,omitempty" doc:"Sort key of the search." example:"aum"`
	Order   string         `json:"order,omitempty" doc:"Sort direction: asc (default) or desc." example:"desc"`
	Format  string         `json:"format,omitempty" enum:"csv,ndjson" doc:"csv (default), or ndjson: one JSON object per line, with JSON types." example:"csv"`
}

// SchemaName is its name in the OpenAPI document.
func (Request) SchemaName() string { return "ExportRequest" }

// The most rows of one export, by plan.
//
// Spec: 1,000 for the pro tier and 10,000 for the advanced tier; no plan has that name, so it is enterprise. Not shown what
// the others may: nothing, where plans are sold. A copy of the service that sells none exports 10,000 rows for everybody.
const (
	rowsPro = 1_000
	rowsAll = 10_000
)

// rowsFor is how many rows a plan exports at once; 0 is none.
func rowsFor(plan string, sold bool) int {
	switch {
	case !sold, plan == auth.PlanEnterprise:
		return rowsAll
	case plan == auth.PlanPro:
		return rowsPro
	}
	return 0
}

func errPlan(plan string) error {
	if plan == "" {
		plan = auth.PlanFree
	}
	return apperr.New(apperr.KindForbidden, "Exports are part of the plans pro (1,000 rows) and enterprise (10,000 rows). Your plan is %s", plan)
}

package catalogapi

import (
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"
)

// Statement is what one filing states of its adviser, and what the current adviser repeats. Each field is a column of
// catalog.adviser_versions and of catalog.advisers. Nil means that the document does not state the field: absent is never zero
// (exempt reporting advisers do not file items 4, 5, 8 and 9). No text is empty but the legal name of a row that is refused.
//
// The tags are the column, the item of Form ADV, and how a parser reads a text or a number: "word" has few different values,
// "money" is US dollars, "lei" and "version" have a form of their own. base:"B" marks what archives have in their base B, and since
// names the version of the migration with which a column came after the first release.
type Statement struct {
	LegalName            string  `gorm:"column:legal_name" item:"1.A"`
	BusinessName         *string `gorm:"column:business_name" item:"1.B"` // "doing business as"
	SECNumber            *string `gorm:"column:sec_number" item:"1.D"`    // "801-…" registered, "802-…" exempt reporting
	SECStatus            *string `gorm:"column:sec_status" read:"word"`   // as filed
	Street1              *string `gorm:"column:street1" item:"1.F.(1)"`
	Street2              *string `gorm:"column:street2" item:"1.F.(1)"`
	City                 *string `gorm:"column:city" item:"1.F.(1)" read:"word"`
	State                *string `gorm:"column:state" item:"1.F.(1)" read:"word"`   // code as filed ("NY"); mostly blank outside the US
	Country              *string `gorm:"column:country" item:"1.F.(1)" read:"word"` // name as filed
	PostalCode           *string `gorm:"column:postal_code" item:"1.F.(1)"`
	PrivateResidence     *bool   `gorm:"column:private_residence" item:"1.F.(1)"` // its address is then blank on purpose
	Phone                *string `gorm:"column:phone" item:"1.F.(3)"`
	Website              *string `gorm:"column:website" item:"1.I"`        // archives list them in WebsiteRow
	LEI                  *string `gorm:"column:lei" item:"1.P" read:"lei"` // only when it has the form of one
	EmployeeCount        *int64  `gorm:"column:employee_count" item:"5.A"`
	RAUM                 *int64  `gorm:"column:raum" item:"5.F.(2)(c)" read:"money"`
	RAUMDiscretionary    *int64  `gorm:"column:raum_discretionary" item:"5.F.(2)(a)" read:"money"`
	RAUMNonDiscretionary *int64  `gorm:"column:raum_non_discretionary" item:"5.F.(2)(b)" read:"money"`
	OrgForm              *string `gorm:"column:org_form" item:"3.A" read:"word" base:"B"`
	FiscalYearEnd        *string `gorm:"column:fiscal_year_end" item:"3.B" read:"word" base:"B"` // name of the month
	OrgState             *string `gorm:"column:org_state" item:"3.C" read:"word" base:"B"`
	OrgCountry           *string `gorm:"column:org_country" item:"3.C" read:"word" base:"B"`
	AdvisesFunds         *bool   `gorm:"column:advises_funds" item:"7.B"`
}

// Basis is what else a filing states: columns of catalog.adviser_versions that values of the current adviser are derived from.
// Rosters count the funds and their types (item 10: "Hedge Fund", …), the types with funds alone.
type Basis struct {
	Registration      *string          `gorm:"column:registration" item:"2"` // a Registration
	StatusDate        *time.Time       `gorm:"column:status_date"`           // since which the SEC's status holds
	FormVersion       *string          `gorm:"column:form_version" read:"version"`
	ReportedFundCount *int64           `gorm:"column:reported_fund_count" item:"D 7.B.(1)"`
	ReportedFundGAV   *int64           `gorm:"column:reported_fund_gav" item:"D 7.B.(1)" read:"money"`
	ReportedFundTypes map[string]int64 `gorm:"column:reported_fund_types;serializer:json" item:"D 7.B.(1)" since:"20261122731000"`
}

// The columns of Statement and Basis that rules name. A document may be silent about all but the legal name.
const (
	FieldLegalName      = "legal_name"
	FieldSECNumber      = "sec_number"
	FieldRegistration   = "registration"
	FieldSECStatus      = "sec_status"
	FieldStreet1        = "street1"
	FieldStreet2        = "street2"
	FieldCity           = "city"
	FieldState          = "state"
	FieldCountry        = "country"
	FieldPostalCode     = "postal_code"
	FieldResidence      = "private_residence"
	FieldWebsite        = "website"
	FieldEmployees      = "employee_count"
	FieldRAUM           = "raum"
	FieldRAUMDiscretion = "raum_discretionary"
	FieldRAUMNonDiscr   = "raum_non_discretionary"
	FieldFiscalYearEnd  = "fiscal_year_end"
	FieldOrgState       = "org_state"
	FieldOrgCountry     = "org_country"
	FieldAdvisesFunds   = "advises_funds"
	FieldReportedTypes  = "reported_fund_types"
)

// Column is a column of a table with the field of a structure that holds it.
type Column struct {
	Name string
	Path []int
	Tag  reflect.StructTag
}

var columnsByType sync.Map // reflect.Type → []Column

// ColumnsOf are the columns that a structure's tags name.
func ColumnsOf(t reflect.Type) []Column {
	if known, ok := columnsByType.Load(t); ok {
		return known.([]Column) //nolint:forcetypeassert // nothing else is stored
	}
	var out []Column
	for _, f := range reflect.VisibleFields(t) {
		if name, ok := strings.CutPrefix(f.Tag.Get("gorm"), "column:"); ok {
			name, _, _ = strings.Cut(name, ";")
			out = append(out, Column{name, f.Index, f.Tag})
		}
	}
	columnsByType.Store(t, out)
	return out
}

// ColumnNames are the names of the columns of T.
func ColumnNames[T any]() []string {
	columns := ColumnsOf(reflect.TypeFor[T]())
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.Name
	}
	return names
}

// ByAge are the columns of T in the order in which they came.
func ByAge[T any]() []Column {
	return slices.SortedStableFunc(slices.Values(ColumnsOf(reflect.TypeFor[T]())), func(a, b Column) int {
		return strings.Compare(a.Tag.Get("since"), b.Tag.Get("since"))
	})
}

// InBaseB are the columns that archives of registered advisers have in base B, and not in the table of filings, by age.
var InBaseB = func() (names []string) {
	for _, c := range ByAge[Statement]() {
		if c.Tag.Get("base") == "B" {
			names = append(names, c.Name)
		}
	}
	return names
}()

// Text is a text that may be absent: nil where it is empty.
func Text(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// TextOf is the text; empty where it is absent.
func TextOf(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

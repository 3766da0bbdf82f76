package index

import (
	"reflect"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgtype"

	"gpatlas/modules/catalog/internal/index/column"
	"gpatlas/modules/catalog/internal/intern"
)

// Unknown represents an absent number in a record.
const Unknown = column.Unknown

// GP is one adviser as the index holds it: one row of catalog.advisers. The tag of a field is the column that it is
// loaded from; "few" marks a column of few distinct strings, of which one copy each is kept. A null column is the zero
// value of a field, and Unknown for a number.
type GP struct {
	CRD                string    `column:"crd"`
	LegalName          string    `column:"legal_name"`
	BusinessName       string    `column:"business_name"`
	City               string    `column:"city,few"`
	State              string    `column:"state,few"`
	Country            string    `column:"country,few"`
	CountryCode        string    `column:"country_code,few"`
	RegistrationStatus string    `column:"registration_status,few"`
	RegisteredOn       time.Time `column:"registered_on"`
	SECNumber          string    `column:"sec_number"`
	PrimaryStrategy    string    `column:"primary_strategy,few"`
	ManagerType        string    `column:"manager_type,few"`
	OrgState           string    `column:"org_state,few"`
	Website            string    `column:"website"`
	TotalAUM           int64     `column:"total_aum"`
	Employees          int64     `column:"employee_count"`
	FundCount          int64     `column:"fund_count"`
	TotalGAV           int64     `column:"total_gav"`
	NetGAV             int64     `column:"net_gav"`
	Investors          int64     `column:"total_investors"`
	FoundedYear        int64     `column:"founded_year"`
	FoundedYearBasis   string    `column:"founded_year_basis,few"` // registration, first_filing, override; empty when the year is unknown
	CanonicalID        int64     `column:"canonical_gp_id"`
	LatestFiledOn      time.Time `column:"newest_filed_on"` // of all its filings, joined notices of Form D too
	WithdrawnOn        time.Time `column:"withdrawn_on"`    // former advisers alone, as the next; zero = it has not
	NotListedSince     time.Time `column:"not_listed_since"`
	Growth1            int64     `column:"aum_growth_1y"` // of the assets over the horizons of catalogapi.GrowthYears: hundredths of a percent a year
	Growth2            int64     `column:"aum_growth_2y"`
	Growth3            int64     `column:"aum_growth_3y"`
	Growth5            int64     `column:"aum_growth_5y"`
	Before1            int64     `column:"aum_before_1y"` // the assets that they begin with
	Before2            int64     `column:"aum_before_2y"`
	Before3            int64     `column:"aum_before_3y"`
	Before5            int64     `column:"aum_before_5y"`
	LatestAUM          int64     `column:"aum_latest"`         // the assets that all of them end with
	GrowthReasons      int64     `column:"aum_growth_reasons"` // see catalogapi.GrowthReason
}

// Fund is one fund as the index holds it: one row of catalog.funds, with tags as in GP.
type Fund struct {
	ID            int64     `column:"id"`
	FundID        string    `column:"fund_id"`
	AdviserCRD    string    `column:"adviser_crd,few"`
	Name          string    `column:"name"`
	State         string    `column:"state,few"`
	Country       string    `column:"country,few"`
	CountryCode   string    `column:"country_code,few"`
	Strategy      string    `column:"strategy,few"`
	VintageYear   int64     `column:"vintage_year"`
	Quality       string    `column:"vintage_quality,few"` // of the vintage: form_d, first_filing, list
	GAV           int64     `column:"gross_asset_value"`
	Owners        int64     `column:"beneficial_owners_count"`
	Is3C1         Tri       `column:"is_3c1"` // Any = not answered
	Is3C7         Tri       `column:"is_3c7"`
	IsMaster      Tri       `column:"is_master"`
	IsFeeder      Tri       `column:"is_feeder"`
	MasterFundID  string    `column:"master_fund_id,few"` // of a feeder
	Status        string    `column:"status,few"`
	Auditors      []string  `column:"auditors"`
	Audited       Tri       `column:"annual_audit"` // as filed when loaded; in the index Yes: an auditor is named; No: the filing states that the fund has no audit; Any: unknown
	Exemptions    []string  `column:"exemptions"`   // 506b, 506c
	FirstFiledOn  time.Time `column:"first_filed_on"`
	LatestFiledOn time.Time `column:"latest_filed_on"`
	ClosedOn      time.Time `column:"closed_on"`  // the first day on which a closed fund is known to be closed
	OfferedOn     time.Time `column:"offered_on"` // the day of the newest notice of an offering that is not sold out
	Minimum       int64     `column:"minimum_investment"`
}

// columnTag is the tag of a record's field: the column that it is loaded from.
const columnTag = "column"

// columns lists the columns that records of type R are loaded from, in the order of the fields, ready for a SELECT:
// a null number is @unknown.
func columns[R any]() string {
	var list []string
	for f := range reflect.TypeFor[R]().Fields() {
		column, _, _ := strings.Cut(f.Tag.Get(columnTag), ",")
		if f.Type.Kind() == reflect.Int64 {
			column = "coalesce(" + column + ", @unknown::bigint)"
		}
		list = append(list, column)
	}
	return strings.Join(list, ", ")
}

// scanInto returns the destinations that a row of columns is scanned into to fill record.
func scanInto[R any](record *R, in intern.Strings) []any {
	var targets []any
	v := reflect.ValueOf(record).Elem()
	for i := range v.NumField() {
		_, few, _ := strings.Cut(v.Type().Field(i).Tag.Get(columnTag), ",")
		switch p := v.Field(i).Addr().Interface().(type) {
		case *string:
			w := &word{to: p}
			if few == "few" {
				w.in = in
			}
			targets = append(targets, w)
		case *time.Time:
			targets = append(targets, (*date)(p))
		case *Tri:
			targets = append(targets, (*yesNo)(p))
		default:
			targets = append(targets, p)
		}
	}
	return targets
}

// word scans a text column, keeping one copy of each text unless in is nil; null becomes the empty string.
type word struct {
	in intern.Strings
	to *string
}

// ScanBytes takes the column's bytes, which are the driver's until the next row, and keeps a copy of its own.
func (w *word) ScanBytes(b []byte) error {
	switch {
	case b == nil:
		*w.to = ""
	case w.in == nil:
		*w.to = string(b)
	default:
		*w.to = *w.in.Keep(b)
	}
	return nil
}

// date scans a date; null becomes the zero time.
type date time.Time

// ScanDate takes the day.
func (d *date) ScanDate(v pgtype.Date) error {
	*d = date(v.Time)
	return nil
}

// yesNo scans a boolean; null becomes Any.
type yesNo Tri

// ScanBool takes the answer.
func (a *yesNo) ScanBool(v pgtype.Bool) error {
	*a = yesNo(*answer(v.Valid, v.Bool))
	return nil
}

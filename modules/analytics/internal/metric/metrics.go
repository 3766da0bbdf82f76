package metric

import (
	"gpatlas/modules/analytics/internal/ask"
	"gpatlas/modules/catalog/catalogapi"
)

// Metrics are the figures of one adviser. Null means that the filings do not give the figure.
type Metrics struct {
	AUMGrowth      AUMGrowth      `json:"aum_growth"`
	FundMetrics    FundMetrics    `json:"fund_metrics"`
	EmployeeGrowth EmployeeGrowth `json:"employee_growth"`
}

// AUMGrowth is how total_aum has grown.
type AUMGrowth struct {
	YoYPercent    *float64 `json:"yoy_percent" doc:"Change of total_aum from basis.year_before to basis.latest, in percent of the former, rounded to two decimals. Null if there is no filing to compare with, either value is unknown, or the base is zero." example:"11.11"`
	CAGR3YPercent *float64 `json:"cagr_3y_percent" doc:"Compound annual growth from basis.three_years_before to basis.latest: ((latest / before)^(1/3) - 1) * 100, rounded to two decimals, counted over three whole years. Null if there is no filing to compare with, either value is unknown, or the base is not positive." example:"10.06"`
}

// EmployeeGrowth is how the number of employees has grown.
type EmployeeGrowth struct {
	YoYPercent *float64 `json:"yoy_percent" doc:"Change of employee_count from basis.year_before to basis.latest, computed as for total_aum. Null for exempt reporting advisers, which do not file employees." example:"4.35"`
}

// Basis is the filings that growth compares, so that each figure can be worked out again.
type Basis struct {
	Latest           *BasisFiling `json:"latest" doc:"Newest filing of Form ADV. An ADV-W has no figures and does not count."`
	YearBefore       *BasisFiling `json:"year_before" doc:"Filing nearest to one year before the latest, at most 120 days off. If two are equally near, the later one. If several have the same day, the last one. Null if there is none."`
	ThreeYearsBefore *BasisFiling `json:"three_years_before" doc:"Same as year_before, for three years."`
}

// SchemaName is its name in the OpenAPI document.
func (Basis) SchemaName() string { return "MetricsBasis" }

// BasisFiling is one filing that growth compares, with what stood after it.
type BasisFiling struct {
	_ struct{} `nullable:"true"` // a pointer to it may be null: by default the schema says so of scalars alone

	AccessionNumber    string  `json:"accession_number" example:"ADV-900001-1912345"`
	FilingType         string  `json:"filing_type" enum:"ADV,ADV/A" example:"ADV/A"`
	FilingDate         string  `json:"filing_date" format:"date" example:"2026-03-28"`
	RegistrationStatus *string `json:"registration_status" enum:"registered,exempt_reporting" doc:"If it differs between two filings, total_aum has a different meaning in each." example:"registered"`
	TotalAUM           *int64  `json:"total_aum" doc:"USD. Value after the filing." example:"2500000000"`
	EmployeeCount      *int64  `json:"employee_count" doc:"Value after the filing." example:"48"`
}

// SchemaName is its name in the OpenAPI document.
func (BasisFiling) SchemaName() string { return "MetricsBasisFiling" }

// Compute works out the figures of an adviser that stands so, after a timeline whose last state it is.
func Compute(standing *catalogapi.Standing, timeline []catalogapi.AdviserState) (Metrics, Basis) {
	c := compare(timeline)
	return Metrics{
		AUMGrowth: AUMGrowth{
			YoYPercent:    c.yearly(func(s *catalogapi.AdviserState) *int64 { return s.TotalAUM }),
			CAGR3YPercent: c.cagr(func(s *catalogapi.AdviserState) *int64 { return s.TotalAUM }),
		},
		FundMetrics: fundMetrics(standing),
		EmployeeGrowth: EmployeeGrowth{
			YoYPercent: c.yearly(func(s *catalogapi.AdviserState) *int64 { return s.EmployeeCount }),
		},
	}, Basis{Latest: basisFiling(c.latest), YearBefore: basisFiling(c.yearBefore), ThreeYearsBefore: basisFiling(c.threeYearsBefore)}
}

func basisFiling(s *catalogapi.AdviserState) *BasisFiling {
	if s == nil {
		return nil
	}
	f := &BasisFiling{
		AccessionNumber: s.Filing.Accession, FilingType: s.Filing.FormType, FilingDate: ask.Day(s.Filing.FiledOn),
		TotalAUM: s.TotalAUM, EmployeeCount: s.EmployeeCount,
	}
	if s.Registration != "" {
		f.RegistrationStatus = &s.Registration
	}
	return f
}

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
	YoYPercent    *float64 `json:"yoy_percent" doc:"total_aum after basis.latest against that after basis.year_before, in percent of the latter, rounded to two decimals. Null where there is no filing to compare with, either is not known, or the base is zero." example:"11.11"`
	CAGR3YPercent *float64 `json:"cagr_3y_percent" doc:"Compound annual growth from basis.three_years_before to basis.latest: ((latest / before)^(1/3) - 1) * 100, rounded to two decimals, counted over three whole years. Null where there is no filing to compare with, either is not known, or the base is not positive." example:"10.06"`
}

// EmployeeGrowth is how the number of employees has grown.
type EmployeeGrowth struct {
	YoYPercent *float64 `json:"yoy_percent" doc:"employee_count after basis.latest against that after basis.year_before, as for total_aum. Exempt reporting advisers do not file employees: null." example:"4.35"`
}

// Basis is the filings that growth compares, so that each figure can be worked out again.
type Basis struct {
	Latest           *BasisFiling `json:"latest" doc:"The newest filing of Form ADV; an ADV-W brings no figures and does not count."`
	YearBefore       *BasisFiling `json:"year_before" doc:"The filing nearest to one year before the latest, at most 120 days off; of two as near the later, of several on its day the last. Null where there is none."`
	ThreeYearsBefore *BasisFiling `json:"three_years_before" doc:"The same, for three years."`
}

// SchemaName is its name in the OpenAPI document.
func (Basis) SchemaName() string { return "MetricsBasis" }

// BasisFiling is one filing that growth compares, with what stood after it.
type BasisFiling struct {
	_ struct{} `nullable:"true"` // a pointer to it may be null: by default the schema says so of scalars alone

	AccessionNumber    string  `json:"accession_number" example:"ADV-900001-1912345"`
	FilingType         string  `json:"filing_type" enum:"ADV,ADV/A" example:"ADV/A"`
	FilingDate         string  `json:"filing_date" format:"date" example:"2026-03-28"`
	RegistrationStatus *string `json:"registration_status" enum:"registered,exempt_reporting" doc:"Where it differs between two filings, total_aum has changed its meaning between them." example:"registered"`
	TotalAUM           *int64  `json:"total_aum" doc:"USD, after the filing." example:"2500000000"`
	EmployeeCount      *int64  `json:"employee_count" doc:"After the filing." example:"48"`
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

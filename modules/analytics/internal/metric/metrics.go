package metric

import (
	"gpatlas/modules/analytics/internal/ask"
	"gpatlas/modules/catalog/catalogapi"
)

// Metrics are the figures of one adviser. Null means that the filings do not give the figure.
type Metrics struct {
	AUMGrowth      AUMGrowth      `json:"aum_growth" doc:"Growth of the assets under management."`
	FundMetrics    FundMetrics    `json:"fund_metrics" doc:"Funds launched, and how often."`
	EmployeeGrowth EmployeeGrowth `json:"employee_growth" doc:"Growth of the number of employees."`
}

// AUMGrowth is how total_aum has grown.
type AUMGrowth struct {
	YoYPercent    *float64 `json:"yoy_percent" doc:"Growth of total_aum a year, from basis.year_before to basis.latest: ((latest / before)^(365 / days) - 1) * 100, where days is the number of days from yoy_from to yoy_to, rounded to two decimals. Null if yoy_reason is set." example:"11.11"`
	YoYReason     *string  `json:"yoy_reason" enum:"no_filing,registration_changed,basis_changed,unknown_value,not_positive" doc:"Why yoy_percent is null. no_filing: no filing is near enough. registration_changed: the manager was exempt at one filing and registered at the other. basis_changed: as before, but the registration at one filing is unknown. unknown_value: a filing does not state the value. not_positive: the earlier value is not above zero, or the later one is below zero. Null if there is a figure." example:"registration_changed"`
	YoYFrom       *string  `json:"yoy_from" format:"date" doc:"Date of basis.year_before. Null if there is none." example:"2025-03-28"`
	YoYTo         *string  `json:"yoy_to" format:"date" doc:"Date of basis.latest. Null if yoy_from is null." example:"2026-03-28"`
	CAGR3YPercent *float64 `json:"cagr_3y_percent" doc:"Compound annual growth of total_aum from basis.three_years_before to basis.latest: ((latest / before)^(365 / days) - 1) * 100, where days is the number of days from cagr_from to cagr_to, rounded to two decimals. Null if cagr_reason is set." example:"10.06"`
	CAGRReason    *string  `json:"cagr_reason" enum:"no_filing,registration_changed,basis_changed,unknown_value,not_positive" doc:"Why cagr_3y_percent is null, as in yoy_reason." example:"no_filing"`
	CAGRFrom      *string  `json:"cagr_from" format:"date" doc:"Date of basis.three_years_before. Null if there is none." example:"2023-03-30"`
	CAGRTo        *string  `json:"cagr_to" format:"date" doc:"Date of basis.latest. Null if cagr_from is null." example:"2026-03-28"`
}

// EmployeeGrowth is how the number of employees has grown.
type EmployeeGrowth struct {
	YoYPercent *float64 `json:"yoy_percent" doc:"Growth of employee_count a year, from basis.year_before to basis.latest, computed as for total_aum. Null if yoy_reason is set." example:"4.35"`
	YoYReason  *string  `json:"yoy_reason" enum:"no_filing,unknown_value,not_positive" doc:"Why yoy_percent is null, as for total_aum. Exempt reporting advisers do not file employees: unknown_value." example:"unknown_value"`
	YoYFrom    *string  `json:"yoy_from" format:"date" doc:"Date of basis.year_before. Null if there is none." example:"2025-03-28"`
	YoYTo      *string  `json:"yoy_to" format:"date" doc:"Date of basis.latest. Null if yoy_from is null." example:"2026-03-28"`
}

// none reports whether there is no figure at all.
//
// Spec: not shown; fund_count is the number that the manager's detail shows for free, so alone it costs nothing here.
func (m *Metrics) none() bool {
	f := &m.FundMetrics
	return m.AUMGrowth.YoYPercent == nil && m.AUMGrowth.CAGR3YPercent == nil && m.EmployeeGrowth.YoYPercent == nil &&
		f.AvgFundSizeUSD == nil && f.AvgFundSizeTrendPercent == nil && f.FundLaunchCadenceMonths == nil &&
		f.FirstVintage == nil && f.LatestVintage == nil
}

// Basis is the filings that growth compares, so that each figure can be checked.
type Basis struct {
	Latest           *BasisFiling `json:"latest" doc:"Newest filing of Form ADV that states the figures anew. An ADV-W has none and does not count. Nor does an amendment other than the annual one that repeats assets and employees: Form ADV does not ask to update them there."`
	YearBefore       *BasisFiling `json:"year_before" doc:"Of these filings, the one nearest to one year before the latest, at most 120 days off. If two are equally near, the later one. If several have the same day, the last one. Null if there is none."`
	ThreeYearsBefore *BasisFiling `json:"three_years_before" doc:"Same as year_before, for three years."`
}

// SchemaName is its name in the OpenAPI document.
func (Basis) SchemaName() string { return "MetricsBasis" }

// BasisFiling is one filing that growth compares, with the state after it.
type BasisFiling struct {
	_ struct{} `nullable:"true"` // a pointer to it may be null: by default the schema allows that for scalars only

	AccessionNumber    string  `json:"accession_number" doc:"Our identifier of the filing, as in /v1/gps/{crd}/filings." example:"ADV-900001-1912345"`
	FilingType         string  `json:"filing_type" enum:"ADV,ADV/A" doc:"Form of the filing." example:"ADV/A"`
	FilingDate         string  `json:"filing_date" format:"date" doc:"Day of the filing." example:"2026-03-28"`
	RegistrationStatus *string `json:"registration_status" enum:"registered,exempt_reporting" doc:"If it differs between two filings, total_aum has a different meaning in each." example:"registered"`
	TotalAUM           *int64  `json:"total_aum" doc:"USD. Value after the filing." example:"2500000000"`
	EmployeeCount      *int64  `json:"employee_count" doc:"Value after the filing." example:"48"`
}

// SchemaName is its name in the OpenAPI document.
func (BasisFiling) SchemaName() string { return "MetricsBasisFiling" }

// Compute calculates the figures of an adviser from a timeline whose last state is its present one.
func Compute(standing *catalogapi.AdviserWithFunds, timeline []catalogapi.AdviserState) (Metrics, Basis) {
	c := compare(timeline)
	year, three := newRate(catalogapi.AssetsGrowth(c.yearBefore, c.latest)), newRate(catalogapi.AssetsGrowth(c.threeYearsBefore, c.latest))
	staff := newRate(catalogapi.GrowthOf(c.yearBefore, c.latest, employees))
	return Metrics{
		AUMGrowth: AUMGrowth{
			YoYPercent: year.percent, YoYReason: year.reason, YoYFrom: year.from, YoYTo: year.to,
			CAGR3YPercent: three.percent, CAGRReason: three.reason, CAGRFrom: three.from, CAGRTo: three.to,
		},
		FundMetrics:    fundMetrics(standing, timeline),
		EmployeeGrowth: EmployeeGrowth{YoYPercent: staff.percent, YoYReason: staff.reason, YoYFrom: staff.from, YoYTo: staff.to},
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

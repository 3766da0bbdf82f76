package metric

import (
	"context"
	"net/http"

	"gpatlas/modules/analytics/internal/ask"
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/charge"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
)

// price of one request, in micro-dollars.
const price = 150_000

// GetInput asks for the metrics of an adviser.
type GetInput struct {
	catalogapi.GPPath
	ask.Moment
}

// GPMetrics is the response, which has no envelope.
type GPMetrics struct {
	GP      MetricsGP   `json:"gp" doc:"The manager."`
	Metrics Metrics     `json:"metrics" doc:"The figures. A figure that the filings do not allow is null, with a reason."`
	Meta    MetricsMeta `json:"meta" doc:"What the figures are computed from, and the price."`
}

// MetricsGP is the adviser's present state.
type MetricsGP struct {
	CRD           string `json:"crd" doc:"CRD number of the manager." example:"900001"`
	LegalName     string `json:"legal_name" doc:"Legal name (Form ADV, item 1.A)." example:"Harbor Ridge Capital Partners LLC"`
	TotalAUM      *int64 `json:"total_aum" doc:"USD: regulatory assets under management (Form ADV 5.F.(2)(c)); for exempt reporting advisers, which do not file them, the sum of their funds' gross asset values." example:"2500000000"`
	EmployeeCount *int64 `json:"employee_count" doc:"Employees, Form ADV 5.A." example:"48"`
}

// MetricsMeta describes the figures.
type MetricsMeta struct {
	CalculatedAt string         `json:"calculated_at" format:"date-time" doc:"Time of the calculation: now." example:"2026-04-02T06:00:12.000000Z"`
	DataSources  []string       `json:"data_sources" doc:"Kinds of documents that the figures are based on, sorted by name." example:"[\"Form ADV archive\",\"Form D\"]"`
	AsOf         string         `json:"as_of,omitempty" format:"date" doc:"Requested day. Absent if none was requested." example:"2025-06-30"`
	KnownAt      string         `json:"known_at,omitempty" format:"date-time" doc:"Requested time. Absent if none was requested." example:"2025-07-02T06:00:00.000000Z"`
	Basis        Basis          `json:"basis" doc:"The filings that the figures are computed from."`
	Pricing      charge.Pricing `json:"pricing" doc:"What the request costs, as the price list has it. X-Charge shows what this response cost."`
}

// Part is what the slice provides.
func (s *Service) Part() module.Part {
	return module.Part{Routes: Routes(s)}
}

// Routes are the operations on metrics.
//
// Spec: the contract dates each answer by the instant of its calculation, so no two are equal: an entity tag could never match,
// and none is sent. Figures from the index have the instant of the index instead, but these are calculated from the stored
// history each time, and an older instant would be wrong.
func Routes(s *Service) []httpapi.Route {
	return httpapi.Group([]httpapi.Route{
		httpapi.Get("/v1/gps/{crd}/metrics", "get-gp-metrics", s.handleGet,
			httpapi.Summary("Get growth metrics of a fund manager"), httpapi.Describe(getText),
			httpapi.Charge(price, charge.PerRequest), httpapi.Volatile(),
			httpapi.Errors(http.StatusNotFound, http.StatusServiceUnavailable)),
	}, httpapi.Tag("History and analytics"))
}

const getText = `Growth compares the values after the newest filing of Form ADV with the values after the filing nearest to one year (three years) before it, at most 120 days off, and is annualized by the days between the two: ((latest / before)^(365 / days) - 1) * 100. If two filings are equally near, the later one counts. If several have the same day, the last one counts. A Form ADV-W is not compared, nor is an amendment other than the annual one that repeats assets and employees. ` + "`meta.basis`" + ` shows the filings and their values, so that you can recompute each figure.

Each growth that is null has a reason: ` + "`no_filing`, `registration_changed`, `basis_changed`, `unknown_value` or `not_positive`" + `. ` + "`total_aum`" + ` changes its meaning when a manager registers. Before, it is the sum of the funds' gross asset values; after, it is the regulatory assets of Form ADV 5.F.(2)(c). The two are not compared.

The fund figures cover the funds that are not closed. The exception is ` + "`fund_launch_cadence_months`" + `, the mean time between the launches of all funds ever reported. ` + "`avg_fund_size_usd`" + ` covers the funds whose gross asset value is known. ` + "`avg_fund_size_trend_percent`" + ` compares that average in the newest third of the vintages with the oldest third, at the same age. Cadence and trend leave out feeders, as filed, and parallel vehicles, by their names.

With ` + "`as_of`" + ` and ` + "`known_at`" + `, the figures use the filings up to that time. The response is 404 if nothing had been filed. A response without any figure is not charged.`

func (s *Service) handleGet(ctx context.Context, in *GetInput) (*httpapi.Reply[GPMetrics], error) {
	at, err := in.Resolve(s.clock)
	if err != nil {
		return nil, err
	}
	r, err := s.Get(ctx, in.CRD, at)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[GPMetrics]{
		Body: GPMetrics{
			GP:      MetricsGP{CRD: r.GP.CRD, LegalName: r.GP.LegalName, TotalAUM: r.GP.TotalAUM, EmployeeCount: r.GP.EmployeeCount},
			Metrics: r.Metrics, Meta: s.meta(&r, at),
		},
		Free: r.Metrics.none(),
	}, nil
}

func (s *Service) meta(r *Result, at catalogapi.Moment) MetricsMeta {
	m := MetricsMeta{
		CalculatedAt: httpapi.FormatInstant(s.clock.Now()), DataSources: r.Sources, Basis: r.Basis, Pricing: charge.NewPricing(price, charge.PerRequest),
	}
	if !at.Day.IsZero() {
		m.AsOf = ask.Day(at.Day)
	}
	if !at.Known.IsZero() {
		m.KnownAt = httpapi.FormatInstant(at.Known)
	}
	return m
}

package quality

import (
	"context"
	"net/http"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/clock"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/jobs"
	"gpatlas/platform/module"
)

type (
	latestBody = httpapi.DataMeta[[]Figure, Meta]
	trendBody  = httpapi.DataMeta[[]Series, TrendMeta]
)

// Figure is the newest value of a metric.
type Figure struct {
	Metric    string   `json:"metric" doc:"Name of the metric." example:"aum_jumps"`
	Dimension *string  `json:"dimension" doc:"Field, reason or kind; null for the whole." example:"website"`
	Title     string   `json:"title" doc:"What it measures." example:"Share of GPs that filed in the last 31 days whose AUM jumped by more than ten times"`
	State     string   `json:"state" enum:"ok,alarm" doc:"alarm: the value is above the threshold." example:"ok"`
	Day       string   `json:"day" format:"date" doc:"Day of the value (UTC)." example:"2026-11-22"`
	Value     float64  `json:"value" doc:"Share of total, or the number of rows where there is no total." example:"0.0033"`
	Change    *float64 `json:"change" doc:"Change of the value since the day measured before; null without one." example:"0.0033"`
	Affected  int64    `json:"affected" doc:"Rows that the metric finds." example:"1"`
	Total     int64    `json:"total" doc:"Rows that it looks at; 0 where there is no share." example:"300"`
	Threshold *float64 `json:"threshold" doc:"Above it the metric raises an alert; null for never." example:"0.02"`
	Rows      []Row    `json:"rows" doc:"The first rows that it found, 10 at most. All: gpatlas admin quality METRIC."`
}

// SchemaName is its name in the OpenAPI document.
func (Figure) SchemaName() string { return "QualityMetric" }

// Meta is when the metrics were computed.
type Meta struct {
	ComputedAt *time.Time `json:"computed_at" doc:"When they were last computed (UTC); null if they never were." example:"2026-11-22T04:50:02.000000Z"`
	Alarms     int        `json:"alarms" doc:"Values above their threshold." example:"0"`
}

// SchemaName is its name in the OpenAPI document.
func (Meta) SchemaName() string { return "QualityMeta" }

// Series are the values of a metric by day.
type Series struct {
	Metric    string  `json:"metric" doc:"Name of the metric." example:"null_share"`
	Dimension *string `json:"dimension" doc:"Field, reason or kind; null for the whole." example:"website"`
	Points    []Point `json:"points" doc:"Values, the oldest first. Days on which nothing was measured are left out."`
}

// SchemaName is its name in the OpenAPI document.
func (Series) SchemaName() string { return "QualitySeries" }

// Point is the value of a day.
type Point struct {
	Day      string  `json:"day" format:"date" doc:"Day (UTC)." example:"2026-11-22"`
	Value    float64 `json:"value" doc:"Share of total, or the number of rows." example:"0.31"`
	Affected int64   `json:"affected" doc:"Rows that the metric found." example:"93"`
	Total    int64   `json:"total" doc:"Rows that it looked at." example:"300"`
}

// SchemaName is its name in the OpenAPI document.
func (Point) SchemaName() string { return "QualityPoint" }

// TrendMeta is the days of the series.
type TrendMeta struct {
	Days int    `json:"days" doc:"Number of days." example:"7"`
	From string `json:"from" format:"date" doc:"First day (UTC)." example:"2026-11-16"`
	To   string `json:"to" format:"date" doc:"Last day: today (UTC)." example:"2026-11-22"`
}

// SchemaName is its name in the OpenAPI document.
func (TrendMeta) SchemaName() string { return "QualityTrendMeta" }

// Part is what the slice offers.
func (s *Service) Part() module.Part {
	return module.Part{
		Routes: Routes(s), Models: []any{&row{}},
		Jobs: []jobs.Handler{{Type: Job, Queue: jobs.Low, Timeout: measureTimeout, Retries: 2, Run: func(ctx context.Context, _ []byte) error {
			return s.Measure(ctx)
		}}},
		Schedules: []jobs.Schedule{{Type: Job, Cron: "50 4 * * *", Bucket: jobs.Daily}},
	}
}

// Routes are the operations on quality.
func Routes(s *Service) []httpapi.Route {
	errors := httpapi.Errors(http.StatusUnauthorized, http.StatusForbidden, http.StatusServiceUnavailable)
	return httpapi.Group([]httpapi.Route{
		httpapi.Get("/v1/admin/dataops/quality", "get-quality", s.get, httpapi.Summary("Get the quality metrics"),
			httpapi.Describe("The newest value of each metric, with the first rows that it finds. Metrics are computed once a day and after ingestions."), errors),
		httpapi.Get("/v1/admin/dataops/quality/trends", "get-quality-trends", s.trends, httpapi.Summary("Get the quality metrics by day"),
			httpapi.Describe("One series for each metric and dimension, the oldest day first. Days (UTC) on which nothing was measured are left out."), errors),
	}, httpapi.Tag("Data operations"), httpapi.Grant(httpapi.Admin), httpapi.Volatile())
}

// TrendInput is for how many days the series are wanted.
type TrendInput struct {
	Days httpapi.Opt[int] `query:"days" minimum:"1" maximum:"90" example:"7" doc:"Days, today among them, 1 to 90 (default 7)."`
}

const defaultDays = 7

// Latest returns the newest value of each metric.
func (s *Service) Latest(ctx context.Context) ([]Figure, Meta, error) {
	list, err := s.store.latest(ctx)
	if err != nil {
		return nil, Meta{}, err
	}
	out, meta := []Figure{}, Meta{}
	for _, f := range list {
		m, ok := s.find(f.Metric)
		if !ok {
			continue
		}
		crossed, _ := m.crosses(f)
		said := Figure{
			Metric: f.Metric, Dimension: catalogapi.Text(f.Dimension), Title: m.Title, State: "ok", Day: f.Day.Format(time.DateOnly), Value: f.Value,
			Affected: f.Affected, Total: f.Total, Rows: f.Rows,
		}
		if f.Before != nil {
			said.Change = new(f.Value - *f.Before)
		}
		if m.Threshold >= 0 && (!m.summed || f.Dimension == "") {
			said.Threshold = &m.Threshold
		}
		if crossed {
			said.State = "alarm"
			meta.Alarms++
		}
		if meta.ComputedAt == nil || f.ComputedAt.After(*meta.ComputedAt) {
			meta.ComputedAt = &f.ComputedAt
		}
		out = append(out, said)
	}
	return out, meta, nil
}

func (s *Service) get(ctx context.Context, _ *struct{}) (*httpapi.Reply[latestBody], error) {
	list, meta, err := s.Latest(ctx)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[latestBody]{Body: latestBody{Data: list, Meta: meta}}, nil
}

func (s *Service) trends(ctx context.Context, in *TrendInput) (*httpapi.Reply[trendBody], error) {
	days, to := in.Days.Or(defaultDays), clock.Today(s.clock)
	from := to.AddDate(0, 0, 1-days)
	rows, err := s.store.since(ctx, from)
	if err != nil {
		return nil, err
	}
	series := []Series{}
	for i, r := range rows {
		if i == 0 || rows[i-1].Metric != r.Metric || rows[i-1].Dimension != r.Dimension {
			series = append(series, Series{Metric: r.Metric, Dimension: catalogapi.Text(r.Dimension), Points: []Point{}})
		}
		last := &series[len(series)-1]
		last.Points = append(last.Points, Point{r.Day.Format(time.DateOnly), r.Value, r.Affected, r.Total})
	}
	meta := TrendMeta{days, from.Format(time.DateOnly), to.Format(time.DateOnly)}
	return &httpapi.Reply[trendBody]{Body: trendBody{Data: series, Meta: meta}}, nil
}

package usage

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"gpatlas/platform/auth"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/httpapi"
)

// topEndpoints is how many endpoints a day lists.
const topEndpoints = 5

// Requests are counts of requests.
type Requests struct {
	Total      int64 `json:"total" doc:"All completed requests." example:"420"`
	Successful int64 `json:"successful" doc:"Requests that returned 2xx or 3xx." example:"415"`
	Failed     int64 `json:"failed" doc:"Requests that returned 4xx or 5xx, including requests over the limits." example:"5"`
}

// SchemaName is its name in the OpenAPI document.
func (Requests) SchemaName() string { return "UsageRequests" }

// Times are response times.
type Times struct {
	Avg *float64 `json:"avg" doc:"Mean, in milliseconds. Null if there are no requests." example:"3.42"`
	Min *float64 `json:"min" doc:"Minimum, in milliseconds. Null if there are no requests." example:"0.31"`
	Max *float64 `json:"max" doc:"Maximum, in milliseconds. Null if there are no requests." example:"91.5"`
	P95 *float64 `json:"p95" doc:"95th percentile, in milliseconds, estimated from counts in fixed steps to about 12 percent. Null if there are no requests." example:"8.7"`
}

// SchemaName is its name in the OpenAPI document.
func (Times) SchemaName() string { return "UsageTimes" }

// Named is an endpoint: its name, and its method and path.
//
// Spec: not shown how endpoints are named. Requests that reach no operation are counted under names of their own.
type Named struct {
	Endpoint string  `json:"endpoint" doc:"ID of the operation, as in the OpenAPI document. Requests that came to no operation: rate-limited (refused by the limits), unknown-path (no operation has this method and path), none (malformed)." example:"search-gps"`
	Method   *string `json:"method" doc:"Method of the operation. Null for requests that came to no operation, and for operations that no longer exist." example:"GET"`
	Path     *string `json:"path" doc:"Path of the operation. Null as method is." example:"/v1/gps"`
}

// Top is one of a day's most used endpoints.
type Top struct {
	Named

	RequestCount int64 `json:"request_count" doc:"Requests." example:"300"`
}

// SchemaName is its name in the OpenAPI document.
func (Top) SchemaName() string { return "UsageTopEndpoint" }

// Day is the usage of a day (UTC).
//
// Spec: the contract names the groups of figures of a day; date and the fields of top_endpoints are not shown.
type Day struct {
	Date         string   `json:"date" format:"date" doc:"Day in UTC." example:"2026-11-20"`
	Requests     Requests `json:"requests" doc:"Counts of requests."`
	Times        Times    `json:"response_times_ms" doc:"Response times in milliseconds."`
	TopEndpoints []Top    `json:"top_endpoints" doc:"Most used endpoints, at most five."`
}

// SchemaName is its name in the OpenAPI document.
func (Day) SchemaName() string { return "UsageDay" }

// Endpoint is the usage of one endpoint.
//
// Spec: request_count, avg_response_time_ms and success_rate are the contract's figures under names of our own.
type Endpoint struct {
	Named

	RequestCount int64   `json:"request_count" doc:"Requests." example:"300"`
	AvgTime      float64 `json:"avg_response_time_ms" doc:"Mean response time in milliseconds." example:"3.42"`
	SuccessRate  float64 `json:"success_rate" doc:"Percent of requests that returned 2xx or 3xx, to two decimals." example:"98.81"`
}

// SchemaName is its name in the OpenAPI document.
func (Endpoint) SchemaName() string { return "UsageEndpoint" }

// SpanMeta is the days that a response covers.
type SpanMeta struct {
	Days int    `json:"days" doc:"Number of days, including today." example:"7"`
	From string `json:"from" format:"date" doc:"First day (UTC)." example:"2026-11-14"`
	To   string `json:"to" format:"date" doc:"Last day (UTC), which is today." example:"2026-11-20"`
}

// SchemaName is its name in the OpenAPI document.
func (SpanMeta) SchemaName() string { return "UsageSpanMeta" }

// Summary is usage at a glance.
//
// Spec: the fields of GET /v1/usage are not shown.
type Summary struct {
	Today     Requests `json:"today" doc:"Requests since midnight UTC."`
	ThisMonth Requests `json:"this_month" doc:"Requests since the first day of the month, UTC."`
	AllTime   Requests `json:"all_time" doc:"Requests since the key was created."`
}

// SchemaName is its name in the OpenAPI document.
func (Summary) SchemaName() string { return "UsageSummary" }

// SummaryMeta is what a summary covers.
type SummaryMeta struct {
	KeyID *string `json:"key_id" format:"uuid" doc:"API key whose requests are counted. Null for a session that counts all keys of its account." example:"0190a5b2-7c41-4d6e-9a3f-1c2b3d4e5f60"`
	AsOf  string  `json:"as_of" format:"date-time" doc:"Time of this report. Requests of the last 10 seconds may be missing." example:"2026-11-20T10:00:00.000000Z"`
}

// SchemaName is its name in the OpenAPI document.
func (SummaryMeta) SchemaName() string { return "UsageSummaryMeta" }

// Service reports usage.
type Service struct {
	store *Store
	clock clock.Clock
}

// NewService makes a Service.
func NewService(store *Store, clk clock.Clock) *Service { return &Service{store: store, clock: clk} }

// span is the last days, today included.
func (s *Service) span(days int) (from, to time.Time, meta SpanMeta) {
	to = clock.Today(s.clock)
	from = to.AddDate(0, 0, 1-days)
	return from, to, SpanMeta{Days: days, From: from.Format(time.DateOnly), To: to.Format(time.DateOnly)}
}

// Daily returns the usage of each of the last days, the oldest first, including days without requests.
func (s *Service) Daily(ctx context.Context, caller *auth.Principal, days int) ([]Day, SpanMeta, error) {
	from, to, meta := s.span(days)
	of := scopeOf(caller)
	rows, err := s.store.days(ctx, of, from, to)
	if err != nil {
		return nil, meta, err
	}
	durations, err := s.store.histograms(ctx, of, from, to)
	if err != nil {
		return nil, meta, err
	}
	byDay := map[time.Time][]day{}
	for _, r := range rows {
		byDay[r.Day] = append(byDay[r.Day], r)
	}
	list := make([]Day, 0, days)
	for at := from; !at.After(to); at = at.AddDate(0, 0, 1) {
		list = append(list, s.dayOf(at, byDay[at], durations[at]))
	}
	return list, meta, nil
}

func (s *Service) dayOf(at time.Time, rows []day, durations []int64) Day {
	d := Day{Date: at.Format(time.DateOnly), TopEndpoints: make([]Top, 0, min(len(rows), topEndpoints))}
	var all day
	for _, r := range rows {
		if all.Requests == 0 || r.MinUS < all.MinUS {
			all.MinUS = r.MinUS
		}
		all.MaxUS = max(all.MaxUS, r.MaxUS)
		all.Requests += r.Requests
		all.Failed += r.Failed
		all.TotalUS += r.TotalUS
	}
	d.Requests = requests(all.Requests, all.Failed)
	if all.Requests > 0 {
		d.Times = Times{
			Avg: milliseconds(float64(all.TotalUS) / float64(all.Requests)), Min: milliseconds(float64(all.MinUS)),
			Max: milliseconds(float64(all.MaxUS)), P95: milliseconds(percentile95(durations, all.MinUS, all.MaxUS)),
		}
	}
	slices.SortFunc(rows, func(a, b day) int {
		return cmp.Or(cmp.Compare(b.Requests, a.Requests), cmp.Compare(a.Operation, b.Operation))
	})
	for _, r := range rows[:min(len(rows), topEndpoints)] {
		d.TopEndpoints = append(d.TopEndpoints, Top{Named: s.store.named(r.Operation), RequestCount: r.Requests})
	}
	return d
}

// Endpoints returns the usage of each endpoint in the last days, the most used first.
func (s *Service) Endpoints(ctx context.Context, caller *auth.Principal, days int) ([]Endpoint, SpanMeta, error) {
	from, to, meta := s.span(days)
	rows, err := s.store.days(ctx, scopeOf(caller), from, to)
	if err != nil {
		return nil, meta, err
	}
	sums := map[string]day{}
	for _, r := range rows {
		sum := sums[r.Operation]
		sum.Requests += r.Requests
		sum.Failed += r.Failed
		sum.TotalUS += r.TotalUS
		sums[r.Operation] = sum
	}
	list := make([]Endpoint, 0, len(sums))
	for name, sum := range sums {
		list = append(list, Endpoint{
			Named: s.store.named(name), RequestCount: sum.Requests, AvgTime: *milliseconds(float64(sum.TotalUS) / float64(sum.Requests)),
			SuccessRate: math.Round(float64(sum.Requests-sum.Failed)/float64(sum.Requests)*10_000) / 100,
		})
	}
	slices.SortFunc(list, func(a, b Endpoint) int {
		return cmp.Or(cmp.Compare(b.RequestCount, a.RequestCount), cmp.Compare(a.Endpoint, b.Endpoint))
	})
	return list, meta, nil
}

// Sum returns a summary of usage.
func (s *Service) Sum(ctx context.Context, caller *auth.Principal) (Summary, SummaryMeta, error) {
	now := s.clock.Now().UTC()
	of := scopeOf(caller)
	sums, err := s.store.totals(ctx, of, now.Truncate(24*time.Hour), database.Month(now))
	if err != nil {
		return Summary{}, SummaryMeta{}, err
	}
	return Summary{
		Today: requests(sums.Today, sums.TodayFailed), ThisMonth: requests(sums.Month, sums.MonthFailed),
		AllTime: requests(sums.All, sums.AllFailed),
	}, SummaryMeta{KeyID: of.keyID, AsOf: httpapi.FormatInstant(now)}, nil
}

func requests(total, failed int64) Requests {
	return Requests{Total: total, Successful: total - failed, Failed: failed}
}

// milliseconds of microseconds, to three decimals.
func milliseconds(us float64) *float64 {
	ms := math.Round(us) / 1000
	return &ms
}

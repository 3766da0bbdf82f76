package overview

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"time"

	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
)

type (
	dashboardBody = httpapi.Data[Dashboard]
	healthBody    = httpapi.Data[Health]
	sourcesBody   = httpapi.DataMeta[[]Source, Meta]
	schedulesBody = httpapi.Data[[]Scheduled]
)

// Meta counts the sources.
type Meta struct {
	Total int `json:"total" doc:"Configured sources." example:"6"`
}

// SchemaName is its name in the OpenAPI document.
func (Meta) SchemaName() string { return "DataSourceMeta" }

// Part is what the slice offers.
func (s *Service) Part() module.Part { return module.Part{Routes: Routes(s)} }

// Routes are the operations of the overview.
func Routes(s *Service) []httpapi.Route {
	errors := httpapi.Errors(http.StatusUnauthorized, http.StatusForbidden, http.StatusServiceUnavailable)
	return httpapi.Group([]httpapi.Route{
		httpapi.Get("/v1/admin/dataops/dashboard", "get-data-dashboard", s.dashboard, httpapi.Summary("Get the operators' dashboard"),
			httpapi.Describe("Everything at a glance: sources, documents of the last 24 hours, the latest extractions, the refresh queue, open alerts, quality, and the search index of the process that answers."), errors),
		httpapi.Get("/v1/admin/dataops/health", "get-data-health", s.health, httpapi.Summary("Get the health of the data"),
			httpapi.Describe("200 with `status` `ok`, `degraded` or `down`. Administrators are looked up in PostgreSQL: while it is stopped or hangs, this operation, as every "+
				"one for administrators, is 503. `GET /health` is about the service and needs no account."), errors),
		httpapi.Get("/v1/admin/dataops/sources", "list-data-sources", s.sources, httpapi.Summary("List the configured sources"),
			httpapi.Describe("Each source with its schedule, its last use, its last success and its state by the age of the data. Sources that are switched off are listed too."), errors),
		// Spec: not shown; operators need to know when a job runs next.
		httpapi.Get("/v1/admin/dataops/schedules", "list-schedules", s.schedules, httpapi.Summary("List the scheduled jobs"),
			httpapi.Describe("The schedules of the running workers, by job. The list is empty while no worker runs. The job of source `adv-monthly` is `dataops.ingest_adv_monthly`."), errors),
	}, httpapi.Tag("Data operations"), httpapi.Grant(httpapi.Admin), httpapi.Volatile())
}

func (s *Service) dashboard(ctx context.Context, _ *struct{}) (*httpapi.Reply[dashboardBody], error) {
	d, err := s.Dashboard(ctx)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[dashboardBody]{Body: dashboardBody{Data: d}}, nil
}

func (s *Service) health(ctx context.Context, _ *struct{}) (*httpapi.Reply[healthBody], error) {
	return &httpapi.Reply[healthBody]{Body: healthBody{Data: s.Health(ctx)}}, nil
}

// Scheduled is a job that workers run at certain times.
type Scheduled struct {
	Job  string     `json:"job" doc:"Type of the job." example:"dataops.ingest_adv_monthly"`
	Cron string     `json:"cron" doc:"When it runs: a cron expression in UTC." example:"15 7 * * *"`
	Next time.Time  `json:"next" doc:"When it runs next (UTC)." example:"2026-11-23T07:15:00.000000Z"`
	Last *time.Time `json:"last" doc:"When it last ran (UTC); null if it has not run since the worker started." example:"2026-11-22T07:15:00.000000Z"`
}

// SchemaName is its name in the OpenAPI document.
func (Scheduled) SchemaName() string { return "ScheduledJob" }

func (s *Service) schedules(context.Context, *struct{}) (*httpapi.Reply[schedulesBody], error) {
	out := []Scheduled{}
	if s.queues != nil {
		list, err := s.queues.Schedules()
		if err != nil {
			return nil, err
		}
		for _, each := range list {
			out = append(out, Scheduled{each.Type, each.Cron, each.Next, each.Last})
		}
		slices.SortFunc(out, func(a, b Scheduled) int { return cmp.Or(cmp.Compare(a.Job, b.Job), cmp.Compare(a.Cron, b.Cron)) })
	}
	return &httpapi.Reply[schedulesBody]{Body: schedulesBody{Data: out}}, nil
}

func (s *Service) sources(ctx context.Context, _ *struct{}) (*httpapi.Reply[sourcesBody], error) {
	list, err := s.Sources(ctx)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[sourcesBody]{Body: sourcesBody{Data: list, Meta: Meta{len(list)}}}, nil
}

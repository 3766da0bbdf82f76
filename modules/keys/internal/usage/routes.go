package usage

import (
	"context"
	"net/http"

	"gpatlas/platform/auth"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
)

type (
	summaryBody  = httpapi.DataMeta[Summary, SummaryMeta]
	dailyBody    = httpapi.DataMeta[[]Day, SpanMeta]
	endpointBody = httpapi.DataMeta[[]Endpoint, SpanMeta]
)

// Part is what the slice provides.
func (s *Service) Part() module.Part {
	return module.Part{Routes: Routes(s), Exporters: []module.Exporter{NewExporter(s.store)}}
}

// Routes are the operations on usage.
func Routes(s *Service) []httpapi.Route {
	return httpapi.Group([]httpapi.Route{
		httpapi.Get("/v1/usage", "get-usage", s.sum, httpapi.Summary("Get a usage summary"), httpapi.Describe(summaryText)),
		httpapi.Get("/v1/usage/daily", "get-daily-usage", s.daily, httpapi.Summary("Get usage by day"), httpapi.Describe(dailyText)),
		httpapi.Get("/v1/usage/endpoints", "get-endpoint-usage", s.endpoints, httpapi.Summary("Get usage by endpoint"), httpapi.Describe(endpointsText)),
	}, httpapi.Tag("Usage"), httpapi.Grant(httpapi.Key), httpapi.Volatile(), httpapi.BeyondDay(), httpapi.Errors(http.StatusUnauthorized, http.StatusServiceUnavailable))
}

const about = `Counts the API key of the request. A session sees all keys of its account. Requests appear at most 10 seconds late. Days are in UTC. This operation works even after the daily limit is reached.`

const summaryText = `Returns the requests of today, of this month and in total. ` + about

const dailyText = `Returns requests, response times and most used endpoints for each of the last days, oldest first. Days without requests are listed with null times. ` + about

const endpointsText = `Returns requests, mean response time and success rate for each endpoint in the last days, most used first. ` + about

// NoInput is an operation without parameters.
type NoInput struct{}

// DailyInput is the parameters of usage by day.
type DailyInput struct {
	Days int `query:"days" minimum:"1" maximum:"90" default:"7" doc:"Number of days, including today, 1 to 90 (default 7)." example:"7"`
}

// EndpointsInput is the parameters of usage by endpoint.
type EndpointsInput struct {
	Days int `query:"days" minimum:"1" maximum:"90" default:"30" doc:"Number of days, including today, 1 to 90 (default 30)." example:"30"`
}

func (s *Service) sum(ctx context.Context, _ *NoInput) (*httpapi.Reply[summaryBody], error) {
	data, meta, err := s.Sum(ctx, auth.From(ctx))
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[summaryBody]{Body: summaryBody{Data: data, Meta: meta}}, nil
}

func (s *Service) daily(ctx context.Context, in *DailyInput) (*httpapi.Reply[dailyBody], error) {
	data, meta, err := s.Daily(ctx, auth.From(ctx), in.Days)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[dailyBody]{Body: dailyBody{Data: data, Meta: meta}}, nil
}

func (s *Service) endpoints(ctx context.Context, in *EndpointsInput) (*httpapi.Reply[endpointBody], error) {
	data, meta, err := s.Endpoints(ctx, auth.From(ctx), in.Days)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[endpointBody]{Body: endpointBody{Data: data, Meta: meta}}, nil
}

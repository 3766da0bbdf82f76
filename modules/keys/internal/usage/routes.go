package usage

import (
	"context"
	"net/http"

	"gpatlas/platform/auth"
	"gpatlas/platform/httpapi"
)

type (
	summaryBody  = httpapi.DataMeta[Summary, SummaryMeta]
	dailyBody    = httpapi.DataMeta[[]Day, SpanMeta]
	endpointBody = httpapi.DataMeta[[]Endpoint, SpanMeta]
)

// Routes are the operations on usage.
func Routes(s *Service) []httpapi.Route {
	return httpapi.Group([]httpapi.Route{
		httpapi.Get("/v1/usage", "get-usage", s.sum, httpapi.Summary("Usage at a glance"), httpapi.Describe(summaryText)),
		httpapi.Get("/v1/usage/daily", "get-daily-usage", s.daily, httpapi.Summary("Usage by day"), httpapi.Describe(dailyText)),
		httpapi.Get("/v1/usage/endpoints", "get-endpoint-usage", s.endpoints, httpapi.Summary("Usage by endpoint"), httpapi.Describe(endpointsText)),
	}, httpapi.Tag("Usage"), httpapi.Grant(httpapi.Key), httpapi.Volatile(), httpapi.BeyondDay(), httpapi.Errors(http.StatusUnauthorized, http.StatusServiceUnavailable))
}

const about = `Of the API key making the request; a session sees all keys of its account together. Requests show up at most 10 seconds late. Days are those of UTC. It answers also when the requests of the day are used up.`

const summaryText = `Requests today, this month and in all. ` + about

const dailyText = `Requests, response times and most used endpoints of each of the last days, the oldest first; days without requests are listed, with null times. ` + about

const endpointsText = `Requests, mean response time and success rate of each endpoint in the last days, the most used first. ` + about

// NoInput is an operation without parameters.
type NoInput struct{}

// DailyInput is the parameters of usage by day.
type DailyInput struct {
	Days int `query:"days" minimum:"1" maximum:"90" default:"7" doc:"Days, today included: 1 to 90 (default 7)." example:"7"`
}

// EndpointsInput is the parameters of usage by endpoint.
type EndpointsInput struct {
	Days int `query:"days" minimum:"1" maximum:"90" default:"30" doc:"Days, today included: 1 to 90 (default 30)." example:"30"`
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

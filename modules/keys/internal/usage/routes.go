package usage

import (
	"context"
	"net/http"

	"gpatlas/platform/apperr"
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
	return module.Part{Routes: Routes(s), Exporters: []module.Exporter{module.Export("api_usage", s.store.exported)}}
}

// Routes are the operations on usage.
func Routes(s *Service) []httpapi.Route {
	return httpapi.Group([]httpapi.Route{
		httpapi.Get("/v1/usage", "get-usage", s.sum, httpapi.Summary("Get a usage summary"), httpapi.Describe(summaryText)),
		httpapi.Get("/v1/usage/daily", "get-daily-usage", s.daily, httpapi.Summary("Get usage by day"), httpapi.Describe(dailyText)),
		httpapi.Get("/v1/usage/endpoints", "get-endpoint-usage", s.endpoints, httpapi.Summary("Get usage by endpoint"), httpapi.Describe(endpointsText)),
	}, httpapi.Tag("Usage"), httpapi.Grant(httpapi.Key), httpapi.Volatile(), httpapi.BeyondDay(), httpapi.Errors(http.StatusUnauthorized, http.StatusServiceUnavailable))
}

const about = `Counts the API key of the request. A session sees all keys of its account together, or one of them. Requests appear at most 10 seconds late. Days are in UTC. This operation works even after the daily limit is reached.`

const summaryText = `Returns the requests of today, of this month and in total. ` + about

const dailyText = `Returns requests, response times and most used endpoints for each of the last days, oldest first. Days without requests are listed with null times. ` + about

const endpointsText = `Returns requests, mean response time and success rate for each endpoint in the last days, most used first. ` + about

// KeyInput chooses one key.
//
// Spec: not shown; key is ours. A session could otherwise not tell its keys apart.
type KeyInput struct {
	Key string `query:"key" pattern:"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$" patternDescription:"the ID of an API key" doc:"Only requests with this API key of the account. A key that is not the account's has no requests. Requests with an API key can send only its own ID." example:"0190a5b2-7c41-4d6e-9a3f-1c2b3d4e5f60"`
}

var errOtherKey = apperr.Invalid(apperr.FieldError{Field: "key", Message: "must be the ID of the API key of the request; only a session can choose another"})

// counted is whose requests are counted: a session that chooses a key sees what the key itself would see.
func (in *KeyInput) counted(ctx context.Context) (*auth.Principal, error) {
	caller := *auth.From(ctx)
	switch {
	case in.Key == "" || in.Key == caller.KeyID:
	case caller.Kind == auth.Key:
		return nil, errOtherKey
	default:
		caller.Kind, caller.KeyID = auth.Key, in.Key
	}
	return &caller, nil
}

// DailyInput is the parameters of usage by day.
type DailyInput struct {
	KeyInput
	Days int `query:"days" minimum:"1" maximum:"90" default:"7" doc:"Number of days, including today, 1 to 90 (default 7)." example:"7"`
}

// EndpointsInput is the parameters of usage by endpoint.
type EndpointsInput struct {
	KeyInput
	Days int `query:"days" minimum:"1" maximum:"90" default:"30" doc:"Number of days, including today, 1 to 90 (default 30)." example:"30"`
}

func (s *Service) sum(ctx context.Context, in *KeyInput) (*httpapi.Reply[summaryBody], error) {
	caller, err := in.counted(ctx)
	if err != nil {
		return nil, err
	}
	data, meta, err := s.Sum(ctx, caller)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[summaryBody]{Body: summaryBody{Data: data, Meta: meta}}, nil
}

func (s *Service) daily(ctx context.Context, in *DailyInput) (*httpapi.Reply[dailyBody], error) {
	caller, err := in.counted(ctx)
	if err != nil {
		return nil, err
	}
	data, meta, err := s.Daily(ctx, caller, in.Days)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[dailyBody]{Body: dailyBody{Data: data, Meta: meta}}, nil
}

func (s *Service) endpoints(ctx context.Context, in *EndpointsInput) (*httpapi.Reply[endpointBody], error) {
	caller, err := in.counted(ctx)
	if err != nil {
		return nil, err
	}
	data, meta, err := s.Endpoints(ctx, caller, in.Days)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[endpointBody]{Body: endpointBody{Data: data, Meta: meta}}, nil
}

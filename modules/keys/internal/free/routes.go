package free

import (
	"context"
	"math"
	"net/http"

	"gpatlas/platform/auth"
	"gpatlas/platform/charge"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
)

// Status is how many free calls an account has used.
//
// Spec: the contract names the four figures; their names, limit and applies are ours.
type Status struct {
	Applies        bool    `json:"applies" doc:"Whether calls are counted: the account pays for neither a plan nor an API tier." example:"true"`
	Limit          int64   `json:"limit" doc:"Free calls of an account in total. They do not renew." example:"1000"`
	TotalCallsUsed int64   `json:"total_calls_used" doc:"Calls with live keys that returned 2xx while calls were counted." example:"250"`
	CallsRemaining int64   `json:"calls_remaining" doc:"Free calls left." example:"750"`
	PercentageUsed float64 `json:"percentage_used" doc:"Percent of the free calls used, to two decimals." example:"25"`
	LimitExceeded  bool    `json:"limit_exceeded" doc:"Whether further calls return 402." example:"false"`
}

// SchemaName is its name in the OpenAPI document.
func (Status) SchemaName() string { return "FreeTierStatus" }

type statusBody = httpapi.Data[Status]

// Part is what the slice provides.
func (a *Allowance) Part() module.Part {
	return module.Part{Routes: Routes(a), Models: []any{row{}}, Exporters: []module.Exporter{{Name: "free_calls", For: a.ExportFor}}}
}

// Routes are the operations on free calls.
func Routes(a *Allowance) []httpapi.Route {
	return []httpapi.Route{
		httpapi.Get("/v1/billing/free-tier-status", "get-free-tier-status", a.status, httpapi.Grant(httpapi.Key), httpapi.Volatile(), httpapi.BeyondDay(),
			httpapi.Tag("Usage"), httpapi.Summary("Get the free-tier status"), httpapi.Describe(statusText),
			httpapi.Errors(http.StatusUnauthorized, http.StatusServiceUnavailable)),
	}
}

const statusText = `An account that pays for neither a plan nor an API tier has 1,000 calls with live keys in total. A call counts if it returns 2xx. Calls to the usage operations and to this operation do not count. Calls with test keys do not count. A call in progress counts as used until its response is known.`

// NoInput is an operation without parameters.
type NoInput struct{}

func (a *Allowance) status(ctx context.Context, _ *NoInput) (*httpapi.Reply[statusBody], error) {
	s, err := a.Status(ctx, auth.From(ctx))
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[statusBody]{Body: statusBody{Data: s}}, nil
}

// Status returns the caller's free calls.
func (a *Allowance) Status(ctx context.Context, caller *auth.Principal) (Status, error) {
	used, err := a.store.used(ctx, caller.UserID)
	if err != nil {
		return Status{}, err
	}
	applies := caller.FreeTier
	used = min(charge.FreeCalls, used)
	return Status{
		Applies: applies, Limit: charge.FreeCalls, TotalCallsUsed: used, CallsRemaining: charge.FreeCalls - used,
		PercentageUsed: math.Round(float64(used)/charge.FreeCalls*10_000) / 100, LimitExceeded: applies && used >= charge.FreeCalls,
	}, nil
}

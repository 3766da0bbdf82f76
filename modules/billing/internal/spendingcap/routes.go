package spendingcap

import (
	"context"
	"net/http"

	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
)

type body = httpapi.Data[Status]

// Part is what the slice provides.
func (s *Service) Part() module.Part { return module.Part{Routes: Routes(s)} }

// Routes are the operations on the caller's own spending cap.
func Routes(s *Service) []httpapi.Route {
	return httpapi.Group([]httpapi.Route{
		httpapi.Get("/v1/settings/spending-cap", "get-spending-cap", s.get,
			httpapi.Summary("Get the spending cap"), httpapi.Describe(getText)),
		httpapi.Put("/v1/settings/spending-cap", "set-spending-cap", s.putCap,
			httpapi.Summary("Set the spending cap"), httpapi.Describe(capText)),
		httpapi.Put("/v1/settings/spending-cap/alerts", "set-spending-alerts", s.putThresholds,
			httpapi.Summary("Set the thresholds of spending alerts"), httpapi.Describe(alertsText)),
	}, httpapi.Tag("Billing"), httpapi.Grant(httpapi.Login), httpapi.Volatile(),
		httpapi.Errors(http.StatusUnauthorized, http.StatusForbidden, http.StatusServiceUnavailable))
}

const getText = `The cap is checked in the transaction that writes a charge, so requests at the same time cannot exceed it together. A request that does not fit returns 402 with the code ` + "`spending_cap`" + `, and nothing is charged. Months are those of UTC; on the first day of a month, ` + "`spent`" + ` is 0 again. An account that has set nothing has no cap.

An account without an active subscription may be limited by the operator of the service, too (code ` + "`unbacked_limit`" + `). ` + "`limit`" + ` is the lower of the two, ` + "`limit_by`" + ` says which, and ` + "`remaining`" + ` is what is left of it.`

const capText = `Sets the cap to at least 10 USD, or removes it with ` + "`null`" + `. It applies from the next charge on. A cap below what is spent is allowed: then nothing more is charged in the month, and ` + "`remaining`" + ` is 0.`

const alertsText = `An email is sent when the month's charges reach a threshold, once for each threshold and month. The thresholds are sorted, and duplicates are merged. 0 is reached by the first charge of the month. An empty list turns the alerts off. Without a cap, none is sent. Raising the cap does not send an alert again.`

// CapInput is the body of a new cap.
type CapInput struct {
	Body struct {
		Cap *httpapi.Dollars `json:"cap" nullable:"true" minimum:"10" doc:"USD, at least 10, at most two decimals. Null for no cap." example:"100"`
	}
}

// AlertsInput is the body of new thresholds.
type AlertsInput struct {
	Body struct {
		Thresholds []int16 `json:"thresholds" maxItems:"100" minimum:"0" maximum:"100" doc:"Whole percent of the cap, 0 to 100, at most 10 different ones." example:"[50,80,100]"`
	}
}

// maxThresholds is how many different thresholds an account may have.
const maxThresholds = 10

func (s *Service) get(ctx context.Context, _ *struct{}) (*httpapi.Reply[body], error) {
	return reply(s.Get(ctx, auth.From(ctx).UserID))
}

func (s *Service) putCap(ctx context.Context, in *CapInput) (*httpapi.Reply[body], error) {
	return reply(s.SetCap(ctx, auth.From(ctx).UserID, in.Body.Cap))
}

func (s *Service) putThresholds(ctx context.Context, in *AlertsInput) (*httpapi.Reply[body], error) {
	different := map[int16]bool{}
	for _, percent := range in.Body.Thresholds {
		different[percent] = true
	}
	if len(different) > maxThresholds {
		return nil, apperr.Invalid(apperr.FieldError{Field: "thresholds", Message: "must have at most 10 different items"})
	}
	return reply(s.SetThresholds(ctx, auth.From(ctx).UserID, in.Body.Thresholds))
}

func reply(status Status, err error) (*httpapi.Reply[body], error) {
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[body]{Body: body{Data: status}}, nil
}

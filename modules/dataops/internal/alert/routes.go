package alert

import (
	"context"
	"net/http"
	"strings"

	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
	"gpatlas/platform/plaintext"
)

type (
	listBody = httpapi.DataMeta[[]Alert, Meta]
	oneBody  = httpapi.Data[Alert]
)

// Meta counts the alerts.
type Meta struct {
	Total int `json:"total" doc:"Alerts in all." example:"1"`
	Limit int `json:"limit" doc:"Maximum number of alerts in this response." example:"100"`
}

// SchemaName is its name in the OpenAPI document.
func (Meta) SchemaName() string { return "DataAlertMeta" }

// Part is what the slice offers.
func (s *Service) Part() module.Part { return module.Part{Routes: Routes(s), Models: []any{&row{}}} }

// Routes are the operations on alerts.
func Routes(s *Service) []httpapi.Route {
	const path = "/v1/admin/dataops/quality/alerts"
	changes := httpapi.Errors(http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusServiceUnavailable)
	return httpapi.Group([]httpapi.Route{
		httpapi.Get(path, "list-data-alerts", s.list, httpapi.Summary("List alerts about the data"),
			httpapi.Describe("The newest first. Of one kind, source and subject one alert is open at a time; `times` counts how often it was raised."),
			httpapi.Errors(http.StatusUnauthorized, http.StatusForbidden, http.StatusServiceUnavailable)),
		httpapi.Post(path+"/{alert_id}/acknowledge", "acknowledge-data-alert", s.acknowledge, httpapi.Summary("Acknowledge an alert"),
			httpapi.Describe("Say that you look at it. A second call by the same person changes nothing. An alert that another person has "+
				"acknowledged, or that is resolved, returns 409."), changes, httpapi.Refuses(errAcknowledged(17, 4))),
		httpapi.Post(path+"/{alert_id}/resolve", "resolve-data-alert", s.resolve, httpapi.Summary("Resolve an alert"),
			httpapi.Describe("Say why it is seen to. An alert need not be acknowledged before. A second call by the same person changes nothing. "+
				"An alert that another person has resolved, or that closed by itself, returns 409."), changes, httpapi.Refuses(errResolved(17, 4))),
	}, httpapi.Tag("Data operations"), httpapi.Grant(httpapi.Admin), httpapi.Volatile())
}

// ListInput selects alerts.
type ListInput struct {
	UnresolvedOnly httpapi.Opt[bool] `query:"unresolved_only" example:"true" doc:"Leave out resolved alerts (default true)."`
	Limit          httpapi.Opt[int]  `query:"limit" minimum:"1" maximum:"500" example:"100" doc:"Alerts to return, 1 to 500 (default 100)."`
}

// Path names an alert.
type Path struct {
	AlertID int64 `path:"alert_id" minimum:"1" doc:"ID of the alert." example:"17"`
}

// ResolveInput is the body of a resolution.
type ResolveInput struct {
	Path

	Body struct {
		// Spec: not shown; a resolution needs a reason.
		Reason string `json:"reason" minLength:"1" maxLength:"1000" doc:"Why it is seen to." example:"The regulator confirmed the list."`
	}
}

const defaultLimit = 100

func (s *Service) list(ctx context.Context, in *ListInput) (*httpapi.Reply[listBody], error) {
	limit := in.Limit.Or(defaultLimit)
	list, total, err := s.store.List(ctx, in.UnresolvedOnly.Or(true), limit)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[listBody]{Body: listBody{Data: list, Meta: Meta{total, limit}}}, nil
}

func (s *Service) acknowledge(ctx context.Context, in *Path) (*httpapi.Reply[oneBody], error) {
	return reply(s.Acknowledge(ctx, in.AlertID, auth.From(ctx).UserID))
}

func (s *Service) resolve(ctx context.Context, in *ResolveInput) (*httpapi.Reply[oneBody], error) {
	reason := strings.TrimSpace(in.Body.Reason)
	if message := plaintext.LineFault(reason); message != "" {
		return nil, apperr.Invalid(apperr.FieldError{Field: "reason", Message: message})
	}
	return reply(s.Resolve(ctx, in.AlertID, auth.From(ctx).UserID, reason))
}

func reply(a *Alert, err error) (*httpapi.Reply[oneBody], error) {
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[oneBody]{Body: oneBody{Data: *a}}, nil
}

package activity

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/httpapi"
)

// Service answers what has happened to watched GPs.
type Service struct {
	store *store
	clock clock.Clock
	log   *slog.Logger
}

// NewService works on db.
func NewService(db *database.DB, clk clock.Clock, log *slog.Logger) *Service {
	return &Service{store: &store{db}, clock: clk, log: log}
}

type body = httpapi.DataMeta[[]Event, Meta]

// Routes are the operations on the feed.
func Routes(s *Service) []httpapi.Route {
	return httpapi.Group([]httpapi.Route{
		httpapi.Get("/v1/me/activity", "list-activity", s.list, httpapi.Paged(),
			httpapi.Summary("What has happened to the watched GPs"), httpapi.Describe(text),
			httpapi.Errors(http.StatusUnauthorized, http.StatusForbidden, http.StatusServiceUnavailable)),
	}, httpapi.Tag("Watchlist"), httpapi.Grant(httpapi.Login), httpapi.Volatile())
}

const text = "The newest first. `new_filing`: a Form ADV, its amendment (ADV/A), or a notice of Form D for a fund of the GP. `new_fund`: a fund that a filing of the GP reports for the first time.\n\nEvents have the day of the filing, not of its processing: what was published late comes in at its own day, and `processed_at` says when it came. The past of a GP is there as soon as it is watched.\n\nA failure is 500 with a `detail` that begins with `Failed to load activity feed: `."

// ListInput is the parameters of the feed.
type ListInput struct {
	Types  httpapi.Opt[string] `query:"types" example:"new_filing,new_fund" doc:"Types of events with commas between them: new_filing, new_fund (default all)."`
	Limit  int                 `query:"limit" minimum:"1" maximum:"100" default:"50" example:"50" doc:"Events to return, 1 to 100."`
	Offset int                 `query:"offset" minimum:"0" maximum:"1000000000" default:"0" example:"0" doc:"Events to skip."`
	Since  httpapi.Opt[string] `query:"since" example:"2026-11-01T00:00:00Z" doc:"Events from this instant on: ISO 8601 date and time, UTC unless it says otherwise; a day is its beginning (default 30 days ago)."`
}

// Meta is the remarks on a page of the feed.
type Meta struct {
	Total         int       `json:"total" doc:"Events in all." example:"1"`
	Limit         int       `json:"limit" doc:"Most events in this answer." example:"50"`
	Offset        int       `json:"offset" doc:"Events skipped." example:"0"`
	TypesIncluded []Type    `json:"types_included" doc:"The types that were asked for." example:"[\"new_filing\",\"new_fund\"]"`
	Since         time.Time `json:"since" doc:"From when on (UTC)." example:"2026-11-01T00:00:00Z"`
}

// SchemaName is its name in the OpenAPI document.
func (Meta) SchemaName() string { return "ActivityMeta" }

func (s *Service) list(ctx context.Context, in *ListInput) (*httpapi.Reply[body], error) {
	var faults []apperr.FieldError
	types, fault := parseTypes(in.Types.Value, in.Types.Set)
	if fault != nil {
		faults = append(faults, *fault)
	}
	since, fault := parseSince(in.Since.Value, in.Since.Set, s.clock.Now())
	if fault != nil {
		faults = append(faults, *fault)
	}
	if faults != nil {
		return nil, apperr.Invalid(faults...)
	}
	q := question{user: auth.From(ctx).UserID, types: map[Type]bool{}, since: since, limit: in.Limit, offset: in.Offset}
	for _, t := range types {
		q.types[t] = true
	}
	events, total, err := s.store.events(ctx, q)
	if err != nil {
		return s.failed(ctx, err)
	}
	return &httpapi.Reply[body]{
		Body: body{Data: events, Meta: Meta{Total: total, Limit: in.Limit, Offset: in.Offset, TypesIncluded: types, Since: since}},
		Page: &httpapi.Page{Total: total, Limit: in.Limit, Offset: in.Offset},
	}, nil
}

// failure is how the sentence about a failure begins, as the contract fixes it.
const failure = "Failed to load activity feed: "

// failed answers a failure with the one text of a 500 that callers may read: a cause of our own wording, never the error's.
// It is logged here, for what is answered by a reply is no failure to httpapi. A request that has been given up is one.
func (s *Service) failed(ctx context.Context, err error) (*httpapi.Reply[body], error) {
	if errors.Is(err, context.Canceled) {
		return nil, err
	}
	cause := "an internal error"
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		cause = "it took too long"
	case apperr.From(err).Kind == apperr.KindUnavailable:
		cause = "the database is not reachable at the moment"
	}
	s.log.LogAttrs(ctx, slog.LevelError, "request failed", slog.String("operation", "list-activity"), slog.Any("error", err))
	problem, err := json.Marshal(httpapi.Problem{Detail: failure + cause})
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[body]{Status: http.StatusInternalServerError, Raw: problem}, nil
}

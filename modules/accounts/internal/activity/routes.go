package activity

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
)

// Service answers the feed.
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

// Part is what the slice provides.
func (s *Service) Part() module.Part {
	return module.Part{Routes: Routes(s)}
}

// Routes are the operations on the feed.
func Routes(s *Service) []httpapi.Route {
	return httpapi.Group([]httpapi.Route{
		httpapi.Get("/v1/me/activity", "list-activity", s.list, httpapi.Paged(),
			httpapi.Summary("List news about watched GPs"), httpapi.Describe(text),
			httpapi.Errors(http.StatusUnauthorized, http.StatusForbidden, http.StatusServiceUnavailable)),
	}, httpapi.Tag("Watchlist"), httpapi.Grant(httpapi.Login), httpapi.Volatile())
}

const text = `Newest first. ` + "`new_filing`" + `: a Form ADV, its amendment (ADV/A), or a Form D or its amendment (D/A) for a fund of the GP. ` + "`new_fund`" + `: a fund that a filing of the GP reports for the first time. On request: ` + "`aum_change`" + `: the assets under management have changed. ` + "`fund_close`" + `: the newest list of the GP's funds does not name the fund any more. ` + "`personnel_change`" + `: a person has come, has left or has another role. These three are those of GET /v1/changes, and begin with its log.

` + "`event_date`" + ` is the date of the filing, and ` + "`since`" + ` uses it. ` + "`known_at`" + ` is the time when the event became known to GP Atlas: filings are published late and not in the order of their dates. Events are sorted by this time. To list what was loaded since a time, of any date, send ` + "`known_since`" + `. Past events of a GP appear as soon as you watch it.

To poll, send ` + "`next_cursor`" + ` of the last response as ` + "`cursor`" + `. While ` + "`has_more`" + ` is true, the next response continues with older events. After that, it contains the events that became known since, of any date. No event is skipped or repeated, even if data are loaded in the meantime. If you watch a GP later, a cursor already in use returns only its new events.

A failure is 500 with a ` + "`detail`" + ` that begins with ` + "`Failed to load activity feed: `" + `.`

// ListInput is the parameters of the feed.
type ListInput struct {
	Types  httpapi.Opt[string] `query:"types" example:"new_filing,new_fund" doc:"Event types, separated by commas: new_filing, new_fund, aum_change, fund_close, personnel_change. Default: new_filing,new_fund. With a cursor, the types of the cursor apply."`
	Limit  int                 `query:"limit" minimum:"1" maximum:"100" default:"50" example:"50" doc:"Events to return, 1 to 100."`
	Offset int                 `query:"offset" minimum:"0" maximum:"1000000000" default:"0" example:"0" doc:"Events to skip. A cursor does the same without repeating events. The two cannot be combined."`
	Since  httpapi.Opt[string] `query:"since" example:"2026-11-01T00:00:00.000000Z" doc:"Only events whose event_date is this time or later. ISO 8601 date and time, UTC if it has no offset. A date means its beginning. Default: 30 days ago, or no limit with known_since. Cannot be combined with a cursor."`
	// Spec: not shown; without it, data that was loaded late would be seen only by polling.
	KnownSince httpapi.Opt[string] `query:"known_since" example:"2026-11-01T00:00:00.000000Z" doc:"Only events that became known to GP Atlas at this time or later, of any date. Written as since. Cannot be combined with a cursor."`
	Cursor     httpapi.Opt[string] `query:"cursor" example:"eyJsIjowLCJ0IjpbIm5ld19maWxpbmciLCJuZXdfZnVuZCJdfQ" doc:"Where to continue: next_cursor of an earlier response, unchanged."`
}

// Meta describes a page of the feed.
//
// Spec: the contract names total, limit, offset and types_included.
type Meta struct {
	Total         int        `json:"total" doc:"All events. With a cursor, the events left from there." example:"1"`
	Limit         int        `json:"limit" doc:"Maximum number of events in this response." example:"50"`
	Offset        int        `json:"offset" doc:"Events skipped." example:"0"`
	TypesIncluded []Type     `json:"types_included" doc:"Requested types." example:"[\"new_filing\",\"new_fund\"]"`
	Since         *time.Time `json:"since" doc:"Earliest event_date of the listed events (UTC). Null with a cursor, and with known_since alone: no limit." example:"2026-11-01T00:00:00.000000Z"`
	KnownSince    *time.Time `json:"known_since" doc:"Earliest known_at of the listed events (UTC). Null if known_since was not sent." example:"2026-11-01T00:00:00.000000Z"`
	HasMore       bool       `json:"has_more" doc:"True if older events are left; next_cursor returns them." example:"false"`
	NextCursor    string     `json:"next_cursor" doc:"Opaque. Send it as cursor to continue. Never empty; does not expire." example:"eyJsIjoxMiwidCI6WyJuZXdfZmlsaW5nIiwibmV3X2Z1bmQiXX0"`
}

// question checks the parameters.
func (in *ListInput) question(now time.Time) (question, error) {
	var faults []apperr.FieldError
	note := func(fault *apperr.FieldError) {
		if fault != nil {
			faults = append(faults, *fault)
		}
	}
	q := question{limit: in.Limit, offset: in.Offset}
	var fault *apperr.FieldError
	q.types, fault = parseTypes(in.Types.Value, in.Types.Set)
	note(fault)
	if !in.Cursor.Set {
		if in.Since.Set {
			at, fault := parseInstant("since", in.Since.Value)
			note(fault)
			q.since = &at
		} else if !in.KnownSince.Set {
			q.since = new(now.Add(-window).UTC())
		}
		if in.KnownSince.Set {
			at, fault := parseInstant("known_since", in.KnownSince.Value)
			note(fault)
			q.knownSince = &at
		}
	} else {
		q.cursor, fault = parseCursor(in.Cursor.Value)
		note(fault)
		if in.Since.Set {
			note(&apperr.FieldError{Field: "since", Message: "cannot be combined with cursor"})
		}
		if in.KnownSince.Set {
			note(&apperr.FieldError{Field: "known_since", Message: "cannot be combined with cursor"})
		}
		if in.Offset != 0 {
			note(&apperr.FieldError{Field: "offset", Message: "cannot be combined with cursor"})
		}
		if q.cursor != nil && in.Types.Set && q.types != nil && !slices.Equal(q.types, q.cursor.Types) {
			note(&apperr.FieldError{Field: "types", Message: "must be the types of the request that returned the cursor, or be left out"})
		}
	}
	if faults != nil {
		return question{}, apperr.Invalid(faults...)
	}
	if q.cursor != nil {
		q.types, q.since = q.cursor.Types, q.cursor.Since
	}
	return q, nil
}

// SchemaName is its name in the OpenAPI document.
func (Meta) SchemaName() string { return "ActivityMeta" }

func (s *Service) list(ctx context.Context, in *ListInput) (*httpapi.Reply[body], error) {
	q, err := in.question(s.clock.Now())
	if err != nil {
		return nil, err
	}
	q.user = auth.From(ctx).UserID
	found, err := s.store.events(ctx, q)
	if err != nil {
		return s.failed(ctx, err)
	}
	meta := Meta{
		Total: found.total, Limit: in.Limit, Offset: in.Offset, TypesIncluded: q.types, HasMore: found.more, NextCursor: found.next.String(),
	}
	reply := &httpapi.Reply[body]{Body: body{Data: found.events, Meta: meta}}
	if q.cursor == nil {
		reply.Body.Meta.Since, reply.Body.Meta.KnownSince = q.since, q.knownSince
		reply.Page = &httpapi.Page{Total: found.total, Limit: in.Limit, Offset: in.Offset}
	}
	return reply, nil
}

// failure is the beginning of the message about a failure, which the contract fixes.
const failure = "Failed to load activity feed: "

// failed answers a failure with the only 500 text that callers may read: a cause in our words, never the error's. It is logged
// here, because httpapi does not treat a reply as a failure. A canceled request is returned as an error.
func (s *Service) failed(ctx context.Context, err error) (*httpapi.Reply[body], error) {
	if errors.Is(err, context.Canceled) {
		return nil, err
	}
	cause := "an internal error"
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		cause = "it took too long"
	case apperr.From(err).Kind == apperr.KindUnavailable:
		cause = "the database is unavailable"
	}
	s.log.LogAttrs(ctx, slog.LevelError, "request failed", slog.String("operation", "list-activity"), slog.Any("error", err))
	problem, err := json.Marshal(httpapi.Problem{Detail: failure + cause})
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[body]{Status: http.StatusInternalServerError, Raw: problem}, nil
}

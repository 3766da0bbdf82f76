package changefeed

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/changes"
	"gpatlas/platform/httpapi"
)

// mostCRDs is how many GPs a request may name.
const mostCRDs = 200

// ListInput is the parameters of the feed.
type ListInput struct {
	Cursor       httpapi.Opt[string] `query:"cursor" maxLength:"100" doc:"Where to continue: next_cursor of an earlier response, unchanged. Without cursor, since and from, the feed begins now: the first response is empty and has a cursor." example:"cur_2nYd0b7XQ1mZyX9x3QY6jgAAAAAAABor"`
	Since        httpapi.Opt[string] `query:"since" doc:"Only events that were written to the log at this time or later. ISO 8601 date and time with an offset. Cannot be combined with cursor or from." example:"2026-11-14T06:00:00Z"`
	From         httpapi.Opt[string] `query:"from" enum:"oldest" doc:"oldest: begin with the oldest event of the log." example:"oldest"`
	Kind         httpapi.Opt[string] `query:"kind" maxLength:"400" doc:"Kinds of events, separated by commas: see GET /v1/changes/kinds. Default: all." example:"aum_change,new_fund"`
	CRD          httpapi.Opt[string] `query:"crd" maxLength:"2300" doc:"Only events of these GPs: CRD numbers, separated by commas, at most 200." example:"900001,900002"`
	FundID       httpapi.Opt[string] `query:"fund_id" doc:"Only events of this fund." example:"805-0000000012"`
	Watchlist    bool                `query:"watchlist" default:"false" doc:"Only events of the GPs on your watchlist, as it is now. Needs an API key or a session." example:"false"`
	CollectionID httpapi.Opt[string] `query:"collection_id" format:"uuid" doc:"Only events of the GPs in this collection of yours, as it is now. Needs an API key or a session." example:"6f1c2e0a-6a3b-4a52-9a55-0d6f0c1b2a3d"`
	Limit        int                 `query:"limit" minimum:"1" maximum:"1000" default:"100" doc:"Events to return, 1 to 1,000." example:"100"`
	Wait         int                 `query:"wait" minimum:"0" maximum:"30" default:"0" doc:"Seconds to wait for an event if there is none yet, 0 to 30. Needs an API key or a session." example:"0"`
	Accept       string              `header:"Accept" doc:"text/event-stream: a stream of server-sent events. It ends after 50 seconds; Last-Event-ID continues it." example:"application/json"`
	LastEventID  httpapi.Opt[string] `header:"Last-Event-ID" maxLength:"100" doc:"The ID of the last event of a stream, which browsers send when they connect again. It is used instead of cursor, since and from." example:"cur_2nYd0b7XQ1mZyX9x3QY6jgAAAAAAABor"` //nolint:tagliatelle // the spelling of the standard
}

// question is a checked request.
type question struct {
	cursor *changes.Cursor
	since  *time.Time
	oldest bool
	filter changes.Filter
	stream bool
}

// eventStream is the media type of server-sent events.
const eventStream = "text/event-stream"

var uuidForm = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// Faults are the parameters at fault.
func (in *ListInput) Faults() (faults []apperr.FieldError) {
	note := func(field, message string) {
		faults = append(faults, apperr.FieldError{Field: field, Message: message})
	}
	if in.Cursor.Set {
		if _, err := changes.ParseCursor(in.Cursor.Value); err != nil {
			note("cursor", err.Error())
		}
	}
	if in.LastEventID.Set && in.LastEventID.Value != "" {
		if _, err := changes.ParseCursor(in.LastEventID.Value); err != nil {
			note("Last-Event-ID", err.Error())
		}
	}
	if in.Since.Set {
		if _, err := time.Parse(time.RFC3339, in.Since.Value); err != nil {
			note("since", "must be an ISO 8601 date and time with an offset such as 2026-11-01T00:00:00Z; write the + of an offset as %2B")
		}
		if in.Cursor.Set {
			note("since", "cannot be combined with cursor")
		}
	}
	if in.From.Set && (in.Cursor.Set || in.Since.Set) {
		note("from", "cannot be combined with cursor or since")
	}
	for _, kind := range list(in.Kind) {
		if !slices.Contains(names, kind) {
			note("kind", "must be kinds of GET /v1/changes/kinds, separated by commas"+httpapi.DidYouMean(kind, names))
			break
		}
	}
	crds := list(in.CRD)
	if len(crds) > mostCRDs {
		note("crd", "must be at most "+strconv.Itoa(mostCRDs)+" CRD numbers")
	} else if slices.ContainsFunc(crds, func(crd string) bool { return !catalogapi.IsCRD(crd) }) {
		note("crd", "must be CRD numbers (1 to 10 digits, without leading zeros), separated by commas")
	}
	if in.FundID.Set && !catalogapi.IsFundID(in.FundID.Value) {
		note("fund_id", "must be a Fund ID such as 805-0000000012")
	}
	if in.CollectionID.Set && !uuidForm.MatchString(in.CollectionID.Value) {
		note("collection_id", "must be the ID of a collection")
	}
	return faults
}

// list reads a list that is separated by commas.
func list(text httpapi.Opt[string]) []string {
	if !text.Set {
		return nil
	}
	out := strings.Split(text.Value, ",")
	for i := range out {
		out[i] = strings.TrimSpace(out[i])
	}
	return out
}

// question checks the parameters and reads the caller's lists.
func (s *Service) question(ctx context.Context, in *ListInput) (question, error) {
	if faults := in.Faults(); faults != nil {
		return question{}, apperr.Invalid(faults...)
	}
	q := question{oldest: in.From.Set, filter: changes.Filter{Kinds: list(in.Kind), CRDs: list(in.CRD), Subject: in.FundID.Value}}
	q.stream = accepts(in.Accept)
	caller := auth.From(ctx)
	for _, x := range []struct {
		asked bool
		name  string
	}{{in.Wait > 0, "wait"}, {in.Watchlist, "watchlist"}, {in.CollectionID.Set, "collection_id"}, {q.stream, "a stream"}} {
		if x.asked && caller.UserID == 0 {
			return q, apperr.New(apperr.KindUnauthenticated, "%s needs an API key or the access token of a session: send Authorization: Bearer", x.name)
		}
	}
	switch last := in.LastEventID; {
	case last.Set && last.Value != "":
		c, _ := changes.ParseCursor(last.Value)
		q.cursor, q.oldest = &c, false
	case in.Cursor.Set:
		c, _ := changes.ParseCursor(in.Cursor.Value)
		q.cursor = &c
	case in.Since.Set:
		at, _ := time.Parse(time.RFC3339, in.Since.Value)
		q.since = &at
	}
	if in.Watchlist {
		crds, err := s.store.watched(ctx, caller.UserID)
		if err != nil {
			return q, err
		}
		q.filter.CRDs = both(q.filter.CRDs, crds)
	}
	if in.CollectionID.Set {
		crds, ok, err := s.store.collected(ctx, caller.UserID, in.CollectionID.Value)
		if err != nil {
			return q, err
		}
		if !ok {
			return q, apperr.NotFound("Collection not found")
		}
		q.filter.CRDs = both(q.filter.CRDs, crds)
	}
	return q, nil
}

// both returns the GPs that are in both lists; nil is all GPs. The result is never nil.
func both(some, others []string) []string {
	if some == nil {
		return append([]string{}, others...)
	}
	return slices.DeleteFunc(slices.Clone(some), func(crd string) bool { return !slices.Contains(others, crd) })
}

// accepts reports whether the caller asks for a stream of events: the media type must be named.
func accepts(accept string) bool {
	for part := range strings.SplitSeq(accept, ",") {
		kind, _, _ := strings.Cut(part, ";")
		if strings.EqualFold(strings.TrimSpace(kind), eventStream) {
			return true
		}
	}
	return false
}

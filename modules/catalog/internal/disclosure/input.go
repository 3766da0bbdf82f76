package disclosure

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/platform/httpapi"
)

// Input is the parameters of the list.
type Input struct {
	EventType      httpapi.Opt[string]       `query:"event_type" example:"regulatory,criminal" doc:"Kinds of events: disciplinary, regulatory, civil or criminal. Separate several with commas."`
	DisclosedAfter httpapi.Opt[httpapi.Date] `query:"disclosed_after" example:"2025-01-01" doc:"The first loaded filing that reports the event is of this day or later."`
	EventAfter     httpapi.Opt[httpapi.Date] `query:"event_after" example:"2015-01-01" doc:"The matter was initiated, first charged or filed on this day or later. Events without a date never match."`
	State          httpapi.Opt[string]       `query:"state" example:"CA" doc:"US states of the managers' main offices at present, by code or name. Separate several with commas."`
	Strategy       httpapi.Opt[string]       `query:"strategy" example:"hedge" doc:"Primary strategies of the managers at present, or an alias. Separate several with commas."`
	CRD            httpapi.Opt[string]       `query:"crd" example:"998243" doc:"CRD numbers of managers, at most 50. Separate several with commas."`
	MinAmount      httpapi.Opt[int64]        `query:"min_amount" minimum:"0" example:"1000" doc:"Minimum monetary amount, USD. Unknown amounts never match."`
	IncludePast    httpapi.Opt[bool]         `query:"include_past" example:"true" doc:"True: also events that the manager's newest complete filing does not report any more. Default: events that it reports."`
	Sort           httpapi.Opt[string]       `query:"sort" enum:"disclosed,event,amount" example:"amount" doc:"Order: newest disclosure first (disclosed, the default), newest event first (event), largest monetary amount first (amount). Unknown values come last."`
	Cursor         httpapi.Opt[string]       `query:"cursor" doc:"next_cursor of the page before, with the same filters and sort."`
	Limit          httpapi.Opt[int]          `query:"limit" minimum:"1" maximum:"100" example:"25" doc:"Rows to return, 1 to 100 (default 25)."`
}

// query is what a page asks for.
type query struct {
	types, states, strategies, crds []string // nil = all
	disclosed, event                time.Time
	minAmount                       *int64
	past                            bool
	order                           string
	key                             func(e *index.Disclosure) int64 // of the order
	limit                           int
	after                           *listing.Place // the last row of the page before
}

// keys are the values that the list is sorted by, the largest first.
var keys = map[string]func(e *index.Disclosure) int64{
	"disclosed": func(e *index.Disclosure) int64 { return e.DisclosedAt.Unix() },
	"event": func(e *index.Disclosure) int64 {
		if e.EventDate.IsZero() {
			return index.Unknown
		}
		return e.EventDate.Unix()
	},
	"amount": func(e *index.Disclosure) int64 { return e.Amount },
}

// read checks the parameters.
func (in *Input) read() (q query, applied *listing.Applied, err error) {
	var c listing.Check
	q = query{
		types:  c.Choices(catalogapi.EventTypes...)("event_type", in.EventType),
		states: c.States("state", in.State), strategies: c.Strategies("strategy", in.Strategy, "", httpapi.Opt[string]{}).Any, crds: c.CRDs(listing.MaxValues)("crd", in.CRD),
		minAmount: c.Range("min_amount", in.MinAmount, "", httpapi.Opt[int64]{}).Min, past: c.Tri("include_past", in.IncludePast) == index.Yes,
		order: in.Sort.Or("disclosed"), limit: in.Limit.Or(25),
	}
	q.key = keys[q.order]
	c.Days("disclosed_after", in.DisclosedAfter, "", httpapi.Opt[httpapi.Date]{})
	c.Days("event_after", in.EventAfter, "", httpapi.Opt[httpapi.Date]{})
	q.disclosed, q.event = in.DisclosedAfter.Value.Time, in.EventAfter.Value.Time
	c.Cursor(in.Cursor, q.order, func(parts []string) bool {
		after, err := listing.ReadPlace(parts)
		q.after = &after
		return err == nil
	})
	return q, &c.Applied, c.Err()
}

// asks reports whether the filters by the event itself let it through.
func (q *query) asks(e *index.Disclosure) bool {
	return (q.past || e.LapsedAt.IsZero()) &&
		(q.types == nil || slices.Contains(q.types, string(e.Type))) &&
		(q.crds == nil || slices.Contains(q.crds, e.CRD)) &&
		!e.DisclosedAt.Before(q.disclosed) && (q.event.IsZero() || !e.EventDate.Before(q.event)) &&
		(q.minAmount == nil || e.Amount != index.Unknown && e.Amount >= *q.minAmount)
}

// of reports whether the filters by managers let one through.
func (q *query) of(g *index.GP) bool {
	return (q.states == nil || slices.Contains(q.states, strings.ToUpper(g.State))) && (q.strategies == nil || slices.Contains(q.strategies, g.PrimaryStrategy))
}

// at is where an event stands.
func (q *query) at(e *index.Disclosure) listing.Place {
	return listing.Place{Key: q.key(e), ID: e.EventID}
}

func compare(a, b listing.Place) int {
	return cmp.Or(cmp.Compare(b.Key, a.Key), strings.Compare(a.ID, b.ID))
}

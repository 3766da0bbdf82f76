package regulatory

import (
	"context"
	"net/http"
	"strings"
	"time"

	"gpatlas/modules/analytics/internal/ask"
	"gpatlas/platform/apperr"
	"gpatlas/platform/charge"
	"gpatlas/platform/httpapi"
)

// price of one request, in micro-dollars.
const price = 500_000

// ListInput asks for the regulatory events of an adviser.
//
// Spec: not shown; the contract lists disciplinary, regulatory, civil and all for the parameter, and criminal among the
// kinds of events: criminal can be asked for, too.
type ListInput struct {
	ask.GP
	EventType    httpapi.Opt[string]       `query:"event_type" enum:"disciplinary,regulatory,civil,criminal,all" example:"regulatory" doc:"Events of this kind only (default all)."`
	AfterDate    httpapi.Opt[httpapi.Date] `query:"after_date" example:"2020-01-01" doc:"Events of this day or later (YYYY-MM-DD, not in the future). One without a date counts as of the day on which it was disclosed."`
	ForceRefresh httpapi.Opt[bool]         `query:"force_refresh" example:"false" doc:"Ask the sources again, whatever is remembered (default false). It costs the same."`
}

// Events is the answer's body.
type Events struct {
	CRD         string        `json:"crd" example:"900001"`
	FirmName    string        `json:"firm_name" example:"Harbor Ridge Capital Partners LLC"`
	Events      []Event       `json:"events"`
	TotalEvents int           `json:"total_events" doc:"Of those that the parameters let through." example:"2"`
	NotItemised []NotItemised `json:"not_itemised" doc:"What a source counts without telling; of all kinds and dates."`
	LastChecked string        `json:"last_checked" format:"date-time" doc:"When the sources were asked; with several, the longest ago." example:"2026-11-21T06:00:12Z"`
}

// SchemaName is its name in the OpenAPI document.
func (Events) SchemaName() string { return "RegulatoryEvents" }

// EventsMeta is the remarks on the answer.
type EventsMeta struct {
	Source             string         `json:"source" doc:"Sources of the answer, separated by commas: form_adv, iapd." example:"form_adv"`
	CacheStatus        CacheStatus    `json:"cache_status" enum:"hit,miss,bypass,stale" doc:"hit = remembered for less than 24 hours, miss = asked now, bypass = asked now because of force_refresh, stale = the last answer of a source that is away." example:"hit"`
	CacheExpires       string         `json:"cache_expires" format:"date-time" doc:"Until when the answer is served without asking again; not in the future when it is stale." example:"2026-11-22T06:00:12Z"`
	UnavailableSources []string       `json:"unavailable_sources" doc:"Sources that are away and of which nothing is remembered: their events are missing." example:"[]"`
	Pricing            charge.Pricing `json:"pricing"`
}

// SchemaName is its name in the OpenAPI document.
func (EventsMeta) SchemaName() string { return "RegulatoryEventsMeta" }

type listBody = httpapi.DataMeta[Events, EventsMeta]

// Routes are the operations on regulatory events.
//
// Spec: not shown; the answer carries an entity tag. From the cache it is the same byte for byte until it is asked for
// anew, so that a caller who looks again within the day with If-None-Match gets a 304, which is free; whatever was asked
// now differs in last_checked.
func Routes(s *Service) []httpapi.Route {
	return httpapi.Group([]httpapi.Route{
		httpapi.Get("/v1/gps/{crd}/regulatory", "list-gp-regulatory-events", s.handleList,
			httpapi.Summary("Disciplinary, regulatory, civil and criminal events of a fund manager"), httpapi.Describe(listText),
			httpapi.Charge(price, "request"),
			httpapi.Errors(http.StatusNotFound, http.StatusServiceUnavailable)),
	}, httpapi.Tag("History and analytics"))
}

const listText = `What the manager has had to disclose in Form ADV, item 11, the newest first: matters of the firm itself and of its advisory affiliates, told apart in ` + "`filed_against`" + `. Every filing repeats them; each is listed once, as the newest filing that reports it tells it, with the first (` + "`disclosed_at`" + `). Matters that the newest filing does not report any more (pages may be removed after ten years, or when an affiliate leaves) stay in the list, marked ` + "`no_longer_reported`" + `.

Actions of self-regulatory organisations (FINRA, exchanges) are ` + "`disciplinary`" + `, those of other regulators ` + "`regulatory`" + `.

Answers are remembered for 24 hours, or until a newer filing of the manager is loaded; ` + "`force_refresh`" + ` asks again. Where the regulator's public firm search is configured, its events are joined to those of the filings. When a source is away its last answer is served, marked ` + "`stale`" + `. An answer without events costs nothing.`

// Get checks the parameters and gives the report's part that they ask for.
func (s *Service) Get(ctx context.Context, in *ListInput) (*Report, error) {
	after, limited := in.AfterDate.Get()
	now := s.clock.Now().UTC()
	if limited && after.After(now) {
		return nil, apperr.Invalid(apperr.FieldError{
			Field: "after_date", Message: "must not be in the future; today is " + now.Format(time.DateOnly) + " (UTC)",
		})
	}
	r, err := s.Report(ctx, in.CRD, in.ForceRefresh.Or(false))
	if err != nil {
		return nil, err
	}
	// Spec: not shown; after_date itself is in the range: who asks for what came after a day's look must not miss what came
	// later on that day.
	from := ""
	if limited {
		from = after.String()
	}
	events := []Event{}
	for _, e := range r.Events {
		if kind := in.EventType.Or("all"); (kind == "all" || string(e.EventType) == kind) && e.day() >= from {
			events = append(events, e)
		}
	}
	r.Events = events
	return r, nil
}

func (s *Service) handleList(ctx context.Context, in *ListInput) (*httpapi.Reply[listBody], error) {
	r, err := s.Get(ctx, in)
	if err != nil {
		return nil, err
	}
	counted := r.NotItemised
	if counted == nil {
		counted = []NotItemised{}
	}
	return &httpapi.Reply[listBody]{
		Body: listBody{
			Data: Events{
				CRD: r.CRD, FirmName: r.FirmName, Events: r.Events, TotalEvents: len(r.Events), NotItemised: counted,
				LastChecked: ask.Instant(r.CheckedAt),
			},
			Meta: EventsMeta{
				Source: strings.Join(r.Sources, ","), CacheStatus: r.Status, CacheExpires: ask.Instant(r.Expires),
				UnavailableSources: r.Unavailable, Pricing: charge.NewPricing(price, "request"),
			},
		},
		Free: len(r.Events) == 0,
	}, nil
}

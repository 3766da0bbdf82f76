package regulatory

import (
	"context"
	"net/http"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/apperr"
	"gpatlas/platform/charge"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
	"gpatlas/platform/moment"
)

// price of one request, in micro-dollars.
const price = 500_000

// ListInput asks for the regulatory events of an adviser.
//
// Spec: not shown; the contract lists disciplinary, regulatory, civil and all for the parameter, and criminal among the
// kinds of events: criminal can be asked for, too.
type ListInput struct {
	catalogapi.GPPath
	EventType    httpapi.Opt[string]       `query:"event_type" enum:"disciplinary,regulatory,civil,criminal,all" example:"disciplinary" doc:"Only events of this type (default all)."`
	AfterDate    httpapi.Opt[httpapi.Date] `query:"after_date" example:"2020-01-01" doc:"Only events of this day or later (YYYY-MM-DD, not in the future). An event without a date counts on the day of its disclosure."`
	ForceRefresh httpapi.Opt[bool]         `query:"force_refresh" example:"false" doc:"Bypass the cache and query the sources again (default false). The charge is the same."`
}

// Events is the answer's body.
type Events struct {
	CRD         string        `json:"crd" doc:"CRD number of the manager." example:"900001"`
	FirmName    string        `json:"firm_name" doc:"Legal name of the manager (Form ADV, item 1.A)." example:"Harbor Ridge Capital Partners LLC"`
	Events      []Event       `json:"events" doc:"The events, the newest first. Empty: no event is itemized; see stated and not_itemized before you read that as \"none\"."`
	TotalEvents int           `json:"total_events" doc:"Number of events in the list. Events are unknown if stated is false." example:"2"`
	NotItemized []NotItemized `json:"not_itemized" doc:"Events that a source counts without details, of all types and dates."`
	LastChecked string        `json:"last_checked" format:"date-time" doc:"When the sources were queried. With several sources, the earliest time." example:"2026-11-21T06:00:12.000000Z"`
	// Spec: not shown; events and total_events are not null, because clients read a list and a number there.
	Stated bool    `json:"stated" doc:"True if a source states the disclosures of the manager: without events there are none. False if none does, for example because only a roster lists the manager: events are then unknown." example:"true"`
	Reason *string `json:"reason" nullable:"true" doc:"Why events are unknown. Null if they are stated."`
}

// SchemaName is its name in the OpenAPI document.
func (Events) SchemaName() string { return "RegulatoryEvents" }

// EventsMeta describes the answer.
type EventsMeta struct {
	Source             string         `json:"source" doc:"Sources of the response, separated by commas: form_adv, iapd. Empty if no source states the disclosures of the manager." example:"form_adv"`
	CacheStatus        CacheStatus    `json:"cache_status" enum:"hit,miss,bypass,stale" doc:"hit = cached for less than 24 hours, miss = queried now, bypass = queried now because of force_refresh, stale = the last response of a source that is unavailable." example:"hit"`
	CacheExpires       string         `json:"cache_expires" format:"date-time" doc:"Until when the response is served from the cache. Not in the future if it is stale." example:"2026-11-22T06:00:12.000000Z"`
	UnavailableSources []string       `json:"unavailable_sources" doc:"Unavailable sources without a cached response. Their events are missing." example:"[]"`
	Pricing            charge.Pricing `json:"pricing" doc:"What the request costs, as the price list has it. X-Charge shows what this response cost."`
}

// SchemaName is its name in the OpenAPI document.
func (EventsMeta) SchemaName() string { return "RegulatoryEventsMeta" }

type listBody = httpapi.DataMeta[Events, EventsMeta]

// Part is what the slice provides.
func (s *Service) Part() module.Part {
	return module.Part{Routes: Routes(s), Models: []any{rememberedRow{}, affiliateRow{}}}
}

// Routes are the operations on regulatory events.
//
// Spec: not shown; the response has an entity tag. From the cache it is identical byte for byte, so a caller who repeats the
// request within the day with If-None-Match gets a 304, which is free; a new answer differs in last_checked.
func Routes(s *Service) []httpapi.Route {
	return httpapi.Group([]httpapi.Route{
		httpapi.Get("/v1/gps/{crd}/regulatory", "list-gp-regulatory-events", s.handleList,
			httpapi.Summary("List regulatory events of a fund manager"), httpapi.Describe(listText),
			httpapi.Charge(price, "request"),
			httpapi.Errors(http.StatusNotFound, http.StatusServiceUnavailable)),
	}, httpapi.Tag("History and analytics"))
}

const listText = `Lists the disciplinary, regulatory, civil and criminal events that the manager disclosed in Form ADV, item 11. Newest first. Events of the firm and of its advisory affiliates are distinguished in ` + "`filed_against`" + `. Every filing repeats them. Each event is listed once, as reported in the newest filing that contains it, with the date of the first one (` + "`disclosed_at`" + `). Events that the newest filing does not report any more (pages may be removed after ten years, or when an affiliate leaves) stay in the list and have ` + "`no_longer_reported`" + `.

Actions of self-regulatory organizations (FINRA, exchanges) are ` + "`disciplinary`" + `. Actions of other regulators are ` + "`regulatory`" + `.

Responses are cached for 24 hours, or until a newer filing of the manager is loaded. ` + "`force_refresh`" + ` bypasses the cache. If the regulator's public firm search is configured, its events are merged with those of the filings. If a source is unavailable, its last response is served, marked ` + "`stale`" + `. A response that has neither events nor ` + "`not_itemized`" + ` is not charged.`

// Get checks the parameters and returns the requested part of the report.
func (s *Service) Get(ctx context.Context, in *ListInput) (*Report, error) {
	after, limited := in.AfterDate.Get()
	if faults := moment.Future("after_date", after.Time, s.clock.Now()); faults != nil {
		return nil, apperr.Invalid(faults...)
	}
	r, err := s.Report(ctx, in.CRD, in.ForceRefresh.Or(false))
	if err != nil {
		return nil, err
	}
	// Spec: not shown; after_date itself is in the range: a caller who asks for news since a day must not miss what came later
	// on that day.
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
	counted := r.NotItemized
	if counted == nil {
		counted = []NotItemized{}
	}
	return &httpapi.Reply[listBody]{
		Body: listBody{
			Data: Events{
				CRD: r.CRD, FirmName: r.FirmName, Events: r.Events, TotalEvents: len(r.Events), NotItemized: counted,
				Stated: r.Stated, Reason: unstated(r.Stated), LastChecked: httpapi.FormatInstant(r.CheckedAt),
			},
			Meta: EventsMeta{
				Source: strings.Join(r.Sources, ","), CacheStatus: r.Status, CacheExpires: httpapi.FormatInstant(r.Expires),
				UnavailableSources: r.Unavailable, Pricing: charge.NewPricing(price, "request"),
			},
		},
		Free: len(r.Events) == 0 && len(counted) == 0,
	}, nil
}

// unstated is the reason why events are unknown; nil if they are stated.
func unstated(stated bool) *string {
	if stated {
		return nil
	}
	return new("No loaded Form ADV of this manager, or not its newest, states the disclosures of all kinds, so there may be others")
}

package hiring

import (
	"context"
	"net/http"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/apperr"
	"gpatlas/platform/charge"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/moment"
)

// price of one request, in micro-dollars.
const price = 100_000

const defaultLimit = 50

// Input asks for the open positions of an adviser.
type Input struct {
	catalogapi.GPPath
	Role        httpapi.Opt[string]       `query:"role" enum:"partner,md,vp,associate,analyst" example:"associate" doc:"Only positions of this role (default all)."`
	Department  httpapi.Opt[string]       `query:"department" enum:"investment,operations,ir,legal,finance" example:"investment" doc:"Only positions of this department (default all)."`
	PostedAfter httpapi.Opt[httpapi.Date] `query:"posted_after" example:"2026-01-01" doc:"Only positions posted on this day (UTC) or later (YYYY-MM-DD, not in the future)."`
	Limit       httpapi.Opt[int]          `query:"limit" minimum:"1" maximum:"100" example:"50" doc:"Positions to return, 1 to 100 (default 50). Newest first."`
}

// Filters are the filters as they were applied.
type Filters struct {
	Role        *string `json:"role" nullable:"true" doc:"The role asked for. Null: not sent." example:"associate"`
	Department  *string `json:"department" nullable:"true" doc:"The department asked for. Null: not sent." example:"investment"`
	PostedAfter *string `json:"posted_after" nullable:"true" format:"date" doc:"Only positions posted on this day or later. Null: not sent." example:"2026-01-01"`
	Limit       int     `json:"limit" doc:"Most positions in the response." example:"50"`
}

// SchemaName is its name in the OpenAPI document.
func (Filters) SchemaName() string { return "HiringFilters" }

// Meta describes the positions.
type Meta struct {
	Returned   int            `json:"returned" doc:"Positions in this response." example:"1"`
	Total      int            `json:"total" doc:"Positions that match the filters." example:"1"`
	Configured bool           `json:"configured" doc:"Whether a job board of the manager is configured. If not, nothing is known of its positions." example:"true"`
	Velocity   Velocity       `json:"hiring_velocity" doc:"How many positions the manager opens in 30 days, whatever the filters."`
	AsOf       *string        `json:"as_of" nullable:"true" format:"date-time" doc:"When the boards were last read. With several boards, the earliest time." example:"2026-11-21T18:41:09.000000Z"`
	Sources    []Source       `json:"sources" doc:"Job boards of the manager."`
	Filters    Filters        `json:"filters_applied" doc:"The filters, as they were understood."`
	Pricing    charge.Pricing `json:"pricing" doc:"What the request costs, as the price list has it. X-Charge shows what this response cost."`
}

// SchemaName is its name in the OpenAPI document.
func (Meta) SchemaName() string { return "HiringMeta" }

type body = httpapi.DataMeta[[]Posting, Meta]

// Routes are the slice's operations.
func Routes(s *Service) []httpapi.Route {
	return []httpapi.Route{
		httpapi.Get("/v1/gps/{crd}/hiring", "list-gp-hiring", s.handle,
			httpapi.Summary("List open positions of a fund manager"), httpapi.Describe(text), httpapi.Tag("People"),
			httpapi.Grant(httpapi.Login), httpapi.KeyToo(), httpapi.Charge(price, charge.PerRequest),
			httpapi.Errors(http.StatusUnauthorized, http.StatusNotFound, http.StatusServiceUnavailable)),
	}
}

const text = `Lists the positions that are open on the manager's public job boards (Greenhouse, Lever, Ashby), and how fast the manager hires. Newest first. The operator of the service configures the boards. They are read once a day.

` + "`meta.hiring_velocity`" + ` is null until the boards have been observed for 30 days. If no board is configured, ` + "`meta.configured`" + ` is false. A response without positions is not charged, unless ` + "`meta.hiring_velocity`" + ` has a figure: it covers all positions, whatever the filters.`

// handle answers from the last listings.
//
// Spec: not shown; closed positions are not listed, but count in the velocity. posted_after itself is in the range. A manager
// without a board gets an empty list, not 404, because the manager exists.
func (s *Service) handle(ctx context.Context, in *Input) (*httpapi.Reply[body], error) {
	after, limited := in.PostedAfter.Get()
	if faults := moment.Future("posted_after", after.Time, s.clock.Now()); faults != nil {
		return nil, apperr.Invalid(faults...)
	}
	st, err := s.read(ctx, in.CRD)
	if err != nil {
		return nil, err
	}
	limit := in.Limit.Or(defaultLimit)
	filters := Filters{Role: in.Role.Ptr(), Department: in.Department.Ptr(), Limit: limit}
	if limited {
		filters.PostedAfter = catalogapi.Text(after.String())
	}
	matching := []Posting{}
	for i := range st.postings {
		p := &st.postings[i]
		if has(p.Role, filters.Role) && has(p.Department, filters.Department) && (!limited || !p.PostedAt.Before(after.Time)) {
			matching = append(matching, *p)
		}
	}
	sources := make([]Source, len(st.boards))
	for i := range st.boards {
		sources[i] = st.boards[i].shown()
	}
	if len(sources) == 0 {
		st.velocity.Reason = catalogapi.Text(noBoard)
	}
	page := matching[:min(limit, len(matching))]
	return &httpapi.Reply[body]{
		Body: body{Data: page, Meta: Meta{
			Returned: len(page), Total: len(matching), Configured: len(sources) > 0, Velocity: st.velocity, AsOf: instant(st.asOf),
			Sources: sources, Filters: filters, Pricing: charge.NewPricing(price, charge.PerRequest),
		}},
		Free: len(st.postings) == 0 && st.velocity.Openings == nil, // the velocity is sold too, whatever the filters find
	}, nil
}

// has reports whether a posting matches a filter; nil matches everything.
func has(value, wanted *string) bool {
	return wanted == nil || value != nil && *value == *wanted
}

package diff

import (
	"context"
	"net/http"

	"gpatlas/modules/analytics/internal/ask"
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/apperr"
	"gpatlas/platform/charge"
	"gpatlas/platform/clock"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
	"gpatlas/platform/moment"
)

// priceMicros is the price of a request in micro-dollars: that of the change records.
const priceMicros = 250_000

// Service compares.
type Service struct {
	history catalogapi.History
	clock   clock.Clock
	pricing charge.Pricing
}

// NewService makes the service.
func NewService(history catalogapi.History, clk clock.Clock) *Service {
	return &Service{history: history, clock: clk, pricing: charge.NewPricing(priceMicros, charge.PerRequest)}
}

// Part is what the slice provides.
func (s *Service) Part() module.Part {
	return module.Part{Routes: Routes(s)}
}

// Routes is the operation of the slice.
func Routes(s *Service) []httpapi.Route {
	return []httpapi.Route{
		httpapi.Get("/v1/gps/{crd}/diff", "get-gp-diff", s.diff,
			httpapi.Summary("Compare a fund manager at two points"), httpapi.Describe(diffText), httpapi.Tag("History and analytics"),
			httpapi.Charge(priceMicros, charge.PerRequest), httpapi.Errors(http.StatusNotFound, http.StatusServiceUnavailable)),
	}
}

const diffText = "Compares the detail records of a fund manager and its funds between two days or two filings. A day and a filing can be combined. Two days must be in order. Filings can be in any order, which shows a change in reverse.\n\n" +
	"A fund is open while it is not closed. A fund that closes is in `funds_removed` with status closed. A fund that is reported again is in `funds_added`. A fund that was first reported and closed between the two points is not listed. Numbers are compared as numbers and lists without regard to order. Null and an empty list are equal, and so are texts that differ in letter case alone. `latest_filing_date` is not compared, because every filing changes it. A place that the later filings omit (`city`, `state`, `postal_code`, `country`, `country_code`, `org_state`, `org_country`, `jurisdiction`) has not changed. If the earlier point lacks the city, state or country, the last value stated before it is compared.\n\n" +
	"The response is 404 if the manager is unknown, if it has no filing with that accession number, or if nothing had been filed by that day. A response without changes is not charged."

// body is the answer.
type body = httpapi.DataMeta[Difference, DiffMeta]

// DiffMeta describes the two sides.
type DiffMeta struct {
	CRD     string         `json:"crd" doc:"CRD number of the manager." example:"900001"`
	From    DiffSide       `json:"from" doc:"First of the two points that are compared, as it was requested."`
	To      DiffSide       `json:"to" doc:"Second of the two points."`
	Pricing charge.Pricing `json:"pricing" doc:"What the request costs, as the price list has it. X-Charge shows what this response cost."`
}

// DiffSide is one of the two points: a date or an accession number.
type DiffSide struct {
	Date            *string    `json:"date,omitempty" format:"date" doc:"Requested day. Today if no later point was requested." example:"2025-06-30"`
	AccessionNumber *string    `json:"accession_number,omitempty" doc:"Requested filing." example:"ADV-900001-2001"`
	Filing          DiffFiling `json:"filing" doc:"Newest filing used for this point."`
}

// DiffFiling names a filing.
type DiffFiling struct {
	AccessionNumber string `json:"accession_number" doc:"Our identifier of the filing, as in /v1/gps/{crd}/filings. Form D has EDGAR's accession number." example:"ADV-900001-2001"`
	FilingType      string `json:"filing_type" doc:"Form of the filing, such as ADV or ADV/A." example:"ADV/A"`
	FilingDate      string `json:"filing_date" format:"date" doc:"Day of the filing." example:"2025-06-12"`
}

func (s *Service) diff(ctx context.Context, in *Input) (*httpapi.Reply[body], error) {
	from, to, faults := in.points()
	if faults == nil {
		faults = append(moment.Future("from", from.Day, s.clock.Now()), moment.Future("to", to.Day, s.clock.Now())...)
	}
	if faults != nil {
		return nil, apperr.Invalid(faults...)
	}
	before, err := s.history.Record(ctx, in.CRD, from)
	if err != nil {
		return nil, err
	}
	after, err := s.history.Record(ctx, in.CRD, to)
	if err != nil {
		return nil, err
	}
	if err := s.recall(ctx, in.CRD, from, &before, &after); err != nil {
		return nil, err
	}
	d := Compare(before, after)
	return &httpapi.Reply[body]{
		Body: body{Data: d, Meta: DiffMeta{CRD: in.CRD, From: s.side(from, before.Filing), To: s.side(to, after.Filing), Pricing: s.pricing}},
		Free: d.Empty(),
	}, nil
}

func (s *Service) side(p catalogapi.Point, filing catalogapi.FilingRef) DiffSide {
	side := DiffSide{Filing: DiffFiling{AccessionNumber: filing.Accession, FilingType: filing.FormType, FilingDate: ask.Day(filing.FiledOn)}}
	day := p.Day
	switch {
	case p.Accession != "":
		side.AccessionNumber = &p.Accession
		return side
	case day.IsZero():
		day = s.clock.Now().UTC()
	}
	side.Date = new(ask.Day(day))
	return side
}

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

// Routes is the operation of the slice.
func Routes(s *Service) []httpapi.Route {
	return []httpapi.Route{
		httpapi.Get("/v1/gps/{crd}/diff", "get-gp-diff", s.diff,
			httpapi.Summary("What changed of a fund manager between two points"), httpapi.Describe(diffText), httpapi.Tag("History and analytics"),
			httpapi.Charge(priceMicros, charge.PerRequest), httpapi.Errors(http.StatusNotFound, http.StatusServiceUnavailable)),
	}
}

const diffText = "Everything that the details of a fund manager and its funds show, compared between two days or two filings; a day and a filing may be mixed. Two days must be in order; filings need not be, so that a step can be seen backwards.\n\n" +
	"Funds count as there while they are not closed: one that closes is in `funds_removed` with status closed, one that is reported again in `funds_added`. One that came and closed between the two points is not listed. Numbers are compared as numbers, lists without regard to order; null and an empty list are the same. `latest_filing_date` does not count: it is another one after each filing.\n\n" +
	"404 when the manager, or a filing of its with that accession number, is not known, or nothing had been filed by the day. An answer without changes is not charged."

// body is the answer.
type body = httpapi.DataMeta[Difference, DiffMeta]

// DiffMeta says what was compared.
type DiffMeta struct {
	CRD     string         `json:"crd" example:"900001"`
	From    DiffSide       `json:"from"`
	To      DiffSide       `json:"to"`
	Pricing charge.Pricing `json:"pricing"`
}

// DiffSide is one of the two points: a date or an accession number.
type DiffSide struct {
	Date            *string    `json:"date,omitempty" format:"date" doc:"The day asked for; today where no later point was." example:"2025-06-30"`
	AccessionNumber *string    `json:"accession_number,omitempty" doc:"The filing asked for." example:"ADV-900001-2001"`
	Filing          DiffFiling `json:"filing" doc:"The newest filing that the state rests on."`
}

// DiffFiling names a filing.
type DiffFiling struct {
	AccessionNumber string `json:"accession_number" example:"ADV-900001-2001"`
	FilingType      string `json:"filing_type" example:"ADV/A"`
	FilingDate      string `json:"filing_date" format:"date" example:"2025-06-12"`
}

func (s *Service) diff(ctx context.Context, in *Input) (*httpapi.Reply[body], error) {
	from, to, faults := in.points()
	if faults == nil {
		faults = future(s.clock.Now(), from, to)
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

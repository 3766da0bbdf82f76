package amendment

import (
	"context"
	"net/http"

	"gpatlas/modules/analytics/internal/ask"
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/charge"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
)

// price of one request, in micro-dollars.
const price = 250_000

// GPInput asks for the amendments of an adviser.
type GPInput struct {
	catalogapi.GPPath
	ask.Limit
}

// FundInput asks for the amendments of a fund.
type FundInput struct {
	catalogapi.FundPath
	ask.Limit
}

// GPAmendmentsMeta describes the list of an adviser.
type GPAmendmentsMeta struct {
	Total   int            `json:"total" doc:"All filings, including those beyond the limit." example:"23"`
	CRD     string         `json:"crd" doc:"CRD number of the manager." example:"900001"`
	Pricing charge.Pricing `json:"pricing" doc:"What the request costs, as the price list has it. X-Charge shows what this response cost."`
}

// FundAmendmentsMeta describes the list of a fund.
type FundAmendmentsMeta struct {
	Total      int            `json:"total" doc:"All filings, including those beyond the limit." example:"9"`
	FundID     string         `json:"fund_id" doc:"Number of the fund (Form ADV, Schedule D, section 7.B.(1), item 1(b))." example:"805-1234567890"`
	AdviserCRD string         `json:"adviser_crd" doc:"Manager that reports the fund, or reported it last." example:"900001"`
	Pricing    charge.Pricing `json:"pricing" doc:"What the request costs, as the price list has it. X-Charge shows what this response cost."`
}

type (
	gpBody   = httpapi.DataMeta[[]GPAmendment, GPAmendmentsMeta]
	fundBody = httpapi.DataMeta[[]Amendment, FundAmendmentsMeta]
)

// Part is what the slice provides.
func (s *Service) Part() module.Part {
	return module.Part{Routes: Routes(s)}
}

// Routes are the operations on amendments.
func Routes(s *Service) []httpapi.Route {
	return httpapi.Group([]httpapi.Route{
		httpapi.Get("/v1/gps/{crd}/amendments", "list-gp-amendments", s.handleGP,
			httpapi.Summary("List the amendments of a fund manager"), httpapi.Describe(gpText),
			httpapi.Charge(price, charge.PerRequest),
			httpapi.Errors(http.StatusNotFound, http.StatusServiceUnavailable)),
		httpapi.Get("/v1/funds/{fund_id}/amendments", "list-fund-amendments", s.handleFund,
			httpapi.Summary("List the amendments of a fund"), httpapi.Describe(fundText),
			httpapi.Charge(price, charge.PerRequest),
			httpapi.Errors(http.StatusNotFound, http.StatusServiceUnavailable)),
	}, httpapi.Tag("History and analytics"))
}

const evidenceText = `

A row of a monthly roster, of the daily feed of firms or of a list of funds is evidence of a filing on its day. It is listed with a key of its own and identified in ` + "`source`" + `, but only if no better source covers that day. So each filing is listed once.`

const gpText = `Lists every filing of Form ADV, amendments (ADV/A) and withdrawals (ADV-W) included, and the Form D notices that match one of the manager's funds. Newest first. The manager's first filing is ` + "`initial`" + `, an annual updating amendment ` + "`annual`" + `, an ADV-W ` + "`withdrawal`" + `, every other one ` + "`material`" + `. A Form D notice is ` + "`initial`" + ` and its amendment ` + "`material`" + `.` + evidenceText

const fundText = `Lists every filing of Form ADV that reports the fund, from any manager, and the Form D notices that match it. Newest first. The first filing that reports the fund is ` + "`initial`" + `, even if it amends an earlier filing of its manager. The others have the same type as for their manager.` + evidenceText

func (s *Service) handleGP(ctx context.Context, in *GPInput) (*httpapi.Reply[gpBody], error) {
	rows, err := s.ofGP(ctx, in.CRD, in.Rows())
	if err != nil {
		return nil, err
	}
	list := make([]GPAmendment, len(rows))
	for i, r := range rows {
		list[i] = rowToGPAmendment(r)
	}
	return &httpapi.Reply[gpBody]{
		Body: gpBody{Data: list, Meta: GPAmendmentsMeta{Total: total(rows), CRD: in.CRD, Pricing: charge.NewPricing(price, charge.PerRequest)}},
		Free: len(list) == 0,
	}, nil
}

func (s *Service) handleFund(ctx context.Context, in *FundInput) (*httpapi.Reply[fundBody], error) {
	rows, fundID, crd, err := s.ofFund(ctx, in.FundID, in.Rows())
	if err != nil {
		return nil, err
	}
	list := make([]Amendment, len(rows))
	for i, r := range rows {
		list[i] = rowToAmendment(r)
	}
	return &httpapi.Reply[fundBody]{
		Body: fundBody{Data: list, Meta: FundAmendmentsMeta{
			Total: total(rows), FundID: fundID, AdviserCRD: crd, Pricing: charge.NewPricing(price, charge.PerRequest),
		}},
		CRD: crd, Free: len(list) == 0,
	}, nil
}

package change

import (
	"context"
	"net/http"

	"gpatlas/modules/analytics/internal/ask"
	"gpatlas/platform/charge"
	"gpatlas/platform/httpapi"
)

// price of one request, in micro-dollars.
const price = 250_000

// ListInput asks for the changes of an adviser.
type ListInput struct {
	ask.GP
	ask.Limit
}

// ChangesMeta is the remarks on the list.
type ChangesMeta struct {
	Total   int            `json:"total" doc:"Filings that changed something, also beyond the limit." example:"14"`
	CRD     string         `json:"crd" example:"900001"`
	Pricing charge.Pricing `json:"pricing"`
}

type listBody = httpapi.DataMeta[[]Record, ChangesMeta]

// Routes are the operations on changes.
func Routes(s *Service) []httpapi.Route {
	return httpapi.Group([]httpapi.Route{
		httpapi.Get("/v1/gps/{crd}/changes", "list-gp-changes", s.handleList,
			httpapi.Summary("What each filing of a fund manager changed"), httpapi.Describe(listText),
			httpapi.Charge(price, charge.PerRequest),
			httpapi.Errors(http.StatusNotFound, http.StatusServiceUnavailable)),
	}, httpapi.Tag("History and analytics"))
}

const listText = `The newest first. Each filing of Form ADV is compared with the one before: assets (` + "`total_aum`" + `), employees, number and gross asset value of the funds that are not closed, primary strategy, main office, name. Filings that changed none of these are left out, and so is the first, which has nothing before it. Letter case alone is no change.

` + "`total_aum`" + ` changes its meaning when a manager registers: it is the sum of the funds' gross asset values before, and the regulatory assets of Form ADV 5.F.(2)(c) after.

Percentages are of ` + "`before`" + `, rounded to two decimals. A manager without changes costs nothing.

A row of a roster, of the feed of firms or of a list of funds is evidence of a filing of its day; it is compared where no better source tells of that day.`

func (s *Service) handleList(ctx context.Context, in *ListInput) (*httpapi.Reply[listBody], error) {
	records, total, err := s.List(ctx, in.CRD, in.Rows())
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[listBody]{
		Body: listBody{Data: records, Meta: ChangesMeta{Total: total, CRD: in.CRD, Pricing: charge.NewPricing(price, charge.PerRequest)}},
		Free: len(records) == 0,
	}, nil
}

package change

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

// ListInput asks for the changes of an adviser.
type ListInput struct {
	catalogapi.GPPath
	ask.Limit
}

// ChangesMeta describes the list.
type ChangesMeta struct {
	Total   int            `json:"total" doc:"All filings that changed something, including those beyond the limit." example:"14"`
	CRD     string         `json:"crd" doc:"CRD number of the manager." example:"900001"`
	Pricing charge.Pricing `json:"pricing" doc:"What the request costs, as the price list has it. X-Charge shows what this response cost."`
}

type listBody = httpapi.DataMeta[[]Record, ChangesMeta]

// Part is what the slice provides.
func (s *Service) Part() module.Part {
	return module.Part{Routes: Routes(s)}
}

// Routes are the operations on changes.
func Routes(s *Service) []httpapi.Route {
	return httpapi.Group([]httpapi.Route{
		httpapi.Get("/v1/gps/{crd}/changes", "list-gp-changes", s.handleList,
			httpapi.Summary("List changes between filings"), httpapi.Describe(listText),
			httpapi.Charge(price, charge.PerRequest),
			httpapi.Errors(http.StatusNotFound, http.StatusServiceUnavailable)),
	}, httpapi.Tag("History and analytics"))
}

const listText = `Newest first. Each filing of Form ADV is compared with the previous one: assets (` + "`total_aum`" + `), employees, number and gross asset value of the funds that are not closed, primary strategy, main office and name. Filings that changed none of these are left out. So is the first filing, which has no previous one. A change of letter case alone does not count. A city, state or country that a filing omits has not changed: the next filing that states it is compared with the last value that was stated.

` + "`total_aum`" + ` changes its meaning when a manager registers. Before, it is the sum of the funds' gross asset values; after, it is the regulatory assets of Form ADV 5.F.(2)(c).

Percentages are of ` + "`before`" + `, rounded to two decimals. A response without changes is not charged.

A row of a roster, of the feed of firms or of a list of funds is evidence of a filing on its day. It is compared only if no better source covers that day.`

func (s *Service) handleList(ctx context.Context, in *ListInput) (*httpapi.Reply[listBody], error) {
	records, total, err := s.List(ctx, in.CRD, in.Rows())
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[listBody]{
		Body: listBody{Data: records, Meta: ChangesMeta{Total: total, CRD: in.CRD, Pricing: charge.NewPricing(price, charge.PerRequest)}},
		Free: total == 0,
	}, nil
}

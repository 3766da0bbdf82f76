package purchase

import (
	"context"
	"net/http"
	"time"

	"gpatlas/platform/auth"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
	"gpatlas/platform/page"
)

type body = httpapi.DataMeta[[]Purchase, Meta]

// Part is what the slice offers.
func (s *Service) Part() module.Part {
	return module.Part{Routes: Routes(s)}
}

// Routes are the operations on one's own purchases.
func Routes(s *Service) []httpapi.Route {
	return httpapi.Group([]httpapi.Route{
		httpapi.Get("/v1/me/purchases", "list-purchases", s.list,
			httpapi.Summary("List purchases"), httpapi.Describe(listText)),
		httpapi.Get("/v1/me/purchases/gp/{crd}", "list-gp-purchases", s.listGP,
			httpapi.Summary("List purchases about a GP"), httpapi.Describe(listGPText)),
	}, httpapi.Tag("Billing"), httpapi.Grant(httpapi.Login), httpapi.Volatile(), httpapi.Paged(),
		httpapi.Errors(http.StatusUnauthorized, http.StatusForbidden, http.StatusServiceUnavailable))
}

const listText = `Returns the charges of the account, newest first: fees, purchases of units such as persons, and corrections. Each is one successful response, and its amount is the one that the response showed in ` + "`X-Charge`" + `. Requests with a test key have ` + "`mode: test`" + ` and the amount 0. ` + "`meta.amount`" + ` is the sum of all charges, or of those of the ` + "`month`" + ` if one is given, not only of those in this response.

Charges are never changed or removed. A correction is a row of its own with the operation ` + "`adjustment`" + `.`

const listGPText = `Returns the charges about one GP, newest first. ` + "`meta.amount`" + ` is their sum. If nothing was charged, the list is empty, whether the catalog lists the GP or not.`

// Meta are remarks on a list of purchases.
type Meta struct {
	page.Meta

	Amount httpapi.Dollars `json:"amount" doc:"USD charged for all rows of the complete list." example:"12.75"`
}

// SchemaName is its name in the OpenAPI document.
func (Meta) SchemaName() string { return "PurchaseListMeta" }

// Input pages through purchases.
type Input struct {
	page.Input

	Month string `query:"month" pattern:"^20[0-9]{2}-(0[1-9]|1[0-2])$" patternDescription:"a month such as 2026-11" doc:"Only what counts for this month (UTC). meta.amount is then the bill of the month." example:"2026-11"`
}

// GPInput names a GP.
type GPInput struct {
	Input

	CRD string `path:"crd" pattern:"^[1-9][0-9]{0,9}$" patternDescription:"a CRD number: 1 to 10 digits without leading zeros" doc:"CRD number of the GP." example:"900001"`
}

func (s *Service) list(ctx context.Context, in *Input) (*httpapi.Reply[body], error) {
	return s.reply(ctx, in, nil)
}

func (s *Service) listGP(ctx context.Context, in *GPInput) (*httpapi.Reply[body], error) {
	return s.reply(ctx, &in.Input, &in.CRD)
}

func (s *Service) reply(ctx context.Context, in *Input, crd *string) (*httpapi.Reply[body], error) {
	filter := Filter{UserID: auth.From(ctx).UserID, CRD: crd}
	if month, err := time.Parse("2006-01", in.Month); err == nil {
		filter.Month = &month
	}
	limit, offset, _ := in.Window()
	list, totals, err := s.List(ctx, filter, limit, offset)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[body]{
		Body: body{Data: list, Meta: Meta{Meta: in.Meta(totals.Total), Amount: totals.Amount}}, Page: in.Links(totals.Total),
	}, nil
}

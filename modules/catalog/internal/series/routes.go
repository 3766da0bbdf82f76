package series

import (
	"net/http"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/platform/clock"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
)

// Service answers series.
type Service struct {
	history catalogapi.History
	store   *history.Store
	clock   clock.Clock
}

// NewService reads managers from filed and funds from store.
func NewService(filed catalogapi.History, store *history.Store, clk clock.Clock) *Service {
	return &Service{history: filed, store: store, clock: clk}
}

// Part is what the slice offers.
func (s *Service) Part() module.Part { return module.Part{Routes: Routes(s)} }

// Routes are the operations on series.
func Routes(s *Service) []httpapi.Route {
	failures := httpapi.Errors(http.StatusNotFound, http.StatusServiceUnavailable)
	return append(
		httpapi.Group([]httpapi.Route{
			httpapi.Get("/v1/gps/{crd}/series", "get-gp-series", s.gp,
				httpapi.Summary("Get the figures of a fund manager over time"), httpapi.Describe(gpText), failures),
		}, httpapi.Tag("Fund managers")),
		httpapi.Group([]httpapi.Route{
			httpapi.Get("/v1/funds/{fund_id}/series", "get-fund-series", s.fund,
				httpapi.Summary("Get the figures of a fund over time"), httpapi.Describe(fundText), failures),
		}, httpapi.Tag("Funds"))...)
}

const gpText = `A row for each filing, oldest first, with the state after it, as ` + "`as_of`" + ` of its day gives it. A roster, the feed and a list of funds are rows only on days without a better source. With ` + "`by=quarter` or `by=year`" + `, the last state of each period; periods without a filing are left out. Values that an operator has corrected are as filed here.

` + "`breaks`" + ` names rows whose value means something else than that of the row before. Differences are in /v1/gps/{crd}/changes, growth rates in /v1/gps/{crd}/metrics.

` + listing.MomentText

const fundText = `A row for each filing that names the fund, oldest first, with the state after it, as ` + "`as_of`" + ` of its day gives it. With ` + "`by=quarter` or `by=year`" + `, the last state of each period; periods without a filing are left out. Values that an operator has corrected are as filed here.

` + listing.MomentText

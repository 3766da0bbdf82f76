package offering

import (
	"net/http"

	"gpatlas/platform/httpapi"
)

// Routes are the operations on offerings.
func Routes(s *Service) []httpapi.Route {
	failures := httpapi.Errors(http.StatusNotFound, http.StatusServiceUnavailable)
	return append(
		httpapi.Group([]httpapi.Route{
			httpapi.Get("/v1/gps/{crd}/offerings", "list-gp-offerings", s.gp,
				httpapi.Summary("List the offerings of a fund manager"), httpapi.Describe(listText), httpapi.Paged(), failures),
		}, httpapi.Tag("Fund managers")),
		httpapi.Group([]httpapi.Route{
			httpapi.Get("/v1/funds/{fund_id}/offerings", "list-fund-offerings", s.fund,
				httpapi.Summary("List the offerings of a fund"), httpapi.Describe(listText), httpapi.Paged(), failures),
			httpapi.Get("/v1/offerings", "list-offerings", s.market,
				httpapi.Summary("List the offerings of all funds"), httpapi.Describe(marketText), httpapi.Errors(http.StatusServiceUnavailable)),
		}, httpapi.Tag("Funds"))...)
}

const text = `A Form D notice and its amendments are one offering. An amendment replaces the figures of the notice before it, and is due each year. Form D names no adviser: an offering is listed if a file number in a filing of the fund, or a name that only this fund has, matches it. Amounts of parallel vehicles must not be added up.

` + "`stage`" + ` is read from the newest notice and the day of the request, in UTC. Executives and promoters are never shown, nor recipients that are or may be persons.`

const listText = `One row for each offering, as its newest notice states it, the newest first. With ` + "`history=true`" + `, a row for each notice; ` + "`stage` and `latest_notice`" + ` are those of the offering.

With ` + "`as_of`" + `, funds, notices and stages are as of that day. The response is 404 if no filing names the manager or the fund by then. ` + "`known_at`" + ` is not accepted, because the recipients of restated notices are not kept.

` + text

const marketText = `One row for each offering of a known fund, as its newest notice states it. Offerings of former managers are listed too. To find funds that raise money now, send ` + "`stage=raising,announced`; `min_sold` and `first_sale_after`" + ` leave out those without sales.

Follow ` + "`next_cursor`" + ` until it is null. The list is of today; the lists of one manager and of one fund accept ` + "`as_of`" + `.

` + text

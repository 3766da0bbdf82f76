package provider

import (
	"net/http"

	"gpatlas/modules/catalog/internal/index"
	"gpatlas/platform/charge"
	"gpatlas/platform/httpapi"
)

// Routes are the operations on providers.
func Routes(s *Service) []httpapi.Route {
	failures := httpapi.Errors(http.StatusNotFound, http.StatusServiceUnavailable)
	loading := httpapi.Refuses(index.ErrLoading)
	return append(append(
		httpapi.Group([]httpapi.Route{
			httpapi.Get("/v1/gps/{crd}/providers", "list-gp-providers", s.gp,
				httpapi.Summary("List the service providers of a fund manager"), httpapi.Describe(gpText), httpapi.Paged(), failures, loading),
		}, httpapi.Tag("Fund managers")),
		httpapi.Group([]httpapi.Route{
			httpapi.Get("/v1/funds/{fund_id}/providers", "list-fund-providers", s.fund,
				httpapi.Summary("List the service providers of a fund"), httpapi.Describe(fundText), httpapi.Paged(), failures, loading),
			httpapi.Get("/v1/providers/suggest", "suggest-providers", s.suggest,
				httpapi.Summary("Suggest names of service providers"), httpapi.Describe(suggestText), loading),
		}, httpapi.Tag("Funds"))...),
		httpapi.Get("/v1/providers", "list-providers", s.rank,
			httpapi.Summary("Rank service providers"), httpapi.Describe(leagueText), httpapi.Tag("History and analytics"), httpapi.Paged(),
			httpapi.Charge(leagueMicros, charge.PerRequest), loading),
		httpapi.Get("/v1/providers/changes", "list-provider-changes", s.changed,
			httpapi.Summary("List changes of service providers"), httpapi.Describe(changesText), httpapi.Tag("History and analytics"),
			httpapi.Charge(changesMicros, charge.PerRequest), loading))
}

const identity = `Rows with one CRD number are one firm, otherwise rows with one LEI, otherwise rows with one name, in which case, punctuation and the spelling of legal forms do not count. A name without a number is the firm whose CRD number other rows have with that name, if they have only one. ` + persons

const persons = `Providers that are or may be persons are left out and counted in ` + "`withheld`" + `: those without a sign of a firm in any spelling of their name and without the CRD number of a manager, and those of one or two managers that have the names of a person in the managers' filings.`

const moments = `With ` + "`as_of` or `known_at`" + `, the filings up to that time count. Which rows are one firm, and its name, are those of now.`

const fundText = `Firms of Schedule D, section 7.B.(1), items 23 to 28, in the order of the filing, by role. Each role is that of the newest filing of the manager that has its table, of a closed fund that of the last one that names it. If a role is false in ` + "`meta.basis.stated`" + `, no loaded filing answers it, and it is unknown. If it is true and there is no row, the fund has no such firm. General partners are not listed.

` + identity + `

` + moments

const gpText = `Firms that serve the funds of the manager that are not closed, by role, those with most funds first. Each role is that of the newest filing that has its table. If a role is false in ` + "`meta.basis.stated`" + `, no loaded filing answers it, and it is unknown. If it is true and there is no row, no fund has such a firm.

` + identity + `

` + moments

const suggestText = `Returns firms that serve funds which are not closed, those with most managers first. A firm is found by the name that is shown. Only current managers count.`

const leagueText = `Ranks the firms that have one role for funds that are not closed and match the filters. Only current managers count. Funds whose filings do not answer who has the role are in no row: ` + "`meta.stated`" + ` counts the others, and ` + "`meta.served`" + ` those that name a firm or person.

` + identity + ` Firms that are withheld for the names of persons are missing from their page.

A ranking without rows is not charged; a page behind the last one is.`

const changesText = `Lists filings that state other firms in a role of a fund than the filing of the same manager before, the newest first. Both filings must name the fund and answer who has the role: a fund that is new, that has moved to another manager, or whose role was unknown has not changed. Another spelling of a firm is no change. Funds of one filing with the same change share a row.

` + identity + `

Follow ` + "`next_cursor`" + ` until it is null. A response without rows is not charged.`

package team

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/people/internal/invented"
	"gpatlas/modules/people/internal/unread"
	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/charge"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
)

// Part is what the slice provides.
func (s *Service) Part() module.Part { return module.Part{Routes: Routes(s)} }

// Routes are the operations on the people of an adviser.
func Routes(s *Service) []httpapi.Route {
	return routesOf(
		httpapi.Get("/v1/gps/{crd}/team", "list-gp-team", s.handleTeam,
			httpapi.Summary("List the team of a fund manager"), httpapi.Describe(teamText), sold, httpapi.Paged(), failures),
		httpapi.Get("/v1/gps/{crd}/team/preview", "preview-gp-team", s.handlePreview,
			httpapi.Summary("Preview the team of a fund manager"), httpapi.Describe(previewText), failures),
		httpapi.Post("/v1/gps/{crd}/team/unlock", "unlock-gp-team", s.handleUnlock,
			httpapi.Summary("Unlock the team of a fund manager"), httpapi.Describe(unlockText), sold, httpapi.Unlock(), failures),
		httpapi.Post("/v1/people/unlock", "unlock-people", s.handleUnlockPeople,
			httpapi.Summary("Unlock people of several fund managers"), httpapi.Describe(unlockPeopleText), sold, httpapi.Unlock(), failures),
		httpapi.Get("/v1/gps/{crd}/alumni", "list-gp-alumni", s.handleAlumni,
			httpapi.Summary("List the alumni of a fund manager"), httpapi.Describe(alumniText), sold, httpapi.Paged(), failures),
		httpapi.Post("/v1/gps/{crd}/alumni/unlock", "unlock-gp-alumni", s.handleUnlockAlumni,
			httpapi.Summary("Unlock the alumni of a fund manager"), httpapi.Describe(unlockAlumniText), sold, httpapi.Unlock(), failures),
	)
}

// routesOf declares what all operations on the people of an adviser have in common.
func routesOf(list ...httpapi.Route) []httpapi.Route {
	return httpapi.Group(list, httpapi.Tag("People"), httpapi.Grant(httpapi.Login), httpapi.KeyToo(), httpapi.Volatile())
}

// sold is an operation that sells people.
func sold(r *httpapi.Route) {
	for _, o := range []httpapi.Option{httpapi.Charge(price, charge.PerPerson), httpapi.Sells(Product), httpapi.Refuses(unread.ErrFirm)} {
		o(r)
	}
}

// failures are the errors of all operations.
func failures(r *httpapi.Route) {
	httpapi.Errors(http.StatusUnauthorized, http.StatusNotFound, http.StatusServiceUnavailable)(r)
}

const fromText = ` The team are the people in Schedules A and B of the newest Form ADV that has a Schedule A, and those in recent Form D notices of the manager's funds. Schedules A and B name executive officers, directors, general partners, and owners of 5 percent or more, so vice presidents and associates are almost never listed.

An account pays for each person once: people bought before are free, here and in the other operations on teams and alumni. With a test key, everything about a person is invented, the ID too, and nothing is charged.`

const teamText = `Lists the people who work at the manager, as filings name them. Each person in the response is charged. ` + "`meta.next_page_cost`" + ` is the most that the next page will cost; the preview shows that of the whole team.` + mostText + fromText

const mostText = ` Quotes, ` + "`HEAD`" + ` and refusals for money state the most that a page can cost: ` + "`limit`" + ` people that the account has not bought here, or as many as there are.` + elsewhereText

const elsewhereText = ` People whom the account has bought at another manager are free: the charge (` + "`X-Charge`" + `) can be lower than every free figure.`

const previewText = `Shows how many people the team has, by seniority and role, without names. Free. It also shows what the team costs at most, and which filings it rests on.` + elsewhereText

const unlockText = `Buys a part of the team, and returns it: all members of the tier, those bought before included. ` + "`functions`" + ` narrow the tier. Only people that the account has not bought before are charged. A charge above the account's one-click threshold needs ` + "`confirm`" + `. Quotes, the threshold and refusals for money use the most that the tier can cost: as many people as it has, as the preview counts for the functions together, or as the account has not bought here.` + elsewhereText + fromText

const alumniText = `Lists the people whom earlier filings name and the newest one with a Schedule A does not. Each person in the response is charged, unless bought before. Filings do not state when somebody left: it was between two filings. ` + "`current_role`" + ` is where the latest filing of another manager names the person; managers that have withdrawn, or that no current list names, do not count.

Departures and current roles are sold, so an account that could not pay for a whole page is refused with 402 even if fewer people match.` + mostText

const unlockAlumniText = `Buys all alumni of the manager, and returns them. Only people that the account has not bought before are charged. A charge above the account's one-click threshold needs ` + "`confirm`" + `.` + elsewhereText

// Window selects a part of a list of people.
type Window struct {
	Limit  httpapi.Opt[int] `query:"limit" minimum:"1" maximum:"100" example:"50" doc:"People to return, 1 to 100 (default 50)."`
	Offset httpapi.Opt[int] `query:"offset" minimum:"0" maximum:"1000000000" example:"0" doc:"People to skip (default 0)."`
}

const defaultLimit = 50

// TeamInput asks for a team.
type TeamInput struct {
	catalogapi.GPPath
	Window
	JoinedInput
	Role     httpapi.Opt[string] `query:"role" enum:"all,partner,md,vp,associate,other" example:"partner" doc:"Only people of this role (default all)."`
	Function httpapi.Opt[string] `query:"function" example:"founder,ceo,president,cio,cfo,coo,cco,managing_partner,partner,managing_member,director" doc:"Only people with one of these functions: founder, chair, ceo, president, cio, cfo, coo, cco, cro, cto, gc, ir, managing_partner, partner, managing_member, portfolio_manager, head, secretary, treasurer, director or limited_partner. Separate several with commas."`
	Sort     httpapi.Opt[string] `query:"sort" enum:"seniority,tenure,name" example:"seniority" doc:"Order (default seniority): seniority, the most senior first; tenure, the longest first and unknown last; name, by last name."`
}

// TeamFilters are the filters of a team as they were applied.
type TeamFilters struct {
	Limit        int     `json:"limit" doc:"Most people that the response may have." example:"50"`
	Role         string  `json:"role" doc:"The role asked for; all is every role." example:"all"`
	Function     *string `json:"function,omitempty" doc:"The functions asked for. Absent: not sent." example:"cfo,coo"`
	JoinedAfter  *string `json:"joined_after,omitempty" format:"date" doc:"Only people who may have joined after this day. Absent: not sent." example:"2024-12-31"`
	JoinedBefore *string `json:"joined_before,omitempty" format:"date" doc:"Only people who had joined before this day. Absent: not sent." example:"2026-06-30"`
	Sort         string  `json:"sort" doc:"The order asked for." example:"seniority"`
}

// Cost is the price of a page of people.
type Cost struct {
	Returned       int     `json:"returned" doc:"People in this response." example:"9"`
	TotalAvailable *int    `json:"total_available" nullable:"true" doc:"People that match the filters. Null with joined_after, joined_before, departed_after, current_role, several functions, a function together with a role or, of alumni, function: whom these find is sold. Also null if it is unknown: see reason." example:"9"`
	HasMore        bool    `json:"has_more" doc:"True if there are more people than limit let through. With such a filter: true if there may be." example:"false"`
	NextPageCost   *string `json:"next_page_cost" nullable:"true" doc:"The most that the next page costs this account: people it has bought here are free. People it has bought at another manager are free, too, but not left out here. Null if it is unknown how many people there are: see reason." example:"$0.00"`
	Reason         *string `json:"reason" nullable:"true" doc:"Why the number of people is unknown: no filing that could name people of the manager was loaded. Null if it is known."`
}

// TeamMeta describes a team.
type TeamMeta struct {
	Cost
	FiltersApplied TeamFilters `json:"filters_applied" doc:"The filters, as they were understood."`
}

type teamBody = httpapi.DataMeta[[]Member, TeamMeta]

func (s *Service) handleTeam(ctx context.Context, in *TeamInput) (*httpapi.Reply[teamBody], error) {
	filters := TeamFilters{Limit: in.Limit.Or(defaultLimit), Role: in.Role.Or("all"), Sort: in.Sort.Or(bySeniority)}
	var functions []string
	if list, sent := in.Function.Get(); sent {
		var err error
		if functions, err = functionsOf("function", list); err != nil {
			return nil, err
		}
		filters.Function = new(strings.Join(functions, ","))
	}
	firm, all, err := s.roster(ctx, in.CRD, team)
	if err != nil {
		return nil, err
	}
	fresh, whole := freshOf(all), withAny(all, functions)
	if filters.Role != "all" {
		all = slices.DeleteFunc(all, func(p candidate) bool { return string(p.role) != filters.Role })
	}
	// Spec: not shown; the preview counts people by role and by function. Who has both, and when people joined, is sold: unpaid responses
	// with such filters depend only on these counts.
	whole = min(whole, len(all))
	bound, counted := in.bound(fresh, whole, filters.Limit), len(functions) == 0 || len(functions) == 1 && filters.Role == "all"
	all = have(all, functions)
	if all, err = in.keep(all); err != nil {
		return nil, err
	}
	order(all, filters.Sort)
	page := window(all, filters.Limit, in.Offset.Or(0))
	given := s.given(ctx, page)
	fresh -= freshOf(given)
	cost := costOf(ctx, &firm, given, all, fresh, filters.Limit, in.Offset.Or(0))
	filters.JoinedAfter, filters.JoinedBefore = dateOf(in.JoinedAfter), dateOf(in.JoinedBefore)
	if !counted || in.set() {
		cost.hide(ctx, whole, fresh, len(page), filters.Limit, in.Offset.Or(0))
	}
	return &httpapi.Reply[teamBody]{
		Body:  teamBody{Data: s.toMembers(given, &firm), Meta: TeamMeta{Cost: cost, FiltersApplied: filters}},
		Units: units(given), Places: places(given), Bound: bound, Page: &httpapi.Page{Total: whole, Limit: filters.Limit, Offset: in.Offset.Or(0)},
	}, nil
}

func dateOf(o httpapi.Opt[httpapi.Date]) *string {
	if !o.Set {
		return nil
	}
	return new(o.Value.String())
}

// hide makes the cost depend only on the number of people before filters on what is sold, and on the people of this page.
func (c *Cost) hide(ctx context.Context, whole, fresh, shown, limit, offset int) {
	if c.Reason != nil {
		return
	}
	c.TotalAvailable, c.HasMore, c.NextPageCost = nil, false, new(dollars(ctx, 0))
	if left := whole - offset - limit; left > 0 && shown == limit {
		c.HasMore, c.NextPageCost = true, new(dollars(ctx, min(limit, left, fresh)))
	}
}

// bound makes unpaid responses depend only on how many people there are to page through, and how many of the whole list the account
// was not given here.
//
// Spec: not shown; whether a person that was bought stands on a page would reveal its rank among those that were not: in an order by
// name, the first letters of their names. With a role, it would reveal the person's role.
func (w *Window) bound(fresh, matching, limit int) *httpapi.Bound {
	return &httpapi.Bound{Most: min(limit, max(0, matching-w.Offset.Or(0))), Fresh: fresh}
}

// costOf is the price of a page. fresh is how many people of the whole list the account was not given here, this page included.
//
// Spec: next_page_cost is an estimate. The exact price would show how many of the next page were bought, here or at another manager.
func costOf(ctx context.Context, firm *gp, given, all []candidate, fresh, limit, offset int) Cost {
	if firm.Unfiled {
		return Cost{Reason: new(unread.Unfiled)}
	}
	left := max(0, len(all)-offset-limit)
	return Cost{Returned: len(given), TotalAvailable: new(len(all)), HasMore: left > 0, NextPageCost: new(dollars(ctx, min(limit, left, fresh)))}
}

type previewBody = httpapi.Data[Preview]

func (s *Service) handlePreview(ctx context.Context, in *catalogapi.GPPath) (*httpapi.Reply[previewBody], error) {
	var gone []candidate
	firm, on, err := s.roster(ctx, in.CRD, team)
	if err == nil {
		_, gone, err = s.roster(ctx, in.CRD, alumni)
	}
	if err != nil && apperr.From(err).Code == unread.Code {
		return &httpapi.Reply[previewBody]{Body: previewBody{Data: unknown(in.CRD, unread.Reason, Coverage{Note: coverageNote})}}, nil
	}
	if err != nil {
		return nil, err
	}
	if firm.Unfiled {
		return &httpapi.Reply[previewBody]{Body: previewBody{Data: unknown(in.CRD, unread.Unfiled, coverage(&firm))}}, nil
	}
	p := s.summary(in.CRD, &firm, on, gone)
	p.Cost, p.Alumni.Cost = new(cost(ctx, on)), new(cost(ctx, gone))
	return &httpapi.Reply[previewBody]{Body: previewBody{Data: p}}, nil
}

// UnlockInput selects the people of a team to buy.
type UnlockInput struct {
	catalogapi.GPPath
	Body struct {
		Tier      string   `json:"tier" enum:"senior,investment_team,complete,custom" doc:"senior: partners and managing directors. investment_team: partners to associates. complete: everybody. custom: the most senior people, as many as count says." example:"senior"`
		Functions []string `json:"functions,omitempty" minItems:"1" maxItems:"21" doc:"Only people of the tier with one of these functions." example:"[\"cfo\",\"partner\"]"`
		Count     *int     `json:"count,omitempty" minimum:"1" maximum:"10000" doc:"Only with tier custom: how many people, those bought before included." example:"3"`
		Confirm   *bool    `json:"confirm,omitempty" doc:"Buy even if the charge is above the one-click threshold." example:"true"`
	}
}

// UnlockMeta describes what was bought.
type UnlockMeta struct {
	Returned     int `json:"returned" doc:"People in this response." example:"6"`
	AlreadyOwned int `json:"already_owned" doc:"Of those, people that the account had bought when the request began. They are free." example:"2"`
	// Spec: not shown; the charged amount is in X-Charge, because this body is written before the charge.
	Unlocked int     `json:"unlocked" doc:"Of those, people that it had not bought then. A request at the same time may have bought them: X-Charge shows what was charged." example:"4"`
	Reason   *string `json:"reason" nullable:"true" doc:"Why no people are known: no filing that could name people of the manager was loaded. Null if they are known."`
}

// missing is why the people of the adviser are unknown; nil if they are known.
func (g *gp) missing() *string {
	if !g.Unfiled {
		return nil
	}
	return new(unread.Unfiled)
}

type unlockBody = httpapi.DataMeta[[]Member, UnlockMeta]

func (s *Service) handleUnlock(ctx context.Context, in *UnlockInput) (*httpapi.Reply[unlockBody], error) {
	firm, all, most, err := s.tier(ctx, in.CRD, in.Body.Tier, in.Body.Functions, in.Body.Count)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[unlockBody]{
		Body: unlockBody{Data: s.toMembers(all, &firm), Meta: bought(ctx, all, firm.missing())}, Units: units(all), Places: places(all), Bound: most,
		Confirmed: in.Body.Confirm != nil && *in.Body.Confirm,
	}, nil
}

// bought counts what is delivered. missing is why people are unknown; nil if they are known.
func bought(ctx context.Context, all []candidate, missing *string) UnlockMeta {
	owned := ownedOf(all)
	m := UnlockMeta{Returned: len(all), AlreadyOwned: owned, Unlocked: len(all) - owned, Reason: missing}
	if auth.From(ctx).Mode == auth.ModeTest {
		m.Unlocked = 0
	}
	return m
}

// AlumniInput asks for people who have left.
type AlumniInput struct {
	catalogapi.GPPath
	Window
	DepartedAfter httpapi.Opt[string] `query:"departed_after" format:"date" example:"2024-12-31" doc:"Only people who may have left after this date: departed_between.before is later."`
	Function      httpapi.Opt[string] `query:"function" example:"founder,ceo,president,cio,cfo,coo,cco,managing_partner,partner,managing_member,director" doc:"Only people who had one of these functions in the last filing that names them. Separate several with commas."`
	CurrentRole   httpapi.Opt[string] `query:"current_role" enum:"partner,md,vp,associate,other" example:"partner" doc:"Only people who have this role at another manager now."`
}

// AlumniFilters are the filters as they were applied.
type AlumniFilters struct {
	Limit         int     `json:"limit" doc:"Most people that the response may have." example:"50"`
	DepartedAfter *string `json:"departed_after" format:"date" nullable:"true" doc:"Only people who may have left after this day. Null: not sent." example:"2024-12-31"`
	Function      *string `json:"function,omitempty" doc:"The functions asked for. Absent: not sent." example:"cfo,coo"`
	CurrentRole   *string `json:"current_role" nullable:"true" doc:"Only people who have this role at another manager now. Null: not sent." example:"partner"`
}

// AlumniMeta describes alumni.
type AlumniMeta struct {
	Cost
	FiltersApplied AlumniFilters `json:"filters_applied" doc:"The filters, as they were understood."`
}

type alumniBody = httpapi.DataMeta[[]Alumnus, AlumniMeta]

func (s *Service) handleAlumni(ctx context.Context, in *AlumniInput) (*httpapi.Reply[alumniBody], error) {
	var functions []string
	if list, sent := in.Function.Get(); sent {
		var err error
		if functions, err = functionsOf("function", list); err != nil {
			return nil, err
		}
	}
	firm, all, now, err := s.left(ctx, in.CRD)
	if err != nil {
		return nil, err
	}
	filters, whole, fresh := AlumniFilters{Limit: in.Limit.Or(defaultLimit)}, len(all), freshOf(all)
	// Spec: not shown; the results of the filters are sold. Unpaid responses, also those whose people were bought before,
	// depend only on the number of all alumni, which the preview shows.
	bound, filtered := in.bound(fresh, whole, filters.Limit), in.DepartedAfter.Set || in.CurrentRole.Set || in.Function.Set
	if in.DepartedAfter.Set {
		filters.DepartedAfter = &in.DepartedAfter.Value
		all = slices.DeleteFunc(all, func(p candidate) bool { return day(*p.LeftBefore) <= in.DepartedAfter.Value })
	}
	if in.CurrentRole.Set {
		filters.CurrentRole = &in.CurrentRole.Value
		all = slices.DeleteFunc(all, func(p candidate) bool { return now[p.PersonUID].Role != in.CurrentRole.Value })
	}
	if functions != nil {
		filters.Function, all = new(strings.Join(functions, ",")), have(all, functions)
	}
	page := window(all, filters.Limit, in.Offset.Or(0))
	given := s.given(ctx, page)
	fresh -= freshOf(given)
	cost := costOf(ctx, &firm, given, all, fresh, filters.Limit, in.Offset.Or(0))
	if filtered {
		cost.hide(ctx, whole, fresh, len(page), filters.Limit, in.Offset.Or(0))
	}
	return &httpapi.Reply[alumniBody]{
		Body:  alumniBody{Data: s.toAlumni(given, &firm, now), Meta: AlumniMeta{Cost: cost, FiltersApplied: filters}},
		Units: units(given), Places: places(given), Bound: bound, Page: &httpapi.Page{Total: whole, Limit: filters.Limit, Offset: in.Offset.Or(0)},
	}, nil
}

// left returns the alumni, the latest leavers first, and where they are now.
func (s *Service) left(ctx context.Context, crd string) (gp, []candidate, map[string]Position, error) {
	firm, all, err := s.roster(ctx, crd, alumni)
	if err != nil {
		return firm, nil, nil, err
	}
	order(all, bySeniority)
	slices.SortStableFunc(all, func(a, b candidate) int { return b.LeftBefore.Compare(*a.LeftBefore) })
	uids := make([]string, len(all))
	for i := range all {
		uids[i] = all[i].PersonUID
	}
	if auth.From(ctx).Mode == auth.ModeTest {
		return firm, all, inventedNow(uids), nil
	}
	rows, err := s.store.elsewhere(ctx, crd, uids)
	if err != nil {
		return firm, nil, nil, err
	}
	now := make(map[string]Position, len(rows))
	for _, r := range rows {
		now[r.PersonUID] = Position{CRD: r.CRD, Firm: r.Firm, Title: r.Title, Role: string(roleOf(r.Title))}
	}
	return firm, all, now, nil
}

// inventedNow is where invented people are now. Where people are, and whether anywhere, is what is sold.
func inventedNow(uids []string) map[string]Position {
	now := make(map[string]Position, len(uids))
	for _, uid := range uids {
		if invented.Elsewhere(uid) {
			role := invented.Role(uid)
			called := invented.Title(role)
			now[uid] = Position{CRD: invented.CRD(uid), Firm: invented.Employer(uid), Title: &called, Role: string(role)}
		}
	}
	return now
}

// UnlockAlumniInput confirms the purchase of all alumni.
type UnlockAlumniInput struct {
	catalogapi.GPPath
	Body struct {
		Confirm *bool `json:"confirm,omitempty" doc:"Buy even if the charge is above the one-click threshold." example:"true"`
	}
}

type unlockAlumniBody = httpapi.DataMeta[[]Alumnus, UnlockMeta]

func (s *Service) handleUnlockAlumni(ctx context.Context, in *UnlockAlumniInput) (*httpapi.Reply[unlockAlumniBody], error) {
	firm, all, now, err := s.left(ctx, in.CRD)
	if err != nil {
		return nil, err
	}
	most := &httpapi.Bound{Most: len(all), Fresh: freshOf(all)}
	all = s.given(ctx, all)
	return &httpapi.Reply[unlockAlumniBody]{
		Body: unlockAlumniBody{Data: s.toAlumni(all, &firm, now), Meta: bought(ctx, all, firm.missing())}, Units: units(all), Places: places(all), Bound: most,
		Confirmed: in.Body.Confirm != nil && *in.Body.Confirm,
	}, nil
}

package provider

import (
	"context"
	"slices"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/platform/charge"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/page"
)

// leagueMicros is the price of a league table in micro-dollars.
const leagueMicros = 150_000

// SuggestInput is the parameters of the suggestions.
type SuggestInput struct {
	Q     httpapi.Opt[string] `query:"q" required:"true" minLength:"2" example:"fund" doc:"Text typed so far, 2 to 200 characters. Each word must begin a word of the name."`
	Role  httpapi.Opt[string] `query:"role" enum:"auditor,prime_broker,custodian,administrator,marketer" example:"administrator" doc:"Only firms that have this role for a fund that is not closed."`
	Limit httpapi.Opt[int]    `query:"limit" minimum:"1" maximum:"20" example:"10" doc:"Maximum entries, 1 to 20 (default 10)."`
}

// Suggestion is a firm that the text may mean.
type Suggestion struct {
	ProviderID string   `json:"provider_id" doc:"ID of the firm." example:"prv_7q2mz5xw4n6tak3v"`
	Name       string   `json:"name" doc:"Name of the firm as most funds write it. The legal name if it is a manager." example:"Halfmoon Fund Services LLC"`
	CRD        *string  `json:"crd" doc:"CRD number. Null: not filed." example:"900321"`
	Roles      []string `json:"roles" doc:"What it does for funds that are not closed." example:"[\"administrator\"]"`
}

// SchemaName is its name in the OpenAPI document.
func (Suggestion) SchemaName() string { return "ProviderSuggestion" }

// SuggestMeta is the remarks on suggestions.
type SuggestMeta struct {
	Query string `json:"query" doc:"The text, as applied." example:"fund"`
}

// SchemaName is its name in the OpenAPI document.
func (SuggestMeta) SchemaName() string { return "ProviderSuggestionsMeta" }

type suggestBody = httpapi.DataMeta[[]Suggestion, SuggestMeta]

func (s *Service) suggest(ctx context.Context, in *SuggestInput) (*httpapi.Reply[suggestBody], error) {
	var c listing.Check
	q := c.Query("q", in.Q)
	if err := c.Err(); err != nil {
		return nil, err
	}
	snapshot, err := s.index.Snapshot()
	if err != nil {
		return nil, err
	}
	limit, list := in.Limit.Or(suggestions), []Suggestion{}
	for _, code := range snapshot.MatchProviders(q, slices.Index(index.Roles, in.Role.Value)) {
		if p := snapshot.Provider(code); !p.Withheld && len(list) < limit {
			list = append(list, Suggestion{p.ID, p.Name, catalogapi.Text(p.CRD), rolesOf(p)})
		}
	}
	return &httpapi.Reply[suggestBody]{Body: suggestBody{Data: list, Meta: SuggestMeta{q}}}, nil
}

// suggestions are how many there are unless another number is sent.
const suggestions = 10

func rolesOf(p *index.Provider) (roles []string) {
	for role, name := range index.Roles {
		if p.HasRole(role) {
			roles = append(roles, name)
		}
	}
	return roles
}

// LeagueInput is the parameters of the league table.
type LeagueInput struct {
	page.Input
	Role       httpapi.Opt[string] `query:"role" required:"true" enum:"auditor,prime_broker,custodian,administrator,marketer" example:"administrator" doc:"Role to rank."`
	By         httpapi.Opt[string] `query:"by" enum:"funds,gps,gav" example:"gav" doc:"What providers are ranked by: number of funds (default), number of managers, or gross asset value of the funds."`
	Strategy   httpapi.Opt[string] `query:"strategy" example:"venture" doc:"Strategies of the funds, or an alias. Separate several with commas."`
	State      httpapi.Opt[string] `query:"state" example:"NY" doc:"US states of the managers' main offices, by code or name. Separate several with commas."`
	VintageMin httpapi.Opt[int64]  `query:"vintage_min" minimum:"1900" maximum:"2200" example:"2015" doc:"Funds of this vintage year or later."`
	VintageMax httpapi.Opt[int64]  `query:"vintage_max" minimum:"1900" maximum:"2200" example:"2024" doc:"Funds of this vintage year or earlier."`
	MinGAV     httpapi.Opt[int64]  `query:"min_gav" minimum:"0" example:"100000000" doc:"Funds of at least this gross asset value, USD. Unknown values never match."`
}

// LeagueRow is a provider in a league table.
type LeagueRow struct {
	Rank       int     `json:"rank" doc:"Place by what providers are ranked by. Equal ones share a place." example:"1"`
	ProviderID string  `json:"provider_id" doc:"ID of the firm." example:"prv_7q2mz5xw4n6tak3v"`
	Name       string  `json:"name" doc:"Name of the firm as most funds write it. The legal name if it is a manager." example:"Halfmoon Fund Services LLC"`
	CRD        *string `json:"crd" doc:"CRD number. Null: not filed." example:"900321"`
	LEI        *string `json:"lei" doc:"Legal entity identifier. Null: not filed." example:"5493000EXAMPLE000001"`
	Funds      int     `json:"funds" doc:"Funds that it serves in the role." example:"412"`
	GPs        int     `json:"gps" doc:"Managers of these funds." example:"97"`
	GAV        *int64  `json:"gav" doc:"USD. Gross asset value of these funds, as filed: a feeder and its master are both counted. Null: known of none." example:"31250000000"`
}

// SchemaName is its name in the OpenAPI document.
func (LeagueRow) SchemaName() string { return "ProviderRank" }

// LeagueMeta is the remarks on a league table.
type LeagueMeta struct {
	listing.ListMeta
	Role         string         `json:"role" doc:"Role that is ranked." example:"administrator"`
	By           string         `json:"by" doc:"What providers are ranked by." example:"gav"`
	Funds        int            `json:"funds" doc:"Funds that match the filters." example:"2940"`
	Stated       int            `json:"stated" doc:"Of these, funds whose filing answers who has the role. Of the others it is unknown." example:"2710"`
	Served       int            `json:"served" doc:"Of these, funds that name a firm or person in the role, withheld ones too." example:"2388"`
	Withheld     int            `json:"withheld" doc:"Providers left out of the whole ranking because they are or may be persons. They are not in total." example:"14"`
	PageWithheld int            `json:"page_withheld" doc:"Of the places of this page, those left out because the firm has the name of a person in the managers' filings. They are in total." example:"0"`
	Pricing      charge.Pricing `json:"pricing" doc:"What the request costs, as the price list has it. X-Charge shows what this response cost."`
}

// SchemaName is its name in the OpenAPI document.
func (LeagueMeta) SchemaName() string { return "ProvidersMeta" }

type leagueBody = httpapi.DataMeta[[]LeagueRow, LeagueMeta]

func (s *Service) rank(ctx context.Context, in *LeagueInput) (*httpapi.Reply[leagueBody], error) {
	var c listing.Check
	q := index.LeagueQuery{
		Role: slices.Index(index.Roles, in.Role.Value), By: index.LeagueOrder(in.By.Or(string(index.LeagueFunds))),
		Strategies: c.Strategies("strategy", in.Strategy, "", httpapi.Opt[string]{}).Any, States: c.States("state", in.State),
		Vintage: c.Range("vintage_min", in.VintageMin, "vintage_max", in.VintageMax), MinGAV: c.Range("min_gav", in.MinGAV, "", httpapi.Opt[int64]{}).Min,
	}
	if err := c.Err(); err != nil {
		return nil, err
	}
	snapshot, err := s.index.Snapshot()
	if err != nil {
		return nil, err
	}
	q.Limit, q.Offset, _ = in.Window()
	found := snapshot.League(&q)
	rows := make([]LeagueRow, 0, len(found.Rows))
	for _, r := range found.Rows {
		if r.Provider.Withheld {
			continue
		}
		row := LeagueRow{
			Rank: r.Rank, ProviderID: r.Provider.ID, Name: r.Provider.Name, CRD: catalogapi.Text(r.Provider.CRD), LEI: catalogapi.Text(r.Provider.LEI), Funds: r.Funds, GPs: r.GPs,
		}
		if r.KnownGAV > 0 {
			row.GAV = new(r.GAV)
		}
		rows = append(rows, row)
	}
	meta := LeagueMeta{
		ListMeta: listing.NewMeta(in.Meta(found.Total), &c.Applied), Role: in.Role.Value, By: string(q.By),
		Funds: found.Funds, Stated: found.Stated, Served: found.Served, Withheld: found.Withheld, PageWithheld: len(found.Rows) - len(rows), Pricing: s.pricing.league,
	}
	return &httpapi.Reply[leagueBody]{Body: leagueBody{Data: rows, Meta: meta}, Page: in.Links(found.Total), Free: found.Total == 0}, nil
}

package reference

import (
	"context"

	"gpatlas/modules/catalog/internal/index"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
)

type (
	statsBody      = httpapi.DataMeta[CatalogStats, StatsMeta]
	strategiesBody = httpapi.Data[[]StrategyCount]
	locationsBody  = httpapi.Data[Locations]
	none           struct{}
)

// Service answers from the index.
type Service struct {
	index *index.Holder
}

// NewService makes the service.
func NewService(holder *index.Holder) *Service { return &Service{index: holder} }

// Part is what the slice offers.
func (s *Service) Part() module.Part {
	return module.Part{Routes: Routes(s)}
}

// Routes are the reference operations.
func Routes(s *Service) []httpapi.Route {
	unavailable := httpapi.Refuses(index.ErrLoading)
	return httpapi.Group([]httpapi.Route{
		httpapi.Get("/v1/stats", "get-stats", s.stats, httpapi.Summary("Get totals of the catalog"),
			httpapi.Describe("Counts fund managers, organizations and funds, and the strategies and states that they have. Managers that have withdrawn or are no longer listed do not count, nor do closed funds."), unavailable),
		httpapi.Get("/v1/strategies", "list-strategies", s.strategies,
			httpapi.Summary("List strategies and their fund managers"),
			httpapi.Describe("Counts fund managers by primary strategy, most managers first. Each count is what a search by that strategy finds."), unavailable),
		httpapi.Get("/v1/locations", "list-locations", s.locations,
			httpapi.Summary("List states and countries and their fund managers"),
			httpapi.Describe("Counts fund managers by the location of the main office, most managers first. States are US states."), unavailable),
	}, httpapi.Tag("Reference"))
}

func (s *Service) stats(context.Context, *none) (*httpapi.Reply[statsBody], error) {
	snapshot, err := s.index.Snapshot()
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[statsBody]{Body: statsBody{
		Data: CatalogStats(snapshot.Stats()), Meta: StatsMeta{Timestamp: snapshot.Freshness().BuiltAt.UTC()},
	}}, nil
}

func (s *Service) strategies(context.Context, *none) (*httpapi.Reply[strategiesBody], error) {
	snapshot, err := s.index.Snapshot()
	if err != nil {
		return nil, err
	}
	counts := snapshot.Strategies()
	list := make([]StrategyCount, len(counts))
	for i, c := range counts {
		list[i] = StrategyCount{Strategy: c.Value, Count: c.Count}
	}
	return &httpapi.Reply[strategiesBody]{Body: strategiesBody{Data: list}}, nil
}

func (s *Service) locations(context.Context, *none) (*httpapi.Reply[locationsBody], error) {
	snapshot, err := s.index.Snapshot()
	if err != nil {
		return nil, err
	}
	states, countries := snapshot.Locations()
	out := Locations{States: make([]StateCount, len(states)), Countries: make([]CountryCount, len(countries))}
	for i, c := range states {
		out.States[i] = StateCount{State: c.Value, Count: c.Count}
	}
	for i, c := range countries {
		out.Countries[i] = CountryCount{Country: c.Country, Count: c.Count}
		if c.Code != "" {
			out.Countries[i].Code = &c.Code
		}
	}
	return &httpapi.Reply[locationsBody]{Body: locationsBody{Data: out}}, nil
}

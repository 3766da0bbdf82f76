package market

import (
	"context"
	"net/http"
	"slices"

	"gpatlas/modules/analytics/internal/ask"
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/apperr"
	"gpatlas/platform/charge"
	"gpatlas/platform/clock"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
	"gpatlas/platform/wire"
)

// priceMicros is the price of a request in micro-dollars.
const priceMicros = 150_000

// Service counts the market.
type Service struct {
	analysis catalogapi.Analysis
	words    catalogapi.Vocabulary
	clock    clock.Clock
	pricing  charge.Pricing
}

// NewService makes the service.
func NewService(analysis catalogapi.Analysis, words catalogapi.Vocabulary, clk clock.Clock) *Service {
	return &Service{analysis: analysis, words: words, clock: clk, pricing: charge.NewPricing(priceMicros, charge.PerRequest)}
}

// Part is what the slice provides.
func (s *Service) Part() module.Part {
	return module.Part{Routes: Routes(s)}
}

// Routes is the operation of the slice.
func Routes(s *Service) []httpapi.Route {
	return []httpapi.Route{
		httpapi.Get("/v1/search/aggregate", "search-aggregate", s.aggregate,
			httpapi.Summary("Aggregate the market"), httpapi.Describe(aggregateText), httpapi.Tag("History and analytics"),
			httpapi.Charge(priceMicros, charge.PerRequest), httpapi.Errors(http.StatusServiceUnavailable)),
	}
}

const aggregateText = "Each row has exactly the fields of its grouping:\n\n" +
	"| group_by | fields |\n|---|---|\n" +
	"| strategy | strategy, gp_count, total_aum, avg_aum, fund_count |\n" +
	"| vintage | vintage_year, fund_count, total_gav, avg_fund_size, vintage_quality |\n" +
	"| geography | country, state, location, gp_count, total_aum, avg_aum |\n" +
	"| state | same as geography, US states only |\n" +
	"| aum_band | aum_band, gp_count, total_aum |\n\n" +
	"Counts current fund managers (with `former=true`, former ones instead) and their funds that are not closed. Sums and averages cover the known values. Averages are rounded down. Both are null if no value is known.\n\n" +
	"A row must match all filters. With `group_by=vintage`, the strategy, the vintage bounds and `vintage_quality` apply to the fund. Otherwise they apply to the manager: to its primary strategy, and to at least one fund within the bounds and of that quality. With `group_by=strategy`, `fund_count` then counts these funds.\n\n" +
	"With `as_of` and `known_at`, all data are as of that time. The first request for a time takes some seconds. One caller can wait for three times at once; a request for a fourth returns 429 with `Retry-After`. `calculated_at` is when the index behind the response was built.\n\n" +
	"A response that counts nothing is not charged."

func (s *Service) aggregate(ctx context.Context, in *Input) (*httpapi.Reply[Aggregate], error) {
	q, filters, faults := in.query(s.words)
	at, err := in.Resolve(s.clock)
	if faults != nil {
		if err != nil {
			faults = append(faults, apperr.From(err).Fields...)
		}
		return nil, apperr.Invalid(faults...)
	}
	if err != nil {
		return nil, err
	}
	counted, err := s.analysis.Aggregate(ctx, q, at)
	if err != nil {
		return nil, err
	}
	basis := ask.NewBasis(counted.BuiltAt, s.pricing, at)
	reply := wire.Write[Aggregate](func(dst []byte) []byte { return appendAnswer(dst, q.GroupBy, &counted, &filters, &basis) })
	// All bands are listed, including those without a manager.
	reply.Free = !slices.ContainsFunc(counted.Rows, func(r catalogapi.AggregateRow) bool { return r.GPCount > 0 || r.FundCount > 0 })
	return reply, nil
}

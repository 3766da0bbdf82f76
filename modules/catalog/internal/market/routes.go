package market

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/gp"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/modules/catalog/internal/past"
	"gpatlas/platform/apperr"
	"gpatlas/platform/charge"
	"gpatlas/platform/clock"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
	"gpatlas/platform/moment"
	"gpatlas/platform/wire"
)

// priceMicros is the price of a request in micro-dollars.
const priceMicros = 150_000

// Past returns the index that answers for a moment: a *past.Builder.
type Past interface {
	At(ctx context.Context, at catalogapi.Moment, current *index.Snapshot) (past.Index, error)
}

// Service counts the market.
type Service struct {
	index   *index.Holder
	past    Past
	clock   clock.Clock
	pricing charge.Pricing
}

// NewService counts in the index of holder and, for a moment, in one of the past.
func NewService(holder *index.Holder, before Past, clk clock.Clock) *Service {
	return &Service{index: holder, past: before, clock: clk, pricing: charge.NewPricing(priceMicros, charge.PerRequest)}
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
	"| aum_band | aum_band, gp_count, total_aum |\n" +
	"| registration_status, manager_type | the grouping, gp_count, total_aum, avg_aum |\n" +
	"| two, without vintage | those of both (of state, only the state), gp_count, total_aum |\n" +
	"| two, with vintage | those of both, fund_count, total_gav |\n\n" +
	"Counts current fund managers (with `former=true`, former ones instead) and their funds that are not closed. Sums and averages cover the known values. Averages are rounded down. Both are null if no value is known.\n\n" +
	"Two groupings (`group_by=strategy,state`) give a row for each pair that occurs, the largest first. `measures` adds statistics of a quantity to each row, for example `measures=total_aum.median,aum_growth_1y.median`: `known` is how many values they cover. Quantiles are values that occur (nearest rank, as PostgreSQL's `percentile_disc`).\n\n" +
	"A row must match all filters, which are those of `GET /v1/gps` except `q`. With vintage in `group_by`, rows count funds: the strategy and all filters by funds apply to the fund that is counted, except `closed_fund_after` and `raising_now`, which remain filters of its manager. Otherwise they apply to the manager: to its primary strategy, and to at least one fund that matches all filters by funds. With `group_by=strategy`, `fund_count` then counts these funds.\n\n" +
	"With `as_of` and `known_at`, all data are as of that time. They can be combined with all groupings, with all measures except growth, with the vintage bounds and with the filters that `GET /v1/gps` combines with them. The first request for a time takes some seconds, and counts as 10 in the rate limits. One caller can wait for three times at once; a request for a fourth returns 429 with `Retry-After`. `calculated_at` is when the index behind the response was built.\n\n" +
	"A response that counts nothing is not charged."

func (s *Service) aggregate(ctx context.Context, in *Input) (*httpapi.Reply[Aggregate], error) {
	shape, faults := in.shape()
	snapshot, away := s.index.Snapshot()
	q, filters, err := in.AggregateQuery(s.clock, snapshot, in.MinVintage, in.MaxVintage)
	if err != nil {
		faults = append(faults, apperr.From(err).Fields...)
	}
	var at catalogapi.Moment
	if at.Day, at.Known, err = in.Resolve(s.clock); err != nil {
		faults = append(faults, apperr.From(err).Fields...)
	}
	if in.AsOf.Set || in.KnownAt.Set {
		faults = append(faults, shape.notThen(filters.Map())...)
	}
	if faults != nil {
		return nil, apperr.Invalid(faults...)
	}
	if away != nil {
		return nil, away
	}
	of, err := s.past.At(ctx, at, snapshot)
	if err != nil {
		return nil, err
	}
	var rows []index.AggregateRow
	if shape.plain(q, filters.Map()) {
		rows = of.Aggregate(plainQuery(shape.by[0], q))
	} else {
		rows = of.Group(shape.query(q, filters, s.clock))
	}
	rows, total := in.cut(rows, &shape)
	basis := moment.NewBasis(of.Freshness().BuiltAt, s.pricing, at.Day, at.Known)
	reply := wire.Write[Aggregate](func(dst []byte) []byte { return shape.appendAnswer(dst, rows, filters, total, &basis) })
	// All bands are listed, including those without a manager.
	reply.Free = !slices.ContainsFunc(rows, func(r index.AggregateRow) bool { return size(&r) > 0 })
	return reply, nil
}

// notThen are the faults of a question about the past.
//
// Spec: not shown; indexes of the past have what lists of a past day are selected by, and no growth.
func (s *shape) notThen(filters map[string]any) (faults []apperr.FieldError) {
	for i := range s.measures {
		if of := s.measures[i].of; of == index.QuantityGrowth1 || of == index.QuantityGrowth3 {
			faults = append(faults, apperr.FieldError{Field: "measures", Message: string(of) + " " + listing.NotThen})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(filters)) {
		if !slices.Contains(gp.FiltersThen(), name) && name != "min_vintage" && name != "max_vintage" {
			faults = append(faults, apperr.FieldError{Field: name, Message: listing.NotThen})
		}
	}
	return faults
}

// query is the query of the index.
func (s *shape) query(q *index.GPQuery, filters *listing.Applied, clk clock.Clock) *index.GroupQuery {
	of := &index.GroupQuery{By: s.by, GPs: *q}
	for i := range s.measures {
		of.Quantities = append(of.Quantities, s.measures[i].of)
	}
	// The day is that of launched_within_months.
	of.Key = fmt.Sprint(s.by, of.Quantities, clk.Now().UTC().Format(time.DateOnly)) + string(filters.AppendJSON(nil))
	return of
}

// cut leaves out small rows and those beyond the limit; total counts the rows before the limit, where there can be more.
func (in *Input) cut(rows []index.AggregateRow, s *shape) (cut []index.AggregateRow, total *int) {
	if n, ok := in.MinCount.Get(); ok {
		kept := make([]index.AggregateRow, 0, len(rows)) // the others are remembered
		for i := range rows {
			if int64(size(&rows[i])) >= n {
				kept = append(kept, rows[i])
			}
		}
		rows = kept
	}
	limit := int64(len(rows))
	if len(s.by) > 1 {
		limit = defaultRows
	}
	if len(s.by) > 1 || in.MinCount.Set || in.Limit.Set {
		total = new(len(rows))
	}
	return rows[:min(in.Limit.Or(limit), int64(len(rows)))], total
}

// size is how many managers or funds a row counts.
func size(r *index.AggregateRow) int { return cmp.Or(r.GPCount, r.FundCount) }

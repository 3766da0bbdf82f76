package market_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/valyala/fasthttp"

	"gpatlas/modules/analytics/internal/market"
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/platform/testkit/httpapitest"
)

// BenchmarkAggregate is the longest grouping of a market, sixty states, through the whole API less the counting.
func BenchmarkAggregate(b *testing.B) {
	counted := catalogapi.Aggregation{BuiltAt: time.Unix(1_700_000_000, 0)}
	for range 60 {
		counted.Rows = append(counted.Rows, catalogapi.AggregateRow{
			Country: "United States", CountryCode: "US", State: "MA", GPCount: 812, KnownAUM: 800, TotalAUM: 310_000_000_000,
		})
	}
	host := httpapitest.New(b, market.Routes(serve(catalogtest.Analysis{
		AggregateFunc: func(catalogapi.AggregateQuery, catalogapi.Moment) (catalogapi.Aggregation, error) {
			return counted, nil
		},
	}))...)
	handler := host.App.Handler()
	b.ReportAllocs()
	for b.Loop() {
		var ctx fasthttp.RequestCtx
		ctx.Request.SetRequestURI("/v1/search/aggregate?group_by=state&country=US&strategy=PE&min_aum=100000000")
		handler(&ctx)
		if ctx.Response.StatusCode() != fasthttp.StatusOK {
			require.Equal(b, fasthttp.StatusOK, ctx.Response.StatusCode(), string(ctx.Response.Body()))
		}
	}
}

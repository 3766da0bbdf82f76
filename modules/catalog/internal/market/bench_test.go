package market_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/valyala/fasthttp"

	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/market"
	"gpatlas/platform/testkit/httpapitest"
)

// BenchmarkAggregate is the longest grouping of a market, sixty states, through the whole API less the counting.
func BenchmarkAggregate(b *testing.B) {
	var counted []index.AggregateRow
	for range 60 {
		counted = append(counted, index.AggregateRow{
			Country: "United States", CountryCode: "US", State: "MA", GPCount: 812, KnownAUM: 800, TotalAUM: 310_000_000_000,
		})
	}
	host := httpapitest.New(b, market.Routes(serve(&fake{count: func(*index.AggregateQuery) []index.AggregateRow { return counted }}))...)
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

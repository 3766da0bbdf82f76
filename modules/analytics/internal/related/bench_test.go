package related_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/valyala/fasthttp"

	"gpatlas/modules/analytics/internal/related"
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/platform/testkit/httpapitest"
)

// BenchmarkRelated is a list of ten through the whole API, less the finding: parameters, sentences, JSON, entity tag.
func BenchmarkRelated(b *testing.B) {
	gp := catalogapi.RelatedGP{
		CRD: "900001", LegalName: "Harbor Ridge Capital Partners LLC", Strategy: "venture", City: "Boston", State: "MA", Country: "United States",
		AUM: new(int64(123_456_789)), FundCount: new(int64(11)),
	}
	r := catalogapi.Related{Source: gp, BuiltAt: time.Unix(1_700_000_000, 0)}
	for range 10 {
		r.Similar = append(r.Similar, catalogapi.Similar{RelatedGP: gp, Score: 100, Matched: 15})
	}
	host := httpapitest.New(b, related.Routes(serve(catalogtest.Analysis{
		RelatedFunc: func(catalogapi.RelatedQuery, catalogapi.Moment) (catalogapi.Related, bool, error) {
			return r, true, nil
		},
	}))...)
	handler := host.App.Handler()
	b.ReportAllocs()
	for b.Loop() {
		var ctx fasthttp.RequestCtx
		ctx.Request.SetRequestURI("/v1/gps/900001/related?limit=10&similarity_factors=strategy,aum_band,geography,fund_count")
		handler(&ctx)
		if ctx.Response.StatusCode() != fasthttp.StatusOK {
			require.Equal(b, fasthttp.StatusOK, ctx.Response.StatusCode(), string(ctx.Response.Body()))
		}
	}
}

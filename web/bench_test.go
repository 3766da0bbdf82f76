package web_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"strings"
	"testing"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"gpatlas/platform/auth"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/log"
	"gpatlas/platform/module"
	"gpatlas/platform/page"
	"gpatlas/platform/ratelimit"
	"gpatlas/web"
	"gpatlas/web/webtest"
)

// generous is a limiter and a recorder that cost nothing.
type generous struct{}

func (generous) Allow(_ context.Context, caller *auth.Principal) ratelimit.Decision {
	return plenty(caller)
}

func (g generous) AllowSpent(ctx context.Context, caller *auth.Principal) ratelimit.Decision {
	return g.Allow(ctx, caller)
}

func (g generous) AllowPage(ctx context.Context, caller *auth.Principal) ratelimit.Decision {
	return g.Allow(ctx, caller)
}

func (generous) Weigh(context.Context, *auth.Principal, *ratelimit.Decision, int64) {}

func (generous) GiveBack(context.Context, *auth.Principal, *ratelimit.Decision) {}

func (generous) Learn(string, string, string) {}

func (generous) Record(ratelimit.Usage) {}

// wideInput declares about as many parameters as the GP search.
type wideInput struct {
	page.Input
	Q          httpapi.Opt[string]       `query:"q" minLength:"2" maxLength:"200"`
	City       httpapi.Opt[string]       `query:"city"`
	State      httpapi.Opt[string]       `query:"state"`
	Country    httpapi.Opt[string]       `query:"country"`
	MinAUM     httpapi.Opt[int64]        `query:"min_aum" minimum:"0"`
	MaxAUM     httpapi.Opt[int64]        `query:"max_aum" minimum:"0"`
	Band       httpapi.Opt[string]       `query:"aum_band"`
	Strategy   httpapi.Opt[string]       `query:"strategy"`
	HasFunds   httpapi.Opt[bool]         `query:"has_funds"`
	MinFunds   httpapi.Opt[int]          `query:"min_fund_count" minimum:"0"`
	MaxFunds   httpapi.Opt[int]          `query:"max_fund_count" minimum:"0"`
	MinStaff   httpapi.Opt[int]          `query:"min_employees" minimum:"0"`
	MaxStaff   httpapi.Opt[int]          `query:"max_employees" minimum:"0"`
	After      httpapi.Opt[httpapi.Date] `query:"registered_after"`
	Before     httpapi.Opt[httpapi.Date] `query:"registered_before"`
	VintageMin httpapi.Opt[int]          `query:"vintage_min"`
	VintageMax httpapi.Opt[int]          `query:"vintage_max"`
	SizeMin    httpapi.Opt[int64]        `query:"fund_size_min"`
	SizeMax    httpapi.Opt[int64]        `query:"fund_size_max"`
	Exemption  httpapi.Opt[string]       `query:"exemption_type"`
	Sort       httpapi.Opt[string]       `query:"sort" enum:"name,aum,fund_count,employees"`
	Order      httpapi.Opt[string]       `query:"order" enum:"asc,desc"`
}

// BenchmarkPath compares one fixed body of 8 KB, the size of a page of 25 rows, through plain Fiber and through all of
// ours: routing among 146 endpoints, decoding, validation, entity tag, links, request id, headers, metrics and the
// access line. Both without the network, which costs the same on top of each.
func BenchmarkPath(b *testing.B) {
	body := []byte(`{"data":["` + strings.Repeat("x", 8000) + `"]}`)
	const query = "?min_aum=1000000000&sort=aum&order=desc&limit=25"

	plain := fiber.New(fiber.Config{Immutable: true, DisableStartupMessage: true})
	plain.Get("/v1/wide", func(c *fiber.Ctx) error {
		c.Response().Header.SetContentType("application/json")
		c.Response().SetBody(body)
		return nil
	})

	type answer struct {
		Data []string `json:"data"`
	}
	wide := module.New("wide", module.Part{Routes: []httpapi.Route{
		httpapi.Get("/v1/wide", "wide", func(_ context.Context, in *wideInput) (*httpapi.Reply[answer], error) {
			return &httpapi.Reply[answer]{Raw: body, Page: in.Links(40_000)}, nil
		}),
	}})
	full := func(logger *slog.Logger, access string, change ...func(*web.Options)) fasthttp.RequestHandler {
		options := webtest.Options(b, wide, standIns(b))
		options.Logger, options.Config.AccessLog = logger, access
		for _, f := range change {
			f(&options)
		}
		return webtest.App(b, options).Fiber.Handler()
	}
	logger, flush := log.Open(log.Config{Format: "json"}, io.Discard)
	b.Cleanup(flush)

	guard := func(o *web.Options) {
		o.Keys, o.Sessions, o.Limiter, o.Recorder = credentials(), credentials(), generous{}, generous{}
	}
	for _, path := range []struct {
		name    string
		handler fasthttp.RequestHandler
		headers []string
	}{
		{"plain", plain.Handler(), nil},
		{"full", full(logger, "off"), nil},
		{"full+log", full(logger, "all"), nil},
		{"limited", full(logger, "off", guard), nil},
		{"limited+key", full(logger, "off", guard), []string{"Authorization", "Bearer " + aKey}},
		{"limited+session", full(logger, "off", guard), []string{"Authorization", "Bearer " + aToken}},
		{"full+304", full(logger, "off"), []string{"If-None-Match", "*"}},
		{"full+gzip", full(logger, "off"), []string{"Accept-Encoding", "gzip"}},
		{"full+br", full(logger, "off"), []string{"Accept-Encoding", "br"}},
	} {
		b.Run(path.name, func(b *testing.B) {
			var request fasthttp.Request
			request.SetRequestURI("/v1/wide" + query)
			request.Header.SetHost("127.0.0.1:8080")
			for i := 0; i+1 < len(path.headers); i += 2 {
				request.Header.Set(path.headers[i], path.headers[i+1])
			}
			var ctx fasthttp.RequestCtx
			b.ReportAllocs()
			for b.Loop() {
				ctx.Init(&request, nil, nil)
				path.handler(&ctx)
				if status := ctx.Response.StatusCode(); status != 200 && status != 304 || status == 200 && !bytes.HasPrefix(ctx.Response.Header.ContentType(), []byte("application/json")) {
					b.Fatalf("status %d: %s", status, ctx.Response.Body())
				}
				ctx.Response.Reset()
			}
		})
	}
}

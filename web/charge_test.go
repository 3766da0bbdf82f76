package web_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/fx"
	"go.uber.org/fx/fxtest"

	"gpatlas/platform/charge"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
	"gpatlas/platform/telemetry"
	"gpatlas/platform/testkit/chargetest"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/web"
	"gpatlas/web/webtest"
)

// paid is a module with one operation that has a price; its answer is large enough to be compressed.
func paid() module.Manifest {
	return module.New("paid", module.Part{Routes: []httpapi.Route{
		httpapi.Get("/v1/paid", "paid", func(context.Context, *struct{}) (*httpapi.Reply[item], error) {
			return &httpapi.Reply[item]{Body: item{Name: strings.Repeat("Invented Capital Partners ", 400)}}, nil
		}, httpapi.Charge(150_000, charge.PerRequest)),
	}})
}

// Through the whole pipeline: pages of other origins may read the price, the charge bears the request's id, and the tag
// of a compressed answer makes it free like any other.
func TestChargeThroughThePipeline(t *testing.T) {
	t.Parallel()
	meter := &chargetest.Meter{}
	options := webtest.Options(t, paid())
	options.Meter = meter
	address := webtest.Serve(t, webtest.App(t, options)) + "/v1/paid"
	got := ask(t, address, "Origin", "https://example.com", "Accept-Encoding", "br", "X-Request-ID", "req-7")
	require.Equal(t, 200, got.Status)
	require.Equal(t, "br", got.Header.Get("Content-Encoding"))
	require.Equal(t, "0.15", got.Header.Get("X-Charge"))
	require.Contains(t, strings.Split(got.Header.Get("Access-Control-Expose-Headers"), ", "), "X-Charge")
	want := []charge.Item{{Operation: "paid", Per: charge.PerRequest, UnitMicros: 150_000, RequestID: "req-7"}}
	require.Equal(t, want, meter.Charged())
	again := ask(t, address, "Accept-Encoding", "br", "If-None-Match", got.Header.Get("ETag"))
	require.Equal(t, 304, again.Status)
	require.Equal(t, "0.00", again.Header.Get("X-Charge"))
	require.Equal(t, want, meter.Charged())
}

// The container's meter is the app's; without one everything is free.
func TestModuleTakesAMeter(t *testing.T) {
	t.Parallel()
	meter := &chargetest.Meter{}
	for want, option := range map[string]fx.Option{"0.15": fx.Provide(func() charge.Meter { return meter }), "0.00": fx.Options()} {
		var app *web.App
		container := fxtest.New(t, fx.NopLogger, option,
			fx.Supply(webtest.Config(), telemetry.NewMetrics(), telemetry.NoTracing(), webtest.Options(t).Logger, []module.Manifest{paid()}),
			web.Module, fx.Populate(&app))
		container.RequireStart()
		h := httpapitest.Host{App: app.Fiber, API: app.API}
		h.Do(t, httpapitest.Scenario{Path: "/v1/paid", WantHeader: map[string]string{"X-Charge": want}})
		container.RequireStop()
	}
	require.Len(t, meter.Charged(), 1)
}

// The plain description names what every operation with a price accepts.
func TestPricesInAdvanceAreDescribed(t *testing.T) {
	t.Parallel()
	address := webtest.Serve(t, webtest.App(t, webtest.Options(t, paid())))
	text := ask(t, address+"/llms.txt").Body
	for _, part := range []string{"Costs $0.15 per request.", "- `max_charge` (query, number): ", "- `quote` (query, boolean): ", "### Prices in advance"} {
		require.Contains(t, text, part)
	}
}

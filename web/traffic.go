package web

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/prometheus/client_golang/prometheus"

	"gpatlas/platform/httpapi"
	"gpatlas/platform/ratelimit"
)

// traffic counts requests by operation and status. All counters are looked up once the routes are known, because looking up a
// labeled counter costs more than counting.
type traffic struct {
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	byRoute  map[*fiber.Route]*operation
	none     *operation // requests that reach no operation, other than the following two
	limited  *operation // requests refused by the limits before the operation was known
	unknown  *operation // requests whose path and method belong to no operation
	withheld []withheld // what the access line leaves out
}

// operation is the counters of one operation.
type operation struct {
	id       string
	path     string
	requests *prometheus.CounterVec
	seconds  prometheus.Observer
	byStatus [600]atomic.Pointer[prometheus.Counter]
}

func newTraffic(registerer prometheus.Registerer) (*traffic, error) {
	t := &traffic{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "gpatlas_http_requests_total", Help: "Requests completed, by operation and status.",
		}, []string{"operation", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "gpatlas_http_request_duration_seconds", Help: "Time from reading the request to finishing the response, by operation.",
			Buckets: []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10},
		}, []string{"operation"}),
		byRoute: map[*fiber.Route]*operation{},
	}
	for _, c := range []prometheus.Collector{t.requests, t.seconds} {
		if err := registerer.Register(c); err != nil {
			return nil, fmt.Errorf("web: register request metrics: %w", err)
		}
	}
	t.none, t.limited, t.unknown = t.operation(ratelimit.NameNone, ""), t.operation(ratelimit.NameLimited, ""), t.operation(ratelimit.NameUnknown, "")
	return t, nil
}

func (t *traffic) operation(id, path string) *operation {
	return &operation{id: id, path: path, requests: t.requests, seconds: t.seconds.WithLabelValues(id)}
}

// learn assigns each of the app's routes its operation; pages that are no operations are counted under their path. Requests
// that only middleware answered belong to none: the routes in skip are middleware.
func (t *traffic) learn(app *fiber.App, api *httpapi.API, skip map[*fiber.Route]bool) {
	declared := map[string]httpapi.Route{}
	for _, r := range api.Routes() {
		declared[r.Operation.Method+" "+httpapi.FiberPath(r.Operation.Path)] = r
		if r.Discreet || r.PrivateQuery {
			fixed, _, _ := strings.Cut(r.Operation.Path, "{")
			t.withheld = append(t.withheld, withheld{prefix: fixed, caller: r.Discreet})
		}
	}
	known := map[string]*operation{}
	for _, stack := range app.Stack() {
		for _, route := range stack {
			method := route.Method
			if method == fiber.MethodHead {
				method = fiber.MethodGet
			}
			if skip[route] {
				continue
			}
			id, path := strings.Trim(route.Path, "/*"), route.Path
			if r, ok := declared[method+" "+route.Path]; ok {
				id, path = r.Operation.OperationID, r.Operation.Path
			}
			if known[id] == nil {
				known[id] = t.operation(id, path)
			}
			t.byRoute[route] = known[id]
		}
	}
}

func (t *traffic) of(c *fiber.Ctx) *operation {
	if o := t.byRoute[c.Route()]; o != nil {
		return o
	}
	switch c.Response().StatusCode() {
	case http.StatusTooManyRequests:
		return t.limited
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		return t.unknown
	}
	return t.none
}

func (o *operation) observe(status int, elapsed time.Duration) {
	o.seconds.Observe(elapsed.Seconds())
	if status < 0 || status >= len(o.byStatus) {
		status = 0
	}
	counter := o.byStatus[status].Load()
	if counter == nil {
		made := o.requests.WithLabelValues(o.id, strconv.Itoa(status))
		counter = &made
		o.byStatus[status].Store(counter)
	}
	(*counter).Inc()
}

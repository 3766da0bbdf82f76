package bench_test

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"
	"github.com/valyala/fasthttp"
	"go.uber.org/fx"

	"gpatlas/modules"
	"gpatlas/modules/analytics"
	"gpatlas/modules/catalog"
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
	"gpatlas/platform/testkit/httpapitest"
)

// measureAnalytics starts the service on a catalog and measures the operations on history and analytics: over HTTP beside
// the ceiling and beside SQL, in process where they read the database, and about days of the past.
func measureAnalytics(ctx context.Context, b *testing.B, r *report, binary string, data filled) {
	b.Helper()
	s, _ := serve(ctx, b, binary, data)
	defer s.end()
	drawn, err := drawRecords(ctx, s.databaseURL)
	require.NoError(b, err)
	list := analyses(drawn)
	say("  questions of the analytics %s", digest(list))
	s.measured = make([]measurement, len(list))
	for i := range list {
		s.measured[i].operation = &list[i]
		s.measured[i].survey, err = look(ctx, s.addr, &list[i])
		require.NoError(b, err)
	}
	s.measureAnalyses(ctx, b, r)
	if *profilesFlag != "" {
		s.profile(ctx, b, fromRoot(*profilesFlag))
	}
	s.measureStored(ctx, b, r, drawn)
	s.measurePast(ctx, b, r)
}

// measureAnalyses asks service, ceiling and PostgreSQL in turn, each operation for a slot, as many rounds as are wanted.
func (s *served) measureAnalyses(ctx context.Context, b *testing.B, r *report) {
	b.Helper()
	sizes := make([]int, len(s.measured))
	for i := range s.measured {
		sizes[i] = s.measured[i].bytes
	}
	ceiling := startCeiling(b, int(s.figures(ctx, b)[heapInUse]), sizes)
	defer ceiling.end()
	peers, err := openPeers(ctx, s.databaseURL)
	require.NoError(b, err)
	defer func() { require.NoError(b, peers.close(context.WithoutCancel(ctx))) }()
	analyses, compared := s.compareAnalyses(ctx, b, r, peers)
	ours, err := gather(ctx, s.addr)
	require.NoError(b, err)
	defer ours.close()
	theirs, err := gather(ctx, ceiling.addr)
	require.NoError(b, err)
	defer theirs.close()
	sql := make([][]load, len(s.measured))
	for round := -1; round < *roundsFlag; round++ { // the first one warms
		for i := range s.measured {
			m := &s.measured[i]
			slot := *slotFlag
			if round < 0 {
				slot /= 4
			}
			top, err := theirs.drive(ctx, [][]byte{request(fixedPath(i))}, slot)
			require.NoError(b, err)
			served, err := ours.drive(ctx, m.requests, slot)
			require.NoError(b, err)
			if round < 0 {
				continue
			}
			m.ceiling, m.service = append(m.ceiling, top), append(m.service, served)
			if analyses[i] != nil {
				l, err := analyses[i].drive(ctx, slot)
				require.NoError(b, err)
				sql[i] = append(sql[i], l)
			}
		}
	}
	for i := range s.measured {
		s.measured[i].reportShare(r)
	}
	for i := range s.measured {
		m := &s.measured[i]
		if analyses[i] == nil {
			continue
		}
		var times, rate []float64
		for n, l := range sql[i] {
			times, rate = append(times, m.service[n].rate/l.rate), append(rate, l.rate)
		}
		r.measure("postgresql/"+m.unit, peerRow(m.name), "times", times, fmt.Sprintf(
			"SQL without HTTP: %s a second, p50 %s ms, p99 %s ms; %d answers compared, all equal", figure(median(rate)),
			figure(milliseconds(sql[i][0].p50)), figure(milliseconds(sql[i][0].p99)), compared[i]))
	}
}

// compareAnalyses lets PostgreSQL take part with those operations that it answers alike.
func (s *served) compareAnalyses(ctx context.Context, b *testing.B, r *report, peers *peerStack) (list []*sqlPeer, compared []int) {
	b.Helper()
	_, err := peers.pool.Exec(ctx, "ANALYZE catalog.filings, catalog.adviser_versions, catalog.fund_versions")
	require.NoError(b, err)
	list, compared = make([]*sqlPeer, len(s.measured)), make([]int, len(s.measured))
	for i := range s.measured {
		m := &s.measured[i]
		p := peers.analysis(m.operation)
		n, err := p.compare(ctx, s.addr)
		if err != nil {
			require.NoError(b, ctx.Err())
			r.miss("postgresql/"+m.unit, peerRow(m.name), err.Error())
			continue
		}
		list[i], compared[i] = p, n
	}
	return list, compared
}

// stored is the operations of catalog and analytics in this process, on a database of the service's.
type stored struct {
	handler fasthttp.RequestHandler
	history catalogapi.History
}

func openStored(ctx context.Context, b *testing.B, databaseURL string) stored {
	b.Helper()
	db, err := database.Open(ctx, database.Config{URL: databaseURL})
	require.NoError(b, err)
	b.Cleanup(db.Close)
	var s stored
	require.NoError(b, fx.New(
		fx.NopLogger, modules.Of(catalog.Module, analytics.Module),
		fx.Supply(db, slog.New(slog.DiscardHandler), module.Process{Name: "bench"}, catalog.Config{}, analytics.Config{}),
		fx.Provide(func() clock.Clock { return clock.System{} }, func() prometheus.Registerer { return prometheus.NewRegistry() }),
		fx.Invoke(func(list []module.Manifest, history catalogapi.History) {
			var routes []httpapi.Route
			for _, manifest := range list {
				routes = append(routes, manifest.Routes...)
			}
			s = stored{httpapitest.New(b, routes...).App.Handler(), history}
		}),
	).Err())
	return s
}

// get asks an operation without a network between.
func (s *stored) get(path string) error {
	var ctx fasthttp.RequestCtx
	ctx.Request.SetRequestURI(path)
	s.handler(&ctx)
	if status := ctx.Response.StatusCode(); status != fiber.StatusOK {
		return fmt.Errorf("%s: status %d: %s", path, status, ctx.Response.Body())
	}
	return nil
}

// measureStored asks what reads the stored filings in this process, one question at a time: the operations without HTTP,
// and the timeline that they rest on.
func (s *served) measureStored(ctx context.Context, b *testing.B, r *report, drawn records) {
	b.Helper()
	in := openStored(ctx, b, s.databaseURL)
	operation := func(path string) func(crd string) error {
		return func(crd string) error { return in.get("/v1/gps/" + crd + path) }
	}
	for _, op := range []struct {
		key, name string
		ask       func(crd string) error
	}{
		{keyProcMetrics, "metrics", operation("/metrics")},
		{keyProcChanges, "changes", operation("/changes")},
		{keyProcAmendments, "amendments", operation("/amendments")},
		{keyProcFilings, "filings", operation("/filings")},
		{keyProcProvenance, "GP detail with provenance", operation("?include=provenance")},
		{keyProcAsOf, "GP detail as of today", operation("?as_of=" + lastYears(0))},
		{keyProcKnown, "GP detail as known now", operation("?known_at=" + clock.System{}.Now().UTC().Format(time.RFC3339))},
		{"process/timeline", "timeline of an adviser", func(crd string) error {
			_, err := in.history.Timeline(ctx, crd, catalogapi.Moment{})
			return err
		}},
	} {
		var p50, p99 []float64
		asked := 0
		for range *roundsFlag {
			var took []time.Duration
			end := time.Now().Add(*slotFlag)
			for i := 0; i < len(drawn.gps) || time.Now().Before(end); i++ {
				require.NoError(b, ctx.Err())
				began := time.Now()
				require.NoError(b, op.ask(drawn.gps[i%len(drawn.gps)].CRD))
				took = append(took, time.Since(began))
			}
			l := measured(took, time.Second)
			p50, p99 = append(p50, milliseconds(l.p50)), append(p99, milliseconds(l.p99))
			asked += len(took)
		}
		r.measure(op.key, op.name+" in process, p99", "ms", p99, fmt.Sprintf(
			"from the database, one at a time; p50 %s ms (%s–%s), %d answers about %d advisers", figure(median(p50)), figure(low(p50)), figure(high(p50)),
			asked, len(drawn.gps)))
	}
}

func low(list []float64) float64  { v, _ := extremes(list); return v }
func high(list []float64) float64 { _, v := extremes(list); return v }

// lastYears is the day so many years ago.
func lastYears(n int) string {
	return clock.System{}.Now().AddDate(-n, 0, 0).Format(time.DateOnly)
}

// measurePast asks about days of the past: first each time, when the index of the day is built, then again.
func (s *served) measurePast(ctx context.Context, b *testing.B, r *report) {
	b.Helper()
	c, err := dial(ctx, s.addr)
	require.NoError(b, err)
	defer c.close()
	ask := func(path string) time.Duration {
		began := time.Now()
		status, body, err := c.ask(request(path))
		took := time.Since(began)
		require.NoError(b, err)
		require.Equal(b, 200, status, "%s: %s", path, body)
		return took
	}
	before := s.heap(ctx, b)
	var first, again []float64
	var took []time.Duration
	for n := range *roundsFlag {
		path := "/v1/search/aggregate?group_by=strategy&as_of=" + lastYears(1+n)
		first = append(first, ask(path).Seconds())
		took = took[:0]
		for range 1000 {
			took = append(took, ask(path))
		}
		again = append(again, milliseconds(measured(took, time.Second).p50))
	}
	after := s.heap(ctx, b)
	r.measure("past/first", "first question about a past day, its index built, over HTTP", "s", first, "as_of one year ago, two, three …")
	r.measure("past/again", "the same question again, p50", "ms", again, "over HTTP, one at a time")
	r.measure("past/heap", "heap that the indexes of past days hold", "MiB", []float64{(after - before) / mib},
		fmt.Sprintf("after a collection; %d days asked for, 3 kept at most", *roundsFlag))
}

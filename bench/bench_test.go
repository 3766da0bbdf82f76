package bench_test

import (
	"context"
	"flag"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/devstack"
)

var (
	scaleFlag = flag.String("scale", scaleSEC, "size of the catalogue: small, sec or 10x")
	keepFlag  = flag.Bool("keep", false, "keep the loaded catalogue for the next run, beside gpatlas dev's data folder")
	slotFlag  = flag.Duration("slot", 2*time.Second, "length of one stretch of load")
	pauseFlag = flag.Bool("pause", false, "leave the service running when all is measured, until Ctrl-C, to look at it")
)

// rounds is how often everything is measured in turn; medians are reported.
const rounds = 3

// measurement is one operation beside its ceiling, round by round.
type measurement struct {
	*operation
	survey
	ceiling, service []load
}

// BenchmarkHTTP asks a `gpatlas dev` of its own with a whole market's catalogue, over HTTP on loopback, and beside it, in
// turn, the ceiling: the same web app with an answer that costs nothing. It prints a report with the targets; nothing
// fails by a missed one.
func BenchmarkHTTP(b *testing.B) {
	ctx, stop := signal.NotifyContext(b.Context(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	scale := *scaleFlag
	require.Contains(b, []string{scaleSmall, scaleSEC, scale10x}, scale, "-scale")
	want := promised(scale, runtime.NumCPU())
	say("\nscale     %s\nmachine   %s\ndate      %s", scale, machine(), time.Now().Format("2006-01-02 15:04"))

	binary := build(ctx, b, scratch(b))
	data := catalogueDir(ctx, b, binary, scale, *keepFlag)
	began := time.Now()
	service := startService(b, binary, data)
	require.NoError(b, firstAnswer(ctx, service.addr))
	ready := time.Since(began).Seconds()
	databaseURL, _, running, err := devstack.Find(data)
	require.NoError(b, err)
	require.True(b, running)
	facts, err := figures(ctx, service.addr)
	require.NoError(b, err)
	report := func(what string, have float64, unit string, t target) {
		say("%-44s %8.4g %-6s %-8s %s", what, have, unit, t, t.verdict(have))
	}
	say("catalogue %.0f advisers, %.0f funds\n", facts[`gpatlas_index_records{kind="adviser"}`], facts[`gpatlas_index_records{kind="fund"}`])
	report("start to first answered search", ready, "s", want.ready)
	report("index loaded and built", facts["gpatlas_index_build_seconds_sum"], "s", want.build)
	report("resident after it", facts["process_resident_memory_bytes"]/(1<<20), "MiB", want.memory)

	drawn, err := drawRecords(ctx, databaseURL)
	require.NoError(b, err)
	list := operations(drawn)
	measured := make([]measurement, len(list))
	sizes := make([]int, len(list))
	for i := range list {
		m := &measured[i]
		m.operation = &list[i]
		m.survey, err = look(ctx, service.addr, &list[i])
		require.NoError(b, err)
		sizes[i] = m.bytes
	}
	ceiling := startCeiling(b, int(facts["go_memstats_heap_alloc_bytes"]), sizes)

	sql := measureRates(ctx, b, measured, service.addr, ceiling.addr, databaseURL)
	reportRates(b, measured, want)
	if len(sql) > 0 {
		reportPeer(b, measured[0], sql, want.peer)
	}
	times, seconds := measureRebuild(ctx, b, &measured[0], service.addr, databaseURL, facts["gpatlas_index_build_seconds_sum"])
	report("p99 of GP search while the index is rebuilt", times, "times", want.rebuild)
	report("a change visible after its commit", seconds, "s", want.visible)
	facts, err = figures(ctx, service.addr)
	require.NoError(b, err)
	report("resident at the end", facts["process_resident_memory_bytes"]/(1<<20), "MiB", target{})
	b.ReportMetric(0, "ns/op") // of everything at once it says nothing
	if *pauseFlag {
		say("\nthe service is on http://%s until Ctrl-C", service.addr)
		<-ctx.Done()
	}
}

// measureRates asks service and ceiling in turn, each operation for a slot, and PostgreSQL once a round. Without the
// extension that the comparison needs there are no rates of PostgreSQL.
func measureRates(ctx context.Context, b *testing.B, measured []measurement, service, ceiling, databaseURL string) (sql []load) {
	b.Helper()
	p, err := newPeer(ctx, databaseURL, measured[0].questions)
	if err != nil {
		say("no comparison with PostgreSQL: %v", err)
	} else {
		defer p.pool.Close()
		comparePeer(ctx, b, p, &measured[0])
	}
	ours, err := gather(ctx, service)
	require.NoError(b, err)
	defer ours.close()
	theirs, err := gather(ctx, ceiling)
	require.NoError(b, err)
	defer theirs.close()
	slot := *slotFlag
	for i := range measured { // warm
		_, err := ours.drive(ctx, measured[i].requests, slot/4)
		require.NoError(b, err)
		_, err = theirs.drive(ctx, [][]byte{request(fixedPath(i))}, slot/4)
		require.NoError(b, err)
	}
	for range rounds {
		for i := range measured {
			m := &measured[i]
			l, err := theirs.drive(ctx, [][]byte{request(fixedPath(i))}, slot)
			require.NoError(b, err)
			m.ceiling = append(m.ceiling, l)
			l, err = ours.drive(ctx, m.requests, slot)
			require.NoError(b, err)
			m.service = append(m.service, l)
		}
		if p != nil {
			l, err := p.drive(ctx, slot)
			require.NoError(b, err)
			sql = append(sql, l)
		}
	}
	return sql
}

// comparePeer checks that PostgreSQL finds as many as the service, so that both do the same work. Text is looked for in
// another way there, so it is left out, and answers that take too long are too.
func comparePeer(ctx context.Context, b *testing.B, p *peer, m *measurement) {
	b.Helper()
	limited, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	for i := range m.questions {
		if m.questions[i].params.Has("q") {
			continue
		}
		total, err := p.ask(limited, i)
		if limited.Err() != nil {
			return
		}
		require.NoError(b, err, p.statements[i])
		if total >= 0 {
			require.Equal(b, m.totals[i], total, "%s and %s %v", m.questions[i].url(), p.statements[i], m.questions[i].sql.args)
		}
	}
}

func reportRates(b *testing.B, measured []measurement, want targets) {
	b.Helper()
	say("\n%d kept connections, %d questions each, medians of %d rounds of %s, service and ceiling in turn", connections, questionsEach, rounds, *slotFlag)
	say("%-15s %6s %5s %9s %9s %21s %-7s %-6s %9s %9s %14s", "", "bytes", "rows", "answers/s", "ceiling/s", "share (lowest–highest)", "target", "", "p50 ms", "p99 ms", "ceiling's p99")
	for i := range measured {
		m := &measured[i]
		var share, rate, top []float64
		var p50, p99, topP99 []time.Duration
		for r := range m.service {
			share = append(share, m.service[r].rate/m.ceiling[r].rate)
			rate, top = append(rate, m.service[r].rate), append(top, m.ceiling[r].rate)
			p50, p99, topP99 = append(p50, m.service[r].p50), append(p99, m.service[r].p99), append(topP99, m.ceiling[r].p99)
		}
		t := want.share[m.unit]
		low, high := extremes(share)
		say("%-15s %6d %5.1f %9.0f %9.0f   %.3f (%.3f–%.3f)  %-7s %-6s %9.3f %9.3f %14.3f", m.name, m.bytes, m.rows, median(rate), median(top),
			median(share), low, high, t, t.verdict(median(share)), milliseconds(median(p50)), milliseconds(median(p99)), milliseconds(median(topP99)))
		b.ReportMetric(median(rate), m.unit+"/s")
		b.ReportMetric(median(share), m.unit+"-of-ceiling")
	}
	say("")
}

func extremes(list []float64) (low, high float64) {
	low, high = list[0], list[0]
	for _, v := range list {
		low, high = min(low, v), max(high, v)
	}
	return low, high
}

func reportPeer(b *testing.B, gps measurement, sql []load, t target) {
	b.Helper()
	var times, rate []float64
	for r := range sql {
		times, rate = append(times, gps.service[r].rate/sql[r].rate), append(rate, sql[r].rate)
	}
	say("%-44s %8.4g %-6s %-8s %s", "GP search over HTTP against plain SQL", median(times), "times", t, t.verdict(median(times)))
	say("%-44s %8.4g %-6s p50 %.1f ms, p99 %.1f ms", "  which answers, without HTTP", median(rate), "/s", milliseconds(sql[0].p50), milliseconds(sql[0].p99))
	b.ReportMetric(median(times), "times-PostgreSQL")
}

// measureRebuild drives GP searches for as long as a rebuild takes, without one and with one in turn, and gives by how
// much the 99th percentile grows. Then it waits, without load, for a change to become visible.
func measureRebuild(ctx context.Context, b *testing.B, gps *measurement, addr, databaseURL string, buildSeconds float64) (times, seconds float64) {
	b.Helper()
	all, err := gather(ctx, addr)
	require.NoError(b, err)
	defer all.close()
	slot := time.Duration(max(buildSeconds, 0.2) * float64(time.Second))
	var ratios []float64
	for range rounds {
		quiet, err := all.drive(ctx, gps.requests, slot)
		require.NoError(b, err)
		publication, err := announce(ctx, databaseURL)
		require.NoError(b, err)
		time.Sleep(300 * time.Millisecond) // the index waits so long for further changes
		busy, err := all.drive(ctx, gps.requests, slot)
		require.NoError(b, err)
		require.NoError(b, visible(ctx, addr, publication))
		ratios = append(ratios, float64(busy.p99)/float64(quiet.p99))
	}
	publication, err := announce(ctx, databaseURL)
	require.NoError(b, err)
	began := time.Now()
	require.NoError(b, visible(ctx, addr, publication))
	return median(ratios), time.Since(began).Seconds()
}

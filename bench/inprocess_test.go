package bench_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// measureProcess runs the index's own benchmarks, one question at a time, in a process of their own.
func measureProcess(ctx context.Context, b *testing.B, r *report) {
	b.Helper()
	found, err := goBench(ctx, "./modules/catalog/internal/index", "^BenchmarkRounds$", "-scale", r.scale, "-rounds", strconv.Itoa(*roundsFlag))
	require.NoError(b, err)
	const perMicrosecond = 1e-3
	for _, op := range []struct{ key, what, name string }{
		{keyProcGPs, "GP search in process, p99", "gps"},
		{keyProcFunds, "fund search in process, p99", "funds"},
		{keyProcComplete, "autocomplete in process, p99", "autocomplete"},
		{keyProcUnified, "unified search in process, p99", "unified"},
		{keyProcAggregate, "aggregate in process, computed anew, p99", "aggregate/anew"},
		{keyProcAgain, "aggregate in process, remembered, p99", "aggregate/remembered"},
		{"process/groups", "aggregate of two groupings with figures, computed anew, p99", "groups/all"},
		{keyProcRelated, "related in process, p99", "related"},
	} {
		name := "BenchmarkRounds/" + op.name
		p99, p50 := found.rounds(name, "p99-µs", perMicrosecond), found.rounds(name, "p50-µs", perMicrosecond)
		require.Len(b, p99, *roundsFlag, name)
		require.Len(b, p50, *roundsFlag, name)
		require.NotEmpty(b, found.rounds(name, "best-p99-µs", 1), name)
		note := fmt.Sprintf("p50 %s ms; each question at its best: p99 %s ms", figure(median(p50)),
			figure(slices.Min(found.rounds(name, "best-p99-µs", perMicrosecond))))
		r.measure(op.key, op.what, "ms", p99, note)
	}
	build := found.rounds("BenchmarkRounds/build", "ns/op", 1e-9)
	require.Len(b, build, *roundsFlag)
	r.measure(keyBuild, "index build with one worker, records in memory", "s", build, "")
	r.measure("index/heap-in-process", "heap of the index alone", "MiB", found.rounds("BenchmarkRounds/build", "heap-MiB", 1), "")
}

// measureLoad runs the loader's own benchmark: a busy month's document, parsed beforehand, against a bare COPY of its rows.
func measureLoad(ctx context.Context, b *testing.B, r *report) {
	b.Helper()
	found, err := goBench(ctx, "./modules/catalog/internal/load", "^BenchmarkLoad$", "-count", strconv.Itoa(*roundsFlag))
	require.NoError(b, err)
	for _, line := range []struct{ key, what, unit string }{
		{keyLoad2, "loading a month, 2 % changed, against a bare COPY", "x-copy-2%-changed"},
		{"load/known", "loading a month that is known", "x-copy-known"},
		{"load/first", "loading a month into an empty catalog", "x-copy-first"},
	} {
		rounds := found.rounds("BenchmarkLoad", line.unit, 1)
		if len(rounds) == 0 {
			r.miss(line.key, line.what, "BenchmarkLoad gives no "+line.unit)
			continue
		}
		r.measure(line.key, line.what, "times", rounds, "parsed beforehand; fsync off on both sides")
	}
}

// measureIngest runs the ingestion's own benchmark: all archives of the sample into an empty database, parsing included,
// against a bare COPY of all their rows.
func measureIngest(ctx context.Context, b *testing.B, r *report) {
	b.Helper()
	const what = "ingestion from empty against a bare COPY of its rows"
	if r.scale == scale10x && !*ingestFlag {
		r.miss(keyIngestEmpty, what, "at 10x only with -ingest")
		return
	}
	found, err := goBench(ctx, "./modules/dataops", "^BenchmarkIngest$", "-benchtime", "1x", "-count", strconv.Itoa(*ingestionsFlag),
		"-ingest.scale", r.scale)
	if err != nil {
		require.NoError(b, ctx.Err())
		say("%v", err)
		r.miss(keyIngestEmpty, what, "BenchmarkIngest fails, see above")
		return
	}
	ratio, rate := found.rounds("BenchmarkIngest", "x-copy", 1), found.rounds("BenchmarkIngest", "rows/s", 1)
	if len(ratio) == 0 || len(rate) == 0 {
		r.miss(keyIngestEmpty, what, "BenchmarkIngest gives no x-copy")
		return
	}
	r.measure(keyIngestEmpty, what, "times", ratio, figure(median(rate))+" rows/s; fsync off on both sides")
}

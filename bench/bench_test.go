package bench_test

import (
	"context"
	"flag"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/localserver"
)

var (
	scaleFlag  = flag.String("scale", scaleSEC, "size of the catalog: small, sec or 10x")
	partsFlag  = flag.String("parts", strings.Join(allParts(), ","), "what to measure")
	roundsFlag = flag.Int("rounds", 3, "how often everything is measured in turn; medians are compared with the targets")
	slotFlag   = flag.Duration("slot", 2*time.Second, "length of one stretch of load")
	keepFlag   = flag.Bool("keep", false, "keep the loaded catalog for the next run, beside gpatlas dev's data folder")
	ingestFlag = flag.Bool("ingest", false, "at 10x, too, measure the ingestion from empty: it takes long, and memory for all rows")

	ingestionsFlag = flag.Int("ingestions", 1, "how often the ingestion from empty is measured")
	profilesFlag   = flag.String("profiles", "", "folder for a CPU profile and one of allocations of the service, for each operation")
	linesFlag      = flag.String("lines", "", "file for the machine-readable copy, a JSON object a row (default .data/bench/DATE-SCALE.jsonl)")
	pauseFlag      = flag.Bool("pause", false, "leave the service running when all is measured, until Ctrl-C, to look at it")
)

// The parts that a run has.
const (
	partProcess = "process" // the index in process
	partLoad    = "load"    // the loader against COPY
	partIngest  = "ingest"  // a whole ingestion against COPY
	partAdmin   = "admin"   // exports beside searches, and what operators look at
	partStart   = "start"   // `make run` to the first answer
	partHTTP    = "http"    // the service under load, its memory, a rebuild, months that arrive

	partKeys      = "keys"      // what recognising a key, limiting and counting cost a request
	partAnalytics = "analytics" // history and analytics: under load, in process, against SQL, about a past day
	partQuestions = "questions" // what analysts ask: facets, growth, filings of everybody, panels of one manager
	partBefore    = "before"    // what features cost whoever does not use them
	partMoney     = "money"     // what a charge costs: alone, and in an answer
	partMail      = "mail"      // digests, the queue of mails, and what mails lead to
	partFeed      = "feed"      // the log of changes and webhooks
)

func allParts() []string {
	return []string{partProcess, partLoad, partBefore, partIngest, partAdmin, partStart, partAnalytics, partQuestions, partKeys, partMoney, partMail, partFeed, partHTTP}
}

// BenchmarkTargets measures every line of the targets table in performance.md that concerns search, analytics, index and
// ingestion, and ends by printing one table; `make bench` runs it. Nothing fails by a missed target.
func BenchmarkTargets(b *testing.B) {
	ctx, stop := signal.NotifyContext(b.Context(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	require.Contains(b, []string{scaleSmall, scaleSEC, scale10x}, *scaleFlag, "-scale")
	require.Positive(b, *roundsFlag, "-rounds")
	wanted := map[string]bool{}
	for part := range strings.SplitSeq(*partsFlag, ",") {
		require.Contains(b, allParts(), part, "-parts")
		wanted[part] = true
	}
	r := newReport(*scaleFlag)
	say("\n%s", r.header())
	if wanted[partProcess] {
		measureProcess(ctx, b, r)
	}
	if wanted[partLoad] {
		measureLoad(ctx, b, r)
	}
	if wanted[partBefore] {
		measureBefore(ctx, b, r)
	}
	if wanted[partFeed] {
		measureFeed(ctx, b, r)
	}
	if wanted[partIngest] {
		measureIngest(ctx, b, r)
	}
	if wanted[partAdmin] {
		measureAdmin(ctx, b, r)
	}
	if wanted[partStart] || wanted[partAnalytics] || wanted[partQuestions] || wanted[partKeys] || wanted[partMoney] || wanted[partMail] || wanted[partHTTP] {
		binary := build(ctx, b, scratch(b))
		data := loadedCatalog(ctx, b, binary, r, *keepFlag)
		if wanted[partStart] {
			measureStart(ctx, b, r, data.data)
		}
		if wanted[partAnalytics] {
			measureAnalytics(ctx, b, r, binary, data)
		}
		if wanted[partQuestions] {
			measureQuestions(ctx, b, r, binary, data)
		}
		if wanted[partKeys] {
			measureKeys(ctx, b, r, binary, data)
		}
		if wanted[partMoney] {
			measureMoney(ctx, b, r, binary, data)
		}
		if wanted[partMail] {
			measureMail(ctx, b, r, binary, data)
		}
		if wanted[partHTTP] {
			measureService(ctx, b, r, binary, data)
		}
	}
	require.NoError(b, r.table(os.Stdout))
	require.NoError(b, r.save(*linesFlag))
	b.ReportMetric(0, "ns/op") // of everything at once it says nothing
}

// served is the running service that is measured.
type served struct {
	*child
	binary, data, databaseURL string
	measured                  []measurement
}

// serve starts the service on a catalog, and says how long it takes to its first answer.
func serve(ctx context.Context, b *testing.B, binary string, data filled) (s *served, took time.Duration) {
	b.Helper()
	began := time.Now()
	s = &served{child: startService(b, binary, data.data), binary: binary, data: data.data}
	require.NoError(b, firstAnswer(ctx, s.addr))
	took = time.Since(began)
	var running bool
	var err error
	s.databaseURL, _, running, err = localserver.Find(data.data)
	require.NoError(b, err)
	require.True(b, running)
	return s, took
}

// measureService starts the service on a catalog and measures all that can be seen of it from outside.
func measureService(ctx context.Context, b *testing.B, r *report, binary string, data filled) {
	b.Helper()
	s, took := serve(ctx, b, binary, data)
	r.measure("start/dev", "start of `gpatlas dev` to the first answered search", "s", []float64{took.Seconds()}, "")
	facts := s.figures(ctx, b)
	say("  catalog %.0f advisers, %.0f funds", facts[`gpatlas_index_records{kind="adviser"}`], facts[`gpatlas_index_records{kind="fund"}`])
	r.measure(keyResident, "resident after the index is built", "MiB", []float64{facts[resident] / mib}, "the whole process")
	atStart := facts[buildSeconds]

	drawn, err := drawRecords(ctx, s.databaseURL)
	require.NoError(b, err)
	list := operations(drawn)
	say("  questions %s", digest(list))
	s.measured = make([]measurement, len(list))
	for i := range list {
		s.measured[i].operation = &list[i]
		s.measured[i].survey, err = look(ctx, s.addr, &list[i])
		require.NoError(b, err)
	}
	s.measureRates(ctx, b, r)
	s.measureRebuild(ctx, b, r, atStart)
	if *profilesFlag != "" {
		s.profile(ctx, b, fromRoot(*profilesFlag))
	}
	s.measureMonths(ctx, b, r, data.months)
	s.measureMemory(ctx, b, r)
	if *pauseFlag {
		say("\nthe service is on http://%s until Ctrl-C", s.addr)
		<-ctx.Done()
	}
}

// Names of the process's own metrics.
const (
	resident     = "process_resident_memory_bytes"
	heapInUse    = "go_memstats_heap_alloc_bytes"
	buildSeconds = "gpatlas_index_build_seconds_sum"
	builds       = "gpatlas_index_build_seconds_count"
	publication  = "gpatlas_index_publication"
)

const mib = 1 << 20

func (s *served) figures(ctx context.Context, b *testing.B) map[string]float64 {
	b.Helper()
	facts, err := figures(ctx, s.internal)
	require.NoError(b, err)
	return facts
}

// measureMemory says what is resident when everything is over, and what of it the heap needs: a collection is asked for.
func (s *served) measureMemory(ctx context.Context, b *testing.B, r *report) {
	b.Helper()
	r.measure("index/resident-end", "resident at the end", "MiB", []float64{s.figures(ctx, b)[resident] / mib}, "after load, rebuilds and months")
	r.measure("index/heap", "heap in use by the running service", "MiB", []float64{s.heap(ctx, b) / mib}, "after a collection")
}

// heap is what the service's heap holds after a collection, in bytes.
func (s *served) heap(ctx context.Context, b *testing.B) float64 {
	b.Helper()
	status, _, err := getInternal(ctx, s.internal, "/_internal/pprof/heap?gc=1")
	require.NoError(b, err)
	require.Equal(b, 200, status)
	return s.figures(ctx, b)[heapInUse]
}

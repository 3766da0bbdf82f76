package index_test

import (
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/vocab"
	"gpatlas/platform/clock"
	"gpatlas/platform/testkit/dbtest"
)

type catalog struct {
	gps   []index.GP
	funds []index.Fund
}

// market is the invented catalog of the scale that -scale names, made once a process.
var market = sync.OnceValue(func() catalog {
	size := scales()[*scaleFlag]
	g := newGenerator(1, size.words, false)
	gps := g.gps(size.advisers)
	return catalog{gps: gps, funds: g.funds(size.funds, gps)}
})

var marketSnapshot = sync.OnceValue(func() *index.Snapshot {
	c := market()
	s := index.Build(slices.Clone(c.gps), slices.Clone(c.funds), index.Freshness{})
	runtime.GC()
	return s
})

// measure runs the questions in turn and reports the median and the 99th percentile of all answers, and the 99th
// percentile of the questions, each at its best: that is what remains without the collector and a busy machine.
func measure(b *testing.B, questions []func()) {
	b.Helper()
	for _, ask := range questions { // warm
		ask()
	}
	took := make([]time.Duration, 0, 1<<16)
	for b.Loop() {
		began := time.Now()
		questions[len(took)%len(questions)]()
		took = append(took, time.Since(began))
	}
	best := slices.Clone(took[:min(len(took), len(questions))])
	for i, t := range took {
		best[i%len(questions)] = min(best[i%len(questions)], t)
	}
	slices.Sort(best)
	slices.Sort(took)
	b.ReportMetric(float64(best[len(best)*99/100])/1e3, "best-p99-µs")
	b.ReportMetric(float64(took[len(took)/2])/1e3, "p50-µs")
	b.ReportMetric(float64(took[len(took)*99/100])/1e3, "p99-µs")
	b.ReportMetric(float64(took[len(took)-1])/1e3, "max-µs")
}

func questions(n int, ask func(g *generator) func()) []func() {
	g := newGenerator(99, 1, false)
	out := []func(){}
	for range n {
		out = append(out, ask(g))
	}
	return out
}

// typed is a name as somebody types it: a word or two of it, sometimes cut short or mistyped.
func typed(g *generator, name string) string {
	words := []rune(name)
	cut := 3 + g.IntN(max(1, min(len(words)-3, 20)))
	s := string(words[:min(cut, len(words))])
	if g.IntN(5) == 0 {
		r := []rune(s)
		i := g.IntN(len(r))
		r[i] = rune('a' + g.IntN(26))
		s = string(r)
	}
	return s
}

func realisticGP(g *generator, c *catalog) *index.GPQuery {
	q := &index.GPQuery{Limit: 25, Order: pick(g, index.ByName, index.ByAUM, index.ByAUM, index.ByFundCount, index.ByEmployees), Desc: g.IntN(2) == 0}
	for range 1 + g.IntN(4) {
		gp := &c.gps[g.IntN(len(c.gps))]
		switch g.IntN(11) {
		case 0:
			q.Words[index.GPState] = index.One(gp.State)
		case 1:
			q.Numbers[index.GPAUM].Min = new(pick[int64](g, 1e6, 1e8, 5e8, 1e9, 1e10))
		case 2:
			q.Numbers[index.GPAUM] = index.Range{Min: new(int64(1e8)), Max: new(int64(5e8 - 1))}
		case 3:
			q.Strategies.Any = pick(g, []string{"venture"}, []string{"buyout", "growth", "secondaries"}, []string{"hedge"})
		case 4:
			q.Words[index.GPCity] = index.One(gp.City)
		case 5:
			q.Numbers[index.GPEmployees].Min = new(int64(g.IntN(100)))
		case 6:
			q.Fund.Numbers[index.MatchVintage] = index.Range{Min: new(int64(2000 + g.IntN(20)))}
		case 7:
			q.Fund.Numbers[index.MatchSize].Min, q.Fund.Words[index.MatchType] = new(pick[int64](g, 1e6, 1e8, 1e9)), []string{"3c7"}
		case 8:
			if a := c.funds[g.IntN(len(c.funds))].Auditors; len(a) > 0 {
				q.Fund.Auditors = strings.Fields(a[0])[:1]
			}
		case 9:
			q.Words[index.GPJurisdiction] = index.One(pick(g, "US", "GB"))
		case 10:
			q.Text, q.Order = typed(g, gp.LegalName), index.ByRelevance
		}
	}
	if g.IntN(4) == 0 {
		q.Offset = 25 * g.IntN(20)
	}
	return q
}

func realisticFund(g *generator, c *catalog) *index.FundQuery {
	q := &index.FundQuery{Limit: 25, Order: pick(g, index.ByName, index.ByGAV, index.ByVintage), Desc: g.IntN(2) == 0}
	for range 1 + g.IntN(4) {
		f := &c.funds[g.IntN(len(c.funds))]
		switch g.IntN(8) {
		case 0:
			q.Strategies.Any = []string{pick(g, vocab.Strategies()...)}
		case 1:
			q.AdviserCRD = f.AdviserCRD
		case 2:
			q.Numbers[index.FundGAV].Min = new(pick[int64](g, 1e6, 1e8, 1e9))
		case 3:
			q.Numbers[index.FundVintage] = index.Range{Min: new(int64(2000 + g.IntN(20)))}
		case 4:
			q.Jurisdictions = []string{pick(g, "US", "KY", "delaware", "LU")}
		case 5:
			q.Answers[index.Fund3C7] = pick(g, index.Yes, index.No)
		case 6:
			q.Answers[index.FundHasAuditor] = pick(g, index.Yes, index.No)
		case 7:
			q.Text, q.Order = typed(g, f.Name), index.ByRelevance
		}
	}
	if g.IntN(4) == 0 {
		q.Offset = 25 * g.IntN(20)
	}
	return q
}

func BenchmarkSearchGPs(b *testing.B) {
	c, s := market(), marketSnapshot()
	measure(b, questions(200, func(g *generator) func() {
		q := realisticGP(g, &c)
		return func() { _ = s.SearchGPs(q) }
	}))
}

func BenchmarkSearchFunds(b *testing.B) {
	c, s := market(), marketSnapshot()
	measure(b, questions(200, func(g *generator) func() {
		q := realisticFund(g, &c)
		return func() { _ = s.SearchFunds(q) }
	}))
}

func BenchmarkAutocomplete(b *testing.B) {
	c, s := market(), marketSnapshot()
	measure(b, questions(200, func(g *generator) func() {
		name := pick(g, c.gps[g.IntN(len(c.gps))].LegalName, c.funds[g.IntN(len(c.funds))].Name)
		q := typed(g, name)
		q = q[:max(2, min(len(q), 2+g.IntN(10)))]
		return func() { _ = s.Autocomplete(q, index.KindAll, 10) }
	}))
}

func BenchmarkUnified(b *testing.B) {
	c, s := market(), marketSnapshot()
	measure(b, questions(200, func(g *generator) func() {
		q := typed(g, pick(g, c.gps[g.IntN(len(c.gps))].LegalName, c.funds[g.IntN(len(c.funds))].Name))
		return func() { _ = s.Unified(q, index.KindAll, 5) }
	}))
}

// BenchmarkEncode writes one page of each kind of list.
func BenchmarkEncode(b *testing.B) {
	s := marketSnapshot()
	buf := make([]byte, 0, 1<<16)
	b.Run("gps", func(b *testing.B) {
		for b.Loop() {
			buf = buf[:0]
			for id := range uint32(25) {
				buf = s.AppendGP(buf, id)
			}
		}
	})
	b.Run("funds", func(b *testing.B) {
		for b.Loop() {
			buf = buf[:0]
			for id := range uint32(25) {
				buf = s.AppendFund(buf, id)
			}
		}
	})
}

// BenchmarkLoad reads the catalog and builds the index: from PostgreSQL, what a refresh costs, and from the rows that another process has kept.
func BenchmarkLoad(b *testing.B) {
	c := market()
	db := dbtest.New(b)
	seed(b, db, c.gps, c.funds)
	require.NoError(b, db.From(b.Context()).Exec("ANALYZE").Error)
	kept := index.NewStore(db, clock.System{}, b.TempDir(), silent())
	_, err := kept.Load(b.Context())
	require.NoError(b, err)
	for name, store := range map[string]*index.Store{"database": index.NewStore(db, clock.System{}, "", silent()), "file": kept} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				s, err := store.Load(b.Context())
				require.NoError(b, err)
				require.Equal(b, len(c.funds), s.Freshness().Funds+s.Freshness().ClosedFunds)
			}
			b.ReportMetric(residentMiB(b), "peak-resident-MiB")
		})
	}
}

func residentMiB(b *testing.B) float64 {
	b.Helper()
	status, err := os.ReadFile("/proc/self/status")
	require.NoError(b, err)
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	kb, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
	require.NoError(b, err)
	return kb / 1024
}

// BenchmarkBuild builds the index with one goroutine and reports what it holds once the records are gone, and the
// processor time of its thread, which a busy machine changes little: the program's own and the kernel's.
func BenchmarkBuild(b *testing.B) {
	c := market()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var own, kernel float64
	for b.Loop() {
		b.StopTimer()
		runtime.GC()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		gps, funds := slices.Clone(c.gps), slices.Clone(c.funds)
		ownBefore, kernelBefore := threadSeconds(b)
		b.StartTimer()
		s := index.Build(gps, funds, index.Freshness{})
		b.StopTimer()
		ownAfter, kernelAfter := threadSeconds(b)
		own, kernel = own+ownAfter-ownBefore, kernel+kernelAfter-kernelBefore
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric((float64(after.HeapAlloc)-float64(before.HeapAlloc))/(1<<20), "heap-MiB")
		runtime.KeepAlive(s)
		b.StartTimer()
	}
	b.ReportMetric(own/float64(b.N), "own-cpu-s/op")
	b.ReportMetric(kernel/float64(b.N), "kernel-cpu-s/op")
}

// threadSeconds is the processor time that the thread has had.
func threadSeconds(b *testing.B) (own, kernel float64) {
	b.Helper()
	const thisThread = 1 // RUSAGE_THREAD of Linux
	var u syscall.Rusage
	require.NoError(b, syscall.Getrusage(thisThread, &u))
	return time.Duration(u.Utime.Nano()).Seconds(), time.Duration(u.Stime.Nano()).Seconds()
}

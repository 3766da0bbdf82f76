package bench_test

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const printed = `goos: linux
cpu: Some Processor
BenchmarkRounds/gps-2         	   31192	     17124 ns/op	    200301 max-µs	         1.209 p50-µs	        10.93 p99-µs
BenchmarkRounds/aggregate/anew-2 	   10000	     19228 ns/op	        50.70 p99-µs
BenchmarkRounds/gps#01-2      	   47230	      2188 ns/op	         8.655 p99-µs
BenchmarkRounds/aggregate#01/anew-2    	   10000	     33037 ns/op	       144.9 p99-µs
BenchmarkLoad-16    1   9.5e+09 ns/op   0.4 copy-s/op   3.25 x-copy-2%-changed
BenchmarkOne 	 5	 10 ns/op
BenchmarkTalks-2   something is said here
--- SKIP: BenchmarkSkipped
PASS
ok  	gpatlas/modules/catalog/internal/index	5.109s
`

func TestParseBench(t *testing.T) {
	t.Parallel()
	list, err := parseBench(printed)
	require.NoError(t, err)
	require.Len(t, list, 6)
	require.Equal(t, []float64{10.93, 8.655}, list.rounds("BenchmarkRounds/gps", "p99-µs", 1))
	require.Equal(t, []float64{101.4, 289.8}, list.rounds("BenchmarkRounds/aggregate/anew", "p99-µs", 2))
	require.Equal(t, []float64{3.25}, list.rounds("BenchmarkLoad", "x-copy-2%-changed", 1))
	require.Equal(t, []float64{10}, list.rounds("BenchmarkOne", "ns/op", 1), "on one processor the name has no number")
	require.Empty(t, list.rounds("BenchmarkRounds/gps", "heap-MiB", 1))
	require.Empty(t, list.rounds("BenchmarkSkipped", "ns/op", 1))

	for _, bad := range []string{
		"BenchmarkA-2 10 5 ns/op 7", "BenchmarkA-2 10 x ns/op", "--- FAIL: BenchmarkA", "panic: index out of range", "FAIL\tgpatlas/bench 1s",
	} {
		_, err := parseBench(bad)
		require.Error(t, err, bad)
	}
}

func TestVerdict(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		t             target
		have          float64
		text, verdict string
	}{
		{least(0.6), 0.6, "≥ 0.60", met},
		{least(0.6), 0.599, "≥ 0.60", missed},
		{least(90), 483, "≥ 90", met},
		{most(2048), 2048.5, "≤ 2048", missed},
		{most(0.25), 0.25, "≤ 0.25", met},
		{most(4), math.NaN(), "≤ 4", missed},
		{target{}, 7, "–", ""},
	} {
		require.Equal(t, c.text, c.t.String())
		require.Equal(t, c.verdict, c.t.verdict(c.have), "%s: %g", c.text, c.have)
	}
}

// Guarantee: each row is held to the column of performance.md for its catalog and machine, and no other.
func TestPromises(t *testing.T) {
	t.Parallel()
	gps := promises()[keyGPs]
	require.Equal(t, least(0.60), gps.here(scaleSEC, 4))
	require.Equal(t, least(0.60), gps.here(scaleSEC, 64))
	require.Equal(t, least(0.50), gps.here(scaleSEC, 2))
	require.Equal(t, least(0.35), gps.here(scale10x, 2))
	require.Equal(t, target{}, gps.here(scaleSmall, 4))
	require.Equal(t, target{}, promises()[keyStart].here(scale10x, 4))
	require.Equal(t, target{}, promises()["index/heap"].here(scaleSEC, 4), "a row that is for information")
	for key, p := range promises() {
		require.NotEqual(t, promise{}, p, key)
		require.Equal(t, p.four.most, p.ten.most || p.ten.value == 0 && p.four.most, key)
	}
}

func TestReport(t *testing.T) {
	t.Parallel()
	r := &report{scale: scaleSEC, cores: 2, machine: "a machine", command: command([]string{"-test.v=true", "-scale", "sec"}), began: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)}
	r.measure(keyGPs, "GP search", "", []float64{0.55, 0.4123, 0.61}, "a note")
	r.measure(keyProcGPs, "in process", "ms", []float64{0.3}, "")
	r.measure(keyRebuild, "rebuild", "times", []float64{5, 4}, "")
	r.measure("ingest/devstack", "ingestion", "s", []float64{12345.6, 1}, "")
	r.miss(keyRelated, "related", "a reason")

	var out bytes.Buffer
	require.NoError(t, r.table(&out))
	var table []string
	for line := range strings.Lines(out.String()) {
		table = append(table, strings.Join(strings.Fields(line), " "))
	}
	require.Contains(t, out.String(), "scale sec · a machine · 2026-11-21 09:00 · took ")
	require.Equal(t, []string{
		"GP search 0.55 (0.412–0.61) ≥ 0.50 met a note",
		"related not measured ≥ 0.25 a reason",
		"in process 0.3 ms – 4 cores: ≤ 0.25 would be MISSED",
		"rebuild 5 times (4–5) ≤ 3 MISSED",
		"ingestion 12346 s (1–12346) –",
	}, table[len(table)-5:])

	out.Reset()
	require.NoError(t, r.lines(&out))
	dec := json.NewDecoder(&out)
	var first, last map[string]any
	require.NoError(t, dec.Decode(&first))
	require.Equal(t, map[string]any{
		"date": "2026-11-21T09:00:00Z", "scale": "sec", "cores": 2.0, "machine": "a machine", "command": "go test -run '^$' -bench '^BenchmarkTargets$' -benchtime 1x -timeout 0 ./bench -scale sec", "key": keyGPs,
		"what": "GP search", "rounds": []any{0.55, 0.4123, 0.61}, "note": "a note", "median": 0.55, "at_least": 0.5, "verdict": "met",
	}, first)
	require.NoError(t, dec.Decode(&last))
	require.Equal(t, "not measured", last["missing"])
	require.NotContains(t, last, "median")
	require.NotContains(t, last, "verdict")
}

// Guarantee: the questions are those of the prototype, and the same ones in every run: 200 an operation, of 1 to 4 filters,
// sorted, or of text; each that PostgreSQL is asked as well has as many conditions there.
func TestQuestions(t *testing.T) {
	t.Parallel()
	drawn := records{
		gps: []gp{{
			LegalName: "Invented Growth Partners LLC", City: "Boston", State: "MA", CountryCode: "US", Registration: "registered",
			ManagerType: "venture_capital", Strategy: "venture", AUM: 7e8, Employees: 12, FundCount: 3, Vintage: 2015, GAV: 4e7, Is3C7: true,
			Auditor: "Invented Auditors LLP",
		}},
		funds: []fund{{
			Name: "Invented Growth Fund II, L.P.", Adviser: "Invented Growth Partners LLC", AdviserCRD: "300001", Strategy: "venture",
			State: "Delaware", CountryCode: "US", Vintage: 2015, GAV: 4e7, HasAuditor: true,
		}},
	}
	list := operations(drawn)
	require.Equal(t, digest(list), digest(operations(drawn)))
	require.Len(t, list, 4)
	for _, op := range list[:2] {
		require.Len(t, op.questions, 200)
		texts := 0
		for i := range op.questions {
			q := &op.questions[i]
			filters := 0
			for name := range q.params {
				if name != "q" && name != "sort" && name != "order" && name != "page" {
					filters++
				}
			}
			if q.params.Has("q") {
				texts++
				require.LessOrEqual(t, filters, 1, q.url())
			} else {
				require.GreaterOrEqual(t, filters, 1, q.url())
				require.LessOrEqual(t, filters, 4, q.url())
				require.True(t, q.params.Has("sort"), q.url())
				require.Len(t, append(q.sql.advisers, q.sql.funds...), filters, q.url())
			}
		}
		require.InDelta(t, 50, texts, 25, "about every fourth is text")
	}
	for _, op := range list[2:] {
		require.Len(t, op.questions, 200)
		for i := range op.questions {
			require.NotEmpty(t, op.questions[i].params.Get("q"))
		}
	}
}

package bench_test

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

// say prints one line of the report.
func say(format string, args ...any) { fmt.Printf(format+"\n", args...) }

// target is one figure that was promised: at least (or, with most, at most) so much; 0 = nothing was promised.
type target struct {
	value float64
	most  bool
}

func (t target) String() string {
	switch {
	case t.value == 0:
		return "–"
	case t.most:
		return fmt.Sprintf("≤ %g", t.value)
	}
	return fmt.Sprintf("≥ %.2f", t.value)
}

// verdict compares; nothing fails by it, for the machine may be busy.
func (t target) verdict(have float64) string {
	switch {
	case t.value == 0:
		return ""
	case t.most && have <= t.value, !t.most && have >= t.value:
		return "met"
	}
	return "MISSED"
}

// targets are the promises for one size of catalogue and machine.
type targets struct {
	share   map[string]target // of the ceiling, by operation
	peer    target            // times PostgreSQL
	build   target            // seconds to load and build the index
	memory  target            // MiB resident
	rebuild target            // times the p99 without
	visible target            // seconds from the commit
	ready   target            // seconds from the start to the first answer
}

func least(v float64) target { return target{value: v} }
func most(v float64) target  { return target{value: v, most: true} }

func shares(gps, funds, autocomplete, unified float64) map[string]target {
	return map[string]target{"gps": least(gps), "funds": least(funds), "autocomplete": least(autocomplete), "unified": least(unified)}
}

// promised gives the targets; small catalogues have none.
func promised(scale string, cores int) targets {
	switch {
	case scale == scale10x:
		return targets{
			share: shares(0.35, 0.12, 0.20, 0.12), peer: least(300), build: most(14), memory: most(2048),
			rebuild: most(4), visible: most(20),
		}
	case scale == scaleSEC && cores >= 4:
		return targets{
			share: shares(0.60, 0.40, 0.45, 0.35), peer: least(90), build: most(2), memory: most(300),
			rebuild: most(3), visible: most(4), ready: most(3),
		}
	case scale == scaleSEC:
		return targets{share: shares(0.50, 0.30, 0.30, 0.25), rebuild: most(3), ready: most(5)}
	}
	return targets{}
}

// machine says what was measured on.
func machine() string {
	model, busy := "", ""
	if cpu, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		if _, rest, ok := bytes.Cut(cpu, []byte("model name\t: ")); ok {
			line, _, _ := bytes.Cut(rest, []byte("\n"))
			model = ", " + string(line)
		}
	}
	if load, err := os.ReadFile("/proc/loadavg"); err == nil {
		busy = ", load " + strings.Join(strings.Fields(string(load))[:2], " ")
	}
	return fmt.Sprintf("%d cores%s, %s/%s, %s%s", runtime.NumCPU(), model, runtime.GOOS, runtime.GOARCH, runtime.Version(), busy)
}

func median[T int | float64 | time.Duration](list []T) T {
	list = slices.Sorted(slices.Values(list))
	return list[len(list)/2]
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

package bench_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// outcome is one line that a Go benchmark has printed: its name without processors and counters, and its figures by unit.
type outcome struct {
	name    string
	figures map[string]float64
}

// outcomes are those of one run of `go test -bench`, in the order they were printed.
type outcomes []outcome

// Sub-benchmarks of one name get a counter each, and every name ends in the number of processors, unless that is one.
var (
	benchCounter    = regexp.MustCompile(`#\d+(/|$)`)
	benchProcessors = regexp.MustCompile(`-\d+$`)
)

// parseBench reads what `go test -bench` has printed. Lines that are no results are skipped; a result that cannot be read
// is an error, as is a failure.
func parseBench(output string) (outcomes, error) {
	var list outcomes
	for line := range strings.Lines(output) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "--- FAIL") || strings.HasPrefix(line, "FAIL") || strings.HasPrefix(line, "panic:") {
			return nil, fmt.Errorf("a benchmark failed: %s", line)
		}
		fields := strings.Fields(line)
		if len(fields) < 4 || !strings.HasPrefix(fields[0], "Benchmark") {
			continue
		}
		if _, err := strconv.ParseInt(fields[1], 10, 64); err != nil {
			continue // a name alone, and something else that was said on its line
		}
		o := outcome{figures: map[string]float64{}}
		o.name = benchCounter.ReplaceAllString(benchProcessors.ReplaceAllString(fields[0], ""), "$1")
		if len(fields)%2 != 0 {
			return nil, fmt.Errorf("a result with a figure or unit too few: %s", line)
		}
		for i := 2; i < len(fields); i += 2 {
			v, err := strconv.ParseFloat(fields[i], 64)
			if err != nil {
				return nil, fmt.Errorf("%q is no figure in: %s", fields[i], line)
			}
			o.figures[fields[i+1]] = v
		}
		list = append(list, o)
	}
	return list, nil
}

// rounds are a benchmark's figures of one unit, a multiple of them where the report speaks in another unit.
func (list outcomes) rounds(name, unit string, times float64) (found []float64) {
	for _, o := range list {
		if v, ok := o.figures[unit]; ok && o.name == name {
			found = append(found, v*times)
		}
	}
	return found
}

// goBench runs benchmarks of a package that this one may not import, as a process of its own. Nothing else of ours is
// running meanwhile. A package without such a benchmark gives no outcomes.
func goBench(ctx context.Context, pkg, pattern string, args ...string) (outcomes, error) {
	return goBenchIn(ctx, "..", pkg, pattern, args...)
}

// goBenchIn is goBench of a copy of the tree.
func goBenchIn(ctx context.Context, dir, pkg, pattern string, args ...string) (outcomes, error) {
	list := append([]string{"test", "-run", "^$", "-bench", pattern, "-timeout", "0", pkg}, args...)
	cmd := exec.CommandContext(ctx, "go", list...)
	cmd.Dir = dir
	for _, line := range os.Environ() {
		if !toolSetting.MatchString(line) {
			cmd.Env = append(cmd.Env, line)
		}
	}
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 30 * time.Second
	said := &tail{}
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, said
	say("$ go %s", strings.Join(list, " "))
	began := time.Now()
	err := cmd.Run()
	if ctx.Err() != nil {
		return nil, fmt.Errorf("interrupted: %w", ctx.Err())
	}
	if err != nil {
		_, _ = said.Write([]byte(out.String()))
		return nil, fmt.Errorf("go %s: %w: %s", strings.Join(list, " "), err, said)
	}
	say("  took %s", time.Since(began).Round(time.Second))
	return parseBench(out.String())
}

// toolSetting is what would change a measurement, or make one build wait for another.
var toolSetting = regexp.MustCompile(`^(GOGC|GOMEMLIMIT|GOMAXPROCS|GODEBUG|MAKEFLAGS|MAKELEVEL|MFLAGS)=`)

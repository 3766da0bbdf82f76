package bench_test

import (
	"context"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// measureStart runs `make run` on a data folder that is filled, as somebody does every morning, until a search is answered.
// What it would have to install or build the first time is there beforehand.
func measureStart(ctx context.Context, b *testing.B, r *report, dataDir string) {
	b.Helper()
	const what = "start of `make run` to the first answered search"
	makeRun := func() *exec.Cmd {
		cmd := exec.Command("make", "--no-print-directory", "-C", "..", "run", "ARGS="+strings.Join(devArgs(dataDir)[1:], " "))
		cmd.Env = environ()
		return cmd
	}
	prepare := exec.CommandContext(ctx, "make", "--no-print-directory", "-C", "..", "build")
	prepare.Env = environ()
	if out, err := prepare.CombinedOutput(); err != nil {
		require.NoError(b, ctx.Err())
		r.miss(keyStart, what, lastLine(string(out)+"\n"+err.Error()))
		return
	}
	var took []float64
	for range *roundsFlag {
		began := time.Now()
		service := start(b, makeRun(), 5*time.Minute)
		require.NoError(b, firstAnswer(ctx, service.addr))
		took = append(took, time.Since(began).Seconds())
		service.end()
	}
	r.measure(keyStart, what, "s", took, "install.sh and go build, which find all there, included")
}
